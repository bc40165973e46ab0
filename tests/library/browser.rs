//! Pages asked in a real browser, where there is one: a script plays with the page and tells what it sees.

use serde_json::Value as Json;

use crate::chromium::Chromium;

/// Runs a script in a page, in a window of this size, and returns the `answer` that it filled; `None` without a browser.
pub fn ask(html: &str, (width, height): (u32, u32), script: &str) -> Option<Json> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    std::fs::write(&file, html).unwrap();
    let mut page = Chromium::open(&format!("file://{}", file.display()), width, height)?;
    page.wait("location.protocol === 'file:' && document.readyState === 'complete'");
    let answer =
        page.ask(&format!("(() => {{ const answer = {{}}; {script}; return answer; }})()"));
    page.check();
    Some(answer)
}
