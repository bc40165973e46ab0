//! Games of the engine against itself for the sake of their positions.
//!
//! A position is kept when its evaluation should mean something: out of check, the best
//! move quiet, no mate in sight, and the random opening behind it.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use shakmaty::{Color, Move};

use super::files::tag_of;
use super::record::Record;
use crate::arena::{GameRunner, Openings, Side, on_threads};
use engine::evaluation::Variant;
use engine::rules::Game;
use engine::search::report::Outcome;
use engine::search::table::OutOfMemoryError;

/// Scores beyond this, in centipawns, teach nothing about placing pieces; up to it they teach how to win a won game.
const CLEAR: i32 = 2000;

/// Plays the games with the numbers `games` of `side` against itself on `threads` threads, and hands each
/// game's positions to `keep`, which returns false to end it all. With the same `side` and `openings` a game depends
/// on its number alone: it begins with the opening of that number.
///
/// # Errors
/// [`OutOfMemoryError`] if the transposition tables cannot be had.
pub fn play<P: Variant>(
    side: &Side<P>,
    openings: &Openings<P>,
    games: Range<usize>,
    threads: usize,
    keep: impl FnMut(Vec<Record>) -> bool + Send,
) -> Result<(), OutOfMemoryError> {
    let next = AtomicUsize::new(games.start);
    let keep = Mutex::new(keep);
    let work = || -> Result<(), OutOfMemoryError> {
        let mut runner = GameRunner::new([side, side])?.calling_draws();
        let mut finder = openings.finder()?;
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= games.end {
                return Ok(());
            }
            let records = positions(&mut runner, &finder.opening(number), tag_of(number as u64));
            let mut keep = keep.lock().unwrap_or_else(PoisonError::into_inner);
            if !keep(records) {
                next.store(games.end, Relaxed);
            }
        }
    };
    on_threads(threads, work)
}

/// One game's positions worth keeping.
fn positions<P: Variant>(runner: &mut GameRunner<P>, opening: &Game<P>, tag: u16) -> Vec<Record> {
    let mut records = Vec::new();
    let game_result = runner.play(opening, 0, |_, game, m, outcome| {
        if is_worth_keeping(game, m, outcome) {
            records.push(Record {
                board: game.position().board().clone(),
                extras: game.position().extras(),
                score: game.now().turn().fold_wb(outcome.score, -outcome.score).raw() as i16,
                result: 1,
                turn: game.now().turn(),
                game: tag,
                ply: game.past().len() as u16,
                own_term: game.position().own_term_centipawns(100) as i16,
            });
        }
    });
    let result = game_result.points(Color::White) as u8;
    records.iter_mut().for_each(|record| record.result = result);
    records
}

/// True for a position whose score means something: quiet, and not decided.
pub(super) fn is_worth_keeping<P: Variant>(game: &Game<P>, m: Move, outcome: &Outcome) -> bool {
    !game.now().is_check()
        && !game.position().is_noisy(m)
        && outcome.score.raw().abs() <= CLEAR
        && game.now().idle() < 80
        && Record::holds::<P>(game.position().board())
}
