//! Flags and counters of a search, shared by its threads and the thread that stops it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The signals of one search, shared so that another thread can end it.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
    nodes: AtomicU64,
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
        self.tablebase_hits.store(0, Relaxed);
        self.over.store(false, Relaxed);
    }

    /// Ends the helper threads with the first one.
    pub(super) fn finish(&self) {
        self.over.store(true, Relaxed);
    }

    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    pub(super) fn add_tablebase_hits(&self, hits: u64) {
        self.tablebase_hits.fetch_add(hits, Relaxed);
    }
}
