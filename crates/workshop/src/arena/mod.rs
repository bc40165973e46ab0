//! Games of the engine against itself, inside one process: thousands of them, from openings played with
//! both colours, decide whether a change gains.
//!
//! Under node or depth limits a game depends on nothing but its opening and the two sides' settings, so a
//! match can be repeated move for move, on any number of threads.

mod effort;
mod openings;
pub mod spsa;
mod tally;

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use shakmaty::{Color, Move};

use engine::evaluation::{Evaluation, Variant};
use engine::limits::Limits;
use engine::play::levels::policy::DepthPolicy;
use engine::play::strength::Strength;
use engine::play::{Mind, Mode};
use engine::rules::Game;
use engine::score::Score;
use engine::search::report::{Outcome, Silent};
use engine::search::table::OutOfMemoryError;
use engine::search::{Options, STACK, Searcher};

pub use effort::{Effort, Phase, Sample};
pub use openings::{OpeningFinder, Openings, Screen};
pub use tally::{Interval, Tally};

/// Full moves after which a game is called a draw.
const MAX_GAME: usize = 250;
/// Least score that both sides must agree on, in centipawns, …
const DECISIVE: i32 = 2000;
/// … and the half-moves in a row that they must, for the game to count as won.
const DECISIVE_PLIES: usize = 6;
/// Both sides must see a score this level, in centipawns, …
const LEVEL: i32 = 6;
/// … for this many half-moves in a row, …
const LEVEL_PLIES: usize = 10;
/// … and as many must have been played, for a game to be called drawn where draws are called.
const FIRST_LEVEL_PLY: usize = 80;
/// Table of one side, in MiB: some 390,000 entries, enough for searches of some 100,000 nodes.
pub const HASH_MB: usize = 4;

/// Random numbers for each `number` of a series with this seed; those of neighbours have nothing in common.
pub(crate) fn numbered_rng(seed: u64, number: u64) -> SmallRng {
    SmallRng::seed_from_u64(seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// The limits of each move of a game.
pub type Pace<P> = Arc<dyn Fn(&Game<P>) -> Limits + Send + Sync>;

/// One side of a match.
#[derive(Clone)]
pub struct Side<P> {
    /// Its evaluator.
    pub evaluator: Evaluation<P>,
    /// Its search options.
    pub options: Options,
    /// Its limits, move by move.
    pub pace: Pace<P>,
    /// Who plays for it; every game of a limited strength gets a seed of its own from this one's.
    pub mode: Mode,
}

impl<P: Variant> Side<P> {
    /// A side with the same limits for every move.
    pub fn new(evaluator: impl Into<Evaluation<P>>, options: Options, limits: Limits) -> Side<P> {
        Side {
            evaluator: evaluator.into(),
            options,
            pace: Arc::new(move |_: &Game<P>| limits.clone()),
            mode: Mode::Full,
        }
    }
}

impl<P: Variant> Side<P> {
    /// A side whose every move has the depth that a policy decides on, within `limits`.
    pub fn by_policy(
        policy: DepthPolicy,
        evaluator: Evaluation<P>,
        options: Options,
        limits: Limits,
    ) -> Side<P> {
        let (judge, parameters) = (evaluator.clone(), options.parameters.clone());
        let pace = move |game: &Game<P>| {
            let decision = policy.decide(game.position(), &judge, &parameters);
            Limits { plan: Some(decision.plan()), ..limits.clone() }
        };
        Side { pace: Arc::new(pace), ..Side::new(evaluator, options, Limits::default()) }
    }
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// White won.
    White,
    /// Nobody won.
    Draw,
    /// Black won.
    Black,
}

impl GameResult {
    fn won_by(color: Color) -> GameResult {
        color.fold_wb(GameResult::White, GameResult::Black)
    }

    /// The points of `color`, doubled: 2, 1 or 0.
    pub fn points(self, color: Color) -> usize {
        match self {
            GameResult::Draw => 1,
            result if result == GameResult::won_by(color) => 2,
            _ => 0,
        }
    }
}

/// Plays games between two sides.
pub struct GameRunner<P: Variant> {
    players: [SidePlayer<P>; 2],
    calls_draws: bool,
}

/// The player of one side.
struct SidePlayer<P: Variant> {
    searcher: Searcher<P>,
    pace: Pace<P>,
    mode: Mode,
    /// Who plays the present game.
    mind: Mind<P>,
}

impl<P: Variant> SidePlayer<P> {
    fn new(side: &Side<P>) -> Result<SidePlayer<P>, OutOfMemoryError> {
        let searcher = Searcher::new(side.evaluator.clone(), side.options.clone(), HASH_MB)?;
        let (pace, mode) = (Arc::clone(&side.pace), side.mode.clone());
        let mind = Mind::new(mode.clone(), 0)?;
        Ok(SidePlayer { searcher, pace, mode, mind })
    }

    /// Begins a game; `seed` is its own.
    fn new_game(&mut self, seed: u64) {
        self.searcher.new_game();
        if let Mode::Limited(strength) = self.mode {
            let mode = Mode::Limited(Strength { seed: strength.seed ^ seed, ..strength });
            // Without memory for another small table the side plays at full strength, as sessions do.
            self.mind = Mind::new(mode, 0).unwrap_or(Mind::Full);
        }
    }

    fn search(&mut self, game: &Game<P>) -> Outcome {
        let limits = (self.pace)(game);
        self.mind.think(&mut self.searcher, game, &limits, &mut Silent)
    }
}

impl<P: Variant> GameRunner<P> {
    /// A runner for games between `sides`.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if there is no memory for the transposition tables.
    pub fn new(sides: [&Side<P>; 2]) -> Result<GameRunner<P>, OutOfMemoryError> {
        let [first, second] = sides.map(SidePlayer::new);
        Ok(GameRunner { players: [first?, second?], calls_draws: false })
    }

    /// The same, with games called drawn once both sides see nothing in them.
    pub fn calling_draws(self) -> GameRunner<P> {
        GameRunner { calls_draws: true, ..self }
    }

    /// Gives the sides other search options from the next game on.
    pub fn set_options(&mut self, options: [Options; 2]) {
        for (player, options) in self.players.iter_mut().zip(options) {
            player.searcher.set_options(options);
        }
    }

    /// Plays one game from `opening`; `white` is the index of the side that has White. `watch` sees every
    /// move with the index of the side that makes it.
    pub fn play(
        &mut self,
        opening: &Game<P>,
        white: usize,
        mut watch: impl FnMut(usize, &Game<P>, Move, &Outcome),
    ) -> GameResult {
        let mut game = opening.clone();
        for (number, player) in (0_u64..).zip(&mut self.players) {
            player.new_game(game.now().key() ^ white as u64 ^ number << 32);
        }
        let mut decisive = (GameResult::Draw, 0);
        let mut level = 0;
        for _ in 0..2 * MAX_GAME {
            if let Some(result) = result_of(&game) {
                return result;
            }
            let turn = game.now().turn();
            let mover = turn.fold_wb(white, 1 - white);
            let outcome = self.players[mover].search(&game);
            let Some(m) = outcome.best else { return GameResult::Draw };
            watch(mover, &game, m, &outcome);
            game.play(m);
            let result = expected_result(turn, outcome.score);
            decisive = if result == decisive.0 { (result, decisive.1 + 1) } else { (result, 1) };
            if decisive.0 != GameResult::Draw && decisive.1 >= DECISIVE_PLIES {
                return decisive.0;
            }
            level = if outcome.score.raw().abs() <= LEVEL { level + 1 } else { 0 };
            if self.calls_draws && level >= LEVEL_PLIES && game.past().len() >= FIRST_LEVEL_PLY {
                return GameResult::Draw;
            }
        }
        GameResult::Draw
    }
}

/// The result by the rules, once there is one.
fn result_of<P: Variant>(game: &Game<P>) -> Option<GameResult> {
    if let Some(known) = game.position().outcome().known() {
        return Some(known.winner().map_or(GameResult::Draw, GameResult::won_by));
    }
    game.draw_reason().map(|_| GameResult::Draw)
}

/// The result by a decisive score of the side to move, `turn`.
fn expected_result(turn: Color, score: Score) -> GameResult {
    match score.raw() {
        value if value >= DECISIVE => GameResult::won_by(turn),
        value if value <= -DECISIVE => GameResult::won_by(!turn),
        _ => GameResult::Draw,
    }
}

/// Runs `work` on `threads` threads, this one among them, or on as many as the system grants. Returns the
/// first error. A panic of one of them is a panic here.
pub fn on_threads<E: Send>(
    threads: usize,
    work: impl Fn() -> Result<(), E> + Sync,
) -> Result<(), E> {
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &work).ok();
        let helpers: Vec<_> = (1..threads).map_while(start).collect();
        let own = work();
        // A helper's panic goes on here: its share of the work is missing.
        let end = |helper: thread::ScopedJoinHandle<'_, Result<(), E>>| {
            helper.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        let results = helpers.into_iter().map(end);
        results.fold(own, Result::and)
    })
}

/// Plays `pairs` pairs of games, as [`OpeningFinder::pair`] pairs them, on `threads` threads. `progress` sees the
/// tally after every pair; it returns false to end the match.
///
/// # Errors
/// [`OutOfMemoryError`] if there is no memory for the transposition tables.
pub fn compete<P: Variant>(
    sides: [&Side<P>; 2],
    openings: &Openings<P>,
    pairs: usize,
    threads: usize,
    progress: impl Fn(&Tally) -> bool + Sync,
) -> Result<Tally, OutOfMemoryError> {
    let next = AtomicUsize::new(0);
    let ended = AtomicBool::new(false);
    let tally = Mutex::new(Tally::default());
    let play_pairs = || -> Result<(), OutOfMemoryError> {
        let mut runner = GameRunner::new(sides)?;
        let mut finder = openings.finder()?;
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= pairs || ended.load(Relaxed) {
                return Ok(());
            }
            let [first, second] = finder.pair(number).map(|(opening, white)| {
                let color = Color::from_white(white == 0);
                runner.play(&opening, white, |_, _, _, _| {}).points(color)
            });
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.add_pair(first, second);
            if !progress(&tally) {
                ended.store(true, Relaxed);
            }
        }
    };
    on_threads(threads, play_pairs)?;
    Ok(tally.into_inner().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn a_panic_of_any_thread_is_no_success() {
        for number in 0..3 {
            let begun = AtomicUsize::new(0);
            let result = catch_unwind(|| {
                on_threads(3, || -> Result<(), Infallible> {
                    assert!(begun.fetch_add(1, Relaxed) != number, "a panic on purpose");
                    Ok(())
                })
            });
            assert!(result.is_err(), "thread {number}");
        }
    }
}
