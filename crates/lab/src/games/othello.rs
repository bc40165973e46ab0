//! Othello, the game that the paper on dynamic depth adjustment names twice as the next one: few
//! moves, then many, then few again, and turns that must be passed.
//!
//! Each player's discs are one number, a bit a cell. The cells that a side may move to are found for
//! all eight directions by walking over the opponent's discs with shifts, the masks keeping the walk
//! from running over the edge. Black is Max and moves first; a1 is the top left corner, as players
//! of Othello number the board.

use crate::game::{Board, BoardKind, Game, Position, Side, Value, WIN, stir};
use crate::moves::{Cell, Move};

const WIDTH: u8 = 8;
/// Cells of the board.
const CELLS: u32 = 64;
/// Steps that a line of turned discs can have.
const LONGEST_LINE: usize = 6;

const CORNERS: u64 = 0x8100_0000_0000_0081;
const EDGES: u64 = 0xff81_8181_8181_81ff;
/// Every column but the first, and every one but the last.
const NOT_FIRST: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_LAST: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The neighbour in each direction: columns to the right and the shift of the bits.
const DIRECTIONS: [(i8, i8); 8] =
    [(1, 1), (-1, -1), (0, 8), (0, -8), (1, 9), (-1, -9), (-1, 7), (1, -7)];

/// The worth of a corner, of a disc beside an empty corner, and of a move that the opponent lacks.
/// A corner cannot be turned again; whoever stands beside an empty one gives it away.
const CORNER: Value = 100;
const BESIDE_CORNER: Value = -25;
const MOBILITY: Value = 5;

/// A position of Othello.
#[derive(Clone, Debug)]
pub struct Othello {
    /// Max's discs, Min's discs.
    discs: [u64; 2],
    turn: Side,
}

impl Default for Othello {
    fn default() -> Self {
        let at = |column: u8, row: u8| bit(Cell { column, row });
        let black = at(4, 3) | at(3, 4);
        let white = at(3, 3) | at(4, 4);
        Othello { discs: [black, white], turn: Side::Max }
    }
}

fn bit(cell: Cell) -> u64 {
    1 << (cell.row * WIDTH + cell.column)
}

/// The bits moved one step; those that would leave the board are lost.
fn step(bits: u64, (right, shift): (i8, i8)) -> u64 {
    let moved = if shift > 0 { bits << shift } else { bits >> -shift };
    match right {
        1 => moved & NOT_FIRST,
        -1 => moved & NOT_LAST,
        _ => moved,
    }
}

/// The corners and the cells around the bits.
fn around(bits: u64) -> u64 {
    DIRECTIONS.into_iter().fold(0, |around, direction| around | step(bits, direction))
}

impl Othello {
    fn own_and_other(&self, side: Side) -> (u64, u64) {
        (self.discs[side as usize], self.discs[side.other() as usize])
    }

    fn occupied(&self) -> u64 {
        self.discs[0] | self.discs[1]
    }

    /// Discs on the board.
    pub fn disc_count(&self) -> u32 {
        self.occupied().count_ones()
    }

    /// The cells that `side` may place a disc on.
    fn places(&self, side: Side) -> u64 {
        let (own, other) = self.own_and_other(side);
        let mut places = 0;
        for direction in DIRECTIONS {
            let mut line = step(own, direction) & other;
            for _ in 1..LONGEST_LINE {
                line |= step(line, direction) & other;
            }
            places |= step(line, direction);
        }
        places & !self.occupied()
    }

    /// The discs that a disc of the mover on `cell` turns.
    fn turned(&self, cell: u64) -> u64 {
        let (own, other) = self.own_and_other(self.turn);
        let mut turned = 0;
        for direction in DIRECTIONS {
            let mut line = 0;
            let mut next = step(cell, direction);
            while next & other != 0 {
                line |= next;
                next = step(next, direction);
            }
            if next & own != 0 {
                turned |= line;
            }
        }
        turned
    }

    fn is_over(&self) -> bool {
        self.places(Side::Max) == 0 && self.places(Side::Min) == 0
    }

    /// The position after a move.
    pub fn after(&self, m: Move) -> Othello {
        let mut after = self.clone();
        match m {
            Move::Cell(cell) => {
                let cell = bit(cell);
                let turned = self.turned(cell);
                after.discs[self.turn as usize] |= cell | turned;
                after.discs[self.turn.other() as usize] &= !turned;
            }
            Move::Pass => {}
            _ => return after,
        }
        after.turn = self.turn.other();
        after
    }

    /// Corners, cells beside empty ones, and the moves to choose from.
    fn standing(&self, side: Side) -> Value {
        let own = self.discs[side as usize];
        let count = |bits: u64| bits.count_ones() as Value;
        let beside = around(CORNERS & !self.occupied());
        CORNER * count(own & CORNERS)
            + BESIDE_CORNER * count(own & beside)
            + MOBILITY * count(self.places(side))
    }
}

impl Game for Othello {
    fn turn(&self) -> Side {
        self.turn
    }

    /// The cells row by row; a player without one must pass, unless the opponent has none either.
    fn moves(&self) -> Vec<Move> {
        let places = self.places(self.turn);
        if places == 0 {
            return if self.is_over() { Vec::new() } else { vec![Move::Pass] };
        }
        let cells = (0..CELLS as u8).filter(|&at| places & (1 << at) != 0);
        cells.map(|at| Move::Cell(Cell { column: at % WIDTH, row: at / WIDTH })).collect()
    }

    fn play(&self, m: Move) -> Position {
        Position::new(self.after(m))
    }

    /// A finished game by the discs, so that a greater win is better.
    fn value(&self) -> Value {
        if !self.is_over() {
            return self.standing(Side::Max) - self.standing(Side::Min);
        }
        let [max, min] = self.discs.map(|discs| discs.count_ones() as Value);
        match max - min {
            0 => 0,
            ahead => ahead.signum() * WIN + ahead,
        }
    }

    fn key(&self) -> u64 {
        stir(stir(self.discs[0]) ^ self.discs[1]) ^ self.turn as u64
    }

    /// Two moves more to choose from than the opponent has; ten of it are a corner.
    fn unit(&self) -> Value {
        2 * MOBILITY
    }

    fn opening_breadth(&self) -> usize {
        Othello::default().moves().len()
    }

    /// Corners first, then edges; cells beside an empty corner last.
    fn promise(&self, m: Move) -> Value {
        let Move::Cell(cell) = m else { return 0 };
        let cell = bit(cell);
        let of = |cells: u64, worth: Value| if cells & cell != 0 { worth } else { 0 };
        of(CORNERS, CORNER)
            + of(EDGES, MOBILITY)
            + of(around(CORNERS & !self.occupied()), BESIDE_CORNER)
    }

    /// A disc on a corner changes the value at once and for good.
    fn is_forcing(&self, m: Move) -> bool {
        matches!(m, Move::Cell(cell) if bit(cell) & CORNERS != 0)
    }

    /// A corner that can be taken.
    fn is_critical(&self) -> bool {
        self.places(self.turn) & CORNERS != 0
    }

    fn board(&self) -> Option<Board> {
        let disc = |at: u32| match (self.discs[0] >> at & 1, self.discs[1] >> at & 1) {
            (0, 0) => '.',
            (0, _) => 'O',
            _ => 'X',
        };
        let cells = (0..CELLS).map(disc).collect();
        Some(Board { kind: BoardKind::Discs, columns: usize::from(WIDTH), cells })
    }

    fn pass(&self) -> Option<Position> {
        Some(Position::new(Othello { turn: self.turn.other(), ..self.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Othello {
        moves.split_whitespace().fold(Othello::default(), |game, name| {
            let found = game.moves().into_iter().find(|m| m.to_string() == name);
            game.after(found.unwrap_or_else(|| panic!("{name} in {moves}")))
        })
    }

    fn perft(game: &Othello, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        game.moves().into_iter().map(|m| perft(&game.after(m), depth - 1)).sum()
    }

    #[test]
    fn games_are_generated_in_full() {
        // The counts that programs of Othello agree on.
        for (depth, count) in (1..).zip([4, 12, 56, 244, 1396, 8200, 55_092, 390_216]) {
            assert_eq!(perft(&Othello::default(), depth), count, "{depth} plies");
        }
    }

    #[test]
    fn the_first_moves_are_the_four_that_turn_a_disc() {
        let names: Vec<String> = Othello::default().moves().iter().map(|m| m.to_string()).collect();
        assert_eq!(names, ["d3", "c4", "f5", "e6"]);
        let game = after("d3");
        assert_eq!((game.discs[0].count_ones(), game.discs[1].count_ones()), (4, 1));
    }

    #[test]
    fn the_shortest_game_is_won_with_all_discs() {
        // Nine moves, the least that end a game: White has no disc left.
        let game = after("e6 f4 e3 f6 g5 d6 e7 f5 c5");
        assert!(game.moves().is_empty());
        assert_eq!(game.value(), WIN + 13);
        assert_eq!(game.show(game.value()), "win+13");
    }

    #[test]
    fn a_player_without_a_move_passes_and_the_other_goes_on() {
        // Black holds the corner a1 with White beside it; only Black can turn a disc.
        let game = Othello { discs: [0b1, 0b10], turn: Side::Min };
        assert_eq!(game.moves(), [Move::Pass]);
        let game = game.after(Move::Pass);
        assert_eq!(game.turn(), Side::Max);
        let moves: Vec<String> = game.moves().iter().map(|m| m.to_string()).collect();
        assert_eq!(moves, ["c1"]);
        assert_eq!(game.after(game.moves()[0]).value(), WIN + 3);
    }
}
