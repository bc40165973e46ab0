//! The mistakes of a game so far, found by the analysis that `engine analyse` writes into games.

use std::error::Error;
use std::sync::Arc;

use shakmaty::Color;

use super::record::Stored;
use super::texts::Words;
use crate::commands::processors;
use analysis::analyst::AnalystOptions;
use analysis::judgement::Judgement;
use analysis::review::{GameReview, MoveReview, PlayerReview};
use engine::limits::Limits;
use engine::rules::RuleSet;
use engine::settings::Settings;
use workshop::annotation::{self, RunOptions};

/// Nodes of a search: some seconds for a long game on two cores.
const NODES: u64 = 20_000;
/// Table of the search, in MiB.
const HASH_MB: usize = 8;

/// The mistakes of a game, a line each, and how well both sides have played. `color` is the player's, in a game of the player.
/// `advance` is told of the [`steps`](workshop::annotation::steps) that are done.
///
/// # Errors
/// A game that cannot be read, and a lack of memory.
pub fn mistakes(
    pgn: &str,
    rule_set: RuleSet,
    color: Option<Color>,
    words: &Words,
    advance: &(dyn Fn(usize) + Sync),
) -> Result<String, Box<dyn Error>> {
    let Some(review) = review(pgn, rule_set, words, advance)? else {
        return Ok(words.get("review.none").to_string());
    };
    let mut lines: Vec<String> =
        review.moves.iter().flatten().filter_map(|move_review| line(move_review, words)).collect();
    if lines.is_empty() {
        lines.push(words.get("review.none").to_string());
    }
    for side in [color.unwrap_or(Color::White), color.map_or(Color::Black, |color| !color)] {
        let name = match color {
            Some(color) if color == side => words.get("review.you"),
            Some(_) => words.get("review.me"),
            None => words.side(side),
        };
        lines.extend(summary(name, review.players.get(side), words));
    }
    Ok(lines.join("\n"))
}

/// The half-move that lost most of those of a game that `is_own` names, with the verdict, unless all were good.
///
/// # Errors
/// As [`mistakes`].
pub fn worst(
    pgn: &str,
    rule_set: RuleSet,
    is_own: impl Fn(usize) -> bool,
    words: &Words,
    advance: &(dyn Fn(usize) + Sync),
) -> Result<Option<(usize, Judgement)>, Box<dyn Error>> {
    let Some(review) = review(pgn, rule_set, words, advance)? else { return Ok(None) };
    let own = review.moves.iter().enumerate().filter_map(|(ply, review)| {
        let review = review.as_ref().filter(|_| is_own(ply))?;
        Some((ply, review.judgement?, review.points))
    });
    let worst = own.max_by(|(.., one), (.., two)| one.total_cmp(two));
    Ok(worst.map(|(ply, judgement, _)| (ply, judgement)))
}

/// The review of a game; `None` if it has no move.
fn review(
    pgn: &str,
    rule_set: RuleSet,
    words: &Words,
    advance: &(dyn Fn(usize) + Sync),
) -> Result<Option<GameReview>, Box<dyn Error>> {
    let stored = Stored::read(pgn.as_bytes(), rule_set, words)?;
    let stored = stored.ok_or_else(|| words.get("review.no-game").to_string())?;
    let analyst = AnalystOptions {
        limits: Limits::nodes(NODES),
        hash_mb: HASH_MB,
        texts: Arc::clone(&words.analysis),
        settings: Settings::default(),
        reasons: true,
        exercises: false,
    };
    let threads = processors();
    let options = RunOptions { analyst, limit: String::new(), threads, pages: false };
    let (mut game, mut found) = (Some(stored.into_raw()), None);
    let mut each = |finished: annotation::Finished| {
        found = finished.review;
        Ok(())
    };
    annotation::run(&mut || Ok(game.take()), &options, &mut each, advance)?;
    Ok(found)
}

/// What was wrong with a move, and what was better; `None` for a good one.
fn line(review: &MoveReview, words: &Words) -> Option<String> {
    let judgement = review.judgement?;
    let (name, verdict) = (words.moves(&review.name), verdict(judgement, words));
    let values = [("move", &*name), ("mark", judgement.mark()), ("verdict", verdict)];
    let mut text = words.fill("review.move", &values);
    if let Some(reason) = &review.reason {
        let reason = reason.trim_end_matches('.');
        text = words.fill("review.reason", &[("verdict", &text), ("reason", reason)]);
    }
    let better: Vec<&str> = review.better.iter().take(3).map(|step| step.name.as_str()).collect();
    if !better.is_empty() && !review.names_better {
        let better = words.moves(&better.join(" "));
        text = words.fill("review.better", &[("verdict", &text), ("line", &better)]);
    }
    Some(text + ".")
}

/// A verdict with its article.
pub fn verdict(judgement: Judgement, words: &Words) -> &str {
    words.get(match judgement {
        Judgement::Inaccuracy => "verdict.inaccuracy",
        Judgement::Mistake => "verdict.mistake",
        Judgement::Blunder => "verdict.blunder",
    })
}

/// How well a side has played; `None` if it has made no move.
fn summary(name: &str, player: &PlayerReview, words: &Words) -> Option<String> {
    if player.moves == 0 {
        return None;
    }
    let count = |thing, number: usize| words.counted(thing, number as u64);
    let [inaccuracies, mistakes, blunders] = player.verdicts;
    let values = [
        ("player", name),
        ("accuracy", &*format!("{:.0}", player.accuracy)),
        ("inaccuracies", &count("count.inaccuracy", inaccuracies)),
        ("mistakes", &count("count.mistake", mistakes)),
        ("blunders", &count("count.blunder", blunders)),
    ];
    Some(words.fill("review.played", &values))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use analysis::texts::Lang;

    const MATE: &str = "1. f3 e5 2. g4 Qh4# 0-1";

    #[test]
    fn a_blunder_is_named_with_the_better_move() {
        let english = Words::of(Lang::En);
        let text = mistakes(MATE, RuleSet::Chess, Some(Color::White), &english, &|_| ()).unwrap();
        assert!(text.contains("2. g4?? a blunder") || text.contains("2.g4?? a blunder"), "{text}");
        assert!(text.contains("\nYou: accuracy "), "{text}");
        let worst =
            |first| worst(MATE, RuleSet::Chess, |ply| ply % 2 == first, &english, &|_| ()).unwrap();
        let blunder = Some((2, Judgement::Blunder));
        assert_eq!((worst(0), worst(1)), (blunder, None));
        let text =
            mistakes("1. e4 e5 *", RuleSet::Chess, Some(Color::White), &english, &|_| ()).unwrap();
        assert!(text.starts_with("No mistakes so far."), "{text}");
        let text =
            mistakes("1. e4 *", RuleSet::Chess, Some(Color::Black), &english, &|_| ()).unwrap();
        assert!(text.contains("\nI: accuracy ") && !text.contains("You: accuracy "), "{text}");
    }

    #[test]
    fn a_game_without_a_move_has_no_mistake() {
        let (pgn, english) = ("[Result \"0-1\"]\n\n0-1", Words::of(Lang::En));
        assert_eq!(worst(pgn, RuleSet::Chess, |_| true, &english, &|_| ()).unwrap(), None);
        let text = mistakes(pgn, RuleSet::Chess, Some(Color::White), &english, &|_| ()).unwrap();
        assert_eq!(text, "No mistakes so far.");
    }

    #[test]
    fn every_step_is_told() {
        let done = AtomicUsize::new(0);
        let advance = |steps| {
            done.fetch_add(steps, Ordering::Relaxed);
        };
        let moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. a3 a6 6. a4 a5 7. h3 h6 *";
        let english = Words::of(Lang::En);
        mistakes(moves, RuleSet::Chess, Some(Color::White), &english, &advance).unwrap();
        assert_eq!(done.into_inner(), workshop::annotation::steps(14));
    }

    #[test]
    fn a_blunder_is_named_in_spanish() {
        let text =
            mistakes(MATE, RuleSet::Chess, Some(Color::Black), &Words::of(Lang::Es), &|_| ())
                .unwrap();
        assert!(text.contains("2.g4?? un error grave: 2.g4 permite mate en 1: 2...Dh4#"), "{text}");
        assert!(text.contains("\nTú: precisión ") && text.contains("\nYo: precisión "), "{text}");
    }

    #[test]
    fn a_game_between_others_has_the_names_of_its_sides() {
        let summary = |lang| {
            let text = mistakes(MATE, RuleSet::Chess, None, &Words::of(lang), &|_| ()).unwrap();
            let named = text.lines().rev().take(2).filter_map(|line| line.split(':').next());
            named.map(str::to_string).collect::<Vec<_>>()
        };
        assert_eq!(summary(Lang::En), ["Black", "White"]);
        assert_eq!(summary(Lang::Es), ["Negras", "Blancas"]);
    }
}
