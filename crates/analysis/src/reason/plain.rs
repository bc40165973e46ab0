//! Sentences where no reason is proved: what the lines show, who stands better after each, and what a move does.

use super::gains::{fallen_squares, taker};
use super::lines::Lines;
use super::motifs::Motifs;
use super::notes::ShownLine;
use super::thresholds::BORDER;
use super::{Mistake, Sentence, pawns, say};
use crate::quiet::{clause, is_near_border, lead};
use crate::review::score_text;
use engine::evaluation::Variant;
use engine::score::Score;
use shell::texts::Texts;

/// Who stands better after the line played and after the better one, if the words differ and no score is near their border.
fn standings<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> Option<[String; 2]> {
    let white = |score: Score| lines.mover.fold_wb(score, -score);
    if is_close(mistake) {
        return None;
    }
    let now = clause(white(-mistake.after.score), mistake.pieces(), texts)?;
    let instead = clause(white(mistake.before.score), mistake.pieces(), texts)?;
    (now != instead).then_some([now, instead])
}

/// True if one of the two scores is too near the border between two words for these words to be reliable.
fn is_close<P: Variant>(mistake: &Mistake<P>) -> bool {
    let [before, after] = mistake.chances();
    is_near_border(before, after, BORDER)
}

/// The scores after the line played and after the better one, from White's view: `+0.6`, or `#5` for a mate in five moves.
fn scores<P: Variant>(texts: &Texts, mistake: &Mistake<P>, lines: &Lines<P>) -> [String; 2] {
    [-mistake.after.score, mistake.before.score].map(|score| {
        let white = lines.mover.fold_wb(score, -score);
        let mate = score_text(white).filter(|_| white.is_mate());
        mate.unwrap_or_else(|| pawns(texts, white.raw()))
    })
}

/// The sentence about an idea of the better move, or of the answer, which says so if the game is won or lost anyway.
pub(super) fn with_idea<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
    idea: &str,
    is_allowed: bool,
) -> Sentence {
    let [misses, allows] = if mistake.keeps_win() {
        ["why.misses-idea.won", "why.allows-idea.won"]
    } else if mistake.is_lost_anyway() {
        ["why.misses-idea.lost", "why.allows-idea.lost"]
    } else {
        ["why.misses-idea", "why.allows-idea"]
    };
    let ([line, better], reply) = (lines.both(), lines.refutation(1));
    let values = [("idea", idea), ("line", line.as_str()), ("better", &better), ("reply", &reply)];
    say(texts, if is_allowed { allows } else { misses }, lines, &values)
}

/// The words for the piece that takes wrongly, if the move played and the better one both capture on the same square.
fn wrong_taker<'a, P: Variant>(texts: &'a Texts, mistake: &Mistake<P>) -> Option<&'a str> {
    mistake.takes_same().then(|| taker(texts, mistake))
}

/// What the move does to the mover's chances, by who stands better after the better line and after the line played, from 3
/// (winning) to −3 (lost): the key of the words.
fn turn(before: i32, after: i32) -> &'static str {
    match (before, after) {
        (3, 2..) => "turn.win-harder",
        (3, _) => "turn.win-away",
        (1.., 1..) => "turn.lead-less",
        (1.., 0) => "turn.lead-away",
        (1.., _) => "turn.lead-over",
        (-2, -3) => "turn.lost-badly",
        (-1.., -3) => "turn.lost",
        (0, 0) => "turn.even",
        (0, _) => "turn.lead-given",
        (-1, _) => "turn.lead-grows",
        _ => "turn.worse",
    }
}

/// Both lines, with what the move does to the mover's chances: all that is known where no reason is proved. Who stands better
/// after each is told if the words differ; otherwise the scores are shown. The motifs of the answer are named. The lines go as far as
/// `shown`.
pub(super) fn unproved<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
    shown: &[ShownLine; 2],
) -> Sentence {
    let [played, best] = lines.shown_plies();
    let motifs = Motifs::shown(lines, played);
    let motifs = if shown[0].has_loss() { motifs } else { motifs.forks() };
    let best = best.max(lines.plies_to_change(&lines.best, &lines.best_terms));
    let won = fallen_squares(&lines.best_on, !lines.mover, best);
    let winning = Motifs::winning(lines, best, &won);
    let names = [&motifs, &winning].map(|motifs| motifs.names(texts));
    let [line, better] = lines.with_notes(texts, shown, &names);
    let taker = wrong_taker(texts, mistake);
    let [before, after] = mistake.chances().map(lead);
    let turn = texts.get(if is_close(mistake) { "turn.even" } else { turn(before, after) });
    let standings = standings(texts, mistake, lines);
    let key = match (&standings, &taker) {
        (Some(_), Some(_)) => "why.turns-taker",
        (Some(_), None) => "why.turns",
        (None, Some(_)) => "why.wrong-taker",
        (None, None) if mistake.keeps_win() => "why.later.won",
        (None, None) if mistake.is_lost_anyway() => "why.later.lost",
        (None, None) => "why.later",
    };
    let [now, instead] = standings.unwrap_or_else(|| scores(texts, mistake, lines));
    let values = [
        ("turn", turn),
        ("line", line.as_str()),
        ("better", &better),
        ("one", taker.unwrap_or_default()),
        ("now", &now),
        ("instead", &instead),
    ];
    // Those of the better line stand only beside what it wins.
    let winning = if shown[1].has_loss() { winning.kinds() } else { Vec::new() };
    say(texts, key, lines, &values).with([motifs.kinds(), winning].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::test_analyst;
    use crate::line::chess_line as line;
    use crate::motif::Motif;
    use crate::reason::test_mistake;
    use crate::texts::{self, Lang};

    #[test]
    fn chances_turn_by_who_stands_better() {
        for (steps, key) in [
            ([3, 2], "win-harder"),
            ([3, 1], "win-away"),
            ([3, 0], "win-away"),
            ([3, -3], "win-away"),
            ([2, 1], "lead-less"),
            ([1, 1], "lead-less"),
            ([1, 0], "lead-away"),
            ([2, -1], "lead-over"),
            ([0, 0], "even"),
            ([0, -2], "lead-given"),
            ([-1, -2], "lead-grows"),
            ([-2, -2], "worse"),
            ([-1, -3], "lost"),
            ([1, -3], "lead-over"),
            ([-2, -3], "lost-badly"),
            ([-3, -3], "worse"),
        ] {
            assert_eq!(turn(steps[0], steps[1]), format!("turn.{key}"), "{steps:?}");
        }
    }

    #[test]
    fn a_motif_is_named_beside_the_line_that_shows_it() {
        let sentence = |lang, scores: [i32; 2]| {
            let fen = "8/4k3/7q/8/8/8/8/R5K1 b - - 0 1";
            let (played, best) =
                (line(fen, "e7e6 a1a6 e6e5 a6h6 e5e4"), line(fen, "e7d7 a1a7 d7d6"));
            let mistake = test_mistake(&played, &best, scores);
            let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
            unproved(&texts::of(lang), &mistake, &lines, &lines.shown_lines())
        };
        let Sentence { text, motifs, .. } = sentence(Lang::En, [50, 500]);
        assert!(
            text.contains("after 2.Ra6+ Ke5 3.Rxh6 (Black loses the queen on h6; skewer)"),
            "{text}"
        );
        assert_eq!(motifs, [Motif::Skewer]);
        let text = sentence(Lang::Es, [50, 500]).text;
        assert!(text.contains("(las negras pierden la dama de h6; "), "{text}");
    }

    #[test]
    fn a_motif_stands_beside_what_the_better_line_wins_by_it() {
        let sentence = |best: &str| {
            let fen = "8/8/4k2q/8/8/8/8/R5K1 w - - 0 1";
            let (played, best) = (line(fen, "g1g2 h6h5 g2g1 h5h4"), line(fen, best));
            let mistake = test_mistake(&played, &best, [500, 0]);
            let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
            unproved(&texts::of(Lang::En), &mistake, &lines, &lines.shown_lines())
        };
        let Sentence { text, motifs, .. } = sentence("a1a6 e6e5 a6h6 e5e4");
        assert!(text.contains("2.Rxh6 (White wins the queen on h6; skewer)"), "{text}");
        assert_eq!(motifs, [Motif::Skewer]);
        let Sentence { text, motifs, .. } = sentence("a1a7 h6h5 a7a6 e6e5");
        assert!(!text.contains("skewer") && motifs.is_empty(), "{text}");
    }

    #[test]
    fn only_a_fork_is_named_where_nothing_falls() {
        let named = |fen: &str, played: &str, best: &str| {
            let (played, best) = (line(fen, played), line(fen, best));
            let mistake = test_mistake(&played, &best, [50, 500]);
            let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
            unproved(&texts::of(Lang::En), &mistake, &lines, &[4, 3].map(ShownLine::of)).motifs
        };
        let skewer = "8/4k3/7q/8/8/8/8/R5K1 b - - 0 1";
        assert_eq!(named(skewer, "e7e6 a1a6 e6e5 a6h6", "e7d7 a1a7 d7d6"), []);
        let fork = "8/4k2q/8/8/4N3/8/8/6K1 b - - 0 1";
        assert_eq!(named(fork, "e7d7 e4f6 d7e7 f6h7", "e7e8 g1g2 h7h4"), [Motif::Fork]);
    }

    #[test]
    fn a_pin_that_wins_nothing_has_no_name() {
        let fen = "2q3nr/Q3bk1p/4pp2/6p1/4P3/2BP4/Pr3PPP/RN2K2R b KQ - 0 18";
        let (played, best) = (line(fen, "b2c2 e1g1 g8h6 c3b4 c2c7"), line(fen, "b2b1 a1b1 c8c3"));
        let mistake = test_mistake(&played, &best, [250, 130]);
        let lines = test_analyst(100).lines(&mistake, played.clone(), best.clone());
        let sentence = unproved(&texts::of(Lang::En), &mistake, &lines, &[4, 3].map(ShownLine::of));
        assert!(!sentence.motifs.contains(&Motif::Pin), "{}", sentence.text);
    }

    #[test]
    fn where_both_take_on_a_square_the_wrong_one_took() {
        let taker = |fen: &str, played: &str, best: &str| {
            let (played, best) = (line(fen, played), line(fen, best));
            let mistake = test_mistake(&played, &best, [0, 0]);
            wrong_taker(&texts::of(Lang::En), &mistake).map(str::to_string)
        };
        let fen = "6k1/5ppp/6P1/8/8/8/5PPP/6K1 b - - 0 30";
        assert_eq!(taker(fen, "h7g6 g1f1", "f7g6 g1f1").as_deref(), Some("the wrong pawn"));
        assert_eq!(taker(fen, "h7h6 g1f1", "f7g6 g1f1"), None);
    }
}
