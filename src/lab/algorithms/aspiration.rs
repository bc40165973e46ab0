//! **Aspiration search**: alpha-beta that starts with an expectation.
//!
//! *Source:* "MiniMax puede ser mucho más inteligente", "Aspiration search". *Idea:* alpha-beta
//! is called with a window around the expected value instead of an open one, and so cuts from
//! the first node on. The expectation comes from a search two plies shallower, which is counted
//! too. If the true value lies outside, the search fails and is done again with that side open.

use super::alpha_beta;
use crate::lab::game::{INFINITE, Position};
use crate::lab::watch::{Choice, Watch};

/// Searches `depth` plies.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    if depth <= 2 {
        return alpha_beta::search(root, depth, watch);
    }
    let expected = search(root, depth - 2, watch).value;
    let width = root.unit() / 2;
    let (alpha, beta) = (expected - width, expected + width);
    watch.note("a window around the value two plies shallower");
    let found = alpha_beta::within(root, alpha, beta, depth, watch);
    if found.value <= alpha {
        watch.note("failed low: searched again, open below");
        // One more than the bound, because a value equal to it is still inside.
        alpha_beta::within(root, -INFINITE, found.value + 1, depth, watch)
    } else if found.value >= beta {
        watch.note("failed high: searched again, open above");
        alpha_beta::within(root, found.value - 1, INFINITE, depth, watch)
    } else {
        found
    }
}
