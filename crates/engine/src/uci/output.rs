//! Output to the client: whole lines, never mixed, flushed at once.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use super::info;
use crate::logging;

/// The destination of lines for the client. Clones share it, so that the session and the search can both
/// write.
#[derive(Clone)]
pub struct Output(Arc<Mutex<Box<dyn Write + Send>>>);

impl Output {
    /// An output to `destination`.
    pub fn new(destination: impl Write + Send + 'static) -> Output {
        Output(Arc::new(Mutex::new(Box::new(destination))))
    }

    /// Writes `text`, which may have several lines, in one piece.
    pub fn write(&self, text: &str) {
        let mut destination = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for line in text.lines() {
            log::info!(target: logging::UCI, "> {line}");
        }
        // A client that has gone closes the input as well, and that ends the session.
        let _ = destination.write_all(format!("{}\n", text.trim_end()).as_bytes());
        let _ = destination.flush();
    }

    /// Writes a remark for the user.
    pub fn remark(&self, text: &str) {
        self.write(&info::remark(text));
    }
}
