//! **NegaScout**, also known as principal variation search (PVS).
//!
//! *Source:* "MiniMax puede ser mucho más inteligente", algoritmo NegaScout (Reinefeld 1983).
//! Its pseudocode sets b := α + 1 after the loop by a slip; it belongs at the loop's end, as
//! here. *Idea:* believe that the first move is the best. Search the others only with a window
//! of no width, which merely asks whether they are better and is answered cheaply. Where the
//! answer is yes, the belief was wrong, and the move is searched again to learn by how much.

use crate::game::{INFINITE, Position, Value};
use crate::watch::{Choice, Note, Watch};

/// Searches `depth` plies with an open window.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    negascout(root, -INFINITE, INFINITE, depth, watch)
}

fn negascout(node: &Position, alpha: Value, beta: Value, depth: u32, watch: &mut Watch) -> Choice {
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(alpha, beta);
    let mut best = Choice { value: alpha, best: None };
    let mut b = beta;
    for (i, &m) in moves.iter().enumerate() {
        let child = node.play(m);
        watch.enter(m);
        let mut value = -negascout(&child, -b, -best.value, depth - 1, watch).value;
        watch.leave(value);
        // A leaf's value is exact whatever the window, so only inner nodes are searched again.
        if best.value < value && value < beta && i > 0 && depth > 1 {
            watch.note(Note::Research);
            watch.enter(m);
            value = -negascout(&child, -beta, -value, depth - 1, watch).value;
            watch.leave(value);
        }
        best.raise(value, m);
        if best.value >= beta {
            watch.cut_by_beta(beta, &moves[i + 1..]);
            break;
        }
        watch.narrow(best.value, beta);
        b = best.value + 1;
    }
    best
}
