//! A whole training run: epochs over a source, the learning rate, the held-out loss.

use std::f64::consts::PI;

use super::checkpoint::{self, CheckpointError};
use super::{Goal, OtherSize, Source, Trainer};
use crate::training::files::DataError;
use crate::training::record::Layout;
use engine::evaluation::network::Shape;
use engine::evaluation::{Network, Variant};

/// The plan of a run: with the same plan and the same data comes the same network.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The sizes of the network.
    pub shape: Shape,
    /// The target.
    pub goal: Goal,
    /// Visits to all positions.
    pub epochs: u64,
    /// Positions of a step, the held-out ones among them.
    pub batch: usize,
    /// The learning rates of the first and the last step.
    pub rates: [f64; 2],
    /// Seed of weights and order.
    pub seed: u64,
}

impl Plan {
    /// The learning rate after a share of the run, 0 to 1: half a cosine wave.
    fn rate(&self, done: f64) -> f32 {
        let [first, last] = self.rates;
        (last + (first - last) * (1.0 + (done * PI).cos()) / 2.0) as f32
    }
}

/// An epoch, done.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u64,
    /// Mean loss on the positions learnt from, each before its step.
    pub training: f64,
    /// Loss on the positions held out, after the epoch.
    pub held_out: f64,
}

/// A run that cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The positions cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Too few positions.
    #[error(
        "{positions} positions to train on, beside {held_out} held out to measure by, are too few: at least {least} are \
         needed, and millions make a good network"
    )]
    TooFew {
        /// Positions to learn from.
        positions: u64,
        /// Positions held out.
        held_out: u64,
        /// The fewest to learn from.
        least: u64,
    },
    /// A network to begin with that does not fit.
    #[error(transparent)]
    OtherSize(#[from] OtherSize),
    /// A network that has become useless: its numbers have left the range of floating-point numbers.
    #[error(
        "the training has come apart after {0} steps: its numbers are none any more; the last checkpoint, if there \
         is one, is as it was; begin anew with --force and a lower --rate"
    )]
    CameApart(u64),
    /// A checkpoint that does not fit.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

/// A run under way.
pub struct Run {
    plan: Plan,
    source: Source,
    trainer: Trainer,
    /// The checksum of the network that the run began with.
    first_network: Option<u32>,
    /// Sum of the losses of this epoch's batches.
    loss: f64,
}

impl Run {
    /// A run at its beginning.
    ///
    /// # Errors
    /// [`TrainError::TooFew`] if the data is less than two batches, or none of it is held out.
    pub fn new(plan: Plan, source: Source, threads: usize) -> Result<Run, TrainError> {
        let positions = source.positions();
        if source.batches(plan.batch) < 2 || source.held_out().is_empty() {
            let (held_out, least) = (source.held_out_positions(), 2 * plan.batch as u64);
            return Err(TrainError::TooFew { positions, held_out, least });
        }
        let trainer = Trainer::new(plan.shape.clone(), plan.goal, plan.seed, threads);
        Ok(Run { plan, source, trainer, first_network: None, loss: 0.0 })
    }

    /// Begins with the weights of a network of the same sizes, of any rule set.
    ///
    /// # Errors
    /// [`TrainError::OtherSize`]
    pub fn begin_with(&mut self, network: &Network) -> Result<(), TrainError> {
        self.trainer.take_over(network)?;
        self.first_network = Some(network.checksum());
        Ok(())
    }

    /// Takes up the run that `bytes`, a checkpoint, were written in.
    ///
    /// # Errors
    /// [`CheckpointError`] if they are no checkpoint of this plan and data.
    pub fn resume(&mut self, bytes: &[u8]) -> Result<(), TrainError> {
        let name = self.name();
        self.loss = checkpoint::read(bytes, &name, self.steps()[0], &mut self.trainer)?;
        Ok(())
    }

    /// The state of the run as bytes.
    ///
    /// # Errors
    /// [`TrainError::CameApart`]
    pub fn checkpoint(&self) -> Result<Vec<u8>, TrainError> {
        self.require_numbers()?;
        Ok(checkpoint::write(&self.name(), &self.trainer, self.loss))
    }

    /// Refuses numbers that are none any more, which no later step can mend.
    fn require_numbers(&self) -> Result<(), TrainError> {
        match self.loss.is_finite() && self.trainer.is_finite() {
            true => Ok(()),
            false => Err(TrainError::CameApart(self.trainer.steps())),
        }
    }

    /// All that the run depends on, in words.
    fn name(&self) -> String {
        checkpoint::name_of(&self.plan, self.first_network, &self.source)
    }

    /// The source of positions.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Steps of the whole run and steps done.
    pub fn steps(&self) -> [u64; 2] {
        let per_epoch = self.source.batches(self.plan.batch);
        [self.plan.epochs * per_epoch, self.trainer.steps()]
    }

    /// True once all steps are done.
    pub fn is_done(&self) -> bool {
        let [all, done] = self.steps();
        done >= all
    }

    /// Learns from the next batch; returns its number of positions, and the epoch if this was its end.
    ///
    /// # Errors
    /// [`TrainError::Data`] if the positions cannot be read, [`TrainError::CameApart`].
    pub fn step<P: Variant>(&mut self) -> Result<(u64, Option<Epoch>), TrainError> {
        let [all, done] = self.steps();
        let per_epoch = self.source.batches(self.plan.batch);
        let (epoch, place) = (done / per_epoch, (done % per_epoch) as usize);
        let order = self.source.order(self.plan.batch, self.plan.seed, epoch);
        let number = order.get(place).copied().unwrap_or_default();
        let batch = self.source.batch(number, self.plan.batch)?;
        let positions = (batch.len() / Layout::of::<P>().bytes()) as u64;
        let rate = self.plan.rate(done as f64 / all as f64);
        self.loss += self.trainer.learn::<P>(batch, rate);
        if !self.loss.is_finite() {
            return Err(TrainError::CameApart(self.trainer.steps()));
        }
        if place as u64 + 1 < per_epoch {
            return Ok((positions, None));
        }
        let training = std::mem::take(&mut self.loss) / per_epoch as f64;
        let held_out = self.held_out_loss::<P>();
        Ok((positions, Some(Epoch { number: epoch + 1, training, held_out })))
    }

    /// The loss on the positions held out.
    pub fn held_out_loss<P: Variant>(&mut self) -> f64 {
        self.trainer.loss::<P>(self.source.held_out())
    }

    /// The network as a file.
    ///
    /// # Errors
    /// [`TrainError::CameApart`]
    pub fn file<P: Variant>(&self) -> Result<Vec<u8>, TrainError> {
        self.require_numbers()?;
        Ok(self.trainer.file::<P>())
    }
}
