//! Trujillo's evaluation, a reconstruction: three ratios, equally weighted.
//!
//! *Source:* Universidad Nacional de Trujillo, section 7. Its equation was a picture and is lost, so that
//! what is measured here is not the paper's but the simplest equation that its prose describes: (sumB − sumN) / (sumB + sumN) for the material, the same of BRP and NRP for how
//! protected each king is by its own pieces, and of NAR and BAR for how near the enemy's pieces are.
//! A piece is near by 7 − its Chebyshev distance. A ratio lets a program give a piece for a step
//! nearer; the laboratory measures what that costs.

use shakmaty::{Board, Color, Role, Square};

use crate::game::Value;

/// One in these values: a ratio lies between minus and plus this.
const SCALE: i64 = 100_000;

/// The worth of a pawn at the start: one part of the 180 that all pieces weigh.
pub const PAWN: Value = (SCALE / 180) as Value;

/// The paper's weights.
fn weight(role: Role) -> i64 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 10,
        Role::King => 50,
    }
}

/// The evaluation for White; with `has_kings` the two heuristics of the kings, or else material alone.
pub fn evaluate(board: &Board, has_kings: bool) -> Value {
    let material = ratio([Color::White, Color::Black].map(|side| material(board, side)));
    if !has_kings {
        return material as Value;
    }
    let near = |pieces: Color, king: Color| nearness(board, pieces, king);
    let protected = ratio([near(Color::White, Color::White), near(Color::Black, Color::Black)]);
    let attacked = ratio([near(Color::White, Color::Black), near(Color::Black, Color::White)]);
    (material + protected + attacked) as Value
}

fn ratio([white, black]: [i64; 2]) -> i64 {
    if white + black == 0 { 0 } else { SCALE * (white - black) / (white + black) }
}

fn material(board: &Board, side: Color) -> i64 {
    board.by_color(side).into_iter().filter_map(|at| board.role_at(at)).map(weight).sum()
}

/// The nearness of a side's pieces, kings left out, to a king.
fn nearness(board: &Board, pieces: Color, king: Color) -> i64 {
    let Some(king) = board.king_of(king) else { return 0 };
    let near = |at: Square| i64::from(7 - at.distance(king).min(7));
    let pieces = board.by_color(pieces) & !board.kings();
    pieces.into_iter().map(near).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_even_and_a_pawn_is_one_part_of_all() {
        let mut board = Board::new();
        assert_eq!(evaluate(&board, true), 0);
        board.discard_piece_at(Square::E7);
        // 90 against 89.
        assert_eq!(evaluate(&board, false), (SCALE / 179) as Value);
        assert!(evaluate(&board, true) > evaluate(&board, false));
    }
}
