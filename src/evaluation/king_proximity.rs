//! King proximity (the paper's BAR and NAR): how near a king the enemy's pieces stand.
//!
//! "If a king has more enemy pieces near, the probability of being attacked grows."
//! It holds in every phase: an attack needs its pieces near, and so does a mate with
//! few pieces. The value belongs to the attacker.

use super::{KingTable, Tapered};

/// Centipawns that a piece next to the enemy king is worth (nearly), in the opening and in the endgame.
pub const DEFAULT_WEIGHT: (i32, i32) = (12, 12);

/// The linear form: every piece alike, its nearness times the weight.
pub fn linear(opening: i32, endgame: i32) -> KingTable {
    KingTable::from_fn(|_, view| Tapered::new(view.nearness(opening), view.nearness(endgame)))
}
