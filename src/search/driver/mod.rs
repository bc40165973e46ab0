//! From one search of a fixed depth to many: iterative deepening, and threads that do it side by side.

pub mod deepening;
pub mod threads;
