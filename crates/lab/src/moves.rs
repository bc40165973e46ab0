//! A move of any game of the laboratory: one small type, so that every algorithm is compiled once.

use std::fmt;

use arrayvec::ArrayString;
use shakmaty::CastlingMode;

/// A cell of a small square board by column and row, both from 0; shown as `a1`, `b2`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    /// From the left.
    pub column: u8,
    /// From below; in Othello from above, as its players number the rows.
    pub row: u8,
}

/// The way to a child in a tree written by hand: its name, or its number from 1 without one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Branch {
    /// From 0, in the order of the text.
    pub index: u16,
    /// The child's name; may be empty.
    pub name: ArrayString<12>,
}

/// A move. Its text names it among its siblings; [`super::game::Game::name`] may name it better.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A move of chess under any rule set, shown in UCI notation.
    Chess(shakmaty::Move),
    /// A mark on a cell of a small board.
    Cell(Cell),
    /// A disc into a column, from 0; shown from 1.
    Column(u8),
    /// The turn goes to the opponent, where the rules leave no other move.
    Pass,
    /// A branch of a uniform tree, from 0; shown from 1, as in Dewey's notation.
    Number(u16),
    /// A branch of a tree written by hand.
    Branch(Branch),
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column), self.row + 1)
    }
}

impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name.is_empty() { write!(f, "{}", self.index + 1) } else { f.write_str(&self.name) }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Chess(m) => m.to_uci(CastlingMode::Standard).fmt(f),
            Move::Cell(cell) => cell.fmt(f),
            Move::Column(column) => write!(f, "{}", u32::from(*column) + 1),
            Move::Pass => f.write_str("pass"),
            Move::Number(number) => write!(f, "{}", u32::from(*number) + 1),
            Move::Branch(branch) => branch.fmt(f),
        }
    }
}
