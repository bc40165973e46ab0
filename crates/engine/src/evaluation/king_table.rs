//! Values by the squares of a piece and of a king: the table behind both king terms.
//!
//! The board is turned so that one table serves both colours and both wings: its owner looks up the board,
//! and the king stands in the left half.

use std::fmt;

use shakmaty::{Role, Square};

use super::Tapered;

/// A piece seen from a king, on a board turned so that the piece's owner looks up it and the king stands on
/// one of the files a to d. All numbers count from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The king's file, 0 to 3.
    pub king_file: usize,
    /// The king's rank, 0 to 7.
    pub king_rank: usize,
    /// The piece's file, 0 to 7.
    pub file: usize,
    /// The piece's rank, 0 to 7.
    pub rank: usize,
}

impl View {
    /// The view of a piece on `square` from the king on `king`. `flip`: bits to flip in a square's number
    /// so that the piece's owner looks up the board (see [`Variant::flip`](super::Variant::flip)).
    pub fn new(flip: u8, king: Square, square: Square) -> View {
        let wing = if king.file() as u8 > 3 { 7 } else { 0 };
        let [king, piece] = [king, square].map(|square| usize::from(square as u8 ^ flip ^ wing));
        View { king_file: king % 8, king_rank: king / 8, file: piece % 8, rank: piece / 8 }
    }

    /// Files between piece and king, 0 to 7.
    pub fn files(self) -> usize {
        self.file.abs_diff(self.king_file)
    }

    /// Ranks from the king up to the piece, −7 to 7.
    pub fn ranks(self) -> i32 {
        self.rank as i32 - self.king_rank as i32
    }

    /// King moves between the two squares (Chebyshev distance), 0 to 7.
    pub fn distance(self) -> i32 {
        (self.files() as i32).max(self.ranks().abs())
    }

    /// Linear nearness: `weight` × (7 − distance) / 7, rounded.
    pub fn nearness(self, weight: i32) -> i32 {
        let sevenths = weight * (7 - self.distance());
        (2 * sevenths + 7).div_euclid(14)
    }
}

/// One king square's part of a table: a value for each role on each square.
type Board = [[Tapered; 64]; 6];

/// A tapered value for each role and view. A king moves rarely, so all values of its square lie side by
/// side in memory.
#[derive(Clone, PartialEq, Eq)]
pub struct KingTable(Box<[Board; 64]>);

impl fmt::Debug for KingTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KingTable(..)")
    }
}

impl KingTable {
    /// Fills a table from a function of role and view. Kings are left out: they are equally near to each
    /// other.
    pub fn from_fn(value: impl Fn(Role, View) -> Tapered) -> KingTable {
        let mut table = Box::new([[[Tapered::ZERO; 64]; 6]; 64]);
        for king in Square::ALL {
            for role in Role::ALL.into_iter().filter(|&role| role != Role::King) {
                for square in Square::ALL {
                    table[king as usize][role as usize - 1][square as usize] =
                        value(role, View::new(0, king, square));
                }
            }
        }
        KingTable(table)
    }

    /// True if no piece is worth anything anywhere.
    pub fn is_zero(&self) -> bool {
        self.0.iter().flatten().flatten().all(|value| *value == Tapered::ZERO)
    }

    /// The same table with `more` added by role.
    pub fn plus(&self, more: impl Fn(Role) -> Tapered) -> KingTable {
        let mut table = self.0.clone();
        for board in table.iter_mut() {
            for role in Role::ALL {
                board[role as usize - 1].iter_mut().for_each(|value| *value += more(role));
            }
        }
        KingTable(table)
    }

    /// The value of a piece of `role` on `square`, seen from the king on `king`; `flip` as in
    /// [`View::new`].
    #[inline]
    pub fn get(&self, flip: u8, role: Role, king: Square, square: Square) -> Tapered {
        let [king, square] = [king, square].map(|square| usize::from(square as u8 ^ flip));
        self.0[king][role as usize - 1][square]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearness_falls_linearly_with_the_distance() {
        let near = |king, square| View::new(0, king, square).nearness(12);
        let from_e4 =
            [Square::E5, Square::G2, Square::B5, Square::E8].map(|to| near(Square::E4, to));
        assert_eq!(from_e4, [10, 9, 7, 5]);
        assert_eq!(near(Square::A1, Square::H8), 0);
    }

    #[test]
    fn the_board_is_turned_for_the_owner_and_towards_the_king() {
        let seen = View::new(0, Square::G1, Square::H3);
        assert_eq!(seen, View { king_file: 1, king_rank: 0, file: 0, rank: 2 });
        assert_eq!(seen, View::new(56, Square::B8, Square::A6));
        assert_eq!((seen.files(), seen.ranks()), (1, 2));
        assert_eq!(View::new(56, Square::D4, Square::D6).ranks(), -2);
    }

    #[test]
    fn a_table_returns_the_value_of_its_view() {
        let value = |role: Role, view: View| {
            let squares = (view.king_rank * 8 + view.king_file) * 64 + view.rank * 8 + view.file;
            Tapered::new(squares as i32, role as i32)
        };
        let table = KingTable::from_fn(value);
        for king in Square::ALL {
            for square in Square::ALL {
                for flip in [0, 56] {
                    let view = View::new(flip, king, square);
                    let read = table.get(flip, Role::Rook, king, square);
                    assert_eq!(read, value(Role::Rook, view));
                }
            }
        }
    }
}
