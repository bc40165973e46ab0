//! The fast moves of standard chess against shakmaty's own, over thousands of positions from seeded random
//! games: no shortcut in `rules::chess` may change a result.

use std::collections::{HashMap, HashSet};

use engine::rules::{KeyedPosition, MoveCode, Rules, is_noisy, setup};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, Move, MoveList, Position, PositionError, Role,
    Setup, Square,
};

/// Positions to start random games from: openings, and endings where pins, promotions, en
/// passant and castling meet.
const STARTS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/p1p1p1p1/8/KP1P1P1r/7k/8/8/8 b - - 0 1",
    "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1",
    "8/8/1k6/8/2pP4/8/5BK1/8 b - d3 0 1",
    "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1",
    "r3k2r/8/8/8/3pPp2/8/8/R3K1RR b KQkq e3 0 1",
    "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
    "q3r3/1P1P1P2/4k3/b6b/8/4K3/p1p1p1p1/1B1R1B1R w - - 0 1",
    "4r3/8/b7/3PPP2/q2PKPq1/3PPP2/b5b1/4r2k w - - 0 1",
    "4k2r/6K1/8/8/8/8/8/8 w k - 0 1",
    "r6k/3q4/8/2pP4/1K6/8/PPP5/RNBQ4 w - c6 0 1",
];

/// Chess960 positions with castling rights.
const STARTS_960: &[&str] = &[
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1",
    "1rk4r/8/8/q7/7Q/8/8/1RK4R w HBhb - 0 1",
    "rq2k1r1/8/8/8/8/8/8/RQ2K1R1 w GAga - 0 1",
    "5rkr/8/8/8/8/8/8/RKR5 w CAhf - 0 1",
    "qr1k2r1/8/8/8/8/8/8/RR1K2R1 w GBgb - 0 1",
];

fn position(fen: &str, mode: CastlingMode) -> Chess {
    fen.parse::<Fen>().expect(fen).into_position(mode).expect(fen)
}

fn starts(rng: &mut StdRng) -> Vec<Chess> {
    let standard = STARTS.iter().map(|fen| position(fen, CastlingMode::Standard));
    let listed = STARTS_960.iter().map(|fen| position(fen, CastlingMode::Chess960));
    let drawn = (0..12).map(|_| chess960(rng.random_range(0..960)));
    standard.chain(listed).chain(drawn).collect()
}

fn chess960(number: u32) -> Chess {
    let board = shakmaty::Board::chess960(number);
    let castling_rights = board.rooks();
    let setup = Setup { board, castling_rights, ..Setup::default() };
    setup.position(CastlingMode::Chess960).expect("a starting position")
}

/// Random placements of pieces: checks by three pieces, nine queens, pins on every line.
fn thrown(rng: &mut StdRng) -> Option<Chess> {
    const PIECES: &[u8] = b"rnbqRNBQpP";
    let density = rng.random_range(2..20);
    let mut ranks = [[b'1'; 8]; 8];
    for square in 0..64 {
        let is_last_rank = !(8..56).contains(&square);
        if rng.random_range(0..64) < density {
            let kinds = if is_last_rank { PIECES.len() - 2 } else { PIECES.len() };
            ranks[square / 8][square % 8] = PIECES[rng.random_range(0..kinds)];
        }
    }
    ranks[rng.random_range(0..8)][rng.random_range(0..8)] = b'K';
    ranks[rng.random_range(0..8)][rng.random_range(0..8)] = b'k';
    let board = ranks.map(|rank| String::from_utf8_lossy(&rank).into_owned()).join("/");
    let (turn, ep_rank) = if rng.random() { ("w", 6) } else { ("b", 3) };
    let ep_file = char::from(rng.random_range(b'a'..=b'h'));
    let text = format!("{board} {turn} KQkq {ep_file}{ep_rank}");
    setup::position(&text, CastlingMode::Chess960).ok().map(|(position, _)| position)
}

/// Positions of random games from every start, `games` games each and at most 100 half-moves long, and 500
/// times `games` random placements.
fn positions(seed: u64, games: usize) -> Vec<Chess> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut all: Vec<Chess> = (0..500 * games).filter_map(|_| thrown(&mut rng)).collect();
    assert!(all.len() > 100 * games, "{} positions of thrown pieces", all.len());
    for start in starts(&mut rng) {
        for _ in 0..games {
            let mut position = start.clone();
            for _ in 0..100 {
                all.push(position.clone());
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[rng.random_range(0..moves.len())];
                position.play_unchecked(m);
            }
        }
    }
    all
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Always).to_string()
}

fn set(moves: &MoveList) -> HashSet<Move> {
    let set: HashSet<Move> = moves.iter().copied().collect();
    assert_eq!(set.len(), moves.len(), "duplicates in {moves:?}");
    set
}

#[test]
fn noisy_and_quiet_moves_are_the_legal_moves() {
    for position in positions(1, 8) {
        let legal = position.legal_moves();
        let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
        position.noisy_moves(position.checkers(), &mut noisy);
        position.quiet_moves(position.checkers(), &mut quiet);
        let (legal_noisy, legal_quiet) = legal.into_iter().partition(|&m| is_noisy(m));
        assert_eq!(set(&noisy), legal_noisy, "{}", fen(&position));
        assert_eq!(set(&quiet), legal_quiet, "{}", fen(&position));
    }
}

#[test]
fn generators_append() {
    let position = Chess::default();
    let mut moves = MoveList::new();
    position.quiet_moves(position.checkers(), &mut moves);
    position.quiet_moves(position.checkers(), &mut moves);
    position.noisy_moves(position.checkers(), &mut moves);
    assert_eq!(moves.len(), 40);
}

#[test]
fn a_move_is_playable_where_it_is_legal() {
    let mut rng = StdRng::seed_from_u64(2);
    let positions = positions(2, 2);
    let moves: Vec<Move> = positions.iter().flat_map(|p| p.legal_moves()).collect();
    let (mut legal, mut illegal) = (0, 0);
    for position in &positions {
        let checkers = position.checkers();
        let own = position.legal_moves();
        for &m in &own {
            assert!(position.is_playable(checkers, m), "{m:?} in {}", fen(position));
        }
        let own = set(&own);
        for _ in 0..400 {
            let m = moves[rng.random_range(0..moves.len())];
            assert_eq!(
                position.is_playable(checkers, m),
                own.contains(&m),
                "{m:?} in {}",
                fen(position)
            );
            if own.contains(&m) { legal += 1 } else { illegal += 1 }
        }
    }
    assert!(legal > 2_000 && illegal > 200_000, "{legal} legal, {illegal} illegal");
}

/// Moves that are legal in no position, or that differ from a legal one in a single part.
#[test]
fn a_made_up_move_is_playable_where_it_is_legal() {
    let mut rng = StdRng::seed_from_u64(3);
    let role = |rng: &mut StdRng| Role::ALL[rng.random_range(0..6)];
    let square = |rng: &mut StdRng| Square::new(rng.random_range(0..64));
    for position in positions(3, 2) {
        let legal = set(&position.legal_moves());
        for &base in &legal {
            let mut variants = vec![
                Move::Put { role: role(&mut rng), to: square(&mut rng) },
                Move::EnPassant { from: base.from().expect("no drops"), to: base.to() },
                Move::Castle { king: base.from().expect("no drops"), rook: square(&mut rng) },
                Move::Castle { king: square(&mut rng), rook: base.to() },
            ];
            if let Move::Normal { role: mover, from, capture, to, promotion } = base {
                let (other, place) = (role(&mut rng), square(&mut rng));
                variants.extend([
                    Move::Normal { role: other, from, capture, to, promotion },
                    Move::Normal { role: mover, from: place, capture, to, promotion },
                    Move::Normal { role: mover, from, capture: Some(other), to, promotion },
                    Move::Normal { role: mover, from, capture: None, to, promotion },
                    Move::Normal { role: mover, from, capture, to: place, promotion },
                    Move::Normal { role: mover, from, capture, to, promotion: Some(other) },
                    Move::Normal { role: mover, from, capture, to, promotion: None },
                    Move::Castle { king: from, rook: to },
                ]);
            }
            for m in variants {
                assert_eq!(
                    position.is_playable(position.checkers(), m),
                    legal.contains(&m),
                    "{m:?} in {}",
                    fen(&position)
                );
            }
        }
    }
}

#[test]
fn legal_moves_survive_their_codes() {
    for position in positions(4, 4) {
        for m in position.legal_moves() {
            let code = MoveCode::pack(m);
            assert_ne!(code, MoveCode::NONE);
            assert_eq!(position.unpack(position.checkers(), code), Some(m), "{}", fen(&position));
        }
    }
}

#[test]
fn no_other_code_is_a_move() {
    for position in positions(5, 1).iter().step_by(20) {
        let legal: HashMap<u16, Move> =
            position.legal_moves().into_iter().map(|m| (MoveCode::pack(m).0, m)).collect();
        for code in 0..=u16::MAX {
            assert_eq!(
                position.unpack(position.checkers(), MoveCode(code)),
                legal.get(&code).copied(),
                "{code:#06x} in {}",
                fen(position)
            );
        }
    }
}

#[test]
fn keys_are_kept_up_to_date() {
    for position in positions(6, 4) {
        let key = position.key();
        assert_eq!(key, position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0);
        for m in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(m);
            let moved = KeyedPosition::new(position.clone()).play(m);
            assert_eq!(moved.key(), after.key(), "{m:?} in {}", fen(&position));
        }
    }
}

/// Polyglot's published keys, with and without a possible en passant capture.
#[test]
fn keys_are_polyglot_keys() {
    for (fen, key) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b96181691fc9c),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c9b50fd114196),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a48b5a8e47ff78),
        ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c8123ea7b067637),
        ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f9b829b279560),
    ] {
        assert_eq!(position(fen, CastlingMode::Standard).key(), key, "{fen}");
    }
}

#[test]
fn passing_changes_the_turn_and_nothing_else() {
    let (mut passed, mut refused) = (0, 0);
    for position in positions(7, 4) {
        let swapped = position.clone().swap_turn().or_else(PositionError::ignore_too_much_material);
        match (position.pass(), swapped) {
            (None, Err(_)) => refused += 1,
            (Some(after), Ok(expected)) => {
                passed += 1;
                assert_eq!(after, expected);
                assert_eq!(after.maybe_ep_square(), None);
                assert_eq!(after.castles().mode(), position.castles().mode());
                for color in Color::ALL {
                    for side in shakmaty::CastlingSide::ALL {
                        let rook = position.castles().rook(color, side);
                        assert_eq!(after.castles().rook(color, side), rook);
                    }
                }
                let keyed = KeyedPosition::new(position).pass().expect("passed before");
                assert_eq!(keyed.key(), expected.key());
                assert!(!keyed.is_check());
            }
            (after, expected) => panic!("{after:?} but {expected:?}"),
        }
    }
    assert!(passed > 1000 && refused > 100, "{passed} passed, {refused} refused");
}

#[test]
fn has_pieces_means_more_than_king_and_pawns() {
    for (fen, expected) in [
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", false),
        ("1n2k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", false),
        ("1n2k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4K2Q w - - 0 1", true),
    ] {
        assert_eq!(position(fen, CastlingMode::Standard).has_pieces(), expected, "{fen}");
    }
}
