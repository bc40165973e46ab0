//! Material: the paper's weights, P 1, N 3, B 3, R 5, Q 10, K 50 (section 7), and the game phase.

use shakmaty::{Board, Color, Role};

use super::{FULL_PHASE, Tapered, Variant};

/// The paper's weights in centipawns, pawn to king. The king's counts only where it can be lost; in
/// chess both sides always have one and it cancels.
pub const PAPER: [i32; 6] = [100, 300, 300, 500, 1000, 5000];

/// The weight of a piece under the rules `P`, in centipawns.
#[inline]
pub const fn value<P: Variant>(role: Role) -> i32 {
    P::VALUES[role as usize - 1]
}

/// The weight of a piece in the sum of a side, in centipawns: a royal king has none.
#[inline]
pub const fn counted_value<P: Variant>(role: Role) -> i32 {
    if P::ROYAL_KINGS && matches!(role, Role::King) { 0 } else { value::<P>(role) }
}

/// The contribution of a piece to the game phase: 24 for all pieces of the starting position.
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

/// The share of the opening that is left, as a phase: always the full phase where material never leaves the
/// game.
pub fn phase_in<P: Variant>(board: &Board) -> i32 {
    faded::<P>(board_phase(board))
}

/// The phase of a rule set for a given phase of the board.
#[inline]
pub fn faded<P: Variant>(phase: i32) -> i32 {
    if P::MATERIAL_FADES { phase } else { FULL_PHASE }
}

/// Greatest material of one side that is counted, in centipawns: what a [`Tapered`] holds. No game has so much, but a
/// position that is set up may have sixty queens.
const MOST: i32 = 16_000;

/// The material of one side, the same in every phase. Kings count where they are not royal.
pub fn term<P: Variant>(board: &Board, color: Color) -> Tapered {
    let pieces = Role::ALL
        .into_iter()
        .map(|role| counted_value::<P>(role) * board.by_piece(role.of(color)).count() as i32);
    let centipawns = pieces.sum::<i32>().min(MOST);
    Tapered::new(centipawns, centipawns)
}

/// The material lead of `color`, in centipawns; royal kings apart.
pub fn lead<P: Variant>(board: &Board, color: Color) -> i32 {
    term::<P>(board, color).endgame() - term::<P>(board, !color).endgame()
}
