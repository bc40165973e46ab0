//! The driver: iterative deepening, and threads that run it side by side.

pub mod deepening;
mod proof;
pub mod threads;
