//! The reports of a search, as data. The protocol formats them, tests collect them, `bench` ignores them.

use shakmaty::Move;

use crate::score::Score;

/// The relation of a score to the true value of the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score is the value.
    Exact,
    /// The value is at least the score (the window failed high).
    Lower,
    /// The value is at most the score (the window failed low).
    Upper,
}

impl Bound {
    /// True if a score of this bound settles a search of the window (`alpha`, `beta`).
    #[inline]
    pub fn settles(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        }
    }
}

/// One principal variation of one iteration.
#[derive(Clone, Debug)]
pub struct Report {
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Greatest ply reached, extensions and quiescence included.
    pub selective_depth: u32,
    /// Rank of this variation (MultiPV), from 1.
    pub multipv: usize,
    /// Value for the side to move at the root.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// True for a draw that is proved: by the rules, or by the endgame tables.
    pub is_drawn: bool,
    /// Nodes searched so far, by all threads.
    pub nodes: u64,
    /// Time since the search began, in milliseconds.
    pub time_ms: u64,
    /// Fill of the transposition table, per mille.
    pub hashfull: u32,
    /// Tablebase hits so far.
    pub tbhits: u64,
    /// The variation, best move first; never empty unless the game is over.
    pub pv: Vec<Move>,
}

/// Nodes that failed high, and those of them that did so on their first move: a measure of the move
/// ordering.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cutoffs {
    /// Nodes where a move reached beta.
    pub all: u64,
    /// Those where the first move did.
    pub first: u64,
}

impl Cutoffs {
    /// Counts a cut-off.
    #[inline]
    pub fn add(&mut self, on_first_move: bool) {
        self.all += 1;
        self.first += u64::from(on_first_move);
    }

    /// Share of the cut-offs that the first move made, 0 to 1; 0 if there were none.
    pub fn first_share(self) -> f64 {
        self.first as f64 / self.all.max(1) as f64
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The move to play; `None` when the side to move has no legal move.
    pub best: Option<Move>,
    /// The expected reply (ponder move), legal after `best`, if the game goes on.
    pub ponder: Option<Move>,
    /// Value of `best` for the side to move: of the last iteration that has searched it, even if that one was stopped,
    /// or of the endgame tables; the static evaluation if no iteration has.
    pub score: Score,
    /// Whether the score is exact. A search that was stopped may know a bound only.
    pub bound: Bound,
    /// Depth of the last complete iteration, in plies.
    pub depth: u32,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Cut-offs, as a measure of the move ordering.
    pub cutoffs: Cutoffs,
}

impl Outcome {
    /// The outcome of a search that did not take place.
    pub fn unsearched(best: Option<Move>, score: Score) -> Outcome {
        Outcome {
            best,
            ponder: None,
            score,
            bound: Bound::Exact,
            depth: 0,
            nodes: 0,
            cutoffs: Cutoffs::default(),
        }
    }
}

/// Why a limited player chose its move: a line for people and one for programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// In words; empty if there is nothing to tell.
    pub words: String,
    /// In full, with the parameters of the choice.
    pub details: String,
}

/// Receives the reports of a search while it runs. Called on the search's own thread.
pub trait Reporter {
    /// A principal variation with its score.
    fn variation(&mut self, report: &Report);

    /// The root move that is being searched and its number, from 1.
    fn current_move(&mut self, _depth: u32, _m: Move, _number: usize) {}

    /// True if scores outside the aspiration window should be reported, as bounds, after `time_ms`
    /// milliseconds of search.
    fn wants_bounds(&self, _time_ms: u64) -> bool {
        false
    }

    /// A remark for the user.
    fn remark(&mut self, _text: &str) {}

    /// Why a limited player chose its move.
    fn reason(&mut self, _reason: &Reason) {}
}

/// Ignores all reports: for bench, self-play and tests that need only the [`Outcome`].
pub struct Silent;

impl Reporter for Silent {
    fn variation(&mut self, _report: &Report) {}
}
