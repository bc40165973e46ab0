//! What is added to a sentence that has no reason: what a move of its lines threatens, takes from the king, or gives up.
//!
//! Such a remark is a fact of one line that the other has not. It explains a part of the loss at most, so that it is no reason.

use shakmaty::{Bitboard, Color, File, Move, Role};

use super::Mistake;
use super::board::{pawns, rank_of};
use super::breaks::broken;
use super::development::{castling_given, hindered};
use super::ideas::Idea;
use super::lines::Lines;
use super::threat::text_of;
use super::thresholds::{BETTER, PLAUSIBLE, SHOWN, SLIGHT};
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
        self.offered(texts, mistake, lines)
            .or_else(|| self.threat_text(texts, mistake, lines))
            .or_else(|| {
                let (line, ply) = self.castling_lost(mistake, lines)?;
                let (m, idea) = (text_of(line, ply), Idea::TakesCastling.text(texts));
                Some(tell(texts, "added.idea", &[("move", &m), ("idea", idea)]))
            })
            .or_else(|| castling_given(texts, mistake, lines))
            .or_else(|| self.exchanged_queens(texts, mistake, lines))
            .or_else(|| broken(texts, mistake, lines))
            .or_else(|| self.broken_pawns(texts, mistake, lines))
            .or_else(|| bishops_given(texts, mistake, lines))
            .or_else(|| hindered(texts, mistake, lines))
    }

    /// A capture in the first moves that a pawn must take back, so that it doubles the pawns of a side or breaks those in front of its
    /// king: in the line played those of the mover, in the better one those of the other side.
    fn broken_pawns(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<String> {
        if P::RULE_SET != RuleSet::Chess {
            return None;
        }
        let is_slight = mistake.drop().is_some_and(|drop| drop <= SLIGHT);
        let (played, best) = (&lines.played_on, &lines.best_on);
        let cases = [
            (played, best, lines.mover, -mistake.after.score),
            (best, played, !lines.mover, -mistake.before.score),
        ];
        cases.into_iter().find_map(|(line, other, side, score)| {
            let ply = doubling(line, side, BETTER)?;
            let is_shelter = is_before_king(&line.games[ply], line.moves[ply]);
            let is_even = |line: &PlayedLine<P>| doubling(line, side, SHOWN).is_none();
            let points = if is_shelter { 0.0 } else { PLAUSIBLE };
            if !(is_slight || is_shelter)
                || !is_even(other)
                || self.has_another_way(line, ply + 1, side, (score, points), is_even)
            {
                return None;
            }
            let key = match (side, is_shelter) {
                (Color::White, true) => "added.shelter.white",
                (Color::White, false) => "added.doubled.white",
                (Color::Black, true) => "added.shelter.black",
                (Color::Black, false) => "added.doubled.black",
            };
            let (m, file) = (text_of(line, ply - 1), line.moves[ply].to().file().to_string());
            Some(tell(texts, key, &[("move", &m), ("file", &file)]))
        })
    }
}

/// The ply within the first `plies` at which a pawn of `side` takes back what has just captured, and doubles its pawns for as long as a
/// sentence shows.
fn doubling<P: Variant>(line: &PlayedLine<P>, side: Color, plies: usize) -> Option<usize> {
    let doubles = |ply: &usize| {
        let (taken, m) = (line.moves[ply - 1], line.moves[*ply]);
        let is_recapture = taken.is_capture() && m.is_capture() && taken.to() == m.to();
        let are_doubled = |game: &Game<P>| {
            let pawns = pawns(game.position().board(), side);
            pawns.contains(m.to()) && (pawns & Bitboard::from_file(m.to().file())).count() > 1
        };
        let mut later = line.games[ply + 1..].iter().take(SHOWN - ply);
        line.games[*ply].now().turn() == side
            && m.role() == Role::Pawn
            && is_recapture
            && later.all(are_doubled)
    };
    (1..line.moves.len().min(plies + 1)).find(doubles)
}

/// True if the knight's pawn captures from its place in front of its king, while the other side has a queen: other pawns leave less of
/// a hole.
fn is_before_king<P: Variant>(game: &Game<P>, m: Move) -> bool {
    let (board, side) = (game.position().board(), game.now().turn());
    let has_queen = (board.queens() & board.by_color(!side)).any();
    let (Some(from), Some(king)) = (m.from(), board.king_of(side)) else { return false };
    has_queen
        && matches!(from.file(), File::B | File::G)
        && rank_of(from, side) == 1
        && rank_of(king, side) == 0
        && king.file().distance(from.file()) <= 1
}

/// An exchange of a bishop for a knight that costs a side its pair of bishops, while the other one keeps its own: of the mover in
/// the line played, of the other side in the better line. In the other line that side keeps its pair.
fn bishops_given<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> Option<String> {
    if P::RULE_SET != RuleSet::Chess || mistake.drop().is_none_or(|drop| drop > SLIGHT) {
        return None;
    }
    let (played, best) = (&lines.played_on, &lines.best_on);
    let cases = [(played, best, lines.mover), (best, played, !lines.mover)];
    cases.into_iter().find_map(|(line, other, loser)| {
        let ply = exchange_of_minors(line)?;
        let keeps = |line: &PlayedLine<P>, side: Color| {
            line.games.iter().take(SHOWN).all(|game| has_both_bishops(game, side))
        };
        let loses =
            line.games.iter().take(SHOWN).last().is_some_and(|g| !has_both_bishops(g, loser));
        if !(loses && keeps(other, loser) && keeps(line, !loser)) {
            return None;
        }
        let takes = line.games[ply].now().turn() != loser;
        let key = if takes { "added.bishops.gained" } else { "added.bishops.given" };
        Some(tell(texts, key, &[("move", &text_of(line, ply))]))
    })
}

/// The ply, one of the first two, at which a bishop takes a knight or a knight a bishop, and is taken back.
fn exchange_of_minors<P: Variant>(line: &PlayedLine<P>) -> Option<usize> {
    let is_exchange = |pair: &[Move]| {
        let minors = (pair[0].role(), pair[0].capture());
        let is_unlike = matches!(
            minors,
            (Role::Bishop, Some(Role::Knight)) | (Role::Knight, Some(Role::Bishop))
        );
        is_unlike && pair[1].is_capture() && pair[1].to() == pair[0].to()
    };
    line.moves.windows(2).take(2).position(is_exchange)
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

    /// The first remark on these lines, and that on a pair of bishops.
    fn added(fen: &str, [played, best]: [&str; 2], scores: [i32; 2]) -> [Option<String>; 2] {
        let (played, best) = (line(fen, played), line(fen, best));
        let mistake = test_mistake(&played, &best, scores);
        let mut analyst = test_analyst(20_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        let texts = texts::of(Lang::En);
        [analyst.added(&texts, &mistake, &lines), bishops_given(&texts, &mistake, &lines)]
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
        // A knight takes a bishop that the better line takes away.
        let fen = "r2qkb1r/pp2pppp/1npp1n2/7b/B3P3/2NPBN1P/PPP2PP1/R2QK2R w KQkq - 1 9";
        let bishops = |lines: [&str; 2]| added(fen, lines, [-10, 80])[1].clone();
        let (taken, kept) = ("e1g1 b6a4 c3a4 e7e5", "a4b3 e7e6 g2g4 h5g6");
        let text = bishops([taken, kept]);
        assert_eq!(text.as_deref(), Some("9...Nxa4 gains the pair of bishops."));
        assert_eq!(bishops([taken, "g2g4 b6a4 c3a4 h5g6"]), None, "nor there");
    }

    #[test]
    fn the_better_move_gains_the_pair_of_bishops() {
        let fen = "r2qkb1r/pp2pppp/1npp1n2/8/B3P1b1/2NPBN1P/PPP2PP1/R2QK2R b KQkq - 0 8";
        let bishops = |lines: [&str; 2]| added(fen, lines, [-10, 80])[1].clone();
        let (missed, taken) = ("e7e6 a4b3 g4h5 g2g4 h5g6", "b6a4 c3a4 g4h5 g2g4 h5g6");
        let text = bishops([missed, taken]);
        assert_eq!(text.as_deref(), Some("8...Nxa4 gains the pair of bishops."));
        assert_eq!(bishops([missed, "b6a4 c3a4 g4f3 d1f3 e7e6"]), None, "and gives it back");
    }

    /// The remark about pawns on these lines.
    fn pawns_in(lang: Lang, fen: &str, [played, best]: [&str; 2], scores: [i32; 2]) -> String {
        let (played, best) = (line(fen, played), line(fen, best));
        let mistake = test_mistake(&played, &best, scores);
        let mut analyst = test_analyst(20_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        analyst.broken_pawns(&texts::of(lang), &mistake, &lines).unwrap_or_default()
    }

    #[test]
    fn a_pawn_that_must_take_back_breaks_the_pawns_before_the_king() {
        // 9.Qxf3 Qxe1+.
        let fen = "2kr1bnr/ppp1qppp/2n5/3p4/3P2b1/5N2/PPP1BPPP/RNBQR1K1 w - - 7 8";
        let (breaks, keeps) = ("e2b5 g4f3 g2f3 e7h4 c2c3", "c2c3 d8e8 b1d2 g8f6");
        let remark = |lang| pawns_in(lang, fen, [breaks, keeps], [110, 140]);
        assert_eq!(remark(Lang::En), "8...Bxf3 breaks the pawns in front of White's king.");
        assert_eq!(remark(Lang::Es), "8...Axf3 rompe los peones delante del rey blanco.");
        assert_eq!(pawns_in(Lang::En, fen, [breaks, breaks], [110, 140]), "", "in both");
    }

    #[test]
    fn a_capture_doubles_pawns_that_another_recapture_would_not() {
        let fen = "r1bqk2r/ppp1bppp/2np1n2/4p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 6";
        let (doubles, keeps) = ("c8e6 c4e6 f7e6 e1g1 e8g8", "e8g8 e1g1 a7a6 a2a4");
        let remark = |played: &str, scores| pawns_in(Lang::En, fen, [played, keeps], scores);
        assert_eq!(remark(doubles, [0, 60]), "7.Bxe6 doubles Black's pawns on the e-file.");
        assert_eq!(remark(doubles, [0, 260]), "", "it costs more than that");
        let later = "a7a6 a2a4 h7h6 e1g1 c8e6 c4e6 f7e6";
        assert_eq!(pawns_in(Lang::En, fen, [doubles, later], [0, 60]), "", "there, too");
        // 11...Qxf6 is about as good as 11...gxf6.
        let fen = "r1bqkb1r/1p2pppp/p1np1n2/3N1N2/2B1P3/3Q4/PPPB1PPP/R3K2R b KQkq - 8 10";
        let lines = ["e7e6 d5f6 g7f6 f5e3 d6d5", "f6d5 c4d5 e7e6 f5e3"];
        assert_eq!(pawns_in(Lang::En, fen, lines, [0, 70]), "");
    }

    #[test]
    fn a_break_is_told_before_doubled_pawns() {
        let fen = "r1bqk2r/ppp1bppp/2np1n2/4p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 6";
        let doubles = "c8e6 c4e6 f7e6 e1g1 e8g8";
        let first = |best: &str| added(fen, [doubles, best], [0, 60])[0].clone();
        let quiet = first("e8g8 e1g1 a7a6 a2a4").unwrap_or_default();
        assert!(quiet.starts_with("7.Bxe6 doubles "), "{quiet}");
        let breaks = first("d6d5 e4d5 f6d5 e1g1").unwrap_or_default();
        assert_eq!(breaks, "6...d5 breaks in the centre, against the pawn on e4.");
    }

    #[test]
    fn a_check_that_costs_castling_is_added_to_any_loss() {
        let fen = "r3k2r/4bppp/8/8/8/8/5PPP/3QRBK1 w kq - 0 30";
        let [castling, _] = added(fen, ["h2h3 h7h6 g2g3", "f1b5 e8f8 h2h3"], [950, -600]);
        assert_eq!(castling.as_deref(), Some("30.Bb5+ costs the king the right to castle."));
        // 12...Nd7 is as good as 12...Kf8.
        let fen = "r3k2r/p3bppp/bq2pn2/3p4/1n1P4/2N5/PPQ1BPPP/R1B2RK1 w kq - 4 12";
        let [castling, _] = added(fen, ["c2b3 a6e2 c3e2 e8g8", "c2a4 e8f8 c1e3"], [-340, 340]);
        assert_eq!(castling, None);
    }
}
