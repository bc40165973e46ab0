//! Games in PGN, one at a time: players, result, and the first moves with the keys of their positions.
//!
//! Comments and side lines are skipped. A game that cannot be followed is reported with its error, and
//! reading goes on with the next one.

use std::io::Read;
use std::mem;
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{ByColor, CastlingMode, Chess, Color, KnownOutcome, Outcome, Position};

use super::polyglot;
use crate::rules::{KeyedPosition, RuleSet, setup};

/// The headers that a book uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The players' names.
    pub players: ByColor<String>,
    /// Their ratings; 0 where none is given.
    pub elo: ByColor<u32>,
    /// The result; `None` if the header gives none.
    pub result: Option<KnownOutcome>,
    /// Weight of a line of opening theory, from the header `Weight`.
    pub weight: Option<u32>,
    /// The opening's code in the Encyclopaedia of Chess Openings.
    pub eco: String,
    /// The opening's name.
    pub opening: String,
    /// The name of the variation.
    pub variation: String,
    /// The starting position, if not the usual one.
    fen: Option<String>,
    /// An error in the headers.
    error: Option<String>,
}

/// A move and the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The position's key in a book.
    pub key: u64,
    /// The move in Polyglot's coding.
    pub code: u16,
    /// The side that moved.
    pub by: Color,
    /// The key of the position after the move, as [`KeyedPosition::key`] has it.
    pub after: u64,
}

/// A game.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// Its headers.
    pub header: Header,
    /// Its first moves.
    pub moves: Vec<Ply>,
    /// The result; `None` if unknown.
    pub result: Option<KnownOutcome>,
}

/// The outcome of reading a game.
#[derive(Clone, Debug)]
pub enum ReadGame {
    /// It can be used.
    Game(PgnGame),
    /// Rejected by its headers.
    Unwanted,
    /// Broken, with the error.
    Broken(String),
}

/// Reads all games of `text`, up to `plies` half-moves of each. `is_wanted` decides by a game's headers
/// whether its moves are read; `each` receives the game's number in the file, from 1, and the game.
pub fn read(
    text: impl Read,
    plies: usize,
    is_wanted: &dyn Fn(&Header) -> bool,
    each: &mut dyn FnMut(usize, ReadGame),
) {
    let mut reader = Reader::new(text);
    let mut collector = Collector { plies, is_wanted };
    let mut number = 0;
    let mut has_failed = false;
    loop {
        number += 1;
        match reader.read_game(&mut collector) {
            Ok(None) => break,
            Ok(Some(found)) => {
                has_failed = false;
                each(number, found);
            }
            Err(error) => {
                each(number, ReadGame::Broken(error.to_string()));
                // A line without its end can be skipped, a broken archive cannot.
                if mem::replace(&mut has_failed, true) {
                    break;
                }
            }
        }
    }
}

/// Follows the moves of one game after another.
struct Collector<'a> {
    plies: usize,
    is_wanted: &'a dyn Fn(&Header) -> bool,
}

/// A game that is being read.
struct Course {
    game: PgnGame,
    now: KeyedPosition<Chess>,
}

impl Course {
    /// The game so far.
    fn take(&mut self) -> PgnGame {
        let PgnGame { header, moves, result } = &mut self.game;
        PgnGame { header: mem::take(header), moves: mem::take(moves), result: *result }
    }

    /// Plays a move. The error says why it cannot be played.
    fn play(&mut self, san: &SanPlus) -> Result<(), String> {
        let now = &self.now;
        let m = san.san.to_move(now.position()).map_err(|_| {
            let dots = now.turn().fold_wb(".", "...");
            let number = now.position().fullmoves();
            format!("{number}{dots} {san} is not legal in {}", setup::fen(now.position()))
        })?;
        let after = now.play(m);
        let (key, by) = (polyglot::key(now), now.turn());
        self.game.moves.push(Ply { key, code: polyglot::encode(m), by, after: after.key() });
        self.now = after;
        Ok(())
    }
}

impl Visitor for Collector<'_> {
    type Tags = Header;
    type Movetext = Course;
    type Output = ReadGame;

    fn begin_tags(&mut self) -> ControlFlow<ReadGame, Header> {
        ControlFlow::Continue(Header::default())
    }

    fn tag(
        &mut self,
        header: &mut Header,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<ReadGame> {
        let text = || value.decode_utf8_lossy().trim().to_string();
        match name {
            b"White" => header.players.white = text(),
            b"Black" => header.players.black = text(),
            b"WhiteElo" => header.elo.white = text().parse().unwrap_or(0),
            b"BlackElo" => header.elo.black = text().parse().unwrap_or(0),
            b"ECO" => header.eco = text(),
            b"Opening" => header.opening = text(),
            b"Variation" => header.variation = text(),
            b"FEN" => header.fen = Some(text()),
            b"Result" => header.result = Outcome::from_ascii(value.as_bytes()).ok().and_then(known),
            b"Weight" => match text().parse() {
                Ok(weight) => header.weight = Some(weight),
                Err(_) => header.error = Some(format!("Weight {:?} is not a whole number", text())),
            },
            b"Variant" if !is_chess(&text()) => {
                header.error = Some(format!("{} is not standard chess", text()));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, header: Header) -> ControlFlow<ReadGame, Course> {
        if let Some(error) = header.error {
            return ControlFlow::Break(ReadGame::Broken(error));
        }
        if !(self.is_wanted)(&header) {
            return ControlFlow::Break(ReadGame::Unwanted);
        }
        let position = match &header.fen {
            None => Chess::default(),
            Some(fen) => match setup::position(fen, CastlingMode::Standard) {
                Ok((position, _)) => position,
                Err(error) => return ControlFlow::Break(ReadGame::Broken(error.to_string())),
            },
        };
        let result = header.result;
        let game = PgnGame { header, moves: Vec::with_capacity(self.plies.min(64)), result };
        ControlFlow::Continue(Course { game, now: KeyedPosition::new(position) })
    }

    fn san(&mut self, course: &mut Course, san: SanPlus) -> ControlFlow<ReadGame> {
        if course.game.moves.len() >= self.plies {
            // The rest is read only if the result has to be found at its end.
            let is_known = course.game.result.is_some() || course.game.header.weight.is_some();
            return match is_known {
                true => ControlFlow::Break(ReadGame::Game(course.take())),
                false => ControlFlow::Continue(()),
            };
        }
        match course.play(&san) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(ReadGame::Broken(error)),
        }
    }

    fn outcome(&mut self, course: &mut Course, outcome: Outcome) -> ControlFlow<ReadGame> {
        course.game.result = course.game.result.or(known(outcome));
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, mut course: Course) -> ReadGame {
        match course.game.moves.is_empty() {
            true => ReadGame::Broken("there are no moves in it".to_string()),
            false => ReadGame::Game(course.take()),
        }
    }
}

fn known(outcome: Outcome) -> Option<KnownOutcome> {
    match outcome {
        Outcome::Known(outcome) => Some(outcome),
        Outcome::Unknown => None,
    }
}

/// True if the header `Variant` means chess; many databases name it in every game.
fn is_chess(name: &str) -> bool {
    let named = ["", "standard", "normal", "from position"];
    named.iter().any(|known| known.eq_ignore_ascii_case(name)) || name.parse() == Ok(RuleSet::Chess)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn games(text: &str, plies: usize) -> Vec<ReadGame> {
        let mut all = Vec::new();
        read(text.as_bytes(), plies, &|_| true, &mut |number, found| {
            all.push(found);
            assert_eq!(number, all.len());
        });
        all
    }

    fn game(text: &str) -> PgnGame {
        match games(text, 40).remove(0) {
            ReadGame::Game(game) => game,
            other => panic!("{other:?}"),
        }
    }

    fn error(text: &str) -> String {
        match games(text, 40).remove(0) {
            ReadGame::Broken(error) => error,
            other => panic!("{other:?}"),
        }
    }

    const WHITE_WINS: Option<KnownOutcome> = Some(KnownOutcome::Decisive { winner: Color::White });

    #[test]
    fn headers_moves_and_result() {
        let game = game(
            "[White \"Ann\"]\n[BlackElo \"2100\"]\n[ECO \"C20\"]\n[Opening \"King's Pawn\"]\n\
             [Result \"1-0\"]\n\n1. e4 {best by test} (1. d4 d5) e5 $1 2. Nf3! 1-0\n",
        );
        assert_eq!(game.header.players.white, "Ann");
        assert_eq!(game.header.elo, ByColor { white: 0, black: 2100 });
        assert_eq!(
            (game.header.eco.as_str(), game.header.opening.as_str()),
            ("C20", "King's Pawn")
        );
        assert_eq!(game.result, WHITE_WINS);
        assert_eq!(game.moves.len(), 3);
        assert_eq!(game.moves[0].key, 0x463b_9618_1691_fc9c);
        assert_eq!(game.moves[1].key, game.moves[0].after);
        assert_eq!(game.moves[1].by, Color::Black);
    }

    #[test]
    fn the_result_at_the_end_counts_without_a_header() {
        assert_eq!(game("1. e4 e5 1-0").result, WHITE_WINS);
        assert_eq!(game("1. e4 e5 *").result, None);
        let ReadGame::Game(cut) = &games("1. e4 e5 2. Nf3 Nc6 1-0", 2)[0] else { panic!() };
        assert_eq!((cut.moves.len(), cut.result), (2, WHITE_WINS));
    }

    #[test]
    fn a_game_may_begin_elsewhere() {
        let start = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Ke7 *";
        assert_eq!(game(start).moves.len(), 2);
        assert!(error("[FEN \"nonsense\"]\n\n1. e4 *").contains("too short"));
    }

    #[test]
    fn errors_name_their_cause() {
        assert!(error("1. e4 e5 2. Qh6 *").starts_with("2. Qh6 is not legal in rnbqkbnr"));
        assert!(error("1. e4 e4 *").starts_with("1... e4 is not legal"));
        assert!(error("[Weight \"many\"]\n\n1. e4 *").contains("Weight \"many\""));
        assert!(error("[Variant \"Atomic\"]\n\n1. e4 *").contains("not standard chess"));
        assert!(error("[Event \"?\"]\n\n*\n").contains("no moves"));
        assert_eq!(game("[Variant \"Standard\"]\n\n1. e4 *").moves.len(), 1);
    }

    #[test]
    fn a_broken_game_does_not_spoil_the_next() {
        let text = "[White \"A\"]\n\n1. e4 e9 2. Nf3 Nf3 1-0\n\n[White \"B\"]\n\n1. d4 d5 0-1\n";
        let all = games(text, 40);
        assert!(matches!(&all[0], ReadGame::Broken(_)), "{all:?}");
        assert!(matches!(&all[1], ReadGame::Game(game) if game.header.players.white == "B"));
        assert_eq!(all.len(), 2);
    }

    #[test]
    fn an_unclosed_comment_is_reported_and_ends_the_file() {
        let all = games("1. e4 {no end", 40);
        assert!(
            matches!(&all[..], [ReadGame::Broken(error)] if error.contains("comment")),
            "{all:?}"
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read_to_its_end(text in "([\\[\\]{}();%$.*\"\\\\ \n\r-]|[a-hNKO0-9=+x]){0,300}") {
            games(&text, 5);
        }

        #[test]
        fn any_bytes_are_read_to_their_end(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
            read(&bytes[..], 5, &|_| true, &mut |_, _| {});
        }
    }

    #[test]
    fn unwanted_games_are_not_followed() {
        let mut found = Vec::new();
        let text = "[White \"A\"]\n\n1. e5 nonsense *\n\n[White \"B\"]\n\n1. d4 *\n";
        read(text.as_bytes(), 9, &|header| header.players.white == "B", &mut |_, game| {
            found.push(matches!(game, ReadGame::Game(_)));
        });
        assert_eq!(found, [false, true]);
    }
}
