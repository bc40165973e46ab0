//! Leaf counts of unpruned trees, exact or estimated: the measure of a position's choices.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::rules::Rules;
use crate::rules::perft::perft;

/// Number of random walks behind an estimate.
const WALKS: u32 = 128;

/// Mean number of moves per ply, over this ply and the next: the geometric mean √(perft 2). A check with
/// two answers, each followed by thirty moves, counts as √60 and not as 2.
pub fn mobility<P: Rules>(position: &P) -> f64 {
    (perft(position, 2) as f64).sqrt()
}

/// Estimated leaf count of the unpruned tree of `depth` plies below `position`: the mean, over random
/// walks, of the product of the numbers of moves on the way. The estimate is unbiased (Knuth, "Estimating
/// the efficiency of backtrack programs", 1975). Counting the leaves one by one takes hundreds of times as
/// long as the search. The same position always gives the same estimate.
pub fn estimate_leaves<P: Rules>(position: &P, depth: u32) -> f64 {
    let mut rng = SmallRng::seed_from_u64(position.key());
    let walks: f64 = (0..WALKS).map(|_| walk(position, depth, &mut rng)).sum();
    walks / f64::from(WALKS)
}

/// The product of the numbers of moves along one random walk.
fn walk<P: Rules>(position: &P, depth: u32, rng: &mut SmallRng) -> f64 {
    let mut now = position.clone();
    let mut product = 1.0;
    for _ in 0..depth {
        let moves = now.legal_moves();
        if moves.is_empty() {
            return 0.0;
        }
        product *= moves.len() as f64;
        now.play_unchecked(moves[rng.random_range(0..moves.len())]);
    }
    product
}

/// Positions of random games from start to end.
#[cfg(test)]
pub(super) fn random_positions(games: u64) -> impl Iterator<Item = shakmaty::Chess> {
    use shakmaty::Position;
    (0..games).flat_map(|seed| {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut now = shakmaty::Chess::default();
        let mut positions = Vec::new();
        while !now.is_game_over() && positions.len() < 400 {
            positions.push(now.clone());
            let moves = now.legal_moves();
            now.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
        positions
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess};

    use super::*;

    #[test]
    fn estimates_are_close_and_repeatable() {
        let start = Chess::default();
        assert_eq!(estimate_leaves(&start, 1), 20.0);
        for (depth, leaves) in [(2, 400.0), (3, 8902.0), (4, 197_281.0)] {
            let estimate = estimate_leaves(&start, depth);
            assert!((estimate / leaves - 1.0).abs() < 0.05, "{depth}: {estimate}");
            assert_eq!(estimate, estimate_leaves(&start, depth));
        }
        let pawns = "4k3/pp4pp/8/8/8/8/PP4PP/4K3 w - - 0 1".parse::<Fen>().unwrap();
        let pawns: Chess = pawns.into_position(CastlingMode::Standard).unwrap();
        let ratio = estimate_leaves(&pawns, 4) / perft(&pawns, 4) as f64;
        assert!((ratio - 1.0).abs() < 0.1, "{ratio}");
    }
}
