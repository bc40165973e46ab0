//! Scores: centipawns and forced mates on one ordered scale.
//!
//! All code that compares, stores or prints the value of a position goes through [`Score`], so the offsets
//! between mates and centipawns are in this file only.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// Greatest number of plies that a line can reach from the root.
pub const MAX_PLY: usize = 128;

/// The value of a position from one side's point of view.
///
/// Unit: centipawns (a pawn is 100) while [`Score::is_mate`] is false. A mate is coded by its distance from
/// the root in plies, so a nearer mate is greater than a farther one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(i32);

/// A score in UCI's terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// Centipawns for the side whose point of view it is.
    Centipawns(i32),
    /// Full moves to mate: positive, that side mates; negative, it is mated; zero, it has been mated. A move
    /// that ends the game at once, such as the last piece given away to an antichess player, counts as one.
    Mate(i32),
}

const MATE_VALUE: i32 = 32_000;
const MAX_MATE: i32 = 2 * MAX_PLY as i32;
/// Value of a won endgame without a mate in sight, in centipawns.
const TABLE_WIN: i32 = 20_000;

/// Centipawns at which a win is as likely as not.
const EVEN_WIN_CHANCE: i32 = 160;
/// Centipawns that multiply the odds of a win by e.
const WIN_CHANCE_SPREAD: f64 = 70.0;

impl Score {
    /// A drawn position.
    pub const DRAW: Score = Score(0);
    /// Mate on the board for the side to move's opponent: an upper bound of every real score.
    pub const MATE: Score = Score(MATE_VALUE);
    /// Beyond every real score; opens a search window.
    pub const INFINITE: Score = Score(MATE_VALUE + 1);
    /// No score, such as the static eval of a position in check.
    pub const NONE: Score = Score(MATE_VALUE + 2);
    /// The largest score that is not a forced mate.
    pub const MAX_CENTIPAWNS: Score = Score(MATE_VALUE - MAX_MATE - 1);

    /// The score of a won position in the endgame tables, `ply` plies from the root: above every
    /// evaluation, below every mate.
    #[inline]
    pub const fn table_win(ply: usize) -> Score {
        Score(TABLE_WIN - ply as i32)
    }

    /// A score of `value` centipawns, kept clear of the mate scores.
    #[inline]
    pub const fn centipawns(value: i32) -> Score {
        let limit = Score::MAX_CENTIPAWNS.0;
        if value > limit {
            Score(limit)
        } else if value < -limit {
            Score(-limit)
        } else {
            Score(value)
        }
    }

    /// The side to move mates `ply` plies from the root.
    #[inline]
    pub const fn mate_in(ply: usize) -> Score {
        Score(MATE_VALUE - ply as i32)
    }

    /// The side to move is mated `ply` plies from the root.
    #[inline]
    pub const fn mated_in(ply: usize) -> Score {
        Score(ply as i32 - MATE_VALUE)
    }

    /// The raw number, for arithmetic such as averages and logistic curves.
    #[inline]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// True for a forced win by mate.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 > Score::MAX_CENTIPAWNS.0 && self.0 <= MATE_VALUE
    }

    /// True for a forced loss by mate.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 < -Score::MAX_CENTIPAWNS.0 && self.0 >= -MATE_VALUE
    }

    /// True for a forced mate of either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// True for a forced mate and for a won or lost position of the endgame tables: known, and no estimate.
    #[inline]
    pub const fn is_decided(self) -> bool {
        let size = self.0.abs();
        self.is_mate() || size >= Score::table_win(MAX_PLY).0 && size <= TABLE_WIN
    }

    /// The score in centipawns or in full moves to mate.
    pub const fn meaning(self) -> Meaning {
        if self.is_win() {
            Meaning::Mate((MATE_VALUE - self.0 + 1) / 2)
        } else if self.is_loss() {
            Meaning::Mate(-((MATE_VALUE + self.0 + 1) / 2))
        } else {
            Meaning::Centipawns(self.0)
        }
    }

    /// Plies from the root to the mate; `None` if it is none.
    pub const fn plies_to_mate(self) -> Option<usize> {
        if self.is_mate() { Some((MATE_VALUE - self.0.abs()) as usize) } else { None }
    }

    /// Chances of a win, a draw and a loss for the side whose point of view it is (WDL), per mille. They
    /// add up to 1000.
    ///
    /// Two logistic curves: at `EVEN_WIN_CHANCE` centipawns a win is as likely as not, and each further
    /// `WIN_CHANCE_SPREAD` centipawns multiply the odds by e. Both numbers are a first guess, not fitted to
    /// games yet.
    pub fn win_draw_loss(self) -> [u32; 3] {
        if self.is_win() {
            return [1000, 0, 0];
        }
        if self.is_loss() {
            return [0, 0, 1000];
        }
        let chance = |value: i32| {
            let odds = (f64::from(EVEN_WIN_CHANCE - value) / WIN_CHANCE_SPREAD).exp();
            (1000.0 / (1.0 + odds)).round() as u32
        };
        let (win, loss) = (chance(self.0), chance(-self.0));
        [win, 1000 - win - loss, loss]
    }

    /// The score for the transposition table: a mate counts from the node, `ply` plies from the root, so
    /// that it is valid at any ply. All others are stored as they are. So one of [`Score::table_win`] goes on counting
    /// from the root: at another ply its result is right, and its distance some plies off.
    #[inline]
    pub const fn to_table(self, ply: usize) -> i16 {
        let shifted = if self.is_win() {
            self.0 + ply as i32
        } else if self.is_loss() {
            self.0 - ply as i32
        } else {
            self.0
        };
        shifted as i16
    }

    /// The inverse of [`Score::to_table`] at a node `ply` plies from the root.
    #[inline]
    pub const fn from_table(stored: i16, ply: usize) -> Score {
        let stored = Score(stored as i32);
        if stored.is_win() {
            Score(stored.0 - ply as i32)
        } else if stored.is_loss() {
            Score(stored.0 + ply as i32)
        } else {
            stored
        }
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    #[inline]
    fn add(self, margin: i32) -> Score {
        Score(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    #[inline]
    fn sub(self, margin: i32) -> Score {
        Score(self.0 - margin)
    }
}

impl Sub for Score {
    type Output = i32;
    #[inline]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Display for Score {
    /// UCI's notation: `cp 35`, `mate -2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.meaning() {
            Meaning::Centipawns(value) => write!(f, "cp {value}"),
            Meaning::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_full_moves() {
        assert_eq!(Score::mate_in(1).meaning(), Meaning::Mate(1));
        assert_eq!(Score::mate_in(3).meaning(), Meaning::Mate(2));
        assert_eq!(Score::mated_in(0).meaning(), Meaning::Mate(0));
        assert_eq!(Score::mated_in(2).meaning(), Meaning::Mate(-1));
        // The own move ends the game: only an ended game is mate 0.
        assert_eq!(Score::mated_in(1).meaning(), Meaning::Mate(-1));
        assert_eq!(Score::mated_in(3).meaning(), Meaning::Mate(-2));
        assert_eq!(Score::mated_in(3).plies_to_mate(), Some(3));
        assert_eq!(Score::mate_in(5).plies_to_mate(), Some(5));
        assert_eq!(Score::DRAW.plies_to_mate(), None);
        assert_eq!(Score::centipawns(-35).to_string(), "cp -35");
    }

    #[test]
    fn a_nearer_mate_is_better() {
        assert!(Score::mate_in(1) > Score::mate_in(3));
        assert!(Score::mated_in(4) > Score::mated_in(2));
        assert!(Score::MAX_CENTIPAWNS < Score::mate_in(2 * MAX_PLY));
        assert!(!Score::centipawns(i32::MAX).is_mate());
        assert!(!Score::NONE.is_mate() && !Score::INFINITE.is_mate());
    }

    #[test]
    fn chances_add_up_and_mirror() {
        for value in [-32_000, -1000, -160, -1, 0, 1, 35, 160, 5000, 32_000] {
            let [win, draw, loss] = Score::centipawns(value).win_draw_loss();
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(Score::centipawns(-value).win_draw_loss(), [loss, draw, win]);
        }
        assert_eq!(Score::centipawns(160).win_draw_loss()[0], 500);
        assert_eq!(Score::mate_in(5).win_draw_loss(), [1000, 0, 0]);
        assert_eq!(Score::mated_in(4).win_draw_loss(), [0, 0, 1000]);
    }

    #[test]
    fn the_table_keeps_mates_relative_to_the_node() {
        let at_ply_six = Score::mate_in(9);
        let stored = at_ply_six.to_table(6);
        assert_eq!(Score::from_table(stored, 2), Score::mate_in(5));
        assert_eq!(Score::from_table(Score::mated_in(8).to_table(3), 3), Score::mated_in(8));
    }
}
