//! The moves of a game in PGN, followed by its rules.

use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::{CastlingMode, Move};

use engine::evaluation::Variant;
use engine::evaluation::variants::{Task, with_rules};
use engine::pgn::{RawGame, Token};
use engine::rules::setup::{self, Start};
use engine::rules::{Game, RuleSet, Rules};

/// The course of a game: everything that decides on its positions.
#[derive(Clone, Debug)]
pub struct Course {
    /// The rule set.
    pub rule_set: RuleSet,
    /// The rules of castling.
    pub castling: CastlingMode,
    /// The starting position.
    pub start: Start,
    /// The moves of the main line; `None` is a null move.
    pub moves: Vec<Option<Move>>,
    /// For each move its place among the tokens.
    pub places: Vec<usize>,
    /// The reason why the main line could not be followed further.
    pub error: Option<String>,
}

impl Course {
    /// Follows the main line of a game.
    ///
    /// # Errors
    /// An unknown rule set, or an invalid starting position.
    pub fn follow(raw: &RawGame) -> Result<Course, String> {
        let (rule_set, is_960) = rules(raw.tag("Variant").unwrap_or_default())?;
        let fen = raw.tag("FEN").filter(|fen| !fen.is_empty());
        let needs_960 = |fen: &str| {
            let setup = Fen::from_ascii(fen.as_bytes()).map(Fen::into_setup);
            setup.is_ok_and(|setup| CastlingMode::detect(&setup).is_chess960())
        };
        let castling = CastlingMode::from_chess960(is_960 || fen.is_some_and(needs_960));
        let start = fen.map_or(Start::Initial, |fen| Start::Fen(fen.to_string()));
        let (moves, places) = (Vec::new(), Vec::new());
        let course = Course { rule_set, castling, start, moves, places, error: None };
        with_rules(rule_set, Follow { course, raw })
    }

    /// The game before each of its moves and after the last one.
    pub fn games<P: Rules>(&self) -> Vec<Game<P>> {
        let Ok((mut game, _)) = setup::game::<P>(&self.start, &[], self.castling) else {
            return Vec::new();
        };
        let mut games = vec![game.clone()];
        for m in &self.moves {
            if play(&mut game, *m).is_none() {
                break;
            }
            games.push(game.clone());
        }
        games
    }
}

/// The rule set of the tag `Variant`, and whether it means Chess960.
fn rules(name: &str) -> Result<(RuleSet, bool), String> {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    match letters.collect::<String>().to_ascii_lowercase().as_str() {
        "" | "standard" | "normal" | "chess" | "fromposition" => Ok((RuleSet::Chess, false)),
        "chess960" | "960" | "fischerandom" | "fischerrandom" | "frc" | "freestyle" => {
            Ok((RuleSet::Chess, true))
        }
        _ => match name.parse() {
            Ok(rule_set) => Ok((rule_set, false)),
            Err(error) => Err(format!("Variant {name:?} is unknown; use {error}")),
        },
    }
}

/// Plays a move, or passes; `None` where the rules allow no pass.
fn play<P: Rules>(game: &mut Game<P>, m: Option<Move>) -> Option<()> {
    match m {
        Some(m) => game.play(m),
        None => *game = Game::new(game.position().pass()?),
    }
    Some(())
}

/// Follows the moves under the rules of the course.
struct Follow<'a> {
    course: Course,
    raw: &'a RawGame,
}

impl Task for Follow<'_> {
    type Outcome = Result<Course, String>;

    fn run<P: Variant>(self) -> Result<Course, String> {
        let Follow { mut course, raw } = self;
        let start = setup::game::<P>(&course.start, &[], course.castling);
        let (mut game, _) = start.map_err(|error| error.to_string())?;
        for place in raw.main_line() {
            let Token::Move(text) = &raw.tokens[place] else { continue };
            let read = read_move(game.position(), text);
            let Some(m) = read.and_then(|m| play(&mut game, m).map(|()| m)) else {
                let position = game.position();
                let dots = position.turn().fold_wb(".", "...");
                let (number, fen) = (position.fullmoves(), setup::fen(position));
                course.error = Some(format!("{number}{dots}{text} is not legal in {fen}"));
                break;
            };
            course.moves.push(m);
            course.places.push(place);
        }
        Ok(course)
    }
}

/// The move of a word in SAN, or in UCI's notation; a null move is `Some(None)`.
pub(super) fn read_move<P: Rules>(position: &P, text: &str) -> Option<Option<Move>> {
    let bare = text.strip_suffix("e.p.").unwrap_or(text);
    // Castling is often written with zeros.
    let bare = &if bare.starts_with("0-0") { bare.replace('0', "O") } else { bare.to_string() };
    if let Ok(SanPlus { san, .. }) = SanPlus::from_ascii(bare.as_bytes()) {
        if san == San::Null {
            return Some(None);
        }
        if let Ok(m) = san.to_move(position) {
            return Some(Some(m));
        }
    }
    setup::read_move(position, bare).ok().map(Some)
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
        words.push(format!("{number}{}", SanPlus::from_move(now.position().clone(), m)));
        now = now.play(m);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
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
        let games = course.games::<shakmaty::Chess>();
        assert_eq!(games.len(), 6);
        assert!(setup::fen(games[5].position()).starts_with("rnbqkbnr/pppppppp/8/8/3PP3/3B4/"));
    }

    #[test]
    fn an_illegal_move_ends_the_course_with_its_reason() {
        let course = course("1. e4 e5 2. Qh6 Nc6 *");
        assert_eq!(course.moves.len(), 2);
        let error = course.error.unwrap();
        assert!(error.starts_with("2.Qh6 is not legal in rnbqkbnr/pppp1ppp"), "{error}");
    }

    #[test]
    fn variants_and_chess960_are_told_by_tag_or_position() {
        assert_eq!(course("[Variant \"Crazyhouse\"]\n\n1. e4 *").rule_set, RuleSet::Crazyhouse);
        assert!(course("[Variant \"Chess 960\"]\n\n1. e4 *").castling.is_chess960());
        let fen = "bnrbkr1n/ppppppqp/8/8/8/8/PPPPPPQP/BNRBKR1N w FCfc - 0 1";
        let castled = course(&format!("[FEN \"{fen}\"]\n\n1. f4 f5 2. O-O O-O *"));
        assert_eq!((castled.moves.len(), castled.error), (4, None));
        let error =
            Course::follow(&RawGame::parse("[Variant \"Suicide\"]\n\n1. e4 *")).unwrap_err();
        assert!(error.contains("antichess"), "{error}");
    }

    #[test]
    fn lines_are_numbered() {
        let course = course("1. e4 e5 2. Nf3 *");
        let games = course.games::<shakmaty::Chess>();
        let moves: Vec<Move> = course.moves.iter().flatten().copied().collect();
        assert_eq!(line_text(&games[0], &moves), "1.e4 e5 2.Nf3");
        assert_eq!(line_text(&games[1], &moves[1..]), "1...e5 2.Nf3");
    }
}
