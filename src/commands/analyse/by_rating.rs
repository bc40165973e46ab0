//! `engine analyse --by-rating`: the losses of players by their rating, in games of people and in its own.
//!
//! The games are judged like all others, by the evaluation by tables, which plays no part in limited strength
//! and stays as it is when a network is trained anew.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use shakmaty::{CastlingMode, Chess, Color, Position};

use super::{AnalyseArgs, GameReader};
use crate::commands::play::texts::Words;
use crate::commands::{Done, print};
use analysis::analyst::AnalystOptions;
use analysis::review::{GameReview, MoveReview};
use engine::evaluation::KingTerms;
use engine::limits::Limits;
use engine::pgn::{Course, RawGame};
use engine::play::Mode;
use engine::play::strength::{self, Strength};
use engine::rules::{Game, RuleSet};
use engine::search::Options;
use engine::search::table::OutOfMemoryError;
use engine::settings::{EvaluatorChoice, Settings};
use shell::progress::{Progress, Unit};
use shell::table::{Cell, Table};
use workshop::annotation::{self, RunOptions};
use workshop::arena::{GameRunner, Phase, Side, on_threads};

/// Half-moves of a game that are not judged: they are theory.
const THEORY: usize = 10;
/// Greatest score of a position that is judged, for either side, in centipawns.
const DECIDED: i32 = 600;
/// The losses that are counted, in centipawns.
const STEPS: [i32; 3] = [50, 100, 300];
/// The width of a row for people, in Elo.
const BAND: u32 = 200;

/// Arguments of `--by-rating`.
#[derive(Debug, Args)]
pub struct RatingArgs {
    /// Show the losses of players by their rating, from games with the tags WhiteElo and BlackElo
    #[arg(long, conflicts_with_all = ["output", "html"])]
    pub by_rating: bool,
    /// With --by-rating: let the engine play games against itself at these limited strengths
    #[arg(long, value_delimiter = ',', conflicts_with = "inputs", requires = "by_rating")]
    #[arg(value_parser = clap::value_parser!(u32).range(i64::from(strength::MIN_ELO)..=i64::from(strength::MAX_ELO)))]
    elo: Vec<u32>,
    /// With --by-rating: games for each row; in games of people, each player counts for one
    #[arg(long, default_value_t = 40, requires = "by_rating")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// With --elo: the seed of the games
    #[arg(long, default_value_t = 1, requires = "elo")]
    seed: u64,
}

/// The rows of White and Black; `None`: this player's moves do not count.
type Rows = [Option<u32>; 2];

/// The losses of one row.
#[derive(Clone, Copy, Default)]
struct Losses {
    count: u32,
    sum: i64,
    same: u32,
    over: [u32; 3],
    /// Count and sum in opening, middlegame and endgame.
    phases: [(u32, i64); 3],
}

impl Losses {
    fn add(&mut self, m: &MoveReview, phase: usize) {
        self.count += 1;
        self.sum += i64::from(m.loss);
        self.same += u32::from(m.is_best);
        for (over, step) in self.over.iter_mut().zip(STEPS) {
            *over += u32::from(m.loss >= step);
        }
        if let Some((count, sum)) = self.phases.get_mut(phase) {
            *count += 1;
            *sum += i64::from(m.loss);
        }
    }

    fn cells(&self) -> Vec<Cell> {
        let share =
            |count: u32| Cell::Measure(100.0 * f64::from(count) / f64::from(self.count.max(1)), 1);
        let mean = |count: u32, sum: i64| Cell::Measure(sum as f64 / f64::from(count.max(1)), 0);
        let mut cells = vec![Cell::Count(u64::from(self.count)), mean(self.count, self.sum)];
        cells.extend(self.over.map(share));
        cells.push(share(self.same));
        cells.extend(self.phases.map(|(count, sum)| mean(count, sum)));
        cells
    }
}

impl AnalyseArgs {
    /// Judges the games and prints the table. Progress goes to standard error.
    pub(super) fn losses_by_rating(&self, files: &[PathBuf], words: &Words) -> Done {
        let games = match self.rating.elo.is_empty() {
            true => self.rated_games(files, words)?,
            false => self.own_games(words)?,
        };
        if games.is_empty() {
            return Err(words.get("analyse.no-rating").into());
        }
        let steps: usize = games.iter().map(|(_, game)| annotation::steps(game.moves())).sum();
        let progress = Progress::of(steps as u64, Unit::Share, self.lang);
        let settings = Settings { evaluation: EvaluatorChoice::Tables, ..Settings::default() };
        let options = RunOptions {
            analyst: AnalystOptions {
                limits: self.limits(),
                hash_mb: self.hash as usize,
                texts: Arc::clone(&words.analysis),
                settings,
                reasons: false,
                exercises: false,
            },
            limit: String::new(),
            threads: self.threads.count(),
            pages: false,
        };
        let mut rows = BTreeMap::<u32, Losses>::new();
        let mut left = games.iter();
        let mut next = || Ok(left.next().map(|(_, game)| game.clone()));
        let mut each = |game: annotation::Finished| {
            if let (Some(review), Some((of, raw))) = (&game.review, games.get(game.index)) {
                add(review, of, raw, &mut rows);
            }
            io::Result::Ok(())
        };
        annotation::run(&mut next, &options, &mut each, &|count| progress.add(count as u64))?;
        drop(progress);
        print(self.table(&rows, words).write_in(&words.analysis, self.format).trim_end())
    }

    /// The games of the files: for each row the first players that have its rating.
    fn rated_games(&self, files: &[PathBuf], words: &Words) -> io::Result<Vec<(Rows, RawGame)>> {
        let mut games = Vec::new();
        let mut counts = BTreeMap::<u32, u32>::new();
        let mut reader = GameReader::new(files, words);
        while let Some(raw) = reader.next()? {
            let rows = [Color::White, Color::Black].map(|color| {
                let row = raw.rating(color)? / BAND * BAND;
                let count = counts.entry(row).or_default();
                *count += 1;
                (*count <= self.rating.games).then_some(row)
            });
            if rows.iter().any(Option::is_some) {
                games.push((rows, raw));
            }
        }
        Ok(games)
    }

    /// Games of the engine against itself.
    fn own_games(&self, words: &Words) -> Result<Vec<(Rows, RawGame)>, OutOfMemoryError> {
        let RatingArgs { elo, games, seed, .. } = &self.rating;
        let tasks = (0..u64::from(*games)).flat_map(|number| {
            let seed = (seed << 32) + number + 1;
            elo.iter().map(move |&elo| Strength { elo, seed })
        });
        let tasks: Vec<Strength> = tasks.collect();
        let progress =
            Progress::of(tasks.len() as u64, Unit::Count(words.word("analyse.unit")), self.lang);
        let (next, played) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
        let work = || -> Result<(), OutOfMemoryError> {
            loop {
                let number = next.fetch_add(1, Relaxed);
                let Some(strength) = tasks.get(number) else { return Ok(()) };
                let game = ([Some(strength.elo); 2], own_game(*strength)?);
                played.lock().unwrap_or_else(PoisonError::into_inner).insert(number, game);
                progress.add(1);
            }
        };
        on_threads(self.threads.count(), work)?;
        Ok(played.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect())
    }

    fn table(&self, rows: &BTreeMap<u32, Losses>, words: &Words) -> Table {
        let columns = words.word("losses.columns").split(", ").collect();
        let name = |row: u32| {
            let is_own = !self.rating.elo.is_empty();
            if is_own { row.to_string() } else { format!("{row}-{}", row + BAND - 1) }
        };
        let cells = |(&row, losses): (&u32, &Losses)| {
            [vec![Cell::text(name(row))], losses.cells()].concat()
        };
        Table { columns, rows: rows.iter().map(cells).collect() }
    }
}

/// A game of the engine against itself.
fn own_game(strength: Strength) -> Result<RawGame, OutOfMemoryError> {
    let side = Side::new(KingTerms::default(), Options::default(), Limits::default());
    let side = Side { mode: Mode::Limited(strength), ..side };
    let mut text = String::new();
    GameRunner::new([&side, &side])?.play(&Game::new(Chess::default()), 0, |_, _, m, _| {
        text += &format!("{} ", m.to_uci(CastlingMode::Standard));
    });
    Ok(RawGame::parse(&text))
}

/// Adds the moves of a game to their rows, without theory, forced moves and decided positions.
fn add(review: &GameReview, rows: &Rows, raw: &RawGame, losses: &mut BTreeMap<u32, Losses>) {
    let course = Course::follow(raw);
    let Some(course) = course.ok().filter(|course| course.rule_set == RuleSet::Chess) else {
        return;
    };
    let Ok(mut replay) = course.replay::<Chess>() else { return };
    for (ply, m) in review.moves.iter().enumerate() {
        let game = replay.game();
        if let Some(m) = m.as_ref().filter(|_| ply >= THEORY)
            && let Some(row) = rows[m.color.fold_wb(0, 1)]
            && m.best_score.raw().abs() <= DECIDED
            && game.position().legal_moves().len() > 1
        {
            losses.entry(row).or_default().add(m, stage(game));
        }
        replay.advance();
    }
}

/// The stage of a game: 0 opening, 1 middlegame, 2 endgame. A check belongs to the stage around it.
fn stage(game: &Game<Chess>) -> usize {
    match Phase::of(game) {
        Phase::Opening => 0,
        Phase::Middlegame | Phase::Check => 1,
        Phase::Endgame | Phase::LateEndgame => 2,
    }
}
