//! What a search needs to know besides its limits.

use crate::limits::Limits;
use crate::search::parameters::Parameters;
use crate::tablebase::Access;

/// Stack of a search thread, in bytes: a node takes about 5 KB, and lines reach
/// [`MAX_PLY`](crate::score::MAX_PLY) plies.
pub const STACK: usize = 16 << 20;

/// Options of a search, apart from its limits.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads to search with, from 1. A search by a [`DepthPlan`](crate::limits::DepthPlan), whose moves
    /// must repeat, always has one.
    pub threads: usize,
    /// Variations to search and report (MultiPV), from 1.
    pub variations: usize,
    /// True if several variations are shown as one table: the last complete iteration then counts, with its move, because
    /// lines of two iterations would contradict each other.
    pub whole_iterations: bool,
    /// Milliseconds lost between the engine and its client on every move. None by default: a search inside the
    /// program has no client.
    pub move_overhead: u64,
    /// The tunable parameters.
    pub parameters: Parameters,
    /// Endgame tables to probe.
    pub endgames: Option<Access>,
}

impl Options {
    /// The threads of a search within `limits`: the moves of a level must repeat, and threads race.
    pub(super) fn threads_within(&self, limits: &Limits) -> usize {
        if limits.plan.is_some() { 1 } else { self.threads.max(1) }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            variations: 1,
            whole_iterations: false,
            move_overhead: 0,
            parameters: Parameters::default(),
            endgames: None,
        }
    }
}
