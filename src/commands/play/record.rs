//! The record of a game in the terminal as PGN, and its way back into a game.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use shakmaty::{Color, Move};

use super::played::{End, Played};
use super::texts::Words;
use engine::pgn::write::{tag, wrapped};
use engine::pgn::{Broken, Course, Games, RawGame, Token};
use engine::remark::Remark;
use engine::rules::RuleSet;
use engine::score::{Meaning, Score};

/// The comment on a move that was made with help.
const HELPED: &str = "[%helped]";

/// A game as PGN: `tags`, then the moves with clocks and scores. `first` is the number of the first move,
/// `turn` the side that makes it.
pub fn pgn(
    tags: &[(String, String)],
    played: &[Played],
    (first, turn): (u32, Color),
    end: Option<&End>,
) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        text += &tag(name, value);
    }
    let result = end.map_or("*", End::result);
    text += &tag("Result", result);
    if let Some(end) = end {
        text += &tag("Termination", &end.reason);
    }
    text.push('\n');
    let mut words = Vec::new();
    let (mut number, mut side) = (first, turn);
    for (index, move_played) in played.iter().enumerate() {
        if side.is_white() {
            words.push(format!("{number}."));
        } else if index == 0
            || played[index - 1].clock.is_some()
            || played[index - 1].score.is_some()
        {
            words.push(format!("{number}..."));
        }
        words.push(move_played.san.clone());
        words.extend(comment(move_played));
        number += u32::from(side.is_black());
        side = !side;
    }
    words.push(result.to_string());
    text + &wrapped(words.iter().map(String::as_str))
}

/// Score and clock of a move, as chess servers write them.
fn comment(played: &Played) -> Option<String> {
    let score = played.score.map(|score| match score.meaning() {
        Meaning::Centipawns(value) => format!("[%eval {:.2}]", f64::from(value) / 100.0),
        Meaning::Mate(moves) => format!("[%eval #{moves}]"),
    });
    let clock = played.clock.map(|left| {
        let (seconds, tenths) = (left.as_secs(), left.subsec_millis() / 100);
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        format!("[%clk {hours}:{minutes:02}:{:02}.{tenths}]", seconds % 60)
    });
    let help = played.is_helped.then(|| HELPED.to_string());
    let parts: Vec<String> = score.into_iter().chain(clock).chain(help).collect();
    (!parts.is_empty()).then(|| format!("{{ {} }}", parts.join(" ")))
}

/// A game that was read from a PGN.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Its text.
    raw: RawGame,
    /// Its moves.
    pub course: Course,
    /// What is noted after each move.
    notes: Vec<Note>,
}

/// What a record notes after a move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Note {
    /// Time left on the mover's clock.
    pub clock: Option<Duration>,
    /// The score from White's point of view.
    pub score: Option<Score>,
    /// True if the player had help.
    pub is_helped: bool,
}

impl Stored {
    /// Reads the first game of `text`; `None` if there is none. Without tags it is one of `rule_set`.
    ///
    /// # Errors
    /// A game that cannot be followed to its end: line and word.
    pub fn read(text: &[u8], rule_set: RuleSet, words: &Words) -> Result<Option<Stored>, String> {
        let broken = |Broken { line, fault, .. }: &Broken| {
            let said = words.remark(fault);
            words.fill("fault.broken", &[("line", &line.to_string()), ("fault", &said)])
        };
        let mut games = Games::new(text);
        let mut raw = loop {
            match games.next_game().map_err(|error| words.fault(error))? {
                None => return Ok(None),
                Some(raw) if raw.is_game() => break raw,
                Some(_) => {}
            }
        };
        if raw.tags.is_empty() {
            raw.tags.push(("Variant".to_string(), rule_set.name().to_string()));
            raw = raw.in_san().unwrap_or(raw);
        }
        let course = Course::follow(&raw).map_err(|error| broken(&error))?;
        if let Some(error) = course.error.as_ref().filter(|error| error.is_cut) {
            return Err(broken(error));
        }
        if let Some(pass) = course.moves.iter().position(Option::is_none) {
            return Err(words.fill("fault.pass", &[("number", &(pass + 1).to_string())]));
        }
        let is_note = |token: &&Token| matches!(token, Token::Nag(_) | Token::Comment(_));
        let notes = course.places.iter().map(|place| {
            let mut note = Note::default();
            for token in raw.tokens[place + 1..].iter().take_while(is_note) {
                let Token::Comment(text) = token else { continue };
                let field = |name: &str| Some(text.split_once(name)?.1.split(']').next()?.trim());
                note.clock = note.clock.or(field("[%clk ").and_then(read_clock));
                note.score = note.score.or(field("[%eval ").and_then(read_score));
                note.is_helped |= text.contains(HELPED);
            }
            note
        });
        let notes = notes.collect();
        Ok(Some(Stored { raw, course, notes }))
    }

    /// Its text.
    pub fn into_raw(self) -> RawGame {
        self.raw
    }

    /// Its moves with what is noted of them.
    pub fn moves(&self) -> impl Iterator<Item = (Move, Note)> {
        self.course.moves.iter().flatten().copied().zip(self.notes.iter().copied())
    }

    /// What is to be said of the way in which it was read.
    pub fn remark(&self) -> Option<Remark> {
        self.raw.remark()
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.raw.tag(name)
    }
}

/// Reads h:mm:ss.
fn read_clock(text: &str) -> Option<Duration> {
    let seconds = text
        .split(':')
        .try_fold(0.0, |sum, part| part.parse().ok().map(|value: f64| 60.0 * sum + value))?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// Reads pawns, or # and moves.
fn read_score(text: &str) -> Option<Score> {
    match text.strip_prefix('#') {
        Some(moves) => {
            let moves: i32 = moves.parse().ok().filter(|moves: &i32| moves.abs() < 60)?;
            let plies = |moves: i32| usize::try_from(2 * moves).ok();
            Some(if moves > 0 {
                Score::mate_in(plies(moves)? - 1)
            } else {
                Score::mated_in(plies(-moves)?)
            })
        }
        None => {
            text.parse().ok().map(|pawns: f64| Score::centipawns((100.0 * pawns).round() as i32))
        }
    }
}

/// Today, as a PGN writes it, in universal time.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year:04}.{month:02}.{day:02}")
}

/// The date of a day, counted from 1 January 1970.
fn civil(days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut left) = (1970, days);
    while left >= 365 + u64::from(is_leap(year)) {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    (year, month, left + 1)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use crate::commands::play::played::PlayedGame;
    use analysis::texts::Lang;
    use engine::rules::setup;

    #[test]
    fn a_game_comes_back_from_its_record() {
        let mut course = PlayedGame::new(Chess::default(), CastlingMode::Standard);
        let clock = Some(Duration::from_millis(299_500));
        for (text, clock, score) in [
            ("f2f3", clock, None),
            ("e7e5", None, Some(Score::centipawns(-85))),
            ("g2g4", clock, None),
            ("d8h4", None, Some(Score::mated_in(2))),
        ] {
            let m = setup::read_move(course.position(), text).unwrap();
            course.play(m, clock, score);
        }
        course.mark_helped();
        let tags = vec![("White".to_string(), "a \"b\" \\".to_string())];
        let end = course.end();
        let text = pgn(&tags, course.played(), (1, Color::White), end.as_ref());
        assert!(text.contains("[Result \"0-1\"]\n[Termination \"checkmate\"]\n"), "{text}");
        assert!(
            text.contains("1. f3 { [%clk 0:04:59.5] } 1... e5 { [%eval -0.85] } 2. g4"),
            "{text}"
        );
        assert!(text.ends_with("Qh4# { [%eval #-1] [%helped] } 0-1\n"), "{text}");
        assert!(text.lines().all(|line| line.len() <= 80));
        let stored =
            Stored::read(text.as_bytes(), RuleSet::Chess, &Words::of(Lang::En)).unwrap().unwrap();
        assert_eq!(stored.tag("White"), Some("a \"b\" \\"));
        let moves: Vec<_> = stored.moves().collect();
        assert_eq!(moves[0].1, Note { clock, ..Note::default() });
        assert_eq!(moves[1].1.score, Some(Score::centipawns(-85)));
        let mate = Note { score: Some(Score::mated_in(2)), is_helped: true, ..Note::default() };
        assert_eq!((moves[3].0.to_string().as_str(), moves[3].1), ("Qd8-h4", mate));
    }

    #[test]
    fn broken_records_do_no_harm() {
        let read = |text: &str| Stored::read(text.as_bytes(), RuleSet::Chess, &Words::of(Lang::En));
        for text in ["", "[", "[White \"a\"", "\u{0}\u{ff}"] {
            assert!(!matches!(read(text), Ok(Some(stored)) if !stored.notes.is_empty()), "{text}");
        }
        let odd = read("1. e4 {[%clk x] [%eval #99999]} e5 {[%eval 1e99]}").unwrap().unwrap();
        assert_eq!(odd.notes[0], Note::default());
        let german = read("[Event \"x\"]\n\n1. e4 e5\n2. Sf3 *").unwrap_err();
        assert!(german.starts_with("line 4: 2. Sf3 is not a move"), "{german}");
        assert!(read("1. e4 -- *").unwrap_err().contains("half-move 2 passes the turn"));
        let house = Stored::read(
            b"1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. P@d5 *",
            RuleSet::Crazyhouse,
            &Words::of(Lang::En),
        );
        assert_eq!(house.unwrap().unwrap().notes.len(), 7);
    }

    #[test]
    fn days_have_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_453), (2025, 12, 31));
    }
}
