//! `engine lab compare`: the algorithms side by side.

use std::error::Error;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::Args;

use super::super::Done;
use super::game::{GameArgs, set_up};
use super::{chosen, warn_of_unknown};
use lab::algorithms::Algorithm;
use lab::compare::{self, Field, Row, random_positions};
use lab::game::Position;
use lab::leaves_figure;
use lab::texts::{self, Texts, decimal};
use lab::watch::Counter;
use shell::files::{self, write_text};
use shell::interrupt;
use shell::progress::{Progress, Unit};
use shell::table::{Cell, Format, Table};

/// A row that took longer than this, in seconds, is reported before the table.
const LONG: f64 = 2.0;

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub struct Compare {
    /// The game and its position.
    #[command(flatten)]
    pub game: GameArgs,
    /// Only these, separated by commas [default: all]
    #[arg(long, value_delimiter = ',')]
    pub algorithms: Vec<String>,
    /// This number of positions after random moves, instead of the one given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub positions: Option<u32>,
    /// Most random moves before such a position
    #[arg(long, value_name = "N", default_value_t = 24)]
    pub random_moves: u32,
    /// Leaves at each of these depths, such as 1-6, instead of everything at one
    #[arg(long, value_name = "FROM-TO", value_parser = depths)]
    pub depths: Option<RangeInclusive<u32>>,
    /// With --depths: plot leaves against depth into this file
    #[arg(long, value_name = "FILE", requires = "depths")]
    pub svg: Option<PathBuf>,
    /// Replace a file of another kind
    #[arg(long)]
    pub force: bool,
    /// The form of the table
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// Reads `1-6`.
fn depths(text: &str) -> Result<RangeInclusive<u32>, String> {
    let range = text.split_once('-').and_then(|(from, to)| {
        let (from, to): (u32, u32) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
        (1 <= from && from <= to && to <= 60).then_some(from..=to)
    });
    range.ok_or_else(|| "depths look like 1-6".to_string())
}

/// Compares.
///
/// # Errors
/// An unknown game, algorithm or constant; a file that cannot be written.
pub fn run(arguments: &Compare) -> Done {
    let texts = texts::of(arguments.game.lang);
    let (game, depth) = set_up(&arguments.game)?;
    let algorithms = chosen(&arguments.algorithms, game.players(), &texts)?;
    let positions = match arguments.positions {
        None => vec![game.clone()],
        Some(count) => {
            let plies = 0..=arguments.random_moves;
            random_positions(&game, count as usize, plies, arguments.game.seed)
        }
    };
    if positions.is_empty() {
        return Err(texts.get("fault.no-position").into());
    }
    files::check(&[(arguments.svg.as_deref(), files::SVG)], &[], arguments.force)?;
    interrupt::watch();
    match &arguments.depths {
        Some(depths) => by_depth(arguments, &algorithms, &positions, depths.clone(), &texts),
        None => at_depth(arguments, &algorithms, positions, depth, &texts),
    }
}

fn at_depth(
    arguments: &Compare,
    algorithms: &[Algorithm],
    positions: Vec<Position>,
    depth: u32,
    texts: &Texts,
) -> Done {
    let searches = (algorithms.len() + 1) * positions.len();
    let progress =
        Progress::of(searches as u64, Unit::Count(texts.word("unit.searches")), texts.lang);
    let field = Field::new(positions, depth, || progress.add(1));
    let rows = rows(arguments, algorithms, &field, &progress, texts)?;
    drop(progress);
    super::super::print(&field.table(&rows, texts).write_in(texts, arguments.format))?;
    let mut sum = Counter::default();
    rows.iter().for_each(|row| sum.add(&row.counter));
    warn_of_unknown(&sum, texts);
    if arguments.format != Format::Text || field.truth.values.is_empty() {
        return Ok(());
    }
    let (positions, depth) = (field.positions.len().to_string(), depth.to_string());
    let (leaves, minimum) = (field.truth.leaves.to_string(), field.truth.least.to_string());
    let args = [
        ("positions", &*positions),
        ("depth", &*depth),
        ("leaves", &*leaves),
        ("minimum", &*minimum),
    ];
    super::super::print(&texts.fill("compare.foot", &args))
}

fn rows(
    arguments: &Compare,
    algorithms: &[Algorithm],
    field: &Field,
    progress: &Progress,
    texts: &Texts,
) -> Result<Vec<Row>, Box<dyn Error>> {
    let constants = arguments.game.constants()?;
    let mut rows = Vec::new();
    for algorithm in algorithms.iter().take_while(|_| !interrupt::is_set()) {
        progress.message(algorithm.name);
        let row = field.row(algorithm, constants, || progress.add(1));
        if let Some(row) = row.as_ref().filter(|row| row.time.as_secs_f64() > LONG) {
            let seconds = decimal(texts, &format!("{:.1}", row.time.as_secs_f64()));
            let leaves = row.counter.leaves.to_string();
            let values = [("name", row.name), ("leaves", &leaves), ("seconds", &seconds)];
            progress.remark(&texts.fill("compare.long", &values));
        }
        rows.extend(row);
    }
    Ok(rows)
}

/// Leaves, nodes and time at each depth, as a table and perhaps as a plot.
fn by_depth(
    arguments: &Compare,
    algorithms: &[Algorithm],
    positions: &[Position],
    depths: RangeInclusive<u32>,
    texts: &Texts,
) -> Done {
    let constants = arguments.game.constants()?;
    let searches = algorithms.len() * positions.len() * depths.clone().count();
    let progress =
        Progress::of(searches as u64, Unit::Count(texts.word("unit.searches")), texts.lang);
    let mut points = Vec::new();
    let mut cells = Vec::new();
    for algorithm in algorithms.iter().take_while(|_| !interrupt::is_set()) {
        progress.message(algorithm.name);
        let mut line = Vec::new();
        for depth in depths.clone().take_while(|_| !interrupt::is_set()) {
            let (mut counter, mut time) = (Counter::default(), 0.0);
            for game in positions {
                let run = compare::run(algorithm, constants, game, depth);
                counter.add(&run.counter);
                time += run.time.as_secs_f64() * 1000.0;
                progress.add(1);
            }
            line.push((depth, counter.leaves));
            cells.push(vec![
                Cell::text(algorithm.name),
                Cell::Count(u64::from(depth)),
                Cell::Count(counter.leaves),
                Cell::Count(counter.nodes),
                Cell::Measure(time, 1),
            ]);
        }
        points.push((algorithm.name, line));
    }
    drop(progress);
    if let Some(path) = &arguments.svg {
        let title = texts.fill("compare.plot", &[("game", &arguments.game.title(texts))]);
        write_plot(path, &leaves_figure::draw(&title, &points, texts)?, arguments.force)?;
    }
    let columns =
        ["compare.algorithm", "compare.depth", "compare.leaves", "compare.nodes", "compare.ms"];
    let columns = columns.iter().map(|key| texts.word(key)).collect();
    let table = Table { columns, rows: cells };
    super::super::print(&table.write_in(texts, arguments.format))
}

fn write_plot(path: &Path, svg: &str, force: bool) -> Done {
    Ok(write_text(path, files::SVG, svg, force)?)
}
