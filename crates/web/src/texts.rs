//! The page's words in English and Spanish.

pub use shell::texts::{Lang, Texts};

/// The page's texts in a language.
pub fn of(lang: Lang) -> Texts {
    Texts::of(lang, [include_str!("texts/en.txt"), include_str!("texts/es.txt")])
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
