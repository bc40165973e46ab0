//! What openings are called. The names are those of the lines in `openings/`, read once, when a
//! name is first asked for; that takes a few milliseconds.
//!
//! A position at the end of a line has that line's name. One on the way has what all lines through
//! it have in common, if that is anything: the Sicilian has its name before it has a variation.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use shakmaty::variant::Variant;

use super::games::{self, Found, Header};
use crate::rules::{Game, Rules};

/// The lines that the program carries.
static LINES: [&str; 1] = [include_str!("lines.pgn")];

static NAMES: LazyLock<Names> = LazyLock::new(|| Names::read(&LINES));

/// An opening's code and name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Code in the Encyclopaedia of Chess Openings, from A00 to E99; the first of several.
    pub eco: String,
    /// Name of the opening.
    pub name: String,
    /// Name of the variation; empty if it has none, or none yet.
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

    /// What this opening and another have in common, under the lower code.
    fn common(&mut self, other: &Opening) {
        if other.eco < self.eco {
            self.eco.clone_from(&other.eco);
        }
        if other.name != self.name {
            self.name.clear();
        }
        if other.name != self.name || other.variation != self.variation {
            self.variation.clear();
        }
    }
}

/// The opening that a game of chess is in: the name of the last of its positions that has one.
/// `None` before the first, and in other rule sets.
pub fn of<P: Rules>(game: &Game<P>) -> Option<&'static Opening> {
    if P::VARIANT != Variant::Chess {
        return None;
    }
    let keys = std::iter::once(game.now().key()).chain(game.past().iter().rev().copied());
    keys.into_iter().find_map(|key| NAMES.at(key))
}

/// Names by position.
#[derive(Debug, Default)]
struct Names {
    /// Positions at the end of a line, and what the shortest such line is called.
    ends: HashMap<u64, Opening>,
    /// Positions on the way.
    ways: HashMap<u64, Opening>,
}

impl Names {
    /// The names in these texts of PGN.
    fn read(texts: &[&str]) -> Names {
        let mut lines: Vec<(Opening, Vec<u64>)> = Vec::new();
        for text in texts {
            games::read(text.as_bytes(), usize::MAX, &|_| true, &mut |_, found| {
                if let Found::Game(game) = found {
                    let keys = game.moves.iter().map(|ply| ply.after).collect();
                    lines.push((Opening::of(&game.header), keys));
                }
            });
        }
        lines.sort_by_key(|(_, keys)| keys.len());
        let mut names = Names::default();
        for (opening, keys) in lines {
            for &key in &keys {
                let way = names.ways.entry(key).or_insert_with(|| opening.clone());
                way.common(&opening);
            }
            if let Some(&end) = keys.last() {
                names.ends.entry(end).or_insert(opening);
            }
        }
        names
    }

    fn at(&self, key: u64) -> Option<&Opening> {
        self.ends
            .get(&key)
            .or_else(|| self.ways.get(&key))
            .filter(|opening| !opening.name.is_empty())
    }
}
