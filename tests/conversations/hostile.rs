//! Attacks on the program: files that are none, full disks, no memory, Ctrl-C. Nothing is lost, and a
//! session goes on.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Output};

use crate::client::Client;

fn engine(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_engine")).args(arguments).output().unwrap()
}

/// The error of a command that must be refused.
fn error(arguments: &[&str]) -> String {
    let output = engine(arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
    text
}

fn names_in(folder: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| name(entry).into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_king_in_check_is_refused_where_there_are_no_checks() {
    let fen = "8/7n/8/8/1k6/8/1K4q1/8 w - - 0 1";
    assert!(error(&["perft", "3", "--variant", "racingkings", "--fen", fen]).contains("in check"));
    let mut client = Client::start();
    client.say("setoption name UCI_Variant value racingkings");
    let lines = client.ask(&format!("position fen {fen}"));
    assert!(lines.len() == 1 && lines[0].contains("in check"), "{lines:?}");
    client.search("go nodes 100");
}

#[test]
fn no_input_is_ever_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (games, notes) = (path("games.pgn"), path("notes.txt"));
    fs::write(&games, "1. e4 e5 1-0\n").unwrap();
    fs::write(&notes, "My notes are longer than one record of 32 bytes.\n").unwrap();
    assert!(error(&["book", "build", &games, "-o", &games]).contains("--force"));
    assert!(error(&["book", "build", &games, "-o", &notes]).contains("not a Polyglot book"));
    assert!(error(&["tune", &games, "-o", &games]).contains("--force"));
    assert!(error(&["lab", "tree", "--svg", &notes]).contains("not an SVG picture"));
    error(&["selfplay", "--games", "1", "--nodes", "10", "-o", &notes]);
    assert_eq!(fs::read_to_string(&games).unwrap(), "1. e4 e5 1-0\n");
    assert!(fs::read_to_string(&notes).unwrap().starts_with("My notes are longer than one"));
    assert_eq!(names_in(folder.path()), ["games.pgn", "notes.txt"]);
}

/// A device never ends, and a pipe blocks.
#[cfg(unix)]
#[test]
fn no_command_reads_a_device() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("output");
    let (folder, output) = (folder.path().to_str().unwrap(), output.to_str().unwrap());
    for arguments in [
        &["analyse", "/dev/zero"][..],
        &["analyse", "--by-rating", "/dev/zero"],
        &["book", "build", "/dev/zero", "-o", output],
        &["data", "check", "/dev/zero"],
        &["play", "--folder", folder, "--pgn", "/dev/zero"],
    ] {
        let text = error(arguments);
        assert!(text.contains("a device or a pipe; name a regular file"), "{arguments:?}: {text}");
    }
}

#[test]
fn a_game_in_another_language_is_not_half_read() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pgn");
    fs::write(&games, "[Event \"?\"]\n\n1. e4 e5\n2. Sf3 Sc6 3. c3 1-0\n").unwrap();
    let book = folder.path().join("book.bin");
    let text = error(&["book", "build", games.to_str().unwrap(), "-o", book.to_str().unwrap()]);
    assert!(text.contains("games.pgn, game 1, line 4: 2. Sf3 is not a move"), "{text}");
    assert!(text.contains("0 games used, 0 left out, 1 broken"), "{text}");
    assert!(!book.exists());
}

#[test]
fn too_few_positions_and_too_few_games_prove_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (games, tables) = (path("games.bin"), path("tables.txt"));
    let played = engine(&["selfplay", "--games", "1", "--nodes", "20", "-o", &games]);
    assert!(played.status.success());
    assert!(error(&["tune", &games, "-o", &tables]).contains("prove nothing"));
    assert!(!Path::new(&tables).exists());
    let played = engine(&["match", "--games", "2", "--nodes", "10"]);
    let text = String::from_utf8(played.stdout).unwrap();
    assert!(text.contains("2 games: ") && text.ends_with(" ± unknown Elo\n"), "{text}");
}

#[test]
fn values_of_a_tuning_run_are_not_overwritten() {
    fn spsa<'a>(output: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        let games = ["spsa", "--games", "4", "--nodes", "20", "--threads", "1", "-o", output];
        [&games, more].concat()
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("values.txt");
    let output = path.to_str().unwrap();
    let play = |more: &[&str]| {
        let played = engine(&spsa(output, more));
        assert!(played.status.success(), "{more:?}");
        (String::from_utf8(played.stdout).unwrap(), fs::read_to_string(output).unwrap())
    };
    let first = play(&["delta_margin", "futility_base"]);
    assert!(first.0.contains("\n4 of 4 games played\n"), "{}", first.0);
    assert!(error(&spsa(output, &["delta_margin", "futility_base"])).contains("--resume"));
    assert!(error(&spsa(output, &["delta_margin", "--resume"])).contains("other parameters"));
    assert!(error(&spsa(output, &["delta_margin", "delta_margin"])).contains("twice"));
    assert!(error(&spsa(output, &["delta"])).contains("engine tunables"));
    // Two runs into one file would each lose the other's games.
    let lock = File::create(folder.path().join("values.txt.lock")).unwrap();
    lock.lock().unwrap();
    let busy = error(&spsa(output, &["delta_margin", "futility_base", "--resume"]));
    assert!(busy.contains("another run is writing this output"), "{busy}");
    drop(lock);
    assert_eq!(play(&["delta_margin", "futility_base", "--resume"]), first);
    assert_eq!(play(&["delta_margin", "futility_base", "--force"]), first, "the same games");
    fs::write(output, "my notes").unwrap();
    assert!(error(&spsa(output, &["delta_margin"])).contains("not the file of a tuning run"));
    assert_eq!(fs::read_to_string(output).unwrap(), "my notes");
}

#[test]
fn tables_of_other_rules_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables.txt");
    let embedded = include_str!("../../crates/engine/src/evaluation/variants/atomic.txt");
    fs::write(&path, format!("# Rules: atomic\n{embedded}")).unwrap();
    let first = format!("Evaluation={}", path.display());
    let text = error(&["match", "--games", "2", "--nodes", "10", "--first", &first]);
    assert!(text.contains("tables for atomic, not for chess"), "{text}");
}

#[test]
fn a_long_line_and_control_characters_are_answered_briefly() {
    let mut client = Client::start();
    client.say(&"x".repeat(17 << 20));
    let lines = client.sync();
    assert!(lines.len() == 1 && lines[0].contains("more than 16 MB"), "{lines:?}");
    for line in [
        "position startpos moves \u{1b}[31m",
        "position fen \u{1b}[2J/8/8/8/8/8/8/8 w - - 0 1",
        &format!("position startpos moves {}", "é".repeat(5000)),
        &format!("setoption name BookFile value {}\u{7}", "no/".repeat(1000)),
        &format!("position fen {} w - - 0 1", "8/".repeat(5000)),
    ] {
        for answer in client.ask(line) {
            assert!(!answer.contains(char::is_control) && answer.chars().count() < 500, "{answer}");
        }
    }
    client.search("go nodes 100");
}

#[test]
fn help_lists_all_commands() {
    let text = String::from_utf8(engine(&["--help"]).stdout).unwrap();
    for command in ["tunables", "genfens", "options"] {
        assert!(text.contains(&format!("\n  {command} ")), "{text}");
    }
    assert!(error(&["match", "--games", "0"]).contains("a whole number from 1"));
    let hint = error(&["book", "show", "/no/such/book"]);
    assert!(!hint.contains("<empty>") && hint.contains("without a name"), "{hint}");
}

#[cfg(unix)]
mod unix {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn pipes_and_devices_do_not_freeze_a_session() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("KQvK.rtbw");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let output = folder.path().join("output");
        let (pipe, output) = (pipe.to_str().unwrap(), output.to_str().unwrap());
        let folder = folder.path().to_str().unwrap();
        let mut client = Client::start();
        for (option, value) in [
            ("BookFile", pipe),
            ("BookFile", "/dev/zero"),
            ("BookFile", "/"),
            ("Debug Log File", pipe),
            ("Debug Log File", "/dev/full"),
            ("SyzygyPath", folder),
            ("SyzygyPath", "/dev/zero"),
        ] {
            let lines = client.ask(&format!("setoption name {option} value {value}"));
            assert!(!lines.is_empty(), "{option} {value}");
            assert!(lines.iter().all(|line| line.starts_with("info string ")), "{lines:?}");
        }
        client.search("go nodes 100");
        for arguments in [
            &["book", "show", pipe][..],
            &["book", "check", "/dev/zero"],
            &["book", "build", pipe, "-o", output],
            &["match", "--first", "Evaluation=/dev/zero"],
            &["lab", "tree", "--game", "tree", "--tree", "/dev/zero"],
            &["genfens", "1", "book", "/dev/zero"],
            &["tune", "/dev/zero", "-o", output],
        ] {
            error(arguments);
        }
    }

    /// Whoever closes the pipe of the progress wants the result all the same.
    #[test]
    fn a_closed_standard_error_ends_no_work() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("games.pgn"), "1. e4 e5 2. Nf3 1-0\n").unwrap();
        let corrected = "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1";
        let play = ["selfplay", "--games", "30", "--nodes", "20", "-o", "games.bin"];
        for arguments in [
            &["bench", "1", "--hash", "1"][..],
            &["perft", "2", "--fen", corrected],
            &["eval", "--fen", corrected],
            &["book", "build", "games.pgn", "-o", "book.bin"],
            &play,
            &["data", "shuffle", "games.bin", "-o", "shuffled.bin"],
            &["train", "shuffled.bin", "-o", "new.bin", "--hidden", "64", "--epochs", "1"],
            &["tune", "games.bin", "-o", "tables.txt", "--rounds", "1"],
        ] {
            // So few games may make no tables.
            let codes = if arguments[0] == "tune" { 0..=2 } else { 0..=0 };
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let mut engine = Command::new(env!("CARGO_BIN_EXE_engine"));
            let output =
                engine.args(arguments).current_dir(folder.path()).stderr(writer).output().unwrap();
            let code = output.status.code().unwrap();
            assert!(codes.contains(&code), "{arguments:?}: {output:?}");
        }
    }

    /// As many openings as there are numbers: whoever asked takes some, and goes.
    #[test]
    fn no_number_of_openings_is_too_great() {
        let huge = u64::MAX.to_string();
        let mut process = Command::new(env!("CARGO_BIN_EXE_engine"))
            .args(["genfens", &huge, "seed", "1", "book", "None"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        for _ in 0..2 {
            let line = lines.next().unwrap().unwrap();
            assert!(line.starts_with("info string genfens "), "{line}");
        }
        process.kill().unwrap();
        process.wait().unwrap();
    }

    /// With a limit on the size of files and its signal ignored, writing fails as on a full disk.
    #[test]
    fn a_full_disk_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let openings = concat!(env!("CARGO_MANIFEST_DIR"), "/openings");
        let book = folder.path().join("book.bin");
        fs::write(&book, [0; 16]).unwrap();
        let tree = folder.path().join("tree.svg");
        fs::write(&tree, "<svg></svg>").unwrap();
        let (book, tree) = (book.to_str().unwrap(), tree.to_str().unwrap());
        for arguments in [
            &["book", "build", openings, "-o", book][..],
            &["lab", "tree", "--game", "connect-four", "--depth", "3", "--svg", tree],
        ] {
            let limited = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
            let engine = env!("CARGO_BIN_EXE_engine");
            let mut shell = Command::new("bash");
            let output = shell.args(["-c", limited, engine]).args(arguments).output().unwrap();
            let text = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        }
        assert_eq!(fs::read(book).unwrap(), [0; 16]);
        assert_eq!(fs::read_to_string(tree).unwrap(), "<svg></svg>");
        assert_eq!(names_in(folder.path()), ["book.bin", "tree.svg"]);
    }

    #[test]
    fn an_interrupted_bench_tells_what_it_has() {
        crate::signals::hear_signals();
        let mut process = Command::new(env!("CARGO_BIN_EXE_engine"))
            .args(["bench", "9", "--hash", "1"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut progress = BufReader::new(process.stderr.take().unwrap());
        // The first position is done.
        progress.read_line(&mut String::new()).unwrap();
        let id = process.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        // Its progress has to be read, or it may wait for ever.
        let rest = progress.lines().map_while(Result::ok).count();
        let output = process.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        assert!(String::from_utf8(output.stdout).unwrap().contains(" nodes "));
        assert!(rest > 0);
    }

    #[test]
    fn ctrl_c_stops_the_search_of_a_bench() {
        crate::signals::hear_signals();
        let mut process = Command::new(env!("CARGO_BIN_EXE_engine"))
            .args(["bench", "127", "--hash", "1"])
            .env("RUST_LOG", "search=debug")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = BufReader::new(process.stderr.take().unwrap());
        // The search has begun.
        log.read_line(&mut String::new()).unwrap();
        let id = process.id().to_string();
        let asked = Instant::now();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        log.lines().map_while(Result::ok).for_each(drop);
        let output = process.wait_with_output().unwrap();
        assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
        assert_eq!(output.status.code(), Some(130), "it ends by itself");
        assert!(String::from_utf8(output.stdout).unwrap().contains(" nodes "));
    }

    #[test]
    fn a_session_that_gets_no_threads_still_plays() {
        let mut client = Client::start();
        client.sync();
        let status = fs::read_to_string(format!("/proc/{}/status", client.id()));
        let Ok(status) = status else { return super::super::common::skip("no /proc") };
        let size = status.lines().find_map(|line| line.strip_prefix("VmSize:")).unwrap();
        let kilobytes: u64 = size.trim().trim_end_matches(" kB").parse().unwrap();
        // Enough for small things, too little for the stack of a thread.
        let limit = format!("--as={}", (kilobytes << 10) + (10 << 20));
        let id = client.id().to_string();
        let limited = Command::new("prlimit").args(["--pid", &id, &limit]).status();
        if !limited.is_ok_and(|status| status.success()) {
            return super::super::common::skip("prlimit is missing");
        }
        client.say("setoption name Threads value 2");
        let lines = client.search("go movetime 30");
        assert!(lines.iter().any(|line| line.contains("no thread")), "{lines:?}");
        assert!(lines.iter().any(|line| line.contains("grants 1 of 2 threads")), "{lines:?}");
        // Nothing could stop it, so that it ends by itself.
        client.search("go infinite");
        let lines = client.ask("setoption name Hash value 4000");
        assert!(lines.len() == 1 && lines[0].contains("no memory"), "{lines:?}");
        client.search("go depth 3");
    }
}

/// Aligned blocks that every short search allocated again once fragmented the memory of a long game, 17 KiB a position.
#[cfg(target_os = "linux")]
#[test]
fn many_short_searches_do_not_fragment_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("long.pgn");
    let there_and_back = "Nf3 Nf6 Ng1 Ng8\n";
    fs::write(&game, format!("[Result \"*\"]\n\n{}*\n", there_and_back.repeat(750))).unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_engine"))
        .args(["analyse", game.to_str().unwrap(), "-o", "/dev/null"])
        .args(["--nodes", "1", "--threads", "1"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut most = 0;
    while run.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", run.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse().ok());
        most = most.max(kilobytes.unwrap_or(0u64));
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(most > 20_000 && most < 100_000, "{most} KiB");
}
