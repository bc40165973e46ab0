//! Which moves are hard to see, for the errors of levels and limited strengths.

use shakmaty::{Color, Move, Role, Square};

/// Steps between two squares from which a move is long.
const LONG_MOVE: u32 = 4;
/// Factor of the chance to overlook a long move of a piece, or one backwards.
const HARD: f64 = 1.5;

/// True if `m` moves a piece of `color` backwards.
pub fn is_backward(color: Color, m: Move) -> bool {
    let forward =
        |square: Square| color.fold_wb(u32::from(square.rank()), 7 - u32::from(square.rank()));
    m.role() != Role::Pawn && m.from().is_some_and(|from| forward(m.to()) < forward(from))
}

/// The factor of the chance to overlook the move `m` of `color` by its way over the board: 1 of a pawn and of a drop.
pub fn hardness(color: Color, m: Move) -> f64 {
    let is_far = |from: Square| from.distance(m.to()) >= LONG_MOVE;
    let is_long = m.role() != Role::Pawn && m.from().is_some_and(is_far);
    if is_long || is_backward(color, m) { HARD } else { 1.0 }
}
