//! **NegaScout with table and deepening**: the form in which programs use it.
//!
//! *Source:* "MiniMax puede ser mucho más inteligente" for NegaScout, whose gain "in chess" supposes
//! a good first move; the lectures for the table and the deepening, which provide it. *Idea:* as in
//! [`super::iterative_deepening`], each round's best moves come first in the next one, and as in
//! [`super::negascout`], the later moves are only asked whether they are better. History sorts the
//! moves that the table does not know.

use super::iterative_deepening::rounds;
use super::memory::Memory;
use super::scan::Window;
use crate::game::Position;
use crate::moves::Move;
use crate::watch::{Choice, Note, Watch};

/// Searches 1, 2 … `depth` plies.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    let mut memory = Memory::default();
    rounds(depth, watch, |depth, watch| value(root, Window::OPEN, depth, &mut memory, watch))
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
    let best = scout(node, &moves, window, depth, memory, watch);
    if let Some(m) = best.best.filter(|_| best.value >= window.beta) {
        memory.remember_killer(m, watch.ply());
        memory.remember_history(m, depth);
    }
    memory.store(node, best, window, depth, watch);
    best
}

/// The loop of NegaScout, fail-soft.
fn scout(
    node: &Position,
    moves: &[Move],
    Window { mut alpha, beta }: Window,
    depth: u32,
    memory: &mut Memory,
    watch: &mut Watch,
) -> Choice {
    let mut best = Choice::LOWEST;
    for (i, &m) in moves.iter().enumerate() {
        let child = node.play(m);
        let asked = if i == 0 { beta } else { alpha + 1 };
        watch.enter(m);
        let window = Window { alpha, beta: asked }.flip();
        let mut v = -value(&child, window, depth - 1, memory, watch).value;
        watch.leave(v);
        if i > 0 && alpha < v && v < beta && depth > 1 {
            watch.note(Note::Research);
            watch.enter(m);
            let window = Window { alpha, beta }.flip();
            v = -value(&child, window, depth - 1, memory, watch).value;
            watch.leave(v);
        }
        best.raise(v, m);
        if best.value >= beta {
            watch.cut_by_beta(beta, &moves[i + 1..]);
            break;
        }
        alpha = alpha.max(best.value);
        watch.narrow(alpha, beta);
    }
    best
}
