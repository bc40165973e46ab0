//! A fixed piece of work: the bench positions, searched to a fixed depth.
//!
//! Its node count is the search's signature. It is the same in every run and on every
//! machine, so a change of the code that leaves it alone has changed no decision; and
//! nodes a second compare machines and builds.

mod positions;

use std::fmt;
use std::time::{Duration, Instant};

use shakmaty::CastlingMode;
use shakmaty::variant::Variant;

use crate::evaluation::tables;
use crate::limits::Limits;
use crate::rules::Rules;
use crate::rules::setup::{self, Start};
use crate::rules::variant::{self, Task};
use crate::search::report::{Cutoffs, Outcome, Silent};
use crate::search::table::{OutOfMemory, Table};
use crate::search::{self, Memory, Options, Shared};

pub use positions::positions;

/// Depth of the bench when none is asked for, in plies.
pub const DEFAULT_DEPTH: u32 = 12;

/// Size of the transposition table of the bench when none is asked for, in megabytes.
pub const DEFAULT_HASH_MB: usize = 16;

/// One position of the bench, done.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Its number, from 1.
    pub number: usize,
    /// The number of positions in all.
    pub of: usize,
    /// The position.
    pub fen: &'static str,
    /// Nodes that its search took.
    pub nodes: u64,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{} {} {} nodes", self.number, self.of, self.fen, self.nodes)
    }
}

/// The whole bench, done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time that they took.
    pub elapsed: Duration,
    /// Cut-offs of all searches.
    pub cutoffs: Cutoffs,
    /// Sum of ln(nodes) / depth over the searches, and their number.
    growth: (f64, u32),
}

impl Tally {
    /// What the search is like: how well it orders the moves, and by what factor a ply more
    /// multiplies its nodes (effective branching factor: nodes^(1/depth), geometric mean).
    pub fn character(&self) -> String {
        let (sum, count) = self.growth;
        format!(
            "cut-offs on the first move {:.1} %, effective branching factor {:.2}",
            100.0 * self.cutoffs.first_share(),
            (sum / f64::from(count.max(1))).exp()
        )
    }
}

impl Tally {
    fn add(&mut self, outcome: &Outcome) {
        self.nodes += outcome.nodes;
        self.cutoffs.all += outcome.cutoffs.all;
        self.cutoffs.first += outcome.cutoffs.first;
        if outcome.depth > 0 {
            self.growth.0 += (outcome.nodes as f64).ln() / f64::from(outcome.depth);
            self.growth.1 += 1;
        }
    }
}

impl fmt::Display for Tally {
    /// The line that match managers look for: `N nodes N nps`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nps = self.nodes as f64 / self.elapsed.as_secs_f64().max(0.001);
        write!(f, "{} nodes {nps:.0} nps", self.nodes)
    }
}

/// Searches every position of a rule set `depth` plies deep, each with a table of `hash_mb` megabytes
/// that knows nothing yet. `progress` hears of each position as it is done.
///
/// # Errors
/// [`OutOfMemory`] if the table cannot be had.
pub fn run(
    variant: Variant,
    depth: u32,
    hash_mb: usize,
    progress: impl FnMut(&Step),
) -> Result<Tally, OutOfMemory> {
    variant::with(variant, Work { depth, hash_mb, progress })
}

/// The bench of whichever rule set.
struct Work<F> {
    depth: u32,
    hash_mb: usize,
    progress: F,
}

impl<F: FnMut(&Step)> Task for Work<F> {
    type Outcome = Result<Tally, OutOfMemory>;

    fn run<P: Rules>(self) -> Self::Outcome {
        run_in::<P>(self.depth, self.hash_mb, self.progress)
    }
}

fn run_in<P: Rules>(
    depth: u32,
    hash_mb: usize,
    mut progress: impl FnMut(&Step),
) -> Result<Tally, OutOfMemory> {
    let positions = positions(P::VARIANT);
    let shared = Shared::new(Table::new(hash_mb)?);
    let evaluator = tables::of(P::VARIANT);
    let mut tally = Tally::default();
    for (index, &fen) in positions.iter().enumerate() {
        let (game, _) = setup::game::<P>(&Start::Fen(fen.to_string()), &[], CastlingMode::Standard)
            .unwrap_or_else(|fault| panic!("bench position {fen}: {fault}"));
        shared.table.clear();
        let mut history = Memory::default();
        let started = Instant::now();
        let options = Options::default();
        let limits = Limits::depth(depth);
        let outcome =
            search::run(&game, &limits, &options, &evaluator, &shared, &mut history, &mut Silent);
        tally.elapsed += started.elapsed();
        tally.add(&outcome);
        progress(&Step { number: index + 1, of: positions.len(), fen, nodes: outcome.nodes });
    }
    Ok(tally)
}
