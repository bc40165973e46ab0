//! The exchange of queens, a fact of one line that is added to a sentence without a reason: it favours who has more material.

use shakmaty::Role;

use super::Mistake;
use super::lines::Lines;
use super::threat::text_of;
use super::thresholds::{MIN_MATERIAL, PLAUSIBLE, QUEENS_SHOWN, SHOWN, SLIGHT};
use crate::analyst::RulesAnalyst;
use crate::line::{PlayedLine, Terms};
use crate::texts::tell;
use engine::evaluation::Variant;
use shell::texts::Texts;

/// An exchange of queens that one line brings and the other does not.
struct Exchange {
    /// The plies after which the queens are gone …
    plies: usize,
    /// … in the better line, or in the one played.
    is_better: bool,
}

impl Exchange {
    /// The exchange in these lines, if the side with more material has more after it, too.
    fn of<P: Variant>(mistake: &Mistake<P>, lines: &Lines<P>) -> Option<Exchange> {
        // A greater loss has another reason.
        if mistake.drop().is_none_or(|drop| drop > SLIGHT) {
            return None;
        }
        let are_gone = |line: &PlayedLine<P>| {
            let queens = line.end().position().board().queens();
            let had = line.games[0].position().board().queens();
            queens.is_empty() && had.count() == 2
        };
        // What else is exchanged on the way may change who has more.
        let leads = |terms: &[Terms], plies: usize| {
            let leads = lines.material(terms);
            [leads[0], leads[plies.min(leads.len() - 1)], leads[leads.len() - 1]]
        };
        let is_ahead = |leads: [i32; 3]| leads.iter().all(|lead| *lead >= MIN_MATERIAL);
        let soon =
            |line: &PlayedLine<P>| queens_gone_at(line).filter(|plies| *plies <= QUEENS_SHOWN);
        // A little later is no difference.
        let stay = |line: &PlayedLine<P>| queens_gone_at(line).is_none_or(|plies| plies > SHOWN);
        match (are_gone(&lines.played), are_gone(&lines.best)) {
            (false, true) if !offers_queens(&lines.played) && stay(&lines.played_on) => {
                let plies = soon(&lines.best)?;
                let exchange = Exchange { plies, is_better: true };
                is_ahead(leads(&lines.best_terms, plies)).then_some(exchange)
            }
            (true, false) if stay(&lines.best_on) => {
                let plies = soon(&lines.played)?;
                let exchange = Exchange { plies, is_better: false };
                is_ahead(leads(&lines.played_terms, plies).map(|lead| -lead)).then_some(exchange)
            }
            _ => None,
        }
    }
}

impl<P: Variant> RulesAnalyst<P> {
    /// The exchange of queens, unless a third move is as good as the better one and does with the queens what the move played does, or
    /// the side that has less may avoid the exchange.
    pub(super) fn exchanged_queens(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<String> {
        let Exchange { plies, is_better } = Exchange::of(mistake, lines)?;
        let go = |line: &PlayedLine<P>| queens_gone_at(line).is_some_and(|plies| plies <= SHOWN);
        let (line, weaker, score) = match is_better {
            true => (&lines.best_on, !lines.mover, -mistake.before.score),
            false => (&lines.played_on, lines.mover, -mistake.after.score),
        };
        if self.has_another_way(line, plies, weaker, (score, PLAUSIBLE), |other| !go(other)) {
            return None;
        }
        let other = self.as_good_as_best(mistake);
        let is_refuted = other.is_some_and(|other| {
            go(&PlayedLine::new(mistake.game, &other.pv)) == go(&lines.played_on)
        });
        let takes_queen = |ply: &usize| line.moves[*ply].capture() == Some(Role::Queen);
        let first = (0..plies).find(takes_queen).filter(|_| !is_refuted)?;
        Some(tell(texts, "added.queens", &[("move", &text_of(line, first))]))
    }
}

/// True if the first move of a line lets the queens take each other: who plays it does not avoid their exchange.
fn offers_queens<P: Variant>(line: &PlayedLine<P>) -> bool {
    let Some(board) = line.games.get(1).map(|game| game.position().board()) else { return false };
    let queens = board.queens();
    queens.into_iter().any(|queen| (board.attacks_from(queen) & queens).any())
}

/// The number of plies after which a line has no queens.
pub(super) fn queens_gone_at<P: Variant>(line: &PlayedLine<P>) -> Option<usize> {
    line.games
        .iter()
        .position(|game| game.position().board().queens().is_empty())
        .filter(|plies| *plies > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};

    #[test]
    fn a_move_that_offers_the_queens_does_not_miss_their_exchange() {
        let fen = "2b2rk1/2p2ppp/pp1r4/3Pp3/1RP1Pn1q/P1N1Q2P/4BP1K/5RN1 w - - 4 24";
        let offers = |moves: &str| offers_queens(&line(fen, moves));
        assert_eq!(["e3g3 h4d8", "f1e1 c8h3"].map(offers), [true, false]);
    }

    #[test]
    fn queens_favour_who_has_more_only_if_he_still_has_it_after_their_exchange() {
        let remark = |lang, fen: &str, played: &str, best: &str| {
            let (played, best) = (line(fen, played), line(fen, best));
            let mistake = test_mistake(&played, &best, [-30, 110]);
            let mut analyst = test_analyst(1_000);
            let lines = analyst.lines(&mistake, played.clone(), best.clone());
            analyst.exchanged_queens(&texts::of(lang), &mistake, &lines)
        };
        let ending = "3qk3/pp3ppp/8/8/8/8/PPP2PPP/3QK3 b - - 0 30";
        let in_ending = |lang| remark(lang, ending, "d8d1 e1d1 e8d7", "d8e7 d1e2 a7a6").unwrap();
        let english = "30...Qxd1+ exchanges the queens, which favours the side with more material.";
        assert_eq!(in_ending(Lang::En), english);
        let spanish = "30...Dxd1+ cambia las damas, lo que favorece a quien tiene más material.";
        assert_eq!(in_ending(Lang::Es), spanish);
        let opening = "rnbqkbnr/pp3ppp/8/2ppP3/2P1P3/8/PP3PPP/RNBQKBNR b KQkq - 0 4";
        let in_opening = |moves: &str| remark(Lang::En, opening, moves, "d5d4 f2f4 g7g5");
        assert_eq!(in_opening("d5e4 d1d8 e8d8 b1c3 g8e7 c3e4"), None, "seven pawns each by then");
        assert_eq!(in_opening("b8c6 c4d5 d8d5 d1d5 f8e7 d5d1"), None, "a queen is still there");
    }

    #[test]
    fn queens_that_the_other_side_may_keep_do_not_go() {
        // Black has 30...Qe7.
        let fen = "3q2k1/pp3ppp/8/8/8/5N2/PPP2PPP/3Q2K1 w - - 0 30";
        let (played, best) = (line(fen, "d1c1 d8e7 b2b3"), line(fen, "d1d4 d8d4 f3d4 g8f8"));
        let mistake = test_mistake(&played, &best, [330, -300]);
        let mut analyst = test_analyst(20_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        assert!(Exchange::of(&mistake, &lines).is_some());
        let texts = texts::of(Lang::En);
        assert!(analyst.exchanged_queens(&texts, &mistake, &lines).is_none());
    }

    #[test]
    fn queens_that_another_good_move_exchanges_are_no_difference() {
        // 28.Bxc6 exchanges them, too, and is as good as 28.Qb4.
        let fen = "7r/pQ4q1/P1prpk1p/5ppb/3PB3/5P2/P3N1PP/1R4K1 w - - 4 28";
        let (played, best) = (line(fen, "b7g7 f6g7 b1b7 g7f6"), line(fen, "b7b4 h8d8 e4c2"));
        let mistake = test_mistake(&played, &best, [-160, 250]);
        let mut analyst = test_analyst(20_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        let texts = texts::of(Lang::En);
        assert!(Exchange::of(&mistake, &lines).is_some());
        assert!(analyst.exchanged_queens(&texts, &mistake, &lines).is_none());
    }
}
