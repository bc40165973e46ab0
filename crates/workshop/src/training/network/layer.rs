//! The numbers of a network in training: forward, backward and AdamW.
//!
//! The hidden layer is cut into [`Columns`], a few neurons with all that belongs to them: weights, gradients
//! and the optimiser's memory. The forward pass shares out positions among threads, the backward pass
//! columns, so that no two threads write to the same numbers and the result depends on their number in no
//! bit.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use engine::evaluation::network::{
    MAX_OUTPUT_WEIGHT, MAX_WEIGHT, NetworkWeights, OUTPUTS, QA, QB, Shape, steps,
};

use super::batch::Chunk;
use super::lanes::{LANES, Lanes, ZERO};

/// AdamW's memories (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019).
const MOMENTUM: f32 = 0.9;
const SPREAD: f32 = 0.999;
/// A reserve that keeps steps finite where the gradient has always been zero.
const RESERVE: f32 = 1e-8;
/// Share of a weight that a step of size one takes away. Ten times the usual, because the network learns positions
/// by heart otherwise (docs/network.md).
const DECAY: f32 = 0.1;

/// Size of one step of the optimiser.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The learning rate.
    pub rate: f32,
    /// Factors that make up for memories that began at zero.
    fresh: [f32; 2],
}

impl Step {
    /// The step of this number, from 1.
    pub fn new(rate: f32, number: u64) -> Step {
        let power = |base: f32| 1.0 / (1.0 - f64::from(base).powf(number as f64)) as f32;
        Step { rate, fresh: [power(MOMENTUM), power(SPREAD)] }
    }
}

/// A number of each neuron with the optimiser's memory of it.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The numbers.
    pub value: Lanes,
    momentum: Lanes,
    spread: Lanes,
}

impl Trained {
    /// Numbers with no memory.
    pub fn new(value: Lanes) -> Trained {
        Trained { value, momentum: ZERO, spread: ZERO }
    }

    /// The numbers and the optimiser's two memories of them.
    pub fn parts(&self) -> [Lanes; 3] {
        [self.value, self.momentum, self.spread]
    }

    /// The opposite of [`Trained::parts`].
    pub fn from_parts([value, momentum, spread]: [Lanes; 3]) -> Trained {
        Trained { value, momentum, spread }
    }

    /// One step down the gradient; values stay within `limit` either way.
    #[inline]
    pub fn step(&mut self, gradient: &Lanes, step: &Step, limit: f32) {
        for lane in 0..LANES {
            let slope = gradient[lane];
            let momentum = MOMENTUM * self.momentum[lane] + (1.0 - MOMENTUM) * slope;
            let spread = SPREAD * self.spread[lane] + (1.0 - SPREAD) * slope * slope;
            self.momentum[lane] = momentum;
            self.spread[lane] = spread;
            let size = (spread * step.fresh[1]).sqrt() + RESERVE;
            let old = self.value[lane];
            let change = momentum * step.fresh[0] / size + DECAY * old;
            self.value[lane] = (old - step.rate * change).clamp(-limit, limit);
        }
    }
}

/// A few neurons of both perspectives.
#[derive(Clone, Debug)]
pub struct Columns {
    /// Effective weights by input: a zone's own plus the shared ones.
    rows: Vec<Lanes>,
    /// A zone's own weights by input.
    own: Vec<Trained>,
    /// The factoriser: weights that all zones share; empty with one zone.
    shared: Vec<Trained>,
    bias: Trained,
    /// Output weights by output: the own king's, the enemy king's.
    output: [[Trained; 2]; OUTPUTS],
    gradient: Vec<Lanes>,
}

impl Columns {
    /// The number of groups of a network of this shape.
    pub fn groups(shape: &Shape) -> usize {
        shape.hidden / LANES
    }

    /// Group `number` of a network with random weights.
    pub fn random(shape: &Shape, seed: u64, number: usize) -> Columns {
        let mut rng = SmallRng::seed_from_u64(seed ^ (number as u64) << 32);
        let mut random = |most: f32| {
            Trained::new(Lanes(std::array::from_fn(|_| rng.random_range(-most..=most))))
        };
        let hidden = 1.0 / (32f32).sqrt() / 2.0;
        let output = 1.0 / (2.0 * shape.hidden as f32).sqrt();
        let shares = shape.zones.count() > 1;
        let own = |random: &mut dyn FnMut(f32) -> Trained| match shares {
            true => Trained::new(ZERO),
            false => random(hidden),
        };
        let own: Vec<Trained> = (0..shape.rows()).map(|_| own(&mut random)).collect();
        let shared_rows = if shares { shape.inputs() } else { 0 };
        let shared = (0..shared_rows).map(|_| random(hidden)).collect();
        let output = std::array::from_fn(|_| [random(output), random(output)]);
        let mut columns = Columns {
            rows: vec![ZERO; shape.rows()],
            gradient: vec![ZERO; shape.rows()],
            bias: Trained::new(ZERO),
            own,
            shared,
            output,
        };
        columns.combine();
        columns
    }

    /// All numbers that are trained, in a fixed order.
    pub fn numbers(&self) -> impl Iterator<Item = &Trained> {
        let outputs = self.output.as_flattened();
        self.own.iter().chain(&self.shared).chain([&self.bias]).chain(outputs)
    }

    /// Replaces all numbers that are trained, in the order of [`Columns::numbers`].
    pub fn restore(&mut self, mut next: impl FnMut() -> Trained) {
        let outputs = self.output.as_flattened_mut();
        let numbers = self.own.iter_mut().chain(&mut self.shared).chain([&mut self.bias]);
        numbers.chain(outputs).for_each(|trained| *trained = next());
        self.combine();
    }

    /// Computes the effective weights.
    fn combine(&mut self) {
        for (row, own) in self.rows.iter_mut().zip(&self.own) {
            *row = own.value;
        }
        if self.shared.is_empty() {
            return;
        }
        for zone in self.rows.chunks_mut(self.shared.len()) {
            for (row, shared) in zone.iter_mut().zip(&self.shared) {
                for lane in 0..LANES {
                    row[lane] = (row[lane] + shared.value[lane]).clamp(-MAX_WEIGHT, MAX_WEIGHT);
                }
            }
        }
    }

    /// The hidden sums of both perspectives for each sample, and their part of the output.
    pub fn forward(&self, chunk: &mut Chunk, group: usize) {
        let Chunk { samples, inputs, sums, scratch } = chunk;
        let sums = &mut sums[group * samples.len()..];
        for (sample, sums) in samples.iter_mut().zip(sums) {
            let inputs = &inputs[sample.inputs.clone()];
            let weights = &self.output[sample.bucket];
            *scratch = ZERO;
            for (view, (sums, weights)) in sums.iter_mut().zip(weights).enumerate() {
                *sums = self.bias.value;
                let row = |inputs: &[u16; 2]| &self.rows[usize::from(inputs[view])];
                let (fours, rest) = inputs.as_chunks::<4>();
                for [a, b, c, d] in fours {
                    add_four(sums, [row(a), row(b), row(c), row(d)]);
                }
                rest.iter().for_each(|inputs| add(sums, row(inputs)));
                for lane in 0..LANES {
                    let active = clip(sums[lane]);
                    scratch[lane] += active * active * weights.value[lane];
                }
            }
            sample.output += scratch.0.iter().sum::<f32>();
        }
    }

    /// Adds up the gradients of all samples and takes a step down them.
    pub fn learn(&mut self, chunks: &[Chunk], group: usize, step: &Step) {
        let mut bias = ZERO;
        let mut output = vec![[ZERO; 2]; OUTPUTS];
        let mut slopes = vec![ZERO; 2];
        self.gradient.fill(ZERO);
        for chunk in chunks {
            let sums = &chunk.sums[group * chunk.samples.len()..];
            for (sample, sums) in chunk.samples.iter().zip(sums) {
                for view in 0..2 {
                    let (sums, slopes) = (&sums[view], &mut slopes[view]);
                    let weights = &self.output[sample.bucket][view].value;
                    let gradient = &mut output[sample.bucket][view];
                    for lane in 0..LANES {
                        let active = clip(sums[lane]);
                        gradient[lane] += sample.slope * active * active;
                        let slope = 2.0 * sample.slope * active * weights[lane];
                        slopes[lane] = if sums[lane] < 1.0 { slope } else { 0.0 };
                    }
                    add(&mut bias, slopes);
                }
                for inputs in &chunk.inputs[sample.inputs.clone()] {
                    for view in 0..2 {
                        add(&mut self.gradient[usize::from(inputs[view])], &slopes[view]);
                    }
                }
            }
        }
        self.step(&bias, &output, step);
    }

    fn step(&mut self, bias: &Lanes, output: &[[Lanes; 2]], step: &Step) {
        self.bias.step(bias, step, MAX_WEIGHT);
        for (weights, gradient) in
            self.output.as_flattened_mut().iter_mut().zip(output.as_flattened())
        {
            weights.step(gradient, step, MAX_OUTPUT_WEIGHT);
        }
        let inputs = self.shared.len();
        for (input, shared) in self.shared.iter_mut().enumerate() {
            let mut sum = ZERO;
            self.gradient.iter().skip(input).step_by(inputs).for_each(|more| add(&mut sum, more));
            shared.step(&sum, step, MAX_WEIGHT);
        }
        for (own, gradient) in self.own.iter_mut().zip(&self.gradient) {
            own.step(gradient, step, MAX_WEIGHT);
        }
        self.combine();
    }

    /// Writes the group's numbers, quantised, to their places.
    pub fn quantise(&self, weights: &mut NetworkWeights, hidden: usize, group: usize) {
        let start = group * LANES;
        for (row, to) in self.rows.iter().zip(weights.features.chunks_mut(hidden)) {
            quantise(row, &mut to[start..start + LANES], QA);
        }
        quantise(&self.bias.value, &mut weights.bias[start..start + LANES], QA);
        let outputs = self.output.as_flattened();
        for (from, to) in outputs.iter().zip(weights.output.chunks_mut(hidden)) {
            quantise(&from.value, &mut to[start..start + LANES], QB);
        }
    }

    /// Takes the group's numbers from their places, the opposite of [`Columns::quantise`]. The weights of a single
    /// zone become those that all zones share; those of several are split into their mean, which all share, and
    /// each zone's difference. The optimiser remembers nothing of them.
    pub fn take(&mut self, weights: &NetworkWeights, hidden: usize, group: usize) {
        let start = group * LANES;
        let number = |row: &[i16], one: i16| {
            let value = |lane| f32::from(row[start + lane]) / f32::from(one);
            Trained::new(Lanes(std::array::from_fn(value)))
        };
        let rows = weights.features.chunks(hidden).map(|row| number(row, QA));
        let is_grown = rows.len() < self.own.len();
        let (taken, other) = match is_grown {
            true => (&mut self.shared, &mut self.own),
            false => (&mut self.own, &mut self.shared),
        };
        taken.iter_mut().zip(rows).for_each(|(weights, row)| *weights = row);
        other.fill(Trained::new(ZERO));
        if !is_grown {
            self.share_means();
        }
        self.bias = number(&weights.bias, QA);
        let outputs = self.output.as_flattened_mut();
        for (output, row) in outputs.iter_mut().zip(weights.output.chunks(hidden)) {
            *output = number(row, QB);
        }
        self.combine();
    }

    /// Moves the mean of the zones' own weights to the shared ones, so that the weight decay draws the zones to
    /// each other and not to zero.
    fn share_means(&mut self) {
        let inputs = self.shared.len();
        for (input, shared) in self.shared.iter_mut().enumerate() {
            let zones = (self.own.len() / inputs) as f32;
            let mut mean = ZERO;
            self.own.iter().skip(input).step_by(inputs).for_each(|own| add(&mut mean, &own.value));
            mean.0.iter_mut().for_each(|value| *value /= zones);
            for own in self.own.iter_mut().skip(input).step_by(inputs) {
                own.value.0.iter_mut().zip(mean.0).for_each(|(value, mean)| *value -= mean);
            }
            shared.value = mean;
        }
    }

    /// Makes the outputs independent of the group.
    pub fn silence(&mut self) {
        self.output.as_flattened_mut().fill(Trained::new(ZERO));
    }
}

/// The clipped ReLU. (`f32::clamp` minds what is not a number, which costs speed.)
#[inline(always)]
fn clip(value: f32) -> f32 {
    let value = if value > 0.0 { value } else { 0.0 };
    if value < 1.0 { value } else { 1.0 }
}

/// Adds `more` to `sum`. All is read before anything is written, so that the compiler need not ask
/// whether the two overlap: five times as fast as a loop that changes `sum` in place.
#[inline(always)]
fn add(sum: &mut Lanes, more: &Lanes) {
    let mut total = *sum;
    for lane in 0..LANES {
        total[lane] += more[lane];
    }
    *sum = total;
}

/// Four additions at once: the sum is read and written once.
#[inline(always)]
fn add_four(sum: &mut Lanes, [a, b, c, d]: [&Lanes; 4]) {
    let mut total = *sum;
    for lane in 0..LANES {
        total[lane] += (a[lane] + b[lane]) + (c[lane] + d[lane]);
    }
    *sum = total;
}

fn quantise(from: &Lanes, to: &mut [i16], one: i16) {
    for (to, from) in to.iter_mut().zip(from.0) {
        *to = steps(from, one);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::evaluation::network::features::KingZones;

    #[test]
    fn zones_taken_over_share_their_mean() {
        let zones = KingZones::of_count(4).unwrap();
        let shape = Shape { hidden: 64, zones, extras: 0 };
        let mut rng = SmallRng::seed_from_u64(3);
        let weights = NetworkWeights {
            features: (0..shape.rows() * 64).map(|_| rng.random_range(-400..=400)).collect(),
            bias: vec![7; 64],
            output: vec![-9; 2 * OUTPUTS * 64],
            output_bias: [0; OUTPUTS],
        };
        let mut columns = Columns::random(&shape, 5, 1);
        columns.take(&weights, 64, 1);
        for input in 0..shape.inputs() {
            let zones = columns.own.iter().skip(input).step_by(shape.inputs());
            let sum: f32 = zones.map(|own| own.value[0]).sum();
            assert!(sum.abs() < 1e-4, "{input} {sum}");
        }
        let mut kept =
            NetworkWeights { features: vec![0; weights.features.len()], ..weights.clone() };
        columns.quantise(&mut kept, 64, 1);
        let mut rows = weights.features.chunks(64).zip(kept.features.chunks(64));
        assert!(rows.all(|(from, to)| from[32..] == to[32..]));
    }
}
