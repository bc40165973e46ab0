//! Invalid input. The program answers, and goes on.

use crate::client::{Client, best_moves};

#[test]
fn unknown_commands_get_a_remark() {
    let mut client = Client::start();
    for line in ["xyzzy", "isreadyfoo", "debug", "debug perhaps", "register", "Position?"] {
        let lines = client.ask(line);
        assert!(lines.len() == 1 && lines[0].starts_with("info string "), "{line}: {lines:?}");
    }
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    let mut client = Client::start();
    let lines = client.ask("joho debug on");
    assert!(lines.len() == 1 && lines[0].contains("joho"), "{lines:?}");
    assert!(!client.ask("position startpos").is_empty(), "debug is on");
}

#[test]
fn comments_and_empty_lines_are_silent() {
    let mut client = Client::start();
    for line in ["", "   ", "\t", "# quit", "#go infinite", "\r"] {
        assert_eq!(client.ask(line), Vec::<String>::new(), "{line:?}");
    }
}

#[test]
fn registration_is_accepted_in_silence() {
    let mut client = Client::start();
    assert_eq!(client.ask("register later"), Vec::<String>::new());
    assert_eq!(client.ask("register name Ada code 1815"), Vec::<String>::new());
}

#[test]
fn bytes_that_are_not_text() {
    let mut client = Client::start();
    for bytes in [&b"\0\0\0\n"[..], b"\xff\xfe\xfd\n", b"go\0 depth 1\n", b"position \xc3\x28\n"] {
        client.say_bytes(bytes);
        let lines = client.sync();
        assert!(lines.iter().all(|line| line.starts_with("info string ")), "{lines:?}");
    }
    client.search("go depth 1");
}

#[test]
fn very_long_lines() {
    let mut client = Client::start();
    for word in ["x", "go ", "position ", "e2e4 ", "setoption name "] {
        client.say(&word.repeat(200_000));
        client.say("stop");
        for line in client.sync() {
            assert!(line.len() < 1000);
        }
    }
}

#[test]
fn line_endings_of_all_systems_are_accepted() {
    let mut client = Client::start();
    client.say_bytes(b"isready\r\n");
    client.wait_for("readyok");
    client.say_bytes(b"position startpos moves e2e4\r\ngo depth 1\r\n");
    client.wait_for("bestmove");
}

#[test]
fn a_last_line_without_newline_is_executed() {
    let mut client = Client::start();
    client.say_bytes(b"isready\ngo depth 1");
    let (status, _, lines) = client.end();
    assert!(status.success());
    assert_eq!(best_moves(&lines), 1, "{lines:?}");
}

#[test]
fn commands_in_one_packet_are_executed_in_order() {
    let mut client = Client::start();
    client.say_bytes(b"position startpos\ngo infinite\nstop\nisready\nucinewgame\nstop\nuci\n");
    client.wait_for("uciok");
    assert_eq!(best_moves(&client.heard), 1);
}
