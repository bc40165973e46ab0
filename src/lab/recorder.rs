//! The searched tree as it was searched: an observer that writes down, for every node, its
//! window, its value and what was cut off. The drawings are made from it.

use super::game::{Side, Value};
use super::moves::Move;
use super::watch::{Cut, Event, Observer};

/// More nodes than this are not written down; a picture could not show them.
const MOST_NODES: usize = 200_000;

/// A node that was entered, perhaps more than once.
#[derive(Clone, Debug)]
pub struct Node {
    /// The move that leads here; empty at the root.
    pub name: String,
    /// Who moves.
    pub side: Side,
    /// The first window that it was searched with.
    pub window: Option<(Value, Value)>,
    /// The value that it returned last.
    pub value: Option<Value>,
    /// True if it was evaluated and not only searched.
    pub is_leaf: bool,
    /// True if its value came from a table.
    pub is_from_table: bool,
    /// Moves that were not searched, and why.
    pub cut: Option<(Cut, Vec<String>)>,
    /// What the algorithm said of it last.
    pub note: Option<String>,
    /// Its worth for each player of a game for many.
    pub shares: Option<Vec<Value>>,
    /// How often it was entered.
    pub visits: u32,
    /// Places of the children, in the order of their first visits.
    pub children: Vec<usize>,
}

/// The tree as it grows; its root is node 0.
#[derive(Clone, Debug)]
pub struct Recorder {
    /// All nodes.
    pub nodes: Vec<Node>,
    moves: Vec<Option<Move>>,
    root: Side,
    is_full: bool,
}

impl Recorder {
    /// A recorder of a search whose root belongs to `root`.
    pub fn new(root: Side) -> Recorder {
        let mut recorder = Recorder { nodes: Vec::new(), moves: Vec::new(), root, is_full: false };
        recorder.add(String::new(), None, root);
        recorder
    }

    fn add(&mut self, name: String, m: Option<Move>, side: Side) -> usize {
        self.moves.push(m);
        self.nodes.push(Node {
            name,
            side,
            window: None,
            value: None,
            is_leaf: false,
            is_from_table: false,
            cut: None,
            note: None,
            shares: None,
            visits: 0,
            children: Vec::new(),
        });
        self.nodes.len() - 1
    }

    /// The node at the end of `path`, written down now if it is new.
    fn find(&mut self, path: &[Option<Move>]) -> Option<usize> {
        let mut at = 0;
        for (ply, &m) in path.iter().enumerate() {
            let known = self.nodes[at].children.iter().copied().find(|&i| self.moves[i] == m);
            at = match known {
                Some(child) => child,
                None if self.nodes.len() >= MOST_NODES => {
                    self.is_full = true;
                    return None;
                }
                None => {
                    let name = m.map_or("pass".to_string(), |m| m.to_string());
                    let is_odd = ply.is_multiple_of(2);
                    let child =
                        self.add(name, m, if is_odd { self.root.other() } else { self.root });
                    self.nodes[at].children.push(child);
                    child
                }
            };
        }
        Some(at)
    }

    /// True if the tree was too big to be written down in full.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// The places of the principal variation's nodes, the root first: from `best` on, always
    /// the first child that has its parent's value.
    pub fn principal_variation(&self, best: Option<Move>) -> Vec<usize> {
        let first = self.nodes[0].children.iter().copied().find(|&i| self.moves[i] == best);
        let mut line = vec![0];
        line.extend(first);
        while line.len() > 1 {
            let node = &self.nodes[line[line.len() - 1]];
            let next = node.children.iter().copied().find(|&i| self.nodes[i].value == node.value);
            match next {
                Some(next) if node.value.is_some() => line.push(next),
                _ => break,
            }
        }
        line
    }

    /// How many nodes there are below a node, itself included.
    pub fn size(&self, node: usize) -> usize {
        1 + self.nodes[node].children.iter().map(|&child| self.size(child)).sum::<usize>()
    }
}

impl Observer for Recorder {
    fn see(&mut self, path: &[Option<Move>], event: &Event) {
        let Some(at) = self.find(path) else { return };
        let node = &mut self.nodes[at];
        match event {
            Event::Enter => node.visits += 1,
            Event::Window(alpha, beta) => {
                node.window.get_or_insert((*alpha, *beta));
                // A new search of the node: what the last one cut off may be looked at now.
                node.cut = None;
            }
            Event::Leaf(value) => {
                node.is_leaf = true;
                node.value = Some(*value);
            }
            Event::Cut(cut, skipped) => {
                let names = skipped.iter().map(Move::to_string).collect();
                node.cut = Some((*cut, names));
            }
            Event::Hit(_) => node.is_from_table = true,
            Event::Return(value) => node.value = Some(*value),
            Event::Shares(values) => node.shares = Some(values.to_vec()),
            Event::Note(note) => node.note = Some(note.to_string()),
        }
    }
}
