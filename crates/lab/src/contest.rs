//! DDAαβ in whole games of any kind against a fixed depth: the games that the paper leaves to future
//! work, chess and Othello, beside its own.
//!
//! Every policy plays pairs of games from random openings against the fixed depth ω. What is reported
//! is where a policy spends its plies, nodes and time, stage by stage, and what they win. Three
//! controls stand beside the paper's forms: the fixed depth itself, one ply more, and a coin, tossed
//! for one ply more so often that it costs what the best founded form costs. A form that does not beat
//! the coin has only bought depth, and has not found where depth is worth most.

use std::ops::RangeInclusive;

use web_time::Instant;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::algorithms::alpha_beta;
use super::compare::random_positions;
use super::dda::{Rounding, adjusted};
use super::game::{Position, Side, Value, WIN};
use super::games::order::{Order, Ordered};
use super::texts::Texts;
use super::watch::{Choice, Counter, Watch};
use shell::table::{Cell, Table};

/// A way to choose the depth of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Policy {
    /// ω for every move: the opponent of all others, here against itself.
    Fixed,
    /// Equation 4 as printed: τ the moves at the start, ξ the moves now.
    Specific,
    /// Equation 4 with a factor for restricted moves: ξ is the mean number of moves of both sides, and
    /// τ the greatest that it reaches in the course of a game.
    Restricted,
    /// Equation 2: the leaves of the unpruned tree of depth ω, by a walk without evaluations, at the
    /// start and now.
    General,
    /// The paper's future work: the nodes of the real search to depth ω, at the start and now.
    Statistical,
    /// ω or ω + 1 by the toss of a coin, at the cost of [`Policy::Restricted`].
    Coin,
    /// ω + 1 for every move.
    Deeper,
}

impl Policy {
    /// All, in the order of the report.
    pub const ALL: [Policy; 7] = [
        Policy::Fixed,
        Policy::Specific,
        Policy::Restricted,
        Policy::General,
        Policy::Statistical,
        Policy::Coin,
        Policy::Deeper,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Policy::Fixed => "fixed",
            Policy::Specific => "specific",
            Policy::Restricted => "restricted",
            Policy::General => "general",
            Policy::Statistical => "statistical",
            Policy::Coin => "coin",
            Policy::Deeper => "deeper",
        }
    }
}

/// The part of a game that a move belongs to, by how far the board has filled or emptied.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// The first third.
    Opening,
    /// The second third.
    Middle,
    /// The last third.
    End,
}

impl Stage {
    /// All, in the order of a game.
    pub const ALL: [Stage; 3] = [Stage::Opening, Stage::Middle, Stage::End];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Opening => "opening",
            Stage::Middle => "middle",
            Stage::End => "end",
        }
    }
}

/// The extent of the games.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The game's starting position.
    pub start: Position,
    /// ω, in plies.
    pub base: u32,
    /// The rounding of ψ to a whole number.
    pub rounding: Rounding,
    /// Plies that a policy may add to ω.
    pub cap: u32,
    /// Games of each policy against the fixed depth; two from each opening.
    pub games: u32,
    /// The seed of the openings and of the coin.
    pub seed: u64,
}

/// Random moves that open a game.
pub const OPENING: RangeInclusive<u32> = 4..=8;
/// Half-moves after which a game is decided by the evaluation.
pub const LONGEST: usize = 160;
/// A lead that wins a game which is not over, in the game's units.
const DECISIVE: Value = 2;
/// Parts of a game in which the mean mobility is taken, and the fewest moves that make a mean.
const PARTS: usize = 10;
const FEWEST: usize = 20;

/// One move of a policy.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// How far the board has filled or emptied, 0 to 1.
    pub progress: f64,
    /// Legal moves.
    pub breadth: usize,
    /// Plies searched.
    pub depth: u32,
    /// Nodes of the search, those of a counting search included.
    pub nodes: u64,
    /// Positions that the walk without evaluations made.
    pub walk: u64,
    /// Time for the move, in milliseconds.
    pub ms: f64,
}

impl Sample {
    /// The part of the game.
    pub fn stage(&self) -> Stage {
        match (self.progress * 3.0) as u32 {
            0 => Stage::Opening,
            1 => Stage::Middle,
            _ => Stage::End,
        }
    }
}

/// The games of one policy.
#[derive(Clone, Debug)]
pub struct PolicyGames {
    /// The policy.
    pub policy: Policy,
    /// Its moves, without forced ones, which are played at once.
    pub samples: Vec<Sample>,
    /// Its points in each pair of games, 0 to 2.
    pub pairs: Vec<f64>,
}

impl PolicyGames {
    /// The mean of the samples that are chosen, and their number.
    fn mean(&self, of: impl Fn(&Sample) -> f64, chosen: impl Fn(&Sample) -> bool) -> (f64, usize) {
        let values: Vec<f64> = self.samples.iter().filter(|s| chosen(s)).map(of).collect();
        (values.iter().sum::<f64>() / values.len().max(1) as f64, values.len())
    }

    /// Mean nodes of a move, the walk's positions not included.
    pub fn nodes(&self) -> f64 {
        self.mean(|sample| sample.nodes as f64, |_| true).0
    }

    /// The share of the points and half the width of its 95 % interval.
    pub fn score(&self) -> (f64, f64) {
        let (mean, error) = mean_and_error(&self.pairs);
        (mean / 2.0, error / 2.0)
    }
}

/// The mean, and half the width of its 95 % interval: infinite for fewer than two values.
pub fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    if values.len() < 2 {
        return (mean, f64::INFINITY);
    }
    let square = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    (mean, 1.96 * (square / (count - 1.0) / count).sqrt())
}

/// A share in per cent; an error that is unknown leaves its cell empty.
pub fn percent(part: f64) -> Cell {
    if part.is_finite() { Cell::Measure(100.0 * part, 1) } else { Cell::Empty }
}

/// The points of `side` where a game ended, or was ended: 0, ½ or 1.
pub fn points(game: &Position, side: Side) -> f64 {
    let value = side.sees(game.value());
    let decisive = DECISIVE * game.unit();
    match value {
        v if v.abs() < WIN / 2 && !game.moves().is_empty() && v.abs() < decisive => 0.5,
        0 => 0.5,
        v => f64::from(u8::from(v > 0)),
    }
}

/// Quantities of the game that the policies go by, measured once.
#[derive(Clone, Copy, Debug, Default)]
struct Reference {
    /// τ of equation 4.
    moves: f64,
    /// The greatest mean number of moves of both sides in the course of a game.
    mobility: f64,
    /// Leaves of the unpruned tree of depth ω at the start.
    leaves: f64,
    /// Nodes of the search to depth ω at the start.
    nodes: f64,
    /// Tosses of the coin in one that add a ply.
    odds: f64,
}

/// Leaves `depth` plies down and the positions that were made to count them: the paper's search
/// without evaluations. The last ply is counted without being played.
pub fn walk(game: &Position, depth: u32) -> (u64, u64) {
    let moves = game.moves();
    if depth <= 1 {
        return (moves.len().max(1) as u64, 0);
    }
    let mut sum = (0, 0);
    for &m in &moves {
        let (leaves, made) = walk(&game.play(m), depth - 1);
        sum = (sum.0 + leaves, sum.1 + made + 1);
    }
    (sum.0.max(1), sum.1)
}

/// The mean number of moves of both sides: the root of the number of replies to all moves.
fn mobility(game: &Position) -> f64 {
    (walk(game, 2).0 as f64).sqrt()
}

/// Alpha-beta with promising moves first: its result and its nodes.
pub(super) fn search(game: &Position, depth: u32) -> (Choice, u64) {
    let mut counter = Counter::default();
    let root = Ordered::position(game.as_root(), Order::Promise);
    let found =
        Watch::new(root.turn(), &mut counter).root(|watch| alpha_beta::search(&root, depth, watch));
    (found, counter.nodes)
}

/// The pieces on the board.
fn pieces(game: &Position) -> usize {
    game.board().map_or(0, |board| board.cells.iter().filter(|&&cell| cell != '.').count())
}

impl Contest {
    /// Plays the games of every policy; `done` is called after each pair and stops them by `false`.
    pub fn run(&self, mut done: impl FnMut() -> bool) -> Vec<PolicyGames> {
        let pairs = self.games.div_ceil(2) as usize;
        let openings = random_positions(&self.start, pairs, OPENING, self.seed);
        let mut reference = self.reference(&openings);
        let mut results: Vec<PolicyGames> = Vec::new();
        // The coin's cost is known when the restricted form has played.
        for policy in Policy::ALL {
            if policy == Policy::Coin {
                reference.odds = self.odds(&results);
            }
            let mut result = PolicyGames { policy, samples: Vec::new(), pairs: Vec::new() };
            for (number, opening) in (0..).zip(&openings) {
                let mut coin = SmallRng::seed_from_u64(self.seed ^ (number << 8));
                let sides: &[Side] = match policy {
                    // Against itself one game is as good as two.
                    Policy::Fixed => &[Side::Max],
                    _ => &[Side::Max, Side::Min],
                };
                let points = sides.iter().map(|&side| {
                    self.game(policy, side, opening, &reference, &mut coin, &mut result.samples)
                });
                let points: f64 = points.sum();
                if policy != Policy::Fixed {
                    result.pairs.push(points);
                }
                if !done() {
                    results.push(result);
                    return results;
                }
            }
            results.push(result);
        }
        results
    }

    /// The pairs of games that [`Contest::run`] reports.
    pub fn steps(&self) -> u64 {
        u64::from(self.games.div_ceil(2)) * Policy::ALL.len() as u64
    }

    /// Measures what the policies go by, the mobility in games at the fixed depth.
    fn reference(&self, openings: &[Position]) -> Reference {
        let mut parts = [(); PARTS].map(|()| Vec::new());
        for opening in openings {
            let mut game = opening.clone();
            for _ in 0..LONGEST {
                let Some(best) = search(&game, self.base.min(2)).0.best else { break };
                let part = (self.progress(&game) * PARTS as f64) as usize;
                parts[part.min(PARTS - 1)].push(mobility(&game));
                game = game.play(best);
            }
        }
        let mean = |part: &Vec<f64>| part.iter().sum::<f64>() / part.len() as f64;
        let means = parts.iter().filter(|part| part.len() >= FEWEST).map(mean);
        Reference {
            moves: self.start.opening_breadth() as f64,
            mobility: means.fold(mobility(&self.start), f64::max),
            leaves: walk(&self.start, self.base).0 as f64,
            nodes: search(&self.start, self.base).1 as f64,
            odds: 0.0,
        }
    }

    /// The odds with which the coin costs what the restricted form cost. A ply more costs what it does
    /// in the positions of the fixed depth's games.
    fn odds(&self, results: &[PolicyGames]) -> f64 {
        let nodes = |policy: Policy| {
            results.iter().find(|result| result.policy == policy).map_or(0.0, PolicyGames::nodes)
        };
        let fixed = nodes(Policy::Fixed);
        let mut deeper = Vec::new();
        for opening in random_positions(&self.start, 40, 4..=40, self.seed) {
            let costs = [self.base, self.base + 1].map(|depth| search(&opening, depth).1 as f64);
            deeper.push(costs);
        }
        let sum = |i: usize| deeper.iter().map(|costs| costs[i]).sum::<f64>().max(1.0);
        let growth = sum(1) / sum(0);
        let spare = nodes(Policy::Restricted) / fixed.max(1.0) - 1.0;
        (spare / (growth - 1.0).max(0.1)).clamp(0.0, 1.0)
    }

    /// How far the board has filled, as with discs, or emptied, as in chess, 0 to 1.
    fn progress(&self, game: &Position) -> f64 {
        let (start, now) = (pieces(&self.start), pieces(game));
        let cells = self.start.board().map_or(1, |board| board.cells.len());
        let share = if now >= start {
            (now - start) as f64 / cells.saturating_sub(start).max(1) as f64
        } else {
            (start - now) as f64 / start.saturating_sub(2).max(1) as f64
        };
        share.min(1.0)
    }

    /// A game in which `side` goes by the policy and the other by the fixed depth: the points of `side`.
    fn game(
        &self,
        policy: Policy,
        side: Side,
        opening: &Position,
        reference: &Reference,
        coin: &mut SmallRng,
        samples: &mut Vec<Sample>,
    ) -> f64 {
        let mut game = opening.clone();
        for _ in 0..LONGEST {
            let moves = game.moves();
            let m = match moves[..] {
                [] => break,
                [only] => only,
                _ => {
                    let is_ours = game.turn() == side || policy == Policy::Fixed;
                    let by = if is_ours { policy } else { Policy::Fixed };
                    let (found, sample) = self.choose(by, &game, reference, coin);
                    samples.extend(is_ours.then_some(sample));
                    found.best.unwrap_or(moves[0])
                }
            };
            game = game.play(m);
        }
        points(&game, side)
    }

    /// A move by the policy, with its cost.
    fn choose(
        &self,
        policy: Policy,
        game: &Position,
        reference: &Reference,
        coin: &mut SmallRng,
    ) -> (Choice, Sample) {
        let started = Instant::now();
        let breadth = game.moves().len();
        let by = |start: f64, now: f64| {
            let depth = adjusted(self.base, self.rounding, start, now);
            depth.map_or(self.base + self.cap, |depth| depth.min(self.base + self.cap))
        };
        let mut made = 0;
        let mut counted = None;
        let depth = match policy {
            Policy::Fixed => self.base,
            Policy::Deeper => self.base + 1,
            Policy::Coin => self.base + u32::from(coin.random_bool(reference.odds)),
            Policy::Specific => by(reference.moves, breadth as f64),
            Policy::Restricted => by(reference.mobility, mobility(game)),
            Policy::General => {
                let (leaves, positions) = walk(game, self.base);
                made = positions;
                by(reference.leaves, leaves as f64)
            }
            Policy::Statistical => {
                let (found, nodes) = search(game, self.base);
                counted = Some((found, nodes));
                by(reference.nodes, nodes as f64)
            }
        };
        let (found, nodes) = match counted {
            // The search that counted was deep enough.
            Some(first) if depth == self.base => first,
            Some((_, first)) => {
                let (found, nodes) = search(game, depth);
                (found, nodes + first)
            }
            None => search(game, depth),
        };
        let ms = started.elapsed().as_secs_f64() * 1000.0;
        let progress = self.progress(game);
        (found, Sample { progress, breadth, depth, nodes, walk: made, ms })
    }
}

/// The results as a table in the language of `texts`: a row for each policy and stage, and one for its
/// whole games.
pub fn table(results: &[PolicyGames], texts: &Texts) -> Table {
    let columns = [
        "contest.policy",
        "contest.stage",
        "contest.moves",
        "contest.breadth",
        "compare.depth",
        "compare.nodes",
        "contest.ratio",
        "contest.walk",
        "compare.ms",
        "contest.score",
        "contest.error",
    ];
    let columns = columns.iter().map(|key| texts.word(key)).collect();
    let fixed = results.iter().find(|result| result.policy == Policy::Fixed);
    let mut rows = Vec::new();
    for result in results {
        for stage in Stage::ALL.map(Some).into_iter().chain([None]) {
            let chosen = |sample: &Sample| stage.is_none_or(|stage| sample.stage() == stage);
            let mean = |of: fn(&Sample) -> f64| result.mean(of, chosen);
            let (nodes, count) = mean(|sample| sample.nodes as f64);
            let base = fixed.map(|fixed| fixed.mean(|sample| sample.nodes as f64, chosen).0);
            let base = base.filter(|&base| base > 0.0);
            let walk = mean(|sample| sample.walk as f64).0;
            let score = (stage.is_none() && !result.pairs.is_empty()).then(|| result.score());
            let score_cell = |cell: fn((f64, f64)) -> f64| {
                score.map_or(Cell::Empty, |score| percent(cell(score)))
            };
            // A stage that no game has reached has a number of moves, 0, and nothing to measure.
            let measure = |value: f64, decimals| match count {
                0 => Cell::Empty,
                _ => Cell::Measure(value, decimals),
            };
            rows.push(vec![
                Cell::text(texts.get(&format!("policy.{}", result.policy.name()))),
                Cell::text(texts.get(&format!("stage.{}", stage.map_or("whole", Stage::name)))),
                Cell::Count(count as u64),
                measure(mean(|sample| sample.breadth as f64).0, 1),
                measure(mean(|sample| f64::from(sample.depth)).0, 2),
                measure(nodes, 0),
                base.map_or(Cell::Empty, |base| measure(nodes / base, 2)),
                if walk > 0.0 { Cell::Measure(walk, 0) } else { Cell::Empty },
                measure(mean(|sample| sample.ms).0, 2),
                score_cell(|(share, _)| share),
                score_cell(|(_, error)| error),
            ]);
        }
    }
    Table { columns, rows }.without_empty_columns()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect_four::{ConnectFour, Ending};
    use crate::games::othello::Othello;

    fn contest(start: Position) -> Contest {
        Contest { start, base: 2, rounding: Rounding::Down, cap: 2, games: 4, seed: 1 }
    }

    #[test]
    fn the_walk_counts_what_perft_counts() {
        let start = Position::new(Othello::default());
        assert_eq!(walk(&start, 5).0, 1396);
        // Every position above the last ply but one is made.
        assert_eq!(walk(&start, 3), (56, 4 + 12));
    }

    #[test]
    fn games_are_the_same_from_the_same_seed_and_keep_to_the_cap() {
        let start = Position::new(ConnectFour::new(5, 4, Ending::FourInARow).unwrap());
        let timeless = |mut results: Vec<PolicyGames>| {
            let samples = results.iter_mut().flat_map(|result| &mut result.samples);
            samples.for_each(|sample| sample.ms = 0.0);
            results.into_iter().map(|r| (r.samples, r.pairs)).collect::<Vec<_>>()
        };
        let contest = contest(start);
        let results = contest.run(|| true);
        assert_eq!(results.len(), Policy::ALL.len());
        for result in &results {
            let depths = result.samples.iter().map(|sample| sample.depth);
            assert!(depths.clone().all(|depth| (2..=4).contains(&depth)), "{:?}", result.policy);
            assert_eq!(depths.clone().all(|depth| depth == 2), result.policy == Policy::Fixed);
        }
        assert_eq!(timeless(results), timeless(contest.run(|| true)));
    }

    #[test]
    fn a_stage_without_a_move_has_nothing_to_show_but_that() {
        let games = PolicyGames { policy: Policy::Fixed, samples: vec![], pairs: vec![] };
        let table = table(&[games], &crate::texts::of(crate::texts::Lang::En));
        let stages = Stage::ALL.len() + 1;
        assert_eq!(
            (table.columns.as_slice(), table.rows.len()),
            (&["form", "stage", "moves"][..], stages)
        );
    }

    #[test]
    fn a_policy_that_wins_every_pair_has_all_the_points_and_no_error() {
        let result = PolicyGames { policy: Policy::Deeper, samples: vec![], pairs: vec![2.0, 2.0] };
        assert_eq!(result.score(), (1.0, 0.0));
        let result = PolicyGames { pairs: vec![2.0, 0.0, 1.0, 1.0], ..result };
        assert!((result.score().0 - 0.5).abs() < 1e-9 && result.score().1 > 0.3);
    }
}
