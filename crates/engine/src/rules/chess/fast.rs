//! Fast moves for chess, and for rule sets in which pieces move and kings are checked as in chess: noisy
//! and quiet moves, legality of single moves, incremental keys.

use shakmaty::uci::UciMove;
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Bitboard, CastlingSide, Color, Move, MoveList, Position, Role, Square};

use super::view::SideView;
use crate::rules::MoveCode;

/// Appends the captures, the promotions to a queen, and the king's moves to `king_targets`, which contains
/// at least the enemy's squares.
pub fn noisy_moves<P: Position>(
    position: &P,
    checkers: Bitboard,
    king_targets: Bitboard,
    moves: &mut MoveList,
) {
    let view = SideView::new(position, checkers);
    let safe = view.safe();
    let victim = |to| position.board().role_at(to);
    view.pawn_captures(&safe, moves);
    view.en_passant(moves);
    view.queen_promotions(&safe, moves);
    view.piece_moves(&safe, position.them(), victim, moves);
    view.king_moves(king_targets, victim, moves);
}

/// Appends the other moves, those of the king to empty squares within `king_targets`.
pub fn quiet_moves<P: Position>(
    position: &P,
    checkers: Bitboard,
    king_targets: Bitboard,
    moves: &mut MoveList,
) {
    let view = SideView::new(position, checkers);
    let safe = view.safe();
    let empty = !position.board().occupied();
    view.pawn_pushes(&safe, moves);
    view.under_promotions(&safe, moves);
    view.piece_moves(&safe, empty, |_| None, moves);
    view.king_moves(empty & king_targets, |_| None, moves);
    view.castlings(moves);
}

/// True if `m`, which is not a drop, is legal.
pub fn is_playable<P: Position>(position: &P, checkers: Bitboard, m: Move) -> bool {
    let view = SideView::new(position, checkers);
    match m {
        Move::Normal { role, from, capture, to, promotion } => {
            position.our(role).contains(from)
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

/// The legal move with this code, if there is one and it is not a drop.
pub fn unpack<P: Position>(position: &P, checkers: Bitboard, code: MoveCode) -> Option<Move> {
    let UciMove::Normal { from, to, promotion } = code.to_uci() else { return None };
    let board = position.board();
    let role = board.role_at(from)?;
    let castling_rights = position.castles().castling_rights();
    let m = if role == Role::King && (castling_rights & position.us()).contains(to) {
        Move::Castle { king: from, rook: to }
    } else if role == Role::Pawn && from.file() != to.file() && !board.occupied().contains(to) {
        Move::EnPassant { from, to }
    } else {
        Move::Normal { role, from, capture: board.role_at(to), to, promotion }
    };
    // The code may come from another position with the same key: what it does not say must fit as well.
    (MoveCode::pack(m) == code && is_playable(position, checkers, m)).then_some(m)
}

/// A null move in disguise: a knight on the king's square that becomes the king where it stands. Played, it
/// changes nothing but the turn, the clocks and the en passant square. (A move of the king itself would
/// lose its castling rights.) Setting the position up again costs four times as much.
pub fn standing_still(king: Square) -> Move {
    Move::Normal {
        role: Role::Knight,
        from: king,
        capture: None,
        to: king,
        promotion: Some(Role::King),
    }
}

/// The key of `after`, which follows `before` by a legal move; `key` is that of `before`, `pieces` the
/// difference that the pieces make. Board, turn, castling and en passant: a rule set adds anything else that
/// its key depends on.
#[inline]
pub fn key_after<P: Position>(before: &P, key: u64, pieces: u64, after: &P) -> u64 {
    let mut key = key ^ pieces ^ Zobrist64::zobrist_for_white_turn().0;
    if before.castles().castling_rights() != after.castles().castling_rights() {
        key ^= castling_key(before) ^ castling_key(after);
    }
    key ^ en_passant_key(before) ^ en_passant_key(after)
}

/// The castling rights' part of the key.
fn castling_key(position: &impl Position) -> u64 {
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
fn en_passant_key<P: Position>(position: &P) -> u64 {
    match position.maybe_ep_square() {
        Some(square)
            // A game that is over has no en passant, and its king may be gone.
            if !position.is_variant_end()
                && SideView::new(position, Bitboard::EMPTY).can_capture_in_passing(square) =>
        {
            Zobrist64::zobrist_for_en_passant_file(square.file()).0
        }
        _ => 0,
    }
}
