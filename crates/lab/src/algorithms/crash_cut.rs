//! **Crash cut** ("corte agresivo"): a whole region of the tree is not even considered.
//!
//! *Source:* "Definición de una poda alfa-beta" (lania.mx), function Maximiza with NotCut.
//! *Idea:* a board on which a key piece such as the queen is gone is taken for lost, even if
//! there were a way to win from there. Such boards are evaluated as they stand and not searched
//! further. As in the source only the player at the root judges so, at their own moves.

use super::scan::{Window, scan};
use crate::game::{Position, Value};
use crate::moves::Move;
use crate::watch::{Choice, Guess, Watch};

/// Searches `depth` plies.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    let standing = root.turn().sees(watch.estimate(root));
    let limit = standing - watch.constants.crash_cut_loss * root.unit();
    value(root, Window::OPEN, true, limit, depth, watch)
}

/// The source's NotCut: true if the board is worth a look to the player at the root.
fn not_cut(node: &Position, m: Move, limit: Value, watch: &mut Watch) -> bool {
    node.turn().sees(watch.estimate(&node.play(m))) > limit
}

/// `limit`: the standing of the player at the root below which they give a board up.
fn value(
    node: &Position,
    window: Window,
    is_ours: bool,
    limit: Value,
    depth: u32,
    watch: &mut Watch,
) -> Choice {
    let mut moves = node.moves_to(depth);
    if is_ours {
        let (kept, given_up): (Vec<_>, Vec<_>) =
            moves.into_iter().partition(|&m| not_cut(node, m, limit, watch));
        watch.leave_out(Guess::CrashCut, &given_up);
        moves = kept;
    }
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(window.alpha, window.beta);
    scan(node, &moves, window, Choice::LOWEST, watch, |_, child, window, watch| {
        value(child, window, !is_ours, limit, depth - 1, watch)
    })
}
