//! `engine data`: files of recorded positions.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::{Done, print};
use crate::training::record::{self, BYTES, RawRecord, TAGS};

/// The commands of `data`.
#[derive(Debug, Subcommand)]
pub enum DataCommand {
    /// Put the positions of all files in random order
    Shuffle(ShuffleArgs),
}

/// Arguments of `data shuffle`.
#[derive(Debug, Args)]
pub struct ShuffleArgs {
    /// Files of positions
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write to
    #[arg(short, long)]
    output: PathBuf,
}

impl DataCommand {
    /// Runs the command.
    pub fn run(self) -> Done {
        match self {
            DataCommand::Shuffle(args) => args.run(),
        }
    }
}

impl ShuffleArgs {
    fn run(self) -> Done {
        let mut rng = SmallRng::seed_from_u64(1);
        let mut all: Vec<RawRecord> = Vec::new();
        for path in &self.files {
            let bytes = std::fs::read(path)?;
            let (mut last, mut tag) = (u16::MAX, 0);
            for record in bytes.as_chunks::<BYTES>().0 {
                let mut record = *record;
                let ply = record::ply(&record);
                if ply <= last {
                    tag = rng.random_range(0..TAGS);
                }
                last = ply;
                record::set_tag(&mut record, tag);
                all.push(record);
            }
        }
        all.shuffle(&mut rng);
        std::fs::write(&self.output, all.as_flattened())?;
        print(&format!("{} positions", all.len()))
    }
}
