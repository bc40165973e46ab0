//! Where kings stand: what a king's place is compared with when an evaluation is explained.

use shakmaty::{Bitboard, Board, Color, Square};

use super::OUTPUTS;

/// The squares, as White sees the board, on which at least one king in two thousand stands, by [`bucket`](super::bucket): of both
/// sides after every move of 2,500 rated games of people on lichess (CC0).
const KINGS: [Bitboard; OUTPUTS] = [
    Bitboard(0xffff_ffff_ffff_ffff),
    Bitboard(0xffff_ffff_ffff_ffff),
    Bitboard(0x5eff_ffff_ffff_ffff),
    Bitboard(0x0012_ffff_ffff_ffff),
    Bitboard(0x0000_005c_ffff_ffff),
    Bitboard(0x0000_0000_70ff_ffff),
    Bitboard(0x0000_0000_0078_fefe),
    Bitboard(0x0000_0000_0000_f8fe),
];

/// The squares where the king of `side`, now on `king`, could stand: its own, and those where kings stand that are free
/// and not attacked. `bucket` is less than [`OUTPUTS`]. Where kings race up the board, `stays_home` false, all squares count.
pub fn candidates(
    board: &Board,
    side: Color,
    king: Square,
    bucket: usize,
    stays_home: bool,
) -> Bitboard {
    let occupied = board.occupied().without(king);
    let is_attacked = |square| board.attacks_to(square, !side, occupied).any();
    let usual = if stays_home { KINGS[bucket] } else { Bitboard::FULL };
    let usual = side.fold_wb(usual, usual.flip_vertical());
    let free = usual & !board.occupied();
    free.into_iter().filter(|&square| !is_attacked(square)).collect::<Bitboard>().with(king)
}
