//! Published leaf counts, checked with shakmaty's generator and with the two of the search.

use std::fs;

use engine::rules::perft::{divide, perft};
use engine::rules::setup::{fen, position};
use engine::rules::{MoveCode, PieceKeys, Rules, is_noisy};
use shakmaty::{CastlingMode, Chess, MoveList, Position};

use crate::common::test_data;

fn read(text: &str, mode: CastlingMode) -> Chess {
    position(text, mode).unwrap_or_else(|error| panic!("{text}: {error}")).0
}

/// Perft through the noisy and quiet generators. Checks every key, code and kind of move on the way.
fn perft_by_generators(position: &Chess, key: u64, depth: u32) -> u64 {
    let checkers = position.checkers();
    let mut moves = MoveList::new();
    position.noisy_moves(checkers, &mut moves);
    let noisy = moves.len();
    position.quiet_moves(checkers, &mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut count = 0;
    for (index, &m) in moves.iter().enumerate() {
        assert_eq!(is_noisy(m), index < noisy, "{m:?} in {}", fen(position));
        assert_eq!(position.unpack(checkers, MoveCode::pack(m)), Some(m), "in {}", fen(position));
        let mut after = position.clone();
        after.play_unchecked(m);
        let keys = PieceKeys::new(position.board());
        let pieces = keys.moved(position, m).exploded(m, &after).difference(&keys);
        let key_after = position.key_after(key, pieces, m, &after);
        assert_eq!(key_after, after.key(), "{m:?} in {}", fen(position));
        count += perft_by_generators(&after, key_after, depth - 1);
    }
    count
}

/// Checks the counts at depths 1, 2, … with both kinds of perft.
fn check(text: &str, mode: CastlingMode, counts: &[u64]) {
    let position = read(text, mode);
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(perft(&position, depth), count, "{text} at depth {depth}");
    }
    let depth = counts.len() as u32;
    let by_generators = perft_by_generators(&position, position.key(), depth);
    assert_eq!(Some(&by_generators), counts.last(), "{text} at depth {depth} by generators");
}

/// Checks the count at one depth only.
fn check_depth(text: &str, mode: CastlingMode, depth: u32, count: u64) {
    let position = read(text, mode);
    assert_eq!(perft(&position, depth), count, "{text} at depth {depth}");
    let by_generators = perft_by_generators(&position, position.key(), depth);
    assert_eq!(by_generators, count, "{text} at depth {depth} by generators");
}

/// <https://www.chessprogramming.org/Perft_Results>
#[test]
fn the_usual_six() {
    for (text, counts) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            &[20, 400, 8902, 197_281, 4_865_609][..],
        ),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            &[48, 2039, 97_862, 4_085_603],
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2812, 43_238, 674_624]),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            &[6, 264, 9467, 422_333],
        ),
        (
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            &[6, 264, 9467, 422_333],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            &[44, 1486, 62_379, 2_103_487],
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            &[46, 2079, 89_890, 3_894_594],
        ),
    ] {
        check(text, CastlingMode::Standard, counts);
    }
}

/// Martin Sedlak's positions, each about one rule that is easy to get wrong, and Steven Edwards's
/// promotions.
#[test]
fn tricky_positions() {
    for (text, depth, count) in [
        // En passant would expose the king, or gives check.
        ("8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1", 6, 824_064),
        ("8/8/1k6/8/2pP4/8/5BK1/8 b - d3 0 1", 6, 824_064),
        ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1_134_888),
        ("8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1", 6, 1_440_467),
        // Castling gives check, is prevented, or is lost with a rook.
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661_072),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803_711),
        ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1_274_206),
        ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1_720_476),
        // Promotion out of check, to check, and under-promotion.
        ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3_821_001),
        ("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217_342),
        ("8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92_683),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 5, 3_605_103),
        // Discovered and double check, stalemate and mate.
        ("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1_004_658),
        ("8/5k2/8/5N2/5Q2/2K5/8/8 w - - 0 1", 4, 23_527),
        ("K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2217),
        ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567_584),
    ] {
        check_depth(text, CastlingMode::Standard, depth, count);
    }
}

/// <https://www.chessprogramming.org/Chess960_Perft_Results>, and castling with rooks that X-FEN has to
/// find.
#[test]
fn chess960_positions() {
    for (text, counts) in [
        (
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            &[21, 528, 12_189, 326_672][..],
        ),
        (
            "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
            &[21, 807, 18_002, 667_366],
        ),
        (
            "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9",
            &[20, 479, 10_471, 273_318],
        ),
        (
            "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9",
            &[22, 593, 13_440, 382_958],
        ),
        ("r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1", &[23, 522, 12_333, 285_754]),
        ("8/8/8/4B2b/6nN/8/5P2/2R1K2k w Q - 0 1", &[34, 318, 9002, 118_388]),
        ("2r5/8/8/8/8/8/6PP/k2KR3 w K - 0 1", &[17, 242, 3931, 57_700]),
        ("4r3/3k4/8/8/8/8/6PP/qR1K1R2 w KQ - 0 1", &[19, 628, 12_858, 405_636]),
    ] {
        check(text, CastlingMode::Chess960, counts);
    }
}

/// The larger collections of test data beside the repository; only counts small enough for a test.
#[test]
fn collected_positions() {
    const HIGHEST_COUNT: u64 = 200_000;
    let mut checked = 0;
    for name in ["perft/tricky.perft", "perft/chess960.perft"] {
        let Some(path) = test_data(name) else { continue };
        let text = fs::read_to_string(path).expect("readable test data");
        let mut position = "";
        let mut deepest = (0, 0);
        // An empty line at the end closes the last position too.
        for line in text.lines().chain([""]) {
            match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                ["epd", ..] => position = line.trim_start_matches("epd").trim(),
                ["perft", depth, count] => {
                    let count: u64 = count.parse().expect("a count");
                    if count <= HIGHEST_COUNT {
                        deepest = (depth.parse().expect("a depth"), count);
                    }
                }
                _ if deepest.0 > 0 => {
                    check_depth(position, CastlingMode::Chess960, deepest.0, deepest.1);
                    deepest = (0, 0);
                    checked += 1;
                }
                _ => (),
            }
        }
    }
    println!("{checked} collected positions checked");
}

#[test]
fn depth_zero_counts_the_position_itself() {
    let start = Chess::default();
    assert_eq!(perft(&start, 0), 1);
    assert!(divide(&start, 0).is_empty());
}

#[test]
fn divided_counts_add_up() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let parts = divide(&read(kiwipete, CastlingMode::Standard), 3);
    assert_eq!(parts.len(), 48);
    assert_eq!(parts.iter().map(|(_, count)| count).sum::<u64>(), 97_862);
    let castling = parts.iter().find(|(m, _)| m.to_string() == "O-O").expect("legal");
    assert_eq!(castling.1, 2059);
}

/// A game that is over has no further positions.
#[test]
fn mate_and_stalemate_end_the_count() {
    for text in ["R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        assert_eq!(perft(&read(text, CastlingMode::Standard), 3), 0, "{text}");
    }
}
