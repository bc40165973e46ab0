//! **Biased search** ("búsqueda sesgada"): more depth for the more promising moves.
//!
//! *Source:* "MiniMax puede ser mucho más inteligente". *Idea:* a quick static evaluator
//! classifies the children of every node. The better third is searched in full, the middle third
//! one ply less deep and the rest two plies less. Nothing is left out altogether, but effort goes
//! where it seems to matter. The evaluations that classify are counted as estimates.

use super::scan::{Window, scan};
use crate::game::Position;
use crate::watch::{Choice, Watch};

/// Searches up to `depth` plies.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    value(root, Window::OPEN, depth, watch)
}

fn value(node: &Position, window: Window, depth: u32, watch: &mut Watch) -> Choice {
    let mut moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(window.alpha, window.beta);
    moves.sort_by_cached_key(|&m| -node.turn().sees(watch.estimate(&node.play(m))));
    let classes = watch.constants.biased_classes as usize;
    scan(node, &moves, window, Choice::LOWEST, watch, |i, child, window, watch| {
        let class = (classes * i / moves.len()) as u32;
        value(child, window, (depth - 1).saturating_sub(class), watch)
    })
}
