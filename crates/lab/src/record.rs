//! A search written down: its tree, and every step in order. Pictures and pages are made from it.
//!
//! A record is planned before it is made: the search runs once to count the nodes of each ply, and
//! nodes further down than [`MAX_NODES`] allow are then counted but not kept.

use std::collections::HashMap;

use super::algorithms::Algorithm;
use super::constants::Constants;
use super::game::{Board, Position, Side, Value};
use super::moves::Move;
use super::narrator::{self, describe};
use super::texts::{Line, Texts};
use super::tracker::{Frame, Sink, Tracker};
use super::watch::{Bound, Choice, Counter, Cut, Event, Note, Pass, Plies, RootShares};

/// Most visits of nodes that a record keeps.
pub const MAX_NODES: u64 = 20_000;

/// A node that was entered, perhaps more than once.
#[derive(Clone, Debug)]
pub struct Node {
    /// The move that leads here; none at the root and after a null move.
    pub m: Option<Move>,
    /// The move as players write it; empty at the root.
    pub name: String,
    /// The side to move.
    pub side: Side,
    /// The player to move, from 0.
    pub mover: usize,
    /// The parent's place; the root is its own.
    pub parent: usize,
    /// Places of the children, in the order of their first visits.
    pub children: Vec<usize>,
    /// The board, if the game has one.
    pub board: Option<Board>,
    /// Moves that there are here.
    pub breadth: usize,
}

/// One step of the search at a node.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// The node is entered.
    Enter,
    /// Its window.
    Window(Value, Value),
    /// Its window has become this one.
    Narrow(Value, Value),
    /// f(N): one value, or one a player in a game for many.
    Leaf(Vec<Value>),
    /// Moves that are not searched, by name.
    Cut(Cut, Vec<String>),
    /// A bound from the table.
    Hit(Value, Bound),
    /// The value that goes back up.
    Return(Value, Bound),
    /// The value for each player, chosen from the children's.
    Shares(Vec<Value>),
    /// A new pass.
    Pass(Pass),
    /// A step that only some algorithms have.
    Note(Note),
    /// A state of SSS\*: solved or live, with ĥ.
    State(bool, Value),
    /// The states below leave the list.
    Purge,
    /// Nodes and leaves further down that are counted but not kept.
    Hidden(u64, u64),
}

/// One step.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The node's place.
    pub node: usize,
    /// The step.
    pub action: Action,
    /// The step in words.
    pub line: Option<Line>,
}

/// A search written down.
#[derive(Clone, Debug)]
pub struct Record {
    /// The algorithm's name.
    pub algorithm: &'static str,
    /// Plies that were asked for.
    pub depth: u32,
    /// The result.
    pub found: Choice,
    /// The result for each player of a game for many.
    pub shares: Vec<Value>,
    /// The cost.
    pub counter: Counter,
    /// The position at the root.
    pub root: Position,
    /// All nodes that were kept; the root is the first.
    pub nodes: Vec<Node>,
    /// All steps.
    pub steps: Vec<Step>,
    /// The last ply that was kept, if some were not.
    pub last_ply: Option<usize>,
}

/// Searches twice: to plan the record, and to make it.
pub fn record(
    algorithm: &Algorithm,
    constants: Constants,
    root: &Position,
    depth: u32,
    texts: &Texts,
) -> Record {
    let mut plies = Plies::default();
    algorithm.run_with(constants, None, root, depth, &mut plies);
    let mut sum = 0;
    let kept = plies.0.iter().take_while(|&&entries| {
        sum += entries;
        sum <= MAX_NODES
    });
    let last_ply = kept.count().max(2) - 1;
    let mut recorder = Recorder::new(root, texts, last_ply);
    let mut shares = RootShares::default();
    let mut counter = Counter::default();
    let found = {
        let mut watchers = ((&mut counter, &mut shares), Tracker::new(root, texts, &mut recorder));
        algorithm.run_with(constants, None, root, depth, &mut watchers)
    };
    Record {
        algorithm: algorithm.name,
        depth,
        found,
        shares: shares.0,
        counter,
        root: root.clone(),
        nodes: recorder.nodes,
        steps: recorder.steps,
        last_ply: (plies.0.len() > last_ply + 1).then_some(last_ply),
    }
}

impl Record {
    /// The value as a person reads it, a vector in a game for many.
    pub fn value(&self, texts: &Texts) -> String {
        match self.shares.as_slice() {
            [] => self.show(texts, self.found.value),
            shares => {
                let shares: Vec<String> = shares.iter().map(|&v| self.show(texts, v)).collect();
                format!("[{}]", shares.join(" "))
            }
        }
    }

    /// The chosen move as players write it.
    pub fn best(&self, texts: &Texts) -> String {
        let none = || texts.get("none").to_string();
        self.found.best.map_or_else(none, |m| narrator::show_move(texts, &self.root, m))
    }

    /// A value as a person reads it.
    pub fn show(&self, texts: &Texts, value: Value) -> String {
        narrator::show_value(texts, &self.root, value)
    }

    /// The passes over the tree: the step that begins each, and the range of its steps.
    pub fn passes(&self) -> Vec<(Option<Line>, std::ops::Range<usize>)> {
        let is_pass = |step: &Step| matches!(step.action, Action::Pass(_));
        let starts: Vec<usize> =
            (0..self.steps.len()).filter(|&i| is_pass(&self.steps[i])).collect();
        let mut passes = Vec::new();
        let first = starts.first().copied().unwrap_or(self.steps.len());
        if self.steps[..first].iter().any(|step| step.node > 0) || starts.is_empty() {
            passes.push((None, 0..first));
        }
        for (i, &start) in starts.iter().enumerate() {
            let end = starts.get(i + 1).copied().unwrap_or(self.steps.len());
            passes.push((self.steps[start].line.clone(), start..end));
        }
        passes
    }

    /// The places of the principal variation's nodes, the root first: from the chosen move on, always
    /// the first child that came back with its parent's value, exactly.
    pub fn principal_variation(&self) -> Vec<usize> {
        let mut results: HashMap<usize, (Value, Bound)> = HashMap::new();
        // In a game for many a child may have the first player's value alone in common with the chosen one.
        let mut shares: HashMap<usize, &[Value]> = HashMap::new();
        for step in &self.steps {
            match &step.action {
                Action::Return(value, bound) => {
                    results.insert(step.node, (*value, *bound));
                }
                Action::Leaf(values) | Action::Shares(values) if self.root.players() > 2 => {
                    shares.insert(step.node, values);
                }
                _ => {}
            }
        }
        let best = self.found.best;
        let children = |node: usize| self.nodes[node].children.iter().copied();
        let first = children(0).find(|&child| self.nodes[child].m == best && best.is_some());
        let mut line = vec![0];
        line.extend(first);
        while line.len() > 1 {
            let here = line[line.len() - 1];
            let value = results.get(&here).map(|(value, _)| *value);
            let is_next = |child: &usize| {
                results
                    .get(child)
                    .is_some_and(|&(found, bound)| Some(found) == value && bound == Bound::Exact)
                    && shares.get(child) == shares.get(&here)
            };
            let next = children(here).find(is_next);
            match next {
                Some(next) if value.is_some() => line.push(next),
                _ => break,
            }
        }
        line
    }
}

/// A sink that writes the search down.
struct Recorder<'a> {
    nodes: Vec<Node>,
    steps: Vec<Step>,
    places: HashMap<(usize, Option<Move>), usize>,
    texts: &'a Texts,
    last_ply: usize,
    hidden: (u64, u64),
}

impl<'a> Recorder<'a> {
    fn new(root: &Position, texts: &'a Texts, last_ply: usize) -> Recorder<'a> {
        let mut recorder = Recorder {
            nodes: Vec::new(),
            steps: Vec::new(),
            places: HashMap::new(),
            texts,
            last_ply,
            hidden: (0, 0),
        };
        recorder.add(None, String::new(), root, 0);
        recorder
    }

    fn add(&mut self, m: Option<Move>, name: String, position: &Position, parent: usize) -> usize {
        self.nodes.push(Node {
            m,
            name,
            side: position.turn(),
            mover: position.mover(),
            parent,
            children: Vec::new(),
            board: position.board(),
            breadth: position.moves().len(),
        });
        self.nodes.len() - 1
    }

    /// The place of the path's last node, written down now if it is new.
    fn place(&mut self, path: &[Frame]) -> usize {
        let mut at = 0;
        for frame in path.iter().skip(1) {
            at = match self.places.get(&(at, frame.m)) {
                Some(&child) => child,
                None => {
                    let name = match frame.m {
                        Some(_) => frame.name.clone(),
                        None => self.texts.get("pass").to_string(),
                    };
                    let child = self.add(frame.m, name, &frame.position, at);
                    self.nodes[at].children.push(child);
                    self.places.insert((at, frame.m), child);
                    child
                }
            };
        }
        at
    }
}

impl Sink for Recorder<'_> {
    fn step(&mut self, path: &[Frame], event: &Event, bound: Bound) {
        if path.len() > self.last_ply + 1 {
            self.hidden.0 += u64::from(matches!(event, Event::Enter));
            self.hidden.1 += u64::from(matches!(event, Event::Leaf(_)));
            return;
        }
        let Some(action) = action(self.texts, path, event, bound) else { return };
        let node = self.place(path);
        let (nodes, leaves) = std::mem::take(&mut self.hidden);
        if nodes > 0 {
            self.steps.push(Step { node, action: Action::Hidden(nodes, leaves), line: None });
        }
        let line = describe(self.texts, path, event, bound);
        self.steps.push(Step { node, action, line });
    }
}

/// The step as it is kept; none if it is only counted.
fn action(texts: &Texts, path: &[Frame], event: &Event, bound: Bound) -> Option<Action> {
    Some(match event {
        Event::Enter => Action::Enter,
        Event::Window(alpha, beta) => Action::Window(*alpha, *beta),
        Event::Narrow(alpha, beta) => Action::Narrow(*alpha, *beta),
        Event::Leaf(value) => {
            let shares = path.last().and_then(|here| here.shares.clone());
            Action::Leaf(shares.unwrap_or_else(|| vec![*value]))
        }
        // The leaf has them.
        Event::Shares(_) if path.last().is_some_and(Frame::is_leaf) => return None,
        Event::Cut(cut, skipped) => {
            let here = path.last()?;
            let name = |&m: &Move| narrator::show_move(texts, &here.position, m);
            Action::Cut(*cut, skipped.iter().map(name).collect())
        }
        Event::Hit(value, bound) => Action::Hit(*value, *bound),
        Event::Return(value) => Action::Return(*value, bound),
        Event::Shares(values) => Action::Shares(values.to_vec()),
        Event::Pass(pass) => Action::Pass(*pass),
        Event::Note(note) => Action::Note(*note),
        Event::State { is_solved, h } => Action::State(*is_solved, *h),
        Event::Purge => Action::Purge,
        Event::Estimate(_) | Event::Unknown | Event::Memory(_) | Event::Round(..) => return None,
    })
}
