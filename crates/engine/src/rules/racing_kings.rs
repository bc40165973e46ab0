//! Racing kings: no checks, and the first king on the eighth rank wins. If White's is the first, Black may
//! draw by following at once.

use shakmaty::variant::RacingKings;
use shakmaty::{Bitboard, Move, Position, Rank, Role, Setup};

use super::setup::squares;
use super::{Ending, RuleSet, Rules};
use crate::remark::Remark;

impl Rules for RacingKings {
    const RULE_SET: RuleSet = RuleSet::RacingKings;
    const NAME: &str = "racingkings";
    const ALIASES: &[&str] = &["racing"];
    const GOAL: &str = "the king has reached the goal";
    const CHECKS: bool = false;

    fn setup_fault(setup: &Setup) -> Option<Remark> {
        let board = &setup.board;
        let arrived = board.kings() & Bitboard::from(Rank::Eighth);
        if board.pawns().any() {
            Some(Remark::new("fault.no-pawns", [("squares", &squares(board.pawns()))]))
        } else if setup.turn.is_black() && arrived.more_than_one() {
            Some(Remark::new("fault.last-rank", []))
        } else {
            None
        }
    }

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

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;

    use super::*;
    use crate::rules::setup;

    #[test]
    fn only_a_king_on_the_last_rank_decides() {
        let fen = "8/k6K/8/8/8/8/8/1R6 w - - 0 1";
        let (position, _) = setup::position::<RacingKings>(fen, CastlingMode::Standard).unwrap();
        let moves = position.legal_moves();
        let decides = moves.iter().filter(|m| position.is_decisive(**m));
        let mut targets: Vec<String> = decides.map(|m| m.to().to_string()).collect();
        targets.sort();
        assert_eq!(targets, ["g8", "h8"]);
        assert!(moves.iter().any(|m| m.role() == Role::Rook && m.to().rank() != Rank::Eighth));
    }
}
