//! Words in several languages: one file a language, one key a line.
//!
//! A text has a key, and placeholders in braces. The laboratory, the analysis and the page with the board each have
//! their files.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

/// A language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
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
    file: &'static str,
    texts: BTreeMap<&'static str, String>,
}

impl Texts {
    /// The texts of a language, of the files of all languages in the order of [`Lang::ALL`].
    pub fn of(lang: Lang, files: [&'static str; Lang::ALL.len()]) -> Texts {
        Texts::read(lang, files[lang as usize])
    }

    /// The texts of a language, read from its file.
    pub fn read(lang: Lang, file: &'static str) -> Texts {
        let mut texts: BTreeMap<&'static str, String> = BTreeMap::new();
        let mut last = "";
        for line in file.lines().filter(|line| !line.starts_with('#')) {
            if let Some(block) = line.strip_prefix("  ") {
                let text = texts.entry(last).or_default();
                text.push_str(if text.is_empty() { "" } else { "\n" });
                text.push_str(block);
            } else if let Some((key, text)) = line.split_once(" =") {
                last = key;
                texts.insert(key, text.trim().to_string());
            }
        }
        Texts { lang, file, texts }
    }

    /// The text of a key; the key itself where there is none.
    pub fn get<'a>(&'a self, key: &'a str) -> &'a str {
        self.texts.get(key).map_or(key, String::as_str)
    }

    /// The text of one line of a key; the key itself where there is none.
    pub fn word(&self, key: &'static str) -> &'static str {
        let is_it = |line: &&'static str| line.split_once(" = ").is_some_and(|(k, _)| k == key);
        let line = self.file.lines().find(is_it);
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
        // Spanish joins two words with the article of a name that was filled in.
        match self.lang {
            Lang::En => text,
            Lang::Es => text.replace(" a el ", " al ").replace(" de el ", " del "),
        }
    }

    /// A line in words.
    pub fn say(&self, line: &Line) -> String {
        let args: Vec<(&str, &str)> =
            line.args.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.fill(line.key, &args)
    }

    /// The first key whose text is missing or empty in one of two languages, or has other placeholders there.
    pub fn mismatch(&self, other: &Texts) -> Option<&'static str> {
        let is_same = |key: &&str| {
            let (one, two) = (self.get(key), other.get(key));
            let is_full = !one.is_empty() && !two.is_empty();
            is_full && other.find(key).is_some() && placeholders(one) == placeholders(two)
        };
        let lacking = other.keys().find(|key| self.find(key).is_none());
        lacking.or_else(|| self.keys().find(|key| !is_same(key)))
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

/// Messages about progress and about the files that are written, in a language.
pub(crate) fn own(lang: Lang) -> Texts {
    Texts::of(lang, [include_str!("texts/own-en.txt"), include_str!("texts/own-es.txt")])
}

/// Letters of the pieces in SAN, in the order of the text `page.pieces`.
const LETTERS: &str = "KQRBN";

/// A move or a line in SAN with the letters of the language: `3...Nxe4` is `3...Cxe4` in Spanish. Squares, castling and
/// signs have no capital letter of a piece.
pub fn moves(texts: &Texts, san: &str) -> String {
    let letter = |c: char| {
        let place = LETTERS.find(c)?;
        texts.get("page.pieces").chars().nth(place)
    };
    san.chars().map(|c| letter(c).unwrap_or(c)).collect()
}

/// Numbers with the decimal mark of the language: what a point between digits becomes. Other points stay.
pub fn decimal(texts: &Texts, numbers: &str) -> String {
    let mut written = String::with_capacity(numbers.len());
    let mut rest = numbers.chars().peekable();
    let mut last = ' ';
    while let Some(c) = rest.next() {
        let is_mark =
            c == '.' && last.is_ascii_digit() && rest.peek().is_some_and(char::is_ascii_digit);
        if is_mark {
            written.push_str(texts.get("decimal.point"))
        } else {
            written.push(c)
        }
        last = c;
    }
    written
}

/// The placeholders of a text, sorted.
fn placeholders(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> =
        text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect();
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_compared_key_by_key() {
        let read = |text| Texts::read(Lang::En, text);
        let one = read("a = {x} and {y}\nb = word\n");
        assert_eq!(one.mismatch(&read("a = {y} y {x}\nb = palabra\n")), None);
        for (other, key) in [
            ("a = {x}\nb = palabra\n", "a"),
            ("a = {x} {y}\nb =\n", "b"),
            ("a = {x} {y}\n", "b"),
            ("a = {x} {y}\nb = c\nd = e\n", "d"),
        ] {
            assert_eq!(one.mismatch(&read(other)), Some(key), "{other}");
        }
    }

    #[test]
    fn both_languages_have_every_text() {
        let [english, spanish] = Lang::ALL.map(own);
        assert_eq!(english.mismatch(&spanish), None);
    }

    #[test]
    fn moves_and_numbers_are_written_as_the_language_does() {
        let spanish = Texts::read(Lang::Es, "page.pieces = RDTAC\ndecimal.point = ,\n");
        let line = "12.Nbd2 O-O-O 13.exd8=Q+ Rxd8 … 15.Kf1 B@h3";
        assert_eq!(moves(&spanish, line), "12.Cbd2 O-O-O 13.exd8=D+ Txd8 … 15.Rf1 A@h3");
        assert_eq!(decimal(&spanish, "[3.1 -0.25 7] 4. …"), "[3,1 -0,25 7] 4. …");
    }

    #[test]
    fn keys_have_lines_or_blocks_and_placeholders() {
        let texts = Texts::read(Lang::En, "# note\na.b = {x} and {y}\nblock =\n  one\n  two\n");
        assert_eq!(texts.fill("a.b", &[("y", "2"), ("x", "1")]), "1 and 2");
        assert_eq!(texts.get("block"), "one\ntwo");
        assert_eq!(texts.word("a.b"), "{x} and {y}");
        assert_eq!(texts.get("no.such"), "no.such");
        assert_eq!(texts.find("no.such"), None);
    }
}
