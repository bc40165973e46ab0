//! Games in PGN as they are written: tags and tokens, with nothing lost.
//!
//! Books, analyses and the record of a game in the terminal are all read here. The library pgn-reader skips
//! words that it cannot read, `;` comments and lines for other programs. So an annotated game would lose them,
//! and a game with a broken move would silently go on as another one.
//!
//! [`Games`] splits a text into games, line by line, and `word` says what a word is. [`main_line`] follows a
//! game by its rules; a [`Course`] is the whole of it.

mod follow;
mod games;
mod word;
pub mod write;

pub use follow::{Broken, Course, Replay, Step, line_text, main_line, rules_of};
pub use games::Games;

use std::borrow::Cow;

use shakmaty::Color;

use crate::remark::Remark;
use crate::rules::notation::WrittenMove;

/// A part of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A word that looks like a move, legal or not, or a null move.
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
    /// The text is broken here.
    Fault(Fault),
}

/// A fault in the text of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The last comment runs into the next game, or to the end of the text.
    OpenComment,
    /// The game ends inside a side line.
    OpenSideLine,
    /// A bracket that closes nothing.
    StrayBracket,
    /// A tag without quotes or bracket.
    Tag,
    /// The rest of a line is lost.
    LongLine,
    /// A game is cut here, lest it fill the memory.
    LongGame,
}

impl From<Fault> for Remark {
    fn from(fault: Fault) -> Remark {
        let key = match fault {
            Fault::OpenComment => "fault.open-comment",
            Fault::OpenSideLine => "fault.open-side-line",
            Fault::StrayBracket => "fault.stray-bracket",
            Fault::Tag => "fault.tag",
            Fault::LongLine => "fault.long-line",
            Fault::LongGame => "fault.long-game",
        };
        Remark::new(key, [])
    }
}

/// A game as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawGame {
    /// Its text.
    pub text: String,
    /// Names and values of the tags, in order.
    pub tags: Vec<(String, String)>,
    /// All that follows the tags.
    pub tokens: Vec<Token>,
    /// The line of each token in the text, from 1.
    pub lines: Vec<usize>,
    /// The line in the file in which its text begins, from 1.
    pub first_line: usize,
    /// The letters of the pieces in its text, if they are not those of SAN. The tokens are in SAN.
    pub letters: Letters,
}

/// The letters of king, queen, rook, bishop and knight in another language; `None` for those of SAN.
pub type Letters = Option<&'static str>;

impl RawGame {
    /// Reads the first game of a text; an empty one if there is none.
    pub fn parse(text: &str) -> RawGame {
        let first = Games::new(text.as_bytes()).next_game();
        first.ok().flatten().unwrap_or_default()
    }

    /// A remark that names the letters of the pieces, if the game is not in SAN.
    pub fn remark(&self) -> Option<Remark> {
        let letters: Vec<String> = self.letters?.chars().map(String::from).collect();
        Some(Remark::new("remark.letters", [("letters", &letters.join(" "))]))
    }

    /// True for a game, broken or not; false for remarks and other text beside games: a game has tags, or
    /// begins with a move.
    pub fn is_game(&self) -> bool {
        let is_broken = |token: &&Token| **token == Token::Fault(Fault::Tag);
        let is_aside = |token: &&Token| {
            let is_text = matches!(token, Token::Comment(_) | Token::Escape(_));
            is_text || is_broken(token) || matches!(token, Token::Number(_))
        };
        let first = self.tokens.iter().find(|token| !is_aside(token));
        self.tokens.iter().filter(is_broken).count() < self.tags.len()
            || matches!(first, Some(Token::Move(_)))
    }

    /// The line of a fault that the game has as a whole, such as having no moves: that of its first token behind the tags,
    /// or else the first that is not empty.
    pub fn line(&self) -> usize {
        let empty = || self.text.lines().take_while(|line| line.trim().is_empty()).count();
        self.lines.first().copied().unwrap_or_else(|| self.first_line + empty())
    }

    /// True for remarks alone.
    pub fn is_remark(&self) -> bool {
        let is_remark = |token: &Token| matches!(token, Token::Comment(_) | Token::Escape(_));
        self.tags.is_empty() && self.tokens.iter().all(is_remark)
    }

    /// The rating of a player in Elo, from the tags; `None` if there is none. `1500?`, as servers write while
    /// a rating is provisional, is 1500.
    pub fn rating(&self, color: Color) -> Option<u32> {
        let value = self.tag(color.fold_wb("WhiteElo", "BlackElo"))?;
        let end = value.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len());
        value[..end].parse().ok().filter(|elo| *elo > 0)
    }

    /// The value of a tag. Case does not matter.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.trim())
    }

    /// The places of the tokens that stand in no side line. The brackets of a side line belong to it.
    pub fn main_line(&self) -> impl Iterator<Item = usize> {
        let mut depth = 0_usize;
        self.tokens.iter().enumerate().filter_map(move |(place, token)| {
            let is_main = depth == 0 && !matches!(token, Token::Open);
            match token {
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            is_main.then_some(place)
        })
    }

    /// The move or unknown word at a place among the tokens, in the letters of the text.
    pub fn word(&self, place: usize) -> Option<Cow<'_, str>> {
        match (self.tokens.get(place)?, self.letters) {
            (Token::Move(san), Some(letters)) => Some(WrittenMove::in_letters(san, letters).into()),
            (Token::Move(word) | Token::Unknown(word), _) => Some(word.into()),
            _ => None,
        }
    }

    /// The number of moves in the main line.
    pub fn moves(&self) -> usize {
        self.main_line().filter(|place| matches!(self.tokens[*place], Token::Move(_))).count()
    }

    /// True if a part of the text is lost.
    pub fn is_cut(&self) -> Option<Fault> {
        self.tokens.iter().find_map(|token| match token {
            Token::Fault(fault @ (Fault::LongLine | Fault::LongGame)) => Some(*fault),
            _ => None,
        })
    }
}
