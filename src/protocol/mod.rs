//! The protocol: from the client's lines to calls of a [`Player`](crate::engine::Player),
//! and from its reports back to lines.
//!
//! [`command`] reads a line, [`session`] does what it asks, [`info`] writes the answers.

pub mod about;
pub mod command;
pub mod info;
pub mod output;
pub mod session;

mod go;
mod logfile;
mod printer;
mod words;

#[cfg(test)]
mod fake;
