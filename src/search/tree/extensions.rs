//! Extensions: checks, and moves without an alternative.

use crate::score::Score;
use crate::search::parameters::Parameters;
use crate::search::report::Bound;
use crate::search::table::Entry;

/// Double extensions in a line at most.
const DOUBLES_MAX: u32 = 7;

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

/// Plies by which a singular move is extended if the best other one scores `others`, below `singular_beta`: two
/// where they stay far below it (double extension), at most [`DOUBLES_MAX`] times in a line and never on the PV,
/// because such lines grow without end. Source: chessprogramming.org, Singular Extensions.
#[inline]
pub fn singular(
    p: &Parameters,
    others: Score,
    singular_beta: Score,
    pv: bool,
    doubles: u32,
) -> i32 {
    let is_double = !pv && doubles < DOUBLES_MAX && others < singular_beta - p.double_margin;
    1 + i32::from(is_double)
}
