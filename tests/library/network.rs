//! The network of every rule set, held against a plain computation of the same function.

use std::sync::Arc;

use engine::evaluation::linear::Weights;
use engine::evaluation::network::features::KingZones;
use engine::evaluation::network::{
    self, MAX_OUTPUT_WEIGHT, MAX_WEIGHT, NetworkWeights, OUTPUTS, QA, QB, Shape, UNIT, steps,
};
use engine::evaluation::variants::{Task, with_rules};
use engine::evaluation::{Evaluation, Evaluator, Network, NetworkTerms, Variant, material};
use engine::rules::{RuleSet, setup};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use shakmaty::{Color, EnPassantMode, Role, Square};

use crate::variants::random_positions;
use flate2::Crc;
use proptest::prelude::*;
use shakmaty::Chess;

/// A network with random weights, as large as the format allows.
fn random_weights(shape: &Shape, seed: u64) -> NetworkWeights {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut numbers = |count: usize, most: i16| {
        (0..count).map(|_| rng.random_range(-most..=most)).collect::<Vec<i16>>()
    };
    NetworkWeights {
        features: numbers(shape.rows() * shape.hidden, 80),
        bias: numbers(shape.hidden, 200),
        output: numbers(2 * OUTPUTS * shape.hidden, 126),
        output_bias: std::array::from_fn(|bucket| 1000 * bucket as i32 - 3000),
    }
}

fn shape<P: Variant>(hidden: usize, zones: usize) -> Shape {
    Shape { hidden, zones: KingZones::of_count(zones).unwrap(), extras: P::EXTRAS }
}

fn evaluator<P: Variant>(shape: &Shape, weights: &NetworkWeights) -> NetworkTerms<P> {
    let bytes = network::write(P::RULE_SET, shape, weights);
    NetworkTerms::new(Arc::new(Network::read(&bytes).unwrap())).unwrap()
}

/// The inputs that are on in one side's perspective, from the definition alone.
fn inputs<P: Variant>(position: &P, shape: &Shape, side: Color) -> Vec<usize> {
    let board = position.board();
    let looks_down = side == Color::Black && P::RULE_SET != RuleSet::RacingKings;
    let king = board.king_of(side).filter(|_| P::RULE_SET != RuleSet::Antichess);
    let is_mirrored = king.is_some_and(|king| king.file() as usize >= 4);
    let place = |square: Square| {
        let rank = if looks_down { 7 - square.rank() as usize } else { square.rank() as usize };
        let file = if is_mirrored { 7 - square.file() as usize } else { square.file() as usize };
        (rank, file)
    };
    let zone = king.map_or(0, |king| {
        let (rank, file) = place(king);
        usize::from(shape.zones.as_bytes()[rank * 4 + file])
    });
    let start = zone * (768 + 2 * shape.extras);
    let mut inputs = Vec::new();
    for (square, piece) in board.clone() {
        let (rank, file) = place(square);
        let owner = if piece.color == side { 0 } else { 1 };
        let role = Role::ALL.iter().position(|&role| role == piece.role).unwrap();
        inputs.push(start + owner * 384 + role * 64 + rank * 8 + file);
    }
    for color in Color::ALL {
        let owner = if color == side { 0 } else { 1 };
        for number in 0..shape.extras {
            if position.extras()[color] & 1 << number != 0 {
                inputs.push(start + 768 + owner * shape.extras + number);
            }
        }
    }
    inputs
}

/// The network's output in centipawns, from the definition alone.
fn plain_output<P: Variant>(position: &P, shape: &Shape, weights: &NetworkWeights) -> i32 {
    let pieces = position.board().occupied().count();
    let bucket = ((pieces - 1) * OUTPUTS / P::MAX_PIECES).min(OUTPUTS - 1);
    let mut total = 0i64;
    for (half, side) in [position.turn(), !position.turn()].into_iter().enumerate() {
        let inputs = inputs(position, shape, side);
        for neuron in 0..shape.hidden {
            let row = |input: &usize| i64::from(weights.features[input * shape.hidden + neuron]);
            let sum = i64::from(weights.bias[neuron]) + inputs.iter().map(row).sum::<i64>();
            let active = sum.clamp(0, i64::from(QA));
            let place = (2 * bucket + half) * shape.hidden + neuron;
            total += active * active * i64::from(weights.output[place]);
        }
    }
    let one = i64::from(QA) * i64::from(QB);
    let output = total / i64::from(QA) + i64::from(weights.output_bias[bucket]);
    (output * i64::from(UNIT) / one) as i32
}

/// Incremental, from scratch and by definition are the same, whatever was evaluated before.
struct Equal;

impl Task for Equal {
    type Outcome = ();

    fn run<P: Variant>(self) {
        for (hidden, zones) in [(64, 1), (192, 8)] {
            let shape = shape::<P>(hidden, zones);
            let weights = random_weights(&shape, 3);
            let evaluator = evaluator::<P>(&shape, &weights).with_own_term(0);
            let mut cache = evaluator.new_cache();
            let mut rng = SmallRng::seed_from_u64(11);
            for (number, position) in random_positions::<P>(2).iter().enumerate() {
                let fen = setup::fen(position);
                let fresh = evaluator.evaluate(position, 0, &mut evaluator.new_cache());
                let is_driven = P::MATES_BARE_KINGS && position.board().pawns().is_empty();
                // The definition and the explanation take their time.
                let is_defined = number % 7 == 0;
                if is_defined && !is_driven {
                    let lead = material::lead::<P>(position.board(), position.turn());
                    let expected = lead + plain_output(position, &shape, &weights);
                    assert_eq!(fresh.raw(), expected, "{} {fen}", P::NAME);
                }
                if is_defined {
                    assert_eq!(evaluator.explain(position).score(), fresh, "{} {fen}", P::NAME);
                }
                let ply = if rng.random_ratio(1, 9) { 140 } else { number % 90 };
                let cached = evaluator.evaluate(position, ply, &mut cache);
                assert_eq!(cached, fresh, "{} {fen}", P::NAME);
                for m in position.legal_moves().into_iter().step_by(9) {
                    let mut after = position.clone();
                    after.play_unchecked(m);
                    let fresh = evaluator.evaluate(&after, 0, &mut evaluator.new_cache());
                    let cached = evaluator.evaluate(&after, ply + 1, &mut cache);
                    assert_eq!(cached, fresh, "{} {m:?} in {fen}", P::NAME);
                }
            }
        }
    }
}

#[test]
fn incremental_and_from_scratch_are_the_function_of_the_definition() {
    for &rule_set in RuleSet::ALL {
        with_rules(rule_set, Equal);
    }
}

/// The position with the colours swapped, under the symmetry of the rule set: racing kings mirrors the
/// files, all others the ranks.
fn mirror_image<P: Variant>(position: &P) -> Option<P> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.mirror();
    if P::RULE_SET == RuleSet::RacingKings {
        setup.board.rotate_180();
    }
    P::from_setup(setup, position.castles().mode()).ok()
}

/// Both colours are treated alike by every form of the evaluation.
struct Symmetric;

impl Task for Symmetric {
    type Outcome = ();

    fn run<P: Variant>(self) {
        let shape = shape::<P>(64, 8);
        let network = evaluator::<P>(&shape, &random_weights(&shape, 5));
        let linear = Evaluation::linear(Weights { safety: (12, -3), proximity: (7, 15) });
        let mut images = 0;
        for position in random_positions::<P>(6) {
            let Some(image) = mirror_image(&position) else { continue };
            images += 1;
            for evaluator in [network.clone().into(), linear.clone(), Evaluation::default()] {
                let score =
                    |position: &P| evaluator.evaluate(position, 0, &mut evaluator.new_cache());
                let fen = setup::fen(&position);
                assert_eq!(score(&position), score(&image), "{} {fen}", P::NAME);
            }
        }
        // Only White can be the horde.
        assert!(images > 100 || P::RULE_SET == RuleSet::Horde, "{}: {images}", P::NAME);
    }
}

#[test]
fn colours_are_treated_alike_in_every_rule_set() {
    for &rule_set in RuleSet::ALL {
        with_rules(rule_set, Symmetric);
    }
}

#[test]
fn the_start_of_the_race_is_even_but_for_the_move() {
    let start = shakmaty::variant::RacingKings::default();
    let evaluator = Evaluation::linear(Weights::default());
    assert_eq!(evaluator.explain(&start).score().raw(), 0);
}

fn small_network() -> Vec<u8> {
    let shape = shape::<Chess>(64, 1);
    network::write(RuleSet::Chess, &shape, &random_weights(&shape, 1))
}

/// A trainer that drives a weight to its limit writes a network that is read again.
#[test]
fn the_greatest_weights_are_read_and_greater_ones_refused() {
    let shape = shape::<Chess>(64, 1);
    let limits = [steps(MAX_WEIGHT, QA), steps(MAX_OUTPUT_WEIGHT, QB)];
    let read = |hidden: i16, output: i16| {
        let mut weights = random_weights(&shape, 1);
        weights.features[3] = hidden;
        weights.bias[5] = -hidden;
        weights.output[7] = output;
        Network::read(&network::write(RuleSet::Chess, &shape, &weights)).is_ok()
    };
    assert!(read(limits[0], -limits[1]));
    assert!(!read(limits[0] + 1, 0));
    assert!(!read(0, -limits[1] - 1));
    assert!(QA.checked_mul(limits[1]).is_some(), "the product fits 16 bits");
}

#[test]
fn a_changed_or_cut_off_network_is_refused() {
    let good = small_network();
    assert!(Network::read(&good).is_ok());
    let mut rng = SmallRng::seed_from_u64(4);
    for _ in 0..300 {
        let mut bad = good.clone();
        let at = rng.random_range(0..bad.len());
        bad[at] ^= 1 << rng.random_range(0..8);
        assert!(Network::read(&bad).is_err(), "byte {at}");
        assert!(Network::read(&good[..at]).is_err(), "{at} bytes");
    }
    let mut long = good.clone();
    long.push(0);
    assert!(Network::read(&long).is_err());
}

proptest! {
    /// Even with the right checksum.
    #[test]
    fn no_bytes_upset_the_reader(
        header in proptest::collection::vec((0usize..60, any::<u8>()), 0..6),
        numbers in proptest::collection::vec((64usize..100_000, any::<u8>()), 0..6),
    ) {
        let mut bytes = small_network();
        for (at, byte) in header.into_iter().chain(numbers) {
            bytes[at] = byte;
        }
        let mut crc = Crc::new();
        crc.update(&bytes[..60]);
        crc.update(&bytes[64..]);
        bytes[60..64].copy_from_slice(&crc.sum().to_le_bytes());
        if let Ok(network) = Network::read(&bytes)
            && let Some(evaluator) = NetworkTerms::<Chess>::new(Arc::new(network))
        {
            let start = Chess::default();
            evaluator.evaluate(&start, 0, &mut evaluator.new_cache());
        }
    }
}

#[test]
fn the_network_tells_what_each_piece_is_worth() {
    let evaluator = Evaluation::<Chess>::default();
    let start = Chess::default();
    let breakdown = evaluator.explain(&start);
    assert_eq!(breakdown.pieces.len(), 32);
    for contribution in &breakdown.pieces {
        let piece = contribution.piece;
        let centipawns = contribution.centipawns;
        assert_eq!(centipawns.is_none(), piece.role == Role::King);
        let for_owner =
            piece.color.fold_wb(1, -1) * centipawns.unwrap_or(piece.color.fold_wb(1, -1));
        assert!(for_owner > 0, "{contribution:?}");
    }
}
