//! A transposition table, killer moves and a history of cut-offs, for the searches that remember.
//!
//! *Sources:* lecture 7.3 ("tablas de transposición", "refuerzo: juegos anteriores"); Akl and Newborn
//! 1977 for the killers; Schaeffer 1989 for the history.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::scan::Window;
use crate::game::{Position, Value};
use crate::moves::Move;
use crate::watch::{Bound, Choice, Watch};

#[derive(Clone, Copy)]
struct Entry {
    depth: u32,
    found: Choice,
    bound: Bound,
}

/// Everything that outlives a node.
#[derive(Default)]
pub struct Memory {
    table: HashMap<u64, Entry>,
    /// Two moves a ply that cut off a brother.
    killers: Vec<[Option<Move>; 2]>,
    /// For each move, depth² of every node that it cut off.
    history: HashMap<Move, u64>,
}

impl Memory {
    /// The value of the node, if the table knows enough for this window.
    pub fn probe(&self, node: &Position, window: Window, depth: u32) -> Option<(Choice, Bound)> {
        // Only the same depth: a deeper value would be better, but it would not be minimax's.
        let entry = self.table.get(&node.key()).filter(|entry| entry.depth == depth)?;
        let is_enough = match entry.bound {
            Bound::Exact => true,
            Bound::AtLeast => entry.found.value >= window.beta,
            Bound::AtMost => entry.found.value <= window.alpha,
        };
        is_enough.then_some((entry.found, entry.bound))
    }

    /// Sorts moves: the table's, then killers, then by history. Other moves keep their order.
    pub fn sort(&self, node: &Position, moves: &mut [Move], ply: u32) {
        let table_move = self.table.get(&node.key()).and_then(|entry| entry.found.best);
        let killers = self.killers.get(ply as usize).copied().unwrap_or_default();
        moves.sort_by_cached_key(|&m| {
            let history = self.history.get(&m).copied().unwrap_or_default();
            (Some(m) != table_move, !killers.contains(&Some(m)), Reverse(history))
        });
    }

    /// Writes the node's value down.
    pub fn store(
        &mut self,
        node: &Position,
        found: Choice,
        asked: Window,
        depth: u32,
        watch: &mut Watch,
    ) {
        let bound = bound_of(found.value, asked);
        self.table.insert(node.key(), Entry { depth, found, bound });
        watch.memory(self.table.len());
    }

    /// Remembers a move that cut off its brothers as a killer.
    pub fn remember_killer(&mut self, m: Move, ply: u32) {
        let ply = ply as usize;
        self.killers.resize(self.killers.len().max(ply + 1), [None; 2]);
        let killers = &mut self.killers[ply];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
    }

    /// Remembers a move that cut off its brothers in the history.
    pub fn remember_history(&mut self, m: Move, depth: u32) {
        *self.history.entry(m).or_default() += u64::from(depth).pow(2);
    }
}

/// The meaning of a fail-soft value that was asked for with a window.
fn bound_of(value: Value, asked: Window) -> Bound {
    match value {
        v if v >= asked.beta => Bound::AtLeast,
        v if v <= asked.alpha => Bound::AtMost,
        _ => Bound::Exact,
    }
}
