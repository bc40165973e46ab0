//! Values by a piece's offset from a king: how many files and ranks lie between them.
//!
//! Both king terms, in whatever form, are such tables. A rank counts as forward from
//! the point of view of the piece's owner, so one table serves both colours.

use std::fmt;

use shakmaty::{Color, Role, Square};

use super::Tapered;

/// Where a piece stands, seen from a king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offset {
    /// Files to the right of the king (towards h), −7 to 7.
    pub files: i32,
    /// Ranks ahead of the king as the piece's owner looks, −7 to 7.
    pub ranks: i32,
}

impl Offset {
    /// Where `owner`'s piece on `square` stands, seen from the king on `king`.
    pub fn between(owner: Color, king: Square, square: Square) -> Offset {
        let ranks = square.rank() as i32 - king.rank() as i32;
        Offset {
            files: square.file() as i32 - king.file() as i32,
            ranks: owner.fold_wb(ranks, -ranks),
        }
    }

    /// King moves between the two squares (Chebyshev distance), 0 to 7.
    pub fn distance(self) -> i32 {
        self.files.abs().max(self.ranks.abs())
    }

    /// `weight` × (7 − distance) / 7, rounded: linear nearness.
    pub fn nearness(self, weight: i32) -> i32 {
        let sevenths = weight * (7 - self.distance());
        (2 * sevenths + 7).div_euclid(14)
    }
}

/// Offsets in one row of sixteen a rank, so that a difference of two square numbers names one
/// offset and no other; 256 so that the index needs no bounds check.
const ENTRIES: usize = 256;

/// A tapered value for each role and offset.
#[derive(Clone, PartialEq, Eq)]
pub struct OffsetTable(Box<[[Tapered; ENTRIES]; 6]>);

impl fmt::Debug for OffsetTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OffsetTable(..)")
    }
}

impl OffsetTable {
    /// Fills a table from a function of role and offset. A king is no piece of these tables: as
    /// near as it is to the other, so near is the other to it.
    pub fn from_fn(value: impl Fn(Role, Offset) -> Tapered) -> OffsetTable {
        let mut table = Box::new([[Tapered::ZERO; ENTRIES]; 6]);
        for role in Role::ALL.into_iter().filter(|&role| role != Role::King) {
            for files in -7..=7 {
                for ranks in -7..=7 {
                    let offset = Offset { files, ranks };
                    table[role as usize - 1][(CENTRE + 16 * ranks + files) as usize] =
                        value(role, offset);
                }
            }
        }
        OffsetTable(table)
    }

    /// The value of a piece of `role` at `offset`.
    pub fn at(&self, role: Role, offset: Offset) -> Tapered {
        self.0[role as usize - 1]
            [(CENTRE + 16 * offset.ranks + offset.files) as usize & (ENTRIES - 1)]
    }

    /// The value of `owner`'s piece of `role` on `square`, seen from the king on `king`.
    #[inline]
    pub fn get(&self, owner: Color, role: Role, king: Square, square: Square) -> Tapered {
        self.0[role as usize - 1][index(owner, king, square)]
    }
}

/// The index of the offset zero.
const CENTRE: i32 = 119;

#[inline]
fn index(owner: Color, king: Square, square: Square) -> usize {
    let flip = owner.fold_wb(0, 56);
    let spread = |sq: Square| {
        let sq = sq as i32 ^ flip;
        sq + (sq & 56)
    };
    (CENTRE + spread(square) - spread(king)) as usize & (ENTRIES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearness_falls_linearly_with_the_distance() {
        let at = |files, ranks| Offset { files, ranks }.nearness(12);
        assert_eq!([at(0, 1), at(2, -2), at(-3, 1), at(0, 4), at(7, 7)], [10, 9, 7, 5, 0]);
    }

    #[test]
    fn a_table_is_read_at_the_offset_it_was_filled_for() {
        let table = OffsetTable::from_fn(|role, offset| {
            Tapered::new(offset.files * 100 + role as i32, offset.ranks)
        });
        for king in Square::ALL {
            for square in Square::ALL {
                for owner in Color::ALL {
                    let value = table.get(owner, Role::Rook, king, square);
                    let files = square.file() as i32 - king.file() as i32;
                    let ranks = square.rank() as i32 - king.rank() as i32;
                    assert_eq!(value.opening(), files * 100 + Role::Rook as i32);
                    assert_eq!(value.endgame(), owner.fold_wb(ranks, -ranks));
                }
            }
        }
    }
}
