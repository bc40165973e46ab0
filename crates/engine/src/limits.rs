//! The limits of one search, free of protocol text.

use std::fmt;

use shakmaty::{ByColor, Color, uci::UciMove};
use web_time::Instant;

/// The limits of one search. They combine: the first one hit stops the search. Without any the search runs
/// until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time left on each side's clock, in milliseconds. Zero and negative values are valid, because clients
    /// send them.
    pub clock: ByColor<Option<i64>>,
    /// Increment of each side, in milliseconds per move.
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
    /// Search until `stop`; the move is held back until then.
    pub infinite: bool,
    /// Search in the opponent's time; the move is held back until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Consider only these root moves; empty: all of them.
    pub search_moves: Vec<UciMove>,
    /// The depth plan of a level; `None`: the other limits decide.
    pub plan: Option<DepthPlan>,
    /// The moment from which all time counts, so that several searches can share it; `None`: the beginning of
    /// the search.
    pub started: Option<Instant>,
}

/// The search depth that a level decides on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthPlan {
    /// Iterations that are searched in any case, in plies.
    pub least: u32,
    /// Iterations that may be searched, in plies; at least `least`.
    pub most: u32,
    /// Nodes beyond which no iteration deeper than `least` begins.
    pub budget: u64,
    /// Nodes at which the search ends, in whatever iteration; `None`: it completes `least` plies.
    pub cap: Option<u64>,
}

impl DepthPlan {
    /// Exactly `depth` plies.
    pub fn exactly(depth: u32) -> DepthPlan {
        DepthPlan { least: depth, most: depth, budget: 0, cap: None }
    }

    /// As many plies as begin within `nodes` nodes; the search ends in any case at eight times the nodes.
    pub fn within(nodes: u64) -> DepthPlan {
        DepthPlan { least: 1, most: u32::MAX, budget: nodes, cap: Some(nodes.saturating_mul(8)) }
    }

    /// True if another iteration should follow that of `depth` plies, after `nodes` nodes in all.
    pub fn wants_more(&self, depth: u32, nodes: u64) -> bool {
        depth < self.least || depth < self.most && nodes <= self.budget
    }
}

impl fmt::Display for Limits {
    /// The limits beside time: `depth 12, 60000 nodes`, or `no limits`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plan = self.plan.map(|DepthPlan { least, most, budget, .. }| {
            let most = if most == u32::MAX { "more".to_string() } else { most.to_string() };
            format!("depth {least} to {most} within {budget} nodes")
        });
        let parts = [
            self.depth.map(|depth| format!("depth {depth}")),
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.mate.map(|mate| format!("mate in {mate}")),
            plan,
            self.infinite.then(|| "infinite".to_string()),
            self.ponder.then(|| "pondering".to_string()),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { "no limits" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

impl Limits {
    /// A search of exactly `depth` plies.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// The same limits, whose time counts from now on unless it does already.
    pub fn begun(&self) -> Limits {
        Limits { started: self.started.or_else(|| Some(Instant::now())), ..self.clone() }
    }

    /// Time left to `turn`, in milliseconds. A client that sends only the other side's clock means a game, and
    /// both sides of a game have about as much.
    pub fn time_left(&self, turn: Color) -> Option<i64> {
        self.clock.get(turn).or(*self.clock.get(!turn))
    }

    /// True if the limits fix the depth, so that no level decides: a depth, a mate, or infinite search.
    pub fn fixes_depth(&self) -> bool {
        self.depth.is_some() || self.mate.is_some() || self.infinite
    }

    /// True if the limits allow a book move: no limit of depth, nodes or mate, no infinite search, no
    /// choice of root moves, no pondering.
    pub fn allows_book(&self) -> bool {
        let is_measured = self.fixes_depth() || self.nodes.is_some();
        !is_measured && !self.ponder && self.search_moves.is_empty()
    }

    /// True if only `stop` is certain to end the search.
    pub fn is_endless(&self) -> bool {
        self.infinite || self.ponder || !self.is_bounded()
    }

    /// True if a limit of time, depth, nodes or moves to mate is set.
    pub fn is_bounded(&self) -> bool {
        self.is_timed() || self.depth.or(self.mate).is_some() || self.nodes.is_some()
    }

    /// True if time is limited, by a clock or for this move.
    pub fn is_timed(&self) -> bool {
        self.clock.white.or(self.clock.black).or(self.move_time).is_some()
    }

    /// Nodes at which the search ends, in whatever iteration, by the plan; the greatest number if it has none.
    pub fn cap(&self) -> u64 {
        self.plan.and_then(|plan| plan.cap).unwrap_or(u64::MAX)
    }

    /// Nodes of all threads at which the search ends; the greatest number if they are not limited.
    pub fn node_limit(&self) -> u64 {
        self.nodes.unwrap_or(u64::MAX).min(self.cap())
    }

    /// A search of at most `nodes` nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A search that begins no further iteration after `nodes` nodes. So its score comes from a complete
    /// iteration, unless that one alone takes eight times the nodes.
    pub fn soft_nodes(nodes: u64) -> Limits {
        Limits { plan: Some(DepthPlan::within(nodes)), ..Limits::default() }
    }
}
