//! **Heuristic continuation** ("continuación heurística"): critical leaves are developed further.
//!
//! *Source:* both lectures, against the horizon effect. *Idea:* search in full to the chosen
//! depth, but do not evaluate all leaves there. Those that knowledge of the game calls critical,
//! such as a king in check or a pawn about to queen, are searched a little deeper, all moves of
//! them. Unlike waiting for rest it asks what stands on the board and not which moves force.

use super::scan::{Window, scan};
use crate::game::Position;
use crate::watch::{Choice, Note, Watch};

/// Searches `depth` plies, critical leaves deeper.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    let extra = watch.constants.continuation_plies as u32;
    value(root, Window::OPEN, depth, extra, watch)
}

fn value(
    node: &Position,
    window: Window,
    mut depth: u32,
    mut extra: u32,
    watch: &mut Watch,
) -> Choice {
    if depth == 0 && extra > 0 && node.is_critical() {
        watch.note(Note::Critical);
        // Once only: a leaf of the continuation is a leaf.
        (depth, extra) = (extra, 0);
    }
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(window.alpha, window.beta);
    scan(node, &moves, window, Choice::LOWEST, watch, |_, child, window, watch| {
        value(child, window, depth - 1, extra, watch)
    })
}
