//! The search: from a game and its limits to a move.
//!
//! [`Searcher::search`] is the one entrance: UCI, `bench`, tests and matches all come through it. From
//! top to bottom: `driver` (iterative deepening, threads), `tree` (a node, its moves, qsearch, pruning,
//! reductions, extensions), `ordering` (move picker, SEE, history), and below them the transposition
//! `table`, the `root` moves, `terminal` scores, the `clock`, the `signals`, the `report`s and the
//! `parameters`.
//!
#![doc = include_str!("../../../../docs/search.md")]

mod clock;
mod driver;
mod line;
mod options;
mod ordering;
pub mod parameters;
pub mod report;
mod root;
mod signals;
pub mod table;
mod terminal;
mod tree;

use std::any::Any;
use std::sync::Arc;

use shakmaty::Move;
use shakmaty::uci::UciMove;

use crate::evaluation::{Evaluation, Variant};
use crate::limits::Limits;
use crate::logging;
use crate::rules::{Game, KeyedPosition, for_each_searched_rule_set, setup};
use crate::score::Score;

/// SEE, for those who weigh moves outside of the search, too.
pub(crate) use ordering::exchange;

use clock::Stopwatch;
use driver::threads;
use ordering::history::{Context, History};
use ordering::picker::Picker;
use parameters::Parameters;
use report::{Bound, Outcome, Report, Reporter};
use root::RootMoves;
use table::{OutOfMemoryError, TranspositionTable};
use terminal::ending_score;
use tree::reductions::Reductions;
use tree::worker::{Shared, ThreadMemory, Worker};

pub use driver::threads::useful_threads;
pub use options::{Options, STACK};
pub use ordering::exchange::gains_at_least;
pub use signals::Signals;

/// A searcher with its state between searches: transposition table (TT), history, evaluator and options.
pub struct Searcher<P: Variant> {
    shared: Shared<P>,
    /// The memory of each thread, the first thread's first.
    memories: Vec<ThreadMemory>,
}

impl<P: Variant> Searcher<P> {
    /// A searcher with a transposition table of `hash_mb` MiB.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if the system does not grant the table's memory.
    pub fn new(
        evaluator: impl Into<Evaluation<P>>,
        options: Options,
        hash_mb: usize,
    ) -> Result<Searcher<P>, OutOfMemoryError> {
        let table = TranspositionTable::new(hash_mb)?;
        Ok(Searcher::with_table(evaluator, options, table))
    }

    /// A searcher with this transposition table, which is emptied.
    pub fn with_table(
        evaluator: impl Into<Evaluation<P>>,
        options: Options,
        mut table: TranspositionTable,
    ) -> Searcher<P> {
        table.clear();
        let reductions = Reductions::new(&options.parameters);
        let evaluator = evaluator.into();
        let shared = Shared { evaluator, options, reductions, table, signals: Arc::default() };
        Searcher { shared, memories: Vec::new() }
    }

    /// The transposition table alone.
    pub fn into_table(self) -> TranspositionTable {
        self.shared.table
    }

    /// Searches the position at the end of `game` within `limits`. Blocks until a limit is hit or the
    /// [signals](Searcher::renew_signals) stop it. Returns the move to play and its score.
    pub fn search(
        &mut self,
        game: &Game<P>,
        limits: &Limits,
        reporter: &mut dyn Reporter,
    ) -> Outcome {
        // Always there, because the list has every rule set.
        search_compiled_here(self, game, limits, reporter)
            .unwrap_or_else(|| Outcome::unsearched(None, Score::DRAW))
    }

    fn run(&mut self, game: &Game<P>, limits: &Limits, reporter: &mut dyn Reporter) -> Outcome {
        let Searcher { shared, memories } = self;
        let stopwatch = Stopwatch::of(limits, game.now().turn(), shared.options.move_overhead);
        shared.signals.begin();
        shared.table.new_search();
        let moves = root_moves(game, limits, reporter);
        if moves.is_empty() {
            return game_over(game, reporter);
        }
        let root = advised_root(shared, game, moves, reporter);
        let threads = shared.options.threads_within(limits);
        if memories.len() < threads {
            memories.resize_with(threads, ThreadMemory::default);
        }
        let Some((memory, helpers)) = memories[..threads].split_first_mut() else {
            return Outcome::unsearched(None, Score::DRAW);
        };
        log::debug!(
            target: logging::SEARCH,
            "{}: moves {}, threads {threads}, {}, {limits}",
            setup::fen(game.position()),
            root.moves().len(),
            stopwatch.clock()
        );
        let mut worker = Worker::new(game, shared, limits, root, stopwatch, memory, reporter);
        let depth = threads::deepen(game, &mut worker, helpers);
        outcome(game, &mut worker, depth)
    }

    /// True if another search of this move makes sense within the same `limits`: there is time, and nobody has
    /// stopped it.
    pub fn may_go_on(&self, game: &Game<P>, limits: &Limits) -> bool {
        let Options { move_overhead, .. } = self.shared.options;
        let signals = &self.shared.signals;
        let is_out = || Stopwatch::of(limits, game.now().turn(), move_overhead).is_out();
        !signals.is_set() && (signals.is_pondering() || !is_out())
    }

    /// Forgets everything learned from earlier searches.
    pub fn new_game(&mut self) {
        self.clear_table();
        self.memories.iter_mut().for_each(|memory| memory.history.clear());
    }

    /// Empties the transposition table.
    pub fn clear_table(&mut self) {
        self.shared.table.clear();
    }

    /// Changes the size of the transposition table, and empties it; the same size changes nothing.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if there is no memory for it; see [`TranspositionTable::resize`].
    pub fn resize(&mut self, hash_mb: usize) -> Result<(), OutOfMemoryError> {
        let table = &mut self.shared.table;
        if hash_mb == table.megabytes() { Ok(()) } else { table.resize(hash_mb) }
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.shared.options
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &Evaluation<P> {
        &self.shared.evaluator
    }

    /// Applies other options.
    pub fn set_options(&mut self, options: Options) {
        self.shared.reductions = Reductions::new(&options.parameters);
        self.memories.truncate(options.threads.max(1));
        self.shared.options = options;
    }

    /// Takes another evaluator and empties the transposition table, because scores of different evaluators
    /// cannot be compared.
    pub fn set_evaluator(&mut self, evaluator: Evaluation<P>) {
        self.shared.evaluator = evaluator;
        self.memories.iter_mut().for_each(|memory| memory.eval_cache = None);
        self.clear_table();
    }

    /// Fresh signals for the next search, to stop it from another thread. `pondering`: no limit of time
    /// holds until [`Signals::ponder_hit`].
    pub fn renew_signals(&mut self, pondering: bool) -> Arc<Signals> {
        self.shared.signals = Arc::new(Signals::new(pondering));
        Arc::clone(&self.shared.signals)
    }
}

/// Declares the one way into the search, with every rule set in this crate. A generic function is compiled
/// anew in every crate that calls it, and the whole search below it: three crates did, and the program took
/// twice as long to build.
macro_rules! compile_here {
    ($($name:ident: $rules:ty,)*) => {
        /// Runs `searcher` on `game`; `None` if they are not of one of the rule sets.
        fn search_compiled_here(
            searcher: &mut dyn Any,
            game: &dyn Any,
            limits: &Limits,
            reporter: &mut dyn Reporter,
        ) -> Option<Outcome> {
            $(
                if let Some(searcher) = searcher.downcast_mut::<Searcher<$rules>>() {
                    return Some(searcher.run(game.downcast_ref()?, limits, reporter));
                }
            )*
            None
        }
    };
}
for_each_searched_rule_set!(compile_here);

/// Serves all moves of these positions through the move picker, again at every call, and counts them: for benches,
/// which see no picker. It prefetches from `table`.
#[doc(hidden)]
pub fn pick_all<P: Variant>(
    positions: Vec<KeyedPosition<P>>,
    table: TranspositionTable,
) -> impl FnMut() -> usize {
    let (parameters, history) = (Parameters::default(), History::default());
    move || {
        let picked = positions.iter().map(|now| {
            let mut picker = Picker::all(&parameters, None, [None; 3]);
            let context = Context::default();
            std::iter::from_fn(|| picker.next(now, &history, &context, &table)).count()
        });
        picked.sum()
    }
}

/// The root with these moves, or with those among them that the endgame tables advise.
fn advised_root<P: Variant>(
    shared: &Shared<P>,
    game: &Game<P>,
    moves: Vec<Move>,
    reporter: &mut dyn Reporter,
) -> RootMoves {
    let Options { variations, ref endgames, .. } = shared.options;
    let advice = endgames.as_ref().map(|access| access.advise(game, &moves, variations));
    let advice = advice.transpose().unwrap_or_else(|error| {
        reporter.remark(&error.to_string());
        None
    });
    match advice.flatten() {
        Some(advice) => {
            shared.signals.add_tablebase_hits(advice.hits);
            RootMoves::advised(advice)
        }
        None => RootMoves::new(moves),
    }
}

/// The legal moves, restricted to the requested ones if any of these is legal. Requested moves that are not
/// legal are reported.
fn root_moves<P: Variant>(
    game: &Game<P>,
    limits: &Limits,
    reporter: &mut dyn Reporter,
) -> Vec<Move> {
    if game.position().ending().is_some() {
        return Vec::new();
    }
    let legal: Vec<Move> = game.position().legal_moves().into_iter().collect();
    let is_legal = |m: &Move| legal.contains(m);
    let read = |uci: &UciMove| uci.to_move(game.position()).ok().filter(is_legal);
    let wanted: Vec<Move> = limits.search_moves.iter().filter_map(read).collect();
    let illegal: Vec<String> = limits
        .search_moves
        .iter()
        .filter(|uci| read(uci).is_none())
        .map(UciMove::to_string)
        .collect();
    if !illegal.is_empty() {
        let effect = if wanted.is_empty() { "; all moves are searched" } else { "" };
        reporter.remark(&format!("searchmoves: not legal here: {}{effect}", illegal.join(" ")));
    }
    legal.iter().copied().filter(|m| wanted.is_empty() || wanted.contains(m)).collect()
}

/// No legal move, or the game is over: reports the result of the game.
fn game_over<P: Variant>(game: &Game<P>, reporter: &mut dyn Reporter) -> Outcome {
    let score = ending_score(game.position().ending_without_moves(game.now().is_check()), 0);
    reporter.variation(&Report {
        depth: 0,
        selective_depth: 0,
        multipv: 1,
        score,
        bound: Bound::Exact,
        is_drawn: score == Score::DRAW,
        nodes: 0,
        time_ms: 0,
        hashfull: 0,
        tbhits: 0,
        pv: Vec::new(),
    });
    Outcome::unsearched(None, score)
}

fn outcome<P: Variant>(game: &Game<P>, worker: &mut Worker<P>, depth: u32) -> Outcome {
    let nodes = worker.all_nodes();
    let leader = worker.root.leader();
    let best = leader.map(|leader| leader.m);
    let known = leader.map(|leader| (leader.known_score(), leader.known_bound()));
    // Stopped in its first iteration, the search knows no score.
    let known = known.filter(|&(score, _)| score > -Score::INFINITE);
    let ponder = leader.and_then(|leader| {
        leader.pv.get(1).copied().or_else(|| {
            let next = game.now().play(leader.m);
            let entry = worker.shared.table.probe(next.key(), 1)?;
            next.position().unpack(next.checkers(), entry.code)
        })
    });
    let (score, bound) =
        known.unwrap_or_else(|| (worker.raw_eval(game.position(), 0), Bound::Exact));
    Outcome { best, ponder, score, bound, depth, nodes, cutoffs: worker.cutoffs }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::report::Silent;
    use shakmaty::Chess;

    /// Notes the depth of each move that is searched, and of the lines between them.
    #[derive(Default)]
    struct Depths(Vec<u32>);

    impl Reporter for Depths {
        fn variation(&mut self, report: &Report) {
            self.0.push(report.depth);
        }

        fn current_move(&mut self, depth: u32, _: Move, _: usize) {
            self.0.push(depth);
        }

        fn wants_bounds(&self, _: u64) -> bool {
            true
        }
    }

    #[test]
    fn moves_are_searched_at_the_depth_of_their_iteration() {
        let evaluator = crate::evaluation::KingTerms::<Chess>::default();
        let mut searcher = Searcher::<Chess>::new(evaluator, Options::default(), 1).unwrap();
        let mut depths = Depths::default();
        searcher.search(&Game::new(Chess::default()), &Limits::depth(12), &mut depths);
        assert!(depths.0.len() > 200 && depths.0.is_sorted(), "{:?}", depths.0);
    }

    #[test]
    fn a_node_limit_holds_for_all_threads_together() {
        let evaluator = crate::evaluation::KingTerms::<Chess>::default();
        let game = Game::new(Chess::default());
        for threads in [1, 2, 4, 8] {
            let options = Options { threads, ..Options::default() };
            let mut searcher = Searcher::<Chess>::new(evaluator.clone(), options, 1).unwrap();
            for limit in [1000, 10_000, 50_000] {
                let nodes = searcher.search(&game, &Limits::nodes(limit), &mut Silent).nodes;
                // The first thread may have to wait for a processor until the others have taken all, and has a first
                // iteration to search then; and each thread notes the end by one node more.
                let first_iteration = 100 + threads as u64;
                assert!(nodes <= limit + first_iteration, "{threads}: {nodes} of {limit}");
                assert!(threads > 1 || nodes == limit, "{nodes} of {limit}");
            }
        }
    }

    #[test]
    fn the_best_of_some_moves_is_no_score_of_the_position() {
        let evaluator = crate::evaluation::KingTerms::<Chess>::default();
        let mut searcher = Searcher::<Chess>::new(evaluator, Options::default(), 1).unwrap();
        let game = Game::new(Chess::default());
        let search_moves = vec!["g2g4".parse().unwrap()];
        searcher.search(&game, &Limits { search_moves, ..Limits::depth(5) }, &mut Silent);
        let known = searcher.shared.table.probe(game.now().key(), 0);
        assert!(known.is_none_or(|entry| entry.bound == Bound::Lower), "{known:?}");
        searcher.search(&game, &Limits::depth(5), &mut Silent);
        let known = searcher.shared.table.probe(game.now().key(), 0).unwrap();
        assert_eq!(known.bound, Bound::Exact, "of all moves it is one");
    }
}
