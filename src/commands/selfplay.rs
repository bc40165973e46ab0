//! `engine selfplay`: games against itself, written to a file for `engine train`.

use std::error::Error;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{Done, EvaluationArgs, RulesArgs, ThreadsArgs, counted, print};
use engine::evaluation::Variant;
use engine::evaluation::variants::{Task, with_rules};
use engine::limits::Limits;
use engine::search::Options;
use shell::files::{OutputError, require_file};
use shell::interrupt;
use shell::progress::{Progress, Unit};
use workshop::arena::{Openings, Screen, Side};
use workshop::training::files::{DataFile, Header};
use workshop::training::record::{Layout, Record};
use workshop::training::selfplay;

const SELFPLAY_HELP: &str = "\
Each finished game is added to the file at once, 32 or 48 bytes per position. An interruption loses
no finished game, and the same command continues with other games: the number of positions that the
file has already counts into the seed.

In a new file a game depends on its number, the seed and the other options, and on nothing else. So
any number of machines can each play a range of games into a new file, and cat joins their files:
  engine selfplay --games 0..10000 --seed 7 -o a.bin        on one machine
  engine selfplay --games 10000..20000 --seed 7 -o b.bin    on another
  cat a.bin b.bin > games.bin

Example, a generation of a network:
  engine selfplay --games 100000 --nodes 1000 -o games.bin
  engine data shuffle games.bin -o shuffled.bin
  engine train shuffled.bin -o new.bin
  engine match --games 1000 --first EvalFile=new.bin";

/// Greatest lead of either side after the opening, in centipawns.
const BALANCE: i32 = 400;

/// Arguments of `selfplay`.
#[derive(Debug, Args)]
#[command(after_help = SELFPLAY_HELP)]
pub struct SelfplayArgs {
    /// Games to play: their number, or a range of numbers as in 1000..2000
    #[arg(long, default_value = "1000", value_parser = range)]
    games: Range<usize>,
    /// Nodes after which the search for a move begins no further iteration
    #[arg(long, default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The file to add the positions to
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Random half-moves that each game begins with; in every other game one more
    #[arg(long, default_value_t = 8)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=40))]
    plies: u32,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games to play at the same time
    #[command(flatten)]
    threads: ThreadsArgs,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Reads a number of games or a range of them.
fn range(text: &str) -> Result<Range<usize>, String> {
    let number = |text: &str| text.parse::<usize>().ok().filter(|&number| number <= MAX_GAMES);
    let range = match text.split_once("..") {
        Some((from, to)) => number(from).zip(number(to)),
        None => number(text).map(|count| (0, count)),
    };
    match range {
        Some((from, to)) if from < to => Ok(from..to),
        _ => Err("write a number of games, or a range as in 1000..2000".to_string()),
    }
}

/// Greatest number of a game.
const MAX_GAMES: usize = 1_000_000_000;

impl SelfplayArgs {
    /// Plays, and adds every finished game to the file at once, so that an interruption loses no finished
    /// game. The same command continues with other games.
    pub fn run(self) -> Done {
        with_rules(self.rules.rule_set, &self)
    }
}

impl Task for &SelfplayArgs {
    type Outcome = Done;

    fn run<P: Variant>(self) -> Done {
        let evaluator = self.evaluation.read::<P>()?;
        let mut file = Appended::open::<P>(&self.output)?;
        let limits = Limits::soft_nodes(self.nodes);
        let screen =
            Screen { evaluator: evaluator.clone(), limits: limits.clone(), margin: BALANCE };
        let side = Side::new(evaluator, Options::default(), limits);
        // Another run into the same file is to play other games.
        let seed = self.seed ^ file.known.rotate_left(32);
        let openings = Openings::new(seed, self.plies as usize).alternating().screened(screen);
        interrupt::watch();
        let progress = Progress::new(self.games.len() as u64, Unit::Count("games"));
        let mut positions = 0u64;
        let mut error = None;
        selfplay::play(&side, &openings, self.games.clone(), self.threads.count(), |records| {
            error = file.add(&records, Layout::of::<P>()).err();
            positions += records.len() as u64;
            let speed = positions as f64 / progress.elapsed().as_secs_f64().max(0.001);
            progress.message(format!("{positions} positions, {speed:.0} a second"));
            progress.add(1);
            error.is_none() && !interrupt::is_set()
        })?;
        drop(progress);
        if let Some(error) = error {
            return Err(format!("{}: {error}", self.output.display()).into());
        }
        let total = file.known + positions;
        let added = counted(positions, "position");
        print(&format!("{added} added, {total} in {}", self.output.display()))
    }
}

/// A file that positions are added to.
struct Appended {
    file: File,
    /// Positions that it had before.
    known: u64,
    bytes: Vec<u8>,
}

impl Appended {
    /// Opens or begins the file, and cuts off the rest of a record that an interruption left.
    fn open<P: Variant>(path: &Path) -> Result<Appended, Box<dyn Error>> {
        let named =
            |fault| format!("{}: {fault}; choose a file that can be written", path.display());
        // A pipe would block whoever opens it.
        require_file(path)?;
        let mut file = File::options().create(true).append(true).open(path).map_err(named)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(OutputError::Busy(path.to_path_buf()).into());
        }
        let is_new = file.metadata().map_err(named)?.len() == 0;
        let header = Header { rule_set: P::RULE_SET, is_shuffled: false }.to_bytes();
        let mut known = 0;
        let mut has_header = false;
        if !is_new {
            let data = DataFile::open(path, P::RULE_SET)?;
            known = data.positions();
            has_header = data.header().is_some_and(|header| !header.is_shuffled);
            file.set_len(data.records() * header.len() as u64).map_err(named)?;
        }
        if !has_header {
            file.write_all(&header).map_err(named)?;
        }
        Ok(Appended { file, known, bytes: Vec::new() })
    }

    /// Adds the positions of a game in one piece. What a full disk leaves of it is cut off again.
    fn add(&mut self, records: &[Record], layout: Layout) -> io::Result<()> {
        self.bytes.clear();
        records.iter().for_each(|record| record.write(layout, &mut self.bytes));
        let before = self.file.metadata()?.len();
        let written = self.file.write_all(&self.bytes);
        if written.is_err() {
            self.file.set_len(before)?;
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_a_number_or_a_range() {
        assert_eq!(range("20"), Ok(0..20));
        assert_eq!(range("20..30"), Ok(20..30));
        for text in ["", "0", "30..20", "20..20", "a..b", "-1", "1..2..3", "99999999999"] {
            assert!(range(text).is_err(), "{text}");
        }
    }
}
