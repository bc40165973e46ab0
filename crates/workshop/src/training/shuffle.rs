//! Putting records in random order, on disk and in little memory.
//!
//! Every record goes to one of several temporary files, chosen at random; then each of these is put in
//! order in memory and appended to the output. All orders are equally likely.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::Path;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// Bytes of a temporary file, about.
const PILE: u64 = 256 << 20;
/// Most temporary files at once.
const MAX_PILES: u64 = 512;

/// Records on their way to random order.
pub struct Shuffler {
    piles: Vec<BufWriter<File>>,
    rng: SmallRng,
    bytes: usize,
}

impl Shuffler {
    /// A shuffler of records of `bytes` bytes, `total` bytes in all or a little less, with its temporary
    /// files in `folder`.
    ///
    /// # Errors
    /// The system's fault if these cannot be made.
    pub fn new(folder: &Path, bytes: usize, total: u64, seed: u64) -> io::Result<Shuffler> {
        let piles = total.div_ceil(PILE).clamp(1, MAX_PILES);
        let pile = |_| tempfile::tempfile_in(folder).map(BufWriter::new);
        let piles = (0..piles).map(pile).collect::<io::Result<_>>()?;
        Ok(Shuffler { piles, rng: SmallRng::seed_from_u64(seed), bytes })
    }

    /// Takes a record.
    ///
    /// # Errors
    /// The system's fault if the disk is full.
    pub fn push(&mut self, record: &[u8]) -> io::Result<()> {
        let pile = self.rng.random_range(0..self.piles.len());
        self.piles[pile].write_all(record)
    }

    /// Writes all records to `output` in random order. `progress` is called with the numbers of bytes
    /// written.
    ///
    /// # Errors
    /// The system's fault if the disk is full.
    pub fn finish(
        mut self,
        output: &mut impl Write,
        mut progress: impl FnMut(u64),
    ) -> io::Result<()> {
        let mut records = Vec::new();
        for pile in self.piles {
            let mut file = pile.into_inner().map_err(io::IntoInnerError::into_error)?;
            records.clear();
            file.rewind()?;
            file.read_to_end(&mut records)?;
            shuffle(&mut records, self.bytes, &mut self.rng);
            output.write_all(&records)?;
            progress(records.len() as u64);
        }
        Ok(())
    }
}

/// Fisher and Yates' shuffle of records of `bytes` bytes.
fn shuffle(records: &mut [u8], bytes: usize, rng: &mut SmallRng) {
    for last in (1..records.len() / bytes).rev() {
        let chosen = rng.random_range(0..=last);
        if chosen < last {
            let (before, after) = records.split_at_mut(last * bytes);
            before[chosen * bytes..][..bytes].swap_with_slice(&mut after[..bytes]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shuffled(records: &[u8], seed: u64) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let mut shuffler = Shuffler::new(folder.path(), 2, 5 * PILE, seed).unwrap();
        assert_eq!(shuffler.piles.len(), 5);
        records.chunks(2).for_each(|record| shuffler.push(record).unwrap());
        let mut output = Vec::new();
        shuffler.finish(&mut output, |_| {}).unwrap();
        output
    }

    #[test]
    fn every_record_comes_once_and_elsewhere() {
        let records: Vec<u8> = (0..=255).flat_map(|number| [number, 255 - number]).collect();
        let first = shuffled(&records, 1);
        assert_eq!(first, shuffled(&records, 1));
        assert_ne!(first, shuffled(&records, 2));
        let stays = first.chunks(2).zip(records.chunks(2)).filter(|(a, b)| a == b).count();
        assert!(stays < 10, "{stays}");
        let mut sorted: Vec<&[u8]> = first.chunks(2).collect();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(records.chunks(2)));
    }
}
