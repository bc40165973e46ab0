//! The mistakes of a game so far, found by the analysis that `engine analyse` writes into games.

use std::error::Error;
use std::sync::Arc;

use shakmaty::{ByColor, Color};

use super::record::Stored;
use analysis::analyst::{AnalystOptions, analyst};
use analysis::judgement::Judgement;
use analysis::review::{GameReview, MoveReview, PlayerReview};
use analysis::texts::{self, Lang};
use engine::limits::Limits;
use engine::rules::RuleSet;
use engine::settings::Settings;

/// Nodes of a search: a second or two for a long game.
const NODES: u64 = 10_000;
/// Table of the search, in MiB.
const HASH_MB: usize = 8;

/// The mistakes of a game, a line each, and how well both sides have played. `color` is the player's.
///
/// # Errors
/// A game that cannot be read, and a lack of memory.
pub fn mistakes(pgn: &str, rule_set: RuleSet, color: Color) -> Result<String, Box<dyn Error>> {
    let review = review(pgn, rule_set)?;
    let mut lines: Vec<String> = review.moves.iter().flatten().filter_map(line).collect();
    if lines.is_empty() {
        lines.push("No mistakes so far.".to_string());
    }
    let ByColor { white, black } = &review.players;
    let (own, other) = color.fold_wb((white, black), (black, white));
    lines.push(summary("You", own));
    lines.push(summary("I", other));
    Ok(lines.join("\n"))
}

/// The half-move of `color` that lost most of a game, with the words for it, unless all were good.
///
/// # Errors
/// As [`mistakes`].
pub fn worst(
    pgn: &str,
    rule_set: RuleSet,
    color: Color,
) -> Result<Option<(usize, &'static str)>, Box<dyn Error>> {
    let review = review(pgn, rule_set)?;
    let own = review.moves.iter().enumerate().filter_map(|(ply, review)| {
        let review = review.as_ref().filter(|review| review.color == color)?;
        Some((ply, review.judgement?, review.points))
    });
    let worst = own.max_by(|(.., one), (.., two)| one.total_cmp(two));
    Ok(worst.map(|(ply, judgement, _)| (ply, name(judgement))))
}

fn review(pgn: &str, rule_set: RuleSet) -> Result<GameReview, Box<dyn Error>> {
    let stored = Stored::read(pgn.as_bytes(), rule_set)?.ok_or("there is no game to analyse")?;
    let course = &stored.course;
    let options = AnalystOptions {
        limits: Limits::nodes(NODES),
        hash_mb: HASH_MB,
        texts: Arc::new(texts::of(Lang::En)),
        settings: Settings::default(),
        reasons: true,
        exercises: false,
    };
    let mut analyst = analyst(rule_set, &options)?;
    let evals = analyst.score(0, course, 0..course.moves.len() + 1);
    Ok(analyst.review(course, evals, &|| ()))
}

/// What was wrong with a move, and what was better; `None` for a good one.
fn line(review: &MoveReview) -> Option<String> {
    let judgement = review.judgement?;
    let mut text = format!("{}{} {}", review.name, judgement.mark(), name(judgement));
    if let Some(reason) = &review.reason {
        text.push_str(&format!(": {}", reason.trim_end_matches('.')));
    }
    let better: Vec<&str> = review.better.iter().take(3).map(|step| step.name.as_str()).collect();
    if !better.is_empty() {
        text.push_str(&format!("; better {}", better.join(" ")));
    }
    Some(text + ".")
}

fn name(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "an inaccuracy",
        Judgement::Mistake => "a mistake",
        Judgement::Blunder => "a blunder",
    }
}

/// How well a side has played.
fn summary(who: &str, player: &PlayerReview) -> String {
    let count = |number: usize, one: &str, many: &str| {
        if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
    };
    let [inaccuracies, mistakes, blunders] = player.verdicts;
    format!(
        "{who}: accuracy {:.0} %, {}, {}, {}.",
        player.accuracy,
        count(inaccuracies, "inaccuracy", "inaccuracies"),
        count(mistakes, "mistake", "mistakes"),
        count(blunders, "blunder", "blunders"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blunder_is_named_with_the_better_move() {
        let text = mistakes("1. f3 e5 2. g4 Qh4# 0-1", RuleSet::Chess, Color::White).unwrap();
        assert!(text.contains("2. g4?? a blunder") || text.contains("2.g4?? a blunder"), "{text}");
        assert!(text.contains("\nYou: accuracy "), "{text}");
        let worst = |color| worst("1. f3 e5 2. g4 Qh4# 0-1", RuleSet::Chess, color).unwrap();
        assert_eq!((worst(Color::White), worst(Color::Black)), (Some((2, "a blunder")), None));
        let text = mistakes("1. e4 e5 *", RuleSet::Chess, Color::White).unwrap();
        assert!(text.starts_with("No mistakes so far."), "{text}");
    }
}
