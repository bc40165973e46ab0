//! `engine analyse` in a shell: interruptions, compressed input, suites, and refusals.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;

const GAME: &str =
    "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1";

fn engine(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_engine")).arg("analyse").args(arguments).output().unwrap()
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

fn games(count: usize) -> String {
    (1..=count).map(|number| format!("[Event \"{number}\"]\n\n{GAME}\n\n")).collect()
}

#[test]
fn an_interrupted_run_ends_like_one_without_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (input, whole, parted) =
        (path(folder, "in.pgn"), path(folder, "whole.pgn"), path(folder, "parted.pgn"));
    fs::write(&input, games(8)).unwrap();
    let arguments = |output: &str, page: &str| {
        [&input, "-o", output, "--html", page, "--nodes", "1500", "--threads", "2"]
            .map(String::from)
    };
    let run = |output: &str, page: &str| {
        let given = arguments(output, page);
        let output = engine(&given.each_ref().map(String::as_str));
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let (page, parted_page) = (path(folder, "whole.html"), path(folder, "parted.html"));
    run(&whole, &page);
    let mut process = Command::new(env!("CARGO_BIN_EXE_engine"))
        .arg("analyse")
        .args(arguments(&parted, &parted_page))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let journal = folder.join("parted.pgn.journal");
    let finished = || fs::read_to_string(&journal).unwrap_or_default().lines().count();
    while finished() < 3 && process.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    process.kill().unwrap();
    process.wait().unwrap();
    run(&parted, &parted_page);
    assert_eq!(fs::read_to_string(&parted).unwrap(), fs::read_to_string(&whole).unwrap());
    assert_eq!(fs::read_to_string(&parted_page).unwrap(), fs::read_to_string(&page).unwrap());
    assert!(!journal.exists(), "the journal is gone");
}

#[test]
fn compressed_games_and_folders_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(games(2).as_bytes()).unwrap();
    fs::write(folder.path().join("a.pgn.gz"), encoder.finish().unwrap()).unwrap();
    fs::write(folder.path().join("b.pgn"), games(1)).unwrap();
    let output = engine(&[&path(folder.path(), ""), "--nodes", "200"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches("[Event ").count(), 3, "{text}");
    assert_eq!(text.matches("Nf3#").count() - text.matches("7...Nf3#").count(), 3);
}

#[test]
fn a_suite_is_solved_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let suite = path(folder.path(), "suite.epd");
    let lines = "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; dm 1; id \"back rank\";\n\n\
                 6k1/5ppp/8/8/8/8/8/R6K w - - am Ra8#; id \"avoid\";\n\
                 6k1/5ppp/8/8/8/8/8/R6K w - - bm Rh9; id \"broken\";\n";
    fs::write(&suite, lines).unwrap();
    let ask = |format: &str| engine(&[&suite, "--depth", "4", "--format", format]);
    let output = ask("csv");
    let csv = String::from_utf8(output.stdout).unwrap();
    assert!(csv.contains("back rank,Ra8# #1,Ra8#,yes"), "{csv}");
    assert!(csv.contains("avoid,-Ra8#,Ra8#,no") && csv.contains("bm Rh9 is not legal"), "{csv}");
    let sums = String::from_utf8(output.stderr).unwrap();
    assert!(sums.contains("1 of 2 solved") && sums.contains("1 lines could not be used"), "{sums}");
    let json: serde_json::Value = serde_json::from_slice(&ask("json").stdout).unwrap();
    assert_eq!(json[0]["solved"], "yes");
    assert!(String::from_utf8(ask("text").stdout).unwrap().starts_with("position  id"));
}

#[test]
fn what_cannot_be_done_is_refused_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let (game, suite) = (path(folder.path(), "a.pgn"), path(folder.path(), "a.epd"));
    fs::write(&game, games(1)).unwrap();
    fs::write(&suite, "8/8/8/8/8/8/8/K1k5 w - - bm Ka2;\n").unwrap();
    let error = |arguments: &[&str]| {
        let output = engine(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(error(&[&game, &suite]).contains("cannot be mixed"));
    assert!(error(&[&game, "-o", &game]).contains("also an input"));
    assert!(error(&["/no/such/file"]).contains("/no/such/file"));
    let notes = path(folder.path(), "notes.txt");
    fs::write(&notes, "my notes").unwrap();
    assert!(error(&[&game, "--html", &notes]).contains("not a page"));
    assert_eq!(fs::read_to_string(&notes).unwrap(), "my notes");
}

#[test]
fn a_position_is_explained_in_words() {
    let fen = "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let explain = |lang: &str| {
        let arguments = ["eval", "--fen", fen, "--explain", "--lang", lang];
        let output = Command::new(env!("CARGO_BIN_EXE_engine")).args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(explain("en").contains("material: White has a knight more (3.00)."));
    assert!(explain("es").contains("material: Blancas tienen un caballo de más (3.00)."));
}
