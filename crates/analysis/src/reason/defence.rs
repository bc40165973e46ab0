//! The defence that loses the least material. A sentence may say that a piece is lost only if no other move of about the
//! same score saves it.
//!
//! A search that sees a game lost does not mind what falls on the way. A reader does: where another move loses a knight
//! less, "loses a knight and a bishop" is no truth about the mistake.

use shakmaty::{Color, Move};

use super::Mistake;
use super::lines::is_amid_captures;
use super::thresholds::{AS_GOOD, AS_HOPELESS, DEFENCES, LATE, MIN_MATERIAL, MOST, SMALL};
use crate::analyst::RulesAnalyst;
use crate::judgement::{pieces, win_chance};
use crate::line::PlayedLine;
use engine::evaluation::Variant;
use engine::rules::{Captures, Game};
use engine::score::Score;
use engine::search::gains_at_least;

impl<P: Variant> RulesAnalyst<P> {
    /// The mistake with the lines in which each side, where it loses material, defends so that it loses least.
    pub(super) fn with_defences<'a>(&mut self, mistake: &Mistake<'a, P>) -> Mistake<'a, P> {
        let mover = mistake.game.now().turn();
        let refuting = mistake.refuting();
        let (after, before) = (-mistake.after.score, mistake.before.score);
        let played = self.defended(mistake.game, &refuting, mover, after);
        let best = self.defended(mistake.game, &mistake.before.pv, !mover, before);
        let mut mistake = mistake.clone();
        if let Some((moves, score)) = played {
            (mistake.after.pv, mistake.after.score) = (moves[1..].to_vec(), -score);
        }
        if let Some((moves, score)) = best {
            (mistake.before.pv, mistake.before.score) = (moves, score);
        }
        mistake
    }

    /// The line with another move of `victim` that loses at least a pawn less and is about as good, and its score; scores are
    /// for the side to move at the beginning. `None` if there is none, or if the line loses no more than a pawn: [`forced`](super::forced)
    /// tests the loss of a pawn.
    fn defended(
        &mut self,
        game: &Game<P>,
        moves: &[Move],
        victim: Color,
        score: Score,
    ) -> Option<(Vec<Move>, Score)> {
        let start = game.now().turn();
        if score.is_mate() || P::CAPTURES == Captures::Duty {
            return None;
        }
        let line = self.until_explained(game, moves, score);
        let loss = self.fallen(&line, victim);
        if loss <= SMALL {
            return None;
        }
        let is_late = self.falls_at(&line, victim) > LATE;
        let score = if victim == start { score } else { -score };
        let is_decision = |ply: &usize| line.games[*ply].now().turn() == victim;
        let decisions = (1..line.moves.len()).filter(is_decision).take(DEFENCES);
        for ply in decisions.collect::<Vec<_>>() {
            let game_there = &line.games[ply];
            let Some(other) = self.search_without(game_there, &[line.moves[ply]], 1) else {
                continue;
            };
            let pieces = pieces(game_there);
            let chance = |score| win_chance(score, pieces);
            let is_as_good = chance(other.score) >= chance(score) - AS_HOPELESS;
            // Who gives a piece at once does not defend.
            let gives = |m: &Move| !gains_at_least(line.games[ply].position(), *m, -MIN_MATERIAL);
            if other.pv.first().is_none_or(gives) || other.score.is_mate() || !is_as_good {
                continue;
            }
            let moves = [&line.moves[..ply], &other.pv].concat();
            let seen = if victim == start { other.score } else { -other.score };
            let explained = self.until_explained(game, &moves, seen);
            let least = self.fallen(&explained, victim);
            let is_soon = self.falls_at(&explained, victim) <= LATE;
            let is_less = loss - least >= MIN_MATERIAL && (is_soon || is_late);
            // What falls at the end of a long line falls at once by a plainer one.
            let is_plainer =
                is_late && is_soon && other.score >= score - AS_GOOD && least - loss < MIN_MATERIAL;
            if !is_less && !is_plainer {
                continue;
            }
            // Nor may the same fall a little later.
            let quiet = self.until_quiet(game, &moves);
            if is_plainer || self.fallen(&quiet, victim) < loss {
                return Some((moves, seen));
            }
        }
        None
    }

    /// The plies of a line after which `side` has lost most of what it loses.
    fn falls_at(&self, line: &PlayedLine<P>, side: Color) -> usize {
        let lead = self.lead(&line.games[0], side);
        let most = self.fallen(line, side) * MOST / 100;
        let is_kept = |ply: &usize| {
            !is_amid_captures(line, *ply) && lead - self.lead(&line.games[*ply], side) < most
        };
        (0..line.games.len()).rev().find(is_kept).map_or(0, |ply| ply + 1)
    }

    /// The material that `side` has lost at the end of a line, in centipawns.
    fn fallen(&self, line: &PlayedLine<P>, side: Color) -> i32 {
        self.lead(&line.games[0], side) - self.lead(line.end(), side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;

    /// The material that the mover loses in the line played, in centipawns: without other defences, and with them.
    fn lost(fen: &str, played: &str, best: &str, scores: [i32; 2]) -> [i32; 2] {
        let (played, best) = (line(fen, played), line(fen, best));
        let mistake = test_mistake(&played, &best, scores);
        let mut analyst = test_analyst(10_000);
        let defended = analyst.with_defences(&mistake);
        let side = played.games[0].now().turn();
        [mistake, defended].map(|mistake| {
            let refuting = mistake.refuting();
            let line = analyst.until_explained(mistake.game, &refuting, -mistake.after.score);
            analyst.fallen(&line, side)
        })
    }

    #[test]
    fn what_another_move_saves_is_not_lost() {
        // The queen falls. That the line gives the rook as well is no fault of the move.
        let fen = "r4rk1/ppp2p1b/3p3p/3Bp1q1/4P3/3P1Q2/PbP1KP2/6RR b - - 1 19";
        let played = "g8h8 g1g5 f7f5 h1h6 f8f6 h6f6";
        let [before, with] = lost(fen, played, "g8g7 g1g5 h6g5", [-400, 1_500]);
        assert!(before - with >= MIN_MATERIAL, "{before} {with}");
    }

    #[test]
    fn a_forced_loss_stays() {
        let fork = "7k/8/8/8/3n4/8/7P/R3K3 w - - 0 1";
        let [before, with] = lost(fork, "h2h3 d4c2 e1d2 c2a1", "e1d2 h8g7", [400, 100]);
        assert_eq!([before, with], [500, 500]);
    }

    #[test]
    fn what_falls_late_falls_at_once_by_a_plainer_defence() {
        let fen = "r2R1nk1/4qrp1/p1p1bn1p/1p2p3/4P2N/1QP1P3/PP4PP/3R1NK1 w - - 6 23";
        let played = "b3b4 a8d8 b4e7 d8d1 e7a3 f6g4 h4f3 f7f3 g2f3 d1f1 g1f1 g4e3";
        let (played, best) = (line(fen, played), line(fen, "b3e6 e7e6 d8a8 f6e4"));
        let mistake = test_mistake(&played, &best, [-450, 1_000]);
        let mut analyst = test_analyst(20_000);
        let defended = analyst.with_defences(&mistake);
        let line =
            analyst.until_explained(defended.game, &defended.refuting(), -mistake.after.score);
        assert!(analyst.falls_at(&line, Color::White) <= LATE, "{:?}", line.moves);
    }
}
