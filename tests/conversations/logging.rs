//! What the program tells of its work: `RUST_LOG` on standard error, `Debug Log File` in a file.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The program with this filter, and `lines` on its input.
fn logged(filter: &str, arguments: &[&str], lines: &str) -> Output {
    let mut process = Command::new(env!("CARGO_BIN_EXE_engine"))
        .args(arguments)
        .env("RUST_LOG", filter)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    process.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    process.wait_with_output().unwrap()
}

/// The targets on standard error, each once; a command has lines of its own there as well.
fn targets(output: &Output) -> Vec<String> {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    let target = |line: &str| {
        let mut words = line.split_whitespace().skip(1);
        let is_level = |word: &&str| ["INFO", "DEBUG", "TRACE"].contains(word);
        words.next().filter(is_level).and(words.next()).map(str::to_string)
    };
    let mut found: Vec<String> = text.lines().filter_map(target).collect();
    found.sort();
    found.dedup();
    found
}

/// A move from the book, a level's and one of a search.
const MOVES: &str = "position startpos\ngo movetime 50\nsetoption name OwnBook value false\n\
                     setoption name Level value 3\ngo movetime 50\nquit\n";

#[test]
fn a_filter_chooses_targets_and_levels() {
    let output = logged("search=debug,book=trace", &[], MOVES);
    assert_eq!(targets(&output), ["book", "search"]);
    let text = String::from_utf8(output.stderr).unwrap();
    for wanted in
        [" TRACE book (main) e4 weighs ", " DEBUG book (main) book: ", " (search) depth 3 "]
    {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    assert!(!text.contains("TRACE search"), "{text}");
    assert_eq!(targets(&logged("levels=debug", &[], MOVES)), ["levels"]);
    assert_eq!(targets(&logged("debug", &[], MOVES)), ["book", "levels", "search", "uci"]);
}

#[test]
fn every_command_tells_of_its_searches_and_the_answer_stays_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("game.pgn");
    fs::write(&game, "1. e4 e5 2. Nf3 *\n").unwrap();
    let game = game.to_str().unwrap();
    for arguments in [&["bench", "2", "--hash", "1"][..], &["analyse", game, "--nodes", "200"]] {
        let [quiet, talkative] = ["", "search=debug"].map(|filter| logged(filter, arguments, ""));
        assert_eq!(targets(&talkative), ["search"], "{arguments:?}");
        // The speed of bench is another each time.
        let answer = |output: &Output| {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let words: Vec<&str> = text.split_whitespace().collect();
            let speed = if words.last() == Some(&"nps") { 2 } else { 0 };
            words[..words.len() - speed].join(" ")
        };
        assert_eq!(answer(&quiet), answer(&talkative), "{arguments:?}");
    }
}

#[test]
fn a_wrong_filter_is_named_and_stops_nothing() {
    let output = logged("serch=debug", &["perft", "2"], "");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("note: RUST_LOG: \"serch=debug\" is no part of a filter"), "{text}");
    assert_eq!((text.matches("RUST_LOG").count(), output.stdout.as_slice()), (1, &b"400\n"[..]));
}

#[test]
fn a_file_takes_the_same_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a log.txt");
    let file = format!("setoption name Debug Log File value {}\n", path.display());
    let log = |filter: &str| {
        let output = logged(filter, &[], &(file.clone() + MOVES));
        let log = fs::read_to_string(&path).unwrap();
        fs::remove_file(&path).unwrap();
        (log, String::from_utf8(output.stderr).unwrap())
    };
    let (file_alone, silence) = log("");
    assert_eq!(silence, "");
    for wanted in
        [" uci (main) < go movetime 50\n", "> bestmove ", " DEBUG book ", " DEBUG search "]
    {
        assert!(file_alone.contains(wanted), "{wanted}: {file_alone}");
    }
    let (with_filter, on_stderr) = log("levels=debug");
    assert_eq!(on_stderr.lines().count(), 1, "{on_stderr}");
    assert!(with_filter.contains(on_stderr.trim_end()), "{with_filter}");
    assert!(with_filter.contains("> bestmove ") && !with_filter.contains(" search (search) "));
}
