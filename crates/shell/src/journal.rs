//! Output that grows, and goes on after an interruption.
//!
//! The output grows as `NAME.part`, one finished piece at a time. Beside it `NAME.journal` records, a line a
//! piece, where each piece ends. A run that finds both continues after the last piece that both know; a
//! piece that was written in part is cut off. At the end the output takes its name and the journal goes.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::files::OutputError;

/// An output in progress.
#[derive(Debug)]
pub struct GrowingFile {
    target: PathBuf,
    part: File,
    journal: File,
    length: u64,
}

impl GrowingFile {
    /// Opens the output `target`, or continues it if its journal was begun by the same `task`. Returns the
    /// notes on the pieces that it has already.
    ///
    /// # Errors
    /// [`OutputError::Io`] if the files cannot be written.
    pub fn open(target: &Path, task: &Json) -> Result<(GrowingFile, Vec<Json>), OutputError> {
        let named = |path: &Path| {
            let path = path.to_path_buf();
            move |source| OutputError::Io { path, source }
        };
        let (part_path, journal_path) = (beside(target, ".part"), beside(target, ".journal"));
        let open = |path: &Path| {
            let mut options = OpenOptions::new();
            options
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(path)
                .map_err(named(path))
        };
        let (mut part, mut journal) = (open(&part_path)?, open(&journal_path)?);
        let written = part.metadata().map_err(named(&part_path))?.len();
        let mut text = String::new();
        // A journal that is no text is not ours: it begins anew.
        let _ = journal.read_to_string(&mut text);
        let (mut notes, mut kept, mut length) = (Vec::new(), 0, 0);
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let is_whole = line.ends_with('\n');
            let Ok(entry) = serde_json::from_str::<Json>(line) else { break };
            let end = entry["end"].as_u64().unwrap_or(u64::MAX);
            if !is_whole || number == 0 && entry != *task || number > 0 && end > written {
                break;
            }
            kept += line.len() as u64;
            if number > 0 {
                length = end;
                notes.push(entry["note"].clone());
            }
        }
        part.set_len(length)
            .and_then(|()| part.seek(SeekFrom::End(0)))
            .map_err(named(&part_path))?;
        journal
            .set_len(kept)
            .and_then(|()| journal.seek(SeekFrom::End(0)))
            .map_err(named(&journal_path))?;
        if kept == 0 {
            writeln!(journal, "{task}").map_err(named(&journal_path))?;
        }
        let target = target.to_path_buf();
        Ok((GrowingFile { target, part, journal, length }, notes))
    }

    /// Adds a finished piece with a note on it.
    ///
    /// # Errors
    /// A full disk. The piece does not count then.
    pub fn add(&mut self, piece: &str, note: &Json) -> io::Result<()> {
        self.part.write_all(piece.as_bytes())?;
        self.length += piece.len() as u64;
        let line = json!({ "end": self.length, "note": note });
        self.journal.write_all(format!("{line}\n").as_bytes())
    }

    /// Writes the end of the output, which has no note: a run that is interrupted before
    /// [`GrowingFile::finish`] writes it again.
    ///
    /// # Errors
    /// A full disk.
    pub fn write(&mut self, end: &str) -> io::Result<()> {
        self.part.write_all(end.as_bytes())
    }

    /// Gives the complete output its name.
    ///
    /// # Errors
    /// [`OutputError::Io`] if it cannot be renamed.
    pub fn finish(self) -> Result<(), OutputError> {
        let GrowingFile { target, part, .. } = self;
        let named = |source| OutputError::Io { path: target.clone(), source };
        part.sync_all().map_err(named)?;
        drop(part);
        let place = target.canonicalize().unwrap_or_else(|_| target.clone());
        fs::rename(beside(&target, ".part"), place).map_err(named)?;
        fs::remove_file(beside(&target, ".journal")).map_err(named)
    }
}

/// The path with `ending` added to its name.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_os_string();
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_on_after_its_last_whole_piece() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.txt");
        let task = json!({ "task": 1 });
        let (mut file, notes) = GrowingFile::open(&target, &task).unwrap();
        assert!(notes.is_empty());
        file.add("one\n", &json!("first")).unwrap();
        file.add("two\n", &json!("second")).unwrap();
        // Killed while the third piece was being written.
        file.part.write_all(b"thr").unwrap();
        file.journal.write_all(b"{\"end\":1").unwrap();
        drop(file);
        let (mut file, notes) = GrowingFile::open(&target, &task).unwrap();
        assert_eq!(notes, [json!("first"), json!("second")]);
        file.add("three\n", &json!("third")).unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "one\ntwo\nthree\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else stays");
    }

    #[test]
    fn another_task_begins_anew() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.txt");
        let (mut file, _) = GrowingFile::open(&target, &json!({ "task": 1 })).unwrap();
        file.add("one\n", &Json::Null).unwrap();
        drop(file);
        let (file, notes) = GrowingFile::open(&target, &json!({ "task": 2 })).unwrap();
        assert!(notes.is_empty());
        file.finish().unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "");
    }
}
