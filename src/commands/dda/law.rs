//! `engine dda --law`: how the nodes of a search to a depth grow with the number of moves. The depth policy
//! rests on this law, and it holds for searches of full width only.

use engine::evaluation::Variant;
use engine::evaluation::variants::{Task, with_rules};
use engine::limits::Limits;
use engine::play::levels::Level;
use engine::play::levels::leaf_count::mobility;
use engine::rules::{Game, RuleSet};
use engine::search::parameters::Parameters;
use engine::search::report::Silent;
use engine::search::table::OutOfMemoryError;
use engine::search::{Options, Searcher};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use shell::interrupt;
use shell::progress::{Progress, Unit};
use shell::table::{Cell, Format, Table};

use super::super::{Done, print};
use super::{HASH_MB, OPENING_PLIES, level_evaluation};

/// Nodes of a move of the games that the positions are taken from.
const GAME_NODES: u64 = 1000;
/// Longest game, in half-moves.
const LONGEST: usize = 240;
/// Half-moves from one position that is searched to the next.
const STRIDE: usize = 7;
/// The depths of the searches, in plies.
const DEPTHS: std::ops::RangeInclusive<u32> = 3..=5;
/// Mean numbers of moves that count as few and as many: the poorest and the richest fifth.
const FIFTH: usize = 5;
/// Full moves of a stretch of the game's course.
const STRETCH: usize = 10;
/// Least positions behind the mean of a stretch.
const LEAST_POSITIONS: usize = 20;

/// A search whose nodes are counted.
struct Kind {
    name: &'static str,
    parameters: Parameters,
}

/// The mean number of moves in a position, and the nodes to a depth there.
type Sample = (f64, f64);

/// Measures the law in positions of `games` games under these rules, and prints it.
pub fn measure(rules: RuleSet, games: u32, seed: u64, format: Format) -> Done {
    with_rules(rules, Measure { games, seed, format })
}

struct Measure {
    games: u32,
    seed: u64,
    format: Format,
}

impl Task for Measure {
    type Outcome = Done;

    fn run<P: Variant>(self) -> Done {
        let full = Parameters::default();
        let kinds = [
            Kind { name: "pruned (full strength)", parameters: full.clone() },
            Kind { name: "full width", parameters: full.clone().full_width() },
            Kind { name: "level 3", parameters: Level::Beginner.parameters(&full) },
            Kind { name: "level 5", parameters: Level::Advanced.parameters(&full) },
        ];
        let searcher = |kind: &Kind| searcher::<P>(kind.parameters.clone());
        let mut searchers = kinds.iter().map(searcher).collect::<Result<Vec<_>, _>>()?;
        let mut samples = vec![vec![Vec::<Sample>::new(); DEPTHS.count()]; kinds.len()];
        let mut course = Vec::new();
        let progress = Progress::new(self.games.into(), Unit::Count("games"));
        interrupt::watch();
        for number in (0..u64::from(self.games)).take_while(|_| !interrupt::is_set()) {
            for (ply, game) in play::<P>(self.seed.wrapping_mul(1_000_003) ^ number)? {
                let moves = mobility(game.position());
                course.push((ply, moves));
                if ply % STRIDE != number as usize % STRIDE || moves <= 1.0 {
                    continue;
                }
                for (searcher, samples) in searchers.iter_mut().zip(&mut samples) {
                    for (depth, samples) in DEPTHS.zip(samples) {
                        searcher.new_game();
                        let nodes =
                            searcher.search(&game, &Limits::depth(depth), &mut Silent).nodes;
                        samples.push((moves, nodes as f64));
                    }
                }
            }
            progress.add(1);
        }
        drop(progress);
        let mut rows = Vec::new();
        for (kind, samples) in kinds.iter().zip(&mut samples) {
            for (depth, samples) in DEPTHS.zip(samples) {
                rows.push(row(kind.name, depth, samples));
            }
        }
        let columns = vec![
            "search",
            "depth",
            "nodes ∝ ξ^",
            "correlation",
            "few moves",
            "many moves",
            "positions",
        ];
        let table = Table { columns, rows }.write(self.format);
        if self.format != Format::Text {
            return print(&table);
        }
        print(&format!(
            "Nodes to a depth against ξ, the mean number of moves of both sides. Few and many: mean nodes \
             in the\nfifth of the positions with the fewest and with the most moves.\n\n{table}\n{}",
            course_of(&course)
        ))
    }
}

fn searcher<P: Variant>(parameters: Parameters) -> Result<Searcher<P>, OutOfMemoryError> {
    Searcher::new(level_evaluation::<P>(), Options { parameters, ..Options::default() }, HASH_MB)
}

/// The positions of a game from a random opening, with their numbers of half-moves.
fn play<P: Variant>(seed: u64) -> Result<Vec<(usize, Game<P>)>, OutOfMemoryError> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut searcher = searcher::<P>(Parameters::default())?;
    let mut game = Game::new(P::default());
    let mut positions = Vec::new();
    for ply in 0..LONGEST {
        if game.position().is_game_over() || game.draw_reason().is_some() {
            break;
        }
        positions.push((ply, game.clone()));
        let legal = game.position().legal_moves();
        let chosen = if ply < OPENING_PLIES {
            legal.get(rng.random_range(0..legal.len().max(1))).copied()
        } else {
            searcher.search(&game, &Limits::nodes(GAME_NODES), &mut Silent).best
        };
        let Some(m) = chosen else { break };
        game.play(m);
    }
    Ok(positions)
}

/// A row of the table: the power law fitted to the samples, and the means at its ends.
fn row(name: &str, depth: u32, samples: &mut [Sample]) -> Vec<Cell> {
    let (exponent, correlation) = power_law(samples);
    samples.sort_by(|a, b| a.0.total_cmp(&b.0));
    let fifth = (samples.len() / FIFTH).max(1).min(samples.len());
    let mean = |part: &[Sample]| {
        let sum: f64 = part.iter().map(|sample| sample.1).sum();
        Cell::Count((sum / part.len().max(1) as f64) as u64)
    };
    vec![
        Cell::text(name),
        Cell::Count(depth.into()),
        Cell::Text(format!("{exponent:.2}")),
        Cell::Text(format!("{correlation:.2}")),
        mean(&samples[..fifth]),
        mean(&samples[samples.len() - fifth..]),
        Cell::Count(samples.len() as u64),
    ]
}

/// Exponent and correlation of y ∝ x^a by least squares of the logarithms; 0 without a spread.
fn power_law(samples: &[Sample]) -> (f64, f64) {
    let count = samples.len().max(1) as f64;
    let logs: Vec<Sample> = samples.iter().map(|(x, y)| (x.ln(), y.max(1.0).ln())).collect();
    let mean = |pick: fn(&Sample) -> f64| logs.iter().map(pick).sum::<f64>() / count;
    let (x, y) = (mean(|log| log.0), mean(|log| log.1));
    let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
        logs.iter().map(|log| term(log.0 - x, log.1 - y)).sum()
    };
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    if xx == 0.0 || yy == 0.0 { (0.0, 0.0) } else { (xy / xx, xy / (xx * yy).sqrt()) }
}

/// The mean number of moves, stretch by stretch of the game, and the greatest of them.
fn course_of(course: &[(usize, f64)]) -> String {
    let mut means = Vec::new();
    for stretch in 0..LONGEST.div_ceil(2 * STRETCH) {
        let plies = stretch * 2 * STRETCH..(stretch + 1) * 2 * STRETCH;
        let part = course.iter().filter(|(ply, _)| plies.contains(ply));
        let (count, sum) = part.fold((0, 0.0), |(count, sum), (_, x)| (count + 1, sum + x));
        if count >= LEAST_POSITIONS {
            means.push((stretch * STRETCH + 1, sum / f64::from(count as u32)));
        }
    }
    let words = means.iter().map(|(number, mean)| format!("{mean:.1} from move {number}"));
    let words = words.collect::<Vec<_>>().join(", ");
    let greatest = means.iter().map(|(_, mean)| *mean).fold(0.0, f64::max);
    format!(
        "Mean number of moves in the course of the game: {words}.\nThe greatest, τ: {greatest:.1}."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_is_found() {
        let samples: Vec<Sample> = (2..40).map(f64::from).map(|x| (x, 7.0 * x.powf(2.5))).collect();
        let (exponent, correlation) = power_law(&samples);
        assert!((exponent - 2.5).abs() < 1e-9 && (correlation - 1.0).abs() < 1e-9);
        assert_eq!(power_law(&[(3.0, 5.0), (3.0, 9.0)]), (0.0, 0.0), "no spread");
        assert_eq!(power_law(&[]), (0.0, 0.0));
    }
}
