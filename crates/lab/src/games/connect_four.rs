//! Connect Four on a board of any size, and the paper's forced draw: play on past a four in a
//! row until the board is full.
//!
//! Each player's discs are one number, a bit a cell, columns side by side with a spare bit on
//! top of each, so that lines do not run over the edge (the layout of John Tromp's programs).

use std::rc::Rc;

use crate::game::{Board as Picture, BoardKind, Game, Position, Side, Value, WIN, stir};
use crate::moves::Move;
use crate::texts::{LocalizedError, Texts};

/// Worth of a line of four cells, by the discs of one player in it if the other has none there.
const LINE_WORTH: [Value; 5] = [0, 1, 4, 16, 64];

/// When the game ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// With four in a row, or when the board is full: the game as it is played.
    FourInARow,
    /// Only when the board is full: the paper's forced draw, made to measure a whole game.
    FullBoard,
}

/// The parts that do not change during a game.
#[derive(Debug)]
struct Columns {
    columns: u8,
    rows: u8,
    ending: Ending,
    /// Every four cells in a row.
    lines: Vec<u128>,
}

/// A size that no board can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeError {
    columns: u8,
    rows: u8,
}

impl LocalizedError for SizeError {
    fn in_words(&self, texts: &Texts) -> String {
        let (columns, rows) = (self.columns.to_string(), self.rows.to_string());
        texts.fill("fault.size", &[("columns", &*columns), ("rows", &*rows)])
    }
}

/// A position of Connect Four. Max moves first.
#[derive(Clone, Debug)]
pub struct ConnectFour {
    board: Rc<Columns>,
    /// Max's discs, Min's discs.
    discs: [u128; 2],
    turn: Side,
}

impl ConnectFour {
    /// An empty board.
    ///
    /// # Errors
    /// A size that four in a row do not fit into, or with more than 128 bits.
    pub fn new(columns: u8, rows: u8, ending: Ending) -> Result<ConnectFour, SizeError> {
        let has_room = (u32::from(rows) + 1) * u32::from(columns) <= 128;
        if columns < 1 || rows < 1 || columns.max(rows) < 4 || !has_room {
            return Err(SizeError { columns, rows });
        }
        let board = Columns { columns, rows, ending, lines: lines(columns, rows) };
        Ok(ConnectFour { board: Rc::new(board), discs: [0, 0], turn: Side::Max })
    }

    /// Discs on the board.
    pub fn disc_count(&self) -> u32 {
        self.occupied().count_ones()
    }

    /// Free cells in each column.
    pub fn free_cells(&self) -> Vec<u32> {
        (0..self.board.columns).map(|column| self.free_in(column)).collect()
    }

    fn free_in(&self, column: u8) -> u32 {
        let cells = (1u128 << self.board.rows) - 1;
        (!self.occupied() >> self.shift(column) & cells).count_ones()
    }

    fn shift(&self, column: u8) -> u32 {
        u32::from(column) * (u32::from(self.board.rows) + 1)
    }

    #[inline]
    fn occupied(&self) -> u128 {
        self.discs[0] | self.discs[1]
    }

    /// The cell that a disc in `column` falls to; none if the column is full.
    fn landing(&self, column: u8) -> u128 {
        let bottom = 1u128 << self.shift(column);
        let cells = ((1u128 << self.board.rows) - 1) << self.shift(column);
        // Adding the bottom bit carries over the discs to the first free cell.
        ((self.occupied() & cells) + bottom) & cells
    }

    fn has_four(&self, discs: u128) -> bool {
        let stride = u32::from(self.board.rows) + 1;
        // Four in a row take three steps, which must stay within the word.
        let mut steps =
            [1, stride - 1, stride, stride + 1].into_iter().filter(|step| 3 * step < u128::BITS);
        steps.any(|step| {
            let pairs = discs & (discs >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
    }

    /// The player who has four in a row.
    pub fn winner(&self) -> Option<Side> {
        let has_four = |side: Side| self.has_four(self.discs[side as usize]);
        [Side::Max, Side::Min].into_iter().find(|&side| has_four(side))
    }

    fn is_decided(&self) -> bool {
        // Only the player who has just moved can have made four.
        self.board.ending == Ending::FourInARow
            && self.has_four(self.discs[self.turn.other() as usize])
    }

    /// The position after a move.
    pub fn after(&self, m: Move) -> ConnectFour {
        let mut after = self.clone();
        if let Move::Column(column) = m {
            after.discs[self.turn as usize] |= self.landing(column);
            after.turn = self.turn.other();
        }
        after
    }

    /// True if `side`, were it its turn, would have four with a disc in `column`.
    fn makes_four(&self, side: Side, m: Move) -> bool {
        let Move::Column(column) = m else { return false };
        self.has_four(self.discs[side as usize] | self.landing(column))
    }

    fn open_columns(&self) -> impl Iterator<Item = Move> + '_ {
        (0..self.board.columns).filter(|&column| self.landing(column) != 0).map(Move::Column)
    }
}

/// Every four cells in a row, as bits.
fn lines(columns: u8, rows: u8) -> Vec<u128> {
    let (columns, rows) = (i32::from(columns), i32::from(rows));
    let mut lines = Vec::new();
    for column in 0..columns {
        for row in 0..rows {
            for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let (end_column, end_row) = (column + 3 * right, row + 3 * up);
                if end_column < columns && (0..rows).contains(&end_row) {
                    let cell = |i| (column + i * right) * (rows + 1) + row + i * up;
                    lines.push((0..4).fold(0, |line, i| line | 1u128 << cell(i)));
                }
            }
        }
    }
    lines
}

impl Game for ConnectFour {
    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self) -> Vec<Move> {
        if self.is_decided() { Vec::new() } else { self.open_columns().collect() }
    }

    fn play(&self, m: Move) -> Position {
        Position::new(self.after(m))
    }

    /// Lines still open to one player only, by the discs in them; an earlier win is better.
    fn value(&self) -> Value {
        if self.is_decided() {
            return self.turn.other().sees(WIN - self.disc_count() as Value);
        }
        let [max, min] = self.discs;
        let is_over =
            self.board.ending == Ending::FourInARow && self.open_columns().next().is_none();
        if is_over {
            return 0;
        }
        let worth = |line: u128| match ((max & line).count_ones(), (min & line).count_ones()) {
            (discs, 0) => LINE_WORTH[discs as usize],
            (0, discs) => -LINE_WORTH[discs as usize],
            _ => 0,
        };
        self.board.lines.iter().map(|&line| worth(line)).sum()
    }

    fn key(&self) -> u64 {
        let halves = |discs: u128| stir(discs as u64) ^ stir((discs >> 64) as u64).rotate_left(17);
        stir(halves(self.discs[0])) ^ halves(self.discs[1]) ^ self.turn as u64
    }

    fn unit(&self) -> Value {
        LINE_WORTH[3] - LINE_WORTH[2]
    }

    fn opening_breadth(&self) -> usize {
        usize::from(self.board.columns)
    }

    /// The nearer to the middle, the more lines run through a cell.
    fn promise(&self, m: Move) -> Value {
        let Move::Column(column) = m else { return 0 };
        let off_centre = (2 * i32::from(column) + 1 - i32::from(self.board.columns)).abs();
        -off_centre
    }

    fn is_forcing(&self, m: Move) -> bool {
        [Side::Max, Side::Min].into_iter().any(|side| self.makes_four(side, m))
    }

    fn is_tense(&self) -> bool {
        self.open_columns().any(|column| self.makes_four(self.turn.other(), column))
    }

    /// A win, or else the block of the opponent's.
    fn unrest(&self) -> Vec<Move> {
        let moves = self.moves();
        let completing = |side: Side| {
            moves.iter().copied().filter(move |&m| self.makes_four(side, m)).collect::<Vec<_>>()
        };
        let wins = completing(self.turn);
        if wins.is_empty() { completing(self.turn.other()) } else { wins }
    }

    fn board(&self) -> Option<Picture> {
        let rows = (0..self.board.rows).rev();
        let cells = rows.flat_map(|row| (0..self.board.columns).map(move |column| (column, row)));
        let disc = |(column, row): (u8, u8)| {
            let cell = 1u128 << (self.shift(column) + u32::from(row));
            match (self.discs[0] & cell, self.discs[1] & cell) {
                (0, 0) => '.',
                (0, _) => 'O',
                _ => 'X',
            }
        };
        let columns = usize::from(self.board.columns);
        Some(Picture { kind: BoardKind::Discs, columns, cells: cells.map(disc).collect() })
    }

    fn pass(&self) -> Option<Position> {
        Some(Position::new(ConnectFour { turn: self.turn.other(), ..self.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_has_four_in_a_row_after_two_moves_however_tall_the_columns_are() {
        for (columns, rows) in [(2, 62), (2, 63), (1, 127), (7, 6)] {
            let start = ConnectFour::new(columns, rows, Ending::FourInARow).unwrap();
            let last = columns - 1;
            let game = start.after(Move::Column(0)).after(Move::Column(last));
            assert_eq!((game.winner(), game.disc_count()), (None, 2), "{columns}x{rows}");
        }
    }
}
