//! Move ordering: the picker and what it knows of moves.

pub mod correction;
pub mod exchange;
mod gravity;
pub mod history;
pub mod picker;
pub mod piece_target;
