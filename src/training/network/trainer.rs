//! A network in training: its numbers and one step of learning.

use std::sync::{Mutex, PoisonError};
use std::thread;

use super::batch::{CHUNK, Chunk};
use super::layer::{Columns, Lanes, Step, Trained, ZERO};
use crate::evaluation::Variant;
use crate::evaluation::network::{self, OUTPUTS, QA, QB, Shape, Weights};
use crate::training::record::Layout;

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
            *loss = chunk.forward(columns, biases, goal, batch);
        });
        losses.iter().sum()
    }

    /// The network as a file for the rules `P`.
    pub fn file<P: Variant>(&self) -> Vec<u8> {
        let hidden = self.shape.hidden;
        let one = f32::from(QA) * f32::from(QB);
        let mut weights = Weights {
            features: vec![0; self.shape.rows() * hidden],
            bias: vec![0; hidden],
            output: vec![0; 2 * OUTPUTS * hidden],
            output_bias: std::array::from_fn(|bucket| {
                (self.biases.value[bucket] * one).round() as i32
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

    /// Replaces all numbers that are trained, in the order of [`Trainer::numbers`].
    pub(super) fn restore(&mut self, steps: u64, mut next: impl FnMut() -> Trained) {
        self.steps = steps;
        self.columns.iter_mut().for_each(|columns| columns.restore(&mut next));
        self.biases = next();
    }
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
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}
