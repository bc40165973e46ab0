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
mod ordering;
pub mod parameters;
pub mod report;
mod root;
mod signals;
pub mod table;
mod terminal;
mod tree;

use std::sync::Arc;

use shakmaty::Move;
use shakmaty::uci::UciMove;

use crate::evaluation::{Evaluation, Variant};
use crate::limits::Limits;
use crate::rules::Game;
use crate::score::{MAX_PLY, Score};
use crate::tablebase::Access;

use clock::{Clock, Stopwatch};
use driver::deepening::Goal;
use driver::threads::{self, Context, Helpers};
use ordering::history::History;
use parameters::Parameters;
use report::{Bound, Outcome, Report, Reporter};
use root::RootMoves;
use table::{OutOfMemoryError, TranspositionTable};
use terminal::ending_score;
use tree::reductions::Reductions;
use tree::worker::{Assignment, Worker};

pub use driver::threads::useful_threads;
pub use signals::Signals;

/// Stack of a search thread, in bytes: a node takes about 5 KB, and lines reach a few hundred plies.
pub const STACK: usize = 16 << 20;

/// Options of a search, apart from its limits.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads to search with, from 1. A search by a [`DepthPlan`](crate::limits::DepthPlan), whose moves
    /// must repeat, always has one.
    pub threads: usize,
    /// Variations to search and report (MultiPV), from 1.
    pub variations: usize,
    /// Milliseconds lost between the engine and its client on every move. None by default: a search inside the
    /// program has no client.
    pub move_overhead: u64,
    /// The tunable parameters.
    pub parameters: Parameters,
    /// Endgame tables to probe.
    pub endgames: Option<Access>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            variations: 1,
            move_overhead: 0,
            parameters: Parameters::default(),
            endgames: None,
        }
    }
}

/// A searcher with its state between searches: transposition table (TT), history, evaluator and options.
pub struct Searcher<P: Variant> {
    context: Context<P>,
    /// The history of the first thread; the helpers have their own.
    history: History,
    helpers: Helpers<P>,
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
        Searcher {
            context: Context {
                reductions: Arc::new(Reductions::new(&options.parameters)),
                evaluator: Arc::new(evaluator.into()),
                options: Arc::new(options),
                table: Arc::new(table),
                signals: Arc::default(),
            },
            history: History::default(),
            helpers: Helpers::new(),
        }
    }

    /// The transposition table alone. `None` if a thread that has failed still holds it.
    pub fn into_table(self) -> Option<TranspositionTable> {
        Arc::into_inner(self.context.table)
    }

    /// Searches the position at the end of `game` within `limits`. Blocks until a limit is hit or the
    /// [signals](Searcher::renew_signals) stop it. Returns the move to play and its score.
    pub fn search(
        &mut self,
        game: &Game<P>,
        limits: &Limits,
        reporter: &mut dyn Reporter,
    ) -> Outcome {
        let options = Arc::clone(&self.context.options);
        let clock = Clock::new(limits, game.now().turn(), options.move_overhead);
        let stopwatch = Stopwatch::start(clock);
        self.context.signals.begin();
        self.context.table.new_search();
        let moves = root_moves(game, limits, reporter);
        if moves.is_empty() {
            return game_over(game, reporter);
        }
        let root = self.advised_root(game, moves);
        let goal = Goal {
            first_depth: 1,
            depth: limits.depth.unwrap_or(MAX_PLY as u32).max(1),
            plan: limits.plan,
            mate: limits.mate,
            variations: options.variations,
        };
        let threads = if limits.plan.is_some() { 1 } else { options.threads.max(1) };
        let granted = 1 + self.helpers.provide(threads - 1);
        if granted < threads {
            reporter.remark(&format!("the system grants {granted} of {threads} threads"));
        }
        // Tables are not probed below a root that they contain: the search has to find the mate.
        let parts = self.context.parts(root.wdl().is_none());
        let cap = limits.plan.and_then(|plan| plan.cap);
        let assignment = Assignment { root, stopwatch, node_limit: limits.nodes, cap };
        let mut worker = Worker::new(game, parts, &mut self.history, reporter, assignment);
        let helpers = self.helpers.first(granted - 1);
        let depth = threads::deepen(game, &goal, &mut worker, helpers, &self.context);
        outcome(game, &mut worker, depth)
    }

    /// Forgets everything learned from earlier searches.
    pub fn new_game(&mut self) {
        self.clear_table();
        self.history = History::default();
        self.helpers.forget();
    }

    /// Empties the transposition table.
    pub fn clear_table(&mut self) {
        if let Some(table) = Arc::get_mut(&mut self.context.table) {
            table.clear();
        }
    }

    /// Changes the size of the transposition table, and empties it; the same size changes nothing.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if there is no memory for it; see [`TranspositionTable::resize`].
    pub fn resize(&mut self, hash_mb: usize) -> Result<(), OutOfMemoryError> {
        match Arc::get_mut(&mut self.context.table) {
            Some(table) if hash_mb != table.megabytes() => table.resize(hash_mb),
            _ => Ok(()),
        }
    }

    /// Applies other options.
    pub fn set_options(&mut self, options: Options) {
        self.context.reductions = Arc::new(Reductions::new(&options.parameters));
        // Threads are started here, where no clock runs.
        self.helpers.provide(options.threads.max(1) - 1);
        self.context.options = Arc::new(options);
    }

    /// Takes another evaluator and empties the transposition table, because scores of different evaluators
    /// cannot be compared.
    pub fn set_evaluator(&mut self, evaluator: Evaluation<P>) {
        self.context.evaluator = Arc::new(evaluator);
        self.clear_table();
    }

    /// Fresh signals for the next search, to stop it from another thread. `pondering`: no clock counts
    /// until [`Signals::ponder_hit`].
    pub fn renew_signals(&mut self, pondering: bool) -> Arc<Signals> {
        self.context.signals = Arc::new(Signals::new(pondering));
        Arc::clone(&self.context.signals)
    }

    /// The root with these moves, or with those among them that the endgame tables advise.
    fn advised_root(&self, game: &Game<P>, moves: Vec<Move>) -> RootMoves {
        let Options { variations, ref endgames, .. } = *self.context.options;
        let access = endgames.as_ref();
        match access.and_then(|access| access.advise(game, &moves, variations)) {
            Some(advice) => {
                self.context.signals.add_tablebase_hits(advice.hits);
                RootMoves::advised(advice)
            }
            None => RootMoves::new(moves),
        }
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
    let known = leader.map(|leader| worker.root.score_of(leader));
    // Stopped in its first iteration, the search knows no score.
    let score = known.filter(|&score| score > -Score::INFINITE);
    let ponder = leader.and_then(|leader| {
        leader.pv.get(1).copied().or_else(|| {
            let next = game.now().play(leader.m);
            let entry = worker.parts.table.probe(next.key(), 1)?;
            next.position().unpack(next.checkers(), entry.code)
        })
    });
    let score = score.unwrap_or_else(|| worker.raw_eval(game.position(), 0));
    Outcome { best, ponder, score, depth, nodes, cutoffs: worker.cutoffs }
}
