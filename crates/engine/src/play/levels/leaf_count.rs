//! Leaf counts of unpruned trees, exact or estimated: the measure of a position's choices.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::rules::Rules;
use crate::rules::perft::perft;

/// Number of random walks behind an estimate.
const WALKS: u32 = 128;

/// Weight of the answers to a check in the geometric mean of both sides' moves. A check restricts one ply, and the
/// plies below it are as rich as before. A half made level 4 spend 2.4 times its mean on checks, a third makes it
/// 0.7 to 1.2 times at all levels (`engine dda --games`).
const CHECK_WEIGHT: f64 = 1.0 / 3.0;

/// Mean number of moves per ply, over this ply and the next: the geometric mean √(perft 2), and in check one in which
/// the answers count for a third. A check with two answers, each followed by thirty moves, counts as
/// ∛(2 · 30²) = 12.2, and not as 2.
pub fn mobility<P: Rules>(position: &P) -> f64 {
    let leaves = perft(position, 2) as f64;
    if !position.is_check() {
        return leaves.sqrt();
    }
    let answers = (position.legal_moves().len() as f64).max(1.0);
    answers.powf(CHECK_WEIGHT) * (leaves / answers).powf(1.0 - CHECK_WEIGHT)
}

/// Leaves of the least tree that alpha-beta can search, `depth` plies below `position`: the modified walk
/// that the paper advises, the algorithm without evaluations. Every first move is taken for the best one. So
/// all moves are tried at the root and after a first move, only the first one where that refutes the move
/// before (Knuth and Moore, "An analysis of alpha-beta pruning", 1975).
pub fn walk_leaves<P: Rules>(position: &P, depth: u32) -> u64 {
    walk_node(position, depth, Node::Pv)
}

/// [`walk_leaves`] of a uniform tree with `moves` moves in each position: b^⌈d/2⌉ + b^⌊d/2⌋ − 1.
pub fn least_leaves(moves: f64, depth: u32) -> f64 {
    moves.powi(depth.div_ceil(2) as i32) + moves.powi((depth / 2) as i32) - 1.0
}

/// The kinds of nodes of the least tree.
#[derive(Clone, Copy, PartialEq)]
enum Node {
    /// On the principal variation.
    Pv,
    /// Refuted by its first move.
    Cut,
    /// All moves have to be refuted.
    All,
}

fn walk_node<P: Rules>(position: &P, depth: u32, node: Node) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    if moves.is_empty() {
        return 1;
    }
    if depth == 1 {
        return if node == Node::Cut { 1 } else { moves.len() as u64 };
    }
    let tried = if node == Node::Cut { 1 } else { moves.len() };
    let leaves = moves.iter().take(tried).enumerate().map(|(index, &m)| {
        let child = match node {
            Node::Pv if index == 0 => Node::Pv,
            Node::Cut => Node::All,
            Node::Pv | Node::All => Node::Cut,
        };
        let mut after = position.clone();
        after.play_unchecked(m);
        walk_node(&after, depth - 1, child)
    });
    leaves.sum()
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
    fn a_check_restricts_one_ply_only() {
        assert_eq!(mobility(&Chess::default()), 20.0);
        // Four answers, and sixteen moves after each; the mean of both sides alone would be 8.
        let check = "4k3/8/8/8/8/8/8/K3R3 b - - 0 1".parse::<Fen>().unwrap();
        let check: Chess = check.into_position(CastlingMode::Standard).unwrap();
        let cube = mobility(&check).powi(3);
        assert!((cube - 4.0 * 16.0 * 16.0).abs() < 1e-6, "{cube}");
    }

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

    #[test]
    fn the_least_tree_is_counted() {
        let start = Chess::default();
        assert_eq!(walk_leaves(&start, 1), 20);
        // All replies to the first move, one to each other.
        assert_eq!(walk_leaves(&start, 2), 39);
        assert_eq!(least_leaves(20.0, 2), 39.0);
        assert_eq!(least_leaves(20.0, 3), 419.0);
        assert!(walk_leaves(&start, 3) < perft(&start, 3) / 10);
    }
}
