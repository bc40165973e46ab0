//! What a position is worth: material, king safety, king proximity, and nothing else, but for
//! the drive of a losing king to the edge once the pawns are gone, and in rule sets other than
//! chess one term for what wins there.
//!
//! The three terms are those of the paper that the project builds on (section 7):
//! the weights of the pieces, how well a king's own pieces protect it (BRP, NRP),
//! and how near the enemy's pieces are to it (BAR, NAR). The paper divides; we add
//! centipawns, because a ratio lets a program sacrifice a piece for a step nearer.
//!
//! The search knows only the trait [`Evaluator`]. Every evaluator keeps a small
//! state that follows the moves, and can explain its score as a [`Breakdown`].

pub mod king_drive;
pub mod king_proximity;
pub mod king_relative;
pub mod king_safety;
mod king_table;
pub mod material;

pub mod rule_term;
pub mod tables;
mod tapered;

use std::fmt;

use shakmaty::{ByColor, Color, Move};

use crate::rules::Rules;
use crate::score::Score;

pub use king_relative::KingRelative;
pub use king_table::{KingTable, View};
pub use tapered::{FULL_PHASE, Tapered};

/// Scores positions of the rule set `P`.
pub trait Evaluator<P: Rules>: Clone + Send + Sync + 'static {
    /// What the evaluator remembers of a position, so that a move costs only its difference.
    type State: Clone + Send;

    /// The state of a position, from scratch.
    fn state(&self, position: &P) -> Self::State;

    /// The state of `after`, which is `before` (whose state is `state`) after the legal move `m`.
    /// Equals `self.state(after)`.
    fn state_after(&self, state: &Self::State, before: &P, m: Move, after: &P) -> Self::State;

    /// The score of `position`, whose state is `state`, for the side to move.
    fn score(&self, position: &P, state: &Self::State) -> Score;

    /// The score of `position` term by term.
    fn explain(&self, position: &P) -> Breakdown;
}

/// One named term of an evaluation.
#[derive(Clone, Debug)]
pub struct Term {
    /// What the term is about.
    pub name: &'static str,
    /// What each side has of it.
    pub value: ByColor<Tapered>,
}

/// An evaluation term by term. The terms add up to the score.
#[derive(Clone, Debug)]
pub struct Breakdown {
    /// The terms, in the order they are told.
    pub terms: Vec<Term>,
    /// How much of the opening is left, from [`FULL_PHASE`] down to 0.
    pub phase: i32,
    /// The side to move.
    pub turn: Color,
}

impl Breakdown {
    /// What each side has of all terms.
    pub fn total(&self) -> ByColor<Tapered> {
        ByColor::new_with(|color| {
            self.terms.iter().fold(Tapered::ZERO, |sum, term| sum + *term.value.get(color))
        })
    }

    /// The sum of the terms for the side to move: the evaluator's score.
    pub fn score(&self) -> Score {
        let total = self.total();
        let white = (total.white - total.black).at_phase(self.phase);
        Score::centipawns(self.turn.fold_wb(white, -white))
    }
}

impl fmt::Display for Breakdown {
    /// A table in pawns: a row per term, each side's opening and endgame value, and the
    /// difference at the position's own phase.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pawns = |centipawns: i32| f64::from(centipawns) / 100.0;
        let rule = "-".repeat(72);
        writeln!(f, "{:<16} | {:^17} | {:^17} | {:^13}", "term", "White", "Black", "difference")?;
        writeln!(
            f,
            "{:<16} | {:>8} {:>8} | {:>8} {:>8} | {:>13}",
            "(pawns)", "opening", "endgame", "opening", "endgame", "at this phase"
        )?;
        writeln!(f, "{rule}")?;
        let row = |f: &mut fmt::Formatter<'_>, name: &str, value: &ByColor<Tapered>| {
            writeln!(
                f,
                "{:<16} | {:>8.2} {:>8.2} | {:>8.2} {:>8.2} | {:>+13.2}",
                name,
                pawns(value.white.opening()),
                pawns(value.white.endgame()),
                pawns(value.black.opening()),
                pawns(value.black.endgame()),
                pawns((value.white - value.black).at_phase(self.phase)),
            )
        };
        for term in &self.terms {
            row(f, term.name, &term.value)?;
        }
        writeln!(f, "{rule}")?;
        row(f, "total", &self.total())?;
        let score = self.score().raw();
        let white = self.turn.fold_wb(score, -score);
        writeln!(f)?;
        writeln!(f, "phase {} of {FULL_PHASE} (24 = opening, 0 = endgame)", self.phase)?;
        write!(
            f,
            "score {:+.2} for White, {score:+} centipawns for the side to move ({})",
            pawns(white),
            self.turn.fold_wb("White", "Black")
        )
    }
}
