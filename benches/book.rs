//! What a look into the book costs: the moves of one position, and a whole choice with its remark.

use std::hint::black_box;

use ajedrecista::book::Book;
use ajedrecista::book::own::{Options, OwnBook};
use ajedrecista::rules::{Game, Situation, setup};
use criterion::{Criterion, criterion_group, criterion_main};
use shakmaty::{CastlingMode, Chess};

fn book(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("book");
    let start = Situation::new(Chess::default());
    let embedded = Book::embedded();
    group.bench_function("moves, start of the game", |bencher| {
        bencher.iter(|| black_box(embedded.moves(black_box(&start))))
    });
    let bare = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let Ok((bare, _)) = setup::position(bare, CastlingMode::Standard) else { return };
    let unknown = Situation::<Chess>::new(bare);
    group.bench_function("moves, position that the book does not know", |bencher| {
        bencher.iter(|| black_box(embedded.moves(black_box(&unknown))))
    });
    let options = Options { enabled: true, file: String::new(), depth: 40, variety: 100, seed: 1 };
    let own = OwnBook::new(options);
    let game = Game::new(Chess::default());
    group.bench_function("choice with remark", |bencher| {
        bencher.iter(|| black_box(own.choose(black_box(&game))))
    });
    group.finish();
}

criterion_group!(benches, book);
criterion_main!(benches);
