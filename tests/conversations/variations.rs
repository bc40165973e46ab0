//! Variations (PVs): legal to the last move, ranked; the first move of the best one is played.

use std::collections::HashSet;

use crate::client::{Client, field};
use crate::info::{Info, check_mate, game, last_variation, variations, walk};

/// Openings, middlegames, endgames, tactical positions, and positions close to a draw.
const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r1bq1rk1/pp3ppp/2n1pn2/2pp4/2PP4/P1PBPN2/5PPP/R1BQ1RK1 b - - 0 9",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
    "8/6k1/8/8/8/8/1q6/R3K2R w KQ - 90 80",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 95 60",
    "8/8/8/8/1k6/8/3q4/K7 w - - 0 1",
    "6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1",
    "5k2/8/8/8/8/8/1PK5/8 b - - 3 7",
];

/// Limits that end a search between iterations, and in the middle of one.
const SEARCHES: &[&str] =
    &["go depth 1", "go depth 7", "go nodes 1", "go nodes 1000", "go nodes 7777", "go movetime 20"];

/// Checks that score, depth and line of each variation belong together.
fn check_lines(shown: &[Info]) {
    for (n, info) in shown.iter().enumerate() {
        let is_same = |other: &&Info| (other.depth, &other.pv) == (info.depth, &info.pv);
        let same = shown[..n].iter().filter(|other| other.is_exact).find(is_same);
        assert!(
            !info.is_exact || same.is_none_or(|other| other.score == info.score),
            "{same:?} {info:?}"
        );
    }
}

/// Checks the table that a client shows at the end: the last line of each rank.
fn check_table(shown: &[Info]) {
    let last = |rank| shown.iter().rfind(|info| info.rank == rank);
    let table: Vec<&Info> = (1..).map_while(last).collect();
    let moves: HashSet<&String> = table.iter().map(|info| &info.pv[0]).collect();
    assert_eq!(moves.len(), table.len(), "a move twice: {table:#?}");
    assert!(table.iter().all(|info| info.depth == table[0].depth), "two iterations: {table:#?}");
    assert!(table.is_sorted_by_key(|info| -info.score.worth()), "out of order: {table:#?}");
}

/// Checks the ranks of each depth. The last line may repeat the first rank with all nodes of the search.
fn check_ranks(shown: &[Info]) {
    let repeats = |last: &&Info| {
        last.rank == 1
            && shown.iter().rev().skip(1).any(|info| info.rank == 1 && info.depth == last.depth)
    };
    let repeated = usize::from(shown.last().filter(repeats).is_some());
    let shown = &shown[..shown.len() - repeated];
    let depths: HashSet<u32> = shown.iter().map(|info| info.depth).collect();
    for depth in depths {
        let ranks: Vec<&Info> =
            shown.iter().filter(|info| info.depth == depth && info.is_exact).collect();
        let first_moves: HashSet<&String> = ranks.iter().map(|info| &info.pv[0]).collect();
        assert_eq!(first_moves.len(), ranks.len(), "a move twice: {ranks:#?}");
        assert!(ranks.iter().enumerate().all(|(at, info)| info.rank == at + 1), "{ranks:#?}");
        assert!(ranks.is_sorted_by_key(|info| -info.score.worth()), "out of order: {ranks:#?}");
    }
}

#[test]
fn variations_are_legal_ranked_and_played() {
    let mut client = Client::start();
    for lines_wanted in [1, 3, 256] {
        client.say(&format!("setoption name MultiPV value {lines_wanted}"));
        for fen in POSITIONS {
            for go in SEARCHES {
                let from = game(fen, &[]);
                client.say(&format!("position fen {fen}"));
                let lines = client.search(go);
                let shown = variations(&lines);
                shown.iter().for_each(|info| drop(walk(&from, &info.pv)));
                shown.iter().filter(|info| info.is_exact).for_each(|info| check_mate(&from, info));
                check_ranks(&shown);
                check_lines(&shown);
                check_table(&shown);
                let best = last_variation(&lines).pv[0].clone();
                let answer = lines.last().unwrap();
                assert_eq!(field(answer, "bestmove"), Some(best.as_str()), "{fen}, {go}");
                let reply = field(answer, "ponder").map(str::to_string);
                let shown_reply = last_variation(&lines).pv.get(1).cloned();
                assert!(
                    shown_reply.is_none() || reply.is_none() || reply == shown_reply,
                    "{lines:#?}"
                );
                walk(&from, &[Some(best), reply].into_iter().flatten().collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn every_legal_move_can_have_its_variation() {
    let mut client = Client::start();
    client.say("setoption name MultiPV value 256");
    let shown = variations(&client.search("go depth 3"));
    let last: Vec<&Info> = shown.iter().filter(|info| info.depth == 3).collect();
    assert_eq!(last.len(), 20);
    assert_eq!(last.last().unwrap().rank, 20);
}

#[test]
fn only_the_requested_moves_have_variations() {
    let mut client = Client::start();
    client.say("setoption name MultiPV value 5");
    let shown = variations(&client.search("go depth 5 searchmoves a2a3 h2h3"));
    let mut moves: Vec<&str> = shown.iter().map(|info| info.pv[0].as_str()).collect();
    moves.sort_unstable();
    moves.dedup();
    assert_eq!(moves, ["a2a3", "h2h3"]);
}
