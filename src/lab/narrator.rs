//! The search told in words, step by step, as a teacher would at the blackboard.

use super::game::{INFINITE, Side, Value};
use super::moves::Move;
use super::watch::{Cut, Event, Observer};

/// An observer that says what happens, a line a step, indented by the ply.
pub struct Narrator<F> {
    root: Side,
    show: F,
    /// What was said, in order.
    pub lines: Vec<String>,
}

impl<F: Fn(Value) -> String> Narrator<F> {
    /// A narrator of a search whose root belongs to `root`; `show` writes a value.
    pub fn new(root: Side, show: F) -> Narrator<F> {
        Narrator { root, show, lines: Vec::new() }
    }

    fn side(&self, ply: usize) -> Side {
        if ply.is_multiple_of(2) { self.root } else { self.root.other() }
    }

    fn bound(&self, value: Value) -> String {
        match value {
            v if v >= INFINITE => "+∞".to_string(),
            v if v <= -INFINITE => "−∞".to_string(),
            v => (self.show)(v),
        }
    }

    fn cut(&self, cut: Cut, skipped: &[Move]) -> String {
        let names = skipped.iter().map(Move::to_string).collect::<Vec<_>>().join(", ");
        match cut {
            Cut::Alpha(alpha) => {
                format!("Max already has α = {}: {names} cut off", self.bound(alpha))
            }
            Cut::Beta(beta) => {
                format!("Min already has β = {}: {names} cut off", self.bound(beta))
            }
            Cut::Guess(why) => format!("{why}: {names} left out"),
        }
    }
}

impl<F: Fn(Value) -> String> Observer for Narrator<F> {
    fn see(&mut self, path: &[Option<Move>], event: &Event) {
        let side = self.side(path.len());
        let line = match event {
            Event::Enter => match path.last() {
                None => format!("{side:?} is to move"),
                Some(m) => {
                    let name = m.map_or("a pass".to_string(), |m| m.to_string());
                    format!("{:?} tries {name}", side.other())
                }
            },
            Event::Window(alpha, beta) => {
                format!("{side:?}'s node: α = {}, β = {}", self.bound(*alpha), self.bound(*beta))
            }
            Event::Leaf(value) => format!("evaluated: {}", (self.show)(*value)),
            Event::Cut(cut, skipped) => self.cut(*cut, skipped),
            Event::Hit(value) => format!("known from the table: {}", self.bound(*value)),
            Event::Return(value) => {
                let name = match path.last() {
                    None => "the root".to_string(),
                    Some(m) => m.map_or("the pass".to_string(), |m| m.to_string()),
                };
                format!("so {name} is worth {}", self.bound(*value))
            }
            Event::Shares(values) => {
                let shares: Vec<String> = values.iter().map(|&value| self.bound(value)).collect();
                format!("[{}]", shares.join(" "))
            }
            Event::Note(note) => note.to_string(),
        };
        self.lines.push(format!("{}{line}", "  ".repeat(path.len())));
    }
}
