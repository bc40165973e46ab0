//! Static exchange evaluation (SEE): the result of a sequence of captures on one square.
//!
//! Both sides always recapture with their least valuable piece and may stop at any time. Sliders behind
//! a capturer join in, pins are ignored. The swap algorithm is that of Reul, "Static Exchange Evaluation
//! with αβ-Approach", ICGA Journal 33(1), 2010, with a threshold in place of a value: most questions are
//! answered after the first captures.
//!
//! Rule sets whose captures are not swaps declare that in [`Captures`], and have another evaluation.

use shakmaty::{Bitboard, Board, Color, Move, Role, Square, attacks};

use crate::evaluation::material::value;
use crate::evaluation::variants::Variant;
use crate::rules::Captures;

/// True if the move gains at least `threshold` centipawns once all sensible recaptures on
/// its target are made. Castling counts as quiet: it exchanges nothing itself. A move that may
/// end the game at once gains enough for any threshold.
pub fn gains_at_least<P: Variant>(position: &P, m: Move, threshold: i32) -> bool {
    if position.is_decisive(m) {
        return true;
    }
    match P::CAPTURES {
        Captures::Exchange => swap_gains(position, m, threshold),
        Captures::Explosion => explosion(position, m) >= threshold,
        Captures::Duty => threshold <= 0,
    }
}

/// The gain of a capture that explodes: pieces around the target go, pawns only if they capture or are
/// captured.
fn explosion<P: Variant>(position: &P, m: Move) -> i32 {
    let promoted = m.promotion().map_or(0, |role| value::<P>(role) - value::<P>(Role::Pawn));
    let Some(victim) = m.capture() else { return promoted };
    let board = position.board();
    let around = attacks::king_attacks(m.to()) & !board.pawns();
    let around = m.from().map_or(around, |from| around.without(from));
    let worth = |pieces: Bitboard| -> i32 {
        Role::ALL
            .into_iter()
            .map(|role| value::<P>(role) * (pieces & board.by_role(role)).count() as i32)
            .sum()
    };
    // The capturer explodes, too, wherever it stands.
    let gone = value::<P>(m.role()) + worth(around & position.us());
    value::<P>(victim) + worth(around & position.them()) - gone
}

fn swap_gains<P: Variant>(position: &P, m: Move, threshold: i32) -> bool {
    let value = value::<P>;
    let Move::Normal { role, from, capture, to, promotion } = m else {
        return special(position, m, threshold);
    };
    let promoted = promotion.map_or(0, |piece| value(piece) - value(Role::Pawn));
    let placed = promotion.unwrap_or(role);
    // Not even without a recapture.
    let gain = capture.map_or(0, value) + promoted - threshold;
    if gain < 0 {
        return false;
    }
    let occupied = position.board().occupied().without(from).with(to);
    recaptures_leave::<P>(position.board(), !position.turn(), to, occupied, gain - value(placed))
}

/// En passant captures like a pawn, a dropped piece may be captured, castling is no capture.
fn special<P: Variant>(position: &P, m: Move, threshold: i32) -> bool {
    let value = value::<P>;
    if let Move::Put { role, to } = m {
        let occupied = position.board().occupied().with(to);
        let lost = -threshold - value(role);
        return threshold <= 0
            && recaptures_leave::<P>(position.board(), !position.turn(), to, occupied, lost);
    }
    let Move::EnPassant { from, to } = m else { return threshold <= 0 };
    let gain = value(Role::Pawn) - threshold;
    if gain < 0 {
        return false;
    }
    let taken = Square::from_coords(to.file(), from.rank());
    let occupied = position.board().occupied().without(from).without(taken).with(to);
    let balance = gain - value(Role::Pawn);
    recaptures_leave::<P>(position.board(), !position.turn(), to, occupied, balance)
}

/// Plays out the recaptures on `to`. `balance` is the profit of the first mover should the piece on
/// `to` be lost. True if that side ends at zero or more.
fn recaptures_leave<P: Variant>(
    board: &Board,
    mut side: Color,
    to: Square,
    mut occupied: Bitboard,
    mut balance: i32,
) -> bool {
    if balance >= 0 {
        return true;
    }
    let pawns = attacks::pawn_attacks(!side, to) & board.pawns();
    let knights = attacks::knight_attacks(to) & board.knights();
    let own = board.by_color(side) & occupied;
    let cheapest = [(pawns, Role::Pawn), (knights, Role::Knight)];
    let cheapest = cheapest.into_iter().find(|&(pieces, _)| (pieces & own).any());
    // If the loss of its cheapest attacker leaves the opponent ahead, the sliders do not matter.
    if cheapest.is_some_and(|(_, role)| balance + value::<P>(role) < 0) {
        return false;
    }
    let first = !side;
    let diagonal = board.bishops_and_queens();
    let straight = board.rooks_and_queens();
    let mut attackers = occupied
        & (pawns & own
            | attacks::pawn_attacks(side, to) & board.pawns() & board.by_color(first)
            | knights
            | attacks::king_attacks(to) & board.kings()
            | attacks::bishop_attacks(to, occupied) & diagonal
            | attacks::rook_attacks(to, occupied) & straight);
    loop {
        let own = attackers & board.by_color(side);
        let Some((square, role)) = least_valuable(board, own) else { break };
        // The king comes last among the attackers, so whatever stands against him decides.
        // A king may not step into a recapture.
        if role == Role::King && (attackers & board.by_color(!side)).any() {
            break;
        }
        occupied.discard(square);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            // The piece that left may have hidden a bishop or a queen behind it.
            attackers |= attacks::bishop_attacks(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook_attacks(to, occupied) & straight;
        }
        // Those used up are looked up again by the two lines above.
        attackers &= occupied;
        side = !side;
        // From the view of the side to reply: its profit if the capturer is lost in turn.
        // The one turns "at least" into "more than": what one side reaches the other must exceed.
        balance = -balance - 1 - value::<P>(role);
        if balance >= 0 {
            break;
        }
    }
    side != first
}

#[inline]
fn least_valuable(board: &Board, pieces: Bitboard) -> Option<(Square, Role)> {
    if pieces.is_empty() {
        return None;
    }
    Role::ALL
        .into_iter()
        .find_map(|role| (pieces & board.by_role(role)).first().map(|square| (square, role)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use shakmaty::uci::UciMove;
    use shakmaty::{CastlingMode, Chess};

    /// The exact value of the exchange, found by trying every threshold.
    fn exchange(fen: &str, uci: &str) -> i32 {
        let position: Chess =
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let m = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        (-60..60)
            .rev()
            .map(|step| step * 100)
            .find(|&threshold| gains_at_least(&position, m, threshold))
            .unwrap()
    }

    #[test]
    fn exchanges_by_hand() {
        let cases = [
            // A free pawn; a pawn guarded once; twice attacked, twice guarded.
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", -400),
            ("3rk3/8/4p3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -400),
            // A knight takes a guarded pawn and a rook behind takes back.
            ("4k3/8/2p5/3p4/8/2N5/8/3RK3 w - - 0 1", "c3d5", -100),
            // The queen behind the rook joins in.
            ("3rk3/8/8/3p4/8/8/3R4/3QK3 w - - 0 1", "d2d5", 100),
            // Pawn takes queen, whatever comes.
            ("4k3/8/4p3/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5", 900),
            // En passant, unguarded and guarded.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
            // A quiet move onto a guarded square; a promotion that is taken; one that stands.
            ("4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1", "d1d5", -500),
            ("3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8q", -100),
            ("6k1/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8q", 900),
            // A king takes what is not guarded, and takes back only where it may step.
            ("4k3/8/8/3r4/4K3/8/8/8 w - - 0 1", "e4d5", 500),
            ("8/8/3k4/3p4/2P5/8/8/4K3 w - - 0 1", "c4d5", 0),
            ("8/8/3k4/3p4/2P5/8/8/3RK3 w - - 0 1", "c4d5", 100),
            // Castling exchanges nothing.
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
        ];
        for (fen, uci, expected) in cases {
            assert_eq!(exchange(fen, uci), expected, "{uci} in {fen}");
        }
    }
}
