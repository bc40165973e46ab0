//! Positions from a shuffled file: whole games held out, the others in batches, epoch by epoch.

use std::path::Path;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

use crate::training::files::{DataError, DataFile};
use crate::training::record::{self, Layout, TAGS};
use engine::evaluation::Variant;

/// One game in this many is held out.
const HELD_OUT: u16 = 64;
/// Most positions held out.
const MAX_HELD_OUT: usize = 1 << 18;

/// True if a record is held out from training.
fn is_held_out(record: &[u8]) -> bool {
    record::tag(record) < TAGS / HELD_OUT
}

/// A shuffled file to train on.
pub struct Source {
    file: DataFile,
    /// Positions to learn from and positions held out.
    counts: [u64; 2],
    /// Held-out records, one after the other.
    held_out: Vec<u8>,
    block: Vec<u8>,
}

impl Source {
    /// Opens the file at `path`, whose positions are of the rules `P` and in random order, and reads
    /// through it. `progress` is called with the numbers of bytes read.
    ///
    /// # Errors
    /// [`DataError`] if it cannot be used.
    pub fn open<P: Variant>(path: &Path, progress: impl FnMut(u64)) -> Result<Source, DataError> {
        let mut file = DataFile::open(path, P::RULE_SET)?;
        file.require_shuffled()?;
        let most = MAX_HELD_OUT * Layout::of::<P>().bytes();
        let mut held_out = Vec::new();
        let mut counts = [0; 2];
        let sort = |record: &[u8]| {
            let is_held_out = is_held_out(record);
            counts[usize::from(is_held_out)] += 1;
            if is_held_out && held_out.len() < most {
                held_out.extend(record);
            }
            true
        };
        let census = file.for_each(sort, progress)?;
        file.trust(&census)?;
        file.require_one_order(&census)?;
        Ok(Source { file, counts, held_out, block: Vec::new() })
    }

    /// Positions to learn from.
    pub fn positions(&self) -> u64 {
        self.counts[0]
    }

    /// Positions of the held-out games, all of them.
    pub fn held_out_positions(&self) -> u64 {
        self.counts[1]
    }

    /// Held-out records, one after the other: enough of them to measure a loss.
    pub fn held_out(&self) -> &[u8] {
        &self.held_out
    }

    /// Batches of `batch` records in an epoch.
    pub fn batches(&self, batch: usize) -> u64 {
        self.file.records().div_ceil(batch as u64)
    }

    /// The order of the batches in epoch number `epoch`.
    pub fn order(&self, batch: usize, seed: u64, epoch: u64) -> Vec<u64> {
        let mut order: Vec<u64> = (0..self.batches(batch)).collect();
        order.shuffle(&mut SmallRng::seed_from_u64(seed ^ epoch.rotate_left(32)));
        order
    }

    /// The records of batch `number` without the held-out ones.
    ///
    /// # Errors
    /// [`DataError`] if the file cannot be read.
    pub fn batch(&mut self, number: u64, batch: usize) -> Result<&[u8], DataError> {
        let size = self.file.layout().bytes();
        self.file.read(number * batch as u64, batch, &mut self.block)?;
        let mut kept = 0;
        for start in (0..self.block.len()).step_by(size) {
            if !is_held_out(&self.block[start..start + size]) {
                self.block.copy_within(start..start + size, kept);
                kept += size;
            }
        }
        self.block.truncate(kept);
        Ok(&self.block)
    }
}
