//! The levels and their depth policy: in the library, and in conversation with the program.

use std::process::{Command, Output};
use std::time::Duration;

use engine::evaluation::Evaluation;
use engine::evaluation::linear::Weights;
use engine::limits::Limits;
use engine::play::levels::form::Form;
use engine::play::levels::policy::DepthPolicy;
use engine::rules::Game;
use engine::search::report::{Outcome, Silent};
use engine::search::{Options, Searcher};
use shakmaty::Chess;

use crate::client::{Client, best_moves, field};

/// Plays a game against itself; returns move and nodes of each half-move.
fn game(limits: impl Fn(&Game<Chess>) -> Limits) -> Vec<(String, u64)> {
    let evaluator = Evaluation::linear(Weights::default());
    let mut searcher = Searcher::new(evaluator, Options::default(), 1).unwrap();
    let mut game = Game::new(Chess::default());
    let mut moves = Vec::new();
    while moves.len() < 160 && game.draw_reason().is_none() {
        let Outcome { best, nodes, .. } = searcher.search(&game, &limits(&game), &mut Silent);
        let Some(best) = best else { break };
        moves.push((best.to_string(), nodes));
        game.play(best);
    }
    moves
}

#[test]
fn off_is_fixed_depth_node_for_node() {
    let evaluator = Evaluation::<Chess>::linear(Weights::default());
    let parameters = Options::default().parameters;
    for base in [3, 4] {
        let policy = DepthPolicy::new(Form::Off, base);
        let off = game(|game| {
            let decision = policy.decide(game.position(), &evaluator, &parameters);
            Limits { plan: Some(decision.plan()), ..Limits::default() }
        });
        assert_eq!(off, game(|_| Limits::depth(base)));
    }
}

/// The answer to `go` with the machine's form of the reason.
fn search(client: &mut Client, go: &str) -> Vec<String> {
    client.say("debug on");
    let lines = client.search(go);
    client.say("debug off");
    lines
}

fn dda_lines(lines: &[String]) -> Vec<&String> {
    lines.iter().filter(|line| line.starts_with("info string dda ")).collect()
}

fn value<'a>(line: &'a str, name: &str) -> &'a str {
    let mut words = line.split_whitespace().filter_map(|word| word.split_once('='));
    words.find(|(key, _)| *key == name).unwrap().1
}

/// Plays a game at a level against itself, with clocks that run down; returns its moves.
fn conversation(client: &mut Client, level: &str, form: &str, clock: &str) -> Vec<String> {
    client.say("ucinewgame");
    client.say(&format!("setoption name Level value {level}"));
    client.say(&format!("setoption name DDA value {form}"));
    let mut moves: Vec<String> = Vec::new();
    while moves.len() < 60 {
        client.say(&format!("position startpos moves {}", moves.join(" ")));
        let lines = search(client, clock);
        let best = field(lines.last().unwrap(), "bestmove").unwrap().to_string();
        if best == "(none)" {
            break;
        }
        let reports = dda_lines(&lines);
        assert_eq!(reports.len(), 1, "{lines:#?}");
        assert_eq!(value(reports[0], "form"), form);
        moves.push(best);
    }
    moves
}

#[test]
fn a_level_plays_the_same_game_again() {
    for (level, form) in [("3-beginner", "moves"), ("4", "statistical"), ("beginner", "leaves")] {
        let mut client = Client::start();
        let first = conversation(&mut client, level, form, "go movetime 60000");
        assert!(first.len() > 20);
        let again = conversation(&mut client, level, form, "go wtime 900000 btime 900000");
        assert_eq!(first, again, "{level} {form}: in the same session, with another clock");
        let repeated = conversation(&mut Client::start(), level, form, "go");
        assert_eq!(first, repeated, "{level} {form}: in another session, without a clock");
    }
}

#[test]
fn levels_are_offered_and_accepted() {
    let mut client = Client::start();
    client.say("uci");
    client.wait_for("uciok");
    for line in [
        "option name Level type combo default unlimited \
         var unlimited var 3-beginner var 4-intermediate var 5-advanced",
        "option name DDA type combo default moves var off var moves var leaves var walk \
         var statistical var bounded \
         var paper var paper-leaves",
    ] {
        assert!(client.heard.iter().any(|heard| heard == line), "{line}\n{:#?}", client.heard);
    }
    for (text, base) in
        [("3", "3"), ("Intermediate", "4"), ("5-advanced", "5"), ("beginner", "3"), ("4", "4")]
    {
        assert_eq!(client.ask(&format!("setoption name Level value {text}")), Vec::<String>::new());
        let lines = search(&mut client, "go");
        let reports = dda_lines(&lines);
        assert_eq!(value(reports[0], "base"), base, "{text}");
        let depth: u32 = value(reports[0], "depth").parse().unwrap();
        assert!(depth >= base.parse().unwrap(), "never shallower than the base depth");
    }
    for line in ["Level value 6", "Level value 3-advanced", "DDA value maybe", "DDA"] {
        let answer = client.ask(&format!("setoption name {line}"));
        assert!(answer.len() == 1 && answer[0].starts_with("info string "), "{line}: {answer:?}");
    }
    let lines = search(&mut client, "go");
    assert_eq!(value(dda_lines(&lines)[0], "base"), "4", "a refused value changes nothing");
}

#[test]
fn the_weakest_level_mates_in_one() {
    let mut client = Client::start();
    client.say("setoption name Level value 3");
    for (fen, mate) in [
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8"),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7"),
        ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4"),
        ("7k/8/6K1/8/8/8/8/R7 w - - 99 99", "a1a8"),
    ] {
        for form in Form::NAMES {
            client.say(&format!("setoption name DDA value {form}"));
            client.say(&format!("position fen {fen}"));
            let lines = search(&mut client, "go wtime 60000 btime 60000");
            assert_eq!(field(lines.last().unwrap(), "bestmove"), Some(mate), "{fen} {form}");
            assert!(lines.iter().any(|line| line.contains(" score mate 1 ")), "{lines:#?}");
        }
    }
}

#[test]
fn the_only_move_is_played_at_once_with_a_score_and_a_variation() {
    let mut client = Client::start();
    client.say("setoption name Level value 5");
    client.say("position fen k7/8/8/8/8/8/6q1/7K w - - 0 1");
    let lines = search(&mut client, "go");
    let reports = dda_lines(&lines);
    assert!(reports[0].ends_with(" forced"), "{lines:#?}");
    assert_eq!((value(reports[0], "legal"), value(reports[0], "depth")), ("1", "1"));
    let info = lines.iter().find(|line| line.contains(" score ")).unwrap();
    assert!(info.contains(" pv h1g2"), "{info}");
    assert_eq!(field(lines.last().unwrap(), "bestmove"), Some("h1g2"));
}

/// Clients show the last `info` of a move: the reason stands before it, in words.
#[test]
fn the_score_comes_after_the_reason() {
    let mut client = Client::start();
    for setup in ["Level value 3", "UCI_LimitStrength value true"] {
        client.say(&format!("setoption name {setup}"));
        let lines = client.search("go wtime 60000 btime 60000");
        let [.., reason, score, _best] = lines.as_slice() else { panic!("{lines:?}") };
        assert!(score.contains(" score ") && score.contains(" pv "), "{lines:#?}");
        let words = reason.strip_prefix("info string ").expect(reason);
        assert!(words.len() < 120 && !words.contains('='), "{words}");
    }
}

#[test]
fn limits_of_the_client_override_the_level() {
    let mut client = Client::start();
    client.say("setoption name Level value 3");
    let lines = search(&mut client, "go depth 7");
    assert!(dda_lines(&lines).is_empty() && lines.iter().any(|l| l.starts_with("info depth 7 ")));
    assert!(!lines.iter().any(|line| line.starts_with("info depth 8 ")));
    client.say("go infinite");
    assert_eq!(best_moves(&client.listen(Duration::from_millis(300))), 0);
    client.say("stop");
    client.wait_for("bestmove");
    let lines = search(&mut client, "go nodes 40");
    let report = dda_lines(&lines)[0];
    assert!(value(report, "reached").parse::<u32>().unwrap() < 3, "{report}");
    client.say("setoption name Level value unlimited");
    assert!(dda_lines(&search(&mut client, "go movetime 20")).is_empty());
}

#[test]
fn a_level_ponders() {
    let mut client = Client::start();
    client.say("setoption name Level value 3");
    client.say("position startpos moves e2e4");
    client.say("go ponder wtime 60000 btime 60000");
    // The first line of a search is late on a busy machine.
    let mut thought = vec![client.wait_for("info depth ")];
    thought.extend(client.listen(Duration::from_millis(300)));
    assert_eq!(best_moves(&thought), 0);
    // Clients show the last line here, too: it is the score, and the reason comes with the move.
    assert!(thought.last().is_some_and(|line| line.contains(" pv ")), "{thought:#?}");
    let lines = client.search("ponderhit");
    assert!(lines[0].starts_with("info string looked "), "{lines:?}");
    assert!(lines[1].contains(" score "), "{lines:?}");
}

fn shell(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_engine")).args(arguments).output().unwrap()
}

#[test]
fn a_level_from_the_command_line() {
    assert!(shell(&["--level", "beginner"]).status.success());
    let refused = shell(&["--level", "grandmaster"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("3-beginner"));
}

#[test]
fn all_forms_side_by_side() {
    let output = shell(&["dda", "--fen", "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", "--base", "3,5"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("A level searches full width"), "{text}");
    for form in Form::NAMES {
        for base in ["3", "5"] {
            let row = text.lines().find(|line| {
                let words: Vec<&str> = line.split_whitespace().take(2).collect();
                words == [base, form]
            });
            let row = row.unwrap_or_else(|| panic!("{form} {base}\n{text}"));
            let depth = row.split_whitespace().nth(2).unwrap();
            assert!(depth.parse::<u32>().unwrap() >= base.parse().unwrap(), "{text}");
        }
    }
    assert!(text.contains("5 · ln 20 / ln 7 = 7.70 → 8"), "{text}");
    assert_eq!(shell(&["dda", "--fen", "nonsense"]).status.code(), Some(2));
    assert_eq!(shell(&["dda", "--games", "0"]).status.code(), Some(2));
}

#[test]
fn games_make_tables_and_a_picture() {
    let name = format!("ajedrecista dda {}.svg", std::process::id());
    let path = std::env::temp_dir().join(name);
    let output = shell(&["dda", "--games", "2", "--base", "1", "--svg", path.to_str().unwrap()]);
    let picture = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for side in ["moves", "leaves", "statistical", "coin, half", "same nodes", "one ply more"] {
        assert!(text.contains(&format!("| 1 | {side} |")), "{side}\n{text}");
    }
    assert!(picture.starts_with("<svg") && picture.contains("move number"));
}

#[test]
fn the_advanced_level_walks_into_no_mate_in_one() {
    let mut client = Client::start();
    client.say("setoption name Level value 5");
    client.say("position fen 3qrkn1/p2nbp1Q/1p5p/2rpP1P1/P2N4/1P2B1PN/7P/4RRK1 b - - 0 1");
    let lines = search(&mut client, "go");
    let best = field(lines.last().unwrap(), "bestmove").unwrap();
    client.say(&format!(
        "position fen 3qrkn1/p2nbp1Q/1p5p/2rpP1P1/P2N4/1P2B1PN/7P/4RRK1 b - - 0 1 moves {best}"
    ));
    let lines = search(&mut client, "go depth 2");
    assert!(!lines.iter().any(|line| line.contains(" score mate 1 ")), "{best}: {lines:#?}");
}

#[test]
fn the_law_is_printed_for_a_rule_set() {
    let output = shell(&["dda", "--law", "1", "--variant", "kingofthehill"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("full width") && text.contains("The greatest, τ"), "{text}");
}
