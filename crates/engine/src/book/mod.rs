//! The opening book: moves and names of openings, made from games.
//!
//! - [`polyglot`]: the file format, common to all board programs.
//! - [`Book`]: a book in memory.
//! - [`own`]: the engine's book: its conditions and its choice of a move.
//! - [`names`]: names of openings.
//! - [`games`]: files of games, one game at a time.
//!
//! A book covers standard chess only. The embedded book is made of the lines in `openings/`, by `engine
//! book build openings -o openings/book.bin`.
//!
#![doc = include_str!("../../../../docs/book.md")]

pub mod games;
pub mod names;
pub mod own;
pub mod polyglot;

use std::borrow::Cow;
use std::path::Path;

use shakmaty::Move;

use crate::input;
use crate::logging;
use crate::rules::{KeyedPosition, RuleSet, Rules};
use polyglot::{BYTES, BookEntry, Raw};

/// The embedded book.
static EMBEDDED: &[u8] = include_bytes!("../../../../openings/book.bin");

/// Greatest size of a book, in bytes: 128 million moves.
pub const LARGEST: u64 = 2 << 30;

/// An invalid book file. The text names the file, the error and a remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BookError(pub String);

/// A book move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, legal in its position.
    pub m: Move,
    /// Its weight beside the position's other moves.
    pub weight: u16,
}

/// Sorts book moves, the heaviest first. A function of its own, because sorting is much code, which would be compiled
/// for every rule set.
fn sort_by_weight(moves: &mut [BookMove]) {
    moves.sort_by_key(|known| std::cmp::Reverse(known.weight));
}

/// A book in memory: its entries, sorted by key.
#[derive(Clone, Debug)]
pub struct Book {
    bytes: Cow<'static, [u8]>,
}

impl Book {
    /// The embedded book.
    pub fn embedded() -> Book {
        Book { bytes: Cow::Borrowed(EMBEDDED) }
    }

    /// A book without moves.
    pub fn empty() -> Book {
        Book { bytes: Cow::Borrowed(&[]) }
    }

    /// Reads a Polyglot book.
    ///
    /// # Errors
    /// An unreadable file, one without entries, with half an entry, or not sorted by key.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let named = |error: String| BookError(format!("book {}: {error}", path.display()));
        let bytes = input::read(path, LARGEST)
            .map_err(|error| named(format!("{error}; name a Polyglot book")))?;
        let book = Book::from_bytes(bytes).map_err(|error| named(error.0))?;
        let (file, moves) = (path.display(), book.entries().len());
        log::info!(target: logging::BOOK, "{file}: {moves} moves");
        Ok(book)
    }

    /// A book of these bytes.
    ///
    /// # Errors
    /// No entries, half an entry, or entries that are not sorted by key.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Book, BookError> {
        let error = |text: String| Err(BookError(text));
        if bytes.is_empty() {
            return error("the file is empty; copy it again or rebuild it".to_string());
        }
        let extra = bytes.len() % BYTES;
        if extra != 0 {
            return error(format!(
                "{} bytes are not a whole number of {BYTES}-byte entries: {extra} too many; \
                 the file is truncated or not a Polyglot book, so copy it again or rebuild it",
                bytes.len()
            ));
        }
        let book = Book { bytes: Cow::Owned(bytes) };
        if !book.entries().is_sorted_by_key(key) {
            return error(
                "its entries are not sorted by key; it is damaged or not a Polyglot book, \
                 so rebuild it with engine book build"
                    .to_string(),
            );
        }
        Ok(book)
    }

    /// All entries, in the order of the file.
    pub fn entries(&self) -> &[Raw] {
        self.bytes.as_chunks().0
    }

    /// The entries of the position with this key.
    pub fn at(&self, wanted: u64) -> impl Iterator<Item = BookEntry> {
        let entries = self.entries();
        let from = entries.partition_point(|entry| key(entry) < wanted);
        let here = entries.get(from..).unwrap_or_default().iter().map(BookEntry::from);
        here.take_while(move |entry| entry.key == wanted)
    }

    /// The book's legal moves in a position, the heaviest first. Empty in all rule sets except chess,
    /// because positions of other rule sets can have the same keys.
    pub fn moves<P: Rules>(&self, now: &KeyedPosition<P>) -> Vec<BookMove> {
        if P::RULE_SET != RuleSet::Chess {
            return Vec::new();
        }
        let known = self.at(polyglot::key(now)).filter_map(|entry| {
            let m = polyglot::decode(now.position(), entry.code)?;
            Some(BookMove { m, weight: entry.weight })
        });
        let mut moves: Vec<BookMove> = known.collect();
        sort_by_weight(&mut moves);
        moves
    }
}

/// The key of an entry in the form of a file.
fn key(entry: &Raw) -> u64 {
    BookEntry::from(entry).key
}
