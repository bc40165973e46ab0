//! An annotated game as PGN: everything that stood in it, with scores, glyphs, better lines and reasons in
//! the forms that other programs read.

use std::fmt::Write;

use shakmaty::Color;

use super::earlier::{self, after_better_line};
use super::review::{GameReview, MoveReview};
use super::texts::tell;
use engine::pgn::{Broken, Course, RawGame, Token};
use shell::remarks::in_words;
use shell::texts::Texts;

pub use super::earlier::note_fault;

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
    let mut writer = Writer::new(tags(&with_findings(raw, review)));
    let first = course.places.first().copied().unwrap_or(raw.tokens.len());
    let last = course.places.last().map_or(0, |last| last + 1);
    let mut ply = 0;
    let mut place = 0;
    while place < raw.tokens.len() {
        if place == first {
            writer.comment(&summary(review, texts, limit));
        }
        if course.places.get(ply) == Some(&place) {
            place = writer.annotated_move(raw, place, (course, review, ply), texts);
            ply += 1;
            continue;
        }
        match &raw.tokens[place] {
            // The numbers of the main line are written anew, and so is the summary.
            Token::Number(_) if writer.depth == 0 && place < last => {}
            Token::Comment(text) if place < first && earlier::is_summary(text) => {}
            token => writer.token(token, &raw.tokens[place + 1..]),
        }
        place += 1;
    }
    writer.finish(raw)
}

/// A game that cannot be annotated, or text beside games: as it is, but with balanced brackets.
pub fn copy(raw: &RawGame) -> String {
    let mut writer = Writer::new(if raw.tags.is_empty() { String::new() } else { tags(&raw.tags) });
    for (place, token) in raw.tokens.iter().enumerate() {
        writer.token(token, &raw.tokens[place + 1..]);
    }
    writer.finish(raw)
}

/// Tags as text, with an empty line after them.
fn tags(tags: &[(String, String)]) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    text + "\n"
}

/// The tags of the game, with what the analysis knows where they say nothing.
fn with_findings(raw: &RawGame, review: &GameReview) -> Vec<(String, String)> {
    let mut tags = raw.tags.clone();
    let mut add = |name: &str, value: &str| {
        let known = tags.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name));
        match known {
            None => tags.push((name.to_string(), value.to_string())),
            Some((_, old)) if old.is_empty() || old == "?" => *old = value.to_string(),
            Some(_) => {}
        }
    };
    if let Some(opening) = &review.opening {
        add("ECO", &opening.eco);
        add("Opening", &opening.full_name());
    }
    add("Annotator", concat!("Ajedrecista ", env!("CARGO_PKG_VERSION")));
    tags
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
    /// Nested side lines.
    depth: usize,
    /// True if the next move of the main line needs its number even for Black.
    needs_number: bool,
}

impl Writer {
    fn new(text: String) -> Writer {
        Writer { text, column: 0, depth: 0, needs_number: true }
    }

    /// The text with its brackets closed and a result.
    fn finish(mut self, raw: &RawGame) -> String {
        self.close(self.depth);
        // What gets tags here is a game for the next reader, whatever it was before.
        let is_game = raw.is_game() || self.text.starts_with('[');
        if is_game && !raw.tokens.iter().any(|token| matches!(token, Token::Result(_))) {
            self.word(raw.tag("Result").filter(|result| !result.is_empty()).unwrap_or("*"));
        }
        self.text + "\n\n"
    }

    /// Closes the last `count` side lines.
    fn close(&mut self, count: usize) {
        for _ in 0..count {
            self.word(")");
        }
        self.depth -= count;
        self.needs_number |= count > 0;
    }

    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        // At the beginning of a line these would be a tag and a line for other programs.
        let may_begin = !word.starts_with(['[', '%']);
        if self.column > 0 && self.column + 1 + width > WIDTH && may_begin {
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
        // A line of a comment must not look like a tag or a line for other programs either.
        let text = text.replace("\n%", "\n %").replace("\n[", "\n [");
        let text = text.replace('{', "(").replace('}', ")");
        self.word(&format!("{{{text}}}"));
        self.needs_number = true;
    }

    /// Writes a token; `rest` are those after it.
    fn token(&mut self, token: &Token, rest: &[Token]) {
        match token {
            Token::Result(text) => {
                // The result at the end of the game belongs to no side line, even if that was not closed.
                let is_last = rest.iter().all(|token| matches!(token, Token::Fault(_)));
                self.close(if is_last { self.depth } else { 0 });
                self.word(text);
            }
            Token::Move(text) | Token::Number(text) | Token::Unknown(text) => self.word(text),
            Token::Nag(nag) => self.word(&format!("${nag}")),
            Token::Comment(text) => self.comment(text),
            Token::Open => {
                self.depth += 1;
                self.word("(");
            }
            Token::Close => self.close(1),
            Token::Escape(line) => {
                let line_break = if self.column > 0 { "\n" } else { "" };
                let _ = writeln!(self.text, "{line_break}{line}");
                self.column = 0;
            }
            Token::Fault(_) => {}
        }
    }

    /// A move of the main line with its annotations; returns the place of the token after them.
    fn annotated_move(
        &mut self,
        raw: &RawGame,
        place: usize,
        (course, review, ply): (&Course, &GameReview, usize),
        texts: &Texts,
    ) -> usize {
        let m = review.moves.get(ply).and_then(Option::as_ref);
        let is_note = |token: &&Token| matches!(token, Token::Nag(_) | Token::Comment(_));
        let notes: Vec<&Token> = raw.tokens[place + 1..].iter().take_while(is_note).collect();
        let mut next = place + 1 + notes.len();
        let (mut nags, mut own, mut earlier_verdict) = (Vec::new(), Vec::new(), None);
        let mut fault = None;
        for note in notes {
            match note {
                // Some programs write a sign and its glyph: `Nf3!! $3`.
                Token::Nag(nag) if nags.contains(nag) => {}
                Token::Nag(nag) => nags.push(*nag),
                Token::Comment(text) if earlier::fault(text).is_some() => {
                    fault = Some(text.clone())
                }
                Token::Comment(text) => {
                    let (text, verdict) = earlier::without(text, m.map_or("", |m| &m.name));
                    earlier_verdict = earlier_verdict.or(verdict);
                    own.extend(Some(text).filter(|text| !text.is_empty()));
                }
                _ => {}
            }
        }
        match m {
            None => self.word(word_of(&raw.tokens[place])),
            Some(m) => {
                let (number, rest) = m.name.split_at(m.name.len() - m.san.len());
                if m.color.is_white() || self.needs_number {
                    self.word(number);
                }
                self.word(rest);
            }
        }
        self.needs_number = m.is_none();
        // The earlier glyph gives way to the new one in its place, the glyph of another annotator does not.
        let nag = m.and_then(|m| m.judgement).map(|judgement| judgement.nag());
        let earlier = earlier_verdict.map(|judgement| judgement.nag());
        match nags.iter().position(|known| Some(*known) == earlier) {
            Some(at) => drop(nags.splice(at..=at, nag)),
            None if nags.iter().any(|nag| (1..=6).contains(nag)) => {}
            None => nags.extend(nag),
        }
        nags.iter().for_each(|nag| self.word(&format!("${nag}")));

        let left_book = review.left_book.as_ref().filter(|(left, _)| *left == ply);
        let left_book =
            left_book.map(|(_, moves)| tell(texts, "book.left", &[("moves", &moves.join(", "))]));
        let eval = m.and_then(MoveReview::eval_text).map(|eval| format!("[%eval {eval}]"));
        let sentence = m.and_then(|m| sentence(m, texts));
        let parts: Vec<String> =
            eval.into_iter().chain(own).chain(left_book).chain(sentence).collect();
        if !parts.is_empty() {
            self.comment(&parts.join(" "));
        }
        if ply + 1 == course.moves.len() && course.is_cut() {
            let words = |error: &Broken| in_words(&error.fault, texts.lang);
            let error = course.error.as_ref().map(words).unwrap_or_default();
            fault = fault.or_else(|| Some(texts.fill("unread", &[("error", &error)])));
        }
        if let Some(fault) = fault {
            self.comment(&fault);
        }
        if earlier_verdict.is_some() {
            next = after_better_line(raw, next);
        }
        if let Some(m) = m.filter(|m| !m.better.is_empty()) {
            self.word("(");
            m.better.iter().for_each(|step| self.word(&step.name));
            self.word(")");
            self.needs_number = true;
        }
        next
    }
}

/// The text of a move as it is written.
fn word_of(token: &Token) -> &str {
    match token {
        Token::Move(text) => text,
        _ => "",
    }
}

/// The verdict with its reason, or the praise.
fn sentence(m: &MoveReview, texts: &Texts) -> Option<String> {
    let reason = m.reason.as_ref()?;
    let word = match m.judgement {
        Some(judgement) => earlier::verdict(texts, judgement),
        None => texts.get("praise.word").to_string(),
    };
    Some(format!("{word}. {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_break_between_lines_and_comments_stay_whole() {
        let mut writer = Writer::new(String::new());
        for _ in 0..30 {
            writer.word("Nbd7xe5");
        }
        writer.comment(&"long ".repeat(40));
        assert!(writer.text.lines().take(3).all(|line| line.len() <= WIDTH));
        assert_eq!(writer.text.matches("long ").count(), 40);
    }
}
