//! `engine match`: two settings of the engine play each other, and the result says which
//! is the stronger.

use std::error::Error;

use shakmaty::variant::Variant;

use super::{Done, evaluator_called};
use crate::arena::{self, Openings, Side, Tally};
use crate::evaluation::KingRelative;
use crate::limits::Limits;
use crate::rules::Rules;
use crate::rules::variant::{self, Task};
use crate::settings::{EVALUATION, Settings};
use crate::shell::progress::{Progress, Unit};

/// An opening is played only if neither side is further ahead than this, in centipawns, …
const BALANCE: i32 = 100;
/// … after a search of this many nodes.
const JUDGE_NODES: u64 = 2000;

/// The log-likelihood ratio at which a sequential test ends: ln 19, for 5 % error either way.
const PROOF: f64 = 2.94;

/// What a side may spend on a move.
#[derive(Clone, Copy, Debug)]
pub enum Effort {
    /// So many nodes.
    Nodes(u64),
    /// So many plies.
    Depth(u32),
}

/// A match as it is asked for.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rules to play by.
    pub variant: Variant,
    /// Games, rounded up to whole pairs.
    pub games: u32,
    /// What a move may cost.
    pub effort: Effort,
    /// Settings of the first side, each NAME=VALUE.
    pub first: Vec<String>,
    /// Settings of the second side, each NAME=VALUE.
    pub second: Vec<String>,
    /// Chooses the openings.
    pub seed: u64,
    /// Random half-moves of an opening.
    pub plies: u32,
    /// Games at the same time.
    pub threads: u32,
    /// The two Elo differences of a sequential test, ELO0,ELO1.
    pub sprt: Option<String>,
}

/// A match of one rule set.
struct Contest<'a>(&'a Plan);

impl Task for Contest<'_> {
    type Outcome = Done;

    fn run<P: Rules>(self) -> Done {
        play::<P>(self.0)
    }
}

/// Plays the match. Progress goes to standard error, the result to standard output.
///
/// # Errors
/// A setting or a sequential test that makes no sense; tables that cannot be had.
pub fn run(plan: &Plan) -> Done {
    variant::with(plan.variant, Contest(plan))
}

fn play<P: Rules>(plan: &Plan) -> Done {
    let limits = match plan.effort {
        Effort::Nodes(nodes) => Limits::nodes(nodes),
        Effort::Depth(depth) => Limits::depth(depth),
    };
    let first = side(P::VARIANT, &plan.first, &limits)?;
    let second = side(P::VARIANT, &plan.second, &limits)?;
    let test = plan.sprt.as_deref().map(SequentialTest::parse).transpose()?;
    let judge = side(P::VARIANT, &[], &Limits::nodes(JUDGE_NODES))?;

    let pairs = plan.games.div_ceil(2) as usize;
    let openings = Openings::<P>::screened(plan.seed, plan.plies as usize, pairs, &judge, BALANCE);
    let progress = Progress::new(2 * pairs as u64, Unit::Count("games"));
    let threads = plan.threads as usize;
    let tally = arena::compete([&first, &second], &openings, pairs, threads, |tally| {
        progress.message(tally.to_string());
        progress.add(2);
        test.as_ref().is_none_or(|test| test.verdict(tally).is_none())
    })?;
    drop(progress);
    if let Some(test) = test {
        super::print(&test.report(&tally))?;
    }
    super::print(&tally.to_string())
}

/// A side with these settings, each NAME=VALUE. The evaluation may be tables in a file.
fn side(
    variant: Variant,
    settings: &[String],
    limits: &Limits,
) -> Result<Side<KingRelative>, Box<dyn Error>> {
    let mut chosen = Settings::for_tuning();
    chosen.variant = variant;
    let mut tables = None;
    for text in settings {
        let Some((name, value)) = text.split_once('=') else {
            return Err(format!("write NAME=VALUE, not {text:?}").into());
        };
        let name = name.trim();
        let before = chosen.clone();
        match chosen.set(name, value) {
            Err(_) if name.eq_ignore_ascii_case(EVALUATION) => {
                tables = Some(evaluator_called(value, variant)?);
            }
            // Of two evaluations the last counts.
            Ok(_) if name.eq_ignore_ascii_case(EVALUATION) => tables = None,
            result => drop(result?),
        }
        let plays_alike =
            chosen.parameters == before.parameters && chosen.evaluator() == before.evaluator();
        if chosen.variant != before.variant {
            return Err("both sides play by the rules that --variant names".into());
        }
        if plays_alike && chosen != before {
            return Err(format!("{name} makes no difference in a match").into());
        }
    }
    let evaluator = tables
        .map_or_else(|| chosen.evaluator(), |tables| tables.in_rules(variant, chosen.rule_term));
    let options = chosen.search_options(None);
    Ok(Side { evaluator, options, limits: limits.clone() })
}

/// A sequential probability ratio test of two Elo differences.
struct SequentialTest {
    elo0: f64,
    elo1: f64,
}

impl SequentialTest {
    /// Reads ELO0,ELO1.
    fn parse(text: &str) -> Result<SequentialTest, String> {
        let read = |text: &str| text.trim().parse().ok().filter(|elo: &f64| elo.is_finite());
        let bounds = text.split_once(',').and_then(|(low, high)| Some((read(low)?, read(high)?)));
        match bounds {
            Some((elo0, elo1)) if elo0 < elo1 => Ok(SequentialTest { elo0, elo1 }),
            _ => Err(format!("--sprt takes two numbers, the lower first, as in 0,5, not {text:?}")),
        }
    }

    fn ratio(&self, tally: &Tally) -> f64 {
        tally.log_likelihood_ratio(self.elo0, self.elo1)
    }

    /// The Elo difference that is accepted, once one is.
    fn verdict(&self, tally: &Tally) -> Option<f64> {
        match self.ratio(tally) {
            ratio if ratio >= PROOF => Some(self.elo1),
            ratio if ratio <= -PROOF => Some(self.elo0),
            _ => None,
        }
    }

    fn report(&self, tally: &Tally) -> String {
        let SequentialTest { elo0, elo1 } = self;
        let verdict = match self.verdict(tally) {
            Some(elo) => format!("{elo} accepted"),
            None => "undecided".to_string(),
        };
        format!("test of {elo0} against {elo1} Elo: {verdict}, LLR {:+.2}", self.ratio(tally))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Tapered;
    use crate::evaluation::tables::{self, Tables};

    fn fault(settings: &[&str]) -> String {
        let settings: Vec<String> = settings.iter().map(ToString::to_string).collect();
        side(Variant::Chess, &settings, &Limits::default()).unwrap_err().to_string()
    }

    #[test]
    fn a_side_takes_options_of_the_evaluation_and_numbers_of_the_search() {
        let settings = ["Evaluation=linear", "King Safety Opening=0", "futility_depth = 3"];
        let settings = settings.map(str::to_string);
        let side = side(Variant::Chess, &settings, &Limits::default()).unwrap();
        assert_eq!(side.options.parameters.futility_depth, 3);
        let plain = Settings::default();
        assert!(side.evaluator != plain.evaluator());
        assert!(side.options.parameters != plain.parameters);
    }

    #[test]
    fn a_side_may_have_tables_of_its_own() {
        let grids = [[[Tapered::ZERO; tables::COLUMNS]; tables::LINES]; 5];
        let empty = Tables { safety: grids, proximity: grids };
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), tables::write(&empty)).unwrap();
        let setting = format!("Evaluation={}", file.path().display());
        let side = side(Variant::Atomic, &[setting], &Limits::default()).unwrap();
        assert_eq!(side.evaluator, empty.evaluator().in_rules(Variant::Atomic, 100));
        let both = [format!("Evaluation={}", file.path().display()), "Evaluation=tables".into()];
        let shipped = super::side(Variant::Atomic, &both, &Limits::default()).unwrap();
        assert_eq!(shipped.evaluator, tables::of(Variant::Atomic));
        let kingless = super::side(Variant::Antichess, &both, &Limits::default());
        assert!(kingless.unwrap_err().to_string().contains("two kings"));
        assert!(fault(&["Evaluation=no such file"]).contains("linear, tables or a file of tables"));
    }

    #[test]
    fn settings_that_make_no_sense_are_named() {
        assert!(fault(&["futility_depth"]).contains("NAME=VALUE"));
        assert!(fault(&["courage=7"]).contains("no option is called \"courage\""));
        assert!(fault(&["futility_depth=many"]).contains("futility_depth takes a whole number"));
        assert!(fault(&["UCI_Variant=atomic"]).contains("--variant"));
        assert!(fault(&["Hash=64"]).contains("Hash makes no difference"));
    }

    #[test]
    fn the_bounds_of_a_test_are_two_numbers_in_order() {
        let test = SequentialTest::parse("-5, 0.5").unwrap();
        assert_eq!((test.elo0, test.elo1), (-5.0, 0.5));
        for text in ["", "5", "5,0", "0,0", "a,b", "0,inf", "0,5,10"] {
            assert!(SequentialTest::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_test_ends_when_one_side_is_proved_better() {
        let test = SequentialTest::parse("0,10").unwrap();
        let mut tally = Tally::default();
        assert_eq!(test.verdict(&tally), None);
        for _ in 0..100 {
            tally.add_pair(2, 1);
            tally.add_pair(2, 2);
        }
        assert_eq!(test.verdict(&tally), Some(10.0));
        assert!(test.report(&tally).contains("10 accepted"));
    }
}
