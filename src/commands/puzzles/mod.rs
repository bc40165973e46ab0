//! `engine puzzles`: the share of rated puzzles that a player solves, by rating: what it sees and what it misses.

mod curve;
mod puzzle;

use std::error::Error;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use clap::{Args, ValueEnum};
use shakmaty::Chess;

use super::{Done, NothingFound, ThreadsArgs, counted, positive, print};
use curve::Curve;
use engine::input::{Lines, decode};
use engine::limits::Limits;
use engine::play::Mind;
use engine::play::levels::Level;
use engine::play::strength;
use engine::search::Searcher;
use engine::search::report::Silent;
use engine::search::table::OutOfMemoryError;
use engine::settings::Settings;
use puzzle::{Columns, Puzzle};
use shell::interrupt;
use shell::progress::{Progress, Unit, note};
use shell::source;
use shell::table::{Cell, Format, Table};
use workshop::arena::on_threads;

/// Nodes of a move at full strength without another limit.
const NODES: u64 = 20_000;
/// Table of the searches, in MiB.
const HASH_MB: usize = 4;
/// Width of a column, in rating points.
const BAND: u32 = 400;
/// The columns of the shares.
const BANDS: [&str; 6] = ["to 800", "1200", "1600", "2000", "2400", "above"];
/// Faulty lines that are named one by one.
const NAMED: usize = 20;

const PUZZLES_HELP: &str = "\
FILE has a heading and a puzzle on each line, separated by tabs or commas: `rating`, `fen` and `moves` in UCI
notation, in any order, as in the puzzle database of lichess. The first move is the opponent's; then solver and
opponent move in turn. `themes` is optional, other columns are passed over. A puzzle is solved if every move of the
solver is the one in the file, or mates. A puzzle of rating R is one that people rated R solve half the time.

Each row is a player, each column the share of solved puzzles in per cent, up to that rating. `slope` and `middle`
are those of the logistic curve that fits its results best: how steeply the share falls (per 1000 points; 5.8 by
the definition of Elo), and the rating at which it is a half.

Examples:
  engine puzzles puzzles.tsv --elo 800,1200,1600
  engine puzzles puzzles.csv.zst --level 3,4,5 --part even
  engine puzzles puzzles.tsv --nodes 20000,100000
  engine puzzles puzzles.tsv --elo 1200 --theme hangingPiece --ratings 0-700 --repeat 5";

/// Arguments of `puzzles`.
#[derive(Debug, Args)]
#[command(after_help = PUZZLES_HELP)]
pub struct PuzzlesArgs {
    /// Files of puzzles, plain or compressed by gzip or Zstandard
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// Limited strengths that solve them
    #[arg(long, value_delimiter = ',')]
    #[arg(value_parser = clap::value_parser!(u32).range(i64::from(strength::MIN_ELO)..=i64::from(strength::MAX_ELO)))]
    elo: Vec<u32>,
    /// Levels that solve them
    #[arg(long, value_delimiter = ',')]
    level: Vec<Level>,
    /// Full strength solves them with this many nodes a move [default: 20000, if nobody else is named]
    #[arg(long, value_delimiter = ',', value_parser = positive::<u64>)]
    nodes: Vec<u64>,
    /// The lines to use: fit to the odd ones, and measure on the even ones
    #[arg(long, value_enum, default_value = "all")]
    part: Part,
    /// Only puzzles with this theme
    #[arg(long, value_name = "NAME")]
    theme: Option<String>,
    /// Every so many puzzles of those that are left are used
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = positive::<usize>)]
    every: usize,
    /// Only puzzles with ratings from LOW to HIGH
    #[arg(long, value_name = "LOW-HIGH", value_parser = ratings)]
    ratings: Option<(u32, u32)>,
    /// Tries of each puzzle, each with a seed of its own
    #[arg(long, default_value_t = 1, value_parser = positive::<u32>)]
    repeat: u32,
    /// Seed of the errors
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArgs,
    /// The format of the table
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// All puzzles
    All,
    /// The first, the third, …
    Odd,
    /// The second, the fourth, …
    Even,
}

/// Someone who solves puzzles.
struct Solver {
    name: String,
    settings: Settings,
    limits: Limits,
}

impl PuzzlesArgs {
    /// Solves the puzzles and prints the table. Progress goes to standard error.
    pub fn run(self) -> Done {
        let puzzles = self.read()?;
        let solvers = self.solvers()?;
        interrupt::watch();
        let tries = puzzles.len() * self.repeat as usize;
        let total = solvers.len() * tries;
        let progress = Progress::new(total as u64, Unit::Count("puzzles"));
        let next = AtomicUsize::new(0);
        // For each solver, each tried puzzle with its result.
        let results = Mutex::new(vec![Vec::new(); solvers.len()]);
        let work = || -> Result<(), OutOfMemoryError> {
            while !interrupt::is_set() {
                let number = next.fetch_add(1, Relaxed);
                if number >= total {
                    break;
                }
                let (solver, turn) = (number / tries, number % tries);
                let (puzzle, round) = (&puzzles[turn % puzzles.len()], turn / puzzles.len());
                let seed = self.seed << 40 ^ (round as u64) << 24 ^ puzzle.number as u64 ^ 1 << 60;
                let is_solved = solvers[solver].solves(puzzle, seed)?;
                let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                results[solver].push((puzzle.rating, is_solved));
                progress.add(1);
            }
            Ok(())
        };
        on_threads(self.threads.count(), work)?;
        drop(progress);
        let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        let rows = solvers.iter().zip(&results).map(|(solver, results)| row(&solver.name, results));
        let columns = [&["player"], &BANDS[..], &["all", "slope", "middle", "tries"]].concat();
        print(&Table { columns, rows: rows.collect() }.write(self.format))
    }

    /// The puzzles of all files that are to be used. Faulty lines are named.
    fn read(&self) -> Result<Vec<Puzzle>, Box<dyn Error>> {
        let mut puzzles = Vec::new();
        let mut faults = 0;
        for path in &self.inputs {
            let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
            let mut lines = Lines::new(source::open(path).map_err(|error| named(&error))?);
            let mut columns = None;
            while let Some(line) = lines.next_line().map_err(|error| named(&error))? {
                let number = line.number;
                let text = decode(line.bytes);
                if text.trim().is_empty() {
                    continue;
                }
                let Some(columns) = &columns else {
                    columns = Some(Columns::read(&text).map_err(|error| named(&error))?);
                    continue;
                };
                match columns.puzzle(&text, puzzles.len() + faults + 1) {
                    Ok(puzzle) => puzzles.push(puzzle),
                    Err(error) => {
                        faults += 1;
                        if faults <= NAMED {
                            note(&format!("{}, line {number}: {error}", path.display()));
                        }
                    }
                }
            }
        }
        if faults > 0 {
            note(&format!("{} could not be used", counted(faults as u64, "line")));
        }
        puzzles.retain(|puzzle| self.is_meant(puzzle));
        let puzzles: Vec<Puzzle> = puzzles.into_iter().step_by(self.every).collect();
        match puzzles.is_empty() {
            true => {
                let error =
                    "there is no such puzzle; see engine puzzles --help for the form of a file";
                Err(NothingFound(error.to_string()).into())
            }
            false => Ok(puzzles),
        }
    }

    fn is_meant(&self, puzzle: &Puzzle) -> bool {
        let is_part = match self.part {
            Part::All => true,
            Part::Odd => puzzle.number % 2 == 1,
            Part::Even => puzzle.number.is_multiple_of(2),
        };
        is_part
            && self.theme.as_ref().is_none_or(|theme| puzzle.has_theme(theme))
            && self.ratings.is_none_or(|(low, high)| (low..=high).contains(&puzzle.rating))
    }

    /// Those who solve, in the order of their kinds on the command line.
    fn solvers(&self) -> Result<Vec<Solver>, Box<dyn Error>> {
        let solver =
            |name: String, limits: Limits| Solver { name, settings: Settings::default(), limits };
        let mut solvers = Vec::new();
        for &elo in &self.elo {
            let mut limited = solver(format!("UCI_Elo {elo}"), Limits::default());
            limited.settings.limit_strength = true;
            limited.settings.elo = elo as usize;
            solvers.push(limited);
        }
        for &level in &self.level {
            if level == Level::Unlimited {
                return Err("level unlimited has no depth of its own; use --nodes".into());
            }
            let mut of_level = solver(level.name().to_string(), Limits::default());
            of_level.settings.level = level;
            solvers.push(of_level);
        }
        let nobody = solvers.is_empty() && self.nodes.is_empty();
        let nodes = if nobody { &[NODES] } else { &self.nodes[..] };
        solvers.extend(
            nodes.iter().map(|&nodes| solver(format!("{nodes} nodes"), Limits::nodes(nodes))),
        );
        Ok(solvers)
    }
}

impl Solver {
    /// True if the player finds all moves of the solution; `seed` is that of its errors.
    fn solves(&self, puzzle: &Puzzle, seed: u64) -> Result<bool, OutOfMemoryError> {
        let settings = Settings { game_seed: seed, ..self.settings.clone() };
        let evaluator = settings.evaluator::<Chess>(None);
        let mut searcher = Searcher::new(evaluator, settings.search_options(None), HASH_MB)?;
        let mut mind = Mind::<Chess>::new(settings.mode(), 0)?;
        Ok(puzzle.is_solved(|game| mind.think(&mut searcher, game, &self.limits, &mut Silent).best))
    }
}

/// The row of a player.
fn row(name: &str, results: &[(u32, bool)]) -> Vec<Cell> {
    let share = |solved: usize, count: usize| match count {
        0 => Cell::Empty,
        _ => Cell::Measure(100.0 * solved as f64 / count as f64, 1),
    };
    let shares = (0..BANDS.len()).map(|band| {
        let of_band = results.iter().filter(|(rating, _)| band_of(*rating) == band);
        let (count, solved) =
            (of_band.clone().count(), of_band.filter(|(_, solved)| *solved).count());
        share(solved, count)
    });
    let mut cells = vec![Cell::text(name)];
    cells.extend(shares);
    cells.push(share(results.iter().filter(|(_, solved)| *solved).count(), results.len()));
    cells.extend(match Curve::fit(results) {
        Some(curve) => [Cell::Measure(curve.slope, 1), Cell::Measure(curve.middle, 0)],
        None => [Cell::Empty, Cell::Empty],
    });
    cells.push(Cell::Count(results.len() as u64));
    cells
}

/// The column of a rating.
fn band_of(rating: u32) -> usize {
    ((rating / BAND).max(1) as usize - 1).min(BANDS.len() - 1)
}

/// Reads LOW-HIGH.
fn ratings(text: &str) -> Result<(u32, u32), String> {
    let bounds =
        text.split_once('-').and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    bounds.filter(|(low, high)| low <= high).ok_or_else(|| "two ratings, as in 400-700".to_string())
}
