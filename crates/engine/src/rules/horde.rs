//! Horde: White has no king but a horde of pawns, and loses once all of them are captured.

use shakmaty::variant::Horde;
use shakmaty::{Bitboard, Color, Position, Rank, Role, Setup};

use super::setup::squares;
use super::{Ending, RuleSet, Rules};
use crate::remark::Remark;

/// Number of White pawns from which on a harmless move is always available.
const SPARE_PAWNS: usize = 6;

impl Rules for Horde {
    const RULE_SET: RuleSet = RuleSet::Horde;
    const NAME: &str = "horde";
    const GOAL: &str = "the horde has been captured";

    fn setup_fault(setup: &Setup) -> Option<Remark> {
        let board = &setup.board;
        let kings = |color| (board.kings() & board.by_color(color)).count();
        let horde = Bitboard::from(Rank::First) & board.white();
        let misplaced = board.pawns() & Bitboard::BACKRANKS & !horde;
        match (kings(Color::White), kings(Color::Black)) {
            (0, 1) if misplaced.any() => {
                Some(Remark::new("fault.horde-pawns", [("squares", &squares(misplaced))]))
            }
            (0, 1) => None,
            (0, count) => Some(Remark::new("fault.kings-black", [("count", &count.to_string())])),
            _ => Some(Remark::new("fault.horde-king", [])),
        }
    }

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
