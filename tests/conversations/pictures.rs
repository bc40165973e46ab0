//! The pictures of pages in the documentation, taken anew by `make pictures`.
//!
//! They are no tests of their own: look at each before it is kept. Those of board programs are taken by hand.

use std::fs;
use std::path::Path;
use std::process::Command;

use data_encoding::BASE64;
use serde_json::json;

use crate::chromium::Chromium;
use crate::web::{READY, Served, open_text};

/// Paul Morphy against the Duke of Brunswick and Count Isouard, Paris 1858.
const OPERA: &str = "[Event \"Opera\"]\n[Site \"Paris\"]\n[Date \"1858.11.02\"]\n[White \"Paul Morphy\"]\n\
    [Black \"Duke Karl and Count Isouard\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 \
    6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 \
    15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0\n";

/// Writes what the page shows to a picture of the documentation.
fn take(page: &mut Chromium, name: &str) {
    page.check();
    page.call("Emulation.setScrollbarsHidden", json!({ "hidden": true }));
    // Nothing is half faded in.
    page.ask(
        "Promise.all(document.getAnimations().map((moving) => moving.finished)).then(() => 1)",
    );
    let shot = page.call("Page.captureScreenshot", json!({ "format": "png" }));
    let picture = BASE64.decode(shot["data"].as_str().unwrap().as_bytes()).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures");
    fs::write(folder.join(name), picture).unwrap();
}

/// Opens the page that the engine writes with these arguments, at a place of it.
fn written(arguments: &[&str], place: &str, width: u32, height: u32) -> Chromium {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("opera.pgn"), OPERA).unwrap();
    let mut engine = Command::new(env!("CARGO_BIN_EXE_engine"));
    engine.current_dir(folder.path()).args(arguments).args(["--html", "page.html"]);
    let output = engine.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let address = format!("file://{}#{place}", folder.path().join("page.html").display());
    let mut page =
        Chromium::open(&address, width, height).expect("a Chromium to take pictures with");
    page.wait("location.protocol === 'file:' && document.readyState === 'complete'");
    page
}

#[test]
#[ignore = "writes docs/pictures"]
fn the_board_with_a_hint_and_a_review() {
    let served = Served::start();
    let mut page =
        Chromium::open(&served.address(), 1280, 860).expect("a Chromium to take pictures with");
    page.wait(READY);
    page.ask(
        "(async () => { const game = await app.menu.makeGame({ elo: 1200, clock: '10+5' }); \
         game.text.moves = 'e2e4 e7e5 g1f3 d7d6 f1c4 c8g4 b1c3 b8c6 h2h3 g4h5'.split(' '); \
         game.left = { white: 593_000, black: 571_000 }; await app.change(game); })()",
    );
    page.wait("document.body.innerText.includes('king proximity')");
    page.ask("(async () => { await app.advice.hint(); await app.advice.hint(); })()");
    page.wait("app.advice.hints === 2 && !app.thinker.thinking");
    take(&mut page, "web-play.png");
    page.ask("document.documentElement.dataset.theme = 'dark', 1");
    page.resize(1100, 900);
    open_text(&mut page, OPERA, "chess");
    page.wait(
        "app.session.view.moves.length === 33 && document.querySelector('[data-action=review]')",
    );
    page.click("document.querySelector('[data-action=review]')");
    page.wait("app.session.game.review && app.session.at > 0 && !app.thinker.thinking");
    page.ask("(async () => { app.navigation.go(18); await app.navigation.lookHere(); })()");
    page.wait("document.querySelector('.review .why')");
    take(&mut page, "web-review.png");
}

#[test]
#[ignore = "writes docs/pictures"]
fn the_page_of_an_analysis() {
    let mut page = written(&["analyse", "opera.pgn"], "g1,18", 1280, 800);
    page.wait("document.body.innerText.includes('9...b5')");
    take(&mut page, "analysis-page.png");
}

#[test]
#[ignore = "writes docs/pictures"]
fn the_pages_of_the_laboratory() {
    let best_first = ["--tree", "best-first", "--algorithm", "sss*", "--versus", "alpha-beta"];
    for (name, game, options, place, height) in [
        ("lecture-page.png", "tree", &["--tree", "lecture"][..], "23", 700),
        ("sss-page.png", "tree", &best_first, "30", 860),
        ("chess-page.png", "chess", &["--depth", "3"], "dark,4002", 720),
    ] {
        let arguments = [&["lab", "tree", "--game", game], options].concat();
        let mut page = written(&arguments, place, 1200, height);
        page.wait(&format!(
            "document.body.innerText.includes('Step {} ')",
            place.trim_start_matches("dark,")
        ));
        page.ask("document.querySelector('table')?.scrollIntoView({ block: 'end' }), 1");
        take(&mut page, name);
    }
}
