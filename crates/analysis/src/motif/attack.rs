//! Motifs of attack: one piece against two, along a line or through another piece.

use shakmaty::{Bitboard, Board, Color, Position, Role, Square, attacks};

use super::{Found, Motif, MotifLine, arrival, is_loose, is_slider, is_undefended, value};

/// A piece that is safe, from an exchange for its like, too, attacks two pieces, each of them worth more than itself or undefended.
/// The line must go on: a fork that ends it proves nothing.
pub(super) fn fork<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    line.own_plies().find_map(|ply| {
        let is_last = ply + 1 >= line.moves.len();
        let m = line.moves[ply];
        let (board, square) = (line.board(ply + 1), arrival(m));
        let role = board.role_at(square)?;
        let takers = board.attacks_to(square, !line.attacker(), board.occupied());
        let is_like = |from: Square| board.role_at(from).is_some_and(|taker| taker == role);
        if is_last
            || role == Role::King
            || is_loose(board, square)
            || takers.into_iter().any(is_like)
        {
            return None;
        }
        let targets: Vec<Square> = (board.attacks_from(square) & board.by_color(!line.attacker()))
            .into_iter()
            .filter(|&target| {
                let Some(other) = board.role_at(target) else { return false };
                other != Role::Pawn
                    && (value(other) > value(role)
                        || is_undefended(board, target, !line.attacker())
                            && !board.attacks_from(target).contains(square))
            })
            .collect();
        (targets.len() > 1).then(|| line.found(Motif::Fork, ply, square, &targets))?
    })
}

/// A slider captures what stood behind a more valuable piece that had to leave: a king, one without a
/// defender, or one worth more than itself.
pub(super) fn skewer<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    line.own_plies().skip(1).find_map(|ply| {
        let (m, reply) = (line.moves[ply], line.moves[ply - 1]);
        let (from, captured) = (m.from()?, m.capture()?);
        let before = line.board(ply - 1);
        let left = reply.from()?;
        let moved = before.role_at(left)?;
        let is_between = attacks::between(from, arrival(m)).contains(left);
        let slider = line.board(ply).role_at(from).filter(|&role| is_slider(role))?;
        let is_one_piece = before.piece_at(from).is_some();
        let is_won = is_undefended(before, left, before.color_at(left)?);
        let had_to = moved == Role::King || value(moved) > value(slider) || is_won;
        let stays = arrival(reply) != arrival(m);
        (is_one_piece
            && is_between
            && had_to
            && stays
            && value(moved) > value(captured)
            && is_loose(line.board(ply), arrival(m)))
        .then(|| line.found(Motif::Skewer, ply - 2, from, &[left, arrival(m)]))?
    })
}

/// A check by a piece that did not move, or a capture along a line that the move before opened.
pub(super) fn discovered_attack<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    // A discovered check is one as soon as it is given.
    let check = line.own_plies().find_map(|ply| {
        let checkers = line.positions[ply + 1].checkers();
        let by = (checkers & !Bitboard::from_square(arrival(line.moves[ply]))).first()?;
        let king = line.board(ply + 1).king_of(!line.attacker())?;
        let is_plain = checkers.count() == 1 && !line.moves[ply].is_castle();
        is_plain.then(|| line.found(Motif::DiscoveredCheck, ply, by, &[king]))?
    });
    check.or_else(|| {
        line.own_plies().skip(1).find_map(|ply| {
            let (m, earlier, reply) = (line.moves[ply], line.moves[ply - 2], line.moves[ply - 1]);
            let from = m.from()?;
            m.capture()?;
            let opened = attacks::between(from, arrival(m)).contains(earlier.from()?);
            let is_other = from != arrival(earlier) && arrival(m) != arrival(reply);
            let is_new = !attacks::between(from, arrival(m)).contains(arrival(earlier));
            // Who castles does not mean the line that the king leaves.
            (opened && is_other && is_new && !earlier.is_castle())
                .then(|| line.found(Motif::DiscoveredAttack, ply - 2, from, &[arrival(m)]))?
        })
    })
}

/// A piece that stands before its king may not take what it attacks, or falls where it stands.
pub(super) fn pin<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    line.own_plies().find_map(|ply| {
        let board = line.board(ply + 1);
        let own = board.by_color(line.attacker());
        let them = board.by_color(!line.attacker());
        let king = board.king_of(!line.attacker())?;
        them.into_iter().filter(|&square| square != king).find_map(|square| {
            let ray = pin_ray(board, square, king, line.attacker())?;
            let role = board.role_at(square)?;
            // It may not take what it attacks …
            let attacked = board.attacks_from(square) & own & !ray;
            let is_prey = |&prey: &Square| {
                board.role_at(prey).is_some_and(|other| {
                    value(other) > value(role) || is_undefended(board, prey, line.attacker())
                })
            };
            // What has just come there relies on the pin.
            let arrived = attacked & Bitboard::from_square(arrival(line.moves[ply]));
            let prey = arrived.into_iter().chain(attacked).find(is_prey);
            if let Some(prey) = prey {
                return line.found(Motif::Pin, ply, square, &[king, prey]);
            }
            // … or not leave though it is attacked, unless it may take what pins it.
            let mut pinner = (ray & own & board.attacks_from(square)).into_iter();
            if pinner.any(|pinner| is_undefended(board, pinner, line.attacker())) {
                return None;
            }
            let enemies = board.attacks_to(square, line.attacker(), board.occupied());
            let cheaper = enemies
                .into_iter()
                .filter_map(|from| board.role_at(from))
                .any(|other| value(other) < value(role));
            let loose = is_undefended(board, square, !line.attacker());
            // It falls where it stands, or takes what pins it and is taken back.
            let reply = line.moves.get(ply + 1).filter(|m| m.from() == Some(square));
            let place = reply.map_or(square, |m| arrival(*m));
            let falls =
                line.target(ply + 2) == Some(place) && (ray.contains(place) || place == square);
            (enemies.any() && (cheaper || loose) && role != Role::Pawn && falls)
                .then(|| line.found(Motif::Pin, ply, square, &[king]))?
        })
    })
}

/// The line from the slider of `attacker` that pins the piece on `square` to `king`.
pub(super) fn pin_ray(
    board: &Board,
    square: Square,
    king: Square,
    attacker: Color,
) -> Option<Bitboard> {
    let without = board.occupied() ^ Bitboard::from_square(square);
    let sliders = board.attacks_to(king, attacker, without) & board.sliders();
    sliders.into_iter().find_map(|slider| {
        let ray = attacks::between(slider, king);
        ray.contains(square).then(|| ray | Bitboard::from_square(slider))
    })
}

/// A slider recaptures on a square that it saw through the enemy piece which captured there.
pub(super) fn x_ray<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    line.own_plies().skip(1).find_map(|ply| {
        let (m, earlier, reply) = (line.moves[ply], line.moves[ply - 2], line.moves[ply - 1]);
        let (from, between) = (m.from()?, attacks::between(m.from()?, arrival(m)));
        (arrival(earlier) == arrival(m)
            && arrival(reply) == arrival(m)
            && m.is_capture()
            && from != arrival(earlier)
            && reply.from().is_some_and(|left| between.contains(left)))
        .then(|| line.found(Motif::XRay, ply - 2, from, &[arrival(m)]))?
    })
}
