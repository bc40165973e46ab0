//! Options: those on offer, and answers to invalid values.

use std::fs;

use engine::search::parameters::{TUNABLES, Tunable};

use crate::client::{Client, field};
use crate::info::last_variation;

fn option_lines(arguments: &[&str]) -> Vec<String> {
    let mut client = Client::start_with(arguments);
    client.say("uci");
    client.wait_for("uciok");
    client.heard.iter().filter(|line| line.starts_with("option ")).cloned().collect()
}

#[test]
fn defaults_lie_in_their_ranges_and_combo_values_have_no_spaces() {
    for line in option_lines(&["--tune"]) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let after = |name: &str| {
            let at = words.iter().position(|word| *word == name);
            at.map(|at| words[at + 1].to_string())
        };
        match after("type").as_deref() {
            Some("spin") => {
                let number = |name| after(name).unwrap().parse::<i64>().unwrap();
                assert!((number("min")..=number("max")).contains(&number("default")), "{line}");
            }
            Some("combo") => {
                let from = words.iter().position(|word| *word == "default").unwrap();
                assert_eq!(words[from..].len() % 2, 0, "{line}");
                assert!(words[from..].chunks(2).skip(1).all(|pair| pair[0] == "var"), "{line}");
            }
            Some("check" | "string") => assert!(after("default").is_some(), "{line}"),
            other => assert_eq!(other, Some("button"), "{line}"),
        }
    }
}

#[test]
fn every_option_accepts_its_default() {
    let mut client = Client::start_with(&["--tune"]);
    for line in option_lines(&["--tune"]) {
        let name = line.split(" type ").next().unwrap().trim_start_matches("option name ");
        let default = line.split(" default ").nth(1).map(|text| {
            [" min ", " var "].iter().fold(text, |text, end| text.split(end).next().unwrap())
        });
        let set = match default {
            Some(default) => format!("setoption name {name} value {default}"),
            None => format!("setoption name {name}"),
        };
        assert_eq!(client.ask(&set), Vec::<String>::new(), "{set}");
    }
}

#[test]
fn invalid_values_get_a_remark_and_change_nothing() {
    let mut client = Client::start();
    for line in [
        "setoption",
        "setoption name",
        "setoption Hash value 1",
        "setoption name Nonsense value 1",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Hash value 0",
        "setoption name Hash value -1",
        "setoption name Hash value 99999999999999999999",
        "setoption name Hash value lots",
        "setoption name Ponder value perhaps",
        "setoption name Evaluation value deep thought",
    ] {
        let lines = client.ask(line);
        assert!(lines.len() == 1 && lines[0].starts_with("info string "), "{line}: {lines:?}");
    }
    client.search("go depth 2");
}

#[test]
fn a_table_too_big_for_the_machine_is_refused() {
    let mut client = Client::start();
    let mut undisturbed = Client::start();
    let nodes = |client: &mut Client| {
        let lines = client.search("go depth 8");
        let line = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
        field(line, "nodes").unwrap().to_string()
    };
    for client in [&mut client, &mut undisturbed] {
        client.say("position startpos moves e2e4 e7e5");
        nodes(client);
    }
    let before = client.ask("d");
    let lines = client.ask("setoption name Hash value 33554432");
    assert!(lines.len() == 1 && lines[0].contains("keeps its 16 MB"), "{lines:?}");
    assert_eq!(client.ask("d"), before);
    assert_eq!(nodes(&mut client), nodes(&mut undisturbed), "the table is the same");
    // The refused size is forgotten and not tried again with the next option.
    assert_eq!(client.ask("setoption name Ponder value true"), Vec::<String>::new());
    assert_eq!(client.ask("setoption name Hash value 2"), Vec::<String>::new());
}

#[test]
fn an_invalid_network_is_refused_and_the_current_one_stays() {
    let mut client = Client::start();
    let built_in = client.ask("eval");
    assert!(built_in.iter().any(|line| line.starts_with("king proximity")), "{built_in:?}");
    let folder = tempfile::tempdir().unwrap();
    let good = include_bytes!("../../crates/engine/src/evaluation/variants/chess.net");
    let damaged: Vec<u8> = good.iter().map(|byte| byte ^ u8::from(*byte == 77)).collect();
    let cases: [(&str, &[u8], &str); 4] = [
        ("text.net", b"no network at all", "no network"),
        ("short.net", &good[..9000], "9000 bytes instead of"),
        ("damaged.net", &damaged, "damaged"),
        ("missing.net", b"", "missing.net"),
    ];
    for (name, bytes, message) in cases {
        let path = folder.path().join(name);
        if !bytes.is_empty() {
            fs::write(&path, bytes).unwrap();
        }
        let lines = client.ask(&format!("setoption name EvalFile value {}", path.display()));
        assert!(lines.len() == 1 && lines[0].contains(message), "{name}: {lines:?}");
        assert!(lines[0].contains("stays in use"), "{lines:?}");
        assert_eq!(client.ask("eval"), built_in);
    }
    let path = folder.path().join("good.net");
    fs::write(&path, good).unwrap();
    let set = format!("setoption name EvalFile value {}", path.display());
    assert_eq!(client.ask(&set), Vec::<String>::new());
    assert_eq!(client.ask("eval"), built_in);
    assert_eq!(client.ask("setoption name EvalFile value <empty>"), Vec::<String>::new());
}

#[test]
fn auto_is_the_network_and_at_a_level_the_linear_form() {
    let mut client = Client::start();
    let mut eval = |lines: &[&str]| {
        lines.iter().for_each(|line| assert_eq!(client.ask(line), Vec::<String>::new()));
        client.ask("eval")
    };
    let auto =
        eval(&["position fen r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"]);
    let linear = eval(&["setoption name Evaluation value linear"]);
    let tables = eval(&["setoption name Evaluation value tables"]);
    assert!(auto != linear && auto != tables && linear != tables);
    assert_eq!(eval(&["setoption name Evaluation value network"]), auto);
    let level = "setoption name Level value 3-beginner";
    assert_eq!(eval(&[level, "setoption name Evaluation value auto"]), linear);
    assert_eq!(eval(&["setoption name Level value unlimited"]), auto);
}

#[test]
fn wdl_is_shown_only_on_request() {
    let mut client = Client::start();
    assert!(!client.search("go depth 3").iter().any(|line| line.contains(" wdl ")));
    client.say("setoption name uci_showwdl value true");
    let lines = client.search("go depth 3");
    let info = lines.iter().find(|line| line.contains(" wdl ")).unwrap();
    let chances = info.split(" wdl ").nth(1).unwrap().split_whitespace().take(3);
    assert_eq!(chances.map(|chance| chance.parse::<u32>().unwrap()).sum::<u32>(), 1000);
}

#[test]
fn search_parameters_are_options_only_for_tuners() {
    let (plain, tuned) = (option_lines(&[]), option_lines(&["--tune"]));
    assert_eq!(tuned.len(), plain.len() + TUNABLES.len());
    assert!(tuned.starts_with(&plain));
    let Tunable { name, default, min, max, .. } = TUNABLES[0];
    let line = format!("option name {name} type spin default {default} min {min} max {max}");
    assert!(tuned.contains(&line));

    let set = |value: i32| format!("setoption name {name} value {value}");
    let mut client = Client::start_with(&["--tune"]);
    assert_eq!(client.ask(&set(min)), Vec::<String>::new());
    assert!(client.ask(&set(max + 1))[0].starts_with("info string "));
    assert!(client.ask(&format!("setoption name {name} value x"))[0].starts_with("info string "));
    let mut client = Client::start();
    assert!(client.ask(&set(min))[0].starts_with("info string no option is called"));
}

#[test]
fn search_parameters_reach_the_search() {
    let nodes = |numbers: &[(&str, i32)]| {
        let mut client = Client::start_with(&["--tune"]);
        for (name, value) in numbers {
            client.ask(&format!("setoption name {name} value {value}"));
        }
        let lines = client.search("go depth 9");
        let line = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
        field(line, "nodes").unwrap().parse::<u64>().unwrap()
    };
    let off = [("reduction_depth", 99), ("null_move_depth", 99)];
    assert!(nodes(&off) > 2 * nodes(&[]), "without reductions the tree grows");
}

#[test]
fn threads_search_together_and_stop_together() {
    let mut client = Client::start();
    assert!(client.ask("setoption name Threads value 2").is_empty());
    for go in ["go depth 8", "go nodes 50000", "go movetime 50", "go depth 6 searchmoves a2a3"] {
        let lines = client.search(go);
        let info = last_variation(&lines);
        let best = lines.last().unwrap();
        assert!(best.starts_with(&format!("bestmove {}", info.pv[0])), "{go}: {lines:?}");
    }
    client.say("setoption name MultiPV value 3");
    client.search("go depth 6");
    client.say("setoption name Threads value 1");
    client.say("go infinite");
    client.search("stop");
}

/// Threads beyond the processors would keep the first one from seeing the clock.
#[test]
fn more_threads_than_processors_can_run_are_not_started() {
    let mut client = Client::start();
    let most = 2 * std::thread::available_parallelism().unwrap().get();
    if most >= 1024 {
        return println!("skipped: too many processors");
    }
    let lines = client.ask("setoption name Threads value 1024");
    let remark = format!("info string {most} of 1024 threads search: two for each processor");
    assert_eq!(lines, [remark]);
    client.search("go nodes 1000");
    if let Ok(status) = fs::read_to_string(format!("/proc/{}/status", client.id())) {
        let threads = status.lines().find_map(|line| line.strip_prefix("Threads:")).unwrap();
        // Beside the search: the session, its reader and the handler of Ctrl-C.
        let threads: usize = threads.trim().parse().unwrap();
        assert!(threads <= most + 3, "{threads} threads");
    }
}

#[test]
fn both_directions_are_logged() {
    let name = format!("ajedrecista value {}.log", std::process::id());
    let path = std::env::temp_dir().join(name);
    let mut client = Client::start();
    client.ask(&format!("setoption name Debug Log File value {}", path.display()));
    client.search("go depth 1");
    client.ask("setoption name Debug Log File value <empty>");
    client.ask("d");
    let log = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(log.contains(" < go depth 1\n") && log.contains(" > bestmove "), "{log}");
    assert!(!log.contains(" < d\n"));
}

#[test]
fn an_invalid_log_file_gets_a_remark() {
    let mut client = Client::start();
    let lines = client.ask("setoption name Debug Log File value /no/such/folder/log.txt");
    assert!(lines.len() == 1 && lines[0].starts_with("info string "), "{lines:?}");
}

#[test]
fn debug_adds_remarks() {
    let mut client = Client::start();
    assert_eq!(client.ask("position startpos"), Vec::<String>::new());
    client.ask("debug on");
    assert!(!client.ask("position startpos").is_empty());
    client.ask("debug off");
    assert_eq!(client.ask("position startpos"), Vec::<String>::new());
}
