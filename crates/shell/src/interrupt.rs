//! Ctrl-C, SIGTERM and a closed terminal: no temporary file of an output stays behind, and a long command that watches for them
//! ends with what it has. It has all the time it needs after Ctrl-C, until the second one ends it at once; whoever sends SIGTERM
//! or closes the terminal asks only once, and then it has a second.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::Duration;

/// The exit code of a command that was interrupted: 128 and the number of the signal, as in a shell.
pub const EXIT_CODE: u8 = 130;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static WATCHED: AtomicBool = AtomicBool::new(false);
static DRAFTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static STOPS: Mutex<Vec<Box<dyn Fn() + Send>>> = Mutex::new(Vec::new());
static FAREWELLS: Mutex<Vec<Box<dyn Fn() + Send>>> = Mutex::new(Vec::new());

/// Time that a command has to end by itself after a signal that comes only once.
const GRACE: Duration = Duration::from_secs(1);

/// How long a command may go on after the first signal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Patience {
    /// Until the second signal: somebody sits there.
    Endless,
    /// For [`GRACE`].
    Short,
}

/// From now on the first signal only sets a flag. Without a thread for the handler it ends the command at
/// once, as before.
pub fn watch() {
    WATCHED.store(true, Relaxed);
    listen();
}

/// True after the first signal.
pub fn is_set() -> bool {
    INTERRUPTED.load(Relaxed)
}

/// The temporary files that a signal removes. Whoever makes or renames one holds the lock meanwhile, so that
/// none is missed.
pub(crate) fn drafts() -> MutexGuard<'static, Vec<PathBuf>> {
    listen();
    DRAFTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does `work`, such as the replacement of a file, to its end even if a signal comes meanwhile.
pub fn unbroken<T>(work: impl FnOnce() -> T) -> T {
    let _drafts = drafts();
    work()
}

/// Does `stop` at the first signal, such as to end a long search; at once if that has come.
pub fn on_first(stop: impl Fn() + Send + 'static) {
    watch();
    let mut stops = STOPS.lock().unwrap_or_else(PoisonError::into_inner);
    if is_set() {
        stop();
    }
    stops.push(Box::new(stop));
}

/// Does `farewell` before a signal ends the command at once, such as to say what is kept. What was asked for last comes
/// first: a bar that was begun after an output is gone before anything is said of it.
pub fn at_end(farewell: impl Fn() + Send + 'static) {
    listen();
    FAREWELLS.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(farewell));
}

/// A signal has come. The first one asks a command that watches for it to end, with `patience`; any other ends it here, by
/// `end`.
fn hear(patience: Patience, end: impl Fn() + Send + Copy + 'static) {
    let end = move || {
        remove_drafts();
        let farewells = FAREWELLS.lock().unwrap_or_else(PoisonError::into_inner);
        farewells.iter().rev().for_each(|farewell| farewell());
        end();
    };
    if !WATCHED.load(Relaxed) || INTERRUPTED.swap(true, Relaxed) {
        return end();
    }
    let remark = match patience {
        Patience::Endless => {
            "interrupted: this command ends with what it has; Ctrl-C again ends it at once"
        }
        Patience::Short => "interrupted: this command ends with what it has within a second",
    };
    // A terminal that has gone hears nothing.
    let _ = writeln!(io::stderr(), "{remark}");
    STOPS.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(|stop| stop());
    let end_late = move || {
        thread::sleep(GRACE);
        end();
    };
    let name = "end".to_string();
    if patience == Patience::Short && thread::Builder::new().name(name).spawn(end_late).is_err() {
        end();
    }
}

/// Removes the temporary files, and keeps the lock on them: the command is about to end.
fn remove_drafts() {
    let drafts = DRAFTS.lock().unwrap_or_else(PoisonError::into_inner);
    for draft in drafts.iter() {
        // What cannot be removed has been moved to its place.
        let _ = fs::remove_file(draft);
    }
    std::mem::forget(drafts);
}

/// Starts the handler, once.
#[cfg(unix)]
fn listen() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let (ready, is_ready) = std::sync::mpsc::channel();
        let handle = move || {
            let ignored = ignored();
            // What the caller ignores stays ignored: nohup, and Ctrl-C for a script's work in the background.
            let heard =
                [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|n| ignored >> (n - 1) & 1 == 0);
            let Ok(mut signals) = Signals::new(heard) else { return };
            let _ = ready.send(());
            for signal in signals.forever() {
                let patience = if signal == SIGINT { Patience::Endless } else { Patience::Short };
                hear(patience, move || {
                    let _ = emulate_default_handler(signal);
                    process::exit(EXIT_CODE.into());
                });
            }
        };
        // The signals are taken over only by a thread that is there to hear them.
        if thread::Builder::new().name("signals".to_string()).spawn(handle).is_ok() {
            let _ = is_ready.recv();
        }
    });
}

/// The signals that the caller ignores, a bit each, from SIGHUP on. Where the system does not tell, only SIGHUP
/// is left alone.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(1)
}

/// Starts the handler, once.
#[cfg(not(unix))]
fn listen() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let _ = ctrlc::set_handler(|| {
            hear(Patience::Endless, || process::exit(EXIT_CODE.into()));
        });
    });
}
