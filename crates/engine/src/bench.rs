//! The bench: fixed positions, searched to a fixed depth.
//!
//! Its node count is the signature of the search, the same in every run and on every machine. A change of
//! the code that keeps it has changed no decision. Nodes per second compare machines and builds.
//!
#![doc = include_str!("../../../docs/openbench.md")]

use std::fmt;
use std::sync::Arc;
use web_time::{Duration, Instant};

use shakmaty::CastlingMode;

use crate::evaluation::variants::{Task, with_rules};
use crate::evaluation::{Evaluation, Variant};
use crate::limits::Limits;
use crate::rules::setup::{self, Start};
use crate::rules::{Game, RuleSet};
use crate::score::MAX_PLY;
use crate::search::report::{Cutoffs, Outcome, Silent};
use crate::search::table::OutOfMemoryError;
use crate::search::{Options, Searcher, Signals};

/// Default depth of the bench, in plies.
pub const DEFAULT_DEPTH: u32 = 12;

/// Greatest depth of the bench, in plies: no search goes deeper.
pub const DEEPEST: u32 = MAX_PLY as u32 - 1;

/// Default size of the bench's transposition table, in MiB.
pub const DEFAULT_HASH_MB: usize = 16;

/// One searched position of the bench.
#[derive(Clone, Debug)]
pub struct BenchStep {
    /// Its number, from 1.
    pub number: usize,
    /// The number of positions in all.
    pub of: usize,
    /// The position.
    pub fen: String,
    /// Nodes of its search.
    pub nodes: u64,
}

impl fmt::Display for BenchStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{} {} {} nodes", self.number, self.of, self.fen, self.nodes)
    }
}

/// The results of the whole bench.
#[derive(Clone, Copy, Debug, Default)]
pub struct BenchResult {
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time of all searches.
    pub elapsed: Duration,
    /// Cut-offs of all searches.
    pub cutoffs: Cutoffs,
    /// Sum of ln(nodes) / depth over the searches, and their number.
    growth: (f64, u32),
}

impl BenchResult {
    /// The shape of the search tree: the share of cut-offs on the first move, and the effective branching
    /// factor (nodes^(1/depth), geometric mean).
    pub fn character(&self) -> String {
        let (sum, count) = self.growth;
        format!(
            "cut-offs on the first move {:.1} %, effective branching factor {:.2}",
            100.0 * self.cutoffs.first_share(),
            (sum / f64::from(count.max(1))).exp()
        )
    }

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

impl fmt::Display for BenchResult {
    /// The line that match managers read: `N nodes N nps`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nps = self.nodes as f64 / self.elapsed.as_secs_f64().max(0.001);
        write!(f, "{} nodes {nps:.0} nps", self.nodes)
    }
}

/// Searches every bench position of a rule set with its default evaluation. See [`run_with`].
///
/// # Errors
/// [`OutOfMemoryError`] if there is no memory for the table.
pub fn run(
    rule_set: RuleSet,
    depth: u32,
    hash_mb: usize,
    progress: impl FnMut(&BenchStep) -> bool,
) -> Result<BenchResult, OutOfMemoryError> {
    with_rules(rule_set, Work { depth, hash_mb, progress })
}

/// Searches every bench position of the rules `P` `depth` plies deep, each with an empty transposition
/// table of `hash_mb` MiB. `begin` gets the signals that stop all searches from another thread. `progress` sees each
/// position when it is done, and returns false to end the bench.
///
/// # Errors
/// [`OutOfMemoryError`] if there is no memory for the table.
pub fn run_with<P: Variant>(
    evaluator: Evaluation<P>,
    depth: u32,
    hash_mb: usize,
    begin: impl FnOnce(Arc<Signals>),
    mut progress: impl FnMut(&BenchStep) -> bool,
) -> Result<BenchResult, OutOfMemoryError> {
    let games = games::<P>();
    let mut tally = BenchResult::default();
    let mut searcher = Searcher::new(evaluator, Options::default(), hash_mb)?;
    begin(searcher.renew_signals(false));
    for (index, game) in games.iter().enumerate() {
        searcher.new_game();
        let started = Instant::now();
        let outcome = searcher.search(game, &Limits::depth(depth), &mut Silent);
        tally.elapsed += started.elapsed();
        tally.add(&outcome);
        let step = BenchStep {
            number: index + 1,
            of: games.len(),
            fen: setup::fen(game.position()),
            nodes: outcome.nodes,
        };
        if !progress(&step) {
            break;
        }
    }
    Ok(tally)
}

/// The bench of any rule set.
struct Work<F> {
    depth: u32,
    hash_mb: usize,
    progress: F,
}

impl<F: FnMut(&BenchStep) -> bool> Task for Work<F> {
    type Outcome = Result<BenchResult, OutOfMemoryError>;

    fn run<P: Variant>(self) -> Self::Outcome {
        run_with(Evaluation::<P>::default(), self.depth, self.hash_mb, drop, self.progress)
    }
}

/// The number of bench positions of a rule set.
pub fn positions(rule_set: RuleSet) -> usize {
    struct Count;

    impl Task for Count {
        type Outcome = usize;

        fn run<P: Variant>(self) -> usize {
            P::BENCH.len().max(1)
        }
    }
    with_rules(rule_set, Count)
}

/// The bench positions of the rules `P`; the starting position if the rule set declares none.
fn games<P: Variant>() -> Vec<Game<P>> {
    let game = |fen: &&str| {
        let start = Start::Fen(fen.to_string());
        let game = setup::game(&start, &[], CastlingMode::Standard);
        game.unwrap_or_else(|error| unreachable!("a test reads the bench position {fen}: {error}"))
            .0
    };
    match P::BENCH {
        [] => vec![Game::new(P::default())],
        fens => fens.iter().map(game).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::score::Score;

    struct Check;

    impl Task for Check {
        type Outcome = ();

        fn run<P: Variant>(self) {
            let games = games::<P>();
            for game in &games {
                let fen = setup::fen(game.position());
                assert!(!game.position().legal_moves().is_empty(), "{fen}");
                assert_eq!(game.position().ending(), None, "{fen}");
            }
            let keys: HashSet<u64> = games.iter().map(|game| game.now().key()).collect();
            assert_eq!((keys.len(), positions(P::RULE_SET)), (games.len(), games.len()));
        }
    }

    #[test]
    fn bench_positions_are_legal_unfinished_and_unique() {
        for &rule_set in RuleSet::ALL {
            with_rules(rule_set, Check);
        }
    }

    #[test]
    fn searches_add_up() {
        let search = |nodes, depth, all, first| Outcome {
            nodes,
            depth,
            cutoffs: Cutoffs { all, first },
            ..Outcome::unsearched(None, Score::DRAW)
        };
        let mut sum = BenchResult::default();
        // Four nodes for each node of the ply before, then nine, and a position without a search.
        sum.add(&search(4 * 4 * 4, 3, 10, 9));
        sum.add(&search(9 * 9, 2, 30, 21));
        sum.add(&search(0, 0, 0, 0));
        assert_eq!(sum.nodes, 64 + 81);
        let shape = "cut-offs on the first move 75.0 %, effective branching factor 6.00";
        assert_eq!(sum.character(), shape);
    }
}
