//! The path of a search with everything known about its nodes: positions, names, windows, and
//! whether a value that goes back up is the value itself or a bound.
//!
//! Narrator and record are both fed from here, so words, pictures and pages say the same. The
//! tracker keeps no more than the path.

use super::game::{Position, Side, Value};
use super::moves::Move;
use super::narrator::show_move;
use super::texts::Texts;
use super::watch::{Bound, Cut, Event, Observer};

/// A node on the path.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The move that leads here; none at the root and after a null move.
    pub m: Option<Move>,
    /// The move as players write it; empty at the root and after a null move.
    pub name: String,
    /// The position.
    pub position: Position,
    /// The window of its search, in Max's view.
    pub window: Option<(Value, Value)>,
    /// The child that set the present window.
    pub holder: Option<String>,
    /// The result for each player of a game for many.
    pub shares: Option<Vec<Value>>,
    /// The value so far: that of the best child that came back.
    pub best: Option<Value>,
    last_child: Option<String>,
    children: Vec<(Option<Move>, Value, Bound)>,
    leaf: Option<Value>,
    hit: Option<(Value, Bound)>,
    is_cut: bool,
}

impl Frame {
    /// True if the node is evaluated, at the end of the game or of the depth.
    pub fn is_leaf(&self) -> bool {
        self.leaf.is_some()
    }

    fn new(m: Option<Move>, name: String, position: Position) -> Frame {
        Frame {
            m,
            name,
            position,
            window: None,
            holder: None,
            shares: None,
            best: None,
            last_child: None,
            children: Vec::new(),
            leaf: None,
            hit: None,
            is_cut: false,
        }
    }

    /// Forgets the search of the node so far.
    fn restart(&mut self) {
        *self = Frame::new(self.m, std::mem::take(&mut self.name), self.position.clone());
    }

    /// The meaning of `value` as this node's result. It is exact if the children prove it; or else
    /// the window decides.
    fn bound(&self, value: Value) -> Bound {
        if let Some((_, bound)) = self.hit.filter(|(hit, _)| *hit == value) {
            return bound;
        }
        if self.children.is_empty() && self.leaf == Some(value) {
            return Bound::Exact;
        }
        let Some((alpha, beta)) = self.window else { return Bound::Exact };
        match value {
            v if self.is_proved(v) => Bound::Exact,
            v if v <= alpha => Bound::AtMost,
            v if v >= beta => Bound::AtLeast,
            _ => Bound::Exact,
        }
    }

    /// True if the children's bounds leave no other value.
    fn is_proved(&self, value: Value) -> bool {
        let side = self.position.turn();
        let results = self.children.iter().map(|&(_, value, bound)| (value, bound));
        let all: Vec<(Value, Bound)> =
            results.chain(self.leaf.map(|value| (value, Bound::Exact))).collect();
        let (reaches, limits) = match side {
            Side::Max => (Bound::AtLeast, Bound::AtMost),
            Side::Min => (Bound::AtMost, Bound::AtLeast),
        };
        let is_reached =
            all.iter().any(|&(v, bound)| v == value && (bound == Bound::Exact || bound == reaches));
        let is_limited = all.iter().all(|&(v, bound)| {
            (bound == Bound::Exact || bound == limits) && side.sees(v) <= side.sees(value)
        });
        is_reached && is_limited && !self.is_cut
    }

    fn learn(&mut self, m: Option<Move>, name: &str, value: Value, bound: Bound) {
        self.children.retain(|(known, ..)| *known != m);
        self.children.push((m, value, bound));
        self.last_child = Some(name.to_string());
        let side = self.position.turn();
        let is_better = self.best.is_none_or(|best| side.sees(value) > side.sees(best));
        if is_better {
            self.best = Some(value);
        }
    }
}

/// A receiver of tracked steps. `path` leads from the root to the event's node; `bound` is the meaning
/// of the value in [`Event::Return`] and [`Event::Hit`].
pub trait Sink {
    /// Takes notice of one step.
    fn step(&mut self, path: &[Frame], event: &Event, bound: Bound);
}

/// An observer that knows the path and passes the steps on.
pub struct Tracker<'a> {
    path: Vec<Frame>,
    texts: &'a Texts,
    sink: &'a mut dyn Sink,
}

impl<'a> Tracker<'a> {
    /// A tracker of a search of `root`; moves have their names in the language of `texts`.
    pub fn new(root: &Position, texts: &'a Texts, sink: &'a mut dyn Sink) -> Tracker<'a> {
        Tracker { path: vec![Frame::new(None, String::new(), root.clone())], texts, sink }
    }

    /// Brings the frames to `path`, whose last node may be entered anew.
    fn go(&mut self, path: &[Option<Move>], is_new: bool) {
        let known = self.path.iter().skip(1).zip(path).take_while(|(frame, m)| frame.m == **m);
        let common = known.count().min(path.len() - usize::from(is_new && !path.is_empty()));
        self.path.truncate(common + 1);
        for &m in &path[common..] {
            let Some(parent) = self.path.last() else { return };
            let child = match m {
                Some(m) => {
                    let name = show_move(self.texts, &parent.position, m);
                    Frame::new(Some(m), name, parent.position.play(m))
                }
                None => {
                    let passed = parent.position.pass();
                    Frame::new(None, String::new(), passed.unwrap_or(parent.position.clone()))
                }
            };
            self.path.push(child);
        }
    }

    /// Notes what the event says of its node, and returns the meaning of its value.
    fn learn(&mut self, event: &Event) -> Bound {
        let Some((frame, above)) = self.path.split_last_mut() else { return Bound::Exact };
        match event {
            Event::Window(alpha, beta) => {
                frame.window = Some((*alpha, *beta));
                frame.is_cut = false;
            }
            Event::Narrow(alpha, beta) => {
                frame.window = Some((*alpha, *beta));
                frame.holder = frame.last_child.clone();
            }
            Event::Pass(_) => frame.restart(),
            Event::Leaf(value) => {
                frame.leaf = Some(*value);
                frame.best.get_or_insert(*value);
                if frame.position.players() > 2 {
                    frame.shares = Some(frame.position.values());
                }
            }
            Event::Shares(shares) => frame.shares = Some(shares.to_vec()),
            Event::Cut(Cut::Alpha(_) | Cut::Beta(_), _) => frame.is_cut = true,
            Event::Hit(value, bound) => {
                frame.hit = Some((*value, *bound));
                return *bound;
            }
            Event::Return(value) => {
                let bound = frame.bound(*value);
                let is_real = frame.m.is_some();
                if let Some(parent) = above.last_mut().filter(|_| is_real) {
                    parent.learn(frame.m, &frame.name, *value, bound);
                }
                return bound;
            }
            _ => {}
        }
        Bound::Exact
    }
}

impl Observer for Tracker<'_> {
    fn see(&mut self, path: &[Option<Move>], event: &Event) {
        self.go(path, matches!(event, Event::Enter));
        let bound = self.learn(event);
        self.sink.step(&self.path, event, bound);
    }
}

/// The ancestor that holds the bound of a cut, as the name of its child that set it; none if the
/// bound was given with the search.
pub fn holder<'a>(path: &'a [Frame], cut: &Cut) -> Option<&'a str> {
    let (_, above) = path.split_last()?;
    let holds = |frame: &&Frame| match (cut, frame.position.turn(), frame.window) {
        (Cut::Alpha(bound), Side::Max, Some((alpha, _))) => alpha == *bound,
        (Cut::Beta(bound), Side::Min, Some((_, beta))) => beta == *bound,
        _ => false,
    };
    above.iter().rev().filter(holds).find_map(|frame| frame.holder.as_deref())
}
