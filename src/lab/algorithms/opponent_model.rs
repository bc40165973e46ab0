//! **Minimax that depends on the opponent** ("MiniMax dependiente del adversario").
//!
//! *Source:* "MiniMax puede ser mucho más inteligente", after Berliner 1977. *Idea:* minimax
//! supposes an opponent who never errs. Here he finds his best move with a given chance only, and
//! else plays any of the others. Between two lost positions this prefers the one where an error
//! saves us, even if it is the worse one against perfect play.

use crate::lab::game::{Position, Value};
use crate::lab::watch::{Choice, Watch};

/// One move in so many of the opponent's is an error.
const ONE_ERROR_IN: i64 = 10;

/// Searches every node to `depth` plies.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    value(root, depth, true, watch)
}

fn value(node: &Position, depth: u32, is_ours: bool, watch: &mut Watch) -> Choice {
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    let mut best = Choice::LOWEST;
    let mut sum = 0;
    for &m in &moves {
        let v = -watch.visit(m, |watch| value(&node.play(m), depth - 1, !is_ours, watch));
        best.raise(v, m);
        sum += i64::from(v);
    }
    if is_ours || moves.len() == 1 {
        return best;
    }
    // What he gets on average: mostly the best move's value, now and then another's.
    let others = (sum - i64::from(best.value)) / (moves.len() as i64 - 1);
    let mean = (i64::from(best.value) * (ONE_ERROR_IN - 1) + others) / ONE_ERROR_IN;
    watch.note("weighed with the chance of an error");
    Choice { value: mean as Value, ..best }
}
