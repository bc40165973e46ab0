//! Progress of a long command on standard error: a bar in a terminal, an occasional line elsewhere.

use std::env;
use std::io::{self, IsTerminal, Read, Write};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::thread;
use std::time::{Duration, Instant};

use engine::input::{printable_text, without_codes};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Interval of the lines where no bar can be shown.
const LINE_INTERVAL: Duration = Duration::from_secs(30);
/// Interval at which the elapsed time of a bar is redrawn.
const TICK: Duration = Duration::from_millis(500);

/// Writes lines for a person to standard error, without control characters from files. Where nobody reads it, it is lost, and the work goes on.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{}", printable_text(&without_codes(text)));
}

/// The unit that progress is counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Things of this name, in the plural: `games`, `positions`.
    Count(&'static str),
    /// Bytes of input.
    Bytes,
}

/// Progress of one command. Shared between threads.
pub struct Progress {
    bar: ProgressBar,
    /// The time of the last line; `None` in a terminal.
    last_line: Option<Mutex<Instant>>,
    unit: Unit,
}

impl Progress {
    /// Progress towards `total` of `unit`.
    pub fn new(total: u64, unit: Unit) -> Progress {
        let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_terminal = io::stderr().is_terminal() && !is_dumb;
        let count = match unit {
            Unit::Count(name) => format!("{{pos}}/{{len}} {name}"),
            Unit::Bytes => "{bytes}/{total_bytes}".to_string(),
        };
        // The message alone is cut to the width of the terminal, so that a narrow one shows the numbers.
        let template = format!("{count} {{bar:12}} {{elapsed}}, {{eta}} left {{wide_msg}}");
        let style = ProgressStyle::with_template(&template)
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let target =
            if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(total), target).with_style(style);
        // The ticker needs a thread, and panics where the system grants none.
        if is_terminal && thread::Builder::new().spawn(|| ()).is_ok() {
            bar.enable_steady_tick(TICK);
        }
        let last_line = (!is_terminal).then(|| Mutex::new(Instant::now()));
        Progress { bar, last_line, unit }
    }

    /// Adds `steps` to the progress.
    pub fn add(&self, steps: u64) {
        self.bar.inc(steps);
        self.write_line_if_due();
    }

    /// Shows `text` beside the bar.
    pub fn message(&self, text: impl Into<String>) {
        self.bar.set_message(text.into());
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.bar.elapsed()
    }

    /// Writes a remark to standard error without disturbing the bar.
    pub fn remark(&self, text: &str) {
        self.bar.suspend(|| note(text));
    }

    /// Counts the bytes that are read from `source`.
    pub fn count_bytes<R: Read>(&self, source: R) -> impl Read + use<R> {
        self.bar.wrap_read(source)
    }

    fn write_line_if_due(&self) {
        let Some(last_line) = &self.last_line else { return };
        let mut last_line = last_line.lock().unwrap_or_else(PoisonError::into_inner);
        if last_line.elapsed() < LINE_INTERVAL {
            return;
        }
        *last_line = Instant::now();
        let (done, total) = (self.bar.position(), self.bar.length().unwrap_or_default());
        let unit = match self.unit {
            Unit::Count(name) => name,
            Unit::Bytes => "bytes",
        };
        let left = self.bar.eta().as_secs();
        note(&format!("{done}/{total} {unit}, {left} s left {}", self.bar.message()));
    }
}

impl Drop for Progress {
    /// Removes the bar.
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_due_when_its_interval_is_over() {
        for (age, is_due) in [(0, false), (20, false), (31, true), (300, true)] {
            let last = Instant::now() - Duration::from_secs(age);
            let mut progress = Progress::new(10, Unit::Count("games"));
            progress.last_line = Some(Mutex::new(last));
            progress.add(1);
            let is_written = *progress.last_line.as_ref().unwrap().lock().unwrap() != last;
            assert_eq!(is_written, is_due, "{age} s");
        }
    }
}
