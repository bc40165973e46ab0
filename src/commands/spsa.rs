//! `engine spsa`: tunes the parameters of the search by games.

use std::error::Error;
use std::fmt::Display;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;

use super::about::LEARNING_RATE;
use super::matches::screened_openings;
use super::{Done, RulesArgs, ThreadsArgs, print};
use engine::evaluation::variants::{Task, with_rules};
use engine::evaluation::{Evaluation, Variant};
use engine::input;
use engine::limits::Limits;
use engine::search::Options;
use engine::search::parameters::{TUNABLES, Tunable};
use shell::files::{self, FileKind};
use shell::interrupt;
use shell::lock::OutputLock;
use shell::progress::{Progress, Unit};
use workshop::arena::Side;
use workshop::arena::spsa::{self, Spsa};

/// The state of a run.
const STATE: FileKind = FileKind { name: "the file of a tuning run", matches: Spsa::is_state };
/// Time between two writings of the state.
const SAVE_INTERVAL: Duration = Duration::from_secs(60);
/// Random half-moves that each opening begins with.
const OPENING_PLIES: usize = 8;
/// A parameter whose step is one is hardly a quantity: the least and greatest depths of the techniques.
const COARSE_STEP: i32 = 1;

const SPSA_HELP: &str = "\
In every pair of games all parameters are a random step up on one side and down on the other, and the
result moves them a little towards the winner. engine tunables lists them with their ranges and steps.
Tens of thousands of games are few; fewer than ten thousand move nothing far.

The file holds the present values. It is written every minute, at the end and after Ctrl-C; the same
command with --resume goes on from there.

Examples:
  engine spsa --games 60000 --nodes 4000 -o search.txt
  engine spsa futility_base futility_margin --games 20000 -o futility.txt
The result is a proposal. Only a match of its own shows whether it gains; the last line has the command.";

/// Arguments of `spsa`.
#[derive(Debug, Args)]
#[command(after_help = SPSA_HELP)]
pub struct SpsaArgs {
    /// Parameters to tune [default: all with a step greater than one]
    #[arg(value_name = "PARAMETER", value_parser = tunable)]
    parameters: Vec<Tunable>,
    /// Games of the whole run; an odd number is rounded up
    #[arg(long, default_value_t = 40_000, value_parser = super::positive::<u32>)]
    games: u32,
    /// Nodes to search for each move
    #[arg(long, default_value_t = 4000, value_parser = super::positive::<u64>)]
    nodes: u64,
    /// The file for the values
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace the file even if it holds something else
    #[arg(long)]
    force: bool,
    /// Go on from the values in the file
    #[arg(long)]
    resume: bool,
    /// Steps by which a game won moves a parameter at the end of the run
    #[arg(long, default_value_t = LEARNING_RATE, value_parser = rate)]
    rate: f64,
    /// Seed of the openings and of the random steps
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    threads: ThreadsArgs,
}

/// Reads the name of a parameter.
fn tunable(text: &str) -> Result<Tunable, String> {
    let found = TUNABLES.iter().find(|tunable| tunable.name == text);
    found.copied().ok_or_else(|| "engine tunables lists the parameters".to_string())
}

/// Reads a learning rate.
fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| (1e-6..=1.0).contains(rate));
    rate.ok_or_else(|| "a number from 0.000001 to 1".to_string())
}

impl SpsaArgs {
    /// Plays the games, and writes the values to the output.
    pub fn run(self) -> Done {
        with_rules(self.rules.rule_set, &self)
    }

    /// The run at its beginning or, with `--resume`, where it was interrupted.
    fn prepare(&self) -> Result<Spsa, Box<dyn Error>> {
        let mut chosen: Vec<Tunable> = Vec::new();
        for tunable in &self.parameters {
            if chosen.contains(tunable) {
                return Err(format!("{} is named twice", tunable.name).into());
            }
            chosen.push(*tunable);
        }
        if chosen.is_empty() {
            chosen = TUNABLES.iter().filter(|t| t.step > COARSE_STEP).copied().collect();
        }
        let mut run = Spsa::new(chosen, self.games.div_ceil(2).into(), self.seed, self.rate);
        if self.resume {
            let named = |fault: &dyn Display| format!("{}: {fault}", self.output.display());
            let bytes = input::read(&self.output, input::LARGEST_TEXT).map_err(|e| named(&e))?;
            run.resume(&input::decode(&bytes)).map_err(|e| named(&e))?;
        } else if !self.force && self.has_state() {
            let place = self.output.display();
            let remedy = "--resume goes on with it, --force begins anew";
            return Err(format!("{place}: this file holds the values of a run; {remedy}").into());
        }
        Ok(run)
    }

    /// True if the output holds the values of a run, which may have cost many hours.
    fn has_state(&self) -> bool {
        let bytes = input::read(&self.output, input::LARGEST_TEXT);
        bytes.is_ok_and(|bytes| Spsa::is_state(&bytes))
    }
}

impl Task for &SpsaArgs {
    type Outcome = Done;

    fn run<P: Variant>(self) -> Done {
        files::require_file(&self.output)?;
        let _lock = OutputLock::of(&self.output)?;
        let mut run = self.prepare()?;
        let save = |run: &Spsa| files::write_text(&self.output, STATE, &run.write(), self.force);
        save(&run)?;
        let limits = Limits::nodes(self.nodes);
        let side = Side::<P>::new(Evaluation::default(), Options::default(), limits);
        let openings = screened_openings(self.seed, OPENING_PLIES);
        interrupt::watch();
        let [done, pairs] = run.progress();
        let progress = Progress::new(2 * (pairs - done), Unit::Count("games"));
        let mut saved = Instant::now();
        let mut fault = None;
        spsa::tune(&mut run, &side, &openings, self.threads.count(), |run| {
            progress.add(2);
            if saved.elapsed() >= SAVE_INTERVAL {
                fault = save(run).err();
                saved = Instant::now();
            }
            fault.is_none() && !interrupt::is_set()
        })?;
        drop(progress);
        if let Some(fault) = fault {
            return Err(fault.into());
        }
        save(&run)?;
        print(&report(&run))
    }
}

/// The parameters with their defaults and values, and the match that tests them.
fn report(run: &Spsa) -> String {
    let line = |(tunable, value): (Tunable, f64)| {
        let Tunable { name, default, step, .. } = tunable;
        let moved = (value - f64::from(default)) / f64::from(step);
        format!("{name:<28} {default:>6} -> {value:>9.2}  {moved:+.2} steps")
    };
    let setting = |(tunable, value): (Tunable, f64)| {
        let rounded = value.round() as i32;
        (rounded != tunable.default).then(|| format!(" --first {}={rounded}", tunable.name))
    };
    let [done, pairs] = run.progress();
    let mut lines: Vec<String> = run.values().map(line).collect();
    lines.push(format!("{} of {} games played", 2 * done, 2 * pairs));
    let changed: String = run.values().filter_map(setting).collect();
    lines.push(match changed.is_empty() {
        true => "every parameter keeps its default".to_string(),
        false => format!("engine match --games 1000{changed}"),
    });
    lines.join("\n")
}
