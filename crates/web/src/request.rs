//! The questions of a page, typed once for the server and the worker.

use serde::Deserialize;
use shakmaty::{ByColor, CastlingMode, Color, Move};

use engine::limits::Limits;
use engine::play::levels::Level;
use engine::play::strength;
use engine::remark::Remark;
use engine::rules::setup::{self, SetupError, Start};
use engine::rules::{Game, RuleSet, Rules};
use engine::settings::Settings;
use shell::texts::Lang;

use crate::odds::Gift;

/// Greatest length of a question, in bytes. A file of games may be one.
pub const LONGEST: usize = 4 << 20;
/// Most half-moves of a game.
pub const MAX_MOVES: usize = 3000;
/// Most nodes of one evaluation.
const MAX_NODES: u64 = 20_000_000;
/// Longest time on a clock, in milliseconds: a day.
const LONGEST_TIME: i64 = 86_400_000;

/// A question.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
pub enum Request {
    /// All words of the page, with the rule sets and levels on offer.
    Texts {
        /// Code of the language.
        lang: String,
    },
    /// Everything that a board shows of a game.
    View {
        /// The game.
        game: GameText,
        /// Code of the language.
        lang: String,
    },
    /// A starting position of Chess960 as FEN.
    Shuffle {
        /// Its number.
        number: u32,
    },
    /// The start of a game at odds as FEN.
    Odds {
        /// The rule set.
        rules: String,
        /// What is given.
        gift: Gift,
        /// The side that plays without it: `white` or `black`.
        giver: String,
    },
    /// The legal move that a person has typed, or whether it is none because of a compulsory capture.
    Typed {
        /// The game.
        game: GameText,
        /// The move in any notation.
        text: String,
        /// Code of the language whose letters of pieces it may have.
        lang: String,
    },
    /// A game or position from a text.
    Read {
        /// A FEN or a PGN.
        text: String,
        /// The rule set of a text that names none.
        rules: String,
        /// Code of the language.
        lang: String,
    },
    /// The game as PGN.
    Write {
        /// The game.
        game: GameText,
        /// Names and values of tags.
        tags: Vec<(String, String)>,
        /// The result, as a PGN writes it.
        result: String,
    },
    /// The opponent's move.
    Play {
        /// The game.
        game: GameText,
        /// Who plays.
        opponent: Opponent,
        /// The seed of the opponent's errors.
        seed: u64,
        /// The clocks, if the game has some.
        clock: Option<Clock>,
        /// Code of the language.
        lang: String,
    },
    /// A good move for the side to move.
    Hint {
        /// The game.
        game: GameText,
    },
    /// Whether the opponent agrees to a draw.
    Draw {
        /// The game.
        game: GameText,
    },
    /// What the last move, and at the end the result, tell of the strength of the person who made it.
    Estimate {
        /// The game.
        game: GameText,
        /// What was known before the game: mean and deviation, in Elo.
        #[serde(default)]
        known: Option<[f64; 2]>,
        /// What the earlier moves of this game have told, as an earlier answer gave it.
        #[serde(default)]
        evidence: Option<Vec<f64>>,
        /// True if the last move does not count: it was the opponent's, or made with help.
        #[serde(default)]
        skip: bool,
        /// The person's points at the end of the game, the strength of the opponent, and the moves of the person.
        #[serde(default)]
        result: Option<(f64, u32, usize)>,
    },
    /// The score of the position, its best line, and the terms in words.
    Evaluate {
        /// The game.
        game: GameText,
        /// Nodes to search.
        nodes: u64,
        /// Code of the language.
        lang: String,
    },
    /// How good the last move was, and why it was a mistake if it was one.
    Why {
        /// The game.
        game: GameText,
        /// True if a verdict at once is better than a sure one with its reason.
        #[serde(default)]
        quick: bool,
        /// Code of the language.
        lang: String,
    },
    /// A part of the review of a game: asked again until it is done.
    Review {
        /// The game.
        game: GameText,
        /// Code of the language.
        lang: String,
    },
    /// What the laboratory has to choose from.
    Laboratory {
        /// Code of the language.
        lang: String,
    },
    /// The search of a textbook's algorithm from the position, step by step, perhaps beside that of a second one.
    Tree {
        /// The game.
        game: GameText,
        /// Names of one or two algorithms.
        algorithms: Vec<String>,
        /// Half-moves to search.
        depth: u32,
        /// Code of the language.
        lang: String,
    },
    /// What a textbook's algorithm finds from the position, and at what cost.
    Compare {
        /// The game.
        game: GameText,
        /// Name of the algorithm.
        algorithm: String,
        /// Half-moves to search.
        depth: u32,
        /// Code of the language.
        lang: String,
    },
}

/// A game: its rules, its start and its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct GameText {
    /// Name of the rule set in UCI.
    pub rules: String,
    /// Castling by the rules of Chess960.
    #[serde(default)]
    pub chess960: bool,
    /// The position at the start; none: the rule set's own.
    #[serde(default)]
    pub fen: Option<String>,
    /// The moves in UCI notation.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl GameText {
    /// The rule set.
    ///
    /// # Errors
    /// An unknown name, and a game that is too long.
    pub fn rule_set(&self) -> Result<RuleSet, String> {
        if self.moves.len() > MAX_MOVES {
            return Err(format!("a game has at most {MAX_MOVES} half-moves here"));
        }
        rule_set(&self.rules)
    }

    /// The rules of castling.
    pub fn castling(&self) -> CastlingMode {
        CastlingMode::from_chess960(self.chess960)
    }

    /// The position at the start.
    pub fn start(&self) -> Start {
        self.fen.clone().map_or(Start::Initial, Start::Fen)
    }

    /// The game played to its end.
    ///
    /// # Errors
    /// A position or a move that the rules do not allow.
    pub fn played<P: Rules>(&self) -> Result<Played<P>, SetupError> {
        let (mut game, remarks) = setup::game::<P>(&self.start(), &[], self.castling())?;
        let start = game.clone();
        let mut moves = Vec::new();
        let count = self.moves.len();
        for (index, text) in self.moves.iter().enumerate() {
            let m = setup::read_move(game.position(), text)
                .map_err(|error| error.at_move(index, count))?;
            if game.position().is_variant_end() {
                return Err(SetupError(Remark::new("fault.over", [])).at_move(index, count));
            }
            game.play(m);
            moves.push(m);
        }
        Ok(Played { start, game, moves, remarks })
    }
}

/// A game with its moves.
pub struct Played<P> {
    /// The game before its first move.
    pub start: Game<P>,
    /// The game after its last move.
    pub game: Game<P>,
    /// The moves.
    pub moves: Vec<Move>,
    /// Remarks on corrections of the position.
    pub remarks: Vec<Remark>,
}

/// Who plays.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Opponent {
    /// A level: 3, 4 or 5 half-moves deep.
    Level {
        /// Its base depth.
        level: u32,
    },
    /// A limited strength.
    Elo {
        /// In Elo.
        elo: u32,
    },
    /// Full strength.
    Full,
}

impl Opponent {
    /// The settings with this opponent.
    ///
    /// # Errors
    /// A level or strength that there is not.
    pub fn settings(&self, settings: Settings) -> Result<Settings, String> {
        match *self {
            Opponent::Full => Ok(settings),
            Opponent::Level { level } => match Level::of_base(level) {
                Some(level) => Ok(Settings { level, ..settings }),
                None => Err("level: use 3, 4 or 5".to_string()),
            },
            Opponent::Elo { elo } if (strength::MIN_ELO..=strength::MAX_ELO).contains(&elo) => {
                Ok(Settings { limit_strength: true, elo: elo as usize, ..settings })
            }
            Opponent::Elo { .. } => {
                Err(format!("elo: use {} to {}", strength::MIN_ELO, strength::MAX_ELO))
            }
        }
    }
}

/// The clocks, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Clock {
    /// Time left to White.
    pub white: i64,
    /// Time left to Black.
    pub black: i64,
    /// Increment per move.
    pub increment: i64,
}

impl Clock {
    /// The limits of a search.
    pub fn limits(self) -> Limits {
        let within = |time: i64| time.clamp(0, LONGEST_TIME);
        let increment = within(self.increment);
        Limits {
            clock: ByColor { white: Some(within(self.white)), black: Some(within(self.black)) },
            increment: ByColor { white: increment, black: increment },
            ..Limits::default()
        }
    }
}

/// The rule set of a name.
///
/// # Errors
/// An unknown name.
pub fn rule_set(name: &str) -> Result<RuleSet, String> {
    name.parse().map_err(|error| format!("rules: use {error}"))
}

/// The nodes of an evaluation, as many as may be asked for.
pub fn nodes(wanted: u64) -> u64 {
    wanted.clamp(1, MAX_NODES)
}

/// The language of a code; English if it is unknown.
pub fn lang(code: &str) -> Lang {
    Lang::ALL.into_iter().find(|lang| lang.code() == code).unwrap_or_default()
}

/// The word of a colour in answers.
pub fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}
