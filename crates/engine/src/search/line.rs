//! The line to the current node, as the keys of its positions: what a repetition is counted by.

use crate::evaluation::Variant;
use crate::rules::{Game, KeyedPosition, reversible};

/// The keys of a game and of the line below its last position.
pub struct KeyLine {
    /// The current position last.
    keys: Vec<u64>,
    /// Keys before this index are behind a null move and repeat nothing.
    barrier: usize,
    root_index: usize,
}

impl KeyLine {
    /// The line that ends with the last position of `game`, the root of a search.
    pub fn to<P: Variant>(game: &Game<P>) -> KeyLine {
        let mut keys = game.past().to_vec();
        keys.push(game.now().key());
        KeyLine { root_index: keys.len() - 1, keys, barrier: 0 }
    }

    /// Enters the position `key`, after a null move if `passed`. Returns what [`leave`](KeyLine::leave) takes.
    #[inline]
    pub fn enter(&mut self, key: u64, passed: bool) -> usize {
        let barrier = self.barrier;
        self.keys.push(key);
        if passed {
            self.barrier = self.keys.len() - 1;
        }
        barrier
    }

    /// Leaves the current position again.
    #[inline]
    pub fn leave(&mut self, barrier: usize) {
        self.keys.pop();
        self.barrier = barrier;
    }

    /// True if the side to move can go back to a position that has occurred since the root, the root itself left out: it
    /// has a draw at least. `now` is the current position.
    #[inline]
    pub fn may_repeat<P: Variant>(&self, now: &KeyedPosition<P>) -> bool {
        let last = self.keys.len() - 1;
        let oldest =
            last.saturating_sub(now.reversible()).max(self.barrier).max(self.root_index + 1);
        // Three half-moves are the shortest way: a move of each side, and this side's way back.
        (oldest..=last.saturating_sub(3))
            .rev()
            .step_by(2)
            .any(|index| reversible::leads_to(now, self.keys[index]))
    }

    /// True if the current position counts as a draw by repetition: it has occurred once since the root, or
    /// twice before it. `reversible`: half-moves before it among which it may have occurred.
    #[inline]
    pub fn is_repetition(&self, reversible: usize) -> bool {
        let now = self.keys.len() - 1;
        let oldest = now.saturating_sub(reversible).max(self.barrier);
        let key = self.keys[now];
        let mut before_root = 0;
        let mut index = now;
        while index >= oldest + 2 {
            index -= 2;
            if self.keys[index] == key {
                if index > self.root_index {
                    return true;
                }
                before_root += 1;
                if before_root == 2 {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Chess;
    use shakmaty::san::San;

    #[test]
    fn one_repetition_in_the_tree_is_enough_and_two_before_the_root() {
        let mut line = KeyLine::to(&Game::new(Chess::default()));
        for key in [1, 2, 3, 4] {
            line.enter(key, false);
        }
        line.enter(1, false);
        assert!(line.is_repetition(10) && !line.is_repetition(3));
        let mut known = KeyLine { keys: vec![7, 1, 7, 2], barrier: 0, root_index: 3 };
        known.enter(7, false);
        assert!(known.is_repetition(10));
        let mut once = KeyLine { keys: vec![5, 1, 7, 2], barrier: 0, root_index: 3 };
        once.enter(7, false);
        assert!(!once.is_repetition(10));
    }

    #[test]
    fn a_position_since_the_root_can_be_repeated_but_not_the_root() {
        let may_repeat = |moves: &str| {
            let mut now = KeyedPosition::new(Chess::default());
            let mut line = KeyLine::to(&Game::new(Chess::default()));
            for san in moves.split_whitespace() {
                now = now.play(san.parse::<San>().unwrap().to_move(now.position()).unwrap());
                line.enter(now.key(), false);
            }
            line.may_repeat(&now)
        };
        assert!(!may_repeat("Nf3 Nf6 Ng1"), "Ng8 is the root");
        assert!(may_repeat("Nc3 Nc6 Nf3 Nf6 Ng1"), "Ng8 is the second position");
        assert!(!may_repeat("Nc3 Nc6 Nf3 Nf6 Nb1"), "Ng8 is new");
        assert!(!may_repeat("Nc3 Nc6 Nf3 Nf6 h3 Ng8 Ng1"), "a pawn has moved");
    }

    #[test]
    fn nothing_repeats_across_a_null_move() {
        let mut line = KeyLine::to(&Game::new(Chess::default()));
        line.enter(1, false);
        let barrier = line.enter(2, true);
        line.enter(1, false);
        assert!(!line.is_repetition(10));
        line.leave(barrier);
        line.leave(barrier);
        line.enter(3, false);
        line.enter(1, false);
        assert!(line.is_repetition(10));
    }
}
