//! The state of every node at the end of one pass over the tree, as pictures show it.

use std::collections::BTreeMap;
use std::ops::Range;

use super::game::Value;
use super::record::{Action, Record};
use super::watch::{Bound, Cut};

/// The state of one node.
#[derive(Clone, Default, Debug)]
pub struct State {
    /// The value, and its meaning.
    pub value: Option<(Value, Bound)>,
    /// The window that its search began with, and the last one.
    pub windows: Option<((Value, Value), (Value, Value))>,
    /// Moves that were not searched, and why.
    pub cuts: Vec<(Cut, Vec<String>)>,
    /// The worth for each player of a game for many.
    pub shares: Option<Vec<Value>>,
    /// True if the value came from a table.
    pub is_from_table: bool,
    /// SSS\*: solved or live, with ĥ.
    pub state: Option<(bool, Value)>,
    /// Entries.
    pub visits: u32,
    /// Nodes below that were counted but not kept.
    pub hidden: u64,
}

/// The states of the nodes that the steps of `range` are about.
pub fn snapshot(record: &Record, range: Range<usize>) -> BTreeMap<usize, State> {
    let mut states: BTreeMap<usize, State> = BTreeMap::new();
    for step in record.steps.get(range).unwrap_or_default() {
        let state = states.entry(step.node).or_default();
        match &step.action {
            Action::Enter => state.visits += 1,
            Action::Window(alpha, beta) => {
                let window = (*alpha, *beta);
                state.windows = Some((window, window));
                // A new search of the node: it may look at moves that the last one cut off.
                state.cuts.clear();
            }
            Action::Narrow(alpha, beta) => {
                if let Some((_, last)) = &mut state.windows {
                    *last = (*alpha, *beta);
                }
            }
            Action::Leaf(values) => {
                state.value = values.first().map(|&value| (value, Bound::Exact));
                state.shares = (values.len() > 1).then(|| values.clone());
            }
            Action::Cut(cut, names) => state.cuts.push((*cut, names.clone())),
            Action::Hit(value, bound) => {
                state.is_from_table = true;
                state.value = Some((*value, *bound));
            }
            Action::Return(value, bound) => state.value = Some((*value, *bound)),
            Action::Shares(values) => state.shares = Some(values.clone()),
            Action::State(is_solved, h) => state.state = Some((*is_solved, *h)),
            Action::Hidden(nodes, _) => state.hidden += nodes,
            Action::Pass(_) | Action::Note(_) | Action::Purge => {}
        }
    }
    // A pass goes through the root, whether a step says so or not.
    states.entry(0).or_default();
    states
}
