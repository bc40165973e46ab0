//! What is added to a sentence that has no reason: what a move of its lines threatens, takes from the king, or gives up.
//!
//! Such a remark is a fact of one line that the other has not. It explains a part of the loss at most, so that it is no reason.

use shakmaty::{Color, Role};

use super::Mistake;
use super::idea_reason::king_loses_castling;
use super::ideas::Idea;
use super::lines::Lines;
use super::threat::text_of;
use super::thresholds::{SHOWN, SLIGHT};
use crate::analyst::RulesAnalyst;
use crate::line::PlayedLine;
use crate::texts::tell;
use engine::evaluation::Variant;
use engine::rules::{Game, RuleSet};
use shell::texts::Texts;

impl<P: Variant> RulesAnalyst<P> {
    /// The remark, if there is one.
    pub(super) fn added(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<String> {
        self.threat_text(texts, mistake, lines)
            .or_else(|| castling_lost(texts, lines))
            .or_else(|| bishops_given(texts, mistake, lines))
    }
}

/// The answer, or the better move, is a check that costs the king the right to castle.
fn castling_lost<P: Variant>(texts: &Texts, lines: &Lines<P>) -> Option<String> {
    let (line, ply) = king_loses_castling(lines)?;
    let (m, idea) = (text_of(line, ply), Idea::TakesCastling.text(texts));
    Some(tell(texts, "added.idea", &[("move", &m), ("idea", idea)]))
}

/// A bishop takes a knight and is taken back, the other side keeps both bishops, and the better line keeps both of the mover's.
fn bishops_given<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> Option<String> {
    if P::RULE_SET != RuleSet::Chess || mistake.drop().is_none_or(|drop| drop > SLIGHT) {
        return None;
    }
    let [m, reply, ..] = lines.played_on.moves[..] else { return None };
    let is_exchange = m.role() == Role::Bishop
        && m.capture() == Some(Role::Knight)
        && reply.is_capture()
        && reply.to() == m.to();
    let keeps = |line: &PlayedLine<P>, side: Color| {
        line.games.iter().take(SHOWN).all(|game| has_both_bishops(game, side))
    };
    let is_given =
        is_exchange && keeps(&lines.best_on, lines.mover) && keeps(&lines.played_on, !lines.mover);
    is_given.then(|| tell(texts, "added.bishops", &[("move", &lines.words.played)]))
}

/// True if a side has two bishops, one on each colour.
fn has_both_bishops<P: Variant>(game: &Game<P>, side: Color) -> bool {
    let board = game.position().board();
    let bishops = board.bishops() & board.by_color(side);
    bishops.count() == 2 && bishops.into_iter().filter(|square| square.is_light()).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};

    /// The remarks on these lines other than threats.
    fn added(fen: &str, [played, best]: [&str; 2], scores: [i32; 2]) -> [Option<String>; 2] {
        let (played, best) = (line(fen, played), line(fen, best));
        let mistake = test_mistake(&played, &best, scores);
        let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
        let texts = texts::of(Lang::En);
        [castling_lost(&texts, &lines), bishops_given(&texts, &mistake, &lines)]
    }

    #[test]
    fn the_pair_of_bishops_is_given_up_for_a_knight() {
        let fen = "r2qkbnr/pp3pp1/2np3p/2p1p3/2B1P1b1/P1NP1N1P/1PP2PP1/R1BQK2R b KQkq - 0 7";
        let bishops = |lines: [&str; 2], scores| added(fen, lines, scores)[1].clone();
        let (taken, kept) = ("g4f3 d1f3 g8f6 c3d5", "g4e6 b2b4 f8e7");
        let text = bishops([taken, kept], [-10, 80]);
        assert_eq!(text.as_deref(), Some("7...Bxf3 gives up the pair of bishops."));
        assert_eq!(bishops([taken, kept], [-10, 380]), None, "that is not the reason");
        assert_eq!(bishops([taken, "g4e6 c4e6 f7e6"], [-10, 80]), None, "nor there");
        assert_eq!(bishops(["g4f3 d1f3 g8f6 c1h6 g7h6", kept], [-10, 80]), None, "both do");
        assert_eq!(bishops(["g4h5 g2g4 h5g6", kept], [-10, 80]), None, "no exchange");
    }

    #[test]
    fn a_check_that_costs_castling_is_added_to_any_loss() {
        let fen = "r3k2r/p3bppp/bq2pn2/3p4/1n1P4/2N2N2/PPQ1BPPP/R1B2RK1 w kq - 4 12";
        let [castling, _] = added(fen, ["c2b3 a6e2 c3e2 e8g8", "c2a4 e8f8 c1e3"], [150, 150]);
        let text = "12.Qa4+ costs the king the right to castle.";
        assert_eq!(castling.as_deref(), Some(text));
        let [castling, _] = added(fen, ["c2b3 a6e2 c3e2 e8g8", "c2a4 f6d7 c1e3"], [150, 150]);
        assert_eq!(castling, None);
    }
}
