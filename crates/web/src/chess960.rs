//! The starting positions of Chess960.

/// How many there are.
pub const POSITIONS: u32 = 960;

/// The position of a number from 0 to 959 as FEN, in the usual numbering: 518 is that of chess. Greater numbers start
/// again.
pub fn start(number: u32) -> String {
    let mut rank = [' '; 8];
    let number = number % POSITIONS;
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    let (knights, queen) = (rest / 6, rest % 6);
    let mut place = |free: u32, piece: char| {
        let mut empty = rank.iter_mut().filter(|square| **square == ' ');
        if let Some(square) = empty.nth(free as usize) {
            *square = piece;
        }
    };
    // The bishops stand on fixed squares: as long as only they stand, every file left of them is free.
    let (light, dark) = (2 * light + 1, 2 * dark);
    place(light.max(dark), 'b');
    place(light.min(dark), 'b');
    place(queen, 'q');
    // The pairs of free squares for the knights, in order.
    let pairs = (0..5).flat_map(|first| (first + 1..5).map(move |second| (first, second)));
    let (first, second) = pairs.clone().nth(knights as usize).unwrap_or((0, 1));
    place(second, 'n');
    place(first, 'n');
    for piece in ['r', 'k', 'r'] {
        place(0, piece);
    }
    let black: String = rank.iter().collect();
    let white = black.to_uppercase();
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use engine::rules::setup;
    use shakmaty::{CastlingMode, Chess};

    #[test]
    fn there_are_960_legal_positions_and_one_is_that_of_chess() {
        assert!(start(518).starts_with("rnbqkbnr/"), "{}", start(518));
        let all: BTreeSet<String> = (0..POSITIONS).map(start).collect();
        assert_eq!(all.len(), POSITIONS as usize);
        for fen in all {
            let read = setup::position::<Chess>(&fen, CastlingMode::Chess960);
            assert!(read.unwrap().1.is_empty(), "{fen}");
        }
    }
}
