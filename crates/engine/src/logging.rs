//! What the engine tells of its work to somebody who looks for a fault: lines by target and level, on standard error
//! and in the file of the option `Debug Log File`.
//!
//! A backend of the `log` crate, which allows one logger per process: the only piece of global state. While nobody
//! listens the level is off, and a line costs one comparison. A line is written where a move, an iteration or a file
//! begins or ends, never at a node.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::str::FromStr;
use std::sync::{PoisonError, RwLock};
use std::thread;
use web_time::{SystemTime, UNIX_EPOCH};

use log::{LevelFilter, Log, Metadata, Record};

use crate::input::printable;

/// The conversation with the client: every line, at `info`.
pub const UCI: &str = "uci";
/// The search: its limits, its iterations, and why it ended, at `debug`; searches beyond a window at `trace`.
pub const SEARCH: &str = "search";
/// The book: its file at `info`, its move or why it has none at `debug`, all its moves at `trace`.
pub const BOOK: &str = "book";
/// The endgame tables: those found at `info`, their advice at the root at `debug`, each move's result at `trace`.
pub const TABLEBASE: &str = "tablebase";
/// The levels and the limited strength: the decision on a move at `debug`, what a beginner notices at `trace`.
pub const LEVELS: &str = "levels";

/// All targets.
const TARGETS: [&str; 5] = [UCI, SEARCH, BOOK, TABLEBASE, LEVELS];

/// What a log file takes where no filter says it.
const LEVEL_OF_FILES: LevelFilter = LevelFilter::Debug;

/// Which lines are written: a level for each target, in the order of `TARGETS`, and one for other crates.
///
/// ```
/// use engine::logging::Filter;
///
/// let filter: Filter = "search=debug,book=trace".parse()?;
/// assert_ne!(filter, "search=debug".parse()?);
/// assert!("serch=debug".parse::<Filter>().is_err());
/// # Ok::<_, engine::logging::FilterError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    targets: [LevelFilter; TARGETS.len()],
    others: LevelFilter,
}

/// A filter that cannot be read. The text names the word and the valid ones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no part of a filter; write a level (error, warn, info, debug, trace, off), or TARGET=LEVEL with one of \
     the targets {targets}, separated by commas",
    targets = TARGETS.join(", ")
)]
pub struct FilterError(String);

impl Default for Filter {
    /// Nothing.
    fn default() -> Filter {
        Filter::all(LevelFilter::Off)
    }
}

impl Filter {
    /// This level for everything.
    const fn all(level: LevelFilter) -> Filter {
        Filter { targets: [level; TARGETS.len()], others: level }
    }

    /// The level of a target.
    fn of(&self, target: &str) -> LevelFilter {
        let known = TARGETS.iter().position(|known| *known == target);
        known.map_or(self.others, |known| self.targets[known])
    }

    /// The most talkative level.
    fn most(&self) -> LevelFilter {
        self.targets.into_iter().fold(self.others, Ord::max)
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    /// Reads `debug`, `search=debug,book=trace` or `warn,search=trace`. A target alone shows all its lines.
    fn from_str(text: &str) -> Result<Filter, FilterError> {
        let words = || text.split(',').map(str::trim).filter(|word| !word.is_empty());
        let mut filter = Filter::default();
        // A level without a target stands for all that no other word names, wherever it is written.
        for level in words().filter_map(|word| word.parse().ok()) {
            filter = Filter::all(level);
        }
        for word in words().filter(|word| word.parse::<LevelFilter>().is_err()) {
            let (target, level) = word.split_once('=').unwrap_or((word, "trace"));
            let known = TARGETS.iter().position(|known| *known == target.trim());
            match (known, level.trim().parse()) {
                (Some(known), Ok(level)) => filter.targets[known] = level,
                _ => return Err(FilterError(word.to_string())),
            }
        }
        Ok(filter)
    }
}

/// Where the lines go.
struct Destinations {
    /// The lines on standard error, and in the file as well.
    filter: Option<Filter>,
    file: Option<File>,
}

struct Logger(RwLock<Destinations>);

static LOGGER: Logger = Logger(RwLock::new(Destinations { filter: None, file: None }));

/// Writes the lines that pass `filter` to standard error from now on, and to a log file too.
pub fn to_stderr(filter: Filter) {
    LOGGER.change(|to| to.filter = Some(filter));
}

/// Appends to the file at `path` from now on: the conversation, and what the filter for standard error lets
/// through; without a filter all but `trace`. An empty path ends it.
///
/// # Errors
/// A file that cannot be opened. The current file stays open.
pub fn to_file(path: &str) -> io::Result<()> {
    let file = match path {
        "" => None,
        path => Some(open_regular(path)?),
    };
    LOGGER.change(|to| to.file = file);
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

impl Destinations {
    /// The level of `target` on standard error.
    fn level_on_stderr(&self, target: &str) -> LevelFilter {
        self.filter.as_ref().map_or(LevelFilter::Off, |filter| filter.of(target))
    }

    /// The level of `target` in the file.
    fn level_in_file(&self, target: &str) -> LevelFilter {
        let level = self.filter.as_ref().map_or(LEVEL_OF_FILES, |filter| filter.of(target));
        match (&self.file, target) {
            (None, _) => LevelFilter::Off,
            (Some(_), UCI) => level.max(LevelFilter::Info),
            (Some(_), _) => level,
        }
    }

    /// The most talkative level that anybody takes.
    fn most(&self) -> LevelFilter {
        let in_file = TARGETS.into_iter().map(|target| self.level_in_file(target));
        let on_stderr = self.filter.as_ref().map_or(LevelFilter::Off, Filter::most);
        in_file.fold(on_stderr, Ord::max)
    }
}

impl Logger {
    fn change(&'static self, change: impl FnOnce(&mut Destinations)) {
        let mut to = self.0.write().unwrap_or_else(PoisonError::into_inner);
        change(&mut to);
        // A second call finds the logger installed.
        let _ = log::set_logger(self);
        log::set_max_level(to.most());
    }
}

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata) -> bool {
        let to = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let target = metadata.target();
        metadata.level() <= to.level_on_stderr(target).max(to.level_in_file(target))
    }

    /// Writes one line: the time in seconds since 1970, level, target and thread, and the message.
    fn log(&self, record: &Record) {
        let to = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let (level, target) = (record.level(), record.target());
        let goes_out = level <= to.level_on_stderr(target);
        let file = to.file.as_ref().filter(|_| level <= to.level_in_file(target));
        if !goes_out && file.is_none() {
            return;
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let thread = thread::current();
        let thread = thread.name().unwrap_or("unnamed");
        // One line, whatever a client has sent.
        let message = printable(&record.args().to_string(), usize::MAX);
        let line = format!("{:.3} {level:5} {target} ({thread}) {message}\n", now.as_secs_f64());
        // One call for a line, so that threads do not mix theirs. A full disk or a closed pipe must not end a game.
        if goes_out {
            let _ = io::stderr().write_all(line.as_bytes());
        }
        if let Some(mut file) = file {
            let _ = file.write_all(line.as_bytes());
        }
    }

    fn flush(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(text: &str) -> Filter {
        text.parse().unwrap()
    }

    #[test]
    fn a_level_alone_is_for_everything_that_no_other_word_names() {
        let filter = filter(" search=trace , info,book ");
        let levels = ["search", "book", "levels", "mio"].map(|target| filter.of(target));
        let (info, trace) = (LevelFilter::Info, LevelFilter::Trace);
        assert_eq!(levels, [trace, trace, info, info]);
        assert_eq!(filter.most(), trace);
    }

    #[test]
    fn an_empty_filter_is_off() {
        assert_eq!([filter("").most(), filter(" , ").most()], [LevelFilter::Off; 2]);
    }

    #[test]
    fn a_wrong_word_is_named_with_the_right_ones() {
        for (text, word) in
            [("serch=debug", "serch=debug"), ("info,book=loud", "book=loud"), ("7", "7")]
        {
            let error = text.parse::<Filter>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("{word:?} is no part")), "{error}");
            assert!(error.contains("debug") && error.contains("tablebase"), "{error}");
        }
    }

    #[test]
    fn a_file_takes_the_conversation_whatever_the_filter_says() {
        let file = Some(tempfile::tempfile().unwrap());
        let mut to = Destinations { filter: Some(filter("search=trace")), file };
        let levels = |to: &Destinations| [UCI, SEARCH, BOOK].map(|target| to.level_in_file(target));
        let (off, info, trace) = (LevelFilter::Off, LevelFilter::Info, LevelFilter::Trace);
        assert_eq!(levels(&to), [info, trace, off]);
        to.filter = None;
        assert_eq!(levels(&to), [LEVEL_OF_FILES; 3]);
        to.file = None;
        assert_eq!(levels(&to), [off; 3]);
    }
}
