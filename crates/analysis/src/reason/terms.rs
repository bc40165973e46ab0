//! Reasons in other terms than material: a fact of the board, or a term that a rule set alone has.

use super::lines::Lines;
use super::thresholds::{BETTER, FACT_SHARE, MIN_FACT, MIN_MATERIAL, MIN_TERM, SHOWN, TERM_SHARE};
use super::{Mistake, Sentence, facts, say};
use crate::line::Terms;
use engine::evaluation::{TermKind, Variant};
use shell::texts::Texts;

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

/// A reason in a fact of the board that the two ends do not share.
pub(super) fn fact_reason<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> Option<Sentence> {
    leading_term(mistake, lines)?;
    // Who sees a pawn fall names that.
    if lines.material_difference() >= MIN_MATERIAL {
        return None;
    }
    let fact = facts::worst(lines.mover, &lines.played, &lines.best)?;
    let is_small = mistake.drop().is_some_and(|drop| fact.harm * 100 < drop * FACT_SHARE);
    let is_long = lines.played.moves.len().max(lines.best.moves.len()) > SHOWN;
    if fact.harm < MIN_FACT || is_small || is_long {
        return None;
    }
    let file = fact.file.map(|file| file.char().to_string()).unwrap_or_default();
    let (line, better) = (lines.refutation(SHOWN), lines.better(SHOWN));
    let values = [("line", line.as_str()), ("better", &better), ("file", &file)];
    Some(say(texts, fact.key, lines, &values))
}

/// A reason in a term that a rule set alone has, by its name. Those of the kings are no reason of themselves: where
/// nothing on the board shows what they tell, the lines must speak.
pub(super) fn rules_term<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> Option<Sentence> {
    let (_, kind) = leading_term(mistake, lines)?;
    if matches!(kind, TermKind::Placement | TermKind::KingSafety | TermKind::KingProximity) {
        return None;
    }
    let term = texts.get(&format!("term.{}", kind.name().replace(' ', "-"))).to_string();
    let (line, better) = (lines.refutation(BETTER), lines.better(BETTER));
    let values = [("term", term.as_str()), ("line", &line), ("better", &better)];
    Some(say(texts, "why.term", lines, &values))
}
