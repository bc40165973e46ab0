//! The cost of the rules for the search, per call: the fast functions beside shakmaty's own, over the same
//! 300 middlegame and endgame positions. A reported time covers all of them.

#![allow(clippy::expect_used, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::rules::{KeyedPosition, MoveCode, Rules};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use shakmaty::{Bitboard, Chess, Move, MoveList, Position};

const COUNT: usize = 300;

/// A position, its checkers, a legal move and one from another position.
struct Sample {
    keyed: KeyedPosition<Chess>,
    position: Chess,
    checkers: Bitboard,
    legal: Move,
    foreign: Move,
}

fn samples() -> Vec<Sample> {
    let mut rng = StdRng::seed_from_u64(1);
    let mut samples = Vec::new();
    while samples.len() < COUNT {
        let mut position = Chess::default();
        for ply in 0..80 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let captures: MoveList = moves.iter().copied().filter(|m| m.is_capture()).collect();
            let choice = if captures.is_empty() || ply < 16 { &moves } else { &captures };
            let legal = choice[rng.random_range(0..choice.len())];
            if ply > 8 && ply % 9 == 0 {
                let checkers = position.checkers();
                samples.push(Sample {
                    keyed: KeyedPosition::new(position.clone()),
                    position: position.clone(),
                    checkers,
                    legal,
                    foreign: legal,
                });
            }
            position.play_unchecked(if ply % 3 == 0 {
                legal
            } else {
                moves[rng.random_range(0..moves.len())]
            });
        }
    }
    samples.truncate(COUNT);
    let next: Vec<Move> = samples.iter().map(|sample| sample.legal).collect();
    for (i, sample) in samples.iter_mut().enumerate() {
        sample.foreign = next[(i + 2) % COUNT];
    }
    samples
}

fn rules(criterion: &mut Criterion) {
    let samples = samples();
    let mut group = criterion.benchmark_group("rules");
    group.throughput(Throughput::Elements(COUNT as u64));
    group.sample_size(40);
    group.warm_up_time(std::time::Duration::from_millis(500));
    group.measurement_time(std::time::Duration::from_secs(2));

    let mut each = |name: &str, question: &mut dyn FnMut(&Sample)| {
        group.bench_function(name, |bencher| {
            bencher.iter(|| samples.iter().for_each(&mut *question))
        });
    };

    each("legal_moves (shakmaty)", &mut |s| {
        black_box(s.position.legal_moves());
    });
    each("capture_moves (shakmaty)", &mut |s| {
        black_box(s.position.capture_moves());
    });
    let mut moves = MoveList::new();
    each("noisy_moves", &mut |s| {
        moves.clear();
        s.position.noisy_moves(s.checkers, &mut moves);
        black_box(&mut moves);
    });
    each("quiet_moves", &mut |s| {
        moves.clear();
        s.position.quiet_moves(s.checkers, &mut moves);
        black_box(&mut moves);
    });
    each("noisy_moves and quiet_moves", &mut |s| {
        moves.clear();
        s.position.noisy_moves(s.checkers, &mut moves);
        s.position.quiet_moves(s.checkers, &mut moves);
        black_box(&mut moves);
    });
    each("is_legal, legal move (shakmaty)", &mut |s| {
        black_box(s.position.is_legal(black_box(s.legal)));
    });
    each("is_playable, legal move", &mut |s| {
        black_box(s.position.is_playable(s.checkers, black_box(s.legal)));
    });
    each("is_playable, foreign move", &mut |s| {
        black_box(s.position.is_playable(s.checkers, black_box(s.foreign)));
    });
    each("MoveCode::pack", &mut |s| {
        black_box(MoveCode::pack(black_box(s.legal)));
    });
    let codes: Vec<MoveCode> = samples.iter().map(|s| MoveCode::pack(s.legal)).collect();
    let mut next = 0;
    each("decode", &mut |s| {
        black_box(s.position.unpack(s.checkers, codes[next]));
        next = (next + 1) % COUNT;
    });
    each("clone and play_unchecked (shakmaty)", &mut |s| {
        let mut after = s.position.clone();
        after.play_unchecked(s.legal);
        black_box(&after);
    });
    each("play with keys and checkers", &mut |s| {
        black_box(s.keyed.play(s.legal));
    });
    each("swap_turn (shakmaty)", &mut |s| {
        black_box(s.position.clone().swap_turn().ok());
    });
    each("pass", &mut |s| {
        black_box(s.position.pass());
    });
    each("checkers (shakmaty)", &mut |s| {
        black_box(s.position.checkers());
    });
    group.finish();
}

criterion_group!(benches, rules);
criterion_main!(benches);
