//! **The loop of lania.mx**: alpha-beta that cuts at Min's nodes only.
//!
//! *Source:* "Definición de una poda alfa-beta" (lania.mx), functions Maximiza and Minimiza. *Idea:*
//! open my next move; open the opponent's replies to it and lower beta to the least; as soon as beta
//! is not above alpha, my move is no better than one I have, and its other replies are skipped. Every
//! Maximiza begins with alpha = −∞ and never looks at beta, so nothing is cut at Max's nodes and no
//! bound reaches further than one ply down.
//!
//! The source's text has slips, which are not followed. Its step 3.1 leaves a move whose reply is
//! *greater* than beta. Its Java keeps a move "if alfa >= POSIBLE" and compares MinTirada where
//! POSIBLEMIN is meant.

use crate::game::{INFINITE, Position, Side, Value};
use crate::watch::{Choice, Watch};

/// Searches `depth` plies.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    match root.turn() {
        Side::Max => maximise(root, depth, watch),
        Side::Min => minimise(root, -INFINITE, depth, watch),
    }
}

fn maximise(node: &Position, depth: u32, watch: &mut Watch) -> Choice {
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    let mut alpha = Choice::LOWEST;
    watch.window(alpha.value, INFINITE);
    for m in moves {
        watch.enter(m);
        let value = minimise(&node.play(m), alpha.value, depth - 1, watch).value;
        watch.leave(value);
        alpha.raise(value, m);
        watch.narrow(alpha.value, INFINITE);
    }
    alpha
}

fn minimise(node: &Position, alpha: Value, depth: u32, watch: &mut Watch) -> Choice {
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    let mut beta = Choice::HIGHEST;
    watch.window(alpha, beta.value);
    for (i, &m) in moves.iter().enumerate() {
        watch.enter(m);
        let value = maximise(&node.play(m), depth - 1, watch).value;
        watch.leave(value);
        beta.lower(value, m);
        if beta.value <= alpha {
            watch.cut_by_alpha(alpha, &moves[i + 1..]);
            break;
        }
        watch.narrow(alpha, beta.value);
    }
    beta
}
