//! Progress of a long command on standard error: a bar in a terminal, an occasional line elsewhere.

use std::env;
use std::io::{self, IsTerminal, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use engine::input::{printable_text, without_codes};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::interrupt;
use crate::texts::{Lang, own};

/// Interval of the lines where no bar can be shown.
const LINE_INTERVAL: Duration = Duration::from_secs(30);
/// Time of work after which it tells how long the rest takes.
const TELLING: Duration = Duration::from_secs(3);
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
    /// Steps that mean nothing to a person: the share of them in per cent.
    Share,
}

/// Progress of one command. Shared between threads.
pub struct Progress {
    bar: ProgressBar,
    /// The lines where no bar can be shown; `None` in a terminal.
    lines: Option<Mutex<Lines>>,
    unit: Unit,
    lang: Lang,
    /// What an earlier run had done: it says nothing of the pace.
    before: Arc<AtomicU64>,
}

/// Lines from time to time.
struct Lines {
    /// The time of the last one.
    last: Instant,
    write: Box<dyn FnMut(&str) + Send>,
}

impl Progress {
    /// Progress towards `total` of `unit`, in English.
    pub fn new(total: u64, unit: Unit) -> Progress {
        Progress::of(total, unit, Lang::En)
    }

    /// Progress towards `total` of `unit`, whose name is one of the language.
    pub fn of(total: u64, unit: Unit, lang: Lang) -> Progress {
        let lines = Lines { last: Instant::now(), write: Box::new(note) };
        Progress::with(total, unit, lang, Some(lines).filter(|_| !has_bars()))
    }

    /// The same in a conversation, where nothing may stand between what is said: nothing is shown where no bar can be.
    pub fn bar_alone(total: u64, unit: Unit, lang: Lang) -> Progress {
        Progress::with(total, unit, lang, None)
    }

    fn with(total: u64, unit: Unit, lang: Lang, lines: Option<Lines>) -> Progress {
        let count = match unit {
            Unit::Count(name) => format!("{{pos}}/{{len}} {name}"),
            Unit::Bytes => "{bytes}/{total_bytes}".to_string(),
            Unit::Share => "{percent} %".to_string(),
        };
        let before = Arc::new(AtomicU64::new(0));
        let known = Arc::clone(&before);
        let left = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let steps = (known.load(Ordering::Relaxed), state.pos(), state.len());
            let _ = out.write_str(&left(state.elapsed(), steps, lang));
        };
        // The message alone is cut to the width of the terminal, so that a narrow one shows the numbers.
        let template = format!("{count} {{bar:12}} {{elapsed}}{{left}} {{wide_msg}}");
        let style = ProgressStyle::with_template(&template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .with_key("left", left);
        let has_bar = lines.is_none() && has_bars();
        let target =
            if has_bar { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(total), target).with_style(style);
        if has_bar {
            // A signal leaves no half line behind, where the shell's next one would begin. Asked for before the bar is drawn:
            // a signal may come right after.
            let shown = bar.downgrade();
            interrupt::at_end(move || {
                shown.upgrade().into_iter().for_each(|bar| bar.finish_and_clear());
            });
        }
        // The ticker needs a thread, and panics where the system grants none.
        if has_bar && thread::Builder::new().spawn(|| ()).is_ok() {
            bar.enable_steady_tick(TICK);
        }
        Progress { bar, lines: lines.map(Mutex::new), unit, lang, before }
    }

    /// Adds `steps` to the progress.
    pub fn add(&self, steps: u64) {
        self.bar.inc(steps);
        self.write_line_if_due();
    }

    /// Adds `steps` that an earlier run had done.
    pub fn resume(&self, steps: u64) {
        self.before.fetch_add(steps, Ordering::Relaxed);
        self.bar.inc(steps);
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
        let Some(lines) = &self.lines else { return };
        let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.last.elapsed() < LINE_INTERVAL {
            return;
        }
        lines.last = Instant::now();
        let (done, total) = (self.bar.position(), self.bar.length().unwrap_or_default());
        let count = match self.unit {
            Unit::Count(name) => format!("{done}/{total} {name}"),
            Unit::Bytes => format!("{done}/{total} bytes"),
            Unit::Share => format!("{} %", done * 100 / total.max(1)),
        };
        let steps = (self.before.load(Ordering::Relaxed), done, Some(total));
        let left = left(self.bar.elapsed(), steps, self.lang);
        (lines.write)(format!("{count}{left} {}", self.bar.message()).trim_end());
    }
}

/// True if standard error can show a bar.
fn has_bars() -> bool {
    let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stderr().is_terminal() && !is_dumb
}

/// How long the rest takes at the mean pace of the work so far, in words; nothing before there is a pace. `steps` are those
/// of an earlier run, those done, and all.
fn left(elapsed: Duration, (before, done, total): (u64, u64, Option<u64>), lang: Lang) -> String {
    let (here, to_do) = (done.saturating_sub(before), total.unwrap_or(0).saturating_sub(done));
    if here == 0 || to_do == 0 || elapsed < TELLING {
        return String::new();
    }
    let seconds = (elapsed.as_secs_f64() * to_do as f64 / here as f64).ceil() as u64;
    // No finer than the estimate is.
    let time = match seconds {
        ..60 => format!("{} s", seconds.next_multiple_of(5)),
        60..6000 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h", seconds.div_ceil(3600)),
    };
    own(lang).fill("progress.left", &[("time", &time)])
}

impl Drop for Progress {
    /// Removes the bar.
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn the_rest_is_told_by_the_mean_pace_of_this_run() {
        let after = |seconds, steps| left(Duration::from_secs(seconds), steps, Lang::En);
        assert_eq!(after(2, (0, 50, Some(100))), "", "too early");
        assert_eq!(after(60, (0, 0, Some(100))), "", "nothing is done");
        assert_eq!(after(60, (40, 40, Some(100))), "", "nothing in this run");
        assert_eq!(after(60, (0, 100, Some(100))), "", "nothing is left");
        assert_eq!(after(8, (0, 40, Some(100))), ", about 15 s left");
        assert_eq!(after(60, (40, 60, Some(100))), ", about 2 min left", "not 40 s");
        assert_eq!(after(600, (0, 1, Some(100))), ", about 17 h left");
        let spanish = left(Duration::from_secs(8), (0, 40, Some(100)), Lang::Es);
        assert_eq!(spanish, ", quedan unos 15 s");
    }

    #[test]
    fn a_line_is_due_when_its_interval_is_over() {
        for (age, wanted) in
            [(0, None), (20, None), (31, Some("1/10 games")), (300, Some("1/10 games"))]
        {
            let last = Instant::now() - Duration::from_secs(age);
            let (sender, written) = mpsc::channel();
            let write = move |line: &str| sender.send(line.to_string()).unwrap();
            let lines = Lines { last, write: Box::new(write) };
            let progress = Progress::with(10, Unit::Count("games"), Lang::En, Some(lines));
            progress.add(1);
            // The interval begins anew.
            progress.add(1);
            drop(progress);
            assert!(written.iter().eq(wanted), "{age} s");
        }
    }
}
