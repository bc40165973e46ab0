//! `engine puzzles`: rated puzzles solved by all who can play.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Two mates in one, a mate in two and a fork; the opponent moves first. A blank line, and a fault in line 6.
const PUZZLES: &str = "\
rating\tfen\tmoves\tthemes
500\t5k2/5ppp/8/8/8/8/8/R5K1 b - - 0 1\tf8g8 a1a8\tmateIn1 backRankMate
600\t6k1/3r1ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\ta1b1 d7d1 b1d1\tendgame
900\t7k/8/6K1/8/8/8/8/1R6 b - - 0 1\th8g8 b1b8\tmateIn1

1000\t7k/8/6K1/8/8/8/8/1R6 b - - 0 1\th8h8 b1b8\tmateIn1
1100\t6k1/8/1q6/4N3/8/8/7P/7K b - - 0 1\tg8f8 e5d7 f8e7 d7b6\tfork
1300\tk7/8/1K6/8/8/8/8/7R b - - 0 1\ta8b8 h1h8\tmateIn1
";

/// A file of its own for each test.
fn file(test: &str, content: &str) -> PathBuf {
    let name = format!("ajedrecista puzzles {test} {}.tsv", std::process::id());
    let path = std::env::temp_dir().join(name);
    fs::write(&path, content).unwrap();
    path
}

fn engine(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_engine")).arg("puzzles").args(arguments).output().unwrap()
}

/// Standard output and standard error of a run on `content`, which must succeed.
fn run(test: &str, content: &str, arguments: &[&str]) -> (String, String) {
    let path = file(test, content);
    let output = engine(&[&[path.to_str().unwrap()], arguments].concat());
    fs::remove_file(&path).unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(output.status.code(), Some(0), "{err}");
    (out, err)
}

/// The fields of the table's only row.
fn row(csv: &str) -> Vec<&str> {
    assert_eq!(csv.lines().count(), 2, "{csv}");
    csv.lines().nth(1).unwrap().split(',').collect()
}

#[test]
fn puzzles_are_solved_and_faults_are_named() {
    let (out, err) = run("all", PUZZLES, &["--format", "csv"]);
    let header = "player,to 800,1200,1600,2000,2400,above,all,slope,middle,tries";
    assert_eq!(out.lines().next(), Some(header));
    // The second "solution" puts a rook where it is lost, and nobody finds it.
    assert_eq!(
        row(&out),
        ["20000 nodes", "50.0", "100.0", "100.0", "", "", "", "80.0", "", "", "5"]
    );
    assert!(err.contains("line 6: move 1: ") && err.contains("1 line could not be used"), "{err}");
}

#[test]
fn parts_themes_and_ratings_choose_the_puzzles() {
    let tries = |test: &str, arguments: &[&str]| {
        let (out, _) = run(test, PUZZLES, &[arguments, &["--format", "csv"]].concat());
        row(&out).last().unwrap().parse::<u32>().unwrap()
    };
    // A faulty line keeps its number.
    assert_eq!(tries("odd", &["--part", "odd"]), 3);
    assert_eq!(tries("even", &["--part", "even"]), 2);
    assert_eq!(tries("theme", &["--theme", "matein1"]), 3);
    assert_eq!(tries("ratings", &["--ratings", "600-1100"]), 3);
    assert_eq!(tries("every", &["--every", "2", "--repeat", "4"]), 12);
}

#[test]
fn the_same_seed_solves_the_same_on_any_number_of_threads() {
    let table = |test: &str, arguments: &[&str]| {
        let players = ["--elo", "400,800", "--level", "3,5", "--repeat", "2"];
        run(test, PUZZLES, &[&players, arguments].concat()).0
    };
    let one = table("one", &["--threads", "1"]);
    assert_eq!(one, table("three", &["--threads", "3"]));
    for player in ["UCI_Elo 400", "UCI_Elo 800", "3-beginner", "5-advanced"] {
        assert!(one.contains(player), "{one}");
    }
    assert_ne!(one, table("seed", &["--threads", "1", "--seed", "2"]));
}

#[test]
fn files_and_arguments_that_do_not_fit_are_refused() {
    for (test, content, arguments, fault) in [
        ("column", "fen\tmoves\nx\ty\n", &[][..], "\"rating\""),
        ("none", "rating\tfen\tmoves\n", &[], "no such puzzle"),
        ("chosen", PUZZLES, &["--theme", "zugzwang"], "no such puzzle"),
        ("level", PUZZLES, &["--level", "unlimited"], "--nodes"),
        ("elo", PUZZLES, &["--elo", "300"], "400"),
        ("rating", PUZZLES, &["--ratings", "700-600"], "400-700"),
    ] {
        let path = file(test, content);
        let output = engine(&[&[path.to_str().unwrap()], arguments].concat());
        fs::remove_file(&path).unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        let code = if fault == "no such puzzle" { 1 } else { 2 };
        assert!(output.status.code() == Some(code) && error.contains(fault), "{test}: {error}");
    }
    let output = engine(&["no such file.tsv"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("no such file.tsv"));
    assert_eq!(output.status.code(), Some(2));
}
