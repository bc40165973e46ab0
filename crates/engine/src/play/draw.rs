//! Whether the engine agrees to a draw that a person offers.

use crate::score::Score;

/// Half-moves of a game before which it agrees only where it is worse.
const EARLY: usize = 40;
/// Its score up to which it agrees after them, in centipawns.
const DRAWISH: i32 = 20;
/// Its score up to which it agrees at any time, in centipawns.
const WORSE: i32 = -100;

/// True if a player with this `score` agrees to a draw after `plies` half-moves of the game.
pub fn agrees_to_draw(score: Score, plies: usize) -> bool {
    score.raw() <= WORSE || plies >= EARLY && score.raw() <= DRAWISH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_stands_worse_agrees_and_who_stands_better_plays_on() {
        let agrees = |score: i32, plies| agrees_to_draw(Score::centipawns(score), plies);
        assert!(agrees(-150, 10) && agrees(-150, 60));
        assert!(!agrees(0, 10) && agrees(0, 60));
        assert!(!agrees(150, 10) && !agrees(150, 60));
    }
}
