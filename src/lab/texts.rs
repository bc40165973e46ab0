//! The laboratory's words in English and in the sources' Spanish, one file a language.
//!
//! A text has a key, and placeholders in braces. Narrator, pictures, pages and tables all take their
//! words from here, and a test holds that no language lacks one.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

/// A language of the laboratory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Lang {
    /// English
    #[default]
    En,
    /// Spanish, the language of the sources
    Es,
}

impl Lang {
    /// All languages.
    pub const ALL: [Lang; 2] = [Lang::En, Lang::Es];

    /// The code of the language, as in HTML.
    pub fn code(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Es => "es",
        }
    }

    fn file(self) -> &'static str {
        match self {
            Lang::En => include_str!("texts/en.txt"),
            Lang::Es => include_str!("texts/es.txt"),
        }
    }
}

/// The value of a placeholder: its name and its text.
pub type Arg = (&'static str, String);

/// A text still to be put into words: its key and the values of its placeholders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Key of the text.
    pub key: &'static str,
    /// Values of the placeholders.
    pub args: Vec<Arg>,
}

/// All texts of one language.
#[derive(Clone, Debug)]
pub struct Texts {
    /// The language.
    pub lang: Lang,
    texts: BTreeMap<&'static str, String>,
}

impl Texts {
    /// The texts of a language.
    pub fn new(lang: Lang) -> Texts {
        let mut texts: BTreeMap<&'static str, String> = BTreeMap::new();
        let mut last = "";
        for line in lang.file().lines().filter(|line| !line.starts_with('#')) {
            if let Some(block) = line.strip_prefix("  ") {
                let text = texts.entry(last).or_default();
                text.push_str(if text.is_empty() { "" } else { "\n" });
                text.push_str(block);
            } else if let Some((key, text)) = line.split_once(" =") {
                last = key;
                texts.insert(key, text.trim().to_string());
            }
        }
        Texts { lang, texts }
    }

    /// The text of a key; the key itself where there is none.
    pub fn get<'a>(&'a self, key: &'a str) -> &'a str {
        self.texts.get(key).map_or(key, String::as_str)
    }

    /// The text of one line of a key; the key itself where there is none.
    pub fn word(&self, key: &'static str) -> &'static str {
        let is_it = |line: &&'static str| line.split_once(" = ").is_some_and(|(k, _)| k == key);
        let line = self.lang.file().lines().find(is_it);
        line.and_then(|line| line.split_once(" = ")).map_or(key, |(_, text)| text)
    }

    /// The text of a key, if there is one.
    pub fn find(&self, key: &str) -> Option<&str> {
        self.texts.get(key).map(String::as_str)
    }

    /// The text of a key with its placeholders filled.
    pub fn fill(&self, key: &str, args: &[(&str, &str)]) -> String {
        let mut text = self.get(key).to_string();
        for (name, value) in args {
            text = text.replace(&format!("{{{name}}}"), value);
        }
        text
    }

    /// A line in words.
    pub fn say(&self, line: &Line) -> String {
        let args: Vec<(&str, &str)> =
            line.args.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.fill(line.key, &args)
    }

    /// All keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.texts.keys().copied()
    }

    /// The texts whose keys begin with one of these words, for a page.
    pub fn json(&self, beginnings: &[&str]) -> Json {
        let wanted = |key: &str| beginnings.iter().any(|beginning| key.starts_with(beginning));
        let texts = self.texts.iter().filter(|(key, _)| wanted(key));
        let texts = texts.map(|(key, text)| (key.to_string(), Json::from(text.as_str())));
        Json::Object(texts.collect::<Map<_, _>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The placeholders of a text, sorted.
    fn placeholders(text: &str) -> Vec<&str> {
        let mut found: Vec<&str> =
            text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect();
        found.sort_unstable();
        found
    }

    /// The tags of a block of pseudocode: the parts before the first colon of its lines.
    fn tags(text: &str) -> Vec<&str> {
        text.lines().filter_map(|line| Some(line.split_once(": ")?.0)).collect()
    }

    #[test]
    fn every_language_has_every_text_with_the_same_placeholders() {
        let [english, spanish] = Lang::ALL.map(Texts::new);
        assert!(english.keys().count() > 200);
        assert!(english.keys().eq(spanish.keys()));
        for key in english.keys() {
            let (one, other) = (english.get(key), spanish.get(key));
            assert!(!one.is_empty() && !other.is_empty(), "{key} is empty");
            assert_eq!(placeholders(one), placeholders(other), "{key}");
            if key.starts_with("code.") {
                assert_eq!(tags(one), tags(other), "{key}");
            }
        }
    }

    #[test]
    fn every_key_in_the_code_has_a_text() {
        let texts = Texts::new(Lang::En);
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
