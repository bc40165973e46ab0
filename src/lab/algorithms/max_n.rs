//! **Max^n**: minimax for more than two players.
//!
//! *Source:* lecture "Búsqueda en juegos" (Alicante), "Juegos multijugador" (Luckhardt and Irani
//! 1986). *Idea:* the value of a node is a vector, one number for each player. Whoever moves
//! takes the child whose vector is greatest in his own place. With two players of opposed
//! interests this is minimax.

use crate::lab::game::{Game, Pair, Party, Side, Value};
use crate::lab::watch::{Choice, Watch};

/// What a node is worth to each player, and the move that leads there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shares<M> {
    /// One value a player.
    pub values: Vec<Value>,
    /// The mover's choice; none at a leaf.
    pub best: Option<M>,
}

/// Searches a game for two `depth` plies as if it were one for many.
pub fn search<G: Game>(root: &G, depth: u32, watch: &mut Watch<G::Move>) -> Choice<G::Move> {
    let shares = shares(&Pair(root.clone()), depth, watch);
    let first = match root.turn() {
        Side::Max => shares.values[0],
        Side::Min => -shares.values[1],
    };
    Choice { value: first, best: shares.best }
}

/// Searches every node of a game for any number of players to `depth` plies.
pub fn shares<P: Party>(node: &P, depth: u32, watch: &mut Watch<P::Move>) -> Shares<P::Move> {
    let moves = if depth == 0 { Vec::new() } else { node.moves() };
    if moves.is_empty() {
        let values = node.values();
        watch.judged(values[0]);
        return Shares { values, best: None };
    }
    let mover = node.turn();
    let mut best = Shares { values: Vec::new(), best: None };
    for m in moves {
        let mut child = Shares { values: Vec::new(), best: None };
        watch.visit(m, |watch| {
            child = shares(&node.play(m), depth - 1, watch);
            watch.note(&format!("{:?}", child.values));
            Choice::of(child.values[0])
        });
        // Of equal shares the first: what the others get of it is not the mover's concern.
        if best.best.is_none() || child.values[mover] > best.values[mover] {
            best = Shares { values: child.values, best: Some(m) };
        }
    }
    best
}
