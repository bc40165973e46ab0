//! The network: the paper's three terms with more than one number a king.
//!
//! Score = material (the paper's, exact) + the rule set's own term + the network's output. Each king's
//! [perspective](features) of the board feeds one hidden layer; the output is a weighted sum of both
//! hidden layers, other weights for other numbers of pieces. So the output is a sum over the two kings. What a
//! king would see on average, wherever it stood, is the placement of the pieces; what its own pieces add to that is king
//! safety, what the enemy's pieces take from it is their king proximity.
//!
//! The idea of a network with cheap differences (NNUE) is Yu Nasu's ("Efficiently updatable
//! neural-network-based evaluation functions for computer shogi", 2018).
//!
#![doc = include_str!("../../../../../docs/network.md")]

mod accumulator;
mod block;
pub mod features;
mod file;
mod inference;
mod king_squares;
mod simd;

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

use shakmaty::{Bitboard, Board, ByColor, Color};

use super::{
    Breakdown, Contribution, Evaluator, Tapered, Term, TermKind, Variant, contributions,
    king_drive, material,
};
use crate::rules::RuleSet;
use crate::score::Score;

use accumulator::Updated;
use block::Block;
use features::{KingZones, PIECE_INPUTS};
use inference::Forward;
use simd::InstructionSet;

pub use accumulator::{Accumulators, NetworkInput};
pub use block::LANES;
pub use file::{NetworkError, NetworkFile, NetworkFileError, is_network, write};
pub use inference::{NetworkOutput, QA, QB};

/// Outputs, chosen by the number of pieces on the board.
pub const OUTPUTS: usize = 8;

/// Centipawns of an output of one.
pub const UNIT: i32 = 400;

/// Greatest weight of the hidden layer, either way: a sum fits 16 bits with all pieces of any rule set.
pub const MAX_WEIGHT: f32 = 1.98;

/// Greatest weight of the output, either way: the product with an activation fits 16 bits.
pub const MAX_OUTPUT_WEIGHT: f32 = 0.99;

/// A weight in whole steps, of which `one` make 1. Who writes a network and who holds its weights to their limits round
/// alike, so that a weight at its limit is within it.
pub fn steps(weight: f32, one: i16) -> i16 {
    (weight * f32::from(one)).round() as i16
}

/// Most neurons of the hidden layer for each perspective.
const MAX_HIDDEN: usize = 1024;

/// The sizes of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Neurons of the hidden layer for each perspective, a multiple of [`LANES`].
    pub hidden: usize,
    /// The king zones.
    pub zones: KingZones,
    /// Inputs of either side besides the pieces on the board; see [`Variant::EXTRAS`].
    pub extras: usize,
}

impl Shape {
    /// True if a hidden layer may have so many neurons for each perspective.
    pub fn is_hidden_size(neurons: usize) -> bool {
        (1..=MAX_HIDDEN).contains(&neurons) && neurons.is_multiple_of(LANES)
    }

    /// Inputs of one zone.
    #[inline]
    pub fn inputs(&self) -> usize {
        PIECE_INPUTS + 2 * self.extras
    }

    /// Inputs of all zones.
    pub fn rows(&self) -> usize {
        self.zones.count() * self.inputs()
    }

    /// Blocks of a row of the hidden layer.
    #[inline]
    fn blocks(&self) -> usize {
        self.hidden / LANES
    }
}

/// A network's quantised numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkWeights {
    /// Weights of the hidden layer, input by input, in steps of 1 / [`QA`].
    pub features: Vec<i16>,
    /// Biases of the hidden layer, in steps of 1 / [`QA`].
    pub bias: Vec<i16>,
    /// Weights of each output, the own king's first, in steps of 1 / [`QB`].
    pub output: Vec<i16>,
    /// Bias of each output, in steps of 1 / ([`QA`] · [`QB`]).
    pub output_bias: [i32; OUTPUTS],
}

/// A network, ready to evaluate.
#[derive(Debug)]
pub struct Network {
    rule_set: RuleSet,
    shape: Shape,
    features: Box<[Block]>,
    bias: Box<[Block]>,
    output: Box<[Block]>,
    output_bias: [i32; OUTPUTS],
    checksum: u32,
    instructions: InstructionSet,
}

impl Network {
    /// The rule set that the network was trained for.
    pub fn rule_set(&self) -> RuleSet {
        self.rule_set
    }

    /// The sizes of the network.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The checksum of the file that the network was read from.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The quantised numbers.
    pub fn weights(&self) -> NetworkWeights {
        let numbers = |blocks: &[Block]| blocks.iter().flat_map(|block| block.0).collect();
        NetworkWeights {
            features: numbers(&self.features),
            bias: numbers(&self.bias),
            output: numbers(&self.output),
            output_bias: self.output_bias,
        }
    }

    /// The weights of an output: the own king's and the enemy king's.
    #[inline(always)]
    fn output_weights(&self, bucket: usize) -> [&[Block]; 2] {
        let blocks = self.shape.blocks();
        let weights = &self.output[2 * bucket * blocks..2 * (bucket + 1) * blocks];
        let (own, enemy) = weights.split_at(blocks);
        [own, enemy]
    }
}

/// The output for a number of pieces, with at most `most` in the rule set.
#[inline]
pub const fn bucket(pieces: usize, most: usize) -> usize {
    let bucket = pieces.saturating_sub(1) * OUTPUTS / most;
    if bucket < OUTPUTS { bucket } else { OUTPUTS - 1 }
}

/// What a king sees, in the steps of [`NetworkOutput::own`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct DividedShare {
    /// What the pieces are worth wherever the king is.
    placement: i32,
    /// What the king's own pieces add to it.
    own: i32,
    /// What the enemy's pieces add to it.
    enemy: i32,
}

/// The evaluator of the rules `P` that adds a network's output to the material. Clones share the network.
#[derive(Clone, Debug)]
pub struct NetworkTerms<P> {
    network: Arc<Network>,
    /// Weight of the rule set's own term, in per cent.
    own_term: i32,
    rules: PhantomData<fn() -> P>,
}

impl<P> PartialEq for NetworkTerms<P> {
    fn eq(&self, other: &Self) -> bool {
        let [a, b] = [&self.network, &other.network];
        let is_same = Arc::ptr_eq(a, b) || (a.checksum == b.checksum && a.shape == b.shape);
        is_same && self.own_term == other.own_term
    }
}

/// The networks of the rule sets, each read when it is first used, or supplied.
static BUILT_IN: [OnceLock<Arc<Network>>; RuleSet::ALL.len()] =
    [const { OnceLock::new() }; RuleSet::ALL.len()];

/// Makes this network the built-in one of its rule set, for programs that have none inside. False if the rule set
/// has one already.
pub fn supply(network: Network) -> bool {
    let place = BUILT_IN.get(network.rule_set as usize);
    place.is_some_and(|place| place.set(Arc::new(network)).is_ok())
}

thread_local! {
    /// The sums with which this thread explained last, and their network.
    static SCRATCH: RefCell<Option<(Arc<Network>, Accumulators)>> = const { RefCell::new(None) };
}

impl<P: Variant> NetworkTerms<P> {
    /// Calls `explain` with sums for this network. Each thread has its own and keeps them: aligned blocks that are freed
    /// and allocated again for every position fragment the memory.
    fn with_scratch<T>(&self, explain: impl FnOnce(&mut Accumulators) -> T) -> T {
        let kept = SCRATCH.take().filter(|(network, _)| Arc::ptr_eq(network, &self.network));
        let (network, mut cache) =
            kept.unwrap_or_else(|| (Arc::clone(&self.network), self.new_cache()));
        let explained = explain(&mut cache);
        SCRATCH.set(Some((network, cache)));
        explained
    }

    /// The evaluator with the network of the rule set, if there is one.
    pub fn built_in() -> Option<NetworkTerms<P>> {
        let place = BUILT_IN.get(P::RULE_SET as usize)?;
        let network = match place.get() {
            Some(network) => network,
            None => {
                // A test reads every network of the program.
                let network = Network::read(P::NETWORK?).ok()?;
                place.get_or_init(|| Arc::new(network))
            }
        };
        NetworkTerms::new(Arc::clone(network))
    }

    /// The evaluator with this network; `None` if it was trained for other rules.
    pub fn new(network: Arc<Network>) -> Option<NetworkTerms<P>> {
        let fits = network.rule_set == P::RULE_SET && network.shape.extras == P::EXTRAS;
        fits.then_some(NetworkTerms { network, own_term: 100, rules: PhantomData })
    }

    /// The same with another weight of the rule set's own term, in per cent.
    pub fn with_own_term(self, own_term: i32) -> NetworkTerms<P> {
        NetworkTerms { own_term, ..self }
    }

    /// The network's output for the side to move, and the material, White minus Black, in centipawns.
    #[inline]
    fn output(
        &self,
        input: NetworkInput,
        turn: Color,
        ply: usize,
        cache: &mut Accumulators,
    ) -> (NetworkOutput, i32) {
        let bucket = self.bucket_of(&input.board);
        self.output_of(input, turn, bucket, ply, cache)
    }

    /// The same by the output for `bucket`.
    #[inline]
    fn output_of(
        &self,
        input: NetworkInput,
        turn: Color,
        bucket: usize,
        ply: usize,
        cache: &mut Accumulators,
    ) -> (NetworkOutput, i32) {
        let network = &*self.network;
        let Updated { sums, material } = cache.update::<P>(network, input, ply);
        let output = network.instructions.run(Forward {
            sums: [sums[turn], sums[!turn]],
            weights: network.output_weights(bucket),
            bias: network.output_bias[bucket],
        });
        (output, material)
    }

    /// What the king of `side` sees on `board`, in steps of 1 / ([`QA`]² · [`QB`]) for that side: the mean of what it is
    /// worth to the side when it is to move, and when it is not.
    fn share(&self, position: &P, board: Board, side: Color, cache: &mut Accumulators) -> i32 {
        let input = NetworkInput { board, extras: position.extras() };
        let bucket = self.bucket_of(position.board());
        let (moving, _) = self.output_of(input.clone(), side, bucket, 0, cache);
        let (waiting, _) = self.output_of(input, !side, bucket, 0, cache);
        (moving.own - waiting.enemy) / 2
    }

    /// What the king of `side` sees, divided. Its mean over the squares where the king could stand is what the pieces are worth
    /// wherever that king is (functional analysis of variance: Hoeffding, Annals of Mathematical Statistics 19, 1948).
    /// The rest belongs to its own pieces, which protect it, and to the enemy's, which have come near: what either
    /// adds with and without the other, the mean of both (Shapley, "A value for n-person games", 1953). Without a royal
    /// king all is placement.
    fn divided_share(&self, position: &P, side: Color, cache: &mut Accumulators) -> DividedShare {
        let board = position.board();
        let all = self.share(position, board.clone(), side, cache);
        let Some(king) = board.king_of(side).filter(|_| P::ROYAL_KINGS) else {
            return DividedShare { placement: all, own: 0, enemy: 0 };
        };
        let bucket = self.bucket_of(board);
        let squares = king_squares::candidates(board, side, king, bucket, P::RANKS_TURN);
        // The mean, and what the king's own square gives beyond it.
        let mut mean_and_rest = |board: &Board| {
            let mut sum = 0;
            let mut here = 0;
            for square in squares {
                let mut board = board.clone();
                board.discard_piece_at(king);
                board.set_piece_at(square, side.king());
                let share = self.share(position, board, side, cache);
                sum += i64::from(share);
                if square == king {
                    here = share;
                }
            }
            // The king's own square is among them.
            let mean = (sum / squares.count() as i64) as i32;
            (mean, here - mean)
        };
        let without = |gone: Bitboard| {
            let mut board = board.clone();
            for square in gone & !board.kings() {
                board.discard_piece_at(square);
            }
            board
        };
        let (placement, both) = mean_and_rest(board);
        let (_, own_alone) = mean_and_rest(&without(board.by_color(!side)));
        let (_, enemy_alone) = mean_and_rest(&without(board.by_color(side)));
        let (_, kings) = mean_and_rest(&without(board.occupied()));
        // The king's own place counts with its protection.
        let own = kings + ((both - enemy_alone) + (own_alone - kings)) / 2;
        DividedShare { placement, own, enemy: both - own }
    }

    /// The network's output, term by term and side by side: placement, king safety, king proximity, in centipawns. The
    /// sums of the side to move less those of the other are the output. What the move is worth counts with the placement
    /// of the side that has it.
    fn output_terms(&self, position: &P, cache: &mut Accumulators) -> [ByColor<i32>; 3] {
        let turn = position.turn();
        let (output, _) = self.output(NetworkInput::new(position), turn, 0, cache);
        let shares = ByColor::new_with(|side| self.divided_share(position, side, cache));
        let centipawns = |own| NetworkOutput { own, enemy: 0, bias: 0 }.centipawns();
        let safety = shares.map(|share| centipawns(share.own));
        // The nearness of a side's pieces is what the other king sees of them.
        let proximity = ByColor::new_with(|side| centipawns(-shares.get(!side).enemy));
        let mut placement = shares.map(|share| centipawns(share.placement));
        let lead = |term: &ByColor<i32>| term.get(turn) - term.get(!turn);
        let rest = output.centipawns() - lead(&placement) - lead(&safety) - lead(&proximity);
        *placement.get_mut(turn) += rest;
        [placement, safety, proximity]
    }

    /// The output for the pieces of a board.
    #[inline]
    fn bucket_of(&self, board: &Board) -> usize {
        bucket(board.occupied().count(), P::MAX_PIECES)
    }

    /// The contributions of the pieces of a position.
    fn contributions(&self, position: &P, cache: &mut Accumulators) -> Vec<Contribution> {
        let (turn, extras) = (position.turn(), position.extras());
        contributions::<P>(position.board(), |board| {
            let input = NetworkInput { board: board.clone(), extras };
            let (output, material) = self.output(input, turn, 0, cache);
            let output = output.centipawns();
            material + turn.fold_wb(output, -output)
        })
    }
}

impl<P: Variant> Evaluator<P> for NetworkTerms<P> {
    type Cache = Accumulators;

    fn new_cache(&self) -> Accumulators {
        Accumulators::new(&self.network)
    }

    #[inline]
    fn evaluate(&self, position: &P, ply: usize, cache: &mut Accumulators) -> Score {
        let board = position.board();
        let turn = position.turn();
        if let Some(drive) = king_drive::in_place_of_terms::<P>(board) {
            let white = material::lead::<P>(board, Color::White) + drive.white - drive.black;
            return Score::centipawns(turn.fold_wb(white, -white));
        }
        let (output, material) = self.output(NetworkInput::new(position), turn, ply, cache);
        let fixed = material + position.own_term_centipawns(self.own_term);
        Score::centipawns(turn.fold_wb(fixed, -fixed) + output.centipawns())
    }

    fn explain(&self, position: &P) -> Breakdown {
        let board = position.board();
        let turn = position.turn();
        let both_phases = |value: i32| Tapered::new(value, value);
        let term =
            |kind, value: &dyn Fn(Color) -> Tapered| Term { kind, value: ByColor::new_with(value) };
        let mut terms = vec![term(TermKind::Material, &|color| material::term::<P>(board, color))];
        let mut pieces = Vec::new();
        match king_drive::in_place_of_terms::<P>(board) {
            Some(drive) => {
                terms.push(term(TermKind::KingDrive, &|color| both_phases(*drive.get(color))))
            }
            None => {
                let network_terms = self.with_scratch(|cache| {
                    pieces = self.contributions(position, cache);
                    self.output_terms(position, cache)
                });
                let kinds = [TermKind::Placement, TermKind::KingSafety, TermKind::KingProximity];
                // Without royal kings all is placement.
                let count = if P::ROYAL_KINGS { kinds.len() } else { 1 };
                for (kind, value) in kinds.into_iter().zip(network_terms).take(count) {
                    terms.push(term(kind, &|color| both_phases(*value.get(color))));
                }
                if let Some(name) = P::OWN_TERM {
                    terms.push(term(TermKind::Own(name), &|color| {
                        position.weighted_own_term(color, self.own_term)
                    }));
                }
            }
        }
        Breakdown { terms, phase: material::phase_in::<P>(board), turn, pieces }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::variants::{Task, with_rules};
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position};

    struct ReadsItsNetwork;

    impl Task for ReadsItsNetwork {
        type Outcome = usize;

        fn run<P: Variant>(self) -> usize {
            let Some(bytes) = P::NETWORK else { return 0 };
            let network =
                Network::read(bytes).unwrap_or_else(|error| panic!("{}: {error}", P::NAME));
            assert!(NetworkTerms::<P>::new(Arc::new(network)).is_some(), "{}", P::NAME);
            assert!(NetworkTerms::<P>::built_in().is_some(), "{}", P::NAME);
            bytes.len()
        }
    }

    #[test]
    fn every_network_of_the_program_is_read_and_all_are_small() {
        let sizes = RuleSet::ALL.iter().map(|&rules| with_rules(rules, ReadsItsNetwork));
        assert!(sizes.sum::<usize>() < 8 << 20);
    }

    /// The leads of the side to move in the terms of the network, without material.
    fn leads(position: &Chess) -> [i32; 3] {
        let evaluator = NetworkTerms::<Chess>::built_in().unwrap();
        let terms = evaluator.output_terms(position, &mut evaluator.new_cache());
        terms.map(|term| term.get(position.turn()) - term.get(!position.turn()))
    }

    fn random_positions(count: usize, seed: u64) -> Vec<Chess> {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut position = Chess::default();
        let mut positions = Vec::new();
        while positions.len() < count {
            let moves = position.legal_moves();
            if moves.is_empty() || position.halfmoves() > 60 {
                position = Chess::default();
                continue;
            }
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
            positions.push(position.clone());
        }
        positions
    }

    #[test]
    fn the_printed_terms_add_up_to_the_score() {
        let evaluator = NetworkTerms::<Chess>::built_in().unwrap();
        let mut cache = evaluator.new_cache();
        for position in random_positions(200, 3) {
            let score = evaluator.evaluate(&position, 0, &mut cache);
            assert_eq!(evaluator.explain(&position).score(), score, "{position:?}");
        }
    }

    #[test]
    fn at_the_start_only_the_move_makes_a_difference() {
        let [placement, safety, proximity] = leads(&Chess::default());
        assert!(placement > 0 && placement < 60, "{placement}");
        assert_eq!((safety, proximity), (0, 0));
    }

    #[test]
    fn a_king_in_the_open_is_less_safe_and_nearer_to_the_enemy() {
        let terms = |fen: &str| {
            let fen: Fen = fen.parse().unwrap();
            leads(&fen.into_position(CastlingMode::Standard).unwrap())
        };
        let castled = "r1bq1rk1/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQ1RK1 w - - 0 1";
        let open = "r1bq1rk1/pppp1ppp/2n2n2/2b1p3/2B1P3/2NK1N2/PPPP1PPP/R1BQ3R w - - 0 1";
        let [_, safety, proximity] = terms(castled);
        assert_eq!((safety, proximity), (0, 0), "White's side mirrors Black's");
        let [_, safety, proximity] = terms(open);
        // Most of it is the cover that is gone, in every generation of the network.
        assert!(safety + proximity < -100, "{safety} {proximity}");
        assert!(safety < proximity && proximity < 0, "{safety} {proximity}");
    }

    #[test]
    fn a_pawn_far_from_the_kings_is_placement() {
        let fen: Fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1".parse().unwrap();
        let [placement, safety, proximity] =
            leads(&fen.into_position(CastlingMode::Standard).unwrap());
        assert!(placement > 300, "{placement}");
        assert!(3 * (safety.abs() + proximity.abs()) < placement, "{safety} {proximity}");
    }

    #[test]
    fn placement_knows_nothing_of_the_kings() {
        let evaluator = NetworkTerms::<Chess>::built_in().unwrap();
        let mut cache = evaluator.new_cache();
        let mut sizes = [0i64; 3];
        let positions = random_positions(1000, 5);
        for position in &positions {
            for side in Color::ALL {
                let king = position.board().king_of(side).unwrap();
                let squares = |position: &Chess, king| {
                    let board = position.board();
                    let bucket = evaluator.bucket_of(board);
                    king_squares::candidates(board, side, king, bucket, true)
                };
                let candidates = squares(position, king);
                let mean = evaluator.divided_share(position, side, &mut cache).placement;
                assert!(candidates.contains(king));
                for square in candidates.into_iter().take(3) {
                    let mut moved = position.clone().to_setup(EnPassantMode::Legal);
                    moved.board.discard_piece_at(king);
                    moved.board.set_piece_at(square, side.king());
                    moved.castling_rights = Bitboard::EMPTY;
                    moved.ep_square = None;
                    let Ok(moved) = Chess::from_setup(moved, CastlingMode::Standard) else {
                        continue;
                    };
                    // From wherever it is asked, the mean is the same: that part knows nothing of the king.
                    if squares(&moved, square) == candidates {
                        let share = evaluator.divided_share(&moved, side, &mut cache);
                        assert_eq!(share.placement, mean);
                    }
                }
            }
            let terms = leads(position);
            for (size, term) in sizes.iter_mut().zip(terms) {
                *size += i64::from(term.abs());
            }
        }
        // What remains for the kings is the smaller part.
        let [placement, safety, proximity] = sizes;
        assert!(placement > safety + proximity, "{sizes:?}");
    }

    #[test]
    fn every_instruction_set_computes_the_same() {
        let mut evaluators: Vec<NetworkTerms<Chess>> = Vec::new();
        for instructions in InstructionSet::available() {
            let network = Network::read(Chess::NETWORK.unwrap()).unwrap();
            let network = Network { instructions, ..network };
            evaluators.push(NetworkTerms::new(Arc::new(network)).unwrap());
        }
        let mut caches: Vec<Accumulators> =
            evaluators.iter().map(NetworkTerms::new_cache).collect();
        for (ply, position) in random_positions(2000, 2).iter().enumerate() {
            let mut scores = evaluators
                .iter()
                .zip(&mut caches)
                .map(|(evaluator, cache)| evaluator.evaluate(position, ply % 60, cache));
            let first = scores.next().unwrap();
            assert!(scores.all(|score| score == first), "ply {ply}");
        }
    }
}
