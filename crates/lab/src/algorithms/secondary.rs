//! **Secondary search** ("búsqueda secundaria"): the chosen move is looked into once more.
//!
//! *Source:* "MiniMax puede ser mucho más inteligente". *Idea:* after the search has chosen a
//! move n plies deep, search that one branch d plies deeper, to see whether there is a trap. If
//! it turns out worse than the second best, try that one in the same way. The decision is more
//! robust and, as the source says, more expensive: a branch d plies deeper costs more than all others
//! together, and every move at the root needs a value of its own, not a bound.

use super::alpha_beta;
use crate::game::{Position, Value};
use crate::moves::Move;
use crate::watch::{Choice, Pass, Watch};

/// A move at the root, with its value for the mover.
struct Candidate {
    m: Move,
    value: Value,
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
        watch.enter(m);
        let value = alpha_beta::search(&root.play(m), depth, watch).value;
        watch.leave(value);
        us.sees(value)
    };
    let mut candidates: Vec<Candidate> = moves
        .into_iter()
        .map(|m| Candidate { m, value: look(m, depth - 1, watch), is_verified: false })
        .collect();
    let extra = watch.constants.secondary_plies as u32;
    loop {
        candidates.sort_by_key(|candidate| -candidate.value);
        let chosen = &mut candidates[0];
        if chosen.is_verified {
            return Choice { value: us.sees(chosen.value), best: Some(chosen.m) };
        }
        watch.pass(Pass::Verify);
        chosen.value = look(chosen.m, depth - 1 + extra, watch);
        chosen.is_verified = true;
    }
}
