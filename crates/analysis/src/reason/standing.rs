//! A threat that stood on the board before the move, and that the move does not meet.
//!
//! A search in which the mover passes shows what the opponent threatens. Where the same move then refutes the one that was
//! played, and the better move forestalls it, a coach names the threat: the move played may have nothing else wrong with it.

use shakmaty::Move;

use super::lines::Lines;
use super::thresholds::{MADE_WORSE, MIN_MATERIAL, THREAT_SOON, THREATENED};
use super::{Mistake, facts, say};
use crate::analyst::RulesAnalyst;
use crate::line::PlayedLine;
use crate::material::{self, Balance, are_alike};
use crate::texts::{moves, tell};
use engine::evaluation::{Evaluator, TermKind, Variant};
use engine::rules::Game;
use engine::rules::notation::arrival;
use engine::score::Meaning;
use shell::texts::Texts;

impl<P: Variant> RulesAnalyst<P> {
    /// A reason in a threat that stood before the move: whoever passes loses by it, and whoever plays the move as well.
    pub(super) fn standing_threat(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<String> {
        let (reply, best) = (*lines.played.moves.get(1)?, *lines.best.moves.first()?);
        let passed = Game::new(mistake.game.now().pass()?.position().clone());
        // What only the move played makes possible stood nowhere before, and what the better line allows is met by neither.
        if !facts::has_facts::<P>()
            || !passed.position().is_legal(reply)
            || lines.best.moves.get(1) == Some(&reply)
        {
            return None;
        }
        let threat = self.search(&passed, 1);
        // Who only gives up a chance of his own by passing was not threatened: the enemy stands well then, or better than the
        // board promises.
        let promised = self.evaluator.explain(mistake.game.position()).score();
        let stands_well = threat.score.raw().max(threat.score.raw() + promised.raw()) >= THREATENED;
        let is_taken = best.is_capture() && reply.from() == Some(arrival(best));
        let is_threat = threat.pv.first() == Some(&reply)
            && stands_well
            && (is_taken || !best.is_capture())
            && threat.score - -mistake.before.score >= THREATENED
            && mistake.after.score - threat.score <= MADE_WORSE;
        if !is_threat {
            return None;
        }
        // What is only exchanged is not won.
        let back = lines.played.moves.get(2).filter(|m| m.is_capture() && m.to() == reply.to());
        if back.is_some() && reply.capture().is_some_and(|taken| are_alike(taken, reply.role())) {
            return None;
        }
        let name = lines.refutation(1);
        let gives_check = lines.played.games.get(2).is_some_and(|game| game.now().is_check());
        // Nobody sees the threat of a quiet move, or of a capture that wins nothing, unless its taker is taken first.
        if !reply.is_capture() && !gives_check {
            return None;
        }
        let name = match self.wins_soon(&passed, &threat.pv) {
            Some(what) => tell(texts, "threat.wins", &[("reply", &name), ("what", &what)]),
            None if is_taken => moves(texts, &name),
            None => return None,
        };
        let key = if is_taken { "why.threat.taken" } else { "why.threat" };
        let piece = material::piece(texts, reply.role(), None);
        let [line, better] = lines.both();
        let values =
            [("threat", name.as_str()), ("line", &line), ("better", &better), ("piece", &piece)];
        Some(say(texts, key, lines, &values))
    }

    /// What the side to move wins in the first moves of a line, for good, in words; `None` if nothing.
    fn wins_soon(&mut self, game: &Game<P>, moves: &[Move]) -> Option<String> {
        let line = self.until_quiet(game, moves);
        let side = game.now().turn();
        let leads: Vec<i32> = line
            .terms(&self.evaluator)
            .iter()
            .map(|terms| terms.lead(TermKind::Material, side))
            .collect();
        let gains: Vec<i32> = leads.iter().map(|lead| lead - leads[0]).collect();
        let last = THREAT_SOON.min(line.moves.len());
        let plies =
            (1..=last).find(|&ply| gains[ply..].iter().all(|gain| *gain >= MIN_MATERIAL))?;
        let start = PlayedLine::new(game, &line.moves[..plies]);
        // By a promotion nothing falls.
        let what = Balance::of(&start, !side).text(&self.texts());
        (!what.is_empty()).then_some(what)
    }

    /// True if the mate that the move played allows was threatened before it, by the same answer and no slower.
    pub(super) fn mate_stood(&mut self, mistake: &Mistake<P>) -> bool {
        let Meaning::Mate(moves) = mistake.after.score.meaning() else { return false };
        let Some(&reply) = mistake.after.pv.first().filter(|_| moves > 0) else { return false };
        let Some(passed) = mistake.game.now().pass() else { return false };
        if !passed.position().is_legal(reply) {
            return false;
        }
        let threat = self.search(&Game::new(passed.position().clone()), 1);
        let is_as_quick =
            matches!(threat.score.meaning(), Meaning::Mate(n) if (1..=moves).contains(&n));
        is_as_quick && threat.pv.first() == Some(&reply)
    }
}

#[cfg(test)]
mod tests {
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};
    use engine::score::Score;

    /// The sentence about a threat, by the lines and scores given and a search of the pass.
    fn told(lang: Lang, fen: &str, played: &str, best: &str, scores: [i32; 2]) -> Option<String> {
        let (played, best) = (line(fen, played), line(fen, best));
        let mistake = test_mistake(&played, &best, scores);
        let mut analyst = test_analyst(60_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        analyst.standing_threat(&texts::of(lang), &mistake, &lines)
    }

    #[test]
    fn a_threat_that_is_not_met_is_named_with_what_it_wins() {
        let fen = "3q4/4ppk1/pp3np1/2p4p/P1P4P/2Q3P1/4PPB1/6K1 w - - 0 26";
        let played = "e2e4 d8d1 g2f1 d1a4";
        let told = |best: &str| told(Lang::En, fen, played, best, [-140, 280]);
        let text = told("c3c2 d8d4 e2e3").unwrap();
        let start = "26.e4 does not meet the threat 26...Qd1+, winning the pawn on a4: 26...Qd1+ 27.Bf1 Qxa4";
        assert!(text.starts_with(start), "{text}");
        assert_eq!(told("g1h2 d8d1 c3c2"), None, "the better move does not meet it either");
    }

    #[test]
    fn who_takes_the_threatening_piece_first_meets_the_threat() {
        let fen = "r1b1k2r/pp1n2pp/8/q1pp1p2/1b1Pn2B/2NBPN2/PPQ2PPP/2R2RK1 b kq - 1 12";
        let (played, best) = ("e8g8 c3d5 c5d4 c2c4", "b4c3 b2c3 c5c4");
        let text = told(Lang::En, fen, played, best, [-70, 480]).unwrap();
        assert!(text.starts_with("12...O-O does not meet the threat 13.Nxd5"), "{text}");
        assert!(text.ends_with("; 12...Bxc3 takes the knight first."), "{text}");
        let text = told(Lang::Es, fen, played, best, [-70, 480]).unwrap();
        assert!(text.starts_with("12...O-O no responde a la amenaza 13.Cxd5"), "{text}");
        assert!(text.ends_with("; 12...Axc3 captura antes el caballo."), "{text}");
    }

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

    #[test]
    fn a_promotion_is_threatened_without_words_for_what_falls() {
        let line = line("8/6P1/8/8/8/k7/8/5K2 w - - 0 1", "g7g8q a3b2");
        assert_eq!(test_analyst(20_000).wins_soon(&line.games[0], &line.moves), None);
    }
}
