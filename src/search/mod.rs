//! The search: from a game and its limits to a move.
//!
//! [`run`] is the one entrance. UCI, `bench`, tests and matches all come through it.
//! Reading order: `deepening` (iterations), `node` (one node, step by step), `quiescence`
//! (its leaves), then the rooms they call: `ordering`, `pruning`, `reductions`,
//! `extensions`, `exchange`, `history`, `correction`, `table`, `clock`.

mod clock;
pub mod depth_policy;
mod driver;
mod ordering;
pub mod parameters;
pub mod report;
mod root;
pub mod table;
mod tree;

use std::sync::atomic::Ordering::Relaxed;

use shakmaty::Move;

use crate::evaluation::Evaluator;
use crate::limits::Limits;
use crate::rules::{Game, Rules};
use crate::score::{MAX_PLY, Score};
use crate::tablebase::Access;

use clock::{Clock, Stopwatch};
use depth_policy::DepthPolicy;
use driver::deepening::Goal;
use parameters::Parameters;
use report::{Bound, Outcome, Report, Reporter};
use root::Root;
use tree::worker::{Tools, Worker};

pub use driver::threads::Memory;
pub use tree::worker::Shared;

/// Stack of a search thread, in bytes: a node takes about 5 KB, and lines reach a few hundred plies.
pub const STACK: usize = 16 << 20;

/// How to search, apart from the limits.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads to search with, from 1. A depth policy, whose moves must repeat, always has one.
    pub threads: usize,
    /// Variations to search and report, from 1.
    pub variations: usize,
    /// Milliseconds lost between the engine and its client on every move.
    pub move_overhead: u64,
    /// The search's numbers.
    pub parameters: Parameters,
    /// Endgame tables to look positions up in.
    pub endgames: Option<Access>,
    /// What decides on the depth where the limits leave it open; `None`: they alone count.
    pub depth_policy: Option<DepthPolicy>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            variations: 1,
            move_overhead: 10,
            parameters: Parameters::default(),
            endgames: None,
            depth_policy: None,
        }
    }
}

/// Searches the position at the end of `game` within `limits` and returns the move to play.
/// Blocks until a limit is hit or [`Shared::stop`] is set; the caller clears that flag beforehand.
pub fn run<P: Rules, E: Evaluator<P>>(
    game: &Game<P>,
    limits: &Limits,
    options: &Options,
    evaluator: &E,
    shared: &Shared,
    memory: &mut Memory,
    reporter: &mut dyn Reporter,
) -> Outcome {
    let clock = Clock::new(limits, game.now().turn(), options.move_overhead);
    let watch = Stopwatch::start(clock);
    shared.nodes.store(0, Relaxed);
    shared.over.store(false, Relaxed);
    shared.table.new_search();
    shared.tbhits.store(0, Relaxed);
    let moves = root_moves(game, limits);
    if moves.is_empty() {
        return game_over(game, reporter);
    }
    let root = advised_root(game, moves, options, shared);
    let policy = options.depth_policy.as_ref().filter(|_| !limits.name_their_own_depth());
    let plan = policy.map(|policy| policy.plan(game.position(), evaluator, &options.parameters));
    let goal = Goal {
        first_depth: 1,
        depth: limits.depth.unwrap_or(MAX_PLY as u32).max(1),
        plan,
        mate: limits.mate,
        variations: options.variations,
    };
    let threads = if plan.is_some() { 1 } else { options.threads.max(1) };
    let (history, helpers) = memory.split(threads - 1);
    let endgames = options.endgames.as_ref().filter(|_| root.verdict().is_none());
    let parameters = &options.parameters;
    let tools = Tools { shared, evaluator, parameters, endgames, history, reporter };
    let mut worker = Worker::new(game, tools, root, watch, limits.nodes);
    let depth = driver::threads::deepen(game, &goal, &mut worker, helpers);
    let outcome = outcome(game, &mut worker, depth);
    if let Some(plan) = plan {
        worker.reporter.remark(&plan.summary(depth, outcome.nodes));
    }
    outcome
}

/// The legal moves, restricted to those asked for if any of these is legal.
fn root_moves<P: Rules>(game: &Game<P>, limits: &Limits) -> Vec<Move> {
    let wanted: Vec<Move> =
        limits.search_moves.iter().filter_map(|uci| uci.to_move(game.position()).ok()).collect();
    if game.position().ending().is_some() {
        return Vec::new();
    }
    let legal = game.position().legal_moves();
    let any = legal.iter().any(|m| wanted.contains(m));
    legal.into_iter().filter(|m| !any || wanted.contains(m)).collect()
}

/// The root of these moves, or of those among them that the endgame tables advise. Below such a
/// root the tables are not asked again: the search is to find the mate.
fn advised_root<P: Rules>(
    game: &Game<P>,
    moves: Vec<Move>,
    options: &Options,
    shared: &Shared,
) -> Root {
    let advice = options
        .endgames
        .as_ref()
        .and_then(|access| access.advise(game, &moves, options.variations));
    match advice {
        Some(advice) => {
            shared.tbhits.store(advice.hits, Relaxed);
            Root::advised(advice)
        }
        None => Root::new(moves),
    }
}

/// No legal move, or the game is over in spite of moves: says what the position is worth.
fn game_over<P: Rules>(game: &Game<P>, reporter: &mut dyn Reporter) -> Outcome {
    let score = tree::node::value(game.position().ending_without_moves(game.now().is_check()), 0);
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

fn outcome<P: Rules, E: Evaluator<P>>(
    game: &Game<P>,
    worker: &mut Worker<P, E>,
    depth: u32,
) -> Outcome {
    let nodes = worker.all_nodes();
    let leader = worker.root.leader();
    let best = leader.map(|leader| leader.m);
    let score = leader.map_or(Score::DRAW, |leader| worker.root.worth(leader));
    let ponder = leader.and_then(|leader| {
        leader.pv.get(1).copied().or_else(|| {
            let next = game.now().play(leader.m);
            let entry = worker.shared.table.probe(next.key(), 1)?;
            next.position().decode(next.checkers(), entry.code)
        })
    });
    Outcome { best, ponder, score, depth, nodes, cutoffs: worker.cutoffs }
}
