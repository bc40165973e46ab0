//! **Waiting for rest, by the value**: the sources' own form of quiescence.
//!
//! *Source:* both lectures: "if a node is evaluated and its value changes drastically after one more
//! level, the search must go on". *Idea:* at the horizon compare f(N) with the best value one ply
//! further. If they are close, the position is at rest and f(N) stands. If not, all its moves are
//! searched, and each position after them is asked in the same way. No move needs to be called
//! forcing, so that any game will do; the price is an evaluation of every move at every leaf.

use super::scan::{Window, scan};
use crate::game::Position;
use crate::moves::Move;
use crate::watch::{Choice, Note, Watch};

/// Searches `depth` plies, and on until the values are at rest.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    let extra = watch.constants.rest_plies as u32;
    value(root, Window::OPEN, depth, extra, watch)
}

/// True if the best move changes the value drastically.
fn is_restless(node: &Position, moves: &[Move], watch: &mut Watch) -> bool {
    let us = node.turn();
    let standing = us.sees(watch.estimate(node));
    let best = moves.iter().map(|&m| us.sees(watch.estimate(&node.play(m)))).max();
    let change = (best.unwrap_or(standing) - standing).abs();
    change > watch.constants.rest_change * node.unit() / 100
}

fn value(node: &Position, window: Window, depth: u32, mut extra: u32, watch: &mut Watch) -> Choice {
    let moves = node.moves();
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    if depth == 0 {
        if extra == 0 || !is_restless(node, &moves, watch) {
            return watch.evaluate(node);
        }
        watch.note(Note::Restless);
        extra -= 1;
    }
    let depth = depth.saturating_sub(1);
    watch.window(window.alpha, window.beta);
    scan(node, &moves, window, Choice::LOWEST, watch, |_, child, window, watch| {
        value(child, window, depth, extra, watch)
    })
}
