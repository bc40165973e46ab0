//! The analysis's words in English and Spanish.

use shell::texts::decimal;
pub use shell::texts::{Lang, Texts, moves};

/// The analysis's texts in a language.
pub fn of(lang: Lang) -> Texts {
    Texts::of(lang, [include_str!("texts/en.txt"), include_str!("texts/es.txt")])
}

/// Placeholders that hold moves.
const MOVES: [&str; 6] = ["move", "moves", "line", "better", "best", "reply"];

/// The text of a key with its placeholders filled; moves have the letters of the language.
pub(crate) fn tell(texts: &Texts, key: &str, values: &[(&str, &str)]) -> String {
    let written: Vec<(&str, String)> = values
        .iter()
        .map(|&(name, value)| match MOVES.contains(&name) {
            true => (name, moves(texts, value)),
            false => (name, value.to_string()),
        })
        .collect();
    let values: Vec<(&str, &str)> =
        written.iter().map(|(name, value)| (*name, value.as_str())).collect();
    texts.fill(key, &values)
}

/// Centipawns as pawns with so many decimals and the decimal mark of the language.
pub(crate) fn in_pawns(texts: &Texts, centipawns: i32, decimals: usize) -> String {
    let number = format!("{:.decimals$}", f64::from(centipawns) / 100.0);
    decimal(texts, &number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_every_text() {
        let [english, spanish] = Lang::ALL.map(of);
        assert_eq!(english.mismatch(&spanish), None);
    }
}
