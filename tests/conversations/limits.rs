//! Every limit of `go`, alone and combined, with those that vampirc-uci loses or panics on.

use std::time::{Duration, Instant};

use crate::client::{Client, field};

/// The depth of the last info line of a search.
fn depth(lines: &[String]) -> u32 {
    let info = lines.iter().rev().find(|line| line.contains(" pv ")).unwrap();
    field(info, "depth").unwrap().parse().unwrap()
}

#[test]
fn depth_is_exact() {
    let mut client = Client::start();
    for wanted in 1..=5 {
        assert_eq!(depth(&client.search(&format!("go depth {wanted}"))), wanted);
    }
}

#[test]
fn numbers_that_vampirc_uci_panics_on() {
    let mut client = Client::start();
    for go in ["go depth 256", "go mate 999", "go movestogo 300"] {
        client.search(&format!("{go} movetime 50"));
    }
}

#[test]
fn the_first_limit_hit_ends_the_search() {
    let mut client = Client::start();
    // Each ends at once by one of its limits, and not during the test by the others.
    for go in [
        "go depth 2 movetime 6000000",
        "go movetime 6000000 depth 2",
        "go nodes 500 wtime 60000000 btime 60000000 depth 90",
        "go wtime 60000000 btime 60000000 movetime 50",
        "go movetime 50 nodes 999999999999",
        "go depth 99999999999 movetime 50",
        "go nodes 99999999999999999999999 movetime 50",
        "go mate 1 wtime 60000000 btime 60000000 winc 0 binc 0 movestogo 1 depth 3 nodes 90000000",
        "go searchmoves e2e4 d2d4 wtime 60000000 btime 60000000 movetime 6000000 mate 9 nodes 2000",
    ] {
        client.search(go);
    }
}

#[test]
fn nodes_are_counted_exactly() {
    let mut client = Client::start();
    for wanted in [1000, 5000, 33_333] {
        client.say("ucinewgame");
        let lines = client.search(&format!("go nodes {wanted}"));
        let searched = |line: &String| field(line, "nodes").and_then(|text| text.parse().ok());
        let last: u32 = lines.iter().rev().find_map(searched).unwrap();
        assert!(last <= wanted, "{last} of {wanted}");
    }
}

#[test]
fn movetime_is_used() {
    let mut client = Client::start();
    let mut time_of_a_move = || {
        let started = Instant::now();
        client.search("go movetime 300");
        started.elapsed()
    };
    let times: Vec<Duration> = (0..3).map(|_| time_of_a_move()).collect();
    assert!(times.iter().all(|time| *time > Duration::from_millis(200)), "{times:?}");
    // The exact end is a test of the clock; this machine may be busy.
    assert!(times.iter().any(|time| *time < Duration::from_millis(900)), "{times:?}");
}

#[test]
fn expired_clocks_still_get_a_move() {
    let mut client = Client::start();
    for go in [
        "go wtime 0 btime 0",
        "go wtime -50 btime -50 winc 0 binc 0",
        "go wtime 1 btime 1 movestogo 1",
        "go wtime 10 btime 10 winc 10 binc 10 movestogo 0",
        "go wtime 100 btime 100 winc -1000 binc -1000 movestogo -3",
        "go movetime 0",
        "go movetime -1",
        "go wtime -99999999999999999999 btime 5",
    ] {
        let lines = client.search(go);
        assert!(!lines.last().unwrap().contains("(none)"), "{go}");
    }
}

#[test]
fn only_the_requested_moves_are_searched() {
    let mut client = Client::start();
    for go in ["go searchmoves a2a3 depth 4", "go depth 4 searchmoves a2a3"] {
        let lines = client.search(go);
        assert_eq!(field(lines.last().unwrap(), "bestmove"), Some("a2a3"), "{go}");
    }
    let lines = client.search("go searchmoves h2h3 0000 e7e5 depth 3");
    assert_eq!(field(lines.last().unwrap(), "bestmove"), Some("h2h3"));
}

#[test]
fn unknown_words_are_reported_and_cut_nothing() {
    let mut client = Client::start();
    let lines = client.search("go quickly depth 3 please nodes 99999999");
    assert!(lines[0].starts_with("info string ") && lines[0].contains("quickly please"));
    assert_eq!(depth(&lines), 3);
    let lines = client.search("go depth x movetime 20");
    assert!(lines[0].starts_with("info string ") && lines[0].contains("depth"));
}

#[test]
fn perft_counts_and_names_its_usage() {
    let mut client = Client::start();
    assert!(client.ask("go perft 2").contains(&"Nodes searched: 400".to_string()));
    for line in ["go perft", "go perft x", "go perft -1", "go perft 100000"] {
        let lines = client.ask(line);
        assert!(lines.len() == 1 && lines[0].starts_with("info string "), "{line}: {lines:?}");
    }
}

#[test]
fn the_last_report_counts_all_nodes_and_keeps_the_score() {
    let mut client = Client::start();
    for (go, answer) in [("go infinite", "stop"), ("go ponder wtime 100 btime 100", "ponderhit")] {
        let from = client.heard.len();
        client.say(go);
        client.listen(Duration::from_millis(150));
        client.say(answer);
        client.wait_for("bestmove");
        let shown: Vec<&String> =
            client.heard[from..].iter().filter(|line| line.contains(" nodes ")).collect();
        let nodes = |line: &str| field(line, "nodes").unwrap().parse::<u64>().unwrap();
        let last = shown.last().unwrap();
        assert!(shown.iter().all(|line| nodes(line) <= nodes(last)), "{shown:#?}");
        let best = field(client.heard.last().unwrap(), "bestmove");
        assert_eq!(field(last, "pv"), best, "{shown:#?}");
        // Of a move that only the unfinished iteration prefers no more than a bound is known.
        let exact = shown.iter().rfind(|line| !line.contains("bound"));
        let is_new = exact.is_none_or(|line| field(line, "pv") != best);
        assert!(is_new || !last.contains("bound"), "{shown:#?}");
    }
}

#[test]
fn illegal_search_moves_are_named() {
    let mut client = Client::start();
    let remark = |lines: Vec<String>| lines[0].clone();
    let none = remark(client.search("go depth 2 searchmoves e2e5 a7a6"));
    let text = "info string searchmoves: not legal here: e2e5 a7a6";
    assert_eq!(none, format!("{text}; all moves are searched"));
    let lines = client.search("go depth 2 searchmoves e2e5 d2d4");
    assert_eq!(lines[0], "info string searchmoves: not legal here: e2e5");
    assert_eq!(field(lines.last().unwrap(), "bestmove"), Some("d2d4"));
}

/// Any spelling that `position` reads, `searchmoves` reads.
#[test]
fn search_moves_are_read_in_every_spelling() {
    let mut client = Client::start();
    let castling = "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (position, spellings, wanted) in [
        ("startpos", &["d2d4", "D2-D4", "d2-d4", "d4"][..], "d2d4"),
        ("startpos", &["Nf3", "nf3", "Ng1-f3"], "g1f3"),
        (castling, &["O-O", "0-0", "e1g1", "e1h1"], "e1g1"),
    ] {
        client.say(&format!("position {position}"));
        for spelling in spellings {
            let lines = client.search(&format!("go depth 2 searchmoves {spelling}"));
            assert!(!lines[0].contains("searchmoves"), "{spelling}: {lines:?}");
            assert_eq!(field(lines.last().unwrap(), "bestmove"), Some(wanted), "{spelling}");
        }
    }
    client.say("position fen 4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1");
    for (words, remark) in [
        ("zebra", "not legal here: zebra; all moves are searched"),
        ("Ne2 0000", "not legal here: 0000; can mean several moves: Ne2; all moves are searched"),
        ("Nf3 Ne2", "can mean several moves: Ne2"),
    ] {
        let lines = client.search(&format!("go depth 2 searchmoves {words}"));
        assert_eq!(lines[0], format!("info string searchmoves: {remark}"));
    }
    let lines = client.search("go searchmoves depth 2");
    let remark = "info string go: searchmoves without moves; all moves are searched";
    assert_eq!(lines[0], remark);
}

/// A client's fractions and units must not become a search without end.
#[test]
fn numbers_of_any_shape_end_the_search() {
    let mut client = Client::start();
    for (go, remark) in [
        ("go movetime 200.0", "go: movetime \"200.0\" is read as 200"),
        ("go wtime 300.5 btime 300.5", "go: wtime \"300.5\" is read as 300"),
        ("go depth 5.0", "go: depth \"5.0\" is read as 5"),
        ("go wtime 1,000", "go: wtime \"1,000\" is read as 1000"),
        ("go nodes 1000.9", "go: nodes \"1000.9\" is read as 1000"),
        ("go movetime -5.5", "go: movetime \"-5.5\" is read as -5"),
        ("go nodes 1e3", "go: nodes \"1e3\" is read as 1000"),
        ("go movetime 0x10", "go: movetime takes a number, not \"0x10\""),
        ("go movetime", "go: movetime takes a number, not nothing"),
        ("go wtime btime", "go: without a readable limit the search ends after 1000 ms"),
        ("go depth five", "go: without a readable limit the search ends after 1000 ms"),
        ("go mate x", "go: without a readable limit the search ends after 1000 ms"),
    ] {
        let lines = client.search(go);
        let wanted = format!("info string {remark}");
        assert!(lines.contains(&wanted), "{go}: {lines:#?}");
        assert!(!lines.last().unwrap().contains("(none)"), "{go}");
    }
    client.say("go ponder wtime soon btime soon");
    client.say("ponderhit");
    client.wait_for("bestmove");
}

/// A client that sends the other side's clock alone still wants a move in time.
#[test]
fn the_other_side_s_clock_counts_without_an_own_one() {
    let mut client = Client::start();
    for (position, go) in
        [("startpos", "go btime 1000"), ("startpos moves e2e4", "go wtime 1000 winc 10")]
    {
        client.say(&format!("position {position}"));
        let started = Instant::now();
        client.search(go);
        assert!(started.elapsed() < Duration::from_millis(1000), "{go}: {:?}", started.elapsed());
    }
}

#[test]
fn a_search_for_a_mate_that_is_not_there_ends() {
    let mut client = Client::start();
    for moves in 1..=4 {
        client.say("ucinewgame");
        let lines = client.search(&format!("go mate {moves}"));
        assert_eq!(depth(&lines), 2 * moves - 1);
    }
}
