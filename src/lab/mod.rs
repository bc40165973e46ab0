//! The laboratory.
pub mod algorithms;
pub mod game;
pub mod games;
pub mod watch;
