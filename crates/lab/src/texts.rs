//! The laboratory's words in English and in the sources' Spanish.
//!
//! Narrator, pictures, pages and tables all take their words from here, and a test holds that no language
//! lacks one.

use std::error::Error;
use std::fmt;

use crate::algorithms::UnknownAlgorithmError;
use crate::constants::ConstantError;
use crate::games::connect_four::SizeError;
use crate::games::tree::TreeError;

pub use shell::texts::{Arg, Lang, Line, Texts, decimal, moves};

/// The laboratory's texts in a language.
pub fn of(lang: Lang) -> Texts {
    Texts::of(lang, [include_str!("texts/en.txt"), include_str!("texts/es.txt")])
}

/// An error that has a text in every language.
pub trait LocalizedError: Error {
    /// Its text.
    fn in_words(&self, texts: &Texts) -> String;
}

/// Makes these types errors. Without a language, their text is English.
macro_rules! localized_errors {
    ($($type:ty),*) => {
        $(
            impl fmt::Display for $type {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(&self.in_words(&of(Lang::En)))
                }
            }

            impl Error for $type {}
        )*

        /// An error of the laboratory in the words of a language; `None` for one of something else.
        pub fn error_in_words(error: &(dyn Error + 'static), lang: Lang) -> Option<String> {
            let found = [$(error.downcast_ref::<$type>().map(|error| error as &dyn LocalizedError)),*];
            found.into_iter().flatten().next().map(|error| error.in_words(&of(lang)))
        }
    };
}

localized_errors!(ConstantError, UnknownAlgorithmError, SizeError, TreeError);

#[cfg(test)]
mod tests {
    use super::*;

    /// The tags of a block of pseudocode: the parts before the first colon of its lines.
    fn tags(text: &str) -> Vec<&str> {
        text.lines().filter_map(|line| Some(line.split_once(": ")?.0)).collect()
    }

    #[test]
    fn every_language_has_every_text_with_the_same_placeholders() {
        let [english, spanish] = Lang::ALL.map(of);
        assert!(english.keys().count() > 200);
        assert_eq!(english.mismatch(&spanish), None);
        for key in english.keys().filter(|key| key.starts_with("code.")) {
            assert_eq!(tags(english.get(key)), tags(spanish.get(key)), "{key}");
        }
    }

    #[test]
    fn errors_have_the_words_of_the_language() {
        let spanish = |error: &(dyn Error + 'static)| error_in_words(error, Lang::Es).unwrap();
        let tree = |text| crate::games::tree::Tree::parse(text).unwrap_err();
        let constant = crate::constants::Constants::default().set("null-move.R=99").unwrap_err();
        assert_eq!(constant.to_string(), "null-move.R must be from 0 to 10");
        assert_eq!(spanish(&constant), "null-move.R va de 0 a 10");
        let algorithm = crate::algorithms::named("x").err().unwrap();
        assert!(spanish(&algorithm).starts_with("«x» no es un algoritmo del laboratorio"));
        let fault = spanish(&tree("A"));
        assert_eq!(fault, "el árbol acaba demasiado pronto: falta = y un valor, o ( e hijos");
        assert!(spanish(&tree("A (1 2) B")).starts_with("línea 1: «B» tras el final del árbol"));
        assert_eq!(error_in_words(&std::fmt::Error, Lang::Es), None);
    }

    #[test]
    fn every_key_in_the_code_has_a_text() {
        let texts = of(Lang::En);
        for source in [
            include_str!("narrator.rs"),
            include_str!("drawing.rs"),
            include_str!("compare.rs"),
            include_str!("page.rs"),
            include_str!("quiz.rs"),
            include_str!("algorithms/mod.rs"),
            include_str!("games/connect_four.rs"),
            include_str!("games/tree.rs"),
            include_str!("page/lab.js"),
            include_str!("page/quiz.js"),
        ] {
            let code = source.split("#[cfg(test)]").next().unwrap();
            for quoted in code.split(['"', '\'', '`']).skip(1) {
                let is_key = quoted.contains('.')
                    && quoted.chars().all(|c| c.is_ascii_lowercase() || ".-".contains(c))
                    && quoted.split('.').all(|part| part.len() > 1);
                let is_file =
                    [".js", ".css", ".rs", ".svg"].iter().any(|end| quoted.ends_with(end));
                if is_key && !is_file {
                    assert!(texts.find(quoted).is_some(), "no text for {quoted}");
                }
            }
        }
    }
}
