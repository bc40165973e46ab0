//! Alpha-beta's loop over the moves of a node, for the algorithms that change something around it.
//!
//! [`super::fail_soft`] shows the same loop in full. Here the search of a child is left open, so that
//! each relative's page shows only its own idea.

use super::super::game::{INFINITE, Position, Value};
use super::super::moves::Move;
use super::super::watch::{Choice, Watch};

/// A window in the view of the side to move: alpha is sure already, beta is too good to be allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The mover has this much elsewhere.
    pub alpha: Value,
    /// The opponent does not allow this much.
    pub beta: Value,
}

impl Window {
    /// Every value lies inside.
    pub const OPEN: Window = Window { alpha: -INFINITE, beta: INFINITE };

    /// The same window in the opponent's view.
    pub fn flip(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// Searches `moves` in their order and stops at beta (fail-soft). `search` is given the number of a
/// move, the position after it and the opponent's window; `best` is the choice so far.
pub fn scan(
    node: &Position,
    moves: &[Move],
    Window { mut alpha, beta }: Window,
    mut best: Choice,
    watch: &mut Watch,
    mut search: impl FnMut(usize, &Position, Window, &mut Watch) -> Choice,
) -> Choice {
    for (i, &m) in moves.iter().enumerate() {
        watch.enter(m);
        let value = -search(i, &node.play(m), Window { alpha, beta }.flip(), watch).value;
        watch.leave(value);
        best.raise(value, m);
        if best.value >= beta {
            watch.cut_by_beta(beta, &moves[i + 1..]);
            break;
        }
        alpha = alpha.max(best.value);
        watch.narrow(alpha, beta);
    }
    best
}
