//! Limited strength as a client sees it.

use super::client::Client;

const OPENING: &str = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 f3g5 d7d5";

/// The answer to `go` under limited strength with this seed: the lines before `bestmove`, and the move.
fn answer(elo: u32, seed: u32, go: &str) -> (Vec<String>, String) {
    let mut client = Client::start();
    client.say("debug on");
    client.say("setoption name UCI_LimitStrength value true");
    client.say(&format!("setoption name UCI_Elo value {elo}"));
    client.say(&format!("setoption name Game Seed value {seed}"));
    client.say(OPENING);
    client.say(go);
    let best = client.wait_for("bestmove ");
    let lines: Vec<String> =
        client.heard.iter().filter(|line| line.starts_with("info ")).cloned().collect();
    (lines, best)
}

#[test]
fn a_move_comes_with_one_variation_and_its_reason() {
    let (lines, best) = answer(900, 3, "go wtime 60000 btime 60000");
    let word = best.split(' ').nth(1).unwrap();
    let variations: Vec<&String> = lines.iter().filter(|line| line.contains(" pv ")).collect();
    assert_eq!(variations.len(), 1, "{lines:?}");
    assert!(variations[0].contains(&format!(" pv {word}")), "{lines:?}");
    let reason = |line: &String| line.starts_with("info string strength elo=900 seed=3: ");
    assert!(lines.iter().any(reason), "{lines:?}");
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    let [first, again] = [5, 5].map(|seed| answer(700, seed, "go movetime 2000").1);
    assert_eq!(first, again);
    let others: Vec<String> = (6..12).map(|seed| answer(700, seed, "go movetime 2000").1).collect();
    assert!(others.iter().any(|other| *other != first), "every seed plays {first}");
}

#[test]
fn an_unset_seed_is_drawn_and_told() {
    let (lines, _) = answer(700, 0, "go movetime 2000");
    let told = lines.iter().find_map(|line| line.split_once("seed=")?.1.split(':').next());
    assert!(told.is_some_and(|seed| seed.parse::<u64>().is_ok_and(|seed| seed > 0)), "{lines:?}");
}

#[test]
fn analysis_keeps_its_full_strength() {
    let mut client = Client::start();
    client.say("setoption name UCI_LimitStrength value true");
    client.say("setoption name UCI_Elo value 400");
    client.say(OPENING);
    client.say("go infinite");
    client.wait_for("info depth 6 ");
    client.say("stop");
    client.wait_for("bestmove ");
    assert!(!client.heard.iter().any(|line| line.contains("strength")), "{:?}", client.heard);
}
