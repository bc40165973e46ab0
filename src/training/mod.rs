//! Growing the fitted evaluation from games: play with what we have, fit what we played, repeat.
//!
//! [`record`] is a position with what became of it, thirty-two bytes in a file. [`selfplay`]
//! writes them. [`tables`] finds the king tables that predict them best. Nothing but the
//! engine's own games goes in: the first ones are played with the hand-written `linear` form.

pub mod network;
pub mod record;
pub mod selfplay;
pub mod tables;
