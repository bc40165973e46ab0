//! A piece and its target square: the part of a move that matters to the moves that follow it.

use shakmaty::{Color, Move};

const PIECES: usize = 12;
const SQUARES: usize = 64;
/// Entries of a table by piece and target square.
pub const PIECE_TARGETS: usize = PIECES * SQUARES;

/// A piece and its target square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTarget(u16);

impl PieceTarget {
    /// The piece of `color` that `m` moves, and its target.
    #[inline]
    pub fn of(color: Color, m: Move) -> PieceTarget {
        let piece = color as usize * 6 + (m.role() as usize - 1);
        PieceTarget((piece * SQUARES + m.to() as usize) as u16)
    }

    /// Its place in a table of [`PIECE_TARGETS`] entries.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
