//! Words for a move that is neither a mistake nor worth praise: how it compares with the first choice, who stands
//! better after it, and what is expected next.

use shakmaty::{Color, Move};

use super::analyst::{Eval, RulesAnalyst};
use super::judgement::{WON, pieces, win_chance};
use super::texts::tell;
use engine::evaluation::Variant;
use engine::pgn::line_text;
use engine::rules::Game;
use engine::score::{Meaning, Score};
use shell::texts::Texts;

/// Points of the chance to win up to which a move is as good as another.
const EQUAL: f64 = 1.0;
/// Half-moves of the expected line.
const EXPECTED: usize = 3;
/// Chances to win, in per cent, from which on a side is a little better, better, and winning.
const LEADS: [(f64, &str); 3] = [(WON, "winning"), (65.0, "better"), (55.0, "slight")];

/// A move with the searches around it.
pub struct Quiet<'a, P: Variant> {
    /// The game before it.
    pub game: &'a Game<P>,
    /// The game after it.
    pub after: &'a Game<P>,
    /// The move.
    pub m: Move,
    /// True if the book has it.
    pub in_book: bool,
    /// The search's score before it, for the side that makes it.
    pub before: &'a Eval,
    /// The search's score after it, for the other side.
    pub reply: &'a Eval,
}

impl<P: Variant> RulesAnalyst<P> {
    /// Some sentences about a quiet move.
    pub(crate) fn describe(&self, quiet: &Quiet<P>) -> String {
        let texts = self.texts();
        let Quiet { game, after, reply, .. } = quiet;
        let mut sentences = vec![choice(quiet, &texts)];
        if !reply.pv.is_empty() {
            let white = game.now().turn().fold_wb(-reply.score, reply.score);
            let line = line_text(after, &reply.pv[..reply.pv.len().min(EXPECTED)]);
            let pieces = pieces(game);
            sentences.push(standing(white, pieces, &texts));
            sentences.push(tell(&texts, "quiet.expected", &[("line", &line)]));
        }
        sentences.join(" ")
    }
}

/// How the move compares with the first choice of the search.
fn choice<P: Variant>(quiet: &Quiet<P>, texts: &Texts) -> String {
    let Quiet { game, m, in_book, before, reply, .. } = quiet;
    let best = before.pv.first();
    if game.position().legal_moves().len() == 1 {
        texts.get("quiet.forced").to_string()
    } else if *in_book {
        texts.get("quiet.book").to_string()
    } else if best.is_none_or(|best| best == m) {
        texts.get("quiet.first").to_string()
    } else {
        let pieces = pieces(game);
        let lost = win_chance(before.score, pieces) - win_chance(-reply.score, pieces);
        let points = format!("{lost:.0}");
        let key = match points.as_str() {
            _ if lost < EQUAL => "quiet.equal",
            "1" => "quiet.near-by-one",
            _ => "quiet.near",
        };
        let best = best.map(|&best| line_text(game, &[best])).unwrap_or_default();
        tell(texts, key, &[("best", &best), ("points", &points)])
    }
}

/// Says who stands better. `white` is the score for White, `pieces` the number of pieces on the board.
fn standing(white: Score, pieces: usize, texts: &Texts) -> String {
    let chance = win_chance(white, pieces);
    let leader = if chance >= 50.0 { Color::White } else { Color::Black };
    let player = texts.get(leader.fold_wb("quiet.white", "quiet.black"));
    if let Meaning::Mate(moves) = white.meaning() {
        let count = moves.unsigned_abs().to_string();
        return texts.fill("quiet.mate", &[("player", player), ("count", &count)]);
    }
    let key = format!("quiet.{}", level(chance));
    texts.fill(&key, &[("player", player)])
}

/// The word for a lead, by White's chance to win in per cent, whichever side leads.
fn level(chance: f64) -> &'static str {
    let lead = LEADS.iter().find(|(least, _)| chance.max(100.0 - chance) >= *least);
    lead.map_or("even", |(_, level)| level)
}

/// Who stands better by a chance to win in per cent, from 3 (its side wins) over 0 (about even) to −3 (lost), in the steps of
/// [`clause`].
pub(super) fn lead(chance: f64) -> i32 {
    let steps = |chance: f64| LEADS.iter().filter(|(least, _)| chance >= *least).count();
    if chance >= 50.0 { steps(chance) as i32 } else { -(steps(100.0 - chance) as i32) }
}

/// True if two chances to win, in per cent, have words next to each other and one of them lies within `points` of the border
/// between these words: a longer search may see it otherwise.
pub(super) fn is_near_border(one: f64, other: f64, points: f64) -> bool {
    let (low, high) = (lead(one).min(lead(other)), lead(one).max(lead(other)));
    if high - low != 1 {
        return false;
    }
    let least = |step: i32| LEADS[LEADS.len() - step.unsigned_abs() as usize].0;
    let border = if high > 0 { least(high) } else { 100.0 - least(low) };
    let is_near = |chance: f64| (chance - border).abs() < points;
    is_near(one) || is_near(other)
}

/// True if the side with this chance to win, in per cent, wins in the words of [`clause`].
pub(super) fn is_winning(chance: f64) -> bool {
    chance >= LEADS[0].0
}

/// Who stands better, as a part of a sentence: `White is a little better`. The parameters are those of [`standing`]. `None` for
/// a mate.
pub(super) fn clause(white: Score, pieces: usize, texts: &Texts) -> Option<String> {
    if white.is_mate() {
        return None;
    }
    let chance = win_chance(white, pieces);
    let key = if chance >= 50.0 { "explain.white" } else { "explain.black" };
    Some(texts.fill(&format!("clause.{}", level(chance)), &[("player", texts.get(key))]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::{self, Lang};

    #[test]
    fn scores_near_a_border_are_told_from_others() {
        let is_near = |one, other| is_near_border(one, other, 2.0);
        assert!(is_near(52.0, 56.0) && is_near(56.0, 52.0), "55 %");
        assert!(is_near(44.0, 48.0) && is_near(34.0, 37.0) && is_near(79.0, 83.0));
        assert!(!is_near(50.0, 60.0), "far from the border");
        assert!(!is_near(50.0, 66.0), "two steps");
        assert!(!is_near(56.0, 57.0) && !is_near(49.0, 51.0), "the same words");
    }

    #[test]
    fn a_clause_tells_the_standing_within_a_sentence() {
        let words = |score, lang| clause(Score::centipawns(score), 14, &texts::of(lang)).unwrap();
        assert_eq!(words(20, Lang::En), "the game is about even");
        assert_eq!(words(-250, Lang::En), "Black is clearly better");
        assert_eq!(words(-90, Lang::Es), "las negras están algo mejor");
        assert_eq!(clause(Score::mate_in(5), 14, &texts::of(Lang::En)), None);
    }

    #[test]
    fn every_choice_has_its_words() {
        for key in ["forced", "book", "first", "equal", "near", "near-by-one", "expected"] {
            let is_there = |lang| texts::of(lang).find(&format!("quiet.{key}")).is_some();
            assert!(Lang::ALL.into_iter().all(is_there), "{key}");
        }
    }

    #[test]
    fn the_standing_is_told_for_the_side_that_leads() {
        let sentence = |score, lang| standing(score, 14, &texts::of(lang));
        let pawns = Score::centipawns;
        assert_eq!(sentence(pawns(20), Lang::En), "The game is about even.");
        assert_eq!(sentence(pawns(-90), Lang::En), "Black is a little better.");
        assert_eq!(sentence(pawns(250), Lang::En), "White is clearly better.");
        assert_eq!(sentence(pawns(-900), Lang::Es), "Las negras tienen la partida ganada.");
        assert_eq!(sentence(Score::mate_in(5), Lang::En), "White mates in 3.");
        assert_eq!(sentence(Score::mated_in(2), Lang::Es), "Las negras dan mate en 1.");
    }
}
