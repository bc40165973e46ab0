//! One thread of the search: its stack, its counters, and its checks of the limits.

use std::sync::Arc;

use shakmaty::Move;

use crate::evaluation::{EvalCache, Evaluation, Evaluator, Variant};
use crate::limits::Limits;
use crate::rules::{Captures, Game, KeyedPosition, Threats};
use crate::score::{MAX_PLY, Score};
use crate::search::clock::Stopwatch;
use crate::search::line::KeyLine;
use crate::search::options::Options;
use crate::search::ordering::correction::EarlierMoves;
use crate::search::ordering::history::{Context, History, PawnPlace};
use crate::search::ordering::piece_target::{PieceTarget, Played};
use crate::search::parameters::Parameters;
use crate::search::report::{Cutoffs, Reporter};
use crate::search::root::RootMoves;
use crate::search::signals::Signals;
use crate::search::table::TranspositionTable;
use crate::search::tree::reductions::Reductions;
use crate::tablebase::Access;

/// Nodes that the first iteration may take whatever the limits, some milliseconds, so that even the
/// shortest search compares all root moves. On boards full of queens the captures of a single line never
/// end: there the limits must count before a move is known. The cap of a depth plan counts at once.
const FIRST_ITERATION_NODES: u64 = 8192;

/// What the threads of a search share.
pub struct Shared<P> {
    /// The evaluator.
    pub evaluator: Evaluation<P>,
    /// The options, the tunable parameters and endgame tables among them.
    pub options: Options,
    /// The reductions by these parameters.
    pub reductions: Reductions,
    /// The transposition table.
    pub table: TranspositionTable,
    /// Flags and counters of the current search.
    pub signals: Arc<Signals>,
}

/// A ply of a worker's current line (the search stack).
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The evaluator's own score; [`Score::NONE`] in check.
    pub raw_eval: Score,
    /// The static eval: the same with the optimism of this search and the correction of the correction history, drawn towards 0 by
    /// the fifty-move rule.
    pub static_eval: Score,
    /// The move made from here; `None` at first and for a null move.
    pub played: Option<Played>,
    /// The same move, if it is quiet and the main search made it.
    pub quiet: Option<Move>,
    /// Killer moves: quiet moves that caused a cut-off at this ply.
    pub killers: [Option<Move>; 2],
    /// Cut-offs at this ply since the parent was entered.
    pub cutoffs: i32,
    /// The squares that the enemy attacks.
    pub threats: Threats,
    /// The pawns, for their history.
    pub pawns: PawnPlace,
    /// Double extensions of the line up to the move made from here.
    pub doubles: i32,
    /// The capture or promotion that was made from here.
    pub noisy: Option<Move>,
    /// Size of what the correction history adds to the static eval, in centipawns; 0 in check.
    pub correction: i32,
    /// The node is or was on a PV.
    pub tt_pv: bool,
    /// Plies by which the search of the move made from here is reduced at first.
    pub reduction: i32,
    /// The place of that move in the order, from 1.
    pub move_count: i32,
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
            pawns: PawnPlace::default(),
            doubles: 0,
            noisy: None,
            correction: 0,
            tt_pv: false,
            reduction: 0,
            move_count: 0,
        }
    }
}

/// What a thread keeps from one search to the next.
#[derive(Default)]
pub struct ThreadMemory {
    /// The history.
    pub history: History,
    /// Partial sums of the evaluation. No score depends on them, but their memory is kept: aligned blocks that every
    /// short search allocates again fragment it.
    pub eval_cache: Option<EvalCache>,
}

/// One thread of the search.
pub struct Worker<'a, P: Variant> {
    /// What it shares with other threads.
    pub shared: &'a Shared<P>,
    /// The limits of its search. Their times are in the stopwatch.
    pub limits: &'a Limits,
    /// Endgame tables to probe.
    pub endgames: Option<&'a Access>,
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
    /// The positions up to the current node.
    pub line: KeyLine,
    /// The iteration, in plies. The root may be searched to a little less.
    pub iteration: u32,
    /// Greatest ply reached in this iteration.
    pub selective_depth: usize,
    /// Nodes of this thread.
    pub nodes: u64,
    /// What the root's side thinks better of a full board than the evaluator, in centipawns.
    pub optimism: i32,
    /// Its cut-offs.
    pub cutoffs: Cutoffs,
    /// True if it searches its first iteration whatever the limits, so that there is a move to play.
    pub owes_move: bool,
    eval_cache: &'a mut EvalCache,
    /// Nodes that it was granted so far: then it looks at the clock, the signals and the node limit.
    granted: u64,
    reported_nodes: u64,
    stopped: bool,
}

impl<'a, P: Variant> Worker<'a, P> {
    /// A worker at the root of `game`. It stops itself at its limits.
    pub fn new(
        game: &Game<P>,
        shared: &'a Shared<P>,
        limits: &'a Limits,
        root: RootMoves,
        stopwatch: Stopwatch,
        memory: &'a mut ThreadMemory,
        reporter: &'a mut dyn Reporter,
    ) -> Worker<'a, P> {
        let ThreadMemory { history, eval_cache } = memory;
        let threads = shared.options.threads_within(limits);
        Worker {
            shared,
            limits,
            // Tables are not probed below a root that they contain: the search has to find the mate.
            endgames: shared.options.endgames.as_ref().filter(|_| !root.is_in_tables()),
            history,
            reporter,
            root,
            stopwatch,
            stack: vec![Frame::default(); MAX_PLY + 2].into_boxed_slice(),
            pv: vec![Vec::new(); MAX_PLY + 2].into_boxed_slice(),
            line: KeyLine::to(game),
            iteration: 0,
            selective_depth: 0,
            nodes: 0,
            cutoffs: Cutoffs::default(),
            eval_cache: eval_cache.get_or_insert_with(|| shared.evaluator.new_cache()),
            granted: shared.signals.grant(limits.node_limit(), threads),
            owes_move: true,
            reported_nodes: 0,
            optimism: 0,
            stopped: false,
        }
    }

    /// The tunable parameters of the search.
    #[inline]
    pub fn parameters(&self) -> &'a Parameters {
        &self.shared.options.parameters
    }

    /// True once the search must end. Scores that are returned on the way up are void then.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Enters the child after the move `played` (`None`: a null move). Returns what
    /// [`ascend`](Worker::ascend) takes.
    #[inline]
    pub fn descend(
        &mut self,
        ply: usize,
        played: Option<Played>,
        child: &KeyedPosition<P>,
    ) -> usize {
        self.stack[ply].played = played;
        (self.stack[ply].quiet, self.stack[ply].noisy) = (None, None);
        let barrier = self.line.enter(child.key(), played.is_none());
        self.nodes += 1;
        if self.nodes >= self.granted {
            self.check_limits();
        }
        barrier
    }

    /// Leaves the child again.
    #[inline]
    pub fn ascend(&mut self, barrier: usize) {
        self.line.leave(barrier);
    }

    /// The evaluator's score of a position at `ply`; a draw where nobody can win any more.
    #[inline]
    pub fn raw_eval(&mut self, position: &P, ply: usize) -> Score {
        if position.is_drawn_ending() {
            return Score::DRAW;
        }
        self.shared.evaluator.evaluate(position, ply, self.eval_cache)
    }

    /// The context of the quiet moves at `ply`, for their history.
    #[inline]
    pub fn context(&self, ply: usize) -> Context {
        let back = |n: usize| ply.checked_sub(n).and_then(|earlier| self.stack[earlier].played);
        let mut earlier = [back(1), back(2), back(4), back(6)];
        let uncounted = earlier.iter_mut().skip(self.parameters().continuation_moves as usize);
        uncounted.for_each(|move_before| *move_before = None);
        let Frame { threats, pawns, .. } = self.stack[ply];
        Context { earlier, threats, pawns }
    }

    /// The move `m` of the node `keyed`, for the history of the moves after it.
    #[inline]
    pub fn played(&self, keyed: &KeyedPosition<P>, m: Move, noisy: bool) -> Played {
        let target = PieceTarget::of(keyed.turn(), m);
        let is_apart = self.parameters().continuation_settings == 1;
        Played::new(target, is_apart && keyed.is_check(), is_apart && noisy)
    }

    /// The moves that led to the node at `ply`, for the correction history.
    #[inline]
    pub fn earlier_moves(&self, ply: usize) -> EarlierMoves {
        let back = |n: usize| {
            let played = self.stack[ply.checked_sub(n)?].played;
            played.map(|played| played.target)
        };
        EarlierMoves { last: back(1), two: back(2), four: back(4) }
    }

    /// True if `m` takes back at `ply`: it captures the piece that the move before has put on its target.
    #[inline]
    pub fn takes_back(&self, ply: usize, m: Move) -> bool {
        let before = ply.checked_sub(1).and_then(|parent| self.stack[parent].played);
        m.is_capture() && before.is_some_and(|before| before.target.square() == m.to())
    }

    /// Notes what the history of quiet moves depends on: the pawns, and the squares that the enemy attacks. Where capturing
    /// is a duty, nobody flees.
    #[inline]
    pub fn note_surroundings(&mut self, keyed: &KeyedPosition<P>, ply: usize) {
        let threats = Threats::of(keyed.position().board(), !keyed.turn());
        let nobody_flees = P::CAPTURES == Captures::Duty;
        let [pawns, ..] = keyed.piece_keys().parts();
        self.stack[ply].pawns = PawnPlace::new(pawns);
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

    /// Nodes of all threads.
    pub fn all_nodes(&mut self) -> u64 {
        self.publish_nodes();
        self.shared.signals.nodes()
    }

    fn publish_nodes(&mut self) {
        self.shared.signals.add_nodes(self.nodes - self.reported_nodes);
        self.reported_nodes = self.nodes;
    }

    /// Looks at the signals, the clock and the node limit.
    #[cold]
    fn check_limits(&mut self) {
        self.publish_nodes();
        let signals = &self.shared.signals;
        if self.nodes >= self.granted {
            let threads = self.shared.options.threads_within(self.limits);
            let more = signals.grant(self.limits.node_limit(), threads);
            self.granted = self.nodes + more;
        }
        let is_ended = signals.is_set() || self.nodes >= self.granted;
        let is_timed_out = || !signals.is_pondering() && self.stopwatch.is_out();
        let first_iteration = FIRST_ITERATION_NODES.min(self.limits.cap());
        let has_move = self.root.has_move_to_play() || self.nodes >= first_iteration;
        let may_end = has_move || !self.owes_move;
        self.stopped |= may_end && (is_ended || is_timed_out());
    }

    /// Checks the limits between iterations. True if the search must end.
    pub fn should_end(&mut self) -> bool {
        self.check_limits();
        self.stopped
    }
}
