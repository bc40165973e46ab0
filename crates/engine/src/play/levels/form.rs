//! The forms of the depth policy: how a position's choices become a depth.

/// The relation between position and depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Form {
    /// Always the base depth.
    Off,
    /// By the mobility of both sides.
    #[default]
    Moves,
    /// By the estimated leaves of the unpruned tree.
    Leaves,
    /// By the leaves of the least tree of alpha-beta, counted without evaluations.
    Walk,
    /// By the nodes of the search so far.
    Statistical,
    /// By the nodes of the search so far, with an upper bound that may stop it below the base depth.
    Bounded,
    /// The paper's formula for legal moves, as printed.
    Paper,
    /// The paper's formula for leaves, as printed.
    PaperLeaves,
}

impl Form {
    /// All forms.
    pub const ALL: [Form; 8] = [
        Form::Off,
        Form::Moves,
        Form::Leaves,
        Form::Walk,
        Form::Statistical,
        Form::Bounded,
        Form::Paper,
        Form::PaperLeaves,
    ];

    /// The names of all forms, in the order of [`Form::ALL`].
    pub const NAMES: &[&str] =
        &["off", "moves", "leaves", "walk", "statistical", "bounded", "paper", "paper-leaves"];

    /// The form's name, as options and reports write it.
    pub const fn name(self) -> &'static str {
        Form::NAMES[self as usize]
    }

    /// True for the paper's formulas as printed.
    pub(super) const fn is_literal(self) -> bool {
        matches!(self, Form::Paper | Form::PaperLeaves)
    }
}

/// No form has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("forms are {}", Form::NAMES.join(", "))]
pub struct UnknownFormError;

impl std::str::FromStr for Form {
    type Err = UnknownFormError;

    /// Reads a form's name; case does not matter.
    fn from_str(text: &str) -> Result<Form, UnknownFormError> {
        let is_meant = |form: &Form| form.name().eq_ignore_ascii_case(text);
        Form::ALL.into_iter().find(is_meant).ok_or(UnknownFormError)
    }
}
