//! `engine lab dda`: the paper's experiments on Connect Four, and the games that it leaves to future work.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::super::Done;
use super::claims::in_words;
use super::game::{Kind, plain};
use lab::claims;
use lab::contest::{self, Contest};
use lab::contest_figure;
use lab::dda::{self, Experiment, Rounding};
use lab::figures;
use lab::texts::{self, Lang};
use shell::files::{self, write_text};
use shell::interrupt;
use shell::progress::{Progress, Unit};
use shell::table::Format;

/// The rounding of a depth to a whole number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum RoundName {
    /// As the paper's equations are printed
    Up,
    /// As their derivation and the paper's text want it
    Down,
}

/// Arguments of `dda`.
#[derive(Debug, Args)]
pub struct Dda {
    /// The game, such as connect-four, othello or chess; another than connect-four plays a contest
    #[arg(long, default_value = "connect-four")]
    pub game: Kind,
    /// Play whole games against the fixed depth, and tell depth, nodes and time stage by stage
    #[arg(long)]
    pub contest: bool,
    /// Contest: the most plies that a form may add to ω
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=12))]
    pub cap: u32,
    /// Sizes of the square boards, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "7,8,9,10")]
    #[arg(value_parser = clap::value_parser!(u8).range(4..=10))]
    pub sizes: Vec<u8>,
    /// ω, the depth at the start of the game, in half-moves [default: chess 3, Othello 4, others 6]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=12))]
    pub base: Option<u32>,
    /// The rounding of the formula: down as derived, up as printed
    #[arg(long, value_enum, default_value = "down")]
    pub round: RoundName,
    /// Games a board and method, of which the mean is taken [default: 4, or 40 in a contest]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub games: Option<u32>,
    /// Runs a move, of which the fastest gives the time
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub runs: u32,
    /// The seed of the games' random beginnings
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Write the figures to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write every measurement to this file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Replace a file of another kind
    #[arg(long)]
    pub force: bool,
    /// The language of the findings
    #[arg(long, value_enum, default_value = "en")]
    pub lang: Lang,
    /// The form of the table of findings
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

impl Dda {
    fn rounding(&self) -> Rounding {
        match self.round {
            RoundName::Up => Rounding::Up,
            RoundName::Down => Rounding::Down,
        }
    }
}

/// Plays, measures, and holds the paper's statements against the measurements.
///
/// # Errors
/// A file that cannot be written.
pub fn run(arguments: &Dda) -> Done {
    if arguments.contest || arguments.game != Kind::ConnectFour {
        return contest(arguments);
    }
    let texts = texts::of(arguments.lang);
    let plan = Experiment {
        sizes: arguments.sizes.clone(),
        base: arguments.base.unwrap_or(6),
        rounding: arguments.rounding(),
        games: arguments.games.unwrap_or(4),
        runs: arguments.runs,
        seed: arguments.seed,
    };
    let outputs = [(arguments.csv.as_deref(), files::CSV), (arguments.svg.as_deref(), files::SVG)];
    files::check(&outputs, &[], arguments.force)?;
    let games = dda::Method::ALL.len() * plan.sizes.len() * plan.games as usize;
    let progress = Progress::of(games as u64, Unit::Count(texts.word("unit.games")), texts.lang);
    interrupt::watch();
    let samples = dda::measure(&plan, || {
        progress.add(1);
        !interrupt::is_set()
    })?;
    drop(progress);
    if let Some(path) = &arguments.csv {
        let table = dda::table(&samples).write(Format::Csv) + "\n";
        write_text(path, files::CSV, &table, arguments.force)?;
    }
    if interrupt::is_set() {
        let table = dda::table(&samples).write_in(&texts, arguments.format);
        return super::super::print(&table);
    }
    if let Some(path) = &arguments.svg {
        write_text(path, files::SVG, &figures::draw(&samples, &plan, &texts)?, arguments.force)?;
    }
    let claims = claims::figures(&samples, &plan);
    match arguments.format {
        Format::Text => super::super::print(&in_words(&claims, &texts)),
        format => super::super::print(&claims::table(&claims, &texts).write(format)),
    }
}

/// Plays every policy against the fixed depth.
fn contest(arguments: &Dda) -> Done {
    let texts = texts::of(arguments.lang);
    let base = match arguments.game {
        Kind::Chess(_) => 3,
        Kind::Othello => 4,
        _ => 6,
    };
    let contest = Contest {
        start: plain(arguments.game, &texts)?,
        base: arguments.base.unwrap_or(base),
        rounding: arguments.rounding(),
        cap: arguments.cap,
        games: arguments.games.unwrap_or(40),
        seed: arguments.seed,
    };
    let outputs = [(arguments.csv.as_deref(), files::CSV), (arguments.svg.as_deref(), files::SVG)];
    files::check(&outputs, &[], arguments.force)?;
    let progress = Progress::of(contest.steps(), Unit::Count(texts.word("unit.pairs")), texts.lang);
    interrupt::watch();
    let results = contest.run(|| {
        progress.add(1);
        !interrupt::is_set()
    });
    drop(progress);
    let table = contest::table(&results, &texts);
    if let Some(path) = &arguments.csv {
        write_text(path, files::CSV, &(table.write(Format::Csv) + "\n"), arguments.force)?;
    }
    if let Some(path) = &arguments.svg {
        let rounding = match contest.rounding {
            Rounding::Up => texts.get("dda.up"),
            Rounding::Down => texts.get("dda.down"),
        };
        let (base, cap) = (contest.base.to_string(), contest.cap.to_string());
        let (game, games) = (arguments.game.title(&texts), contest.games.to_string());
        let args = [
            ("game", &*game),
            ("base", &*base),
            ("cap", &*cap),
            ("rounding", rounding),
            ("games", &*games),
        ];
        let title = texts.fill("contest.title", &args);
        let picture = contest_figure::draw(&title, &results, &texts)?;
        write_text(path, files::SVG, &picture, arguments.force)?;
    }
    super::super::print(&table.write_in(&texts, arguments.format))
}
