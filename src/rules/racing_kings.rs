//! Racing kings: no checks, and the first king on the eighth rank wins. If White's is the first, Black may
//! draw by following at once.

use shakmaty::variant::RacingKings;
use shakmaty::{Move, Position, Rank, Role};

use super::{Ending, RuleSet, Rules};

impl Rules for RacingKings {
    const RULE_SET: RuleSet = RuleSet::RacingKings;
    const NAME: &str = "racingkings";
    const ALIASES: &[&str] = &["racing"];
    const CHECKS: bool = false;

    #[inline]
    fn ending(&self) -> Option<Ending> {
        Ending::of(self.variant_outcome(), self.turn())
    }

    /// A king's step onto the last rank. Black's king may still answer White's.
    #[inline]
    fn is_decisive(&self, m: Move) -> bool {
        m.role() == Role::King && m.to().rank() == Rank::Eighth
    }
}
