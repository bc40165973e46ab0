//! **Aspiration search**: alpha-beta that starts with an expectation.
//!
//! *Source:* "MiniMax puede ser mucho más inteligente", "Aspiration search". *Idea:* alpha-beta
//! is called with a window around the expected value instead of an open one, and so cuts from
//! the first node on. The expectation comes from a search two plies shallower, which is counted
//! too. If the true value lies outside, the search fails and is done again with that side open.

use super::alpha_beta;
use crate::game::{INFINITE, Position};
use crate::watch::{Choice, Pass, Watch};

/// Searches `depth` plies.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    let shallower = watch.constants.aspiration_plies as u32;
    if depth <= shallower {
        return alpha_beta::search(root, depth, watch);
    }
    let expected = search(root, depth - shallower, watch).value;
    watch.report(expected);
    let width = (root.unit() * watch.constants.aspiration_width / 100).max(1);
    let (alpha, beta) = (expected - width, expected + width);
    watch.pass(Pass::Expect(alpha, beta));
    let found = alpha_beta::within(root, alpha, beta, depth, watch);
    watch.report(found.value);
    if found.value <= alpha {
        watch.pass(Pass::FailedLow);
        // One more than the bound, because a value equal to it is still inside.
        alpha_beta::within(root, -INFINITE, found.value + 1, depth, watch)
    } else if found.value >= beta {
        watch.pass(Pass::FailedHigh);
        alpha_beta::within(root, found.value - 1, INFINITE, depth, watch)
    } else {
        found
    }
}
