//! The algorithms side by side on the same positions: the value that each finds, and its cost.

use web_time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::algorithms::{Algorithm, MAX_N, MINIMAX};
use super::constants::Constants;
use super::game::{Position, Side, Value, WIN};
use super::narrator::{show_move, write_value};
use super::texts::Texts;
use super::watch::{Choice, Counter, RootShares};
use shell::table::{Cell, Table};

/// One search.
#[derive(Clone, Debug)]
pub struct Run {
    /// The result.
    pub found: Choice,
    /// The result for each player of a game for many; empty in a game for two.
    pub shares: Vec<Value>,
    /// The counts.
    pub counter: Counter,
    /// The time of the search, without that of putting moves in order.
    pub time: Duration,
}

/// Searches and counts.
pub fn run(algorithm: &Algorithm, constants: Constants, game: &Position, depth: u32) -> Run {
    let mut counter = Counter::default();
    let mut shares = RootShares::default();
    let (started, ordering) = (Instant::now(), game.time_ordering());
    let found = if game.players() > 2 {
        let mut watchers = (&mut counter, &mut shares);
        algorithm.run_with(constants, None, game, depth, &mut watchers)
    } else {
        algorithm.run_with(constants, None, game, depth, &mut counter)
    };
    let time = started.elapsed().saturating_sub(game.time_ordering() - ordering);
    Run { found, shares: shares.0, counter, time }
}

/// True if the algorithm can play a game for this number of players.
pub fn fits(algorithm: &Algorithm, players: usize) -> bool {
    players == 2 || algorithm.name == MAX_N.name
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

/// The least number of leaves that prove the value of this very tree: those of the smallest strategy
/// of Max that guarantees it and of the smallest of Min, which have one leaf in common. On a uniform
/// tree this is [`knuth_moore`]. A search with a table sees a graph and may need fewer.
pub fn least_leaves(root: &Position, depth: u32, value: Value) -> u64 {
    let (at_least, at_most) = proofs(root, depth, value);
    at_least.saturating_add(at_most).saturating_sub(1)
}

/// The leaves that prove the node to be worth at least, and at most, `value`; a great number if that
/// is not so.
fn proofs(node: &Position, depth: u32, value: Value) -> (u64, u64) {
    const IMPOSSIBLE: u64 = u64::MAX / 4;
    let moves = node.moves_to(depth);
    if moves.is_empty() {
        let worth = node.value();
        let if_true = |holds: bool| if holds { 1 } else { IMPOSSIBLE };
        return (if_true(worth >= value), if_true(worth <= value));
    }
    let children: Vec<(u64, u64)> =
        moves.into_iter().map(|m| proofs(&node.play(m), depth - 1, value)).collect();
    let one = |of: fn(&(u64, u64)) -> u64| children.iter().map(of).min().unwrap_or(IMPOSSIBLE);
    let all = |of: fn(&(u64, u64)) -> u64| {
        children.iter().map(of).fold(0u64, u64::saturating_add).min(IMPOSSIBLE)
    };
    match node.turn() {
        Side::Max => (one(|proof| proof.0), all(|proof| proof.1)),
        Side::Min => (all(|proof| proof.0), one(|proof| proof.1)),
    }
}

/// The leaves that any algorithm must evaluate to prove the value of a uniform tree, by Knuth and
/// Moore 1975: b^⌈d/2⌉ + b^⌊d/2⌋ − 1.
pub fn knuth_moore(breadth: f64, depth: u32) -> f64 {
    let half = depth / 2;
    breadth.powi((depth - half) as i32) + breadth.powi(half as i32) - 1.0
}

/// The breadth of a uniform tree of `depth` plies with this number of nodes: N = 1 + b + … + b^depth.
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
    /// The result in the first position.
    pub first: Run,
    /// Totals of all positions.
    pub counter: Counter,
    /// Time for all positions.
    pub time: Duration,
    /// Differences from minimax's value, where there are any. One between a win and no win
    /// counts as its own kind, [`Row::won_or_lost`].
    pub differences: Vec<Value>,
    /// Wins or losses that were seen by one and not, or only half, by the other.
    pub won_or_lost: usize,
}

/// The truth that algorithms are compared with.
#[derive(Clone, Debug, Default)]
pub struct Truth {
    /// Minimax's value of each position.
    pub values: Vec<Value>,
    /// Minimax's leaves in all positions.
    pub leaves: u64,
    /// The least leaves that prove the values, in all positions.
    pub least: u64,
}

/// The names of all columns of a comparison. Those that are empty in every row are left out of a table.
pub fn columns(texts: &Texts) -> Vec<&'static str> {
    let keys = [
        "compare.algorithm",
        "compare.value",
        "compare.best",
        "compare.leaves",
        "compare.nodes",
        "compare.estimates",
        "compare.hits",
        "compare.memory",
        "compare.ms",
        "compare.breadth",
        "compare.minimax",
        "compare.minimum",
        "compare.differs",
        "compare.by",
        "compare.misjudged",
    ];
    keys.iter().map(|key| texts.word(key)).collect()
}

/// The positions and the truth about them.
#[derive(Clone, Debug)]
pub struct Field {
    /// The positions.
    pub positions: Vec<Position>,
    /// Plies.
    pub depth: u32,
    /// The truth; empty in a game for more than two.
    pub truth: Truth,
}

impl Field {
    /// Searches every position with minimax; `done` is called after each.
    pub fn new(positions: Vec<Position>, depth: u32, mut done: impl FnMut()) -> Field {
        let mut truth = Truth::default();
        for game in positions.iter().filter(|game| game.players() == 2) {
            let run = run(&MINIMAX, Constants::default(), game, depth);
            truth.values.push(run.found.value);
            truth.leaves += run.counter.leaves;
            truth.least += least_leaves(game, depth, run.found.value);
            done();
        }
        Field { positions, depth, truth }
    }

    /// Runs an algorithm on every position; `done` is called after each. None without positions.
    pub fn row(
        &self,
        algorithm: &Algorithm,
        constants: Constants,
        mut done: impl FnMut(),
    ) -> Option<Row> {
        let mut runs = Vec::new();
        for game in &self.positions {
            runs.push(run(algorithm, constants, game, self.depth));
            done();
        }
        let mut row = Row {
            name: algorithm.name,
            is_exact: algorithm.is_exact,
            first: runs.first()?.clone(),
            counter: Counter::default(),
            time: Duration::ZERO,
            differences: Vec::new(),
            won_or_lost: 0,
        };
        for run in &runs {
            row.counter.add(&run.counter);
            row.time += run.time;
        }
        for (run, truth) in runs.iter().zip(&self.truth.values) {
            let difference = run.found.value - truth;
            if difference.abs() > WIN / 100 {
                row.won_or_lost += 1;
            } else if difference != 0 {
                row.differences.push(difference.abs());
            }
        }
        Some(row)
    }

    /// The rows as a table, in the language of `texts`.
    pub fn table(&self, rows: &[Row], texts: &Texts) -> Table {
        let columns = columns(texts);
        let rows = rows.iter().map(|row| self.cells(row, texts)).collect();
        Table { columns, rows }.without_empty_columns()
    }

    fn cells(&self, row: &Row, texts: &Texts) -> Vec<Cell> {
        let Some(game) = self.positions.first() else { return Vec::new() };
        let is_single = self.positions.len() == 1;
        let count = self.positions.len() as f64;
        let leaves = row.counter.leaves as f64;
        let nodes = row.counter.nodes as f64 / count;
        let differing = row.differences.len() + row.won_or_lost;
        let share = 100.0 * differing as f64 / count;
        let sum: i64 = row.differences.iter().map(|&value| i64::from(value)).sum();
        let mean = sum as f64 / row.differences.len().max(1) as f64;
        let if_guess = |cell: Cell| if row.is_exact && differing == 0 { Cell::Empty } else { cell };
        let if_any = |count: u64| if count == 0 { Cell::Empty } else { Cell::Count(count) };
        let if_known = |total: u64| match total {
            0 => Cell::Empty,
            total => {
                Cell::Measure(leaves / total as f64, if total == self.truth.least { 2 } else { 4 })
            }
        };
        let best = |m| Cell::text(show_move(texts, game, m));
        let best = row.first.found.best.map_or(Cell::Empty, best);
        vec![
            Cell::text(row.name),
            if is_single { Cell::text(shown(game, &row.first, texts)) } else { Cell::Empty },
            if is_single { best } else { Cell::Empty },
            Cell::Count(row.counter.leaves),
            Cell::Count(row.counter.nodes),
            if_any(row.counter.estimates),
            if_any(row.counter.hits),
            if_any(row.counter.memory),
            Cell::Measure(row.time.as_secs_f64() * 1000.0, 1),
            Cell::Measure(effective_breadth(nodes, self.depth), 2),
            if_known(self.truth.leaves),
            if_known(self.truth.least),
            if_guess(Cell::text(format!("{share:.0} %"))),
            if_guess(Cell::text(write_value(texts, game, mean.round() as Value))),
            if_guess(Cell::Count(row.won_or_lost as u64)),
        ]
    }
}

/// A result as a person reads it: a value, or a vector in a game for many.
pub fn shown(game: &Position, run: &Run, texts: &Texts) -> String {
    let show = |value| write_value(texts, game, value);
    match run.shares.as_slice() {
        [] => show(run.found.value),
        shares => {
            let shares: Vec<String> = shares.iter().map(|&value| show(value)).collect();
            format!("[{}]", shares.join(" "))
        }
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
