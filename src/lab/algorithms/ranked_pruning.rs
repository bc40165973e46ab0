//! **Ranked forward pruning** ("poda heurística"): Factor(child) = Factor(parent) − Rank(child).
//!
//! *Source:* lecture "Búsqueda en juegos" (Alicante); the same rule is in Winston's "Artificial
//! Intelligence". *Idea:* g(N), a cheap evaluation, ranks the moves of a node, 1 for the best.
//! Only so many are developed as the node's factor says, and each child's factor is smaller by
//! its rank. So the tree is broad near the root and along good moves, and thin elsewhere.

use std::cmp::Reverse;

use crate::lab::game::{INFINITE, Position, Value};
use crate::lab::watch::{Choice, Cut, Watch};

/// Searches up to `depth` plies. The root's factor lets the line of best-ranked moves reach the
/// horizon with as much factor left as it has used up.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    value(root, -INFINITE, INFINITE, 2 * depth as usize, depth, watch)
}

fn value(
    node: &Position,
    mut alpha: Value,
    beta: Value,
    factor: usize,
    depth: u32,
    watch: &mut Watch,
) -> Choice {
    let mut moves = if factor == 0 { Vec::new() } else { node.moves_to(depth) };
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(alpha, beta);
    moves.sort_by_key(|&m| Reverse(node.promise(m)));
    let developed = factor.min(moves.len());
    watch.cut(Cut::Guess("rank beyond the factor"), &moves[developed..]);
    moves.truncate(developed);
    let mut best = Choice::LOWEST;
    for (i, &m) in moves.iter().enumerate() {
        let rank = i + 1;
        let child = node.play(m);
        let v =
            -watch.visit(m, |watch| value(&child, -beta, -alpha, factor - rank, depth - 1, watch));
        best.raise(v, m);
        if best.value >= beta {
            watch.cut_by_beta(beta, &moves[i + 1..]);
            break;
        }
        alpha = alpha.max(best.value);
    }
    best
}
