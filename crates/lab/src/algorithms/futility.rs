//! **Pruning of useless moves** ("poda de inutilidades"): alpha-beta with a margin.
//!
//! *Source:* "MiniMax puede ser mucho más inteligente" (Rich and Knight's futility cutoff).
//! *Idea:* alpha-beta gives up a branch that cannot be better than what is already sure; this
//! gives up one that cannot be better by enough. The branch then counts as no better than what
//! is sure. The answer may fall short of minimax's by up to the margin at each cut on its way.

use crate::game::{INFINITE, Position, Value};
use crate::watch::{Choice, Guess, Watch};

/// Searches `depth` plies; half a unit, such as half a pawn, is not enough better.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    let margin = root.unit() * watch.constants.futility_margin / 100;
    value(root, -INFINITE, INFINITE, margin, depth, watch)
}

fn value(
    node: &Position,
    mut alpha: Value,
    beta: Value,
    margin: Value,
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
        let v = -value(&node.play(m), -beta, -alpha, margin, depth - 1, watch).value;
        watch.leave(v);
        best.raise(v, m);
        if best.value >= beta {
            watch.cut_by_beta(beta, &moves[i + 1..]);
            break;
        }
        // The opponent is sure of beta elsewhere and would gain less than the margin here.
        if beta < INFINITE && best.value >= beta - margin {
            watch.leave_out(Guess::Futility, &moves[i + 1..]);
            return Choice { value: beta, ..best };
        }
        alpha = alpha.max(best.value);
        watch.narrow(alpha, beta);
    }
    best
}
