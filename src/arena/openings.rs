//! Seeded openings for matches: random legal moves from the start, screened for balance.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::{Board, Side};
use crate::evaluation::Evaluator;
use crate::rules::{Game, Rules};

/// Tries for a balanced opening before one is taken as it is.
const TRIES: u64 = 200;

/// An endless, repeatable supply of openings: number `n` is the same for the same seed.
pub struct Openings<P> {
    seed: u64,
    plies: usize,
    /// Where the random half-moves begin: one of these, or the start of the game if there is none.
    starts: Vec<Game<P>>,
    /// Which of the openings for a number passed the screen.
    balanced: Vec<u64>,
}

impl<P: Rules> Openings<P> {
    /// Openings of `plies` random half-moves; the first `screened` of them are such that
    /// `judge` sees at most `margin` centipawns in them for either side.
    pub fn screened<E: Evaluator<P>>(
        seed: u64,
        plies: usize,
        screened: usize,
        judge: &Side<E>,
        margin: i32,
    ) -> Openings<P> {
        Openings::unscreened(seed, plies).screen(screened, judge, margin)
    }

    /// The same with the random half-moves from one of `starts`, instead of the start of the game.
    pub fn starting_from(self, starts: Vec<Game<P>>) -> Openings<P> {
        Openings { starts, ..self }
    }

    /// The same, the first `screened` of them balanced: see [`Openings::screened`].
    pub fn screen<E: Evaluator<P>>(
        mut self,
        screened: usize,
        judge: &Side<E>,
        margin: i32,
    ) -> Openings<P> {
        let Ok(mut board) = Board::<P, E>::new([judge, judge]) else { return self };
        for number in 0..screened {
            let balanced = (0..TRIES).find(|&attempt| {
                let game = self.build(number, attempt);
                !game.now().is_check()
                    && board.judge(&game).is_some_and(|score| score.raw().abs() <= margin)
            });
            self.balanced.push(balanced.unwrap_or(0));
        }
        self
    }

    /// Openings of `plies` random half-moves as they come.
    pub fn unscreened(seed: u64, plies: usize) -> Openings<P> {
        Openings { seed, plies, starts: Vec::new(), balanced: Vec::new() }
    }

    /// Opening number `number`.
    pub fn get(&self, number: usize) -> Game<P> {
        if self.balanced.is_empty() {
            return self.build(number, 0);
        }
        let slot = number % self.balanced.len();
        self.build(slot, self.balanced[slot])
    }

    fn build(&self, number: usize, attempt: u64) -> Game<P> {
        let mut rng = SmallRng::seed_from_u64(
            self.seed
                ^ (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
                ^ attempt.wrapping_mul(0xD1B5_4A32_D192_ED03),
        );
        let mut game = match self.starts.len() {
            0 => Game::new(P::default()),
            count => self.starts[rng.random_range(0..count)].clone(),
        };
        for _ in 0..self.plies {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[rng.random_range(0..moves.len())]);
        }
        game
    }
}
