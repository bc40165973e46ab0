//! The cost of a look-up in the book: the moves of one position, and a whole choice with its remark.

#![allow(clippy::expect_used, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use engine::book::Book;
use engine::book::own::{BookOptions, OwnBook};
use engine::book::polyglot::{self, BookEntry, Raw};
use engine::rules::{Game, KeyedPosition, setup};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use shakmaty::{CastlingMode, Chess};

/// A book of a million entries, one of them at `start`.
fn big_book(start: &KeyedPosition<Chess>) -> Book {
    let mut rng = StdRng::seed_from_u64(1);
    let mut entry = |key: Option<u64>| {
        let key = key.unwrap_or_else(|| rng.random());
        // e2e4
        Raw::from(BookEntry { key, code: 0x031c, weight: 1, learn: 0 })
    };
    let mut entries: Vec<Raw> = (1..1_000_000).map(|_| entry(None)).collect();
    entries.push(entry(Some(polyglot::key(start))));
    entries.sort();
    Book::from_bytes(entries.concat()).unwrap()
}

fn book(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("book");
    let start = KeyedPosition::new(Chess::default());
    let embedded = Book::embedded();
    group.bench_function("moves, start of the game", |bencher| {
        bencher.iter(|| black_box(embedded.moves(black_box(&start))))
    });
    let bare = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let (bare, _) = setup::position(bare, CastlingMode::Standard).unwrap();
    let unknown = KeyedPosition::<Chess>::new(bare);
    group.bench_function("moves, position outside the book", |bencher| {
        bencher.iter(|| black_box(embedded.moves(black_box(&unknown))))
    });
    let big = big_book(&start);
    group.bench_function("moves, start of the game, among a million entries", |bencher| {
        bencher.iter(|| black_box(big.moves(black_box(&start))))
    });
    let options =
        BookOptions { enabled: true, file: String::new(), depth: 40, variety: 100, seed: 1 };
    let own = OwnBook::new(options);
    let game = Game::new(Chess::default());
    group.bench_function("choice with remark", |bencher| {
        bencher.iter(|| black_box(own.choose(black_box(&game), None)))
    });
    group.finish();
}

criterion_group!(benches, book);
criterion_main!(benches);
