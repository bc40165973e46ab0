//! Files of recorded positions.
//!
//! A file is nothing but records of one size, so that files can be joined with `cat`, cut between any two
//! records, and read by parts. It begins with a header, a record without pieces: bytes 8 to 13 are `AJPOS`
//! and 0, byte 14 the version, byte 15 the rule set by its place in [`RuleSet::ALL`], byte 16 the size of a
//! record, byte 17 is 1 if the records are in random order; all other bytes are 0. Joined files have
//! several headers.
//!
//! The first files had no header and no tags. They are read as chess, and a game ends where the number of
//! half-moves does not grow.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::record::{self, Layout, MAX_BYTES, Record, TAGS};
use engine::input;
use engine::rules::RuleSet;

/// The first bytes of a header after eight zeros.
const MAGIC: &[u8; 6] = b"AJPOS\0";
/// The version of the format.
const VERSION: u8 = 1;
/// Bytes that are read at once, about.
const BLOCK: usize = 1 << 20;
/// One broken record in this many is too much for a file that is to be trusted.
const MAX_BROKEN: u64 = 1000;

/// The header of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The rule set.
    pub rule_set: RuleSet,
    /// True if the records are in random order.
    pub is_shuffled: bool,
}

impl Header {
    /// The header as bytes.
    pub fn to_bytes(self) -> Vec<u8> {
        let layout = record::layout_of(self.rule_set);
        let mut bytes = vec![0; layout.bytes()];
        bytes[8..14].copy_from_slice(MAGIC);
        bytes[14] = VERSION;
        bytes[15] = self.rule_set as u8;
        bytes[16] = layout.bytes() as u8;
        bytes[17] = u8::from(self.is_shuffled);
        bytes
    }

    /// The header that begins with `bytes`; `None` if none does.
    fn read(bytes: &[u8]) -> Option<Result<Header, Fault>> {
        let head = bytes.first_chunk::<18>()?;
        if head[..8] != [0; 8] || &head[8..14] != MAGIC {
            return None;
        }
        if head[14] != VERSION {
            return Some(Err(Fault::Version(head[14])));
        }
        let rule_set = RuleSet::ALL.get(usize::from(head[15])).copied();
        let known = rule_set
            .filter(|&rules| record::layout_of(rules).bytes() == usize::from(head[16]))
            .map(|rule_set| Header { rule_set, is_shuffled: head[17] == 1 });
        Some(known.ok_or(Fault::Header))
    }
}

/// True if a file that begins with `head` may be one of positions.
pub fn is_data(head: &[u8]) -> bool {
    match Header::read(head) {
        Some(header) => header.is_ok(),
        None => head.get(..Layout::Compact.bytes()).and_then(Record::read).is_some(),
    }
}

/// A file that cannot be used. The text names it and its mend.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", .path.display())]
pub struct DataError {
    path: PathBuf,
    fault: Fault,
}

#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("this is no file of positions; engine selfplay writes them")]
    NoData,
    #[error("written by a later version of this program (format {0}, this one reads {VERSION})")]
    Version(u8),
    #[error("a damaged header")]
    Header,
    #[error("positions of {found}, not of {expected}: name the rule set with --variant")]
    OtherRules { found: RuleSet, expected: RuleSet },
    #[error(
        "{broken} of {all} records are broken, the first at byte {first}; engine data check says more"
    )]
    Broken { broken: u64, all: u64, first: u64 },
    #[error("not in random order; write a file that is: engine data shuffle")]
    NotShuffled,
}

/// The number of records of a file and their state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Census {
    /// Whole records.
    pub records: u64,
    /// Records that are no positions.
    pub broken: u64,
    /// The byte at which the first of those begins.
    pub first_broken: Option<u64>,
    /// Bytes of an incomplete record at the end.
    pub incomplete: u64,
    /// Headers.
    pub headers: u64,
}

/// An open file of positions.
pub struct DataFile {
    path: PathBuf,
    file: File,
    layout: Layout,
    header: Option<Header>,
    length: u64,
}

impl DataFile {
    /// Opens a file of positions of `rule_set`.
    ///
    /// # Errors
    /// [`DataError`] if it cannot be read, or is not such a file.
    pub fn open(path: &Path, rule_set: RuleSet) -> Result<DataFile, DataError> {
        let open = || {
            let mut file = input::open(path)?;
            let length = file.metadata()?.len();
            let mut head = Vec::new();
            file.by_ref().take(MAX_BYTES as u64).read_to_end(&mut head)?;
            let header = Header::read(&head).transpose()?;
            let found = header.map_or(RuleSet::Chess, |header| header.rule_set);
            if header.is_none() && !is_data(&head) {
                return Err(Fault::NoData);
            }
            if found != rule_set {
                return Err(Fault::OtherRules { found, expected: rule_set });
            }
            Ok((file, header, length))
        };
        let path = path.to_path_buf();
        match open() {
            Ok((file, header, length)) => {
                let layout = record::layout_of(rule_set);
                Ok(DataFile { path, file, layout, header, length })
            }
            Err(fault) => Err(DataError { path, fault }),
        }
    }
}

impl DataFile {
    /// The header; `None` for a file from before there was one.
    pub fn header(&self) -> Option<Header> {
        self.header
    }

    /// The layout of the records.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The number of records, headers among them.
    pub fn records(&self) -> u64 {
        self.length / self.layout.bytes() as u64
    }

    /// The number of records behind the header.
    pub fn positions(&self) -> u64 {
        self.records() - u64::from(self.header.is_some())
    }

    /// The length of the file, in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Hands every whole record that is a position to `visit`, in order and with a tag, until that returns
    /// false. `progress` is called with the numbers of bytes read.
    ///
    /// # Errors
    /// [`DataError`] if the file cannot be read, or has a header of other rules.
    pub fn for_each(
        &mut self,
        mut visit: impl FnMut(&[u8]) -> bool,
        mut progress: impl FnMut(u64),
    ) -> Result<Census, DataError> {
        let size = self.layout.bytes();
        let mut census = Census { incomplete: self.length % size as u64, ..Census::default() };
        let mut tagger = Tagger::default();
        let mut block = Vec::new();
        let mut position = 0;
        let blocks = BLOCK / size;
        while let count @ 1.. = self.read(position, blocks, &mut block)? {
            for record in block.chunks_exact_mut(size) {
                if let Some(header) = Header::read(record) {
                    self.check(header)?;
                    census.headers += 1;
                    tagger.has_tags = true;
                } else if Record::read(record).is_none() {
                    census.broken += 1;
                    census.first_broken.get_or_insert(position * size as u64);
                } else {
                    census.records += 1;
                    tagger.tag(record);
                    if !visit(record) {
                        return Ok(census);
                    }
                }
                position += 1;
            }
            progress((count * size) as u64);
        }
        Ok(census)
    }

    /// Reads up to `count` records from number `first` on into `block` and returns their number. Headers
    /// count as records. What self-play has added since the file was opened is not read.
    ///
    /// # Errors
    /// [`DataError`] if the file cannot be read.
    pub fn read(
        &mut self,
        first: u64,
        count: usize,
        block: &mut Vec<u8>,
    ) -> Result<usize, DataError> {
        let size = self.layout.bytes();
        block.clear();
        let first = first.min(self.records());
        let start = first * size as u64;
        let length = (count as u64).min(self.records() - first) * size as u64;
        let read = self
            .file
            .seek(SeekFrom::Start(start))
            .and_then(|_| self.file.by_ref().take(length).read_to_end(block));
        read.map_err(|fault| self.fault(fault.into()))?;
        let count = block.len() / size;
        block.truncate(count * size);
        Ok(count)
    }

    /// A later header must be of the same rules.
    fn check(&self, header: Result<Header, Fault>) -> Result<(), DataError> {
        let expected = self.header.map_or(RuleSet::Chess, |header| header.rule_set);
        let found = header.map_err(|fault| self.fault(fault))?.rule_set;
        if found == expected {
            return Ok(());
        }
        Err(self.fault(Fault::OtherRules { found, expected }))
    }

    /// An error if more than a few records are broken.
    ///
    /// # Errors
    /// [`DataError`] with the number of broken records and the place of the first.
    pub fn trust(&self, census: &Census) -> Result<(), DataError> {
        let Census { records, broken, first_broken, .. } = *census;
        let all = records + broken;
        match first_broken {
            Some(first) if broken > all / MAX_BROKEN => {
                Err(self.fault(Fault::Broken { broken, all, first }))
            }
            _ => Ok(()),
        }
    }

    /// An error unless the records are in random order.
    ///
    /// # Errors
    /// [`DataError`] with the command that puts them in random order.
    pub fn require_shuffled(&self) -> Result<(), DataError> {
        match self.header {
            Some(Header { is_shuffled: true, .. }) => Ok(()),
            _ => Err(self.fault(Fault::NotShuffled)),
        }
    }

    /// An error if several shuffled files were joined: their order is random in each of them only.
    ///
    /// # Errors
    /// [`DataError`] with the command that puts them in random order.
    pub fn require_one_order(&self, census: &Census) -> Result<(), DataError> {
        if census.headers == 1 { Ok(()) } else { Err(self.fault(Fault::NotShuffled)) }
    }

    fn fault(&self, fault: Fault) -> DataError {
        DataError { path: self.path.clone(), fault }
    }
}

/// Gives the records of a file without tags a tag for each game.
#[derive(Default)]
struct Tagger {
    has_tags: bool,
    games: u64,
    last_ply: Option<u16>,
}

impl Tagger {
    fn tag(&mut self, record: &mut [u8]) {
        if self.has_tags {
            return;
        }
        let ply = record::ply(record);
        if self.last_ply.is_none_or(|last| ply <= last) {
            self.games += 1;
        }
        self.last_ply = Some(ply);
        record::set_tag(record, tag_of(self.games));
    }
}

/// The tag of a game by its number in a run.
pub fn tag_of(game: u64) -> u16 {
    // Fibonacci hashing: neighbours get tags far apart, and all tags are used alike.
    (game.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - TAGS.trailing_zeros())) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// Self-play may go on while its file is checked or shuffled: what was there at the beginning is read, once.
    #[test]
    fn a_file_that_grows_is_read_to_its_length_at_the_beginning() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut growing = file.as_file().try_clone().unwrap();
        let header = Header { rule_set: RuleSet::Chess, is_shuffled: false };
        growing.write_all(&header.to_bytes()).unwrap();
        growing.write_all(&[0xff; 32 * 5]).unwrap();
        let mut data = DataFile::open(file.path(), RuleSet::Chess).unwrap();
        let mut reads = 0;
        let grow = |_| {
            reads += 1;
            assert_eq!(reads, 1);
            growing.write_all(&[0xff; 32 * 7]).unwrap();
        };
        let census = data.for_each(|_| true, grow).unwrap();
        assert_eq!((census.headers, census.records + census.broken), (1, 5));
    }
}
