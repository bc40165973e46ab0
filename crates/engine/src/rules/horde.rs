//! Horde: White has no king but a horde of pawns, and loses once all of them are captured.

use shakmaty::variant::Horde;
use shakmaty::{Position, Role};

use super::{Ending, RuleSet, Rules};

/// Number of White pawns from which on a harmless move is always available.
const SPARE_PAWNS: usize = 6;

impl Rules for Horde {
    const RULE_SET: RuleSet = RuleSet::Horde;
    const NAME: &str = "horde";
    const GOAL: &str = "the horde has been captured";

    #[inline]
    fn ending(&self) -> Option<Ending> {
        if self.us().is_empty() {
            Some(Ending::Lost)
        } else if self.them().is_empty() {
            Some(Ending::Won)
        } else {
            None
        }
    }

    /// Never: Black can always win by capturing the horde.
    #[inline]
    fn is_dead(&self) -> bool {
        false
    }

    fn has_pieces(&self) -> bool {
        let board = self.board();
        (self.us() & !(board.pawns() | board.kings())).any()
            || self.our(Role::Pawn).count() >= SPARE_PAWNS
    }
}
