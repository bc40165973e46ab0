//! Every rule set: the assumptions of search and evaluation, compared with shakmaty, with published counts,
//! and in games played to their end.

mod ends;
mod generators;
mod perft;
mod setups;
mod terms;

use engine::rules::{Rules, setup};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use shakmaty::CastlingMode;

/// A position from a valid FEN.
pub fn read<P: Rules>(fen: &str) -> P {
    setup::position(fen, CastlingMode::Chess960).unwrap_or_else(|error| panic!("{fen}: {error}")).0
}

/// Every position of random games, the last ones included.
pub fn random_positions<P: Rules>(games: u64) -> Vec<P> {
    let mut positions = Vec::new();
    for seed in 0..games {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut position = P::default();
        for _ in 0..200 {
            positions.push(position.clone());
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
    }
    positions
}
