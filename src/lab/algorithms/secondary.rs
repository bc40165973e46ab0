//! **Secondary search** ("búsqueda secundaria"): the chosen move is looked into once more.
//!
//! *Source:* "MiniMax puede ser mucho más inteligente". *Idea:* after the search has chosen a
//! move n plies deep, search that one branch d plies deeper, to see whether there is a trap. If
//! it turns out worse than the second best, try that one in the same way. The price is small,
//! for only one branch is deepened at a time.

use super::alpha_beta;
use crate::lab::game::Position;
use crate::lab::moves::Move;
use crate::lab::watch::{Choice, Watch};

/// Plies that the chosen branch is searched deeper: d.
const EXTRA: u32 = 2;

/// A move at the root, with its value for the mover.
struct Candidate {
    m: Move,
    value: i32,
    is_verified: bool,
}

/// Searches `depth` plies, then verifies.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    let us = root.turn();
    let moves = root.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(root);
    }
    let look = |m: Move, depth: u32, watch: &mut Watch| {
        us.sees(watch.visit(m, |watch| alpha_beta::search(&root.play(m), depth, watch)))
    };
    // Every move needs its own value here, not a bound, or there would be no second best.
    let mut candidates: Vec<Candidate> = moves
        .into_iter()
        .map(|m| Candidate { m, value: look(m, depth - 1, watch), is_verified: false })
        .collect();
    loop {
        candidates.sort_by_key(|candidate| -candidate.value);
        let chosen = &mut candidates[0];
        if chosen.is_verified {
            return Choice { value: us.sees(chosen.value), best: Some(chosen.m) };
        }
        watch.note("the chosen move, deeper");
        chosen.value = look(chosen.m, depth - 1 + EXTRA, watch);
        chosen.is_verified = true;
    }
}
