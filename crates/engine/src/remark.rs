//! What is said of a file, a game, a position or a move from outside, kept apart from its words: a client reads it in English, a
//! person's page in the person's language.

use std::fmt;
use std::io;

/// The English words, a key and its text a line, with placeholders in braces.
pub const ENGLISH: &str = include_str!("remarks.txt");

/// A fault or a correction. Its [`Display`](fmt::Display) is the English text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The key of its text.
    pub key: &'static str,
    /// The values of the placeholders.
    pub values: Vec<(&'static str, String)>,
    /// The fault whose place it tells: the placeholder `fault`.
    pub fault: Option<Box<Remark>>,
}

impl Remark {
    /// The remark of a key, with the values of its placeholders.
    pub fn new<const N: usize>(key: &'static str, values: [(&'static str, &str); N]) -> Remark {
        let values = values.map(|(name, value)| (name, value.to_string())).to_vec();
        Remark { key, values, fault: None }
    }

    /// The remark that an error of input and output was made of; `None` for an error of the system.
    pub fn within(error: &io::Error) -> Option<&Remark> {
        error.get_ref()?.downcast_ref()
    }
}

/// As an error of input and output a remark keeps its key, see [`Remark::within`].
impl std::error::Error for Remark {}

impl From<Remark> for io::Error {
    fn from(remark: Remark) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidInput, remark)
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |line: &'static str| line.strip_prefix(self.key)?.strip_prefix(" = ");
        let mut text = ENGLISH.lines().find_map(text).unwrap_or(self.key).to_string();
        for (name, value) in &self.values {
            text = text.replace(&format!("{{{name}}}"), value);
        }
        if let Some(fault) = &self.fault {
            text = text.replace("{fault}", &fault.to_string());
        }
        f.write_str(&text)
    }
}
