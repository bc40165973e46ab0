//! The option `Debug Log File`: all input and output in a file, with times.
//!
//! A backend of the `log` crate, which allows one logger per process: the only piece of global state. While
//! no file is open the log level is off and costs nothing.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use web_time::{SystemTime, UNIX_EPOCH};

use log::{LevelFilter, Log, Metadata, Record};

struct LogFile(Mutex<Option<File>>);

static LOG_FILE: LogFile = LogFile(Mutex::new(None));

/// Appends to the file at `path` from now on; an empty path ends the logging.
///
/// # Errors
/// A file that cannot be opened. The current file stays open.
pub fn open(path: &str) -> io::Result<()> {
    let file = match path {
        "" => None,
        path => Some(open_regular(path)?),
    };
    let level = if file.is_some() { LevelFilter::Info } else { LevelFilter::Off };
    *LOG_FILE.0.lock().unwrap_or_else(PoisonError::into_inner) = file;
    // A second call finds the logger installed.
    let _ = log::set_logger(&LOG_FILE);
    log::set_max_level(level);
    Ok(())
}

/// Opens a regular file for appending, or makes it: a pipe would block the session.
fn open_regular(path: &str) -> io::Result<File> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        let error = "this is not a regular file; name another";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, error));
    }
    OpenOptions::new().create(true).append(true).open(path)
}

impl Log for LogFile {
    fn enabled(&self, _metadata: &Metadata) -> bool {
        true
    }

    /// Writes one line: the time in seconds since 1970, and the message.
    fn log(&self, record: &Record) {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = file.as_mut() {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            // A full disk must not end a game.
            let _ = writeln!(file, "{:.3} {}", now.as_secs_f64(), record.args());
        }
    }

    fn flush(&self) {}
}
