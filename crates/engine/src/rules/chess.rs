//! Standard chess at full speed: move generation and checks of single moves directly on shakmaty's boards,
//! for millions of calls per second, without generating superfluous moves.
//!
//! The results equal the defaults of [`Rules`], move for move and bit for bit; tests hold that. Rule sets
//! whose pieces move as in chess share the code in [`fast`].

use shakmaty::{Bitboard, Chess, Move, MoveList, Position};

use super::{MoveCode, RuleSet, Rules};
use view::king_of;

mod bench;
mod drawn;
pub(super) mod fast;
mod view;

impl Rules for Chess {
    const RULE_SET: RuleSet = RuleSet::Chess;
    const NAME: &str = "chess";
    const ALIASES: &[&str] = &["standard", "normal"];
    const BENCH: &[&str] = bench::POSITIONS;
    const MATES_BARE_KINGS: bool = true;

    #[inline]
    fn key_after(&self, key: u64, pieces: u64, _m: Move, after: &Self) -> u64 {
        fast::key_after(self, key, pieces, after)
    }

    fn noisy_moves(&self, checkers: Bitboard, moves: &mut MoveList) {
        fast::noisy_moves(self, checkers, self.them(), moves);
    }

    fn quiet_moves(&self, checkers: Bitboard, moves: &mut MoveList) {
        fast::quiet_moves(self, checkers, Bitboard::FULL, moves);
    }

    fn is_playable(&self, checkers: Bitboard, m: Move) -> bool {
        fast::is_playable(self, checkers, m)
    }

    fn unpack(&self, checkers: Bitboard, code: MoveCode) -> Option<Move> {
        fast::unpack(self, checkers, code)
    }

    #[inline]
    fn is_drawn_ending(&self) -> bool {
        drawn::is_drawn(self.board())
    }

    fn pass(&self) -> Option<Self> {
        if self.is_check() {
            return None;
        }
        let mut after = self.clone();
        after.play_unchecked(fast::standing_still(king_of(self)));
        Some(after)
    }
}
