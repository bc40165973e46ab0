//! Playing from the book: its conditions, its remarks, and invalid books.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::client::{Client, best_moves, field};
use crate::info::{game, walk};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Two first moves of equal weight, and a much lighter one.
const GAMES: &str = "[Weight \"10\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *\n\n\
    [Weight \"10\"]\n\n1. d4 d5 *\n\n[Weight \"1\"]\n\n1. c4 *\n\n\
    [FEN \"8/P6k/8/8/8/8/8/7K w - - 0 1\"]\n[Weight \"1\"]\n\n1. a8=N *\n";

/// A folder with a book of these games.
fn book(games: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let [input, output] = ["games.pgn", "book.bin"].map(|name| folder.path().join(name));
    fs::write(&input, games).unwrap();
    let arguments = [Path::new("book"), Path::new("build"), &input, Path::new("-o"), &output];
    let built = Command::new(env!("CARGO_BIN_EXE_engine")).args(arguments).output().unwrap();
    assert!(built.status.success());
    (folder, output)
}

/// A client with this book.
fn client_with(book: &Path) -> Client {
    let mut client = Client::start_with(&[]);
    assert!(open(&mut client, book).is_empty());
    client
}

/// Sets the book file; returns the engine's remarks.
fn open(client: &mut Client, book: &Path) -> Vec<String> {
    client.ask(&format!("setoption name BookFile value {}", book.display()))
}

fn is_from_book(lines: &[String]) -> bool {
    lines.iter().any(|line| line.starts_with("info string book: "))
}

fn best(lines: &[String]) -> String {
    field(lines.last().unwrap(), "bestmove").unwrap().to_string()
}

#[test]
fn a_fresh_engine_has_a_book() {
    for (setting, go) in [
        ("debug off", "go wtime 600000 btime 600000 winc 1000 binc 1000"),
        ("debug off", "go movetime 600000"),
        ("setoption name Level value 5", "go"),
        ("setoption name Level value 5", "go btime 600000 wtime 600000 movestogo 40"),
    ] {
        let mut client = Client::start_with(&[]);
        client.ask(setting);
        client.ask("position startpos");
        let lines = client.search(go);
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert!(lines[0].starts_with("info string book: ") && lines[0].contains(" %), one of "));
        let nodes: u64 = field(&lines[1], "nodes").unwrap().parse().unwrap();
        assert!(nodes > 1000 && lines[1].contains(" score cp "), "a searched score: {lines:?}");
        let pv: Vec<String> =
            lines[1].split(" pv ").nth(1).unwrap().split(' ').map(str::to_string).collect();
        walk(&game(START, &[]), &pv);
        assert_eq!(best(&lines), pv[0]);
        assert_eq!(field(&lines[2], "ponder"), pv.get(1).map(String::as_str));
    }
}

#[test]
fn requests_for_a_search_get_one() {
    let mut client = Client::start_with(&[]);
    for go in [
        "go depth 2",
        "go nodes 100",
        "go mate 1 movetime 50",
        "go searchmoves e2e4 movetime 20",
        "go depth 2 wtime 600000 btime 600000",
        "go nodes 100 wtime 600000 btime 600000",
    ] {
        assert!(!is_from_book(&client.search(go)), "{go}");
    }
    for go in
        ["go infinite", "go", "go ponder wtime 600000 btime 600000", "go infinite wtime 9 btime 9"]
    {
        client.say(go);
        client.wait_for("info depth 1 ");
        assert!(!is_from_book(&client.search("stop")), "{go}");
    }
    client.say("setoption name Level value 3");
    for go in ["go nodes 40", "go depth 3", "go searchmoves e2e4"] {
        assert!(!is_from_book(&client.search(go)), "{go}");
    }
    assert!(is_from_book(&client.search("go")));
}

#[test]
fn options_that_close_the_book() {
    for option in [
        "OwnBook value false",
        "MultiPV value 2",
        "UCI_AnalyseMode value true",
        "BookDepth value 0",
    ] {
        let mut client = Client::start_with(&[]);
        assert!(client.ask(&format!("setoption name {option}")).is_empty());
        assert!(!is_from_book(&client.search("go movetime 30")), "{option}");
    }
}

#[test]
fn a_ponder_hit_continues_the_search() {
    let mut client = Client::start_with(&[]);
    client.say("position startpos moves e2e4 e7e5");
    client.say("go ponder wtime 1000 btime 1000");
    client.wait_for("info depth 1 ");
    let lines = client.search("ponderhit");
    assert!(!is_from_book(&lines));
    assert_eq!(best_moves(&lines), 1);
}

#[test]
fn another_start_is_not_in_the_book() {
    let mut client = Client::start_with(&[]);
    for fen in [
        "nbrkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NBRKQBRN w - - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    ] {
        client.say(&format!("position fen {fen}"));
        assert!(!is_from_book(&client.search("go movetime 20")), "{fen}");
    }
}

#[test]
fn the_book_ends_at_its_depth() {
    let (_folder, path) = book(GAMES);
    let mut client = client_with(&path);
    client.say("setoption name BookDepth value 2");
    client.say("position startpos moves e2e4");
    assert_eq!(best(&client.search("go movetime 20")), "e7e5");
    client.say("position startpos moves e2e4 e7e5");
    assert!(!is_from_book(&client.search("go movetime 20")));
    client.say("setoption name BookDepth value 3");
    assert_eq!(best(&client.search("go movetime 20")), "g1f3");
    // The move number of the FEN counts, not the number of moves sent.
    client.say("position fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 9");
    assert!(!is_from_book(&client.search("go movetime 20")));
}

#[test]
fn castling_and_promotion_come_out_right() {
    let (_folder, path) = book(GAMES);
    let mut client = client_with(&path);
    client.say("position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
    let lines = client.search("go movetime 20");
    assert!(lines[0].starts_with("info string book: O-O, weight 10 of 10 (100 %), one of 1"));
    assert_eq!(best(&lines), "e1g1");
    client.say("position fen 8/P6k/8/8/8/8/8/7K w - - 0 1");
    assert_eq!(best(&client.search("go movetime 20")), "a7a8n");
}

/// The first moves from the book under each of these seeds.
fn first_moves(client: &mut Client, variety: u32, seeds: std::ops::Range<u32>) -> Vec<String> {
    client.say(&format!("setoption name BookVariety value {variety}"));
    client.say("position startpos");
    seeds
        .map(|seed| {
            client.say(&format!("setoption name BookSeed value {seed}"));
            best(&client.search("go movetime 9999"))
        })
        .collect()
}

#[test]
fn a_seed_repeats_the_same_moves() {
    let (_folder, path) = book(GAMES);
    let mut client = client_with(&path);
    let moves = first_moves(&mut client, 100, 1..200);
    assert_eq!(first_moves(&mut client, 100, 1..60), moves[..59]);
    assert_eq!(first_moves(&mut client_with(&path), 100, 1..60), moves[..59]);
    let count = |wanted: &str| moves.iter().filter(|m| *m == wanted).count();
    // The expected counts of 199 moves are 95, 95 and 9.
    assert!((60..130).contains(&count("e2e4")), "{moves:?}");
    assert!((60..130).contains(&count("d2d4")), "{moves:?}");
    assert!((1..30).contains(&count("c2c4")), "{moves:?}");
}

#[test]
fn a_game_with_a_seed_can_be_repeated() {
    let play = || {
        let mut client = Client::start_with(&[]);
        client.say("setoption name Level value 3");
        client.say("setoption name BookSeed value 7");
        let mut moves = Vec::new();
        for _ in 0..30 {
            client.say(&format!("position startpos moves {}", moves.join(" ")));
            moves.push(best(&client.search("go wtime 60000 btime 60000")));
        }
        moves
    };
    assert_eq!(play(), play());
}

#[test]
fn less_variety_prefers_the_better_moves() {
    let (_folder, path) = book(GAMES);
    let mut client = client_with(&path);
    let some = first_moves(&mut client, 30, 1..100);
    assert_eq!(some.iter().collect::<HashSet<_>>().len(), 2, "{some:?}");
    assert!(!some.contains(&"c2c4".to_string()));
    let none = first_moves(&mut client, 0, 0..50);
    assert_eq!(none.iter().collect::<HashSet<_>>().len(), 1, "{none:?}");
    // Without a seed the moves vary.
    client.say("setoption name BookSeed value 0");
    client.say("setoption name BookVariety value 100");
    let moves: HashSet<String> =
        (0..60).map(|_| best(&client.search("go movetime 9999"))).collect();
    assert!(moves.len() > 1);
}

#[test]
fn repeated_positions_are_searched() {
    let mut client = Client::start_with(&[]);
    client.say("position startpos moves g1f3 g8f6 f3g1 f6g8");
    assert!(!is_from_book(&client.search("go movetime 30")));
}

#[test]
fn invalid_book_files_are_reported_and_the_current_book_stays() {
    let (folder, path) = book(GAMES);
    let sound = fs::read(&path).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let mut turned: Vec<&[u8]> = sound.chunks(16).collect();
    turned.reverse();
    let cases = [
        (folder.path().join("missing.bin"), "name a Polyglot book"),
        (folder.path().to_path_buf(), "name a Polyglot book"),
        (write("empty.bin", b""), "is empty"),
        (write("short.bin", &sound[..sound.len() - 3]), "truncated"),
        (write("tiny.bin", &sound[..9]), "9 too many"),
        (write("turned.bin", &turned.concat()), "not sorted"),
        (write("text.bin", GAMES.as_bytes()), "not a Polyglot book"),
    ];
    let mut client = client_with(&path);
    client.say("setoption name BookVariety value 0");
    client.say("position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
    for (bad, error) in cases {
        let lines = open(&mut client, &bad);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(
            lines[0].starts_with(&format!("info string book {}: ", bad.display())),
            "{lines:?}"
        );
        assert!(lines[0].contains(error) && lines[0].ends_with("stays in use"), "{lines:?}");
        assert_eq!(best(&client.search("go movetime 9999")), "e1g1", "{lines:?}");
        // The refused name is forgotten: another option does not repeat the error.
        assert!(client.ask("setoption name BookDepth value 30").is_empty());
    }
    assert!(client.ask("setoption name BookFile value <empty>").is_empty());
    assert!(client.ask("setoption name BookFile").is_empty());
}

#[test]
fn illegal_book_moves_are_not_played() {
    let (folder, path) = book("[Weight \"1\"]\n\n1. e4 *\n");
    let mut bytes = fs::read(&path).unwrap();
    // e2e5 in the place of e2e4.
    bytes[9] = 0x24;
    let path = folder.path().join("illegal.bin");
    fs::write(&path, bytes).unwrap();
    let mut client = client_with(&path);
    assert!(!is_from_book(&client.search("go movetime 20")));
}

#[test]
fn the_board_is_shown_with_the_name_of_the_opening() {
    let mut client = Client::start_with(&[]);
    let mut named = |moves: &str| {
        client.say(&format!("position startpos moves {moves}"));
        let lines = client.ask("d");
        lines.iter().find_map(|line| line.strip_prefix("Opening: ")).map(str::to_string)
    };
    assert_eq!(named(""), None);
    let spanish = named("e2e4 e7e5 g1f3 b8c6 f1b5").unwrap();
    assert!(spanish.starts_with("C6") && spanish.contains("Ruy Lopez"), "{spanish}");
    // Another order of the moves, and moves outside every book.
    assert_eq!(named("g1f3 b8c6 e2e4 e7e5 f1b5"), Some(spanish.clone()));
    assert_eq!(named("e2e4 e7e5 g1f3 b8c6 f1b5 h7h5 h2h4 a7a5"), Some(spanish));
}
