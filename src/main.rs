//! The program: reads the command line and hands over to a command.

mod cli;

use std::process::ExitCode;

use ajedrecista::commands;
use clap::Parser;
use cli::{Cli, Command};

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        None => commands::uci::run(),
        Some(Command::Bench(bench)) => commands::bench::run(bench.depth, bench.hash),
        Some(Command::Perft(perft)) => commands::perft::run(perft.depth, perft.fen, perft.divide),
        Some(Command::Eval(eval)) => commands::eval::run(eval.fen),
        Some(Command::Lab(lab)) => commands::lab::run(lab),
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
