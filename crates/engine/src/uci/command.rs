//! The commands of a client.

use crate::limits::Limits;
use crate::rules::setup::Start;

/// A client's request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An empty line or a `#` comment.
    Nothing,
    /// A request for name, author and options.
    Uci,
    /// More remarks, or fewer.
    Debug(bool),
    /// Answer once all earlier commands have been executed.
    IsReady,
    /// Registration data, which the engine does not need.
    Register,
    /// The next position is from another game.
    NewGame,
    /// Set up a position and play moves.
    Position {
        /// The position before the moves.
        start: Start,
        /// The moves, in the client's notation.
        moves: Vec<String>,
    },
    /// Search.
    Go {
        /// The limits; without the root moves, for which the position is needed.
        limits: Limits,
        /// Those moves, in the client's notation.
        search_moves: Vec<String>,
    },
    /// Count the leaves at this depth, in plies.
    Perft(u32),
    /// End the search.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// Change an option.
    SetOption {
        /// The option's name, single-spaced.
        name: String,
        /// Its value; `None` if the client named none.
        value: Option<String>,
    },
    /// End the program.
    Quit,
    /// Show the position.
    Display,
    /// Explain the evaluation of the position.
    Eval,
    /// Search the bench positions; the depth in plies, if given.
    Bench(Option<u32>),
    /// Swap the colours.
    Flip,
    /// Show how the program was built.
    Compiler,
    /// List the commands.
    Help,
}

/// A command, with remarks on words that were ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The command.
    pub command: Command,
    /// The remarks, for the user.
    pub remarks: Vec<String>,
}

/// An invalid line. The text names the error and a remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CommandError(pub String);
