//! Better scores for recorded positions: each is searched again, longer than in the game that it comes from.
//!
//! Short searches make many positions, long ones make true scores. A network that has learnt from many goes on
//! learning from some of the newest with better scores; a file of them also measures networks more sharply, because
//! less of the loss is the noise of short searches.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use shakmaty::{CastlingMode, Setup};

use super::record::Record;
use super::selfplay::is_worth_keeping;
use crate::arena::{HASH_MB, on_threads};
use engine::evaluation::{Evaluation, Variant};
use engine::limits::Limits;
use engine::rules::Game;
use engine::search::report::Silent;
use engine::search::table::OutOfMemoryError;
use engine::search::{Options, Searcher};

/// Positions that one searcher takes in turn; its table begins empty with each group, so that the scores do not
/// depend on the number of threads.
pub const GROUP: usize = 256;

/// The positions of `records` that are still worth keeping with the score of a search within `limits`, in their
/// order. `progress` is called with the number of positions searched; it returns false to leave out the rest.
///
/// The rule set's records must hold whole positions: [`EXTRAS`](Variant::EXTRAS) is zero.
///
/// # Errors
/// [`OutOfMemoryError`] if the transposition tables cannot be had.
pub fn relabel<P: Variant>(
    records: &[Record],
    evaluator: &Evaluation<P>,
    limits: &Limits,
    threads: usize,
    progress: impl Fn(usize) -> bool + Sync,
) -> Result<Vec<Record>, OutOfMemoryError> {
    let groups: Vec<&[Record]> = records.chunks(GROUP).collect();
    let next = AtomicUsize::new(0);
    let relabelled = Mutex::new(vec![Vec::new(); groups.len()]);
    on_threads(threads, || -> Result<(), OutOfMemoryError> {
        let mut searcher = Searcher::new(evaluator.clone(), Options::default(), HASH_MB)?;
        loop {
            let number = next.fetch_add(1, Relaxed);
            let Some(group) = groups.get(number) else { return Ok(()) };
            searcher.new_game();
            let better = group.iter().filter_map(|record| search(&mut searcher, record, limits));
            let better: Vec<Record> = better.collect();
            let mut relabelled = relabelled.lock().unwrap_or_else(PoisonError::into_inner);
            relabelled[number] = better;
            if !progress(group.len()) {
                next.store(groups.len(), Relaxed);
            }
        }
    })?;
    Ok(relabelled.into_inner().unwrap_or_else(PoisonError::into_inner).concat())
}

/// The record with a new score; `None` where the longer search has no score worth learning from.
fn search<P: Variant>(
    searcher: &mut Searcher<P>,
    record: &Record,
    limits: &Limits,
) -> Option<Record> {
    // Without castling rights, en passant and counters, as the network sees it.
    let setup = Setup { board: record.board.clone(), turn: record.turn, ..Setup::empty() };
    let game = Game::new(P::from_setup(setup, CastlingMode::Standard).ok()?);
    let outcome = searcher.search(&game, limits, &mut Silent);
    let score = record.turn.fold_wb(outcome.score, -outcome.score).raw() as i16;
    let is_kept = is_worth_keeping(&game, outcome.best?, &outcome);
    is_kept.then(|| Record { score, ..record.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};

    /// The position of a FEN with the score 0.
    fn record(fen: &str) -> Record {
        let (position, _) =
            engine::rules::setup::position::<Chess>(fen, CastlingMode::Standard).unwrap();
        Record {
            board: position.board().clone(),
            extras: shakmaty::ByColor::default(),
            score: 0,
            result: 2,
            turn: position.turn(),
            game: 7,
            ply: 90,
            own_term: 0,
        }
    }

    fn relabelled(records: &[Record], threads: usize) -> Vec<Record> {
        let limits = Limits::soft_nodes(400);
        relabel::<Chess>(records, &Evaluation::default(), &limits, threads, |_| true).unwrap()
    }

    #[test]
    fn scores_are_new_and_all_else_is_kept() {
        let rook_up = record("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1");
        let takes = record("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
        let found = relabelled(&[rook_up.clone(), takes], 1);
        let [found] = &found[..] else { panic!("{found:?}") };
        assert!((300..1500).contains(&found.score), "{}", found.score);
        assert_eq!(Record { score: 0, ..found.clone() }, rook_up);
    }

    #[test]
    fn threads_change_nothing() {
        let records: Vec<Record> = (0..3 * GROUP)
            .map(|number| {
                let [pawn, king] = [number % 5, number % 6].map(|file| file + 1);
                let rank = |piece, file| format!("{file}{piece}{}", 7 - file);
                let [pawns, kings] = [rank('p', pawn), rank('K', king)];
                record(&format!("4k3/{pawns}/8/8/8/8/PPP5/{kings} w - - 0 1"))
            })
            .collect();
        assert_eq!(relabelled(&records, 1), relabelled(&records, 3));
    }

    #[test]
    fn the_rest_is_left_out_on_demand() {
        let records = vec![record("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1"); 3 * GROUP];
        let limits = Limits::soft_nodes(50);
        let some = relabel::<Chess>(&records, &Evaluation::default(), &limits, 1, |_| false);
        assert_eq!(some.unwrap().len(), GROUP);
    }
}
