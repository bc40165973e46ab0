//! Ctrl-C, SIGTERM and a closed terminal: no temporary file of an output stays behind, and a long command that watches for them
//! ends with what it has; the second signal ends it at once.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// The exit code of a command that was interrupted: 128 and the number of the signal, as in a shell.
pub const EXIT_CODE: u8 = 130;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static WATCHED: AtomicBool = AtomicBool::new(false);
static DRAFTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

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

/// A signal has come. True if it is to end the command: the lock on the drafts is kept then.
fn ends_here() -> bool {
    if WATCHED.load(Relaxed) && !INTERRUPTED.swap(true, Relaxed) {
        // A terminal that has gone hears nothing.
        let remark =
            "interrupted: this command ends with what it has; Ctrl-C again ends it at once";
        let _ = writeln!(io::stderr(), "{remark}");
        return false;
    }
    let drafts = DRAFTS.lock().unwrap_or_else(PoisonError::into_inner);
    for draft in drafts.iter() {
        // What cannot be removed has been moved to its place.
        let _ = fs::remove_file(draft);
    }
    std::mem::forget(drafts);
    true
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
                if ends_here() {
                    let _ = emulate_default_handler(signal);
                    process::exit(EXIT_CODE.into());
                }
            }
        };
        // The signals are taken over only by a thread that is there to hear them.
        if std::thread::Builder::new().name("signals".to_string()).spawn(handle).is_ok() {
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
            if ends_here() {
                process::exit(EXIT_CODE.into());
            }
        });
    });
}
