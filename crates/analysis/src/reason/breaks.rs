//! A break in the centre: the better move, or the answer to the move played, attacks a pawn there with a pawn.

use shakmaty::{File, Move, Role, Square, attacks};

use super::Mistake;
use super::board::{pawns, rank_of};
use super::idea_reason::same_answer;
use super::lines::Lines;
use super::threat::text_of;
use super::thresholds::{BETTER, MIDDLEGAME, SLIGHT};
use crate::line::PlayedLine;
use crate::material;
use crate::texts::tell;
use engine::evaluation::Variant;
use engine::rules::RuleSet;
use shell::texts::Texts;

/// A sentence about the break that one of the lines has in its first move or answer and the other has not.
pub(super) fn broken<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> Option<String> {
    let is_slight = mistake.drop().is_some_and(|drop| drop <= SLIGHT);
    if P::RULE_SET != RuleSet::Chess || !is_slight || mistake.pieces() < MIDDLEGAME {
        return None;
    }
    let (played, best) = (&lines.played_on, &lines.best_on);
    let comes_later = |m: &Move| played.moves.iter().take(BETTER + 1).any(|n| n == m);
    let missed = target(best, 0).filter(|_| !comes_later(&best.moves[0]));
    let (line, ply, square) = missed.map(|at| (best, 0, at)).or_else(|| {
        let at = target(played, 1)?;
        // Where it is as possible after the better move, the move played has not allowed it.
        let there = same_answer(best, played.moves[1]).and_then(|same| target(&same, 1));
        there.is_none().then_some((played, 1, at))
    })?;
    let pawn = material::piece(texts, Role::Pawn, Some(square));
    Some(tell(texts, "added.breaks", &[("move", &text_of(line, ply)), ("piece", &pawn)]))
}

/// The enemy pawn that move `ply` of a line attacks with a pawn, which goes forward to the third, fourth or fifth rank of the files
/// c to f. One of the two stands on the d-file or the e-file.
fn target<P: Variant>(line: &PlayedLine<P>, ply: usize) -> Option<Square> {
    let (m, game) = (*line.moves.get(ply)?, line.games.get(ply)?);
    let (side, to) = (game.now().turn(), m.to());
    let is_near = |square: Square| (File::C..=File::F).contains(&square.file());
    let is_central = |square: Square| matches!(square.file(), File::D | File::E);
    let is_break = m.role() == Role::Pawn
        && !m.is_capture()
        && (2..=4).contains(&rank_of(to, side))
        && is_near(to);
    let hit = attacks::pawn_attacks(side, to) & pawns(game.position().board(), !side);
    let is_meant = |at: &Square| is_near(*at) && (is_central(to) || is_central(*at));
    hit.into_iter().find(is_meant).filter(|_| is_break)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};

    /// The sentence about these lines.
    fn remark(lang: Lang, fen: &str, [played, best]: [&str; 2], loss: i32) -> Option<String> {
        let (played, best) = (line(fen, played), line(fen, best));
        let mistake = test_mistake(&played, &best, [loss, 0]);
        let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
        broken(&texts::of(lang), &mistake, &lines)
    }

    #[test]
    fn the_better_move_breaks_in_the_centre() {
        let fen = "r1bqk2r/pppp1ppp/2n2n2/8/2P1p3/2P1P1P1/P2P1PBP/R1BQK1NR w KQkq - 0 7";
        let (quiet, breaks) = ("g1e2 e8g8 e1g1 c6e5", "f2f3 e4f3 g1f3 e8g8");
        let en = remark(Lang::En, fen, [quiet, breaks], 90);
        assert_eq!(en.as_deref(), Some("7.f3 breaks in the centre, against the pawn on e4."));
        let es = remark(Lang::Es, fen, [quiet, breaks], 90);
        assert_eq!(es.as_deref(), Some("7.f3 rompe en el centro, contra el peón de e4."));
        assert_eq!(remark(Lang::En, fen, [quiet, breaks], 290), None, "that is not the reason");
        let later = "g1h3 e8g8 f2f3 e4f3";
        assert_eq!(remark(Lang::En, fen, [later, breaks], 90), None, "it comes a move later");
        assert_eq!(remark(Lang::En, fen, [quiet, "g2e4 f6e4"], 90), None, "a capture");
        let ending = "6k1/5ppp/8/8/4p3/4P3/5PPP/6K1 w - - 0 30";
        assert_eq!(remark(Lang::En, ending, ["g1f1 g8f8", "f2f3 e4f3"], 90), None, "an ending");
    }

    #[test]
    fn the_answer_breaks_where_the_better_move_leaves_nothing_to_break() {
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq - 0 2";
        let (lets, takes) = ("h7h6 d2d4 d7d6 g1f3", "e5f4 d2d4 g7g5");
        let text = remark(Lang::En, fen, [lets, takes], 90);
        assert_eq!(text.as_deref(), Some("3.d4 breaks in the centre, against the pawn on e5."));
        assert_eq!(remark(Lang::En, fen, [lets, "g8f6 g1f3"], 90), None, "as possible there");
        assert_eq!(remark(Lang::En, fen, ["h7h6 a2a3 d7d6", takes], 90), None, "no break");
    }

    #[test]
    fn a_pawn_on_the_wing_is_not_the_centre() {
        let at = |fen: &str, m: &str| target(&line(fen, m), 0);
        let fen = "4k3/8/8/p1p2p1p/8/8/PP1PP1PP/4K3 w - - 0 9";
        assert_eq!(at(fen, "g2g4"), None, "the f-file and the g-file");
        assert_eq!(at(fen, "b2b4"), None, "neither is in the middle");
        assert_eq!(at(fen, "d2d4"), Some(Square::C5));
        assert_eq!(at(fen, "e2e4"), Some(Square::F5));
        assert_eq!(at(fen, "e2e3"), None, "it attacks nothing");
    }
}
