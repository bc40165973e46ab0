//! Ctrl-C in a long command: the first one asks it to end with what it has, the second ends it at once.

#![expect(clippy::print_stderr, reason = "the remark is for a person")]

use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The exit code of a command that was interrupted: 128 and the number of the signal, as in a shell.
pub const EXIT_CODE: u8 = 130;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on the first Ctrl-C only sets a flag. Without a thread for the handler Ctrl-C ends the command
/// at once, as before.
pub fn watch() {
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Relaxed) {
            process::exit(EXIT_CODE.into());
        }
        eprintln!("interrupted: this command ends with what it has; Ctrl-C again ends it at once");
    });
}

/// True after Ctrl-C.
pub fn is_set() -> bool {
    INTERRUPTED.load(Relaxed)
}
