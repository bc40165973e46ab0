//! The words of the game, of the exercises and of the analysis in the terminal, in one place: a session says everything in
//! one language, and takes the words that the analysis and the page with the board have already from there.

use std::io;
use std::path::Path;
use std::sync::Arc;

use shakmaty::{Color, Role};

use analysis::texts::{self as analysis_texts, Lang, Texts};
use engine::play::levels::Level;
use engine::remark::Remark;
use engine::rules::RuleSet;
use shell::remarks;
use shell::texts::decimal;

/// Why a file cannot be used.
#[derive(Debug)]
pub enum FileError {
    /// An error of the system.
    System(io::Error),
    /// A reason of this program: the key of its text.
    Own(&'static str),
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> FileError {
        FileError::System(error)
    }
}

/// The words of a language.
#[derive(Clone, Debug)]
pub struct Words {
    play: Texts,
    /// Those of the analysis: of mistakes, terms, pieces and sides.
    pub analysis: Arc<Texts>,
    /// Those of the page: of ends and sides.
    page: Texts,
}

/// The texts of the game and of the exercises in a language.
fn own(lang: Lang) -> Texts {
    Texts::of(lang, [include_str!("texts/en.txt"), include_str!("texts/es.txt")])
}

impl Words {
    /// The words of a language.
    pub fn of(lang: Lang) -> Words {
        let analysis = Arc::new(analysis_texts::of(lang));
        Words { play: own(lang), analysis, page: web::texts::of(lang) }
    }

    /// The text of a key; what is no key stays as it is.
    pub fn get<'a>(&'a self, key: &'a str) -> &'a str {
        self.play.get(key)
    }

    /// The text of a key that is a line.
    pub fn word(&self, key: &'static str) -> &'static str {
        self.play.word(key)
    }

    /// The text of a key with its placeholders filled.
    pub fn fill(&self, key: &str, values: &[(&str, &str)]) -> String {
        self.play.fill(key, values)
    }

    /// A number of things, in the singular or the plural: the keys `thing.one` and `thing.many`.
    pub fn counted(&self, thing: &str, count: u64) -> String {
        let form = if count == 1 { "one" } else { "many" };
        self.fill(&format!("{thing}.{form}"), &[("count", &count.to_string())])
    }

    /// The lines of a table: a command and its effect each.
    pub fn table(&self, key: &'static str) -> Vec<(&str, &str)> {
        self.get(key).lines().filter_map(|line| line.split_once(": ")).collect()
    }

    /// A move or a line in SAN with the letters of the language.
    pub fn moves(&self, san: &str) -> String {
        analysis_texts::moves(&self.analysis, san)
    }

    /// The letters of king, queen, rook, bishop and knight.
    pub fn letters(&self) -> &str {
        self.analysis.get("page.pieces")
    }

    /// The letter of a piece on a board; a pawn's is the same everywhere.
    pub fn letter(&self, role: Role) -> char {
        let place = "KQRBN".find(role.upper_char());
        place.and_then(|place| self.letters().chars().nth(place)).unwrap_or(role.upper_char())
    }

    /// The name of a side: `White`, `Blancas`.
    pub fn side(&self, color: Color) -> &str {
        self.page.get(color.fold_wb("white", "black"))
    }

    /// A side in a sentence: `White`, `las blancas`.
    pub fn player(&self, color: Color) -> &str {
        self.analysis.get(color.fold_wb("explain.white", "explain.black"))
    }

    /// A piece with its article: `a knight`, `una torre`.
    pub fn piece(&self, role: Role) -> &str {
        self.analysis.get(match role {
            Role::Pawn => "a.pawn",
            Role::Knight => "a.knight",
            Role::Bishop => "a.bishop",
            Role::Rook => "a.rook",
            Role::Queen => "a.queen",
            Role::King => "a.king",
        })
    }

    /// No piece of a kind: `no knight`, `ninguna torre`.
    pub fn no_piece(&self, role: Role) -> &str {
        self.get(match role {
            Role::Pawn => "none.pawn",
            Role::Knight => "none.knight",
            Role::Bishop => "none.bishop",
            Role::Rook => "none.rook",
            Role::Queen => "none.queen",
            Role::King => "none.king",
        })
    }

    /// The name of an evaluation's term.
    pub fn term<'a>(&'a self, name: &'a str) -> &'a str {
        let key = format!("term.{}", name.replace(' ', "-"));
        self.analysis.find(&key).unwrap_or(name)
    }

    /// What an evaluation's term measures.
    pub fn meaning<'a>(&'a self, name: &'a str) -> &'a str {
        let key = format!("what.{}", name.replace(' ', "-"));
        self.play.find(&key).unwrap_or(name)
    }

    /// The reason why a game has ended, of the one that its record has.
    pub fn ending<'a>(&'a self, reason: &'a str) -> &'a str {
        self.page.find(&format!("end.{}", reason.replace(' ', "-"))).unwrap_or(reason)
    }

    /// What is peculiar to a rule set, in a line; `None` for chess.
    pub fn rules(&self, rule_set: RuleSet) -> Option<&str> {
        self.play.find(&format!("rules.{}", rule_set.name()))
    }

    /// A number with the decimal mark of the language.
    pub fn decimal(&self, number: &str) -> String {
        decimal(&self.analysis, number)
    }

    /// Centipawns as pawns, with their sign.
    pub fn pawns(&self, centipawns: i32) -> String {
        self.decimal(&format!("{:+.2}", f64::from(centipawns) / 100.0))
    }

    /// The name of a level.
    pub fn level(&self, level: Level) -> &str {
        let place = Level::ALL.iter().position(|&other| other == level);
        place.and_then(|place| self.levels().nth(place)).unwrap_or(level.name())
    }

    /// The level of a name, a number or a word, in English or in this language.
    pub fn read_level(&self, text: &str) -> Option<Level> {
        let is_meant = |name: &str| {
            let word = name.split_once('-').map_or(name, |(_, word)| word);
            [name, word].iter().any(|accepted| accepted.eq_ignore_ascii_case(text))
        };
        let own = || self.levels().zip(Level::ALL).find(|(name, _)| is_meant(name));
        text.parse().ok().or_else(|| own().map(|(_, level)| level))
    }

    /// The names of all levels, in the order of [`Level::ALL`].
    fn levels(&self) -> impl Iterator<Item = &str> {
        self.get("levels").split(", ")
    }

    /// An error in words; one of the system without its number.
    pub fn fault(&self, error: impl Into<FileError>) -> String {
        match error.into() {
            FileError::Own(key) => self.get(key).to_string(),
            FileError::System(error) => remarks::of_system(&error, self.play.lang),
        }
    }

    /// An error of a file in words, by a text with the file's path.
    pub fn of_file(&self, key: &str, path: &Path, error: impl Into<FileError>) -> String {
        let error = error.into();
        // What the engine says of a file tells already which one to name.
        let is_advised =
            matches!(&error, FileError::System(error) if Remark::within(error).is_some());
        let key = if is_advised
            && ["file.name-a-game", "file.name-exercises", "analyse.name-games"].contains(&key)
        {
            "file"
        } else {
            key
        };
        self.fill(key, &[("path", &path.display().to_string()), ("fault", &self.fault(error))])
    }

    /// What the engine says of something from outside.
    pub fn remark(&self, remark: &Remark) -> String {
        remarks::in_words(remark, self.play.lang)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::evaluation::variants::{Task, with_rules};
    use engine::evaluation::{TermKind, Variant};

    #[test]
    fn both_languages_have_every_text() {
        let [english, spanish] = Lang::ALL.map(own);
        assert_eq!(english.mismatch(&spanish), None);
    }

    /// The code of these commands, without its tests.
    fn sources() -> impl Iterator<Item = &'static str> {
        [
            include_str!("../analyse/mod.rs"),
            include_str!("../analyse/by_rating.rs"),
            include_str!("../analyse/suite.rs"),
            include_str!("../eval.rs"),
            include_str!("../exercises/mod.rs"),
            include_str!("../exercises/progress.rs"),
            include_str!("../exercises/trainer.rs"),
            include_str!("folder.rs"),
            include_str!("input.rs"),
            include_str!("mod.rs"),
            include_str!("opponent.rs"),
            include_str!("player.rs"),
            include_str!("profile.rs"),
            include_str!("record.rs"),
            include_str!("review.rs"),
            include_str!("screen.rs"),
            include_str!("session.rs"),
            include_str!("session/way_on.rs"),
            include_str!("texts.rs"),
            include_str!("prose.rs"),
        ]
        .into_iter()
        .map(|source| source.split("#[cfg(test)]").next().unwrap())
    }

    #[test]
    fn every_key_in_the_code_has_a_text_and_every_text_a_place_in_the_code() {
        let words = Words::of(Lang::En);
        let quoted: Vec<&str> =
            sources().flat_map(|source| source.split('"').skip(1).step_by(2)).collect();
        let terms: Vec<String> = terms().iter().map(|name| name.replace(' ', "-")).collect();
        for key in words.play.keys() {
            let thing = key.strip_suffix(".one").or(key.strip_suffix(".many"));
            let is_used = match key.split_once('.') {
                Some(("rules", name)) => RuleSet::NAMES.contains(&name),
                Some(("what", name)) => terms.iter().any(|term| term == name),
                _ => quoted.contains(&thing.unwrap_or(key)),
            };
            assert!(is_used, "{key} is unused");
        }
        let is_key = |text: &&&str| {
            text.contains('.')
                && text.chars().all(|c| c.is_ascii_lowercase() || ".-".contains(c))
                && text.split('.').all(|part| part.len() > 1)
                && ![".txt", ".pgn", ".rs", ".md"].iter().any(|end| text.ends_with(end))
        };
        for key in quoted.iter().filter(is_key) {
            let has_text = |texts: &Texts| {
                texts.find(key).is_some() || texts.find(&format!("{key}.many")).is_some()
            };
            let all = [&words.play, &words.analysis, &words.page];
            let is_remark = || engine::remark::ENGLISH.contains(&format!("\n{key} = "));
            assert!(all.into_iter().any(has_text) || is_remark(), "no text for {key}");
        }
    }

    struct OwnTerm;

    impl Task for OwnTerm {
        type Outcome = Option<&'static str>;

        fn run<P: Variant>(self) -> Self::Outcome {
            P::OWN_TERM
        }
    }

    /// The names of all terms of all evaluations.
    fn terms() -> Vec<&'static str> {
        use TermKind::{KingDrive, KingProximity, KingSafety, Material, Placement};
        let common = [Material, Placement, KingSafety, KingProximity, KingDrive];
        let own = RuleSet::NAMES.iter().filter_map(|name| with_rules(name.parse().ok()?, OwnTerm));
        common.map(TermKind::name).into_iter().chain(own).collect()
    }

    #[test]
    fn every_term_of_every_rule_set_has_a_name_and_a_meaning() {
        let names = terms();
        assert_eq!(names.len(), 12);
        for words in Lang::ALL.map(Words::of) {
            for name in &names {
                assert!(words.analysis.find(&format!("term.{}", name.replace(' ', "-"))).is_some());
                assert_ne!(words.meaning(name), *name);
            }
        }
    }

    #[test]
    fn faults_of_files_have_the_words_of_the_language() {
        let folder = tempfile::tempdir().unwrap();
        let fault = |lang| {
            Words::of(lang).fault(engine::input::read_text(folder.path()).map(drop).unwrap_err())
        };
        assert_eq!(fault(Lang::En), "this is a folder; name a file");
        assert_eq!(fault(Lang::Es), "esto es una carpeta; indica un archivo");
        let wide = || engine::input::refuse_wide(b"\xff\xfe").unwrap_err();
        let said = Words::of(Lang::Es).fault(wide());
        assert_eq!(said, "el texto está en UTF-16; guárdalo como UTF-8");
        assert_eq!(wide().to_string(), "the text is in UTF-16; save it as UTF-8");
    }

    #[test]
    fn one_thing_is_counted_otherwise_than_many() {
        let counted = |lang, thing, count| Words::of(lang).counted(thing, count);
        assert_eq!(counted(Lang::En, "count.game", 1), "1 game");
        assert_eq!(counted(Lang::En, "count.inaccuracy", 0), "0 inaccuracies");
        assert_eq!(counted(Lang::En, "unfinished.move", 1), "one move");
        assert_eq!(counted(Lang::Es, "count.move", 1), "una jugada");
        assert_eq!(counted(Lang::Es, "count.move", 3), "3 jugadas");
        assert_eq!(counted(Lang::Es, "count.blunder", 2), "2 errores graves");
    }

    #[test]
    fn reasons_in_records_have_words() {
        for (reason, spanish) in [
            ("checkmate", "jaque mate"),
            ("third check", "tercer jaque"),
            ("the king has reached the centre", "el rey ha llegado al centro"),
            ("the king has exploded", "el rey ha explotado"),
            ("the king has reached the goal", "el rey ha llegado a la meta"),
            ("the winner has no piece left", "quien gana se ha quedado sin piezas"),
            ("the winner has no move left", "quien gana se ha quedado sin jugadas"),
            ("the horde has been captured", "la horda ha sido capturada"),
            ("both kings have reached the goal", "los dos reyes han llegado a la meta"),
            ("threefold repetition", "triple repetición"),
            ("fifty-move rule", "regla de los cincuenta movimientos"),
            ("insufficient material", "material insuficiente"),
            ("stalemate", "rey ahogado"),
            ("resignation", "abandono"),
            ("time", "tiempo"),
            ("agreement", "acuerdo"),
        ] {
            assert_eq!(Words::of(Lang::En).ending(reason), reason);
            assert_eq!(Words::of(Lang::Es).ending(reason), spanish);
        }
    }

    #[test]
    fn levels_have_names_in_both_languages() {
        let spanish = Words::of(Lang::Es);
        for level in Level::ALL {
            assert_eq!(Words::of(Lang::En).level(level), level.name());
            assert_eq!(spanish.read_level(spanish.level(level)), Some(level));
            assert_eq!(spanish.read_level(level.name()), Some(level));
        }
        assert_eq!(spanish.read_level("Intermedio"), Some(Level::Intermediate));
        assert_eq!(spanish.read_level("9"), None);
    }
}
