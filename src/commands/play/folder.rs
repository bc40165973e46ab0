//! The folder of the records: a file for each unfinished game, and one for all finished games.
//!
//! A record is replaced as a whole after each move, so that a closed terminal, a full disk or a power cut
//! loses nothing; a signal that ends the program waits until it is in its place. It is locked while its game runs: several games in one folder have a file each. A file
//! that is no game is left alone, whatever its name.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tempfile::NamedTempFile;

use super::texts::{FileError, Words};
use engine::input;
use shell::files::is_at;
use shell::interrupt::unbroken;

/// Name of the file of all finished games.
const GAMES: &str = "games.pgn";
/// Tries to get the file of all games while another game is being added, and the pause between them.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(20);
/// Games that may be unfinished at a time.
const MOST_UNFINISHED: u32 = 10_000;

/// The folder of the records.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// True if the system names no folder for data, so that a person should hear of this one.
    pub is_makeshift: bool,
    /// True if another call of the program finds it unasked.
    is_usual: bool,
    /// The record of the present game, locked; `None` before its first move.
    record: Option<(PathBuf, File)>,
    words: Arc<Words>,
}

impl Folder {
    /// The folder `given`, or the usual one of the system for data of programs.
    ///
    /// # Errors
    /// A folder that does not exist and cannot be made.
    pub fn open(given: Option<PathBuf>, words: &Arc<Words>) -> Result<Folder, String> {
        let is_given = given.is_some();
        let found = given.or_else(usual);
        let is_makeshift = found.is_none();
        let is_usual = !is_given && !is_makeshift;
        let path = found.unwrap_or_else(|| PathBuf::from("ajedrecista"));
        let path = std::path::absolute(&path).unwrap_or(path);
        match fs::create_dir_all(&path) {
            Ok(()) => {
                let words = Arc::clone(words);
                Ok(Folder { path, is_makeshift, is_usual, record: None, words })
            }
            Err(error) => Err(words.of_file("file.folder", &path, error)),
        }
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The option that leads another call of the program here, as a shell reads it; nothing where it is not needed.
    pub fn option(&self) -> String {
        if self.is_usual {
            return String::new();
        }
        format!(" --folder {}", quoted(&self.path.display().to_string()))
    }

    fn record_path(&self, number: u32) -> PathBuf {
        let number = if number == 1 { String::new() } else { format!("-{number}") };
        self.path.join(format!("unfinished{number}.pgn"))
    }

    /// The unfinished games that no other process plays, with the remarks on files that cannot be read.
    pub fn unfinished(&self) -> (Vec<Unfinished>, Vec<String>) {
        let (mut games, mut remarks) = (Vec::new(), Vec::new());
        let paths = (1..=MOST_UNFINISHED).map(|number| self.record_path(number));
        // The first name that was never needed ends the search; a gap is filled by the next game.
        let mut missing = 0;
        for path in paths {
            if fs::symlink_metadata(&path).is_err() {
                missing += 1;
                if missing > 100 {
                    break;
                }
                continue;
            }
            match claim(&path) {
                Ok(Some((file, text))) => games.push(Unfinished { path, file, text }),
                Ok(None) => {}
                Err(error) => {
                    let fault = self.words.of_file("file", &path, error);
                    remarks.push(self.words.fill("left-alone", &[("fault", &fault)]));
                }
            }
        }
        (games, remarks)
    }

    /// Goes on with an unfinished game: its record is replaced from now on.
    pub fn take(&mut self, game: Unfinished) {
        self.record = Some((game.path, game.file));
    }

    /// Removes the record of an unfinished game.
    pub fn forget(&self, game: Unfinished) {
        if is_at(&game.file, &game.path) {
            // A record that has gone already need not be removed.
            let _ = fs::remove_file(game.path);
        }
    }

    /// Replaces the record of the present game, or begins it under a name that is free.
    ///
    /// # Errors
    /// A file that cannot be written, with its name. The record is as it was then.
    pub fn keep(&mut self, pgn: &str) -> Result<(), String> {
        let path =
            self.record.as_ref().map_or_else(|| self.record_path(1), |(path, _)| path.clone());
        let kept = unbroken(|| self.replace(pgn));
        kept.map_err(|error| self.words.of_file("file", &path, error))
    }

    fn replace(&mut self, pgn: &str) -> Result<(), FileError> {
        let mut draft = NamedTempFile::new_in(&self.path)?;
        draft.write_all(pgn.as_bytes())?;
        draft.as_file().sync_data()?;
        // Locked before it gets its name: there is no moment without a lock.
        if let Err(TryLockError::Error(error)) = draft.as_file().try_lock()
            && error.kind() != io::ErrorKind::Unsupported
        {
            return Err(error.into());
        }
        if let Some((path, file)) = self.record.take() {
            // The old lock goes after the new file has come, but where an open file cannot be replaced.
            let held = (!cfg!(windows)).then_some(file);
            let kept = draft.persist(&path);
            drop(held);
            self.record = Some((path, kept.map_err(|error| error.error)?));
            return Ok(());
        }
        for number in 1..=MOST_UNFINISHED {
            let path = self.record_path(number);
            match draft.persist_noclobber(&path) {
                Ok(file) => {
                    self.record = Some((path, file));
                    return Ok(());
                }
                Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                    draft = error.file;
                }
                Err(error) => return Err(error.error.into()),
            }
        }
        Err(FileError::Own("fault.too-many"))
    }

    /// Adds a finished game to all games, and removes the record of the present one. Returns the file.
    ///
    /// # Errors
    /// A file that cannot be written, with its name: it is as it was then, and the record stays.
    pub fn finish(&mut self, pgn: &str) -> Result<PathBuf, String> {
        let path = self.path.join(GAMES);
        unbroken(|| {
            append(&path, pgn).map_err(|error| self.words.of_file("file", &path, error))?;
            self.remove_record();
            Ok(path)
        })
    }

    /// Removes the record of the present game, if it has one.
    pub fn remove_record(&mut self) {
        if let Some((record, file)) = self.record.take()
            && is_at(&file, &record)
        {
            // A record that has gone already need not be removed.
            let _ = fs::remove_file(record);
        }
    }

    /// The path of the record of the present game.
    pub fn record(&self) -> Option<&Path> {
        self.record.as_ref().map(|(path, _)| path.as_path())
    }
}

/// A path as a shell reads it.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:,@".contains(c);
    match path.chars().all(|c| is_plain(c) || cfg!(windows) && c == '\\') {
        true => path.to_string(),
        false if cfg!(windows) => format!("\"{path}\""),
        false => format!("'{}'", path.replace('\'', "'\\''")),
    }
}

/// An unfinished game, locked.
#[derive(Debug)]
pub struct Unfinished {
    /// Its file.
    pub path: PathBuf,
    file: File,
    /// Its text.
    pub text: String,
}

/// Locks the record at `path` and reads it; `None` if another process plays the game, or it has just ended.
fn claim(path: &Path) -> Result<Option<(File, String)>, FileError> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(FileError::Own("fault.not-regular"));
    }
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => {
            return Err(error.into());
        }
        _ => {}
    }
    // The game's process may have replaced the file after it was opened.
    if !is_at(&file, path) {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    (&file).take(input::LARGEST_TEXT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > input::LARGEST_TEXT {
        return Err(FileError::Own("fault.too-large"));
    }
    input::refuse_wide(&bytes)?;
    Ok(Some((file, input::decode(input::without_mark(&bytes)).into_owned())))
}

/// Adds a game to the file at `path`, whole or not at all.
fn append(path: &Path, pgn: &str) -> Result<(), FileError> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(FileError::Own("fault.move-away"));
    }
    let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
    let mut tries = 0;
    while let Err(TryLockError::WouldBlock) = file.try_lock() {
        tries += 1;
        if tries > TRIES {
            return Err(FileError::Own("fault.locked"));
        }
        thread::sleep(PAUSE);
    }
    let before = file.metadata()?.len();
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(before.saturating_sub(2)))?;
    (&mut file).take(2).read_to_end(&mut end)?;
    // Another program may have left no empty line between two games.
    let gap = match end.as_slice() {
        b"" | b"\n\n" => "",
        [.., b'\n'] => "\n",
        _ => "\n\n",
    };
    let written =
        file.write_all(format!("{gap}{pgn}\n").as_bytes()).and_then(|()| file.sync_data());
    if written.is_err() {
        // A full disk: half a game would spoil the next one.
        file.set_len(before)?;
    }
    Ok(written?)
}

/// The usual folder for data of programs on this system; `None` if the system names none.
fn usual() -> Option<PathBuf> {
    let folder = |name: &str| {
        let path: Option<OsString> = std::env::var_os(name);
        path.map(PathBuf::from).filter(|path| path.is_absolute())
    };
    let home = || folder("HOME").map(|home| home.join(".local").join("share"));
    let base = folder("XDG_DATA_HOME").or_else(|| folder("APPDATA")).or_else(home);
    base.map(|base| base.join("ajedrecista"))
}

/// Writes `pgn` to a new file, whole or not at all.
///
/// # Errors
/// A file that exists, or cannot be written.
pub fn save(path: &Path, pgn: &str, words: &Words) -> Result<(), String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let write = || {
        let mut draft = NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
        draft.write_all(pgn.as_bytes())?;
        draft.persist_noclobber(path).map(drop).map_err(|error| error.error)
    };
    unbroken(write).map_err(|error| words.of_file("file.choose-new", path, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::texts::Lang;

    fn open(path: PathBuf) -> Result<Folder, String> {
        Folder::open(Some(path), &Arc::new(Words::of(Lang::En)))
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn an_unfinished_game_is_kept_until_it_is_finished() {
        let place = tempfile::tempdir().unwrap();
        let mut folder = open(place.path().join("new")).unwrap();
        assert!(folder.unfinished().0.is_empty());
        folder.keep("one").unwrap();
        folder.keep("two").unwrap();
        assert_eq!(fs::read_to_string(folder.record().unwrap()).unwrap(), "two");
        let games = folder.finish("three\n").unwrap();
        folder.finish("four\n").unwrap();
        assert_eq!(fs::read_to_string(games).unwrap(), "three\n\nfour\n\n");
        assert_eq!(names(folder.path()), ["games.pgn"]);
    }

    #[test]
    fn each_game_has_its_own_record() {
        let place = tempfile::tempdir().unwrap();
        let open = || open(place.path().to_path_buf()).unwrap();
        let (mut first, mut second) = (open(), open());
        first.keep("first").unwrap();
        second.keep("second").unwrap();
        assert!(open().unfinished().0.is_empty(), "both are being played");
        second.finish("over\n").unwrap();
        assert_eq!(names(place.path()), ["games.pgn", "unfinished.pgn"]);
        first.keep("first goes on").unwrap();
        drop(first);
        let (mut games, remarks) = open().unfinished();
        let game = games.pop().unwrap();
        assert_eq!((game.text.as_str(), remarks.len()), ("first goes on", 0));
    }

    #[test]
    #[cfg(unix)]
    fn another_call_is_led_to_a_folder_of_one_s_own() {
        let place = tempfile::tempdir().unwrap();
        let option = |name: &str| open(place.path().join(name)).unwrap().option();
        let root = place.path().display();
        assert_eq!(option("games"), format!(" --folder {root}/games"));
        assert_eq!(option("my games"), format!(" --folder '{root}/my games'"));
        assert_eq!(option("Ann's"), format!(" --folder '{root}/Ann'\\''s'"));
        let folder = open(place.path().join("games")).unwrap();
        assert_eq!(Folder { is_usual: true, ..folder }.option(), "");
    }

    #[test]
    fn errors_have_words_and_no_numbers() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("game.pgn");
        let [english, spanish] = Lang::ALL.map(Words::of);
        save(&file, "1. e4 *", &english).unwrap();
        let errors = [
            save(&file, "1. d4 *", &english).unwrap_err(),
            save(&place.path().join("none").join("game.pgn"), "1. d4 *", &english).unwrap_err(),
            open(file.join("inside")).unwrap_err(),
        ];
        assert!(errors[0].contains("already") && errors[1].contains("no such"), "{errors:?}");
        assert!(errors.iter().all(|error| !error.contains("os error")), "{errors:?}");
        let error = save(&file, "1. d4 *", &spanish).unwrap_err();
        assert!(
            error.ends_with("ya hay un archivo con este nombre; elige un archivo nuevo"),
            "{error}"
        );
    }

    #[test]
    fn other_files_are_left_alone() {
        let place = tempfile::tempdir().unwrap();
        let mut folder = open(place.path().to_path_buf()).unwrap();
        fs::create_dir(place.path().join("unfinished.pgn")).unwrap();
        fs::write(place.path().join("unfinished-2.pgn"), b"[White \"R\xe9ti\"]\n1. e4 *").unwrap();
        let (games, remarks) = folder.unfinished();
        assert!(games[0].text.contains("Réti") && remarks.len() == 1, "{remarks:?}");
        assert!(
            remarks[0].ends_with("this is not a regular file; it is left alone"),
            "{remarks:?}"
        );
        folder.keep("new").unwrap();
        assert!(folder.record().unwrap().ends_with("unfinished-3.pgn"));
        fs::write(place.path().join("games.pgn"), "1. e4 *").unwrap();
        folder.finish("new\n").unwrap();
        let games = fs::read_to_string(place.path().join("games.pgn")).unwrap();
        assert_eq!(games, "1. e4 *\n\nnew\n\n");
    }
}
