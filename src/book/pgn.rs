//! A tokenizer for PGN: headers and the tokens of the main line, each with its line.
//!
//! Comments, side lines and annotations are skipped. Everything else is handed on, because a skipped token
//! would silently change a game. (The pgn-reader library skips tokens that it cannot read.) Memory is
//! bounded by the longest line.

use std::borrow::Cow;
use std::io::{self, BufRead};

use crate::input::{self, Line, Lines};

/// Receives the parts of one game after another.
pub trait Receiver {
    /// A header of the game.
    fn header(&mut self, line: usize, name: &str, value: &str);

    /// A token of the main line: a move, a move number, a result or anything else.
    fn token(&mut self, line: usize, token: &str);

    /// The text is broken here. The game ends with the next [`Receiver::end`].
    fn error(&mut self, line: usize, error: &str);

    /// The game is over.
    fn end(&mut self, line: usize);
}

/// The part of a game that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Between two games.
    Nothing,
    Headers,
    /// An empty line after the headers was read.
    HeadersEnded,
    Moves,
}

/// Splits a text into the parts of its games.
struct Tokenizer<'a, R: Receiver> {
    receiver: &'a mut R,
    part: Part,
    line: usize,
    is_comment: bool,
    /// Nested side lines.
    depth: u32,
}

/// Reads `source` to its end.
///
/// # Errors
/// The source's errors; the game until then is ended.
pub fn read(source: impl BufRead, receiver: &mut impl Receiver) -> io::Result<()> {
    let mut lines = Lines::new(source);
    let mut tokenizer =
        Tokenizer { receiver, part: Part::Nothing, line: 0, is_comment: false, depth: 0 };
    let result = loop {
        match lines.next_line() {
            Ok(Some(line)) => {
                if line.number == 1
                    && let Err(error) = input::refuse_wide(line.bytes)
                {
                    break Err(error);
                }
                tokenizer.line(line);
            }
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    if tokenizer.is_comment {
        tokenizer.fault("a comment has no end");
    }
    tokenizer.end();
    result
}

impl<R: Receiver> Tokenizer<'_, R> {
    fn line(&mut self, line: Line) {
        self.line = line.number;
        let text = line.bytes.trim_ascii();
        if self.is_comment && is_first_header(text) {
            // The comment has swallowed a game, or part of one.
            self.fault("a comment has no end");
            self.end();
        }
        if !self.is_comment {
            if text.is_empty() {
                return self.empty_line();
            }
            // A line that begins with % is reserved for other programs.
            if line.bytes.first() == Some(&b'%') {
                return;
            }
            if text.first() == Some(&b'[') {
                return self.headers(text, line.is_cut);
            }
        }
        self.moves(text);
        if line.is_cut {
            self.fault("the line is longer than 16 MB");
        }
    }

    fn empty_line(&mut self) {
        match self.part {
            Part::Moves => self.end(),
            Part::Headers => self.part = Part::HeadersEnded,
            Part::Nothing | Part::HeadersEnded => {}
        }
    }

    /// One header or several: `[White "Ann"] [Black "Bob"]`.
    fn headers(&mut self, text: &[u8], is_cut: bool) {
        if self.part != Part::Headers {
            self.end();
            self.part = Part::Headers;
        }
        let mut rest = text;
        while rest.first() == Some(&b'[') {
            match header(rest).filter(|_| !is_cut) {
                Some((name, value, after)) => {
                    self.receiver.header(self.line, &name, &value);
                    rest = after.trim_ascii_start();
                }
                None => {
                    return self.fault("the header is unreadable; it looks like [White \"Name\"]");
                }
            }
        }
        self.moves(rest);
    }

    /// The tokens of a line.
    fn moves(&mut self, mut text: &[u8]) {
        while let [first, rest @ ..] = text {
            text = rest;
            if self.is_comment {
                self.is_comment = *first != b'}';
                continue;
            }
            match first {
                b'{' => self.is_comment = true,
                b';' => return,
                b'(' => self.depth += 1,
                b')' if self.depth > 0 => self.depth -= 1,
                byte if byte.is_ascii_whitespace() => {}
                _ => {
                    let ends = |&byte: &u8| byte.is_ascii_whitespace() || b"{};()".contains(&byte);
                    let length = rest.iter().position(ends).unwrap_or(rest.len());
                    let (token, after) = rest.split_at(length);
                    text = after;
                    if self.depth == 0 {
                        self.token(&[&[*first], token].concat());
                    }
                }
            }
        }
    }

    fn token(&mut self, token: &[u8]) {
        let token = input::decode(token);
        let token = plain(&token);
        if is_annotation(&token) {
            return;
        }
        self.part = Part::Moves;
        self.receiver.token(self.line, &token);
        if is_result(&token) {
            self.end();
        }
    }

    fn fault(&mut self, error: &str) {
        if self.part == Part::Nothing {
            self.part = Part::Moves;
        }
        self.receiver.error(self.line, error);
    }

    /// Ends the current game, if there is one.
    fn end(&mut self) {
        if self.depth > 0 && self.part != Part::Nothing {
            self.receiver.error(self.line, "a side line has no end");
        }
        (self.depth, self.is_comment) = (0, false);
        if self.part != Part::Nothing {
            self.part = Part::Nothing;
            self.receiver.end(self.line);
        }
    }
}

/// True for the header that every game begins with.
fn is_first_header(text: &[u8]) -> bool {
    text.starts_with(b"[Event \"") && text.ends_with(b"\"]")
}

/// Name and value of the header that `text` begins with, and the text after it.
fn header(text: &[u8]) -> Option<(String, String, &[u8])> {
    let text = text.strip_prefix(b"[")?.trim_ascii_start();
    let quote = text.iter().position(|&byte| byte == b'"')?;
    let (name, text) = (text.get(..quote)?.trim_ascii_end(), text.get(quote + 1..)?);
    let is_name = !name.is_empty() && name.iter().all(|byte| !byte.is_ascii_whitespace());
    // Quotes inside a value should be escaped, but often are not: the last one stands before a bracket.
    let is_end = |at: usize| {
        let after = text.get(at + 1..).unwrap_or_default().trim_ascii_start();
        text.get(at) == Some(&b'"') && after.first() == Some(&b']')
    };
    let is_escaped = |at: usize| at > 0 && text.get(at - 1) == Some(&b'\\');
    let end = (0..text.len()).find(|&at| is_end(at) && !is_escaped(at))?;
    let value = input::decode(text.get(..end)?).replace("\\\"", "\"").replace("\\\\", "\\");
    let after = text.get(end..)?;
    let bracket = after.iter().position(|&byte| byte == b']')?;
    is_name.then(|| {
        (input::decode(name).into_owned(), value.trim().to_string(), &after[bracket + 1..])
    })
}

/// The token with letters and a hyphen for figurines and dashes.
fn plain(token: &str) -> Cow<'_, str> {
    if token.is_ascii() {
        return Cow::Borrowed(token);
    }
    let letter = |c: char| match c {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        '–' | '—' | '−' => '-',
        c => c,
    };
    Cow::Owned(token.chars().map(letter).collect::<String>().replace('½', "1/2"))
}

/// True for glyphs and signs that annotate a move: `$5`, `!?`, `+-`, `N` for a novelty.
fn is_annotation(token: &str) -> bool {
    let is_glyph = token.strip_prefix('$').is_some_and(|digits| digits.parse::<u32>().is_ok());
    let is_sign = |c: char| !c.is_alphanumeric() && !"*})".contains(c);
    let is_sign = token.chars().all(is_sign) && token != "--";
    is_glyph || is_sign || ["N", "D", "e.p.", "ep"].contains(&token)
}

/// True for the results that end a game.
pub fn is_result(token: &str) -> bool {
    ["1-0", "0-1", "1/2-1/2", "1/2", "*"].contains(&token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Seen(Vec<String>);

    impl Receiver for Seen {
        fn header(&mut self, line: usize, name: &str, value: &str) {
            self.0.push(format!("{line} {name}={value}"));
        }

        fn token(&mut self, line: usize, token: &str) {
            self.0.push(format!("{line} {token}"));
        }

        fn error(&mut self, line: usize, error: &str) {
            self.0.push(format!("{line}! {error}"));
        }

        fn end(&mut self, line: usize) {
            self.0.push(format!("{line}."));
        }
    }

    fn parts(text: &str) -> String {
        let mut seen = Seen::default();
        read(text.as_bytes(), &mut seen).unwrap();
        seen.0.join("|")
    }

    #[test]
    fn headers_tokens_and_ends() {
        let text = "[White \"Ann \\\"A\\\" B\"]\n[Black \"Bob \"Big\" C\"] [Round \"1\"]\n\n\
                    1. e4 {a\n\nb} e5 (1... c5 (1... c6) 2. Nf3)\n2.Nf3!? $4 +- 1-0 {won}\n\n1. d4 *";
        let wanted = "1 White=Ann \"A\" B|2 Black=Bob \"Big\" C|2 Round=1|4 1.|4 e4|6 e5|7 2.Nf3!?\
                      |7 1-0|7.|9 1.|9 d4|9 *|9.";
        assert_eq!(parts(text), wanted);
    }

    #[test]
    fn figurines_and_dashes_become_letters() {
        assert_eq!(parts("♘f3 0–0 ½-½"), "1 Nf3|1 0-0|1 1/2-1/2|1.");
    }

    #[test]
    fn a_line_for_other_programs_and_the_rest_after_a_semicolon_are_skipped() {
        assert_eq!(parts("e4 ; e5 is best\n% 1. d4\nc5 *"), "1 e4|3 c5|3 *|3.");
    }

    #[test]
    fn broken_texts_are_reported_and_do_not_swallow_the_next_game() {
        let wanted = "1 e4|2! a comment has no end|2.|2 Event=X|4 d4|4 *|4.";
        assert_eq!(parts("e4 {never\n[Event \"X\"]\n\nd4 *"), wanted);
        assert_eq!(parts("e4 (c5\n\nd4 *"), "1 e4|2! a side line has no end|2.|3 d4|3 *|3.");
        assert!(parts("[White]\n\ne4 *").contains("1! the header is unreadable"));
        assert_eq!(parts("e4 } *"), "1 e4|1 }|1 *|1.");
        assert_eq!(parts("[White \"A\"]\n\n[White \"B\"]\n"), "1 White=A|3.|3 White=B|3.");
    }
}
