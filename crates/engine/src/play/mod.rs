//! Who plays: at full strength, at a level, at a limited strength, or with a model of the opponent.
//!
//! [`levels`] look a fixed number of half-moves ahead and more as choices shrink, [`strength`] plays at a
//! rating, with a person's errors, [`opponent`] expects the opponent's mistakes.

pub mod levels;
pub mod opponent;
pub mod strength;
