//! External sorting for records beyond the memory. A buffer is sorted when it is full, and equal moves are
//! added up. If that frees too little, it goes to disk as a sorted run. At the end all runs are merged.
//! Memory is bounded by the buffer, for any number of games.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Length of a record on disk, in bytes.
const BYTES: usize = 18;

/// Bytes read from a run at a time.
const CHUNK: usize = 1 << 16;

/// The results of one move of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunEntry {
    /// The position's key.
    pub key: u64,
    /// The move.
    pub code: u16,
    /// Games with the move.
    pub games: u32,
    /// Two for every win of the moving side, one for every draw.
    pub score: u32,
}

impl RunEntry {
    fn is_same_move(&self, other: &RunEntry) -> bool {
        (self.key, self.code) == (other.key, other.code)
    }

    fn add(&mut self, other: &RunEntry) {
        self.games = self.games.saturating_add(other.games);
        self.score = self.score.saturating_add(other.score);
    }

    fn write(&self, file: &mut impl Write) -> io::Result<()> {
        file.write_all(&self.key.to_be_bytes())?;
        file.write_all(&self.code.to_be_bytes())?;
        file.write_all(&self.games.to_be_bytes())?;
        file.write_all(&self.score.to_be_bytes())
    }

    /// Reads a record; `None` at the end of the file.
    fn read(file: &mut impl Read) -> io::Result<Option<RunEntry>> {
        let mut bytes = [0; BYTES];
        match file.read_exact(&mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            result => result?,
        }
        let [a, b, c, d, e, f, g, h, m1, m2, g1, g2, g3, g4, s1, s2, s3, s4] = bytes;
        Ok(Some(RunEntry {
            key: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
            code: u16::from_be_bytes([m1, m2]),
            games: u32::from_be_bytes([g1, g2, g3, g4]),
            score: u32::from_be_bytes([s1, s2, s3, s4]),
        }))
    }
}

/// Records to be added up.
#[derive(Debug)]
pub struct Runs {
    buffer: Vec<RunEntry>,
    capacity: usize,
    folder: PathBuf,
    spilt: Vec<File>,
}

impl Runs {
    /// Holds `capacity` records in memory, at 24 bytes each. The rest goes to unnamed files in `folder`,
    /// which vanish with the program.
    pub fn new(capacity: usize, folder: &Path) -> Runs {
        Runs { buffer: Vec::new(), capacity, folder: folder.to_path_buf(), spilt: Vec::new() }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// A full disk, or a folder that cannot be written to.
    pub fn push(&mut self, record: RunEntry) -> io::Result<()> {
        if self.buffer.len() >= self.capacity {
            self.compact();
            // Compacting pays as long as it frees a good part of the buffer.
            if self.buffer.len() > self.capacity / 2 {
                self.spill()?;
            }
        }
        self.buffer.push(record);
        Ok(())
    }

    /// Number of runs on disk.
    pub fn spilt(&self) -> usize {
        self.spilt.len()
    }

    /// Sorts the buffer and adds up equal moves.
    fn compact(&mut self) {
        self.buffer.sort_unstable();
        self.buffer.dedup_by(|next, kept| {
            let is_same = next.is_same_move(kept);
            if is_same {
                kept.add(next);
            }
            is_same
        });
    }

    /// Writes the sorted buffer to disk and empties it.
    fn spill(&mut self) -> io::Result<()> {
        let mut file = BufWriter::new(tempfile::tempfile_in(&self.folder)?);
        for record in self.buffer.drain(..) {
            record.write(&mut file)?;
        }
        let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        self.spilt.push(file);
        Ok(())
    }

    /// All records, sorted by key and move, each move of a position once.
    ///
    /// # Errors
    /// Runs that cannot be read back.
    pub fn merge(mut self) -> io::Result<Merge> {
        self.compact();
        let mut merge =
            Merge { memory: self.buffer.into_iter(), disk: Vec::new(), heads: BinaryHeap::new() };
        merge.disk.extend(self.spilt.into_iter().map(|file| BufReader::with_capacity(CHUNK, file)));
        for run in 0..=merge.disk.len() {
            if let Some(head) = merge.head(run)? {
                merge.heads.push(Reverse((head, run)));
            }
        }
        Ok(merge)
    }
}

/// Several sorted runs as one sorted sequence.
#[derive(Debug)]
pub struct Merge {
    memory: std::vec::IntoIter<RunEntry>,
    disk: Vec<BufReader<File>>,
    /// The first record of every unfinished run, and the run.
    heads: BinaryHeap<Reverse<(RunEntry, usize)>>,
}

impl Merge {
    /// Takes the next record of a run; the last run is the one in memory.
    fn head(&mut self, run: usize) -> io::Result<Option<RunEntry>> {
        match self.disk.get_mut(run) {
            Some(file) => RunEntry::read(file),
            None => Ok(self.memory.next()),
        }
    }

    /// Takes the least record of all runs.
    fn least(&mut self) -> io::Result<Option<RunEntry>> {
        let Some(Reverse((least, run))) = self.heads.peek().copied() else { return Ok(None) };
        let next = self.head(run)?;
        if let Some(mut head) = self.heads.peek_mut() {
            match next {
                Some(record) => *head = Reverse((record, run)),
                None => drop(PeekMut::pop(head)),
            }
        }
        Ok(Some(least))
    }

    /// The next move of a position with its total from all runs; `None` at the end.
    ///
    /// # Errors
    /// A run that cannot be read back.
    pub fn next_move(&mut self) -> io::Result<Option<RunEntry>> {
        let Some(mut record) = self.least()? else { return Ok(None) };
        while self.heads.peek().is_some_and(|Reverse((head, _))| head.is_same_move(&record)) {
            if let Some(other) = self.least()? {
                record.add(&other);
            }
        }
        Ok(Some(record))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn whatever_goes_to_disk_the_sums_are_right(
            capacity in 1usize..40,
            moves in prop::collection::vec((0u64..8, 0u16..4, 0u32..3), 0..200),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut runs = Runs::new(capacity, folder.path());
            let mut wanted = BTreeMap::new();
            for (key, code, score) in moves {
                runs.push(RunEntry { key, code, games: 1, score }).unwrap();
                let sum = wanted.entry((key, code)).or_insert((0, 0));
                *sum = (sum.0 + 1, sum.1 + score);
            }
            let mut merge = runs.merge().unwrap();
            let mut found = Vec::new();
            while let Some(record) = merge.next_move().unwrap() {
                found.push(((record.key, record.code), (record.games, record.score)));
            }
            prop_assert_eq!(found, wanted.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_small_buffer_spills_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let mut runs = Runs::new(10, folder.path());
        for key in 0..100 {
            runs.push(RunEntry { key, code: 1, games: 1, score: 2 }).unwrap();
        }
        assert_eq!(runs.spilt(), 9);
        drop(runs);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn an_unwritable_folder_is_an_error() {
        let mut runs = Runs::new(1, Path::new("/no/such/folder"));
        let record = RunEntry { key: 1, code: 1, games: 1, score: 2 };
        assert!(runs.push(record).is_ok());
        assert!(runs.push(RunEntry { key: 2, ..record }).is_err());
    }
}
