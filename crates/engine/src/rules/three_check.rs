//! Three-check: chess in which the third check wins.

use shakmaty::variant::ThreeCheck;
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Bitboard, Color, Move, MoveList, Position, Role, Setup};

use super::chess::fast;
use super::{Ending, MoveCode, RuleSet, Rules, checks_directly};
use crate::remark::Remark;

/// Remaining checks at which a check counts as noisy.
const FEW_CHECKS: u32 = 2;

impl Rules for ThreeCheck {
    const RULE_SET: RuleSet = RuleSet::ThreeCheck;
    const NAME: &str = "3check";
    const ALIASES: &[&str] = &["threecheck", "3checks", "threechecks"];
    const GOAL: &str = "third check";

    fn setup_fault(setup: &Setup) -> Option<Remark> {
        let is_over =
            setup.remaining_checks.is_some_and(|checks| checks.iter().all(|n| n.is_zero()));
        is_over.then(|| Remark::new("fault.no-checks", []))
    }

    #[inline]
    fn ending(&self) -> Option<Ending> {
        Ending::of(self.variant_outcome(), self.turn())
    }

    /// A check, if few are left: the last one wins, and the one before it is worth a piece. Discovered
    /// checks are not counted.
    #[inline]
    fn is_decisive(&self, m: Move) -> bool {
        has_few_checks_left(self) && checks_directly(self, m)
    }

    #[inline]
    fn key_after(&self, key: u64, pieces: u64, _m: Move, after: &Self) -> u64 {
        fast::key_after(self, key, pieces, after) ^ checks_key(self) ^ checks_key(after)
    }

    fn noisy_moves(&self, checkers: Bitboard, moves: &mut MoveList) {
        if self.is_variant_end() {
            return;
        }
        fast::noisy_moves(self, checkers, self.them(), moves);
        if has_few_checks_left(self) {
            let mut quiet = MoveList::new();
            fast::quiet_moves(self, checkers, Bitboard::FULL, &mut quiet);
            moves.extend(quiet.into_iter().filter(|&m| checks_directly(self, m)));
        }
    }

    fn quiet_moves(&self, checkers: Bitboard, moves: &mut MoveList) {
        if self.is_variant_end() {
            return;
        }
        if has_few_checks_left(self) {
            let mut quiet = MoveList::new();
            fast::quiet_moves(self, checkers, Bitboard::FULL, &mut quiet);
            moves.extend(quiet.into_iter().filter(|&m| !checks_directly(self, m)));
        } else {
            fast::quiet_moves(self, checkers, Bitboard::FULL, moves);
        }
    }

    fn is_playable(&self, checkers: Bitboard, m: Move) -> bool {
        !self.is_variant_end() && fast::is_playable(self, checkers, m)
    }

    fn unpack(&self, checkers: Bitboard, code: MoveCode) -> Option<Move> {
        if self.is_variant_end() { None } else { fast::unpack(self, checkers, code) }
    }

    fn pass(&self) -> Option<Self> {
        let king = self.our(Role::King).first().filter(|_| !self.is_check())?;
        let mut after = self.clone();
        after.play_unchecked(fast::standing_still(king));
        Some(after)
    }
}

/// True if the side to move needs so few checks that each is worth more than a piece.
#[inline]
fn has_few_checks_left(position: &ThreeCheck) -> bool {
    position
        .remaining_checks()
        .is_some_and(|checks| u32::from(checks[position.turn()]) <= FEW_CHECKS)
}

/// The remaining checks' part of the key.
fn checks_key(position: &ThreeCheck) -> u64 {
    position.remaining_checks().map_or(0, |checks| {
        let key = |color| Zobrist64::zobrist_for_remaining_checks(color, checks[color]).0;
        key(Color::White) ^ key(Color::Black)
    })
}
