//! **Heuristic continuation** ("continuación heurística"): critical leaves are developed further.
//!
//! *Source:* both lectures, against the horizon effect. *Idea:* search in full to the chosen
//! depth, but do not evaluate all leaves there. Those that knowledge of the game calls critical,
//! such as a king in check, are searched a little deeper, all moves of them. Unlike waiting for
//! rest it asks what stands on the board and not which moves force.

use crate::lab::game::{INFINITE, Position, Value};
use crate::lab::watch::{Choice, Watch};

/// Plies that a critical leaf is searched deeper.
const EXTRA: u32 = 2;

/// Searches `depth` plies, critical leaves deeper.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    value(root, -INFINITE, INFINITE, depth, EXTRA, watch)
}

fn value(
    node: &Position,
    mut alpha: Value,
    beta: Value,
    mut depth: u32,
    mut extra: u32,
    watch: &mut Watch,
) -> Choice {
    if depth == 0 && node.is_tense() {
        watch.note("critical: continued");
        // Once only: a leaf of the continuation is a leaf.
        (depth, extra) = (extra, 0);
    }
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(alpha, beta);
    let mut best = Choice::LOWEST;
    for (i, &m) in moves.iter().enumerate() {
        let child = node.play(m);
        let v = -watch.visit(m, |watch| value(&child, -beta, -alpha, depth - 1, extra, watch));
        best.raise(v, m);
        if best.value >= beta {
            watch.cut_by_beta(beta, &moves[i + 1..]);
            break;
        }
        alpha = alpha.max(best.value);
    }
    best
}
