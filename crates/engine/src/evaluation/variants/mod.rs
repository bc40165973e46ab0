//! The evaluation of each rule set, one file each: material, the rule set's own term, fitted tables.
//!
//! Together with its file in [`rules`](crate::rules), that file is all that the engine knows of a rule
//! set. [`Variant`] is the type-level view of it and [`with_rules`] the one way from a name to a type.

/// The network in a file beside the rule set's own. It lies in a static, because every crate that uses a constant has
/// a copy of it: the program was twice as large.
#[cfg(not(target_family = "wasm"))]
macro_rules! embedded {
    ($file:literal) => {{
        static BYTES: [u8; include_bytes!($file).len()] = *include_bytes!($file);
        Some(&BYTES as &[u8])
    }};
}
/// A page in a browser fetches the networks that it needs, and
/// [supplies](crate::evaluation::network::supply) them.
#[cfg(target_family = "wasm")]
macro_rules! embedded {
    ($file:literal) => {
        None
    };
}
mod antichess;
mod atomic;
mod chess;
mod crazyhouse;
mod horde;
mod king_of_the_hill;
mod racing_kings;
mod three_check;

use shakmaty::{ByColor, Color};

use super::Explained;
use super::linear::Weights;
use super::{Tapered, material};
use crate::rules::{RuleSet, Rules, for_each_rule_set};

/// A rule set with its evaluation.
pub trait Variant: Rules + Explained {
    /// The weights of the pieces, pawn to king, in centipawns: the paper's, unless the pieces are worth
    /// something else under these rules.
    const VALUES: [i32; 6] = material::PAPER;

    /// The fitted tables as text.
    const TABLES: Option<&'static str> = None;

    /// The network as a file, where the program has it inside.
    const NETWORK: Option<&'static [u8]> = None;

    /// Weights of the linear form that proved better than the default ones and stand in for tables.
    const WEIGHTS: Option<Weights> = None;

    /// True where the sides move up the board in opposite directions, so that Black sees it turned.
    const RANKS_TURN: bool = true;

    /// Bits to flip in a square's number so that `color` looks up the board.
    #[inline]
    fn flip(color: Color) -> u8 {
        if Self::RANKS_TURN { color.fold_wb(0, 56) } else { 0 }
    }

    /// Most pieces on the board.
    const MAX_PIECES: usize = 32;

    /// Inputs of either side in the network besides the pieces on the board.
    const EXTRAS: usize = 0;

    /// The inputs besides the pieces on the board that are on, by side: one bit each.
    #[inline]
    fn extras(&self) -> ByColor<u32> {
        ByColor::default()
    }

    /// The name of the rule set's own term; `None` if it has none.
    const OWN_TERM: Option<&'static str> = None;

    /// The rule set's own term of `color`: the value of its progress on its own way to win.
    fn own_term(&self, _color: Color) -> Tapered {
        Tapered::ZERO
    }

    /// The own term of `color` at a weight of `percent`.
    fn weighted_own_term(&self, color: Color, percent: i32) -> Tapered {
        let full = self.own_term(color);
        Tapered::new(full.opening() * percent / 100, full.endgame() * percent / 100)
    }

    /// The own term at a weight of `percent`, White minus Black.
    #[inline]
    fn own_term_lead(&self, percent: i32) -> Tapered {
        if Self::OWN_TERM.is_none() {
            return Tapered::ZERO;
        }
        let [white, black] = Color::ALL.map(|color| self.weighted_own_term(color, percent));
        white - black
    }

    /// The same at the position's phase, in centipawns.
    #[inline]
    fn own_term_centipawns(&self, percent: i32) -> i32 {
        if Self::OWN_TERM.is_none() {
            return 0;
        }
        self.own_term_lead(percent).at_phase(material::phase_in::<Self>(self.board()))
    }
}

/// A task for a rule set that is known only at run time.
pub trait Task {
    /// The result.
    type Outcome;

    /// Does the task under the rules `P`.
    fn run<P: Variant>(self) -> Self::Outcome;
}

macro_rules! dispatch {
    ($($name:ident: $rules:ty,)*) => {
        /// Does `task` under the rules `rule_set`.
        pub fn with_rules<T: Task>(rule_set: RuleSet, task: T) -> T::Outcome {
            match rule_set {
                $(RuleSet::$name => task.run::<$rules>(),)*
            }
        }
    };
}
for_each_rule_set!(dispatch);

/// The centipawn pair `(opening, endgame)`.
const fn tapered((opening, endgame): (i32, i32)) -> Tapered {
    Tapered::new(opening, endgame)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::setup;
    use shakmaty::CastlingMode;

    /// The own term of a position, White minus Black, in the opening.
    pub fn own_term_lead<P: Variant>(fen: &str) -> i32 {
        let (position, _) = setup::position::<P>(fen, CastlingMode::Standard).unwrap();
        (position.own_term(Color::White) - position.own_term(Color::Black)).opening()
    }

    struct HasName;

    impl Task for HasName {
        type Outcome = RuleSet;

        fn run<P: Variant>(self) -> RuleSet {
            let has_term = P::default().own_term(Color::White) != Tapered::ZERO;
            assert!(!has_term || P::OWN_TERM.is_some(), "{}: a term without a name", P::NAME);
            P::RULE_SET
        }
    }

    #[test]
    fn every_rule_set_is_dispatched_to_its_own_type() {
        for &rule_set in RuleSet::ALL {
            assert_eq!(with_rules(rule_set, HasName), rule_set);
        }
    }
}
