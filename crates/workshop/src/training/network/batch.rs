//! Positions as the trainer sees them: inputs of both perspectives, material, target.

use std::ops::Range;

use shakmaty::Color;

use super::Goal;
use super::lanes::{Lanes, ZERO};
use crate::training::record::{Layout, Record};
use engine::evaluation::network::features::Perspective;
use engine::evaluation::network::{Shape, bucket};
use engine::evaluation::{Variant, material};

/// Positions of a chunk, which one thread computes forward.
pub const CHUNK: usize = 256;

/// A position with what the forward pass finds.
#[derive(Clone, Debug)]
pub struct Example {
    /// The output that it uses.
    pub bucket: usize,
    /// Its pairs of inputs in the chunk.
    pub inputs: Range<usize>,
    /// Material and the rule set's own term for the side to move, in centipawns.
    pub fixed: f32,
    /// Expected points of the side to move, 0 to 1.
    pub target: f32,
    /// The network's output.
    pub output: f32,
    /// The gradient of the loss by the output.
    pub slope: f32,
}

/// A part of a batch.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// Its positions.
    pub samples: Vec<Example>,
    /// The inputs of each piece: in the perspective of the side to move, in that of the other side.
    pub inputs: Vec<[u16; 2]>,
    /// The sums of the hidden layer, group after group of columns, sample after sample.
    pub sums: Vec<[Lanes; 2]>,
    /// Products of a sample, on their way to its output.
    pub scratch: Lanes,
}

impl Default for Chunk {
    fn default() -> Chunk {
        let (samples, inputs, sums) = Default::default();
        Chunk { samples, inputs, sums, scratch: ZERO }
    }
}

impl Chunk {
    /// Replaces the positions by those of `records`, one after the other.
    pub fn fill<P: Variant>(&mut self, records: &[u8], shape: &Shape, goal: &Goal) {
        let size = Layout::of::<P>().bytes();
        self.samples.clear();
        self.inputs.clear();
        for record in records.chunks(size).filter_map(Record::read) {
            let start = self.inputs.len();
            self.add_inputs::<P>(&record, shape);
            let board = &record.board;
            let lead = material::lead::<P>(board, record.turn) as f32;
            let for_mover = |white: i16| f32::from(record.turn.fold_wb(white, -white));
            let won = f32::from(record.turn.fold_wb(record.result, 2 - record.result)) / 2.0;
            self.samples.push(Example {
                bucket: bucket(board.occupied().count(), P::MAX_PIECES),
                inputs: start..self.inputs.len(),
                fixed: lead + for_mover(record.own_term),
                target: goal.target(for_mover(record.score), won),
                output: 0.0,
                slope: 0.0,
            });
        }
    }

    fn add_inputs<P: Variant>(&mut self, record: &Record, shape: &Shape) {
        let turn = record.turn;
        let view = |side| Perspective::new::<P>(&shape.zones, &record.board, side);
        let (own, enemy) = (view(turn), view(!turn));
        let inputs = shape.inputs();
        for (square, piece) in &record.board {
            let input = |view: Perspective| view.input(inputs, piece, square) as u16;
            self.inputs.push([input(own), input(enemy)]);
        }
        for color in Color::ALL {
            let bits = record.extras[color];
            for number in (0..shape.extras).filter(|&number| bits >> number & 1 != 0) {
                let input =
                    |view: Perspective| view.extra(inputs, shape.extras, color, number) as u16;
                self.inputs.push([input(own), input(enemy)]);
            }
        }
    }
}
