//! Reasons that end the game or make it a draw: mates, repetitions, checks without end, drawn endings.

use super::board::{are_opposed, has_wrong_bishop, is_pawn_ending};
use super::gains::material_reason;
use super::lines::{Lines, shown};
use super::motifs::Motifs;
use super::thresholds::{
    AS_GOOD, BETTER, CHECKS, GREAT_GAIN, HOPELESS, LESS_THAN_PIECE, LONG_CHECKS, MIN_LENGTH, SAVED,
    SHOWN,
};
use super::{Mistake, Sentence, say};
use crate::analyst::RulesAnalyst;
use crate::line::PlayedLine;
use crate::material;
use crate::texts::tell;
use engine::evaluation::Variant;
use engine::rules::{Game, RuleSet};
use engine::score::{Meaning, Score};
use shakmaty::{Move, Role};
use shell::texts::Texts;

/// The reasons that end the game: mates allowed or missed, draws.
///
/// `stood` tells whether a mate that is allowed was threatened before the move.
pub(super) fn forced_end<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
    stood: bool,
) -> Option<Sentence> {
    if let Meaning::Mate(moves) = mistake.after.score.meaning()
        && moves > 0
    {
        let plies = mating(&lines.played).unwrap_or(lines.played.moves.len().min(SHOWN));
        if let Meaning::Mate(missed) = mistake.before.score.meaning()
            && missed > 0
        {
            let better = lines.better(mating(&lines.best).unwrap_or(SHOWN));
            let (count, other) = (missed.to_string(), moves.to_string());
            let line = lines.refutation(plies - 1);
            let values = [("count", count.as_str()), ("other", &other), ("line", &line)];
            let values = [&values[..], &[("better", &better)]].concat();
            return Some(say(texts, "why.missed-mate.mated", lines, &values));
        }
        // Where the better line allows no mate, nothing in it is the same motif.
        let find = if mistake.before.score.is_loss() { Motifs::suffered } else { Motifs::used };
        let motifs = find(lines, plies).of_mates();
        let keys = match (mistake.before.score.raw() <= HOPELESS, stood) {
            (true, _) => ["why.mated.lost", "why.mated-by.lost"],
            (false, true) => ["why.mated.stood", "why.mated-by.stood"],
            (false, false) => ["why.mated", "why.mated-by"],
        };
        return Some(mate(
            texts,
            lines,
            keys,
            moves,
            ("line", &lines.refutation(plies - 1)),
            &motifs,
        ));
    }
    let after = &lines.played.games[1];
    if let Some(reason) = after.draw_reason() {
        let reason = texts.get(draw_key(reason)).to_string();
        let values = [("reason", reason.as_str()), ("better", &lines.better(BETTER))];
        return Some(say(texts, "why.draw", lines, &values));
    }
    if let Meaning::Mate(moves) = mistake.before.score.meaning()
        && moves > 0
    {
        let plies = mating(&lines.best).unwrap_or(lines.best.moves.len().min(SHOWN));
        let motifs = Motifs::missed(lines, plies).of_mates();
        let keys = match mistake.keeps_win() {
            true => ["why.missed-mate.won", "why.missed-mate-by.won"],
            false => ["why.missed-mate", "why.missed-mate-by"],
        };
        return Some(mate(texts, lines, keys, moves, ("better", &lines.better(plies)), &motifs));
    }
    let end = lines.played.end();
    let repeats = end.repetitions() > 1;
    let reason = end.draw_reason().or(repeats.then_some("threefold repetition"));
    // What could have been won tells more than a repetition that both sides choose.
    let wins = || material_reason(texts, mistake, lines).is_some_and(|change| !change.is_loss);
    if mistake.after.score == Score::DRAW
        && !(repeats && wins())
        && let Some(reason) = reason
    {
        let reason = texts.get(draw_key(reason)).to_string();
        let line = lines.refutation(lines.played.moves.len());
        let values = [("reason", reason.as_str()), ("line", &line)];
        return Some(say(texts, "why.drawn-after", lines, &values));
    }
    None
}

/// The plies of a line that ends with mate. A line that the search has cut short ends before it.
pub(super) fn mating<P: Variant>(line: &PlayedLine<P>) -> Option<usize> {
    line.end().position().is_checkmate().then_some(line.moves.len())
}

impl<P: Variant> RulesAnalyst<P> {
    /// A move that misses a mate and throws a piece away, which a player sees first.
    pub(super) fn thrown_piece(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<Sentence> {
        let Meaning::Mate(moves @ 1..) = mistake.before.score.meaning() else { return None };
        if mistake.after.score.is_mate() || mistake.after.score < Score::DRAW {
            return None;
        }
        let fallen = lines.played_terms.get(..=MIN_LENGTH).map_or(0, |terms| -lines.change(terms));
        let change = material_reason(texts, mistake, lines)?;
        if !change.is_loss || change.plies > MIN_LENGTH || fallen < GREAT_GAIN {
            return None;
        }
        let loss = self.material(texts, mistake, lines)?;
        let better = lines.better(mating(&lines.best).unwrap_or(SHOWN));
        let values = [("count", moves.to_string()), ("better", better)];
        let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
        let also = tell(texts, "why.also-misses-mate", &values);
        Some(Sentence { text: format!("{} {also}", loss.text), names_better: true, ..loss })
    }

    /// The answer saves the game by checks without end, or the better move would have: the line is played on until a place
    /// comes back.
    pub(super) fn perpetual(
        &mut self,
        texts: &Texts,
        mistake: &Mistake<P>,
        lines: &Lines<P>,
    ) -> Option<Sentence> {
        let (before, after) = (mistake.before.score, mistake.after.score);
        let is_saved = |now: Score, lead: Score| now == Score::DRAW && lead.raw() >= SAVED;
        if is_saved(after, before) && !before.is_mate() {
            if let Some(text) = stalemate_trick(texts, lines) {
                return Some(text);
            }
            let (line, end) = self.checks_without_end(&lines.played_on, 1)?;
            let line = shown(&line.games[1], &line.moves[1..], end - 1);
            let values = [("line", line.as_str()), ("better", &lines.better(BETTER))];
            return Some(say(texts, "why.perpetual", lines, &values));
        }
        // What comes before the checks may be another reason for the draw, unless it costs a piece.
        let checks_at_once = lines.best_on.games.get(1).is_some_and(|game| game.now().is_check());
        let is_given = lines.change(&lines.best_terms) <= -LESS_THAN_PIECE;
        if is_saved(before, after) && (checks_at_once || is_given) {
            let (line, end) = self.checks_without_end(&lines.best_on, 0)?;
            let better = shown(&line.games[0], &line.moves, end);
            return Some(say(texts, "why.misses-perpetual", lines, &[("better", &better)]));
        }
        None
    }

    /// The line played on until a place comes back, and the plies to there, if the side that makes its move `first` gives check
    /// again and again.
    fn checks_without_end(
        &mut self,
        line: &PlayedLine<P>,
        first: usize,
    ) -> Option<(PlayedLine<P>, usize)> {
        let line = self.as_long_as(line, LONG_CHECKS);
        // What came before the line may have come back already: only the line itself counts.
        let key = |ply: usize| line.games[ply].now().key();
        let is_back = |ply: &usize| (first..*ply).any(|earlier| key(earlier) == key(*ply));
        let end = (first + 1..line.games.len()).find(is_back)?;
        // From the last one back.
        let checks = (first..end).rev().filter(|ply| ply % 2 == first % 2);
        let checks = checks.take_while(|ply| line.games[ply + 1].now().is_check()).count();
        let is_one = checks >= CHECKS
            && (first + 1..end).step_by(2).all(|ply| self.is_checked_on(&line, ply));
        is_one.then_some((line, end))
    }

    /// True unless the side in check at `ply` of a line has another escape that is as good and not answered by a check: then it is not
    /// the checks that draw.
    fn is_checked_on(&mut self, line: &PlayedLine<P>, ply: usize) -> bool {
        let Some(escape) = self.search_without(&line.games[ply], &[line.moves[ply]], 1) else {
            return true;
        };
        let after = PlayedLine::new(&line.games[ply], &escape.pv[..escape.pv.len().min(2)]);
        escape.score.raw() < -AS_GOOD || after.moves.len() > 1 && after.end().now().is_check()
    }
}

/// The answer gives check, or a later one, by a piece that cannot be taken: that would be stalemate.
fn stalemate_trick<P: Variant>(texts: &Texts, lines: &Lines<P>) -> Option<Sentence> {
    let line = &lines.played_on;
    let last = line.moves.len().min(SHOWN);
    let (plies, piece) = (1..last).step_by(2).find_map(|ply| {
        let (game, m) = (&line.games[ply + 1], line.moves[ply]);
        let legal = game.position().legal_moves();
        let mut takers = legal.iter().filter(|taker| taker.is_capture() && taker.to() == m.to());
        let is_stalemate = |taker: &Move| game.now().play(*taker).position().is_stalemate();
        let is_trick = game.now().is_check() && takers.any(is_stalemate);
        is_trick.then(|| (ply, material::piece(texts, m.role(), None)))
    })?;
    let (line, better) = (shown(&line.games[1], &line.moves[1..], plies), lines.better(BETTER));
    let values = [("line", line.as_str()), ("piece", &piece), ("better", &better)];
    Some(say(texts, "why.stalemate-trick", lines, &values))
}

/// The sentence about a mate in `moves`, by the second of the keys if motifs can be named. The line has the name of its place in
/// the sentence.
fn mate<P: Variant>(
    texts: &Texts,
    lines: &Lines<P>,
    [without, with]: [&str; 2],
    moves: i32,
    line: (&str, &str),
    motifs: &Motifs,
) -> Sentence {
    let key = if motifs.is_empty() { without } else { with };
    let (count, names) = (moves.to_string(), motifs.names(texts));
    let values = [("count", count.as_str()), ("names", &names), line];
    say(texts, key, lines, &values).with(motifs.kinds())
}

fn draw_key(reason: &str) -> &'static str {
    match reason {
        "threefold repetition" => "draw.repetition",
        "fifty-move rule" => "draw.fifty",
        "stalemate" => "draw.stalemate",
        "insufficient material" => "draw.material",
        _ => "draw.other",
    }
}

/// A reason in the patterns of endings: the opposition given up, a bishop that does not guard the corner. Such a move
/// gives half a point or a whole one away, and no material shows it.
pub(super) fn drawn_ending<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> Option<Sentence> {
    if P::RULE_SET != RuleSet::Chess {
        return None;
    }
    let board = |game: &Game<P>| game.position().board().clone();
    let is_wrong = |line: &PlayedLine<P>| has_wrong_bishop(&board(line.end()), lines.mover);
    if is_wrong(&lines.played) && !is_wrong(&lines.best) {
        let (line, better) = (lines.refutation(lines.played.moves.len()), lines.better(BETTER));
        return Some(say(
            texts,
            "why.wrong-bishop",
            lines,
            &[("line", &line), ("better", &better)],
        ));
    }
    let after = |line: &PlayedLine<P>| line.games.get(1).map(board);
    let (played, best) = (after(&lines.played)?, after(&lines.best)?);
    let by_king = mistake.before.pv.first().is_some_and(|m| m.role() == Role::King);
    // Who takes a pawn next goes there for the pawn.
    let takes = mistake.before.pv.get(2).is_some_and(|m| m.is_capture());
    let gives_up =
        by_king && !takes && is_pawn_ending(&played) && are_opposed(&best) && !are_opposed(&played);
    gives_up.then(|| {
        let (line, better) = (lines.refutation(BETTER), lines.better(BETTER));
        say(texts, "why.opposition", lines, &[("line", &line), ("better", &better)])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};

    #[test]
    fn a_mate_that_is_missed_and_one_that_is_allowed_are_both_told() {
        let fen = "1Q4R1/8/5p1k/p3p1p1/b3P1Kp/B4P2/2r3PP/8 b - - 1 42";
        let line = |moves: &str| line(fen, moves);
        let played = line("c2g2 g4f5 a4d7 f5f6 d7f5 e4f5 h6h5 g8h8");
        let best = line("a4d7");
        let mut mistake = test_mistake(&played, &best, [0, 0]);
        (mistake.before.score, mistake.after.score) = (Score::mate_in(1), Score::mate_in(7));
        let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
        let sentence = |lang| forced_end(&texts::of(lang), &mistake, &lines, false).unwrap().text;
        let text = sentence(Lang::En);
        let start = "42...Rxg2+ misses mate in 1: 42...Bd7#. It allows mate in 4: 43.Kf5 Bd7+";
        assert!(text.starts_with(start) && text.ends_with("46.Rh8#."), "{text}");
        let start = "42...Txg2+ deja pasar mate en 1: 42...Ad7#. Permite mate en 4: 43.Rf5";
        assert!(sentence(Lang::Es).starts_with(start));
    }

    #[test]
    fn who_misses_a_mate_and_still_wins_is_told_so() {
        let fen = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
        let (played, best) = (line(fen, "h1g2 h7h6"), line(fen, "a1a8"));
        let sentence = |lang, after: i32| {
            let mut mistake = test_mistake(&played, &best, [0, -after]);
            mistake.before.score = Score::mate_in(1);
            let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
            forced_end(&texts::of(lang), &mistake, &lines, false).unwrap().text
        };
        assert!(sentence(Lang::En, 900).starts_with("1.Kg2 keeps the win, but misses mate in 1"));
        assert!(sentence(Lang::Es, 900).starts_with("1.Rg2 conserva la victoria, pero deja pasar"));
        assert!(sentence(Lang::En, 100).starts_with("1.Kg2 misses mate in 1"));
    }

    #[test]
    fn who_throws_the_queen_away_is_told_so_before_the_mate_that_was_missed() {
        let fen = "8/ppp1nQ2/5p1k/q3p2B/4P2N/2P5/P4PPP/6K1 w - - 1 23";
        let played = line(fen, "f7g7 h6g7 h2h3 a5b6 h5d1 b6b1");
        let best = line(fen, "h4f5 h6g5 f7g7 g5h5 g2g4");
        let mut mistake = test_mistake(&played, &best, [0, 490]);
        mistake.before.score = Score::mate_in(5);
        let mut analyst = test_analyst(1_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        let text = analyst.thrown_piece(&texts::of(Lang::En), &mistake, &lines).unwrap().text;
        let end = "23...Kxg7 (material −10.0). It also misses mate in 3: 23.Nf5+ Kg5 24.Qg7+ Kxh5 25.g4#.";
        assert!(text.starts_with("23.Qg7+ ") && text.ends_with(end), "{text}");
        mistake.after.score = Score::centipawns(-490);
        assert!(analyst.thrown_piece(&texts::of(Lang::En), &mistake, &lines).is_none(), "ahead");
    }

    #[test]
    fn a_rook_that_may_not_be_taken_draws() {
        let fen = "k1r5/P6R/8/4p3/3pP2P/1p1P2P1/1P4K1/8 w - - 0 40";
        let (played, best) = (line(fen, "g3g4 c8c2 g2g3 c2g2 g3f3"), line(fen, "h7f7 c8g8 f7f5"));
        let mistake = test_mistake(&played, &best, [400, 0]);
        let mut analyst = test_analyst(500);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        let mut text = |lang| analyst.perpetual(&texts::of(lang), &mistake, &lines).unwrap().text;
        let wanted = "40.g4 allows a draw: 40...Rc2+ 41.Kg3 Rg2+. To take the rook is stalemate; better is 40.Rf7 Rg8 41.Rf5.";
        assert_eq!(text(Lang::En), wanted);
        let wanted = "40.g4 permite tablas: 40...Tc2+ 41.Rg3 Tg2+. Capturar la torre es ahogado; mejor es 40.Tf7 Tg8 41.Tf5.";
        assert_eq!(text(Lang::Es), wanted);
    }

    #[test]
    fn checks_without_end_save_a_game() {
        let fen = "5k2/8/8/8/7q/8/6P1/1Q4K1 w - - 0 1";
        let best = line(fen, "b1f1 f8e7");
        let sentence = |moves: &str, score: i32| {
            let played = line(fen, moves);
            let mistake = test_mistake(&played, &best, [600, score]);
            let mut analyst = test_analyst(500);
            let lines = analyst.lines(&mistake, line(fen, moves), best.clone());
            analyst.perpetual(&texts::of(Lang::En), &mistake, &lines).map(|found| found.text)
        };
        let checks = "h4e1 g1h2 e1h4 h2g1";
        let line = format!("b1b3 {checks} {checks} {checks} {checks}");
        let text = sentence(&line, 0).unwrap();
        assert!(text.starts_with("1.Qb3 allows perpetual check: 1...Qe1+ 2.Kh2 Qh4+"), "{text}");
        assert_eq!(sentence(&line, -300), None, "no draw");
        let quiet = "f8e8 g1f1 e8f8 f1g1";
        let line = format!("b1b3 {quiet} {quiet} {quiet} {quiet}");
        assert_eq!(sentence(&line, 0), None, "no checks");
    }

    #[test]
    fn a_piece_that_hangs_is_told_before_a_repetition() {
        let fen = "8/1p1q1pk1/1Bp3p1/3r3p/P2PR2b/1PQ2P1P/5KP1/8 w - - 3 35";
        let again = |moves: &str| {
            let line = line(fen, &format!("f2g1 h4f6 g1f2 f6h4 {moves}"));
            PlayedLine::new(&line.games[4], &line.moves[4..])
        };
        let sentence = |better: &str| {
            let (played, best) = (again("f2g1 h4f6"), again(better));
            let mistake = test_mistake(&played, &best, [300, 0]);
            let lines = test_analyst(500).lines(&mistake, played.clone(), best.clone());
            forced_end(&texts::of(Lang::En), &mistake, &lines, false).map(|sentence| sentence.text)
        };
        assert!(sentence("f2f1 h4f6 f1e2").is_some_and(|text| text.contains("(repetition)")));
        assert_eq!(sentence("e4h4 f7f5 c3e3 d7d6 b6c5"), None, "it wins a bishop");
    }

    #[test]
    fn a_piece_is_given_for_checks_without_end() {
        let fen = "1r4k1/1P3r1p/6p1/p1NP1p2/p2QP3/p5q1/6P1/1R4K1 b - - 2 35";
        let checks = "g3e1 g1h2 e1h4 h2g1 h4e1 g1h2 e1h4 h2g1";
        let best = line(fen, &format!("b8b7 c5b7 f7b7 b1b7 {checks}"));
        let played = line(fen, "f7e7 d5d6");
        let mistake = test_mistake(&played, &best, [0, 290]);
        let mut analyst = test_analyst(500);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        let text = analyst.perpetual(&texts::of(Lang::En), &mistake, &lines).unwrap().text;
        assert!(
            text.starts_with("35...Re7 misses 35...Rbxb7, which draws by perpetual check"),
            "{text}"
        );
    }

    #[test]
    fn checks_without_end_are_missed_where_nothing_else_saves_the_game() {
        let fen = "5k2/8/8/8/7q/8/1Q4P1/6K1 b - - 0 1";
        let checks = "h4e1 g1h2 e1h4 h2g1";
        let best = line(fen, &format!("{checks} {checks} {checks} {checks}"));
        let sentence = |score: i32| {
            let played = line(fen, "f8e7 b2b3");
            let mistake = test_mistake(&played, &best, [0, score]);
            let mut analyst = test_analyst(500);
            let lines = analyst.lines(&mistake, played.clone(), best.clone());
            analyst.perpetual(&texts::of(Lang::En), &mistake, &lines).map(|found| found.text)
        };
        let text = sentence(600).unwrap();
        let start = "1...Ke7 misses 1...Qe1+, which draws by perpetual check: 1...Qe1+ 2.Kh2 Qh4+";
        let again = |moves: &str| {
            let line = line(fen, &format!("{checks} {moves}"));
            PlayedLine::new(&line.games[4], &line.moves[4..])
        };
        let best = again(&format!("{checks} {checks} {checks} {checks}"));
        assert_eq!(best.games[0].repetitions(), 2, "the place has come before");
        let played = again("f8e7 b2b3");
        let mistake = test_mistake(&played, &best, [0, 600]);
        let mut analyst = test_analyst(500);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        let repeated = analyst.perpetual(&texts::of(Lang::En), &mistake, &lines).unwrap().text;
        assert!(repeated.contains("misses 3...Qe1+, which draws by perpetual check"), "{repeated}");
        assert!(text.starts_with(start), "{text}");
        assert_eq!(sentence(0), None, "it draws as well");
        // 41...Kg8 ends the checks; 42.b7 draws.
        let fen = "8/5b1k/1P5p/P3Q1p1/4p3/4P1P1/3p1PKP/2q5 w - - 4 40";
        let checks = "e5f5 h7g7 f5e5 g7g6 e5d6 g6g7 d6e5 g7g6";
        let (played, best) = (line(fen, "e5e4 h7g8 b6b7 c1c7"), line(fen, checks));
        let mistake = test_mistake(&played, &best, [0, 110]);
        let mut analyst = test_analyst(60_000);
        let lines = analyst.lines(&mistake, played.clone(), best.clone());
        assert!(analyst.perpetual(&texts::of(Lang::En), &mistake, &lines).is_none());
    }

    #[test]
    fn who_goes_for_a_pawn_does_not_take_the_opposition() {
        let sentence = |fen: &str, played: &str, best: &str| {
            let (played, best) = (line(fen, played), line(fen, best));
            let mistake = test_mistake(&played, &best, [600, 0]);
            let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
            drawn_ending(&texts::of(Lang::En), &mistake, &lines).map(|found| found.text)
        };
        let fen = "8/1p6/p1k5/P2pK3/1P6/2P5/8/8 w - - 1 49";
        assert_eq!(sentence(fen, "e5d4 c6d6 d4e3", "e5e6 c6c7 e6d5"), None);
        let opposed = "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1";
        assert!(sentence(opposed, "e3d3 e5d5 e2e3", "e3f3 e5f5 e2e3").is_none(), "not opposed");
        let fen = "4k3/8/8/4K3/4P3/8/8/8 w - - 0 1";
        let text = sentence(fen, "e5f6 e8f8 e4e5", "e5e6 e8d8 e6f7").unwrap();
        assert!(text.starts_with("1.Kf6 gives up the opposition"), "{text}");
    }
}
