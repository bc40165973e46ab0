//! `engine eval`: what the evaluation thinks of a position, and why.

use super::Done;

/// Explains the evaluation of `fen`, or of the start of the game.
///
/// # Errors
/// A FEN that is no position.
pub fn run(fen: Option<String>) -> Done {
    super::print(super::player_at(fen)?.explain().trim_end())
}
