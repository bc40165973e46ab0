//! The words of the command line; what they do is in `commands`.

use std::ffi::OsString;
use std::path::PathBuf;

use ajedrecista::commands;
use ajedrecista::levels::Level;
use ajedrecista::rules::variant;
use clap::{Args, Parser, Subcommand};
use shakmaty::variant::Variant;

const EXAMPLES: &str = "\
Examples:
  engine                           speak UCI: what a chess program starts it with
  engine bench                     measure the search; the last line is N nodes N nps
  engine bench 8 --hash 64         the same, 8 half-moves deep, with a table of 64 MB
  engine perft 5 --divide          count the positions 5 half-moves deep, by first move
  engine perft 4 --variant atomic  the same in another rule set; bench, eval and match know it too
  engine perft 4 --fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'
  engine eval --fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'
                                   explain the evaluation of a position, term by term
  engine --level beginner          speak UCI at the easiest level
  engine dda --fen '8/8/4k3/8/8/4K3/4P3/8 w - - 0 1'
                                   how deep each level would search there, and why
  engine dda --games 400 --svg dda.svg
                                   what that is worth in games, with a picture
  engine match --games 400 --first Evaluation=linear
                                   play against itself without that term: what is it worth?
  engine book build games.pgn.gz -o book.bin
                                   make an opening book of games
  engine book show                 show the moves of the book at the start of the game
  engine lab compare --depth 3     the textbook algorithms on one position, with what each costs
  engine lab tree --game tree --tree lecture --step
                                   a lecture's example tree, searched step by step

To play, add the program to Cute Chess, Arena, En Croissant or any other board that
knows UCI engines. To talk to it yourself, start it and type help.";

/// A chess engine to play against, to match against other engines, and to learn game
/// search from. Without a command it speaks UCI on standard input and output.
#[derive(Debug, Parser)]
#[command(name = "engine", version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// Level to start with: 3-beginner, 4-intermediate or 5-advanced, or the number or the
    /// word alone [default: unlimited]
    #[arg(long, default_value = "unlimited", hide_default_value = true)]
    pub level: Level,
    /// Offer the numbers of the search as UCI options too
    #[arg(long, hide = true)]
    pub tune: bool,
    /// What to do; nothing: speak UCI.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What the program can do besides UCI.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Search a fixed set of positions and report nodes and speed
    Bench(Bench),
    /// Count the positions that so many half-moves can lead to
    Perft(Perft),
    /// Explain the evaluation of a position
    Eval(Eval),
    /// Show how deep a level searches, and what it gains by that
    Dda(Dda),
    /// Play games between two settings of this engine, and tell which is the stronger
    Match(Match),
    /// Play games against itself and write their positions to a file, for tune
    Selfplay(Selfplay),
    /// Fit the tables of the evaluation to positions that selfplay wrote
    Tune(Tune),
    /// Make, read and check opening books
    #[command(subcommand)]
    Book(ajedrecista::commands::book::Command),
    /// Watch the textbook algorithms at work, and compare them
    #[command(subcommand)]
    Lab(ajedrecista::commands::lab::Command),
    /// Say how the program was built
    Compiler,
    /// Print the table of options for the README
    #[command(hide = true)]
    Options,
    /// Print the numbers of the search as input for an SPSA tuner
    #[command(hide = true)]
    Tunables,
    /// Print openings for OpenBench: N seed S book None|FILE [plies P]
    #[command(hide = true)]
    Genfens {
        /// What is wanted, in OpenBench's words.
        words: Vec<String>,
    },
}

/// The command line, with what OpenBench writes as one argument (`"genfens 5 seed 1 book None"
/// quit`) taken apart.
pub fn arguments(given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut given: Vec<OsString> = given.collect();
    let Some(request) = given.get(1).and_then(|first| first.to_str()) else { return given };
    if request.starts_with("genfens ") {
        let words: Vec<OsString> = request.split_whitespace().map(OsString::from).collect();
        given.truncate(1);
        given.extend(words);
    }
    given
}

/// Which rules a command goes by.
#[derive(Debug, Args)]
pub struct Rules {
    /// The rule set: chess, atomic, antichess, kingofthehill, 3check, crazyhouse, racingkings or
    /// horde
    #[arg(long, default_value = "chess", value_name = "RULES", value_parser = named)]
    pub variant: Variant,
}

/// Where a command begins.
#[derive(Debug, Args)]
pub struct Place {
    /// The rules.
    #[command(flatten)]
    pub rules: Rules,
    /// Castle by the rules of Chess960
    #[arg(long)]
    pub chess960: bool,
    /// The position, in quotes [default: the start of the game]
    #[arg(long)]
    pub fen: Option<String>,
}

impl From<Place> for commands::Place {
    fn from(place: Place) -> commands::Place {
        let Place { rules, chess960, fen } = place;
        commands::Place { variant: rules.variant, chess960, fen }
    }
}

fn named(name: &str) -> Result<Variant, String> {
    variant::named(name).map_err(|wanted| format!("write {wanted}"))
}

/// Arguments of `bench`.
#[derive(Debug, Args)]
pub struct Bench {
    /// Depth of every search, in half-moves
    #[arg(default_value_t = ajedrecista::bench::DEFAULT_DEPTH)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,
    /// Size of the transposition table, in megabytes
    #[arg(long, value_name = "MB", default_value_t = ajedrecista::bench::DEFAULT_HASH_MB)]
    pub hash: usize,
    /// The rules.
    #[command(flatten)]
    pub rules: Rules,
}

/// Arguments of `perft`.
#[derive(Debug, Args)]
pub struct Perft {
    /// How many half-moves deep to count
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,
    /// Where to begin.
    #[command(flatten)]
    pub place: Place,
    /// Show the count of every first move
    #[arg(long)]
    pub divide: bool,
}

/// Arguments of `eval`.
#[derive(Debug, Args)]
pub struct Eval {
    /// The position.
    #[command(flatten)]
    pub place: Place,
}

/// Arguments of `dda`.
#[derive(Debug, Args)]
pub struct Dda {
    /// The position, in quotes [default: the start of the game]
    #[arg(long, conflicts_with_all = ["games", "svg"])]
    pub fen: Option<String>,
    /// Base depths, in half-moves
    #[arg(long, value_delimiter = ',', default_values_t = [3, 4, 5])]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=12))]
    pub base: Vec<u32>,
    /// Play so many games a row of the table; an odd number is rounded up
    #[arg(long)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub games: Option<u32>,
    /// Which openings to play: another number, other openings
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Draw depth and nodes against the move number
    #[arg(long, value_name = "FILE", requires = "games")]
    pub svg: Option<PathBuf>,
}

const MATCH_HELP: &str = "\
Both sides search the same number of nodes, or to the same depth, so that a match does not
depend on the speed of the machine: the same command plays the same games again. Games come
in pairs, one opening with both colours. The last line is the result from the first side's
point of view, with the Elo difference and the half-width of its 95 % interval.

NAME is an option of the evaluation, or a number of the search (engine tunables lists
them). What is not named has its default. Evaluation may also name a file of tables.

Examples:
  engine match --games 1000 --first futility_depth=0
  engine match --depth 6 --games 200 --first Evaluation=linear --threads 2
  engine match --games 20000 --first reduction_base=700 --sprt 0,5
  engine match --games 2000 --first Evaluation=new.txt --threads 2";

/// Arguments of `match`.
#[derive(Debug, Args)]
#[command(after_help = MATCH_HELP)]
pub struct Match {
    /// How many games to play; an odd number is rounded up
    #[arg(long, default_value_t = 100)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// Nodes to search for each move
    #[arg(long, default_value_t = 5000, conflicts_with = "depth")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Depth of every search, in half-moves, instead of a number of nodes
    #[arg(long)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// A setting of the first side; may be given more than once
    #[arg(long, value_name = "NAME=VALUE")]
    pub first: Vec<String>,
    /// A setting of the second side; may be given more than once
    #[arg(long, value_name = "NAME=VALUE")]
    pub second: Vec<String>,
    /// The rules.
    #[command(flatten)]
    pub rules: Rules,
    /// Which openings to play: another number, other openings
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Random half-moves that each opening begins with
    #[arg(long, default_value_t = 8)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=40))]
    pub plies: u32,
    /// Games to play at the same time
    #[arg(long, default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,
    /// Stop as soon as it is proved, at 5 % error, that the difference is rather ELO1 or rather ELO0
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Option<String>,
}

const SELFPLAY_HELP: &str = "\
Each finished game is added to the file at once, 32 bytes a position: an interruption loses
nothing, and the same command goes on with other games.

Example, a first round of growing an evaluation:
  engine selfplay --games 20000 --nodes 5000 --evaluation linear -o games.bin
  engine tune games.bin -o tables.txt
  engine match --games 1000 --first Evaluation=tables --second Evaluation=linear";

/// Arguments of `selfplay`.
#[derive(Debug, Args)]
#[command(after_help = SELFPLAY_HELP)]
pub struct Selfplay {
    /// How many games to play
    #[arg(long, default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// Nodes to search for each move
    #[arg(long, default_value_t = 5000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// The file to add the positions to
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Random half-moves that each game begins with
    #[arg(long, default_value_t = 9)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=40))]
    pub plies: u32,
    /// Which openings to play: another number, other openings
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games to play at the same time [default: all processors]
    #[arg(long)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// The evaluation to play with: linear, tables, or a file of tables
    #[arg(long, default_value = "tables")]
    pub evaluation: String,
    /// The rules: any but antichess and horde, whose positions have no two kings to see pieces from.
    #[command(flatten)]
    pub rules: Rules,
}

/// Arguments of `tune`.
#[derive(Debug, Args)]
pub struct Tune {
    /// Files of positions that selfplay wrote
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The file to write the tables to
    #[arg(short, long, value_name = "TABLES")]
    pub output: PathBuf,
    /// Share of the target that is the game's result; the rest is the search's score
    #[arg(long, default_value_t = 0.4)]
    pub result_share: f64,
    /// The rules of the games in the files.
    #[command(flatten)]
    pub rules: Rules,
    /// Rounds at most; the fit ends earlier once held-out positions are predicted no better
    #[arg(long, default_value_t = 400)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Threads to use [default: all processors]
    #[arg(long)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
}
