//! Follows a game by its rules: the only reader of games.
//!
//! Books, analyses and the game in the terminal ask for the moves of the main line here. A word that is no
//! move ends the main line, because all moves after it would be played in another position; a fault of the
//! text, such as a stray bracket, is reported and costs no move.

use shakmaty::{CastlingMode, Move};

use super::{Fault, RawGame, Token};
use crate::input::printable;
use crate::remark::Remark;
use crate::rules::notation::{self, MoveError, WrittenMove};
use crate::rules::setup::{self, SetupError, Start};
use crate::rules::{Game, KeyedPosition, RuleSet, Rules, UnknownRuleSetError, for_each_rule_set};

/// Greatest length of a word in an error, in characters.
const SHOWN: usize = 20;

/// A fault that was met while a game was followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct Broken {
    /// The line in the file, from 1.
    pub line: usize,
    /// The fault, with the move or word.
    pub fault: Remark,
    /// True if the moves end here, and not where the game does.
    pub is_cut: bool,
}

/// A move of the main line.
pub struct Step<'a, P> {
    /// The position before it.
    pub before: &'a KeyedPosition<P>,
    /// The position after it.
    pub after: &'a KeyedPosition<P>,
    /// The move; `None` passes the turn.
    pub m: Option<Move>,
    /// Its place among the tokens.
    pub place: usize,
}

/// Plays the main line of a game from `start`, at most `most` half-moves; `each` receives every move, and refuses one by
/// the key of a remark. The text is read to its end all the same.
///
/// # Errors
/// The first fault: a word that is no legal move, or that `each` refuses, or a fault of the text. One that costs
/// moves comes before one that costs none.
pub fn main_line<P: Rules>(
    raw: &RawGame,
    start: P,
    most: usize,
    each: &mut dyn FnMut(Step<P>) -> Result<(), &'static str>,
) -> Result<(), Broken> {
    let mut now = KeyedPosition::new(start);
    let mut played = 0;
    let faults = raw.tokens.iter().zip(&raw.lines).filter_map(|(token, &line)| match token {
        // A header is no part of the main line.
        Token::Fault(fault) => {
            let is_cut = !matches!(fault, Fault::Tag | Fault::StrayBracket);
            Some(Broken { line, fault: (*fault).into(), is_cut })
        }
        _ => None,
    });
    // The first of those that cost moves, and of the others where there is none.
    let mut fault = faults.min_by_key(|fault| !fault.is_cut);
    for place in raw.main_line() {
        let text = match &raw.tokens[place] {
            Token::Move(text) | Token::Unknown(text) if played < most => text,
            _ => continue,
        };
        let read = step(&now, text).and_then(|(m, after)| {
            each(Step { before: &now, after: &after, m, place })?;
            Ok(after)
        });
        match read {
            Ok(after) => now = after,
            Err(key) => {
                let (line, word) = (raw.lines[place], raw.word(place).unwrap_or_default());
                fault = Some(Broken { line, fault: of_word(&now, &word, key), is_cut: true });
                break;
            }
        }
        played += 1;
    }
    fault.map_or(Ok(()), Err)
}

/// The move of a word, and the position after it.
///
/// # Errors
/// The key of the remark on a word that is no legal move.
fn step<P: Rules>(
    now: &KeyedPosition<P>,
    text: &str,
) -> Result<(Option<Move>, KeyedPosition<P>), &'static str> {
    let written = WrittenMove::parse(text).ok_or(MoveError::Unreadable);
    match written.and_then(|written| written.find(now.position())) {
        Ok(m) => Ok((Some(m), now.play(m))),
        Err(MoveError::Null) => now.pass().map(|after| (None, after)).ok_or("fault.null"),
        Err(MoveError::Illegal) => Err("fault.illegal"),
        Err(MoveError::Ambiguous) => Err("fault.ambiguous"),
        Err(MoveError::Unreadable) => Err("fault.word"),
    }
}

/// The remark about a word of a game, with its number: `2... Qh9 is not a move`.
fn of_word<P: Rules>(now: &KeyedPosition<P>, text: &str, key: &'static str) -> Remark {
    let dots = now.turn().fold_wb(".", "...");
    let word = format!("{}{dots} {}", now.position().fullmoves(), printable(text, SHOWN));
    Remark::new(key, [("move", &word), ("fen", &setup::fen(now.position()))])
}

/// The course of a game: everything that decides on its positions.
#[derive(Clone, Debug)]
pub struct Course {
    /// The rule set.
    pub rule_set: RuleSet,
    /// The rules of castling.
    pub castling: CastlingMode,
    /// The starting position.
    pub start: Start,
    /// The moves of the main line; `None` passes the turn.
    pub moves: Vec<Option<Move>>,
    /// For each move its place among the tokens.
    pub places: Vec<usize>,
    /// The first fault.
    pub error: Option<Broken>,
}

impl Course {
    /// Follows the main line of a game, as far as that is possible.
    ///
    /// # Errors
    /// An unknown rule set, or an invalid starting position.
    pub fn follow(raw: &RawGame) -> Result<Course, Broken> {
        let broken = |fault: Remark| Broken { line: raw.line(), fault, is_cut: true };
        let (rule_set, is_960) = rules_of(raw).map_err(broken)?;
        let fen = raw.tag("FEN").filter(|fen| !fen.is_empty());
        let castling = match fen {
            Some(fen) if !is_960 => setup::castling_mode(fen),
            _ => CastlingMode::from_chess960(is_960),
        };
        let start = fen.map_or(Start::Initial, |fen| Start::Fen(fen.to_string()));
        let (moves, places) = (Vec::new(), Vec::new());
        let course = Course { rule_set, castling, start, moves, places, error: None };
        macro_rules! dispatch {
            ($($name:ident: $rules:ty,)*) => {
                match rule_set {
                    $(RuleSet::$name => course.with_moves::<$rules>(raw),)*
                }
            };
        }
        for_each_rule_set!(dispatch).map_err(broken)
    }

    fn with_moves<P: Rules>(mut self, raw: &RawGame) -> Result<Course, Remark> {
        let start = self.replay::<P>().map_err(|SetupError(fault)| fault)?.game;
        let followed = main_line(raw, start.position().clone(), usize::MAX, &mut |step| {
            self.moves.push(step.m);
            self.places.push(step.place);
            Ok(())
        });
        self.error = followed.err();
        Ok(self)
    }

    /// The game again from its start. One position is held at a time, with the keys of those before it: a
    /// copy for every move would grow with the square of the length.
    ///
    /// # Errors
    /// A starting position that the rules `P` do not allow.
    pub fn replay<P: Rules>(&self) -> Result<Replay<'_, P>, SetupError> {
        let (game, _) = setup::game::<P>(&self.start, &[], self.castling)?;
        Ok(self.replay_from(game, 0))
    }

    /// The rest of the game from `game` on, which is this one after `ply` half-moves.
    pub fn replay_from<P: Rules>(&self, game: Game<P>, ply: usize) -> Replay<'_, P> {
        Replay { game, moves: self.moves.get(ply..).unwrap_or_default().iter() }
    }

    /// True if the moves end before the game does.
    pub fn is_cut(&self) -> bool {
        self.error.as_ref().is_some_and(|error| error.is_cut)
    }
}

/// A course that is played again, move by move.
pub struct Replay<'a, P> {
    game: Game<P>,
    moves: std::slice::Iter<'a, Option<Move>>,
}

impl<P: Rules> Replay<'_, P> {
    /// The game so far.
    pub fn game(&self) -> &Game<P> {
        &self.game
    }

    /// The game so far, for [`Course::replay_from`].
    pub fn into_game(self) -> Game<P> {
        self.game
    }

    /// Plays the next move; `None` at the end. Repetitions are not counted across a passed turn.
    pub fn advance(&mut self) -> Option<Option<Move>> {
        let m = *self.moves.next()?;
        match m {
            Some(m) => self.game.play(m),
            None => self.game = Game::new(self.game.position().pass()?),
        }
        Some(m)
    }
}

/// The rule set of a game by its tag `Variant`, and whether it is Chess960.
///
/// # Errors
/// An unknown rule set.
pub fn rules_of(raw: &RawGame) -> Result<(RuleSet, bool), Remark> {
    let name = raw.tag("Variant").unwrap_or_default();
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    match letters.collect::<String>().to_ascii_lowercase().as_str() {
        "" | "standard" | "normal" | "chess" | "fromposition" => Ok((RuleSet::Chess, false)),
        "chess960" | "960" | "fischerandom" | "fischerrandom" | "frc" | "freestyle" => {
            Ok((RuleSet::Chess, true))
        }
        _ => match name.parse() {
            Ok(rule_set) => Ok((rule_set, false)),
            Err(UnknownRuleSetError(advice)) => {
                let unknown = Remark::new("fault.variant", [("name", &printable(name, 60))]);
                Err(Remark { fault: Some(Box::new(advice)), ..unknown })
            }
        },
    }
}

/// A line in the notation of players, with move numbers: `24...Rxe4 25.Bd3`.
pub fn line_text<P: Rules>(game: &Game<P>, moves: &[Move]) -> String {
    let mut now = game.now().clone();
    let mut words = Vec::new();
    for (index, &m) in moves.iter().enumerate() {
        let is_black = now.turn().is_black();
        let number = match (is_black, index) {
            (false, _) => format!("{}.", now.position().fullmoves()),
            (true, 0) => format!("{}...", now.position().fullmoves()),
            (true, _) => String::new(),
        };
        words.push(format!("{number}{}", notation::san(now.position(), m)));
        now = now.play(m);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;

    fn course(text: &str) -> Course {
        Course::follow(&RawGame::parse(text)).unwrap()
    }

    #[test]
    fn side_lines_are_left_out_and_null_moves_pass() {
        let course = course("1. e4 (1. d4 d5 (1... Nf6) 2. c4) -- 2. d2d4 Z0 3. Bd3 *");
        assert_eq!(course.moves.len(), 5);
        assert!(course.moves[1].is_none() && course.moves[3].is_none());
        assert_eq!(course.error, None);
        let mut replay = course.replay::<Chess>().unwrap();
        assert_eq!(std::iter::from_fn(|| replay.advance()).count(), 5);
        let fen = setup::fen(replay.game().position());
        assert!(fen.starts_with("rnbqkbnr/pppppppp/8/8/3PP3/3B4/"), "{fen}");
        assert_eq!(replay.game().past().len(), 1, "what was before the pass does not count");
    }

    #[test]
    fn an_illegal_move_ends_the_course_with_its_reason() {
        let course = course("1. e4 e5\n2. Qh6 Nc6 *");
        assert_eq!(course.moves.len(), 2);
        assert!(course.is_cut());
        let error = course.error.unwrap().to_string();
        let wanted = "line 2: 2. Qh6 is not legal in rnbqkbnr/pppp1ppp";
        assert!(error.starts_with(wanted), "{error}");
    }

    #[test]
    fn a_stray_bracket_is_named_and_costs_no_move() {
        let course = course("1. e4 } e5 ) 2. Nf3 *");
        assert_eq!((course.moves.len(), course.is_cut()), (3, false));
        assert_eq!(course.error.unwrap().fault.key, "fault.stray-bracket");
    }

    #[test]
    fn an_odd_header_hides_no_fault_that_costs_moves() {
        let course = course("[White \"Ann]\n\n1. e4 } e5\n2. Nf3 {no end");
        assert!(course.is_cut());
        let Broken { line, fault, .. } = course.error.unwrap();
        assert_eq!((line, fault.key), (4, "fault.open-comment"));
    }

    #[test]
    fn variants_and_chess960_are_told_by_tag_or_position() {
        assert_eq!(course("[Variant \"Crazyhouse\"]\n\n1. e4 *").rule_set, RuleSet::Crazyhouse);
        assert!(course("[Variant \"Chess 960\"]\n\n1. e4 *").castling.is_chess960());
        let fen = "bnrbkr1n/ppppppqp/8/8/8/8/PPPPPPQP/BNRBKR1N w FCfc - 0 1";
        let castled = course(&format!("[FEN \"{fen}\"]\n\n1. f4 f5 2. O-O O-O *"));
        assert_eq!((castled.moves.len(), castled.error), (4, None));
        let unknown = Course::follow(&RawGame::parse("[Variant \"Suicide\"]\n\n1. e4 *"));
        let error = unknown.unwrap_err().fault.to_string();
        assert!(error.contains("antichess"), "{error}");
    }

    #[test]
    fn lines_are_numbered() {
        let course = course("1. e4 e5 2. Nf3 *");
        let mut replay = course.replay::<Chess>().unwrap();
        let moves: Vec<Move> = course.moves.iter().flatten().copied().collect();
        assert_eq!(line_text(replay.game(), &moves), "1.e4 e5 2.Nf3");
        replay.advance();
        assert_eq!(line_text(replay.game(), &moves[1..]), "1...e5 2.Nf3");
    }
}
