//! `engine train`: trains a network on recorded positions.

use std::path::PathBuf;

use clap::Args;

use super::{Done, RulesArgs, ThreadsArgs, print};
use crate::evaluation::Variant;
use crate::evaluation::network::features::KingZones;
use crate::evaluation::network::{Shape, is_network};
use crate::evaluation::variants::{Task, with_rules};
use crate::shell::files::{self, FileKind};
use crate::shell::progress::{Progress, Unit};
use crate::training::network::{Goal, Trainer};
use crate::training::record::{self, BYTES, RawRecord};

/// A network.
const NETWORK: FileKind = FileKind { name: "a network", matches: is_network };

/// Arguments of `train`.
#[derive(Debug, Args)]
pub struct TrainArgs {
    /// A file of positions in random order
    file: PathBuf,
    /// The file to write the network to
    #[arg(short, long, value_name = "NETWORK")]
    output: PathBuf,
    /// Replace the file even if it is an input or holds something else
    #[arg(long)]
    force: bool,
    /// Neurons of the hidden layer for each king, a multiple of 64
    #[arg(long, default_value_t = 128)]
    hidden: usize,
    /// King zones: 1 or 8
    #[arg(long, default_value_t = 1)]
    zones: usize,
    /// Visits to all positions
    #[arg(long, default_value_t = 8)]
    epochs: u32,
    /// Positions of a step
    #[arg(long, default_value_t = 16384)]
    batch: usize,
    /// Learning rate at the start
    #[arg(long, default_value_t = 1e-3)]
    rate: f64,
    /// Learning rate at the end
    #[arg(long, default_value_t = 1e-5)]
    last_rate: f64,
    /// Centipawns that multiply the odds by e
    #[arg(long, default_value_t = 180.0)]
    scale: f32,
    /// Share of the target that is the game's result, 0 to 1; the rest is the search's score
    #[arg(long, default_value_t = 0.4)]
    result_share: f32,
    /// Seed of the weights
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    threads: ThreadsArgs,
}

impl TrainArgs {
    /// Trains and writes the network.
    pub fn run(self) -> Done {
        with_rules(self.rules.rule_set, &self)
    }
}

impl Task for &TrainArgs {
    type Outcome = Done;

    fn run<P: Variant>(self) -> Done {
        let inputs = [self.file.clone()];
        let mut output = files::OutputFile::create(&self.output, NETWORK, &inputs, self.force)?;
        let bytes = std::fs::read(&self.file)?;
        let records = bytes.as_chunks::<BYTES>().0;
        let is_held_out = |record: &RawRecord| record::tag(record) < 64;
        let mut held_out: Vec<RawRecord> =
            records.iter().filter(|record| is_held_out(record)).copied().collect();
        held_out.truncate(400_000);
        let zones = if self.zones == 1 { KingZones::ONE } else { KingZones::EIGHT };
        let shape = Shape { hidden: self.hidden, zones, extras: P::EXTRAS };
        let goal = Goal { scale: self.scale, result_share: self.result_share };
        let mut trainer = Trainer::new(shape, goal, self.seed, self.threads.count());
        let per_epoch = records.len() / self.batch;
        let steps = per_epoch * self.epochs as usize;
        eprintln!("{} positions, {} held out", records.len(), held_out.len());
        let progress = Progress::new((steps * self.batch) as u64, Unit::Count("positions"));
        for epoch in 0..self.epochs as usize {
            let mut loss = 0.0;
            let mut batch = Vec::with_capacity(self.batch);
            for (number, part) in records.chunks_exact(self.batch).enumerate() {
                batch.clear();
                batch.extend(part.iter().filter(|record| !is_held_out(record)));
                let done = (epoch * per_epoch + number) as f64 / steps as f64;
                let wave = (1.0 + (done * std::f64::consts::PI).cos()) / 2.0;
                let rate = self.last_rate + (self.rate - self.last_rate) * wave;
                loss += trainer.learn::<P>(&batch, rate as f32);
                progress.add(part.len() as u64);
            }
            let speed = ((epoch + 1) * per_epoch * self.batch) as f64 / progress.elapsed().as_secs_f64();
            progress.remark(&format!(
                "epoch {:>3}: loss {:.6}, held out {:.6}, {speed:.0} positions a second",
                epoch + 1,
                loss / per_epoch as f64,
                trainer.loss::<P>(&held_out)
            ));
        }
        drop(progress);
        std::io::Write::write_all(output.file(), &trainer.file::<P>())?;
        output.finish()?;
        print(&format!("network written to {}", self.output.display()))
    }
}
