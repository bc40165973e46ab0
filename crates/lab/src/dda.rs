//! Dynamic depth adjustment (DDAαβ) on Connect Four: the experiments of the paper's section 4.
//!
//! As a game's choices shrink, its tree of a given depth has fewer leaves, so a deeper one costs
//! no more. With ω the depth at the start and ψ the depth now, the paper's *general* method asks
//! for the leaves of the unpruned tree, N (equation 2), and its *specific* one only for the open
//! columns, ξ of τ (equation 4). Its future work is here too, the *statistical* form. The game is played on past four in a row until the board is
//! full, to have as many moves to measure as can be.

use web_time::Instant;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::algorithms::alpha_beta;
use super::game::{Game, Position};
use super::games::connect_four::{ConnectFour, Ending, SizeError};
use super::watch::{Choice, Counter, Watch};
use shell::table::{Cell, Table};

/// A way to choose the depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// ψ = ⌈ω · ln N_ω / ln N_ψ⌉ (equation 2).
    General,
    /// ψ = ⌈ω · ln τ / ln ξ⌉ (equation 4).
    Specific,
    /// The paper's future work: N is the nodes that alpha-beta really visits at depth ω. The search
    /// that counts them is part of the cost.
    Statistical,
}

impl Method {
    /// All, in the paper's order.
    pub const ALL: [Method; 3] = [Method::General, Method::Specific, Method::Statistical];

    /// The paper's word.
    pub fn name(self) -> &'static str {
        match self {
            Method::General => "general",
            Method::Specific => "specific",
            Method::Statistical => "statistical",
        }
    }
}

/// The rounding of the formula's quotient to whole plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// ⌈…⌉, as equations 2 and 4 are printed.
    Up,
    /// ⌊…⌋, as their derivation wants it: τ^ω ≥ ξ^ψ, never more leaves than at the start.
    Down,
}

/// The leaves of the unpruned tree of `depth` plies when the columns have these free cells and
/// nothing but a full board ends the game: depth! · [x^depth] Π Σ_{k ≤ free} x^k / k!, kept in
/// whole numbers by adding one column at a time. The sequences that drop k discs into the new
/// column choose their places among all j in C(j, k) ways.
pub fn leaf_count(free: &[u32], depth: u32) -> u128 {
    let depth = depth.min(free.iter().sum()) as usize;
    let mut ways = vec![0u128; depth + 1];
    ways[0] = 1;
    for &cells in free {
        for j in (0..=depth).rev() {
            let mut choose = 1u128;
            let mut sum = ways[j];
            for k in 1..=j.min(cells as usize) {
                choose = choose * (j - k + 1) as u128 / k as u128;
                sum += choose.saturating_mul(ways[j - k]);
            }
            ways[j] = sum;
        }
    }
    ways[depth]
}

/// ω · ln of the start / ln of now, rounded, never less than ω; none if there is no choice left.
pub(crate) fn adjusted(base: u32, rounding: Rounding, start: f64, now: f64) -> Option<u32> {
    // ω · ln 7 / ln 7 must be ω, whatever the last bit says.
    const SLACK: f64 = 1e-9;
    let depth = f64::from(base) * start.ln() / now.ln();
    let depth = match rounding {
        Rounding::Up => (depth - SLACK).ceil(),
        Rounding::Down => (depth + SLACK).floor(),
    };
    (now > 1.0).then_some((depth as u32).max(base))
}

/// ψ by the formula; none where it has no limit, because only one way is left.
fn formula_depth(
    method: Method,
    plan: &Experiment,
    start: &ConnectFour,
    now: &ConnectFour,
) -> Option<u32> {
    let choices = |game: &ConnectFour| match method {
        Method::General => leaf_count(&game.free_cells(), plan.base) as f64,
        Method::Specific => game.moves().len() as f64,
        Method::Statistical => search(game, plan.base).1 as f64,
    };
    adjusted(plan.base, plan.rounding, choices(start), choices(now))
}

/// The plan of the measurements.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Columns and rows of the square boards.
    pub sizes: Vec<u8>,
    /// ω, in plies.
    pub base: u32,
    /// Rounding of ψ to a whole number.
    pub rounding: Rounding,
    /// Games a size and method, each from another random beginning; the means are reported.
    pub games: u32,
    /// Runs a move, of which the fastest gives the time.
    pub runs: u32,
    /// The seed of the random beginnings.
    pub seed: u64,
}

/// Random discs that begin a game, so that the games differ.
const RANDOM_DISCS: u32 = 4;

/// One move of the experiment, or the mean of several games' moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// The method that chose the depth.
    pub method: Method,
    /// Columns and rows.
    pub size: u8,
    /// Discs on the board before the move.
    pub discs: u32,
    /// ψ by the formula; none where it has no limit.
    pub formula: Option<f64>,
    /// Plies searched: ψ, as far as there are cells left.
    pub depth: f64,
    /// Nodes of the search to depth ψ.
    pub nodes: f64,
    /// Nodes of a search to depth ω in the same position.
    pub fixed_nodes: f64,
    /// Time of the search to depth ψ, in milliseconds, the fastest of several runs. Nothing else here
    /// depends on the machine.
    pub ms: f64,
}

/// Plays the games and measures every move; `done` is called after each game.
///
/// # Errors
/// A size that is no board.
pub fn measure(
    plan: &Experiment,
    mut done: impl FnMut() -> bool,
) -> Result<Vec<Sample>, SizeError> {
    let mut samples = Vec::new();
    for method in Method::ALL {
        for &size in &plan.sizes {
            let start = ConnectFour::new(size, size, Ending::FullBoard)?;
            let mut games = Vec::new();
            for game in 0..plan.games {
                // The same beginnings for all methods and sizes.
                let rng = SmallRng::seed_from_u64(plan.seed.wrapping_add(u64::from(game)));
                games.push(play(method, size, plan, &start, rng));
                if !done() {
                    samples.extend(means(&games));
                    return Ok(samples);
                }
            }
            samples.extend(means(&games));
        }
    }
    Ok(samples)
}

fn play(
    method: Method,
    size: u8,
    plan: &Experiment,
    start: &ConnectFour,
    mut rng: SmallRng,
) -> Vec<Sample> {
    let mut game = start.clone();
    for _ in 0..RANDOM_DISCS {
        let moves = game.moves();
        game = game.after(moves[rng.random_range(0..moves.len())]);
    }
    let mut samples = Vec::new();
    loop {
        let free: u32 = game.free_cells().iter().sum();
        let formula = formula_depth(method, plan, start, &game);
        let depth = formula.unwrap_or(free).min(free);
        let (mut found, mut nodes, mut ms) = (Choice::of(0), 0, f64::INFINITY);
        for _ in 0..plan.runs.max(1) {
            let started = Instant::now();
            (found, nodes) = search(&game, depth);
            ms = ms.min(started.elapsed().as_secs_f64() * 1000.0);
        }
        let fixed_nodes = search(&game, plan.base).1;
        // The statistical form has searched to depth ω already, unless that was all.
        if method == Method::Statistical && depth > plan.base {
            nodes += fixed_nodes;
        }
        let Some(best) = found.best else { return samples };
        samples.push(Sample {
            method,
            size,
            discs: game.disc_count(),
            formula: formula.map(f64::from),
            depth: f64::from(depth),
            nodes: nodes as f64,
            fixed_nodes: fixed_nodes as f64,
            ms,
        });
        game = game.after(best);
    }
}

fn search(game: &ConnectFour, depth: u32) -> (Choice, u64) {
    let mut counter = Counter::default();
    let mut watch = Watch::new(game.turn(), &mut counter);
    let found = watch.root(|watch| alpha_beta::search(&Position::new(game.clone()), depth, watch));
    (found, counter.nodes)
}

/// Move by move, the mean of games of equal length.
fn means(games: &[Vec<Sample>]) -> Vec<Sample> {
    let Some(first) = games.first() else { return Vec::new() };
    let mean_at = |i: usize, of: fn(&Sample) -> f64| {
        games.iter().map(|game| of(&game[i])).sum::<f64>() / games.len() as f64
    };
    let at = |(i, sample): (usize, &Sample)| Sample {
        formula: games
            .iter()
            .map(|game| game[i].formula)
            .sum::<Option<f64>>()
            .map(|sum| sum / games.len() as f64),
        depth: mean_at(i, |sample| sample.depth),
        nodes: mean_at(i, |sample| sample.nodes),
        fixed_nodes: mean_at(i, |sample| sample.fixed_nodes),
        ms: mean_at(i, |sample| sample.ms),
        ..*sample
    };
    first.iter().enumerate().map(at).collect()
}

/// The measurements as a table.
pub fn table(samples: &[Sample]) -> Table {
    let columns = vec!["method", "size", "discs", "formula", "depth", "nodes", "fixed_nodes", "ms"];
    let row = |sample: &Sample| {
        vec![
            Cell::text(sample.method.name()),
            Cell::Count(u64::from(sample.size)),
            Cell::Count(u64::from(sample.discs)),
            sample.formula.map_or(Cell::Empty, |depth| Cell::Measure(depth, 2)),
            Cell::Measure(sample.depth, 2),
            Cell::Measure(sample.nodes, 1),
            Cell::Measure(sample.fixed_nodes, 1),
            Cell::Measure(sample.ms, 3),
        ]
    };
    Table { columns, rows: samples.iter().map(row).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equation_four_gives_the_depths_of_a_seven_column_board() {
        let depths = |rounding| {
            (1..=7)
                .rev()
                .map(|open| adjusted(6, rounding, 7.0, f64::from(open)))
                .collect::<Vec<_>>()
        };
        let up = [Some(6), Some(7), Some(8), Some(9), Some(11), Some(17), None];
        assert_eq!(depths(Rounding::Up), up);
        let down = [Some(6), Some(6), Some(7), Some(8), Some(10), Some(16), None];
        assert_eq!(depths(Rounding::Down), down);
    }

    #[test]
    fn a_growing_choice_never_makes_the_depth_less() {
        assert_eq!(adjusted(4, Rounding::Up, 20.0, 35.0), Some(4));
    }
}
