//! What the program does from a shell, one file a command. Each returns a fault that
//! names itself and its mend; `main` prints it and exits with 2.

pub mod bench;
pub mod book;
pub mod compete;
pub mod dda;
pub mod eval;
pub mod genfens;
pub mod lab;
pub mod perft;
pub mod selfplay;
pub mod tune;
pub mod uci;

use std::error::Error;
use std::io::{self, Write};

use shakmaty::variant::Variant;

use crate::engine::{AnyRules, Player};
use crate::evaluation::{KingRelative, tables};
use crate::protocol::about;
use crate::rules::setup::Start;
use crate::search::parameters::{TUNABLES, Tunable};
use crate::search::table::OutOfMemory;
use crate::settings::{self, EVALUATION, Settings};

/// The learning rate that OpenBench proposes for SPSA.
const LEARNING_RATE: f64 = 0.002;

/// The end of a command.
pub type Done = Result<(), Box<dyn Error>>;

/// Says how the program was built.
///
/// # Errors
/// Output that cannot be written.
pub fn compiler() -> Done {
    print(&about::compiler())
}

/// Prints the table of options for the README.
///
/// # Errors
/// Output that cannot be written.
pub fn options() -> Done {
    print(settings::markdown().trim_end())
}

/// Prints the numbers of the search as OpenBench's SPSA input: name, type, default, least
/// and greatest value, step, learning rate.
///
/// # Errors
/// Output that cannot be written.
pub fn tunables() -> Done {
    let line = |Tunable { name, default, min, max, step }: &Tunable| {
        format!("{name}, int, {default}, {min}, {max}, {step}, {LEARNING_RATE}")
    };
    print(&TUNABLES.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// The evaluation called `name` in a rule set: `linear`, `tables`, or else the tables in the file of
/// that name.
///
/// # Errors
/// A file that cannot be read or holds no tables; a rule set that has no use for any.
fn evaluator_called(name: &str, variant: Variant) -> Result<KingRelative, String> {
    let mut settings = Settings::default();
    settings.variant = variant;
    if settings.set(EVALUATION, name).is_ok() {
        return Ok(settings.evaluator());
    }
    refuse_without_kings(variant)?;
    let text = std::fs::read_to_string(name)
        .map_err(|fault| format!("{name}: {fault}; name linear, tables or a file of tables"))?;
    let tables = tables::read(&text).map_err(|fault| format!("{name}: {fault}"))?;
    Ok(tables.evaluator().in_rules(variant, 100))
}

/// Refuses rule sets for which no tables can be fitted.
///
/// # Errors
/// Antichess and horde.
fn refuse_without_kings(variant: Variant) -> Result<(), String> {
    match variant {
        Variant::Antichess | Variant::Horde => Err(format!(
            "{} has no two kings to see the pieces from; choose another rule set",
            variant.uci()
        )),
        _ => Ok(()),
    }
}

/// Writes `text` and a line's end to standard output. A reader that has closed its end,
/// as `| head` does, is no fault.
fn print(text: &str) -> Done {
    match writeln!(io::stdout(), "{text}") {
        Err(fault) if fault.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

/// A player that goes by `settings`.
///
/// # Errors
/// Too little memory for the transposition table.
fn player(settings: &Settings) -> Result<Box<dyn Player>, OutOfMemory> {
    Ok(Box::new(AnyRules::new(settings)?))
}

/// A position as the command line names it.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its rules.
    pub variant: Variant,
    /// Whether castling goes by the rules of Chess960.
    pub chess960: bool,
    /// Its FEN; `None` for the start of the game.
    pub fen: Option<String>,
}

/// A player with the position `place` before it. What was forgiven in the FEN is told on standard
/// error.
fn player_at(place: Place) -> Result<Box<dyn Player>, Box<dyn Error>> {
    let Place { variant, chess960, fen } = place;
    let mut settings = Settings::default();
    (settings.variant, settings.chess960) = (variant, chess960);
    let mut player = player(&settings)?;
    let start = fen.map_or(Start::Initial, Start::Fen);
    for remark in player.set_position(&start, &[])? {
        eprintln!("note: {remark}");
    }
    Ok(player)
}
