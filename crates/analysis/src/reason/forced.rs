//! Whether a small change of material is forced: where it begins, the side that suffers it tries its other moves.
//!
//! A line is one way to play. A piece that falls in it is lost in most others, too. A pawn often is not: another move, as
//! good by the search, keeps it. Then the loss is not forced, and the mistake needs another reason.

use shakmaty::Color;

use super::gains::material_reason;
use super::lines::Lines;
use super::thresholds::{AS_GOOD, DECISIONS, MIN_MATERIAL, SMALL};
use super::{Mistake, Told};
use crate::analyst::RulesAnalyst;
use crate::line::{PlayedLine, Terms, TrackedPiece};
use crate::material::Balance;
use engine::evaluation::{Evaluator, TermKind, Variant};
use engine::rules::Game;
use engine::score::Score;
use shell::texts::Texts;

/// True if `side` gives pawns and nothing else in the first `plies` of a line.
fn gives_pawns<P: Variant>(line: &PlayedLine<P>, plies: usize, side: Color) -> bool {
    let start = PlayedLine::new(&line.games[0], &line.moves[..plies.min(line.moves.len())]);
    let balance = Balance::of(&start, side);
    balance.is_of_pawns() && balance.loss::<P>() <= SMALL
}

/// A change of material in the first plies of one of the two lines.
pub(super) struct Change {
    /// The sentence about it, with its motifs.
    pub reason: Told,
    /// True for a loss of the mover in the line played, false for a gain in the better one.
    pub is_loss: bool,
    /// The plies until it has happened.
    pub plies: usize,
}

impl<P: Variant> RulesAnalyst<P> {
    /// A reason in the material that is forced.
    pub(super) fn forced_material(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<Told> {
        let Change { reason, is_loss, plies } = material_reason(texts, mistake, lines)?;
        let mover = lines.mover;
        let (line, terms, other, victim, score) = match is_loss {
            true => {
                let score = -mistake.after.score;
                (&lines.played, &lines.played_terms, &lines.best_on, mover, score)
            }
            false => {
                let score = -mistake.before.score;
                (&lines.best, &lines.best_terms, &lines.played_on, !mover, score)
            }
        };
        let leads = lines.material(terms);
        let plies = plies.min(leads.len() - 1);
        let sign = if is_loss { -1 } else { 1 };
        let losses: Vec<i32> =
            leads[..=plies].iter().map(|lead| (lead - leads[0]) * sign).collect();
        let is_small = !is_loss && losses[plies] <= SMALL;
        if !gives_pawns(line, plies, victim) && !is_small {
            return Some(reason);
        }
        // A move played that captures may win the same piece and lose it again: that is the reason, not the gain.
        let is_taken = !is_loss && mistake.played.is_capture();
        let is_difference = is_taken || !self.is_shared(line, plies, victim, other);
        (is_difference && self.is_forced(line, &losses, victim, score)).then_some(reason)
    }

    /// True unless the mover keeps the pawns that it loses in the first `plies` of the line played.
    pub(super) fn is_forced_loss(
        &mut self,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
        plies: usize,
    ) -> bool {
        let leads = lines.material(&lines.played_terms);
        let losses: Vec<i32> = leads[..=plies].iter().map(|lead| leads[0] - lead).collect();
        !gives_pawns(&lines.played, plies, lines.mover)
            || self.is_forced(&lines.played, &losses, lines.mover, -mistake.after.score)
    }

    /// True if what falls in the first `plies` of a line falls in the other line, too, and not by an exchange.
    fn is_shared(
        &mut self,
        line: &PlayedLine<P>,
        plies: usize,
        victim: Color,
        other: &PlayedLine<P>,
    ) -> bool {
        let other = self.until_quiet(&other.games[0], &other.moves);
        let falls = |piece: &&TrackedPiece| {
            piece.color == victim && piece.captured.is_some_and(|(ply, _)| ply < plies)
        };
        let falls_too = |piece: &TrackedPiece| {
            let same = other.tracked.iter().find(|one| one.from == piece.from)?;
            let (ply, square) = same.captured?;
            let is_there = |ply: usize| {
                other.moves.get(ply).is_some_and(|m| m.is_capture() && m.to() == square)
            };
            Some(!is_there(ply + 1) && !ply.checked_sub(1).is_some_and(is_there))
        };
        let mut fallen = line.tracked.iter().filter(falls).peekable();
        fallen.peek().is_some() && fallen.all(|piece| falls_too(piece) == Some(true))
    }

    /// True if `victim` cannot avoid the loss that a line shows. `losses` is what it has lost after each ply, `score` its
    /// score in that line.
    fn is_forced(
        &mut self,
        line: &PlayedLine<P>,
        losses: &[i32],
        victim: Color,
        score: Score,
    ) -> bool {
        if score.is_mate() {
            return true;
        }
        let falls = losses.iter().rposition(|loss| *loss < MIN_MATERIAL).unwrap_or(0);
        let is_decision = |ply: &usize| line.games[*ply].now().turn() == victim;
        let decisions = (1..=falls).rev().filter(is_decision).take(DECISIONS);
        !decisions.into_iter().any(|ply| self.keeps(line, ply, victim, score))
    }

    /// True if `victim` has another move at `ply` that is as good as that of the line and loses no material.
    fn keeps(&mut self, line: &PlayedLine<P>, ply: usize, victim: Color, score: Score) -> bool {
        let other = self.search_without(&line.games[ply], line.moves[ply]);
        if other.pv.is_empty() || score - other.score > AS_GOOD {
            return false;
        }
        let other = self.until_quiet(&line.games[ply], &other.pv);
        let lead = |game: &Game<P>| {
            let terms = Terms::of(&self.evaluator.explain(game.position()));
            terms.lead(TermKind::Material, victim)
        };
        lead(&line.games[0]) - lead(other.end()) < MIN_MATERIAL
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;

    #[test]
    fn a_pawn_that_another_move_keeps_is_not_lost() {
        let fen = "r1bqk1nr/p2p1pbp/2n1p1p1/1pp3P1/4P3/2PP1N2/PPQ2P1P/RNB1KB1R b KQkq - 2 8";
        let kept = line(fen, "f7f6 h2h4 f6g5 c1g5 g8e7 g5e3 b5b4 e3c5");
        let (losses, score) = ([0, 0, 0, -100, 0, 0, 0, 0, 100], Score::centipawns(-120));
        assert!(!test_analyst(10_000).is_forced(&kept, &losses, Color::Black, score), "11...d6");
        let lone = line("k7/8/8/3p4/8/8/8/3RK3 b - - 0 1", "a8a7 d1d4 a7a6 d4d5");
        let score = Score::centipawns(-600);
        assert!(test_analyst(10_000).is_forced(&lone, &[0, 0, 0, 0, 100], Color::Black, score));
    }

    #[test]
    fn a_gain_that_both_lines_have_is_no_difference() {
        let fen = "r1bq1rk1/pp2pp1p/2np2p1/3N4/1P2P3/3P1N2/2P2PPP/Q3KB1R b K - 0 12";
        let best = line(fen, "c8e6 d5e3 c6b4 c2c3");
        let is_shared = |moves: &str| {
            test_analyst(10_000).is_shared(&best, best.moves.len(), Color::White, &line(fen, moves))
        };
        let exchange = "e7e6 d5f6 g8h8 f6d7 e6e5 d7f8";
        assert!(is_shared(&format!("{exchange} c6b4 a1b2 a7a5 f8h7 h8h7")));
        assert!(!is_shared(&format!("{exchange} d8f8 f3g5 h7h6 g5f3 a7a6")), "b4 stands");
    }
}
