//! Rule sets other than chess, and Chess960: whole conversations.

use engine::play::levels::form::Form;
use engine::rules::RuleSet;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::variant::{Variant, VariantPosition};
use shakmaty::{CastlingMode, EnPassantMode, Position};

use crate::client::{Client, field};
use crate::info::{Score, last_variation};

/// A client with the rule set `name`.
fn client(name: &str) -> Client {
    let mut client = Client::start();
    let lines = client.ask(&format!("setoption name UCI_Variant value {name}"));
    assert_eq!(lines, Vec::<String>::new());
    client
}

/// The position after `moves`, all of which must be legal.
fn walk(name: &str, fen: &str, moves: &[String]) -> VariantPosition {
    let variant = Variant::from_uci(name).unwrap();
    let setup = fen.parse::<Fen>().unwrap().into_setup();
    let mut position = VariantPosition::from_setup(variant, setup, CastlingMode::Chess960).unwrap();
    for text in moves {
        let m = text.parse::<UciMove>().unwrap().to_move(&position);
        let m = m.unwrap_or_else(|_| panic!("{text} of {moves:?} in {fen}"));
        position = position.play(m).unwrap();
    }
    position
}

/// Wins by each rule set's own law: number of moves, and their first moves.
const WINS: &[(&str, i32, &str, &[&str])] = &[
    // The queen captures beside the king; also a mate by the rules of chess.
    ("atomic", 1, "rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 3", &["h5f7"]),
    ("atomic", 1, "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", &["a1a8"]),
    // The last piece must be captured.
    ("antichess", 1, "8/8/8/8/1p6/8/8/R7 w - - 0 1", &["a1a3", "a1c1"]),
    ("kingofthehill", 1, "7k/8/8/8/8/3K4/8/q7 w - - 0 1", &["d3e4"]),
    ("3check", 1, "4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1", &["a1a8"]),
    ("3check", 2, "7k/8/8/8/8/8/8/R3K3 w - - 2+3 0 1", &["a1a8", "a1h1"]),
    (
        "crazyhouse",
        1,
        "7k/5Kp1/6p1/8/8/8/8/8[Q] w - - 0 1",
        &["Q@h2", "Q@h3", "Q@h4", "Q@h5", "Q@h6", "Q@g8"],
    ),
    ("racingkings", 1, "8/4K3/8/8/8/8/8/k7 w - - 0 1", &["e7d8", "e7e8", "e7f8"]),
    ("racingkings", 1, "8/1K5k/8/8/8/8/8/8 b - - 0 1", &["h7g8", "h7h8"]),
    ("horde", 1, "8/8/8/8/8/8/4P3/r3k3 b - - 0 1", &["e1e2"]),
    ("horde", 1, "6k1/5ppp/8/8/8/8/8/1R6 w - - 0 1", &["b1b8"]),
    ("chess", 1, "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", &["a1a8"]),
];

#[test]
fn wins_by_each_law_are_announced_and_shown_to_the_end() {
    for &(name, moves, fen, begin) in WINS {
        let mut client = client(name);
        assert_eq!(client.ask(&format!("position fen {fen}")), Vec::<String>::new(), "{fen}");
        for go in ["go depth 5".to_string(), format!("go mate {moves} nodes 1000000")] {
            let lines = client.search(&go);
            let info = last_variation(&lines);
            assert_eq!(info.score, Score::Mate(moves), "{name} {fen}: {lines:?}");
            let best = field(lines.last().unwrap(), "bestmove").unwrap();
            assert!(begin.contains(&best), "{name} {fen}: {lines:?}");
            let plies = info.pv.len() as i32;
            assert!((2 * moves - 1..=2 * moves).contains(&plies), "{name} {fen}: {info:?}");
            let end = walk(name, fen, &info.pv).outcome().known();
            let winner = walk(name, fen, &[]).turn();
            assert_eq!(end.and_then(|end| end.winner()), Some(winner), "{name} {fen}: {info:?}");
        }
    }
}

#[test]
fn a_game_that_is_over_has_no_move() {
    for (name, fen) in [
        ("atomic", "8/8/8/8/8/8/8/4K3 b - - 0 1"),
        ("antichess", "8/8/8/8/8/8/8/4K3 b - - 0 1"),
        ("antichess", "8/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("kingofthehill", "4k3/8/8/8/4K3/8/8/8 b - - 0 1"),
        ("3check", "4k3/8/8/8/8/8/8/4KR2 b - - 0+3 0 1"),
        ("racingkings", "4K3/8/k7/8/8/8/8/8 b - - 0 1"),
        ("horde", "4k3/8/8/8/8/8/8/8 w - - 0 1"),
        ("horde", "4k3/8/8/8/8/8/8/8 b - - 0 1"),
    ] {
        let mut client = client(name);
        client.say(&format!("position fen {fen}"));
        let lines = client.search("go depth 3");
        assert_eq!(lines, ["info depth 0 score mate 0", "bestmove (none)"], "{name} {fen}");
    }
    let mut client = client("racingkings");
    client.say("position fen k3K3/8/8/8/8/8/8/8 w - - 0 1");
    assert_eq!(client.search("go depth 3"), ["info depth 0 score cp 0", "bestmove (none)"]);
}

#[test]
fn every_rule_set_is_offered_and_starts_at_its_own_start() {
    let mut client = Client::start();
    client.say("uci");
    client.wait_for("uciok");
    let option = "option name UCI_Variant type combo default chess";
    let line = client.heard.iter().find(|line| line.starts_with(option)).unwrap().clone();
    for name in RuleSet::NAMES {
        assert!(line.contains(&format!(" var {name}")), "{line}");
        client.ask(&format!("setoption name UCI_Variant value {name}"));
        let start = VariantPosition::new(Variant::from_uci(name).unwrap());
        let fen = Fen::from_position(&start, EnPassantMode::Legal).to_string();
        assert!(client.ask("d").contains(&format!("Fen: {fen}")), "{name}");
        let lines = client.search("go nodes 3000");
        let info = last_variation(&lines);
        walk(name, &fen, &info.pv);
        let explained = client.ask("eval").join("\n");
        assert!(explained.contains("material"), "{explained}");
    }
    assert!(!line.contains("fischerandom"), "{line}");
}

#[test]
fn each_rule_set_explains_its_own_term() {
    for (name, term) in [
        ("atomic", "fuses"),
        ("antichess", "freedom"),
        ("kingofthehill", "way to the hill"),
        ("3check", "checks given"),
        ("crazyhouse", "pieces in hand"),
        ("racingkings", "race"),
        ("horde", "march"),
    ] {
        let explained = client(name).ask("eval").join("\n");
        assert!(explained.lines().any(|line| line.starts_with(term)), "{explained}");
    }
}

#[test]
fn other_names_are_accepted_or_answered() {
    for (name, fen) in [("koth", "kingofthehill"), ("ThreeCheck", "3check"), ("zh", "crazyhouse")] {
        let (alias, proper) = (client(name).ask("d"), client(fen).ask("d"));
        assert_eq!(alias, proper);
    }
    let mut client = client("horde");
    let before = client.ask("d");
    for (name, hint) in [
        ("giveaway", "antichess"),
        ("suicide", "antichess"),
        ("fischerandom", "UCI_Chess960"),
        ("shogi", "one of chess, atomic"),
        ("", "one of chess, atomic"),
    ] {
        let lines = client.ask(&format!("setoption name UCI_Variant value {name}"));
        assert!(lines.len() == 1 && lines[0].contains(hint), "{name}: {lines:?}");
        assert_eq!(client.ask("d"), before);
    }
}

#[test]
fn odd_input_gets_a_remark_and_keeps_the_position() {
    for (name, position) in [
        ("crazyhouse", "startpos moves P@e4"),
        ("crazyhouse", "startpos moves e2e4 d7d5 e4d5 d8d5 P@e8"),
        ("crazyhouse", "fen 4k3/8/8/8/8/8/8/4K3[X] w - - 0 1"),
        ("crazyhouse", "fen 4k3/8/8/8/8/8/8/4K3[K] w - - 0 1"),
        ("3check", "fen 4k3/8/8/8/8/8/8/4K3 w - - 9+9 0 1"),
        ("3check", "fen 4k3/8/8/8/8/8/8/4K3 w - - 0+0 0 1"),
        ("antichess", "startpos moves e2e8k"),
        ("racingkings", "fen 8/8/8/8/8/8/PPPPPPPP/K6k w - - 0 1"),
        ("racingkings", "startpos moves e1e2"),
        ("atomic", "fen 8/8/8/8/8/8/8/8 w - - 0 1"),
        ("horde", "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ] {
        let mut client = client(name);
        let before = client.ask("d");
        let lines = client.ask(&format!("position {position}"));
        assert!(lines.len() == 1 && lines[0].starts_with("info string "), "{position}: {lines:?}");
        assert_eq!(client.ask("d"), before, "{name} {position}");
        client.search("go depth 2");
    }
}

#[test]
fn drops_and_king_promotions_are_read_and_written() {
    let mut crazyhouse = client("crazyhouse");
    let moves = "e2e4 d7d5 e4d5 d8d5 P@e4 P@e6";
    assert_eq!(crazyhouse.ask(&format!("position startpos moves {moves}")), Vec::<String>::new());
    crazyhouse.say("position fen 7k/5Kp1/6p1/8/8/8/8/8[Q] w - - 0 1");
    let lines = crazyhouse.search("go depth 3");
    assert!(lines.last().unwrap().starts_with("bestmove Q@"), "{lines:?}");

    let mut antichess = client("antichess");
    antichess.say("position fen 8/4P3/8/8/8/8/8/k7 w - - 0 1");
    let counts = antichess.ask("go perft 1");
    assert!(counts.contains(&"e7e8k: 1".to_string()), "{counts:?}");
    assert_eq!(
        antichess.ask("position fen 8/4P3/8/8/8/8/8/k7 w - - 0 1 moves e7e8k"),
        Vec::<String>::new()
    );
}

#[test]
fn castling_is_written_by_the_option_and_read_in_both_notations() {
    let place = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let castling = ["e1g1", "e1h1", "e1c1", "e1a1"];
    for name in ["chess", "atomic", "kingofthehill", "3check", "crazyhouse"] {
        let mut client = client(name);
        for (chess960, written, other) in [(false, "e1g1", "e1h1"), (true, "e1h1", "e1g1")] {
            client.ask(&format!("setoption name UCI_Chess960 value {chess960}"));
            for m in castling {
                let lines = client.ask(&format!("{place} moves {m}"));
                assert_eq!(lines, Vec::<String>::new(), "{name} {m}");
            }
            client.say(place);
            let counts = client.ask("go perft 1");
            assert!(counts.contains(&format!("{written}: 1")), "{counts:?}");
            assert!(!counts.contains(&format!("{other}: 1")), "{counts:?}");
            let lines = client.search(&format!("go depth 1 searchmoves {other}"));
            assert!(lines.last().unwrap().starts_with(&format!("bestmove {written}")), "{lines:?}");
        }
    }
}

#[test]
fn chess960_positions_keep_their_castling_rights() {
    let mut client = Client::start();
    client.ask("setoption name UCI_Chess960 value true");
    let start = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    assert_eq!(client.ask(&format!("position fen {start}")), Vec::<String>::new());
    let counts = client.ask("go perft 4");
    assert_eq!(counts.last().unwrap(), "Nodes searched: 326672");
    let line = client.ask("d").into_iter().find(|line| line.starts_with("Fen: ")).unwrap();
    assert!(line.contains(" KQkq ") || line.contains(" HFhf "), "{line}");
}

/// Legal moves of each starting position, the reference of the levels.
#[test]
fn levels_count_from_each_starting_position() {
    for (name, start) in [("horde", 8), ("racingkings", 21), ("antichess", 20), ("atomic", 20)] {
        let mut client = client(name);
        client.ask("setoption name Level value 3");
        client.ask("debug on");
        for form in Form::NAMES {
            client.ask(&format!("setoption name DDA value {form}"));
            let lines = client.search("go wtime 60000 btime 60000");
            let dda = lines.iter().find(|line| line.starts_with("info string dda")).unwrap();
            assert!(dda.contains(&format!(" start={start} ")), "{dda}");
        }
    }
}

#[test]
fn the_rules_can_change_in_mid_search() {
    let mut client = Client::start();
    client.say("go infinite");
    client.say("setoption name UCI_Variant value atomic");
    client.wait_for("bestmove");
    client.say("position startpos moves e2e4");
    client.search("go depth 4");
    client.ask("setoption name UCI_Variant value chess");
    let lines = client.search("go depth 8");
    let again = Client::start().search("go depth 8");
    let nodes = |lines: &[String]| {
        let line = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
        field(line, "nodes").unwrap().to_string()
    };
    assert_eq!(nodes(&lines), nodes(&again));
}

/// A king's step of two squares would be another move, or none, where king and rook do not stand as in chess.
#[test]
fn castling_in_a_chess960_position_stays_king_takes_rook() {
    for (fen, castling, moves) in [
        ("4k3/8/8/8/8/8/8/1RK4R w HB - 0 1", "c1h1", ""),
        ("4k3/8/8/8/8/8/8/1RK4R w HB - 0 1", "c1b1", ""),
        ("4k3/4p3/8/8/8/8/8/RK6 w A - 0 1", "b1a1", ""),
        ("5rk1/8/8/8/8/8/4P3/4K3 w f - 0 1", "g8f8", " moves e2e3"),
        ("4k3/8/8/8/8/8/4P3/4K1R1 w G - 0 1", "e1g1", ""),
    ] {
        let mut client = Client::start();
        client.ask("setoption name UCI_Chess960 value true");
        client.ask(&format!("position fen {fen}{moves}"));
        client.ask("setoption name UCI_Chess960 value false");
        let lines = client.search(&format!("go depth 2 searchmoves {castling}"));
        assert_eq!(field(lines.last().unwrap(), "bestmove"), Some(castling), "{fen}: {lines:?}");
        let counts = client.ask("go perft 1");
        assert!(counts.contains(&format!("{castling}: 1")), "{fen}: {counts:?}");
    }
}

/// A move that gives the last piece away loses at once in none and wins at once in another rule set; only a game
/// that is over is mate 0.
#[test]
fn a_mate_with_moves_on_the_board_has_a_number() {
    let mut client = client("antichess");
    for fen in [
        "8/8/8/8/8/8/1p6/B7 w - - 0 1",
        "8/8/8/8/8/1p6/8/B7 w - - 0 1",
        "7b/8/8/8/8/8/1P6/8 b - - 0 1",
        "8/8/8/8/8/6p1/5p2/6K1 w - - 0 1",
        "8/8/8/8/8/8/p7/1R6 b - - 0 1",
    ] {
        client.say(&format!("position fen {fen}"));
        for line in client.search("go depth 4") {
            assert!(!line.contains("score mate 0"), "{fen}: {line}");
        }
    }
}

/// The reason is that of the rule set, and no advice of chess.
#[test]
fn refused_positions_have_the_reason_of_their_rules() {
    let mut client = Client::start();
    for (rules, fen, reason) in [
        ("horde", "8/8/8/8/8/8/P7/8 w - - 0 1", "black has 0 kings"),
        ("horde", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "in horde white has no king"),
        (
            "horde",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "in horde white has no king",
        ),
        ("horde", "P3k3/8/8/8/8/8/P7/P6p w - - 0 1", "none on the last: h1 a8"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[K] w - - 0 1", "a king cannot be in hand"),
        (
            "crazyhouse",
            "k7/8/8/8/8/8/8/K7[PPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPP] w - - 0 1",
            "more than 64 pieces",
        ),
        ("3check", "4k3/8/8/8/8/8/8/4K3 w - - 0+0 0 1", "no side has checks left"),
        ("racingkings", "8/8/8/8/8/4P3/8/k6K w - - 0 1", "no pawns in racing kings: e3"),
        ("racingkings", "k6K/8/8/8/8/8/8/8 b - - 0 1", "then it is white's move"),
        ("racingkings", "8/8/8/8/8/8/k6R/7K w - - 0 1", "a king is in check, which"),
        ("kingofthehill", "8/8/8/8/8/8/kK6/8 w - - 0 1", "the kings stand next to each other"),
    ] {
        client.say(&format!("setoption name UCI_Variant value {rules}"));
        let lines = client.ask(&format!("position fen {fen}"));
        assert!(lines.len() == 1 && lines[0].contains(reason), "{rules} {fen}: {lines:?}");
    }
    for (rules, fen) in [
        ("antichess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("racingkings", "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w HA - 0 1"),
    ] {
        client.say(&format!("setoption name UCI_Variant value {rules}"));
        let remark = format!("castling rights ignored: there is no castling in {rules}");
        let lines = client.ask(&format!("position fen {fen}"));
        assert_eq!(lines, [format!("info string {remark}")], "{rules}");
    }
}
