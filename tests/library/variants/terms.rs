//! The terms that an evaluation tells: none that can never be anything under the rules, such as the safety of kings that
//! may be captured.

use engine::evaluation::variants::{Task, with_rules};
use engine::evaluation::{Evaluation, Evaluator, Tapered, TermKind, Variant};
use engine::rules::RuleSet;
use engine::settings::{EvaluatorChoice, Settings};

use super::random_positions;

/// Kinds of terms that are told of positions of random games, and those among them that are something in one of them.
struct KindsOfTerms(EvaluatorChoice);

impl Task for KindsOfTerms {
    type Outcome = [Vec<TermKind>; 2];

    fn run<P: Variant>(self) -> Self::Outcome {
        let settings = Settings { evaluation: self.0, ..Settings::default() };
        let evaluator: Evaluation<P> = settings.evaluator(None);
        let [mut told, mut something] = [Vec::new(), Vec::new()];
        for position in random_positions::<P>(2).iter().step_by(5) {
            for term in evaluator.explain(position).terms {
                told.push(term.kind);
                if [term.value.white, term.value.black].iter().any(|value| *value != Tapered::ZERO)
                {
                    something.push(term.kind);
                }
            }
        }
        [told, something]
    }
}

#[test]
fn every_term_that_is_told_can_be_something() {
    for &rule_set in RuleSet::ALL {
        for choice in [EvaluatorChoice::Network, EvaluatorChoice::Tables, EvaluatorChoice::Linear] {
            let [told, something] = with_rules(rule_set, KindsOfTerms(choice));
            let idle = told.iter().find(|kind| !something.contains(kind));
            assert_eq!(idle, None, "{rule_set:?} {choice:?}");
            let has_kings = told.contains(&TermKind::KingProximity);
            assert_eq!(has_kings, rule_set != RuleSet::Antichess, "{rule_set:?} {choice:?}");
        }
    }
}
