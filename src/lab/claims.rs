//! What the sources claim, tested: each claim with its source, what was measured, and a verdict
//! that follows from the numbers and not from us.

use std::collections::HashSet;
use std::time::Duration;

use super::algorithms::{self, Algorithm};
use super::compare::{knuth_moore, random_positions, run};
use super::dda::{Experiment, Method, Rounding, Sample, measure};
use super::game::Position;
use super::games::chess;
use super::games::connect_four::{ConnectFour, Ending, SizeError};
use super::games::order::{Order, Ordered};
use super::games::random_tree::{Leaves, RandomTree};
use super::games::tic_tac_toe::TicTacToe;
use super::games::tree::{Tree, TreeError};
use super::moves::Move;
use super::watch::LeafPaths;
use crate::rules::RuleSet;
use crate::shell::table::{Cell, Table};

/// What became of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Measured as claimed.
    Holds,
    /// True in some cases that were measured and not in others.
    InPart,
    /// Measured otherwise.
    Fails,
}

/// A claim and what was found.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Who says so.
    pub source: &'static str,
    /// What they say.
    pub text: &'static str,
    /// What was measured.
    pub measured: String,
    /// What follows.
    pub verdict: Verdict,
}

const TRUJILLO: &str = "Trujillo";
const LECTURE: &str = "lecture 7.3";
const SMARTER: &str = "MiniMax más inteligente";
const PAPER: &str = "DDAαβ";

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Random positions a game.
    pub positions: usize,
    /// Where they come from.
    pub seed: u64,
}

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

/// How many steps [`check`] reports.
pub const STEPS: u64 = 10;

/// Tests every claim; `done` is called after each of [`STEPS`] steps.
///
/// # Errors
/// None in practice: boards and trees that come with the program.
pub fn check(effort: Effort, mut done: impl FnMut()) -> Result<Vec<Claim>, ClaimsError> {
    let start = chess::start(RuleSet::Chess);
    let chess = random_positions(&start, effort.positions, 6..=60, effort.seed);
    let board = Position::new(ConnectFour::new(7, 6, Ending::FourInARow)?);
    let four = random_positions(&board, effort.positions, 0..=24, effort.seed);
    let steps: [&dyn Fn() -> Result<Vec<Claim>, ClaimsError>; STEPS as usize] = [
        &|| Ok(vec![thirty_percent(&chess, &four)]),
        &lecture_order,
        &|| Ok(perfect_order(&chess)),
        &|| Ok(vec![random_order(effort.seed)]),
        &|| Ok(negascout(&chess, &four, effort.seed)),
        &|| Ok(sss(&chess, effort.seed)),
        &|| Ok(narrow_windows(&chess)),
        &|| Ok(vec![thirty_seconds(&start, &chess), never_shallower(&chess)]),
        &|| paper(Rounding::Up, effort.seed),
        &|| paper(Rounding::Down, effort.seed),
    ];
    let mut claims = Vec::new();
    for step in steps {
        claims.extend(step()?);
        done();
    }
    Ok(claims)
}

/// The claims as a table.
pub fn table(claims: &[Claim]) -> Table {
    let row = |claim: &Claim| {
        let verdict = match claim.verdict {
            Verdict::Holds => "holds",
            Verdict::InPart => "in part",
            Verdict::Fails => "fails",
        };
        vec![
            Cell::text(claim.source),
            Cell::text(claim.text),
            Cell::text(verdict),
            Cell::text(&claim.measured),
        ]
    };
    Table {
        columns: vec!["source", "claim", "verdict", "measured"],
        rows: claims.iter().map(row).collect(),
    }
}

/// The paper's experiments, small enough to be done in passing.
fn paper(rounding: Rounding, seed: u64) -> Result<Vec<Claim>, ClaimsError> {
    let plan = Experiment { sizes: vec![7, 8, 9, 10], base: 5, rounding, games: 4, seed };
    Ok(dda(&measure(&plan, || {})?, &plan))
}

fn verdict(holds: impl IntoIterator<Item = bool>) -> Verdict {
    let holds: Vec<bool> = holds.into_iter().collect();
    match holds.iter().filter(|&&holds| holds).count() {
        n if n == holds.len() => Verdict::Holds,
        0 => Verdict::Fails,
        _ => Verdict::InPart,
    }
}

/// Everything that a set of searches cost together.
#[derive(Default)]
struct Cost {
    leaves: f64,
    nodes: f64,
    time: Duration,
}

fn cost(name: &str, games: &[Position], depth: u32) -> Cost {
    let mut cost = Cost::default();
    if let Some(algorithm) = named(name) {
        for game in games {
            let run = run(&algorithm, game, depth);
            cost.leaves += run.counter.leaves as f64;
            cost.nodes += run.counter.nodes as f64;
            cost.time += run.time;
        }
    }
    cost
}

/// The algorithm of that name; the names here are the laboratory's own.
fn named(name: &str) -> Option<Algorithm> {
    algorithms::named(name).ok()
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
        text: "alpha-beta is 30 % more efficient than minimax",
        measured: format!(
            "leaves saved: chess, 4 plies {}; Connect Four, 6 plies {}; tic-tac-toe, whole game {}: \
             true, but far too modest",
            percent(chess),
            percent(four),
            percent(three)
        ),
        verdict: verdict([chess > 0.3, four > 0.3, three > 0.3]),
    }
}

fn lecture_order() -> Result<Vec<Claim>, ClaimsError> {
    let leaves = |tree: Tree| cost("alpha-beta", &[Position::new(tree)], 2).leaves;
    let given = leaves(Tree::shipped("lecture")?);
    let better = leaves(Tree::parse("A (B (3 12 8)  C (2 4 6)  D (2 5 14))")?);
    Ok(vec![Claim {
        source: LECTURE,
        text: "had the last node begun with its 2, two more leaves would have been pruned",
        measured: format!("{given} leaves of 9 as printed, {better} with the 2 first"),
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
    vec![
        Claim {
            source: LECTURE,
            text: "with all moves in the best order the cost is O(b^(m/2))",
            measured: format!(
                "uniform tree, b = 8, m = 6: {best} leaves; Knuth and Moore's minimum \
                 b^⌈m/2⌉ + b^⌊m/2⌋ − 1 is {minimum}"
            ),
            verdict: verdict([best == minimum]),
        },
        Claim {
            source: LECTURE,
            text: "the best order doubles the depth for the same time",
            measured: format!(
                "leaves at twice minimax's depth, best order: uniform tree {:.2} times minimax's, \
                 chess (4 plies against 2) {:.2} times",
                best / half,
                chess_best / chess_half
            ),
            verdict: verdict([best / half < 2.5, chess_best / chess_half < 2.5]),
        },
    ]
}

/// How b^e the leaves grow with each further ply, two plies at a time so that odd and even depths
/// do not matter.
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
    let told = cases
        .iter()
        .zip(&exponents)
        .map(|((b, m), e)| format!("b = {b}, from {m} to {} plies: {e:.3}", m + 2));
    Claim {
        source: LECTURE,
        text: "in random order the cost is O(b^(3m/4)) on average",
        measured: format!(
            "uniform random trees, alpha-beta's leaves grow by b^e a ply, e at {}",
            told.collect::<Vec<_>>().join("; ")
        ),
        verdict: verdict(exponents.iter().map(|e| (e - 0.75).abs() < 0.05)),
    }
}

fn negascout(chess: &[Position], four: &[Position], seed: u64) -> Vec<Claim> {
    let ratio = |order: Order| {
        let games = ordered(chess, order);
        cost("negascout", &games, 4).nodes / cost("alpha-beta", &games, 4).nodes
    };
    let (promise, lot) = (ratio(Order::Promise), ratio(Order::Random(seed)));
    let games = ordered(&chess[..chess.len().min(8)], Order::BestFirst(4));
    let best = cost("negascout", &games, 4).nodes / cost("alpha-beta", &games, 4).nodes;
    let centre = ordered(four, Order::Promise);
    let four = cost("negascout", &centre, 7).nodes / cost("alpha-beta", &centre, 7).nodes;
    let trees = (0..500).map(|i| uniform(4, 5, seed.wrapping_add(i)));
    let strays = trees
        .filter(|tree| !leaf_set("negascout", tree, 5).is_subset(&leaf_set("alpha-beta", tree, 5)))
        .count();
    vec![
        Claim {
            source: SMARTER,
            text: "NegaScout improves on alpha-beta by an estimated 10 % in chess",
            measured: format!(
                "nodes saved at 4 plies: captures first {}, best order {}; Connect Four, 7 plies, \
                 centre first {}",
                percent(1.0 - promise),
                percent(1.0 - best),
                percent(1.0 - four)
            ),
            verdict: verdict([promise < 0.95, best < 0.95, four < 0.95]),
        },
        Claim {
            source: SMARTER,
            text: "with a random order NegaScout takes longer than alpha-beta",
            measured: format!(
                "chess, 4 plies, random order: {} of alpha-beta's nodes",
                percent(lot)
            ),
            verdict: verdict([lot > 1.0]),
        },
        Claim {
            source: SMARTER,
            text: "NegaScout never examines a node that alpha-beta prunes",
            measured: format!("it did in {strays} of 500 random trees (b = 4, m = 5)"),
            verdict: verdict([strays == 0]),
        },
    ]
}

fn sss(chess: &[Position], seed: u64) -> Vec<Claim> {
    let mut strays = 0;
    let (mut ours, mut theirs, mut same) = (0, 0, 0);
    for i in 0..2000 {
        let tree = uniform(4, 5, seed.wrapping_add(i));
        let (sss, alpha_beta) = (leaf_set("sss*", &tree, 5), leaf_set("alpha-beta", &tree, 5));
        strays += usize::from(!sss.is_subset(&alpha_beta));
        same += usize::from(sss == leaf_set("mt-sss*", &tree, 5));
        ours += sss.len();
        theirs += alpha_beta.len();
    }
    let (sss, alpha_beta) = (cost("sss*", chess, 3), cost("alpha-beta", chess, 3));
    vec![
        Claim {
            source: SMARTER,
            text: "SSS* never examines a node that alpha-beta prunes, and prunes more",
            measured: format!(
                "it did in {strays} of 2000 random trees (b = 4, m = 5), with {} of alpha-beta's \
                 leaves; chess, 3 plies: {}",
                percent(ours as f64 / theirs as f64),
                percent(sss.leaves / alpha_beta.leaves)
            ),
            verdict: verdict([strays == 0, ours < theirs, sss.leaves <= alpha_beta.leaves]),
        },
        Claim {
            source: SMARTER,
            text: "the price of SSS* is its list of states",
            measured: format!(
                "chess, 3 plies: {:.1} times alpha-beta's time for {} of its leaves; MT-SSS*, which \
                 has a table instead, looked at the same leaves in {same} of 2000 trees",
                sss.time.as_secs_f64() / alpha_beta.time.as_secs_f64(),
                percent(sss.leaves / alpha_beta.leaves)
            ),
            verdict: verdict([sss.time > alpha_beta.time]),
        },
    ]
}

fn narrow_windows(chess: &[Position]) -> Vec<Claim> {
    let games = ordered(chess, Order::Promise);
    let alpha_beta = cost("alpha-beta", &games, 4).leaves;
    let aspiration = cost("aspiration", &games, 4).leaves / alpha_beta;
    let null = cost("null-move", &games, 4).leaves / alpha_beta;
    let truths = games.iter().map(|game| value("minimax", game, 4));
    let differs =
        games.iter().zip(truths).filter(|(game, truth)| value("null-move", game, 4) != *truth);
    let share = differs.count() as f64 / games.len().max(1) as f64;
    vec![
        Claim {
            source: SMARTER,
            text: "aspiration search explores fewer nodes",
            measured: format!(
                "chess, 4 plies, captures first: {} of alpha-beta's leaves, the search for the \
                 expected value included",
                percent(aspiration)
            ),
            verdict: verdict([aspiration < 1.0]),
        },
        Claim {
            source: SMARTER,
            text: "the null move reduces the tree drastically, at some risk",
            measured: format!(
                "chess, 4 plies, captures first: {} of alpha-beta's leaves; the value differs from \
                 minimax's in {} of the positions",
                percent(null),
                percent(share)
            ),
            verdict: verdict([null < 0.7, share > 0.0]),
        },
    ]
}

fn value(name: &str, game: &Position, depth: u32) -> Option<i32> {
    Some(run(&named(name)?, game, depth).found.value)
}

fn thirty_seconds(start: &Position, chess: &[Position]) -> Claim {
    let few = chess.iter().take(5).chain([start]).cloned().collect::<Vec<_>>();
    let slowest = |name: &str| {
        let times = few.iter().map(|game| cost(name, std::slice::from_ref(game), 5).time);
        times.max().unwrap_or_default().as_secs_f64()
    };
    let slowest = slowest("alpha-beta");
    Claim {
        source: TRUJILLO,
        text: "at depth 5, the advanced level, the answer comes within 30 seconds",
        measured: format!(
            "plain alpha-beta, 5 plies, moves as generated: at most {slowest:.1} s on this machine"
        ),
        verdict: verdict([slowest < 30.0]),
    }
}

fn never_shallower(chess: &[Position]) -> Claim {
    let start = chess::start(RuleSet::Chess).moves().len();
    let broader = chess.iter().filter(|game| game.moves().len() > start).count();
    let share = broader as f64 / chess.len().max(1) as f64;
    Claim {
        source: PAPER,
        text: "the depth by the formula is never less than at the start",
        measured: format!(
            "true of Connect Four, whose columns only fill; in {} of the chess positions there are \
             more moves than the {start} of the start, and equation 4 would search shallower",
            percent(share)
        ),
        verdict: verdict([true, broader == 0]),
    }
}

/// The discs on the board when the depth first exceeds ω in the mean.
pub fn first_rise(samples: &[&Sample], base: u32) -> u32 {
    let rise = samples.iter().find(|sample| sample.depth >= f64::from(base) + 0.5);
    rise.map_or(0, |sample| sample.discs)
}

/// What section 4 says of its figures, checked against ours.
pub fn dda(samples: &[Sample], plan: &Experiment) -> Vec<Claim> {
    let base = plan.base;
    let rounding = match plan.rounding {
        Rounding::Up => "rounded up",
        Rounding::Down => "rounded down",
    };
    let mut sizes: Vec<u8> = samples.iter().map(|sample| sample.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let of = |method: Method, size: u8| -> Vec<&Sample> {
        samples.iter().filter(|s| s.method == method && s.size == size).collect()
    };
    let per_size = |f: &dyn Fn(u8) -> u32| sizes.iter().map(|&size| f(size)).collect::<Vec<_>>();
    let general = per_size(&|size| first_rise(&of(Method::General, size), base));
    let specific = per_size(&|size| first_rise(&of(Method::Specific, size), base));
    let by_formula = |method: Method| {
        let depths = samples.iter().filter(|s| s.method == method).filter_map(|s| s.formula);
        depths.fold(0.0, f64::max)
    };
    let formula = (by_formula(Method::Specific), by_formula(Method::General));
    let top = |method| {
        per_size(&|size| {
            of(method, size).iter().map(|s| s.depth).fold(0.0, f64::max).round() as u32
        })
    };
    let (general_top, specific_top) = (top(Method::General), top(Method::Specific));
    let later = specific.iter().zip(&general).map(|(specific, general)| specific > general);
    let higher = specific_top.iter().zip(&general_top).map(|(s, g)| s > g);
    let peak = |size| {
        let opening = of(Method::General, size);
        let peak = opening.iter().max_by(|a, b| a.fixed_nodes.total_cmp(&b.fixed_nodes));
        peak.map_or(0, |sample| sample.discs)
    };
    let peaks = per_size(&peak);
    vec![
        Claim {
            source: PAPER,
            text: "figure 1: the depth rises later on larger boards",
            measured: format!(
                "base depth {base}, {rounding}; boards of {sizes:?}: first rise at {general:?} discs"
            ),
            verdict: verdict([general.is_sorted() && general.first() < general.last()]),
        },
        Claim {
            source: PAPER,
            text: "figure 3: the specific method rises later than the general one",
            measured: format!("{rounding}: first rise at {specific:?} discs, against {general:?}"),
            verdict: verdict(later),
        },
        Claim {
            source: PAPER,
            text: "figure 3: the specific method reaches greater depths than the general one",
            measured: format!(
                "{rounding}: greatest depth searched {specific_top:?} plies, against {general_top:?}; by \
                 the formula alone, beyond the game's end, {:.0} against {:.0}",
                formula.0, formula.1
            ),
            verdict: verdict(higher),
        },
        Claim {
            source: PAPER,
            text: "figure 2: the cost grows until about disc 25",
            measured: format!("at fixed depth {base} the costliest move is at {peaks:?} discs"),
            verdict: verdict(peaks.iter().map(|peak| (15..=35).contains(peak))),
        },
        never_costs(samples, plan, Method::General, rounding),
        never_costs(samples, plan, Method::Specific, rounding),
    ]
}

/// "Always below the times of the initial depth": the deepened moves against the costliest
/// move at the depth ω of the same game.
fn never_costs(samples: &[Sample], plan: &Experiment, method: Method, rounding: &str) -> Claim {
    let (base, games) = (plan.base, plan.games);
    let mut ratios = Vec::new();
    let (mut deepened, mut dearer) = (0, 0);
    for group in samples.chunk_by(|a, b| (a.method, a.size) == (b.method, b.size)) {
        if group.first().is_none_or(|first| first.method != method) {
            continue;
        }
        let peak = group.iter().map(|sample| sample.fixed_nodes).fold(0.0, f64::max);
        let deep = || group.iter().filter(|sample| sample.depth > f64::from(base));
        deepened += deep().count();
        dearer += deep().filter(|sample| sample.nodes > peak).count();
        ratios.push(deep().map(|sample| sample.nodes / peak).fold(0.0, f64::max));
    }
    let sum = |of: fn(&Sample) -> f64| -> f64 {
        samples.iter().filter(|sample| sample.method == method).map(of).sum()
    };
    let whole = sum(|sample| sample.nodes) / sum(|sample| sample.fixed_nodes);
    let told: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.2}")).collect();
    Claim {
        source: PAPER,
        text: match method {
            Method::General => {
                "figure 2: the general method's moves stay cheaper than those at the initial depth"
            }
            Method::Specific => {
                "figure 4: the specific method's moves stay cheaper than those at the initial depth"
            }
        },
        measured: format!(
            "{rounding}, mean of {games} games: the costliest deepened move has {} times the nodes of the costliest at depth {base}; \
             {dearer} of {deepened} deepened moves exceed it; whole games cost {whole:.2} times as much",
            told.join(", ")
        ),
        verdict: verdict(ratios.iter().map(|&ratio| ratio <= 1.0)),
    }
}
