//! **Alpha-beta with the history heuristic**: moves that cut off elsewhere come first.
//!
//! *Source:* lecture 7.3, "refuerzo: probar primero acciones que dieron buenos resultados en el
//! pasado" (Schaeffer 1989). *Idea:* a move that cut off its brothers is likely to do so again in
//! other positions. Each move has a counter, which grows by depth² at each cut-off, and moves are
//! searched in the order of their counters. It needs no knowledge of the game.

use super::memory::Memory;
use super::scan::{Window, scan};
use crate::game::Position;
use crate::watch::{Choice, Watch};

/// Searches `depth` plies.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    value(root, Window::OPEN, depth, &mut Memory::default(), watch)
}

fn value(
    node: &Position,
    window: Window,
    depth: u32,
    memory: &mut Memory,
    watch: &mut Watch,
) -> Choice {
    let mut moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    memory.sort(node, &mut moves, watch.ply());
    watch.window(window.alpha, window.beta);
    let best = scan(node, &moves, window, Choice::LOWEST, watch, |_, child, window, watch| {
        value(child, window, depth - 1, memory, watch)
    });
    if let Some(m) = best.best.filter(|_| best.value >= window.beta) {
        memory.remember_history(m, depth);
    }
    best
}
