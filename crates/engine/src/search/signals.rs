//! Flags and counters of a search, shared by its threads and the thread that stops it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Most nodes that a thread is granted at once: it looks at the clock and the signals when they are searched.
const MOST_NODES: u64 = 1024;
/// Of what a node limit leaves to each of several threads it is granted one part in so many. A thread may have to wait for a
/// processor with what it has, so that the sum ends short of the limit by as much.
const PARTS: u64 = 4;

/// The signals of one search, shared so that another thread can end it.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
    nodes: AtomicU64,
    granted: AtomicU64,
    tablebase_hits: AtomicU64,
    over: AtomicBool,
}

impl Signals {
    /// Signals of a search that ponders, if `pondering`, until [`Signals::ponder_hit`].
    pub fn new(pondering: bool) -> Signals {
        Signals { pondering: AtomicBool::new(pondering), ..Signals::default() }
    }

    /// Ends the search soon.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.pondering.store(false, Relaxed);
    }

    /// The opponent played the expected move: from now on the limits of time hold. They count from the start of
    /// the search, so what was pondered is time already used.
    pub fn ponder_hit(&self) {
        self.pondering.store(false, Relaxed);
    }

    /// True while the opponent is to move, and no limit of time holds.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Nodes of all threads, as of their last look at the signals.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Positions that all threads have found in endgame tables.
    pub fn tablebase_hits(&self) -> u64 {
        self.tablebase_hits.load(Relaxed)
    }

    /// True once every thread must end.
    pub(super) fn is_set(&self) -> bool {
        self.stop.load(Relaxed) || self.over.load(Relaxed)
    }

    /// Begins a search: the counters start at zero.
    pub(super) fn begin(&self) {
        self.nodes.store(0, Relaxed);
        self.granted.store(0, Relaxed);
        self.tablebase_hits.store(0, Relaxed);
        self.over.store(false, Relaxed);
    }

    /// Ends the helper threads with the first one.
    pub(super) fn finish(&self) {
        self.over.store(true, Relaxed);
    }

    /// Nodes that one of `threads` threads may search next, so that all of them search no more than `limit`: none where
    /// nothing is left.
    pub(super) fn grant(&self, limit: u64, threads: usize) -> u64 {
        let parts = if threads > 1 { PARTS * threads as u64 } else { 1 };
        let share = |granted: u64| {
            let left = limit.saturating_sub(granted);
            (left / parts).clamp(1, MOST_NODES).min(left)
        };
        let take = |granted: u64| Some(granted + share(granted));
        let (Ok(before) | Err(before)) = self.granted.fetch_update(Relaxed, Relaxed, take);
        share(before)
    }

    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    pub(super) fn add_tablebase_hits(&self, hits: u64) {
        self.tablebase_hits.fetch_add(hits, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_granted_adds_up_to_the_limit() {
        for (limit, threads) in [(1, 1), (5000, 1), (1, 8), (999, 3), (50_000, 4)] {
            let signals = Signals::default();
            let grants: Vec<u64> =
                std::iter::from_fn(|| Some(signals.grant(limit, threads)).filter(|&n| n > 0))
                    .collect();
            assert_eq!(grants.iter().sum::<u64>(), limit, "{threads}: {grants:?}");
            let largest = if threads > 1 { limit / (4 * threads as u64) } else { limit };
            assert_eq!(grants[0], largest.clamp(1, 1024), "{threads}: {grants:?}");
        }
    }

    #[test]
    fn without_a_limit_there_is_always_more() {
        let signals = Signals::default();
        assert!((0..1000).all(|_| signals.grant(u64::MAX, 8) == 1024));
    }
}
