//! A fixed piece of work: the bench positions, searched to a fixed depth.
//!
//! Its node count is the search's signature. It is the same in every run and on every machine: a change of
//! the code that leaves it alone has changed no decision. Nodes a second compare machines and builds.
//!
#![doc = include_str!("../../docs/openbench.md")]

use std::fmt;
use std::time::{Duration, Instant};

use shakmaty::CastlingMode;

use crate::evaluation::variants::{Task, with_rules};
use crate::evaluation::{KingTerms, Variant};
use crate::limits::Limits;
use crate::rules::setup::{self, Start};
use crate::rules::{Game, RuleSet};
use crate::search::report::{Cutoffs, Outcome, Silent};
use crate::search::table::OutOfMemoryError;
use crate::search::{Options, Searcher};

/// Depth of the bench when none is asked for, in plies.
pub const DEFAULT_DEPTH: u32 = 12;

/// Size of the transposition table of the bench when none is asked for, in megabytes.
pub const DEFAULT_HASH_MB: usize = 16;

/// One position of the bench, done.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its number, from 1.
    pub number: usize,
    /// The number of positions in all.
    pub of: usize,
    /// The position.
    pub fen: String,
    /// Nodes of its search.
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
    /// Time of all searches.
    pub elapsed: Duration,
    /// Cut-offs of all searches.
    pub cutoffs: Cutoffs,
    /// Sum of ln(nodes) / depth over the searches, and their number.
    growth: (f64, u32),
}

impl Tally {
    /// The character of the search: first-move cut-offs, and the factor by which a ply more multiplies its
    /// nodes (effective branching factor: nodes^(1/depth), geometric mean).
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

/// Searches every bench position of a rule set `depth` plies deep, each with an empty table of `hash_mb`
/// megabytes. `progress` sees each position when it is done.
///
/// # Errors
/// [`OutOfMemoryError`] if the table cannot be had.
pub fn run(
    rule_set: RuleSet,
    depth: u32,
    hash_mb: usize,
    progress: impl FnMut(&Step),
) -> Result<Tally, OutOfMemoryError> {
    with_rules(rule_set, Work { depth, hash_mb, progress })
}

/// The bench of any rule set.
struct Work<F> {
    depth: u32,
    hash_mb: usize,
    progress: F,
}

impl<F: FnMut(&Step)> Task for Work<F> {
    type Outcome = Result<Tally, OutOfMemoryError>;

    fn run<P: Variant>(mut self) -> Self::Outcome {
        let games = games::<P>();
        let mut tally = Tally::default();
        let evaluator = KingTerms::<P>::default();
        let mut searcher = Searcher::new(evaluator, Options::default(), self.hash_mb)?;
        for (index, game) in games.iter().enumerate() {
            searcher.new_game();
            let started = Instant::now();
            let outcome = searcher.search(game, &Limits::depth(self.depth), &mut Silent);
            tally.elapsed += started.elapsed();
            tally.add(&outcome);
            let fen = setup::fen(game.position());
            (self.progress)(&Step {
                number: index + 1,
                of: games.len(),
                fen,
                nodes: outcome.nodes,
            });
        }
        Ok(tally)
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

/// The bench positions of the rules `P`; the starting position where there are no others.
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
    fn every_position_is_legal_alive_and_there_once() {
        for &rule_set in RuleSet::ALL {
            with_rules(rule_set, Check);
        }
    }
}
