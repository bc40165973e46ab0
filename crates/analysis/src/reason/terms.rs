//! Reasons in other terms than material: a fact of the board, or a term that a rule set alone has.

use super::facts::{self, Fact};
use super::lines::Lines;
use super::thresholds::{BETTER, FACT_SHARE, MIN_FACT, MIN_MATERIAL, MIN_TERM, SHOWN, TERM_SHARE};
use super::{Mistake, Sentence, say};
use crate::analyst::RulesAnalyst;
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

/// A fact of the board that the two ends do not share and that is worth half of the loss.
fn leading_fact<P: Variant>(mistake: &Mistake<P>, lines: &Lines<P>) -> Option<Fact> {
    leading_term(mistake, lines)?;
    // Who sees a pawn fall names that.
    if lines.material_difference() >= MIN_MATERIAL {
        return None;
    }
    let fact = facts::worst(lines.mover, &lines.played, &lines.best)?;
    let is_small = mistake.drop().is_some_and(|drop| fact.harm * 100 < drop * FACT_SHARE);
    let is_long = lines.played.moves.len().max(lines.best.moves.len()) > SHOWN;
    (fact.harm >= MIN_FACT && !is_small && !is_long).then_some(fact)
}

impl<P: Variant> RulesAnalyst<P> {
    /// A reason in a fact of the board that the two ends do not share. No king is driven out that may stay at home.
    pub(super) fn fact_reason(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<Sentence> {
        let fact = leading_fact(mistake, lines)?;
        if let Some(side) = fact.castling {
            let scored =
                [(&lines.played, -mistake.after.score), (&lines.best, mistake.before.score)];
            for (line, score) in scored {
                let score = if side == lines.mover { score } else { -score };
                let check = facts::driven(line, side).and_then(|ply| ply.checked_sub(1));
                if check.is_some_and(|check| self.may_stay(line, check, score)) {
                    return None;
                }
            }
        }
        let file = fact.file.map(|file| file.char().to_string()).unwrap_or_default();
        let (line, better) = (lines.refutation(SHOWN), lines.better(SHOWN));
        let values = [("line", line.as_str()), ("better", &better), ("file", &file)];
        Some(say(texts, fact.key, lines, &values))
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};

    #[test]
    fn a_king_that_may_stay_at_home_is_not_driven_out() {
        // 6.Bd2 is as good as 6.Kd1.
        let fen = "rnbqkbnr/pp3ppp/2p1p3/4P3/3p4/N2P1Q2/PPP2PPP/R1B1KBNR b KQkq - 1 5";
        let played = line(fen, "b8a6 a3c4");
        let best = line(fen, "d8a5 e1d1 f8a3 b2a3 g8e7");
        let mistake = test_mistake(&played, &best, [60, 20]);
        let mut analyst = test_analyst(20_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        let fact = Fact {
            harm: 50,
            key: "fact.castling.enemy",
            file: None,
            castling: Some(shakmaty::Color::White),
        };
        assert_eq!(leading_fact(&mistake, &lines), Some(fact));
        let texts = texts::of(Lang::En);
        assert!(analyst.fact_reason(&texts, &mistake, &lines).is_none());
    }
}
