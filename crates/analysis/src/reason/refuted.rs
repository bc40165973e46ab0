//! What refutes a reason that is true on the board: a third move that is as good, an answer that wins the same after the better
//! move, or a capture that is taken back.
//!
//! A better line wins a pawn, or castles; but if a move without that is nearly as good, the mistake was bad for something else.

use super::Mistake;
use super::idea_reason::same_answer;
use super::lines::Lines;
use super::thresholds::{AS_GOOD, MIN_MATERIAL, REFUTED};
use crate::analyst::{Eval, RulesAnalyst};
use crate::judgement::{pieces, win_chance};
use crate::line::PlayedLine;
use crate::motif::value;
use engine::evaluation::Variant;
use engine::search::gains_at_least;

impl<P: Variant> RulesAnalyst<P> {
    /// The best move but for the better one and the one played, if there is another.
    fn third(&mut self, mistake: &Mistake<P>) -> Option<Eval> {
        let best = mistake.before.pv.first()?;
        self.search_without(mistake.game, &[*best, mistake.played], 1)
    }

    /// The best of the moves that are as good as the better one, but for the move played; `None` if the better one is the only such
    /// move.
    pub(super) fn as_good_as_best(&mut self, mistake: &Mistake<P>) -> Option<Eval> {
        let other = self.third(mistake)?;
        (mistake.before.score - other.score <= AS_GOOD).then_some(other)
    }

    /// True if a third move, which does not win the `gain` of the better one to a pawn, costs less than half of what the move played
    /// costs: then it is not the gain that the mistake lacks.
    pub(super) fn is_beside(&mut self, mistake: &Mistake<P>, gain: i32) -> bool {
        let Some(drop) = mistake.drop() else { return false };
        let Some(other) = self.third(mistake) else { return false };
        if 2 * (mistake.before.score - other.score) >= drop {
            return false;
        }
        let side = mistake.game.now().turn();
        let rest = self.lead_at_rest(mistake.game, &other.pv, side);
        let won = rest - self.lead(mistake.game, side);
        gain - won >= MIN_MATERIAL
    }

    /// True if the answer, a capture, is about as good as any after the better move, too, and wins something there:
    /// then what falls to it is not what the move played costs.
    pub(super) fn falls_to_same_answer(&mut self, mistake: &Mistake<P>, lines: &Lines<P>) -> bool {
        let Some(&reply) = lines.played.moves.get(1).filter(|reply| reply.is_capture()) else {
            return false;
        };
        let Some(there) = same_answer(&lines.best, reply) else { return false };
        if there.moves[1].capture() != reply.capture() {
            return false;
        }
        let (after, reply) = (&there.games[1], there.moves[1]);
        if !gains_at_least(after.position(), reply, MIN_MATERIAL) {
            return false;
        }
        // The best score there is that of the better line.
        let taken = self.search_only(after, reply, 1);
        taken.is_some_and(|taken| -mistake.before.score - taken.score < REFUTED)
    }

    /// True if the last capture of the first `plies` of a line can be taken back, at no cost by the search or at these `points`, of 100,
    /// of the chance to win, though the line does not do so: it won nothing that stays.
    pub(super) fn is_taken_back(
        &mut self,
        line: &PlayedLine<P>,
        plies: usize,
        points: f64,
    ) -> bool {
        let Some((m, after)) = plies
            .checked_sub(1)
            .and_then(|last| Some((*line.moves.get(last)?, line.games.get(plies)?)))
        else {
            return false;
        };
        let is_retaken = line.moves.get(plies).is_some_and(|reply| reply.to() == m.to());
        let Some(taken) = m.capture().map(value).filter(|_| !is_retaken) else { return false };
        if gains_at_least(line.games[plies - 1].position(), m, taken) {
            return false;
        }
        let after = after.clone();
        let Some(retaken) = self.search_captures(&after, m.to(), 1) else { return false };
        let best = self.search(&after, 1);
        let chance = |score| win_chance(score, pieces(&after));
        let costs = chance(best.score) - chance(retaken.score);
        !best.score.is_mate() && (best.score - retaken.score <= AS_GOOD || costs <= points)
    }
}

#[cfg(test)]
mod tests {
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;

    #[test]
    fn a_pawn_that_a_good_third_move_does_not_win_is_beside_the_point() {
        // 6.Ng3 is nearly as good as 6.dxe5; 6.g4 loses to 6...Bxe4 and 7...Qh4+.
        let fen = "rn1qkbnr/pp3ppp/2p5/4pb2/3PN3/5P2/PPP3PP/R1BQKBNR w KQkq - 0 6";
        let (played, best) = (line(fen, "g2g4 f5e4 f3e4 d8h4"), line(fen, "d4e5 b8d7 e4d6"));
        let mut analyst = test_analyst(20_000);
        assert!(analyst.is_beside(&test_mistake(&played, &best, [50, 150]), 100));
        assert!(!analyst.is_beside(&test_mistake(&played, &best, [200, -180]), 100), "too small");
    }

    #[test]
    fn what_falls_to_the_same_answer_anyway_is_not_the_cost() {
        let fen = "1r4k1/ppp2p1p/3p2p1/4b3/1QP5/4RBPP/q1P2P1K/8 w - - 0 22";
        let falls = |best: &str| {
            let (played, best) = (line(fen, "e3a3 a2c2 h2g2 e5d4"), line(fen, best));
            let mistake = test_mistake(&played, &best, [-70, 430]);
            let mut analyst = test_analyst(60_000);
            let lines = analyst.lines(&mistake, played.clone(), best.clone());
            analyst.falls_to_same_answer(&mistake, &lines)
        };
        assert!(falls("f3d5 a2a6 c4c5"), "22.Bd5 Qxc2");
        assert!(!falls("e3e2 a2a6 f3d5"), "22.Re2 guards the pawn");
    }

    #[test]
    fn what_is_taken_back_later_is_not_won() {
        let fen = "rn1qk1nr/pp3ppp/2p5/8/1b1pP1P1/8/PPPB3P/R2QKBNR b KQkq - 3 9";
        let mut analyst = test_analyst(20_000);
        assert!(analyst.is_taken_back(&line(fen, "d8h4 e1e2 b4d2"), 3, 0.0));
        assert!(
            !analyst.is_taken_back(&line(fen, "d8h4 e1e2 b4d2 d1d2"), 3, 0.0),
            "the line does it"
        );
        let free = line("4k3/8/4b3/8/8/8/8/4RK2 w - - 0 1", "f1f2 e8d7 e1e6");
        assert!(analyst.is_taken_back(&free, 3, 0.0), "the king takes the rook");
        let hanging = line("4k3/8/4b3/8/8/8/8/4RK2 w - - 0 1", "f1f2 e8f8 e1e6");
        assert!(!analyst.is_taken_back(&hanging, 3, 0.0), "nothing takes back");
    }
}
