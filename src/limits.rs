//! What a search may spend: the limits of one `go`, free of protocol text.

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
}

impl Limits {
    /// A search of exactly `depth` plies.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// True if they say how deep to look, whatever a level would: a depth, a mate to be found,
    /// or no end at all.
    pub fn name_their_own_depth(&self) -> bool {
        self.depth.is_some() || self.mate.is_some() || self.infinite
    }

    /// True if a game may be played within them: nothing asks for a search of a certain size, or
    /// without an end, or for one of certain moves, or in the opponent's time.
    pub fn leave_the_move_free(&self) -> bool {
        let is_measured = self.name_their_own_depth() || self.nodes.is_some();
        !is_measured && !self.ponder && self.search_moves.is_empty()
    }

    /// True if time is limited, by a clock or for this move.
    pub fn name_a_time(&self) -> bool {
        self.clock.white.or(self.clock.black).or(self.move_time).is_some()
    }

    /// A search of at most `nodes` nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }
}
