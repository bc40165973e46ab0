//! Outputs of all commands: refused before the work if they would be lost, foreign or one file, with a way out
//! that is one; and no control character of an input reaches a terminal or a table.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn engine(folder: &Path, arguments: &[&str]) -> Output {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_engine"));
    engine.args(arguments).current_dir(folder).output().unwrap()
}

/// The error of a command that must be refused.
fn error(folder: &Path, arguments: &[&str]) -> String {
    let output = engine(folder, arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
    text
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Each of these would take minutes or hours if it began.
#[test]
fn outputs_that_would_be_lost_are_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let games: String = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n".repeat(2000);
    fs::write(folder.join("in.pgn"), &games).unwrap();
    fs::write(folder.join("mine.pgn"), games).unwrap();
    fs::write(folder.join("in.epd"), "8/8/8/8/8/8/8/K1k5 w - - bm Ka2;\n".repeat(500)).unwrap();
    fs::write(folder.join("notes"), "my notes").unwrap();
    fs::create_dir(folder.join("pages")).unwrap();
    fs::write(folder.join("pages").join("index.html"), "my notes").unwrap();
    let before = names(folder);
    for (arguments, reason) in [
        (&["dda", "--games", "4000", "--svg", "notes"][..], "is not an SVG picture"),
        (&["lab", "dda", "--games", "99", "--svg", "x", "--csv", "./x"], "would be the same file"),
        (&["lab", "dda", "--games", "99", "--csv", "x", "--svg", "notes"], "not an SVG picture"),
        (&["lab", "compare", "--depths", "1-9", "--svg", "notes"], "not an SVG picture"),
        (&["lab", "quiz", "--html", "notes"], "is not a page"),
        (&["lab", "tree", "--depth", "9", "--svg", "x", "--dot", "x"], "would be the same file"),
        (&["lab", "tree", "--depth", "9", "--svg", "x", "--dot", "notes"], "Graphviz"),
        (&["lab", "examples", "--to", "pages"], "is not a page"),
        (&["analyse", "in.pgn", "--movetime", "9999", "-o", "x", "--html", "x"], "the same file"),
        (&["analyse", "in.pgn", "--movetime", "9999", "-o", "x", "--html", "notes"], "not a page"),
        (
            &["analyse", "in.pgn", "--movetime", "9999", "-o", "x", "--html", "x.journal"],
            "needed for work in progress",
        ),
        (&["analyse", "in.epd", "--movetime", "9999", "-o", "notes"], "not a table of solutions"),
        (&["analyse", "in.pgn", "--movetime", "9999", "-o", "mine.pgn"], "has annotated"),
        (&["analyse", "in.pgn", "--movetime", "9999", "--exercises", "in.epd"], "of exercises"),
        (&["analyse", "in.pgn", "--movetime", "9999", "--exercises", "mine.pgn"], "of exercises"),
        (&["data", "split", "missing", "-o", "x", "--rest", "x"], "would be the same file"),
        (&["spsa", "-o", "notes"], "not the file of a tuning run"),
    ] {
        let text = error(folder, arguments);
        assert!(text.contains(reason), "{arguments:?}: {text}");
    }
    assert_eq!(names(folder), before, "nothing was begun");
    assert_eq!(names(&folder.join("pages")), ["index.html"]);
    assert_eq!(fs::read_to_string(folder.join("notes")).unwrap(), "my notes");
}

/// Positions get the scores of longer searches, and training takes them as they are.
#[test]
fn relabelled_positions_can_be_learnt_from() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let relabel = ["data", "relabel", "shuffled.bin", "--nodes", "100", "-o"];
    for arguments in [
        &["selfplay", "--games", "16", "--nodes", "20", "-o", "games.bin"][..],
        &["data", "shuffle", "games.bin", "-o", "shuffled.bin"],
        &[&relabel[..], &["relabelled.bin"]].concat(),
        &[&relabel[..], &["again.bin", "--threads", "2"]].concat(),
        &[&relabel[..], &["most.bin", "--count", "18446744073709551615"]].concat(),
        &[&relabel[..], &["moved.bin", "--random-moves", "1"]].concat(),
        &[&relabel[..], &["moved-again.bin", "--random-moves", "1", "--threads", "2"]].concat(),
        &[&relabel[..], &["moved-otherwise.bin", "--random-moves", "1", "--seed", "2"]].concat(),
        &["train", "relabelled.bin", "-o", "new.bin", "--hidden", "64", "--epochs", "1"],
    ] {
        let output = engine(folder, arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }
    let [shuffled, relabelled, again] = ["shuffled.bin", "relabelled.bin", "again.bin"]
        .map(|name| fs::read(folder.join(name)).unwrap());
    assert_eq!(relabelled, again, "threads change nothing");
    assert_eq!(relabelled, fs::read(folder.join("most.bin")).unwrap(), "no count is too great");
    assert!((shuffled.len() / 2..shuffled.len()).contains(&relabelled.len()));
    let [moved, again, otherwise] = ["moved.bin", "moved-again.bin", "moved-otherwise.bin"]
        .map(|name| fs::read(folder.join(name)).unwrap());
    assert_eq!(moved, again, "threads do not change the random moves");
    assert_ne!(moved, otherwise, "another seed has other moves");
    assert!(
        (shuffled.len() / 5..relabelled.len()).contains(&moved.len()),
        "captures wait more often"
    );
    let crazyhouse = ["data", "relabel", "games.bin", "-o", "x", "--variant", "crazyhouse"];
    let text = error(folder, &crazyhouse);
    assert!(text.contains("hold no whole positions; play games with more nodes"), "{text}");
}

/// `--force` is named only where it helps.
#[test]
fn a_checkpoint_is_refused_with_a_way_out_that_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let checkpoint = folder.join("new.bin.checkpoint");
    fn train<'a>(more: &[&'a str]) -> Vec<&'a str> {
        [&["train", "missing.bin", "-o", "new.bin"], more].concat()
    }
    fs::write(&checkpoint, "my notes").unwrap();
    for more in [&[][..], &["--force"], &["--resume"]] {
        let text = error(folder, &train(more));
        assert!(text.contains("move it away") && !text.contains("--force"), "{more:?}: {text}");
    }
    assert_eq!(fs::read_to_string(&checkpoint).unwrap(), "my notes");
    fs::write(&checkpoint, b"AJTRAIN\0").unwrap();
    let text = error(folder, &train(&[]));
    assert!(text.contains("--resume goes on with it, --force begins anew"), "{text}");
    for more in ["--force", "--resume"] {
        assert!(error(folder, &train(&[more])).contains("missing.bin"), "it goes on to the data");
    }
    assert_eq!(fs::read(&checkpoint).unwrap(), b"AJTRAIN\0");
    assert_eq!(names(folder), ["new.bin.checkpoint"]);
}

/// What an input has of control characters is shown, not obeyed: in games, tables and errors.
#[test]
fn no_control_character_of_an_input_reaches_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let games = b"[Event \"x\"]\n[Variant \"\x1b[31mred\x1b]0;title\x07\"]\n\n1. e4 e5 *\n\n\
        [Event \"y\"]\n[FEN \"\x1b[2J\x9b31m w\"]\n\n1. e4 *\n\n\
        [Event \"z\x1b[5m\"]\n\n1. \x1b[31mNf3 {\x1b[31m\xc2\x9b2J} e5 2. Zz9\x1b[5m *\n";
    fs::write(folder.join("esc.pgn"), games).unwrap();
    fs::write(folder.join("one.pgn"), "[Event \"\u{1b}[31m\u{9b}\"]\n\n1. e4 {\u{1b}c} *\n")
        .unwrap();
    let suite = "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"\u{1b}[31m\u{9b}31m\u{202e}\u{7f}x\";\n\
                 6k1/5ppp/8/8/8/8/8/R6K w - - bm R\u{9b}h9; id \"broken\";\n";
    fs::write(folder.join("esc.epd"), suite).unwrap();
    let solve = |format| ["analyse", "esc.epd", "--depth", "2", "--format", format];
    let saved = ["analyse", "esc.epd", "--depth", "2", "--format", "json", "-o", "esc.json"];
    let play = ["play", "--folder", "games", "--level", "3", "--pgn", "one.pgn"];
    for arguments in [
        &["analyse", "esc.pgn", "--depth", "1"][..],
        &solve("text"),
        &solve("csv"),
        &solve("markdown"),
        &solve("json"),
        &saved,
        &["book", "build", "esc.pgn", "-o", "book.bin"],
        &play,
        &["play", "--folder", "games", "--pgn", "esc.pgn"],
        &["analyse", "\u{1b}[31m\u{9b}.pgn"],
        &["perft", "2", "--fen", "\u{1b}[2J\u{9b}/8 w - - 0 1"],
        &["eval", "--fen", "\u{9b}"],
        &["match", "--first", "\u{1b}[31m=\u{9b}"],
    ] {
        let output = engine(folder, arguments);
        for bytes in [output.stdout, output.stderr] {
            let text = String::from_utf8(bytes).unwrap();
            let wild = text.chars().find(|c| c.is_control() && *c != '\n' && *c != '\t');
            assert_eq!(wild, None, "{arguments:?}: {text:?}");
        }
    }
    for json in [engine(folder, &solve("json")).stdout, fs::read(folder.join("esc.json")).unwrap()]
    {
        let table: serde_json::Value = serde_json::from_slice(&json).unwrap();
        assert_eq!(table[0]["id"], "\u{1b}[31m\u{9b}31m\u{202e}\u{7f}x");
    }
}

/// It is standard output, as in most programs, and not a file of this name.
#[test]
fn an_output_called_by_a_dash_is_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("in.pgn"), "1. e4 *\n").unwrap();
    let shown = engine(folder, &["analyse", "in.pgn", "--nodes", "50"]);
    let dashed = engine(folder, &["analyse", "in.pgn", "--nodes", "50", "-o", "-"]);
    assert!(String::from_utf8_lossy(&dashed.stdout).contains("1. e4 {[%eval"), "{dashed:?}");
    assert_eq!((shown.stdout, names(folder)), (dashed.stdout, vec!["in.pgn".to_string()]));
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::process::Stdio;
    use std::thread;
    use std::time::Duration;

    /// A checkpoint with a right checksum, of the right run, and with numbers that may be, but from which nothing
    /// can be learnt.
    #[test]
    fn a_training_that_comes_apart_stops_and_keeps_its_checkpoint() {
        crate::signals::hear_signals();
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for arguments in [
            &["selfplay", "--games", "60", "--nodes", "20", "-o", "games.bin"][..],
            &["data", "shuffle", "games.bin", "-o", "shuffled.bin"],
        ] {
            let output = engine(folder, arguments);
            assert!(output.status.success(), "{arguments:?}: {output:?}");
        }
        let train = ["train", "shuffled.bin", "-o", "new.bin", "--hidden", "64", "--batch", "64"];
        let train = [&train[..], &["--epochs", "10000"]].concat();
        let mut process = Command::new(env!("CARGO_BIN_EXE_engine"))
            .args(&train)
            .current_dir(folder)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let checkpoint = folder.join("new.bin.checkpoint");
        while !checkpoint.exists() && process.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(5));
        }
        let id = process.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        assert_eq!(process.wait().unwrap().code(), Some(130));
        let mut bytes = fs::read(&checkpoint).unwrap();
        let name = u64::from_le_bytes(bytes[8..16].try_into().unwrap()) as usize;
        let numbers = 16 + name + 16;
        let end = bytes.len() - 4;
        for number in bytes[numbers..end].as_chunks_mut().0 {
            let huge = 3e38f32.copysign(f32::from_le_bytes(*number));
            *number = huge.to_le_bytes();
        }
        let mut crc = flate2::Crc::new();
        crc.update(&bytes[..end]);
        bytes[end..].copy_from_slice(&crc.sum().to_le_bytes());
        fs::write(&checkpoint, &bytes).unwrap();
        let text = error(folder, &[&train[..], &["--resume"]].concat());
        assert!(text.contains("come apart") && text.contains("a lower --rate"), "{text}");
        assert!(fs::read(&checkpoint).unwrap() == bytes, "it is as it was");
        assert_eq!(names(folder), ["games.bin", "new.bin.checkpoint", "shuffled.bin"]);
    }

    /// A pipe would block whoever opens it, and a device keeps nothing.
    #[test]
    fn files_that_are_read_again_are_no_devices_and_no_pipes() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        assert!(Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap().success());
        for output in ["pipe", "/dev/null", "."] {
            for arguments in [
                &["selfplay", "--games", "9999", "-o", output][..],
                &["spsa", "-o", output],
                &["train", "missing", "-o", output],
            ] {
                let text = error(folder, arguments);
                assert!(text.contains("name a regular file"), "{arguments:?}: {text}");
            }
        }
        assert_eq!(names(folder), ["pipe"]);
    }

    #[test]
    fn a_device_and_a_pipe_get_games_without_a_journal() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("in.pgn"), "[Event \"a\"]\n\n1. e4 *\n").unwrap();
        let analyse = |output| ["analyse", "in.pgn", "--nodes", "50", "-o", output];
        let output = engine(folder, &analyse("/dev/stdout"));
        let annotated = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && annotated.contains("1. e4 {[%eval"), "{annotated}");
        assert!(engine(folder, &analyse("/dev/null")).status.success());
        let pipe = folder.join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
        assert!(engine(folder, &analyse("pipe")).status.success());
        assert_eq!(reader.wait_with_output().unwrap().stdout, annotated.as_bytes());
        assert!(!Path::new("/dev/null.journal").exists());
        assert_eq!(names(folder), ["in.pgn", "pipe"]);
    }
}
