//! Games in PGN, one at a time: players, result, and the first moves with the keys of their positions.
//!
//! Comments and side lines are skipped. A game that cannot be followed is reported with its error, and
//! reading goes on with the next one. What costs no move, such as an odd header, costs no game either: it is
//! ignored, and reported. [`pgn`](crate::pgn) follows the moves.

use std::io::BufRead;

use shakmaty::{ByColor, CastlingMode, Chess, Color, KnownOutcome, Outcome};

use super::polyglot;
use crate::input::printable;
use crate::pgn::{Broken, Games, RawGame, Token, main_line, rules_of};
use crate::remark::Remark;
use crate::rules::RuleSet;
use crate::rules::setup::{self, SetupError};

/// The headers that a book uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The players' names.
    pub players: ByColor<String>,
    /// Their ratings; 0 where none is given.
    pub elo: ByColor<u32>,
    /// The result; `None` if the header gives none.
    pub result: Option<KnownOutcome>,
    /// Weight of a line of opening theory, from the header `Weight`; `None` if that is no whole number.
    pub weight: Option<u32>,
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
    /// What was ignored in its text.
    pub ignored: Vec<Broken>,
}

/// The outcome of reading a game.
#[derive(Clone, Debug)]
pub enum ReadGame {
    /// It can be used.
    Game(PgnGame),
    /// Rejected by its headers.
    Unwanted(Header),
    /// Broken, with the error.
    Broken(String),
}

/// The place of a game, or of its error, in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The game's number, from 1.
    pub game: usize,
    /// The line, from 1.
    pub line: usize,
}

/// Reads all games of `text`, up to `plies` half-moves of each. `is_wanted` decides by a game's headers
/// whether its moves are read; `each` receives the place in the text and the game.
pub fn read(
    text: impl BufRead,
    plies: usize,
    is_wanted: &dyn Fn(&Header) -> bool,
    each: &mut dyn FnMut(Place, ReadGame),
) {
    let mut games = Games::by_paragraph(text);
    let mut number = 1;
    loop {
        match games.next_game() {
            Ok(Some(raw)) if raw.is_remark() => {}
            Ok(Some(raw)) => {
                let (line, game) = match read_game(&raw, plies, is_wanted) {
                    Ok(game) => (raw.line(), game),
                    Err(Broken { line, fault, .. }) => (line, ReadGame::Broken(fault.to_string())),
                };
                each(Place { game: number, line }, game);
                number += 1;
            }
            Ok(None) => return,
            Err(error) => {
                let error = format!("the rest of the file cannot be read: {error}");
                return each(Place { game: number, line: games.line() }, ReadGame::Broken(error));
            }
        }
    }
}

/// Follows a game.
fn read_game(
    raw: &RawGame,
    plies: usize,
    is_wanted: &dyn Fn(&Header) -> bool,
) -> Result<ReadGame, Broken> {
    let broken = |fault: Remark| Broken { line: raw.line(), fault, is_cut: true };
    let header = match Header::of(raw) {
        Ok(header) if !is_wanted(&header) => return Ok(ReadGame::Unwanted(header)),
        header => header.map_err(broken)?,
    };
    let start = match raw.tag("FEN").filter(|fen| !fen.is_empty()) {
        None => Chess::default(),
        Some(fen) => {
            let position = setup::position(fen, CastlingMode::Standard);
            position.map_err(|SetupError(fault)| broken(fault))?.0
        }
    };
    let mut ignored: Vec<Broken> = weight(raw).err().map(broken).into_iter().collect();
    let mut moves = Vec::with_capacity(plies.min(64));
    let followed = main_line(raw, start, plies, &mut |step| {
        let m = step.m.ok_or("fault.book-pass")?;
        let (key, by) = (polyglot::key(step.before), step.before.turn());
        moves.push(Ply { key, code: polyglot::encode(m), by });
        Ok(())
    });
    match followed {
        // A header that has swallowed the moves is why there are none.
        Err(fault) if fault.is_cut || moves.is_empty() => return Err(fault),
        followed => ignored.extend(followed.err()),
    }
    if moves.is_empty() {
        return Err(broken(Remark::new("fault.no-moves", [])));
    }
    let at_end = raw.main_line().find_map(|place| match &raw.tokens[place] {
        Token::Result(text) => result(text),
        _ => None,
    });
    let result = header.result.or(at_end);
    Ok(ReadGame::Game(PgnGame { header, moves, result, ignored }))
}

impl Header {
    /// The header of a game. The error names rules that a book has no use for.
    fn of(raw: &RawGame) -> Result<Header, Remark> {
        let text = |name: &str| raw.tag(name).unwrap_or_default().to_string();
        if !matches!(rules_of(raw), Ok((RuleSet::Chess, false))) {
            let name = printable(&text("Variant"), 60);
            return Err(Remark::new("fault.not-chess", [("name", &name)]));
        }
        Ok(Header {
            players: ByColor { white: text("White"), black: text("Black") },
            elo: ByColor::new_with(|color| raw.rating(color).unwrap_or(0)),
            result: raw.tag("Result").and_then(result),
            weight: weight(raw).ok().flatten(),
        })
    }
}

/// The weight that a header gives.
fn weight(raw: &RawGame) -> Result<Option<u32>, Remark> {
    let Some(value) = raw.tag("Weight").filter(|value| !value.is_empty()) else { return Ok(None) };
    let wrong = |_| Remark::new("fault.weight", [("value", &printable(value, 20))]);
    value.parse().map(Some).map_err(wrong)
}

/// The result of this text; `None` if it is open or none.
fn result(text: &str) -> Option<KnownOutcome> {
    match Outcome::from_ascii(text.as_bytes()) {
        Ok(Outcome::Known(outcome)) => Some(outcome),
        Ok(Outcome::Unknown) => None,
        Err(_) if text == "1/2" => Some(KnownOutcome::Draw),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn games(text: &str, plies: usize) -> Vec<ReadGame> {
        let mut all = Vec::new();
        read(text.as_bytes(), plies, &|_| true, &mut |place, found| {
            all.push(found);
            assert_eq!(place.game, all.len());
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
            "[White \"Ann\"]\n[BlackElo \"2100\"]\n\
             [Result \"1-0\"]\n\n1. e4 {best by test} (1. d4 d5) e5 $1 2. Nf3! 1-0\n",
        );
        assert_eq!(game.header.players.white, "Ann");
        assert_eq!(game.header.elo, ByColor { white: 0, black: 2100 });
        assert_eq!(game.result, WHITE_WINS);
        assert_eq!(game.moves.len(), 3);
        assert_eq!(game.moves[0].key, 0x463b_9618_1691_fc9c);
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
        assert!(error("[Variant \"Atomic\"]\n\n1. e4 *").contains("not standard chess"));
        assert!(error("[Event \"?\"]\n\n*\n").contains("no moves"));
        assert_eq!(game("[Variant \"Standard\"]\n\n1. e4 *").moves.len(), 1);
        assert!(
            error("[Variant \"Chess960\"]\n\n1. e4 *").contains("\"Chess960\" is not standard")
        );
    }

    /// Skipped, a token that is no move would leave the moves after it in another position.
    #[test]
    fn a_token_that_is_no_move_ends_its_game() {
        let german = error("1. e4 e5 2. Sf3 Sc6 3. c3 *");
        assert!(german.starts_with("2. Sf3 is not a move; moves look like Nf3"), "{german}");
        assert!(error("1. e4 e5 2. -- *").contains("2. -- passes the turn"));
        for text in ["1. e4 e9 *", "1. e4 e5 xyz *"] {
            assert!(error(text).contains("is not a move"), "{text}");
        }
        let mut place = None;
        read(&b"1. e4 *\n\n1. e4\ne5 2. Sf3 *"[..], 9, &|_| true, &mut |at, _| place = Some(at));
        assert_eq!(place, Some(Place { game: 2, line: 4 }));
    }

    #[test]
    fn a_game_without_moves_is_named_with_its_own_line() {
        for (text, line) in [
            ("[White \"A\"]\n\n*\n\n\n[White \"B\"]\n\n1. e4 *\n", 3),
            ("[White \"A\"]\n[Black \"C\"]\n\n\n\n[White \"B\"]\n\n1. e4 *\n", 1),
            ("\n\n[White \"A\"]\n[Result \"*\"]\n\n", 3),
        ] {
            let mut places = Vec::new();
            read(text.as_bytes(), 9, &|_| true, &mut |at, game| {
                if matches!(game, ReadGame::Broken(_)) {
                    places.push(at);
                }
            });
            assert_eq!(places, [Place { game: 1, line }], "{text}");
        }
    }

    #[test]
    fn what_costs_no_move_is_ignored_and_reported() {
        for (text, faults) in [
            ("[White \"A\"]\n[Black \"B]\n\n1. e4 e5 1-0", &[(2, "fault.tag")][..]),
            ("[Elo 2500]\n\n1. e4 e5 1-0", &[(1, "fault.tag")]),
            ("1. e4 }\ne5 1-0", &[(1, "fault.stray-bracket")]),
            ("1. e4\n) e5 1-0", &[(2, "fault.stray-bracket")]),
            ("[Weight \"many\"]\n[]\n\n1. e4 e5 1-0", &[(2, "fault.weight"), (2, "fault.tag")]),
            // What is merely odd is as if it were not there.
            ("[Weight \"\"]\n\n1. e4 e5 1-0", &[]),
            ("[Result \"White wins\"]\n[WhiteElo \"high\"]\n[FEN \"\"]\n\n1. e4 e5 1-0", &[]),
        ] {
            let game = game(text);
            let found: Vec<_> =
                game.ignored.iter().map(|Broken { line, fault, .. }| (*line, fault.key)).collect();
            assert_eq!(found, faults, "{text}");
            assert_eq!((game.moves.len(), game.result), (2, WHITE_WINS), "{text}");
            assert_eq!((game.header.weight, game.header.elo.white), (None, 0), "{text}");
        }
        // Here the header has the moves.
        assert!(error("[White \"Ann] 1. e4 e5 *").starts_with("the header is unreadable"));
        assert!(error("[White \"Ann]\n\n1. e4 {no end").starts_with("a comment has no end"));
    }

    #[test]
    fn other_notations_are_read() {
        let wanted = "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Nxe4";
        let keys =
            |text: &str| game(text).moves.iter().map(|ply| (ply.key, ply.code)).collect::<Vec<_>>();
        for text in [
            "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-b5 Ng8-f6 4. 0-0 Nf6xe4",
            "1.e2e4 1...e7e5 2.g1f3 b8c6 3.f1b5 g8f6 4.e1g1 f6e4",
            "1. Pe4 Pe5 2. Ng1f3! Nb8c6!? 3. Bf1b5 Ng8f6 4. O-O N:e4",
            "1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 ♞f6 4. O–O ♞xe4",
        ] {
            assert_eq!(keys(text), keys(wanted), "{text}");
        }
        let promoted = "[FEN \"1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. ";
        for text in ["axb8=Q+ *", "a7xb8Q *", "a7xb8=Q+ *", "a7b8q *"] {
            assert_eq!(game(&format!("{promoted}{text}")).moves.len(), 1, "{text}");
        }
        assert!(
            error("1. Ng1-e4 *").contains("not legal") && error("1. Bg1-f3 *").contains("legal")
        );
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
            matches!(&all[..], [ReadGame::Broken(error)] if error.contains("comment has no end")),
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
