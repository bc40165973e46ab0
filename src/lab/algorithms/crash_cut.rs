//! **Crash cut** ("corte agresivo"): a whole region of the tree is not even considered.
//!
//! *Source:* "Definición de una poda alfa-beta" (lania.mx), function Maximiza with NotCut.
//! *Idea:* a board on which a key piece such as the queen is gone is taken for lost, even if
//! there were a way to win from there. Such boards are evaluated as they stand and not searched
//! further. As in the source only the player at the root judges so, at his own moves.

use crate::lab::game::{INFINITE, Position, Value};
use crate::lab::watch::{Choice, Cut, Watch};

/// A key piece, such as a queen, in the game's units, such as pawns; less what it may have got.
const KEY_PIECE: Value = 8;

/// The standing of the player at the root below which he gives a board up.
struct Limit(Value);

/// Searches `depth` plies.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    watch.count_for_mover();
    let limit = Limit(root.turn().sees(root.value()) - KEY_PIECE * root.unit());
    value(root, (-INFINITE, INFINITE), true, &limit, depth, watch)
}

/// The source's NotCut: true if the board is worth a look.
fn not_cut(child: &Position, limit: &Limit) -> bool {
    child.turn().other().sees(child.value()) > limit.0
}

fn value(
    node: &Position,
    (mut alpha, beta): (Value, Value),
    is_ours: bool,
    limit: &Limit,
    depth: u32,
    watch: &mut Watch,
) -> Choice {
    let mut moves = node.moves_to(depth);
    if is_ours {
        let (kept, given_up): (Vec<_>, Vec<_>) =
            moves.into_iter().partition(|&m| not_cut(&node.play(m), limit));
        watch.cut(Cut::Guess("crash cut"), &given_up);
        moves = kept;
    }
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    watch.window(alpha, beta);
    let mut best = Choice::LOWEST;
    for (i, &m) in moves.iter().enumerate() {
        let child = node.play(m);
        let window = (-beta, -alpha);
        let v = -watch.visit(m, |w| value(&child, window, !is_ours, limit, depth - 1, w));
        best.raise(v, m);
        if best.value >= beta {
            watch.cut_by_beta(beta, &moves[i + 1..]);
            break;
        }
        alpha = alpha.max(best.value);
    }
    best
}
