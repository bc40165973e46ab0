//! Motifs of tempo and place: pieces drawn away or drawn near, moves between, ways cut and cleared.

use shakmaty::{Bitboard, Position, Role, attacks};

use super::{Found, Motif, MotifLine, arrival, attackers, is_slider, is_undefended, value};

/// A defender answers a capture or a check, and what it guarded falls, promotes or mates.
pub(super) fn deflection<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    line.own_plies().skip(1).find_map(|ply| {
        let (m, earlier, reply) = (line.moves[ply], line.moves[ply - 2], line.moves[ply - 1]);
        let (before, after) = (line.board(ply - 1), line.board(ply));
        let (from, left, target) = (m.from()?, reply.from()?, arrival(m));
        let (mover, role) = (after.role_at(from)?, before.role_at(left)?);
        // The attacker's move must have drawn it away: by a capture it answers, or by a check.
        let takes = arrival(reply) == arrival(earlier);
        let was_drawn = takes || line.positions[ply - 1].is_check();
        // Behind a pawn that goes on to promote, too.
        let occupied = before.occupied() & !Bitboard::from_square(from);
        let guarded = before.attacks_to(target, !line.attacker(), occupied).contains(left);
        let guards_on = attackers(after, target, !line.attacker()).contains(arrival(reply));
        let pays = m.capture().is_some_and(|role| role != Role::Pawn)
            || m.is_promotion()
            || line.positions[ply + 1].is_checkmate();
        // What is worth more than its captor falls to a fork or a skewer, defended or not.
        let needed = m.capture().is_none_or(|captured| value(captured) <= value(mover));
        let path = attacks::between(from, target);
        let is_skewer = path.contains(left) && !takes;
        let is_discovery = earlier.from().is_some_and(|opened| path.contains(opened));
        let is_king_walk =
            role == Role::King && !takes && m.capture().is_none() && !m.is_promotion();
        let is_own = needed && !is_skewer && !is_discovery && !is_king_walk;
        (was_drawn
            && guarded
            && !guards_on
            && pays
            && is_own
            && target != arrival(reply)
            && (target != arrival(earlier) || m.is_promotion()))
        .then(|| line.found(Motif::Deflection, ply - 1, left, &[target]))?
    })
}

/// The only guard of two squares takes back on the one, and on the other a piece falls or mate is given.
pub(super) fn overloaded_piece<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    line.own_plies().skip(1).find_map(|ply| {
        let (m, earlier, reply) = (line.moves[ply], line.moves[ply - 2], line.moves[ply - 1]);
        let (first, second, guard) = (arrival(earlier), arrival(m), reply.from()?);
        earlier.capture()?;
        let before = line.board(ply - 2);
        let is_alone =
            |square| attackers(before, square, !line.attacker()) == Bitboard::from_square(guard);
        let falls = m.capture().is_some_and(|role| role != Role::Pawn)
            && before.role_at(second) == m.capture()
            && is_undefended(line.board(ply), second, !line.attacker());
        let pays = falls || line.positions[ply + 1].is_checkmate();
        let is_one = arrival(reply) == first
            && second != first
            && pays
            && is_alone(first)
            && is_alone(second);
        let found = line.found(Motif::OverloadedPiece, ply - 2, guard, &[])?;
        // It guards what stood there before the capture.
        let targets = [first, second].map(|square| (before.role_at(square), square)).to_vec();
        is_one.then_some(Found { targets, ..found })
    })
}

/// A king, queen or rook captures, and is attacked where it now stands: a king at once, others fall.
pub(super) fn attraction<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    line.own_plies().skip(1).find_map(|ply| {
        let (earlier, reply) = (line.moves[ply - 2], line.moves[ply - 1]);
        if arrival(reply) != arrival(earlier) || !reply.is_capture() {
            return None;
        }
        let square = arrival(reply);
        let drawn = line.board(ply).role_at(square)?;
        let m = line.moves[ply];
        let attacks_it =
            attackers(line.board(ply + 1), square, line.attacker()).contains(arrival(m));
        if !matches!(drawn, Role::King | Role::Queen | Role::Rook) || !attacks_it {
            return None;
        }
        let pays =
            drawn == Role::King || line.target(ply + 2).is_some_and(|target| target == square);
        pays.then(|| line.found(Motif::Attraction, ply - 1, square, &[]))?
    })
}

/// A recapture is put off by one move, and comes then.
pub(super) fn in_between_move<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    line.own_plies().skip(1).find_map(|ply| {
        let (m, earlier) = (line.moves[ply], line.moves[ply - 2]);
        let reply = line.moves[ply - 1];
        let square = arrival(m);
        m.capture()?;
        let previous = if ply >= 3 { Some(line.moves[ply - 3]) } else { line.before }?;
        let was_taken = arrival(previous) == square && previous.is_capture();
        let could =
            line.board(ply - 2).attacks_to(square, line.attacker(), line.board(ply - 2).occupied());
        let from = m.from()?;
        (was_taken
            && arrival(earlier) != square
            && arrival(reply) != square
            && could.contains(from)
            && earlier.from() != Some(from))
        .then(|| line.found(Motif::InBetweenMove, ply - 2, arrival(earlier), &[square]))?
    })
}

/// Something steps between a piece and the slider that defends it.
pub(super) fn interference<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    line.own_plies().skip(1).find_map(|ply| {
        let m = line.moves[ply];
        let target = arrival(m);
        let earlier = line.moves[ply - 2];
        let reply = line.moves[ply - 1];
        let before = line.board(ply - 2);
        let after = line.board(ply);
        let captured = m.capture();
        if captured.is_none() && !line.positions[ply + 1].is_checkmate() {
            return None;
        }
        if target == arrival(reply) {
            return None;
        }
        let guards =
            before.attacks_to(target, !line.attacker(), before.occupied()) & before.sliders();
        let is_free = is_undefended(after, target, !line.attacker());
        let cut = guards.into_iter().find_map(|guard| {
            let between = attacks::between(guard, target);
            // A piece that comes along the line itself is no obstacle on it.
            let comes_along = m.from().is_some_and(|from| between.contains(from));
            let still = after.piece_at(guard) == before.piece_at(guard) && !comes_along;
            // The defender gets in its own way only where it must: out of check, or taking what stepped there. A king often has
            // another square.
            let in_check = &line.positions[ply - 1];
            let is_driven = in_check.is_check()
                && (reply.role() != Role::King || in_check.legal_moves().len() == 1);
            let must = is_driven || arrival(reply) == arrival(earlier);
            let places = [Some(arrival(earlier)), Some(arrival(reply)).filter(|_| must)];
            places.into_iter().flatten().find(|&at| still && between.contains(at))
        })?;
        let at = if cut == arrival(reply) { ply - 1 } else { ply - 2 };
        is_free.then(|| line.found(Motif::Interference, at, cut, &[target]))?
    })
}

/// A piece leaves a square or a line, and another one uses it at once.
pub(super) fn clearance<P: Position + Clone>(line: &MotifLine<P>) -> Option<Found> {
    line.own_plies().skip(1).find_map(|ply| {
        let (m, earlier) = (line.moves[ply], line.moves[ply - 2]);
        let (from, cleared) = (m.from()?, earlier.from()?);
        let role = line.board(ply).role_at(from)?;
        let passes = is_slider(role) && attacks::between(from, arrival(m)).contains(cleared);
        let takes = arrival(m) == cleared && m.capture().is_none();
        let is_other = from != arrival(earlier);
        let pays = line.positions[ply + 1].is_check() || takes || m.is_capture();
        let is_officer = !matches!(earlier.role(), Role::King | Role::Pawn) && role != Role::King;
        (is_other && is_officer && (passes && m.capture().is_none() || takes) && pays)
            .then(|| line.found(Motif::Clearance, ply - 2, cleared, &[arrival(m)]))?
    })
}
