//! **Alpha-beta with a transposition table**: a position reached twice is searched once.
//!
//! *Source:* lecture 7.3, "tablas de transposición". *Idea:* different orders of the same moves lead
//! to the same position. Its value is kept under a key of the position, and a second visit with the
//! same depth takes it from there, if the bound that was kept is enough for the window now. The tree
//! becomes a graph, so fewer leaves than the least of the tree may do.

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
    if let Some((found, bound)) = memory.probe(node, window, depth) {
        watch.hit(found.value, bound);
        return found;
    }
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(window.alpha, window.beta);
    let best = scan(node, &moves, window, Choice::LOWEST, watch, |_, child, window, watch| {
        value(child, window, depth - 1, memory, watch)
    });
    memory.store(node, best, window, depth, watch);
    best
}
