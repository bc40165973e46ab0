//! Exercises from one's own games: positions where a mistake was made and one move is clearly the best.
//!
//! The difficulty is that of the limited strengths: the rating at which half of the players find the move.

use engine::pgn::write::{tag, wrapped};
use engine::rules::RuleSet;
use shakmaty::Color;

use super::judgement::Judgement;
use super::review::{GameReview, MoveReview};

/// Chance to win, in per cent, below which the best move is no exercise either.
const HOPELESS: f64 = 15.0;

/// A position with one best move.
#[derive(Clone, Debug, PartialEq)]
pub struct Exercise {
    /// The rule set.
    pub rule_set: RuleSet,
    /// The position, as FEN.
    pub fen: String,
    /// Who is to move.
    pub color: Color,
    /// The move that was played, with its number: `24.Qf7`.
    pub played: String,
    /// The best line, each move in SAN, the solution first.
    pub line: Vec<String>,
    /// Why the move played was a mistake.
    pub reason: String,
    /// The rating at which half of the players find the solution, in Elo.
    pub difficulty: u32,
}

impl Exercise {
    /// The exercises of a game: mistakes and blunders where one move stands out.
    pub fn all(review: &GameReview) -> Vec<Exercise> {
        let starts = review.moves.iter().map(|m| m.as_ref().map(|m| m.fen.as_str()));
        let starts = std::iter::once(Some(review.start.as_str())).chain(starts);
        let pairs = starts.zip(&review.moves);
        pairs.filter_map(|(start, m)| Exercise::of(review.rule_set, start?, m.as_ref()?)).collect()
    }

    fn of(rule_set: RuleSet, fen: &str, m: &MoveReview) -> Option<Exercise> {
        m.judgement.filter(|judgement| *judgement != Judgement::Inaccuracy)?;
        // Nobody learns from the best move of a lost position.
        let chance = m.own(m.chance) + m.points;
        if chance < HOPELESS {
            return None;
        }
        let san = |name: &str| {
            name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').to_string()
        };
        Some(Exercise {
            rule_set,
            fen: fen.to_string(),
            color: m.color,
            played: m.name.clone(),
            line: m.better.iter().map(|step| san(&step.name)).collect(),
            reason: m.reason.clone()?,
            difficulty: m.difficulty?,
        })
    }

    /// A line of EPD: the best move (`bm`), the reason (`c0`), the difficulty (`c1`), the game (`id`; `game` may be
    /// empty) and the line (`pv`). Other programs read it as a position of a suite.
    /// It cannot name a rule set.
    pub fn epd(&self, game: &str) -> String {
        let fields: Vec<&str> = self.fen.split(' ').collect();
        let (fields, counters) = fields.split_at(fields.len().min(4));
        let counter = |code: &str, value: Option<&&str>| {
            value.map_or(String::new(), |value| format!(" {code} {value};"))
        };
        let quoted = |text: &str| text.replace('"', "'");
        let name = if game.is_empty() { String::new() } else { format!("{}, ", quoted(game)) };
        format!(
            "{} bm {}; c0 \"{}\"; c1 \"{}\";{}{} id \"{name}{}\"; pv {};",
            fields.join(" "),
            self.line.first().map_or("", String::as_str),
            quoted(&self.reason),
            self.difficulty,
            counter("fmvn", counters.get(1)),
            counter("hmvc", counters.first()),
            self.played,
            self.line.join(" "),
        )
    }

    /// A game in PGN that begins with the position and goes on with the solution.
    pub fn pgn(&self, game: &str) -> String {
        let result = "*";
        let variant = match self.rule_set {
            RuleSet::Chess => String::new(),
            other => tag("Variant", other.name()),
        };
        let head = [
            tag("Event", format!("Exercise from {game}").trim_end_matches(" from ")),
            tag("Site", "?"),
            tag("Date", "????.??.??"),
            tag("Round", "?"),
            tag("White", self.color.fold_wb("You", "Opponent")),
            tag("Black", self.color.fold_wb("Opponent", "You")),
            tag("Result", result),
            variant,
            tag("SetUp", "1"),
            tag("FEN", &self.fen),
            tag("Difficulty", &self.difficulty.to_string()),
        ];
        let reason = format!("{{{}}}", self.reason.replace(['{', '}'], ""));
        let number = self.played.trim_end_matches(|c: char| c != '.');
        let mut words: Vec<String> = reason.split(' ').map(str::to_string).collect();
        for (ply, m) in self.line.iter().enumerate() {
            words.push(if ply == 0 { format!("{number}{m}") } else { m.clone() });
        }
        words.push(result.to_string());
        format!("{}\n{}\n", head.concat(), wrapped(words.iter().map(String::as_str)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::{Analyst, test_analyst};
    use crate::suite::EpdLine;
    use engine::pgn::{Course, RawGame};
    use engine::score::Score;

    #[test]
    fn the_best_move_of_a_lost_position_is_no_exercise() {
        let course = Course::follow(&RawGame::parse("1. f3 e5 2. g4 Qh4# 0-1")).unwrap();
        let mut analyst = test_analyst(1_000);
        let evals = analyst.score(0, &course, 0..course.moves.len() + 1);
        let mut m = analyst.review(0, &course, 0, evals, &|| ()).moves.remove(2).unwrap();
        m.difficulty = Some(800);
        let mut is_one = |centipawns: i32, points: f64| {
            (m.score, m.points) = (Score::centipawns(centipawns), points);
            Exercise::of(RuleSet::Chess, "", &m).is_some()
        };
        assert!(is_one(-300, 30.0), "from even to lost");
        assert!(is_one(-1200, 20.0), "from bad to lost");
        assert!(!is_one(-1200, 11.0), "it was lost before");
    }

    fn exercise() -> Exercise {
        Exercise {
            rule_set: RuleSet::Chess,
            fen: "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4".to_string(),
            color: Color::White,
            played: "4.d3".to_string(),
            line: vec!["Qxf7#".to_string()],
            reason: "4.d3 misses mate in 1: 4.Qxf7#; \"quoted\" {braces}.".to_string(),
            difficulty: 700,
        }
    }

    #[test]
    fn other_programs_read_both_forms() {
        let epd = exercise().epd("Ann – Bob");
        let line = EpdLine::parse(&epd).unwrap();
        assert_eq!(line.fen, exercise().fen);
        let find =
            |code: &str| line.operations.iter().find(|(other, _)| other == code).unwrap().1.clone();
        assert_eq!((find("bm").as_str(), find("c1").as_str()), ("Qxf7#", "700"));
        assert_eq!(find("id"), "Ann – Bob, 4.d3");
        let game = exercise().pgn("Ann – Bob");
        let course = Course::follow(&RawGame::parse(&game)).unwrap();
        assert!(course.error.is_none() && course.moves.len() == 1, "{game}");
    }
}
