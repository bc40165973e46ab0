//! Deeds: what one move does on the board, told where nothing more is proved.
//!
//! A deed explains less than an idea, because no line shows its effect. But it is true on the board, it tells a reader what
//! to look at, and it is a difference: neither the other move nor the next one of its line does the same.

use shakmaty::san::SanPlus;
use shakmaty::{Bitboard, Board, Role, Square, attacks};

use super::board::{pawns, rank_of};
use super::idea_reason::same_answer;
use super::ideas::Step;
use crate::line::PlayedLine;
use crate::material;
use crate::motif::{is_loose, value};
use crate::texts::tell;
use engine::evaluation::Variant;
use engine::rules::notation::arrival;
use shell::texts::Texts;

/// What a move does, the most telling first.
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
    /// What the other move takes, and still hangs.
    other: Option<(Role, Square)>,
    /// The move that is prevented, in SAN.
    prevented: String,
}

impl Deed {
    fn new(kind: Kind, board: &Board, square: Square) -> Option<Deed> {
        let piece = (board.role_at(square)?, square);
        Some(Deed { kind, piece, other: None, prevented: String::new() })
    }

    /// The most telling deed, of the better move or of the answer; true for one of the answer.
    pub(super) fn of_lines<P: Variant>(
        played: &PlayedLine<P>,
        best: &PlayedLine<P>,
    ) -> Option<(Deed, bool)> {
        let missed = missed(played, best).map(|deed| (deed, false));
        let allowed = allowed(played, best).map(|deed| (deed, true));
        missed.into_iter().chain(allowed).min_by_key(|(deed, _)| deed.kind)
    }

    pub(super) fn text(&self, texts: &Texts) -> String {
        let key = match self.kind {
            Kind::Hits | Kind::Challenges | Kind::Strikes => "idea.attacks",
            Kind::Prevents => "deed.prevents",
            Kind::Leaves => "deed.leaves",
            Kind::Defends => "deed.defends",
            Kind::TakesFirst => "deed.takes-first",
            Kind::Takes => "deed.takes",
            Kind::Exchanges => "deed.exchanges",
            Kind::OffersQueens => "deed.offers-queens",
            Kind::OpensWay => "deed.opens-way",
        };
        let named = |(role, square)| material::piece(texts, role, Some(square));
        let piece = named(self.piece);
        let other = self.other.map(named).unwrap_or_default();
        tell(texts, key, &[("piece", &piece), ("other", &other), ("moves", &self.prevented)])
    }

    /// True if it says more than what every book advises.
    pub(super) fn is_telling(&self) -> bool {
        self.kind <= Kind::TakesFirst
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
        !is_safe && !others.iter().any(|other| other.is_like(deed))
    };
    let found =
        deeds(&step).into_iter().chain(prevents(played, best)).chain(takes_first(&own, &step));
    found.filter(is_missed).min_by_key(|deed| deed.kind)
}

/// The deed of the answer that it has not in the better line.
fn allowed<P: Variant>(played: &PlayedLine<P>, best: &PlayedLine<P>) -> Option<Deed> {
    let reply = Step::new(played, 1)?;
    let there = same_answer(best, reply.m);
    let others: Vec<Deed> = [(best, 1), (best, 3)]
        .into_iter()
        .chain(there.as_ref().map(|line| (line, 1)))
        .filter_map(|(line, ply)| Step::new(line, ply))
        .flat_map(|step| deeds(&step))
        .collect();
    let is_allowed = |deed: &Deed| {
        let is_meant =
            matches!(deed.kind, Kind::Hits | Kind::Takes | Kind::OffersQueens | Kind::Strikes);
        is_meant && !others.iter().any(|other| other.is_like(deed))
    };
    let moved = arrival(*played.moves.first()?);
    let challenges = |deed: Deed| match deed.kind == Kind::Strikes && deed.piece.1 == moved {
        true => Deed { kind: Kind::Challenges, ..deed },
        false => deed,
    };
    let found = deeds(&reply).into_iter().filter(is_allowed).map(challenges);
    found.min_by_key(|deed| deed.kind)
}

/// What a move does.
fn deeds<P: Variant>(step: &Step<P>) -> Vec<Deed> {
    let (before, after, to) = (step.before(), step.after(), arrival(step.m));
    let mut found = Vec::new();
    if step.m.is_capture() && !step.takes_back() {
        let kind = if step.is_recaptured() { Kind::Exchanges } else { Kind::Takes };
        found.extend(Deed::new(kind, before, to));
    }
    if is_loose(after, to) || step.is_given() || step.m.castling_side().is_some() {
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

/// What the moved piece attacks and did not attack before.
fn attacked<P: Variant>(step: &Step<P>) -> Vec<Deed> {
    let (before, after, to) = (step.before(), step.after(), arrival(step.m));
    let Some(role) = after.role_at(to) else { return Vec::new() };
    let old = step.m.from().map_or(Bitboard::EMPTY, |from| before.attacks_from(from));
    let them = after.by_color(!step.side) & !after.kings();
    let targets = (after.attacks_from(to) & them & !old).into_iter();
    let deed = |square: Square| {
        let target = after.role_at(square)?;
        let by_pawn = attacks::pawn_attacks(step.side, square) & pawns(after, !step.side);
        let is_guarded_by_pawn = !by_pawn.is_empty();
        let is_challenge = match (role, target) {
            (Role::Pawn, Role::Pawn) => true,
            (Role::Knight | Role::Bishop, Role::Pawn) => !is_guarded_by_pawn,
            _ => role != target && value(target) >= value(role),
        };
        match is_loose(after, square) && !is_loose(before, square) {
            true => Deed::new(Kind::Hits, after, square),
            false => is_challenge.then(|| Deed::new(Kind::Strikes, after, square))?,
        }
    };
    let mut found: Vec<Deed> = targets.filter_map(deed).collect();
    // What falls next is meant, then what is worth most.
    found.sort_by_key(|deed| (step.next() != Some(deed.piece.1), -value(deed.piece.0)));
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
    let is_meant = stands && !reply.m.is_capture() && !after.now().is_check();
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
