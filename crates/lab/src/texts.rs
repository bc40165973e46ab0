//! The laboratory's words in English and in the sources' Spanish.
//!
//! Narrator, pictures, pages and tables all take their words from here, and a test holds that no language
//! lacks one.

pub use shell::texts::{Arg, Lang, Line, Texts};

/// The laboratory's texts in a language.
pub fn of(lang: Lang) -> Texts {
    Texts::of(lang, [include_str!("texts/en.txt"), include_str!("texts/es.txt")])
}

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
    fn every_key_in_the_code_has_a_text() {
        let texts = of(Lang::En);
        for source in [
            include_str!("narrator.rs"),
            include_str!("drawing.rs"),
            include_str!("compare.rs"),
            include_str!("page.rs"),
            include_str!("quiz.rs"),
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
