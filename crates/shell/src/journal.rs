//! Output that grows, and goes on after an interruption.
//!
//! Until the output is complete, `NAME.journal` beside it has all its pieces, one a line, with a note on each.
//! Every line begins with the CRC-32 of the whole journal up to its end, so that a line which is damaged,
//! missing or doubled ends what is trusted: a run that finds a journal of its task goes on after the last
//! line before. The journal is locked while a run has it. A file of that name that is no journal, a link and
//! a pipe are refused and left alone; so is the unfinished work of another task, without `force`. A device or a
//! pipe as the output has no journal: it gets every piece at once.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::Crc;
use serde_json::{Value as Json, json};

use super::files::{FileKind, OutputError, OutputFile, is_special, place_of};
use super::lock::{LockedFile, claim};

/// The beginning of each journal, of whatever version …
const JOURNAL: &str = "ajedrecista journal ";
/// … and of those that this version writes.
const MAGIC: &str = "ajedrecista journal 2 ";
/// Hexadecimal digits of a checksum.
const DIGITS: usize = 8;
/// Greatest length of a line, in bytes: no game comes near it.
const MAX_LINE: u64 = 1 << 30;

/// An output in progress.
pub struct GrowingFile(Work);

enum Work {
    /// A device or a pipe.
    Direct(OutputFile),
    /// A file that is written when its journal is complete.
    Journal { target: PathBuf, kind: FileKind, journal: Journal },
}

/// The path of the journal of the output `target`.
pub fn journal_of(target: &Path) -> PathBuf {
    let mut name: OsString = place_of(target).into_os_string();
    name.push(".journal");
    PathBuf::from(name)
}

/// Refuses the output `target` if its journal would be one of `others`: an input or another output.
///
/// # Errors
/// [`OutputError::NotOurs`]
pub fn check<'a>(
    target: &Path,
    others: impl IntoIterator<Item = &'a Path>,
) -> Result<(), OutputError> {
    let journal = journal_of(target);
    match others.into_iter().any(|other| place_of(other) == journal) {
        true => Err(OutputError::NotOurs(journal)),
        false => Ok(()),
    }
}

impl GrowingFile {
    /// Opens the output `target` of this kind, or continues it if its journal was begun by the same `task`.
    /// With `force` the journal of another task is replaced. Returns the notes on the pieces that it has already.
    ///
    /// # Errors
    /// [`OutputError`] if the journal is something else, is in use by another run, or cannot be written.
    pub fn open(
        target: &Path,
        kind: FileKind,
        task: &Json,
        force: bool,
    ) -> Result<(GrowingFile, Vec<Json>), OutputError> {
        if is_special(target) {
            let output = OutputFile::create(target, kind, &[], force)?;
            return Ok((GrowingFile(Work::Direct(output)), Vec::new()));
        }
        let (journal, notes) = Journal::open(journal_of(target), task, force)?;
        Ok((GrowingFile(Work::Journal { target: target.to_path_buf(), kind, journal }), notes))
    }

    /// The path of its journal; `None` where every piece goes to the output at once.
    pub fn journal(&self) -> Option<&Path> {
        match &self.0 {
            Work::Direct(_) => None,
            Work::Journal { journal, .. } => Some(&journal.path),
        }
    }

    /// Adds a finished piece with a note on it.
    ///
    /// # Errors
    /// A full disk. The piece does not count then.
    pub fn add(&mut self, piece: &str, note: &Json) -> Result<(), OutputError> {
        match &mut self.0 {
            Work::Direct(output) => output.write_text(piece),
            Work::Journal { journal, .. } => journal.line(&json!({ "piece": piece, "note": note })),
        }
    }

    /// Writes the complete output, all pieces and `end`, in its place, and removes the journal.
    ///
    /// # Errors
    /// [`OutputError`] if the output cannot be written. The journal stays then.
    pub fn finish(self, end: &str) -> Result<(), OutputError> {
        match self.0 {
            Work::Direct(mut output) => {
                output.write_text(end)?;
                output.finish()
            }
            Work::Journal { target, kind, mut journal } => {
                // The target was accepted when the work began.
                let mut output = OutputFile::create(&target, kind, &[], true)?;
                journal.copy_to(&mut output)?;
                output.write_text(end)?;
                output.finish()?;
                fs::remove_file(&journal.path).map_err(|source| journal.named(source))
            }
        }
    }
}

/// A journal that is open and locked.
struct Journal {
    file: LockedFile,
    path: PathBuf,
    /// The checksum of all that it has.
    checksum: Crc,
}

impl Journal {
    /// Opens the journal at `path`, or begins it. Returns the notes on its pieces.
    fn open(path: PathBuf, task: &Json, force: bool) -> Result<(Journal, Vec<Json>), OutputError> {
        let file = claim(&path)?;
        let mut journal = Journal { file, path, checksum: Crc::new() };
        let mut beginning = Vec::new();
        (&mut *journal.file)
            .take(MAGIC.len() as u64)
            .read_to_end(&mut beginning)
            .map_err(|source| journal.named(source))?;
        if !beginning.is_empty() && !beginning.starts_with(JOURNAL.as_bytes()) {
            return Err(OutputError::NotOurs(journal.path));
        }
        let (kept, notes) = journal.read(task).map_err(|source| journal.named(source))?;
        if kept == 0 && !force && journal.has_pieces().map_err(|source| journal.named(source))? {
            return Err(OutputError::OtherTask(journal.path));
        }
        journal.cut_after(kept).map_err(|source| journal.named(source))?;
        if kept == 0 {
            journal.write(MAGIC.as_bytes())?;
            journal.line(task)?;
        }
        Ok((journal, notes))
    }

    fn named(&self, source: io::Error) -> OutputError {
        OutputError::Io { path: self.path.clone(), source }
    }

    /// The length of the lines that can be trusted, and the notes on the pieces. The checksum is that of these
    /// lines then.
    fn read(&mut self, task: &Json) -> io::Result<(u64, Vec<Json>)> {
        self.file.rewind()?;
        let mut lines = BufReader::new(&*self.file);
        let (mut kept, mut notes) = (0, Vec::new());
        let mut line = Vec::new();
        while next_line(&mut lines, &mut line)? {
            let Some((sum, content)) = parts_of(&line) else { break };
            let mut next = Crc::new();
            next.combine(&self.checksum);
            next.update(content);
            let Some(json) = content_of(&line) else { break };
            if sum != format!("{:08x}", next.sum()).as_bytes() || kept == 0 && json != *task {
                break;
            }
            if kept > 0 {
                notes.push(json["note"].clone());
            }
            kept += line.len() as u64;
            self.checksum = next;
        }
        Ok((kept, notes))
    }

    /// True if there is more than the line of the task.
    fn has_pieces(&mut self) -> io::Result<bool> {
        self.file.rewind()?;
        let mut lines = BufReader::new(&*self.file);
        let mut line = Vec::new();
        Ok(next_line(&mut lines, &mut line)? && next_line(&mut lines, &mut line)?)
    }

    fn cut_after(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length)).map(drop)
    }

    fn line(&mut self, content: &Json) -> Result<(), OutputError> {
        let content = content.to_string();
        self.checksum.update(content.as_bytes());
        // In one piece, so that a kill between two writes leaves no half line.
        self.write(format!("{:08x} {content}\n", self.checksum.sum()).as_bytes())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.file.write_all(bytes).map_err(|source| self.named(source))
    }

    /// Writes all pieces to `output`.
    fn copy_to(&mut self, output: &mut OutputFile) -> Result<(), OutputError> {
        self.file.rewind().map_err(|source| self.named(source))?;
        let mut lines = BufReader::new(&*self.file);
        let mut line = Vec::new();
        while next_line(&mut lines, &mut line).map_err(|source| self.named(source))? {
            let piece =
                content_of(&line).and_then(|json| Some(json.get("piece")?.as_str()?.to_string()));
            output.write_text(&piece.unwrap_or_default())?;
        }
        Ok(())
    }
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
        GrowingFile::open(target, JSON, task, false)
    }

    fn journal(file: &mut GrowingFile) -> &mut LockedFile {
        match &mut file.0 {
            Work::Journal { journal, .. } => &mut journal.file,
            Work::Direct(_) => panic!("a file has a journal"),
        }
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
        journal(&mut file).write_all(b"01234567 {\"piece\":\"th").unwrap();
        drop(file);
        let (mut file, notes) = open(&target, &task).unwrap();
        assert_eq!(notes, [json!("first"), json!("second")]);
        file.add("three\n", &json!("third")).unwrap();
        file.finish("end\n").unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "one\ntwo\nthree\nend\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else stays");
    }

    #[test]
    fn the_work_of_another_task_is_replaced_only_by_force() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.txt");
        let (first, second) = (json!({ "task": 1 }), json!({ "task": 2 }));
        drop(open(&target, &first).unwrap());
        // Nothing is finished yet, so that nothing is lost.
        let (mut file, _) = open(&target, &second).unwrap();
        file.add("two\n", &json!("second")).unwrap();
        drop(file);
        let refused = open(&target, &first).map(drop).unwrap_err();
        assert!(refused.to_string().contains("--force to begin anew"), "{refused}");
        assert_eq!(open(&target, &second).unwrap().1, [json!("second")]);
        let older = "ajedrecista journal 1 {\"task\":2}\n{\"piece\":\"two\"}\n";
        for text in [None, Some(older)] {
            text.into_iter().for_each(|text| fs::write(journal_of(&target), text).unwrap());
            assert!(matches!(open(&target, &first), Err(OutputError::OtherTask(_))));
            let (file, notes) = GrowingFile::open(&target, JSON, &first, true).unwrap();
            assert!(notes.is_empty());
            file.finish("").unwrap();
            assert_eq!(fs::read_to_string(&target).unwrap(), "");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_device_has_no_journal() {
        let (mut file, _) = open(Path::new("/dev/null"), &Json::Null).unwrap();
        assert!(matches!(file.0, Work::Direct(_)));
        file.add("one\n", &Json::Null).unwrap();
        file.finish("").unwrap();
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
                Err(OutputError::NotOurs(_) | OutputError::OtherTask(_)) => {
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
