//! **The depth budget**: each ply costs by how many moves there are to choose from.
//!
//! *Source:* ours, from the paper on dynamic depth adjustment (DDAαβ), equation 4, applied at
//! every node instead of once at the root. *Idea:* a ply with ξ moves costs ln ξ / ln τ plies,
//! where τ is the number of moves at the game's start. A forced move costs nothing, and a narrow
//! line is searched deeper at the price of a broad one. By Kraft's equality, Σ Π 1/ξ = 1 over the
//! leaves, the unpruned tree has never more than τ^depth of them, whatever the game, unless the root alone has more moves.

use super::scan::{Window, scan};
use crate::game::Position;
use crate::moves::Move;
use crate::watch::{Choice, Watch};

/// Forgives the rounding of sums of logarithms, in plies.
const ROUNDING: f64 = 1e-9;

/// The rest that the search may spend.
#[derive(Clone, Copy)]
struct Budget {
    plies: f64,
    ln_tau: f64,
    longest: u32,
}

impl Budget {
    /// The rest after a ply with `breadth` moves; none if that is too expensive.
    fn spend(self, breadth: usize) -> Option<Budget> {
        let plies = self.plies - (breadth as f64).ln() / self.ln_tau;
        let longest = self.longest.checked_sub(1)?;
        (plies > -ROUNDING && self.plies > ROUNDING).then_some(Budget { plies, longest, ..self })
    }
}

/// Searches with a budget of `depth` plies. The root is opened whatever that costs, so that there is a move.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    let ln_tau = (root.opening_breadth().max(2) as f64).ln();
    let longest = watch.constants.budget_longest as u32 * depth;
    let budget = Budget { plies: f64::from(depth), ln_tau, longest };
    let moves = root.moves();
    if moves.is_empty() {
        return watch.evaluate(root);
    }
    open(
        root,
        &moves,
        Window::OPEN,
        budget.spend(moves.len()).unwrap_or(Budget { longest: 0, ..budget }),
        watch,
    )
}

fn value(node: &Position, window: Window, budget: Budget, watch: &mut Watch) -> Choice {
    let moves = node.moves();
    let Some(left) = budget.spend(moves.len()).filter(|_| !moves.is_empty()) else {
        return watch.evaluate(node);
    };
    open(node, &moves, window, left, watch)
}

/// Searches all moves of a node with what is left of the budget after them.
fn open(
    node: &Position,
    moves: &[Move],
    window: Window,
    left: Budget,
    watch: &mut Watch,
) -> Choice {
    watch.window(window.alpha, window.beta);
    scan(node, moves, window, Choice::LOWEST, watch, |_, child, window, watch| {
        value(child, window, left, watch)
    })
}
