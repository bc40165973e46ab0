//! The protocol (UCI): from the client's lines to calls of an [`Engine`](crate::player::Engine), and from
//! its reports back to lines.
//!
//! `parse` turns a line into a [`command`], [`session`] executes it, [`info`] and [`text`] write the
//! answers. No other module formats text for a client.

pub mod about;
pub mod command;
pub mod info;
pub mod output;
pub mod session;
pub mod text;

mod go;
mod parse;
mod printer;
mod words;

#[cfg(test)]
mod fake;
