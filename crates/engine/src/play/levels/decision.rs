//! The depth of one move with the reason for it, in words and figures.

use std::fmt;

use super::form::Form;
use crate::limits::DepthPlan;
use crate::search::report::Reason;

/// A measure of a position's choices, as a formula compares it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compared {
    /// The reference.
    pub reference: f64,
    /// In the position.
    pub now: f64,
}

/// The facts behind a decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Basis {
    /// None.
    Nothing,
    /// There is no choice.
    Forced,
    /// Mean number of moves per ply: the greatest mean of the game's course, and now.
    Mobility(Compared),
    /// Leaves of the unpruned tree of the base depth, estimated.
    Leaves(Compared),
    /// Leaves of the least tree of alpha-beta of the base depth, counted.
    Walk(Compared),
    /// Legal moves.
    Choices(Compared),
    /// Expected nodes of the move.
    Budget(f64),
}

/// The depth of one move, and the reason for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The form.
    pub form: Form,
    /// Base depth ω, in plies.
    pub base: u32,
    /// Legal moves now.
    pub legal: usize,
    /// Legal moves at the start.
    pub start: usize,
    /// Depth by the paper's formula as printed, in plies: by leaves for the forms by leaves, by moves for all
    /// others; [`MAX_PLY`](crate::score::MAX_PLY) where it has no value.
    pub paper: u32,
    /// The facts behind it.
    pub basis: Basis,
    /// Least depth ψ, in plies.
    pub least: u32,
    /// Greatest depth ψ, in plies; above `least` only if the search itself decides.
    pub most: u32,
    /// Nodes beyond which no iteration deeper than `least` begins.
    pub budget: u64,
    /// Nodes at which the search ends, in whatever iteration.
    pub cap: Option<u64>,
}

impl Decision {
    /// The plan for the search.
    pub fn plan(&self) -> DepthPlan {
        let Decision { least, most, budget, cap, .. } = *self;
        DepthPlan { least, most, budget, cap }
    }

    /// The arithmetic of the depth, such as `4 · ln 36.0 / ln 6.5 = 7.66 → 8`.
    pub fn arithmetic(&self) -> String {
        let (base, chosen) = (self.base, self.most);
        let equation = |about: &str, digits: usize, Compared { reference, now }: Compared| {
            let exact = f64::from(base) * reference.ln() / now.ln();
            format!(
                "{base} · ln {about}{reference:.digits$} / ln {about}{now:.digits$} = {exact:.2} → {chosen}"
            )
        };
        match self.basis {
            Basis::Nothing => "ω".to_string(),
            Basis::Forced => "one legal move".to_string(),
            Basis::Mobility(measure) => equation("", 1, measure),
            Basis::Leaves(measure) => equation("≈", 0, measure),
            Basis::Walk(measure) | Basis::Choices(measure) => equation("", 0, measure),
            Basis::Budget(nodes) => {
                format!("{base} to {}, while {nodes:.0} nodes are enough", self.most)
            }
        }
    }

    /// The reason for the depth of a move, after a search that `reached` this many plies with `nodes` nodes.
    pub fn reason(&self, reached: u32, nodes: u64) -> Reason {
        let plies = if reached == 1 { "half-move" } else { "half-moves" };
        let base = self.base;
        let words = match self.basis {
            Basis::Forced => "the only move".to_string(),
            _ if reached > base => {
                format!(
                    "looked {reached} {plies} ahead instead of {base}: there is less to choose from"
                )
            }
            _ => format!("looked {reached} {plies} ahead"),
        };
        Reason { words, details: self.summary(reached, nodes) }
    }

    /// The decision in one line of fields.
    fn summary(&self, reached: u32, nodes: u64) -> String {
        let Decision { form, base, legal, start, paper, .. } = self;
        // Where the search itself decides, the depth reached is the depth wanted.
        let depth = reached.max(self.least);
        let mut line = format!(
            "dda form={} legal={legal} start={start} base={base} depth={depth} paper={paper} \
             nodes={nodes}{}",
            form.name(),
            self.basis
        );
        if reached < depth {
            line.push_str(&format!(" reached={reached}"));
        }
        line
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Basis::Nothing | Basis::Choices(_) => Ok(()),
            Basis::Forced => f.write_str(" forced"),
            Basis::Mobility(Compared { reference, now }) => {
                write!(f, " mobility={now:.1}/{reference:.1}")
            }
            Basis::Leaves(Compared { reference, now }) => {
                write!(f, " leaves=~{now:.0}/~{reference:.0}")
            }
            Basis::Walk(Compared { reference, now }) => write!(f, " walk={now:.0}/{reference:.0}"),
            Basis::Budget(budget) => write!(f, " budget={budget:.0}"),
        }
    }
}
