//! The opening book: what other games have taught, read before anything is searched.
//!
//! - [`polyglot`]: the file format, which all board programs share.
//! - [`Book`]: a book in memory, and what it knows of a position.
//! - [`own`]: when the engine plays from its book, and which of the book's moves.
//! - [`names`]: what the openings are called.
//! - [`source`], [`games`]: files of games, compressed or not, one game at a time.
//! - [`builder`], [`runs`]: from millions of games to a book, in bounded memory; learning.
//! - [`check`]: what may be wrong with a book.
//!
//! A book knows standard chess only. The one that the program carries is made of the lines in
//! `openings/`, by `engine book build openings -o openings/book.bin`.
//!
#![doc = include_str!("../../docs/book.md")]

pub mod builder;
pub mod check;
pub mod games;
pub mod names;
pub mod own;
pub mod polyglot;
pub mod runs;
pub mod source;

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use shakmaty::Move;

use crate::rules::{KeyedPosition, RuleSet, Rules};
use polyglot::{BYTES, Entry, Raw};

/// The book that the program carries.
static EMBEDDED: &[u8] = include_bytes!("../../openings/book.bin");

/// A file that is no book. The text names the file, the fault and its mend.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BookError(pub String);

/// A move that a book knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, legal where it was asked for.
    pub m: Move,
    /// How much it is to be preferred, beside the position's other moves.
    pub weight: u16,
}

/// A book in memory: its entries, sorted by key.
#[derive(Clone, Debug)]
pub struct Book {
    bytes: Cow<'static, [u8]>,
}

impl Book {
    /// The book that the program carries.
    pub fn embedded() -> Book {
        Book { bytes: Cow::Borrowed(EMBEDDED) }
    }

    /// A book without a move.
    pub fn empty() -> Book {
        Book { bytes: Cow::Borrowed(&[]) }
    }

    /// Reads a Polyglot book.
    ///
    /// # Errors
    /// A file that cannot be read, has no entries or half of one, or is not sorted by key.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let named = |fault: String| BookError(format!("book {}: {fault}", path.display()));
        let bytes = fs::read(path).map_err(|fault| {
            named(format!("{fault}; name a Polyglot book, or <empty> for the one built in"))
        })?;
        Book::from_bytes(bytes).map_err(|fault| named(fault.0))
    }

    /// A book of these bytes.
    ///
    /// # Errors
    /// No entries, half an entry, or entries that are not sorted by key.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Book, BookError> {
        let fault = |text: String| Err(BookError(text));
        if bytes.is_empty() {
            return fault("the file is empty; copy it again or build it anew".to_string());
        }
        let extra = bytes.len() % BYTES;
        if extra != 0 {
            return fault(format!(
                "{} bytes are not a whole number of {BYTES}-byte entries: {extra} too many; \
                 the file is cut off or no Polyglot book, so copy it again or build it anew",
                bytes.len()
            ));
        }
        let book = Book { bytes: Cow::Owned(bytes) };
        if !book.entries().is_sorted_by_key(key) {
            return fault(
                "its entries are not sorted by key; it is damaged or no Polyglot book, \
                 so build it anew with engine book build"
                    .to_string(),
            );
        }
        Ok(book)
    }

    /// All entries, as they stand in the file.
    pub fn entries(&self) -> &[Raw] {
        self.bytes.as_chunks().0
    }

    /// The entries of the position with this key.
    pub fn at(&self, wanted: u64) -> impl Iterator<Item = Entry> {
        let entries = self.entries();
        let from = entries.partition_point(|entry| key(entry) < wanted);
        let here = entries.get(from..).unwrap_or_default().iter().map(Entry::from);
        here.take_while(move |entry| entry.key == wanted)
    }

    /// The legal moves that the book knows here, the heaviest first. Empty in any rule set but
    /// chess: its positions can have the same keys and mean something else.
    pub fn moves<P: Rules>(&self, now: &KeyedPosition<P>) -> Vec<BookMove> {
        if P::RULE_SET != RuleSet::Chess {
            return Vec::new();
        }
        let known = self.at(polyglot::key(now)).filter_map(|entry| {
            let m = polyglot::decode(now.position(), entry.code)?;
            Some(BookMove { m, weight: entry.weight })
        });
        let mut moves: Vec<BookMove> = known.collect();
        moves.sort_by_key(|known| std::cmp::Reverse(known.weight));
        moves
    }
}

/// The key of an entry as it stands in a file.
fn key(entry: &Raw) -> u64 {
    Entry::from(entry).key
}
