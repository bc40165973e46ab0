//! The beginner's oversights: moves of its own that it does not notice, and moves at which it does not look at
//! the reply.
//!
//! Sight alone, three half-moves without waiting for quiet, is stronger than a beginner. So a beginner also
//! overlooks some of its moves, long and backward ones most easily, and now and then forgets the opponent.
//! What it overlooks depends on the position and on the seed alone, so the same game is played again.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Move, Role};

use crate::play::sight::hardness;
use crate::rules::{Game, MoveCode, Rules};

/// Factor of the chance to overlook a capture by a piece.
const CAPTURE: f64 = 0.7;

/// The chances of a player's oversights, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oversight {
    /// The chance to overlook a move of its own of usual difficulty.
    pub moves: f64,
    /// The chance to choose a move without a look at the reply.
    pub replies: f64,
}

impl Oversight {
    /// True if the player does not look at the reply in `game`. In check, and where a move ends the game, it
    /// always does.
    pub fn forgets_reply<P: Rules>(self, game: &Game<P>, seed: u64) -> bool {
        let position = game.position();
        let ends_game = |&m: &Move| ends_game(position, m);
        let mut rng = SmallRng::seed_from_u64(seed ^ game.now().key().rotate_left(32));
        rng.random::<f64>() < self.replies
            && !game.now().is_check()
            && !position.legal_moves().iter().any(ends_game)
    }

    /// The moves that the player notices in `game`, in UCI notation; empty if it notices all of them. In
    /// check nothing is overlooked, and a move that ends the game never is.
    pub fn noticed<P: Rules>(self, game: &Game<P>, seed: u64) -> Vec<UciMove> {
        let position = game.position();
        let legal = position.legal_moves();
        if game.now().is_check() {
            return Vec::new();
        }
        let noticed: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|&m| self.is_noticed(position, m, seed ^ game.now().key()))
            .collect();
        if noticed.len() == legal.len() {
            return Vec::new();
        }
        noticed.into_iter().map(|m| m.to_uci(CastlingMode::Chess960)).collect()
    }

    fn is_noticed<P: Rules>(self, position: &P, m: Move, seed: u64) -> bool {
        let chance = self.moves * difficulty(position, m);
        let mut rng = SmallRng::seed_from_u64(
            seed ^ u64::from(MoveCode::pack(m).0).wrapping_mul(0x9E37_79B9_7F4A_7C15),
        );
        rng.random::<f64>() >= chance || ends_game(position, m)
    }
}

/// True if the game is over after `m`.
fn ends_game<P: Rules>(position: &P, m: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(m);
    after.is_game_over()
}

/// The factor of the chance to overlook `m`.
fn difficulty<P: Rules>(position: &P, m: Move) -> f64 {
    let by_way = hardness(position.turn(), m);
    if m.is_capture() && m.role() != Role::Pawn { by_way * CAPTURE } else { by_way }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;
    use crate::rules::setup::{self, Start};

    const BLIND: Oversight = Oversight { moves: 1.0, replies: 1.0 };

    fn game(fen: &str) -> Game<Chess> {
        let start = Start::Fen(fen.to_string());
        setup::game(&start, &[], CastlingMode::Standard).unwrap().0
    }

    #[test]
    fn a_move_that_ends_the_game_is_never_overlooked() {
        // A mate on the back rank, and one of a bare king's stalemates.
        for (fen, m) in [
            ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8"),
            ("7k/8/6KP/8/8/8/8/8 w - - 0 1", "h6h7"),
        ] {
            let game = game(fen);
            for seed in 0..20 {
                let noticed = BLIND.noticed(&game, seed);
                assert!(noticed.iter().any(|known| known.to_string() == m), "{fen} {noticed:?}");
                assert!(!BLIND.forgets_reply(&game, seed), "{fen}");
            }
        }
    }

    #[test]
    fn nothing_is_overlooked_in_check_or_with_open_eyes() {
        let check = game("4k3/8/8/8/8/8/4r3/R3K2R w - - 0 1");
        assert!(BLIND.noticed(&check, 1).is_empty() && !BLIND.forgets_reply(&check, 1));
        let quiet = game("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        assert!(BLIND.forgets_reply(&quiet, 1));
        let open = Oversight { moves: 0.0, replies: 0.0 };
        assert!(open.noticed(&quiet, 1).is_empty() && !open.forgets_reply(&quiet, 1));
    }
}
