//! What the program is for, timed: evaluation in its three forms, the transposition table, SEE and the move picker,
//! perft in each rule set, a search, a level's decision on its depth, and the laboratory's counts.

#![allow(clippy::expect_used, clippy::unwrap_used)]

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use engine::bench;
use engine::evaluation::linear::Weights;
use engine::evaluation::variants::{Task, with_rules};
use engine::evaluation::{Evaluation, Evaluator, KingTerms, Variant};
use engine::play::levels::form::Form;
use engine::play::levels::policy::DepthPolicy;
use engine::rules::perft::perft;
use engine::rules::{KeyedPosition, MoveCode, RuleSet};
use engine::score::Score;
use engine::search::parameters::Parameters;
use engine::search::report::Bound;
use engine::search::table::{Entry, TranspositionTable};
use engine::search::{gains_at_least, pick_all};
use lab::contest::walk;
use lab::dda::leaf_count;
use lab::game::Position as LabPosition;
use lab::games::othello::Othello;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use shakmaty::{Chess, Move, Position};

/// Positions of a random game, one after another, as a search meets them.
fn line(plies: usize) -> Vec<Chess> {
    let mut rng = StdRng::seed_from_u64(2);
    let mut positions = vec![Chess::default()];
    while positions.len() < plies {
        let mut next = positions[positions.len() - 1].clone();
        let moves = next.legal_moves();
        if moves.is_empty() {
            break;
        }
        next.play_unchecked(moves[rng.random_range(0..moves.len())]);
        positions.push(next);
    }
    positions
}

fn brief<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(20);
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(1));
    group
}

/// A line of positions by the difference of one board from the next, as in the search.
fn evaluation(criterion: &mut Criterion) {
    let positions = line(60);
    let mut group = brief(criterion, "evaluation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let forms: [(&str, Evaluation<Chess>); 3] = [
        ("linear", Evaluation::linear(Weights::default())),
        ("tables", KingTerms::default().into()),
        ("network", Evaluation::default()),
    ];
    for (name, evaluator) in forms {
        let mut cache = evaluator.new_cache();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for (ply, position) in positions.iter().enumerate() {
                    black_box(evaluator.evaluate(position, ply, &mut cache));
                }
            });
        });
    }
    group.finish();
}

fn table(criterion: &mut Criterion) {
    let table = TranspositionTable::new(16).unwrap();
    let keys: Vec<u64> = line(60).into_iter().map(|p| KeyedPosition::new(p).key()).collect();
    let entry = Entry {
        code: MoveCode::NONE,
        score: Score::centipawns(20),
        raw_eval: Score::centipawns(15),
        depth: 8,
        bound: Bound::Exact,
        pv: false,
    };
    let mut group = brief(criterion, "transposition table");
    group.throughput(Throughput::Elements(keys.len() as u64));
    group.bench_function("store", |bencher| {
        bencher.iter(|| keys.iter().for_each(|&key| table.store(key, 4, entry)));
    });
    group.bench_function("probe", |bencher| {
        bencher.iter(|| {
            for &key in &keys {
                black_box(table.probe(key, 4));
            }
        });
    });
    group.finish();
}

/// SEE of every capture, and all moves through the picker.
fn ordering(criterion: &mut Criterion) {
    let positions = line(60);
    let captures: Vec<(Chess, Move)> = positions
        .iter()
        .flat_map(|p| p.capture_moves().into_iter().map(|m| (p.clone(), m)))
        .collect();
    let mut group = brief(criterion, "ordering");
    group.throughput(Throughput::Elements(captures.len() as u64));
    group.bench_function("SEE", |bencher| {
        bencher.iter(|| {
            for (position, m) in &captures {
                black_box(gains_at_least(position, *m, black_box(0)));
            }
        });
    });
    let keyed = positions.into_iter().map(KeyedPosition::new).collect();
    let mut pick = pick_all(keyed, TranspositionTable::new(16).unwrap());
    group.throughput(Throughput::Elements(pick() as u64));
    group.bench_function("picker", |bencher| bencher.iter(|| black_box(pick())));
    group.finish();
}

/// Counts the start's tree.
struct Count(u32);

impl Task for Count {
    type Outcome = u64;

    fn run<P: Variant>(self) -> u64 {
        perft(&P::default(), self.0)
    }
}

fn rule_sets(criterion: &mut Criterion) {
    let mut group = brief(criterion, "perft 3");
    for &rules in RuleSet::ALL {
        group.bench_function(rules.name(), |bencher| {
            bencher.iter(|| black_box(with_rules(rules, Count(3))));
        });
    }
    group.finish();
}

fn search(criterion: &mut Criterion) {
    let mut group = brief(criterion, "search");
    group.sample_size(10);
    group.bench_function("the first bench position to depth 10", |bencher| {
        bencher.iter(|| bench::run(RuleSet::Chess, 10, 16, |_| false).unwrap());
    });
    let position = line(40).pop().unwrap();
    let (evaluator, parameters) = (Evaluation::default(), Parameters::default());
    let policy = DepthPolicy::new(Form::Moves, 4);
    group.bench_function("a level's decision on its depth", |bencher| {
        bencher.iter(|| black_box(policy.decide(&position, &evaluator, &parameters)));
    });
    group.finish();
}

fn laboratory(criterion: &mut Criterion) {
    let mut group = brief(criterion, "laboratory");
    let free = [6, 5, 3, 6, 2, 6, 4];
    group.bench_function("Connect Four's leaves without a walk", |bencher| {
        bencher.iter(|| black_box(leaf_count(black_box(&free), 8)));
    });
    let othello = LabPosition::new(Othello::default());
    group.bench_function("Othello's leaves by a walk", |bencher| {
        bencher.iter(|| black_box(walk(&othello, 5)));
    });
    group.finish();
}

criterion_group!(benches, evaluation, table, ordering, rule_sets, search, laboratory);
criterion_main!(benches);
