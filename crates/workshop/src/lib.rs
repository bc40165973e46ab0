//! Work on games by the thousand: matches, training, book making, annotation.
//!
//! - [`arena`]: games of the engine against itself; they show whether a change gains.
//! - [`training`]: recorded games, the tables fitted to them and the network trained on them.
//! - [`bookmaking`]: from millions of games to an opening book.
//! - [`annotation`]: a file of games annotated on all cores.

pub mod annotation;
pub mod arena;
pub mod bookmaking;
pub mod training;
