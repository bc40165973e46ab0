//! Three in a row for three players, on a board of four by four: a game for max^n, where
//! nobody's loss is simply somebody's gain.

use super::cell::{Cell, free_cells, rows_of_three};
use crate::lab::game::{Party, Value};

const WIDTH: u8 = 4;

/// What a won game is worth; the losers get nothing.
const PRIZE: Value = 100;

/// A position of the game. The players move in turn.
#[derive(Clone, Debug)]
pub struct Trio {
    marks: [u16; 3],
    turn: usize,
    rows: std::sync::Arc<[u16]>,
}

impl Default for Trio {
    fn default() -> Self {
        Trio { marks: [0; 3], turn: 0, rows: rows_of_three(WIDTH).into() }
    }
}

impl Trio {
    fn taken(&self) -> u16 {
        self.marks.iter().fold(0, |taken, marks| taken | marks)
    }

    /// The player who has three in a row.
    pub fn winner(&self) -> Option<usize> {
        let has_row = |marks: u16| self.rows.iter().any(|&row| row & !marks == 0);
        self.marks.iter().position(|&marks| has_row(marks))
    }
}

impl Party for Trio {
    type Move = Cell;

    fn turn(&self) -> usize {
        self.turn
    }

    fn moves(&self) -> Vec<Cell> {
        if self.winner().is_some() { Vec::new() } else { free_cells(WIDTH, self.taken()) }
    }

    fn play(&self, cell: Cell) -> Self {
        let mut after = self.clone();
        after.marks[self.turn] |= cell.bit(WIDTH);
        after.turn = (self.turn + 1) % self.marks.len();
        after
    }

    /// A win, or else the player's own marks in rows that nobody else has a mark in.
    fn values(&self) -> Vec<Value> {
        if let Some(winner) = self.winner() {
            return (0..self.marks.len()).map(|p| if p == winner { PRIZE } else { 0 }).collect();
        }
        let hopes = |own: u16| {
            let others = self.taken() & !own;
            let open = self.rows.iter().filter(|&&row| row & others == 0);
            open.map(|row| (row & own).count_ones() as Value).sum()
        };
        self.marks.iter().map(|&own| hopes(own)).collect()
    }
}
