//! Mates: found, announced in moves, with their whole variation, and before draws.

use crate::client::{Client, field};
use crate::info::{Score, check_mate, game, last_variation, variations};

/// Problems and game positions, by the number of moves to mate.
const MATES: &[(i32, &str)] = &[
    (1, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"),
    // Morphy's problem: only a rook offer leaves Black without a good move.
    (2, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"),
    // The smothered mate.
    (2, "r4r1k/6pp/7N/8/2Q5/8/5PPP/6K1 w - - 0 1"),
    // Morphy at the opera.
    (2, "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 1"),
    // The legacy of Légal.
    (2, "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1"),
    // By promotion to a knight.
    (2, "1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 1 1"),
    (2, "8/6K1/1p1B1RB1/8/2Q5/2n1kP1N/3b4/4n3 w - - 0 1"),
    (2, "B7/K1B1p1Q1/5r2/7p/1P1kp1bR/3P3R/1P1NP3/2n5 w - - 0 1"),
    (2, "r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 1"),
    (2, "5rk1/1p1q2bp/p2pN1p1/2pP2Bn/2P3P1/1P6/P4QKP/5R2 w - - 0 1"),
    // Discovered checks.
    (3, "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"),
    // Promotions to knights.
    (3, "5B2/6P1/1p6/8/1N6/kP6/2K5/8 w - - 0 1"),
    (3, "8/R7/4kPP1/3ppp2/3B1P2/1K1P1P2/8/8 w - - 0 1"),
    // A king hunted across the board.
    (3, "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1"),
    (3, "2r3k1/p4p2/3Rp2p/1p2P1pK/8/1P4P1/P3Q2P/1q6 b - - 0 1"),
    (3, "r2n1rk1/1ppb2pp/1p1p4/3Ppq1n/2B3P1/2P4P/PP1N1P1K/R2Q1RN1 b - - 0 1"),
    (3, "1n1N2rk/2Q2pb1/p3p2p/Pq2P3/3R4/6B1/1P3P1P/6K1 w - - 0 1"),
    (4, "Q7/p1p1q1pk/3p2rp/4n3/3bP3/7b/PP3PPK/R1B2R2 b - - 0 1"),
    (4, "r1bqr3/ppp1B1kp/1b4p1/n2B4/3PQ1P1/2P5/P4P2/RN4K1 w - - 1 1"),
    (4, "r2r1n2/pp2bk2/2p1p2p/3q4/3PN1QP/2P3R1/P4PP1/5RK1 w - - 0 1"),
    (4, "r3rk2/6b1/q2pQBp1/1NpP4/1n2PP2/nP6/P3N1K1/R6R w - - 0 1"),
    (5, "6r1/p3p1rk/1p1pPp1p/q3n2R/4P3/3BR2P/PPP2QP1/7K w - - 0 1"),
    (5, "2q1nk1r/4Rp2/1ppp1P2/6Pp/3p1B2/3P3P/PPP1Q3/6K1 w - - 0 1"),
    (5, "4rb1k/2pqn2p/6pn/ppp3N1/P1QP2b1/1P2p3/2B3PP/B3RRK1 w - - 0 24"),
];

/// Far more nodes than any of the problems needs.
const PLENTY: u64 = 20_000_000;

#[test]
fn mates_in_one_to_five_are_found_and_shown_to_the_end() {
    let mut client = Client::start();
    for &(moves, fen) in MATES {
        client.say("ucinewgame");
        client.say(&format!("position fen {fen}"));
        let lines = client.search(&format!("go mate {moves} nodes {PLENTY}"));
        let info = last_variation(&lines);
        assert_eq!(info.score, Score::Mate(moves), "{fen}: {info:?}");
        check_mate(&game(fen, &[]), &info);
        let last = lines.last().unwrap();
        assert_eq!(field(last, "bestmove"), Some(info.pv[0].as_str()));
        assert_eq!(field(last, "ponder"), info.pv.get(1).map(String::as_str), "{last}");
    }
}

#[test]
fn every_mate_that_is_announced_is_shown_to_the_end() {
    let mut client = Client::start();
    client.say("setoption name MultiPV value 3");
    for &(_, fen) in MATES {
        client.say(&format!("position fen {fen}"));
        for info in variations(&client.search("go depth 9")) {
            if info.is_exact {
                check_mate(&game(fen, &[]), &info);
            }
        }
    }
}

/// The elected move comes from another thread, whose line the first one has never reported.
#[test]
fn several_threads_show_every_mate_to_the_end() {
    let mut client = Client::start();
    client.say("setoption name Threads value 4");
    let (mut whole, mut cut) = (0, 0);
    for &(moves, fen) in MATES {
        // The mating side, and the side that is mated.
        for played in [0, 1] {
            let own = last_variation(&{
                client.say(&format!("position fen {fen}"));
                client.search(&format!("go mate {moves} nodes 300000"))
            });
            if own.pv.len() <= played {
                continue;
            }
            let played = &own.pv[..played];
            client.say("ucinewgame");
            client.say(&format!("position fen {fen} moves {}", played.join(" ")));
            for go in ["go nodes 3000", "go nodes 20000", "go movetime 60"] {
                for info in variations(&client.search(go)) {
                    if let Score::Mate(_) = info.score {
                        whole += usize::from(info.is_exact);
                        cut += usize::from(!info.is_exact);
                    }
                    if info.is_exact {
                        check_mate(&game(fen, played), &info);
                    }
                }
            }
        }
    }
    assert!(whole > 100 && cut * 20 < whole, "{whole} lines to the end, {cut} cut");
}

#[test]
fn a_search_for_a_mate_ends_when_one_is_found() {
    let mut client = Client::start();
    client.say("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    for go in ["go mate 1", "go mate 3", "go mate 1 depth 90", "go infinite mate 1"] {
        client.say(go);
        if go.contains("infinite") {
            client.say("stop");
        }
        assert_eq!(client.wait_for("bestmove"), "bestmove a1a8", "{go}");
    }
}

/// A mate sooner than asked for ends the search at once, one that comes later does not.
#[test]
fn a_search_for_a_mate_ends_when_the_mate_is_short_enough() {
    let mut client = Client::start();
    client.say("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    let info = last_variation(&client.search("go mate 5"));
    assert!(info.score == Score::Mate(1) && info.depth < 5, "{info:?}");
    let &(_, fen) = MATES.iter().find(|(moves, _)| *moves == 3).unwrap();
    client.say("ucinewgame");
    client.say(&format!("position fen {fen}"));
    let info = last_variation(&client.search("go mate 2 depth 12"));
    assert!(info.score == Score::Mate(3) && info.depth == 12, "{info:?}");
}

/// Without other limits, too, a mate is found if there is one, and its absence ends the search.
#[test]
fn a_search_for_a_mate_ends_with_the_mate_or_without() {
    let mut client = Client::start();
    for &(moves, fen) in MATES.iter().filter(|(moves, _)| *moves <= 4) {
        client.say("ucinewgame");
        client.say(&format!("position fen {fen}"));
        let info = last_variation(&client.search(&format!("go mate {moves}")));
        assert_eq!(info.score, Score::Mate(moves), "{fen}: {info:?}");
        check_mate(&game(fen, &[]), &info);
        if moves > 1 {
            client.say("ucinewgame");
            let lines = client.search(&format!("go mate {}", moves - 1));
            assert!(!matches!(last_variation(&lines).score, Score::Mate(n) if n < moves), "{fen}");
        }
    }
    let lines = client.search("go mate 1 movetime 600000");
    assert!(lines.last().unwrap().starts_with("bestmove"));
}

#[test]
fn a_search_for_a_missing_mate_ends_by_the_other_limits() {
    let mut client = Client::start();
    let lines = client.search("go mate 2 depth 5");
    assert_eq!(last_variation(&lines).depth, 5);
}

#[test]
fn mate_on_the_hundredth_half_move_is_mate() {
    let mut client = Client::start();
    for (fen, score) in [
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 99 80", Some(1)),
        ("7k/8/8/8/8/8/R7/1R5K w - - 97 80", Some(2)),
        // Here the fifty moves are over before the mate.
        ("7k/8/8/8/8/8/R7/1R5K w - - 98 80", None),
    ] {
        client.say(&format!("position fen {fen}"));
        let info = last_variation(&client.search("go depth 8"));
        assert_eq!(info.score, score.map_or(Score::Centipawns(0), Score::Mate), "{fen}");
    }
}
