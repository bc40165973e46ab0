//! Splits a text into games, line by line, in memory that is bounded by the longest game.

use std::collections::{HashSet, VecDeque};
use std::io::{self, BufRead};

use super::{Course, Fault, Letters, RawGame, Token, word};
use crate::input::{self, Line, Lines};
use crate::rules::notation::{LANGUAGES, plain, plain_with};

/// Greatest size of a game, in bytes: more is no game, and would fill the memory.
const LARGEST_GAME: usize = 8 << 20;

/// Reads one game after another. Text that is not UTF-8 is read as Windows-1252, which has the letters of
/// Latin-1, the character set of the PGN standard.
pub struct Games<R> {
    lines: Lines<R>,
    splitter: Splitter,
    is_over: bool,
}

impl<R: BufRead> Games<R> {
    /// The games of `source`. A game ends with its result, where the tags of the next one begin, or at a move
    /// number 1 after an empty line.
    pub fn new(source: R) -> Games<R> {
        Games { lines: Lines::new(source), splitter: Splitter::default(), is_over: false }
    }

    /// The games of `source`, where an empty line after moves ends a game without tags too, as in lists of
    /// lines.
    pub fn by_paragraph(source: R) -> Games<R> {
        let mut games = Games::new(source);
        games.splitter.by_paragraph = true;
        games
    }

    /// The next game; `None` at the end.
    ///
    /// # Errors
    /// Unreadable input, such as a broken archive, and text in UTF-16. The game before comes first.
    pub fn next_game(&mut self) -> io::Result<Option<RawGame>> {
        loop {
            if let Some(game) = self.splitter.ready.pop_front() {
                return Ok(Some(game.in_san().unwrap_or(game)));
            }
            if self.is_over {
                return self.splitter.error.take().map_or(Ok(None), Err);
            }
            let read = self.lines.next_line().and_then(|line| {
                if let Some(line) = &line
                    && line.number == 1
                {
                    input::refuse_wide(line.bytes)?;
                }
                Ok(line)
            });
            match read {
                Ok(Some(line)) => self.splitter.line(&line),
                Ok(None) => self.is_over = true,
                Err(error) => (self.is_over, self.splitter.error) = (true, Some(error)),
            }
            if self.is_over {
                self.splitter.end();
            }
        }
    }

    /// The number of the line read last, from 1.
    pub fn line(&self) -> usize {
        self.splitter.line
    }
}

/// The part of a game that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Part {
    /// Remarks before the first tag or move.
    #[default]
    Nothing,
    Tags,
    /// An empty line after the tags was read.
    TagsEnded,
    Moves,
    /// An empty line after moves was read.
    MovesPaused,
    /// The result was read.
    Result,
}

/// Collects the parts of a game.
#[derive(Default)]
struct Splitter {
    by_paragraph: bool,
    letters: Letters,
    line: usize,
    part: Part,
    /// The names of the game's tags in small letters.
    names: HashSet<String>,
    /// The comment that is open.
    comment: Option<Vec<u8>>,
    /// The line in which it began.
    comment_line: usize,
    /// The lines in which the open side lines began.
    side_lines: Vec<usize>,
    text: Vec<u8>,
    game: RawGame,
    ready: VecDeque<RawGame>,
    error: Option<io::Error>,
}

impl Splitter {
    fn line(&mut self, line: &Line) {
        // Files that were joined have byte order marks inside.
        let bytes = input::without_mark(line.bytes);
        let text = bytes.trim_ascii();
        if self.comment.is_some() && is_first_tag(text) {
            // The comment has swallowed a game, or part of one.
            self.line = line.number;
            self.end();
        }
        self.line = line.number;
        if self.comment.is_some() {
            self.walk(bytes, 0);
        } else if text.is_empty() {
            self.empty_line();
            self.keep(b"");
        } else if bytes.first() == Some(&b'%') {
            let text = input::decode_visible(bytes.trim_ascii_end()).into_owned();
            self.add(Token::Escape(text));
            self.keep(bytes);
        } else if text.first() == Some(&b'[') {
            self.tags(bytes);
        } else {
            self.walk(bytes, 0);
        }
        if line.is_cut {
            self.add(Token::Fault(Fault::LongLine));
        }
        if self.text.len() > LARGEST_GAME {
            self.add(Token::Fault(Fault::LongGame));
            self.end();
        }
    }

    fn add(&mut self, token: Token) {
        self.add_at(self.line, token);
    }

    fn add_at(&mut self, line: usize, token: Token) {
        self.game.tokens.push(token);
        self.game.lines.push(line);
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.keep_part(bytes);
        self.text.push(b'\n');
    }

    fn keep_part(&mut self, bytes: &[u8]) {
        if self.text.is_empty() {
            self.game.first_line = self.line;
        }
        self.text.extend_from_slice(bytes);
    }

    fn empty_line(&mut self) {
        match self.part {
            Part::Result if self.by_paragraph => self.end(),
            Part::Moves | Part::MovesPaused if self.by_paragraph && self.game.tags.is_empty() => {
                self.end();
            }
            Part::Moves => self.part = Part::MovesPaused,
            Part::Tags => self.part = Part::TagsEnded,
            _ => {}
        }
    }

    /// One tag or several: `[White "Ann"] [Black "Bob"]`, and what follows them in the line.
    fn tags(&mut self, bytes: &[u8]) {
        let mut rest = bytes.trim_ascii_start();
        let (name, ..) = tag(rest);
        // Some files have an empty line after every line: only a tag that is there already begins a game.
        let name = name.to_ascii_lowercase();
        let goes_on = match self.part {
            Part::Nothing | Part::Tags => true,
            Part::TagsEnded => name != "event" && !self.names.contains(&name),
            Part::Moves | Part::MovesPaused | Part::Result => false,
        };
        if !goes_on {
            self.end();
        }
        self.part = Part::Tags;
        while rest.first() == Some(&b'[') {
            let (name, value, is_whole, after) = tag(rest);
            if !is_whole || name.is_empty() {
                self.add(Token::Fault(Fault::Tag));
            }
            self.names.insert(name.to_ascii_lowercase());
            self.game.tags.push((name, value));
            rest = after.trim_ascii_start();
        }
        self.walk(bytes, bytes.len() - rest.len());
    }

    /// The tokens of a line from `at` on.
    fn walk(&mut self, bytes: &[u8], mut at: usize) {
        let mut start = 0;
        while let Some(&byte) = bytes.get(at) {
            let rest = &bytes[at..];
            if let Some(comment) = &mut self.comment {
                let end = rest.iter().position(|&byte| byte == b'}');
                comment.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
                at += end.map_or(rest.len(), |end| end + 1);
                if end.is_some() {
                    self.end_comment();
                }
                continue;
            }
            match byte {
                b'{' => (self.comment, self.comment_line) = (Some(Vec::new()), self.line),
                b';' => {
                    self.comment = Some(rest[1..].trim_ascii().to_vec());
                    self.end_comment();
                    break;
                }
                b'(' => {
                    self.side_lines.push(self.line);
                    self.add(Token::Open);
                }
                b')' if self.side_lines.pop().is_some() => self.add(Token::Close),
                b')' | b'}' => self.add(Token::Fault(Fault::StrayBracket)),
                byte if byte.is_ascii_whitespace() => {}
                _ => {
                    let length = word_length(rest, self.letters);
                    let text = input::decode(&rest[..length]);
                    // No-break spaces and the like part words too.
                    for text in text.split(|c: char| c.is_whitespace() || c == '\u{200b}') {
                        let text = match self.letters {
                            Some(letters) => plain_with(text, letters),
                            None => plain(text),
                        };
                        let text = input::decode_visible(text.as_bytes());
                        let tokens = word::read(&text, self.is_after_move(), self.letters);
                        if self.begins_game(&tokens) {
                            self.keep_part(&bytes[start..at]);
                            self.end();
                            start = at;
                        }
                        self.word(tokens);
                    }
                    at += length;
                    continue;
                }
            }
            at += 1;
        }
        if let Some(comment) = &mut self.comment {
            comment.push(b'\n');
        }
        self.keep(&bytes[start..]);
    }

    /// True if what stands before is a move with its glyphs, comments and side lines.
    fn is_after_move(&self) -> bool {
        // A stray bracket is left out when the game is written again, so it may not matter here.
        let is_aside = |token: &&Token| {
            let stray = Fault::StrayBracket;
            matches!(token, Token::Comment(_) | Token::Escape(_)) || **token == Token::Fault(stray)
        };
        let last = self.game.tokens.iter().rev().find(|token| !is_aside(token));
        matches!(last, Some(Token::Move(_) | Token::Nag(_) | Token::Close))
    }

    /// True if these tokens of a word cannot belong to the game that is being read.
    fn begins_game(&self, tokens: &[Token]) -> bool {
        let is_text =
            |token: &Token| matches!(token, Token::Number(_) | Token::Move(_) | Token::Unknown(_));
        let is_one =
            |token: &Token| matches!(token, Token::Number(text) if text == "1." || text == "1");
        self.side_lines.is_empty()
            && match self.part {
                Part::Result => tokens.iter().any(is_text),
                Part::MovesPaused => tokens.first().is_some_and(is_one),
                _ => false,
            }
    }

    /// Adds the tokens of a word.
    fn word(&mut self, tokens: Vec<Token>) {
        if self.side_lines.is_empty() && !tokens.is_empty() {
            let is_end = |token: &Token| matches!(token, Token::Result(_));
            let has_ended = self.part == Part::Result || tokens.iter().any(is_end);
            self.part = if has_ended { Part::Result } else { Part::Moves };
        }
        tokens.into_iter().for_each(|token| self.add(token));
    }

    fn end_comment(&mut self) {
        let comment = self.comment.take().unwrap_or_default();
        let comment = input::decode_visible(&comment).replace('{', "(").replace('}', ")");
        self.add(Token::Comment(comment));
    }

    /// Ends the current game, if there is one.
    fn end(&mut self) {
        if self.comment.is_some() {
            self.end_comment();
            self.add_at(self.comment_line, Token::Fault(Fault::OpenComment));
        }
        if let Some(&line) = self.side_lines.first() {
            self.add_at(line, Token::Fault(Fault::OpenSideLine));
        }
        let text = std::mem::take(&mut self.text);
        let mut game = std::mem::take(&mut self.game);
        self.part = Part::Nothing;
        self.side_lines.clear();
        self.names.clear();
        if !text.trim_ascii().is_empty() {
            game.text = input::decode(&text).into_owned();
            game.letters = self.letters;
            self.ready.push_back(game);
        }
    }
}

/// The length of the word that `text` begins with. A promotion's piece may stand in brackets: `b8(Q)`.
fn word_length(text: &[u8], letters: Letters) -> usize {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"{};()".contains(byte);
    let length = text.iter().position(is_end).unwrap_or(text.len()).max(1);
    match (&text[..length], &text[length..]) {
        ([.., b'1' | b'8' | b'='], [b'(', piece, b')', ..])
            if letters.unwrap_or("KQRBN").as_bytes().contains(piece) =>
        {
            length + 3
        }
        _ => length,
    }
}

impl RawGame {
    /// The game in SAN, if its moves have the letters of another language. SAN is the standard: what can be followed to
    /// its end by it is in SAN. A game with a fault is read by the letters that lead furthest, so that the fault is named
    /// and not the first of its letters; if two languages lead as far as each other, it stays as it is.
    pub fn in_san(&self) -> Option<RawGame> {
        if self.letters.is_some() || self.is_cut().is_some() {
            return None;
        }
        let written = LANGUAGES.into_iter().filter(|letters| self.may_have(letters));
        let mut written = written.peekable();
        written.peek()?;
        let here = self.reach();
        let read = written.filter_map(|letters| self.read_again(letters));
        let further = read.map(|game| (game.reach(), game)).filter(|(reach, _)| *reach > here);
        let mut further: Vec<(usize, RawGame)> = further.collect();
        further.sort_by_key(|(reach, _)| *reach);
        let (reach, game) = further.pop()?;
        further.last().is_none_or(|(second, _)| *second < reach).then_some(game)
    }

    /// How far the game can be followed, in half-moves; a game that is followed to its end is beyond all others.
    fn reach(&self) -> usize {
        match Course::follow(self) {
            Ok(course) if !course.is_cut() && !course.moves.is_empty() => usize::MAX,
            Ok(course) => course.moves.len(),
            Err(_) => 0,
        }
    }

    /// True if the moves of the main line have letters of a language, and none that only SAN has: without following the
    /// game this tells nearly all games in SAN.
    fn may_have(&self, letters: &str) -> bool {
        let mut has_own = false;
        for place in self.main_line() {
            let word = match &self.tokens[place] {
                Token::Move(word) | Token::Unknown(word) => word.as_str(),
                // A D after a move is the sign of a diagram, as it seems of e8=D, too.
                Token::Nag(220) => "D",
                _ => continue,
            };
            if word.contains(|c: char| "KQRBN".contains(c) && !letters.contains(c)) {
                return false;
            }
            has_own |= word.contains(|c: char| letters.contains(c));
        }
        has_own
    }

    /// The same text read by the letters of a language.
    fn read_again(&self, letters: &'static str) -> Option<RawGame> {
        let mut splitter = Splitter { letters: Some(letters), ..Splitter::default() };
        for (number, line) in (self.first_line..).zip(self.text.lines()) {
            splitter.line(&Line { number, bytes: line.as_bytes(), is_cut: false });
        }
        splitter.end();
        let game = splitter.ready.pop_front().filter(|_| splitter.ready.is_empty())?;
        Some(RawGame { tags: self.tags.clone(), ..game })
    }
}

/// True for the tag that every game begins with.
fn is_first_tag(text: &[u8]) -> bool {
    text.starts_with(b"[Event \"") && text.ends_with(b"\"]")
}

/// Name and value of the tag that `text` begins with, whether it is whole, and the text after it.
fn tag(text: &[u8]) -> (String, String, bool, &[u8]) {
    let text = text.get(1..).unwrap_or_default().trim_ascii_start();
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"]".contains(byte);
    let (name, rest) = text.split_at(text.iter().position(is_end).unwrap_or(text.len()));
    let name = input::decode_visible(name).into_owned();
    let rest = rest.trim_ascii_start();
    let Some(quoted) = rest.strip_prefix(b"\"") else {
        let end = rest.iter().position(|&byte| byte == b']').unwrap_or(rest.len());
        let (value, after) = rest.split_at(end);
        let value = input::decode_visible(value.trim_ascii()).into_owned();
        return (name, value, false, after.get(1..).unwrap_or_default());
    };
    let (mut value, mut at) = (Vec::new(), 0);
    while let Some(&byte) = quoted.get(at) {
        match (byte, quoted.get(at + 1)) {
            (b'\\', Some(b'"' | b'\\')) => {
                value.push(quoted[at + 1]);
                at += 1;
            }
            // Quotes inside a value should be escaped, but often are not: the last one stands before a bracket.
            (b'"', _) => {
                if let Some(after) = quoted[at + 1..].trim_ascii_start().strip_prefix(b"]") {
                    let value = input::decode_visible(value.trim_ascii()).into_owned();
                    return (name, value, true, after);
                }
                value.push(byte);
            }
            _ => value.push(byte),
        }
        at += 1;
    }
    (name, input::decode_visible(value.trim_ascii()).into_owned(), false, &[])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::remark::Remark;

    fn texts(text: &[u8]) -> Vec<String> {
        let mut source = Games::new(text);
        std::iter::from_fn(|| source.next_game().unwrap()).map(|game| game.text).collect()
    }

    /// What a book sees: tags and the main line, each token with its line.
    fn parts(text: &str) -> String {
        let mut source = Games::by_paragraph(text.as_bytes());
        let games = std::iter::from_fn(|| source.next_game().unwrap());
        let games = games.map(|game| {
            let tags = game.tags.iter().map(|(name, value)| format!("{name}={value}"));
            let tokens = game.main_line().map(|place| {
                let line = game.lines[place];
                match &game.tokens[place] {
                    Token::Fault(fault) => format!("{line}! {}", Remark::from(*fault)),
                    Token::Move(text) | Token::Number(text) => format!("{line} {text}"),
                    Token::Result(text) | Token::Unknown(text) => format!("{line} {text}"),
                    _ => String::new(),
                }
            });
            tags.chain(tokens).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("|")
        });
        games.collect::<Vec<_>>().join(" / ")
    }

    #[test]
    fn headers_tokens_and_ends() {
        let text = "[White \"Ann \\\"A\\\" B\"]\n[Black \"Bob \"Big\" C\"] [Round \"1\"]\n\n\
                    1. e4 {a\n\nb} e5 (1... c5 (1... c6) 2. Nf3)\n2.Nf3!? $4 1-0 {won}\n\n1. d4 *";
        let wanted = "White=Ann \"A\" B|Black=Bob \"Big\" C|Round=1|4 1.|4 e4|6 e5|7 2.|7 Nf3|7 1-0 \
                      / 9 1.|9 d4|9 *";
        assert_eq!(parts(text), wanted);
    }

    #[test]
    fn a_game_without_an_end_is_cut_in_bounded_memory() {
        for endless in [&b"x"[..], b"a\n", b"e4 "] {
            let bytes = endless.iter().copied().cycle().take(3 * LARGEST_GAME);
            let bytes: Vec<u8> = b"[Event \"x\"]\n\n1. e4 ".iter().copied().chain(bytes).collect();
            let mut games = Games::new(&bytes[..]);
            let game = games.next_game().unwrap().unwrap();
            assert!(game.is_cut().is_some());
            assert!(game.text.len() <= 2 * LARGEST_GAME + 100, "{}", game.text.len());
        }
        let many = "1. e4 * ".repeat(1 << 18);
        assert_eq!(texts(many.as_bytes()).len(), 1 << 18, "many games on a line");
    }

    /// With work that grows with the square of the length, each of these would take minutes.
    #[test]
    fn long_headers_take_no_longer_for_their_length() {
        let tags: String = (0..200_000).map(|i| format!("[a{i} \"x\"]\n\n")).collect();
        assert_eq!(RawGame::parse(&tags).tags.len(), 200_000);
        let spaces = format!("[Event \"{}x\"]\n", " ".repeat(4 << 20));
        assert_eq!(RawGame::parse(&spaces).tag("Event"), Some("x"));
    }

    #[test]
    fn a_letter_alone_is_a_glyph_only_after_a_move() {
        let tokens = |text: &str| RawGame::parse(text).tokens;
        let unknown = Token::Unknown("N".to_string());
        for text in ["1. N e5 *", "1. e4 e5 2. N Nc6 *", "1.N e5 *", "N *", "{a} N *"] {
            assert!(tokens(text).contains(&unknown), "{text}");
        }
        for text in [
            "1. e4 N e5 *",
            "1. e4N e5 *",
            "1. e4! N e5 *",
            "1. e4 {a} N e5 *",
            "1. e4 (1. d4) TN *",
        ] {
            assert!(tokens(text).contains(&Token::Nag(146)), "{text}");
        }
    }

    #[test]
    fn a_point_or_a_comma_says_nothing_after_a_move_alone() {
        let tokens = |text: &str| RawGame::parse(text).tokens;
        let is_unknown = |token: &Token| matches!(token, Token::Unknown(_));
        for text in ["1. e4 , e5 . *", "1. e4! , e5 {a} . 2. Nf3 *"] {
            assert!(!tokens(text).iter().any(is_unknown), "{text}");
        }
        for (text, word) in [("1. , e5 *", ","), ("1. e4 e5 2. D Nc6 *", "D")] {
            assert!(tokens(text).contains(&Token::Unknown(word.to_string())), "{text}");
        }
        assert!(tokens("1. e4 D *").contains(&Token::Nag(220)));
    }

    #[test]
    fn signs_may_follow_a_word_that_says_nothing() {
        let tokens = RawGame::parse("1. exd6 e.p.+- 2. Nf3 ch!? 3. Nf3 epsilon *").tokens;
        let comment = |text: &str| Token::Comment(text.to_string());
        assert_eq!(tokens[2..4], [comment("e.p."), Token::Nag(18)]);
        assert_eq!(tokens[6..8], [comment("ch"), Token::Nag(5)]);
        assert!(tokens.contains(&Token::Unknown("epsilon".to_string())), "{tokens:?}");
    }

    #[test]
    fn figurines_and_dashes_become_letters() {
        assert_eq!(parts("♘f3 0–0 ½-½"), "1 Nf3|1 0-0|1 1/2-1/2");
    }

    #[test]
    fn a_line_for_other_programs_and_the_rest_after_a_semicolon_are_no_moves() {
        assert_eq!(parts("e4 ; e5 is best\n% 1. d4\nc5 *"), "1 e4|3 c5|3 *");
    }

    #[test]
    fn broken_texts_are_reported_and_do_not_swallow_the_next_game() {
        let wanted = "1 e4|1! a comment has no end / Event=X|4 d4|4 *";
        assert_eq!(parts("e4 {never\n[Event \"X\"]\n\nd4 *"), wanted);
        assert!(parts("e4 (c5\n\nd4 *").ends_with("/ 3 d4|3 *"));
        assert!(parts("[White]\n\ne4 *").contains("1! the header is unreadable"));
        assert_eq!(parts("e4 } *"), "1 e4|1! a closing bracket has no opening one|1 *");
        assert_eq!(parts("[White \"A\"]\n\n[White \"B\"]\n"), "White=A / White=B");
    }

    fn moves(text: &str) -> Vec<String> {
        let moves = RawGame::parse(text).tokens.into_iter().filter_map(|token| match token {
            Token::Move(m) => Some(m),
            _ => None,
        });
        moves.collect()
    }

    /// The main line of a game that can be followed to its end, in UCI.
    fn played(game: &RawGame) -> Option<String> {
        let course = Course::follow(game).unwrap();
        let moves = course.moves.iter().flatten().map(|m| m.to_uci(course.castling).to_string());
        (!course.is_cut()).then(|| moves.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn a_game_in_spanish_letters_is_put_into_san() {
        let text = "1. d4 *\n[White \"Ana\"]\n\n1. e4 e5 2. Cf3! Cc6 3. Ab5\n\
            (3. Ac4 Ac5 {4. Cg5} 4. Cxe5) Cf6 4. O-O Ae7 5.Te1 d6\n6. Axc6+!? bxc6 7. De2 Rf8 *\n";
        let mut games = Games::new(text.as_bytes());
        let first = games.next_game().unwrap().unwrap();
        assert_eq!((first.letters, first.remark()), (None, None));
        let game = games.next_game().unwrap().unwrap();
        assert_eq!((game.letters, game.tag("White")), (Some("RDTAC"), Some("Ana")));
        let remark = game.remark().unwrap().to_string();
        assert!(remark.starts_with("the pieces are read by the letters R D T A C:"), "{remark}");
        let moves = "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f8e7 f1e1 d7d6 b5c6 b7c6 d1e2 e8f8";
        assert_eq!(played(&game).as_deref(), Some(moves));
        let words = ["e4", "e5", "Nf3", "Nc6", "Bb5", "Bc4", "Bc5", "Nxe5", "Nf6", "O-O", "Be7"];
        let words = words.iter().chain(&["Re1", "d6", "Bxc6+", "bxc6", "Qe2", "Kf8"]);
        let of_move = |token: &Token| match token {
            Token::Move(word) => Some(word.clone()),
            _ => None,
        };
        let found: Vec<String> = game.tokens.iter().filter_map(of_move).collect();
        assert!(found.iter().eq(words), "{found:?}");
        let line = |wanted: &str| {
            let place =
                game.tokens.iter().position(|token| of_move(token).as_deref() == Some(wanted));
            game.lines[place.unwrap()]
        };
        assert_eq!((line("e4"), line("Bc4"), line("Bxc6+")), (4, 5, 6));
        assert!(game.tokens.contains(&Token::Comment("4. Cg5".to_string())), "words stay");
    }

    #[test]
    fn a_pawn_of_a_spanish_game_becomes_what_is_written() {
        for end in ["e8=D", "e8D", "e8(D)", "e8=D+!", "e7e8=D", "Pe8=D"] {
            let fen = "[FEN \"7k/4P3/8/8/8/8/8/K7 w - - 0 1\"]";
            let game = RawGame::parse(&format!("{fen}\n\n1. {end} Rg7 2. Dd7+ Rf6 *"));
            assert_eq!(played(&game).as_deref(), Some("e7e8q h8g7 e8d7 g7f6"), "{end}");
        }
        let puts = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Dxd5 3. P@e4 Dxe4+ 4. Ae2 *";
        assert!(
            played(&RawGame::parse(puts)).is_some_and(|moves| moves.contains("P@e4 d5e4 f1e2"))
        );
    }

    #[test]
    fn what_reads_in_no_language_or_in_san_is_left_alone() {
        for (text, moves) in [
            // Letters of two languages: a slip in a game in SAN is no reason to read it otherwise.
            ("1. e4 e5 2. Nf3 Cc6 *", 3),
            ("1. e4 e5 2. Cf3 Nc6 3. Bb5 *", 2),
            // A pawn's move by a capital is a piece's in Spanish, here or there.
            ("1. e4 d5 2. Cc3 dxe4 3. Bc4 *", 2),
            // The first word is none in either.
            ("1. Axe4 e5 2. Cf3 *", 0),
        ] {
            let game = RawGame::parse(text);
            let course = Course::follow(&game).unwrap();
            assert_eq!(
                (game.letters, course.moves.len(), course.is_cut()),
                (None, moves, true),
                "{text}"
            );
        }
        // Every one of these might be a pawn's move.
        let short = RawGame::parse("1. e4 e5 2. Cc3 Cc6 *");
        assert_eq!(played(&short).as_deref(), Some("e2e4 e7e5 b1c3 b8c6"));
        // A king's move in Spanish and a rook's in SAN: SAN is the standard.
        let either = "[FEN \"7k/8/8/8/8/8/8/R3K3 w - - 0 1\"]\n\n1. Rd1 *";
        assert_eq!(played(&RawGame::parse(either)).as_deref(), Some("a1d1"));
        // With the bishop's move before it only Spanish is whole.
        let spanish = "[FEN \"7k/8/8/8/8/8/8/R3KB2 w - - 0 1\"]\n\n1. Ac4 Rg7 2. Rd1 *";
        assert_eq!(played(&RawGame::parse(spanish)).as_deref(), Some("f1c4 h8g7 e1d1"));
    }

    #[test]
    fn a_fault_of_a_spanish_game_is_named_in_its_letters() {
        for (text, moves, fault) in [
            ("1. e4 e5 2. Cf3 Cc6\n3. Ag5 a6 *", 4, "line 2: 3. Ag5 is not legal in "),
            ("1. e4 e5 2. Cf3 Rd8 *", 3, "line 1: 2... Rd8 is not legal in "),
            // Small letters and other words are no pieces.
            ("1. e4 e5 2. Cf3 Cc6 3. tg1 *", 4, "line 1: 3. tg1 is not a move; "),
            ("1. e4 e5 2. Cf3 Cc6 3. Tres *", 4, "line 1: 3. Tres is not a move; "),
            ("1. e4 e5 2. Cf3 (2. Ac4 *", 3, "line 1: a side line has no end"),
        ] {
            let game = RawGame::parse(text);
            let course = Course::follow(&game).unwrap();
            assert_eq!((game.letters, course.moves.len()), (Some("RDTAC"), moves), "{text}");
            let error = course.error.unwrap().to_string();
            assert!(error.starts_with(fault), "{error}");
        }
    }

    #[test]
    fn games_are_split_at_tags_and_results() {
        let text = b"[Event \"a\"]\n\n1. e4 {[Event \"no\"]\n[x]} (1. d4 *) e5 1-0 {resigns}\n\n[Event \"b\"]\n\
            1. d4\n\nd5 2. c4\n[Event \"c\"]\n\n*\n1. Nf3 d5 * 1. c4 *";
        let found = texts(text);
        assert_eq!(found.len(), 5, "{found:#?}");
        assert!(found[0].trim_end().ends_with("{resigns}"));
        assert_eq!(moves(&found[1]), ["d4", "d5", "c4"], "an empty line ends no game");
        assert_eq!(moves(&found[3]), ["Nf3", "d5"]);
        assert_eq!(moves(&found[4]), ["c4"]);
    }

    #[test]
    fn an_unclosed_comment_costs_one_game() {
        let found = texts(b"[Event \"a\"]\n\n1. e4 {no end\n\n[Event \"b\"]\n\n1. d4 *\n");
        assert_eq!(found.len(), 2);
        let is_open =
            |text: &str| RawGame::parse(text).tokens.contains(&Token::Fault(Fault::OpenComment));
        assert!(is_open(&found[0]) && !is_open(&found[1]));
    }

    #[test]
    fn latin_1_and_byte_order_marks_are_read() {
        let found = texts(b"\xef\xbb\xbf[White \"Ana\"]\n\n1. e4 *\n");
        assert_eq!(RawGame::parse(&found[0]).tag("white"), Some("Ana"));
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
                Token::Fault(Fault::Tag),
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
                Token::Nag(146),
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
