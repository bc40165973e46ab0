//! **Max^n**: minimax for more than two players.
//!
//! *Source:* lecture "Búsqueda en juegos" (Alicante), "Juegos multijugador" (Luckhardt and Irani
//! 1986). *Idea:* the value of a node is a vector, one number for each player. The player to move
//! takes the child whose vector is greatest in their own place. With two players of opposed
//! interests this is minimax.

use crate::game::{Position, Value};
use crate::moves::Move;
use crate::watch::{Choice, Watch};

/// The worth of a node for each player, and the move that leads there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shares {
    /// One value a player.
    pub values: Vec<Value>,
    /// The mover's choice; none at a leaf.
    pub best: Option<Move>,
}

/// Searches every node to `depth` plies. The value is the first player's.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    let found = shares(root, depth, watch);
    Choice { value: found.values[0], best: found.best }
}

/// Searches every node to `depth` plies.
pub fn shares(node: &Position, depth: u32, watch: &mut Watch) -> Shares {
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        let values = node.values();
        watch.shares(&values, true);
        return Shares { values, best: None };
    }
    let mover = node.mover();
    let mut best = Shares { values: Vec::new(), best: None };
    for m in moves {
        watch.enter(m);
        let child = shares(&node.play(m), depth - 1, watch);
        watch.leave(child.values[0]);
        // Of equal shares the first: the others' shares are not the mover's concern.
        if best.best.is_none() || child.values[mover] > best.values[mover] {
            best = Shares { values: child.values, best: Some(m) };
        }
    }
    watch.shares(&best.values, false);
    best
}
