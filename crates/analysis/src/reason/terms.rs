//! Reasons in the terms of the kings: a fact of the board, a piece that stands elsewhere, the own king.

use shakmaty::{Color, Move, Role, Square};

use super::lines::Lines;
use super::thresholds::{
    ALLOWED, BETTER, CLAIM_SHARE, FACT_SHARE, MIN_FACT, MIN_TERM, PIECE_SHARE, SHOWN, TERM_SHARE,
};
use super::{Mistake, facts, say};
use crate::analyst::RulesAnalyst;
use crate::line::{PlayedLine, Terms, TrackedPiece, share_of_piece};
use crate::material;
use crate::motif::is_loose;
use engine::evaluation::{TermKind, Variant};
use engine::rules::Game;
use shell::texts::Texts;

impl<P: Variant> RulesAnalyst<P> {
    /// A reason in another term than material, where a piece that stands elsewhere makes most of the difference, or a
    /// king in an ending.
    pub(super) fn term_reason(
        &self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<String> {
        let (harm, kind) = leading_term(mistake, lines)?;
        let pieces = Color::ALL.into_iter().flat_map(|color| self.harms(lines, kind, color));
        let step = pieces
            .max_by_key(|step| step.harm)
            .filter(|step| step.harm * 100 >= harm * PIECE_SHARE)
            .filter(|step| mistake.drop().is_none_or(|drop| step.harm * 100 >= drop * FACT_SHARE))
            .and_then(|step| step.reason(texts, lines));
        step.or_else(|| king_reason(texts, lines)).or_else(|| rules_term(texts, lines, kind))
    }

    /// The pieces of `color`, without the king, that stand elsewhere in the better line, and the harm that
    /// each does to the mover in a term by that.
    fn harms(&self, lines: &Lines<P>, kind: TermKind, color: Color) -> Vec<Step> {
        let share = |line: &PlayedLine<P>, square: Square| {
            share_of_piece(&self.evaluator, line.end().position(), kind, square)
        };
        let sign = if color == lines.mover { -1 } else { 1 };
        let pairs = lines.played.tracked.iter().zip(&lines.best.tracked);
        let harms = pairs.filter_map(|(played, best)| {
            let (square, better_square) = (played.square?, best.square?);
            let is_meant = played.color == color
                && played.role != Role::King
                && played.from == best.from
                && square != better_square;
            let change = |square, better_square| {
                Some(share(&lines.played, square)? - share(&lines.best, better_square)?)
            };
            let change = is_meant.then(|| change(square, better_square))??;
            Some(Step { harm: sign * change, piece: *played, square, better_square })
        });
        harms.collect()
    }
}

/// A piece that stands elsewhere in the better line.
struct Step {
    /// The loss of the mover in a term by that, in centipawns.
    harm: i32,
    piece: TrackedPiece,
    square: Square,
    better_square: Square,
}

impl Step {
    /// True if the piece comes to its square by the reply or the next move, not backwards and not by taking back.
    fn is_allowed<P: Variant>(&self, lines: &Lines<P>, there: usize) -> bool {
        let Some(m) = there.checked_sub(1).and_then(|ply| lines.played.moves.get(ply)) else {
            return false;
        };
        let forward = |square: Square| i32::from(square.rank()) * self.piece.color.fold_wb(1, -1);
        let takes_back =
            m.is_capture() && lines.played.moves.first().map(|m| m.to()) == Some(m.to());
        there <= ALLOWED && !takes_back && forward(self.square) >= forward(self.piece.from)
    }

    /// True if the pawn goes to its square by the reply, and would be lost there after the better move.
    fn is_stopped<P: Variant>(&self, lines: &Lines<P>) -> bool {
        let is_it = |m: &Move| m.from() == Some(self.piece.from) && m.to() == self.square;
        let Some(reply) = lines.played.moves.get(1).filter(|m| is_it(m)) else { return false };
        let Some(after) = lines.best.games.get(1) else { return false };
        let mut there = after.clone();
        after.position().is_legal(*reply) && {
            there.play(*reply);
            is_loose(there.position().board(), self.square)
        }
    }

    /// The sentence about the piece; `None` if its way takes too long to be the reason.
    fn reason<P: Variant>(&self, texts: &Texts, lines: &Lines<P>) -> Option<String> {
        let Step { piece, square, better_square, .. } = *self;
        // A queen is always somewhere else, and so is a rook before the ending: no player would name it.
        let has_queens = lines.played.games[0].position().board().queens().any();
        if piece.role == Role::Queen || piece.role == Role::Rook && has_queens {
            return None;
        }
        let stays = square == piece.from;
        let is_pawn = piece.role_at_end == Role::Pawn;
        let key = match piece.color == lines.mover {
            true => "why.own",
            // Where an enemy piece goes in another line is its own choice.
            false if stays => return None,
            false if is_pawn => "why.other-pawn",
            false => "why.other",
        };
        // Where the same advance is as good after the better move, the move played has not allowed it.
        if key == "why.other-pawn" && !self.is_stopped(lines) {
            return None;
        }
        let there = way(&lines.played, piece.from);
        // What the opponent does later, or only to take back, or going backwards, the move has not allowed.
        if piece.color != lines.mover && !self.is_allowed(lines, there) {
            return None;
        }
        let better = way(&lines.best, piece.from);
        if there > SHOWN || better > SHOWN {
            return None;
        }
        // Where an own piece goes later says nothing of the move, and nobody blames a pawn for its place.
        if piece.color == lines.mover && (there > 1 || better > 1 || is_pawn) {
            return None;
        }
        let line = lines.refutation(there.saturating_sub(1).max(1));
        let better = lines.better(better.max(1));
        let name = material::piece(texts, piece.role_at_end, None);
        let piece = material::piece(texts, piece.role_at_end, Some(square));
        let (square, better_square) = (square.to_string(), better_square.to_string());
        let own = [
            ("piece", piece.as_str()),
            ("name", &name),
            ("square", &square),
            ("better_square", &better_square),
            ("line", &line),
            ("better", &better),
        ];
        Some(say(texts, key, lines, &own))
    }
}

/// The term other than material that differs most between the ends, with the loss of the mover in it, in centipawns.
/// `None` if that is a small part of what the mistake lost.
fn leading_term<P: Variant>(mistake: &Mistake<P>, lines: &Lines<P>) -> Option<(i32, TermKind)> {
    let (played_end, best_end) = lines.ends();
    let lead = |terms: &Terms, kind| terms.lead(kind, lines.mover);
    let terms = best_end.0.iter().map(|(kind, _)| *kind).filter(|kind| *kind != TermKind::Material);
    let harms = terms.map(|kind| (lead(best_end, kind) - lead(played_end, kind), kind));
    let (harm, kind) = harms.max_by_key(|(harm, _)| *harm)?;
    let is_small = mistake.drop().is_some_and(|drop| harm * 100 < drop * TERM_SHARE);
    (harm >= MIN_TERM && !is_small).then_some((harm, kind))
}

/// Finds the fact that harms most at the ends of two lines.
pub(super) type FindFact<P> =
    fn(&Texts, Color, &PlayedLine<P>, &PlayedLine<P>) -> Option<facts::Fact>;

/// A reason in a fact of the board that the two ends do not share.
pub(super) fn fact_reason<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
    find: FindFact<P>,
) -> Option<String> {
    leading_term(mistake, lines)?;
    let fact = find(texts, lines.mover, &lines.played, &lines.best)?;
    let share = if fact.is_of_own_king() { CLAIM_SHARE } else { FACT_SHARE };
    let is_small = mistake.drop().is_some_and(|drop| fact.harm * 100 < drop * share);
    let is_long = lines.played.moves.len().max(lines.best.moves.len()) > SHOWN;
    if fact.harm < MIN_FACT || is_small || is_long {
        return None;
    }
    let piece = fact.piece.map(|(role, square)| material::piece(texts, role, Some(square)));
    let square = fact.piece.map(|(_, square)| square.to_string());
    let (line, better) = (lines.refutation(SHOWN), lines.better(SHOWN));
    let mut all = vec![("line", line.as_str()), ("better", &better)];
    all.extend(piece.iter().map(|piece| ("piece", piece.as_str())));
    all.extend(square.iter().map(|square| ("square", square.as_str())));
    all.extend(fact.values.iter().map(|(name, value)| (*name, value.as_str())));
    Some(say(texts, fact.key, lines, &all))
}

/// A reason in the place of the own king in an ending, if one of the two moves is a king move and it matters where the
/// king stands at the end. With queens on the board a step of the king says nothing by itself.
fn king_reason<P: Variant>(texts: &Texts, lines: &Lines<P>) -> Option<String> {
    if lines.played.games[0].position().board().queens().any() {
        return None;
    }
    let king = |game: &Game<P>| game.position().board().king_of(lines.mover);
    let (square, better_square) = (king(lines.played.end())?, king(lines.best.end())?);
    let arrives = |line: &PlayedLine<P>, square: Square| {
        line.games.iter().rposition(|game| king(game) != Some(square)).map_or(0, |at| at + 1)
    };
    let key = match (arrives(&lines.played, square), arrives(&lines.best, better_square)) {
        _ if square == better_square => return None,
        (1, 1) => "why.own-king.goes",
        (0, 1) => "why.own-king.stays",
        _ => return None,
    };
    let (line, better) = (lines.refutation(1), lines.better(1));
    let (square, better_square) = (square.to_string(), better_square.to_string());
    let own = [
        ("square", square.as_str()),
        ("better_square", &better_square),
        ("line", &line),
        ("better", &better),
    ];
    Some(say(texts, key, lines, &own))
}

/// A reason in a term that a rule set alone has, by its name. Those of the kings are no reason of themselves: where
/// nothing on the board shows what they tell, the lines must speak.
fn rules_term<P: Variant>(texts: &Texts, lines: &Lines<P>, kind: TermKind) -> Option<String> {
    if matches!(kind, TermKind::Placement | TermKind::KingSafety | TermKind::KingProximity) {
        return None;
    }
    let term = texts.get(&format!("term.{}", kind.name().replace(' ', "-"))).to_string();
    let (line, better) = (lines.refutation(BETTER), lines.better(BETTER));
    let values = [("term", term.as_str()), ("line", &line), ("better", &better)];
    Some(say(texts, "why.term", lines, &values))
}

/// Plies of a line until the piece from `square` has come to its last place.
fn way<P: Variant>(line: &PlayedLine<P>, square: Square) -> usize {
    let (mut now, mut plies) = (square, 0);
    for (ply, m) in line.moves.iter().enumerate() {
        if m.from() == Some(now) && m.castling_side().is_none() {
            (now, plies) = (m.to(), ply + 1);
        }
    }
    plies
}
