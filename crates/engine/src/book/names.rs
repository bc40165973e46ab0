//! Names of openings, from the lines in `openings/`. They are read once, at the first request, in a few
//! milliseconds.
//!
//! A position at the end of a line has that line's name. A position on the way has only the opening's name,
//! if all lines through it belong to that opening and at least half of the opening's lines pass through it.
//! So the Sicilian has its name before its variations, and a line that arrives by a detour does not lend
//! its name to the detour.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use super::games::{self, Header, ReadGame};
use crate::rules::{Game, RuleSet, Rules};

/// The embedded lines.
static LINES: [&str; 5] = [
    include_str!("../../../../openings/a.pgn"),
    include_str!("../../../../openings/b.pgn"),
    include_str!("../../../../openings/c.pgn"),
    include_str!("../../../../openings/d.pgn"),
    include_str!("../../../../openings/e.pgn"),
];

static NAMES: LazyLock<Names> = LazyLock::new(|| Names::read(&LINES));

/// An opening's code and name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Code in the Encyclopaedia of Chess Openings, from A00 to E99; the first of several.
    pub eco: String,
    /// Name of the opening.
    pub name: String,
    /// Name of the variation; empty if there is none yet.
    pub variation: String,
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco, self.name)?;
        if !self.variation.is_empty() {
            write!(f, ": {}", self.variation)?;
        }
        Ok(())
    }
}

impl Opening {
    fn of(header: &Header) -> Opening {
        let Header { eco, opening, variation, .. } = header;
        Opening { eco: eco.clone(), name: opening.clone(), variation: variation.clone() }
    }

    /// The common part of two openings, under the lower code.
    fn common(&mut self, other: &Opening) {
        if other.eco < self.eco {
            self.eco.clone_from(&other.eco);
        }
        if other.name != self.name {
            self.name.clear();
        }
        self.variation.clear();
    }
}

/// The opening of a game of chess: the name of the last of its positions that has one. `None` before the
/// first, and in other rule sets.
pub fn of<P: Rules>(game: &Game<P>) -> Option<&'static Opening> {
    if P::RULE_SET != RuleSet::Chess {
        return None;
    }
    let keys = std::iter::once(game.now().key()).chain(game.past().iter().rev().copied());
    keys.into_iter().find_map(|key| NAMES.0.get(&key))
}

/// True if the current position of a game of chess has a name of its own.
pub fn has<P: Rules>(game: &Game<P>) -> bool {
    P::RULE_SET == RuleSet::Chess && NAMES.0.contains_key(&game.now().key())
}

/// Names by the key of the position.
#[derive(Debug)]
struct Names(HashMap<u64, Opening>);

impl Names {
    /// The names in these PGN texts.
    fn read(texts: &[&str]) -> Names {
        let mut lines: Vec<(Opening, Vec<u64>)> = Vec::new();
        for text in texts {
            games::read(text.as_bytes(), usize::MAX, &|_| true, &mut |_, found| {
                if let ReadGame::Game(game) = found {
                    let keys = game.moves.iter().map(|ply| ply.after).collect();
                    lines.push((Opening::of(&game.header), keys));
                }
            });
        }
        lines.sort_by_key(|(_, keys)| keys.len());
        let mut sizes: HashMap<String, usize> = HashMap::new();
        let mut ways: HashMap<u64, (Opening, usize)> = HashMap::new();
        let mut ends: HashMap<u64, Opening> = HashMap::new();
        for (opening, keys) in lines {
            *sizes.entry(opening.name.clone()).or_default() += 1;
            for &key in &keys {
                let (way, lines) = ways.entry(key).or_insert_with(|| (opening.clone(), 0));
                way.common(&opening);
                *lines += 1;
            }
            if let Some(&end) = keys.last() {
                ends.entry(end).or_insert(opening);
            }
        }
        let is_main =
            |way: &Opening, lines| sizes.get(&way.name).is_some_and(|all| 2 * lines >= *all);
        let ways = ways.into_iter().filter(|(_, (way, lines))| is_main(way, *lines));
        let mut names: HashMap<u64, Opening> = ways.map(|(key, (way, _))| (key, way)).collect();
        names.extend(ends);
        Names(names)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use crate::rules::setup::{self, Start};

    fn line(eco: &str, name: &str, variation: &str, moves: &str) -> String {
        format!(
            "[ECO \"{eco}\"]\n[Opening \"{name}\"]\n[Variation \"{variation}\"]\n\n{moves} *\n\n"
        )
    }

    fn named(names: &Names, moves: &str) -> Option<String> {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_string).collect();
        let game = setup::game::<Chess>(&Start::Initial, &moves, CastlingMode::Standard);
        names.0.get(&game.unwrap().0.now().key()).map(ToString::to_string)
    }

    #[test]
    fn a_position_has_the_name_of_its_line_or_opening() {
        let text = [
            line("B33", "Sicilian Defence", "Sveshnikov", "1. e4 c5 2. Nf3 Nc6 3. d4"),
            line("B27", "Sicilian Defence", "Hungarian", "1. e4 c5 2. Nf3 g6"),
            line("C60", "Ruy Lopez", "", "1. e4 e5 2. Nf3 Nc6 3. Bb5"),
            line("C65", "Ruy Lopez", "Berlin", "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6"),
            line("C69", "Ruy Lopez", "Exchange, by a detour", "1. e3 e5 2. Bb5 a6 3. Bc6"),
        ];
        let names = Names::read(&[&text[..2].concat(), &text[2..].concat()]);
        for (moves, name) in [
            ("", None),
            ("e2e4", None),
            ("e2e4 c7c5", Some("B27 Sicilian Defence")),
            ("e2e4 c7c5 g1f3 g7g6", Some("B27 Sicilian Defence: Hungarian")),
            ("e2e4 c7c5 g1f3 b8c6", Some("B33 Sicilian Defence")),
            ("e2e4 c7c5 g1f3 b8c6 d2d4", Some("B33 Sicilian Defence: Sveshnikov")),
            ("e2e3", None),
            ("e2e3 e7e5 f1b5 a7a6 b5c6", Some("C69 Ruy Lopez: Exchange, by a detour")),
            ("e2e4 e7e5 g1f3 b8c6 f1b5", Some("C60 Ruy Lopez")),
            ("e2e4 e7e5 g1f3 b8c6 f1b5 g8f6", Some("C65 Ruy Lopez: Berlin")),
            ("e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 a2a3", None),
        ] {
            assert_eq!(named(&names, moves).as_deref(), name, "{moves}");
        }
    }

    #[test]
    fn embedded_lines_are_sound_and_complete() {
        let mut count = 0;
        for text in LINES {
            games::read(text.as_bytes(), usize::MAX, &|_| true, &mut |place, found| {
                let number = place.line;
                let ReadGame::Game(game) = found else { panic!("line {number}: {found:?}") };
                let Header { eco, opening, weight, .. } = &game.header;
                let (letter, digits) = eco.split_at(1);
                let is_code = "ABCDE".contains(letter) && digits.len() == 2;
                assert!(is_code && digits.parse::<u8>().is_ok(), "line {number}: {eco}");
                assert!(
                    !opening.is_empty() && weight.is_some(),
                    "line {number}: {:?}",
                    game.header
                );
                count += 1;
            });
        }
        assert!(count > 0);
    }

    #[test]
    fn a_position_may_have_a_name_of_its_own() {
        let has_name = |moves: &str| {
            let moves: Vec<String> = moves.split_whitespace().map(str::to_string).collect();
            let game = setup::game::<Chess>(&Start::Initial, &moves, CastlingMode::Standard);
            has(&game.unwrap().0)
        };
        assert!(has_name("e2e4 c7c5"));
        assert!(!has_name("e2e4 c7c5 h2h4 h7h5 h1h3"));
    }
}
