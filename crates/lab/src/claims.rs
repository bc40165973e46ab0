//! The sources' claims, tested: each claim with its source, the measurement, and a verdict that
//! follows from the numbers and not from us.

mod chess;
mod dda;
mod guesses;
mod windows;

use std::borrow::Cow;
use std::collections::HashSet;
use std::time::Duration;

use super::algorithms::{self, Algorithm};
use super::compare::{knuth_moore, random_positions, run};
use super::constants::Constants;
use super::dda::{Experiment, Rounding, measure};
use super::game::Position;
use super::games::chess::{self as chess_game, ChessEvaluation};
use super::games::connect_four::{ConnectFour, Ending, SizeError};
use super::games::order::{Order, Ordered};
use super::games::random_tree::{Leaves, RandomTree};
use super::games::tic_tac_toe::TicTacToe;
use super::games::tree::{Tree, TreeError};
use super::moves::Move;
use super::texts::{Texts, decimal};
use super::watch::{Choice, LeafPaths};
use engine::rules::RuleSet;
use shell::table::{Cell, Table};

pub use dda::figures;

/// The outcome of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Measured as claimed.
    Holds,
    /// True in some cases that were measured and not in others.
    InPart,
    /// Measured otherwise.
    Fails,
    /// The sample is too small to tell.
    Open,
}

/// A claim and its measurement.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The source.
    pub source: &'static str,
    /// The claim's name: the texts `claim.NAME` and `measured.NAME` are its words.
    pub name: &'static str,
    /// The numbers of the measurement.
    pub numbers: Vec<(&'static str, String)>,
    /// The consequence.
    pub verdict: Verdict,
    /// The number of things that were measured, and what they are: the text `sample.NAME`.
    pub sample: (&'static str, usize),
    /// A command that shows the same in more detail.
    pub command: Cow<'static, str>,
}

impl Claim {
    /// The claim in words.
    pub fn text(&self, texts: &Texts) -> String {
        texts.get(&format!("claim.{}", self.name)).to_string()
    }

    /// The measurement in words.
    pub fn measured(&self, texts: &Texts) -> String {
        let numbers: Vec<(&str, String)> =
            self.numbers.iter().map(|(name, value)| (*name, decimal(texts, value))).collect();
        let numbers: Vec<(&str, &str)> =
            numbers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        texts.fill(&format!("measured.{}", self.name), &numbers)
    }

    /// What was measured, in words.
    pub fn sampled(&self, texts: &Texts) -> String {
        let (name, count) = self.sample;
        let one = texts.find(&format!("sample.{name}.one")).filter(|_| count == 1);
        let many = || texts.fill(&format!("sample.{name}"), &[("count", &count.to_string())]);
        one.map_or_else(many, str::to_string)
    }

    /// The verdict in words.
    pub fn judgement(&self, texts: &Texts) -> String {
        let key = match self.verdict {
            Verdict::Holds => "verdict.holds",
            Verdict::InPart => "verdict.in-part",
            Verdict::Fails => "verdict.fails",
            Verdict::Open => "verdict.open",
        };
        texts.get(key).to_string()
    }
}

const TRUJILLO: &str = "Trujillo";
const LANIA: &str = "lania.mx";
const LECTURE: &str = "7.3";
const SLIDES: &str = "Búsqueda en juegos";
const SMARTER: &str = "MiniMax más inteligente";
const PAPER: &str = "DDAαβ";

/// A reason why the claims cannot be tested; none in practice.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClaimsError {
    /// A board that is not possible.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A tree that cannot be read.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

/// The extent of the measurements.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Random positions a game.
    pub positions: usize,
    /// The seed of all randomness.
    pub seed: u64,
}

/// The steps that [`check`] reports.
pub const STEPS: u64 = 14;

/// Tests every claim. Each group of claims is given to `found` as soon as it is measured, one of
/// [`STEPS`].
///
/// # Errors
/// None in practice: boards and trees that come with the program.
pub fn check(effort: Effort, mut found: impl FnMut(&[Claim])) -> Result<Vec<Claim>, ClaimsError> {
    let start = chess_game::start(RuleSet::Chess, ChessEvaluation::Linear);
    let chess = random_positions(&start, effort.positions, 6..=60, effort.seed);
    let board = Position::new(ConnectFour::new(7, 6, Ending::FourInARow)?);
    let four = random_positions(&board, effort.positions, 0..=24, effort.seed);
    let steps: [&dyn Fn() -> Result<Vec<Claim>, ClaimsError>; STEPS as usize] = [
        &|| Ok(vec![thirty_percent(&chess, &four)]),
        &|| Ok(simpler_loops(&chess, &four)),
        &lecture_order,
        &|| Ok(perfect_order(&chess)),
        &|| Ok(vec![random_order(effort.seed)]),
        &|| Ok(windows::negascout(&chess, &four, effort.seed)),
        &|| Ok(windows::sss(&chess, effort.seed)),
        &|| Ok(windows::narrow(&chess, &four)),
        &|| Ok(vec![chess::thirty_seconds(&start, &chess), chess::secondary(&chess)]),
        &|| Ok(chess::king_heuristics(effort)),
        &|| Ok(guesses::memory_and_order(&chess, &four)),
        &|| guesses::where_to_stop(&chess),
        &|| {
            let mut claims =
                vec![dda::never_shallower(&chess, &four), dda::combinable(effort.seed)?];
            claims.extend(paper(Rounding::Down, effort.seed)?);
            Ok(claims)
        },
        &|| paper(Rounding::Up, effort.seed),
    ];
    let mut claims = Vec::new();
    for step in steps {
        let group = step()?;
        found(&group);
        claims.extend(group);
    }
    Ok(claims)
}

/// The claims as a table.
pub fn table(claims: &[Claim], texts: &Texts) -> Table {
    let columns = [
        "claims.source",
        "claims.claim",
        "claims.verdict",
        "claims.measured",
        "claims.sample",
        "claims.command",
    ];
    let row = |claim: &Claim| {
        vec![
            Cell::text(claim.source),
            Cell::text(claim.text(texts)),
            Cell::text(claim.judgement(texts)),
            Cell::text(claim.measured(texts)),
            Cell::text(claim.sampled(texts)),
            Cell::text(format!("`{}`", claim.command)),
        ]
    };
    let columns = columns.iter().map(|key| texts.word(key)).collect();
    Table { columns, rows: claims.iter().map(row).collect() }
}

/// The paper's experiments, small enough to be done in passing.
fn paper(rounding: Rounding, seed: u64) -> Result<Vec<Claim>, ClaimsError> {
    let plan = Experiment { sizes: vec![7, 8, 9, 10], base: 5, rounding, games: 4, runs: 1, seed };
    Ok(figures(&measure(&plan, || true)?, &plan))
}

fn verdict(holds: impl IntoIterator<Item = bool>) -> Verdict {
    judged(holds.into_iter().map(Some))
}

/// The verdict of tests that may be too close to their limits for the sample.
fn judged(tests: impl IntoIterator<Item = Option<bool>>) -> Verdict {
    let tests: Vec<Option<bool>> = tests.into_iter().collect();
    let count = |outcome: Option<bool>| tests.iter().filter(|&&test| test == outcome).count();
    match tests.len() {
        all if count(Some(true)) == all => Verdict::Holds,
        all if count(Some(false)) == all => Verdict::Fails,
        all if count(None) == all => Verdict::Open,
        _ => Verdict::InPart,
    }
}

/// True if `fewer` cases speak for one side and `more` for the other, by more than chance allows: the sign test. Cases in
/// which both sides are alike tell nothing (McNemar, 1947).
fn is_fewer(fewer: usize, more: usize) -> Option<bool> {
    let (fewer, more) = (fewer as f64, more as f64);
    let error = 1.96 * (fewer + more).sqrt();
    ((more - fewer).abs() > error).then_some(fewer < more)
}

/// True if the first of two tests of the same cases comes true less often, by more than chance allows.
fn is_rarer(first: &[bool], second: &[bool]) -> Option<bool> {
    let alone = |which: (bool, bool)| {
        first.iter().zip(second).filter(|(first, second)| (**first, **second) == which).count()
    };
    is_fewer(alone((true, false)), alone((false, true)))
}

/// How many of the tests come true.
fn count(tests: &[bool]) -> usize {
    tests.iter().filter(|test| **test).count()
}

/// The cost of a set of searches together.
#[derive(Default)]
struct Cost {
    leaves: f64,
    nodes: f64,
    memory: f64,
    time: Duration,
}

fn cost(name: &str, games: &[Position], depth: u32) -> Cost {
    let mut cost = Cost::default();
    if let Some(algorithm) = named(name) {
        for game in games {
            let run = run(&algorithm, Constants::default(), game, depth);
            cost.leaves += run.counter.leaves as f64;
            cost.nodes += run.counter.nodes as f64;
            cost.memory = cost.memory.max(run.counter.memory as f64);
            cost.time += run.time;
        }
    }
    cost
}

/// The algorithm of that name; the names here are the laboratory's own.
fn named(name: &str) -> Option<Algorithm> {
    algorithms::named(name).ok()
}

fn found(name: &str, game: &Position, depth: u32) -> Option<Choice> {
    Some(run(&named(name)?, Constants::default(), game, depth).found)
}

fn ordered(games: &[Position], order: Order) -> Vec<Position> {
    games.iter().map(|game| Ordered::position(game.clone(), order)).collect()
}

fn leaf_set(name: &str, game: &Position, depth: u32) -> HashSet<Vec<Option<Move>>> {
    let mut paths = LeafPaths::default();
    if let Some(algorithm) = named(name) {
        algorithm.run(game, depth, &mut paths);
    }
    paths.0.into_iter().collect()
}

fn uniform(breadth: u16, depth: u32, seed: u64) -> Position {
    Position::new(RandomTree::new(breadth, depth, Leaves::Independent, seed))
}

/// The ratio of two sums over the same positions, with half the width of its 95 % interval.
#[derive(Clone, Copy)]
struct Ratio {
    value: f64,
    error: f64,
}

impl Ratio {
    /// The error by leaving out one position after another (the jackknife); infinite for one position alone.
    fn of(pairs: &[(f64, f64)]) -> Ratio {
        let (above, below) = pairs.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
        let without = |pair: &(f64, f64)| (above - pair.0) / (below - pair.1).max(1e-9);
        let ratios: Vec<f64> = pairs.iter().map(without).collect();
        let count = ratios.len() as f64;
        let mean = ratios.iter().sum::<f64>() / count.max(1.0);
        let square = ratios.iter().map(|ratio| (ratio - mean).powi(2)).sum::<f64>();
        let error = match pairs.len() {
            0 | 1 => f64::INFINITY,
            _ => 1.96 * ((count - 1.0) / count * square).sqrt(),
        };
        Ratio { value: above / below.max(1e-9), error }
    }

    /// The leaves of one algorithm against those of another.
    fn of_leaves(name: &str, other: &str, games: &[Position], depth: u32) -> Ratio {
        let leaves =
            |name: &str, game: &Position| cost(name, std::slice::from_ref(game), depth).leaves;
        let pairs: Vec<(f64, f64)> =
            games.iter().map(|game| (leaves(name, game), leaves(other, game))).collect();
        Ratio::of(&pairs)
    }

    /// True if the ratio is less than `limit`; none if the sample cannot tell.
    fn is_below(self, limit: f64) -> Option<bool> {
        ((self.value - limit).abs() > self.error).then_some(self.value < limit)
    }

    fn is_above(self, limit: f64) -> Option<bool> {
        self.is_below(limit).map(|is_below| !is_below)
    }

    fn percent(self) -> String {
        format!("{:.1}{} %", 100.0 * self.value, within(100.0 * self.error, 1))
    }

    fn times(self) -> String {
        format!("{:.2}{}", self.value, within(self.error, 2))
    }
}

/// Half the width of an interval, with this number of digits; nothing where one case alone tells nothing of it.
fn within(error: f64, digits: usize) -> String {
    if error.is_finite() { format!(" ± {error:.digits$}") } else { String::new() }
}

/// A share of `count` cases, with half the width of its 95 % interval.
fn share(cases: usize, count: usize) -> String {
    let part = cases as f64 / count.max(1) as f64;
    let error = 1.96 * (part * (1.0 - part) / count.max(1) as f64).sqrt();
    format!("{:.1} ± {:.1} %", 100.0 * part, 100.0 * error)
}

fn percent(part: f64) -> String {
    format!("{:.1} %", 100.0 * part)
}

fn thirty_percent(chess: &[Position], four: &[Position]) -> Claim {
    let left = |games: &[Position], depth| Ratio::of_leaves("alpha-beta", "minimax", games, depth);
    let saved = |left: Ratio| Ratio { value: 1.0 - left.value, ..left };
    let (in_chess, in_four) = (saved(left(chess, 4)), saved(left(four, 6)));
    let three = 1.0 - left(&[Position::new(TicTacToe::default())], 9).value;
    Claim {
        source: TRUJILLO,
        name: "thirty-percent",
        numbers: vec![
            ("chess", in_chess.percent()),
            ("four", in_four.percent()),
            ("three", percent(three)),
        ],
        verdict: judged([in_chess.is_above(0.3), in_four.is_above(0.3), Some(three > 0.3)]),
        sample: ("two-games", chess.len()),
        command: "engine lab compare --positions 60 --depth 4 --algorithms minimax,alpha-beta"
            .into(),
    }
}

/// Trujillo's algorithm 2 and lania's loop, whose bounds do not reach far, against alpha-beta.
fn simpler_loops(chess: &[Position], four: &[Position]) -> Vec<Claim> {
    let claim = |source, name, algorithm: &str| {
        let of_chess = Ratio::of_leaves(algorithm, "alpha-beta", chess, 4);
        let of_four = Ratio::of_leaves(algorithm, "alpha-beta", four, 6);
        let is_exact = |games: &[Position], depth: u32| {
            let value = |name: &str, game| found(name, game, depth).map(|choice| choice.value);
            games.iter().all(|game| value(algorithm, game) == value("alpha-beta", game))
        };
        Claim {
            source,
            name,
            numbers: vec![("chess", of_chess.times()), ("four", of_four.times())],
            verdict: verdict([is_exact(chess, 3), is_exact(four, 5)]),
            sample: ("two-games", chess.len()),
            command: "engine lab compare --positions 60 --algorithms alpha-beta,trujillo,lania"
                .into(),
        }
    };
    vec![claim(TRUJILLO, "parent-value", "trujillo"), claim(LANIA, "lania-loop", "lania")]
}

fn lecture_order() -> Result<Vec<Claim>, ClaimsError> {
    let leaves = |tree: Tree| cost("alpha-beta", &[Position::new(tree)], 2).leaves;
    let given = leaves(Tree::shipped("lecture")?);
    let better = leaves(Tree::parse("A (B (3 12 8)  C (2 4 6)  D (2 5 14))")?);
    Ok(vec![Claim {
        source: LECTURE,
        name: "lecture-order",
        numbers: vec![("given", given.to_string()), ("better", better.to_string())],
        verdict: verdict([given - better == 2.0]),
        sample: ("tree", 1),
        command: "engine lab tree --game tree --tree lecture --step".into(),
    }])
}

fn perfect_order(chess: &[Position]) -> Vec<Claim> {
    let tree = [uniform(8, 6, 1)];
    let best = cost("alpha-beta", &ordered(&tree, Order::BestFirst(6)), 6).leaves;
    let minimum = knuth_moore(8.0, 6);
    let half = cost("minimax", &[uniform(8, 3, 1)], 3).leaves;
    let few = &chess[..chess.len().min(8)];
    let chess_best = cost("alpha-beta", &ordered(few, Order::BestFirst(4)), 4).leaves;
    let chess_half = cost("minimax", few, 2).leaves;
    let (tree, chess) = (best / half, chess_best / chess_half);
    vec![
        Claim {
            source: LECTURE,
            name: "best-order",
            numbers: vec![("best", best.to_string()), ("minimum", minimum.to_string())],
            verdict: verdict([best == minimum]),
            sample: ("tree", 1),
            command:
                "engine lab compare --game random-tree --breadth 8 --depth 6 --order best-first"
                    .into(),
        },
        Claim {
            source: LECTURE,
            name: "double-depth",
            numbers: vec![("tree", format!("{tree:.2}")), ("chess", format!("{chess:.2}"))],
            verdict: verdict([tree < 2.5, chess < 2.5]),
            sample: ("chess", few.len()),
            command:
                "engine lab compare --depths 1-4 --order best-first --algorithms minimax,alpha-beta"
                    .into(),
        },
    ]
}

/// The exponent e by which the leaves grow, b^e, with each further ply, two plies at a time so that
/// odd and even depths do not matter.
fn random_order(seed: u64) -> Claim {
    let leaves = |breadth: u16, depth: u32| {
        let trees: Vec<Position> =
            (0..12).map(|i| uniform(breadth, depth, seed.wrapping_add(i))).collect();
        cost("alpha-beta", &trees, depth).leaves / trees.len() as f64
    };
    let cases = [(4, 6), (8, 4), (16, 3), (32, 2)];
    let growth = |(breadth, depth): (u16, u32)| {
        let growth = leaves(breadth, depth + 2) / leaves(breadth, depth);
        growth.ln() / (2.0 * f64::from(breadth).ln())
    };
    let exponents: Vec<f64> = cases.into_iter().map(growth).collect();
    let shown = cases
        .iter()
        .zip(&exponents)
        .map(|((b, m), e)| format!("b = {b}, m = {m} → {}: {e:.3}", m + 2));
    Claim {
        source: LECTURE,
        name: "random-order",
        numbers: vec![("exponents", shown.collect::<Vec<_>>().join("; "))],
        verdict: verdict(exponents.iter().map(|e| (e - 0.75).abs() < 0.05)),
        sample: ("trees", 12),
        command: "engine lab compare --game random-tree --breadth 16 --depths 3-5 --algorithms alpha-beta".into(),
    }
}
