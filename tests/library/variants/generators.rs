//! The search's questions, and the evaluation's differences, against the plain answers.

use std::collections::HashSet;

use ajedrecista::evaluation::king_relative::Weights;
use ajedrecista::evaluation::{Evaluator, KingRelative, tables};
use ajedrecista::rules::variant::{self, Task};
use ajedrecista::rules::{MoveCode, Rules, Situation, setup};
use shakmaty::variant::Variant;
use shakmaty::{Move, MoveList};

use super::random_positions;

fn set(moves: &MoveList) -> HashSet<Move> {
    let set: HashSet<Move> = moves.iter().copied().collect();
    assert_eq!(set.len(), moves.len(), "duplicates in {moves:?}");
    set
}

/// Moves in two helpings, keys, codes and judgements of single moves.
struct Questions;

impl Task for Questions {
    type Outcome = ();

    fn run<P: Rules>(self) {
        let positions = random_positions::<P>(12);
        let strangers: Vec<Move> =
            positions.iter().step_by(97).flat_map(|position| position.legal_moves()).collect();
        for position in &positions {
            let fen = setup::fen(position);
            let checkers = position.checkers();
            let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
            position.noisy_moves(checkers, &mut noisy);
            position.quiet_moves(checkers, &mut quiet);
            let legal = position.legal_moves();
            let (legal_noisy, legal_quiet): (HashSet<Move>, HashSet<Move>) =
                legal.iter().partition(|&&m| position.is_noisy(m));
            assert_eq!(set(&noisy), legal_noisy, "{fen}");
            assert_eq!(set(&quiet), legal_quiet, "{fen}");

            let here = Situation::new(position.clone());
            for &m in &legal {
                assert_eq!(position.decode(checkers, MoveCode::of(m)), Some(m), "{fen}");
                let after = here.play(m);
                assert_eq!(after.key(), after.position().key(), "{m:?} in {fen}");
            }
            let legal = set(&legal);
            for &m in &strangers {
                assert_eq!(position.is_playable(checkers, m), legal.contains(&m), "{m:?}, {fen}");
                let decoded = position.decode(checkers, MoveCode::of(m));
                assert!(decoded.is_none_or(|m| legal.contains(&m)), "{m:?}, {fen}");
            }
            if let Some(passed) = here.pass() {
                assert_eq!(passed.key(), passed.position().key(), "{fen}");
                assert_eq!(passed.turn(), !here.turn());
                let rights = position.castles().castling_rights();
                assert_eq!(passed.position().castles().castling_rights(), rights);
            }
        }
    }
}

#[test]
fn the_search_gets_right_answers() {
    for variant in Variant::ALL {
        variant::with(variant, Questions);
    }
}

/// The evaluation after a move equals that from scratch, and its terms add up to it.
struct Evaluation;

impl Task for Evaluation {
    type Outcome = ();

    fn run<P: Rules>(self) {
        let linear = KingRelative::linear(Weights { safety: (12, -3), proximity: (7, 15) });
        for plain in [linear, tables::of(P::VARIANT)] {
            let evaluator = plain.in_rules(P::VARIANT, 130);
            for position in random_positions::<P>(6) {
                let state = evaluator.state(&position);
                let score = evaluator.score(&position, &state);
                assert_eq!(
                    evaluator.explain(&position).score(),
                    score,
                    "{}",
                    setup::fen(&position)
                );
                for m in position.legal_moves() {
                    let mut after = position.clone();
                    after.play_unchecked(m);
                    let moved = evaluator.state_after(&state, &position, m, &after);
                    let fen = setup::fen(&position);
                    assert_eq!(moved, evaluator.state(&after), "{m:?} in {fen}");
                }
            }
        }
    }
}

#[test]
fn the_evaluation_follows_the_moves_and_explains_itself() {
    for variant in Variant::ALL {
        variant::with(variant, Evaluation);
    }
}
