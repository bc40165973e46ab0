//! `engine eval`: what the evaluation thinks of a position, and why.

use super::{Done, Place};

/// Explains the evaluation of `place`.
///
/// # Errors
/// A FEN that is no position.
pub fn run(place: Place) -> Done {
    super::print(super::player_at(place)?.explain().trim_end())
}
