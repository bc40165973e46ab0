//! The rules of the game, as the search wants to ask about them.
//!
//! shakmaty knows the rules; [`Rules`] adds what a search needs on top: moves in
//! two helpings (noisy, then quiet), a position key kept up to date move by
//! move, moves in sixteen bits for the transposition table, and the null move.
//! Every default is written with shakmaty alone and is right for every rule set;
//! `chess` overrides what is hot with faster answers, which tests compare with these.

mod chess;
mod game;
pub mod setup;

use std::fmt::Debug;

use shakmaty::packed::PackedUciMove;
use shakmaty::variant::Variant;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    Bitboard, CastlingMode, EnPassantMode, FromSetup, Move, MoveList, Position, Role, Square,
};

pub use game::{Game, Situation};

/// A move in sixteen bits, as the transposition table stores it. Zero is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveCode(pub u16);

impl MoveCode {
    /// No move.
    pub const NONE: MoveCode = MoveCode(0);

    /// Encodes a move; castling is king takes rook, so Chess960 fits too.
    #[inline]
    pub fn of(m: Move) -> MoveCode {
        let packed = PackedUciMove::pack(m.to_uci(CastlingMode::Chess960));
        MoveCode(u16::from_le_bytes(packed.to_bytes()))
    }

    /// Origin, target and promotion, unless the code is that of a drop.
    #[inline]
    fn parts(self) -> Option<(Square, Square, Option<Role>)> {
        let square = |shift| Square::new(u32::from(self.0 >> shift) % 64);
        let promotion = Role::try_from(self.0 >> 12 & 7).ok();
        (self.0 >> 15 == 0).then(|| (square(0), square(6), promotion))
    }
}

/// True for moves that change the material at once: captures and promotions to a queen.
/// Quiescence searches these; all other moves are quiet.
#[inline]
pub fn is_noisy(m: Move) -> bool {
    m.is_capture() || m.promotion() == Some(Role::Queen)
}

/// A rule set as the search sees it.
pub trait Rules: Position + FromSetup + Clone + Default + Debug + Send + Sync + 'static {
    /// Which rule set this is.
    const VARIANT: Variant;

    /// The position's key from scratch: Zobrist with en passant only where it is legal,
    /// which equals the key of Polyglot books.
    fn key(&self) -> u64 {
        self.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
    }

    /// The key of `after`, which is this position after the legal move `m`; `key` is this position's own.
    fn key_after(&self, key: u64, m: Move, after: &Self) -> u64 {
        self.update_zobrist_hash(Zobrist64(key), m, EnPassantMode::Legal)
            .map_or_else(|| after.key(), u64::from)
    }

    /// Appends every legal noisy move (see [`is_noisy`]), in no particular order.
    fn noisy_moves(&self, _checkers: Bitboard, moves: &mut MoveList) {
        moves.extend(self.legal_moves().into_iter().filter(|&m| is_noisy(m)));
    }

    /// Appends every legal move that is not noisy, in no particular order.
    fn quiet_moves(&self, _checkers: Bitboard, moves: &mut MoveList) {
        moves.extend(self.legal_moves().into_iter().filter(|&m| !is_noisy(m)));
    }

    /// True if `m`, which may stem from another position, is legal here.
    fn is_playable(&self, _checkers: Bitboard, m: Move) -> bool {
        self.is_legal(m)
    }

    /// The legal move `m` with `MoveCode::of(m) == code`, if there is one here.
    fn decode(&self, _checkers: Bitboard, code: MoveCode) -> Option<Move> {
        let uci = PackedUciMove::from_bytes(code.0.to_le_bytes()).unpack();
        uci.to_move(self).ok().filter(|&m| MoveCode::of(m) == code)
    }

    /// The position after a null move: the same, the other side to move. `None` where
    /// passing is not possible, as in check.
    fn pass(&self) -> Option<Self> {
        self.clone().swap_turn().or_else(|fault| fault.ignore_too_much_material()).ok()
    }

    /// True if the side to move has a piece besides king and pawns, so that being obliged
    /// to move (Zugzwang) is seldom a burden.
    fn has_pieces(&self) -> bool {
        let board = self.board();
        (self.us() & !(board.pawns() | board.kings())).any()
    }
}
