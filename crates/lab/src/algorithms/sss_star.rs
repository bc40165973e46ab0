//! **SSS\***: best first, in the state-list form.
//!
//! *Source:* Stockman 1979, after "MiniMax puede ser mucho más inteligente". *Idea:* a
//! state (N, s, h) stands for all strategies that go through node N, LIVE or SOLVED, and h is an
//! upper bound of what they are worth to Max. Always work on the state with the highest bound,
//! leftmost first: open it, or once solved, pass it to its brother or parent. The first bound
//! that reaches the root solved is the minimax value, and the list is the price in memory.
//!
//! Nodes bear the lecture's Dewey numbers. The player at the root counts as Max.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::game::{INFINITE, Position, Side, Value};
use crate::moves::Move;
use crate::watch::{Choice, Watch};

/// A node with the way back to the root.
struct State {
    game: Position,
    moves: Vec<Move>,
    /// Numbers of the branches from the root, and the moves themselves.
    dewey: Vec<usize>,
    path: Vec<Move>,
    parent: Option<Rc<State>>,
}

impl State {
    fn child(self: &Rc<Self>, branch: usize, depth: u32) -> Option<Rc<State>> {
        let m = *self.moves.get(branch)?;
        let game = self.game.play(m);
        let left = depth - self.dewey.len() as u32 - 1;
        let (mut dewey, mut path) = (self.dewey.clone(), self.path.clone());
        dewey.push(branch);
        path.push(m);
        let moves = game.moves_to(left);
        Some(Rc::new(State { game, moves, dewey, path, parent: Some(self.clone()) }))
    }

    fn next_brother(&self, depth: u32) -> Option<Rc<State>> {
        self.parent.as_ref()?.child(self.dewey.last()? + 1, depth)
    }

    fn is_max(&self) -> bool {
        self.dewey.len().is_multiple_of(2)
    }
}

/// A state's place in the list: the highest bound first, and of equal ones the leftmost node.
type Place = (Reverse<Value>, Vec<usize>);

/// The list of states, LIVE or SOLVED, the best first.
struct Open {
    states: BTreeMap<Place, (Rc<State>, bool)>,
}

impl Open {
    fn put(&mut self, node: Rc<State>, is_solved: bool, h: Value, us: Side, watch: &mut Watch) {
        watch.go(&node.path);
        watch.state(is_solved, us.sees(h));
        self.states.insert((Reverse(h), node.dewey.clone()), (node, is_solved));
        watch.memory(self.states.len());
    }

    /// Forgets every state below the node: its value is known.
    fn purge(&mut self, node: &State) {
        self.states.retain(|(_, dewey), _| !dewey.starts_with(&node.dewey));
    }
}

/// Searches `depth` plies.
pub fn search(root: &Position, depth: u32, watch: &mut Watch) -> Choice {
    let us = root.turn();
    let moves = root.moves_to(depth);
    let root = State { game: root.clone(), moves, dewey: vec![], path: vec![], parent: None };
    let mut open = Open { states: BTreeMap::new() };
    open.put(Rc::new(root), false, INFINITE, us, watch);
    let mut best = None;
    while let Some(((Reverse(h), _), (node, is_solved))) = open.states.pop_first() {
        match (&node.parent, is_solved) {
            (None, true) => return Choice { value: us.sees(h), best },
            (Some(parent), true) => {
                // A max node is solved: Min may do better with its brother, if there is one more.
                if let Some(brother) = node.next_brother(depth).filter(|_| node.is_max()) {
                    open.put(brother, false, h, us, watch);
                } else {
                    open.purge(parent);
                    best = node.path.first().copied();
                    watch.go(&parent.path);
                    watch.purge();
                    open.put(parent.clone(), true, h, us, watch);
                }
            }
            (_, false) => expand(&node, h, us, depth, &mut open, watch),
        }
    }
    Choice::LOWEST
}

/// Opens a live node: all moves of Max's, the first of Min's; or evaluates it.
fn expand(node: &Rc<State>, h: Value, us: Side, depth: u32, open: &mut Open, watch: &mut Watch) {
    watch.go(&node.path);
    if node.parent.is_some() {
        watch.arrive();
    }
    if node.moves.is_empty() {
        let value = watch.evaluate(&node.game).value;
        open.put(node.clone(), true, h.min(us.sees(value)), us, watch);
        return;
    }
    let branches = if node.is_max() { node.moves.len() } else { 1 };
    for child in (0..branches).filter_map(|branch| node.child(branch, depth)) {
        open.put(child, false, h, us, watch);
    }
}
