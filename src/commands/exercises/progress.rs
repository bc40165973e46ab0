//! What a person knows of which exercise, and when it is asked again: one file of text beside the games.
//!
//! Whoever solves an exercise at the first try sees it again later and later (Leitner's boxes; the intervals grow about
//! twofold, as in Woźniak's SM-2 of 1987).

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use tempfile::NamedTempFile;

use super::Exercise;
use crate::commands::play::texts::{FileError, Words};
use engine::input::{self, decode};
use shell::interrupt::unbroken;

/// Days until an exercise comes again, after so many first tries in a row that were right.
const INTERVALS: [u64; 7] = [0, 1, 3, 7, 16, 35, 75];
/// Name of the file.
const NAME: &str = "exercises.txt";
/// Its first line.
const HEAD: &str = "Ajedrecista, what is known of exercises, version 1";
/// Greatest size of the file in bytes: some hundred thousand exercises.
const MAX_BYTES: u64 = 1 << 24;
const SECONDS_A_DAY: u64 = 86_400;

/// What is known of one exercise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    /// The day on which it is due, counted from 1970.
    due: u64,
    /// First tries in a row that were right, as a place in [`INTERVALS`].
    streak: usize,
}

/// What is known of all exercises.
#[derive(Debug)]
pub struct Progress {
    path: PathBuf,
    /// By position.
    known: BTreeMap<String, Known>,
    /// False for a file that is not understood: it is never replaced.
    is_own: bool,
    words: Arc<Words>,
}

/// Today, in days since 1970 (UTC).
pub fn today() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs() / SECONDS_A_DAY)
}

impl Progress {
    /// What the file in this folder tells, and a remark if it cannot be used.
    pub fn in_folder(folder: &Path, words: &Arc<Words>) -> (Progress, Option<String>) {
        let path = folder.join(NAME);
        let (known, error) = match read(&path) {
            Ok(known) => (known, None),
            Err(FileError::System(error)) if error.kind() == io::ErrorKind::NotFound => {
                (BTreeMap::new(), None)
            }
            Err(error) => (BTreeMap::new(), Some(error)),
        };
        let is_own = error.is_none();
        let remark = error.map(|error| words.of_file("file.not-kept", &path, error));
        (Progress { path, known, is_own, words: Arc::clone(words) }, remark)
    }

    /// The exercises that are due on a day, at most `count`: the known ones first, then new ones by difficulty.
    pub fn due(&self, exercises: &[Exercise], day: u64, count: usize) -> Vec<Exercise> {
        let mut due: Vec<&Exercise> = Vec::new();
        for exercise in exercises {
            let is_due = self.known.get(&exercise.key()).is_none_or(|known| known.due <= day);
            if is_due && due.iter().all(|other| other.key() != exercise.key()) {
                due.push(exercise);
            }
        }
        let rank = |exercise: &&Exercise| {
            let known = self.known.get(&exercise.key()).map(|known| known.due);
            (known.is_none(), known, exercise.difficulty.unwrap_or(u32::MAX))
        };
        due.sort_by_key(rank);
        due.into_iter().take(count).cloned().collect()
    }

    /// Days until the next exercise is due; `None` if there is none.
    pub fn days_to_next(&self, exercises: &[Exercise], day: u64) -> Option<u64> {
        let due = exercises.iter().filter_map(|exercise| self.known.get(&exercise.key()));
        due.map(|known| known.due.saturating_sub(day)).min()
    }

    /// Notes an answer, and writes it down. Returns the days until the exercise comes again.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn note(&mut self, exercise: &Exercise, is_right: bool, day: u64) -> Result<u64, String> {
        let streak = self.known.get(&exercise.key()).map_or(0, |known| known.streak);
        let streak = if is_right { (streak + 1).min(INTERVALS.len() - 1) } else { 0 };
        let days = INTERVALS.get(streak).copied().unwrap_or(0);
        self.known.insert(exercise.key(), Known { due: day + days, streak });
        if !self.is_own {
            return Ok(days);
        }
        let named = |error| self.words.of_file("file", &self.path, error);
        unbroken(|| self.write()).map_err(named)?;
        Ok(days)
    }

    fn write(&self) -> io::Result<()> {
        let mut draft = NamedTempFile::new_in(self.path.parent().unwrap_or(Path::new(".")))?;
        writeln!(draft, "{HEAD}")?;
        for (key, Known { due, streak }) in &self.known {
            writeln!(draft, "{due} {streak} {key}")?;
        }
        draft.as_file().sync_data()?;
        draft.persist(&self.path).map(drop).map_err(|error| error.error)
    }
}

/// Reads the file. A file of another program or version is an error.
fn read(path: &Path) -> Result<BTreeMap<String, Known>, FileError> {
    // Nobody can name another file, as the reader of files would advise.
    if !fs::metadata(path)?.is_file() {
        return Err(FileError::Own("fault.not-regular"));
    }
    let bytes = input::read(path, MAX_BYTES)?;
    let text = decode(&bytes);
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return Err(FileError::Own("fault.other-version"));
    }
    Ok(lines.filter_map(entry).collect())
}

/// A line of the file; one that is damaged costs one exercise its place.
fn entry(line: &str) -> Option<(String, Known)> {
    let (due, rest) = line.split_once(' ')?;
    let (streak, key) = rest.split_once(' ')?;
    let streak: usize = streak.parse().ok()?;
    let known = Known { due: due.parse().ok()?, streak: streak.min(INTERVALS.len() - 1) };
    Some((key.to_string(), known))
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::texts::Lang;

    fn exercise(fen: &str, difficulty: u32) -> Exercise {
        let (name, reason) = (String::new(), String::new());
        Exercise {
            fen: fen.to_string(),
            best: Vec::new(),
            name,
            reason,
            difficulty: Some(difficulty),
        }
    }

    fn in_folder(folder: &Path) -> (Progress, Option<String>) {
        Progress::in_folder(folder, &Arc::new(Words::of(Lang::En)))
    }

    #[test]
    fn known_exercises_come_again_later_and_later() {
        let folder = tempfile::tempdir().unwrap();
        let (mut progress, remark) = in_folder(folder.path());
        assert!(remark.is_none());
        let all = [exercise("8/8/8/8 w - - 3 9", 1800), exercise("8/8/8/7k w - - 0 1", 900)];
        let due = progress.due(&all, 100, 10);
        assert_eq!(due[0].difficulty, Some(900), "the easy one first");
        let mut day = 100;
        for days in [1, 3, 7, 16, 35, 75, 75] {
            assert_eq!(progress.note(&all[0], true, day), Ok(days));
            assert!(!progress.due(&all, day, 10).contains(&all[0]));
            day += days;
            // As another run finds it.
            progress = in_folder(folder.path()).0;
            assert!(progress.due(&all, day, 10).contains(&all[0]));
        }
        assert_eq!(progress.note(&all[0], false, day), Ok(0));
        assert_eq!(progress.due(&all, day, 1), [all[0].clone()], "what was missed comes first");
        assert_eq!(progress.note(&all[0], true, day), Ok(1), "from the beginning");
    }

    #[test]
    fn a_foreign_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        fs::write(&path, "my notes").unwrap();
        let (mut progress, remark) = in_folder(folder.path());
        let remark = remark.unwrap();
        assert!(
            remark.ends_with("of another program or version; what you learn now is not kept"),
            "{remark}"
        );
        progress.note(&exercise("8/8/8/8 w - -", 1), true, 5).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "my notes");
        fs::write(&path, format!("{HEAD}\n12 99 8/8 w - -\nbroken\n")).unwrap();
        let (progress, _) = in_folder(folder.path());
        assert_eq!(progress.known.len(), 1);
    }

    #[test]
    fn a_folder_is_told_in_any_language() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(NAME)).unwrap();
        for (lang, end) in [
            (Lang::En, "exercises.txt: this is not a regular file; what you learn now is not kept"),
            (
                Lang::Es,
                "exercises.txt: esto no es un archivo normal; lo que aprendas ahora no se guarda",
            ),
        ] {
            let (_, remark) = Progress::in_folder(folder.path(), &Arc::new(Words::of(lang)));
            assert!(remark.as_ref().is_some_and(|remark| remark.ends_with(end)), "{remark:?}");
        }
    }
}
