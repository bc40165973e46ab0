//! Sentences where no reason is proved: what the lines show, who stands better after each, and what a move does.

use super::lines::Lines;
use super::thresholds::BETTER;
use super::{Mistake, say};
use crate::quiet::clause;
use engine::evaluation::Variant;
use engine::score::Score;
use shell::texts::Texts;

/// Who stands better after the line played and after the better one, where the words differ.
fn standings<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> Option<[String; 2]> {
    let white = |score: Score| lines.mover.fold_wb(score, -score);
    let now = clause(white(-mistake.after.score), texts)?;
    let instead = clause(white(mistake.before.score), texts)?;
    (now != instead).then_some([now, instead])
}

/// The sentence about an idea of the better move, or of the answer, which says so if the game is won or lost anyway.
pub(super) fn with_idea<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
    idea: &str,
    is_allowed: bool,
) -> String {
    let [misses, allows] = if mistake.keeps_win() {
        ["why.misses-idea.won", "why.allows-idea.won"]
    } else if mistake.is_lost_anyway() {
        ["why.misses-idea.lost", "why.allows-idea.lost"]
    } else {
        ["why.misses-idea", "why.allows-idea"]
    };
    say_idea(texts, if is_allowed { allows } else { misses }, lines, idea, &[])
}

/// A sentence about an idea, with both lines, the answer, and what else it needs.
fn say_idea<P: Variant>(
    texts: &Texts,
    key: &str,
    lines: &Lines<P>,
    idea: &str,
    others: &[(&str, &str)],
) -> String {
    let (line, better, reply) =
        (lines.refutation(BETTER), lines.better(BETTER), lines.refutation(1));
    let values = [("idea", idea), ("line", &line), ("better", &better), ("reply", &reply)];
    say(texts, key, lines, &[&values, others].concat())
}

/// Both lines, with who stands better after them if that differs: all that is known where no reason is proved.
pub(super) fn unproved<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> String {
    let (line, better) = (lines.refutation(BETTER), lines.better(BETTER));
    let values = [("line", line.as_str()), ("better", &better)];
    let key = if mistake.keeps_win() {
        "why.later.won"
    } else if mistake.is_lost_anyway() {
        "why.later.lost"
    } else {
        "why.later"
    };
    match standings(texts, mistake, lines) {
        Some([now, instead]) => {
            let all = [&values[..], &[("now", now.as_str()), ("instead", &instead)]].concat();
            say(texts, "why.turns", lines, &all)
        }
        None => say(texts, key, lines, &values),
    }
}

/// The same with what the better move does, or what the answer does that the move played allows.
pub(super) fn with_deed<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
    deed: &str,
    is_allowed: bool,
) -> String {
    if mistake.keeps_win() || mistake.is_lost_anyway() {
        return with_idea(texts, mistake, lines, deed, is_allowed);
    }
    let standings = standings(texts, mistake, lines);
    let key = match (&standings, is_allowed) {
        (Some(_), false) => "why.turns-misses",
        (Some(_), true) => "why.turns-allows",
        (None, false) => "why.later-misses",
        (None, true) => "why.allows-idea",
    };
    let [now, instead] = standings.unwrap_or_default();
    say_idea(texts, key, lines, deed, &[("now", &now), ("instead", &instead)])
}
