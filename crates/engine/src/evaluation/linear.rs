//! The linear form: the paper's king safety and king proximity as one number each and phase.
//!
//! King safety (the paper's BRP and NRP): "If a king has its own pieces nearer, the probability that it
//! is taken is less." In the endgame that stops being true, so the term fades out. King proximity (BAR
//! and NAR): "If a king has more enemy pieces near, the probability of being attacked grows." It holds in
//! every phase, because a mate needs its pieces near too; the value belongs to the attacker.
//!
//! Every piece counts alike: the weight × (7 − distance) / 7, with the distance in king moves.

use super::{KingTable, Tapered};

/// The weights of the linear form, in centipawns for a piece at distance zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    /// King safety in the opening and in the endgame.
    pub safety: (i32, i32),
    /// King proximity in the opening and in the endgame.
    pub proximity: (i32, i32),
}

impl Weights {
    /// The weights that proved best in chess.
    pub const DEFAULT: Weights = Weights { safety: (12, 0), proximity: (12, 12) };
}

impl Default for Weights {
    fn default() -> Weights {
        Weights::DEFAULT
    }
}

/// The table of one term with the given weights.
pub(super) fn table((opening, endgame): (i32, i32)) -> KingTable {
    KingTable::from_fn(|_, view| Tapered::new(view.nearness(opening), view.nearness(endgame)))
}
