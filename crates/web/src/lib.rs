//! A board in the browser: the table at which one plays, and the page that shows it.
//!
//! The page knows no rules of chess. It keeps the moves of a game and sends them with every question: what is legal
//! here, what do you play, why was that bad. A [`Table`] answers, in JSON. Because every question names its whole
//! game, a table can be lost and made anew at any time: a reload, a crash or a worker that was stopped costs a search,
//! and never a game.
//!
//! In reading order: [`request`] has the questions, [`view`] what a board shows, [`record`] games as PGN, [`table`]
//! everything that takes thought, `review` the analysis of a game, [`stop`] the way to end it, [`laboratory`] textbook searches, [`page`] the files of the page. `worker` is the table in a browser; the command
//! `engine web` serves the same page with a table behind it.
//!
#![doc = include_str!("../../../docs/web.md")]

pub mod chess960;
pub mod laboratory;
pub mod odds;
#[cfg(not(target_family = "wasm"))]
pub mod page;
pub mod record;
pub mod request;
mod review;
pub mod spoken;
pub mod stop;
pub mod table;
pub mod texts;
pub mod view;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod worker;

pub use table::{Effort, Table};
