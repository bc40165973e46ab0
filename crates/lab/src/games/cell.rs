//! Cells and rows of the small square boards of the games in a row.

use crate::moves::{Cell, Move};

impl Cell {
    /// The cell's bit on a board of this width.
    pub(super) fn bit(self, width: u8) -> u16 {
        1 << (self.row * width + self.column)
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
pub(super) fn free_cells(width: u8, taken: u16) -> Vec<Move> {
    let cells = (0..width * width).map(|i| Cell { column: i % width, row: i / width });
    cells.filter(|cell| taken & cell.bit(width) == 0).map(Move::Cell).collect()
}

/// The marks on a square board, from the top left: X, O, Z by player, '.' where there is none.
pub(super) fn marked_cells(width: u8, marks: &[u16]) -> Vec<char> {
    let rows = (0..width).rev().flat_map(|row| (0..width).map(move |column| Cell { column, row }));
    let mark = |cell: Cell| {
        let player = marks.iter().position(|marks| marks & cell.bit(width) != 0);
        player.and_then(|player| ['X', 'O', 'Z'].get(player).copied()).unwrap_or('.')
    };
    rows.map(mark).collect()
}
