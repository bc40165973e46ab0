//! The program: parses the command line, runs a command, and turns its result into an exit code.

use std::process::ExitCode;
use std::thread;

use ajedrecista::commands::{Cli, STACK, exit_code, printable, usage_fault, usage_lang};
use engine::input::without_codes;
use engine::logging::{self, Filter};
use shell::progress::note;

/// Everything runs on a thread with a stack for a search, because the first thread of a program has no more
/// than 1 MB on some systems. If the system grants no thread, the first one must do.
fn main() -> ExitCode {
    let thread = thread::Builder::new().name("main".to_string()).stack_size(STACK).spawn(run);
    match thread {
        // A panic has already been reported.
        Ok(thread) => thread.join().unwrap_or(ExitCode::from(101)),
        Err(_) => run(),
    }
}

/// Reads the command line, or ends the program with a message.
fn command_line() -> Cli {
    Cli::read().unwrap_or_else(|error| {
        let Some(text) = usage_fault(&error, usage_lang(std::env::args_os())) else { error.exit() };
        note(text.trim_end());
        std::process::exit(error.exit_code())
    })
}

/// Has the engine tell of its work on standard error, as the environment asks.
fn begin_logging() {
    match std::env::var("RUST_LOG").unwrap_or_default().parse() {
        Ok(filter) if filter == Filter::default() => {}
        Ok(filter) => logging::to_stderr(filter),
        Err(error) => note(&format!("note: RUST_LOG: {error}")),
    }
}

fn run() -> ExitCode {
    begin_logging();
    command_line().run().unwrap_or_else(|error| {
        let code = exit_code(&*error);
        let error = without_codes(&error.to_string());
        let lines: Vec<String> = error.lines().map(|line| printable(line, 1000)).collect();
        note(&format!("error: {}", lines.join("\n")));
        code
    })
}
