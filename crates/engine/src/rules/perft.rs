//! Perft: number of positions at a depth. It proves the move generator and measures its speed.

use shakmaty::Move;

use super::Rules;

/// Greatest depth, in half-moves: beyond all patience, and within the stack.
pub const DEEPEST: u32 = 64;

/// Number of sequences of `depth` legal moves (half-moves). The last move of each is counted without being
/// played.
///
/// ```
/// use engine::rules::perft::perft;
/// use shakmaty::Chess;
///
/// assert_eq!(perft(&Chess::default(), 3), 8902);
/// ```
pub fn perft<P: Rules>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|&m| perft_after(position, m, depth - 1)).sum()
}

/// [`perft`] for each legal move; the sum is `perft(position, depth)`. Empty at depth 0.
pub fn divide<P: Rules>(position: &P, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    position.legal_moves().into_iter().map(|m| (m, perft_after(position, m, rest))).collect()
}

#[inline]
fn perft_after<P: Rules>(position: &P, m: Move, depth: u32) -> u64 {
    let mut after = position.clone();
    after.play_unchecked(m);
    perft(&after, depth)
}
