//! The timing of answers: when they come, and when they must not.

use std::process::ExitStatus;
use std::time::{Duration, Instant};

use crate::client::{Client, best_moves, field};

const A_WHILE: Duration = Duration::from_millis(300);

/// Mate has been given: White, to move, has no legal move.
const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
/// Black, to move, has no legal move and is not in check.
const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

#[test]
fn uci_is_answered_with_name_options_and_uciok() {
    let mut client = Client::start();
    client.say("uci");
    client.wait_for("uciok");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(client.heard[0], format!("id name Ajedrecista {version}"));
    assert!(client.heard.iter().any(|line| line.starts_with("id author ")));
    assert!(client.heard.iter().any(|line| line.starts_with("option name Hash type spin")));
}

#[test]
fn a_silent_client_gets_no_output() {
    assert_eq!(Client::start().listen(A_WHILE), Vec::<String>::new());
}

#[test]
fn each_go_gets_one_move() {
    let mut client = Client::start();
    for _ in 0..3 {
        let lines = client.search("go depth 4");
        assert_eq!(best_moves(&lines), 1);
    }
    assert_eq!(best_moves(&client.listen(A_WHILE)), 0);
}

#[test]
fn isready_is_answered_while_a_search_runs() {
    let mut client = Client::start();
    client.say("go infinite");
    for _ in 0..20 {
        assert_eq!(best_moves(&client.sync()), 0);
    }
    client.say("stop");
    client.wait_for("bestmove");
}

#[test]
fn an_infinite_search_waits_for_stop_even_when_it_is_done() {
    for go in ["go infinite", "go infinite depth 1", "go infinite nodes 10 movetime 1"] {
        let mut client = Client::start();
        client.say("position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1");
        client.say(go);
        assert_eq!(best_moves(&client.listen(A_WHILE)), 0, "{go}");
        client.say("stop");
        client.wait_for("bestmove");
    }
}

#[test]
fn a_pondering_search_waits_for_ponderhit_or_stop() {
    for end in ["ponderhit", "stop"] {
        let mut client = Client::start();
        client.say("position startpos moves e2e4 e7e5");
        client.say("go ponder wtime 100 btime 100 depth 2");
        assert_eq!(best_moves(&client.listen(A_WHILE)), 0);
        client.say(end);
        client.wait_for("bestmove");
        assert_eq!(best_moves(&client.listen(A_WHILE)), 0);
    }
}

/// The opponent's time is free: the search goes on far beyond what its own clock would allow.
#[test]
fn no_clock_ends_a_pondering_search() {
    let mut client = Client::start();
    for clock in ["wtime 20 btime 20", "movetime 1"] {
        client.say(&format!("go ponder {clock}"));
        client.wait_for("info depth 11 ");
        client.say("stop");
        client.wait_for("bestmove");
    }
}

#[test]
fn after_ponderhit_the_clock_counts() {
    let mut client = Client::start();
    client.say("go ponder wtime 300 btime 300");
    assert_eq!(best_moves(&client.listen(A_WHILE)), 0);
    client.say("ponderhit");
    // Without the clock this search would never end.
    client.wait_for("bestmove");
}

#[test]
fn after_ponderhit_an_infinite_search_still_waits_for_stop() {
    let mut client = Client::start();
    client.say("go ponder infinite depth 2");
    client.say("ponderhit");
    assert_eq!(best_moves(&client.listen(A_WHILE)), 0);
    client.say("stop");
    client.wait_for("bestmove");
}

#[test]
fn pondering_goes_on_through_a_game() {
    let mut client = Client::start();
    client.say("setoption name Ponder value true");
    let mut moves = String::new();
    for is_guess_right in [true, false, true, true] {
        client.say(&format!("position startpos moves{moves}"));
        let answer = client.search("go wtime 1000 btime 1000").pop().unwrap();
        let best = field(&answer, "bestmove").unwrap();
        let reply = field(&answer, "ponder").unwrap();
        client.say(&format!("position startpos moves{moves} {best} {reply}"));
        client.say("go ponder wtime 1000 btime 1000");
        client.wait_for("info depth 1 ");
        if is_guess_right {
            client.say("ponderhit");
            let next = client.wait_for("bestmove");
            moves += &format!(" {best} {reply} {}", field(&next, "bestmove").unwrap());
        } else {
            client.say("stop");
            client.wait_for("bestmove");
            moves += &format!(" {best}");
        }
        assert_eq!(client.sync(), Vec::<String>::new());
    }
}

#[test]
fn stop_and_ponderhit_are_silent_when_idle() {
    let mut client = Client::start();
    for line in ["stop", "ponderhit"] {
        assert_eq!(client.ask(line), Vec::<String>::new());
    }
    client.search("go depth 1");
    assert_eq!(client.ask("stop"), Vec::<String>::new());
}

#[test]
fn changes_of_the_game_end_the_search_and_deliver_its_move_first() {
    for line in [
        "ucinewgame",
        "position startpos moves d2d4",
        "setoption name Hash value 2",
        "setoption name Clear Hash",
        "flip",
    ] {
        let mut client = Client::start();
        client.say("go infinite");
        client.wait_for("info depth 1 ");
        let lines = client.ask(line);
        assert_eq!(best_moves(&lines), 1, "{line}: {lines:?}");
        client.search("go depth 1");
    }
}

#[test]
fn a_second_go_ends_the_first() {
    let mut client = Client::start();
    client.say("go infinite");
    client.wait_for("info depth 1 ");
    client.say("go depth 1");
    client.wait_for("bestmove");
    client.wait_for("bestmove");
    assert_eq!(best_moves(&client.listen(A_WHILE)), 0);
}

#[test]
fn a_game_that_is_over_has_a_score_and_no_move() {
    for (fen, score) in [(MATED, "mate 0"), (STALEMATE, "cp 0")] {
        for go in ["go depth 3", "go movetime 10", "go wtime 1000 btime 1000", "go nodes 5"] {
            let mut client = Client::start();
            client.say(&format!("position fen {fen}"));
            let lines = client.search(go);
            assert_eq!(lines, [format!("info depth 0 score {score}"), "bestmove (none)".into()]);
        }
    }
}

/// Starts a conversation, ends it by `end`, and checks the time that the program takes to exit. One fast
/// exit among several is enough: the machine may be busy.
fn leaves_at_once(line: &str, end: fn(Client) -> (ExitStatus, Duration, Vec<String>)) {
    let one_try = || {
        let mut client = Client::start();
        client.say(line);
        client.listen(Duration::from_millis(100));
        let (status, elapsed, lines) = end(client);
        assert!(status.success(), "{line}");
        assert_eq!(best_moves(&lines), usize::from(line.starts_with("go")), "{line}");
        elapsed
    };
    assert!((0..20).any(|_| one_try() < Duration::from_millis(100)), "{line}");
}

#[test]
fn the_end_of_the_input_ends_the_program_at_once() {
    for line in ["isready", "go infinite", "go ponder wtime 9000 btime 9000", "go movetime 9000"] {
        leaves_at_once(line, Client::end);
    }
}

#[test]
fn quit_ends_the_program_at_once() {
    for line in ["isready", "go infinite", "go wtime 900000 btime 900000"] {
        leaves_at_once(line, Client::quit);
    }
}

#[test]
fn the_extra_commands_answer() {
    let mut client = Client::start();
    let text = |lines: Vec<String>| lines.join("\n");
    assert!(text(client.ask("d")).contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"));
    assert!(!text(client.ask("eval")).is_empty());
    assert!(text(client.ask("compiler")).contains("Ajedrecista"));
    assert!(text(client.ask("help")).contains("setoption"));
    assert!(text(client.ask("go perft 3")).ends_with("Nodes searched: 8902"));
    client.ask("position startpos moves e2e4");
    client.ask("flip");
    assert!(text(client.ask("d")).contains(" w "), "White to move again, colours swapped");
    client.say("bench 1");
    let last = client.wait_for("");
    assert!(last.starts_with("info string 1/") || last.ends_with(" nps"), "{last}");
    while !client.wait_for("").ends_with(" nps") {}
}

/// The opponent model looks again after its first search. What the opponent's time has paid for is spent.
#[test]
fn after_long_pondering_every_player_answers_at_once() {
    for options in [
        &["Opponent Model value true", "UCI_Opponent value none 1400 human Nobody"][..],
        &["UCI_LimitStrength value true", "UCI_Elo value 2500"],
        &["Level value 5"],
        &[],
    ] {
        let mut client = Client::start();
        for option in options {
            client.say(&format!("setoption name {option}"));
        }
        client.say("position startpos moves e2e4 e7e5 g1f3 b8c6");
        client.say("go ponder wtime 10000 btime 10000");
        client.listen(Duration::from_millis(2000));
        let started = Instant::now();
        client.say("ponderhit");
        client.wait_for("bestmove");
        let elapsed = started.elapsed();
        assert!(elapsed < Duration::from_millis(400), "{options:?}: {elapsed:?}");
    }
}

/// The time of an answer under limited strength with these settings, and the move.
fn limited_answer(
    thinks: bool,
    position: &str,
    go: &str,
    then: Option<&str>,
) -> (Duration, String) {
    let mut client = Client::start();
    client.say("setoption name UCI_LimitStrength value true");
    client.say("setoption name UCI_Elo value 1500");
    client.say("setoption name Game Seed value 3");
    client.say(&format!("setoption name Thinking Time value {thinks}"));
    client.say(position);
    client.sync();
    let started = Instant::now();
    client.say(go);
    if let Some(command) = then {
        client.say(command);
    }
    let best = client.wait_for("bestmove ");
    (started.elapsed(), best)
}

/// A middlegame with many good moves, and one forced move.
const RICH: &str =
    "position fen r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 12";
const FORCED: &str = "position fen 7k/8/8/8/8/8/1r6/K7 w - - 0 1";
/// A time that no busy machine needs for a move of a limited strength, and a clock that asks for more of it.
const THOUGHT: Duration = Duration::from_secs(2);
const LONG: &str = "go wtime 600000 btime 600000";

#[test]
fn thinking_time_is_taken_where_there_is_a_choice_and_changes_no_move() {
    let (long, slow) = limited_answer(true, RICH, LONG, None);
    let (_, quick) = limited_answer(false, RICH, LONG, None);
    assert!(long > THOUGHT, "{long:?}");
    assert_eq!(slow, quick);
    // Nobody waits without a choice, without a clock, or near the fall of the flag.
    for (position, go) in [
        (FORCED, LONG),
        (RICH, "go movetime 60000"),
        (RICH, "go wtime 900 btime 900"),
        (RICH, "go wtime 3000 btime 600000"),
    ] {
        let (time, _) = limited_answer(true, position, go, None);
        assert!(time < THOUGHT, "{position} {go}: {time:?}");
    }
}

#[test]
fn stop_and_ponderhit_end_the_thinking_at_once() {
    let ponder = "go ponder wtime 600000 btime 600000";
    for (go, then) in [(LONG, "stop"), (ponder, "ponderhit"), (ponder, "stop")] {
        let (time, _) = limited_answer(true, RICH, go, Some(then));
        assert!(time < THOUGHT, "{go}, {then}: {time:?}");
    }
}

#[test]
fn a_level_takes_its_time_too_and_the_full_strength_keeps_its_own() {
    let mut client = Client::start();
    client.say("setoption name Thinking Time value true");
    client.say("setoption name Level value 4");
    client.say(RICH);
    let started = Instant::now();
    client.say(LONG);
    client.wait_for("bestmove ");
    assert!(started.elapsed() > THOUGHT);
    client.say("setoption name Level value unlimited");
    let started = Instant::now();
    client.search("go wtime 600000 btime 600000 nodes 1000");
    assert!(started.elapsed() < THOUGHT);
}
