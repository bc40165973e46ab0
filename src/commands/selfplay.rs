//! `engine selfplay`: games against itself, written to a file for `engine tune`.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::{Done, RulesArgs, ThreadsArgs, counted, evaluator_called, print, refuse_without_kings};
use crate::arena::{Openings, Side};
use crate::evaluation::Variant;
use crate::evaluation::variants::{Task, with_rules};
use crate::input;
use crate::limits::Limits;
use crate::search::Options;
use crate::shell::interrupt;
use crate::shell::progress::{Progress, Unit};
use crate::training::record::{self, BYTES, Record};
use crate::training::selfplay;

const SELFPLAY_HELP: &str = "\
Each finished game is added to the file at once, 32 bytes per position. An interruption loses
no finished game, and the same command continues with new games.

Example, a first round of growing an evaluation:
  engine selfplay --games 20000 --nodes 5000 --evaluation linear -o games.bin
  engine tune games.bin -o tables.txt
  engine match --games 1000 --first Evaluation=tables --second Evaluation=linear";

/// Arguments of `selfplay`.
#[derive(Debug, Args)]
#[command(after_help = SELFPLAY_HELP)]
pub struct SelfplayArgs {
    /// Games to play
    #[arg(long, default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Nodes to search for each move
    #[arg(long, default_value_t = 5000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The file to add the positions to
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Random half-moves that each game begins with
    #[arg(long, default_value_t = 9)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=40))]
    plies: u32,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games to play at the same time
    #[command(flatten)]
    threads: ThreadsArgs,
    /// The evaluation to play with: linear, tables, or a file of tables
    #[arg(long, default_value = "tables")]
    evaluation: String,
    #[command(flatten)]
    rules: RulesArgs,
}

impl SelfplayArgs {
    /// Plays, and adds every finished game to the file at once, so that an interruption loses no finished
    /// game. The same command continues with new games.
    pub fn run(self) -> Done {
        with_rules(self.rules.rule_set, &self)
    }
}

impl Task for &SelfplayArgs {
    type Outcome = Done;

    fn run<P: Variant>(self) -> Done {
        refuse_without_kings::<P>()?;
        let evaluator = evaluator_called::<P>(&self.evaluation)?;
        let (mut file, known) = open(&self.output)?;
        let side = Side::new(evaluator, Options::default(), Limits::nodes(self.nodes));
        let seed = self.seed ^ known.rotate_left(32);
        let openings = Openings::new(seed, self.plies as usize);
        let games = self.games as usize;
        interrupt::watch();
        let progress = Progress::new(games as u64, Unit::Count("games"));
        let mut positions = 0u64;
        let mut error = None;
        selfplay::play(&side, &openings, games, self.threads.count(), |records| {
            let written = record::write(&mut file, &records).and_then(|()| file.flush());
            positions += records.len() as u64;
            let speed = positions as f64 / progress.elapsed().as_secs_f64().max(0.001);
            progress.message(format!("{positions} positions, {speed:.0} a second"));
            progress.add(1);
            error = written.err();
            error.is_none() && !interrupt::is_set()
        })?;
        drop(progress);
        if let Some(error) = error {
            return Err(format!("{}: {error}", self.output.display()).into());
        }
        let total = known / BYTES as u64 + positions;
        let added = counted(positions, "position");
        print(&format!("{added} added, {total} in {}", self.output.display()))
    }
}

/// True if a file begins with a position: to another one nothing may be added.
fn begins_with_record(path: &Path) -> io::Result<bool> {
    let mut first = [0; BYTES];
    let is_whole = input::open(path)?.read_exact(&mut first).is_ok();
    Ok(is_whole && Record::from_bytes(&first).is_some())
}

/// Opens the file for appending and truncates an incomplete record at its end. Returns the file and its
/// size.
fn open(path: &PathBuf) -> Result<(BufWriter<File>, u64), String> {
    let opened = OpenOptions::new().create(true).append(true).open(path).and_then(|file| {
        let size = file.metadata()?.len();
        if size > 0 && !begins_with_record(path)? {
            return Err(io::Error::other("this file exists and has no positions"));
        }
        let whole = size - size % BYTES as u64;
        file.set_len(whole)?;
        Ok((BufWriter::new(file), whole))
    });
    opened
        .map_err(|error| format!("{}: {error}; choose a file that can be written", path.display()))
}
