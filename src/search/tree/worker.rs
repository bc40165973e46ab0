//! One thread of the search: what it remembers along its line, and its counters.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use shakmaty::{Bitboard, Move};

use crate::evaluation::Evaluator;
use crate::rules::{Game, Rules, Situation};
use crate::score::{MAX_PLY, Score};
use crate::search::clock::Stopwatch;
use crate::search::ordering::history::{Context, History, PieceTarget};
use crate::search::parameters::Parameters;
use crate::search::report::{Cutoffs, Reporter};
use crate::search::root::Root;
use crate::search::table::Table;
use crate::search::tree::reductions::Reductions;
use crate::tablebase::Access;

/// Nodes between two looks at the clock and the flags.
const CHECK_INTERVAL: u64 = 1024;

/// What all threads of an engine share.
pub struct Shared {
    /// The transposition table.
    pub table: Table,
    /// Set: every search ends soon.
    pub stop: AtomicBool,
    /// Set: the opponent is to move, and no clock counts.
    pub pondering: AtomicBool,
    /// Nodes of all threads, as of their last look at the flags.
    pub nodes: AtomicU64,
    /// Positions that all threads have found in endgame tables.
    pub tbhits: AtomicU64,
    /// Set: the first thread has ended, and its helpers with it.
    pub over: AtomicBool,
}

impl Shared {
    /// Shared state around a table.
    pub fn new(table: Table) -> Shared {
        Shared {
            table,
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            tbhits: AtomicU64::new(0),
            over: AtomicBool::new(false),
        }
    }
}

/// What a worker remembers of one ply of the line it is on.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Static evaluation; [`Score::NONE`] in check.
    pub plain: Score,
    /// The same, corrected by what has been learnt about it.
    pub evaluation: Score,
    /// The move made from here; `None` at first and for a null move.
    pub played: Option<PieceTarget>,
    /// Quiet moves that cut off at this ply.
    pub killers: [Option<Move>; 2],
    /// Nodes at this ply that were cut off, since their parent was entered.
    pub cutoffs: u32,
    /// The squares that the enemy attacks.
    pub threats: Bitboard,
    /// The move left out while its singularity is tested.
    pub excluded: Option<Move>,
}

impl Default for Frame {
    fn default() -> Frame {
        Frame {
            plain: Score::NONE,
            evaluation: Score::NONE,
            played: None,
            killers: [None; 2],
            cutoffs: 0,
            threats: Bitboard::EMPTY,
            excluded: None,
        }
    }
}

/// One thread of the search.
pub struct Worker<'a, P: Rules, E: Evaluator<P>> {
    pub shared: &'a Shared,
    pub evaluator: &'a E,
    pub parameters: &'a Parameters,
    pub endgames: Option<&'a Access>,
    pub reductions: Reductions,
    pub history: &'a mut History,
    pub reporter: &'a mut dyn Reporter,
    pub root: Root,
    pub watch: Stopwatch,
    pub frames: Box<[Frame]>,
    pub variations: Box<[Vec<Move>]>,
    pub selective_depth: usize,
    pub nodes: u64,
    pub cutoffs: Cutoffs,
    node_limit: u64,
    next_check: u64,
    reported_nodes: u64,
    stopped: bool,
    /// Keys of the game and of the line, the present position last.
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

/// What a worker works with.
pub struct Tools<'a, E> {
    pub shared: &'a Shared,
    pub evaluator: &'a E,
    pub parameters: &'a Parameters,
    /// Endgame tables to look positions up in.
    pub endgames: Option<&'a Access>,
    pub history: &'a mut History,
    /// Hears of what is found; a worker that is not the first has nobody to tell.
    pub reporter: &'a mut dyn Reporter,
}

impl<'a, P: Rules, E: Evaluator<P>> Worker<'a, P, E> {
    /// A worker at the root of `game` that stops itself when the watch or the node limit says so.
    pub fn new(
        game: &Game<P>,
        tools: Tools<'a, E>,
        root: Root,
        watch: Stopwatch,
        node_limit: Option<u64>,
    ) -> Worker<'a, P, E> {
        let Tools { shared, evaluator, parameters, endgames, history, reporter } = tools;
        let mut keys = game.past().to_vec();
        keys.push(game.now().key());
        let node_limit = node_limit.unwrap_or(u64::MAX);
        Worker {
            shared,
            evaluator,
            parameters,
            endgames,
            reductions: Reductions::new(parameters),
            history,
            reporter,
            root,
            watch,
            frames: vec![Frame::default(); MAX_PLY + 2].into_boxed_slice(),
            variations: vec![Vec::new(); MAX_PLY + 2].into_boxed_slice(),
            selective_depth: 0,
            nodes: 0,
            cutoffs: Cutoffs::default(),
            node_limit,
            next_check: CHECK_INTERVAL.min(node_limit),
            reported_nodes: 0,
            stopped: false,
            root_index: keys.len() - 1,
            keys,
            barrier: 0,
            rules: std::marker::PhantomData,
        }
    }

    /// True once the search must end; whatever is returned on the way up is void.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Enters the child that `played` leads to (`None`: a null move).
    #[inline]
    pub fn descend(
        &mut self,
        ply: usize,
        played: Option<PieceTarget>,
        child: &Situation<P>,
    ) -> Step {
        self.frames[ply].played = played;
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

    /// What the node at `ply` judges quiet moves by.
    #[inline]
    pub fn context(&self, ply: usize) -> Context {
        let back = |n: usize| ply.checked_sub(n).and_then(|earlier| self.frames[earlier].played);
        Context { earlier: [back(1), back(2), back(4)], threats: self.frames[ply].threats }
    }

    /// True if the present position counts as a draw by repetition: it has occurred once since
    /// the root, or twice before it.
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
        self.shared.nodes.load(Relaxed)
    }

    fn publish_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.reported_nodes, Relaxed);
        self.reported_nodes = self.nodes;
    }

    /// Looks at the flags, the clock and the node limit. The first iteration is always
    /// finished, so that there is a move to play.
    #[cold]
    fn check_limits(&mut self) {
        self.publish_nodes();
        self.next_check = (self.nodes + CHECK_INTERVAL).min(self.node_limit.max(self.nodes + 1));
        let Shared { stop, over, nodes, .. } = self.shared;
        let flagged =
            stop.load(Relaxed) || over.load(Relaxed) || nodes.load(Relaxed) >= self.node_limit;
        let timed_out = || !self.shared.pondering.load(Relaxed) && self.watch.is_out();
        self.stopped |= self.root.has_move_to_play() && (flagged || timed_out());
    }

    /// Looks at the limits now, between iterations.
    pub fn should_end(&mut self) -> bool {
        self.check_limits();
        self.stopped
    }
}
