//! Reading files and lines that a user names or sends, without blocking and in bounded memory.
//!
//! A pipe blocks whoever opens it, `/dev/zero` never ends, and a line without an end takes all memory. So
//! only regular files of a sane size are read whole, and [`Lines`] cuts lines. Text may be UTF-8, with or
//! without a byte order mark, or Windows-1252.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, BufRead, Read};
use std::path::Path;

use crate::remark::Remark;

/// Greatest length of a line, in bytes. The rest of a longer one is skipped.
pub const MAX_LINE: usize = 16 << 20;

/// Greatest size of a text that is read whole, in bytes.
pub const LARGEST_TEXT: u64 = 64 << 20;

/// The byte order mark of UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Opens a regular file for reading.
///
/// # Errors
/// A missing or unreadable file, a folder, a device or a pipe.
pub fn open(path: &Path) -> io::Result<File> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(Remark::new("fault.folder", []).into());
    }
    if !metadata.is_file() {
        return Err(Remark::new("fault.device", []).into());
    }
    File::open(path)
}

/// Reads a regular file of at most `largest` bytes.
///
/// # Errors
/// See [`open`]; also a larger file.
pub fn read(path: &Path, largest: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let too_large = || {
        let (key, largest) = match largest >> 20 {
            0 => ("fault.bytes", largest),
            megabytes => ("fault.megabytes", megabytes),
        };
        Remark::new(key, [("largest", &largest.to_string())]).into()
    };
    if file.metadata()?.len() > largest {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // The file may grow meanwhile.
    file.take(largest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > largest { Err(too_large()) } else { Ok(bytes) }
}

/// Reads a text of at most [`LARGEST_TEXT`] bytes.
///
/// # Errors
/// See [`read`]; also text in UTF-16.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read(path, LARGEST_TEXT)?;
    refuse_wide(&bytes)?;
    Ok(decode(without_mark(&bytes)).into_owned())
}

/// Refuses text in UTF-16, which some systems write: `bytes` are its beginning.
///
/// # Errors
/// A byte order mark of UTF-16.
pub fn refuse_wide(bytes: &[u8]) -> io::Result<()> {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err(Remark::new("fault.utf-16", []).into()),
        _ => Ok(()),
    }
}

/// The bytes without a byte order mark at their beginning.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}

/// What Windows-1252, in which most old files are, has in place of Latin-1's control characters from 0x80 to 0x9f; five
/// bytes have nothing there.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of `bytes`: UTF-8 or, if they are not, Windows-1252, which has Latin-1's letters.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let one = |&byte: &u8| {
        let special = byte.checked_sub(0x80).and_then(|place| WINDOWS_1252.get(usize::from(place)));
        special.copied().unwrap_or(char::from(byte))
    };
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(one).collect()),
    }
}

/// One line of text from outside for display: without control characters, and of at most `longest`
/// characters.
pub fn printable(line: &str, longest: usize) -> String {
    let mut shown = String::new();
    let mut length = 0;
    for c in line.chars() {
        let escaped = (!is_plain(c)).then(|| c.escape_default().to_string());
        length += escaped.as_ref().map_or(1, String::len);
        if length > longest {
            shown.push('…');
            break;
        }
        match escaped {
            Some(escaped) => shown.push_str(&escaped),
            None => shown.push(c),
        }
    }
    shown
}

/// A message without the numbers of the system's errors, ` (os error 2)`, which tell a person nothing.
pub fn without_codes(text: &str) -> String {
    const CODE: &str = " (os error ";
    let mut parts = text.split(CODE);
    let mut plain = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.split_once(')') {
            Some((code, rest)) if code.bytes().all(|byte| byte.is_ascii_digit()) => {
                plain.push_str(rest)
            }
            _ => plain.extend([CODE, part]),
        }
    }
    plain
}

/// Text of several lines from outside for display: line ends and tabs stay, other control characters do not.
pub fn printable_text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for part in text.split_inclusive(['\n', '\t']) {
        let line = part.strip_suffix(['\n', '\t']).unwrap_or(part);
        shown.push_str(&printable(line.strip_suffix('\r').unwrap_or(line), usize::MAX));
        shown.extend(part.chars().next_back().filter(|c| matches!(c, '\n' | '\t')));
    }
    shown
}

/// The text of `bytes` as [`decode`] has it, with pictures for control characters other than line ends and
/// tabs, so that what is written of it is harmless to a terminal.
pub fn decode_visible(bytes: &[u8]) -> Cow<'_, str> {
    let text = decode(bytes);
    let is_wild = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(is_wild) {
        return text;
    }
    Cow::Owned(text.chars().map(|c| if is_wild(c) { picture(c) } else { c }).collect())
}

/// The picture of a control character: ␛ for ESC.
fn picture(control: char) -> char {
    match u32::from(control) {
        code @ 0..0x20 => char::from_u32(0x2400 + code).unwrap_or('\u{fffd}'),
        0x7f => '␡',
        _ => '\u{fffd}',
    }
}

/// True for characters that a terminal shows and does not obey.
pub fn is_plain(c: char) -> bool {
    !c.is_control() && !is_direction(c)
}

/// True for the marks that turn the direction of the text after them.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// One line of [`Lines`].
#[derive(Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The line without its end: CR, LF, or CR LF.
    pub bytes: &'a [u8],
    /// Its number, from 1.
    pub number: usize,
    /// True if the line is longer than [`MAX_LINE`] and its rest was skipped.
    pub is_cut: bool,
}

/// Reads line by line, in bounded memory. A byte order mark before the first line is skipped.
#[derive(Debug)]
pub struct Lines<R> {
    source: R,
    buffer: Vec<u8>,
    number: usize,
    longest: usize,
    /// The last line ended with CR, so that an LF is the rest of its end.
    after_cr: bool,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `source`.
    pub fn new(source: R) -> Lines<R> {
        Lines::no_longer_than(MAX_LINE, source)
    }

    /// The lines of `source`, cut after `longest` bytes.
    pub fn no_longer_than(longest: usize, source: R) -> Lines<R> {
        Lines { source, buffer: Vec::new(), number: 0, longest, after_cr: false }
    }

    /// Reads the next line; `None` at the end.
    ///
    /// # Errors
    /// The source's errors.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        self.buffer.clear();
        let (mut is_any, mut is_cut) = (false, false);
        loop {
            let ready = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                ready => ready?,
            };
            // The LF of a CR LF is looked for here and not at once after the CR, where it would have to be
            // waited for.
            let skipped = usize::from(self.after_cr && ready.first() == Some(&b'\n'));
            self.after_cr &= ready.is_empty();
            let part = &ready[skipped..];
            let end = part.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let text = &part[..end.unwrap_or(part.len())];
            let room = self.longest - self.buffer.len();
            self.buffer.extend_from_slice(&text[..text.len().min(room)]);
            is_cut |= text.len() > room;
            is_any |= !part.is_empty();
            let is_over = ready.is_empty();
            let taken = skipped + text.len() + usize::from(end.is_some());
            self.after_cr |= end.is_some_and(|end| part[end] == b'\r');
            self.source.consume(taken);
            if end.is_some() || is_over {
                break;
            }
        }
        if !is_any {
            return Ok(None);
        }
        // A single long line must not hold its memory for ever.
        self.buffer.shrink_to(self.buffer.len().max(1 << 16));
        self.number += 1;
        let mut bytes = self.buffer.as_slice();
        if self.number == 1 {
            bytes = without_mark(bytes);
        }
        Ok(Some(Line { bytes, number: self.number, is_cut }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_errors_are_left_out() {
        let text = "a.pgn: No such file or directory (os error 2); name another";
        assert_eq!(without_codes(text), "a.pgn: No such file or directory; name another");
        for text in ["no error", "a (os error x) b", "a (os error 2"] {
            assert_eq!(without_codes(text), text);
        }
    }

    #[test]
    fn lines_of_all_systems() {
        let mut lines = Lines::new(&b"\xef\xbb\xbfone\r\n\ntwo"[..]);
        for (number, text) in [(1, "one"), (2, ""), (3, "two")] {
            let line = lines.next_line().unwrap().unwrap();
            assert_eq!((line.number, line.bytes, line.is_cut), (number, text.as_bytes(), false));
        }
        assert_eq!(lines.next_line().unwrap(), None);
    }

    #[test]
    fn a_line_ends_at_cr_lf_or_both_wherever_the_buffer_ends() {
        let text = b"one\rtwo\r\n\r\nfour\n\n\rseven";
        for size in 1..=text.len() {
            let mut lines = Lines::new(io::BufReader::with_capacity(size, &text[..]));
            let mut found = Vec::new();
            while let Some(line) = lines.next_line().unwrap() {
                found.push((line.number, decode(line.bytes).into_owned()));
            }
            let wanted = ["one", "two", "", "four", "", "", "seven"].map(String::from);
            assert_eq!(found, (1..).zip(wanted).collect::<Vec<_>>(), "{size}");
        }
        let mut ended = Lines::new(&b"one\r\n"[..]);
        assert!(ended.next_line().unwrap().is_some() && ended.next_line().unwrap().is_none());
    }

    #[test]
    fn long_lines_are_cut_and_the_next_one_is_whole() {
        let mut lines = Lines::no_longer_than(4, &b"1234\n12345\n123456789\nnext\n12345"[..]);
        let mut found = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            found.push((decode(line.bytes).into_owned(), line.is_cut));
        }
        let cut = |is_cut| ("1234".to_string(), is_cut);
        let next = ("next".to_string(), false);
        assert_eq!(found, [cut(false), cut(true), cut(true), next, cut(true)]);
    }

    #[test]
    fn an_endless_line_takes_no_more_than_its_share() {
        let mut lines = Lines::new(io::BufReader::new(io::repeat(b'x').take(100 << 20)));
        let line = lines.next_line().unwrap().unwrap();
        assert_eq!((line.bytes.len(), line.is_cut), (MAX_LINE, true));
        assert_eq!(lines.next_line().unwrap(), None);
        assert!(lines.buffer.capacity() <= 2 * MAX_LINE, "{}", lines.buffer.capacity());
    }

    #[test]
    fn text_for_display_is_short_and_plain() {
        assert_eq!(printable("a\u{1b}[31m\tb\u{202e}é", 99), "a\\u{1b}[31m\\tb\\u{202e}é");
        assert_eq!(printable("12345", 5), "12345");
        assert_eq!(printable("123456", 5), "12345…");
        assert!(printable(&"\u{7}".repeat(1000), 50).chars().count() <= 51);
    }

    #[test]
    fn texts_for_display_keep_their_lines() {
        let text = "[White \"\u{1b}[31mx\u{9b}\"]\r\n\n\t1. e4\u{7} *\n";
        let shown = "[White \"\\u{1b}[31mx\\u{9b}\"]\n\n\t1. e4\\u{7} *\n";
        assert_eq!(printable_text(text), shown);
    }

    #[test]
    fn latin_1_and_utf_8_are_told_apart() {
        assert_eq!(decode("Réti".as_bytes()), "Réti");
        assert_eq!(decode(b"R\xe9ti"), "Réti");
        assert_eq!(decode(b"Club night \x96 \x93Caf\xe9\x94"), "Club night – “Café”");
        assert_eq!(
            decode(b"\x80\x81\xff"),
            "€\u{81}ÿ",
            "a byte without a character stays a control character"
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        fs::write(&path, b"\xef\xbb\xbfR\xc3\xa9ti").unwrap();
        assert_eq!(read_text(&path).unwrap(), "Réti");
        fs::write(&path, b"\xff\xfeR\0").unwrap();
        assert!(read_text(&path).unwrap_err().to_string().contains("UTF-8"));
    }

    #[test]
    fn only_regular_files_of_a_sane_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, [0; 100]).unwrap();
        assert_eq!(read(&path, 100).unwrap().len(), 100);
        assert!(read(&path, 99).unwrap_err().to_string().contains("more than 99 bytes"));
        fs::write(&path, vec![0; (2 << 20) + 1]).unwrap();
        assert!(read(&path, 2 << 20).unwrap_err().to_string().ends_with("more than 2 MB"));
        assert!(open(folder.path()).unwrap_err().to_string().contains("folder"));
        assert!(open(&folder.path().join("none")).is_err());
        #[cfg(unix)]
        assert!(open(Path::new("/dev/zero")).unwrap_err().to_string().contains("device"));
    }
}
