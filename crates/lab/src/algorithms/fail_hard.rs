//! **Alpha-beta as negamax, fail-hard**: V(N, α, β) of an inner node never leaves its window.
//!
//! *Source:* lecture "Búsqueda en juegos" (Alicante), "Algoritmo α-β. V(N, α, β)", written with
//! NegaMax's sign. *Idea:* alpha itself is raised from child to child, and a node that reaches
//! beta returns beta. The answer of all but leaves is between the bounds that it was asked with. That makes
//! it easy to reason about, but a bound that is better than asked for is thrown away.

use crate::game::{INFINITE, Position, Value};
use crate::watch::{Choice, Watch};

/// Searches `depth` plies with an open window.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    value(root, -INFINITE, INFINITE, depth, watch)
}

fn value(node: &Position, alpha: Value, beta: Value, depth: u32, watch: &mut Watch) -> Choice {
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(alpha, beta);
    let mut best = Choice { value: alpha, best: None };
    for (i, &m) in moves.iter().enumerate() {
        watch.enter(m);
        let v = -value(&node.play(m), -beta, -best.value, depth - 1, watch).value;
        watch.leave(v);
        best.raise(v, m);
        if best.value >= beta {
            watch.cut_by_beta(beta, &moves[i + 1..]);
            return Choice { value: beta, ..best };
        }
        watch.narrow(best.value, beta);
    }
    best
}
