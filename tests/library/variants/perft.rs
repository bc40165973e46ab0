//! Published leaf counts. Those of the starting positions are here; more are read from test data beside the
//! repository.

use std::fs;

use engine::evaluation::Variant;
use engine::evaluation::variants::{Task, with_rules};
use engine::rules::perft::perft;
use engine::rules::{RuleSet, Rules};
use shakmaty::MoveList;

use super::read;
use crate::common::test_data;

/// Leaf counts through the noisy and quiet generators.
fn by_generators<P: Rules>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let checkers = position.checkers();
    let mut moves = MoveList::new();
    position.noisy_moves(checkers, &mut moves);
    position.quiet_moves(checkers, &mut moves);
    let after = |m| {
        let mut after = position.clone();
        after.play_unchecked(m);
        after
    };
    moves.into_iter().map(|m| by_generators(&after(m), depth - 1)).sum()
}

/// An expected count: FEN (empty: the start), depth, leaves.
struct Count<'a>(&'a str, u32, u64);

impl Task for Count<'_> {
    type Outcome = ();

    fn run<P: Variant>(self) {
        let Count(fen, depth, count) = self;
        let position: P = if fen.is_empty() { P::default() } else { read(fen) };
        assert_eq!(perft(&position, depth), count, "{} {fen}", P::NAME);
        assert_eq!(by_generators(&position, depth), count, "{} {fen} by generators", P::NAME);
    }
}

/// <https://github.com/niklasf/python-chess>, `examples/perft`, and the chess counts for the rule sets that
/// differ from chess only later.
#[test]
fn from_the_start() {
    for (rule_set, depth, count) in [
        (RuleSet::Atomic, 4, 197_326),
        (RuleSet::Antichess, 4, 153_299),
        (RuleSet::KingOfTheHill, 4, 197_281),
        (RuleSet::ThreeCheck, 4, 197_281),
        (RuleSet::Crazyhouse, 4, 197_281),
        (RuleSet::Crazyhouse, 5, 4_888_832),
        (RuleSet::RacingKings, 4, 296_242),
        (RuleSet::Horde, 4, 23_310),
    ] {
        with_rules(rule_set, Count("", depth, count));
    }
}

/// Positions where the rule sets differ from chess. Counts published with shakmaty
/// (`tests/*.perft`).
#[test]
fn from_positions_of_their_own() {
    for (rule_set, fen, counts) in [
        (
            RuleSet::Atomic,
            "rn1qkb1r/p5pp/2p5/3p4/N3P3/5P2/PPP4P/R1BQK3 w Qkq -",
            &[28, 833, 23_353][..],
        ),
        (RuleSet::Atomic, "8/8/8/8/8/8/2k5/rR4KR w KQ -", &[18, 180, 4364, 61_401]),
        (RuleSet::Antichess, "8/1p6/8/8/8/8/P7/8 w - -", &[2, 4, 4, 3]),
        (RuleSet::Antichess, "8/2p5/8/8/8/8/P7/8 w - -", &[2, 4, 4, 4]),
        (
            RuleSet::ThreeCheck,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 1+1",
            &[48, 2039, 97_848],
        ),
        (RuleSet::ThreeCheck, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 1+1", &[26, 562, 13_410]),
        (RuleSet::Crazyhouse, "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - -", &[301, 75_353]),
        (RuleSet::Crazyhouse, "4k3/1Q~6/8/8/4b3/8/Kpp5/8/ b - -", &[20, 360, 5445, 132_758]),
        (RuleSet::RacingKings, "4brn1/2K2k2/8/8/8/8/8/8 w - -", &[6, 33, 178, 3151]),
        (RuleSet::Horde, "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - -", &[30, 241, 6633]),
    ] {
        for (depth, &count) in (1..).zip(counts) {
            with_rules(rule_set, Count(fen, depth, count));
        }
    }
}

/// The whole collections; only counts small enough for a test.
#[test]
fn collected_positions() {
    const HIGHEST_COUNT: u64 = 500_000;
    let mut checked = 0;
    for (rule_set, name) in [
        (RuleSet::Atomic, "perft/atomic.perft"),
        (RuleSet::Antichess, "perft/giveaway.perft"),
        (RuleSet::ThreeCheck, "perft/3check.perft"),
        (RuleSet::Crazyhouse, "perft/crazyhouse.perft"),
        (RuleSet::RacingKings, "perft/racingkings.perft"),
        (RuleSet::Horde, "perft/horde.perft"),
    ] {
        let Some(path) = test_data(name) else { continue };
        let text = fs::read_to_string(path).expect("readable test data");
        let mut fen = "";
        for line in text.lines() {
            match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                ["epd", ..] => fen = line.trim_start_matches("epd").trim(),
                ["perft", depth, count] => {
                    let count: u64 = count.parse().expect("a count");
                    if count <= HIGHEST_COUNT {
                        let depth = depth.parse().expect("a depth");
                        with_rules(rule_set, Count(fen, depth, count));
                        checked += 1;
                    }
                }
                _ => (),
            }
        }
    }
    println!("{checked} collected counts checked");
}
