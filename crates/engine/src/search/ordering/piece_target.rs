//! A piece and its target square: the part of a move that matters to the moves that follow it.

use shakmaty::{Color, Move, Role, Square};

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
        PieceTarget::new(color, m.role(), m.to())
    }

    /// A piece of `color` on its way to `to`.
    #[inline]
    pub fn new(color: Color, role: Role, to: Square) -> PieceTarget {
        let piece = color as usize * 6 + (role as usize - 1);
        PieceTarget((piece * SQUARES + to as usize) as u16)
    }

    /// The target alone.
    #[inline]
    pub fn square(self) -> Square {
        Square::new(u32::from(self.0) % SQUARES as u32)
    }

    /// Its place in a table of [`PIECE_TARGETS`] entries.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move of the line, as the history of the moves after it files it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// The piece and its target.
    pub target: PieceTarget,
    /// Whether it answered a check (2), and whether it was a capture or promotion (1).
    setting: u8,
}

/// The settings that a move may have been played in.
const SETTINGS: usize = 4;
/// Rows of the continuation history.
pub const PLAYED: usize = SETTINGS * PIECE_TARGETS;

impl Played {
    /// A move played in check or out of it, a capture or promotion (`noisy`) or not.
    #[inline]
    pub fn new(target: PieceTarget, in_check: bool, noisy: bool) -> Played {
        Played { target, setting: u8::from(in_check) * 2 + u8::from(noisy) }
    }

    /// Its row in a table of [`PLAYED`] rows.
    #[inline]
    pub fn row(self) -> usize {
        self.setting as usize * PIECE_TARGETS + self.target.index()
    }
}
