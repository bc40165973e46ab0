//! Watching an algorithm at work: one stream of events, from which one observer counts,
//! another tells the search in words, and a third draws the tree.
//!
//! An algorithm is handed a [`Watch`] and tells it the steps that the textbooks name: a node
//! is entered with a window, a leaf is evaluated, moves are cut off, a value goes back up.
//! Values reach the observers from Max's point of view, whichever way the algorithm counts.

use super::game::{INFINITE, Position, Side, Value};
use super::moves::Move;

/// What a search found: the value of a node and the move that attains it, as the lecture's
/// VALOR-MAX returns them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The value of the node.
    pub value: Value,
    /// The move that attains it; none at a leaf, or where every move fails.
    pub best: Option<Move>,
}

impl Choice {
    /// Worse than every value for Max (or for the side to move), with no move yet.
    pub const LOWEST: Choice = Choice { value: -INFINITE, best: None };
    /// Worse than every value for Min, with no move yet.
    pub const HIGHEST: Choice = Choice { value: INFINITE, best: None };

    /// The value of a node without a move.
    pub fn of(value: Value) -> Choice {
        Choice { value, best: None }
    }

    /// Takes the move if its value is greater.
    #[inline]
    pub fn raise(&mut self, value: Value, m: Move) {
        if value > self.value {
            *self = Choice { value, best: Some(m) };
        }
    }

    /// Takes the move if its value is smaller.
    #[inline]
    pub fn lower(&mut self, value: Value, m: Move) {
        if value < self.value {
            *self = Choice { value, best: Some(m) };
        }
    }
}

/// Why moves were not searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Max has at least this much elsewhere, so Min's node is not reached.
    Alpha(Value),
    /// Min has at most this much elsewhere, so Max's node is not reached.
    Beta(Value),
    /// A guess said that they are not worth it; its name.
    Guess(&'static str),
}

/// One step of a search. Values are Max's.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event<'a> {
    /// A node is entered.
    Enter,
    /// Its search begins with this window.
    Window(Value, Value),
    /// It is evaluated without search.
    Leaf(Value),
    /// Its remaining moves are not searched.
    Cut(Cut, &'a [Move]),
    /// Its value was found in a table.
    Hit(Value),
    /// Its search ends with this value.
    Return(Value),
    /// Its worth for each player of a game for many.
    Shares(&'a [Value]),
    /// Something that only this algorithm does.
    Note(&'a str),
}

/// Somebody who sees the steps of a search. `path` leads from the root to the node that the
/// event is about; a null move in it is `None`.
pub trait Observer {
    /// Takes notice of one step.
    fn see(&mut self, path: &[Option<Move>], event: &Event);
}

/// What a search cost.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counter {
    /// Nodes entered, the root, leaves and repeated visits among them.
    pub nodes: u64,
    /// Positions evaluated.
    pub leaves: u64,
    /// Values taken from a table.
    pub hits: u64,
}

impl Observer for Counter {
    #[inline]
    fn see(&mut self, _path: &[Option<Move>], event: &Event) {
        match event {
            Event::Enter => self.nodes += 1,
            Event::Leaf(_) => self.leaves += 1,
            Event::Hit(_) => self.hits += 1,
            _ => {}
        }
    }
}

/// Two observers see the same search.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn see(&mut self, path: &[Option<Move>], event: &Event) {
        self.0.see(path, event);
        self.1.see(path, event);
    }
}

impl<O: Observer> Observer for &mut O {
    fn see(&mut self, path: &[Option<Move>], event: &Event) {
        (**self).see(path, event);
    }
}

/// The paths of the leaves that were evaluated, in order, repeats included.
#[derive(Clone, Default, Debug)]
pub struct LeafPaths(pub Vec<Vec<Option<Move>>>);

impl Observer for LeafPaths {
    fn see(&mut self, path: &[Option<Move>], event: &Event) {
        if matches!(event, Event::Leaf(_)) {
            self.0.push(path.to_vec());
        }
    }
}

/// The line from an algorithm to its observer. It remembers where in the tree the search is.
pub struct Watch<'a> {
    observer: &'a mut dyn Observer,
    path: Vec<Option<Move>>,
    root: Side,
    is_negamax: bool,
}

impl<'a> Watch<'a> {
    /// A watch over a search whose root belongs to `root`.
    pub fn new(root: Side, observer: &'a mut dyn Observer) -> Watch<'a> {
        Watch { observer, path: Vec::new(), root, is_negamax: false }
    }

    /// From now on the algorithm counts as negamax does, from the mover's point of view.
    pub fn count_for_mover(&mut self) {
        self.is_negamax = true;
    }

    /// Who moves at the node where the search is.
    pub fn side(&self) -> Side {
        if self.path.len().is_multiple_of(2) { self.root } else { self.root.other() }
    }

    /// Plies from the root.
    pub fn ply(&self) -> u32 {
        self.path.len() as u32
    }

    /// Searches the node after `m` and returns its value.
    #[inline]
    pub fn visit(&mut self, m: Move, search: impl FnOnce(&mut Self) -> Choice) -> Value {
        self.step(Some(m), search).value
    }

    /// Searches the node after a null move and returns its value.
    pub fn visit_pass(&mut self, search: impl FnOnce(&mut Self) -> Choice) -> Value {
        self.step(None, search).value
    }

    fn step(&mut self, m: Option<Move>, search: impl FnOnce(&mut Self) -> Choice) -> Choice {
        self.path.push(m);
        self.tell(Event::Enter);
        let choice = search(self);
        let value = self.for_max(choice.value);
        self.tell(Event::Return(value));
        self.path.pop();
        choice
    }

    /// Tells that the root is entered, searches it, and tells its value.
    pub fn root(&mut self, search: impl FnOnce(&mut Self) -> Choice) -> Choice {
        self.tell(Event::Enter);
        let choice = search(self);
        let value = self.for_max(choice.value);
        self.tell(Event::Return(value));
        Choice { value, best: choice.best }
    }

    /// Goes to the node at the end of `path`, for algorithms that jump about in the tree.
    pub fn go(&mut self, path: &[Move]) {
        self.path.clear();
        self.path.extend(path.iter().copied().map(Some));
    }

    /// Tells that the node is entered, for algorithms that jump.
    pub fn enter(&mut self) {
        self.tell(Event::Enter);
    }

    /// Evaluates the node: the only place where f(N) is asked and counted.
    #[inline]
    pub fn evaluate(&mut self, node: &Position) -> Choice {
        let value = node.value();
        self.tell(Event::Leaf(value));
        Choice::of(if self.is_negamax { node.turn().sees(value) } else { value })
    }

    /// Tells the window of the node, in the algorithm's own point of view.
    #[inline]
    pub fn window(&mut self, alpha: Value, beta: Value) {
        let (low, high) = match self.point_of_view() {
            Side::Max => (alpha, beta),
            Side::Min => (-beta, -alpha),
        };
        self.tell(Event::Window(low, high));
    }

    /// Tells that a max node's moves are cut off, or a mover's in negamax.
    pub fn cut_by_beta(&mut self, beta: Value, skipped: &[Move]) {
        let cut = match self.point_of_view() {
            Side::Max => Cut::Beta(beta),
            Side::Min => Cut::Alpha(-beta),
        };
        self.cut(cut, skipped);
    }

    /// Tells that a min node's moves are cut off.
    pub fn cut_by_alpha(&mut self, alpha: Value, skipped: &[Move]) {
        self.cut(Cut::Alpha(alpha), skipped);
    }

    /// Tells that moves are cut off, if there are any left.
    pub fn cut(&mut self, cut: Cut, skipped: &[Move]) {
        if !skipped.is_empty() {
            self.tell(Event::Cut(cut, skipped));
        }
    }

    /// Tells that the node's value came from a table.
    pub fn hit(&mut self, value: Value) {
        let value = self.for_max(value);
        self.tell(Event::Hit(value));
    }

    /// Tells something that only this algorithm does.
    pub fn note(&mut self, text: &str) {
        self.tell(Event::Note(text));
    }

    /// Tells the value of the node where the search is, for algorithms that jump.
    pub fn returned(&mut self, value: Value) {
        self.tell(Event::Return(value));
    }

    /// Tells that a leaf was judged otherwise than by a game's f(N).
    pub fn judged(&mut self, value: Value) {
        self.tell(Event::Leaf(value));
    }

    /// Tells the node's worth for each player of a game for many.
    pub fn shares(&mut self, values: &[Value]) {
        self.tell(Event::Shares(values));
    }

    #[inline]
    fn point_of_view(&self) -> Side {
        if self.is_negamax { self.side() } else { Side::Max }
    }

    fn for_max(&self, value: Value) -> Value {
        self.point_of_view().sees(value)
    }

    #[inline]
    fn tell(&mut self, event: Event) {
        self.observer.see(&self.path, &event);
    }
}
