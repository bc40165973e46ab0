//! Levels of play: a base depth each, and the depth of every move.
//!
//! The three depths and their names come from the paper behind the evaluation (section 8). [`policy`]
//! adjusts the depth as the game goes on, [`leaf_count`] measures the choices in a position, and
//! [`experiment`] holds the controls for comparisons.
//!
#![doc = include_str!("../../../../../docs/levels.md")]

pub mod experiment;
pub mod leaf_count;
pub mod policy;

use std::str::FromStr;

/// A level of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Level {
    /// The clock decides.
    #[default]
    Unlimited,
    /// Looks 3 half-moves ahead.
    Beginner,
    /// Looks 4 half-moves ahead.
    Intermediate,
    /// Looks 5 half-moves ahead.
    Advanced,
}

impl Level {
    /// All levels.
    pub const ALL: [Level; 4] =
        [Level::Unlimited, Level::Beginner, Level::Intermediate, Level::Advanced];

    /// The names of all levels, in the order of [`Level::ALL`].
    pub const NAMES: &[&str] = &["unlimited", "3-beginner", "4-intermediate", "5-advanced"];

    /// The level's name, as the options write it.
    pub const fn name(self) -> &'static str {
        Level::NAMES[self as usize]
    }

    /// Base depth, in plies; `None` if the clock decides.
    pub const fn base(self) -> Option<u32> {
        match self {
            Level::Unlimited => None,
            Level::Beginner => Some(3),
            Level::Intermediate => Some(4),
            Level::Advanced => Some(5),
        }
    }
}

/// An unknown name of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("levels are {}", Level::NAMES.join(", "))]
pub struct UnknownLevelError;

impl FromStr for Level {
    type Err = UnknownLevelError;

    /// Reads the whole name, its number or its word; case does not matter.
    fn from_str(text: &str) -> Result<Level, UnknownLevelError> {
        let is_meant = |level: &Level| {
            let name = level.name();
            let parts = name.split_once('-').map_or([name, name], |(number, word)| [number, word]);
            [name, parts[0], parts[1]].iter().any(|accepted| accepted.eq_ignore_ascii_case(text))
        };
        let found = Level::ALL.into_iter().find(is_meant);
        found.ok_or(UnknownLevelError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_has_a_name_a_number_and_a_word() {
        for (texts, level) in [
            (&["4-intermediate", "4", "intermediate", "Intermediate"][..], Level::Intermediate),
            (&["3", "BEGINNER", "3-Beginner"], Level::Beginner),
            (&["5", "advanced"], Level::Advanced),
            (&["unlimited"], Level::Unlimited),
        ] {
            for text in texts {
                assert_eq!(text.parse(), Ok(level), "{text}");
            }
        }
        for text in ["", "2", "6", "3-", "-beginner", "3-advanced", "expert"] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
    }

    #[test]
    fn names_and_base_depths_agree() {
        for level in Level::ALL {
            let number = level.name().split_once('-').map(|(number, _)| number.parse().unwrap());
            assert_eq!(number, level.base());
        }
    }
}
