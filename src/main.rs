//! The program: parses the command line, runs a command, and turns its result into an exit code.

#![expect(clippy::print_stderr, reason = "errors are for a person")]

use std::env;
use std::process::ExitCode;

use ajedrecista::commands::{Cli, arguments};
use clap::Parser;

fn main() -> ExitCode {
    let cli = Cli::parse_from(arguments(env::args_os()));
    cli.run().unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}
