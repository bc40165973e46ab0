//! The algorithms side by side on the same positions: what each found, and what it cost.

use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::algorithms::{Algorithm, minimax};
use super::game::{Position, Value, WIN};
use super::watch::{Choice, Counter, Watch};
use crate::shell::table::{Cell, Table};

/// One search.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// What it found.
    pub found: Choice,
    /// What it counted.
    pub counter: Counter,
    /// How long it took.
    pub time: Duration,
}

/// Searches and counts.
pub fn run(algorithm: &Algorithm, game: &Position, depth: u32) -> Run {
    let mut counter = Counter::default();
    let started = Instant::now();
    let found = algorithm.run(game, depth, &mut counter);
    Run { found, counter, time: started.elapsed() }
}

/// Positions after `plies` random moves, from a seed; games that end sooner are dropped.
pub fn random_positions(
    start: &Position,
    count: usize,
    plies: std::ops::RangeInclusive<u32>,
    seed: u64,
) -> Vec<Position> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut positions = Vec::with_capacity(count);
    // A game that always ends sooner must not keep us here for ever.
    for _ in 0..100 * count {
        if positions.len() == count {
            break;
        }
        let length = rng.random_range(plies.clone());
        positions.extend(wander(start, length, &mut rng));
    }
    positions
}

fn wander(start: &Position, plies: u32, rng: &mut SmallRng) -> Option<Position> {
    let mut game = start.clone();
    for _ in 0..plies {
        let moves = game.moves();
        if moves.is_empty() {
            return None;
        }
        game = game.play(moves[rng.random_range(0..moves.len())]);
    }
    (!game.moves().is_empty()).then(|| game.as_root())
}

/// The leaves that any algorithm must look at to prove the value of a tree of this breadth, by
/// Knuth and Moore 1975: b^⌈d/2⌉ + b^⌊d/2⌋ − 1.
pub fn knuth_moore(breadth: f64, depth: u32) -> f64 {
    let half = depth / 2;
    breadth.powi((depth - half) as i32) + breadth.powi(half as i32) - 1.0
}

/// The breadth of a uniform tree of `depth` plies with so many nodes: N = 1 + b + … + b^depth.
pub fn effective_breadth(nodes: f64, depth: u32) -> f64 {
    let total = |b: f64| (0..=depth).map(|ply| b.powi(ply as i32)).sum::<f64>();
    let (mut low, mut high) = (0.0, nodes.max(1.0));
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if total(middle) < nodes { low = middle } else { high = middle }
    }
    high
}

/// One algorithm over all positions.
#[derive(Clone, Debug)]
pub struct Row {
    /// The algorithm's name.
    pub name: &'static str,
    /// True if it claims to be exact.
    pub is_exact: bool,
    /// What it found in the first position.
    pub first: Choice,
    /// Totals of all positions.
    pub counter: Counter,
    /// Time for all positions.
    pub time: Duration,
    /// Differences from minimax's value, where there are any. One between a win and no win
    /// counts as its own kind, [`Row::won_or_lost`].
    pub differences: Vec<Value>,
    /// How often a win or loss was seen by one and not, or but half, by the other.
    pub won_or_lost: usize,
}

/// The result of a comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// One row an algorithm.
    pub rows: Vec<Row>,
    /// How many positions.
    pub positions: usize,
    /// Plies.
    pub depth: u32,
    /// Minimax's leaves in all positions.
    pub minimax_leaves: u64,
    /// The Knuth-Moore minimum for all positions, from each one's own mean breadth.
    pub minimum: f64,
}

/// Runs every algorithm on every position; `done` is called after each search.
pub fn compare(
    positions: &[Position],
    depth: u32,
    algorithms: &[Algorithm],
    mut done: impl FnMut(),
) -> Comparison {
    let mut comparison = Comparison {
        rows: Vec::new(),
        positions: positions.len(),
        depth,
        minimax_leaves: 0,
        minimum: 0.0,
    };
    let mut truths = Vec::new();
    for game in positions {
        let mut counter = Counter::default();
        let mut watch = Watch::new(game.turn(), &mut counter);
        truths.push(minimax::search(game, depth, &mut watch).value);
        let breadth = (counter.leaves as f64).powf(1.0 / f64::from(depth.max(1)));
        comparison.minimax_leaves += counter.leaves;
        comparison.minimum += knuth_moore(breadth, depth);
        done();
    }
    for algorithm in algorithms {
        let mut runs = Vec::new();
        for game in positions {
            runs.push(run(algorithm, game, depth));
            done();
        }
        comparison.rows.extend(row(algorithm, &runs, &truths));
    }
    comparison
}

fn row(algorithm: &Algorithm, runs: &[Run], truths: &[Value]) -> Option<Row> {
    let mut row = Row {
        name: algorithm.name,
        is_exact: algorithm.is_exact,
        first: runs.first()?.found,
        counter: Counter::default(),
        time: Duration::ZERO,
        differences: Vec::new(),
        won_or_lost: 0,
    };
    for (run, truth) in runs.iter().zip(truths) {
        row.counter.nodes += run.counter.nodes;
        row.counter.leaves += run.counter.leaves;
        row.counter.hits += run.counter.hits;
        row.time += run.time;
        let difference = run.found.value - truth;
        if difference.abs() > WIN / 100 {
            row.won_or_lost += 1;
        } else if difference != 0 {
            row.differences.push(difference.abs());
        }
    }
    Some(row)
}

impl Comparison {
    /// The comparison as a table. `show` writes a value as the game does.
    pub fn table(&self, show: impl Fn(Value) -> String) -> Table {
        let columns = vec![
            "algorithm",
            "value",
            "best",
            "leaves",
            "nodes",
            "hits",
            "ms",
            "breadth",
            "/minimax",
            "/minimum",
            "differs",
            "by",
            "misjudged",
        ];
        let rows = self.rows.iter().map(|row| self.cells(row, &show)).collect();
        Table { columns, rows }.without_empty_columns()
    }

    fn cells(&self, row: &Row, show: &impl Fn(Value) -> String) -> Vec<Cell> {
        let is_single = self.positions == 1;
        let count = self.positions as f64;
        let leaves = row.counter.leaves as f64;
        let nodes = row.counter.nodes as f64 / count;
        let best = row.first.best.map_or(Cell::Empty, |m| Cell::text(m.to_string()));
        let differing = row.differences.len() + row.won_or_lost;
        let share = 100.0 * differing as f64 / count;
        let sum: Value = row.differences.iter().sum();
        let mean = f64::from(sum) / row.differences.len().max(1) as f64;
        let if_guess = |cell: Cell| if row.is_exact && differing == 0 { Cell::Empty } else { cell };
        let hits = if row.counter.hits == 0 { Cell::Empty } else { Cell::Count(row.counter.hits) };
        vec![
            Cell::text(row.name),
            if is_single { Cell::text(show(row.first.value)) } else { Cell::Empty },
            if is_single { best } else { Cell::Empty },
            Cell::Count(row.counter.leaves),
            Cell::Count(row.counter.nodes),
            hits,
            Cell::Measure(row.time.as_secs_f64() * 1000.0, 1),
            Cell::Measure(effective_breadth(nodes, self.depth), 2),
            Cell::Measure(leaves / self.minimax_leaves.max(1) as f64, 4),
            Cell::Measure(leaves / self.minimum.max(1.0), 2),
            if_guess(Cell::text(format!("{share:.0} %"))),
            if_guess(Cell::text(show(mean.round() as Value))),
            if_guess(Cell::Count(row.won_or_lost as u64)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minimum_is_that_of_the_theorem() {
        assert_eq!(knuth_moore(3.0, 2), 5.0);
        assert_eq!(knuth_moore(10.0, 3), 109.0);
        assert_eq!(knuth_moore(30.0, 0), 1.0);
    }

    #[test]
    fn effective_breadth_inverts_the_sum() {
        assert!((effective_breadth(1.0 + 5.0 + 25.0 + 125.0, 3) - 5.0).abs() < 1e-6);
        assert!((effective_breadth(4.0, 3) - 1.0).abs() < 1e-6);
    }
}
