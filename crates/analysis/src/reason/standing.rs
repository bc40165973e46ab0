//! A mate that was threatened before the move, and that the move does not meet.
//!
//! A search in which the mover passes shows what the opponent threatens. A threat to win material has no sentence of its own: readers
//! found few of these right (`docs/log/analysis.md`); [`threat`](super::threat) tells it after others.

use super::Mistake;
use crate::analyst::RulesAnalyst;
use engine::evaluation::Variant;
use engine::rules::Game;
use engine::score::Meaning;

impl<P: Variant> RulesAnalyst<P> {
    /// True if the mate that the move played allows was threatened before it, by the same answer and no slower.
    pub(super) fn mate_stood(&mut self, mistake: &Mistake<P>) -> bool {
        let Meaning::Mate(moves) = mistake.after.score.meaning() else { return false };
        let Some(&reply) = mistake.after.pv.first().filter(|_| moves > 0) else { return false };
        let Some(passed) = passed(mistake.game).filter(|game| game.position().is_legal(reply))
        else {
            return false;
        };
        let threat = self.search(&passed, 1);
        let is_as_quick =
            matches!(threat.score.meaning(), Meaning::Mate(n) if (1..=moves).contains(&n));
        is_as_quick && threat.pv.first() == Some(&reply)
    }
}

/// A game from the position after a null move; `None` where none is possible.
pub(super) fn passed<P: Variant>(game: &Game<P>) -> Option<Game<P>> {
    game.now().pass().map(|passed| Game::new(passed.position().clone()))
}

#[cfg(test)]
mod tests {
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;
    use engine::score::Score;

    #[test]
    fn a_mate_that_was_threatened_is_told_from_one_that_the_move_makes_possible() {
        let stood = |fen: &str, played: &str| {
            let (played, best) = (line(fen, played), line(fen, "b6a6"));
            let mut mistake = test_mistake(&played, &best, [0, 0]);
            mistake.after.score = Score::mate_in(1);
            test_analyst(20_000).mate_stood(&mistake)
        };
        let fen = "3r4/pb6/1kp5/5Q2/8/8/PPPBK2P/R5r1 b - - 2 24";
        assert!(stood(fen, "g1a1 f5a5"));
        assert!(!stood(&fen.replace("/5Q2/", "/8/"), "g1a1 d2a5"), "no mate");
    }
}
