//! The engine at the other side of the board, and the adviser of the player.

use std::sync::mpsc::{Sender, channel};

use rand::RngExt;
use shakmaty::Move;

use super::texts::Words;
use engine::book::own::is_book_remark;
use engine::evaluation::Breakdown;
use engine::limits::Limits;
use engine::play::levels::Level;
use engine::play::strength;
use engine::player::{Engine, Listener};
use engine::rules::RuleSet;
use engine::rules::setup::Start;
use engine::score::Score;
use engine::search::report::{Outcome, Report, Reporter};
use engine::search::table::OutOfMemoryError;
use engine::settings::Settings;

/// Time of the full strength for a move without clocks, in milliseconds.
const MOVE_TIME_MS: i64 = 1000;
/// Time of the adviser for a hint, in milliseconds.
const HINT_MS: i64 = 400;
/// Table of the adviser, in MiB.
const HASH_MB: usize = 8;

/// The strength of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A level of the paper, or full strength.
    Level(Level),
    /// A limited strength in Elo.
    Elo(u32),
    /// A limited strength that follows the player's.
    Auto,
}

impl Mode {
    /// Reads the strength of `--elo`: a number or `auto`.
    pub fn of_elo(text: &str) -> Option<Mode> {
        let range = strength::MIN_ELO..=strength::MAX_ELO;
        match text.trim() {
            word if word.eq_ignore_ascii_case("auto") => Some(Mode::Auto),
            number => number.parse().ok().filter(|elo| range.contains(elo)).map(Mode::Elo),
        }
    }

    /// What [`Mode::of_elo`] reads, for whoever has written something else.
    pub fn valid_elo(words: &Words) -> String {
        let [least, most] = [strength::MIN_ELO, strength::MAX_ELO].map(|elo| elo.to_string());
        words.fill("elo.unknown", &[("least", &least), ("most", &most)])
    }

    /// Reads what [`Opponent::text`] has written.
    pub fn read(text: &str) -> Option<Mode> {
        let (kind, value) = text.split_once(' ')?;
        match kind {
            "level" => value.parse().ok().map(Mode::Level),
            "elo" => Mode::of_elo(value),
            // The strength follows from the moves.
            "auto" => Mode::of_elo(value).is_some().then_some(Mode::Auto),
            _ => None,
        }
    }

    /// The opponent's name.
    pub fn name(&self, words: &Words) -> String {
        let version = ("version", env!("CARGO_PKG_VERSION"));
        match *self {
            Mode::Level(Level::Unlimited) => words.fill("opponent.full", &[version]),
            Mode::Level(level) => {
                words.fill("opponent.level", &[version, ("level", words.level(level))])
            }
            Mode::Elo(elo) => words.fill("opponent.elo", &[version, ("elo", &elo.to_string())]),
            Mode::Auto => words.fill("opponent.auto", &[version]),
        }
    }
}

/// An engine's answer.
pub struct Answer {
    /// Its move.
    pub m: Option<Move>,
    /// Its score for the side to move.
    pub score: Score,
    /// True if it comes from the book.
    pub is_from_book: bool,
}

/// The opponent and the adviser.
pub struct Opponent {
    player: Engine,
    settings: Settings,
    adviser: Engine,
    mode: Mode,
    /// The player's strength, which the opponent follows in [`Mode::Auto`].
    follows: u32,
}

impl Opponent {
    /// An opponent of this strength for a player of the strength `follows`, in Elo. `seed`: the seed of its errors.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if there is no memory for the tables.
    pub fn new(
        (mode, follows): (Mode, u32),
        rule_set: RuleSet,
        chess960: bool,
        seed: u64,
    ) -> Result<Opponent, OutOfMemoryError> {
        let settings = Settings { rule_set, chess960, ..Settings::default() };
        let advice = Settings { hash_mb: HASH_MB, own_book: false, ..settings.clone() };
        let settings = Settings { thinking_time: true, game_seed: seed, ..settings };
        let (player, adviser) = (Engine::new(&settings)?, Engine::new(&advice)?);
        let mut opponent = Opponent { player, settings, adviser, mode, follows };
        opponent.configure();
        Ok(opponent)
    }

    /// A seed for a game.
    pub fn new_seed() -> u64 {
        u64::from(rand::rng().random_range(1..=i32::MAX.unsigned_abs()))
    }

    /// Its strength.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Its strength as a record writes it.
    pub fn text(&self) -> String {
        match self.mode {
            Mode::Level(level) => format!("level {}", level.name()),
            Mode::Elo(elo) => format!("elo {elo}"),
            Mode::Auto => format!("auto {}", self.follows),
        }
    }

    /// Its limited strength in Elo, if it has one.
    pub fn elo(&self) -> Option<u32> {
        match self.mode {
            Mode::Level(_) => None,
            Mode::Elo(elo) => Some(elo),
            Mode::Auto => Some(self.follows),
        }
    }

    /// Its strength in Elo, for the rating of its player; a level's is that of a person who plays like it.
    pub fn rating(&self) -> u32 {
        self.elo().or(self.settings.person()).unwrap_or(strength::MAX_ELO)
    }

    /// Plays with another strength from now on.
    pub fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
        self.configure();
    }

    /// Takes no person's time for a move from now on.
    pub fn answer_at_once(&mut self) {
        self.settings.thinking_time = false;
        self.configure();
    }

    /// Follows a player of this strength, in Elo, from now on.
    pub fn follow(&mut self, elo: u32) {
        self.follows = elo;
        self.configure();
    }

    /// Begins another game; `seed` is that of its errors.
    pub fn begin_again(&mut self, seed: u64) {
        self.settings.game_seed = seed;
        self.configure();
        self.player.new_game();
        self.adviser.new_game();
    }

    fn configure(&mut self) {
        let elo = self.elo();
        self.settings.level =
            if let Mode::Level(level) = self.mode { level } else { Level::Unlimited };
        self.settings.elo = elo.map_or(self.settings.elo, |elo| elo as usize);
        self.settings.limit_strength = elo.is_some();
        // The only settings that could be refused are files and memory, and these stay as they are.
        self.player.configure(&self.settings);
    }

    /// The opponent's move within `limits`.
    pub fn answer(&mut self, start: &Start, moves: &[String], limits: Limits) -> Answer {
        let is_limited = limits.is_timed() || self.mode != Mode::Level(Level::Unlimited);
        let move_time = limits.move_time.or((!is_limited).then_some(MOVE_TIME_MS));
        search(&mut self.player, start, moves, Limits { move_time, ..limits })
    }

    /// The score of a position by the adviser, and its move.
    pub fn advice(&mut self, start: &Start, moves: &[String]) -> Answer {
        let limits = Limits { move_time: Some(HINT_MS), ..Limits::default() };
        search(&mut self.adviser, start, moves, limits)
    }

    /// The evaluation of a position, term by term.
    pub fn explain(&mut self, start: &Start, moves: &[String]) -> Breakdown {
        // A position of a game can always be set up.
        let _ = self.adviser.set_position(start, moves);
        self.adviser.explain()
    }

    /// The name of the opening.
    pub fn opening(&mut self, start: &Start, moves: &[String]) -> Option<String> {
        let _ = self.adviser.set_position(start, moves);
        self.adviser.view().opening
    }
}

/// Searches and waits for the outcome.
fn search(engine: &mut Engine, start: &Start, moves: &[String], limits: Limits) -> Answer {
    let (sender, receiver) = channel();
    let _ = engine.set_position(start, moves);
    engine.go(limits, Box::new(Ear { sender, is_from_book: false }));
    engine.wait();
    let lost = Answer { m: None, score: Score::DRAW, is_from_book: false };
    receiver.try_recv().unwrap_or(lost)
}

/// Hears a search.
struct Ear {
    sender: Sender<Answer>,
    is_from_book: bool,
}

impl Reporter for Ear {
    fn variation(&mut self, _report: &Report) {}

    fn remark(&mut self, text: &str) {
        self.is_from_book |= is_book_remark(text);
    }
}

impl Listener for Ear {
    fn finished(&mut self, outcome: &Outcome) {
        let is_from_book = self.is_from_book;
        let answer = Answer { m: outcome.best, score: outcome.score, is_from_book };
        // Nobody listens any more once the game is closed.
        let _ = self.sender.send(answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::texts::Lang;

    #[test]
    fn modes_are_recorded_and_read() {
        for mode in [Mode::Level(Level::Beginner), Mode::Elo(900), Mode::Auto] {
            let opponent = Opponent::new((mode, 1340), RuleSet::Chess, false, 1).unwrap();
            assert_eq!(Mode::read(&opponent.text()), Some(mode));
        }
        for text in ["", "elo", "elo 399", "elo x", "auto x", "level 9", "x 1"] {
            assert_eq!(Mode::read(text), None, "{text}");
        }
        assert_eq!(Mode::of_elo("5000"), None);
        assert!(Mode::valid_elo(&Words::of(Lang::En)).contains("from 400 to"));
    }

    #[test]
    fn an_opponent_follows_a_player_until_it_has_a_strength_of_its_own() {
        let mut opponent = Opponent::new((Mode::Auto, 1340), RuleSet::Chess, false, 1).unwrap();
        opponent.follow(900);
        assert_eq!((opponent.elo(), opponent.settings.elo), (Some(900), 900));
        opponent.set_mode(Mode::Level(Level::Advanced));
        assert!(opponent.elo().is_none() && !opponent.settings.limit_strength);
        assert_eq!(opponent.rating(), 2000);
    }
}
