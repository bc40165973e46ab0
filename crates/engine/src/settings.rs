//! The options of the engine, each declared once.
//!
//! The call of `options!` below is the only place with an option's name, kind, default, range and help.
//! The [`Settings`] struct, the `option` lines of the protocol, the check of a new value and the table in
//! `docs/options.md` all come from it.
//!
//! The parameters of the search are declared in [`crate::search::parameters`]. Only settings made by
//! [`Settings::for_tuning`] offer them.
//!
#![doc = include_str!("../../../docs/options.md")]

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use shakmaty::CastlingMode;

use crate::book::own;
use crate::evaluation::linear::Weights;
use crate::evaluation::{Evaluation, Network, NetworkTerms, Variant, tables};
use crate::play::Mode;
use crate::play::levels::form::Form;
use crate::play::levels::{Level, LevelPlayer};
use crate::play::opponent;
use crate::play::strength::{self, Strength};
use crate::rules::RuleSet;
use crate::search::parameters::{Parameters, TUNABLES, Tunable};
use crate::search::{Options, useful_threads};
use crate::tablebase::{Access, EndgameTables};

/// The kind of values that an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// True or false.
    Check,
    /// A whole number in a range.
    Spin(RangeInclusive<i64>),
    /// One of these words.
    Combo(&'static [&'static str]),
    /// Any text; empty is written `<empty>`.
    Text,
    /// An action; it keeps no value.
    Button,
}

/// One option, as the table declares it.
pub struct Declaration {
    /// The option's name in the protocol.
    pub name: &'static str,
    /// The kind of values that it takes.
    pub kind: Kind,
    /// Its effect, in a sentence.
    pub help: &'static str,
    read: fn(&Settings) -> String,
    write: fn(&mut Settings, &Kind, &str) -> Option<()>,
}

/// An option as the protocol offers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The option's name.
    pub name: &'static str,
    /// The kind of values that it takes.
    pub kind: Kind,
    /// The default value, as the protocol writes it.
    pub default: String,
}

/// The effect of setting an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A value is set.
    Value,
    /// The button of this name was pressed.
    Pressed(&'static str),
}

/// An option that was not set. The text names the error and the valid values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SettingError(pub String);

/// The choice among the forms of the evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum EvaluatorChoice {
    /// The strongest form at full strength; at the levels the linear one, so that a level stays what it is.
    #[default]
    Auto,
    /// The paper's three terms with one weight a term and phase.
    Linear,
    /// The same three terms as tables by piece, its place and the king's, fitted to the engine's own games.
    Tables,
    /// The same three terms with a hidden layer for each king, trained on the engine's own games.
    Network,
}

impl EvaluatorChoice {
    const ALL: [EvaluatorChoice; 4] = [
        EvaluatorChoice::Auto,
        EvaluatorChoice::Linear,
        EvaluatorChoice::Tables,
        EvaluatorChoice::Network,
    ];
    const NAMES: &[&str] = &["auto", "linear", "tables", "network"];
}

/// The name of the option that chooses the evaluation; on the command line its value may be a file.
pub const EVALUATION: &str = "Evaluation";

/// The name of the option with the limited strength.
pub const ELO: &str = "UCI_Elo";

/// The name of the option that names the file of a network.
pub const EVAL_FILE: &str = "EvalFile";

/// The name of the option that chooses the rule set.
const RULE_SET: &str = "UCI_Variant";

/// The name of the button that empties the transposition table.
pub const CLEAR_HASH: &str = "Clear Hash";

/// Declares the options: field, type, default, name, kind and help of each.
macro_rules! options {
    ($($field:ident: $type:ty = $default:expr, $name:expr, $kind:expr, $help:literal;)*) => {
        /// The value of every option.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Settings {
            $(#[doc = $help] pub $field: $type,)*
            /// The tunable parameters of the search.
            pub parameters: Parameters,
            /// True if those parameters are offered as options too.
            pub offers_parameters: bool,
        }

        impl Default for Settings {
            fn default() -> Settings {
                Settings {
                    $($field: $default,)*
                    parameters: Parameters::default(),
                    offers_parameters: false,
                }
            }
        }

        static DECLARATIONS: &[Declaration] = &[$(Declaration {
            name: $name,
            kind: $kind,
            help: $help,
            read: |settings| settings.$field.text(),
            write: |settings, kind, text| settings.$field.assign(kind, text),
        },)*];
    };
}

// In the order of a client's settings: a player's first, an experimenter's last.
options! {
    // Strength, which players ask for first.
    level: Level = Level::Unlimited, "Level", Kind::Combo(Level::NAMES),
        "A level that looks so many half-moves ahead; unlimited: the clock decides. The number or the word alone is enough.";
    limit_strength: bool = false, "UCI_LimitStrength", Kind::Check,
        "Play at the strength of UCI_Elo, with human errors. Analysis keeps its full strength.";
    elo: usize = 1500, ELO, Kind::Spin(strength::MIN_ELO as i64..=strength::MAX_ELO as i64),
        "The limited strength, in Elo, on the scale of lichess's slower games.";
    thinking_time: bool = false, "Thinking Time", Kind::Check,
        "With a clock a limited strength or a level answers like a person: at once where there is no choice, later where there is one.";
    // The engine.
    threads: usize = 1, "Threads", Kind::Spin(1..=1024),
        "Search threads, best one for each free processor core; more than two for each are not started. A level always uses one.";
    hash_mb: usize = 16, "Hash", Kind::Spin(1..=33_554_432),
        "Size of the transposition table, in MiB.";
    clear_hash: Button = Button, CLEAR_HASH, Kind::Button,
        "Empty the transposition table.";
    ponder: bool = false, "Ponder", Kind::Check,
        "The client may let the engine think in the opponent's time.";
    multipv: usize = 1, "MultiPV", Kind::Spin(1..=256),
        "Number of variations to search and to show.";
    move_overhead: u64 = 5, "Move Overhead", Kind::Spin(0..=5000),
        "Time reserved for the way to the client, in milliseconds per move.";
    show_wdl: bool = false, "UCI_ShowWDL", Kind::Check,
        "Show the chances of a win, a draw and a loss with each score, per mille.";
    analyse_mode: bool = false, "UCI_AnalyseMode", Kind::Check,
        "The engine analyses at its full strength and plays no game: book, level and limited strength do not count.";
    rule_set: RuleSet = RuleSet::Chess, RULE_SET, Kind::Combo(RuleSet::NAMES),
        "Rule set. Takes effect at once, with the rule set's starting position.";
    chess960: bool = false, "UCI_Chess960", Kind::Check,
        "Castling by the rules of Chess960, written as king takes rook.";
    // The book.
    own_book: bool = true, "OwnBook", Kind::Check,
        "Play openings from the book, with a clock, a time per move or a level.";
    book_file: String = String::new(), "BookFile", Kind::Text,
        "Book in Polyglot's format; empty: the built-in book.";
    book_depth: usize = 40, "BookDepth", Kind::Spin(0..=1000),
        "Half-moves of a game that may come from the book.";
    book_variety: usize = own::FULL_VARIETY, "BookVariety", Kind::Spin(0..=own::FULL_VARIETY as i64),
        "Choice of the book move: at 0 the best move only, at 100 drawn by the weights.";
    // Endgame tables.
    syzygy_path: String = String::new(), "SyzygyPath", Kind::Text,
        "Folders of Syzygy endgame tables, separated by : (on Windows by ;).";
    syzygy_probe_depth: i32 = 1, "SyzygyProbeDepth", Kind::Spin(1..=100),
        "Least depth left, in half-moves, at which positions with as many pieces as the largest tables are probed.";
    syzygy_probe_limit: usize = 7, "SyzygyProbeLimit", Kind::Spin(0..=7),
        "Most pieces, kings included, with which positions are probed.";
    syzygy_fifty_moves: bool = true, "Syzygy50MoveRule", Kind::Check,
        "Count endgames that are won only without the fifty-move rule as draws.";
    // Files.
    eval_file: String = String::new(), EVAL_FILE, Kind::Text,
        "Network written by engine train; empty: the built-in network.";
    debug_log_file: String = String::new(), "Debug Log File", Kind::Text,
        "File to which the conversation and what the engine tells of its work are appended.";
    // What the opponent is like.
    opponent_model: bool = false, "Opponent Model", Kind::Check,
        "In level and lost positions prefer, among nearly equal moves, the one that an opponent rated as UCI_Opponent or UCI_RatingAdv says is likeliest to answer wrongly.";
    opponent: String = String::new(), "UCI_Opponent", Kind::Text,
        "The opponent as clients describe it: title, rating, human or computer, name. For the Opponent Model.";
    rating_advantage: i32 = 0, "UCI_RatingAdv", Kind::Spin(-10_000..=10_000),
        "Elo by which the engine is ahead of its opponent, if UCI_Opponent has no rating; 0: unknown.";
    // For experiments.
    evaluation: EvaluatorChoice = EvaluatorChoice::Auto, EVALUATION, Kind::Combo(EvaluatorChoice::NAMES),
        "Form of the evaluation: a formula that fits on a page, fitted tables, or a network. auto: the strongest; at a level, linear.";
    dda: Form = Form::Moves, "DDA", Kind::Combo(Form::NAMES),
        "Depth policy of a level: how far it looks ahead when there is less to choose from.";
    game_seed: u64 = 0, "Game Seed", Kind::Spin(0..=2_147_483_647),
        "Seed of the errors of a limited strength and of a beginner. The same seed repeats the same game; 0 varies a limited strength's.";
    book_seed: u64 = 0, "BookSeed", Kind::Spin(0..=2_147_483_647),
        "Seed of the book's choices. The same seed repeats the same moves; 0 varies them.";
    king_safety_opening: i32 = 12, "King Safety Opening", Kind::Spin(0..=100),
        "linear: value of a piece beside its own king in the opening, in centipawns.";
    king_safety_endgame: i32 = 0, "King Safety Endgame", Kind::Spin(0..=100),
        "linear: value of a piece beside its own king in the endgame, in centipawns.";
    king_proximity_opening: i32 = 12, "King Proximity Opening", Kind::Spin(0..=100),
        "linear: value of a piece beside the enemy king in the opening, in centipawns.";
    king_proximity_endgame: i32 = 12, "King Proximity Endgame", Kind::Spin(0..=100),
        "linear: value of a piece beside the enemy king in the endgame, in centipawns.";
    own_term: i32 = 100, "Rule Term", Kind::Spin(0..=400),
        "Weight of the rule set's own term, in per cent. Chess has no such term.";
}

impl Settings {
    /// Default settings that also offer every parameter of the search as an option, for tuners and for
    /// matches with a technique switched off.
    pub fn for_tuning() -> Settings {
        Settings { offers_parameters: true, ..Settings::default() }
    }

    /// All options on offer.
    pub fn offers(&self) -> impl Iterator<Item = Offer> {
        let tunables = if self.offers_parameters { TUNABLES } else { &[] };
        Declaration::all().iter().map(Offer::from).chain(tunables.iter().map(Offer::from))
    }

    /// The weights of the linear evaluation.
    pub fn weights(&self) -> Weights {
        Weights {
            safety: (self.king_safety_opening, self.king_safety_endgame),
            proximity: (self.king_proximity_opening, self.king_proximity_endgame),
        }
    }

    /// The evaluator under the rules `P`; `file` is the network of the option EvalFile. A form that the rule
    /// set does not have is replaced by the next simpler one.
    pub fn evaluator<P: Variant>(&self, file: Option<&Arc<Network>>) -> Evaluation<P> {
        let is_level = self.played_level() != Level::Unlimited;
        let evaluator = match self.evaluation {
            EvaluatorChoice::Auto if is_level => None,
            EvaluatorChoice::Linear => None,
            EvaluatorChoice::Tables => tables::fitted().map(Evaluation::from),
            EvaluatorChoice::Auto | EvaluatorChoice::Network => {
                let network = file.cloned().and_then(NetworkTerms::new).map(Evaluation::from);
                Some(network.unwrap_or_default())
            }
        };
        let evaluator = evaluator.unwrap_or_else(|| Evaluation::linear(self.weights()));
        evaluator.with_own_term(self.own_term)
    }

    /// The level at which the engine plays: none in analysis.
    fn played_level(&self) -> Level {
        if self.analyse_mode { Level::Unlimited } else { self.level }
    }

    /// Who plays. A limited strength comes before a level, and a level before the model of the opponent.
    pub fn mode(&self) -> Mode {
        if self.limit_strength && !self.analyse_mode {
            return Mode::Limited(Strength { elo: self.elo as u32, seed: self.game_seed });
        }
        let level =
            LevelPlayer::new(self.played_level(), self.dda, &self.parameters, self.game_seed);
        let model = || self.opponent().map(Mode::Model);
        level.map(|level| Mode::Level(Box::new(level))).or_else(model).unwrap_or_default()
    }

    /// The rating of the person whose time for a move the player takes, if it takes any.
    pub fn person(&self) -> Option<u32> {
        /// Elo that a half-move of a base depth is worth, as matches show it; base depth 1 would be worth nothing.
        const ELO_A_PLY: u32 = 500;
        match self.mode() {
            Mode::Limited(strength) => Some(strength.elo),
            Mode::Level(_) => self.level.base().map(|base| ELO_A_PLY * (base - 1)),
            Mode::Full | Mode::Model(_) => None,
        }
        .filter(|_| self.thinking_time)
    }

    /// The rating of the opponent, if the game is played at full strength against one whose mistakes can be
    /// modelled.
    fn opponent(&self) -> Option<u32> {
        let is_full = self.level == Level::Unlimited && !self.limit_strength;
        let is_play = self.opponent_model && is_full && !self.analyse_mode && self.multipv == 1;
        let rating = opponent::rating(&self.opponent, self.rating_advantage).filter(|_| is_play)?;
        (rating <= strength::HUMAN).then_some(rating)
    }

    /// The rules for castling rights, and the notation of castling.
    pub fn castling_mode(&self) -> CastlingMode {
        CastlingMode::from_chess960(self.chess960)
    }

    /// The options of a search with these endgame tables.
    pub fn search_options(&self, endgames: Option<&Arc<EndgameTables>>) -> Options {
        Options {
            endgames: endgames.map(|tables| Access {
                tables: Arc::clone(tables),
                least_depth: self.syzygy_probe_depth,
                most_pieces: self.syzygy_probe_limit,
                fifty_moves: self.syzygy_fifty_moves,
            }),
            threads: self.search_threads(),
            variations: self.multipv,
            whole_iterations: true,
            move_overhead: self.move_overhead,
            parameters: self.parameters.clone(),
        }
    }

    /// The threads of a search: as many as asked for, if there are processors for them.
    pub fn search_threads(&self) -> usize {
        self.threads.min(useful_threads())
    }

    /// The options of the book. Analysis and MultiPV never use it.
    pub fn book_options(&self) -> own::BookOptions {
        own::BookOptions {
            enabled: self.own_book && !self.analyse_mode && self.multipv == 1,
            file: self.book_file.clone(),
            depth: match self.mode() {
                Mode::Limited(strength) => strength.book_plies().min(self.book_depth),
                _ => self.book_depth,
            },
            variety: self.book_variety,
            seed: self.book_seed,
        }
    }

    /// Sets the option `name` to `value`. Case does not matter.
    ///
    /// # Errors
    /// An unknown option or an invalid value. Nothing changes then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Change, SettingError> {
        let Some(offer) = self.offers().find(|offer| offer.name.eq_ignore_ascii_case(name)) else {
            let name: String = name.chars().take(40).collect();
            return Err(SettingError(format!("no option is called {name:?}; uci lists them")));
        };
        let value = value.trim();
        self.assign(&offer, value).ok_or_else(|| {
            let short: String = value.chars().take(40).collect();
            let wanted = match value.parse::<RuleSet>() {
                Err(advice) if offer.name == RULE_SET => advice.to_string(),
                _ => offer.kind.to_string(),
            };
            SettingError(format!("{} takes {wanted}, not {short:?}", offer.name))
        })?;
        Ok(match offer.kind {
            Kind::Button => Change::Pressed(offer.name),
            _ => Change::Value,
        })
    }

    fn assign(&mut self, offer: &Offer, value: &str) -> Option<()> {
        match DECLARATIONS.iter().find(|option| option.name == offer.name) {
            Some(option) => (option.write)(self, &option.kind, value),
            None => self.parameters.set(offer.name, value.parse().ok()?).then_some(()),
        }
    }
}

impl Declaration {
    /// Every option, in the order of the table.
    pub fn all() -> &'static [Declaration] {
        DECLARATIONS
    }

    /// The default value, as the protocol writes it.
    pub fn default_text(&self) -> String {
        (self.read)(&Settings::default())
    }
}

impl From<&Declaration> for Offer {
    fn from(option: &Declaration) -> Offer {
        Offer { name: option.name, kind: option.kind.clone(), default: option.default_text() }
    }
}

impl From<&Tunable> for Offer {
    fn from(tunable: &Tunable) -> Offer {
        let kind = Kind::Spin(tunable.min.into()..=tunable.max.into());
        Offer { name: tunable.name, kind, default: tunable.default.to_string() }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Check => f.write_str("true or false"),
            Kind::Spin(range) => {
                write!(f, "a whole number from {} to {}", range.start(), range.end())
            }
            Kind::Combo(words) => write!(f, "one of {}", words.join(", ")),
            Kind::Text => f.write_str("any text"),
            Kind::Button => f.write_str("no value"),
        }
    }
}

/// The options as a Markdown table, for `docs/options.md`.
pub fn markdown() -> String {
    let mut table = String::from("| Option | Default | Values | Effect |\n");
    table.push_str("| --- | --- | --- | --- |\n");
    for option in Declaration::all() {
        let default = match option.kind {
            Kind::Button => String::new(),
            _ => format!("`{}`", option.default_text()),
        };
        let row = format!("| {} | {default} | {} | {} |\n", option.name, option.kind, option.help);
        table.push_str(&row);
    }
    table
}

/// A field that an option can set.
trait Field {
    /// The value, as the protocol writes it.
    fn text(&self) -> String;

    /// Takes the value of `text`; `None` if it is not a value of this `kind`.
    fn assign(&mut self, kind: &Kind, text: &str) -> Option<()>;
}

/// The field of a button. It keeps no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Button;

impl Field for Button {
    fn text(&self) -> String {
        String::new()
    }

    fn assign(&mut self, _kind: &Kind, _text: &str) -> Option<()> {
        Some(())
    }
}

impl Field for bool {
    fn text(&self) -> String {
        self.to_string()
    }

    fn assign(&mut self, _kind: &Kind, text: &str) -> Option<()> {
        *self = text.to_ascii_lowercase().parse().ok()?;
        Some(())
    }
}

macro_rules! whole_number_fields {
    ($($type:ty),*) => {$(
        impl Field for $type {
            fn text(&self) -> String {
                self.to_string()
            }

            fn assign(&mut self, kind: &Kind, text: &str) -> Option<()> {
                let Kind::Spin(range) = kind else { return None };
                let value = text.parse().ok().filter(|value| range.contains(value))?;
                *self = <$type>::try_from(value).ok()?;
                Some(())
            }
        }
    )*};
}
whole_number_fields!(usize, u64, i32);

impl Field for String {
    fn text(&self) -> String {
        if self.is_empty() { "<empty>".to_string() } else { self.clone() }
    }

    fn assign(&mut self, _kind: &Kind, text: &str) -> Option<()> {
        *self = if text == "<empty>" { String::new() } else { text.to_string() };
        Some(())
    }
}

impl Field for EvaluatorChoice {
    fn text(&self) -> String {
        EvaluatorChoice::NAMES[*self as usize].to_string()
    }

    fn assign(&mut self, _kind: &Kind, text: &str) -> Option<()> {
        let mut choices = EvaluatorChoice::ALL.into_iter();
        *self = choices.find(|choice| choice.text().eq_ignore_ascii_case(text))?;
        Some(())
    }
}

impl Field for RuleSet {
    fn text(&self) -> String {
        self.name().to_string()
    }

    fn assign(&mut self, _kind: &Kind, text: &str) -> Option<()> {
        *self = text.parse().ok()?;
        Some(())
    }
}

impl Field for Level {
    fn text(&self) -> String {
        self.name().to_string()
    }

    fn assign(&mut self, _kind: &Kind, text: &str) -> Option<()> {
        *self = text.parse().ok()?;
        Some(())
    }
}

impl Field for Form {
    fn text(&self) -> String {
        self.name().to_string()
    }

    fn assign(&mut self, _kind: &Kind, text: &str) -> Option<()> {
        *self = text.parse().ok()?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(name: &str, value: &str) -> String {
        let mut settings = Settings::default();
        let error = settings.set(name, value).unwrap_err();
        assert_eq!(settings, Settings::default(), "a refused value changes nothing");
        error.0
    }

    #[test]
    fn every_default_is_a_valid_value() {
        for option in Settings::for_tuning().offers() {
            let mut settings = Settings::for_tuning();
            settings.set(option.name, &option.default).unwrap();
            assert_eq!(settings, Settings::for_tuning(), "{}", option.name);
            if let Kind::Combo(words) = option.kind {
                for word in words {
                    settings.set(option.name, word).unwrap();
                    assert!(!word.contains(' '), "clients split combo values at spaces");
                }
            }
        }
    }

    #[test]
    fn analysis_has_no_level() {
        let mut settings = Settings::default();
        settings.set("Level", "3-beginner").unwrap();
        assert!(matches!(settings.mode(), Mode::Level(_)));
        settings.set("UCI_AnalyseMode", "true").unwrap();
        assert!(matches!(settings.mode(), Mode::Full));
    }

    #[test]
    fn values_are_set() {
        let mut settings = Settings::default();
        assert_eq!(settings.set("hash", "64"), Ok(Change::Value));
        assert_eq!(settings.set("MOVE overhead", " 5000 "), Ok(Change::Value));
        assert_eq!(settings.set("UCI_ShowWDL", "True"), Ok(Change::Value));
        assert_eq!(settings.set("Evaluation", "Linear"), Ok(Change::Value));
        assert_eq!(settings.set("Debug Log File", "a b.txt"), Ok(Change::Value));
        assert_eq!((settings.hash_mb, settings.move_overhead), (64, 5000));
        assert!(settings.show_wdl);
        assert_eq!(settings.debug_log_file, "a b.txt");
        settings.set("Debug Log File", "<empty>").unwrap();
        assert_eq!(settings.debug_log_file, "");
        assert_eq!(settings.set("clear hash", ""), Ok(Change::Pressed(CLEAR_HASH)));
    }

    #[test]
    fn search_parameters_are_set_only_where_they_are_offered() {
        let tunable = &TUNABLES[0];
        let (value, too_much) = (tunable.min.to_string(), (tunable.max + 1).to_string());
        let mut settings = Settings::for_tuning();
        let mut wanted = Parameters::default();
        assert!(wanted.set(tunable.name, tunable.min));
        assert_eq!(settings.set(tunable.name, &value), Ok(Change::Value));
        assert_eq!(settings.search_options(None).parameters, wanted);
        let refused = settings.set(tunable.name, &too_much).unwrap_err();
        assert!(refused.0.contains(&format!("to {}, not", tunable.max)), "{refused}");
        assert_eq!(settings.parameters, wanted);
        assert!(error(tunable.name, &value).contains("no option is called"));
    }

    #[test]
    fn docs_list_every_option() {
        let docs = include_str!("../../../docs/options.md").replace("\r\n", "\n");
        assert!(
            docs.contains(&markdown()),
            "put the output of engine options into docs/options.md"
        );
    }

    #[test]
    fn errors_name_the_option_and_its_range() {
        for value in ["0", "33554433", "-5", "1e9", "", "many", "99999999999999999999"] {
            let text = error("Hash", value);
            assert!(text.starts_with("Hash takes a whole number from 1 to 33554432"), "{text}");
        }
        assert!(error("Ponder", "maybe").contains("true or false"));
        assert!(error("Evaluation", "magic").contains("one of auto, linear, tables, network"));
        assert!(error("Horsepower", "3").contains("no option is called \"Horsepower\""));
        assert!(error(&"x".repeat(9999), "3").len() < 200);
    }
}
