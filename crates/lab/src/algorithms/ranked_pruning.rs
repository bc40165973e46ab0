//! **Ranked forward pruning** ("poda heurística"): Factor(child) = Factor(parent) − Rank(child).
//!
//! *Source:* lecture "Búsqueda en juegos" (Alicante); the same rule is in Winston's "Artificial
//! Intelligence". *Idea:* g(N), a cheap evaluation, ranks the moves of a node, 1 for the best.
//! The node's factor says how many are developed, and each child's factor is smaller by
//! its rank. So the tree is broad near the root and along good moves, and thin elsewhere.

use std::cmp::Reverse;

use super::scan::{Window, scan};
use crate::game::Position;
use crate::watch::{Choice, Guess, Watch};

/// Searches up to `depth` plies. The root's factor lets the line of best-ranked moves reach the
/// horizon with as much factor left as it has used up.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    let factor = watch.constants.ranked_factor as usize * depth as usize;
    value(root, Window::OPEN, factor, depth, watch)
}

fn value(node: &Position, window: Window, factor: usize, depth: u32, watch: &mut Watch) -> Choice {
    let mut moves = if factor == 0 { Vec::new() } else { node.moves_to(depth) };
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(window.alpha, window.beta);
    moves.sort_by_key(|&m| Reverse(node.promise(m)));
    let developed = factor.min(moves.len());
    watch.leave_out(Guess::Rank, &moves[developed..]);
    moves.truncate(developed);
    scan(node, &moves, window, Choice::LOWEST, watch, |i, child, window, watch| {
        let rank = i + 1;
        value(child, window, factor - rank, depth - 1, watch)
    })
}
