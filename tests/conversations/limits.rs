//! Every limit of `go`, alone and combined; among them those that vampirc-uci would lose
//! or panic on.

use std::time::{Duration, Instant};

use crate::client::{Client, field};

/// The depth of the last info line of a search.
fn depth(lines: &[String]) -> u32 {
    let info = lines.iter().rev().find(|line| line.contains(" pv ")).unwrap();
    field(info, "depth").unwrap().parse().unwrap()
}

fn timed_search(client: &mut Client, go: &str) -> (Vec<String>, Duration) {
    let started = Instant::now();
    let lines = client.search(go);
    (lines, started.elapsed())
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
        let (_, elapsed) = timed_search(&mut client, &format!("{go} movetime 50"));
        assert!(elapsed < Duration::from_secs(2), "{go}");
    }
}

#[test]
fn the_first_limit_hit_ends_the_search() {
    let mut client = Client::start();
    for go in [
        "go depth 2 movetime 60000",
        "go movetime 60000 depth 2",
        "go nodes 500 wtime 600000 btime 600000 depth 90",
        "go wtime 600000 btime 600000 movetime 50",
        "go movetime 50 nodes 999999999999",
        "go depth 99999999999 movetime 50",
        "go nodes 99999999999999999999999 movetime 50",
    ] {
        let (_, elapsed) = timed_search(&mut client, go);
        assert!(elapsed < Duration::from_secs(2), "{go}: {elapsed:?}");
    }
}

#[test]
fn movetime_is_used() {
    let mut client = Client::start();
    let (_, elapsed) = timed_search(&mut client, "go movetime 300");
    assert!(elapsed > Duration::from_millis(200), "{elapsed:?}");
    // How little the time is overstepped is the clock's own test; this machine may be busy.
    assert!(elapsed < Duration::from_millis(900), "{elapsed:?}");
}

#[test]
fn clocks_that_have_run_out_still_get_a_move() {
    let mut client = Client::start();
    for go in [
        "go wtime 0 btime 0",
        "go wtime -50 btime -50 winc 0 binc 0",
        "go wtime 1 btime 1 movestogo 1",
        "go wtime 10 btime 10 winc 10 binc 10 movestogo 0",
        "go movetime 0",
        "go movetime -1",
        "go wtime -99999999999999999999 btime 5",
    ] {
        let (lines, elapsed) = timed_search(&mut client, go);
        assert!(elapsed < Duration::from_secs(1), "{go}: {elapsed:?}");
        assert!(!lines.last().unwrap().contains("(none)"), "{go}");
    }
}

#[test]
fn only_the_moves_named_are_searched() {
    let mut client = Client::start();
    for go in ["go searchmoves a2a3 depth 4", "go depth 4 searchmoves a2a3"] {
        let lines = client.search(go);
        assert_eq!(field(lines.last().unwrap(), "bestmove"), Some("a2a3"), "{go}");
    }
    let lines = client.search("go searchmoves h2h3 0000 e7e5 depth 3");
    assert_eq!(field(lines.last().unwrap(), "bestmove"), Some("h2h3"));
}

#[test]
fn unknown_words_are_named_and_cut_nothing() {
    let mut client = Client::start();
    let lines = client.search("go quickly depth 3 please nodes 99999999");
    assert!(lines[0].starts_with("info string ") && lines[0].contains("quickly please"));
    assert_eq!(depth(&lines), 3);
    let lines = client.search("go depth x movetime 20");
    assert!(lines[0].starts_with("info string ") && lines[0].contains("depth"));
}

#[test]
fn mate_search_ends_when_the_mate_is_found() {
    let mut client = Client::start();
    client.say("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    let (lines, elapsed) = timed_search(&mut client, "go mate 1 movetime 20000");
    assert!(elapsed < Duration::from_secs(5));
    assert_eq!(lines.last().unwrap(), "bestmove a1a8");
}

#[test]
fn perft_counts_and_names_its_usage() {
    let mut client = Client::start();
    assert!(client.ask("go perft 2").contains(&"Nodes searched: 400".to_string()));
    for line in ["go perft", "go perft x", "go perft -1"] {
        let lines = client.ask(line);
        assert!(lines.len() == 1 && lines[0].starts_with("info string "), "{line}: {lines:?}");
    }
}
