//! Claims about both lines together: passed pawns that are stopped, squares given up, good pieces given for bad ones.
//!
//! Each compares the two lines after as many plies, and is true in the line played and not in the better one.

use shakmaty::{Bitboard, Board, Color, File, Move, Role, Square, attacks};

use super::board::{
    ahead, front, is_shut_bishop, on_seventh, passed, pawns, rank_of, same_colour, three_files,
};
use super::lines::{Lines, shown};
use super::thresholds::{
    ALLOWED, BETTER, CLAIM_SHARE, LOST, NEAR, OPENING, PASSED_RANK, SETTLES, SHOWN, SLIGHT,
};
use super::{Mistake, facts, say};
use crate::analyst::RulesAnalyst;
use crate::line::{PlayedLine, TrackedPiece};
use crate::material;
use crate::motif::is_loose;
use engine::evaluation::Variant;
use engine::rules::Game;
use engine::rules::notation::arrival;
use shell::texts::Texts;

/// Finds a claim of one kind about the line played and the better one.
type FindClaim<P> = fn(&PlayedLine<P>, &PlayedLine<P>) -> Option<Claim>;

/// The claims that explain a mistake by themselves.
pub(super) fn strong<P: Variant>() -> [FindClaim<P>; 9] {
    [
        pawn_stopped,
        pawn_not_stopped,
        castles_into_pawns,
        castling_let,
        knight_hindered,
        file_opened,
        target_given,
        square_given_up,
        bad_trade,
    ]
}

/// The claims about slow losses, tried only where no stronger reason is proved.
pub(super) fn slow<P: Variant>() -> [FindClaim<P>; 3] {
    [seventh_let, seventh_missed, bad_bishop_kept]
}

/// A claim: its key among the texts, and the piece and the square that it names.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Claim {
    key: &'static str,
    piece: (Role, Square),
    square: Square,
    /// The mover's loss by it, in centipawns.
    harm: i32,
}

impl<P: Variant> RulesAnalyst<P> {
    /// A reason in what the lines do to a passed pawn, a square, or the pieces that are exchanged.
    pub(super) fn claim_reason(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
        find: &[FindClaim<P>],
    ) -> Option<String> {
        if !facts::has_facts::<P>() {
            return None;
        }
        let drop = mistake.drop()?;
        let played = self.as_long_as(&lines.played_on, SHOWN);
        let best = self.as_long_as(&lines.best_on, SHOWN);
        let plies = SHOWN.min(played.moves.len()).min(best.moves.len());
        let cut = |line: &PlayedLine<P>| PlayedLine::new(&line.games[0], &line.moves[..plies]);
        let (played, best) = (cut(&played), cut(&best));
        let is_enough = |claim: &Claim| claim.harm * 100 >= drop * CLAIM_SHARE;
        let claim = find.iter().filter_map(|find| find(&played, &best)).find(is_enough)?;
        Some(claim.text(texts, lines, &played, &best))
    }
}

impl Claim {
    fn text<P: Variant>(
        &self,
        texts: &Texts,
        lines: &Lines<P>,
        played: &PlayedLine<P>,
        best: &PlayedLine<P>,
    ) -> String {
        let (role, from) = self.piece;
        let (piece, square) = (material::piece(texts, role, Some(from)), self.square.to_string());
        let name = material::piece(texts, role, None);
        let refutation = |plies| shown(&played.games[1], &played.moves[1..], plies);
        let better = |plies| shown(&best.games[0], &best.moves, plies);
        let (line, better) = match self.key {
            "claim.passer.stopped" | "claim.passer.free" => (refutation(SHOWN), better(SHOWN)),
            "claim.square" => (refutation(SETTLES), better(BETTER)),
            "claim.file.own" | "claim.file.let" | "claim.seventh.let" | "claim.castles"
            | "claim.target" => (refutation(ALLOWED), better(BETTER)),
            "claim.seventh.missed" => (refutation(BETTER), better(ALLOWED)),
            _ => (refutation(BETTER), better(BETTER)),
        };
        let file = self.square.file().char().to_string();
        let values = [
            ("file", file.as_str()),
            ("rank", facts::rank_name(texts, self.square)),
            ("piece", piece.as_str()),
            ("name", &name),
            ("square", &square),
            ("line", &line),
            ("better", &better),
        ];
        say(texts, self.key, lines, &values)
    }
}

fn board<P: Variant>(line: &PlayedLine<P>) -> &Board {
    line.end().position().board()
}

/// The enemy piece that stops a pawn: on the square before it, or a king that guards that square and stands no farther
/// back than the pawn.
fn stopper(board: &Board, pawn: Square, side: Color) -> Option<Square> {
    let front = front(pawn, side)?;
    let enemies = board.by_color(!side) & !board.pawns();
    let king = board.king_of(!side)?;
    let guards =
        attacks::king_attacks(king).contains(front) && rank_of(king, side) > rank_of(pawn, side);
    if enemies.contains(front) { Some(front) } else { guards.then_some(king) }
}

/// True if nothing stands on the way of a passed pawn, no enemy guards the square before it, and the enemy king is not near.
fn is_free(board: &Board, pawn: Square, side: Color) -> bool {
    let path = ahead(pawn, side) & Bitboard::from_file(pawn.file());
    let (Some(front), Some(king)) = (front(pawn, side), board.king_of(!side)) else {
        return false;
    };
    let is_guarded = board.attacks_to(front, !side, board.occupied()).any();
    (path & board.occupied()).is_empty() && !is_guarded && king.distance(front) > NEAR
}

/// A pawn of `side` that is passed at the ends of both lines, stopped at the end of `stopped` by a piece that did not stop
/// it before, and at the end of `free` in the enemy's half with nothing in its way: the stopper and the pawn's square, where
/// it is stopped and where it is free.
fn stopped_only_in<P: Variant>(
    stopped: &PlayedLine<P>,
    free: &PlayedLine<P>,
    side: Color,
) -> Option<((Role, Square), [Square; 2])> {
    let start = stopped.games[0].position().board();
    if start.queens().any() {
        return None;
    }
    let pawns = stopped.tracked.iter().zip(&free.tracked);
    let pawns = pawns.filter(|(pawn, _)| pawn.color == side && pawn.role_at_end == Role::Pawn);
    pawns.into_iter().find_map(|(pawn, same)| {
        let (here, there) = (pawn.square?, same.square?);
        let is_passed = passed(board(stopped), side).contains(here)
            && passed(board(free), side).contains(there);
        let by = stopper(board(stopped), here, side)?;
        let is_free = is_free(board(free), there, side) && !is_loose(board(free), there);
        let is_new = stopper(start, pawn.from, side).is_none();
        let is_far = rank_of(there, side) >= PASSED_RANK;
        let role = board(stopped).role_at(by)?;
        (is_passed && is_free && is_new && is_far && !is_loose(board(stopped), by))
            .then_some(((role, by), [here, there]))
    })
}

/// The move played lets the enemy stop a passed pawn, which goes on in the better line.
fn pawn_stopped<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Claim> {
    let side = played.games[0].now().turn();
    let (piece, [square, free]) = stopped_only_in(played, best, side)?;
    let harm = facts::passed_worth(free, side);
    Some(Claim { key: "claim.passer.stopped", piece, square, harm })
}

/// The move played leaves an enemy passed pawn its way, and the better one stops it.
fn pawn_not_stopped<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Claim> {
    let side = !played.games[0].now().turn();
    let (piece, [_, free]) = stopped_only_in(best, played, side)?;
    let harm = facts::passed_worth(free, side);
    Some(Claim { key: "claim.passer.free", piece, square: free, harm })
}

/// True if a pawn of `side` can ever guard the square.
fn can_guard(board: &Board, square: Square, side: Color) -> bool {
    let beside = three_files(square) & !Bitboard::from_file(square.file());
    let behind = |pawn: Square| rank_of(pawn, side) < rank_of(square, side);
    (pawns(board, side) & beside).into_iter().any(behind)
}

/// The knight or bishop of `side` that comes to a square in the first plies of a line and stays there, safe.
fn settles<P: Variant>(line: &PlayedLine<P>, side: Color, square: Square) -> Option<Role> {
    let plies = line.moves.len().min(SETTLES);
    let comes = line.moves[..plies].iter().skip(1).step_by(2).find(|m| arrival(**m) == square)?;
    let piece = board(line).piece_at(square)?;
    let is_meant = piece.color == side
        && piece.role == comes.role()
        && material::is_minor(piece.role)
        && !comes.is_capture();
    (is_meant && !is_loose(board(line), square)).then_some(piece.role)
}

/// A pawn move after which a file beside the own king is open, where an enemy rook stands ready, with queens on the board. In the
/// better line a pawn still stands there.
fn file_opened<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Claim> {
    let (m, side) = (*played.moves.first()?, played.games[0].now().turn());
    let board =
        |line: &PlayedLine<P>, ply: usize| Some(line.games.get(ply)?.position().board().clone());
    let (start, now, better) = (board(played, 0)?, board(played, ALLOWED)?, board(best, ALLOWED)?);
    let king = start.king_of(side)?;
    let enemies = now.by_color(!side);
    let has_queen = (now.queens() & enemies).any();
    if m.role() != Role::Pawn || !has_queen || rank_of(king, side) > 0 {
        return None;
    }
    let is_opened = |file: &File| {
        let squares = Bitboard::from_file(*file);
        file.distance(king.file()) <= 1
            && (start.pawns() & squares).any()
            && (better.pawns() & squares).any()
            && (now.pawns() & squares).is_empty()
            && (now.rooks() & enemies & squares).any()
    };
    let file = File::ALL.into_iter().find(is_opened)?;
    let rook = (now.rooks() & enemies & Bitboard::from_file(file)).first()?;
    // Either the move itself leaves the file, or it lets the other side open it.
    let is_own = m.from().is_some_and(|from| from.file() == file);
    let key = if is_own { "claim.file.own" } else { "claim.file.let" };
    Some(Claim { key, piece: (Role::Rook, rook), square: rook, harm: LOST })
}

/// A pawn before the own king steps forward, and an enemy pawn soon attacks it there: a target for a storm, with queens on the
/// board. In the better line no enemy pawn comes so near.
fn target_given<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Claim> {
    let (m, side) = (*played.moves.first()?, played.games[0].now().turn());
    let start = played.games[0].position().board();
    let (king, to) = (start.king_of(side)?, arrival(m));
    let is_shelter = m.role() == Role::Pawn
        && !m.is_capture()
        && rank_of(king, side) == 0
        && rank_of(to, side) <= 3
        && three_files(king).contains(to)
        && king.file().distance(File::D).min(king.file().distance(File::E)) > 1;
    let attackers = |line: &PlayedLine<P>, ply: usize, square: Square| {
        let board = line.games.get(ply)?.position().board();
        let shelter = pawns(board, side).contains(square);
        let from = attacks::pawn_attacks(side, square) & pawns(board, !side);
        shelter.then(|| from.first())?
    };
    // A pawn that steps into an attack opens a file instead.
    let is_hit = attackers(played, 1, to).is_some();
    let pawn = (2..=ALLOWED).find_map(|ply| attackers(played, ply, to)).filter(|_| !is_hit)?;
    let is_near = |ply: usize| {
        let mut near = three_files(king).into_iter();
        near.any(|square| attackers(best, ply, square).is_some())
    };
    let has_queen = (board(played).queens() & board(played).by_color(!side)).any();
    if !is_shelter || !has_queen || (1..=ALLOWED).any(is_near) {
        return None;
    }
    Some(Claim { key: "claim.target", piece: (Role::Pawn, pawn), square: to, harm: SLIGHT / 2 })
}

/// A pawn move after which no pawn can guard a square any more, which an enemy knight or bishop takes.
fn square_given_up<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Claim> {
    let (m, side) = (*played.moves.first()?, played.games[0].now().turn());
    let (before, after) =
        (played.games[0].position().board(), played.games.get(1)?.position().board());
    if m.role() != Role::Pawn || m.is_capture() {
        return None;
    }
    let from = m.from()?;
    let beside = three_files(from) & !Bitboard::from_file(from.file());
    let is_given = |&square: &Square| {
        // At the edge of the board nobody counts squares.
        (2..=4).contains(&rank_of(square, side))
            && (File::C..=File::F).contains(&square.file())
            && can_guard(before, square, side)
            && !can_guard(after, square, side)
            && best
                .games
                .get(ALLOWED)
                .is_some_and(|game| can_guard(game.position().board(), square, side))
    };
    let mut given = beside.into_iter().filter(is_given);
    given.find_map(|square| {
        let role = settles(played, !side, square)?;
        Some(Claim { key: "claim.square", piece: (role, square), square, harm: SLIGHT / 4 })
    })
}

/// A good piece is exchanged for a bad one, or the guard of the squares around the king is given away, and the better
/// line keeps both pieces.
fn bad_trade<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Claim> {
    let (m, reply) = (*played.moves.first()?, *played.moves.get(1)?);
    let (from, to) = (m.from()?, arrival(m));
    let side = played.games[0].now().turn();
    let start = played.games[0].position().board();
    let taken = m.capture()?;
    let lives = |piece: &TrackedPiece| piece.square.is_some();
    let kept = |square: Square| best.tracked.iter().any(|one| one.from == square && lives(one));
    let is_exchange =
        material::are_alike(taken, m.role()) && reply.is_capture() && arrival(reply) == to;
    if !is_exchange || !kept(from) || !kept(to) {
        return None;
    }
    let claim = |key, piece, square, harm| Some(Claim { key, piece, square, harm });
    if taken == Role::Bishop
        && is_shut_bishop(start, to)
        && is_shut_bishop(board(best), to)
        && !is_shut_bishop(start, from)
    {
        return claim("claim.trade.bad-bishop", (m.role(), from), to, SLIGHT / 4);
    }
    if m.role() == Role::Bishop && guards_king(start, from, side) {
        return claim("claim.trade.guard", (m.role(), from), from, SLIGHT / 2);
    }
    let is_active =
        on_seventh(start, side).contains(from) && !on_seventh(start, !side).contains(to);
    (m.role() == Role::Rook && is_active)
        .then(|| claim("claim.trade.rook", (m.role(), from), from, SLIGHT / 4))?
}

/// The answer castles, and in the better line the enemy cannot within two moves.
fn castling_let<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Claim> {
    played.moves.get(1)?.castling_side()?;
    let is_castling = |m: &Move| m.castling_side().is_some();
    let castles = best.moves.iter().skip(1).step_by(2).take(2).any(is_castling);
    // Before the enemy's second move, the last one that is looked at.
    let then = best.games.get(ALLOWED - 1)?;
    let has_queens = then.position().board().queens().any();
    let may_castle = then.position().legal_moves().iter().any(is_castling);
    let is_let = has_queens && !castles && !may_castle && !then.now().is_check();
    let king = board(played).king_of(!played.games[0].now().turn())?;
    let piece = (Role::King, king);
    let claim = Claim { key: "claim.castles.let", piece, square: king, harm: SLIGHT / 2 };
    is_let.then_some(claim)
}

/// In the opening another piece or a pawn goes where the king's knight, still at home, belongs, and attacks nothing there.
fn knight_hindered<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Claim> {
    let (m, game) = (*played.moves.first()?, &played.games[0]);
    let (side, to) = (game.now().turn(), arrival(m));
    let [home, place] = side.fold_wb([Square::G1, Square::F3], [Square::G8, Square::F6]);
    let after = played.games.get(1)?.position().board();
    let is_home = after.piece_at(home) == Some(Role::Knight.of(side));
    // A capture in answer tells of something greater.
    let is_quiet = played.moves.get(1).is_some_and(|reply| !reply.is_capture());
    let is_opening = u32::from(game.position().fullmoves()) <= OPENING;
    // A queen attacks many pawns without meaning it.
    let harmless = if m.role() == Role::Pawn { Bitboard::EMPTY } else { after.pawns() };
    let prey = after.by_color(!side) & !harmless;
    let attacks = (after.attacks_from(to) & prey).any() || m.is_capture();
    // Where the better move brings another piece there, too, it makes no difference.
    let is_free =
        best.moves.first().is_some_and(|m| arrival(*m) != place || m.from() == Some(home));
    let piece = (Role::Knight, home);
    let claim = Claim { key: "claim.knight", piece, square: to, harm: SLIGHT / 4 };
    (to == place && is_home && is_opening && is_quiet && !attacks && is_free).then_some(claim)
}

/// The king castles, and the answer or the next move of the other side goes on with a pawn on the files of the king, which
/// no better line castles to: a storm, with queens on the board.
fn castles_into_pawns<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Claim> {
    let side = played.games[0].now().turn();
    let wing = (*played.moves.first()?).castling_side()?;
    let soon = best.moves.iter().step_by(2).take(2);
    let castles_too = soon.into_iter().any(|m| m.castling_side() == Some(wing));
    let after = played.games.get(1)?.position().board();
    let king = after.king_of(side)?;
    let storms = |ply: usize| {
        let m = played.moves.get(ply).filter(|m| m.role() == Role::Pawn)?;
        let to = arrival(*m);
        let is_near = three_files(king).contains(to) && rank_of(to, !side) > 2;
        (is_near && !is_loose(played.games.get(ply + 1)?.position().board(), to)).then_some(to)
    };
    let has_queen = (board(played).queens() & board(played).by_color(!side)).any();
    let square = [1, 3].into_iter().find_map(storms).filter(|_| has_queen && !castles_too)?;
    Some(Claim { key: "claim.castles", piece: (Role::Pawn, square), square, harm: SLIGHT / 3 })
}

/// A rook of `side` comes to its seventh rank in the first plies of a line and is there, or has taken there, at the end,
/// while in the other line none ever comes.
fn comes_to_seventh<P: Variant>(
    line: &PlayedLine<P>,
    other: &PlayedLine<P>,
    side: Color,
) -> Option<Square> {
    let there = |game: &Game<P>| on_seventh(game.position().board(), side);
    let never = line.games[..1].iter().chain(&other.games).all(|game| there(game).is_empty());
    let first =
        line.games[..=line.moves.len().min(ALLOWED)].iter().find_map(|game| there(game).first())?;
    let stays = there(line.end()).any() && !is_loose(board(line), there(line.end()).first()?);
    (never && stays).then_some(first)
}

/// The move played lets an enemy rook come to the rank before the own king.
fn seventh_let<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Claim> {
    let square = comes_to_seventh(played, best, !played.games[0].now().turn())?;
    Some(Claim { key: "claim.seventh.let", piece: (Role::Rook, square), square, harm: SLIGHT / 2 })
}

/// The better line brings a rook to the seventh rank.
fn seventh_missed<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Claim> {
    let square = comes_to_seventh(best, played, played.games[0].now().turn())?;
    Some(Claim {
        key: "claim.seventh.missed",
        piece: (Role::Rook, square),
        square,
        harm: SLIGHT / 2,
    })
}

/// The better line exchanges the own bad bishop, which stays in the line played.
fn bad_bishop_kept<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Claim> {
    let side = played.games[0].now().turn();
    let start = played.games[0].position().board();
    let is_bad = |piece: &&TrackedPiece| {
        piece.color == side && piece.role == Role::Bishop && is_shut_bishop(start, piece.from)
    };
    let stays = |piece: &TrackedPiece| {
        let mut pieces = played.tracked.iter();
        pieces.any(|one| {
            one.from == piece.from
                && one.square.is_some_and(|square| is_shut_bishop(board(played), square))
        })
    };
    let is_exchanged = |piece: &TrackedPiece| {
        let Some((ply, square)) = piece.captured.filter(|(ply, _)| *ply <= ALLOWED) else {
            return false;
        };
        let near = [ply.checked_sub(1), Some(ply + 1)];
        near.into_iter()
            .flatten()
            .filter_map(|ply| best.moves.get(ply))
            .any(|m| arrival(*m) == square && m.capture().is_some_and(material::is_minor))
    };
    let mut bishops = best.tracked.iter().filter(is_bad);
    let bishop = bishops.find(|piece| is_exchanged(piece) && stays(piece))?;
    let piece = (Role::Bishop, bishop.from);
    Some(Claim { key: "claim.trade.bad-missed", piece, square: bishop.from, harm: SLIGHT / 3 })
}

/// True if the bishop stands beside its king in place of the pawn that has gone on before it, and no other bishop of its
/// side guards the squares of its colour, while the enemy has a queen and a bishop for them.
fn guards_king(board: &Board, bishop: Square, side: Color) -> bool {
    let Some(king) = board.king_of(side) else { return false };
    let bishops = board.bishops() & same_colour(bishop);
    let has_pawn =
        |square: Option<Square>| square.is_some_and(|square| pawns(board, side).contains(square));
    king.distance(bishop) == 1
        && rank_of(king, side) == 0
        && rank_of(bishop, side) == 1
        && has_pawn(front(bishop, side))
        && (bishops & board.by_color(side)).count() == 1
        && (bishops & board.by_color(!side)).any()
        && (board.queens() & board.by_color(!side)).any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::chess_line as line;

    #[test]
    fn a_passed_pawn_is_stopped_in_one_line_only() {
        let fen = "6k1/5p1p/8/p7/2P3r1/P7/6P1/2R3K1 w - - 0 35";
        let played = line(fen, "g1f2 g8f8 c4c5 f8e7 c5c6 e7d8");
        let best = line(fen, "c4c5 g4d4 g1f2 g8f8 f2e3 d4d8");
        let claim = pawn_stopped(&played, &best).unwrap();
        assert_eq!((claim.piece, claim.square), ((Role::King, Square::D8), Square::C6));
        let late = line(fen, "c4c5 g8f8 g1f2 f8e7 f2e3 e7d7");
        assert_eq!(pawn_stopped(&played, &late), None, "the king comes there, too");
        assert_eq!(pawn_stopped(&best, &played), None);
    }

    #[test]
    fn an_enemy_passed_pawn_is_left_its_way() {
        let fen = "8/5k2/8/8/3p4/8/6K1/8 w - - 0 50";
        let best = line(fen, "g2f2 f7e6 f2e2 e6d5");
        let claim = pawn_not_stopped(&line(fen, "g2h3 d4d3 h3g3 f7e6"), &best).unwrap();
        assert_eq!((claim.piece, claim.square), ((Role::King, Square::E2), Square::D3));
        assert_eq!(pawn_not_stopped(&line(fen, "g2f3 d4d3 f3e3 f7e6"), &best), None, "in time");
    }

    #[test]
    fn a_pawn_move_gives_up_a_square_that_a_piece_takes() {
        let fen = "rn5r/pppk1ppp/1n2p3/1N2P1B1/2P1p3/8/PP3PPP/R4RK1 w - - 0 13";
        let (played, best) = ("c4c5 b6d5 a1e1 b8a6", "b2b3 b8c6 f1e1 a7a6");
        let claim = square_given_up(&line(fen, played), &line(fen, best)).unwrap();
        assert_eq!(claim.piece, (Role::Knight, Square::D5));
        let wing = "r2qkb1r/ppp1p3/2n2p2/3p1bpp/3Pn3/P2BPN1P/1PP2PPB/RN1QK2R b KQkq - 1 9";
        let (push, slow) = ("g5g4 f3h4 d8d7 f2f3", "d8d7 f3d2 e4d2 b1d2");
        assert_eq!(square_given_up(&line(wing, push), &line(wing, slow)), None, "h4");
        let guarded = fen.replace("/8/PP3PPP", "/4P3/PP3PPP");
        let other = square_given_up(&line(&guarded, played), &line(&guarded, best));
        assert_eq!(other, None, "the pawn on e3 may still guard d5");
    }

    #[test]
    fn a_pawn_takes_and_opens_the_file_at_its_king() {
        let fen = "4rrk1/1b1q1pp1/p2p3p/1pp3P1/4PQ1P/3P1N2/PPP5/2KR3R b - - 0 20";
        let best = "h6h5 f3d2 f7f5 g5g6";
        let found = file_opened(&line(fen, "h6g5 h4g5 f7f5 g5g6"), &line(fen, best)).unwrap();
        assert_eq!((found.key, found.square), ("claim.file.own", Square::H1));
        let other = "r2q1rk1/p4n1p/3pp1p1/1pp4P/3pPP2/3P4/PPPQN1P1/2KR3R b - - 0 15";
        let lines = (line(other, "b5b4 h5g6 h7g6 h1h3"), line(other, "g6g5 c1b1 a7a5 h1h3"));
        let found = file_opened(&lines.0, &lines.1).map(|claim| claim.key);
        assert_eq!(found, Some("claim.file.let"), "White opens it");
        let away = fen.replace("2KR3R", "2KR2R1");
        let away = (line(&away, "h6g5 h4g5 f7f5 g5g6"), line(&away, best));
        assert_eq!(file_opened(&away.0, &away.1), None, "no rook stands there");
    }

    #[test]
    fn a_pawn_steps_out_for_enemy_pawns_to_attack() {
        let fen = "r4rk1/1bp2ppp/p1pqpn2/3p4/3P4/P1N1PN2/1PP1QPPP/2KR3R b - - 3 11";
        let best = line(fen, "c6c5 f3e5 c5d4 e3d4");
        let claim = target_given(&line(fen, "h7h6 g2g4 a6a5 g4g5"), &best).unwrap();
        assert_eq!((claim.piece.1, claim.square), (Square::G5, Square::H6));
        assert_eq!(target_given(&line(fen, "h7h6 f3e5 a6a5 f2f4"), &best), None, "nothing comes");
        let storm = line(fen, "h7h6 g2g4 a6a5 g4g5");
        assert_eq!(target_given(&storm, &storm), None, "in both lines");
        // The pawn on e5 attacks f6 at once: that opens a file.
        let centre = "rnbq1rk1/ppp1bp1p/4p1p1/3pP3/3P1B2/1BP2N2/P1P2PPP/R2QK2R b KQ - 1 9";
        let [push, other] = ["f7f6 f4h6 f8e8 e1g1", "c7c5 a2a4 c8d7 e1g1"].map(|m| line(centre, m));
        assert_eq!(target_given(&push, &other), None);
    }

    #[test]
    fn rooks_come_to_the_seventh_rank_in_one_line_only() {
        let fen = "2r1r1k1/p7/1p2pbp1/3p1nNp/3P1P2/8/PP2N1PP/2R2RK1 w - - 2 23";
        let played = line(fen, "c1c8 e8c8 f1e1 c8c2 g5e6 c2b2 e2c3 f5d4");
        let best = line(fen, "g5f3 c8c4 c1c4 d5c4 g1f2 b6b5 f1d1 e8d8");
        let claim = seventh_let(&played, &best).unwrap();
        assert_eq!((claim.key, claim.square), ("claim.seventh.let", Square::C2));
        assert_eq!(seventh_let(&best, &played), None);
        let there = line(fen, "g5f3 c8c2 f1f2 e8c8");
        assert_eq!(seventh_let(&played, &there), None, "it comes there, too");
        let alone = "2r3k1/p7/1p2pbp1/3p1nNp/3P1P2/8/PP2N1PP/5RK1 b - - 0 23";
        let back = seventh_missed(&line(alone, "g8h8 g1h1"), &line(alone, "c8c2 f1f2"));
        assert_eq!(back.map(|claim| claim.square), Some(Square::C2));
    }

    #[test]
    fn a_king_castles_where_pawns_advance() {
        let fen = "rnbqk2r/p3bpp1/1pp1pn1p/3p4/3P3B/P1N2P2/1PPQP1PP/R3KBNR w KQkq - 0 8";
        let played = line(fen, "e1c1 b6b5 c3b1 a7a5");
        let claim = castles_into_pawns(&played, &line(fen, "f3f4 c8b7 e2e3 b8d7")).unwrap();
        assert_eq!((claim.key, claim.square), ("claim.castles", Square::B5));
        let later = line(fen, "f3f4 c8b7 e1c1 b8d7");
        assert_eq!(castles_into_pawns(&played, &later), None, "it castles there, too");
        let quiet = line(fen, "e1c1 b8d7 f3f4 c8b7");
        assert_eq!(castles_into_pawns(&quiet, &line(fen, "f3f4 c8b7 e2e3 b8d7")), None);
    }

    #[test]
    fn a_bad_bishop_is_exchanged_in_the_better_line_only() {
        let fen = "1r1q1rk1/3nbppp/pp6/2p1pP2/2P1P3/N1P4P/P3Q1P1/1RB2RK1 b - - 0 17";
        let best = line(fen, "e7g5 a3c2 g5c1 b1c1");
        let claim = bad_bishop_kept(&line(fen, "f7f6 a3c2 d8c7 c2e3"), &best).unwrap();
        assert_eq!(claim.square, Square::E7);
        assert_eq!(bad_bishop_kept(&best, &best), None, "it goes there, too");
        let good = fen.replace("2p1pP2/2P1P3", "2p2P2/2P1P3");
        let (played, best) = ("f7f6 a3c2 d8c7 c2e3", "e7g5 a3c2 g5c1 b1c1");
        assert_eq!(bad_bishop_kept(&line(&good, played), &line(&good, best)), None);
    }

    #[test]
    fn good_pieces_are_traded_for_bad_ones() {
        let key = |fen: &str, played: &str, best: &str| {
            bad_trade(&line(fen, played), &line(fen, best)).map(|claim| claim.key)
        };
        let french = "4k3/3b1p1p/4p3/2NpP3/3P4/8/5PPP/6K1 w - - 0 30";
        let trade = |fen: &str| key(fen, "c5d7 e8d7", "g1f1 e8e7");
        assert_eq!(trade(french), Some("claim.trade.bad-bishop"));
        assert_eq!(trade(&french.replace("3P4", "8")), None, "one pawn is not blocked");
        let fianchetto = "6k1/5pbp/6p1/8/8/2N1B3/1PPQ1PPP/6K1 b - - 0 20";
        let guard = |fen: &str| key(fen, "g7c3 b2c3", "h7h5 h2h3");
        assert_eq!(guard(fianchetto), Some("claim.trade.guard"));
        assert_eq!(guard(&fianchetto.replace("2N1B3", "2N5")), None, "nothing needs guarding");
        let seventh = "3rr1k1/3R1ppp/8/8/8/8/5PPP/6K1 w - - 0 30";
        assert_eq!(key(seventh, "d7d8 e8d8", "g1f1 h7h6"), Some("claim.trade.rook"));
        let sixth = "3rr1k1/5ppp/3R4/8/8/8/5PPP/6K1 w - - 0 30";
        assert_eq!(key(sixth, "d6d8 e8d8", "g1f1 h7h6"), None);
    }

    #[test]
    fn the_answer_castles_where_the_better_move_takes_its_way() {
        let fen = "r2qk2r/p2b1ppp/8/8/8/5N2/PP3PPP/RNBQK2R b KQkq - 0 13";
        let (played, best) = (line(fen, "a7a6 e1g1 e8g8"), line(fen, "d7b5 b1c3 e8g8"));
        assert_eq!(castling_let(&played, &best).unwrap().square, Square::G1);
        assert_eq!(castling_let(&played, &line(fen, "d7c6 b1c3 e8g8")), None, "nothing stops it");
        assert_eq!(castling_let(&line(fen, "a7a6 b1c3 e8g8"), &best), None, "it does not castle");
    }

    #[test]
    fn a_queen_takes_the_place_of_the_knight() {
        let fen = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/2P5/PP1P1PPP/RNBQK1NR w KQkq - 1 4";
        let best = line(fen, "g1f3 g8f6 d2d4");
        assert_eq!(knight_hindered(&line(fen, "d1f3 g8f6"), &best).unwrap().square, Square::F3);
        assert_eq!(knight_hindered(&line(fen, "g1f3 g8f6"), &best), None);
        let strikes = "rnbqkbnr/ppp1pppp/8/3p2P1/8/8/PPPP1P1P/RNBQKBNR b KQkq - 0 3";
        let struck = knight_hindered(&line(strikes, "f7f6 g5f6"), &line(strikes, "e7e5 d2d3"));
        assert_eq!(struck, None, "it strikes at a pawn");
        let damiano = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
        let taken = knight_hindered(&line(damiano, "f7f6 f3e5"), &line(damiano, "b8c6"));
        assert_eq!(taken, None, "a pawn falls");
        let open = "rnbqkb1r/1pp2ppp/p7/3p4/3P4/4PN2/PP3PPP/R1BQKB1R b KQkq - 1 7";
        let gone = knight_hindered(&line(open, "f7f6 f1d3"), &line(open, "b8d7 f1d3"));
        assert_eq!(gone, None, "the knight has gone");
    }
}
