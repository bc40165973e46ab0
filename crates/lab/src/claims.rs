//! The sources' claims, tested: each claim with its source, the measurement, and a verdict that
//! follows from the numbers and not from us.

mod chess;
mod dda;
mod windows;

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
use super::texts::Texts;
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
}

impl Claim {
    /// The claim in words.
    pub fn text(&self, texts: &Texts) -> String {
        texts.get(&format!("claim.{}", self.name)).to_string()
    }

    /// The measurement in words.
    pub fn measured(&self, texts: &Texts) -> String {
        let numbers: Vec<(&str, &str)> =
            self.numbers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        texts.fill(&format!("measured.{}", self.name), &numbers)
    }

    /// The verdict in words.
    pub fn judgement(&self, texts: &Texts) -> String {
        let key = match self.verdict {
            Verdict::Holds => "verdict.holds",
            Verdict::InPart => "verdict.in-part",
            Verdict::Fails => "verdict.fails",
        };
        texts.get(key).to_string()
    }
}

const TRUJILLO: &str = "Trujillo";
const LANIA: &str = "lania.mx";
const LECTURE: &str = "7.3";
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
pub const STEPS: u64 = 12;

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
        &|| Ok(windows::narrow(&chess)),
        &|| Ok(vec![chess::thirty_seconds(&start, &chess), chess::secondary(&chess)]),
        &|| Ok(vec![chess::king_heuristics(effort)]),
        &|| {
            let mut claims = vec![dda::never_shallower(&chess, &four)];
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
    let columns = ["claims.source", "claims.claim", "claims.verdict", "claims.measured"];
    let row = |claim: &Claim| {
        vec![
            Cell::text(claim.source),
            Cell::text(claim.text(texts)),
            Cell::text(claim.judgement(texts)),
            Cell::text(claim.measured(texts)),
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
    let holds: Vec<bool> = holds.into_iter().collect();
    match holds.iter().filter(|&&holds| holds).count() {
        n if n == holds.len() => Verdict::Holds,
        0 => Verdict::Fails,
        _ => Verdict::InPart,
    }
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

fn percent(part: f64) -> String {
    format!("{:.1} %", 100.0 * part)
}

fn thirty_percent(chess: &[Position], four: &[Position]) -> Claim {
    let saved = |alpha_beta: Cost, minimax: Cost| 1.0 - alpha_beta.leaves / minimax.leaves;
    let chess = saved(cost("alpha-beta", chess, 4), cost("minimax", chess, 4));
    let four = saved(cost("alpha-beta", four, 6), cost("minimax", four, 6));
    let games = [Position::new(TicTacToe::default())];
    let three = saved(cost("alpha-beta", &games, 9), cost("minimax", &games, 9));
    Claim {
        source: TRUJILLO,
        name: "thirty-percent",
        numbers: vec![
            ("chess", percent(chess)),
            ("four", percent(four)),
            ("three", percent(three)),
        ],
        verdict: verdict([chess > 0.3, four > 0.3, three > 0.3]),
    }
}

/// Trujillo's algorithm 2 and lania's loop, whose bounds do not reach far, against alpha-beta.
fn simpler_loops(chess: &[Position], four: &[Position]) -> Vec<Claim> {
    let ratio = |name: &str, games: &[Position], depth: u32| {
        cost(name, games, depth).leaves / cost("alpha-beta", games, depth).leaves
    };
    let claim = |source, name, algorithm: &str| {
        let (of_chess, of_four) = (ratio(algorithm, chess, 4), ratio(algorithm, four, 6));
        let is_exact = |games: &[Position], depth: u32| {
            let value = |name: &str, game| found(name, game, depth).map(|choice| choice.value);
            games.iter().all(|game| value(algorithm, game) == value("alpha-beta", game))
        };
        Claim {
            source,
            name,
            numbers: vec![("chess", format!("{of_chess:.2}")), ("four", format!("{of_four:.2}"))],
            verdict: verdict([is_exact(chess, 3), is_exact(four, 5)]),
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
        },
        Claim {
            source: LECTURE,
            name: "double-depth",
            numbers: vec![("tree", format!("{tree:.2}")), ("chess", format!("{chess:.2}"))],
            verdict: verdict([tree < 2.5, chess < 2.5]),
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
    }
}
