//! The files of the pages. The command `engine web` serves them; `make site` copies them.

use std::sync::LazyLock;

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct PageFile {
    /// Its name.
    pub name: &'static str,
    /// Its type, as HTTP names it.
    pub kind: &'static str,
    /// Its text.
    pub text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const MANIFEST: &str = "application/manifest+json";

macro_rules! files {
    ($($kind:expr, $name:literal;)*) => {
        &[$(PageFile {
            name: $name,
            kind: $kind,
            text: include_str!(concat!("../page/", $name)),
        },)*]
    };
}

/// The scripts of a lesson of the laboratory.
static LESSON: LazyLock<String> = LazyLock::new(lab::page::module);

/// The files that both ways into the page share, but for the pieces and colours, which all pages of the program have.
pub const SHARED: &[PageFile] = files! {
    HTML, "index.html";
    CSS, "web.css";
    SCRIPT, "app.js";
    SCRIPT, "board.js";
    SCRIPT, "clock.js";
    SCRIPT, "dialogs.js";
    SCRIPT, "dom.js";
    HTML, "laboratory.html";
    CSS, "laboratory.css";
    SCRIPT, "laboratory.js";
    SCRIPT, "look.js";
    SCRIPT, "review.js";
    SCRIPT, "store.js";
    SVG, "icon.svg";
    MANIFEST, "manifest.webmanifest";
};

/// How a page asks the server behind it. The page of a static site has a file of the same name, which asks a worker.
const ASK_SERVER: PageFile =
    PageFile { name: "engine.js", kind: SCRIPT, text: include_str!("../page/server/engine.js") };

/// The file `name` of the page that is served; `""` is its front.
pub fn served(name: &str) -> Option<PageFile> {
    let name = if name.is_empty() { "index.html" } else { name };
    let parts = [
        ASK_SERVER,
        PageFile { name: "style.css", kind: CSS, text: shell::page::STYLE },
        PageFile { name: "pieces.svg", kind: SVG, text: shell::page::PIECES },
        PageFile { name: "lesson.css", kind: CSS, text: lab::page::STYLE },
        PageFile { name: "lesson.js", kind: SCRIPT, text: &LESSON },
    ];
    SHARED.iter().copied().chain(parts).find(|file| file.name == name)
}
