//! The engine at the other side of the board, and the adviser of the player.

use std::sync::mpsc::{Sender, channel};

use rand::RngExt;
use shakmaty::Move;

use engine::evaluation::Breakdown;
use engine::limits::Limits;
use engine::play::levels::Level;
use engine::play::strength::{self, people};
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
/// Nodes of the adviser to judge a move.
const JUDGE_NODES: u64 = 10_000;
/// Table of the adviser, in MiB.
const HASH_MB: usize = 8;
/// First strength of an opponent that adapts itself, in Elo.
const FIRST_ELO: u32 = 1200;
/// The weight of the first strength, in moves.
const PRIOR_MOVES: f64 = 6.0;
/// Moves of the player between two adjustments.
const ADJUST_MOVES: usize = 4;
/// Least change of the strength, in Elo.
const LEAST_CHANGE: u32 = 50;
/// Positions beyond this score say nothing of the player, in centipawns.
const DECIDED: i32 = 600;

/// The strength of the opponent.
#[derive(Clone, Debug, PartialEq)]
pub enum Mode {
    /// A level of the paper, or full strength.
    Level(Level),
    /// A limited strength in Elo.
    Elo(u32),
    /// A limited strength that follows the player's.
    Auto(Adaptive),
}

/// A strength that follows the player's.
#[derive(Clone, Debug, PartialEq)]
pub struct Adaptive {
    /// The strength now, in Elo.
    pub elo: u32,
    /// The losses of the player's moves, in centipawns.
    losses: Vec<f64>,
}

impl Default for Adaptive {
    fn default() -> Adaptive {
        Adaptive { elo: FIRST_ELO, losses: Vec::new() }
    }
}

impl Adaptive {
    /// Takes note of a move that lost this many centipawns. Returns the new strength if it changes.
    pub fn note(&mut self, loss: f64) -> Option<u32> {
        self.losses.push(loss);
        if !self.losses.len().is_multiple_of(ADJUST_MOVES) {
            return None;
        }
        let prior = PRIOR_MOVES * people::mean_loss(FIRST_ELO);
        let sum: f64 = self.losses.iter().sum();
        let elo = people::rating((prior + sum) / (PRIOR_MOVES + self.losses.len() as f64));
        let has_changed = elo.abs_diff(self.elo) >= LEAST_CHANGE;
        has_changed.then(|| {
            self.elo = elo;
            elo
        })
    }
}

impl Mode {
    /// Reads the strength of `--elo`: a number or `auto`.
    ///
    /// # Errors
    /// The valid values.
    pub fn of_elo(text: &str) -> Result<Mode, String> {
        let range = strength::MIN_ELO..=strength::MAX_ELO;
        match text.trim() {
            word if word.eq_ignore_ascii_case("auto") => Ok(Mode::Auto(Adaptive::default())),
            number => match number.parse().ok().filter(|elo| range.contains(elo)) {
                Some(elo) => Ok(Mode::Elo(elo)),
                None => Err(format!(
                    "write auto, or a number from {} to {}",
                    strength::MIN_ELO,
                    strength::MAX_ELO
                )),
            },
        }
    }

    /// The mode as a record writes it.
    pub fn text(&self) -> String {
        match self {
            Mode::Level(level) => format!("level {}", level.name()),
            Mode::Elo(elo) => format!("elo {elo}"),
            Mode::Auto(adaptive) => format!("auto {}", adaptive.elo),
        }
    }

    /// Reads what [`Mode::text`] has written.
    pub fn read(text: &str) -> Option<Mode> {
        let (kind, value) = text.split_once(' ')?;
        match kind {
            "level" => value.parse().ok().map(Mode::Level),
            "elo" => Mode::of_elo(value).ok(),
            "auto" => match Mode::of_elo(value).ok()? {
                Mode::Elo(elo) => Some(Mode::Auto(Adaptive { elo, ..Adaptive::default() })),
                _ => None,
            },
            _ => None,
        }
    }

    /// The limited strength in Elo, if there is one.
    pub fn elo(&self) -> Option<u32> {
        match self {
            Mode::Level(_) => None,
            Mode::Elo(elo) => Some(*elo),
            Mode::Auto(adaptive) => Some(adaptive.elo),
        }
    }

    /// The opponent's name.
    pub fn name(&self) -> String {
        let version = env!("CARGO_PKG_VERSION");
        match self {
            Mode::Level(Level::Unlimited) => format!("Ajedrecista {version}"),
            Mode::Level(level) => format!("Ajedrecista {version}, level {}", level.name()),
            Mode::Elo(elo) => format!("Ajedrecista {version}, {elo} Elo"),
            Mode::Auto(_) => format!("Ajedrecista {version}, adaptive"),
        }
    }
}

/// An engine's answer.
pub struct Answer {
    /// Its move.
    pub m: Option<Move>,
    /// Its score for the side to move.
    pub score: Score,
    /// Its explanations.
    pub remarks: Vec<String>,
}

/// The opponent and the adviser.
pub struct Opponent {
    player: Engine,
    settings: Settings,
    adviser: Engine,
    /// The strength.
    pub mode: Mode,
}

impl Opponent {
    /// An opponent of this strength. `seed`: the seed of its errors.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if there is no memory for the tables.
    pub fn new(
        mode: Mode,
        rule_set: RuleSet,
        chess960: bool,
        seed: u64,
    ) -> Result<Opponent, OutOfMemoryError> {
        let settings = Settings { rule_set, chess960, game_seed: seed, ..Settings::default() };
        let advice = Settings { hash_mb: HASH_MB, own_book: false, ..settings.clone() };
        let settings = with_mode(settings, &mode);
        let (player, adviser) = (Engine::new(&settings)?, Engine::new(&advice)?);
        Ok(Opponent { player, settings, adviser, mode })
    }

    /// A seed for a game.
    pub fn new_seed() -> u64 {
        u64::from(rand::rng().random_range(1..=i32::MAX.unsigned_abs()))
    }

    /// Plays with another strength from now on.
    pub fn set_mode(&mut self, mode: Mode) {
        self.settings = with_mode(self.settings.clone(), &mode);
        self.mode = mode;
        // The only settings that could be refused are files and memory, and these stay as they are.
        self.player.configure(&self.settings);
    }

    /// The opponent's move within `limits`.
    pub fn answer(&mut self, start: &Start, moves: &[String], limits: Limits) -> Answer {
        let is_limited = limits.is_timed() || self.mode != Mode::Level(Level::Unlimited);
        let move_time = limits.move_time.or((!is_limited).then_some(MOVE_TIME_MS));
        search(&mut self.player, start, moves, Limits { move_time, ..limits })
    }

    /// The adviser's move.
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

    /// Judges the last of `moves`, the player's, if the opponent adapts itself. Returns a new strength if
    /// it changes.
    pub fn follow(&mut self, start: &Start, moves: &[String]) -> Option<u32> {
        let Mode::Auto(adaptive) = &self.mode else { return None };
        let mut adaptive = adaptive.clone();
        let before = moves.split_last()?.1;
        let limits = Limits::nodes(JUDGE_NODES);
        let best = search(&mut self.adviser, start, before, limits.clone()).score.raw();
        if best.abs() > DECIDED {
            return None;
        }
        let played = -search(&mut self.adviser, start, moves, limits).score.raw();
        let change = adaptive.note(f64::from((best - played).clamp(0, 1000)));
        self.set_mode(Mode::Auto(adaptive));
        change
    }
}

/// The settings for a strength.
fn with_mode(settings: Settings, mode: &Mode) -> Settings {
    let level = if let Mode::Level(level) = mode { *level } else { Level::Unlimited };
    let elo = mode.elo().map_or(settings.elo, |elo| elo as usize);
    Settings { level, elo, limit_strength: mode.elo().is_some(), ..settings }
}

/// Searches and waits for the outcome.
fn search(engine: &mut Engine, start: &Start, moves: &[String], limits: Limits) -> Answer {
    let (sender, receiver) = channel();
    let _ = engine.set_position(start, moves);
    engine.go(limits, Box::new(Ear { sender, remarks: Vec::new() }));
    engine.wait();
    let lost = Answer { m: None, score: Score::DRAW, remarks: Vec::new() };
    receiver.try_recv().unwrap_or(lost)
}

/// Hears a search.
struct Ear {
    sender: Sender<Answer>,
    remarks: Vec<String>,
}

impl Reporter for Ear {
    fn variation(&mut self, _report: &Report) {}

    fn remark(&mut self, text: &str) {
        self.remarks.push(text.to_string());
    }
}

impl Listener for Ear {
    fn finished(&mut self, outcome: &Outcome) {
        let remarks = std::mem::take(&mut self.remarks);
        let answer = Answer { m: outcome.best, score: outcome.score, remarks };
        // Nobody listens any more once the game is closed.
        let _ = self.sender.send(answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_adaptive_opponent_follows_the_player() {
        let mut adaptive = Adaptive::default();
        let changes: Vec<u32> = (0..40).filter_map(|_| adaptive.note(30.0)).collect();
        assert!(changes.len() > 3 && changes.is_sorted(), "{changes:?}");
        assert!(adaptive.elo > 1700, "{}", adaptive.elo);
        let mut adaptive = Adaptive::default();
        let changes: Vec<u32> = (0..40).filter_map(|_| adaptive.note(200.0)).collect();
        assert!(changes.is_sorted_by(|a, b| a > b) && adaptive.elo < 800, "{changes:?}");
    }

    #[test]
    fn modes_are_recorded_and_read() {
        let auto = Mode::Auto(Adaptive { elo: 1340, ..Adaptive::default() });
        for mode in [Mode::Level(Level::Beginner), Mode::Elo(900), auto] {
            assert_eq!(Mode::read(&mode.text()), Some(mode));
        }
        for text in ["", "elo", "elo 399", "elo x", "auto auto", "level 9", "x 1"] {
            assert_eq!(Mode::read(text), None, "{text}");
        }
        assert!(Mode::of_elo("5000").unwrap_err().contains("from 400 to"));
    }
}
