//! The commands of a client, as data.

use crate::limits::Limits;
use crate::rules::setup::Start;

/// A client's request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An empty line or a `#` comment.
    Nothing,
    /// Name, author and options are asked for.
    Uci,
    /// More remarks, or fewer.
    Debug(bool),
    /// Answer once everything before this has been done.
    IsReady,
    /// Registration data, which the engine does not need.
    Register,
    /// The next position is from another game.
    NewGame,
    /// Set up a position and play moves.
    Position {
        /// Where the game begins.
        start: Start,
        /// The moves that led to the position, as the client wrote them.
        moves: Vec<String>,
    },
    /// Search.
    Go(Limits),
    /// Count the leaves so many plies deep.
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
    /// Search the bench positions, to this depth in plies if one is given.
    Bench(Option<u32>),
    /// Swap the colours.
    Flip,
    /// Say how the program was built.
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

/// A line that is no command. The text names the fault and its mend.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CommandError(pub String);
