//! An annotated game as PGN: everything that stood in it, with scores, glyphs, better lines and reasons in
//! the forms that other programs read.

use std::fmt::Write;

use shakmaty::Color;

use super::course::Course;
use super::judgement::Judgement;
use super::review::{GameReview, MoveReview};
use engine::pgn::{RawGame, Token};
use shell::texts::Texts;

/// Width of a line between comments, in characters.
const WIDTH: usize = 80;

/// The annotated game, with an empty line at its end. `limit` names the limit of each search.
pub fn annotate(
    raw: &RawGame,
    course: &Course,
    review: &GameReview,
    texts: &Texts,
    limit: &str,
) -> String {
    let mut writer = Writer { text: tags(raw, review), column: 0, needs_number: true };
    let first = course.places.first().copied().unwrap_or(raw.tokens.len());
    let last = course.places.last().map_or(0, |last| last + 1);
    let mut depth = 0_usize;
    let mut ply = 0;
    let mut place = 0;
    while place < raw.tokens.len() {
        if place == first {
            writer.comment(&summary(review, texts, limit));
        }
        let token = &raw.tokens[place];
        match token {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_own = course.places.get(ply) == Some(&place);
        match (is_own, token) {
            (true, _) => {
                place = writer.annotated_move(raw, place, review, ply, texts);
                ply += 1;
                if ply == course.moves.len()
                    && let Some(error) = &course.error
                {
                    writer.comment(&texts.fill("unread", &[("error", error)]));
                }
                continue;
            }
            // The numbers of the main line are written anew.
            (false, Token::Number(_)) if depth == 0 && place < last => {}
            (false, token) => writer.token(token),
        }
        place += 1;
    }
    if !raw.tokens.iter().any(|token| matches!(token, Token::Result(_))) {
        writer.word(raw.tag("Result").filter(|result| !result.is_empty()).unwrap_or("*"));
    }
    writer.text.push_str("\n\n");
    writer.text
}

/// The tags of the game, and those that the analysis adds where they are missing.
fn tags(raw: &RawGame, review: &GameReview) -> String {
    let mut text = String::new();
    let mut add = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    raw.tags.iter().for_each(|(name, value)| add(name, value));
    let mut add_missing = |name: &str, value: &str| {
        if raw.tag(name).is_none_or(|value| value.is_empty() || value == "?") {
            add(name, value);
        }
    };
    if let Some(opening) = &review.opening {
        add_missing("ECO", &opening.eco);
        let name = opening.to_string();
        add_missing("Opening", name.split_once(' ').map_or("", |(_, name)| name));
    }
    add_missing("Annotator", concat!("Ajedrecista ", env!("CARGO_PKG_VERSION")));
    text.push('\n');
    text
}

/// The accuracy and the mistakes of the players whose moves were judged.
fn summary(review: &GameReview, texts: &Texts, limit: &str) -> String {
    let engine = concat!("Ajedrecista ", env!("CARGO_PKG_VERSION"));
    let mut text = texts.fill("summary.by", &[("engine", engine), ("limit", limit)]);
    for color in Color::ALL {
        let player = review.players.get(color);
        if player.moves == 0 {
            continue;
        }
        let missed = |key: &str, count: usize| match count {
            0 => String::new(),
            count => texts.fill(key, &[("count", &count.to_string())]),
        };
        let missed = missed("summary.missed-wins", player.missed_wins)
            + &missed("summary.missed-mates", player.missed_mates);
        let [inaccuracies, mistakes, blunders] = player.verdicts.map(|count| count.to_string());
        let values = [
            ("player", texts.get(color.fold_wb("player.white", "player.black"))),
            ("accuracy", &format!("{:.0}", player.accuracy)),
            ("loss", &format!("{:.0}", player.loss)),
            ("inaccuracies", &inaccuracies),
            ("mistakes", &mistakes),
            ("blunders", &blunders),
            ("missed", &missed),
        ];
        let _ = write!(text, " {}", texts.fill("summary.player", &values));
    }
    text
}

/// Writes words with line breaks between them.
struct Writer {
    text: String,
    column: usize,
    /// True if the next move of the main line needs its number even for Black.
    needs_number: bool,
}

impl Writer {
    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 && self.column + 1 + width > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        let last_line = word.rsplit('\n').next().unwrap_or_default();
        self.column = if word.contains('\n') { 0 } else { self.column } + last_line.chars().count();
    }

    /// A comment. Line breaks inside it stay where they are.
    fn comment(&mut self, text: &str) {
        self.word(&format!("{{{text}}}"));
        self.needs_number = true;
    }

    fn token(&mut self, token: &Token) {
        match token {
            Token::Move(text) | Token::Number(text) | Token::Result(text) => self.word(text),
            Token::Nag(nag) => self.word(&format!("${nag}")),
            Token::Comment(text) => self.comment(text),
            Token::Open => self.word("("),
            Token::Close => {
                self.word(")");
                self.needs_number = true;
            }
            Token::Escape(line) => {
                let line_break = if self.column > 0 { "\n" } else { "" };
                let _ = writeln!(self.text, "{line_break}{line}");
                self.column = 0;
            }
            // An unknown word may mean anything to another program; as a comment it is harmless.
            Token::Unknown(word) => self.comment(word),
            Token::Fault(_) => {}
        }
    }

    /// A move of the main line with its annotations; returns the place of the token after them.
    fn annotated_move(
        &mut self,
        raw: &RawGame,
        place: usize,
        review: &GameReview,
        ply: usize,
        texts: &Texts,
    ) -> usize {
        let review_of_move = review.moves.get(ply).and_then(Option::as_ref);
        let Some(m) = review_of_move else {
            self.token(&raw.tokens[place]);
            self.needs_number = true;
            return place + 1;
        };
        let (number, rest) = m.name.split_at(m.name.len() - m.san.len());
        if m.color.is_white() || self.needs_number {
            self.word(number);
        }
        self.word(rest);
        self.needs_number = false;

        let mut next = place + 1;
        let mut has_verdict = false;
        while let Some(Token::Nag(nag)) = raw.tokens.get(next) {
            has_verdict |= (1..=6).contains(nag);
            self.word(&format!("${nag}"));
            next += 1;
        }
        if let Some(judgement) = m.judgement.filter(|_| !has_verdict) {
            self.word(&format!("${}", judgement.nag()));
        }
        let own = match raw.tokens.get(next) {
            Some(Token::Comment(text)) => {
                next += 1;
                without_eval(text)
            }
            _ => String::new(),
        };
        let left_book = review.left_book.as_ref().filter(|(left, _)| *left == ply);
        let left_book =
            left_book.map(|(_, moves)| texts.fill("book.left", &[("moves", &moves.join(", "))]));
        let eval = m.eval_text().map(|eval| format!("[%eval {eval}]"));
        let own = Some(own).filter(|own| !own.is_empty());
        let parts: Vec<String> =
            [eval, own, left_book, sentence(m, texts)].into_iter().flatten().collect();
        if !parts.is_empty() {
            self.comment(&parts.join(" "));
        }
        if m.reason.is_some() && !m.better.is_empty() {
            self.word("(");
            m.better.iter().for_each(|step| self.word(&step.name));
            self.word(")");
            self.needs_number = true;
        }
        next
    }
}

/// The verdict with its reason.
fn sentence(m: &MoveReview, texts: &Texts) -> Option<String> {
    let reason = m.reason.as_ref()?;
    let key = match m.judgement? {
        Judgement::Inaccuracy => "judgement.inaccuracy",
        Judgement::Mistake => "judgement.mistake",
        Judgement::Blunder => "judgement.blunder",
    };
    let name = texts.get(key);
    let mut letters = name.chars();
    let capital = letters.next().into_iter().flat_map(char::to_uppercase);
    Some(format!("{}{}. {reason}", capital.collect::<String>(), letters.as_str()))
}

/// A comment without the score of an earlier analysis.
fn without_eval(comment: &str) -> String {
    let Some((before, rest)) = comment.split_once("[%eval") else {
        return comment.trim().to_string();
    };
    let after = rest.split_once(']').map_or("", |(_, after)| after);
    format!("{}{}", before, after.trim_start()).trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_break_between_lines_and_comments_stay_whole() {
        let mut writer = Writer { text: String::new(), column: 0, needs_number: true };
        for _ in 0..30 {
            writer.word("Nbd7xe5");
        }
        writer.comment(&"long ".repeat(40));
        assert!(writer.text.lines().take(3).all(|line| line.len() <= WIDTH));
        assert_eq!(writer.text.matches("long ").count(), 40);
    }

    #[test]
    fn an_old_score_gives_way_and_the_clock_stays() {
        assert_eq!(without_eval("[%eval 0.3] [%clk 0:01:00] good"), "[%clk 0:01:00] good");
        assert_eq!(without_eval(" hm "), "hm");
    }
}
