//! A cell of a small board, named as on a chess board: the move of the games in a row.

use std::fmt;

/// A cell by column and row, both from 0; shown as `a1`, `b2`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    /// From the left.
    pub column: u8,
    /// From below.
    pub row: u8,
}

impl Cell {
    /// The cell's bit on a board so many cells wide.
    pub(super) fn bit(self, width: u8) -> u16 {
        1 << (self.row * width + self.column)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column), self.row + 1)
    }
}

/// Every three cells in a row on a square board, as bits.
pub(super) fn rows_of_three(width: u8) -> Vec<u16> {
    let inside = 0..i32::from(width);
    let mut rows = Vec::new();
    for column in inside.clone() {
        for row in inside.clone() {
            for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let cell = |i: i32| (column + i * right, row + i * up);
                let (end_column, end_row) = cell(2);
                if inside.contains(&end_column) && inside.contains(&end_row) {
                    let bit = |(column, row): (i32, i32)| {
                        Cell { column: column as u8, row: row as u8 }.bit(width)
                    };
                    rows.push((0..3).fold(0, |bits, i| bits | bit(cell(i))));
                }
            }
        }
    }
    rows
}

/// The cells of a square board whose bits are not in `taken`, row by row.
pub(super) fn free_cells(width: u8, taken: u16) -> Vec<Cell> {
    let cells = (0..width * width).map(|i| Cell { column: i % width, row: i / width });
    cells.filter(|cell| taken & cell.bit(width) == 0).collect()
}
