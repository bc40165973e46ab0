//! The rules for the search and the incremental evaluation, against shakmaty and evaluation from scratch.

use std::collections::HashSet;

use engine::evaluation::linear::Weights;
use engine::evaluation::variants::{Task, with_rules};
use engine::evaluation::{Evaluator, KingTerms, Variant};
use engine::rules::{KeyedPosition, MoveCode, PieceKeys, RuleSet, setup};
use shakmaty::{Move, MoveList};

use super::random_positions;

fn set(moves: &MoveList) -> HashSet<Move> {
    let set: HashSet<Move> = moves.iter().copied().collect();
    assert_eq!(set.len(), moves.len(), "duplicates in {moves:?}");
    set
}

/// Noisy and quiet moves, keys, codes, legality of single moves.
struct Generators;

impl Task for Generators {
    type Outcome = ();

    fn run<P: Variant>(self) {
        let positions = random_positions::<P>(2);
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

            let keyed = KeyedPosition::new(position.clone());
            for &m in &legal {
                assert_eq!(position.unpack(checkers, MoveCode::pack(m)), Some(m), "{fen}");
                let after = keyed.play(m);
                assert_eq!(after.key(), after.position().key(), "{m:?} in {fen}");
                let keys = PieceKeys::new(after.position().board());
                assert_eq!(*after.piece_keys(), keys, "{m:?} in {fen}");
            }
            let legal = set(&legal);
            for &m in &strangers {
                assert_eq!(position.is_playable(checkers, m), legal.contains(&m), "{m:?}, {fen}");
                let unpacked = position.unpack(checkers, MoveCode::pack(m));
                assert!(unpacked.is_none_or(|m| legal.contains(&m)), "{m:?}, {fen}");
            }
            if let Some(passed) = keyed.pass() {
                assert_eq!(passed.key(), passed.position().key(), "{fen}");
                assert_eq!(passed.turn(), !keyed.turn());
                let rights = position.castles().castling_rights();
                assert_eq!(passed.position().castles().castling_rights(), rights);
            }
        }
    }
}

#[test]
fn generators_agree_with_shakmaty() {
    for &rule_set in RuleSet::ALL {
        with_rules(rule_set, Generators);
    }
}

/// The incremental evaluation equals the evaluation from scratch, and its terms add up to it.
struct Evaluation;

impl Task for Evaluation {
    type Outcome = ();

    fn run<P: Variant>(self) {
        let linear = KingTerms::linear(Weights { safety: (12, -3), proximity: (7, 15) });
        for evaluator in [linear, KingTerms::<P>::default()] {
            let evaluator = evaluator.with_own_term(130);
            let mut cache = evaluator.new_cache();
            for (number, position) in random_positions::<P>(2).iter().enumerate() {
                let (score, fen) = (evaluator.score(position), setup::fen(position));
                assert_eq!(evaluator.explain(position).score(), score, "{fen}");
                let ply = number % 100;
                assert_eq!(evaluator.evaluate(position, ply, &mut cache), score, "{fen}");
                for m in position.legal_moves().into_iter().step_by(3) {
                    let mut after = position.clone();
                    after.play_unchecked(m);
                    let score = evaluator.score(&after);
                    let moved = evaluator.evaluate(&after, ply + 1, &mut cache);
                    assert_eq!(moved, score, "{m:?} in {fen}");
                }
            }
        }
    }
}

#[test]
fn incremental_evaluation_equals_its_terms() {
    for &rule_set in RuleSet::ALL {
        with_rules(rule_set, Evaluation);
    }
}
