//! A real browser for the tests of pages: headless Chromium, where there is one.
//!
//! A script is added to a page that plays it, asks its state, and writes the answers into the document;
//! the browser prints the document. Without a browser the tests say so and pass.

use std::process::Command;

use serde_json::Value as Json;

use crate::common;

/// The answers of a script that runs in a page; `None` without a browser. The script fills `answer`.
pub fn ask(html: &str, size: &str, script: &str) -> Option<Json> {
    let Some(browser) = common::browser() else {
        println!("skipped: no Chromium on this machine");
        return None;
    };
    let script = format!(
        "<pre id=\"answer\"></pre><script type=\"module\">\n\
         let answer = {{}};\ntry {{ {script} }} catch (fault) {{ answer.fault = String(fault.stack); }}\n\
         document.getElementById('answer').textContent = JSON.stringify(answer);\n</script>"
    );
    let page = html.replace("</body>", &format!("{script}</body>"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    std::fs::write(&file, page).unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("--window-size={size}"))
        .arg("--dump-dom")
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    let document = String::from_utf8_lossy(&output.stdout).into_owned();
    let start = document.rfind("<pre id=\"answer\">").expect("the page was not rendered") + 17;
    let end = start + document[start..].find("</pre>").unwrap();
    let text = document[start..end].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let answer: Json = serde_json::from_str(&text).unwrap_or_else(|_| panic!("no answer: {text}"));
    assert!(answer.get("fault").is_none(), "{answer}");
    Some(answer)
}
