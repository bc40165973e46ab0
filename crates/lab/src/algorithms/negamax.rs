//! **NegaMax**: minimax with one function instead of two.
//!
//! *Source:* "MiniMax puede ser mucho más inteligente", algoritmo NegaMax. *Idea:* what is good
//! for one player is as bad for the other: max(a, b) = −min(−a, −b). So every node takes the
//! greatest of its children's values, negated, always in the view of the player who moves.
//! Nothing else changes: it visits the same nodes as minimax.

use crate::game::Position;
use crate::watch::{Choice, Watch};

/// Searches every node to `depth` plies.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    negamax(root, depth, watch)
}

fn negamax(node: &Position, depth: u32, watch: &mut Watch) -> Choice {
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    let mut best = Choice::LOWEST;
    for m in moves {
        watch.enter(m);
        let value = -negamax(&node.play(m), depth - 1, watch).value;
        watch.leave(value);
        best.raise(value, m);
    }
    best
}
