//! **Alpha-beta as negamax, fail-soft**: a value outside the window is a bound worth keeping.
//!
//! *Source:* Fishburn 1983; the lectures' VALOR-MAX already works this way. *Idea:* the best
//! value found is kept apart from alpha. If all moves fail, the node returns the best of their
//! values, an upper bound that may be far below alpha; beyond beta, a lower bound. With an open
//! window it visits the same nodes as fail-hard; tables and narrow windows profit.

use crate::game::{INFINITE, Position, Value};
use crate::watch::{Choice, Watch};

/// Searches `depth` plies with an open window.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    value(root, -INFINITE, INFINITE, depth, watch)
}

fn value(node: &Position, mut alpha: Value, beta: Value, depth: u32, watch: &mut Watch) -> Choice {
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(alpha, beta);
    let mut best = Choice::LOWEST;
    for (i, &m) in moves.iter().enumerate() {
        watch.enter(m);
        let v = -value(&node.play(m), -beta, -alpha, depth - 1, watch).value;
        watch.leave(v);
        best.raise(v, m);
        if best.value >= beta {
            watch.cut_by_beta(beta, &moves[i + 1..]);
            break;
        }
        alpha = alpha.max(best.value);
        watch.narrow(alpha, beta);
    }
    best
}
