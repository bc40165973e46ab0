//! Material: the paper's weights, P 1, N 3, B 3, R 5, Q 10, K 50 (section 7).

use shakmaty::{Board, Color, Role};

use super::Tapered;

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

/// The material of one side, the same in every phase.
pub fn term(board: &Board, color: Color) -> Tapered {
    let centipawns = Role::ALL
        .into_iter()
        .filter(|&role| role != Role::King)
        .map(|role| value(role) * board.by_piece(role.of(color)).count() as i32)
        .sum();
    Tapered::new(centipawns, centipawns)
}

/// What `color` has more than the other side, in centipawns; kings apart.
pub fn lead(board: &Board, color: Color) -> i32 {
    term(board, color).endgame() - term(board, !color).endgame()
}
