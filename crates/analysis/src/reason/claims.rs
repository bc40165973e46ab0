//! Claims about both lines together: files opened at a king, castling that is let, good pieces given for bad ones.
//!
//! Each compares the two lines after as many plies, and is true in the line played and not in the better one.

use shakmaty::{Bitboard, Board, Color, File, Move, Role, Square};

use super::board::{front, is_shut_bishop, pawns, rank_of, same_colour};
use super::lines::{Lines, shown};
use super::thresholds::{ALLOWED, BETTER, FACT_SHARE, LOST, MIN_MATERIAL, OPENING, SHOWN, SLIGHT};
use super::{Mistake, Sentence, facts, say};
use crate::analyst::RulesAnalyst;
use crate::line::{PlayedLine, TrackedPiece};
use crate::material::{self, Balance};
use engine::evaluation::Variant;
use engine::rules::notation::arrival;
use shell::texts::Texts;

/// Finds a claim of one kind about the line played and the better one.
type FindClaim<P> = fn(&PlayedLine<P>, &PlayedLine<P>) -> Option<Claim>;

/// All kinds of claims, in the order in which they are tried.
fn all<P: Variant>() -> [FindClaim<P>; 4] {
    [castling_let, knight_hindered, file_opened, bad_trade]
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
    /// A reason in what the lines do to a king, a knight's square, or the pieces that are exchanged.
    pub(super) fn claim_reason(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<Sentence> {
        if !facts::has_facts::<P>() {
            return None;
        }
        let drop = mistake.drop()?;
        let played = self.as_long_as(&lines.played_on, SHOWN);
        let best = self.as_long_as(&lines.best_on, SHOWN);
        let plies = SHOWN.min(played.moves.len()).min(best.moves.len());
        let (played, best) = (played.beginning(plies), best.beginning(plies));
        let is_enough = |claim: &Claim| claim.harm * 100 >= drop * FACT_SHARE;
        let claim = all().iter().filter_map(|find| find(&played, &best)).find(is_enough)?;
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
    ) -> Sentence {
        let (role, from) = self.piece;
        let (piece, square) = (material::piece(texts, role, Some(from)), self.square.to_string());
        let name = material::piece(texts, role, None);
        let refutation = |plies| shown(&played.games[1], &played.moves[1..], plies);
        let better = |plies| shown(&best.games[0], &best.moves, plies);
        let (line, better) = match self.key {
            "claim.file.own" | "claim.file.let" => (refutation(ALLOWED), better(BETTER)),
            _ => (refutation(BETTER), better(BETTER)),
        };
        let file = self.square.file().char().to_string();
        let values = [
            ("file", file.as_str()),
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

/// A pawn move after which a file beside the own king is open, where an enemy rook stands ready, with queens on the board. In the
/// better line a pawn still stands there. It is no reason if the mover loses material or that rook is exchanged.
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
    let ready =
        played.beginning(ALLOWED).tracked.into_iter().find(|one| one.square == Some(rook))?;
    let is_gone = |one: &TrackedPiece| one.from == ready.from && one.square.is_none();
    let loses = Balance::of(played, side).loss::<P>() >= MIN_MATERIAL;
    if loses || played.tracked.iter().any(is_gone) {
        return None;
    }
    // Either the move itself leaves the file, or it lets the other side open it.
    let is_own = m.from().is_some_and(|from| from.file() == file);
    let key = if is_own { "claim.file.own" } else { "claim.file.let" };
    Some(Claim { key, piece: (Role::Rook, rook), square: rook, harm: LOST })
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
    None
}

/// The answer castles, and in the better line the enemy cannot within two moves.
fn castling_let<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Claim> {
    played.moves.get(1)?.castling_side()?;
    let is_castling = |m: &Move| m.castling_side().is_some();
    let castles = best.moves.iter().skip(1).step_by(2).take(2).any(is_castling);
    // Who could castle there and plays something else is not kept from it.
    let could_castle = best.games.get(1)?.position().legal_moves().iter().any(is_castling);
    // Before the enemy's second move, the last one that is looked at.
    let then = best.games.get(ALLOWED - 1)?;
    let has_queens = then.position().board().queens().any();
    let may_castle = then.position().legal_moves().iter().any(is_castling);
    let is_let = has_queens && !castles && !could_castle && !may_castle && !then.now().is_check();
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
        for (fen, played, best, why) in [
            (
                "3q1rk1/p4pb1/1p2p1np/8/4N3/P2p1RQ1/1PrN2PP/1R4K1 b - - 1 25",
                "f7f5 g3g6 f5e4 f3f8 d8f8 g1h1 c2c5",
                "d8d4 g1h1 d4e5 f3d3 e5g3 h2g3 g6e5",
                "the rook is exchanged",
            ),
            (
                "r3k2r/1pb2p2/p1n2qpp/3np3/2NpR3/1P1P1N1P/PBP2PP1/R2Q2K1 b kq - 5 17",
                "b7b5 c4e5 c6e5 f3e5 e8g8 b2d4 c7e5 d4e5",
                "e8c8 d1e1 h8e8 b3b4 c8b8 a2a3 f6e6 e1d1",
                "two pawns fall",
            ),
        ] {
            assert_eq!(file_opened(&line(fen, played), &line(fen, best)), None, "{why}");
        }
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
    }

    #[test]
    fn the_answer_castles_where_the_better_move_takes_its_way() {
        let fen = "r2qk2r/p2b1ppp/8/8/8/5N2/PP3PPP/RNBQK2R b KQkq - 0 13";
        let (played, best) = (line(fen, "a7a6 e1g1 e8g8"), line(fen, "d7b5 b1c3 e8g8"));
        assert_eq!(castling_let(&played, &best).unwrap().square, Square::G1);
        assert_eq!(castling_let(&played, &line(fen, "d7c6 b1c3 e8g8")), None, "nothing stops it");
        assert_eq!(castling_let(&line(fen, "a7a6 b1c3 e8g8"), &best), None, "it does not castle");
        let fen = "r2qk2r/4bnpp/3p1p2/pPpP4/2P1PR1N/2N5/4Q1PP/R5K1 w kq - 1 20";
        let (played, best) = (line(fen, "f4g4 e8g8 h4f5 g7g6"), line(fen, "h4f5 e7f8 e4e5 f8e7"));
        assert_eq!(castling_let(&played, &best), None, "it could castle at once");
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
