//! Keys of a part of the board: of the pawns, and of each side's other pieces.
//!
//! They are the pieces' share of the Zobrist key, split in three, so the update of one is the update of
//! the other. Correction history looks positions up by them.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Board, CastlingSide, Color, Move, Role, Square};

use super::{Captures, Rules};

/// Zobrist keys of pawns and of other pieces by colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PieceKeys([u64; 3]);

impl PieceKeys {
    /// The keys of all pawns, of White's pieces but pawns, and of Black's.
    #[inline]
    pub fn parts(&self) -> [u64; 3] {
        self.0
    }

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
        for_each_toggle(before.turn(), m, |color, role, square| self.toggle(color, role, square));
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
        let [pawns, white, black] = self.0;
        pawns ^ white ^ black
    }

    /// Adds a piece that is not there, or takes away one that is.
    #[inline]
    fn toggle(&mut self, color: Color, role: Role, square: Square) {
        // Without branches, because they would be mispredicted.
        let part = if role == Role::Pawn { 0 } else { 1 + color as usize };
        self.0[part] ^= piece_key(color, role, square);
    }
}

/// The difference that the legal move `m` of `color` makes to the pieces' share of the position's key, explosions
/// left out.
#[inline]
pub fn moved_difference(color: Color, m: Move) -> u64 {
    let mut difference = 0;
    for_each_toggle(color, m, |color, role, square| difference ^= piece_key(color, role, square));
    difference
}

/// The difference that the way of a piece between two squares makes, in either direction.
pub fn quiet_difference(color: Color, role: Role, from: Square, to: Square) -> u64 {
    piece_key(color, role, from) ^ piece_key(color, role, to)
}

#[inline]
fn piece_key(color: Color, role: Role, square: Square) -> u64 {
    Zobrist64::zobrist_for_piece(square, role.of(color)).0
}

/// Calls `toggle` for every piece that leaves a square or comes to one by the move `m` of `us`.
#[inline(always)]
fn for_each_toggle(us: Color, m: Move, mut toggle: impl FnMut(Color, Role, Square)) {
    match m {
        Move::Normal { role, from, capture, to, promotion } => {
            toggle(us, role, from);
            toggle(us, promotion.unwrap_or(role), to);
            if let Some(victim) = capture {
                toggle(!us, victim, to);
            }
        }
        Move::EnPassant { from, to } => {
            toggle(us, Role::Pawn, from);
            toggle(us, Role::Pawn, to);
            toggle(!us, Role::Pawn, Square::from_coords(to.file(), from.rank()));
        }
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king < rook);
            toggle(us, Role::King, king);
            toggle(us, Role::King, side.king_to(us));
            toggle(us, Role::Rook, rook);
            toggle(us, Role::Rook, side.rook_to(us));
        }
        Move::Put { role, to } => toggle(us, role, to),
    }
}
