//! King of the hill: chess in which a king on one of the four central squares wins.

use shakmaty::variant::KingOfTheHill;
use shakmaty::{Bitboard, Move, MoveList, Position, Role};

use super::chess::fast;
use super::{Ending, MoveCode, RuleSet, Rules};

impl Rules for KingOfTheHill {
    const RULE_SET: RuleSet = RuleSet::KingOfTheHill;
    const NAME: &str = "kingofthehill";
    const ALIASES: &[&str] = &["koth"];
    const GOAL: &str = "the king has reached the centre";

    #[inline]
    fn ending(&self) -> Option<Ending> {
        Ending::of(self.variant_outcome(), self.turn())
    }

    #[inline]
    fn is_decisive(&self, m: Move) -> bool {
        m.role() == Role::King && !m.is_castle() && Bitboard::CENTER.contains(m.to())
    }

    #[inline]
    fn key_after(&self, key: u64, pieces: u64, _m: Move, after: &Self) -> u64 {
        fast::key_after(self, key, pieces, after)
    }

    fn noisy_moves(&self, checkers: Bitboard, moves: &mut MoveList) {
        if !self.is_variant_end() {
            let targets = self.them() | (Bitboard::CENTER & !self.us());
            fast::noisy_moves(self, checkers, targets, moves);
        }
    }

    fn quiet_moves(&self, checkers: Bitboard, moves: &mut MoveList) {
        if !self.is_variant_end() {
            fast::quiet_moves(self, checkers, !Bitboard::CENTER, moves);
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
