//! `engine by-rating`: the errors of players by their rating, in games of people and in its own.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

use clap::Args;
use shakmaty::{CastlingMode, Chess, Move, Position};

use super::{Done, ThreadsArgs, print};
use crate::arena::{GameRunner, Phase, Side};
use crate::book::games::{self, Header, PgnGame, ReadGame};
use crate::book::{polyglot, source};
use crate::evaluation::KingTerms;
use crate::levels::strength::{self, Strength};
use crate::limits::Limits;
use crate::rules::Game;
use crate::search::report::Silent;
use crate::search::table::OutOfMemoryError;
use crate::search::{Options, STACK, Searcher};
use crate::shell::progress::{Progress, Unit};
use crate::shell::table::{Cell, Format, Table};

/// Half-moves of a game that are not judged: they are theory.
const THEORY: usize = 10;
/// Greatest score of a position that is judged, for either side, in centipawns.
const DECIDED: i32 = 600;
/// Greatest loss of a single move, in centipawns.
const GREATEST_LOSS: i32 = 1000;
/// The losses that are counted, in centipawns.
const STEPS: [i32; 3] = [50, 100, 300];
/// Table of the judging search, in MiB.
const HASH_MB: usize = 4;
/// The width of a row for people, in Elo.
const BAND: u32 = 200;

const BY_RATING_HELP: &str = "\
Every move from the eleventh half-move on is compared with the best one, both searched to the same
number of nodes with the evaluation by tables. The loss is the difference in centipawns, at most
1000. Positions beyond 600 centipawns are left out. `same` is the share of moves that are the best
one. The last columns are the mean loss in the opening (the first 20 half-moves), the middlegame
and the endgame (six pieces or fewer besides kings and pawns).

Examples:
  engine by-rating games.pgn.gz --games 40
  engine by-rating --elo 800,1200,1600 --games 20";

/// Arguments of `by-rating`.
#[derive(Debug, Args)]
#[command(after_help = BY_RATING_HELP)]
pub struct ByRatingArgs {
    /// Files of games with ratings, in PGN, plain or compressed
    #[arg(required_unless_present = "elo")]
    inputs: Vec<PathBuf>,
    /// Let the engine play games against itself at these limited strengths
    #[arg(long, value_delimiter = ',', conflicts_with = "inputs")]
    #[arg(value_parser = clap::value_parser!(u32).range(i64::from(strength::LEAST)..=i64::from(strength::MOST)))]
    elo: Vec<u32>,
    /// Games for each row; in games of people, each player counts for one
    #[arg(long, default_value_t = 40)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Nodes of a judging search
    #[arg(long, default_value_t = 30_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of the games that the engine plays
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArgs,
    /// The format of the table
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A game to judge, with the row of each player; `None`: this player's moves are not judged.
struct Job {
    rows: [Option<u32>; 2],
    moves: Moves,
}

/// The source of a game's moves.
enum Moves {
    /// Read from a file, in Polyglot's coding.
    Read(Vec<u16>),
    /// To be played at this strength.
    Play(Strength),
}

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
    fn add(&mut self, loss: i32, is_best: bool, phase: usize) {
        self.count += 1;
        self.sum += i64::from(loss);
        self.same += u32::from(is_best);
        for (over, step) in self.over.iter_mut().zip(STEPS) {
            *over += u32::from(loss >= step);
        }
        if let Some((count, sum)) = self.phases.get_mut(phase) {
            *count += 1;
            *sum += i64::from(loss);
        }
    }

    fn join(&mut self, other: &Losses) {
        self.count += other.count;
        self.sum += other.sum;
        self.same += other.same;
        for (mine, theirs) in self.over.iter_mut().zip(other.over) {
            *mine += theirs;
        }
        for (mine, theirs) in self.phases.iter_mut().zip(other.phases) {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1);
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

impl ByRatingArgs {
    /// Judges all games and prints the table. Progress goes to standard error.
    pub fn run(self) -> Done {
        let jobs = if self.elo.is_empty() { self.read()? } else { self.own_games() };
        let progress = Progress::new(jobs.len() as u64, Unit::Count("games"));
        let (next, rows) = (AtomicUsize::new(0), Mutex::new(BTreeMap::<u32, Losses>::new()));
        let work = || -> Result<(), OutOfMemoryError> {
            let mut judge = Judge::new(self.nodes)?;
            while let Some(job) = jobs.get(next.fetch_add(1, Relaxed)) {
                let losses = judge.judge(job)?;
                let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
                for (row, losses) in job.rows.iter().zip(losses) {
                    row.iter().for_each(|&row| rows.entry(row).or_default().join(&losses));
                }
                progress.add(1);
            }
            Ok(())
        };
        thread::scope(|scope| {
            let start = || thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            let workers: Vec<_> = (0..self.threads.count()).flat_map(|_| start()).collect();
            workers.into_iter().try_for_each(|worker| worker.join().unwrap_or(Ok(())))
        })?;
        drop(progress);
        let rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
        print(self.table(&rows).write(self.format).trim_end())
    }

    /// The jobs of the games in the files: for each row the first players that have its rating.
    fn read(&self) -> Result<Vec<Job>, Box<dyn Error>> {
        let mut jobs = Vec::new();
        let mut counts = BTreeMap::<u32, u32>::new();
        for path in &self.inputs {
            let named = |error| format!("{}: {error}; name a file of games", path.display());
            let text = source::open(path).map_err(named)?;
            let is_wanted = |header: &Header| header.elo.white > 0 || header.elo.black > 0;
            games::read(text, usize::MAX, &is_wanted, &mut |_, read| {
                if let ReadGame::Game(game) = read {
                    jobs.extend(self.job(&game, &mut counts));
                }
            });
        }
        if jobs.is_empty() {
            return Err("no game has a rating (WhiteElo, BlackElo) and moves to judge".into());
        }
        Ok(jobs)
    }

    /// The job of a game, if a row of its players still wants games.
    fn job(&self, game: &PgnGame, counts: &mut BTreeMap<u32, u32>) -> Option<Job> {
        let elo = &game.header.elo;
        let rows = [elo.white, elo.black].map(|elo| {
            let row = Some(elo / BAND * BAND).filter(|_| elo > 0)?;
            let count = counts.entry(row).or_default();
            *count += 1;
            (*count <= self.games).then_some(row)
        });
        let moves = game.moves.iter().map(|ply| ply.code).collect();
        rows.iter().any(Option::is_some).then_some(Job { rows, moves: Moves::Read(moves) })
    }

    /// The jobs of the engine's own games.
    fn own_games(&self) -> Vec<Job> {
        let games = (0..u64::from(self.games)).flat_map(|number| {
            let seed = (self.seed << 32) + number + 1;
            self.elo.iter().map(move |&elo| (elo, seed))
        });
        let job =
            |(elo, seed)| Job { rows: [Some(elo); 2], moves: Moves::Play(Strength { elo, seed }) };
        games.map(job).collect()
    }

    fn table(&self, rows: &BTreeMap<u32, Losses>) -> Table {
        let columns = vec![
            "rating",
            "moves",
            "mean loss",
            ">= 50 %",
            ">= 100 %",
            ">= 300 %",
            "same %",
            "opening",
            "middlegame",
            "endgame",
        ];
        let name = |row: u32| {
            let is_own = !self.elo.is_empty();
            if is_own { row.to_string() } else { format!("{row}-{}", row + BAND - 1) }
        };
        let cells = |(&row, losses): (&u32, &Losses)| {
            [vec![Cell::text(name(row))], losses.cells()].concat()
        };
        Table { columns, rows: rows.iter().map(cells).collect() }
    }
}

/// Judges games.
struct Judge {
    searcher: Searcher<Chess, KingTerms<Chess>>,
    nodes: u64,
}

impl Judge {
    fn new(nodes: u64) -> Result<Judge, OutOfMemoryError> {
        let searcher = Searcher::new(KingTerms::default(), Options::default(), HASH_MB)?;
        Ok(Judge { searcher, nodes })
    }

    /// The losses of White and Black in a game.
    fn judge(&mut self, job: &Job) -> Result<[Losses; 2], OutOfMemoryError> {
        let mut losses = [Losses::default(); 2];
        let mut game = Game::new(Chess::default());
        for (ply, m) in moves_of(job)?.into_iter().enumerate() {
            let side = game.position().turn().fold_wb(0, 1);
            if ply >= THEORY && job.rows[side].is_some() {
                self.judge_move(&game, m, &mut losses[side]);
            }
            game.play(m);
        }
        Ok(losses)
    }

    /// Adds the loss of the move `m`, unless there is no choice or the game is decided.
    fn judge_move(&mut self, game: &Game<Chess>, m: Move, losses: &mut Losses) {
        if game.position().legal_moves().len() < 2 {
            return;
        }
        self.searcher.new_game();
        let best = self.searcher.search(game, &Limits::nodes(self.nodes), &mut Silent);
        if best.score.raw().abs() > DECIDED {
            return;
        }
        let is_best = best.best == Some(m);
        let loss = if is_best {
            0
        } else {
            let search_moves = vec![m.to_uci(CastlingMode::Standard)];
            let limits = Limits { search_moves, ..Limits::nodes(self.nodes) };
            let played = self.searcher.search(game, &limits, &mut Silent);
            (best.score - played.score).clamp(0, GREATEST_LOSS)
        };
        losses.add(loss, is_best, stage(game));
    }
}

/// The moves of a game, which may have to be played first.
fn moves_of(job: &Job) -> Result<Vec<Move>, OutOfMemoryError> {
    let mut moves = Vec::new();
    match &job.moves {
        Moves::Read(codes) => {
            let mut position = Chess::default();
            for &code in codes {
                let Some(m) = polyglot::decode(&position, code) else { break };
                position.play_unchecked(m);
                moves.push(m);
            }
        }
        Moves::Play(strength) => {
            let side = Side::new(KingTerms::default(), Options::default(), Limits::default());
            let side = Side { strength: Some(*strength), ..side };
            let start = Game::new(Chess::default());
            GameRunner::new([&side, &side])?.play(&start, 0, |_, _, m, _| moves.push(m));
        }
    }
    Ok(moves)
}

/// The stage of a game: 0 opening, 1 middlegame, 2 endgame. A check belongs to the stage around it.
fn stage(game: &Game<Chess>) -> usize {
    match Phase::of(game) {
        Phase::Opening => 0,
        Phase::Middlegame | Phase::Check => 1,
        Phase::Endgame | Phase::LateEndgame => 2,
    }
}
