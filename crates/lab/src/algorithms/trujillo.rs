//! **Trujillo's alpha-beta**: a node is given its parent's value and nothing else.
//!
//! *Source:* Universidad Nacional de Trujillo, algorithm 2, PodaAb(nodo, fNodoP). *Idea:* fNodo, the
//! best value of a node so far, is handed down to its children. A child whose own value reaches it
//! cannot improve the parent and is given up: it returns "null", and the parent forgets it. So only
//! the bound of the node directly above cuts (shallow cut-offs). The bounds of nodes further up, which
//! alpha and beta carry along, are not used. The value is minimax's, at the price of more leaves.

use crate::game::{INFINITE, Position, Side, Value};
use crate::watch::{Choice, Watch};

/// Searches `depth` plies.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    let open = match root.turn() {
        Side::Max => INFINITE,
        Side::Min => -INFINITE,
    };
    prune(root, open, depth, watch)
}

/// `f_parent`: the source's fNodoP, the best value of the parent so far.
fn prune(node: &Position, f_parent: Value, depth: u32, watch: &mut Watch) -> Choice {
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    let turn = node.turn();
    let mut best = match turn {
        Side::Max => Choice::LOWEST,
        Side::Min => Choice::HIGHEST,
    };
    report(turn, &best, f_parent, watch);
    for (i, &m) in moves.iter().enumerate() {
        watch.enter(m);
        let f_child = prune(&node.play(m), best.value, depth - 1, watch).value;
        watch.leave(f_child);
        match turn {
            Side::Max => best.raise(f_child, m),
            Side::Min => best.lower(f_child, m),
        }
        // "si fNodo >= fNodoP … retornar null": a node that a parent cannot want.
        if turn.sees(best.value) >= turn.sees(f_parent) {
            match turn {
                Side::Max => watch.cut_by_beta(f_parent, &moves[i + 1..]),
                Side::Min => watch.cut_by_alpha(f_parent, &moves[i + 1..]),
            }
            return best;
        }
        report_narrow(turn, &best, f_parent, watch);
    }
    best
}

/// The window that fNodo and fNodoP amount to.
fn window(turn: Side, best: &Choice, f_parent: Value) -> (Value, Value) {
    match turn {
        Side::Max => (best.value, f_parent),
        Side::Min => (f_parent, best.value),
    }
}

fn report(turn: Side, best: &Choice, f_parent: Value, watch: &mut Watch) {
    let (alpha, beta) = window(turn, best, f_parent);
    watch.window(alpha, beta);
}

fn report_narrow(turn: Side, best: &Choice, f_parent: Value, watch: &mut Watch) {
    let (alpha, beta) = window(turn, best, f_parent);
    watch.narrow(alpha, beta);
}
