//! The engine: a façade that knows games, options and searches, and no protocol.
//!
//! A [`Player`] never blocks: `go` starts a search on a thread of its own and
//! returns, `stop` and `ponder_hit` only set flags that the search looks at.

use crate::limits::Limits;
use crate::rules::setup::{SetupFault, Start};
use crate::search::report::{Outcome, Reporter};
use crate::settings::Settings;

/// Receives a search's variations and, exactly once, at its end, its outcome.
pub trait Listener: Reporter + Send {
    /// The search is over. Called once, after the last report, on the search's thread.
    fn finished(&mut self, outcome: &Outcome);
}

/// An engine of any rule set, as a session sees it.
pub trait Player: Send {
    /// Sets up a position and plays the moves that led from it. Returns remarks on what was
    /// forgiven.
    ///
    /// # Errors
    /// A position or move that cannot be played; the game stays as it was.
    fn set_position(&mut self, start: &Start, moves: &[String]) -> Result<Vec<String>, SetupFault>;

    /// Starts a search of the current position and returns at once. The outcome is held back
    /// as [`Limits::infinite`] and [`Limits::ponder`] demand. A search under way is stopped first.
    fn go(&mut self, limits: Limits, listener: Box<dyn Listener>);

    /// Ends the search soon; does nothing when idle.
    fn stop(&self);

    /// The opponent played the expected move: the clock of a pondering search now counts.
    fn ponder_hit(&self);

    /// Waits until no search runs and its outcome has been delivered.
    fn wait(&mut self);

    /// Forgets everything learnt from earlier searches. Stops a search first.
    fn new_game(&mut self);

    /// Forgets the contents of the transposition table.
    fn clear_table(&mut self);

    /// Takes over changed settings. Returns remarks, such as a table size that could not be had
    /// (the old table is kept then).
    fn configure(&mut self, settings: &Settings) -> Vec<String>;

    /// The current position as a picture in letters, with FEN, key and checkers.
    fn display(&self) -> String;

    /// The current position as FEN.
    fn fen(&self) -> String;

    /// The evaluation of the current position, term by term.
    fn explain(&self) -> String;

    /// Swaps the colours of the current position.
    ///
    /// # Errors
    /// A position that has no mirror image.
    fn flip(&mut self) -> Result<(), SetupFault>;

    /// Leaf counts `depth` plies deep, by root move in UCI notation.
    fn perft(&self, depth: u32) -> Vec<(String, u64)>;

    /// True under Chess960, where castling is written as king takes rook.
    fn is_chess960(&self) -> bool;
}
