//! Games in PGN as they are written: tags and tokens, so that an annotated game keeps every comment, side
//! line and unknown word.
//!
//! The book builder's reader forgets what it does not need: `;` comments, words it does not know, and all
//! that follows an empty line inside a game. Here a game is a list of tokens, and nothing is forgotten.

use std::io::{self, BufRead, Read};
use std::iter::Peekable;
use std::str::Chars;

use shakmaty::san::San;

/// Greatest size of a game, in bytes: more is no game, and would fill the memory.
pub const LARGEST_GAME: usize = 16 << 20;

/// A part of the moves of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A move, or a null move.
    Move(String),
    /// A move number with its dots.
    Number(String),
    /// A numeric annotation glyph (NAG); `!?` and the like have theirs.
    Nag(u16),
    /// A comment, without its braces.
    Comment(String),
    /// The beginning of a side line.
    Open,
    /// The end of a side line.
    Close,
    /// The result.
    Result(String),
    /// A whole line that begins with a percent sign, for other programs.
    Escape(String),
    /// Any other word.
    Unknown(String),
}

/// A game as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawGame {
    /// Names and values of the tags, in order.
    pub tags: Vec<(String, String)>,
    /// All that follows the tags.
    pub tokens: Vec<Token>,
    /// True if the last comment has no end.
    pub is_open: bool,
}

impl RawGame {
    /// Reads the text of one game.
    pub fn parse(text: &str) -> RawGame {
        let mut game = RawGame::default();
        let mut rest = text;
        loop {
            let trimmed = rest.trim_start();
            match trimmed.strip_prefix('[') {
                Some(inside) => rest = game.read_tag(inside),
                None if trimmed.starts_with('%') => {
                    let end = trimmed.find('\n').unwrap_or(trimmed.len());
                    let (line, after) = trimmed.split_at(end);
                    game.tokens.push(Token::Escape(line.trim_end().to_string()));
                    rest = after;
                }
                None => break,
            }
        }
        game.read_moves(rest);
        game
    }

    /// The value of a tag. Case does not matter.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.trim())
    }

    /// Reads a tag after its bracket; returns the text after it. A tag without quotes is understood too.
    fn read_tag<'a>(&mut self, text: &'a str) -> &'a str {
        let end_of_line = text.find('\n').unwrap_or(text.len());
        let name_end = text
            .find(|c: char| c.is_whitespace() || "\"]".contains(c))
            .unwrap_or(text.len())
            .min(end_of_line);
        let (name, rest) = text.split_at(name_end);
        let rest = rest.trim_start_matches([' ', '\t']);
        let Some(quoted) = rest.strip_prefix('"') else {
            let end = rest.find(['\n', ']']).unwrap_or(rest.len());
            let (value, after) = rest.split_at(end);
            self.tags.push((name.to_string(), value.trim().to_string()));
            return after.strip_prefix(']').unwrap_or(after);
        };
        let mut value = String::new();
        let mut letters = quoted.char_indices();
        let mut end = quoted.len();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\\' => value.extend(letters.next().map(|(_, escaped)| escaped)),
                '"' | '\n' => {
                    end = at + 1;
                    break;
                }
                letter => value.push(letter),
            }
        }
        self.tags.push((name.to_string(), value));
        let after = &quoted[end..];
        after.trim_start_matches([' ', '\t']).strip_prefix(']').unwrap_or(after)
    }

    fn read_moves(&mut self, text: &str) {
        let mut letters = text.chars().peekable();
        let mut at_line_start = true;
        while let Some(letter) = letters.next() {
            let is_line_start = std::mem::replace(&mut at_line_start, letter == '\n');
            match letter {
                '%' if is_line_start => {
                    let line = until(&mut letters, '\n').0;
                    self.tokens.push(Token::Escape(format!("%{}", line.trim_end())));
                    at_line_start = true;
                }
                '{' => {
                    let (comment, is_closed) = until(&mut letters, '}');
                    self.is_open |= !is_closed;
                    self.tokens.push(Token::Comment(comment.replace('{', "(")));
                }
                ';' => {
                    let comment = until(&mut letters, '\n').0;
                    let comment = comment.trim().replace('{', "(").replace('}', ")");
                    self.tokens.push(Token::Comment(comment));
                    at_line_start = true;
                }
                '(' => self.tokens.push(Token::Open),
                ')' => self.tokens.push(Token::Close),
                letter if letter.is_whitespace() || letter == '\u{feff}' => {}
                letter => {
                    let mut word = letter.to_string();
                    let is_inside = |c: &char| !c.is_whitespace() && !"{};()".contains(*c);
                    while let Some(next) = letters.next_if(is_inside) {
                        word.push(next);
                    }
                    self.read_word(&word);
                }
            }
        }
    }

    /// Reads a word: `12.Nf3!?`, `$4`, `1-0`.
    fn read_word(&mut self, word: &str) {
        if is_result(word) {
            return self.tokens.push(Token::Result(word.to_string()));
        }
        if let Some(nag) = word.strip_prefix('$').and_then(|number| number.parse().ok()) {
            return self.tokens.push(Token::Nag(nag));
        }
        let is_castling = word.starts_with("0-0");
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let after_number = digits.trim_start_matches(['.', '…']);
        let is_number = !is_castling
            && after_number.len() < word.len()
            && (digits.len() != after_number.len() || digits.is_empty());
        if is_number {
            let number = &word[..word.len() - after_number.len()];
            self.tokens.push(Token::Number(number.to_string()));
            if !after_number.is_empty() {
                self.read_word(after_number);
            }
            return;
        }
        let bare = word.trim_end_matches(['!', '?']);
        let glyph = glyph(&word[bare.len()..]);
        if bare.is_empty() || is_move(bare) {
            if !bare.is_empty() {
                self.tokens.push(Token::Move(bare.to_string()));
            }
            self.tokens.extend(glyph.map(Token::Nag));
        } else if let Some((m, nag)) = bare.split_once('$')
            && is_move(m)
            && let Ok(nag) = nag.parse()
        {
            self.tokens.extend([Token::Move(m.to_string()), Token::Nag(nag)]);
        } else {
            self.tokens.push(Token::Unknown(word.to_string()));
        }
    }
}

/// The text up to `end`, which is taken too, and whether there was an end.
fn until(letters: &mut Peekable<Chars>, end: char) -> (String, bool) {
    let mut text = String::new();
    for letter in letters.by_ref() {
        if letter == end {
            return (text, true);
        }
        text.push(letter);
    }
    (text, false)
}

/// True for the marks that end a game.
fn is_result(word: &str) -> bool {
    ["1-0", "0-1", "1/2-1/2", "*", "½-½", "1–0", "0–1"].contains(&word)
}

/// True for words that look like a move, legal or not.
fn is_move(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#']);
    let word = word.strip_suffix("e.p.").unwrap_or(word);
    let is_castling = ["0-0", "0-0-0"].contains(&word);
    is_castling
        || San::from_ascii(word.as_bytes()).is_ok()
        || word.parse::<shakmaty::uci::UciMove>().is_ok()
}

/// The glyph of `!`, `?` and their pairs.
fn glyph(marks: &str) -> Option<u16> {
    ["!", "?", "!!", "??", "!?", "?!"]
        .iter()
        .position(|known| *known == marks)
        .map(|at| at as u16 + 1)
}

/// Reads the texts of one game after another. Text that is not UTF-8 is read as Latin-1, the character set
/// of the PGN standard.
pub struct GameTexts<R> {
    source: R,
    line: Vec<u8>,
    /// Bytes of the line that belong to games already read.
    used: usize,
}

/// The place of the splitter in a game.
#[derive(Default)]
struct Place {
    has_moves: bool,
    has_ended: bool,
    in_comment: bool,
    /// Open side lines.
    depth: usize,
    after_empty_line: bool,
}

impl Place {
    /// Goes through a line; returns the offset at which the next game begins in it.
    fn walk(&mut self, line: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(&byte) = line.get(at) {
            let rest = &line[at..];
            if self.in_comment {
                match rest.iter().position(|&byte| byte == b'}') {
                    Some(end) => at += end + 1,
                    None => return None,
                }
                self.in_comment = false;
                continue;
            }
            match byte {
                b'{' => self.in_comment = true,
                b';' => return None,
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                // The end of no comment stands for nothing.
                byte if byte.is_ascii_whitespace() || byte == b'}' => {}
                _ => {
                    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"{};()".contains(byte);
                    let length = rest.iter().position(is_end).unwrap_or(rest.len());
                    let word = String::from_utf8_lossy(&rest[..length]);
                    if self.has_ended && self.depth == 0 && !is_result(&word) {
                        return Some(at);
                    }
                    self.has_moves = true;
                    self.has_ended |= self.depth == 0 && is_result(&word);
                    at += length;
                    continue;
                }
            }
            at += 1;
        }
        None
    }
}

impl<R: BufRead> GameTexts<R> {
    /// The games of `source`.
    pub fn new(source: R) -> GameTexts<R> {
        GameTexts { source, line: Vec::new(), used: 0 }
    }

    /// The text of the next game; `None` at the end.
    ///
    /// # Errors
    /// Unreadable input, such as a broken archive, and a game of more than [`LARGEST_GAME`] bytes.
    pub fn next_text(&mut self) -> io::Result<Option<String>> {
        let mut text = Vec::new();
        let mut place = Place::default();
        while self.has_text()? {
            let line = &self.line[self.used..];
            let start = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii_start();
            let is_tag = start.starts_with(b"[");
            // A comment without an end must not swallow the games after it.
            let is_lost =
                place.in_comment && place.after_empty_line && start.starts_with(b"[Event ");
            if is_lost || is_tag && !place.in_comment && place.has_moves {
                break;
            }
            let is_plain = place.in_comment || !(is_tag || start.starts_with(b"%"));
            place.after_empty_line = start.is_empty();
            let end = if is_plain { place.walk(line) } else { None };
            let length = end.unwrap_or(line.len());
            if text.len() + length > LARGEST_GAME {
                let fault = format!("a game has more than {} MB", LARGEST_GAME >> 20);
                return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
            }
            text.extend_from_slice(&line[..length]);
            self.used += length;
            if end.is_some() {
                break;
            }
        }
        let text = String::from_utf8(text)
            .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
        let is_empty = text.trim_start_matches('\u{feff}').trim().is_empty();
        Ok((!is_empty).then_some(text))
    }

    /// Reads a line if all of the last one is used. False at the end of the source.
    fn has_text(&mut self) -> io::Result<bool> {
        if self.used == self.line.len() {
            self.used = 0;
            self.line.clear();
            // A line without an end must not fill the memory.
            let mut limited = self.source.by_ref().take(LARGEST_GAME as u64 + 1);
            limited.read_until(b'\n', &mut self.line)?;
        }
        Ok(!self.line.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &[u8]) -> Vec<String> {
        let mut source = GameTexts::new(text);
        std::iter::from_fn(|| source.next_text().unwrap()).collect()
    }

    fn moves(text: &str) -> Vec<String> {
        let moves = RawGame::parse(text).tokens.into_iter().filter_map(|token| match token {
            Token::Move(m) => Some(m),
            _ => None,
        });
        moves.collect()
    }

    #[test]
    fn a_game_without_an_end_is_refused_in_bounded_memory() {
        for endless in [&b"x"[..], b"a\n", b"e4 "] {
            let bytes = endless.iter().copied().cycle().take(4 * LARGEST_GAME);
            let bytes: Vec<u8> = b"[Event \"x\"]\n\n1. e4 {".iter().copied().chain(bytes).collect();
            let mut games = GameTexts::new(&bytes[..]);
            let error = games.next_text().unwrap_err();
            assert_eq!(error.to_string(), "a game has more than 16 MB");
            assert!(games.line.capacity() <= 4 * LARGEST_GAME);
        }
        // Many games on one line are no great game.
        let many = "1. e4 * ".repeat(3 << 20);
        assert_eq!(texts(&many.as_bytes()[..8 << 10]).len(), 1 << 10);
        let mut games = GameTexts::new(many.as_bytes());
        assert_eq!(games.next_text().unwrap().unwrap(), "1. e4 * ");
    }

    #[test]
    fn games_are_split_at_tags_and_results() {
        let text = b"[Event \"a\"]\n\n1. e4 {[Event \"no\"]\n[x]} (1. d4 *) e5 1-0 {resigns}\n\n[Event \"b\"]\n\
            1. d4\n\nd5 2. c4\n[Event \"c\"]\n\n*\n1. Nf3 d5 * 1. c4 *";
        let found = texts(text);
        assert_eq!(found.len(), 5, "{found:#?}");
        assert!(found[0].ends_with("{resigns}\n\n"));
        assert_eq!(moves(&found[1]), ["d4", "d5", "c4"], "an empty line ends no game");
        assert_eq!(moves(&found[3]), ["Nf3", "d5"]);
        assert_eq!(moves(&found[4]), ["c4"]);
    }

    #[test]
    fn an_unclosed_comment_costs_one_game() {
        let found = texts(b"[Event \"a\"]\n\n1. e4 {no end\n\n[Event \"b\"]\n\n1. d4 *\n");
        assert_eq!(found.len(), 2);
        assert!(RawGame::parse(&found[0]).is_open && !RawGame::parse(&found[1]).is_open);
    }

    #[test]
    fn latin_1_and_byte_order_marks_are_read() {
        let found = texts(b"\xef\xbb\xbf[White \"Ana\"]\n\n1. e4 *\n");
        assert_eq!(
            RawGame::parse(found[0].trim_start_matches('\u{feff}')).tag("white"),
            Some("Ana")
        );
        let found = texts(b"[White \"Garc\xeda\"]\n\n1. e4 *\n");
        assert_eq!(RawGame::parse(&found[0]).tag("White"), Some("Garc\u{ed}a"));
    }

    #[test]
    fn every_kind_of_token() {
        let game = RawGame::parse(
            "[White \"A \\\"B\\\" \\\\\"] [Black x y]\n% escape\n12.Nf3!? $14 13... O-O-O+ 0-0 e8=Q# \
             (1.-- Z0 {a {b}) ; rest } of line\n%no\nN 14. e4$2 e2e4 P@e4 1/2-1/2",
        );
        assert_eq!(game.tag("White"), Some("A \"B\" \\"));
        assert_eq!(game.tag("Black"), Some("x y"));
        let word = |text: &str| text.to_string();
        assert_eq!(
            game.tokens,
            [
                Token::Escape(word("% escape")),
                Token::Number(word("12.")),
                Token::Move(word("Nf3")),
                Token::Nag(5),
                Token::Nag(14),
                Token::Number(word("13...")),
                Token::Move(word("O-O-O+")),
                Token::Move(word("0-0")),
                Token::Move(word("e8=Q#")),
                Token::Open,
                Token::Number(word("1.")),
                Token::Move(word("--")),
                Token::Move(word("Z0")),
                Token::Comment(word("a (b")),
                Token::Close,
                Token::Comment(word("rest ) of line")),
                Token::Escape(word("%no")),
                Token::Unknown(word("N")),
                Token::Number(word("14.")),
                Token::Move(word("e4")),
                Token::Nag(2),
                Token::Move(word("e2e4")),
                Token::Move(word("P@e4")),
                Token::Result(word("1/2-1/2")),
            ]
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read_to_its_end(text in "([\\[\\]{}();%$.*\"\\\\ \n\r-]|[a-hNKO0-9=+x/]){0,300}") {
            for text in texts(text.as_bytes()) {
                RawGame::parse(&text);
            }
        }

        #[test]
        fn no_byte_is_lost(bytes in prop::collection::vec(0_u8..128, 0..400)) {
            let found: usize = texts(&bytes).iter().map(|text| text.trim().len()).sum();
            let gaps = bytes.iter().filter(|byte| byte.is_ascii_whitespace()).count();
            prop_assert!(found + gaps + 10 >= bytes.len());
        }
    }
}
