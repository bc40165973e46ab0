//! A node with its window: position, ply, alpha, beta and depth.

use crate::evaluation::Variant;
use crate::rules::KeyedPosition;
use crate::score::Score;

/// A position in the tree and its distance from the root.
pub struct NodeRef<'a, P> {
    /// The position with its key and checkers.
    pub keyed: &'a KeyedPosition<P>,
    /// Plies from the root.
    pub ply: usize,
}

impl<'a, P: Variant> NodeRef<'a, P> {
    /// The position alone.
    #[inline]
    pub fn position(self) -> &'a P {
        self.keyed.position()
    }
}

impl<P> Clone for NodeRef<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for NodeRef<'_, P> {}

/// The window (alpha, beta) of a node and the depth left to it.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Scores up to this are a fail-low.
    pub alpha: Score,
    /// Scores from this on are a fail-high.
    pub beta: Score,
    /// Depth left, in plies.
    pub depth: i32,
    /// True if the node is expected to fail high.
    pub cut_node: bool,
}

impl Window {
    /// A zero window: the search only tests whether the score exceeds `alpha`.
    #[inline]
    pub fn zero(alpha: Score, depth: i32, cut_node: bool) -> Window {
        Window { alpha, beta: alpha + 1, depth, cut_node }
    }

    /// The same window from the opponent's point of view.
    #[inline]
    pub fn flip(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha, ..self }
    }

    /// The window without the scores that no line through a node at `ply` can reach, because a shorter
    /// mate is already known (mate distance pruning). `mates_at_once`: a side may win without a move of
    /// its own.
    #[inline]
    pub fn within_mate_distance(self, ply: usize, mates_at_once: bool) -> Window {
        let soonest = ply + usize::from(!mates_at_once);
        Window {
            alpha: self.alpha.max(Score::mated_in(ply)),
            beta: self.beta.min(Score::mate_in(soonest)),
            ..self
        }
    }

    /// True if no score is left between alpha and beta.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}
