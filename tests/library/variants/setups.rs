//! Positions and moves of the rule sets as clients write them.

use engine::rules::Rules;
use engine::rules::setup::{self, Start, fen, read_move};
use shakmaty::variant::{
    Antichess, Atomic, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck,
};
use shakmaty::{CastlingMode, Chess, Role};

fn dialects<P: Rules>(texts: &[&str], expected: &str) {
    for text in texts {
        let (position, remarks) = setup::position::<P>(text, CastlingMode::Standard)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(fen(&position), expected, "{text}");
        assert!(remarks.is_empty(), "{text}: {remarks:?}");
    }
}

#[test]
fn three_check_counts_given_or_remaining_checks() {
    let place = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
    dialects::<ThreeCheck>(
        &[&format!("{place} 2+3 5 9"), &format!("{place} 5 9 +1+0"), &format!("{place} 2+3 5 9")],
        &format!("{place} 2+3 5 9"),
    );
    dialects::<ThreeCheck>(
        &[&format!("{place} 0 1"), &format!("{place} 0 1 +0+0"), &format!("{place} 3+3 0 1")],
        &format!("{place} 3+3 0 1"),
    );
}

#[test]
fn crazyhouse_pockets_in_every_notation() {
    let board = "rnbqkb1r/ppp1pppp/8/8/8/8/PPP1PPPP/RNBQKB1R";
    dialects::<Crazyhouse>(
        &[
            &format!("{board}[NPpn] w KQkq - 0 1"),
            &format!("{board}/NPpn w KQkq - 0 1"),
            &format!("{board}/NPnp w KQkq - 0 1"),
        ],
        &format!("{board}[PNpn] w KQkq - 0 1"),
    );
    let empty = ["[]", "[-]", "/", ""].map(|pocket| format!("{board}{pocket} w KQkq - 0 1"));
    let empty: Vec<&str> = empty.iter().map(String::as_str).collect();
    dialects::<Crazyhouse>(&empty, &format!("{board}[] w KQkq - 0 1"));
    dialects::<Crazyhouse>(
        &["4k2Q~/8/8/8/8/8/8/4K3[] b - - 0 1"],
        "4k2Q~/8/8/8/8/8/8/4K3[] b - - 0 1",
    );
}

#[test]
fn castling_rights_in_three_notations() {
    let expected = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let texts = ["KQkq", "HAha", "QKqk"].map(|rights| expected.replace("KQkq", rights));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    dialects::<Chess>(&texts, expected);
    dialects::<Atomic>(&texts, expected);
    dialects::<KingOfTheHill>(&texts, expected);
}

#[test]
fn parts_of_other_rule_sets_are_named() {
    for text in ["4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1"] {
        let error = setup::position::<Atomic>(text, CastlingMode::Standard).unwrap_err();
        assert!(error.to_string().contains("atomic"), "{error}");
    }
}

#[test]
fn positions_without_kings_are_refused_where_kings_are_needed() {
    let text = "8/8/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1";
    assert!(setup::position::<Crazyhouse>(text, CastlingMode::Standard).is_err());
    assert!(setup::position::<Antichess>(text, CastlingMode::Standard).is_ok());
    let both = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    assert!(setup::position::<Horde>(both, CastlingMode::Standard).is_err());
}

#[test]
fn moves_that_chess_does_not_have() {
    let start = Start::Fen("4k3/8/8/8/8/8/8/4K3[Pq] w - - 0 1".to_string());
    let moves = ["P@e4", "R@e2"].map(str::to_string);
    let error = setup::game::<Crazyhouse>(&start, &moves, CastlingMode::Standard).unwrap_err();
    assert!(error.to_string().starts_with("move 2 of 2: R@e2 is not legal"), "{error}");
    let moves = ["P@e4", "Q@d2"].map(str::to_string);
    let (game, _) = setup::game::<Crazyhouse>(&start, &moves, CastlingMode::Standard).unwrap();
    assert_eq!(fen(game.position()), "4k3/8/8/8/4P3/8/3q4/4K3[] w - - 1 2");

    let position: Antichess = super::read("8/4P3/8/8/8/8/8/k7 w - - 0 1");
    assert_eq!(read_move(&position, "e7e8k").unwrap().promotion(), Some(Role::King));
    let position: Atomic = super::read("k7/4P3/8/8/8/8/8/4K3 w - - 0 1");
    assert!(read_move(&position, "e7e8k").is_err());
}

/// Move generation knows no way out of a check where none can be given.
#[test]
fn no_king_is_in_check_in_racing_kings() {
    for place in ["8/7n/8/8/1k6/8/1K4q1/8 w - - 0 1", "8/7n/8/8/1k6/8/1K4q1/8 b - - 0 1"] {
        let read = setup::position::<RacingKings>(place, CastlingMode::Standard);
        assert!(read.unwrap_err().to_string().contains("in check"), "{place}");
    }
    let apart = "8/7n/8/8/1k6/8/5q2/K7 w - - 0 1";
    assert!(setup::position::<RacingKings>(apart, CastlingMode::Standard).is_ok());
}
