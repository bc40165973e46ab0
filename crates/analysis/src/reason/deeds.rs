//! Deeds: what a single move does on the board, such as to attack, defend or take. Told where nothing stronger is proved.
//!
//! A deed explains less than an idea, because no line shows its effect. But it is true on the board, it tells a reader what
//! to look at, and it is a difference: neither the other move nor the next one of its line does the same.

use shakmaty::san::SanPlus;
use shakmaty::{Bitboard, Board, Move, Role, Square, attacks};

use super::board::{pawns, rank_of};
use super::idea_reason::same_answer;
use super::ideas::Step;
use super::thresholds::FEW_OFFICERS;
use crate::line::PlayedLine;
use crate::material::{self, are_alike};
use crate::motif::{is_loose, is_undefended, value};
use crate::texts::tell;
use engine::evaluation::Variant;
use engine::rules::notation::arrival;
use shell::texts::Texts;

/// The kinds of deeds, the most telling first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    /// It attacks what could now be taken at a profit.
    Hits,
    /// The answer attacks what has just moved, though it is defended.
    Challenges,
    /// The answer to the other move is not possible.
    Prevents,
    /// A piece that could be taken at a profit leaves.
    Leaves,
    /// A piece that could be taken at a profit is defended.
    Defends,
    /// It takes one thing, and what the other move takes still hangs.
    TakesFirst,
    /// It takes something.
    Takes,
    /// It takes something and is taken.
    Exchanges,
    /// A queen goes where the other can take it, and is defended.
    OffersQueens,
    /// A pawn or a piece attacks something that is defended.
    Strikes,
    /// The king on its first rank gets a square to go to.
    OpensWay,
}

/// A deed of a move.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Deed {
    kind: Kind,
    /// The piece that it is about.
    piece: (Role, Square),
    /// The piece that the other move takes, if it still hangs, or a second one that is attacked.
    other: Option<(Role, Square)>,
    /// The move that is prevented, in SAN.
    prevented: String,
}

impl Deed {
    fn new(kind: Kind, board: &Board, square: Square) -> Option<Deed> {
        let piece = (board.role_at(square)?, square);
        Some(Deed { kind, piece, other: None, prevented: String::new() })
    }

    /// The most telling deed, of the better move or of the answer; true for one of the answer. `same` is the same answer to
    /// the better move, if it is any good there.
    pub(super) fn of_lines<P: Variant>(
        played: &PlayedLine<P>,
        best: &PlayedLine<P>,
        same: Option<&PlayedLine<P>>,
    ) -> Option<(Deed, bool)> {
        let missed = missed(played, best).map(|deed| (deed, false));
        let allowed = allowed(played, best, same).map(|deed| (deed, true));
        missed.into_iter().chain(allowed).min_by_key(|(deed, _)| deed.kind)
    }

    pub(super) fn text(&self, texts: &Texts) -> String {
        let key = match self.kind {
            _ if self.attacks() && self.other.is_some() => "idea.attacks-both",
            Kind::Hits | Kind::Challenges | Kind::Strikes => "idea.attacks",
            Kind::Prevents => "deed.prevents",
            Kind::Leaves => "deed.leaves",
            Kind::Defends => "deed.defends",
            Kind::TakesFirst => "deed.takes-first",
            Kind::Takes => "deed.takes",
            Kind::Exchanges if self.piece.0 == Role::Queen => "deed.exchanges-queens",
            Kind::Exchanges => "deed.exchanges",
            Kind::OffersQueens => "deed.offers-queens",
            Kind::OpensWay => "deed.opens-way",
        };
        let named = |(role, square)| material::piece(texts, role, Some(square));
        let piece = named(self.piece);
        let other = self.other.map(named).unwrap_or_default();
        tell(texts, key, &[("piece", &piece), ("other", &other), ("moves", &self.prevented)])
    }

    /// The piece that it is about.
    pub(super) fn piece(&self) -> (Role, Square) {
        self.piece
    }

    /// True for an attack, which a capture may make besides.
    pub(super) fn attacks(&self) -> bool {
        matches!(self.kind, Kind::Hits | Kind::Challenges | Kind::Strikes)
    }

    /// True if it says more than what every book advises.
    pub(super) fn is_telling(&self) -> bool {
        self.kind <= Kind::TakesFirst || self.kind == Kind::Strikes && self.piece.0 != Role::Pawn
    }

    fn is_like(&self, other: &Deed) -> bool {
        self.kind == other.kind && self.piece == other.piece
    }
}

/// The deed of the better move that the one played has not, and the next move of its line neither.
fn missed<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Deed> {
    let (step, own) = (Step::new(best, 0)?, Step::new(played, 0)?);
    if played.moves.get(2) == Some(&step.m) {
        return None;
    }
    let mut others = deeds(&own);
    others.extend(Step::new(played, 2).iter().flat_map(deeds));
    let is_missed = |deed: &Deed| {
        let square = deed.piece.1;
        // What the move played defends, or takes out of danger, needs no other move.
        let is_safe = matches!(deed.kind, Kind::Leaves | Kind::Defends)
            && (own.m.from() == Some(square) || !is_loose(own.after(), square));
        // Who saves one thing and loses another as good has saved nothing.
        let falls = |m: &Move| m.capture().is_some_and(|role| value(role) >= value(deed.piece.0));
        let is_lost = best.moves.iter().skip(1).step_by(2).take(2).any(falls);
        let is_safe = is_safe || matches!(deed.kind, Kind::Leaves | Kind::Defends) && is_lost;
        let is_shared = deed.attacks() && own.after().attacks_from(arrival(own.m)).contains(square);
        !is_safe && !is_shared && !others.iter().any(|other| other.is_like(deed))
    };
    let found =
        deeds(&step).into_iter().chain(prevents(played, best)).chain(takes_first(&own, &step));
    found.filter(is_missed).min_by_key(|deed| deed.kind)
}

/// The deed of the answer that it has not in the better line.
fn allowed<P: Variant>(
    played: &PlayedLine<P>,
    best: &PlayedLine<P>,
    same: Option<&PlayedLine<P>>,
) -> Option<Deed> {
    let reply = Step::new(played, 1)?;
    let others: Vec<Deed> = [(best, 1), (best, 3)]
        .into_iter()
        .chain(same.map(|line| (line, 1)))
        .filter_map(|(line, ply)| Step::new(line, ply))
        .flat_map(|step| deeds(&step))
        .collect();
    let is_allowed = |deed: &Deed| {
        let is_meant =
            matches!(deed.kind, Kind::Hits | Kind::Takes | Kind::OffersQueens | Kind::Strikes);
        // Where as much is taken in the better line, the capture makes no difference.
        let takes_as_much = |other: &Deed| {
            [other.kind, deed.kind] == [Kind::Takes; 2]
                && value(other.piece.0) >= value(deed.piece.0)
        };
        is_meant && !others.iter().any(|other| other.is_like(deed) || takes_as_much(other))
    };
    let moved = arrival(*played.moves.first()?);
    let challenges = |deed: Deed| match deed.kind == Kind::Strikes && deed.piece.1 == moved {
        true => Deed { kind: Kind::Challenges, ..deed },
        false => deed,
    };
    let found = deeds(&reply).into_iter().filter(is_allowed).map(challenges);
    found.min_by_key(|deed| deed.kind)
}

/// All deeds of a move.
fn deeds<P: Variant>(step: &Step<P>) -> Vec<Deed> {
    let (before, after, to) = (step.before(), step.after(), arrival(step.m));
    let mut found = Vec::new();
    if step.m.is_capture() && !step.takes_back() {
        let is_cheap = step.m.capture().map(value) <= Some(value(step.m.role()));
        let is_guarded = !is_undefended(before, to, !step.side);
        let is_like = step.m.capture().is_some_and(|taken| are_alike(taken, step.m.role()));
        let is_exchange = step.is_recaptured() && is_cheap || is_guarded && is_like;
        let kind = if is_exchange { Kind::Exchanges } else { Kind::Takes };
        found.extend(Deed::new(kind, before, to));
    }
    // A pawn that is taken has done its work, unless it was only exchanged.
    let is_given = step.is_given() && step.m.role() != Role::Pawn
        || step.m.is_capture() && step.is_recaptured();
    if is_loose(after, to) || is_given || step.m.castling_side().is_some() {
        return found;
    }
    found.extend(attacked(step));
    let own = before.by_color(step.side) & !before.kings();
    for square in own.into_iter().filter(|&square| is_loose(before, square)) {
        if step.m.from() == Some(square) {
            found.extend(Deed::new(Kind::Leaves, before, square));
        } else if !is_loose(after, square) {
            found.extend(Deed::new(Kind::Defends, before, square));
        }
    }
    let queens = after.queens() & after.by_color(!step.side);
    if step.m.role() == Role::Queen && (after.attacks_from(to) & queens).any() {
        found.extend(Deed::new(Kind::OffersQueens, after, to));
    }
    if opens_way(step) {
        found.extend(Deed::new(Kind::OpensWay, after, to));
    }
    found
}

/// The pieces that the moved piece attacks now and did not attack before.
fn attacked<P: Variant>(step: &Step<P>) -> Vec<Deed> {
    let (before, after, to) = (step.before(), step.after(), arrival(step.m));
    let Some(role) = after.role_at(to) else { return Vec::new() };
    let old = step.m.from().map_or(Bitboard::EMPTY, |from| before.attacks_from(from));
    let them = after.by_color(!step.side) & !after.kings();
    // What takes something in answer has dodged the attack of a piece.
    let dodges = |square: &Square| {
        let answer = step.answer().filter(|m| role != Role::Pawn && m.is_capture());
        answer.is_some_and(|m| m.from() == Some(*square))
    };
    let targets = (after.attacks_from(to) & them & !old).into_iter();
    let targets = targets.filter(|square| !dodges(square));
    let deed = |square: Square| {
        let target = after.role_at(square)?;
        let by_pawn = attacks::pawn_attacks(step.side, square) & pawns(after, !step.side);
        let is_guarded_by_pawn = !by_pawn.is_empty();
        let is_challenge = match (role, target) {
            (Role::Pawn, Role::Pawn) => true,
            (Role::Knight | Role::Bishop, Role::Pawn) => !is_guarded_by_pawn,
            _ => role != target && value(target) >= value(role),
        };
        // A queen attacks many pawns: one that falls next is meant.
        if (role, target) == (Role::Queen, Role::Pawn) && step.next() != Some(square) {
            return None;
        }
        match is_loose(after, square) && !is_loose(before, square) {
            true => Deed::new(Kind::Hits, after, square),
            false => is_challenge.then(|| Deed::new(Kind::Strikes, after, square))?,
        }
    };
    let mut found: Vec<Deed> = targets.filter_map(deed).collect();
    // What falls next is meant, then what is worth most.
    found.sort_by_key(|deed| (step.next() != Some(deed.piece.1), -value(deed.piece.0)));
    // Two pieces that are attacked at once tell more than one.
    let second = found.get(1).map(|deed| deed.piece).filter(|(role, _)| *role != Role::Pawn);
    if let (Some(first), Some(second)) = (found.first_mut(), second) {
        first.other = Some(second);
    }
    found
}

/// True for a pawn move that gives the king on its first rank, shut in by its own pawns, a square to go to, while the enemy
/// has a rook or a queen.
fn opens_way<P: Variant>(step: &Step<P>) -> bool {
    let ways = |board: &Board| {
        let king = board.king_of(step.side)?;
        let squares = attacks::king_attacks(king) & !board.occupied();
        let is_way = |square: &Square| {
            rank_of(*square, step.side) > 0
                && board.attacks_to(*square, !step.side, board.occupied()).is_empty()
        };
        (rank_of(king, step.side) == 0).then(|| squares.into_iter().filter(is_way).count())
    };
    // In the opening nobody thinks of the first rank.
    let officers = step.after().occupied() & !step.after().pawns();
    if officers.count() > FEW_OFFICERS {
        return false;
    }
    let heavy = step.after().rooks_and_queens() & step.after().by_color(!step.side);
    let has_way = ways(step.after()).is_some_and(|count| count > 0);
    step.m.role() == Role::Pawn && heavy.any() && ways(step.before()) == Some(0) && has_way
}

/// The better move takes the way from the answer to the one played: it is not legal any more, though its piece stands where
/// it stood and no check must be met.
fn prevents<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Deed> {
    let reply = Step::new(played, 1)?;
    let after = best.games.get(1)?;
    let from = reply.m.from()?;
    let board = after.position().board();
    let stands = board.piece_at(from) == reply.before().piece_at(from);
    // A way that the move played has opened is not one that the better move closes.
    let way = attacks::between(from, reply.m.to()) & played.games[0].position().board().occupied();
    let is_safe = !is_loose(board, arrival(*best.moves.first()?));
    let is_meant =
        stands && way.is_empty() && is_safe && !reply.m.is_capture() && !after.now().is_check();
    if !is_meant || same_answer(best, reply.m).is_some() {
        return None;
    }
    let prevented = SanPlus::from_move(reply.game().position().clone(), reply.m).to_string();
    Some(Deed { prevented, ..Deed::new(Kind::Prevents, reply.after(), arrival(reply.m))? })
}

/// The better move takes something else, and what the move played takes still hangs.
fn takes_first<P: Variant>(own: &Step<P>, best: &Step<P>) -> Option<Deed> {
    let prey = Some(arrival(own.m)).filter(|_| own.m.is_capture() && best.m.is_capture())?;
    let hangs = |board: &Board| board.color_at(prey) == Some(!best.side) && is_loose(board, prey);
    let other = (best.after().role_at(prey)?, prey);
    let deed = Deed::new(Kind::TakesFirst, best.before(), arrival(best.m))?;
    let is_one = prey != arrival(best.m) && hangs(best.after()) && !best.is_recaptured();
    is_one.then_some(Deed { other: Some(other), ..deed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::chess_line as line;
    use crate::texts::{self, Lang};

    /// The deed of two lines from one position, in both languages; true for one of the answer.
    fn deed_text(fen: &str, played: &str, best: &str) -> Option<([String; 2], bool)> {
        let (played, best) = (line(fen, played), line(fen, best));
        let same = played.moves.get(1).and_then(|reply| same_answer(&best, *reply));
        let (deed, is_allowed) = Deed::of_lines(&played, &best, same.as_ref())?;
        Some(([Lang::En, Lang::Es].map(|lang| deed.text(&texts::of(lang))), is_allowed))
    }

    fn check(fen: &str, played: &str, best: &str, words: [&str; 2], is_allowed: bool) {
        let words = words.map(str::to_string);
        assert_eq!(deed_text(fen, played, best), Some((words, is_allowed)));
    }

    #[test]
    fn attacks_of_the_answer_must_be_new_and_impossible_after_the_better_move() {
        let fen = "8/p5N1/3pp3/2p3k1/1p1pPnP1/3P1K2/PPP5/8 b - - 9 29";
        let words = ["attacks the pawn on d6", "ataca el peón de d6"];
        check(fen, "e6e5 g7e8 a7a5", "d6d5 e4d5 e6d5", words, true);
        assert_eq!(deed_text(fen, "e6e5 g7e8", "a7a6 g7e8"), None, "there, too");
        let fen = "r2q1rk1/pp4pp/2nbpp2/3p4/2pP4/2P1PNP1/PPQN1PP1/R3K2R b KQ - 6 14";
        let words = ["takes the pawn on h7", "captura el peón de h7"];
        check(fen, "e6e5 c2h7 g8f7 h7h5", "g7g6 e3e4 b7b5", words, true);
        let exchange = "r2qk2r/ppp2p1p/3bpp2/3p1b2/3P4/3PPN2/PP3PPP/RN1Q1RK1 w kq - 0 10";
        let allowed = deed_text(exchange, "e3e4 d5e4 d3e4 f5e4", "f3h4 f5g6 b1c3 d6e7");
        assert_ne!(allowed.map(|(_, is_allowed)| is_allowed), Some(true), "no attack on f3");
        let other = deed_text(fen, "e6e5 c2h7 g8f7 h7h5", "h7h6 h1h6 d8e8 h6h7");
        assert_eq!(other, None, "a pawn falls there, too");
    }

    #[test]
    fn an_answer_challenges_the_pawn_that_has_just_moved() {
        let fen = "rnb2rk1/pp2bppp/1q2p3/3p1n2/3P1P2/P1P2NP1/1P4BP/RNBQK2R w KQ - 1 10";
        let words = ["attacks the pawn on b4", "ataca el peón de b4"];
        check(fen, "b2b4 a7a5 b4a5", "e1g1 c8d7", words, true);
    }

    #[test]
    fn a_way_that_the_move_played_opens_is_not_prevented_by_the_other() {
        let fen = "8/4R3/3K1p2/4nk1p/8/6P1/7P/8 b - - 2 48";
        assert_eq!(deed_text(fen, "e5g4 e7e2 f5g6", "f5g4 d6e6 e5f3"), None);
    }

    #[test]
    fn an_attack_that_the_move_played_makes_too_is_no_difference() {
        let fen = "rr4k1/p1pp1ppp/Qpb5/4p1B1/1bP1P3/2nP1P2/P1B2P1P/R4RK1 w - - 3 20";
        assert_eq!(deed_text(fen, "a2a3 b4c5 g5d2", "f1b1 b4c5 g5e3"), None);
    }

    #[test]
    fn the_better_move_does_what_the_other_does_not() {
        let fen = "r4rk1/ppp2ppp/3b1n1B/8/1P1Q4/2P2N1q/1P3P2/RN3RK1 b - - 1 18";
        let words = [
            "takes the knight on f3, and the bishop on h6 still hangs",
            "captura el caballo de f3 y sigue atacando el alfil de h6",
        ];
        check(fen, "h3h6 d4h4", "h3f3 b1d2 f3h5", words, false);
        assert_eq!(deed_text(fen, "h3f3 b1d2", "h3f3 b1d2"), None, "the same move");
        // The rook guards the pawn; it does so after the other move, too.
        let fen = "3r2k1/5ppp/8/8/3P4/8/5PPP/R5K1 w - - 0 30";
        let words = ["defends the pawn on d4", "defiende el peón de d4"];
        check(fen, "h2h3 h7h6", "a1d1 h7h6", words, false);
        assert_eq!(deed_text(fen, "a1a4 h7h6", "a1d1 h7h6"), None);
        let fen = "r5k1/5ppp/8/8/1PN5/8/5PPP/6K1 w - - 0 30";
        let words = ["prevents Ra1+", "impide Ta1+"];
        check(fen, "g1f1 a8a1", "c4a5 g8f8", words, false);
        let loose = fen.replace("1PN5", "2N5");
        assert_eq!(deed_text(&loose, "g1f1 a8a1", "c4a5 g8f8"), None, "the rook takes it");
    }

    #[test]
    fn pieces_of_a_kind_are_exchanged_not_taken() {
        let fen = "3r1rk1/p2b1ppp/p1p1p1n1/3pN3/3P1P2/2N5/PPP2PPP/3RR1K1 w - - 4 15";
        let words = ["exchanges the knight on g6", "cambia el caballo de g6"];
        check(fen, "f4f5 g6e5 f5e6 e5f3", "e5g6 h7g6 c3a4", words, false);
        let fen = "1k1r3r/2p5/pPq1p3/3p2pp/PP1Pp3/4P3/2Q2PPP/R1R3K1 b - - 0 21";
        let words = ["exchanges queens", "cambia las damas"];
        check(fen, "c6b6 b4b5", "c6c2 c1c2 c7b6", words, false);
    }

    #[test]
    fn a_king_behind_its_pawns_gets_a_way_out() {
        let fen = "3r2k1/5ppp/8/8/8/8/3R1PPP/6K1 w - - 0 30";
        let words = ["gives the king a square to go to", "da al rey una casilla a la que ir"];
        check(fen, "d2c2 h7h6", "h2h3 h7h6", words, false);
        let airy = fen.replace("1PPP", "1PP1");
        assert_eq!(deed_text(&airy, "d2c2 h7h6", "g2g3 h7h6"), None, "it has one");
        let early = "rnbr2k1/ppp2ppp/3b1n2/8/8/3B1N2/3R1PPP/RNB3K1 w - - 0 12";
        assert_eq!(deed_text(early, "d2c2 h7h6", "h2h3 h7h6"), None, "too many pieces");
    }

    #[test]
    fn who_saves_one_pawn_and_loses_another_defends_nothing() {
        let fen = "7R/1r1k1ppp/8/P1P5/6P1/7P/5PK1/8 b - - 2 37";
        let english = |best: &str| {
            let ([english, _], _) = deed_text(fen, "d7c6 h8h7 g7g6 h3h4", best)?;
            Some(english)
        };
        assert_eq!(english("h7h6 h8h7 d7e7 h7g7"), None);
        let saved = "brings the pawn on h7 out of danger".to_string();
        assert_eq!(english("h7h6 h8h7 g7g5 g2f3"), Some(saved));
    }

    #[test]
    fn two_pieces_attacked_at_once_are_both_named() {
        let fen = "r3k2r/ppp2ppp/8/8/3P2n1/3P4/PPP3PP/R2Q1RK1 b kq - 0 13";
        let words =
            ["attacks the queen on d1 and the rook on f1", "ataca la dama de d1 y la torre de f1"];
        check(fen, "h7h6 d1d2", "g4e3 d1d2", words, false);
    }
}
