//! King safety (the paper's BRP and NRP): how near a king its own pieces stand.
//!
//! "If a king has its own pieces nearer, the probability that it is taken is less."
//! In the endgame that stops being true, so the term fades out.

use super::{KingTable, Tapered};

/// Centipawns that a piece next to its own king is worth (nearly), in the opening and in the endgame.
pub const DEFAULT_WEIGHT: (i32, i32) = (12, 0);

/// The linear form: every piece alike, its nearness times the weight.
pub fn linear(opening: i32, endgame: i32) -> KingTable {
    KingTable::from_fn(|_, view| Tapered::new(view.nearness(opening), view.nearness(endgame)))
}
