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

/// The script of elements as a module.
static ELEMENTS: LazyLock<String> =
    LazyLock::new(|| format!("{}export {{ html, unbroken, writing }};\n", shell::page::ELEMENTS));

/// The files that both ways into the page share, but for the pieces and colours, which all pages of the program have.
pub const SHARED: &[PageFile] = files! {
    HTML, "index.html";
    CSS, "web.css";
    SCRIPT, "advice.js";
    SCRIPT, "app.js";
    SCRIPT, "board.js";
    SCRIPT, "clock.js";
    SCRIPT, "dialogs.js";
    SCRIPT, "dom.js";
    SCRIPT, "editor.js";
    SCRIPT, "evaluation.js";
    SCRIPT, "frame.js";
    SCRIPT, "game.js";
    HTML, "laboratory.html";
    CSS, "laboratory.css";
    SCRIPT, "laboratory.js";
    SCRIPT, "look.js";
    SCRIPT, "material.js";
    SCRIPT, "menu.js";
    SCRIPT, "messages.js";
    SCRIPT, "moves.js";
    SCRIPT, "navigation.js";
    SCRIPT, "players.js";
    SCRIPT, "review.js";
    SCRIPT, "reviewer.js";
    SCRIPT, "session.js";
    SCRIPT, "sound.js";
    SCRIPT, "store.js";
    SCRIPT, "strength.js";
    SCRIPT, "thinker.js";
    SCRIPT, "trials.js";
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
        PageFile { name: "elements.js", kind: SCRIPT, text: &ELEMENTS },
        PageFile { name: "lesson.css", kind: CSS, text: lab::page::STYLE },
        PageFile { name: "lesson.js", kind: SCRIPT, text: &LESSON },
    ];
    SHARED.iter().copied().chain(parts).find(|file| file.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::texts::{self, Lang};

    /// The modules that a script imports, and those that they import.
    fn add_imports(script: &str, found: &mut BTreeSet<String>) {
        for import in served(script).unwrap().text.split("from \"./").skip(1) {
            let name = import.split('"').next().unwrap();
            if found.insert(name.to_string()) {
                add_imports(name, found);
            }
        }
    }

    #[test]
    fn a_page_names_all_its_modules_so_that_none_waits_for_another() {
        for (page, script) in [("index.html", "app.js"), ("laboratory.html", "laboratory.js")] {
            let mut imports = BTreeSet::new();
            add_imports(script, &mut imports);
            assert!(imports.contains("dom.js"), "{imports:?}");
            let links = served(page).unwrap().text.split("rel=\"modulepreload\" href=\"").skip(1);
            let named = links.map(|link| link.split('"').next().unwrap().to_string()).collect();
            assert_eq!(imports, named, "{page}");
        }
    }

    #[test]
    fn imports_of_scripts_point_only_downward() {
        for PageFile { name, .. } in SHARED.iter().filter(|file| file.kind == SCRIPT) {
            let mut imports = BTreeSet::new();
            add_imports(name, &mut imports);
            assert!(!imports.contains(*name), "{name} imports itself: {imports:?}");
        }
    }

    #[test]
    fn what_is_read_before_the_engine_is_there_is_one_of_the_texts() {
        for lang in Lang::ALL {
            let text = texts::of(lang).get("status.loading").to_string();
            let line = format!("<p class=\"loading\" lang=\"{}\">{text}</p>", lang.code());
            for page in ["index.html", "laboratory.html"] {
                assert!(served(page).unwrap().text.contains(&line), "{page}: {line}");
            }
        }
    }
}
