//! The UCI session on standard input and output.

use std::io::{self, IsTerminal};

use super::Done;
use crate::engine::Engine;
use crate::levels::Level;
use crate::protocol::about;
use crate::protocol::output::Output;
use crate::protocol::session::Session;
use crate::settings::Settings;

/// Runs a session that starts at `level`, until its input ends. `tune`: offer the parameters of the search
/// as options.
pub fn run(level: Level, tune: bool) -> Done {
    let output = Output::new(io::stdout());
    if io::stdin().is_terminal() {
        output.write(&about::greeting());
    }
    let settings = if tune { Settings::for_tuning() } else { Settings::default() };
    let settings = Settings { level, ..settings };
    Session::new(Engine::new(&settings)?, settings, output).run(io::stdin().lock())?;
    Ok(())
}
