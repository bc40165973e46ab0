//! The targets of `fuzz/` as property tests, and input that ends at any byte.

use std::env;
use std::panic::catch_unwind;
use std::time::Instant;

use engine::book::{Book, games};
use engine::evaluation::tables;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use shell::source;

use crate::targets;

/// Tries of each target in an ordinary run; `HOSTILE_CASES` sets another number.
const CASES: u32 = 80;

fn cases() -> u32 {
    env::var("HOSTILE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(CASES)
}

#[test]
fn no_bytes_upset_a_target() {
    for (name, target) in targets::ALL {
        let started = Instant::now();
        let mut runner = TestRunner::new(Config::with_cases(cases()));
        let result = runner.run(&prop::collection::vec(any::<u8>(), 0..200), |bytes| {
            target(&bytes);
            Ok(())
        });
        assert!(result.is_ok(), "{name}: {result:?}");
        println!("{name}: {} inputs in {:.1} s", cases(), started.elapsed().as_secs_f64());
    }
}

/// A client may die in the middle of a word.
#[test]
fn a_conversation_may_end_at_any_byte() {
    let text = "uci\nisready\nposition startpos moves e2e4\ngo nodes 50\nsetoption name Hash value 2\n\
                go infinite\nstop\nposition fen 8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\ngo ponder depth 2\nquit\n";
    for end in 0..=text.len() {
        let heard = targets::converse(&text.as_bytes()[..end]);
        let moves = heard.iter().filter(|line| line.starts_with("bestmove")).count();
        let searches = text[..end].lines().filter(|line| line.starts_with("go")).count();
        assert_eq!(moves, searches, "{}", &text[..end]);
    }
}

#[test]
fn files_may_end_at_any_byte() {
    let book = include_bytes!("../../openings/book.bin");
    for end in 1..200 {
        assert_eq!(Book::from_bytes(book[..end].to_vec()).is_ok(), end % 16 == 0, "{end}");
    }
    let text = include_str!("../../crates/engine/src/evaluation/variants/chess.txt");
    let last_line = text.trim_end().rfind('\n').unwrap();
    for end in (0..last_line).step_by(61) {
        let cut = text.get(..end).map(tables::read);
        assert!(cut.is_none_or(|read| read.is_err()), "{end}");
    }
    let games = include_str!("../../openings/a.pgn");
    for end in (0..4000).filter(|&end| games.is_char_boundary(end)) {
        let mut broken = 0;
        let read = |found| matches!(found, games::ReadGame::Broken(_));
        games::read(&games.as_bytes()[..end], 99, &|_| true, &mut |_, found| {
            broken += u32::from(read(found));
        });
        assert!(broken <= 1, "only the last game can be broken: {end}");
    }
    for end in 0..40 {
        assert!(catch_unwind(|| drop(source::text(&book[..end]))).is_ok());
    }
}
