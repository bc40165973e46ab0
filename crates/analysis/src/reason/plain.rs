//! Sentences where no reason is proved: what the lines show, who stands better after each, and what a move does.

use super::lines::Lines;
use super::thresholds::BETTER;
use super::{Mistake, say};
use crate::quiet::clause;
use engine::evaluation::Variant;
use engine::pgn::line_text;
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

/// The sentences about an idea of the better move and one of the answer, which say so if the game is won or lost anyway.
pub(super) fn idea_keys<P>(mistake: &Mistake<P>) -> [&'static str; 2] {
    match () {
        () if mistake.keeps_win() => ["why.misses-idea.won", "why.allows-idea.won"],
        () if mistake.is_lost_anyway() => ["why.misses-idea.lost", "why.allows-idea.lost"],
        () => ["why.misses-idea", "why.allows-idea"],
    }
}

/// Both lines, with who stands better after them if that differs: all that is known where no reason is proved.
pub(super) fn unproved<P: Variant>(
    texts: &Texts,
    mistake: &Mistake<P>,
    lines: &Lines<P>,
) -> String {
    let (line, better) = (lines.refutation(BETTER), lines.better(BETTER));
    let values = [("line", line.as_str()), ("better", &better)];
    let key = match () {
        () if mistake.keeps_win() => "why.later.won",
        () if mistake.is_lost_anyway() => "why.later.lost",
        () => "why.later",
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
    let (line, better) = (lines.refutation(BETTER), lines.better(BETTER));
    let reply = line_text(&lines.played.games[1], &lines.played.moves[1..2]);
    let mut values = vec![("idea", deed), ("line", &line), ("better", &better), ("reply", &reply)];
    if mistake.keeps_win() || mistake.is_lost_anyway() {
        let [misses, allows] = idea_keys(mistake);
        return say(texts, if is_allowed { allows } else { misses }, lines, &values);
    }
    let standings = standings(texts, mistake, lines);
    let key = match (&standings, is_allowed) {
        (Some(_), false) => "why.turns-misses",
        (Some(_), true) => "why.turns-allows",
        (None, false) => "why.later-misses",
        (None, true) => "why.allows-idea",
    };
    if let Some([now, instead]) = &standings {
        values.extend([("now", now.as_str()), ("instead", instead)]);
    }
    say(texts, key, lines, &values)
}
