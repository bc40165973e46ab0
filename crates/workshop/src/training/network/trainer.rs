//! A network in training: its numbers and one step of learning.

use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};

use super::batch::{CHUNK, Chunk};
use super::lanes::{Lanes, ZERO};
use super::layer::{Columns, Step, Trained};
use crate::arena::on_threads;
use crate::training::record::Layout;
use engine::evaluation::Network;
use engine::evaluation::Variant;
use engine::evaluation::network::features::PIECE_INPUTS;
use engine::evaluation::network::{self, NetworkWeights, OUTPUTS, QA, QB, Shape};

/// The thing to be learnt: a game's points, as score and result tell them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Goal {
    /// Centipawns that multiply the odds by e.
    pub scale: f32,
    /// Share of the game's result in the target, 0 to 1; the rest is the score's prediction.
    pub result_share: f32,
}

impl Goal {
    /// The points, 0 to 1, that `score` centipawns promise.
    pub(super) fn expectation(&self, score: f32) -> f32 {
        1.0 / (1.0 + (-score / self.scale).exp())
    }

    /// The target of a position with this score and these points of its game.
    pub(super) fn target(&self, score: f32, won: f32) -> f32 {
        self.result_share * won + (1.0 - self.result_share) * self.expectation(score)
    }
}

/// A network whose weights another one cannot take over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the network to begin with needs --hidden {hidden} or more, and --zones {zones}")]
pub struct OtherSize {
    hidden: usize,
    zones: usize,
}

/// Steps of an output's bias that make one.
const ONE_OUTPUT: f32 = QA as f32 * QB as f32;

/// A network in training.
pub struct Trainer {
    shape: Shape,
    goal: Goal,
    threads: usize,
    columns: Vec<Columns>,
    /// The biases of the outputs, in the first lanes.
    biases: Trained,
    chunks: Vec<Chunk>,
    steps: u64,
}

impl Trainer {
    /// A network with random weights.
    pub fn new(shape: Shape, goal: Goal, seed: u64, threads: usize) -> Trainer {
        let groups = Columns::groups(&shape);
        Trainer {
            columns: (0..groups).map(|group| Columns::random(&shape, seed, group)).collect(),
            biases: Trained::new(ZERO),
            chunks: Vec::new(),
            steps: 0,
            shape,
            goal,
            threads,
        }
    }

    /// Takes over the weights of a network of the same king zones, or of one zone, of any rule set. Where the two
    /// rule sets have other inputs besides the pieces, these begin at zero. Neurons that the network lacks keep
    /// their random inputs and begin without a say, so that the outputs are its own (Chen, Goodfellow and Shlens,
    /// "Net2Net: accelerating learning via knowledge transfer", 2016).
    ///
    /// # Errors
    /// [`OtherSize`] if the network has more neurons or other zones; nothing changes.
    pub fn take_over(&mut self, network: &Network) -> Result<(), OtherSize> {
        let (from, to) = (network.shape(), &self.shape);
        let fits_zones = from.zones == to.zones || from.zones.count() == 1;
        if from.hidden > to.hidden || !fits_zones {
            return Err(OtherSize { hidden: from.hidden, zones: from.zones.count() });
        }
        let mut weights = network.weights();
        if from.extras != to.extras {
            let zones = weights.features.chunks(from.inputs() * from.hidden);
            let pieces = |zone: &[i16]| zone[..PIECE_INPUTS * from.hidden].to_vec();
            let none = vec![0; 2 * to.extras * from.hidden];
            weights.features =
                zones.flat_map(|zone| [pieces(zone), none.clone()].concat()).collect();
        }
        let known = Columns::groups(from);
        for (group, columns) in self.columns.iter_mut().enumerate() {
            if group < known {
                columns.take(&weights, from.hidden, group);
            } else {
                columns.silence();
            }
        }
        let mut biases = ZERO;
        for (bucket, bias) in weights.output_bias.iter().enumerate() {
            biases[bucket] = *bias as f32 / ONE_OUTPUT;
        }
        self.biases = Trained::new(biases);
        Ok(())
    }

    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Learns from a batch of records at a learning rate; returns the mean loss before.
    pub fn learn<P: Variant>(&mut self, records: &[u8], rate: f32) -> f64 {
        let loss = self.loss::<P>(records);
        self.steps += 1;
        let step = Step::new(rate, self.steps);
        let chunks = &self.chunks;
        share_out(self.threads, self.columns.iter_mut().enumerate(), |(group, columns)| {
            columns.learn(chunks, group, &step);
        });
        self.biases.step(&bias_gradient(chunks), &step, f32::MAX);
        loss
    }

    /// The mean loss on records.
    pub fn loss<P: Variant>(&mut self, records: &[u8]) -> f64 {
        let size = Layout::of::<P>().bytes();
        let parts = records.chunks(CHUNK * size);
        let batch = records.len() / size;
        self.chunks.resize_with(parts.len(), Chunk::default);
        let mut losses = vec![0.0; parts.len()];
        let work = self.chunks.iter_mut().zip(parts).zip(&mut losses);
        let (shape, goal, columns) = (&self.shape, &self.goal, &self.columns);
        let biases = &self.biases.value;
        share_out(self.threads, work, |((chunk, part), loss)| {
            chunk.fill::<P>(part, shape, goal);
            *loss = forward(chunk, columns, biases, goal, batch);
        });
        losses.iter().sum()
    }

    /// The network as a file for the rules `P`.
    pub fn file<P: Variant>(&self) -> Vec<u8> {
        let hidden = self.shape.hidden;
        let mut weights = NetworkWeights {
            features: vec![0; self.shape.rows() * hidden],
            bias: vec![0; hidden],
            output: vec![0; 2 * OUTPUTS * hidden],
            output_bias: std::array::from_fn(|bucket| {
                (self.biases.value[bucket] * ONE_OUTPUT).round() as i32
            }),
        };
        for (group, columns) in self.columns.iter().enumerate() {
            columns.quantise(&mut weights, hidden, group);
        }
        network::write(P::RULE_SET, &self.shape, &weights)
    }

    /// All numbers that are trained, in a fixed order.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &Trained> {
        self.columns.iter().flat_map(Columns::numbers).chain([&self.biases])
    }

    /// True unless a number has left the range of floating-point numbers.
    pub(super) fn is_finite(&self) -> bool {
        let parts = self.numbers().flat_map(|trained| trained.parts());
        parts.flat_map(|lanes| lanes.0).all(f32::is_finite)
    }

    /// Replaces all numbers that are trained, in the order of [`Trainer::numbers`].
    pub(super) fn restore(&mut self, steps: u64, mut next: impl FnMut() -> Trained) {
        self.steps = steps;
        self.columns.iter_mut().for_each(|columns| columns.restore(&mut next));
        self.biases = next();
    }
}

/// Computes the network's outputs for a chunk. Returns their share in the loss of a batch of `batch` positions.
fn forward(
    chunk: &mut Chunk,
    columns: &[Columns],
    biases: &Lanes,
    goal: &Goal,
    batch: usize,
) -> f64 {
    for sample in &mut chunk.samples {
        sample.output = biases[sample.bucket];
    }
    chunk.sums.resize(chunk.samples.len() * columns.len(), [ZERO; 2]);
    for (group, columns) in columns.iter().enumerate() {
        columns.forward(chunk, group);
    }
    let mut loss = 0.0;
    for sample in &mut chunk.samples {
        let expected = goal.expectation(sample.fixed + sample.output * network::UNIT as f32);
        let error = expected - sample.target;
        loss += f64::from(error * error);
        let by_score = 2.0 * error * expected * (1.0 - expected) / goal.scale;
        sample.slope = by_score * network::UNIT as f32 / batch as f32;
    }
    loss / batch as f64
}

fn bias_gradient(chunks: &[Chunk]) -> Lanes {
    let mut gradient = ZERO;
    for sample in chunks.iter().flat_map(|chunk| &chunk.samples) {
        gradient[sample.bucket] += sample.slope;
    }
    gradient
}

/// Does `work` on all items, each on the next free one of `threads` threads.
fn share_out<T: Send>(
    threads: usize,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) + Sync,
) {
    let items = Mutex::new(items);
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some(item) = next() {
            work(item);
        }
    };
    let Ok(()) = on_threads(threads, || -> Result<(), Infallible> {
        run();
        Ok(())
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::rngs::SmallRng;
    use rand::seq::SliceRandom;
    use rand::{RngExt, SeedableRng};
    use shakmaty::variant::Crazyhouse;
    use shakmaty::{Chess, Color, Position, Role};

    use super::super::lanes::LANES;
    use super::*;
    use crate::training::record::Record;
    use engine::evaluation::network::features::KingZones;
    use engine::evaluation::{Evaluator, NetworkTerms};

    const GOAL: Goal = Goal { scale: 180.0, result_share: 0.0 };

    fn trainer(zones: usize, threads: usize) -> Trainer {
        let zones = KingZones::of_count(zones).unwrap();
        Trainer::new(Shape { hidden: 64, zones, extras: 0 }, GOAL, 5, threads)
    }

    /// Random positions, with the scores of a teacher who values advanced pawns and knights near the king.
    fn positions(count: usize) -> Vec<(Chess, i32)> {
        let mut rng = SmallRng::seed_from_u64(9);
        let mut positions = Vec::new();
        let mut position = Chess::default();
        while positions.len() < count {
            let moves = position.legal_moves();
            if moves.is_empty() || position.halfmoves() > 40 {
                position = Chess::default();
                continue;
            }
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
            let board = position.board();
            let worth = |color: Color| {
                let pawns = board.by_piece(Role::Pawn.of(color)).into_iter();
                let far = |rank: shakmaty::Rank| color.fold_wb(rank as i32, 7 - rank as i32);
                let advance: i32 = pawns.map(|square| 30 * (far(square.rank()) - 1)).sum();
                let king = board.king_of(color);
                let knights = board.by_piece(Role::Knight.of(color)).into_iter();
                let near = |square| king.map_or(0, |king| 25 * (7 - king.distance(square) as i32));
                advance + knights.map(near).sum::<i32>()
            };
            let lead = engine::evaluation::material::lead::<Chess>(board, Color::White);
            positions.push((position.clone(), lead + worth(Color::White) - worth(Color::Black)));
        }
        positions.shuffle(&mut rng);
        positions
    }

    fn records(positions: &[(Chess, i32)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (position, score) in positions {
            let record = Record {
                board: position.board().clone(),
                extras: Default::default(),
                score: *score as i16,
                result: 1,
                turn: position.turn(),
                game: 0,
                ply: 0,
                own_term: 0,
            };
            record.write(Layout::of::<Chess>(), &mut bytes);
        }
        bytes
    }

    /// The loss of the trainer with `change` added to one of its numbers.
    fn loss_with(trainer: &mut Trainer, records: &[u8], place: (usize, usize), change: f32) -> f64 {
        let numbers: Vec<Trained> = trainer.numbers().cloned().collect();
        let mut next = numbers.iter().enumerate();
        trainer.restore(0, || {
            let (index, trained) = next.next().unwrap();
            let mut parts = trained.parts();
            if index == place.0 {
                parts[0][place.1] += change;
            }
            Trained::from_parts(parts)
        });
        let loss = trainer.loss::<Chess>(records);
        let mut next = numbers.into_iter();
        trainer.restore(0, || next.next().unwrap());
        loss
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let records = records(&positions(200));
        for zones in [1, 4] {
            let mut trainer = trainer(zones, 1);
            let mut learner = self::trainer(zones, 1);
            learner.learn::<Chess>(&records, 0.0);
            // After one step the momentum is a tenth of the gradient.
            let mut slopes: Vec<(f32, (usize, usize))> = Vec::new();
            for (index, trained) in learner.numbers().enumerate() {
                let momentum = trained.parts()[1];
                slopes.extend((0..LANES).map(|lane| (10.0 * momentum[lane], (index, lane))));
            }
            slopes.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
            // Large ones of every kind: outputs and biases come first, the hidden layer after them.
            let large = slopes.iter().step_by(40).take(60);
            for &(slope, place) in large {
                let change = 0.004;
                let up = loss_with(&mut trainer, &records, place, change);
                let down = loss_with(&mut trainer, &records, place, -change);
                let measured = (up - down) / (2.0 * f64::from(change));
                let slope = f64::from(slope);
                let bound = 0.03 * slope.abs() + 1e-5;
                assert!((measured - slope).abs() < bound, "{zones} {place:?} {measured} {slope}");
            }
        }
    }

    #[test]
    fn a_teacher_is_learnt_with_any_number_of_threads() {
        let (all, mut trainer) = (positions(3000), trainer(4, 2));
        let (lessons, exam) = all.split_at(2500);
        let (lessons, exam) = (records(lessons), records(exam));
        let before = trainer.loss::<Chess>(&exam);
        let mut single = self::trainer(4, 1);
        for step in 0..400 {
            let batch = &lessons[step % 5 * 500 * 32..][..500 * 32];
            let rate = if step < 300 { 3e-3 } else { 5e-4 };
            let loss = trainer.learn::<Chess>(batch, rate);
            if step < 3 {
                assert_eq!(single.learn::<Chess>(batch, rate), loss);
            }
        }
        let after = trainer.loss::<Chess>(&exam);
        assert!(after < before / 4.0, "{before} {after}");
    }

    /// The whole numbers of the engine differ from the trainer's by less than this, in centipawns.
    const ROUNDING: f32 = 16.0;

    #[test]
    fn the_engine_computes_what_the_trainer_learnt() {
        let positions = positions(400);
        let records = records(&positions);
        for zones in [1, 8] {
            let mut trainer = trainer(zones, 2);
            for _ in 0..30 {
                trainer.learn::<Chess>(&records, 2e-3);
            }
            trainer.loss::<Chess>(&records);
            let network = Network::read(&trainer.file::<Chess>()).unwrap();
            let evaluator = NetworkTerms::<Chess>::new(Arc::new(network)).unwrap();
            let outputs = trainer.chunks.iter().flat_map(|chunk| &chunk.samples);
            for (sample, (position, _)) in outputs.zip(&positions) {
                let lead =
                    engine::evaluation::material::lead::<Chess>(position.board(), position.turn());
                let float = lead as f32 + sample.output * network::UNIT as f32;
                let whole = evaluator.evaluate(position, 0, &mut evaluator.new_cache()).raw();
                if !position.board().pawns().is_empty() {
                    assert!((whole as f32 - float).abs() < ROUNDING, "{whole} {float}");
                }
            }
        }
    }

    #[test]
    fn a_network_passes_on_its_weights() {
        let records = records(&positions(400));
        let mut trainer = self::trainer(4, 1);
        trainer.learn::<Chess>(&records, 2e-3);
        let file = trainer.file::<Chess>();
        let network = Network::read(&file).unwrap();
        let mut heir = self::trainer(4, 1);
        heir.take_over(&network).unwrap();
        assert!(heir.file::<Chess>() == file, "the same rule set has the same weights");
        // Pockets are inputs that chess does not have.
        let shape = Shape { extras: Crazyhouse::EXTRAS, ..network.shape().clone() };
        let mut heir = Trainer::new(shape, GOAL, 6, 1);
        heir.take_over(&network).unwrap();
        let wide = Network::read(&heir.file::<Crazyhouse>()).unwrap();
        let pieces = PIECE_INPUTS * 64;
        let (chess, house) = (network.weights().features, wide.weights().features);
        let zones = chess.chunks(pieces).zip(house.chunks(wide.shape().inputs() * 64));
        for (chess, house) in zones {
            assert!(chess == &house[..pieces]);
            assert!(house[pieces..].iter().all(|weight| *weight == 0));
        }
        let mut other = self::trainer(1, 1);
        let fault = other.take_over(&network).unwrap_err().to_string();
        assert!(fault.ends_with("--hidden 64 or more, and --zones 4"), "{fault}");
    }

    #[test]
    fn a_wider_network_begins_with_the_same_outputs_and_learns_with_all_its_neurons() {
        let records = records(&positions(400));
        let mut narrow = self::trainer(4, 1);
        narrow.learn::<Chess>(&records, 2e-3);
        let network = Network::read(&narrow.file::<Chess>()).unwrap();
        let mut heir = self::trainer(4, 1);
        heir.take_over(&network).unwrap();
        let shape = Shape { hidden: 128, ..network.shape().clone() };
        let mut wide = Trainer::new(shape, GOAL, 6, 1);
        wide.take_over(&network).unwrap();
        assert_eq!(wide.loss::<Chess>(&records), heir.loss::<Chess>(&records));
        let outputs = |trainer: &Trainer| {
            let network = Network::read(&trainer.file::<Chess>()).unwrap();
            network.weights().output
        };
        let is_silent = |row: &[i16]| row[64..].iter().all(|weight| *weight == 0);
        assert!(outputs(&wide).chunks(128).all(is_silent));
        for _ in 0..20 {
            wide.learn::<Chess>(&records, 2e-3);
        }
        assert!(!outputs(&wide).chunks(128).any(is_silent));
        assert!(heir.take_over(&Network::read(&wide.file::<Chess>()).unwrap()).is_err());
    }

    #[test]
    fn a_network_of_one_zone_grows_into_several() {
        let records = records(&positions(400));
        let mut plain = self::trainer(1, 1);
        plain.learn::<Chess>(&records, 2e-3);
        let network = Network::read(&plain.file::<Chess>()).unwrap();
        let mut heir = self::trainer(1, 1);
        heir.take_over(&network).unwrap();
        let mut zoned = self::trainer(4, 1);
        zoned.take_over(&network).unwrap();
        assert_eq!(zoned.loss::<Chess>(&records), heir.loss::<Chess>(&records));
        for _ in 0..20 {
            zoned.learn::<Chess>(&records, 2e-3);
        }
        let features = Network::read(&zoned.file::<Chess>()).unwrap().weights().features;
        let (first, others) = features.split_at(PIECE_INPUTS * 64);
        assert!(others.chunks(first.len()).all(|zone| zone != first), "each zone learns by itself");
    }

    #[test]
    fn a_run_taken_up_again_ends_the_same() {
        use super::super::checkpoint;
        let records = records(&positions(600));
        let mut whole = trainer(1, 1);
        whole.learn::<Chess>(&records, 1e-3);
        let bytes = checkpoint::write("a run", &whole, 0.5);
        let mut resumed = trainer(1, 2);
        assert_eq!(checkpoint::read(&bytes, "a run", 100, &mut resumed), Ok(0.5));
        for trainer in [&mut whole, &mut resumed] {
            trainer.learn::<Chess>(&records, 1e-3);
        }
        assert!(whole.file::<Chess>() == resumed.file::<Chess>());
        let mut damaged = bytes.clone();
        damaged[200] ^= 1;
        let faults = [(&damaged, "a run"), (&bytes, "another run"), (&vec![7; 40], "a run")];
        for (bytes, name) in faults {
            assert!(checkpoint::read(bytes, name, 100, &mut resumed).is_err());
        }
        assert!(whole.file::<Chess>() == resumed.file::<Chess>());
    }

    /// A checksum proves that nobody damaged the file by chance, and not that a run wrote it.
    #[test]
    fn a_forged_checkpoint_changes_nothing() {
        use super::super::checkpoint::{self, CheckpointError};
        let name = "a run";
        let mut run = trainer(1, 1);
        run.learn::<Chess>(&records(&positions(64)), 1e-3);
        let bytes = checkpoint::write(name, &run, 0.5);
        let steps_at = 8 + 8 + name.len();
        let forged = |changes: &[(usize, &[u8])]| {
            let mut forged = bytes[..bytes.len() - 4].to_vec();
            for (at, new) in changes {
                forged[*at..at + new.len()].copy_from_slice(new);
            }
            let mut crc = flate2::Crc::new();
            crc.update(&forged);
            forged.extend(crc.sum().to_le_bytes());
            forged
        };
        let mut other = trainer(1, 2);
        let before = other.file::<Chess>();
        let (loss, numbers) = (steps_at + 8, steps_at + 16);
        let squares = numbers + 2 * LANES * size_of::<f32>();
        for (at, new) in [
            (8, &u64::MAX.to_le_bytes()[..]),
            (8, &4u64.to_le_bytes()),
            (steps_at, &101u64.to_le_bytes()),
            (steps_at, &u64::MAX.to_le_bytes()),
            (loss, &f64::NAN.to_le_bytes()),
            (loss, &f64::INFINITY.to_le_bytes()),
            (loss, &(-1.0f64).to_le_bytes()),
            (numbers, &f32::NAN.to_le_bytes()),
            (numbers, &f32::NEG_INFINITY.to_le_bytes()),
            (squares, &(-1.0f32).to_le_bytes()),
        ] {
            let read = checkpoint::read(&forged(&[(at, new)]), name, 100, &mut other);
            assert!(read.is_err(), "{at}: {new:?}");
        }
        let read = checkpoint::read(&forged(&[(numbers, b"")]), "b run", 100, &mut other);
        assert!(matches!(read, Err(CheckpointError::OtherRun(_))));
        assert!(other.file::<Chess>() == before, "as it was");
        assert_eq!(checkpoint::read(&forged(&[]), name, 100, &mut other), Ok(0.5));
    }

    #[test]
    fn numbers_out_of_range_are_seen() {
        let mut run = trainer(1, 1);
        assert!(run.is_finite());
        run.biases.value[3] = f32::INFINITY;
        assert!(!run.is_finite());
    }
}
