//! A game as every algorithm of the laboratory sees it: the side to move, the moves, the positions
//! they lead to, and the worth of a position.
//!
//! The trait is small on purpose: the algorithms can be read with this page beside them and nothing
//! else, and a new game is a page of code. The lectures' words: a state is N, its value f(N), a
//! cheap estimate for ordering g(N).
//!
//! Algorithms see a game only as a [`Position`], which hides its type. So each algorithm is compiled
//! once and not once for every game.

use std::fmt::Debug;
use std::rc::Rc;
use std::time::Duration;

use super::moves::Move;

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

/// A position of a game in which the players move in turn and know everything.
///
/// A move always comes from [`Game::moves`] of the same position. A move of another game changes
/// nothing.
pub trait Game: Debug + 'static {
    /// The side to move.
    fn turn(&self) -> Side;

    /// The legal moves in the game's natural order; none if, and only if, the game is over.
    fn moves(&self) -> Vec<Move>;

    /// The position after a legal move.
    fn play(&self, m: Move) -> Position;

    /// f(N): the worth for Max, judged without search; exact where the game is over.
    fn value(&self) -> Value;

    /// Tells positions apart: equal keys mean equal moves, values and futures.
    fn key(&self) -> u64;

    /// A small but real advantage, such as a pawn. Margins and windows are measured in it; ten of it
    /// are a key piece, such as a queen.
    fn unit(&self) -> Value;

    /// τ: the number of moves at the game's start.
    fn opening_breadth(&self) -> usize;

    /// g(N): how good the move looks to its mover before it is searched; only ordering asks.
    fn promise(&self, _m: Move) -> Value {
        0
    }

    /// True if the move changes the value drastically at once, such as a capture: the position
    /// is not at rest while there is one.
    fn is_forcing(&self, _m: Move) -> bool {
        false
    }

    /// True if the side to move is in danger, such as in check: its position must be looked
    /// into deeper, and passing is out of the question.
    fn is_tense(&self) -> bool {
        false
    }

    /// True if the position must not be judged yet, such as in check or before a promotion.
    fn is_critical(&self) -> bool {
        self.is_tense()
    }

    /// The moves that matter beyond the horizon: forcing ones, or those that meet a danger. None if
    /// the position is at rest.
    fn unrest(&self) -> Vec<Move> {
        let mut moves = self.moves();
        if !self.is_tense() {
            moves.retain(|&m| self.is_forcing(m));
        }
        moves
    }

    /// True if [`Game::value`] has nothing to go by here and answers 0.
    fn lacks_estimate(&self) -> bool {
        false
    }

    /// Time spent so far on putting moves in order, which is no part of a search.
    fn time_ordering(&self) -> Duration {
        Duration::ZERO
    }

    /// The name of a move as players of the game write it.
    fn name(&self, m: Move) -> String {
        m.to_string()
    }

    /// The legal move that a person writes so, if it is one. `letters` are those of king, queen, rook, bishop and knight in
    /// the person's language.
    fn read(&self, text: &str, _letters: &str) -> Option<Move> {
        self.moves().into_iter().find(|m| m.to_string() == text)
    }

    /// The board as it stands, if the game has one.
    fn board(&self) -> Option<Board> {
        None
    }

    /// The position after a null move, where the game can be imagined to allow it.
    fn pass(&self) -> Option<Position> {
        None
    }

    /// The same position as the root of a new search, where that makes a difference.
    fn as_root(&self) -> Option<Position> {
        None
    }

    /// A value as a person reads it.
    fn show(&self, value: Value) -> String {
        show_plain(value)
    }

    /// The number of players: 2, or more where each wants a value of its own great.
    fn players(&self) -> usize {
        2
    }

    /// The player to move, from 0.
    fn mover(&self) -> usize {
        usize::from(self.turn() == Side::Min)
    }

    /// The worth for each player. In a game for two the second player's is the first's, negated.
    fn values(&self) -> Vec<Value> {
        vec![self.value(), -self.value()]
    }
}

/// The pieces of a game, for the shape of their pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardKind {
    /// Chess: letters as in a FEN.
    Chess,
    /// Marks in cells: X, O and, for a third player, Z.
    Marks,
    /// Discs that fall into columns: X and O.
    Discs,
}

/// A board to be drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// The shape of its pieces.
    pub kind: BoardKind,
    /// Columns.
    pub columns: usize,
    /// Cells from the top left, row by row; '.' is empty.
    pub cells: Vec<char>,
}

/// A position of any game. A copy is cheap.
#[derive(Clone, Debug)]
pub struct Position(Rc<dyn Game>);

impl Position {
    /// The position of `game`.
    pub fn new(game: impl Game) -> Position {
        Position(Rc::new(game))
    }

    /// The moves to search with `depth` plies left: none at the horizon.
    pub fn moves_to(&self, depth: u32) -> Vec<Move> {
        if depth == 0 { Vec::new() } else { self.moves() }
    }

    /// The same position as the root of a new search.
    pub fn as_root(&self) -> Position {
        self.0.as_root().unwrap_or_else(|| self.clone())
    }
}

impl std::ops::Deref for Position {
    type Target = dyn Game;

    #[inline]
    fn deref(&self) -> &(dyn Game + 'static) {
        &*self.0
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

/// Stirs a number so that every bit of it moves every bit of the result (the finisher of
/// SplitMix64, by Sebastiano Vigna): for keys, and for trees made of random numbers.
#[inline]
pub fn stir(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
