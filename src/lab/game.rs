//! A game as every algorithm of the laboratory sees it: whose turn it is, which moves there
//! are, where they lead and what a position is worth.
//!
//! The trait is small on purpose: the algorithms can be read with this page beside them and
//! nothing else, and a new game is a page of code. The lectures' words: a state is N, its
//! value f(N), a cheap estimate for ordering g(N).

use std::fmt::{Debug, Display};
use std::hash::Hash;

/// The worth of a position in the game's own unit: centipawns in chess, hundredths in a tree.
/// Always from Max's point of view, unless a function says otherwise.
pub type Value = i32;

/// Beyond every value; opens a window. Far enough from the limits to be negated and added to.
pub const INFINITE: Value = 1_000_000_000;

/// A won game. A game takes off what makes an earlier win better.
pub const WIN: Value = 1_000_000;

/// The two players of a game of opposed interests.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// Wants the value great.
    Max,
    /// Wants the value small.
    Min,
}

impl Side {
    /// Turns a value from Max's point of view into this side's, and back.
    #[inline]
    pub fn sees(self, value: Value) -> Value {
        match self {
            Side::Max => value,
            Side::Min => -value,
        }
    }

    /// The opponent.
    #[inline]
    pub fn other(self) -> Side {
        match self {
            Side::Max => Side::Min,
            Side::Min => Side::Max,
        }
    }
}

/// What a move must be able to do: be compared, kept in tables and shown.
pub trait GameMove: Copy + Eq + Hash + Debug + Display {}

impl<M: Copy + Eq + Hash + Debug + Display> GameMove for M {}

/// A position of a game for two that alternate and know everything.
pub trait Game: Clone {
    /// A move; its text names it among its siblings.
    type Move: GameMove;

    /// Who moves.
    fn turn(&self) -> Side;

    /// The legal moves in the game's natural order; none if, and only if, the game is over.
    fn moves(&self) -> Vec<Self::Move>;

    /// The position after a legal move.
    fn play(&self, m: Self::Move) -> Self;

    /// f(N): the worth for Max, judged without search; exact where the game is over.
    fn value(&self) -> Value;

    /// Tells positions apart: equal keys mean equal moves, values and futures.
    fn key(&self) -> u64;

    /// What a small but real advantage is worth, such as a pawn. Margins and windows are
    /// measured in it; ten of it are a key piece, such as a queen.
    fn unit(&self) -> Value;

    /// τ: the number of moves at the game's start.
    fn opening_breadth(&self) -> usize;

    /// g(N): how good the move looks to its mover before it is searched; only ordering asks.
    fn promise(&self, _m: Self::Move) -> Value {
        0
    }

    /// True if the move changes the value drastically at once, such as a capture: the position
    /// is not at rest while there is one.
    fn is_forcing(&self, _m: Self::Move) -> bool {
        false
    }

    /// True if the side to move is in danger, such as in check: its position must be looked
    /// into deeper, and passing is out of the question.
    fn is_tense(&self) -> bool {
        false
    }

    /// The position after a null move, where the game can be imagined to allow it.
    fn pass(&self) -> Option<Self> {
        None
    }

    /// The same position as the root of a new search, where that makes a difference.
    fn as_root(&self) -> Self {
        self.clone()
    }

    /// The moves to search with `depth` plies left: none at the horizon.
    fn moves_to(&self, depth: u32) -> Vec<Self::Move> {
        if depth == 0 { Vec::new() } else { self.moves() }
    }

    /// A value as a person reads it.
    fn show(&self, value: Value) -> String {
        show_plain(value)
    }
}

/// A value as a number, wins and open windows in words: `35`, `win-7`, `-inf`.
pub fn show_plain(value: Value) -> String {
    let sign = if value < 0 { "-" } else { "" };
    match value.abs() {
        size if size >= INFINITE => format!("{sign}inf"),
        size if size > WIN / 2 => format!("{sign}win{:+}", size - WIN),
        _ => value.to_string(),
    }
}

/// A position of a game for any number of players, each of whom wants his own value great.
pub trait Party: Clone {
    /// A move; its text names it among its siblings.
    type Move: GameMove;

    /// Who moves, from 0.
    fn turn(&self) -> usize;

    /// The legal moves; none if, and only if, the game is over.
    fn moves(&self) -> Vec<Self::Move>;

    /// The position after a legal move.
    fn play(&self, m: Self::Move) -> Self;

    /// What the position is worth to each player.
    fn values(&self) -> Vec<Value>;
}

/// A game for two as a party: the second player's value is the first's, negated.
#[derive(Clone, Debug)]
pub struct Pair<G>(pub G);

impl<G: Game> Party for Pair<G> {
    type Move = G::Move;

    fn turn(&self) -> usize {
        usize::from(self.0.turn() == Side::Min)
    }

    fn moves(&self) -> Vec<G::Move> {
        self.0.moves()
    }

    fn play(&self, m: G::Move) -> Self {
        Pair(self.0.play(m))
    }

    fn values(&self) -> Vec<Value> {
        let value = self.0.value();
        vec![value, -value]
    }
}

/// Stirs a number so that every bit of it moves every bit of the result (the finisher of
/// SplitMix64, by Sebastiano Vigna): for keys, and for trees made of random numbers.
#[inline]
pub fn stir(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
