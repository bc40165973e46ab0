//! Which move to try first: the picker and what it knows of moves.

pub mod correction;
pub mod exchange;
pub mod history;
pub mod picker;
