//! **Minimax**, the exhaustive strategy.
//!
//! *Source:* lectures "Búsqueda en juegos" (Alicante) and Trujillo's paper, algorithm 1
//! (MiniMaxR). *Idea:* generate every node down to the chosen depth and evaluate the leaves.
//! A node where Max moves takes the greatest value of its children, one where Min moves the
//! least. The value that reaches the root is what the first move is worth if both play well.

use crate::game::{Position, Side};
use crate::watch::{Choice, Watch};

/// Searches every node to `depth` plies.
pub fn search(node: &Position, depth: u32, watch: &mut Watch) -> Choice {
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        return watch.evaluate(node);
    }
    let mut best = match node.turn() {
        Side::Max => Choice::LOWEST,
        Side::Min => Choice::HIGHEST,
    };
    for m in moves {
        watch.enter(m);
        let value = search(&node.play(m), depth - 1, watch).value;
        watch.leave(value);
        match node.turn() {
            Side::Max => best.raise(value, m),
            Side::Min => best.lower(value, m),
        }
    }
    best
}
