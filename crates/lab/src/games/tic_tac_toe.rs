//! Tic-tac-toe, the "tres en raya" of the sources: small enough to be searched to its end.

use super::cell::{free_cells, marked_cells, rows_of_three};
use crate::game::{Board, BoardKind, Game, Position, Side, Value, WIN, stir};
use crate::moves::Move;

const WIDTH: u8 = 3;
const FULL: u16 = 0x1ff;

/// A position of tic-tac-toe. Max moves first.
#[derive(Clone, Debug)]
pub struct TicTacToe {
    marks: [u16; 2],
    turn: Side,
    rows: std::sync::Arc<[u16]>,
}

impl Default for TicTacToe {
    fn default() -> Self {
        TicTacToe { marks: [0, 0], turn: Side::Max, rows: rows_of_three(WIDTH).into() }
    }
}

impl TicTacToe {
    fn taken(&self) -> u16 {
        self.marks[0] | self.marks[1]
    }

    fn has_row(&self, marks: u16) -> bool {
        self.rows.iter().any(|&row| row & !marks == 0)
    }

    fn is_won(&self) -> bool {
        self.has_row(self.marks[self.turn.other() as usize])
    }

    fn completes(&self, side: Side, m: Move) -> bool {
        let Move::Cell(cell) = m else { return false };
        self.has_row(self.marks[side as usize] | cell.bit(WIDTH))
    }
}

impl Game for TicTacToe {
    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self) -> Vec<Move> {
        if self.is_won() { Vec::new() } else { free_cells(WIDTH, self.taken()) }
    }

    fn play(&self, m: Move) -> Position {
        let mut after = self.clone();
        if let Move::Cell(cell) = m {
            after.marks[self.turn as usize] |= cell.bit(WIDTH);
            after.turn = self.turn.other();
        }
        Position::new(after)
    }

    /// Rows still open to Max less rows still open to Min; an earlier win is better.
    fn value(&self) -> Value {
        if self.is_won() {
            return self.turn.other().sees(WIN - self.taken().count_ones() as Value);
        }
        if self.taken() == FULL {
            return 0;
        }
        let open = |other: u16| self.rows.iter().filter(|&&row| row & other == 0).count() as Value;
        open(self.marks[1]) - open(self.marks[0])
    }

    fn key(&self) -> u64 {
        stir(u64::from(self.marks[0]) << 32 | u64::from(self.marks[1]) << 1 | self.turn as u64)
    }

    fn unit(&self) -> Value {
        2
    }

    fn opening_breadth(&self) -> usize {
        usize::from(WIDTH * WIDTH)
    }

    /// Rows that run through the cell: 4 in the middle, 3 in a corner, 2 at a side.
    fn promise(&self, m: Move) -> Value {
        let Move::Cell(cell) = m else { return 0 };
        self.rows.iter().filter(|&&row| row & cell.bit(WIDTH) != 0).count() as Value
    }

    fn is_forcing(&self, m: Move) -> bool {
        [Side::Max, Side::Min].into_iter().any(|side| self.completes(side, m))
    }

    fn is_tense(&self) -> bool {
        let cells = free_cells(WIDTH, self.taken());
        cells.into_iter().any(|cell| self.completes(self.turn.other(), cell))
    }

    /// A win, or else the block of the opponent's.
    fn unrest(&self) -> Vec<Move> {
        let moves = self.moves();
        let completing = |side: Side| {
            moves.iter().copied().filter(move |&m| self.completes(side, m)).collect::<Vec<_>>()
        };
        let wins = completing(self.turn);
        if wins.is_empty() { completing(self.turn.other()) } else { wins }
    }

    fn board(&self) -> Option<Board> {
        let cells = marked_cells(WIDTH, &self.marks);
        Some(Board { kind: BoardKind::Marks, columns: usize::from(WIDTH), cells })
    }

    fn pass(&self) -> Option<Position> {
        Some(Position::new(TicTacToe { turn: self.turn.other(), ..self.clone() }))
    }
}
