//! The limits of one search, free of protocol text.

use shakmaty::{ByColor, uci::UciMove};

/// The limits of one search. All of them hold together: the first one hit stops
/// the search. With none set the search runs until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time left on each side's clock, in milliseconds. Clients do send zero and negative values.
    pub clock: ByColor<Option<i64>>,
    /// Time that each side gains a move, in milliseconds.
    pub increment: ByColor<i64>,
    /// Moves until the next time control; `None`: the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Exact time for this move, in milliseconds.
    pub move_time: Option<i64>,
    /// Greatest iteration, in plies.
    pub depth: Option<u32>,
    /// Greatest number of nodes.
    pub nodes: Option<u64>,
    /// Stop once a mate in this many full moves or fewer is proved.
    pub mate: Option<u32>,
    /// Search until told to stop; the move is held back until then.
    pub infinite: bool,
    /// Search in the opponent's time; the move is held back until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Consider only these root moves; empty: all of them.
    pub search_moves: Vec<UciMove>,
    /// The depth that a level wants; `None`: the other limits decide.
    pub plan: Option<DepthPlan>,
}

/// How deep to search, as a level decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthPlan {
    /// Iterations that are searched in any case, in plies.
    pub least: u32,
    /// Iterations that may be searched, in plies; at least `least`.
    pub most: u32,
    /// Nodes beyond which no iteration deeper than `least` begins.
    pub budget: u64,
}

impl DepthPlan {
    /// Exactly `depth` plies.
    pub fn exactly(depth: u32) -> DepthPlan {
        DepthPlan { least: depth, most: depth, budget: 0 }
    }

    /// True if another iteration should follow that of `depth` plies, after `nodes` nodes in all.
    pub fn wants_more(&self, depth: u32, nodes: u64) -> bool {
        depth < self.least || depth < self.most && nodes <= self.budget
    }
}

impl Limits {
    /// A search of exactly `depth` plies.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// True if they fix the depth, whatever a level would choose: a depth, a mate to be found, or no end
    /// at all.
    pub fn fixes_depth(&self) -> bool {
        self.depth.is_some() || self.mate.is_some() || self.infinite
    }

    /// True if a move from the book is within the limits: nothing asks for a search of a certain size,
    /// for one without an end or of certain moves, or in the opponent's time.
    pub fn allows_book(&self) -> bool {
        let is_measured = self.fixes_depth() || self.nodes.is_some();
        !is_measured && !self.ponder && self.search_moves.is_empty()
    }

    /// True if only `stop` is sure to end the search.
    pub fn is_endless(&self) -> bool {
        let is_bounded = self.is_timed() || self.depth.is_some() || self.nodes.is_some();
        self.infinite || self.ponder || !is_bounded
    }

    /// True if time is limited, by a clock or for this move.
    pub fn is_timed(&self) -> bool {
        self.clock.white.or(self.clock.black).or(self.move_time).is_some()
    }

    /// A search of at most `nodes` nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }
}
