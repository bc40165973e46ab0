//! Whole conversations with the real program: one test for every rule that clients rely on.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::unwrap_used)]

mod analyse;
mod book_files;
#[path = "../common/chromium.rs"]
mod chromium;
mod client;
#[path = "../common/mod.rs"]
mod common;
mod dda;
mod endgame_tables;
mod exercises;
mod games;
mod hostile;
mod info;
mod lab;
mod limits;
mod logging;
mod mates;
mod odd_input;
mod options;
mod outputs;
mod own_book;
mod pgn_files;
mod pictures;
#[cfg(unix)]
mod play;
mod positions;
mod puzzles;
mod rule_sets;
mod shell;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod soak;
mod strength;
mod timing;
mod variations;
mod web;
