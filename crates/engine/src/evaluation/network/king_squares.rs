//! Where kings stand: what a king's place is compared with when an evaluation is explained.
//!
//! Counted in 2,500 rated games of people on lichess (CC0), after every move, for both sides, as the side sees the board.

use shakmaty::{Bitboard, Board, Color, Square};

use super::OUTPUTS;

/// Kings of a thousand on each square, from a1 on, rank by rank; by [`bucket`](super::bucket).
#[rustfmt::skip]
const KINGS: [[u16; 64]; OUTPUTS] = [
    [
        6, 8, 6, 3, 7, 17, 14, 11,
        6, 12, 13, 20, 10, 27, 27, 18,
        8, 11, 13, 16, 29, 32, 27, 14,
        4, 22, 15, 27, 20, 29, 30, 19,
        7, 23, 20, 20, 20, 49, 35, 14,
        11, 13, 16, 22, 19, 22, 40, 15,
        9, 7, 12, 9, 10, 12, 14, 10,
        6, 6, 7, 3, 8, 6, 4, 8,
    ],
    [
        2, 11, 10, 11, 8, 18, 47, 7,
        7, 19, 20, 18, 19, 32, 47, 24,
        7, 19, 21, 21, 22, 32, 46, 26,
        7, 14, 21, 20, 25, 29, 35, 20,
        9, 20, 16, 16, 19, 27, 31, 16,
        7, 12, 17, 14, 14, 16, 17, 9,
        4, 9, 7, 8, 8, 9, 10, 4,
        4, 2, 3, 1, 1, 2, 3, 1,
    ],
    [
        3, 10, 16, 10, 18, 32, 107, 25,
        5, 16, 19, 24, 38, 48, 65, 46,
        4, 13, 19, 41, 41, 46, 49, 27,
        2, 10, 17, 19, 24, 24, 20, 14,
        4, 7, 11, 11, 12, 12, 15, 6,
        4, 6, 5, 7, 7, 6, 5, 3,
        1, 5, 4, 3, 2, 2, 2, 1,
        0, 1, 1, 2, 1, 0, 1, 0,
    ],
    [
        4, 20, 31, 17, 24, 44, 260, 56,
        5, 13, 24, 31, 37, 55, 75, 55,
        4, 12, 12, 29, 29, 30, 28, 15,
        3, 3, 7, 8, 11, 11, 11, 5,
        1, 2, 3, 2, 3, 3, 4, 1,
        1, 1, 1, 1, 1, 2, 1, 1,
        0, 1, 0, 0, 1, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
    ],
    [
        4, 28, 54, 19, 58, 39, 422, 70,
        4, 7, 18, 28, 33, 38, 57, 34,
        2, 5, 6, 9, 10, 13, 15, 10,
        1, 1, 1, 2, 2, 3, 2, 1,
        0, 0, 1, 1, 1, 0, 1, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
    ],
    [
        1, 21, 65, 20, 153, 31, 503, 52,
        1, 4, 8, 21, 31, 19, 26, 14,
        1, 1, 2, 4, 5, 4, 3, 1,
        0, 0, 0, 0, 1, 1, 1, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
    ],
    [
        0, 10, 49, 13, 377, 13, 466, 21,
        0, 1, 3, 7, 10, 10, 9, 6,
        0, 0, 0, 1, 1, 1, 1, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
    ],
    [
        0, 2, 10, 1, 791, 2, 184, 2,
        0, 0, 0, 1, 2, 1, 1, 2,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
    ],
];

/// The squares where the king of `side`, now on `king`, could stand, each with the share of kings that stand there: its
/// own, and those that are free and not attacked. Where kings race up the board, `stays_home` false, no share is known
/// and all squares count alike.
pub fn candidates(
    board: &Board,
    side: Color,
    king: Square,
    bucket: usize,
    stays_home: bool,
) -> Vec<(Square, i64)> {
    let occupied = board.occupied().without(king);
    let is_attacked = |square| board.attacks_to(square, !side, occupied).any();
    let kings = &KINGS[bucket.min(OUTPUTS - 1)];
    let flip = side.fold_wb(0, 56);
    let share = |square: Square| {
        if stays_home { i64::from(kings[square as usize ^ flip]) } else { 1 }
    };
    let free: Bitboard = !board.occupied();
    let others = free.into_iter().map(|square| (square, share(square)));
    let own = (king, share(king).max(1));
    others.filter(|&(square, share)| share > 0 && !is_attacked(square)).chain([own]).collect()
}
