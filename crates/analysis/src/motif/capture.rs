//! Motifs of capture: pieces that hang, are trapped, or lose their defender.

use shakmaty::{Position, Role, Square};

use super::attack::pin_ray;
use super::{Found, Motif, MotifLine, arrival, is_loose, is_undefended, value};

/// The first move captures a piece that nothing defends, and does not only take back.
pub(super) fn hanging_piece<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    let m = *line.moves.first()?;
    let captured = m.capture()?;
    let (position, square) = (&line.positions[0], arrival(m));
    if captured == Role::Pawn || m.is_en_passant() {
        return None;
    }
    // A recapture of what was just traded is none.
    let is_recapture = line.before.is_some_and(|before| {
        arrival(before) == square
            && before.capture().is_some_and(|role| value(role) >= value(captured))
    });
    let free = is_undefended(position.board(), square, !line.attacker());
    let gave_check = position.checkers().contains(square);
    let still = !is_recapture && free && (gave_check || !position.is_check());
    still.then_some(Found {
        motif: Motif::HangingPiece,
        ply: 0,
        piece: (captured, square),
        targets: Vec::new(),
    })
}

/// A piece is captured that was attacked when it was its turn, and had no move that would not lose it, too.
pub(super) fn trapped_piece<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    line.own_plies().skip(1).find_map(|ply| {
        let m = line.moves[ply];
        let captured = m.capture()?;
        let reply = line.moves[ply - 1];
        if matches!(captured, Role::Pawn | Role::King) {
            return None;
        }
        // Where the piece stood when it was the defender's turn.
        let square = if arrival(reply) == arrival(m) { reply.from()? } else { arrival(m) };
        let position = &line.positions[ply - 1];
        if line.board(ply - 1).role_at(square)? != captured
            || arrival(line.moves[ply - 2]) == square
        {
            return None;
        }
        is_trapped(position, square)
            .then(|| line.found(Motif::TrappedPiece, ply - 2, square, &[]))?
    })
}

/// True if the piece on `square`, whose side is to move, is attacked at a loss and every move of it loses, too.
fn is_trapped<P: Position + Clone>(position: &P, square: Square) -> bool {
    let board = position.board();
    let Some(piece) = board.piece_at(square) else { return false };
    let king = board.king_of(piece.color);
    let is_pinned =
        || king.is_some_and(|king| pin_ray(board, square, king, !piece.color).is_some());
    if position.is_check() || is_pinned() || !is_loose(board, square) {
        return false;
    }
    position.legal_moves().into_iter().filter(|m| m.from() == Some(square)).all(|m| {
        let gain = m.capture().map_or(0, value);
        if gain >= value(piece.role) {
            return false;
        }
        let mut after = position.clone();
        after.play_unchecked(m);
        is_loose(after.board(), arrival(m))
    })
}

/// A capture takes the only defender of a piece that falls next. The defender did not come there of its own accord.
pub(super) fn removed_defender<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    line.own_plies().skip(1).find_map(|ply| {
        let (m, earlier, reply) = (line.moves[ply], line.moves[ply - 2], line.moves[ply - 1]);
        let (captured, defender) = (m.capture()?, earlier.capture()?);
        let (target, removed) = (arrival(m), arrival(earlier));
        let before = line.board(ply - 2);
        let guarded = before.attacks_from(removed).contains(target)
            && before.color_at(removed) == Some(!line.attacker());
        let stood = before.role_at(target) == Some(captured);
        let was_there = line.board(0).piece_at(removed) == before.piece_at(removed);
        let had_to_come =
            ply > 2 && (line.moves[ply - 3].is_capture() || line.positions[ply - 3].is_check());
        (captured != Role::King
            && defender != Role::King
            && target != removed
            && arrival(reply) != target
            && guarded
            && stood
            && (was_there || had_to_come)
            && is_undefended(line.board(ply), target, !line.attacker()))
        .then(|| line.found(Motif::RemovedDefender, ply - 2, removed, &[target]))?
    })
}
