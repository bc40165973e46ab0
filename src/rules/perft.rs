//! Counting the positions that can be reached: the proof that moves are generated right, and a
//! measure of how fast.

use shakmaty::{Move, MoveList};

use super::Rules;

/// How many sequences of `depth` legal moves (half-moves) there are. The last ones are counted
/// without being played. Counts the moves that the search gets, noisy and quiet.
///
/// ```
/// use ajedrecista::rules::perft::perft;
/// use shakmaty::Chess;
///
/// assert_eq!(perft(&Chess::default(), 3), 8902);
/// ```
pub fn perft<P: Rules>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = MoveList::new();
    append_moves(position, &mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|&m| perft(&after(position, m), depth - 1)).sum()
}

/// [`perft`] for each legal move on its own, which together make `perft(position, depth)`.
/// Empty at depth 0.
pub fn divide<P: Rules>(position: &P, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let mut moves = MoveList::new();
    append_moves(position, &mut moves);
    moves.iter().map(|&m| (m, perft(&after(position, m), rest))).collect()
}

#[inline]
fn append_moves<P: Rules>(position: &P, moves: &mut MoveList) {
    let checkers = position.checkers();
    position.noisy_moves(checkers, moves);
    position.quiet_moves(checkers, moves);
}

fn after<P: Rules>(position: &P, m: Move) -> P {
    let mut after = position.clone();
    after.play_unchecked(m);
    after
}
