//! Endgame tables by the option `SyzygyPath`: their use, and reports on invalid ones.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::client::{Client, field};
use crate::common::endgame_tables;
use crate::info::variations;

/// Mate in about 24 moves: out of reach of a short search.
const WON: &str = "position fen 8/8/8/3k4/8/8/3KBN2/8 w - - 0 1";

/// Sets the path; returns the engine's remarks.
fn set_path(client: &mut Client, path: &str) -> Vec<String> {
    client.ask(&format!("setoption name SyzygyPath value {path}"))
}

/// True if the last search probed the tables, and its last score in centipawns.
fn tables_and_score(lines: &[String]) -> (bool, i32) {
    let last = lines.iter().rfind(|line| line.contains(" score cp ")).unwrap();
    let tbhits = field(last, "tbhits").map_or(0, |hits| hits.parse::<u64>().unwrap());
    (tbhits > 0, field(last, "cp").unwrap().parse().unwrap())
}

#[test]
fn tables_are_probed_within_their_limits() {
    let Some(folder) = endgame_tables() else { return };
    let mut client = Client::start();
    client.ask(WON);
    let (asked, score) = tables_and_score(&client.search("go depth 4"));
    assert!(!asked && score < 5000, "{score}");

    let said = set_path(&mut client, folder.to_str().unwrap());
    assert!(said.iter().any(|line| line.ends_with("endgame tables, up to 4 pieces")), "{said:?}");
    let (asked, score) = tables_and_score(&client.search("go depth 4"));
    assert!(asked && score > 19_000, "{score}");

    // More pieces than the limit: the tables are not probed.
    client.ask("setoption name SyzygyProbeLimit value 3");
    client.ask("ucinewgame");
    let (asked, score) = tables_and_score(&client.search("go depth 2"));
    assert!(!asked && score < 5000, "{score}");
    client.ask("setoption name SyzygyProbeLimit value 7");

    // The fifty-move rule saves Black, unless it does not count.
    client.ask("position fen 8/8/8/8/3k4/8/8/KBN5 w - - 98 90");
    assert!(tables_and_score(&client.search("go depth 4")).1.abs() < 100);
    client.ask("setoption name Syzygy50MoveRule value false");
    client.ask("position fen 8/8/8/8/3k4/8/8/KBN5 w - - 60 90");
    assert!(tables_and_score(&client.search("go depth 4")).1 > 19_000);
}

#[test]
fn invalid_folders_and_files_are_reported_and_play_goes_on() {
    let mut client = Client::start();
    let said = set_path(&mut client, "/there/is/no/such/folder");
    assert!(said.iter().any(|line| line.contains("/there/is/no/such/folder")), "{said:?}");

    let empty = tempfile::tempdir().unwrap();
    let said = set_path(&mut client, empty.path().to_str().unwrap());
    assert!(said.iter().any(|line| line.contains("no endgame tables in")), "{said:?}");

    let broken = tempfile::tempdir().unwrap();
    fs::write(broken.path().join("KRvK.rtbw"), vec![0; 80]).unwrap();
    fs::write(broken.path().join("KQvK.rtbw"), "a").unwrap();
    let said = set_path(&mut client, broken.path().to_str().unwrap());
    for name in ["KRvK.rtbw", "KQvK.rtbw"] {
        assert!(said.iter().any(|line| line.contains(name)), "{said:?}");
    }
    client.ask(WON);
    assert!(client.search("go depth 6").last().unwrap().starts_with("bestmove "));
}

/// After a refused path the current tables stay in use.
#[test]
fn an_invalid_path_changes_nothing() {
    let Some(folder) = endgame_tables() else { return };
    let mut client = Client::start();
    set_path(&mut client, folder.to_str().unwrap());
    set_path(&mut client, "/there/is/no/such/folder");
    client.ask(WON);
    assert!(tables_and_score(&client.search("go depth 4")).0);
    set_path(&mut client, "<empty>");
    client.ask("ucinewgame");
    assert!(!tables_and_score(&client.search("go depth 2")).0);
}

/// Other rule sets have tables of their own and never probe those of chess.
#[test]
fn other_rule_sets_do_not_probe_the_tables_of_chess() {
    let Some(folder) = endgame_tables() else { return };
    let mut client = Client::start();
    set_path(&mut client, folder.to_str().unwrap());
    for variant in ["kingofthehill", "atomic", "antichess", "crazyhouse"] {
        client.ask(&format!("setoption name UCI_Variant value {variant}"));
        client.ask("position fen 8/8/8/3k4/8/8/3KBN2/8 w - - 0 1");
        let lines = client.search("go depth 3");
        assert!(!lines.iter().any(|line| line.contains("tbhits") && !line.contains("tbhits 0")));
    }
    client.ask("setoption name UCI_Variant value chess");
    client.ask(WON);
    assert!(tables_and_score(&client.search("go depth 4")).0, "chess has its tables again");
}

/// The scores of the lines of the last iteration, best line first, and the move played.
fn lines_and_move(lines: &[String]) -> (Vec<i32>, String) {
    let mut scores = Vec::new();
    for info in variations(lines) {
        scores.truncate(info.rank - 1);
        scores.push(info.score.worth());
    }
    (scores, field(lines.last().unwrap(), "bestmove").unwrap().to_string())
}

/// Each line has the result of its own move, and the best of them is played.
#[test]
fn several_lines_have_each_its_own_result() {
    let Some(folder) = endgame_tables() else { return };
    let mut client = Client::start();
    set_path(&mut client, folder.to_str().unwrap());
    client.say("setoption name MultiPV value 2");
    // The king takes the queen, or loses against her.
    client.say("position fen 4k3/8/8/8/8/8/3q4/4K2R w - - 0 1");
    let (scores, best) = lines_and_move(&client.search("go depth 12"));
    assert!(scores[0] > 19_000 && scores[1] < -19_000, "{scores:?}");
    assert_eq!(best, "e1d2");
    for (variations, fen, go, good) in [
        (2, "8/8/P7/8/8/3K3p/k7/8 w - - 0 1", "go nodes 50", &["a6a7"][..]),
        (4, "k7/8/3K2R1/7b/8/8/8/8 w - - 0 1", "go nodes 50", &["g6g5", "g6h6"]),
        (4, "8/8/8/Kn6/7R/8/k7/8 b - - 0 1", "go nodes 100000", &["b5a3"]),
        (1, "8/8/8/Kn6/7R/8/k7/8 b - - 0 1", "go nodes 1", &["b5a3"]),
        (5, "8/8/8/Kn6/7R/8/k7/8 b - - 0 1", "go nodes 1", &["b5a3"]),
    ] {
        client.say(&format!("setoption name MultiPV value {variations}"));
        client.say(&format!("position fen {fen}"));
        let (_, best) = lines_and_move(&client.search(go));
        assert!(good.contains(&best.as_str()), "{fen}: {best}");
    }
}

/// The fifty moves begin again with a capture or a pawn move, and a mate comes before their end.
#[test]
fn the_hundredth_half_move_may_win_or_lose() {
    let Some(folder) = endgame_tables() else { return };
    let mut client = Client::start();
    set_path(&mut client, folder.to_str().unwrap());
    for (fen, worth) in [
        // A rook is captured; a pawn becomes a queen; mate; and the same for the other side.
        ("3q1R2/8/8/8/8/4k2K/8/8 b - - 99 1", 1),
        ("8/P6k/8/8/8/8/8/K7 w - - 99 1", 1),
        ("7k/8/6K1/8/8/8/8/1Q6 w - - 99 1", 1),
        ("7k/8/6K1/8/8/8/8/Q7 w - - 98 1", 1),
        // There are moves of the pawn only, after which the queen wins.
        ("8/8/8/3k4/8/8/2q4P/K7 w - - 99 1", -1),
        // Too late: no mate in one, and nothing to capture.
        ("8/8/8/3k4/8/2K5/8/Q7 w - - 99 1", 0),
    ] {
        client.say(&format!("position fen {fen}"));
        let (scores, _) = lines_and_move(&client.search("go depth 8"));
        let sign = if scores[0].abs() > 10 { scores[0].signum() } else { 0 };
        assert_eq!(sign, worth, "{fen}: {scores:?}");
    }
}

#[test]
fn good_folders_are_used_and_bad_ones_are_named() {
    let Some(folder) = endgame_tables() else { return };
    let good = folder.to_str().unwrap().to_string();
    let none = "/there/is/no/such/folder";
    for (path, bad) in [
        (format!("{good}:"), None),
        (format!(":{good}"), None),
        (format!("{good}/"), None),
        (format!("{good}: :"), None),
        (format!("{good} : {good}"), None),
        (format!("{none}:{good}"), Some(none)),
        (format!("{good}:{none}:"), Some(none)),
        (format!("{good}:{good}/KQvK.rtbw"), Some("KQvK.rtbw")),
    ] {
        let mut client = Client::start();
        let said = set_path(&mut client, &path);
        let opened = said.iter().any(|line| line.ends_with("endgame tables, up to 4 pieces"));
        assert!(opened, "{path}: {said:?}");
        assert_eq!(said.len(), 1 + usize::from(bad.is_some()), "{path}: {said:?}");
        assert!(bad.is_none_or(|bad| said[0].contains(bad)), "{path}: {said:?}");
        client.ask(WON);
        assert!(tables_and_score(&client.search("go depth 4")).0, "{path}");
    }
    for path in [":", " : ", "/there/is/no:/nor/here"] {
        let said = set_path(&mut Client::start(), path);
        assert!(said.len() == 1 && said[0].contains("the current tables stay"), "{path}: {said:?}");
    }
}

/// A folder with the tables of these names.
fn copies(folder: &Path, names: &[&str]) -> tempfile::TempDir {
    let copies = tempfile::tempdir().unwrap();
    for name in names {
        fs::copy(folder.join(name), copies.path().join(name)).unwrap();
    }
    copies
}

/// A table is opened when it is first needed: by then it may have become something else.
#[cfg(unix)]
#[test]
fn a_table_that_is_gone_or_a_pipe_costs_a_remark_and_no_move() {
    let Some(folder) = endgame_tables() else { return };
    let gone = |table: &Path| fs::remove_file(table).unwrap();
    let pipe = |table: &Path| {
        fs::remove_file(table).unwrap();
        assert!(Command::new("mkfifo").arg(table).status().unwrap().success());
    };
    let folder_instead = |table: &Path| {
        fs::remove_file(table).unwrap();
        fs::create_dir(table).unwrap();
    };
    let empty = |table: &Path| fs::write(table, "").unwrap();
    let changes: [fn(&Path); 4] = [gone, pipe, folder_instead, empty];
    for (change, name) in changes.iter().flat_map(|change| [(change, "wdl"), (change, "dtz")]) {
        let tables = copies(&folder, &["KRvK.rtbw", "KRvK.rtbz"]);
        let mut client = Client::start();
        set_path(&mut client, tables.path().to_str().unwrap());
        change(&tables.path().join(if name == "wdl" { "KRvK.rtbw" } else { "KRvK.rtbz" }));
        // The root is in the tables, and then only a position after a capture.
        for fen in ["8/8/8/3k4/8/8/8/3KR3 w - - 0 1", "8/8/8/3k4/8/4r3/3P4/3KR3 w - - 0 1"] {
            client.say(&format!("position fen {fen}"));
            let lines = client.search("go depth 6");
            assert!(!lines.last().unwrap().contains("(none)"), "{name}: {lines:?}");
        }
        let remarks = client.heard.iter().filter(|line| line.contains(&format!("KRvK ({name})")));
        assert_eq!(remarks.count(), 1, "{:?}", client.heard);
        client.say("go infinite");
        client.say("stop");
        client.wait_for("bestmove");
        client.say("go infinite");
        assert!(client.quit().0.success());
    }
}
