//! Positions as real clients write them.

use crate::client::Client;

/// The answer to `position`, and the FEN line of `d` afterwards.
fn set_up(client: &mut Client, position: &str) -> (Vec<String>, String) {
    let remarks = client.ask(position);
    (remarks, client.ask("d").join("\n"))
}

fn is_one_remark(lines: &[String]) -> bool {
    lines.len() == 1 && lines[0].starts_with("info string ")
}

#[test]
fn extra_spaces_are_accepted() {
    let mut client = Client::start();
    let (remarks, board) =
        set_up(&mut client, "  position  startpos   moves\te2e4    e7e5  \tg1f3 \r");
    assert_eq!(remarks, Vec::<String>::new());
    assert!(board.contains("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq"), "{board}");
}

#[test]
fn fens_of_four_fields_are_accepted() {
    let mut client = Client::start();
    let (remarks, board) =
        set_up(&mut client, "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - moves e2e4");
    assert_eq!(remarks, Vec::<String>::new());
    assert!(board.contains("4k3/8/8/8/4P3/8/8/4K3 b"), "{board}");
}

#[test]
fn shredder_castling_fields_are_accepted() {
    let mut client = Client::start();
    let (_, board) = set_up(&mut client, "position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1");
    assert!(board.contains("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), "{board}");
    let lines = client.ask("position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1g1");
    assert_eq!(lines, Vec::<String>::new());
}

#[test]
fn four_common_errors_are_corrected_with_a_remark() {
    for fen in [
        // A stray en passant square.
        "4k3/8/8/8/8/8/4P3/4K3 w - e3 0 1",
        // Castling rights without a rook.
        "4k3/8/8/8/8/8/4P3/4K3 w KQ - 0 1",
        // More material than a game can have.
        "qqqqkqqq/qqqqqqqq/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1",
        // An impossible check: three checkers.
        "4k3/8/8/8/1b5q/2n5/8/4K3 w - - 0 1",
    ] {
        let mut client = Client::start();
        let (_, board) = set_up(&mut client, &format!("position fen {fen}"));
        assert!(board.contains(fen.split(' ').next().unwrap()), "{fen}: {board}");
        client.search("go depth 2");
    }
}

#[test]
fn a_refused_position_leaves_the_last_good_one() {
    for bad in [
        "position fen nonsense",
        "position fen",
        "position",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4KK2 w - - 0 1",
        "position startpos e2e4",
        "position startpos moves e2e4 0000",
        "position startpos moves e2e4 P@e4",
        "position startpos moves e2e4 garbage e7e5",
        "position startpos moves e2e5",
        "position fen 8/4P2k/8/8/8/8/8/K7 w - - 0 1 moves e7e8k",
    ] {
        let mut client = Client::start();
        let (_, before) = set_up(&mut client, "position startpos moves d2d4 d7d5");
        let (remarks, after) = set_up(&mut client, bad);
        assert!(is_one_remark(&remarks), "{bad}: {remarks:?}");
        assert_eq!(before, after, "{bad}");
        client.search("go depth 1");
    }
}

#[test]
fn a_game_of_two_thousand_moves() {
    let mut client = Client::start();
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(500);
    assert_eq!(client.ask(&format!("position startpos moves{shuffle}")), Vec::<String>::new());
    client.search("go depth 3");
}

#[test]
fn castling_is_written_as_the_king_s_own_move() {
    let mut client = Client::start();
    client.say("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let lines = client.search("go depth 1 searchmoves e1g1");
    assert_eq!(lines.last().unwrap().split_whitespace().nth(1), Some("e1g1"));
}

/// Clients disagree on the place of the remaining checks.
#[test]
fn remaining_checks_may_stand_anywhere_after_the_side_to_move() {
    let mut client = Client::start();
    client.say("setoption name UCI_Variant value 3check");
    let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    for fields in [
        "b KQkq - 3+2 0 1",
        "b KQkq 3+2 - 0 1",
        "b 3+2 KQkq - 0 1",
        "b KQkq - 0 1 3+2",
        "b KQkq - 0 1 +0+1",
        "b KQkq +0+1 - 0 1",
    ] {
        let (remarks, shown) = set_up(&mut client, &format!("position fen {board} {fields}"));
        assert_eq!(remarks, Vec::<String>::new(), "{fields}");
        assert!(shown.contains(&format!("{board} b KQkq - 3+2 0 1")), "{fields}: {shown}");
    }
    for (fields, fault) in [
        ("b KQkq 3+2 - 3+2 0 1", "remaining checks more than once"),
        ("b KQkq - 3+9 0 1", "remaining checks '3+9'"),
        ("b KQkq 3+x - 0 1", "remaining checks '3+x'"),
    ] {
        let (remarks, _) = set_up(&mut client, &format!("position fen {board} {fields}"));
        assert!(is_one_remark(&remarks) && remarks[0].contains(fault), "{fields}: {remarks:?}");
    }
}
