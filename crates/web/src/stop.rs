//! The way to end a search of a table from another thread: by a press of a button, or by Ctrl-C, after which no other
//! may go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Nobody wants the search to end.
const NONE: u8 = 0;
/// The search under way is to end.
const ONCE: u8 = 1;
/// So is every later one.
const FOR_GOOD: u8 = 2;

/// Stops the searches of a table. Clones stop the same table.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    /// Ends the search under way soon. Without one nothing happens.
    pub fn stop(&self) {
        let _ = self.0.compare_exchange(NONE, ONCE, Relaxed, Relaxed);
    }

    /// Ends the search under way soon, and every later one when it has hardly begun: a question that has come already
    /// may not search yet.
    pub fn stop_for_good(&self) {
        self.0.store(FOR_GOOD, Relaxed);
    }

    /// True if the search under way is to end.
    pub fn is_set(&self) -> bool {
        self.0.load(Relaxed) != NONE
    }

    /// Begins a search: a stop of an earlier one counts no more.
    pub(crate) fn begin(&self) {
        let _ = self.0.compare_exchange(ONCE, NONE, Relaxed, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_counts_for_one_search_unless_it_is_for_good() {
        let stop = Stop::default();
        assert!(!stop.is_set());
        stop.stop();
        assert!(stop.is_set());
        stop.begin();
        assert!(!stop.is_set(), "the next search goes on");
        stop.stop_for_good();
        stop.stop();
        stop.begin();
        assert!(stop.is_set(), "no search goes on");
    }
}
