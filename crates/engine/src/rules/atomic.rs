//! Atomic chess: a capture explodes, and the side whose king explodes has lost.

use shakmaty::variant::Atomic;
use shakmaty::{Move, Position, attacks};

use super::{Captures, Ending, RuleSet, Rules};

impl Rules for Atomic {
    const RULE_SET: RuleSet = RuleSet::Atomic;
    const NAME: &str = "atomic";
    const GOAL: &str = "the king has exploded";
    const CAPTURES: Captures = Captures::Explosion;

    #[inline]
    fn ending(&self) -> Option<Ending> {
        Ending::of(self.variant_outcome(), self.turn())
    }

    /// A capture beside the enemy king.
    #[inline]
    fn is_decisive(&self, m: Move) -> bool {
        let king = self.board().king_of(!self.turn());
        m.is_capture() && king.is_some_and(|king| attacks::king_attacks(king).contains(m.to()))
    }
}
