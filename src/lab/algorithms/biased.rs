//! **Biased search** ("búsqueda sesgada"): more depth for the more promising moves.
//!
//! *Source:* "MiniMax puede ser mucho más inteligente". *Idea:* a quick static evaluator
//! classifies the children of every node. The better third is searched in full, the middle third
//! one ply less deep and the rest two plies less. Nothing is left out altogether, but effort goes
//! where it seems to matter.

use crate::lab::game::{INFINITE, Position, Value};
use crate::lab::watch::{Choice, Watch};

/// Searches up to `depth` plies.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    value(root, -INFINITE, INFINITE, depth, watch)
}

fn value(node: &Position, mut alpha: Value, beta: Value, depth: u32, watch: &mut Watch) -> Choice {
    let mut moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(alpha, beta);
    moves.sort_by_cached_key(|&m| -node.turn().sees(node.play(m).value()));
    let mut best = Choice::LOWEST;
    for (i, &m) in moves.iter().enumerate() {
        let third = (3 * i / moves.len()) as u32;
        let left = (depth - 1).saturating_sub(third);
        let child = node.play(m);
        let v = -watch.visit(m, |watch| value(&child, -beta, -alpha, left, watch));
        best.raise(v, m);
        if best.value >= beta {
            watch.cut_by_beta(beta, &moves[i + 1..]);
            break;
        }
        alpha = alpha.max(best.value);
    }
    best
}
