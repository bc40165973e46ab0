//! The program: reads the command line and hands over to a command.

mod cli;

use std::env;
use std::process::ExitCode;
use std::thread;

use ajedrecista::commands;
use ajedrecista::commands::compete::{Effort, Plan};
use clap::Parser;
use cli::{Cli, Command, Dda, Match, Selfplay, Tune};

fn main() -> ExitCode {
    let cli = Cli::parse_from(cli::arguments(env::args_os()));
    let done = match cli.command {
        None => commands::uci::run(cli.level, cli.tune),
        Some(Command::Bench(bench)) => {
            commands::bench::run(bench.rules.variant, bench.depth, bench.hash)
        }
        Some(Command::Perft(perft)) => {
            commands::perft::run(perft.depth, perft.place.into(), perft.divide)
        }
        Some(Command::Eval(eval)) => commands::eval::run(eval.place.into()),
        Some(Command::Dda(Dda { fen, base, games, seed, svg })) => match games {
            Some(games) => commands::dda::games(&base, games, seed, svg.as_deref()),
            None => commands::dda::position(&base, fen),
        },
        Some(Command::Match(arguments)) => commands::compete::run(&plan(arguments)),
        Some(Command::Selfplay(arguments)) => commands::selfplay::run(&selfplay(arguments)),
        Some(Command::Tune(arguments)) => tune(&arguments),
        Some(Command::Lab(lab)) => commands::lab::run(lab),
        Some(Command::Book(book)) => match commands::book::run(&book) {
            Ok(true) => Ok(()),
            Ok(false) => return ExitCode::FAILURE,
            Err(fault) => Err(fault),
        },
        Some(Command::Compiler) => commands::compiler(),
        Some(Command::Options) => commands::options(),
        Some(Command::Tunables) => commands::tunables(),
        Some(Command::Genfens { words }) => commands::genfens::run(&words),
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
    let Match { games, nodes, depth, first, second, rules, seed, plies, threads, sprt } = arguments;
    let effort = depth.map_or(Effort::Nodes(nodes), Effort::Depth);
    let variant = rules.variant;
    Plan { variant, games, effort, first, second, seed, plies, threads, sprt }
}

/// The games that the command line asks for.
fn selfplay(arguments: Selfplay) -> commands::selfplay::Plan {
    let Selfplay { games, nodes, output, plies, seed, threads, evaluation, rules } = arguments;
    commands::selfplay::Plan {
        games: games as usize,
        nodes,
        output,
        plies: plies as usize,
        seed,
        threads: threads_or_all(threads),
        evaluation,
        variant: rules.variant,
    }
}

/// Fits as the command line says.
fn tune(arguments: &Tune) -> commands::Done {
    let plan = commands::tune::Plan {
        result_share: arguments.result_share.clamp(0.0, 1.0),
        rounds: arguments.rounds as usize,
        threads: threads_or_all(arguments.threads),
        ..commands::tune::Plan::default()
    };
    let variant = arguments.rules.variant;
    commands::tune::run(&arguments.files, &arguments.output, variant, &plan)
}

/// As many threads as asked for, else one for each processor.
fn threads_or_all(threads: Option<u32>) -> usize {
    let all = || thread::available_parallelism().map_or(1, usize::from);
    threads.map_or_else(all, |threads| threads as usize)
}
