//! The events of a search: one stream, from which one observer counts, another tells the search in
//! words, and a third writes it down for pictures and pages.
//!
//! An algorithm is handed a [`Watch`] and reports the steps that the textbooks name: a node is
//! entered with a window, a leaf is evaluated, α rises, moves are cut off, a value goes back up.
//! Values reach the observers from Max's point of view, whichever way the algorithm counts.

use web_time::Instant;

use super::constants::Constants;
use super::game::{INFINITE, Position, Side, Value};
use super::moves::Move;

/// The result of a search: the value of a node and the move that attains it, as the lecture's
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

/// The meaning of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value itself.
    Exact,
    /// The node is worth this or more.
    AtLeast,
    /// The node is worth this or less.
    AtMost,
}

impl Bound {
    /// The same bound of the negated value.
    pub fn flip(self) -> Bound {
        match self {
            Bound::Exact => Bound::Exact,
            Bound::AtLeast => Bound::AtMost,
            Bound::AtMost => Bound::AtLeast,
        }
    }
}

/// The reason why moves were not searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Max has at least this much elsewhere, so Min's node is not reached.
    Alpha(Value),
    /// Min has at most this much elsewhere, so Max's node is not reached.
    Beta(Value),
    /// A guess said that they are not worth it.
    Guess(Guess),
}

/// The guesses that leave moves out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guess {
    /// Even a free move for the opponent leaves the position too good.
    NullMove,
    /// The gain would be smaller than the margin.
    Futility,
    /// The move's rank is beyond the node's factor.
    Rank,
    /// The board is given up for lost.
    CrashCut,
}

/// A new pass over the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pass {
    /// Iterative deepening: this many plies.
    Depth(u32),
    /// Aspiration: a window around the expected value.
    Expect(Value, Value),
    /// Aspiration: the value is lower; the window opens below.
    FailedLow,
    /// Aspiration: the value is higher; the window opens above.
    FailedHigh,
    /// MT: is the value at least this?
    Question(Value),
    /// Secondary search: the chosen move, deeper.
    Verify,
}

/// A step that only some algorithms have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Note {
    /// NegaScout: a later move is better than expected and is searched again.
    Research,
    /// The null move is too good; the node is searched one ply shallower.
    Verify,
    /// The shallower search disagrees; the node is searched in full.
    NotConfirmed,
    /// A critical leaf is searched further.
    Critical,
    /// One ply further the value changes drastically.
    Restless,
    /// The value is a mean over the opponent's errors.
    Weighed,
    /// The player may stop here and take the value as it stands.
    StandPat,
}

/// One step of a search. Values are Max's.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event<'a> {
    /// A node is entered.
    Enter,
    /// Its search begins with this window.
    Window(Value, Value),
    /// Its window has become this one.
    Narrow(Value, Value),
    /// It is evaluated without search.
    Leaf(Value),
    /// It is evaluated to order or classify its brothers.
    Estimate(Value),
    /// The last evaluation was of an inner node without an estimate, which counts as 0.
    Unknown,
    /// Its remaining moves are not searched.
    Cut(Cut, &'a [Move]),
    /// A bound of its value was found in a table.
    Hit(Value, Bound),
    /// Its search ends with this value.
    Return(Value),
    /// Its worth for each player of a game for many.
    Shares(&'a [Value]),
    /// A new pass over the tree begins.
    Pass(Pass),
    /// A round of this many plies is done, with this result in Max's view.
    Round(u32, Choice),
    /// A step that only some algorithms have.
    Note(Note),
    /// SSS\*: its state (N, s, ĥ) enters the list.
    State {
        /// SOLVED, or else LIVE.
        is_solved: bool,
        /// ĥ, an upper bound for the player at the root, in Max's view.
        h: Value,
    },
    /// SSS\*: the states below it leave the list.
    Purge,
    /// The list of states, or the table, has this many entries.
    Memory(usize),
}

/// An observer of the steps of a search. `path` leads from the root to the node that the event is
/// about; a null move in it is `None`.
pub trait Observer {
    /// Takes notice of one step.
    fn see(&mut self, path: &[Option<Move>], event: &Event);
}

/// The cost of a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counter {
    /// Nodes entered, the root, leaves and repeated visits among them.
    pub nodes: u64,
    /// Leaves evaluated.
    pub leaves: u64,
    /// Evaluations that only order or classify moves.
    pub estimates: u64,
    /// Values taken from a table.
    pub hits: u64,
    /// The greatest number of entries in the list of states or the table.
    pub memory: u64,
    /// Evaluations of inner nodes without an estimate.
    pub unknown: u64,
}

impl Counter {
    /// Adds another search's cost; memory is the greater of both.
    pub fn add(&mut self, other: &Counter) {
        self.nodes += other.nodes;
        self.leaves += other.leaves;
        self.estimates += other.estimates;
        self.hits += other.hits;
        self.memory = self.memory.max(other.memory);
        self.unknown += other.unknown;
    }
}

impl Observer for Counter {
    #[inline]
    fn see(&mut self, _path: &[Option<Move>], event: &Event) {
        match event {
            Event::Enter => self.nodes += 1,
            Event::Leaf(_) => self.leaves += 1,
            Event::Estimate(_) => self.estimates += 1,
            Event::Hit(..) => self.hits += 1,
            Event::Unknown => self.unknown += 1,
            Event::Memory(entries) => self.memory = self.memory.max(*entries as u64),
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

impl<O: Observer + ?Sized> Observer for &mut O {
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

/// Entries of nodes at each ply, the root's at 0: a size to plan a record by.
#[derive(Clone, Default, Debug)]
pub struct Plies(pub Vec<u64>);

impl Observer for Plies {
    fn see(&mut self, path: &[Option<Move>], event: &Event) {
        if matches!(event, Event::Enter) {
            self.0.resize(self.0.len().max(path.len() + 1), 0);
            self.0[path.len()] += 1;
        }
    }
}

/// The shares of the root in a game for many.
#[derive(Clone, Default, Debug)]
pub struct RootShares(pub Vec<Value>);

impl Observer for RootShares {
    fn see(&mut self, path: &[Option<Move>], event: &Event) {
        if let (Event::Shares(values), true) = (event, path.is_empty()) {
            self.0 = values.to_vec();
        }
    }
}

/// The line from an algorithm to its observer. It remembers the search's place in the tree.
pub struct Watch<'a> {
    /// The numbers that the algorithms go by.
    pub constants: Constants,
    observer: &'a mut dyn Observer,
    path: Vec<Option<Move>>,
    /// The window at each node of the path, in Max's view.
    windows: Vec<(Value, Value)>,
    root: Side,
    is_negamax: bool,
    deadline: Option<Instant>,
}

impl<'a> Watch<'a> {
    /// A watch over a search whose root belongs to `root`.
    pub fn new(root: Side, observer: &'a mut dyn Observer) -> Watch<'a> {
        Watch {
            constants: Constants::default(),
            observer,
            path: Vec::new(),
            windows: Vec::new(),
            root,
            is_negamax: false,
            deadline: None,
        }
    }

    /// The same watch with a time after which [`Watch::is_time_up`] holds.
    pub fn until(self, deadline: Option<Instant>) -> Watch<'a> {
        Watch { deadline, ..self }
    }

    /// The same watch with these constants.
    pub fn with(self, constants: Constants) -> Watch<'a> {
        Watch { constants, ..self }
    }

    /// True once the deadline has passed. Without a deadline it never does.
    pub fn is_time_up(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// From now on the algorithm counts as negamax does, from the mover's point of view.
    pub fn count_for_mover(&mut self) {
        self.is_negamax = true;
    }

    /// The side to move at the search's place.
    pub fn side(&self) -> Side {
        if self.path.len().is_multiple_of(2) { self.root } else { self.root.other() }
    }

    /// Plies from the root.
    pub fn ply(&self) -> u32 {
        self.path.len() as u32
    }

    /// Goes down to the node after `m`.
    #[inline]
    pub fn enter(&mut self, m: Move) {
        self.path.push(Some(m));
        self.emit(Event::Enter);
    }

    /// Goes down to the node after a null move.
    pub fn enter_pass(&mut self) {
        self.path.push(None);
        self.emit(Event::Enter);
    }

    /// Goes back up with the node's value as its parent counts it.
    #[inline]
    pub fn leave(&mut self, value: Value) {
        let value = if self.is_negamax { self.side().other().sees(value) } else { value };
        self.emit(Event::Return(value));
        self.path.pop();
    }

    /// Enters the root, searches it and reports its value, in Max's view.
    pub fn root(&mut self, search: impl FnOnce(&mut Self) -> Choice) -> Choice {
        self.emit(Event::Enter);
        let choice = search(self);
        let value = self.for_max(choice.value);
        self.path.clear();
        self.emit(Event::Return(value));
        Choice { value, best: choice.best }
    }

    /// Goes to the node at the end of `path`, for algorithms that jump about in the tree.
    pub fn go(&mut self, path: &[Move]) {
        self.path.clear();
        self.path.extend(path.iter().copied().map(Some));
    }

    /// Reports that the node is entered, for algorithms that jump.
    pub fn arrive(&mut self) {
        self.emit(Event::Enter);
    }

    /// Evaluates the node as a leaf: the only place where f(N) is asked and counted as a leaf.
    #[inline]
    pub fn evaluate(&mut self, node: &Position) -> Choice {
        let value = node.value();
        self.emit(Event::Leaf(value));
        if node.lacks_estimate() {
            self.emit(Event::Unknown);
        }
        Choice::of(if self.is_negamax { node.turn().sees(value) } else { value })
    }

    /// Evaluates a node to order or classify moves, in Max's view. It counts, but not as a leaf.
    pub fn estimate(&mut self, node: &Position) -> Value {
        let value = node.value();
        self.emit(Event::Estimate(value));
        if node.lacks_estimate() {
            self.emit(Event::Unknown);
        }
        value
    }

    /// Reports the window that the node's search begins with, in the algorithm's own view.
    #[inline]
    pub fn window(&mut self, alpha: Value, beta: Value) {
        let (low, high) = self.in_max_view(alpha, beta);
        self.windows.resize(self.path.len() + 1, (low, high));
        self.windows[self.path.len()] = (low, high);
        self.emit(Event::Window(low, high));
    }

    /// Reports the node's window after a move, if it has become narrower.
    #[inline]
    pub fn narrow(&mut self, alpha: Value, beta: Value) {
        let (low, high) = self.in_max_view(alpha, beta);
        let known = self.windows.get_mut(self.path.len());
        if let Some(known) = known.filter(|known| **known != (low, high)) {
            *known = (low, high);
            self.emit(Event::Narrow(low, high));
        }
    }

    /// Reports that a max node's moves are cut off, or a mover's in negamax.
    pub fn cut_by_beta(&mut self, beta: Value, skipped: &[Move]) {
        let cut = match self.point_of_view() {
            Side::Max => Cut::Beta(beta),
            Side::Min => Cut::Alpha(-beta),
        };
        self.cut(cut, skipped);
    }

    /// Reports that a min node's moves are cut off.
    pub fn cut_by_alpha(&mut self, alpha: Value, skipped: &[Move]) {
        self.cut(Cut::Alpha(alpha), skipped);
    }

    /// Reports that a guess leaves moves out.
    pub fn leave_out(&mut self, guess: Guess, skipped: &[Move]) {
        self.cut(Cut::Guess(guess), skipped);
    }

    fn cut(&mut self, cut: Cut, skipped: &[Move]) {
        if !skipped.is_empty() {
            self.emit(Event::Cut(cut, skipped));
        }
    }

    /// Reports that a bound of the node's value came from a table.
    pub fn hit(&mut self, value: Value, bound: Bound) {
        let event = match self.point_of_view() {
            Side::Max => Event::Hit(value, bound),
            Side::Min => Event::Hit(-value, bound.flip()),
        };
        self.emit(event);
    }

    /// Reports a new pass over the tree.
    pub fn pass(&mut self, pass: Pass) {
        let pass = match (self.point_of_view(), pass) {
            (Side::Min, Pass::Expect(alpha, beta)) => Pass::Expect(-beta, -alpha),
            (Side::Min, Pass::FailedLow) => Pass::FailedHigh,
            (Side::Min, Pass::FailedHigh) => Pass::FailedLow,
            (Side::Min, Pass::Question(value)) => Pass::Question(-value),
            (_, pass) => pass,
        };
        self.emit(Event::Pass(pass));
    }

    /// Reports the root's value after one pass of several, as the algorithm counts it.
    pub fn report(&mut self, value: Value) {
        let value = self.for_max(value);
        self.emit(Event::Return(value));
    }

    /// Reports the result of a whole round of iterative deepening.
    pub fn round(&mut self, depth: u32, found: Choice) {
        let value = self.for_max(found.value);
        self.emit(Event::Round(depth, Choice { value, ..found }));
    }

    /// Reports a step that only this algorithm has.
    pub fn note(&mut self, note: Note) {
        self.emit(Event::Note(note));
    }

    /// Reports a state that enters the list of SSS\*; ĥ in Max's view.
    pub fn state(&mut self, is_solved: bool, h: Value) {
        self.emit(Event::State { is_solved, h });
    }

    /// Reports that the states below the node leave the list of SSS\*.
    pub fn purge(&mut self) {
        self.emit(Event::Purge);
    }

    /// Reports the entries of a list or table.
    pub fn memory(&mut self, entries: usize) {
        self.emit(Event::Memory(entries));
    }

    /// Reports the node's worth for each player of a game for many, at a leaf as an evaluation.
    pub fn shares(&mut self, values: &[Value], is_leaf: bool) {
        if is_leaf {
            self.emit(Event::Leaf(values.first().copied().unwrap_or_default()));
        }
        self.emit(Event::Shares(values));
    }

    fn in_max_view(&self, alpha: Value, beta: Value) -> (Value, Value) {
        match self.point_of_view() {
            Side::Max => (alpha, beta),
            Side::Min => (-beta, -alpha),
        }
    }

    #[inline]
    fn point_of_view(&self) -> Side {
        if self.is_negamax { self.side() } else { Side::Max }
    }

    fn for_max(&self, value: Value) -> Value {
        if self.is_negamax { self.root.sees(value) } else { value }
    }

    #[inline]
    fn emit(&mut self, event: Event) {
        self.observer.see(&self.path, &event);
    }
}
