//! Keys of a part of the board: of the pawns, and of each side's other pieces.
//!
//! They are the pieces' share of the Zobrist key, split in three, so the update of one is the update of
//! the other. Correction history looks positions up by them.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Board, CastlingSide, Color, Move, Role, Square};

use super::{Captures, Rules};

/// Zobrist keys of pawns and of other pieces by colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PieceKeys {
    /// All pawns.
    pub pawns: u64,
    /// White's pieces but pawns.
    pub white: u64,
    /// Black's pieces but pawns.
    pub black: u64,
}

impl PieceKeys {
    /// The keys of a board, from scratch.
    pub fn new(board: &Board) -> PieceKeys {
        let mut keys = PieceKeys::default();
        for (square, piece) in board.iter() {
            keys.toggle(piece.color, piece.role, square);
        }
        keys
    }

    /// The keys after the legal move `m` of the side to move of `before`, explosions left out.
    #[inline]
    pub fn moved<P: Rules>(mut self, before: &P, m: Move) -> PieceKeys {
        let us = before.turn();
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                self.toggle(us, role, from);
                self.toggle(us, promotion.unwrap_or(role), to);
                if let Some(victim) = capture {
                    self.toggle(!us, victim, to);
                }
            }
            Move::EnPassant { from, to } => {
                self.toggle(us, Role::Pawn, from);
                self.toggle(us, Role::Pawn, to);
                self.toggle(!us, Role::Pawn, Square::from_coords(to.file(), from.rank()));
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                self.toggle(us, Role::King, king);
                self.toggle(us, Role::King, side.king_to(us));
                self.toggle(us, Role::Rook, rook);
                self.toggle(us, Role::Rook, side.rook_to(us));
            }
            Move::Put { role, to } => self.toggle(us, role, to),
        }
        self
    }

    /// These keys, which [`moved`](PieceKeys::moved) made by `m`, less the pieces that exploded. `after` is
    /// the position that the move leads to.
    #[inline]
    pub fn exploded<P: Rules>(self, m: Move, after: &P) -> PieceKeys {
        let explodes = P::CAPTURES == Captures::Explosion && m.is_capture();
        if explodes { PieceKeys::new(after.board()) } else { self }
    }

    /// The difference that the pieces make to the position's key.
    #[inline]
    pub fn difference(&self, other: &PieceKeys) -> u64 {
        self.all() ^ other.all()
    }

    /// The pieces' share of the position's key.
    #[inline]
    fn all(&self) -> u64 {
        self.pawns ^ self.white ^ self.black
    }

    /// Adds a piece that is not there, or takes away one that is.
    #[inline]
    fn toggle(&mut self, color: Color, role: Role, square: Square) {
        let key = Zobrist64::zobrist_for_piece(square, role.of(color)).0;
        match (role, color) {
            (Role::Pawn, _) => self.pawns ^= key,
            (_, Color::White) => self.white ^= key,
            (_, Color::Black) => self.black ^= key,
        }
    }
}
