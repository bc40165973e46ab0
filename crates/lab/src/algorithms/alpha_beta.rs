//! **Alpha-beta** in its max/min form.
//!
//! *Source:* lecture 7.3, functions ALFA-BETA, VALOR-MAX and VALOR-MIN. VALOR-MIN has two slips:
//! where it cuts it returns "mayor-valor", and it lowers beta "si menor-valor > beta"; `menor-valor`
//! and `<` are meant. *Idea:* alpha is the best that Max has found so far on the way to the node,
//! beta the best that Min has. As soon as a node's value is sure to lie outside, the player above it
//! will not come here, so its other moves need not be searched. The value is minimax's; the saving
//! depends on the order of the moves.

use crate::game::{INFINITE, Position, Side, Value};
use crate::watch::{Choice, Watch};

/// Searches `depth` plies with an open window.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    within(root, -INFINITE, INFINITE, depth, watch)
}

/// Searches with a window: the value is exact inside it, a bound outside (fail-soft).
pub fn within(node: &Position, alpha: Value, beta: Value, depth: u32, watch: &mut Watch) -> Choice {
    match node.turn() {
        Side::Max => value_max(node, alpha, beta, depth, watch),
        Side::Min => value_min(node, alpha, beta, depth, watch),
    }
}

fn value_max(
    node: &Position,
    mut alpha: Value,
    beta: Value,
    depth: u32,
    watch: &mut Watch,
) -> Choice {
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(alpha, beta);
    let mut best = Choice::LOWEST;
    for (i, &m) in moves.iter().enumerate() {
        watch.enter(m);
        let value = value_min(&node.play(m), alpha, beta, depth - 1, watch).value;
        watch.leave(value);
        best.raise(value, m);
        if best.value >= beta {
            watch.cut_by_beta(beta, &moves[i + 1..]);
            return best;
        }
        alpha = alpha.max(best.value);
        watch.narrow(alpha, beta);
    }
    best
}

fn value_min(
    node: &Position,
    alpha: Value,
    mut beta: Value,
    depth: u32,
    watch: &mut Watch,
) -> Choice {
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(alpha, beta);
    let mut best = Choice::HIGHEST;
    for (i, &m) in moves.iter().enumerate() {
        watch.enter(m);
        let value = value_max(&node.play(m), alpha, beta, depth - 1, watch).value;
        watch.leave(value);
        best.lower(value, m);
        if best.value <= alpha {
            watch.cut_by_alpha(alpha, &moves[i + 1..]);
            return best;
        }
        beta = beta.min(best.value);
        watch.narrow(alpha, beta);
    }
    best
}
