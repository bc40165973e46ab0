//! **Waiting for rest** ("espera del reposo"), or quiescence search.
//!
//! *Source:* both lectures, against the horizon effect. *Idea:* a position whose value changes
//! drastically one ply further must not be evaluated yet. Beyond the horizon only forcing moves
//! are searched, such as captures, until there are none. The player to move may also stop and
//! take the value as it stands ("stand pat"), unless he is in danger.

use crate::lab::game::{INFINITE, Position, Value};
use crate::lab::watch::{Choice, Watch};

/// Plies beyond the horizon after which even an unruly position is evaluated.
const LONGEST_UNREST: u32 = 8;

/// Searches `depth` plies, and on until the position is at rest.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    value(root, -INFINITE, INFINITE, depth, watch)
}

fn value(node: &Position, mut alpha: Value, beta: Value, depth: u32, watch: &mut Watch) -> Choice {
    if depth == 0 {
        return rest(node, alpha, beta, LONGEST_UNREST, watch);
    }
    let moves = node.moves();
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(alpha, beta);
    let mut best = Choice::LOWEST;
    for (i, &m) in moves.iter().enumerate() {
        let child = node.play(m);
        let v = -watch.visit(m, |watch| value(&child, -beta, -alpha, depth - 1, watch));
        best.raise(v, m);
        if best.value >= beta {
            watch.cut_by_beta(beta, &moves[i + 1..]);
            break;
        }
        alpha = alpha.max(best.value);
    }
    best
}

/// Searches forcing moves only; all of them where the mover is in danger.
fn rest(node: &Position, mut alpha: Value, beta: Value, left: u32, watch: &mut Watch) -> Choice {
    let is_in_danger = node.is_tense();
    let mut moves = node.moves_to(left);
    moves.retain(|&m| is_in_danger || node.is_forcing(m));
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(alpha, beta);
    let mut best = if is_in_danger { Choice::LOWEST } else { watch.evaluate(node) };
    for (i, &m) in moves.iter().enumerate() {
        if best.value >= beta {
            watch.cut_by_beta(beta, &moves[i..]);
            break;
        }
        alpha = alpha.max(best.value);
        let child = node.play(m);
        let v = -watch.visit(m, |watch| rest(&child, -beta, -alpha, left - 1, watch));
        best.raise(v, m);
    }
    best
}
