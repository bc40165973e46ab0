//! The rules of the game, as the search wants to ask about them.
//!
//! shakmaty knows the rules; [`Rules`] adds what a search needs on top: moves in
//! two helpings (noisy, then quiet), a position key kept up to date move by
//! move, moves in sixteen bits for the transposition table, and the null move.
//! Every default is written with shakmaty alone and is right for every rule set;
//! `chess` overrides what is hot with faster answers, which tests compare with these.

mod chess;
mod game;
pub mod perft;
pub mod setup;
mod variants;

use std::fmt::Debug;

use shakmaty::uci::UciMove;
use shakmaty::variant::Variant;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    Bitboard, EnPassantMode, FromSetup, Move, MoveList, Position, PositionError, Role, Square,
};

pub use game::{Game, Situation};

/// A move in sixteen bits, as the transposition table stores it. Zero is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveCode(pub u16);

impl MoveCode {
    /// No move.
    pub const NONE: MoveCode = MoveCode(0);

    /// Encodes a move: origin, target and promotion in 6, 6 and 3 bits. Castling is king takes
    /// rook, so Chess960 fits too; a drop has the top bit set and its role for a promotion.
    #[inline]
    pub fn of(m: Move) -> MoveCode {
        let code = |from: Square, to: Square| u16::from(from) | u16::from(to) << 6;
        MoveCode(match m {
            Move::Normal { from, to, promotion, .. } => {
                code(from, to) | promotion.map_or(0, u16::from) << 12
            }
            Move::EnPassant { from, to } | Move::Castle { king: from, rook: to } => code(from, to),
            Move::Put { role, to } => code(to, to) | u16::from(role) << 12 | 1 << 15,
        })
    }

    /// What the code says, legal or not.
    #[inline]
    fn to_uci(self) -> UciMove {
        let square = |shift| Square::new(u32::from(self.0 >> shift) % 64);
        let (from, to, role) = (square(0), square(6), Role::try_from(self.0 >> 12 & 7).ok());
        match role {
            Some(role) if self.0 >> 15 == 1 => UciMove::Put { role, to },
            promotion => UciMove::Normal { from, to, promotion },
        }
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

    /// True where a bare king can be driven to the edge and mated, and nothing else wins.
    const MATES_BARE_KINGS: bool = false;

    /// True where a capture takes more off the board than what stood on its square.
    const CAPTURES_EXPLODE: bool = false;

    /// The position's key from scratch: Zobrist with en passant only where it is legal,
    /// which equals the key of Polyglot books unless a pawn that could capture is pinned.
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
        code.to_uci().to_move(self).ok().filter(|&m| MoveCode::of(m) == code)
    }

    /// The position after a null move: the same with the other side to move, no en passant and
    /// the half-move clock one up. `None` where passing is not possible, as in check.
    fn pass(&self) -> Option<Self> {
        let mut setup = self.to_setup(EnPassantMode::Always);
        setup.swap_turn();
        setup.halfmoves = setup.halfmoves.saturating_add(1);
        Self::from_setup(setup, self.castles().mode())
            .or_else(PositionError::ignore_too_much_material)
            .ok()
    }

    /// True if the side to move has a piece besides king and pawns, so that being obliged
    /// to move (Zugzwang) is seldom a burden.
    fn has_pieces(&self) -> bool {
        let board = self.board();
        (self.us() & !(board.pawns() | board.kings())).any()
    }
}
