//! `engine match`: a match between two settings of the engine.

use std::error::Error;
use std::ops::RangeInclusive;

use clap::Args;

use super::{CommandResult, RulesArgs, answer, evaluator_called, print};
use engine::evaluation::network::NetworkFile;
use engine::evaluation::variants::{Task, with_rules};
use engine::evaluation::{Evaluation, Variant};
use engine::limits::Limits;
use engine::play::Mode;
use engine::play::levels::Level;
use engine::play::levels::form::Form;
use engine::play::strength::Strength;
use engine::score::MAX_PLY;
use engine::settings::{ELO, EVALUATION, Settings};
use shell::interrupt;
use shell::progress::{Progress, Unit};
use workshop::arena::{self, Openings, Screen, Side, Tally};

/// Nodes of a move without other limits.
const NODES: u64 = 5000;
/// Greatest lead of either side in an opening, in centipawns, …
const BALANCE: i32 = 100;
/// … after a search of this many nodes.
const SCREEN_NODES: u64 = 2000;

/// The log-likelihood ratio (LLR) at which a sequential test ends: ln 19, for 5 % error either way.
const PROOF: f64 = 2.94;

const MATCH_HELP: &str = "\
Both sides search the same number of nodes, or to the same depth, so that a match does not
depend on the speed of the machine: the same command plays the same games again. Games come
in pairs, one opening with both colours. The last line is the result from the first side's
point of view, with the Elo difference and the half-width of its 95 % interval.

NAME is an option of the evaluation, or a parameter of the search (engine tunables lists
them). All others have their defaults. Evaluation may also name a file of tables or of a network.
UCI_Elo gives a side that limited strength, Level that level, with the depth policy of DDA.
The opponent model needs two settings: Opponent Model=true and UCI_Opponent or UCI_RatingAdv.

Examples:
  engine match --games 1000 --first futility_depth=-1
  engine match --depth 6 --games 200 --first Evaluation=linear --threads 2
  engine match --games 20000 --first reduction_base=700 --sprt 0,5
  engine match --games 2000 --first Evaluation=new.txt --threads 2
  engine match --games 200 --first UCI_Elo=1400 --second UCI_Elo=1200
  engine match --games 200 --first Level=5 --second Level=4
  engine match --games 400 --lost 150,300 --first Evaluation=network --second UCI_Elo=1800";

/// Arguments of `match`.
#[derive(Debug, Args)]
#[command(after_help = MATCH_HELP)]
pub struct MatchArgs {
    /// Games to play; an odd number is rounded up
    #[arg(long, default_value_t = 100, value_parser = super::positive::<u32>)]
    games: u32,
    /// Nodes to search for each move [default: 5000; none for a limited strength or a level]
    #[arg(long, conflicts_with = "depth", value_parser = super::positive::<u64>)]
    nodes: Option<u64>,
    /// Depth of these searches, in half-moves, instead of a number of nodes
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..MAX_PLY as i64))]
    depth: Option<u32>,
    /// A setting of the first side; may be given more than once
    #[arg(long, value_name = "NAME=VALUE")]
    first: Vec<String>,
    /// A setting of the second side; may be given more than once
    #[arg(long, value_name = "NAME=VALUE")]
    second: Vec<String>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Random half-moves that each opening begins with; with --lost more of them where none is lost enough
    #[arg(long, default_value_t = 8)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=40))]
    plies: u32,
    /// Openings in which the first side, which then moves first, is this much worse, in centipawns
    #[arg(long, value_name = "LEAST,MOST")]
    lost: Option<String>,
    /// Games to play at the same time
    #[arg(long, default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Stop as soon as one of two Elo differences is proved against the other at 5 % error; the exit code is 0 if it is
    /// the greater one, otherwise 1
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,
}

impl MatchArgs {
    /// Plays the match. Progress goes to standard error, the result to standard output. The exit code says no if the
    /// games do not prove the greater of the two differences of `--sprt`.
    pub fn run(self) -> CommandResult {
        with_rules(self.rules.rule_set, &self)
    }
}

impl Task for &MatchArgs {
    type Outcome = CommandResult;

    fn run<P: Variant>(self) -> CommandResult {
        let limits = Limits { depth: self.depth, nodes: self.nodes, ..Limits::default() };
        let first = side::<P>(&self.first, &limits)?;
        let second = side::<P>(&self.second, &limits)?;
        let test = self.sprt.as_deref().map(SequentialTest::parse).transpose()?;
        let openings = screened_openings(self.seed, self.plies as usize);
        let openings = match self.lost.as_deref().map(lost).transpose()? {
            Some(lost) => openings.lost_by(lost),
            None => openings,
        };
        interrupt::watch();
        let pairs = self.games.div_ceil(2) as usize;
        let progress = Progress::new(2 * pairs as u64, Unit::Count("games"));
        let threads = self.threads as usize;
        let tally = arena::compete([&first, &second], &openings, pairs, threads, |tally| {
            progress.message(tally.to_string());
            progress.add(2);
            !interrupt::is_set() && test.as_ref().is_none_or(|test| test.verdict(tally).is_none())
        })?;
        drop(progress);
        if let Some(test) = &test {
            print(&test.report(&tally))?;
        }
        print(&tally.to_string())?;
        Ok(answer(test.is_none_or(|test| test.verdict(&tally) == Some(test.elo1))))
    }
}

/// Balanced openings of `plies` random half-moves.
pub fn screened_openings<P: Variant>(seed: u64, plies: usize) -> Openings<P> {
    Openings::new(seed, plies).screened(Screen {
        evaluator: Evaluation::default(),
        limits: Limits::nodes(SCREEN_NODES),
        margin: BALANCE,
    })
}

/// Reads LEAST,MOST, by which the side to move is worse.
fn lost(text: &str) -> Result<RangeInclusive<i32>, String> {
    let read = |text: &str| text.trim().parse().ok().filter(|loss| (1..=2000).contains(loss));
    let bounds = text.split_once(',').and_then(|(least, most)| Some((read(least)?, read(most)?)));
    match bounds {
        Some((least, most)) if least <= most => Ok(least..=most),
        _ => Err(format!(
            "--lost takes two numbers of centipawns, the lower first, as in 150,300, not {text:?}"
        )),
    }
}

/// A side with these settings, each NAME=VALUE. The evaluation may be a file of tables or of a network.
fn side<P: Variant>(settings: &[String], limits: &Limits) -> Result<Side<P>, Box<dyn Error>> {
    let mut chosen = Settings::for_tuning();
    chosen.rule_set = P::RULE_SET;
    let mut network = NetworkFile::default();
    let mut from_file = None;
    for text in settings {
        let Some((name, value)) = text.split_once('=') else {
            return Err(format!("write NAME=VALUE, not {text:?}").into());
        };
        let name = name.trim();
        let is_evaluation = name.eq_ignore_ascii_case(EVALUATION);
        let before = chosen.clone();
        match chosen.set(name, value) {
            Err(_) if is_evaluation => from_file = Some(evaluator_called::<P>(value)?),
            // The last of two evaluations counts.
            Ok(_) if is_evaluation => from_file = None,
            result => drop(result?),
        }
        // A rating alone says clearly enough what is meant.
        chosen.limit_strength |= chosen.elo != before.elo || name.eq_ignore_ascii_case(ELO);
        network.configure::<P>(&chosen.eval_file)?;
        let evaluator = |settings: &Settings| settings.evaluator::<P>(network.get());
        let plays_alike = chosen.parameters == before.parameters
            && strength(&chosen) == strength(&before)
            && together(&chosen) == together(&before)
            && chosen.eval_file == before.eval_file
            && evaluator(&chosen) == evaluator(&before);
        if chosen.rule_set != before.rule_set {
            return Err("both sides play by the rules that --variant names".into());
        }
        if plays_alike && chosen != before && !is_evaluation {
            return Err(format!("{name} makes no difference in a match").into());
        }
    }
    if let Some(name) = idle(settings, &chosen) {
        return Err(format!("{name} makes no difference in a match with these settings").into());
    }
    let evaluator = from_file.unwrap_or_else(|| chosen.evaluator(network.get()));
    let evaluator = evaluator.with_own_term(chosen.own_term);
    let options = chosen.search_options(None);
    let is_free = limits.depth.is_none() && limits.nodes.is_none();
    let mode = chosen.mode().within(limits);
    let limits = match mode {
        Mode::Limited(_) => Limits::default(),
        Mode::Full | Mode::Model(_) if is_free => Limits::nodes(NODES),
        _ => limits.clone(),
    };
    Ok(Side { mode, ..Side::new(evaluator, options, limits) })
}

/// The first setting without which the side plays as with it: a policy of depth without a level, a level under a rating, a
/// model of an opponent of whom nothing is known.
fn idle<'a>(texts: &'a [String], chosen: &Settings) -> Option<&'a str> {
    let without = |left_out: usize| {
        let mut settings = Settings::for_tuning();
        settings.rule_set = chosen.rule_set;
        for (_, text) in texts.iter().enumerate().filter(|&(index, _)| index != left_out) {
            let (name, value) = text.split_once('=').unwrap_or_default();
            let before = settings.elo;
            // The file of an evaluation is no value of the option, and has nothing to do with who plays.
            let _ = settings.set(name.trim(), value);
            settings.limit_strength |=
                settings.elo != before || name.trim().eq_ignore_ascii_case(ELO);
        }
        settings
    };
    let is_idle = |index: usize| {
        let other = without(index);
        together(&other) != together(chosen) && same_player(&other.mode(), &chosen.mode())
    };
    let index = (0..texts.len()).find(|&index| is_idle(index))?;
    texts[index].split_once('=').map(|(name, _)| name.trim())
}

/// True if both play alike, as far as levels, ratings and models of an opponent go.
fn same_player(one: &Mode, other: &Mode) -> bool {
    match (one, other) {
        (Mode::Full, Mode::Full) => true,
        (Mode::Limited(one), Mode::Limited(other)) => one == other,
        (Mode::Model(one), Mode::Model(other)) => one == other,
        _ => false,
    }
}

/// The limited strength of a side.
fn strength(settings: &Settings) -> Option<Strength> {
    match settings.mode() {
        Mode::Limited(strength) => Some(strength),
        _ => None,
    }
}

/// The settings that may have an effect only together with others: of a level, of a model of the opponent.
fn together(settings: &Settings) -> (Level, Form, bool, &str, i32) {
    let Settings { level, dda, opponent_model, opponent, rating_advantage, .. } = settings;
    (*level, *dda, *opponent_model, opponent, *rating_advantage)
}

/// A sequential probability ratio test (SPRT) of two Elo differences.
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

    /// The accepted Elo difference, once there is one.
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
    use engine::evaluation::tables::{self, Tables};
    use engine::evaluation::{KingTerms, Tapered};
    use engine::rules::Game;
    use shakmaty::Chess;
    use shakmaty::variant::{Antichess, Atomic};

    fn error(settings: &[&str]) -> String {
        let settings: Vec<String> = settings.iter().map(ToString::to_string).collect();
        side::<Chess>(&settings, &Limits::default()).err().unwrap().to_string()
    }

    #[test]
    fn a_side_takes_evaluation_options_and_search_parameters() {
        let settings = ["Evaluation=linear", "King Safety Opening=0", "futility_depth = 3"];
        let settings = settings.map(str::to_string);
        let side = side::<Chess>(&settings, &Limits::default()).unwrap();
        assert_eq!(side.options.parameters.futility_depth, 3);
        let plain = Settings::default();
        assert!(side.evaluator != plain.evaluator(None));
        assert!(side.options.parameters != plain.parameters);
    }

    #[test]
    fn a_side_may_have_tables_of_its_own() {
        let grids = [[[Tapered::ZERO; tables::COLUMNS]; tables::LINES]; 5];
        let empty = Tables { safety: grids, proximity: grids };
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), tables::write(&empty)).unwrap();
        let setting = format!("Evaluation={}", file.path().display());
        let side = side::<Atomic>(&[setting], &Limits::default()).unwrap();
        assert_eq!(side.evaluator, empty.evaluator().into());
        let both = [format!("Evaluation={}", file.path().display()), "Evaluation=tables".into()];
        let shipped = super::side::<Atomic>(&both, &Limits::default()).unwrap();
        assert_eq!(shipped.evaluator, KingTerms::default().into());
        let kingless = super::side::<Antichess>(&both, &Limits::default());
        assert!(kingless.err().unwrap().to_string().contains("two kings"));
        assert!(error(&["Evaluation=no such file"]).contains("a file of tables or of a network"));
    }

    #[test]
    fn a_side_may_be_a_level() {
        let plan = |settings: &[&str]| {
            let settings: Vec<String> = settings.iter().map(|text| text.to_string()).collect();
            let side = side::<Chess>(&settings, &Limits::default()).unwrap();
            ((side.pace)(&Game::new(Chess::default())).nodes, side.mode)
        };
        assert!(matches!(plan(&["Level=4", "DDA=off"]), (None, Mode::Level(_))));
        let strength = plan(&["UCI_Elo=1500"]).1;
        assert!(matches!(strength, Mode::Limited(_)));
        let model = plan(&["Opponent Model=true", "UCI_RatingAdv=1200"]).1;
        assert!(matches!(model, Mode::Model(_)));
        assert!(matches!(plan(&[]), (Some(NODES), Mode::Full)));
    }

    #[test]
    fn invalid_settings_are_named() {
        assert!(error(&["futility_depth"]).contains("NAME=VALUE"));
        assert!(error(&["courage=7"]).contains("no option is called \"courage\""));
        assert!(error(&["futility_depth=many"]).contains("futility_depth takes a whole number"));
        assert!(error(&["UCI_Variant=atomic"]).contains("--variant"));
        assert!(error(&["Hash=64"]).contains("Hash makes no difference"));
        for (settings, name) in [
            (&["Opponent Model=true"][..], "Opponent Model"),
            (&["UCI_RatingAdv=900"], "UCI_RatingAdv"),
            (&["DDA=paper"], "DDA"),
            (&["futility_depth=3", "DDA = paper"], "DDA"),
            (&["Level=3", "UCI_Elo=1400"], "Level"),
            (&["UCI_Elo=1400", "Level=3", "DDA=paper"], "Level"),
        ] {
            let told = error(settings);
            assert!(told.starts_with(&format!("{name} makes no difference")), "{told}");
        }
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
