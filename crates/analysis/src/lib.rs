//! Analysis that explains itself: games annotated with scores, verdicts, better lines, and the reason of
//! every mistake in one sentence.
//!
//! In reading order: [`analyst`] scores the positions of a game that [`pgn`](engine::pgn) follows, [`judgement`] says how bad a move was, `reason` why, by a [`PlayedLine`]
//! of each move and the `material` that it wins; [`review`] keeps the result, [`mod@annotate`] writes it into
//! the game, and [`page`] shows it. [`exercise`] makes exercises of mistakes, [`suite`] solves test positions,
//! [`explain`](mod@explain) puts one evaluation into words.
//!
#![doc = include_str!("../../../docs/analysis.md")]

mod accuracy;
pub mod analyst;
pub mod annotate;
mod earlier;
pub mod exercise;
pub mod explain;
pub mod judgement;
mod line;
mod material;
pub mod motif;
pub mod page;
mod quiet;
mod reason;
pub mod review;
pub mod suite;
pub mod texts;

pub use line::{PlayedLine, Terms};
