//! `engine book`: building, showing, checking and learning.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use tempfile::TempDir;

fn engine(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine"));
    command.arg("book").args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    let output = engine(arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {text} {errors}");
    text
}

fn stderr(arguments: &[&str]) -> String {
    String::from_utf8(engine(arguments).stderr).unwrap()
}

/// A folder to work in.
struct Desk(TempDir);

impl Desk {
    fn new() -> Desk {
        Desk(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn name(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_string()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), bytes).unwrap();
        self.name(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Builds a book of `inputs`.
    fn build(&self, inputs: &[&str], more: &[&str], output: &str) -> Vec<u8> {
        stdout(&[&["build"], inputs, &["-o", &self.name(output)], more].concat());
        self.read(output)
    }
}

fn game(white: &str, black: &str, moves: &str, result: &str) -> String {
    format!(
        "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
    )
}

fn some_games() -> String {
    [
        game("A", "B", "1. e4 e5 2. Nf3 Nc6", "1-0"),
        game("B", "A", "1. e4 c5 2. Nf3 d6", "1/2-1/2"),
        game("A", "C", "1. d4 d5 2. c4 e6", "0-1"),
        game("C", "A", "1. Nf3 d5 2. g3", "1-0"),
    ]
    .concat()
}

#[test]
fn the_embedded_book_is_made_of_its_lines() {
    let desk = Desk::new();
    let built = desk.build(&["openings"], &[], "book.bin");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let committed = fs::read(root.join("openings/book.bin")).unwrap();
    assert!(built == committed, "run: engine book build openings -o openings/book.bin");
    let errors = stderr(&["build", "openings", "-o", &desk.name("again.bin")]);
    assert!(errors.contains(" 0 broken"), "{errors}");
    let text = stdout(&["check", "openings/book.bin"]);
    assert!(text.ends_with(" 0 errors\n"), "{text}");
}

#[test]
fn plain_compressed_and_in_folders_games_make_the_same_book() {
    let desk = Desk::new();
    let games = some_games();
    let plain = desk.write("games.pgn", &games);
    let wanted = desk.build(&[&plain], &[], "book.bin");
    assert_eq!(wanted.len() % 16, 0);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(games.as_bytes()).unwrap();
    let gzip = desk.write("games.gz", gzip.finish().unwrap());
    let zstd = compress_to_vec(games.as_bytes(), CompressionLevel::Fastest);
    assert_eq!(desk.build(&[&gzip], &[], "gzip.bin"), wanted);
    // One frame for each game, as in many big archives.
    let frames: Vec<Vec<u8>> = games
        .split_inclusive("\n\n[White")
        .map(|part| compress_to_vec(part.as_bytes(), CompressionLevel::Fastest))
        .collect();
    for (name, bytes) in [("one.zst", zstd), ("many.zst", frames.concat())] {
        assert_eq!(desk.build(&[&desk.write(name, bytes)], &[], "zstd.bin"), wanted, "{name}");
    }
    // Every game in its own file, some of them in subfolders.
    fs::create_dir_all(desk.path("folder/below")).unwrap();
    for (index, part) in games.split("[White").skip(1).enumerate() {
        let below = if index % 2 == 0 { "below/" } else { "" };
        desk.write(&format!("folder/{below}{index}.pgn"), format!("[White{part}"));
    }
    desk.write("folder/notes.txt", "1. a3 h5 1-0");
    assert_eq!(desk.build(&[&desk.name("folder")], &[], "folder.bin"), wanted);
    let twice = desk.build(&[&plain, &plain], &[], "twice.bin");
    assert_eq!(twice.len(), wanted.len());
    assert_ne!(twice, wanted, "each game counts twice");
}

#[test]
fn broken_games_are_reported_and_the_others_used() {
    let desk = Desk::new();
    let broken = "[White \"X\"]\n\n1. e4 e5 2. Ke3 1-0\n\n".to_string();
    let games = [some_games(), broken, some_games(), "[White \"Y\"]\n\n{never".into()].concat();
    let path = desk.write("games.pgn", games);
    let output = engine(&["build", &path, "-o", &desk.name("book.bin")]);
    assert!(output.status.success());
    let errors = String::from_utf8(output.stderr).unwrap();
    let place = format!("{path}, game 5, line 27: 2. Ke3 is not legal in ");
    assert!(errors.contains(&place), "{errors}");
    assert!(
        errors.contains(&format!("{path}, game 10, line 55: a comment has no end")),
        "{errors}"
    );
    assert!(errors.contains("8 games used, 0 left out, 2 broken"), "{errors}");
}

#[test]
fn filters_leave_games_and_moves_out() {
    let desk = Desk::new();
    let path = desk.write("games.pgn", some_games());
    let positions = |more: &[&str]| desk.build(&[&path], more, "book.bin").len() / 16;
    let all = positions(&[]);
    assert!(positions(&["--results", "decisive"]) < all);
    assert!(positions(&["--plies", "1"]) < all);
    assert_eq!(positions(&["--min-games", "2"]), 1, "only 1. e4 was played twice with success");
    let nothing = engine(&["build", &path, "--min-elo", "2000", "-o", &desk.name("none.bin")]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(!desk.path("none.bin").exists() && !desk.path("none.bin.part").exists());
}

#[test]
fn a_book_learns_from_the_engines_own_games() {
    let desk = Desk::new();
    let theory = desk
        .write("theory.pgn", "[Weight \"90\"]\n\n1. e4 e5 *\n\n[Weight \"90\"]\n\n1. d4 d5 *\n");
    desk.build(&[&theory], &[], "book.bin");
    let own = [
        game("Ajedrecista 0.1.0", "X", "1. e4 e5", "1-0"),
        game("Ajedrecista 0.1.0", "X", "1. d4 d5", "0-1"),
        game("Y", "X", "1. d4 d5", "1-0"),
    ];
    let own = desk.write("own.pgn", own.concat());
    let book = desk.name("book.bin");
    // The new book may replace its input.
    desk.build(&[&own], &["--learn", &book], "book.bin");
    let text = stdout(&["show", &book]);
    let weights: Vec<Vec<&str>> =
        text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(weights.iter().any(|words| words.starts_with(&["e4", "e2e4", "100"])), "{text}");
    assert!(weights.iter().any(|words| words.starts_with(&["d4", "d2d4", "80"])), "{text}");
    // The opponent's e5 lost, and does not count.
    assert!(stdout(&["show", &book, "--moves", "e2e4"]).contains(" 90 "));
    // With another name: all three games have X, with the black pieces.
    desk.build(&[&own], &["--learn", &book, "--player", "x"], "other.bin");
    let text = stdout(&["show", &desk.name("other.bin"), "--moves", "e2e4"]);
    assert!(text.contains(" 80 "), "90 x 8/9: {text}");
}

#[test]
fn a_book_is_shown_with_shares_and_names() {
    let text = stdout(&["show"]);
    let shares = text.lines().filter_map(|line| line.split(" %").next()?.split_whitespace().last());
    let total: f64 = shares.map(|share| share.parse::<f64>().unwrap()).sum();
    assert!((99.0..101.0).contains(&total), "{text}");
    let sicilian = stdout(&["show", "--moves", "e2e4 c7c5"]);
    assert!(sicilian.starts_with("B2") && sicilian.contains("Sicilian"), "{sicilian}");
    let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert_eq!(stdout(&["show", "--fen", fen]), sicilian);
    let bare = engine(&["show", "openings/book.bin", "--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]);
    assert_eq!(bare.stdout, b"the book has no move in this position\n");
    assert_eq!(bare.status.code(), Some(1));
}

#[test]
fn errors_of_a_book_are_reported_with_exit_status_one() {
    let desk = Desk::new();
    let games = desk.write("games.pgn", some_games());
    let sound = desk.build(&[&games], &[], "book.bin");
    assert!(stdout(&["check", &desk.name("book.bin")]).ends_with(" 0 errors\n"));
    let mut illegal = sound.clone();
    // The first reached entry becomes a move of a piece that is not there.
    illegal.chunks_mut(16).for_each(|entry| entry[9] = 0);
    let twice = sound.chunks(16).flat_map(|entry| [entry, entry].concat()).collect();
    let turned = sound.chunks(16).rev().flatten().copied().collect();
    // Of another file one line says what it is.
    let others: Vec<u8> =
        (0..40_000u32).flat_map(|i| i.wrapping_mul(2_654_435_761).to_be_bytes()).collect();
    for bytes in [&others[..], &some_games().repeat(20).into_bytes(), b"short"] {
        let output = engine(&["check", &desk.write("other.bin", bytes)]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains("this is no opening book") && text.lines().count() == 1, "{text}");
    }
    for (bytes, error) in [
        (Vec::new(), "no entries"),
        (sound[..sound.len() - 1].to_vec(), "15 bytes too many"),
        (illegal, "is not legal in"),
        (twice, "twice"),
        (turned, "stands after a greater key"),
    ] {
        let output = engine(&["check", &desk.write("bad.bin", bytes)]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.code() == Some(1) && text.contains(error), "{error}: {text}");
    }
}

#[test]
fn invalid_arguments_are_reported_with_exit_status_two() {
    let desk = Desk::new();
    let games = desk.write("games.pgn", some_games());
    let short = desk.write("short.bin", b"123");
    let archive = desk.write("bad.pgn.zst", [0x28, 0xb5, 0x2f, 0xfd, 1]);
    fs::create_dir(desk.path("empty")).unwrap();
    let (empty, book) = (desk.name("empty"), desk.name("book.bin"));
    for arguments in [
        &["build", "-o", &book][..],
        &["build", &games],
        &["build", "/no/such/file", "-o", &book],
        &["build", &empty, "-o", &book],
        &["build", &archive, "-o", &book],
        &["build", &games, "-o", "/no/such/folder/book.bin"],
        &["build", &games, "--learn", &short, "-o", &book],
        &["build", &games, "--player", "X", "-o", &book],
        &["build", &games, "--plies", "0", "-o", &book],
        &["show", "/no/such/file"],
        &["show", &short],
        &["show", "--fen", "nonsense"],
        &["show", "--moves", "e2e5"],
        &["check", "/no/such/file"],
        &["check"],
    ] {
        let output = engine(arguments);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains("error: ") && output.stdout.is_empty(), "{arguments:?}: {text}");
    }
    assert!(!Path::new(&book).exists());
    assert!(File::open(&games).is_ok());
}
