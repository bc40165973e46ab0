//! The trainer of the network: positions in, a network file out.
//!
//! The network's score predicts a game's points as 1 / (1 + e^(−score/scale)). The loss is the mean squared
//! difference between that and a blend of the recorded score's prediction and the game's result. The
//! optimiser is AdamW with a learning rate that falls along a cosine.

mod batch;
mod layer;

use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::evaluation::Variant;
use crate::evaluation::network::{self, OUTPUTS, QA, QB, Shape, Weights};
use crate::training::record::RawRecord;

use batch::{CHUNK, Chunk};
use layer::{Columns, Step};

/// The thing to be learnt: a game's points, as score and result tell them.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// Centipawns that multiply the odds by e.
    pub scale: f32,
    /// Share of the game's result in the target, 0 to 1; the rest is the score's prediction.
    pub result_share: f32,
}

impl Goal {
    /// The points, 0 to 1, that `score` centipawns promise.
    fn expectation(&self, score: f32) -> f32 {
        1.0 / (1.0 + (-score / self.scale).exp())
    }

    /// The target of a position with this score and these points of its game.
    fn target(&self, score: f32, won: f32) -> f32 {
        self.result_share * won + (1.0 - self.result_share) * self.expectation(score)
    }
}

/// A network in training.
pub struct Trainer {
    shape: Shape,
    goal: Goal,
    threads: usize,
    columns: Vec<Columns>,
    biases: Biases,
    chunks: Vec<Chunk>,
    steps: u64,
}

/// The biases of the outputs with the optimiser's memory of them.
struct Biases {
    value: [f32; OUTPUTS],
    trained: layer::Trained,
}

impl Trainer {
    /// A network with random weights.
    pub fn new(shape: Shape, goal: Goal, seed: u64, threads: usize) -> Trainer {
        let groups = Columns::groups(&shape);
        Trainer {
            columns: (0..groups).map(|group| Columns::random(&shape, seed, group)).collect(),
            biases: Biases::new(),
            chunks: Vec::new(),
            steps: 0,
            shape,
            goal,
            threads,
        }
    }

    /// Learns from a batch of positions at a learning rate; returns the loss before.
    pub fn learn<P: Variant>(&mut self, records: &[RawRecord], rate: f32) -> f64 {
        let loss = self.forward::<P>(records);
        self.steps += 1;
        let step = Step::new(rate, self.steps);
        let chunks = &self.chunks[..records.len().div_ceil(CHUNK)];
        share_out(self.threads, self.columns.iter_mut().enumerate(), |(group, columns)| {
            columns.learn(chunks, group, &step);
        });
        self.biases.learn(chunks, &step);
        loss
    }

    /// The mean loss on positions.
    pub fn loss<P: Variant>(&mut self, records: &[RawRecord]) -> f64 {
        self.forward::<P>(records)
    }

    fn forward<P: Variant>(&mut self, records: &[RawRecord]) -> f64 {
        let parts = records.chunks(CHUNK);
        self.chunks.resize(self.chunks.len().max(parts.len()), Chunk::default());
        let mut losses = vec![0.0; parts.len()];
        let work = self.chunks.iter_mut().zip(parts).zip(&mut losses);
        let (shape, goal, columns) = (&self.shape, &self.goal, &self.columns);
        let biases = &self.biases.value;
        share_out(self.threads, work, |((chunk, part), loss)| {
            chunk.fill::<P>(part, shape, goal);
            *loss = chunk.forward(columns, biases, goal, records.len());
        });
        losses.iter().sum()
    }

    /// The network as a file for the rules `P`.
    pub fn file<P: Variant>(&self) -> Vec<u8> {
        let hidden = self.shape.hidden;
        let mut weights = Weights {
            features: vec![0; self.shape.rows() * hidden],
            bias: vec![0; hidden],
            output: vec![0; 2 * OUTPUTS * hidden],
            output_bias: self.biases.value.map(|bias| {
                (bias * f32::from(QA) * f32::from(QB)).round() as i32
            }),
        };
        for (group, columns) in self.columns.iter().enumerate() {
            columns.quantise(&mut weights, hidden, group);
        }
        network::write(P::RULE_SET, &self.shape, &weights)
    }
}

impl Biases {
    fn new() -> Biases {
        Biases { value: [0.0; OUTPUTS], trained: layer::Trained::new(layer::ZERO) }
    }

    fn learn(&mut self, chunks: &[Chunk], step: &Step) {
        let mut gradient = layer::ZERO;
        for sample in chunks.iter().flat_map(|chunk| &chunk.samples) {
            gradient[sample.bucket] += sample.slope;
        }
        self.trained.step(&gradient, step, f32::MAX);
        self.value.copy_from_slice(&self.trained.value.0[..OUTPUTS]);
    }
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
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}
