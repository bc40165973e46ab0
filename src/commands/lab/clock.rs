//! `engine lab clock`: deeper and deeper until the time is up, with a move to play at any time.

use std::time::{Duration, Instant};

use clap::Args;

use super::super::Done;
use super::chosen;
use super::game::{GameArgs, set_up};
use lab::game::Position;
use lab::moves::Move;
use lab::narrator::{show_move, write_value};
use lab::texts::{self, Texts, decimal};
use lab::watch::{Counter, Event, Observer};

/// Deepest round.
const DEEPEST: u32 = 60;

/// Arguments of `clock`.
#[derive(Debug, Args)]
pub struct Clock {
    /// The game and its position.
    #[command(flatten)]
    pub game: GameArgs,
    /// The time, in seconds
    #[arg(long, default_value_t = 1.0)]
    pub seconds: f64,
    /// The algorithm: iterative-deepening or negascout-table
    #[arg(long, default_value = "negascout-table")]
    #[arg(value_parser = ["iterative-deepening", "negascout-table"])]
    pub algorithm: String,
}

/// Prints a row as soon as its round is done.
struct Rounds<'a> {
    root: &'a Position,
    texts: &'a Texts,
    started: Instant,
    counter: Counter,
    /// Width of the column of depths.
    width: usize,
    last: Option<Move>,
    fault: Option<Box<dyn std::error::Error>>,
}

impl Observer for Rounds<'_> {
    fn see(&mut self, path: &[Option<Move>], event: &Event) {
        self.counter.see(path, event);
        if let Event::Round(depth, found) = event {
            self.last = found.best.or(self.last);
            let best = found.best.map_or_else(String::new, |m| show_move(self.texts, self.root, m));
            let ms = self.started.elapsed().as_secs_f64() * 1000.0;
            let value = write_value(self.texts, self.root, found.value);
            let (leaves, nodes) = (self.counter.leaves, self.counter.nodes);
            let [depth, leaves, nodes] = [u64::from(*depth), leaves, nodes].map(|n| n.to_string());
            let ms = decimal(self.texts, &format!("{ms:.1}"));
            let result = super::super::print(&row(
                self.width,
                [&depth, &value, &best, &leaves, &nodes, &ms],
            ));
            self.fault = self.fault.take().or(result.err());
        }
    }
}

/// A row of the table: depth, value, best move, leaves, nodes, milliseconds.
fn row(width: usize, [depth, value, best, leaves, nodes, ms]: [&str; 6]) -> String {
    format!("{depth:>width$}  {value:>11}  {best:<8}{leaves:>12}{nodes:>12}{ms:>12}")
}

/// Searches until the time is up.
///
/// # Errors
/// An unknown game or constant.
pub fn run(arguments: &Clock) -> Done {
    let texts = texts::of(arguments.game.lang);
    let (game, _) = set_up(&arguments.game)?;
    let depth = arguments.game.depth.unwrap_or(DEEPEST);
    let [algorithm] =
        chosen(std::slice::from_ref(&arguments.algorithm), game.players(), &texts)?[..]
    else {
        return Ok(());
    };
    let head = [
        "compare.depth",
        "compare.value",
        "compare.best",
        "compare.leaves",
        "compare.nodes",
        "compare.ms",
    ]
    .map(|key| texts.get(key));
    let width = head[0].chars().count();
    super::super::print(&row(width, head))?;
    let started = Instant::now();
    let time =
        Duration::try_from_secs_f64(arguments.seconds).map_err(|_| texts.get("fault.seconds"))?;
    let mut rounds = Rounds {
        root: &game,
        texts: &texts,
        started,
        counter: Counter::default(),
        width,
        last: None,
        fault: None,
    };
    let deadline = started.checked_add(time);
    let constants = arguments.game.constants()?;
    let found = algorithm.run_with(constants, deadline, &game, depth, &mut rounds);
    if let Some(fault) = rounds.fault {
        return Err(fault);
    }
    // Before the first round is done any legal move must do.
    let best = rounds.last.or(found.best).or_else(|| game.moves().first().copied());
    let best = best.map_or_else(|| texts.get("none").to_string(), |m| show_move(&texts, &game, m));
    let is_up = deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let key = if is_up { "clock.up" } else { "clock.done" };
    super::super::print(&texts.fill(key, &[("best", &best)]))
}
