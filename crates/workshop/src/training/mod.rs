//! Growing the fitted evaluation from games: play with what we have, fit what we played, repeat.
//!
//! A [`record`] is a position with its score and its game's result; [`files`] hold nothing else.
//! [`selfplay`] writes them, [`shuffle`] puts them in random order, [`relabel`] gives them better scores. [`tables`] fits the king tables to them,
//! [`network`] trains a network on them. Nothing but the engine's own games goes in: the first ones are
//! played with the hand-written `linear` form.

pub mod files;
pub mod network;
pub mod record;
pub mod relabel;
pub mod selfplay;
pub mod shuffle;
pub mod tables;
