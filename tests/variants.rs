//! The other rule sets: over seeded random games, what [`Rules`] answers fits together, the
//! evaluation follows the moves.

use ajedrecista::evaluation::king_relative::Weights;
use ajedrecista::evaluation::{Evaluator, KingRelative, tables};
use ajedrecista::rules::perft::perft;
use ajedrecista::rules::{MoveCode, Rules, Situation, is_noisy};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use shakmaty::fen::Fen;
use shakmaty::variant::{
    Antichess, Atomic, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck,
};
use shakmaty::{CastlingMode, Move, MoveList};

/// Visits every position of some random games, with the move played there and what follows.
fn random_games<P: Rules>(games: u64, mut visit: impl FnMut(&Situation<P>, Move, &Situation<P>)) {
    let mut rng = StdRng::seed_from_u64(11);
    for _ in 0..games {
        let mut here = Situation::new(P::default());
        for _ in 0..150 {
            let moves = here.position().legal_moves();
            if moves.is_empty() || here.position().is_variant_end() {
                break;
            }
            let m = moves[rng.random_range(0..moves.len())];
            let next = here.play(m);
            visit(&here, m, &next);
            here = next;
        }
    }
}

fn check<P: Rules>() {
    let linear = KingRelative::linear(Weights::default());
    let fitted = tables::embedded();
    random_games::<P>(40, |here, m, next| {
        let (position, after) = (here.position(), next.position());
        assert_eq!(next.key(), after.key(), "{m:?} in {position:?}");

        let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
        position.noisy_moves(here.checkers(), &mut noisy);
        position.quiet_moves(here.checkers(), &mut quiet);
        assert!(noisy.iter().all(|&m| is_noisy(m)) && !quiet.iter().any(|&m| is_noisy(m)));
        assert_eq!(noisy.len() + quiet.len(), position.legal_moves().len());

        for m in noisy.into_iter().chain(quiet) {
            assert!(position.is_playable(here.checkers(), m));
            assert_eq!(position.decode(here.checkers(), MoveCode::of(m)), Some(m), "{position:?}");
        }
        if let Some(passed) = position.pass() {
            assert_eq!((passed.board(), passed.turn()), (position.board(), !position.turn()));
        }
        for evaluator in [&linear, &fitted] {
            let state = evaluator.state(position);
            let moved = evaluator.state_after(&state, position, m, after);
            assert_eq!(moved, evaluator.state(after), "{m:?} in {position:?}");
            let told = evaluator.explain(after).score();
            assert_eq!(told, evaluator.score(after, &moved), "{after:?}");
        }
    });
}

macro_rules! rule_sets {
    ($($name:ident: $rules:ty;)*) => {$(
        #[test]
        fn $name() {
            check::<$rules>();
        }
    )*};
}

rule_sets! {
    atomic: Atomic;
    antichess: Antichess;
    king_of_the_hill: KingOfTheHill;
    three_check: ThreeCheck;
    crazyhouse: Crazyhouse;
    racing_kings: RacingKings;
    horde: Horde;
}

fn counts<P: Rules>(cases: &[(&str, &[u64])]) {
    for (fen, expected) in cases {
        let fen: Fen = fen.parse().unwrap();
        let position: P = fen.into_position(CastlingMode::Chess960).unwrap();
        for (depth, &count) in (1..).zip(*expected) {
            assert_eq!(perft(&position, depth), count, "depth {depth} of {position:?}");
        }
    }
}

/// Counts published with shakmaty (`tests/*.perft`).
#[test]
fn moves_are_counted_as_published() {
    counts::<Atomic>(&[
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", &[20, 400, 8902, 197_326]),
        ("rn1qkb1r/p5pp/2p5/3p4/N3P3/5P2/PPP4P/R1BQK3 w Qkq -", &[28, 833, 23_353]),
        ("8/8/8/8/8/8/2k5/rR4KR w KQ -", &[18, 180, 4364, 61_401]),
    ]);
    counts::<Antichess>(&[
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - -", &[20, 400, 8067, 153_299]),
        ("8/1p6/8/8/8/8/P7/8 w - -", &[2, 4, 4, 3]),
        ("8/2p5/8/8/8/8/P7/8 w - -", &[2, 4, 4, 4]),
    ]);
    counts::<ThreeCheck>(&[
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 1+1",
            &[48, 2039, 97_848],
        ),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 1+1", &[26, 562, 13_410]),
    ]);
    counts::<Crazyhouse>(&[
        ("2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - -", &[301, 75_353]),
        ("4k3/1Q~6/8/8/4b3/8/Kpp5/8/ b - -", &[20, 360, 5445, 132_758]),
    ]);
    counts::<RacingKings>(&[
        ("8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - -", &[21, 421, 11_264, 296_242]),
        ("4brn1/2K2k2/8/8/8/8/8/8 w - -", &[6, 33, 178, 3151]),
    ]);
    counts::<Horde>(&[
        (
            "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq -",
            &[8, 128, 1274, 23_310],
        ),
        ("4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - -", &[30, 241, 6633]),
    ]);
}
