//! Locks between processes: two runs into one output would mix or lose their work.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};

use super::files::{OutputError, is_at, is_special, place_of};

/// The right to write an output that is replaced again and again: `NAME.lock` beside it, locked as long as this lives
/// and removed afterwards. A lock that a killed process has left is free.
#[derive(Debug)]
pub struct OutputLock {
    path: PathBuf,
    file: Option<LockedFile>,
}

impl OutputLock {
    /// The lock of the output `target`. A device or a pipe needs none.
    ///
    /// # Errors
    /// [`OutputError::Busy`] if another process has it, and a lock that cannot be made.
    pub fn of(target: &Path) -> Result<OutputLock, OutputError> {
        let place = place_of(target);
        let mut name = place.file_name().map_or_else(OsString::new, OsString::from);
        name.push(".lock");
        let path = place.with_file_name(name);
        if is_special(target) {
            return Ok(OutputLock { path, file: None });
        }
        // A lock is empty: a file of that name with something in it is somebody's.
        if fs::metadata(&path).is_ok_and(|found| found.len() > 0) {
            return Err(OutputError::NotOurs(path));
        }
        match claim(&path) {
            Err(OutputError::Busy(_)) => Err(OutputError::Busy(target.to_path_buf())),
            claimed => Ok(OutputLock { file: Some(claimed?), path }),
        }
    }
}

impl Drop for OutputLock {
    fn drop(&mut self) {
        if self.file.is_some() {
            // Removed while it is held: whoever waits for it finds out that it is no longer at its place.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A file with a lock on it, given back at the end of its life.
#[derive(Debug)]
pub(crate) struct LockedFile(File);

impl Drop for LockedFile {
    fn drop(&mut self) {
        // Closing is not enough: a program that another thread starts at this moment has a copy of the file until it
        // runs, and with it the lock.
        let _ = self.0.unlock();
    }
}

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for LockedFile {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

/// The journal or the lock at `path`, locked: a new file, or a regular one that is there.
pub(crate) fn claim(path: &Path) -> Result<LockedFile, OutputError> {
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
            return Ok(LockedFile(file));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_the_file_in_another_program_keeps_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("values.txt.journal");
        let file = claim(&path).unwrap();
        // What a program has that is being started: the same open file.
        let copy = file.try_clone().unwrap();
        assert!(matches!(claim(&path), Err(OutputError::Busy(_))));
        drop(file);
        assert!(claim(&path).is_ok());
        drop(copy);
    }

    #[test]
    fn an_output_has_one_writer_and_keeps_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("values.txt");
        let lock = OutputLock::of(&target).unwrap();
        let error = OutputLock::of(&target).unwrap_err();
        assert!(matches!(error, OutputError::Busy(ref path) if *path == target), "{error}");
        drop(lock);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        // What a killed process has left.
        fs::write(folder.path().join("values.txt.lock"), "").unwrap();
        assert!(OutputLock::of(&target).is_ok());
        fs::write(folder.path().join("values.txt.lock"), "mine").unwrap();
        assert!(matches!(OutputLock::of(&target), Err(OutputError::NotOurs(_))));
        assert_eq!(fs::read(folder.path().join("values.txt.lock")).unwrap(), b"mine");
    }
}
