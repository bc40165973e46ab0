//! **Waiting for rest** ("espera del reposo"), or quiescence search.
//!
//! *Source:* both lectures, against the horizon effect. *Idea:* a position whose value changes
//! drastically one ply further must not be evaluated yet. Beyond the horizon only forcing moves
//! are searched, such as captures, the most promising first, until there are none. The player to
//! move may also stop and take the value as it stands ("stand pat"). Not so in danger: then only
//! the moves that meet the danger are searched.

use std::cmp::Reverse;

use super::scan::{Window, scan};
use crate::game::Position;
use crate::watch::{Choice, Note, Watch};

/// Searches `depth` plies, and on until the position is at rest.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    value(root, Window::OPEN, depth, watch)
}

fn value(node: &Position, window: Window, depth: u32, watch: &mut Watch) -> Choice {
    if depth == 0 {
        return rest(node, window, watch.constants.quiescence_plies as u32, watch);
    }
    let moves = node.moves();
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(window.alpha, window.beta);
    scan(node, &moves, window, Choice::LOWEST, watch, |_, child, window, watch| {
        value(child, window, depth - 1, watch)
    })
}

/// Searches forcing moves only; in danger, the moves that meet it.
fn rest(node: &Position, window: Window, left: u32, watch: &mut Watch) -> Choice {
    let mut moves = if left == 0 { Vec::new() } else { node.unrest() };
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    moves.sort_by_key(|&m| Reverse(node.promise(m)));
    watch.window(window.alpha, window.beta);
    let mut best = Choice::LOWEST;
    if !node.is_tense() {
        best = watch.evaluate(node);
        watch.note(Note::StandPat);
        if best.value >= window.beta {
            watch.cut_by_beta(window.beta, &moves);
            return best;
        }
    }
    let alpha = window.alpha.max(best.value);
    watch.narrow(alpha, window.beta);
    scan(node, &moves, Window { alpha, ..window }, best, watch, |_, child, window, watch| {
        rest(child, window, left - 1, watch)
    })
}
