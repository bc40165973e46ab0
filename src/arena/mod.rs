//! Games of the engine against itself, inside one process: whether a change gains is
//! decided here, by games, thousands of them, from openings played with both colours.
//!
//! Under node or depth limits a game depends on nothing but its opening and the two
//! sides' settings, so a match can be repeated move for move, on any number of threads.

mod effort;
mod openings;
mod tally;

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use shakmaty::{Color, Move};

use crate::evaluation::Evaluator;
use crate::limits::Limits;
use crate::rules::{Game, Rules};
use crate::score::Score;
use crate::search::report::{Outcome, Silent};
use crate::search::table::{OutOfMemory, Table};
use crate::search::{self, Memory, Options, Shared};

pub use effort::{Effort, Phase, Sample};
pub use openings::Openings;
pub use tally::{Interval, Tally};

/// Full moves after which a game is called a draw.
const LONGEST_GAME: usize = 250;
/// Both sides must see a score this decisive, in centipawns, …
const DECISIVE: i32 = 1500;
/// … for this many half-moves in a row, for the game to be called won.
const DECISIVE_PLIES: usize = 6;
/// Table of one side, in MiB: games at a few thousand nodes a move need no more.
const TABLE_MB: usize = 4;

/// How one side of a match plays.
#[derive(Clone, Debug)]
pub struct Side<E> {
    /// How it evaluates.
    pub evaluator: E,
    /// How it searches.
    pub options: Options,
    /// What it may spend on a move.
    pub limits: Limits,
}

/// How a game ended, for White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// White won.
    White,
    /// Nobody won.
    Draw,
    /// Black won.
    Black,
}

impl Verdict {
    fn won_by(color: Color) -> Verdict {
        color.fold_wb(Verdict::White, Verdict::Black)
    }

    /// The points of `color`, doubled: 2, 1 or 0.
    pub fn points(self, color: Color) -> usize {
        match self {
            Verdict::Draw => 1,
            verdict if verdict == Verdict::won_by(color) => 2,
            _ => 0,
        }
    }
}

/// One side's memory during a game.
struct Mind {
    shared: Shared,
    history: Memory,
}

impl Mind {
    fn new() -> Result<Mind, OutOfMemory> {
        Ok(Mind { shared: Shared::new(Table::new(TABLE_MB)?), history: Memory::default() })
    }

    fn forget(&mut self) {
        self.shared.table.clear();
        self.history.clear();
    }
}

/// Plays games between two sides, White's first.
pub struct Board<'a, P: Rules, E: Evaluator<P>> {
    sides: [&'a Side<E>; 2],
    minds: [Mind; 2],
    rules: std::marker::PhantomData<P>,
}

impl<'a, P: Rules, E: Evaluator<P>> Board<'a, P, E> {
    /// A board for games between `sides`.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the tables cannot be had.
    pub fn new(sides: [&'a Side<E>; 2]) -> Result<Board<'a, P, E>, OutOfMemory> {
        Ok(Board { sides, minds: [Mind::new()?, Mind::new()?], rules: std::marker::PhantomData })
    }

    /// Plays one game from `opening`; `white` is the index of the side that has White.
    /// `watch` sees every move with the side that made it.
    pub fn play(
        &mut self,
        opening: &Game<P>,
        white: usize,
        mut watch: impl FnMut(usize, &Game<P>, Move, &Outcome),
    ) -> Verdict {
        self.minds.iter_mut().for_each(Mind::forget);
        let mut game = opening.clone();
        let mut decisive = (Verdict::Draw, 0);
        for _ in 0..2 * LONGEST_GAME {
            if let Some(verdict) = finished(&game) {
                return verdict;
            }
            let turn = game.now().turn();
            let mover = turn.fold_wb(white, 1 - white);
            let outcome = self.think(mover, &game);
            let Some(m) = outcome.best else { return Verdict::Draw };
            watch(mover, &game, m, &outcome);
            game.play(m);
            let verdict = opinion(turn, outcome.score);
            decisive = if verdict == decisive.0 { (verdict, decisive.1 + 1) } else { (verdict, 1) };
            if decisive.0 != Verdict::Draw && decisive.1 >= DECISIVE_PLIES {
                return decisive.0;
            }
        }
        Verdict::Draw
    }

    /// What the first side thinks of a position, for the side to move; `None` if the game is over.
    fn judge(&mut self, game: &Game<P>) -> Option<Score> {
        self.minds[0].forget();
        let outcome = self.think(0, game);
        outcome.best.map(|_| outcome.score)
    }

    fn think(&mut self, mover: usize, game: &Game<P>) -> Outcome {
        let (side, mind) = (self.sides[mover], &mut self.minds[mover]);
        search::run(
            game,
            &side.limits,
            &side.options,
            &side.evaluator,
            &mind.shared,
            &mut mind.history,
            &mut Silent,
        )
    }
}

/// The verdict of the rules, once there is one.
fn finished<P: Rules>(game: &Game<P>) -> Option<Verdict> {
    if let Some(known) = game.position().outcome().known() {
        return Some(known.winner().map_or(Verdict::Draw, Verdict::won_by));
    }
    game.draw_reason().map(|_| Verdict::Draw)
}

/// What a side thinks of the outcome.
fn opinion(turn: Color, score: Score) -> Verdict {
    match score.raw() {
        value if value >= DECISIVE => Verdict::won_by(turn),
        value if value <= -DECISIVE => Verdict::won_by(!turn),
        _ => Verdict::Draw,
    }
}

/// Plays `pairs` pairs of games, each opening with both colours, on `threads` threads.
/// `progress` hears of every finished pair; it returns false to end the match.
///
/// # Errors
/// [`OutOfMemory`] if the tables cannot be had.
pub fn compete<P: Rules, E: Evaluator<P>>(
    sides: [&Side<E>; 2],
    openings: &Openings<P>,
    pairs: usize,
    threads: usize,
    progress: impl Fn(&Tally) -> bool + Sync,
) -> Result<Tally, OutOfMemory> {
    let next = AtomicUsize::new(0);
    let ended = AtomicBool::new(false);
    let tally = Mutex::new(Tally::default());
    let play_pairs = || -> Result<(), OutOfMemory> {
        let mut board = Board::<P, E>::new(sides)?;
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= pairs || ended.load(Relaxed) {
                return Ok(());
            }
            let opening = openings.get(number);
            let first = board.play(&opening, 0, |_, _, _, _| {}).points(Color::White);
            let second = board.play(&opening, 1, |_, _, _, _| {}).points(Color::Black);
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.add_pair(first, second);
            if !progress(&tally) {
                ended.store(true, Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(play_pairs)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or(Ok(())))
    })?;
    Ok(tally.into_inner().unwrap_or_else(PoisonError::into_inner))
}
