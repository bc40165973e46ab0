//! Positions as clients send them: corrections, refusals and their messages.

use engine::rules::setup::{Start, fen, game, position, read_move};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Position};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The FEN of the position read from `text`, and the remarks on it.
fn read(text: &str, mode: CastlingMode) -> (String, Vec<String>) {
    let (chess, remarks) = position::<Chess>(text, mode).unwrap_or_else(|error| panic!("{error}"));
    (fen(&chess), remarks.iter().map(ToString::to_string).collect())
}

fn error(text: &str) -> String {
    match position::<Chess>(text, CastlingMode::Standard) {
        Ok((_, remarks)) => panic!("{text} was accepted with {remarks:?}"),
        Err(error) => error.to_string(),
    }
}

fn moves(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}

/// The FEN after moves from a FEN, or the error.
fn play(start: &str, text: &str, mode: CastlingMode) -> Result<String, String> {
    let start = Start::Fen(start.to_string());
    match game::<Chess>(&start, &moves(text), mode) {
        Ok((game, _)) => Ok(fen(game.position())),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn all_notations_are_read_without_a_remark() {
    for text in [
        START,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - - -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0",
        "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR   w\tKQkq  - 0   1 ",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[-] w KQkq - 0 1",
    ] {
        for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
            assert_eq!(read(text, mode), (START.to_string(), vec![]), "{text}");
        }
    }
}

#[test]
fn chess960_castling_rights_in_every_notation() {
    let shredder = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let x_fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9";
    for text in [shredder, x_fen] {
        assert_eq!(read(text, CastlingMode::Chess960), (x_fen.to_string(), vec![]));
    }
    // The inner rook's right has to name its file.
    let inner = "1r2kr1r/8/8/8/8/8/8/1R2KR1R w Fkq - 0 1";
    assert_eq!(read(inner, CastlingMode::Chess960), (inner.to_string(), vec![]));
}

#[test]
fn common_errors_are_corrected_with_a_remark() {
    for (text, expected, remark) in [
        (
            "4k3/8/8/8/8/8/8/4K3 w - e3 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "en passant square e3 ignored",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "in place ignored: a1 a8 h8",
        ),
        (
            "4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1",
            "4k3/8/8/8/8/8/8/1R2K1R1 w - - 0 1",
            "ignored: b1 g1 (Chess960 has them: set UCI_Chess960)",
        ),
        (
            "8/8/N7/2k5/N7/8/8/3K4 b - - 0 1",
            "8/8/N7/2k5/N7/8/8/3K4 b - - 0 1",
            "no game leads to this check",
        ),
        (
            "4k3/8/8/8/8/8/PPPPPPPP/1QQ1K3 w - - 0 1",
            "4k3/8/8/8/8/8/PPPPPPPP/1QQ1K3 w - - 0 1",
            "no game leads to this material",
        ),
        ("4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "no castling field"),
        (
            "4k3/8/8/8/8/8/7R/4K3 b - - -5 7",
            "4k3/8/8/8/8/8/7R/4K3 b - - 0 7",
            "half-move clock -5 read as 0",
        ),
        (
            "4k3/8/8/8/8/8/7R/4K3 b - - 3 99999999999999999999999",
            "4k3/8/8/8/8/8/7R/4K3 b - - 3 9999",
            "move number 99999999999999999999999 read as 9999",
        ),
    ] {
        let (result, remarks) = read(text, CastlingMode::Standard);
        assert_eq!(result, expected);
        assert_eq!(remarks.len(), 1, "{text}: {remarks:?}");
        assert!(remarks[0].contains(remark), "{text}: {remarks:?}");
    }
}

#[test]
fn several_errors_are_corrected_at_once() {
    let text = "QQQQQQQQ/QQ6/N7/2k5/N7/8/8/3K4 b KQkq e3";
    let (_, remarks) = read(text, CastlingMode::Standard);
    assert_eq!(remarks.len(), 4, "{remarks:?}");
}

#[test]
fn a_clock_beyond_fifty_moves_is_kept() {
    let text = "4k3/8/8/8/8/8/7R/4K3 w - - 150 200";
    assert_eq!(read(text, CastlingMode::Standard), (text.to_string(), vec![]));
}

#[test]
fn ambiguous_positions_are_refused_with_a_reason() {
    for (text, expected) in [
        ("", "too short"),
        ("   ", "too short"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "too short"),
        ("hello world", "board 'hello' is unreadable"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "eight ranks"),
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/8 w - - 0 1", "nine ranks"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "side to move 'x'"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQxq - 0 1", "castling rights 'KQxq'"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1", "en passant square 'e9'"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1", "half-move clock 'x'"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1.5", "move number '1.5'"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 e2e4", "six fields: 'e2e4' is"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id x;",
            "more than six fields: 'id x;' is too much",
        ),
        ("rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "a ninth rank or"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Qq] w KQkq - 0 1", "pieces in hand, which"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[x] w KQkq - 0 1",
            "unreadable pieces in hand",
        ),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1", "remaining checks, which"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 +0+0",
            "remaining checks, which",
        ),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x+3 0 1", "checks 'x+3'"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "empty"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "black has 0 kings"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "white has 2 kings"),
        ("4k3/8/8/8/8/8/8/P3K2p w - - 0 1", "last rank: a1 h1"),
        ("4k3/8/8/8/8/8/8/4K2r b - - 0 1", "white is in check but not to move"),
        ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "the side to move should be 'b'"),
        // Where the other side to move is no better, that is no advice.
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "the kings stand next to each other: d5 e5"),
        ("8/8/8/3kK3/8/8/8/8 b - - 0 1", "the kings stand next to each other: d5 e5"),
        ("r3k3/8/8/8/8/8/8/K3R3 w - - 0 1", "both kings are in check"),
        ("r3k3/8/8/8/8/8/8/K3R3 b - - 0 1", "both kings are in check"),
    ] {
        let error = error(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn moves_are_played_one_by_one() {
    let all = moves("e2e4 c7c5 e4e5 d7d5 e5d6 b8c6 d6e7 g8f6 e7d8q");
    let (game, remarks) =
        game::<Chess>(&Start::Initial, &all, CastlingMode::Standard).expect("legal");
    assert!(remarks.is_empty());
    assert_eq!(
        fen(game.position()),
        "r1bQkb1r/pp3ppp/2n2n2/2p5/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 5"
    );
    assert_eq!(game.past().len(), 9);
}

#[test]
fn the_first_illegal_move_is_named() {
    for (text, expected) in [
        ("e2e4 e7e5 e4e5 g1f3", "move 3 of 4: e4e5 is not legal in rnbqkbnr/pppp1ppp/"),
        ("0000", "move 1 of 1: 0000 passes the turn"),
        ("e2e4 P@e4", "move 2 of 2: P@e4 is not legal"),
        ("e2e4 7e", "move 2 of 2: '7e' is not a move"),
        ("e2e4 e7e5x", "'e7e5x' is not a move"),
        ("e2e4q", "e2e4q is not legal"),
        ("e7e5", "e7e5 is not legal"),
        ("e1g1", "e1g1 is not legal"),
        ("ñ2e4", "'ñ2e4' is not a move"),
    ] {
        let error = play(START, text, CastlingMode::Standard).expect_err("a bad move");
        assert!(error.contains(expected), "{text}: {error}");
    }
    for text in ["e7e8", "e7e8k", "e7e8p"] {
        let start = "8/4P2k/8/8/8/8/8/4K3 w - - 0 1";
        let error = play(start, text, CastlingMode::Standard).expect_err("no such promotion");
        assert!(error.starts_with(&format!("move 1 of 1: {text} is not legal")), "{error}");
    }
    assert!(play("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7e8Q", CastlingMode::Standard).is_ok());
}

#[test]
fn castling_is_read_in_both_notations() {
    let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let short = "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1";
    let long = "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1";
    for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
        for (text, expected) in [("e1g1", short), ("e1h1", short), ("e1c1", long), ("e1a1", long)] {
            assert_eq!(play(start, text, mode), Ok(expected.to_string()), "{text}");
        }
    }
}

#[test]
fn chess960_castling_by_target_only_where_it_is_not_a_king_move() {
    let read = |start: &str, text| {
        let (chess, _) = position::<Chess>(start, CastlingMode::Chess960).expect(start);
        read_move(&chess, text).map(|m| m.to_string()).map_err(|error| error.to_string())
    };
    let wide = "4k3/8/8/8/8/8/8/1R1K3R w KQ - 0 1";
    assert_eq!(read(wide, "d1g1"), Ok("O-O".to_string()));
    assert_eq!(read(wide, "d1h1"), Ok("O-O".to_string()));
    assert_eq!(read(wide, "d1b1"), Ok("O-O-O".to_string()));
    assert_eq!(read(wide, "d1c1"), Ok("Kd1-c1".to_string()));
    // The king stands on e1, but its rook is not in the corner.
    assert_eq!(read("4k3/8/8/8/8/8/8/4KR2 w K - 0 1", "e1g1"), Ok("O-O".to_string()));
    let near = "4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1";
    assert_eq!(read(near, "f1g1"), Ok("Kf1-g1".to_string()));
    assert_eq!(read(near, "f1h1"), Ok("O-O".to_string()));
    assert_eq!(read(near, "f1c1"), Ok("O-O-O".to_string()));
    let castled = "4k3/8/8/8/8/8/8/6KR w K - 0 1";
    assert_eq!(read(castled, "g1h1"), Ok("O-O".to_string()));
}

#[test]
fn the_initial_position_knows_its_castling_mode() {
    for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
        let (game, _) = game::<Chess>(&Start::Initial, &[], mode).expect("legal");
        assert_eq!(game.position().castles().mode(), mode);
        assert_eq!(fen(game.position()), START);
    }
}

#[test]
fn a_printed_en_passant_square_can_be_captured_on() {
    let after = |text| play(START, text, CastlingMode::Standard).expect("legal");
    assert!(after("e2e4").contains(" b KQkq - 0 1"));
    assert!(after("e2e4 a7a6 e4e5 d7d5").contains(" w KQkq d6 0 3"));
}

/// Letters of FENs, and some others.
fn fen_letter() -> impl Strategy<Value = char> {
    prop::sample::select("rnbqkpRNBQKP12345678/ w-KQkqHAha[]+~_e3x0\té".chars().collect::<Vec<_>>())
}

/// An accepted position must allow moves and printing.
fn check(text: &str) {
    for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
        if let Ok((chess, _)) = position::<Chess>(text, mode) {
            for m in chess.legal_moves() {
                let mut after = chess.clone();
                after.play_unchecked(m);
                after.legal_moves();
            }
            let (again, _) = position::<Chess>(&fen(&chess), mode).expect("own FEN");
            assert_eq!(again, chess, "{text}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_text_is_too_strange(text in "\\PC{0,100}") {
        check(&text);
    }

    #[test]
    fn no_string_of_fen_letters_is_too_strange(letters in prop::collection::vec(fen_letter(), 0..90)) {
        check(&letters.into_iter().collect::<String>());
    }

    #[test]
    fn no_change_to_a_fen_is_too_strange(
        which in 0..4_usize,
        changes in prop::collection::vec((0..80_usize, fen_letter(), 0..3), 1..6),
    ) {
        let fens = [
            START,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        ];
        let mut letters: Vec<char> = fens[which].chars().collect();
        for (place, letter, change) in changes {
            let place = place % letters.len();
            match change {
                0 => letters[place] = letter,
                1 => letters.insert(place, letter),
                _ => { letters.remove(place); }
            }
        }
        check(&letters.into_iter().collect::<String>());
    }

    /// Random boards: more pieces than in any game, kings anywhere.
    #[test]
    fn no_board_is_too_strange(
        pieces in prop::collection::vec(prop::sample::select("rnbqRNBQQpP111111111111111111111111111".chars().collect::<Vec<_>>()), 64),
        kings in (0..64_usize, 0..64_usize),
        turn in prop::sample::select(vec!["w", "b"]),
    ) {
        let mut pieces = pieces;
        pieces[kings.0] = 'K';
        pieces[kings.1] = 'k';
        for (place, piece) in pieces.iter_mut().enumerate() {
            if !(8..56).contains(&place) && piece.eq_ignore_ascii_case(&'p') {
                *piece = '1';
            }
        }
        let ranks: Vec<String> = pieces.chunks(8).map(|rank| rank.iter().collect()).collect();
        check(&format!("{} {turn} KQkq - 0 1", ranks.join("/")));
    }

    #[test]
    fn no_move_is_too_strange(text in "[a-h0-9@PNBRQKpnbrqkx=+-]{0,6}|\\PC{0,6}") {
        let texts = [text];
        for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
            if let Ok((game, _)) = game::<Chess>(&Start::Initial, &texts, mode) {
                prop_assert!(!game.past().is_empty());
            }
        }
    }
}
