//! Shared by both test programs: test data beside the repository, and the browser.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Reports a skipped test, past the capture of its output.
pub fn skip(reason: &str) {
    let _ = writeln!(io::stderr(), "skipped: {reason}");
}

/// The file or folder `name` of the test data; `None`, with a report, if it is absent.
pub fn test_data(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(name);
    let found = path.exists().then_some(path);
    if found.is_none() {
        skip(&format!("no test data {name} beside the repository"));
    }
    found
}

/// The folder with the endgame tables of three and four men.
pub fn endgame_tables() -> Option<PathBuf> {
    test_data("syzygy/KQvK.rtbw")?.parent().map(Path::to_path_buf)
}

/// The browser, if there is one.
pub fn browser() -> Option<PathBuf> {
    let names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let places = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.into_iter().find(|place| place.is_file())
}
