//! Endgame tables by the option `SyzygyPath`: their use, and reports on invalid ones.

use std::fs;

use crate::client::{Client, field};
use crate::common::endgame_tables;

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
