//! The words of the command line; what they do is in `commands`.

use clap::{Args, Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  engine                           speak UCI: what a chess program starts it with
  engine bench                     measure the search; the last line is N nodes N nps
  engine bench 8 --hash 64         the same, 8 half-moves deep, with a table of 64 MB
  engine perft 5 --divide          count the positions 5 half-moves deep, by first move
  engine perft 4 --fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'
  engine eval --fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'
                                   explain the evaluation of a position, term by term
  engine lab compare --depth 3     the textbook algorithms on one position, with what each costs
  engine lab tree --game tree --tree lecture --step
                                   a lecture's example tree, searched step by step

To play, add the program to Cute Chess, Arena, En Croissant or any other board that
knows UCI engines. To talk to it yourself, start it and type help.";

/// A chess engine to play against, to match against other engines, and to learn game
/// search from. Without a command it speaks UCI on standard input and output.
#[derive(Debug, Parser)]
#[command(name = "engine", version, after_help = EXAMPLES)]
pub struct Cli {
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
    /// Watch the textbook algorithms at work, and compare them
    #[command(subcommand)]
    Lab(ajedrecista::commands::lab::Command),
    /// Say how the program was built
    Compiler,
    /// Print the table of options for the README
    #[command(hide = true)]
    Options,
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
}

/// Arguments of `perft`.
#[derive(Debug, Args)]
pub struct Perft {
    /// How many half-moves deep to count
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,
    /// The position, in quotes [default: the start of the game]
    #[arg(long)]
    pub fen: Option<String>,
    /// Show the count of every first move
    #[arg(long)]
    pub divide: bool,
}

/// Arguments of `eval`.
#[derive(Debug, Args)]
pub struct Eval {
    /// The position, in quotes [default: the start of the game]
    #[arg(long)]
    pub fen: Option<String>,
}
