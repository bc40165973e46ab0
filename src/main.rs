//! The program: reads the command line and hands over to a command.

mod cli;

use std::process::ExitCode;

use ajedrecista::commands;
use ajedrecista::commands::compete::{Effort, Plan};
use clap::Parser;
use cli::{Cli, Command, Dda, Match};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        None => commands::uci::run(cli.level, cli.tune),
        Some(Command::Bench(bench)) => commands::bench::run(bench.depth, bench.hash),
        Some(Command::Perft(perft)) => commands::perft::run(perft.depth, perft.fen, perft.divide),
        Some(Command::Eval(eval)) => commands::eval::run(eval.fen),
        Some(Command::Dda(Dda { fen, base, games, seed, svg })) => match games {
            Some(games) => commands::dda::games(&base, games, seed, svg.as_deref()),
            None => commands::dda::position(&base, fen),
        },
        Some(Command::Match(arguments)) => commands::compete::run(&plan(arguments)),
        Some(Command::Compiler) => commands::compiler(),
        Some(Command::Options) => commands::options(),
        Some(Command::Tunables) => commands::tunables(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::from(2)
        }
    }
}

/// The match that the command line describes.
fn plan(arguments: Match) -> Plan {
    let Match { games, nodes, depth, first, second, seed, plies, threads, sprt } = arguments;
    let effort = depth.map_or(Effort::Nodes(nodes), Effort::Depth);
    Plan { games, effort, first, second, seed, plies, threads, sprt }
}
