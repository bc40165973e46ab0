//! What the engine and the system say of a file, a game, a position or a move from outside, in the language of a person.

use std::io;

use engine::input::without_codes;
use engine::remark::{ENGLISH, Remark};

use crate::texts::{Lang, Texts, own};

/// The texts of all remarks in a language.
fn of(lang: Lang) -> Texts {
    Texts::of(lang, [ENGLISH, include_str!("texts/es.txt")])
}

/// A remark in words.
pub fn in_words(remark: &Remark, lang: Lang) -> String {
    let fault = remark.fault.as_ref().map(|fault| in_words(fault, lang));
    let values = remark.values.iter().map(|(name, value)| (*name, value.as_str()));
    let fault = fault.iter().map(|fault| ("fault", fault.as_str()));
    of(lang).fill(remark.key, &values.chain(fault).collect::<Vec<_>>())
}

/// An error of input or output in words; one of the system without its number.
pub fn of_system(error: &io::Error, lang: Lang) -> String {
    let key = match (Remark::within(error), error.kind()) {
        (Some(remark), _) => return in_words(remark, lang),
        (None, io::ErrorKind::AlreadyExists) => "system.exists",
        (None, io::ErrorKind::NotFound) => "system.missing",
        (None, io::ErrorKind::PermissionDenied) => "system.forbidden",
        (None, io::ErrorKind::StorageFull) => "system.full",
        (None, _) => return without_codes(&error.to_string()),
    };
    own(lang).get(key).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rules::setup::{self, Start};
    use shakmaty::{CastlingMode, Chess};

    #[test]
    fn every_language_has_every_remark() {
        let [english, spanish] = Lang::ALL.map(of);
        assert_eq!(english.mismatch(&spanish), None);
    }

    #[test]
    fn faults_and_corrections_have_the_words_of_the_language() {
        let read = |fen| setup::position::<Chess>(fen, CastlingMode::Standard);
        let fault = read("8/8/8/8/8/8/8/K7 w - - 0 1").unwrap_err().0;
        assert_eq!(in_words(&fault, Lang::En), fault.to_string());
        let wanted = "las negras tienen 0 reyes y necesitan exactamente uno";
        assert_eq!(in_words(&fault, Lang::Es), wanted);
        let (_, remarks) = read("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1").unwrap();
        let words = in_words(&remarks[0], Lang::Es);
        assert!(words.starts_with("Se omiten los derechos de enroque"), "{words}");
        let moves = ["e2e4", "x9"].map(str::to_string);
        let placed = setup::game::<Chess>(&Start::Initial, &moves, CastlingMode::Standard);
        let fault = placed.unwrap_err().0;
        assert!(fault.to_string().starts_with("move 2 of 2: 'x9' is not a move"), "{fault}");
        let words = in_words(&fault, Lang::Es);
        assert!(words.starts_with("jugada 2 de 2: «x9» no es una jugada"), "{words}");
    }
}
