//! Extensions: checks, and moves without an alternative.

use crate::score::Score;
use crate::search::parameters::Parameters;
use crate::search::report::Bound;
use crate::search::table::Entry;

/// Check extension, in plies: a check that does not lose material forces the opponent's hand.
#[inline]
pub fn check(p: &Parameters, gives_check: bool, loses_nothing: impl FnOnce() -> bool) -> i32 {
    if p.check_extension > 0 && gives_check && loses_nothing() { p.check_extension } else { 0 }
}

/// Singular extension: the bound that all other moves must stay below for the hash move to count as
/// singular; `None` where the test is not worth a search. Source: Anantharaman, Campbell and Hsu,
/// "Singular extensions: adding selectivity to brute-force searching", 1988, in the form that tests only
/// the hash move.
#[inline]
pub fn singular_beta(p: &Parameters, depth: i32, entry: &Entry) -> Option<Score> {
    let reliable =
        entry.depth >= depth - 3 && entry.bound != Bound::Upper && !entry.score.is_mate();
    (depth >= p.singular_depth && reliable).then(|| entry.score - p.singular_margin * depth)
}
