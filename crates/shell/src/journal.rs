//! Output that grows, and goes on after an interruption.
//!
//! Until the output is complete, `NAME.journal` beside it has all its pieces, one a line, with a note on each.
//! Every line begins with the CRC-32 of the whole journal up to its end, so that a line which is damaged,
//! missing or doubled ends what is trusted: a run that finds a journal of its task goes on after the last
//! line before. The journal is locked while a run has it. A file of that name that is no journal, a link and
//! a pipe are refused and left alone.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::Crc;
use serde_json::{Value as Json, json};

use super::files::{FileKind, OutputError, OutputFile, is_at, place_of};

/// The beginning of each journal.
const MAGIC: &str = "ajedrecista journal 2 ";
/// Hexadecimal digits of a checksum.
const DIGITS: usize = 8;
/// Greatest length of a line, in bytes: no game comes near it.
const MAX_LINE: u64 = 1 << 30;

/// An output in progress.
pub struct GrowingFile {
    target: PathBuf,
    kind: FileKind,
    journal: File,
    path: PathBuf,
    checksum: Crc,
}

/// The path of the journal of the output `target`.
pub fn journal_of(target: &Path) -> PathBuf {
    let mut name: OsString = place_of(target).into_os_string();
    name.push(".journal");
    PathBuf::from(name)
}

impl GrowingFile {
    /// Opens the output `target` of this kind, or continues it if its journal was begun by the same `task`.
    /// Returns the notes on the pieces that it has already.
    ///
    /// # Errors
    /// [`OutputError`] if the journal is something else, is in use by another run, or cannot be written.
    pub fn open(
        target: &Path,
        kind: FileKind,
        task: &Json,
    ) -> Result<(GrowingFile, Vec<Json>), OutputError> {
        let path = journal_of(target);
        let named = |source| OutputError::Io { path: path.clone(), source };
        let mut journal = claim(&path)?;
        let mut magic = Vec::new();
        (&mut journal).take(MAGIC.len() as u64).read_to_end(&mut magic).map_err(named)?;
        if !magic.is_empty() && magic != MAGIC.as_bytes() {
            return Err(OutputError::NotOurs(path));
        }
        journal.rewind().map_err(named)?;
        let (mut kept, checksum, notes) = read(&journal, task).map_err(named)?;
        let mut file = GrowingFile {
            target: target.to_path_buf(),
            kind,
            journal,
            path: path.clone(),
            checksum,
        };
        file.journal.set_len(kept).map_err(named)?;
        kept = file.journal.seek(SeekFrom::Start(kept)).map_err(named)?;
        if kept == 0 {
            file.journal.write_all(MAGIC.as_bytes()).map_err(named)?;
            file.line(task).map_err(named)?;
        }
        Ok((file, notes))
    }

    /// Adds a finished piece with a note on it.
    ///
    /// # Errors
    /// A full disk. The piece does not count then.
    pub fn add(&mut self, piece: &str, note: &Json) -> io::Result<()> {
        self.line(&json!({ "piece": piece, "note": note })).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", self.path.display()))
        })
    }

    fn line(&mut self, content: &Json) -> io::Result<()> {
        let content = content.to_string();
        self.checksum.update(content.as_bytes());
        // In one piece, so that a kill between two writes leaves no half line.
        self.journal.write_all(format!("{:08x} {content}\n", self.checksum.sum()).as_bytes())
    }

    /// Writes the complete output, all pieces and `end`, in its place, and removes the journal.
    ///
    /// # Errors
    /// [`OutputError`] if the output cannot be written. The journal stays then.
    pub fn finish(mut self, end: &str) -> Result<(), OutputError> {
        let named = |source| OutputError::Io { path: self.path.clone(), source };
        // The target was accepted when the work began.
        let mut output = OutputFile::create(&self.target, self.kind, &[], true)?;
        self.journal.rewind().map_err(named)?;
        let mut lines = BufReader::new(&self.journal);
        let mut line = Vec::new();
        while next_line(&mut lines, &mut line).map_err(named)? {
            let piece =
                content_of(&line).and_then(|json| Some(json.get("piece")?.as_str()?.to_string()));
            output.write_text(&piece.unwrap_or_default())?;
        }
        output.write_text(end)?;
        output.finish()?;
        fs::remove_file(&self.path).map_err(named)
    }
}

/// The journal at `path`, locked: a new one, or a regular file that is there.
fn claim(path: &Path) -> Result<File, OutputError> {
    let named = |source| OutputError::Io { path: path.to_path_buf(), source };
    loop {
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let file = match options.clone().create_new(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                match fs::symlink_metadata(path) {
                    Ok(found) if !found.is_file() => {
                        return Err(OutputError::NotOurs(path.to_path_buf()));
                    }
                    Ok(_) => options.open(path).map_err(named)?,
                    // Another run has ended meanwhile.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => return Err(named(error)),
                }
            }
            Err(error) => return Err(named(error)),
        };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(OutputError::Busy(path.to_path_buf())),
            // A file system without locks: better no lock than no work.
            Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => {
                return Err(named(error));
            }
            _ => {}
        }
        // The run that had the lock may have removed the file with it.
        if is_at(&file, path) {
            return Ok(file);
        }
    }
}

/// The length of the lines that can be trusted, their checksum and the notes on the pieces.
fn read(journal: &File, task: &Json) -> io::Result<(u64, Crc, Vec<Json>)> {
    let mut lines = BufReader::new(journal);
    let (mut kept, mut checksum, mut notes) = (0, Crc::new(), Vec::new());
    let mut line = Vec::new();
    while next_line(&mut lines, &mut line)? {
        let Some((sum, content)) = parts_of(&line) else { break };
        let mut next = Crc::new();
        next.combine(&checksum);
        next.update(content);
        let Some(json) = content_of(&line) else { break };
        if sum != format!("{:08x}", next.sum()).as_bytes() || kept == 0 && json != *task {
            break;
        }
        if kept > 0 {
            notes.push(json["note"].clone());
        }
        kept += line.len() as u64;
        checksum = next;
    }
    Ok((kept, checksum, notes))
}

/// Reads a line with its end; false at the end of the journal.
fn next_line(lines: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    Ok(lines.take(MAX_LINE).read_until(b'\n', line)? > 0)
}

/// Checksum and content of a whole line.
fn parts_of(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.strip_prefix(MAGIC.as_bytes()).unwrap_or(line).strip_suffix(b"\n")?;
    let (sum, content) = line.split_at_checked(DIGITS)?;
    Some((sum, content.strip_prefix(b" ")?))
}

fn content_of(line: &[u8]) -> Option<Json> {
    serde_json::from_slice(parts_of(line)?.1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::JSON;

    fn open(target: &Path, task: &Json) -> Result<(GrowingFile, Vec<Json>), OutputError> {
        GrowingFile::open(target, JSON, task)
    }

    #[test]
    fn a_run_goes_on_after_its_last_whole_piece() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.txt");
        let task = json!({ "task": 1 });
        let (mut file, notes) = open(&target, &task).unwrap();
        assert!(notes.is_empty());
        file.add("one\n", &json!("first")).unwrap();
        file.add("two\n", &json!("second")).unwrap();
        // Killed while the third piece was being written.
        file.journal.write_all(b"01234567 {\"piece\":\"th").unwrap();
        drop(file);
        let (mut file, notes) = open(&target, &task).unwrap();
        assert_eq!(notes, [json!("first"), json!("second")]);
        file.add("three\n", &json!("third")).unwrap();
        file.finish("end\n").unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "one\ntwo\nthree\nend\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else stays");
    }

    #[test]
    fn another_task_begins_anew() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.txt");
        let (mut file, _) = open(&target, &json!({ "task": 1 })).unwrap();
        file.add("one\n", &Json::Null).unwrap();
        drop(file);
        let (file, notes) = open(&target, &json!({ "task": 2 })).unwrap();
        assert!(notes.is_empty());
        file.finish("").unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "");
    }

    /// Whatever byte is damaged, cut off or missing: the pieces before it count, and no others.
    #[test]
    fn damage_at_any_byte_is_never_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.txt");
        let task = json!({ "task": 1 });
        let pieces = ["one\n", "two\n", "three\n"];
        let (mut file, _) = open(&target, &task).unwrap();
        pieces.iter().for_each(|piece| file.add(piece, &json!(piece)).unwrap());
        drop(file);
        let journal = journal_of(&target);
        let whole = fs::read(&journal).unwrap();
        let check = |damaged: &[u8], what: &str| {
            fs::write(&journal, damaged).unwrap();
            match open(&target, &task) {
                Ok((mut file, notes)) => {
                    let known: Vec<&str> =
                        notes.iter().map(|note| note.as_str().unwrap()).collect();
                    assert_eq!(known, pieces[..known.len()], "{what}");
                    pieces[known.len()..]
                        .iter()
                        .for_each(|piece| file.add(piece, &Json::Null).unwrap());
                    file.finish("").unwrap();
                    assert_eq!(fs::read_to_string(&target).unwrap(), pieces.concat(), "{what}");
                }
                Err(OutputError::NotOurs(_)) => {
                    assert_eq!(fs::read(&journal).unwrap(), damaged, "{what}: refused, left alone");
                }
                Err(error) => panic!("{what}: {error}"),
            }
        };
        for at in 0..whole.len() {
            for change in [1, 0x20, 0x80] {
                let mut damaged = whole.clone();
                damaged[at] ^= change;
                check(&damaged, &format!("byte {at} changed by {change}"));
            }
            check(&whole[..at], &format!("cut at {at}"));
            check(&[&whole[..at], &whole[at + 1..]].concat(), &format!("without byte {at}"));
        }
        let lines: Vec<&[u8]> = whole.split_inclusive(|&byte| byte == b'\n').collect();
        check(&[lines[0], lines[2], lines[3]].concat(), "without the first piece");
        check(&[lines[0], lines[1], lines[1], lines[2]].concat(), "with a piece twice");
    }

    #[test]
    fn the_journal_of_another_run_and_other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.txt");
        let journal = journal_of(&target);
        let (file, _) = open(&target, &Json::Null).unwrap();
        assert!(matches!(open(&target, &Json::Null), Err(OutputError::Busy(_))));
        drop(file);
        fs::write(&journal, "dear diary").unwrap();
        assert!(matches!(open(&target, &Json::Null), Err(OutputError::NotOurs(_))));
        assert_eq!(fs::read_to_string(&journal).unwrap(), "dear diary");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.txt");
        let (journal, secret) = (journal_of(&target), folder.path().join("secret"));
        for text in ["", MAGIC] {
            fs::write(&secret, text).unwrap();
            std::os::unix::fs::symlink(&secret, &journal).unwrap();
            assert!(matches!(open(&target, &Json::Null), Err(OutputError::NotOurs(_))));
            assert_eq!(fs::read_to_string(&secret).unwrap(), text);
            fs::remove_file(&journal).unwrap();
        }
        assert!(std::process::Command::new("mkfifo").arg(&journal).status().unwrap().success());
        assert!(matches!(open(&target, &Json::Null), Err(OutputError::NotOurs(_))));
    }
}
