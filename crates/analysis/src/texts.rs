//! The analysis's words in English and Spanish.

pub use shell::texts::{Lang, Texts};

/// The analysis's texts in a language.
pub fn of(lang: Lang) -> Texts {
    Texts::of(lang, [include_str!("texts/en.txt"), include_str!("texts/es.txt")])
}

/// Letters of the pieces in SAN, in the order of the text `page.pieces`.
const LETTERS: &str = "KQRBN";

/// Placeholders that hold moves.
const MOVES: [&str; 6] = ["move", "moves", "line", "better", "best", "reply"];

/// A move or a line in SAN with the letters of the language: `3...Nxe4` is `3...Cxe4` in Spanish. Squares, castling and
/// signs have no capital letter of a piece.
pub fn moves(texts: &Texts, san: &str) -> String {
    let letter = |c: char| {
        let place = LETTERS.find(c)?;
        texts.get("page.pieces").chars().nth(place)
    };
    san.chars().map(|c| letter(c).unwrap_or(c)).collect()
}

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
    number.replace('.', texts.get("decimal.point"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_have_the_letters_of_the_language() {
        let [english, spanish] = Lang::ALL.map(of);
        let line = "12.Nbd2 O-O-O 13.exd8=Q+ Rxd8 … 15.Kf1 B@h3";
        assert_eq!(moves(&english, line), line);
        assert_eq!(moves(&spanish, line), "12.Cbd2 O-O-O 13.exd8=D+ Txd8 … 15.Rf1 A@h3");
    }

    #[test]
    fn both_languages_have_every_text() {
        let [english, spanish] = Lang::ALL.map(of);
        assert_eq!(english.mismatch(&spanish), None);
    }
}
