//! The program: reads the command line and hands over to a command.

mod cli;

use std::process::ExitCode;

use ajedrecista::commands;
use clap::Parser;
use cli::{Cli, Command, Dda};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        None => commands::uci::run(cli.level),
        Some(Command::Bench(bench)) => commands::bench::run(bench.depth, bench.hash),
        Some(Command::Perft(perft)) => commands::perft::run(perft.depth, perft.fen, perft.divide),
        Some(Command::Eval(eval)) => commands::eval::run(eval.fen),
        Some(Command::Dda(Dda { fen, base, games, seed, svg })) => match games {
            Some(games) => commands::dda::games(&base, games, seed, svg.as_deref()),
            None => commands::dda::position(&base, fen),
        },
        Some(Command::Compiler) => commands::compiler(),
        Some(Command::Options) => commands::options(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::from(2)
        }
    }
}
