//! Names of openings, from lichess's list in `openings/names.tsv`. It is read once, at the first request, in some ten
//! milliseconds.
//!
//! Each line of the list names a position. A game has the name of the last of its positions that has one, whatever the
//! order of its moves.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use shakmaty::san::San;
use shakmaty::{Chess, Position};

use crate::rules::{Game, RuleSet, Rules};

/// The list: code, name and moves, apart by tabs, below a line with the names of these columns.
static LIST: &str = include_str!("../../../../openings/names.tsv");

static NAMES: LazyLock<HashMap<u64, Opening>> =
    LazyLock::new(|| LIST.lines().skip(1).filter_map(read).collect());

/// An opening's code and name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Code in the Encyclopaedia of Chess Openings, from A00 to E99.
    pub eco: String,
    /// Name of the opening.
    pub name: String,
    /// Name of the variation; empty if there is none yet.
    pub variation: String,
}

impl Opening {
    /// The name with that of the variation, as the tag `Opening` of a PGN has it.
    pub fn full_name(&self) -> String {
        match self.variation.as_str() {
            "" => self.name.clone(),
            variation => format!("{}: {variation}", self.name),
        }
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco, self.full_name())
    }
}

/// The key of the position that a line of the list names, and its name; `None` for a line that cannot be read.
fn read(line: &str) -> Option<(u64, Opening)> {
    let mut fields = line.split('\t');
    let (eco, name, moves) = (fields.next()?, fields.next()?, fields.next()?);
    let mut position = Chess::default();
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    for word in moves.split(' ').filter(|word| !is_number(word)) {
        let m = word.parse::<San>().ok()?.to_move(&position).ok()?;
        position.play_unchecked(m);
    }
    let (name, variation) = name.split_once(": ").unwrap_or((name, ""));
    let [eco, name, variation] = [eco, name, variation].map(str::to_string);
    Some((position.key(), Opening { eco, name, variation }))
}

/// The opening of a game of chess: the name of the last of its positions that has one. `None` before the
/// first, and in other rule sets.
pub fn of<P: Rules>(game: &Game<P>) -> Option<&'static Opening> {
    if P::RULE_SET != RuleSet::Chess {
        return None;
    }
    let keys = std::iter::once(game.now().key()).chain(game.past().iter().rev().copied());
    keys.into_iter().find_map(|key| NAMES.get(&key))
}

/// True if the position itself has a name, in a game of chess.
pub fn is_named<P: Rules>(game: &Game<P>) -> bool {
    P::RULE_SET == RuleSet::Chess && NAMES.contains_key(&game.now().key())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::KeyedPosition;

    fn named(moves: &str) -> Option<String> {
        let mut game = Game::new(Chess::default());
        for word in moves.split_whitespace() {
            game.play(word.parse::<San>().unwrap().to_move(game.position()).unwrap());
        }
        of(&game).map(ToString::to_string)
    }

    #[test]
    fn every_line_of_the_list_names_a_position_of_its_own() {
        assert_eq!(NAMES.len(), LIST.lines().count() - 1);
        for opening in NAMES.values() {
            let (letter, digits) = opening.eco.split_at(1);
            let is_code = "ABCDE".contains(letter) && digits.len() == 2;
            assert!(is_code && digits.parse::<u8>().is_ok(), "{opening}");
            assert!(!opening.name.is_empty(), "{opening}");
        }
        let start = KeyedPosition::new(Chess::default());
        assert!(!NAMES.contains_key(&start.key()));
    }

    #[test]
    fn a_game_may_go_on_after_the_last_position_that_has_a_name() {
        let mut game = Game::new(Chess::default());
        let mut has_name = |word: &str| {
            game.play(word.parse::<San>().unwrap().to_move(game.position()).unwrap());
            is_named(&game)
        };
        let named = ["e4", "e5", "Nf3", "f6", "h3"].map(&mut has_name);
        assert_eq!(named, [true, true, true, true, false]);
    }

    #[test]
    fn a_game_has_the_name_of_its_last_position_that_has_one() {
        for (moves, name) in [
            ("", None),
            ("e4 c5", Some("B20 Sicilian Defense")),
            ("e4 c5 c3", Some("B22 Sicilian Defense: Alapin Variation")),
            ("e4 c5 Nf3", Some("B27 Sicilian Defense")),
            (
                "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6",
                Some("B90 Sicilian Defense: Najdorf Variation"),
            ),
            ("e4 e6 d4 d5 Nc3 Bb4", Some("C15 French Defense: Winawer Variation")),
            ("e4 e5 Nf3 Nc6 Bb5 h6 h4 h5", Some("C60 Ruy Lopez")),
            // By another order of moves.
            ("Nf3 d5 d4", Some("D02 Queen's Pawn Game: Zukertort Variation")),
        ] {
            assert_eq!(named(moves).as_deref(), name, "{moves}");
        }
    }
}
