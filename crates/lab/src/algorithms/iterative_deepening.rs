//! **Iterative deepening** ("bajada progresiva") with a table and killer moves.
//!
//! *Source:* both lectures; Akl and Newborn 1977 for the killers. *Idea:* search one ply deep,
//! then two, and so on, so that there is a move to play whenever time is up. Each round leaves
//! its best moves in a table, and the next looks at them first, as it does at killers, moves that
//! cut off a brother. The good order saves more than the earlier rounds cost.

use super::memory::Memory;
use super::scan::{Window, scan};
use crate::game::Position;
use crate::watch::{Choice, Pass, Watch};

/// Searches 1, 2 … `depth` plies.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    let mut memory = Memory::default();
    rounds(depth, watch, |depth, watch| value(root, Window::OPEN, depth, &mut memory, watch))
}

/// Searches 1, 2 … `depth` plies, each round by `search`, until time is up.
pub fn rounds(
    depth: u32,
    watch: &mut Watch,
    mut search: impl FnMut(u32, &mut Watch) -> Choice,
) -> Choice {
    watch.count_for_mover();
    let mut found = Choice::of(0);
    for round in depth.min(1)..=depth {
        watch.pass(Pass::Depth(round));
        let answer = search(round, watch);
        if watch.is_time_up() {
            // The round is not finished: the answer of the last one stands.
            break;
        }
        found = answer;
        watch.report(found.value);
        watch.round(round, found);
    }
    found
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
    let mut moves = node.moves_to(depth);
    if moves.is_empty() || watch.is_time_up() {
        return watch.evaluate(node);
    }
    memory.sort(node, &mut moves, watch.ply());
    watch.window(window.alpha, window.beta);
    let best = scan(node, &moves, window, Choice::LOWEST, watch, |_, child, window, watch| {
        value(child, window, depth - 1, memory, watch)
    });
    if let Some(m) = best.best.filter(|_| best.value >= window.beta) {
        memory.remember_killer(m, watch.ply());
    }
    memory.store(node, best, window, depth, watch);
    best
}
