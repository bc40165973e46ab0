//! New scores for recorded positions, or for positions a random move away: each is searched again.
//!
//! Short searches make many positions, long ones make true scores. A network that has learnt from many goes on
//! learning from some of the newest with better scores; a file of them also measures networks more sharply, because
//! less of the loss is the noise of short searches. Positions after random moves are such as a search asks for and a
//! game hardly has, and cost no game.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use rand::seq::IndexedRandom;
use shakmaty::{Bitboard, Board, CastlingMode, Setup, Square};

use super::record::Record;
use super::selfplay::is_worth_keeping;
use crate::arena::{HASH_MB, numbered_rng, on_threads};
use engine::evaluation::{Evaluation, Variant};
use engine::limits::Limits;
use engine::rules::Game;
use engine::search::report::Silent;
use engine::search::table::OutOfMemoryError;
use engine::search::{Options, Searcher};

/// Positions that one searcher takes in turn; its table begins empty with each group, so that the scores do not
/// depend on the number of threads.
pub const GROUP: usize = 256;

/// How positions are searched.
#[derive(Clone, Debug)]
pub struct RelabelOptions {
    /// Limits of each search.
    pub limits: Limits,
    /// Random legal moves that are played from each position before its search.
    pub random_moves: u32,
    /// Seed of these moves.
    pub seed: u64,
    /// Positions searched at the same time.
    pub threads: usize,
}

/// The positions of `records` that are still worth keeping after their random moves, with the score of a search, in
/// their order. `first` is the number of the first one among all that are searched with this seed: each has random
/// moves of its own. `progress` is called with the number of positions searched; it returns false to leave out the
/// rest.
///
/// The rule set's records must hold whole positions: [`EXTRAS`](Variant::EXTRAS) is zero.
///
/// # Errors
/// [`OutOfMemoryError`] if the transposition tables cannot be had.
pub fn relabel<P: Variant>(
    records: &[Record],
    first: u64,
    evaluator: &Evaluation<P>,
    options: &RelabelOptions,
    progress: impl Fn(usize) -> bool + Sync,
) -> Result<Vec<Record>, OutOfMemoryError> {
    let groups: Vec<&[Record]> = records.chunks(GROUP).collect();
    let next = AtomicUsize::new(0);
    let relabelled = Mutex::new(vec![Vec::new(); groups.len()]);
    on_threads(options.threads, || -> Result<(), OutOfMemoryError> {
        let mut searcher = Searcher::new(evaluator.clone(), Options::default(), HASH_MB)?;
        loop {
            let number = next.fetch_add(1, Relaxed);
            let Some(group) = groups.get(number) else { return Ok(()) };
            searcher.new_game();
            let numbers = first + (number * GROUP) as u64..;
            let better: Vec<Record> = (group.iter().zip(numbers))
                .filter_map(|(record, number)| search(&mut searcher, record, number, options))
                .collect();
            let mut relabelled = relabelled.lock().unwrap_or_else(PoisonError::into_inner);
            relabelled[number] = better;
            if !progress(group.len()) {
                next.store(groups.len(), Relaxed);
            }
        }
    })?;
    Ok(relabelled.into_inner().unwrap_or_else(PoisonError::into_inner).concat())
}

/// The record, the `number`th, with a new score, after its random moves; `None` where the search has no score worth
/// learning from, or the game ends before it.
fn search<P: Variant>(
    searcher: &mut Searcher<P>,
    record: &Record,
    number: u64,
    options: &RelabelOptions,
) -> Option<Record> {
    // Records hold no castling rights, en passant or counters.
    let setup = Setup {
        board: record.board.clone(),
        turn: record.turn,
        castling_rights: likely_rights::<P>(&record.board),
        ..Setup::empty()
    };
    let mut game = Game::new(P::from_setup(setup, CastlingMode::Standard).ok()?);
    let mut rng = numbered_rng(options.seed, number);
    for _ in 0..options.random_moves {
        let moves = game.position().legal_moves();
        game.play(*moves.choose(&mut rng)?);
    }
    let outcome = searcher.search(&game, &options.limits, &mut Silent);
    let turn = game.now().turn();
    let score = turn.fold_wb(outcome.score, -outcome.score).raw() as i16;
    let is_kept = is_worth_keeping(&game, outcome.best?, &outcome);
    is_kept.then(|| Record {
        board: game.position().board().clone(),
        turn,
        score,
        ply: record.ply.saturating_add(options.random_moves as u16),
        own_term: game.position().own_term_centipawns(100) as i16,
        ..record.clone()
    })
}

/// The rooks that may castle, if every king and rook that stands at home has not moved yet. That is so of 96 % of them in games
/// while 16 pieces and more are left; without castling a king at home would be judged as if it had to stay there.
fn likely_rights<P: Variant>(board: &Board) -> Bitboard {
    let start = P::default();
    let at_home = |square: Square| board.piece_at(square) == start.board().piece_at(square);
    let may_castle = |rook: &Square| {
        let king = start.board().color_at(*rook).and_then(|color| start.board().king_of(color));
        at_home(*rook) && king.is_some_and(at_home)
    };
    start.castles().castling_rights().into_iter().filter(may_castle).collect()
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

    fn options(random_moves: u32, threads: usize) -> RelabelOptions {
        RelabelOptions { limits: Limits::soft_nodes(400), random_moves, seed: 3, threads }
    }

    fn relabelled(records: &[Record], options: &RelabelOptions) -> Vec<Record> {
        relabel::<Chess>(records, 0, &Evaluation::default(), options, |_| true).unwrap()
    }

    #[test]
    fn scores_are_new_and_all_else_is_kept() {
        let rook_up = record("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1");
        let takes = record("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
        let found = relabelled(&[rook_up.clone(), takes], &options(0, 1));
        let [found] = &found[..] else { panic!("{found:?}") };
        assert!((300..1500).contains(&found.score), "{}", found.score);
        assert_eq!(Record { score: 0, ..found.clone() }, rook_up);
    }

    #[test]
    fn kings_and_rooks_at_home_may_castle() {
        let rights = |fen: &str| likely_rights::<Chess>(&record(fen).board);
        assert_eq!(rights("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1").count(), 4);
        let moved = Bitboard::from(Square::A1) | Bitboard::from(Square::H8);
        assert_eq!(rights("1r2k2r/8/8/8/8/8/8/R3K1R1 w - - 0 1"), moved);
        assert_eq!(rights("r2k3r/8/8/8/8/8/8/R2K3R w - - 0 1"), Bitboard::EMPTY);
        let racing = shakmaty::variant::RacingKings::default();
        assert!(likely_rights::<shakmaty::variant::RacingKings>(racing.board()).is_empty());
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
        for random_moves in [0, 2] {
            let by_one = relabelled(&records, &options(random_moves, 1));
            assert_eq!(by_one, relabelled(&records, &options(random_moves, 3)));
        }
    }

    #[test]
    fn random_moves_lead_to_other_positions_of_the_same_game() {
        let before = record("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1");
        let found = relabelled(&vec![before.clone(); 100], &options(1, 1));
        let boards: std::collections::HashSet<_> = found.iter().map(|r| r.board.clone()).collect();
        assert!((5..20).contains(&boards.len()), "{} of 19 moves", boards.len());
        let changed = |record: &Record| (record.board.occupied() ^ before.board.occupied()).count();
        // Castling moves two pieces.
        assert!(found.iter().any(|record| changed(record) == 4), "nobody castled");
        for record in &found {
            assert_eq!((record.turn, record.ply, record.game), (shakmaty::Color::Black, 91, 7));
            assert!([2, 4].contains(&changed(record)), "{}", changed(record));
        }
        let stalemate = record("7k/5Q2/8/8/8/8/8/K7 b - - 0 1");
        assert_eq!(relabelled(&[stalemate], &options(1, 1)), []);
    }

    #[test]
    fn the_rest_is_left_out_on_demand() {
        let records = vec![record("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1"); 3 * GROUP];
        let one = options(0, 1);
        let some = relabel::<Chess>(&records, 0, &Evaluation::default(), &one, |_| false);
        assert_eq!(some.unwrap().len(), GROUP);
    }
}
