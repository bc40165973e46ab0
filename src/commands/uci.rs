//! The UCI session on standard input and output.

use std::io::{self, IsTerminal};

use super::{Done, command, program};
use engine::input::{Lines, decode};
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
    let settings = if tune { Settings::for_tuning() } else { Settings::default() };
    let settings = Settings { level, ..settings };
    let is_terminal = io::stdin().is_terminal();
    if is_terminal {
        output.write(&about::greeting());
        output.write(&ways_to_play());
    }
    let session = Session::new(Engine::new(&settings)?, settings, output.clone());
    if is_terminal {
        return talk(session, &output);
    }
    session.run(io::stdin().lock())?;
    Ok(())
}

/// A session with a person, who may look for a game or for the commands of the shell. No client sees this.
fn talk(mut session: Session, output: &Output) -> Done {
    let mut lines = Lines::new(io::stdin().lock());
    while let Some(line) = lines.next_line()? {
        let text = decode(line.bytes);
        if line.is_cut {
            continue;
        }
        if let Some(name) = shell_command(&text) {
            let program = program();
            output.write(&format!("{name} is a command of the shell: quit, then {program} {name}"));
            continue;
        }
        if session.handle_line(&text).is_break() {
            break;
        }
        if ["help", "?"].contains(&text.trim().to_ascii_lowercase().as_str()) {
            output.write(&ways_to_play());
        }
    }
    // The end of the input ends a search.
    Ok(session.run(io::empty())?)
}

/// What a person does who wants to play and not to speak UCI.
fn ways_to_play() -> String {
    let program = program();
    format!(
        "To play: quit, then {program} play (in the terminal) or {program} web --open (in the browser)."
    )
}

/// The command of the shell that a line names, with or without the name of the program before it.
fn shell_command(line: &str) -> Option<String> {
    let program = program();
    let mut words = line.split_whitespace().map(str::to_ascii_lowercase);
    let name = words.find(|word| *word != program)?;
    // These are commands of a session, too.
    let is_of_a_session = ["bench", "eval", "compiler"].contains(&name.as_str());
    let command = command();
    let found = command.find_subcommand(&name).filter(|_| !is_of_a_session)?;
    Some(found.get_name().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_the_shell_are_told_from_those_of_a_session() {
        let program = program();
        for (line, name) in [
            ("play", Some("play")),
            ("PLAY --elo 800", Some("play")),
            ("web --open", Some("web")),
            ("analyze game.pgn", Some("analyse")),
            ("bench 4", None),
            ("eval", None),
            ("go perft 3", None),
            ("position startpos", None),
            ("", None),
        ] {
            assert_eq!(shell_command(line).as_deref(), name, "{line}");
            let called = format!("{program} {line}");
            assert_eq!(shell_command(&called).as_deref(), name, "{called}");
        }
    }
}
