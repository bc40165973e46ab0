//! `engine book`: makes opening books from games, shows and checks them.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Subcommand, ValueEnum};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess};

use super::{CommandResult, Done, NothingFound, answer, counted, print};
use engine::book::games::Place;
use engine::book::{Book, LARGEST, names, polyglot};
use engine::input;
use engine::rules::Game;
use engine::rules::setup::{self, Start};
use shell::files::{FileKind, OutputFile};
use shell::interrupt;
use shell::progress::{Progress, Unit, note};
use shell::source;
use workshop::bookmaking::builder::{self, Builder, GameCounts};
use workshop::bookmaking::check;

/// Faults of games, or errors of a book, that are listed one by one.
const LISTED: usize = 100;

/// A Polyglot book: entries sorted by key.
const POLYGLOT: FileKind = FileKind {
    name: "a Polyglot book",
    matches: |head| {
        let (entries, rest) = head.as_chunks::<{ polyglot::BYTES }>();
        let entries = || entries.iter().map(polyglot::BookEntry::from);
        // A text may be in order by accident, but its letters are no moves.
        rest.is_empty()
            && entries().len() > 0
            && entries().is_sorted_by_key(|entry| entry.key)
            && entries().all(|entry| polyglot::uci(entry.code).is_some())
    },
};

/// The commands on books.
#[derive(Debug, Subcommand)]
pub enum BookCommand {
    /// Make a book from games, or let a book learn from them
    Build(BuildArgs),
    /// Show the moves of a book in a position
    Show(ShowArgs),
    /// Check a book; the exit status is 1 if it has errors
    Check(CheckArgs),
}

const BUILD_HELP: &str = "\
Games are read one at a time, from plain or compressed files. Records beyond the memory go to
unnamed temporary files beside the book, so that millions of games need about 100 MB.

The weight of a move is 2 for every win and 1 for every draw of the side that played it. A game
with the result * counts only with a header Weight, a whole number: each of its moves gets it.

With --learn, the engine's own moves in these games are reinforced: the weight of a book move is
multiplied by 2 (4 + wins + draws/2) / (8 + games). Moves that the book lacks are added as above.
The opponents' moves keep their weights.

Examples:
  engine book build openings -o book.bin
  engine book build games/ more.pgn.zst --min-elo 2400 --min-games 3 -o book.bin
  engine book build match.pgn --learn book.bin -o book.bin";

/// Arguments of `build`.
#[derive(Debug, Args)]
#[command(after_help = BUILD_HELP)]
pub struct BuildArgs {
    /// PGN files, plain or compressed by gzip or Zstandard, and folders of them
    #[arg(required = true)]
    pub inputs: Vec<PathBuf>,
    /// The book to write
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Replace the file even if it is an input or holds something else
    #[arg(long)]
    pub force: bool,
    /// Half-moves of each game to read
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub plies: u16,
    /// Least rating of both players; games without ratings are left out
    #[arg(long, value_name = "ELO", default_value_t = 0)]
    pub min_elo: u32,
    /// The games to use
    #[arg(long, value_enum, default_value = "all")]
    pub results: Results,
    /// Least number of games with a move
    #[arg(long, value_name = "GAMES", default_value_t = 1)]
    pub min_games: u32,
    /// Start from this book, and let it learn from the engine's own games
    #[arg(long, value_name = "BOOK")]
    pub learn: Option<PathBuf>,
    /// The player whose games are learned from: part of the name in the headers White and Black
    #[arg(long, value_name = "NAME", default_value = "Ajedrecista", requires = "learn")]
    pub player: String,
}

/// Filter by result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Results {
    /// All games with a result or a weight
    All,
    /// Decisive games only
    Decisive,
}

/// Arguments of `show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The book [default: the built-in book]
    pub file: Option<PathBuf>,
    /// The position, in quotes [default: the start of the game]
    #[arg(long)]
    pub fen: Option<String>,
    /// Moves to play first, separated by spaces: 'e2e4 c7c5'
    #[arg(long, default_value = "")]
    pub moves: String,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The book
    pub file: PathBuf,
}

impl BookCommand {
    /// Runs the command. The exit code says no if the book has no move, or errors.
    pub fn run(self) -> CommandResult {
        match self {
            BookCommand::Build(arguments) => build(&arguments)?,
            BookCommand::Show(arguments) => return show(&arguments),
            BookCommand::Check(arguments) => return check(&arguments),
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Builds a book. It is complete before it replaces an older one.
fn build(arguments: &BuildArgs) -> Done {
    let learns = arguments.learn.is_some();
    let plan = builder::BuildOptions {
        plies: arguments.plies.into(),
        min_elo: arguments.min_elo,
        decisive: arguments.results == Results::Decisive,
        min_games: arguments.min_games,
        learner: learns.then(|| arguments.player.clone()),
    };
    let old = arguments.learn.as_deref().map_or(Ok(Book::empty()), Book::open)?;
    let path = &arguments.output;
    let mut output = OutputFile::create(path, POLYGLOT, &arguments.inputs, arguments.force)?;

    interrupt::watch();
    let started = Instant::now();
    let mut builder = Builder::new(plan, builder::CAPACITY, output.folder());
    read(&arguments.inputs, &mut builder)?;
    let counts = builder.counts();
    let mut file = BufWriter::new(output.file());
    let extent =
        builder.write(&old, &mut file).and_then(|extent| file.flush().map(|()| extent)).map_err(
            |error| format!("{}: {error}; choose another path for the book", path.display()),
        )?;
    drop(file);
    let seconds = started.elapsed().as_secs_f64();
    let GameCounts { used, left_out, broken } = counts;
    let speed = counts.all() as f64 / seconds.max(1e-6);
    let used = counted(used, "game");
    note(&format!("{used} used, {left_out}, {broken} broken; {seconds:.1} s, {speed:.0} games/s"));
    if extent.moves == 0 {
        let error = "no move is left for the book; use more games or weaker filters";
        // Games that cannot be read are bad input, games that the filters leave out are nothing found.
        let is_unread = counts.used == 0 && broken > 0;
        return Err(if is_unread { error.into() } else { NothingFound(error.to_string()).into() });
    }
    output.finish()?;
    print(&format!(
        "{} of {} written to {}",
        counted(extent.moves, "move"),
        counted(extent.positions, "position"),
        path.display()
    ))
}

/// Reads all games of these files and folders into `builder`.
fn read(inputs: &[PathBuf], builder: &mut Builder) -> Done {
    let named = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    let mut files = Vec::new();
    for input in inputs {
        let found = source::files(input).map_err(|error| named(input, error))?;
        if found.is_empty() {
            return Err(format!(
                "{}: no .pgn, .pgn.gz or .pgn.zst in this folder",
                input.display()
            )
            .into());
        }
        files.extend(found);
    }
    let sizes = files.iter().filter_map(|path| fs::metadata(path).ok());
    let progress = Progress::new(sizes.map(|metadata| metadata.len()).sum(), Unit::Bytes);
    let mut faults = 0;
    for path in &files {
        let file = input::open(path).map_err(|error| named(path, error))?;
        let text = source::text(progress.count_bytes(file)).map_err(|error| named(path, error))?;
        builder.read(text, &mut |place, fault| {
            faults += 1;
            if faults <= LISTED {
                let Place { game, line } = place;
                progress.remark(&format!("{}, game {game}, line {line}: {fault}", path.display()));
            }
        })?;
        if interrupt::is_set() {
            return Err("no book is written".into());
        }
        progress.message(counted(builder.counts().all(), "game"));
    }
    drop(progress);
    if faults > LISTED {
        note(&format!("… and {} in games", counted((faults - LISTED) as u64, "more fault")));
    }
    Ok(())
}

/// Shows the moves of a position: weights, shares, and the openings that they lead to.
fn show(arguments: &ShowArgs) -> CommandResult {
    let book = arguments.file.as_deref().map_or(Ok(Book::embedded()), Book::open);
    let book =
        book.map_err(|error| format!("{error}; without a name the built-in book is shown"))?;
    let start = arguments.fen.clone().map_or(Start::Initial, Start::Fen);
    let moves: Vec<String> = arguments.moves.split_whitespace().map(str::to_string).collect();
    let (game, remarks) = setup::game::<Chess>(&start, &moves, CastlingMode::Standard)?;
    for remark in remarks {
        shell::progress::note(&format!("note: {remark}"));
    }
    if let Some(opening) = names::of(&game) {
        print(&opening.to_string())?;
    }
    let moves = book.moves(game.now());
    if moves.is_empty() {
        print("the book has no move in this position")?;
        return Ok(answer(false));
    }
    let total: u32 = moves.iter().map(|known| u32::from(known.weight)).sum();
    for known in moves {
        let share = 100.0 * f64::from(known.weight) / f64::from(total.max(1));
        let san = SanPlus::from_move(game.position().clone(), known.m);
        let uci = known.m.to_uci(CastlingMode::Standard);
        let name = name_after(&game, known.m).unwrap_or_default();
        let line = format!("{san:8} {uci:6} {:6} {share:5.1} %  {name}", known.weight);
        print(line.trim_end())?;
    }
    Ok(answer(true))
}

/// The name of the opening after the move `m`.
fn name_after(game: &Game<Chess>, m: shakmaty::Move) -> Option<String> {
    let mut after = game.clone();
    after.play(m);
    names::of(&after).map(ToString::to_string)
}

/// Lists the errors of a book; the exit code is 1 if there are any.
fn check(arguments: &CheckArgs) -> CommandResult {
    let path = arguments.file.display();
    let bytes =
        input::read(&arguments.file, LARGEST).map_err(|error| format!("{path}: {error}"))?;
    let findings = check::check(&bytes);
    if findings.is_no_book {
        print(&format!(
            "{path}: this is no opening book; books are Polyglot's, with the ending .bin"
        ))?;
        return Ok(answer(false));
    }
    for error in findings.errors.iter().take(LISTED) {
        print(&format!("{path}: {error}"))?;
    }
    let errors = findings.errors.len();
    print(&format!(
        "{} entries, {} of them in the {} positions reached from the start of the game; {errors} errors",
        findings.entries, findings.walked, findings.reachable
    ))?;
    Ok(answer(errors == 0))
}
