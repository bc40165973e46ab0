//! The UCI session on standard input and output.

use std::io::{self, IsTerminal};

use super::Done;
use engine::play::levels::Level;
use engine::player::Engine;
use engine::settings::Settings;
use engine::uci::about;
use engine::uci::output::Output;
use engine::uci::session::Session;

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
