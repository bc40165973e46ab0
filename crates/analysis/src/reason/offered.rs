//! A piece that a line puts where it can be taken, where no reason is proved: a reader asks first what happens if it is.

use shakmaty::Role;

use super::Mistake;
use super::forced::Trap;
use super::lines::Lines;
use super::thresholds::{MIN_MATERIAL, REFUTED};
use crate::analyst::RulesAnalyst;
use crate::line::PlayedLine;
use crate::material;
use crate::texts::tell;
use engine::evaluation::Variant;
use engine::rules::notation::arrival;
use engine::score::Score;
use engine::search::gains_at_least;
use shell::texts::Texts;

impl<P: Variant> RulesAnalyst<P> {
    /// A sentence about the piece that the better move, or else the answer, offers, with the moves by which its capture costs more.
    pub(super) fn offered(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<String> {
        let scored = [
            (&lines.best_on, 0, -mistake.before.score),
            (&lines.played_on, 1, -mistake.after.score),
        ];
        scored.into_iter().find_map(|(line, ply, score)| {
            let taken = self.with_tempting_capture(line, ply, score)?;
            let Trap { line: trap, .. } =
                self.costs(texts, lines, &taken, ply).filter(|trap| trap.is_more)?;
            let m = line.moves[ply];
            let piece = material::piece(texts, m.role(), Some(arrival(m)));
            Some(tell(texts, "why.take-loses", &[("piece", &piece), ("line", &trap)]))
        })
    }

    /// A line played on with the capture of the piece that its move `ply` puts where it could be taken at a profit, by the exchange,
    /// if the line does not take it and the other side, whose score is `score`, is worse off with the capture.
    fn with_tempting_capture(
        &mut self,
        line: &PlayedLine<P>,
        ply: usize,
        score: Score,
    ) -> Option<PlayedLine<P>> {
        let (m, after) = (*line.moves.get(ply)?, line.games.get(ply + 1)?);
        let square = arrival(m);
        let is_tempting = after.position().legal_moves().into_iter().any(|reply| {
            reply.is_capture()
                && reply.to() == square
                && gains_at_least(after.position(), reply, MIN_MATERIAL)
        });
        let is_taken = line.moves.get(ply + 1).is_some_and(|reply| reply.to() == square);
        // What has just been taken for it need not come back.
        let is_offered = m.capture().is_none_or(|role| role == Role::Pawn) && !m.is_en_passant();
        if !is_offered || !is_tempting || is_taken {
            return None;
        }
        let eval = self.search_captures(after, square, 1)?;
        let moves = [&line.moves[..=ply], &eval.pv].concat();
        (score - eval.score >= REFUTED).then(|| self.played_out(&line.games[0], &moves, eval.score))
    }
}

#[cfg(test)]
mod tests {
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};

    /// The sentence about a piece that these lines offer.
    fn offered(fen: &str, [played, best]: [&str; 2], scores: [i32; 2]) -> Option<String> {
        let (played, best) = (line(fen, played), line(fen, best));
        let mistake = test_mistake(&played, &best, scores);
        let mut analyst = test_analyst(20_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        analyst.offered(&texts::of(Lang::En), &mistake, &lines)
    }

    #[test]
    fn a_piece_that_may_not_be_taken_is_told() {
        // 13...cxb5 14.Bc7 shuts the queen in.
        let fen = "r1bqr1k1/pp1nbpp1/2p2n1p/3p4/3P4/2NBPNB1/PPQ2PPP/R4RK1 w - - 8 13";
        let quiet = "h2h3 f6h5 a2a3 e7f8";
        let text = offered(fen, [quiet, "c3b5 d7c5 b5c7 c5d3"], [200, -30]).unwrap();
        let taken = "To take the knight on b5 costs more: 13...cxb5 14.Bc7";
        assert!(text.starts_with(taken), "{text}");
        assert_eq!(offered(fen, [quiet, "c3b5 c6b5 g3c7 b5b4"], [200, -30]), None, "it is taken");
        assert_eq!(offered(fen, [quiet, "a2a3 a7a6 b2b4"], [200, -30]), None, "nothing is offered");
        let free = fen.replace("2NBPNB1", "2NBPN2");
        assert_eq!(offered(&free, [quiet, "c3b5 d7c5 b5c7"], [200, -30]), None, "no 14.Bc7");
    }

    #[test]
    fn what_takes_back_is_not_offered() {
        // 21...Nxf5 22.Qxf5 loses no more than it takes.
        let fen = "1n1q1r1k/2p1n1pp/r7/1p3N1Q/p2P1R2/2P5/PP1N2PP/R5K1 b - - 2 20";
        let lines = ["f8f5 f4f5 g7g6 h5g5 g6f5", "g7g6 h5e2 e7f5 e2b5"];
        assert_eq!(offered(fen, lines, [230, 0]), None);
    }
}
