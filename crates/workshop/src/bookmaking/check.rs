//! Checks of a book: its size, the order of its entries, duplicate moves, and moves that are illegal in
//! positions that the book itself reaches.

use std::collections::HashSet;

use shakmaty::Chess;

use engine::book::Book;
use engine::book::polyglot::{self, BYTES, BookEntry, Raw};
use engine::rules::{KeyedPosition, setup};

/// The results of the checks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Errors, each with its place.
    pub errors: Vec<String>,
    /// Entries.
    pub entries: usize,
    /// Positions that the book's own moves reach from the start of the game.
    pub reachable: usize,
    /// Entries in these positions.
    pub walked: usize,
    /// True if the bytes are those of another kind of file.
    pub is_no_book: bool,
}

/// Checks a book in the form of its file.
pub fn check(bytes: &[u8]) -> Findings {
    let (raw, rest) = bytes.as_chunks::<BYTES>();
    let mut findings = Findings { entries: raw.len(), ..Findings::default() };
    if raw.is_empty() {
        findings.errors.push("the book has no entries".to_string());
    }
    if !rest.is_empty() {
        let size = format!("{} bytes are {} entries of {BYTES}", bytes.len(), raw.len());
        findings.errors.push(format!("{size} and {} bytes too many", rest.len()));
    }
    order(raw, &mut findings);
    // In a file of another kind every second entry stands after a greater one.
    let is_random = findings.errors.len() * 4 > raw.len();
    // An unsorted book is walked as if it were sorted, so that its moves are checked as well.
    let mut sorted = raw.to_vec();
    sorted.sort();
    if let Ok(book) = Book::from_bytes(sorted.concat()) {
        walk(&book, &mut findings);
    }
    findings.is_no_book = is_random && findings.walked == 0 && !bytes.is_empty();
    findings
}

/// Finds entries out of order and duplicate moves.
fn order(raw: &[Raw], findings: &mut Findings) {
    let mut seen: HashSet<u16> = HashSet::new();
    let mut last: Option<BookEntry> = None;
    for (index, entry) in raw.iter().map(BookEntry::from).enumerate() {
        let place = format!("entry {} (key {:016x})", index + 1, entry.key);
        match last {
            Some(before) if entry.key < before.key => {
                findings.errors.push(format!("{place} stands after a greater key"));
                seen.clear();
            }
            Some(before) if entry.key == before.key => {}
            _ => seen.clear(),
        }
        if !seen.insert(entry.code) {
            findings.errors.push(format!("{place} has {} twice", text(entry.code)));
        }
        last = Some(entry);
    }
}

/// Plays all moves of the book from the start of the game and finds illegal ones.
fn walk(book: &Book, findings: &mut Findings) {
    let mut seen = HashSet::new();
    let mut waiting = vec![KeyedPosition::new(Chess::default())];
    while let Some(now) = waiting.pop() {
        let key = polyglot::key(&now);
        let entries: Vec<BookEntry> = book.at(key).collect();
        if entries.is_empty() || !seen.insert(key) {
            continue;
        }
        findings.reachable += 1;
        findings.walked += entries.len();
        for entry in entries {
            match polyglot::decode(now.position(), entry.code) {
                Some(m) => waiting.push(now.play(m)),
                None => {
                    let fen = setup::fen(now.position());
                    findings.errors.push(format!("{} is not legal in {fen}", text(entry.code)));
                }
            }
        }
    }
}

/// A move in UCI notation, or its bits.
fn text(code: u16) -> String {
    polyglot::uci(code).map_or_else(|| format!("the move {code:04x}"), |uci| uci.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rules::Rules;

    fn entry(key: u64, code: u16) -> Raw {
        Raw::from(BookEntry { key, code, weight: 1, learn: 0 })
    }

    const E4: u16 = 12 << 6 | 28;
    const D4: u16 = 11 << 6 | 27;
    const E5: u16 = 12 << 6 | 36;

    fn start() -> u64 {
        Chess::default().key()
    }

    #[test]
    fn a_sound_book_has_no_faults() {
        let findings =
            check(&[entry(start(), D4), entry(start(), E4), entry(u64::MAX, E4)].concat());
        assert_eq!(findings.errors, Vec::<String>::new());
        assert_eq!((findings.entries, findings.reachable, findings.walked), (3, 1, 2));
    }

    #[test]
    fn every_kind_of_fault_is_found() {
        let errors = |bytes: &[u8]| check(bytes).errors.join("\n");
        assert_eq!(errors(&[]), "the book has no entries");
        let sound = entry(start(), E4);
        assert!(errors(&[&sound[..], b"xyz"].concat()).contains("3 bytes too many"));
        assert!(
            errors(&[sound, entry(5, E4)].concat())
                .contains("entry 2 (key 0000000000000005) stands after")
        );
        assert!(errors(&[sound, sound].concat()).contains("has e2e4 twice"));
        assert!(errors(&entry(start(), E5)).contains("e2e5 is not legal in rnbqkbnr"));
        assert!(errors(&entry(start(), 7 << 12)).contains("the move 7000 is not legal"));
        // Found behind the disorder, too.
        assert_eq!(check(&[entry(u64::MAX, E4), entry(start(), E5)].concat()).errors.len(), 2);
    }
}
