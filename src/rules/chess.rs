//! Standard chess, fast: a search asks these questions millions of times a second, so here
//! they are answered from shakmaty's boards directly, without generating more than is asked for.
//!
//! The answers equal the defaults of [`Rules`], move for move and bit for bit; tests hold that.

use shakmaty::uci::UciMove;
use shakmaty::variant::Variant;
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Bitboard, CastlingSide, Chess, Color, Move, MoveList, Position, Role};

use super::{MoveCode, Rules};
use view::{View, passed_pawn};

mod view;

impl Rules for Chess {
    const VARIANT: Variant = Variant::Chess;
    const MATES_BARE_KINGS: bool = true;

    #[inline]
    fn key_after(&self, key: u64, m: Move, after: &Self) -> u64 {
        let mut key = key ^ pieces_key(m, self.turn()) ^ Zobrist64::zobrist_for_white_turn().0;
        if self.castles().castling_rights() != after.castles().castling_rights() {
            key ^= castling_key(self) ^ castling_key(after);
        }
        key ^ en_passant_key(self) ^ en_passant_key(after)
    }

    fn noisy_moves(&self, checkers: Bitboard, moves: &mut MoveList) {
        let view = View::new(self, checkers);
        let safe = view.safe();
        let victim = |to| self.board().role_at(to);
        view.pawn_captures(&safe, moves);
        view.en_passant(moves);
        view.queen_promotions(&safe, moves);
        view.piece_moves(&safe, self.them(), victim, moves);
        view.king_moves(self.them(), victim, moves);
    }

    fn quiet_moves(&self, checkers: Bitboard, moves: &mut MoveList) {
        let view = View::new(self, checkers);
        let safe = view.safe();
        let empty = !self.board().occupied();
        view.pawn_pushes(&safe, moves);
        view.under_promotions(&safe, moves);
        view.piece_moves(&safe, empty, |_| None, moves);
        view.king_moves(empty, |_| None, moves);
        view.castlings(moves);
    }

    fn is_playable(&self, checkers: Bitboard, m: Move) -> bool {
        let view = View::new(self, checkers);
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                self.our(role).contains(from)
                    && view.is_target(to, capture)
                    && view.is_promotion_right(role, to, promotion)
                    && view.reaches(role, from, to)
                    && view.leaves_king_safe(role, from, to)
            }
            Move::EnPassant { from, to } => view.is_en_passant(from, to),
            Move::Castle { king, rook } => {
                view.castling(CastlingSide::from_king_side(king < rook)) == Some(m)
            }
            Move::Put { .. } => false,
        }
    }

    fn decode(&self, checkers: Bitboard, code: MoveCode) -> Option<Move> {
        let UciMove::Normal { from, to, promotion } = code.to_uci() else { return None };
        let board = self.board();
        let role = board.role_at(from)?;
        let m = if role == Role::King && (self.castles().castling_rights() & self.us()).contains(to)
        {
            Move::Castle { king: from, rook: to }
        } else if role == Role::Pawn && from.file() != to.file() && !board.occupied().contains(to) {
            Move::EnPassant { from, to }
        } else {
            Move::Normal { role, from, capture: board.role_at(to), to, promotion }
        };
        (MoveCode::of(m) == code && self.is_playable(checkers, m)).then_some(m)
    }

    fn pass(&self) -> Option<Self> {
        if self.is_check() {
            return None;
        }
        let king = view::king_of(self);
        let mut after = self.clone();
        // A knight on the king's square that becomes the king where it stands: nothing changes
        // but the turn, the clocks and the en passant square. (Were it the king that moves, its
        // castling rights would go.) Setting the position up anew costs four times as much.
        after.play_unchecked(Move::Normal {
            role: Role::Knight,
            from: king,
            capture: None,
            to: king,
            promotion: Some(Role::King),
        });
        Some(after)
    }
}

/// What the pieces that the legal move `m` of `us` displaces contribute to the difference of keys.
#[inline]
fn pieces_key(m: Move, us: Color) -> u64 {
    let key = |square, role: Role, color| Zobrist64::zobrist_for_piece(square, role.of(color)).0;
    match m {
        Move::Normal { role, from, capture, to, promotion } => {
            let victim = capture.map_or(0, |victim| key(to, victim, !us));
            key(from, role, us) ^ key(to, promotion.unwrap_or(role), us) ^ victim
        }
        Move::EnPassant { from, to } => {
            let victim = key(passed_pawn(from, to), Role::Pawn, !us);
            key(from, Role::Pawn, us) ^ key(to, Role::Pawn, us) ^ victim
        }
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king < rook);
            key(king, Role::King, us)
                ^ key(side.king_to(us), Role::King, us)
                ^ key(rook, Role::Rook, us)
                ^ key(side.rook_to(us), Role::Rook, us)
        }
        Move::Put { role, to } => key(to, role, us),
    }
}

/// The castling rights' part of the key.
fn castling_key(position: &Chess) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if position.castles().has(color, side) {
                key ^= Zobrist64::zobrist_for_castling_right(color, side).0;
            }
        }
    }
    key
}

/// The en passant square's part of the key: zero unless a pawn can really capture there.
#[inline]
fn en_passant_key(position: &Chess) -> u64 {
    match position.maybe_ep_square() {
        Some(square) if View::new(position, Bitboard::EMPTY).can_capture_in_passing(square) => {
            Zobrist64::zobrist_for_en_passant_file(square.file()).0
        }
        _ => 0,
    }
}
