//! Three in a row for three players, on a board of four by four: a game for max^n, where
//! nobody's loss is simply somebody's gain.

use super::cell::{free_cells, marked_cells, rows_of_three};
use crate::game::{Board, BoardKind, Game, Position, Side, Value, stir};
use crate::moves::Move;

const WIDTH: u8 = 4;

/// Worth of a won game; the losers get nothing.
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

    /// A win, or else the player's own marks in rows that nobody else has a mark in.
    fn worth(&self, player: usize) -> Value {
        if let Some(winner) = self.winner() {
            return if winner == player { PRIZE } else { 0 };
        }
        let own = self.marks[player];
        let others = self.taken() & !own;
        let open = self.rows.iter().filter(|&&row| row & others == 0);
        open.map(|row| (row & own).count_ones() as Value).sum()
    }
}

impl Game for Trio {
    fn turn(&self) -> Side {
        if self.turn.is_multiple_of(2) { Side::Max } else { Side::Min }
    }

    fn moves(&self) -> Vec<Move> {
        if self.winner().is_some() { Vec::new() } else { free_cells(WIDTH, self.taken()) }
    }

    fn play(&self, m: Move) -> Position {
        let mut after = self.clone();
        if let Move::Cell(cell) = m {
            after.marks[self.turn] |= cell.bit(WIDTH);
            after.turn = (self.turn + 1) % self.marks.len();
        }
        Position::new(after)
    }

    fn value(&self) -> Value {
        self.worth(0)
    }

    fn key(&self) -> u64 {
        self.marks.iter().fold(self.turn as u64, |key, &marks| stir(key) ^ u64::from(marks))
    }

    fn unit(&self) -> Value {
        1
    }

    fn opening_breadth(&self) -> usize {
        usize::from(WIDTH * WIDTH)
    }

    fn board(&self) -> Option<Board> {
        let cells = marked_cells(WIDTH, &self.marks);
        Some(Board { kind: BoardKind::Marks, columns: usize::from(WIDTH), cells })
    }

    fn players(&self) -> usize {
        self.marks.len()
    }

    fn mover(&self) -> usize {
        self.turn
    }

    fn values(&self) -> Vec<Value> {
        (0..self.marks.len()).map(|player| self.worth(player)).collect()
    }
}
