//! Motifs at the end of a game: mates with a name, promotions, double checks.

use shakmaty::{Bitboard, Move, Position, Rank, Role, attacks};

use super::{Found, Motif, MotifLine, arrival};

/// A rook or queen mates along the first rank of the king, whose own pieces bar the way out, none of them attacked.
pub(super) fn back_rank_mate<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    if !line.is_mate() {
        return None;
    }
    let board = line.board(line.moves.len());
    let king = board.king_of(!line.attacker())?;
    let home = (!line.attacker()).fold_wb(Rank::First, Rank::Eighth);
    let next = (!line.attacker()).fold_wb(Rank::Second, Rank::Seventh);
    let checkers = board.attacks_to(king, line.attacker(), board.occupied());
    let front = attacks::king_attacks(king) & Bitboard::from_rank(next);
    let own = board.by_color(!line.attacker());
    let is_attacked = |square| board.attacks_to(square, line.attacker(), board.occupied()).any();
    let is_blocked = front.into_iter().all(|square| own.contains(square) && !is_attacked(square));
    let sliders = checkers & Bitboard::from_rank(home) & board.rooks_and_queens();
    let by = sliders.first()?;
    (king.rank() == home && is_blocked)
        .then(|| line.found(Motif::BackRankMate, line.moves.len() - 1, by, &[king]))?
}

/// A knight mates a king whose every neighbouring square one of its own pieces occupies.
pub(super) fn smothered_mate<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    if !line.is_mate() {
        return None;
    }
    let board = line.board(line.moves.len());
    let king = board.king_of(!line.attacker())?;
    let checkers = board.attacks_to(king, line.attacker(), board.occupied());
    let by = (checkers & board.knights()).first()?;
    let own = board.by_color(!line.attacker());
    (attacks::king_attacks(king) & !own)
        .is_empty()
        .then(|| line.found(Motif::SmotheredMate, line.moves.len() - 1, by, &[king]))?
}

/// Two pieces give check at once.
pub(super) fn double_check<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    let ply = line.own_plies().find(|&ply| line.positions[ply + 1].checkers().count() > 1)?;
    let king = line.board(ply + 1).king_of(!line.attacker())?;
    line.found(Motif::DoubleCheck, ply, arrival(line.moves[ply]), &[king])
}

/// A pawn promotes; to less than a queen only where a queen would not mate as well, and nothing takes the new piece at once.
pub(super) fn promotion<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    let ply = line.own_plies().find(|&ply| line.moves[ply].is_promotion())?;
    let is_queen = line.moves[ply].promotion() == Some(Role::Queen);
    let mates = |m: Move| {
        let mut after = line.positions[ply].clone();
        after.play_unchecked(m);
        after.is_checkmate()
    };
    let queen = line.positions[ply].legal_moves().into_iter().find(|m| {
        m.promotion() == Some(Role::Queen)
            && m.from() == line.moves[ply].from()
            && m.to() == line.moves[ply].to()
    });
    let is_taken = line.target(ply + 1) == Some(arrival(line.moves[ply]));
    let has_purpose = !(is_taken || mates(line.moves[ply]) && queen.is_some_and(mates));
    let motif = if is_queen || !has_purpose { Motif::Promotion } else { Motif::Underpromotion };
    line.found(motif, ply, arrival(line.moves[ply]), &[])
}
