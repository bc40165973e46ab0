//! Games and positions from a text, and a game as PGN.

use std::io;

use serde::Serialize;

use engine::evaluation::Variant;
use engine::evaluation::variants::{Task, with_rules};
use engine::input::printable;
use engine::pgn::{Broken, Course, Games, RawGame, Token, line_text, write};
use engine::remark::Remark;
use engine::rules::RuleSet;
use engine::rules::setup::{self, SetupError, Start};
use shell::remarks;

use crate::request::{GameText, MAX_MOVES};
use crate::texts::Texts;

/// Most tags of a game that are kept.
const MAX_TAGS: usize = 60;
/// Greatest length of a tag's value, in characters.
const LONGEST_VALUE: usize = 200;

/// A game that was read from a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Found {
    /// Name of the rule set in UCI.
    pub rules: &'static str,
    /// Castling by the rules of Chess960.
    pub chess960: bool,
    /// The position at the start, if it is not the rule set's own.
    pub fen: Option<String>,
    /// The moves in UCI notation.
    pub moves: Vec<String>,
    /// Names and values of its tags.
    pub tags: Vec<(String, String)>,
    /// Notes for the person: what could not be read, and what the page does not keep.
    pub notes: Vec<String>,
}

/// Reads a FEN, or the first game of a PGN. `rules` holds for a text that names none.
///
/// # Errors
/// A text in which there is neither, with a remedy.
pub fn read(text: &str, rules: RuleSet, texts: &Texts) -> Result<Found, String> {
    let line = text.trim();
    let is_position = !line.starts_with('[') && line.matches('/').count() >= 7;
    if is_position && !line.contains('\n') {
        return with_rules(rules, ReadPosition { fen: line, texts });
    }
    let mut games = Games::new(text.as_bytes());
    let unread = |error: io::Error| match Remark::within(&error) {
        Some(remark) => remarks::in_words(remark, texts.lang),
        None => error.to_string(),
    };
    let first = next_game(&mut games).map_err(unread)?;
    let mut raw = first.ok_or_else(|| texts.get("import.nothing").to_string())?;
    if raw.tag("Variant").is_none() {
        raw.tags.push(("Variant".to_string(), rules.name().to_string()));
        raw = raw.in_san().unwrap_or(raw);
    }
    let course = Course::follow(&raw).map_err(|fault| in_its_line(&fault, texts))?;
    let mut found = with_rules(course.rule_set, ReadGame { raw: &raw, course: &course, texts })?;
    let mut count: usize = 1;
    while let Ok(Some(_)) = next_game(&mut games) {
        count += 1;
    }
    if count > 1 {
        found.notes.push(texts.fill("import.first", &[("count", &count.to_string())]));
    }
    Ok(found)
}

/// The next game of a text, without what stands beside games.
fn next_game(games: &mut Games<&[u8]>) -> io::Result<Option<RawGame>> {
    loop {
        match games.next_game()? {
            Some(raw) if !raw.is_game() => {}
            found => return Ok(found),
        }
    }
}

/// A fault of a game, with its line.
fn in_its_line(Broken { line, fault, .. }: &Broken, texts: &Texts) -> String {
    let fault = remarks::in_words(fault, texts.lang);
    texts.fill("import.fault", &[("line", &line.to_string()), ("fault", &fault)])
}

struct ReadPosition<'a> {
    fen: &'a str,
    texts: &'a Texts,
}

impl Task for ReadPosition<'_> {
    type Outcome = Result<Found, String>;

    fn run<P: Variant>(self) -> Self::Outcome {
        let in_words = |remark: &Remark| remarks::in_words(remark, self.texts.lang);
        let impossible = |SetupError(fault): SetupError| {
            self.texts.fill("import.position", &[("fault", &in_words(&fault))])
        };
        let castling = setup::castling_mode(self.fen);
        let (position, notes) = setup::position::<P>(self.fen, castling).map_err(impossible)?;
        Ok(Found {
            rules: P::NAME,
            chess960: castling.is_chess960(),
            fen: Some(setup::fen(&position)),
            moves: Vec::new(),
            tags: Vec::new(),
            notes: notes.iter().map(in_words).collect(),
        })
    }
}

struct ReadGame<'a> {
    raw: &'a RawGame,
    course: &'a Course,
    texts: &'a Texts,
}

impl ReadGame<'_> {
    /// What could not be read of the moves.
    fn fault(&self) -> Option<String> {
        let ReadGame { raw, course, texts } = self;
        let fault = course.error.as_ref()?;
        let mut words = raw.main_line().filter_map(|place| raw.word(place));
        match words.nth(course.moves.len()).filter(|_| fault.is_cut) {
            Some(word) => {
                let word = printable(&word, LONGEST_VALUE);
                let values = [("line", &*fault.line.to_string()), ("move", &word)];
                Some(texts.fill("import.cut", &values))
            }
            None => Some(in_its_line(fault, texts)),
        }
    }
}

impl Task for ReadGame<'_> {
    type Outcome = Result<Found, String>;

    fn run<P: Variant>(self) -> Self::Outcome {
        let mut notes: Vec<String> = self.fault().into_iter().collect();
        let ReadGame { raw, course, texts } = self;
        notes.extend(raw.remark().map(|remark| remarks::in_words(&remark, texts.lang)));
        let moves: Vec<_> = course.moves.iter().map_while(|m| *m).take(MAX_MOVES).collect();
        if moves.len() < course.moves.len() {
            notes.push(texts.fill("import.long", &[("count", &moves.len().to_string())]));
        }
        let fen = match &course.start {
            Start::Initial => None,
            Start::Fen(fen) => {
                let in_words = |remark: &Remark| remarks::in_words(remark, texts.lang);
                let (position, remarks) = setup::position::<P>(fen, course.castling)
                    .map_err(|SetupError(fault)| in_words(&fault))?;
                notes.extend(remarks.iter().map(in_words));
                Some(setup::fen(&position))
            }
        };
        let is_aside =
            |token: &Token| matches!(token, Token::Comment(_) | Token::Nag(_) | Token::Open);
        if raw.tokens.iter().any(is_aside) {
            notes.push(texts.get("import.asides").to_string());
        }
        let tags = raw.tags.iter().take(MAX_TAGS);
        let kept = |(name, value): &(String, String)| {
            (printable(name, LONGEST_VALUE), printable(value, LONGEST_VALUE))
        };
        Ok(Found {
            rules: P::NAME,
            chess960: course.castling.is_chess960(),
            fen,
            moves: moves.iter().map(|m| m.to_uci(course.castling).to_string()).collect(),
            tags: tags.map(kept).collect(),
            notes,
        })
    }
}

/// The game as PGN. What decides on its positions is written from the game, whatever `tags` say.
///
/// # Errors
/// A position or a move that the rules do not allow.
pub fn write<P: Variant>(
    text: &GameText,
    tags: &[(String, String)],
    result: &str,
) -> Result<String, String> {
    let played = text.played::<P>()?;
    let result = ["1-0", "0-1", "1/2-1/2"].into_iter().find(|known| *known == result);
    let result = result.unwrap_or("*");
    let mut pgn = String::new();
    let mut tag = |name: &str, value: &str| {
        pgn += &write::tag(name, &printable(value, LONGEST_VALUE));
    };
    let is_name = |name: &str| {
        (1..=40).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    let own = ["result", "variant", "setup", "fen"];
    for (name, value) in tags.iter().take(MAX_TAGS) {
        if is_name(name) && !own.contains(&name.to_ascii_lowercase().as_str()) {
            tag(name, value);
        }
    }
    tag("Result", result);
    match (text.chess960, P::RULE_SET) {
        (true, RuleSet::Chess) => tag("Variant", "Chess960"),
        (_, RuleSet::Chess) => {}
        (_, rule_set) => tag("Variant", rule_set.name()),
    }
    if text.fen.is_some() {
        tag("SetUp", "1");
        tag("FEN", &setup::fen(played.start.position()));
    }
    pgn.push('\n');
    let line = line_text(&played.start, &played.moves);
    Ok(pgn + &write::wrapped(line.split_whitespace().chain([result])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::{self, Lang};
    use shakmaty::Chess;

    fn english(text: &str, rules: RuleSet) -> Result<Found, String> {
        read(text, rules, &texts::of(Lang::En))
    }

    #[test]
    fn what_is_written_is_read_again() {
        let game = GameText {
            rules: "chess".to_string(),
            fen: Some("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7".to_string()),
            moves: ["e8d7", "e2e4", "d7d6"].map(str::to_string).to_vec(),
            ..GameText::default()
        };
        let tags = [("White", "A \"quoted\"\n[name] \\"), ("bad name", "x"), ("FEN", "forged")];
        let tags = tags.map(|(name, value)| (name.to_string(), value.to_string()));
        let pgn = write::<Chess>(&game, &tags, "1-0").unwrap();
        assert!(pgn.contains("\n7...Kd7 8.e4 Kd6 1-0\n"), "{pgn}");
        let found = english(&pgn, RuleSet::Chess).unwrap();
        assert_eq!((&found.moves, &found.fen), (&game.moves, &game.fen), "{pgn}");
        assert_eq!(found.notes, Vec::<String>::new());
        let white = found.tags.iter().find(|(name, _)| name == "White").unwrap();
        assert!(white.1.contains("A \"quoted\"") && white.1.ends_with("[name] \\"), "{white:?}");
        assert!(!pgn.contains("forged") && !pgn.contains("bad name"), "{pgn}");
    }

    #[test]
    fn positions_and_broken_games_are_read_as_far_as_they_go() {
        let found = english("8/8/8/4k3/8/8/4P3/4K3 w", RuleSet::Chess).unwrap();
        assert_eq!(found.fen.as_deref(), Some("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"));
        let shuffled = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1";
        let found = english(shuffled, RuleSet::Chess).unwrap();
        assert_eq!((found.chess960, found.notes), (true, Vec::<String>::new()), "of Chess960");
        let found = english("1. e4 e5 2. Qh9", RuleSet::Chess).unwrap();
        assert_eq!(found.moves, ["e2e4", "e7e5"]);
        assert!(found.notes[0].contains("Qh9"), "{found:?}");
        let found = english("1. e4 *", RuleSet::Atomic).unwrap();
        assert_eq!(found.rules, "atomic");
        assert!(english("hello", RuleSet::Chess).unwrap_err().contains("paste a PGN"));
    }

    #[test]
    fn further_games_and_comments_are_told_of() {
        let notes = |text: &str| english(text, RuleSet::Chess).unwrap().notes;
        let many = "[White \"Ann\"]\n\n1. e4 e5 1-0\n\n[White \"Bob\"]\n\n1. d4 (1. c4) {good} *\n";
        let wanted = ["The text has 2 games; the first one is open."];
        assert_eq!(notes(many), wanted);
        for text in ["1. e4 {best} e5", "1. e4! e5", "1. e4 (1. d4) e5"] {
            assert!(notes(text)[0].starts_with("Comments, "), "{text}");
        }
        assert_eq!(notes("1. e4 e5 1-0"), Vec::<String>::new());
    }

    #[test]
    fn what_cannot_be_read_is_told_in_the_language_of_the_page() {
        let spanish = |text| read(text, RuleSet::Chess, &texts::of(Lang::Es));
        let found = spanish("1. e4 e5\n2. Ke3 Nf6").unwrap();
        let wanted = "Línea 2: la jugada Ke3 no es posible aquí. La partida se lee hasta ella.";
        assert_eq!(found.notes, [wanted]);
        assert!(spanish("hello").unwrap_err().starts_with("Aquí no hay"));
        let fault = spanish("8/8/8/8/8/8/8/K6K w - - 0 1").unwrap_err();
        let kings = "las blancas tienen 2 reyes y necesitan exactamente uno";
        assert_eq!(fault, format!("Esta posición no es posible: {kings}"));
        let found = spanish("1. e4 } e5").unwrap();
        assert_eq!(found.notes, ["Línea 1: sobra un paréntesis o una llave de cierre."]);
        let fault = spanish("[Variant \"Giveaway\"]\n\n1. e4 *").unwrap_err();
        assert!(
            fault.starts_with("Línea 3: el juego «Giveaway» (Variant) no se conoce"),
            "{fault}"
        );
        assert!(fault.contains("gana quien no tiene jugada"), "{fault}");
        let found = spanish("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1").unwrap();
        assert!(found.notes[0].starts_with("Se omiten los derechos de enroque"), "{found:?}");
    }
}
