//! Games: draws, repetitions, and the memory of the engine.

use engine::rules::Game;
use shakmaty::{Chess, Position};

use crate::client::{Client, field};
use crate::info::{Score, game, last_variation, walk};

/// White is a rook up, and its king has moved back and forth: f2e1 would be the third repetition.
const ROOK_UP: (&str, &str) =
    ("8/8/8/4k3/8/8/3K4/R7 w - - 0 1", "d2e1 e5d5 e1f2 d5e5 f2e1 e5d5 e1f2 d5e5");

/// White, a rook and a bishop down, has a perpetual check.
const PERPETUAL: &str = "6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1";

fn split(moves: &str) -> Vec<String> {
    moves.split_whitespace().map(str::to_string).collect()
}

fn set_up(client: &mut Client, fen: &str, moves: &[String]) {
    client.say(&format!("position fen {fen} moves {}", moves.join(" ")));
}

/// Plays the engine against itself, to the end of the game or for `plies` half-moves.
fn play(client: &mut Client, fen: &str, go: &str, plies: usize) -> Game<Chess> {
    let mut moves = Vec::new();
    for _ in 0..plies {
        let now = game(fen, &moves);
        if now.position().is_game_over() || now.draw_reason().is_some() {
            break;
        }
        set_up(client, fen, &moves);
        let lines = client.search(go);
        let best = field(lines.last().unwrap(), "bestmove").unwrap().to_string();
        let reply = field(lines.last().unwrap(), "ponder").map(str::to_string);
        walk(&now, &[Some(best.clone()), reply].into_iter().flatten().collect::<Vec<_>>());
        moves.push(best);
    }
    game(fen, &moves)
}

#[test]
fn the_winning_side_avoids_a_threefold_repetition() {
    let mut client = Client::start();
    let (fen, moves) = (ROOK_UP.0, split(ROOK_UP.1));
    set_up(&mut client, fen, &moves);
    let lines = client.search("go depth 8");
    let info = last_variation(&lines);
    assert!(info.score.worth() > 300, "{info:?}");
    assert_eq!(walk(&game(fen, &moves), &info.pv[..1]).draw_reason(), None);
    set_up(&mut client, fen, &moves);
    let repeating = client.search("go depth 4 searchmoves f2e1");
    assert_eq!(last_variation(&repeating).score, Score::Centipawns(0));
}

#[test]
fn the_losing_side_takes_the_draw() {
    let mut client = Client::start();
    client.say(&format!("position fen {PERPETUAL}"));
    let info = last_variation(&client.search("go depth 12"));
    assert_eq!(info.score, Score::Centipawns(0), "{info:?}");
    let end = play(&mut client, PERPETUAL, "go depth 8", 40);
    assert_eq!(end.draw_reason(), Some("threefold repetition"));
}

#[test]
fn an_easy_win_is_converted() {
    let mut client = Client::start();
    for fen in ["8/8/8/4k3/8/8/8/R3K3 w - - 0 1", "8/8/8/4k3/8/8/8/Q3K3 b - - 0 1"] {
        let end = play(&mut client, fen, "go nodes 20000", 120);
        assert!(end.position().is_checkmate(), "{fen}");
    }
}

#[test]
fn a_game_against_itself_ends_by_the_rules() {
    let mut client = Client::start();
    client.say("ucinewgame");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let end = play(&mut client, start, "go nodes 2000", 600);
    assert!(end.position().is_game_over() || end.draw_reason().is_some());
}

#[test]
fn a_move_is_found_even_when_the_game_is_drawn_already() {
    let mut client = Client::start();
    let shuffled = split(&"g1f3 g8f6 f3g1 f6g8 ".repeat(4));
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (fen, moves) in [
        (start, &shuffled[..]),
        ("8/8/8/4k3/8/8/4P3/4K3 w - - 100 90", &[]),
        ("8/8/8/4k3/8/8/4P3/4K3 w - - 143 90", &[]),
        ("8/8/8/4k3/8/8/8/4K1N1 w - - 0 1", &[]),
    ] {
        set_up(&mut client, fen, moves);
        let lines = client.search("go depth 4");
        let best = field(lines.last().unwrap(), "bestmove").unwrap().to_string();
        walk(&game(fen, moves), &[best]);
    }
}

#[test]
fn there_is_no_ponder_move_after_the_end_of_the_game() {
    let mut client = Client::start();
    for (fen, moves, go) in [
        // The only move captures the last piece.
        ("8/8/8/8/8/3k4/1q6/K7 w - - 0 1", "", "go depth 6"),
        // The third repetition.
        (ROOK_UP.0, ROOK_UP.1, "go depth 6 searchmoves f2e1"),
        // The hundredth half-move.
        ("8/8/8/4k3/8/8/4P3/4K2R w - - 99 90", "", "go depth 6 searchmoves h1h2"),
        // Stalemate.
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "", "go depth 6 searchmoves f1f7"),
    ] {
        // Also with the position's results in the table.
        for _ in 0..2 {
            set_up(&mut client, fen, &split(moves));
            let last = client.search(go).pop().unwrap();
            assert!(!last.contains("ponder"), "{fen}: {last}");
        }
    }
}

#[test]
fn the_same_game_again_takes_the_same_search() {
    let mut client = Client::start();
    let timeless = |lines: Vec<String>| {
        let is_time = |word: &str| ["nps", "time"].contains(&word);
        let keep = |line: &String| {
            let words: Vec<&str> = line.split(' ').collect();
            let kept = (0..words.len())
                .filter(|&at| !is_time(words[at]) && (at == 0 || !is_time(words[at - 1])));
            kept.map(|at| words[at]).collect::<Vec<_>>().join(" ")
        };
        lines.iter().map(keep).collect::<Vec<_>>()
    };
    let mut searches = Vec::new();
    for _ in 0..2 {
        client.say("ucinewgame");
        let mut lines = Vec::new();
        for moves in ["", "e2e4 c7c5", "e2e4 c7c5 g1f3 d7d6"] {
            client.say(&format!("position startpos moves {moves}"));
            lines.extend(timeless(client.search("go depth 9")));
        }
        searches.push(lines);
    }
    assert_eq!(searches[0], searches[1]);
}

#[test]
fn clear_hash_forgets() {
    let second_search = |between: &str| {
        let mut client = Client::start();
        client.search("go depth 9");
        client.say(between);
        let lines = client.search("go depth 9");
        let line = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
        field(line, "nodes").unwrap().parse::<u64>().unwrap()
    };
    assert!(second_search("setoption name Clear Hash") > second_search("isready"));
}
