//! One thread of the search: its stack, its counters, and its checks of the limits.

use shakmaty::Move;

use crate::evaluation::{EvalCache, Evaluation, Evaluator, Variant};
use crate::rules::{Captures, Game, KeyedPosition, Threats};
use crate::score::{MAX_PLY, Score};
use crate::search::clock::Stopwatch;
use crate::search::ordering::history::{Context, History};
use crate::search::ordering::piece_target::PieceTarget;
use crate::search::parameters::Parameters;
use crate::search::report::{Cutoffs, Reporter};
use crate::search::root::RootMoves;
use crate::search::signals::Signals;
use crate::search::table::TranspositionTable;
use crate::search::tree::reductions::Reductions;
use crate::tablebase::Access;

/// Nodes between two checks of the clock and the signals.
const CHECK_INTERVAL: u64 = 1024;
/// Nodes that the first iteration may take whatever the limits, some milliseconds, so that even the
/// shortest search compares all root moves. On boards full of queens the captures of a single line never
/// end: there the limits must count before a move is known. The cap of a depth plan counts at once.
const FIRST_ITERATION_NODES: u64 = 8 * CHECK_INTERVAL;

/// The parts of a searcher that all its threads use.
pub struct WorkerParts<'a, P> {
    /// The transposition table.
    pub table: &'a TranspositionTable,
    /// Flags and counters.
    pub signals: &'a Signals,
    /// The evaluator.
    pub evaluator: &'a Evaluation<P>,
    /// The tunable parameters of the search.
    pub parameters: &'a Parameters,
    /// The reductions by these parameters.
    pub reductions: &'a Reductions,
    /// Endgame tables to probe.
    pub endgames: Option<&'a Access>,
}

impl<P> Clone for WorkerParts<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for WorkerParts<'_, P> {}

/// A ply of a worker's current line (the search stack).
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The evaluator's own score; [`Score::NONE`] in check.
    pub raw_eval: Score,
    /// The static eval: the same, corrected by the correction history.
    pub static_eval: Score,
    /// The move made from here; `None` at first and for a null move.
    pub played: Option<PieceTarget>,
    /// The same move, if it is quiet and the main search made it.
    pub quiet: Option<Move>,
    /// Killer moves: quiet moves that caused a cut-off at this ply.
    pub killers: [Option<Move>; 2],
    /// Cut-offs at this ply since the parent was entered.
    pub cutoffs: u32,
    /// The squares that the enemy attacks.
    pub threats: Threats,
    /// Double extensions of the line up to the move made from here.
    pub doubles: u32,
}

impl Default for Frame {
    fn default() -> Frame {
        Frame {
            raw_eval: Score::NONE,
            static_eval: Score::NONE,
            played: None,
            quiet: None,
            killers: [None; 2],
            cutoffs: 0,
            threats: Threats::default(),
            doubles: 0,
        }
    }
}

impl Frame {
    /// The size of the correction of the static eval, in centipawns; 0 in check.
    #[inline]
    pub fn correction(&self) -> i32 {
        let is_known = self.static_eval != Score::NONE;
        if is_known { (self.static_eval - self.raw_eval).abs() } else { 0 }
    }
}

/// One thread's part of a search.
pub struct Assignment {
    /// The root moves to search.
    pub root: RootMoves,
    /// The time since the search began, and its limits.
    pub stopwatch: Stopwatch,
    /// Nodes of all threads after which the search ends.
    pub node_limit: Option<u64>,
    /// The cap of the depth plan, in nodes.
    pub cap: Option<u64>,
}

/// One thread of the search.
pub struct Worker<'a, P: Variant> {
    /// The parts that it shares with other threads.
    pub parts: WorkerParts<'a, P>,
    /// Its history tables.
    pub history: &'a mut History,
    /// Receives its reports; only the first thread has a real one.
    pub reporter: &'a mut dyn Reporter,
    /// The root moves.
    pub root: RootMoves,
    /// The time since the search began, and its limits.
    pub stopwatch: Stopwatch,
    /// The search stack, one frame a ply.
    pub stack: Box<[Frame]>,
    /// The principal variation from each ply on.
    pub pv: Box<[Vec<Move>]>,
    /// Greatest ply reached in this iteration.
    pub selective_depth: usize,
    /// Nodes of this thread.
    pub nodes: u64,
    /// Its cut-offs.
    pub cutoffs: Cutoffs,
    eval_cache: EvalCache,
    node_limit: u64,
    first_iteration_nodes: u64,
    next_check: u64,
    reported_nodes: u64,
    stopped: bool,
    /// The position of the root.
    start: KeyedPosition<P>,
    /// Keys of the game and of the current line, the current position last.
    keys: Vec<u64>,
    /// Keys before this index are behind a null move and repeat nothing.
    barrier: usize,
    root_index: usize,
    rules: std::marker::PhantomData<P>,
}

/// Undoes [`Worker::descend`].
pub struct Step {
    barrier: usize,
}

impl<'a, P: Variant> Worker<'a, P> {
    /// A worker at the root of `game`. It stops itself at the limits of its assignment.
    pub fn new(
        game: &Game<P>,
        parts: WorkerParts<'a, P>,
        history: &'a mut History,
        reporter: &'a mut dyn Reporter,
        assignment: Assignment,
    ) -> Worker<'a, P> {
        let Assignment { root, stopwatch, node_limit, cap } = assignment;
        let mut keys = game.past().to_vec();
        keys.push(game.now().key());
        let cap = cap.unwrap_or(u64::MAX);
        let node_limit = node_limit.unwrap_or(u64::MAX).min(cap);
        Worker {
            parts,
            history,
            reporter,
            root,
            stopwatch,
            stack: vec![Frame::default(); MAX_PLY + 2].into_boxed_slice(),
            pv: vec![Vec::new(); MAX_PLY + 2].into_boxed_slice(),
            selective_depth: 0,
            nodes: 0,
            cutoffs: Cutoffs::default(),
            eval_cache: parts.evaluator.new_cache(),
            node_limit,
            first_iteration_nodes: FIRST_ITERATION_NODES.min(cap),
            next_check: CHECK_INTERVAL.min(node_limit),
            reported_nodes: 0,
            stopped: false,
            start: game.now().clone(),
            root_index: keys.len() - 1,
            keys,
            barrier: 0,
            rules: std::marker::PhantomData,
        }
    }

    /// True once the search must end. Scores that are returned on the way up are void then.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Enters the child after the move `played` (`None`: a null move).
    #[inline]
    pub fn descend(
        &mut self,
        ply: usize,
        played: Option<PieceTarget>,
        child: &KeyedPosition<P>,
    ) -> Step {
        self.stack[ply].played = played;
        self.stack[ply].quiet = None;
        let step = Step { barrier: self.barrier };
        self.keys.push(child.key());
        if played.is_none() {
            self.barrier = self.keys.len() - 1;
        }
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        step
    }

    /// Leaves the child again.
    #[inline]
    pub fn ascend(&mut self, step: Step) {
        self.keys.pop();
        self.barrier = step.barrier;
    }

    /// The evaluator's score of a position at `ply`.
    #[inline]
    pub fn raw_eval(&mut self, position: &P, ply: usize) -> Score {
        self.parts.evaluator.evaluate(position, ply, &mut self.eval_cache)
    }

    /// The context of the quiet moves at `ply`, for their history.
    #[inline]
    pub fn context(&self, ply: usize) -> Context {
        let back = |n: usize| ply.checked_sub(n).and_then(|earlier| self.stack[earlier].played);
        Context { earlier: [back(1), back(2), back(4)], threats: self.stack[ply].threats }
    }

    /// Notes the squares that the enemy attacks. Where capturing is a duty, nobody flees.
    #[inline]
    pub fn note_threats(&mut self, keyed: &KeyedPosition<P>, ply: usize) {
        let threats = Threats::of(keyed.position().board(), !keyed.turn());
        let nobody_flees = P::CAPTURES == Captures::Duty;
        self.stack[ply].threats = if nobody_flees { threats.of_any() } else { threats };
    }

    /// Puts `m` before the PV of the child that it leads to.
    pub fn extend_pv(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.pv.split_at_mut(ply + 1);
        let pv = &mut upper[ply];
        pv.clear();
        pv.push(m);
        pv.extend_from_slice(&lower[0]);
    }

    /// True if the current position counts as a draw by repetition: it has occurred once since the root, or
    /// twice before it.
    #[inline]
    pub fn is_repetition(&self, halfmoves: usize) -> bool {
        let now = self.keys.len() - 1;
        let oldest = now.saturating_sub(halfmoves).max(self.barrier);
        let key = self.keys[now];
        let mut before_root = 0;
        let mut index = now;
        while index >= oldest + 2 {
            index -= 2;
            if self.keys[index] == key {
                if index > self.root_index {
                    return true;
                }
                before_root += 1;
                if before_root == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Nodes of all threads.
    pub fn all_nodes(&mut self) -> u64 {
        self.publish_nodes();
        self.parts.signals.nodes()
    }

    fn publish_nodes(&mut self) {
        self.parts.signals.add_nodes(self.nodes - self.reported_nodes);
        self.reported_nodes = self.nodes;
    }

    /// Looks at the signals, the clock and the node limit.
    #[cold]
    fn check_limits(&mut self) {
        self.publish_nodes();
        self.next_check = (self.nodes + CHECK_INTERVAL).min(self.node_limit.max(self.nodes + 1));
        let signals = self.parts.signals;
        let is_ended = signals.is_set() || signals.nodes() >= self.node_limit;
        let is_timed_out = || !signals.is_pondering() && self.stopwatch.is_out();
        let may_end = self.root.has_move_to_play() || self.nodes >= self.first_iteration_nodes;
        self.stopped |= may_end && (is_ended || is_timed_out());
        if self.reporter.wants_current_line(self.stopwatch.elapsed().as_millis() as u64) {
            let line = self.current_line();
            self.reporter.current_line(&line);
        }
    }

    /// The moves from the root to the current node, up to the first null move. They are found again by the
    /// keys of their positions, so that the search need not keep them.
    fn current_line(&self) -> Vec<Move> {
        let mut line = Vec::new();
        let mut now = self.start.clone();
        for &key in self.keys.iter().skip(self.root_index + 1) {
            let legal = now.position().legal_moves();
            let found =
                legal.into_iter().map(|m| (m, now.play(m))).find(|(_, next)| next.key() == key);
            let Some((m, next)) = found else { break };
            line.push(m);
            now = next;
        }
        line
    }

    /// Checks the limits between iterations. True if the search must end.
    pub fn should_end(&mut self) -> bool {
        self.check_limits();
        self.stopped
    }
}
