//! The numbers that the algorithms go by, each declared once: name, unit, range, default. Their
//! meaning in words is the text `constant.NAME`.
//!
//! `--set NAME=VALUE` changes one for one run, so that a lesson can ask what it is worth.

use super::texts::{LocalizedError, Texts};

/// Declares the constants: a field, its name on the command line, default, range, explanation.
macro_rules! constants {
    ($($field:ident, $name:literal, $default:literal, $range:expr, $text:literal;)*) => {
        /// Values of all constants.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Constants {
            $(#[doc = $text] pub $field: i32,)*
        }

        impl Default for Constants {
            fn default() -> Constants {
                Constants { $($field: $default,)* }
            }
        }

        /// Every constant, in the order of the algorithms.
        pub const ALL: &[Constant] = &[
            $(Constant {
                name: $name,
                default: $default,
                range: $range,
                set: |constants, value| constants.$field = value,
            },)*
        ];
    };
}

/// The declaration of one constant.
pub struct Constant {
    /// Name on the command line, after its algorithm.
    pub name: &'static str,
    /// Value where none is set.
    pub default: i32,
    /// Least and greatest value.
    pub range: (i32, i32),
    set: fn(&mut Constants, i32),
}

constants! {
    aspiration_width, "aspiration.width", 50, (1, 10_000),
        "Half the width of the first window, in hundredths of the game's unit.";
    aspiration_plies, "aspiration.plies", 2, (1, 10),
        "Plies that the search for the expected value is shallower by.";
    quiescence_plies, "quiescence.plies", 8, (0, 40),
        "Plies beyond the horizon after which even an unstable position is evaluated.";
    rest_change, "quiescence-by-value.change", 300, (0, 10_000),
        "A change of the value that is drastic, in hundredths of the game's unit.";
    rest_plies, "quiescence-by-value.plies", 1, (0, 20),
        "Plies beyond the horizon after which even an unstable value stands.";
    levels_plies, "continuation-by-levels.plies", 2, (0, 10),
        "Plies that a chosen terminal node is searched deeper.";
    levels_share, "continuation-by-levels.share", 10, (0, 100),
        "Terminal nodes that may be chosen, in per cent.";
    continuation_plies, "heuristic-continuation.plies", 2, (0, 10),
        "Plies that a critical leaf is searched deeper.";
    secondary_plies, "secondary.plies", 2, (1, 10),
        "Plies that the chosen branch is searched deeper: d.";
    null_reduction, "null-move.R", 2, (0, 10),
        "Plies that the search after a null move is shallower by: R.";
    futility_margin, "futility.margin", 50, (0, 10_000),
        "A gain that is not enough, in hundredths of the game's unit.";
    ranked_factor, "ranked-pruning.factor", 2, (1, 100),
        "The root's factor, for each ply of the depth.";
    biased_classes, "biased.classes", 3, (1, 10),
        "Classes of moves; each is searched one ply less deep than the one before.";
    crash_cut_loss, "crash-cut.loss", 8, (1, 100),
        "A loss that gives a board up, in the game's units: a key piece less its price.";
    opponent_errors, "opponent-model.errors", 10, (0, 100),
        "The opponent's moves that are errors, in per cent.";
    budget_longest, "depth-budget.longest", 4, (1, 20),
        "The longest line, in multiples of the depth.";
}

/// A reason why a constant cannot be set. The message names the mend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConstantError {
    /// Not of the form NAME=VALUE.
    Form(String),
    /// No constant of this name.
    Unknown(String),
    /// Out of range.
    Range {
        /// The constant.
        name: &'static str,
        /// Least and greatest value.
        range: (i32, i32),
    },
}

impl LocalizedError for ConstantError {
    fn in_words(&self, texts: &Texts) -> String {
        match self {
            ConstantError::Form(text) => texts.fill("fault.constant-form", &[("text", text)]),
            ConstantError::Unknown(text) => {
                texts.fill("fault.constant-unknown", &[("text", text), ("names", &names())])
            }
            ConstantError::Range { name, range: (least, most) } => {
                let (least, most) = (least.to_string(), most.to_string());
                let values = [("name", *name), ("least", &least), ("most", &most)];
                texts.fill("fault.constant-range", &values)
            }
        }
    }
}

fn names() -> String {
    ALL.iter().map(|constant| constant.name).collect::<Vec<_>>().join(", ")
}

impl Constants {
    /// Sets the constant that `text` names: `null-move.R=3`.
    ///
    /// # Errors
    /// Text of another form, an unknown name, a value out of range.
    pub fn set(&mut self, text: &str) -> Result<(), ConstantError> {
        let form = || ConstantError::Form(text.to_string());
        let (name, value) = text.split_once('=').ok_or_else(form)?;
        let value: i32 = value.trim().parse().map_err(|_| form())?;
        let found = ALL.iter().find(|constant| constant.name == name.trim());
        let Constant { name, range, set, .. } =
            found.ok_or_else(|| ConstantError::Unknown(name.trim().to_string()))?;
        if value < range.0 || value > range.1 {
            return Err(ConstantError::Range { name, range: *range });
        }
        set(self, value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::{self, Lang};

    #[test]
    fn every_constant_can_be_set_and_keeps_to_its_range() {
        for constant in ALL {
            let meaning = format!("constant.{}", constant.name);
            assert!(texts::of(Lang::En).find(&meaning).is_some(), "{meaning}");
            let mut constants = Constants::default();
            constants.set(&format!("{}={}", constant.name, constant.default)).unwrap();
            assert_eq!(constants, Constants::default(), "{}", constant.name);
            constants.set(&format!("{}={}", constant.name, constant.range.1)).unwrap();
            assert_ne!(constants, Constants::default(), "{}", constant.name);
            let beyond = format!("{}={}", constant.name, constant.range.1 + 1);
            assert!(matches!(constants.set(&beyond), Err(ConstantError::Range { .. })));
        }
    }

    #[test]
    fn faults_name_their_mend() {
        let mut constants = Constants::default();
        assert!(constants.set("R").unwrap_err().to_string().contains("null-move.R=3"));
        assert!(constants.set("R=3").unwrap_err().to_string().contains("null-move.R"));
        assert!(constants.set("null-move.R=x").is_err());
    }
}
