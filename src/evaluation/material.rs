//! Material: the paper's weights, P 1, N 3, B 3, R 5, Q 10, K 50 (section 7).

use shakmaty::variant::Variant;
use shakmaty::{Board, Chess, Color, Role};

use super::{FULL_PHASE, Tapered};
use crate::rules::Rules;

/// The weight of a piece in centipawns. The king's counts only where it can be lost;
/// in chess both sides always have one and it cancels.
#[inline]
pub const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 300,
        Role::Rook => 500,
        Role::Queen => 1000,
        Role::King => 5000,
    }
}

/// What the weights are in a rule set, in centipawns: the paper's where pieces are what they are
/// in chess. First guesses elsewhere, to be fitted on games.
#[inline]
pub const fn values(variant: Variant) -> [i32; 6] {
    match variant {
        Variant::Chess | Variant::KingOfTheHill | Variant::ThreeCheck | Variant::Horde => {
            [100, 300, 300, 500, 1000, 5000]
        }
        // No pawns, and a queen more counts for less than a king ahead.
        Variant::RacingKings => [100, 300, 300, 500, 900, 5000],
        // A piece that captures is gone: light ones do that best, and none trades for two.
        Variant::Atomic => [100, 200, 200, 350, 700, 5000],
        // On the board or in hand, what counts is how it attacks: long range loses its worth.
        Variant::Crazyhouse => [100, 250, 250, 320, 550, 5000],
        // Burdens. Long-range pieces are the easiest to make capture.
        Variant::Antichess => [-100, -100, -100, -100, -100, -100],
    }
}

/// The weight of a piece in the rule set `P`, in centipawns.
#[inline]
pub const fn value_in<P: Rules>(role: Role) -> i32 {
    (const { values(P::VARIANT) })[role as usize - 1]
}

/// What a piece contributes to the game phase: 24 for all pieces of the starting position.
#[inline]
pub const fn phase(role: Role) -> i32 {
    match role {
        Role::Pawn | Role::King => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
    }
}

/// The phase of a whole board: 24 in the starting position, 0 with kings and pawns only.
pub fn board_phase(board: &Board) -> i32 {
    Role::ALL.into_iter().map(|role| phase(role) * board.by_role(role).count() as i32).sum()
}

/// How much of the opening is left, as a phase: all of it where material never leaves the game.
pub fn phase_in<P: Rules>(board: &Board) -> i32 {
    faded::<P>(board_phase(board))
}

/// The phase that a rule set makes of that of the board.
#[inline]
pub fn faded<P: Rules>(phase: i32) -> i32 {
    if P::MATERIAL_FADES { phase } else { FULL_PHASE }
}

/// The material of one side, the same in every phase. Kings count where they are not royal.
pub fn term<P: Rules>(board: &Board, color: Color) -> Tapered {
    let centipawns = Role::ALL
        .into_iter()
        .filter(|&role| role != Role::King || !P::ROYAL_KINGS)
        .map(|role| value_in::<P>(role) * board.by_piece(role.of(color)).count() as i32)
        .sum();
    Tapered::new(centipawns, centipawns)
}

/// What `color` has more than the other side, in centipawns; kings apart.
pub fn lead(board: &Board, color: Color) -> i32 {
    term::<Chess>(board, color).endgame() - term::<Chess>(board, !color).endgame()
}
