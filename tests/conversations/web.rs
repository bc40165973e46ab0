//! The board in the browser: `engine web` with a real browser before it, and with requests that it must refuse. And what the
//! page of an analysis has in common with it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::chromium::Chromium;
use crate::common::skip;

/// A server with its address.
pub struct Served {
    process: Child,
    port: u16,
    word: String,
}

impl Served {
    pub fn start() -> Served {
        let mut process = Command::new(env!("CARGO_BIN_EXE_engine"))
            .args(["web", "--port", "0", "--threads", "1"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit(' ').next().unwrap();
        let rest = address.strip_prefix("http://127.0.0.1:").unwrap();
        let (port, word) = rest.trim_end_matches('/').split_once('/').unwrap();
        Served { process, port: port.parse().unwrap(), word: word.to_string() }
    }

    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.word)
    }

    /// The answer to a request with these lines in its head.
    fn request(&self, first: &str, lines: &[&str], body: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let head = lines.iter().map(|line| format!("{line}\r\n")).collect::<String>();
        let length = body.len();
        let text = format!(
            "{first} HTTP/1.1\r\n{head}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        // Who refuses the head may hang up before the body has come.
        let _ = stream.write_all(text.as_bytes());
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_server_answers_its_own_page_only() {
    let served = Served::start();
    let host = format!("Host: 127.0.0.1:{}", served.port);
    let origin = format!("Origin: http://127.0.0.1:{}", served.port);
    let page = format!("GET /{}/", served.word);
    let ask = format!("POST /{}/ask/1", served.word);
    let question = "{\"ask\":\"texts\",\"lang\":\"en\"}";
    let status = |answer: String| answer.split(' ').nth(1).unwrap_or_default().to_string();
    for (first, lines, wanted) in [
        (page.as_str(), vec![host.as_str()], "200"),
        (&page, vec!["Host: evil.example"], "403"),
        (&page, vec![], "403"),
        ("GET /", vec![&host], "403"),
        ("GET /0000/", vec![&host], "403"),
        (&format!("{page}../Cargo.toml"), vec![&host], "404"),
        (&format!("{page}%2e%2e/Cargo.toml"), vec![&host], "404"),
        (&ask, vec![&host, &origin], "200"),
        (&ask, vec![&host], "403"),
        (&ask, vec![&host, "Origin: http://evil.example"], "403"),
        (&ask, vec![&host, "Origin: null"], "403"),
        (&ask, vec!["Host: evil.example:80", &origin], "403"),
        ("POST /0000/ask/1", vec![&host, &origin], "403"),
        (&format!("{ask}x"), vec![&host, &origin], "404"),
        (&format!("PUT /{}/ask/1", served.word), vec![&host, &origin], "404"),
    ] {
        assert_eq!(status(served.request(first, &lines, question)), wanted, "{first} {lines:?}");
    }
    let shown = served.request(&page, &[&host], "");
    assert!(shown.contains("default-src 'none'") && shown.contains("nosniff"), "{shown}");
    let long = " ".repeat(5 << 20);
    assert_eq!(status(served.request(&ask, &[&host, &origin], &long)), "413");
    let odd = served.request(&ask, &[&host, &origin], "{\"ask\":\"hint\"}");
    assert!(odd.contains("\"error\":\"unreadable question"), "{odd}");
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_the_server_and_its_search() {
    crate::signals::hear_signals();
    // At once: no search has begun. Later: one has, and the other question waits for its table.
    for pause in [0, 500] {
        let mut served = Served::start();
        let host = format!("127.0.0.1:{}", served.port);
        let question = "{\"ask\":\"evaluate\",\"game\":{\"rules\":\"chess\"},\"nodes\":20000000,\"lang\":\"en\"}";
        let text = format!(
            "POST /{}/ask/1 HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: {}\r\n\r\n{question}",
            served.word,
            question.len()
        );
        let ask = |_| {
            let mut stream = TcpStream::connect(&host).unwrap();
            stream.write_all(text.as_bytes()).unwrap();
            stream
        };
        let _connections = [(); 2].map(ask);
        thread::sleep(Duration::from_millis(pause));
        let pid = rustix::process::Pid::from_child(&served.process);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
        let started = Instant::now();
        let status = served.process.wait().unwrap();
        assert_eq!(status.code(), Some(130), "{pause} ms");
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    }
}

/// The square of a name on the board.
fn square(name: &str) -> String {
    format!("document.querySelector('[data-square={name}]')")
}

pub const READY: &str = "app.session.view && document.querySelector('.square')";
/// The person is to move, or the game is over.
const MY_TURN: &str = "!app.thinker.thinking && (app.session.isOver() || app.session.view.turn === app.session.game.me)";

fn begin(page: &mut Chromium, rules: &str, colour: &str) {
    begin_against(page, rules, colour, 600);
}

fn begin_against(page: &mut Chromium, rules: &str, colour: &str, elo: u32) {
    page.wait(READY);
    page.ask(&format!(
        "(async () => app.change(await app.menu.makeGame({{ rules: '{rules}', colour: '{colour}', opponent: 'elo', \
         elo: {elo}, clock: '', start: 'usual' }})))()"
    ));
    page.ask("app.session.settings.bar = false, 1");
}

/// Begins an analysis by these rules from a position; an empty FEN is the usual one.
fn start(page: &mut Chromium, rules: &str, fen: &str) {
    let start = if fen.is_empty() { "usual" } else { "fen" };
    page.ask(&format!(
        "(async () => app.change(await app.menu.makeGame({{ rules: '{rules}', opponent: 'both', start: '{start}', fen: '{fen}' }})))()"
    ));
}

/// Plays the legal move of this number by clicks.
fn play_by_clicks(page: &mut Chromium, number: u64) {
    let count = page.ask("app.board.legal.length").as_u64().unwrap();
    let m = page.ask(&format!("app.board.legal[{}]", number % count));
    let to = m["to"][0].as_str().unwrap().to_string();
    match m["from"].as_str() {
        Some(from) => page.click(&square(from)),
        None => page.click(&format!(
            "document.querySelector('[data-drop={}]')",
            m["drop"].as_str().unwrap()
        )),
    }
    page.click(&square(&to));
    if !m["promotion"].is_null() {
        page.click("document.querySelector('.choice button')");
    }
}

/// Types a move.
fn type_move(page: &mut Chromium, text: &str) {
    page.ask(&format!(
        "document.getElementById('typed').value = '{text}', \
         document.querySelector('form.typed').requestSubmit(), 1"
    ));
}

/// Plays a whole game by clicks on random moves, against one who soon ends it.
fn play_whole_game(rules: &str, colour: &str) {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    begin_against(&mut page, rules, colour, 1800);
    let mut random = 7_u64;
    loop {
        page.wait(MY_TURN);
        if page.ask("app.session.isOver()") == true {
            break;
        }
        let before = page.ask("app.session.view.moves.length").as_u64().unwrap();
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        play_by_clicks(&mut page, random >> 33);
        page.wait(&format!("app.session.view.moves.length > {before}"));
    }
    let end =
        page.ask("app.session.end().result + ' ' + app.session.view.moves.length + ' ' + app.messages.status.textContent");
    println!("{rules}: {end}");
    page.check();
}

#[test]
fn a_whole_game_of_atomic_is_played_by_clicks() {
    play_whole_game("atomic", "white");
}

#[test]
fn a_whole_game_of_crazyhouse_is_played_by_clicks() {
    play_whole_game("crazyhouse", "black");
}

#[test]
fn a_whole_game_of_chess_is_played_by_clicks() {
    play_whole_game("chess", "white");
}

#[test]
fn a_game_survives_a_reload_and_keys_and_drags_move_pieces() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 390, 844) else { return };
    begin(&mut page, "chess", "white");
    page.wait(MY_TURN);
    page.drag(&square("e2"), &square("e4"));
    page.wait("app.session.view.moves.length >= 2");
    page.wait(MY_TURN);
    page.ask("app.board.focusOn('b1'), 1");
    for name in ["Enter", "ArrowUp", "ArrowUp", "ArrowRight", "Enter"] {
        page.key(name);
    }
    page.wait("app.session.view.moves.length >= 4");
    page.wait(MY_TURN);
    assert_eq!(page.ask("app.session.view.moves[2].san"), "Nc3");
    let before = page.ask("JSON.stringify(app.session.game.text)");
    page.call("Page.reload", json!({}));
    thread::sleep(Duration::from_millis(300));
    page.wait(READY);
    page.wait(MY_TURN);
    assert_eq!(page.ask("JSON.stringify(app.session.game.text)"), before);
    page.click("document.querySelector('[data-action=back]')");
    page.wait("app.session.view.moves.length === 2");
    page.check();
}

#[test]
fn an_opponent_follows_the_player_and_remembers_the_game() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    page.ask(
        "(async () => app.change(await app.menu.makeGame({ rules: 'chess', colour: 'white', opponent: 'auto', clock: '', \
         start: 'fen', fen: 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4' })))()",
    );
    page.ask(
        "app.session.settings.bar = false, app.session.settings.ratings = { atomic: [2500, 50] }, 1",
    );
    page.wait(MY_TURN);
    assert_eq!(page.ask("app.frame.players.names().black"), "As strong as you, it adapts");
    // The queen is given away: who does so is no master.
    page.click(&square("f3"));
    page.click(&square("f6"));
    page.wait("app.session.view.moves.length >= 2");
    page.wait(MY_TURN);
    let first = page.ask("app.session.game.opponent.elo").as_u64().unwrap();
    assert!(first < 1200, "{first}");
    assert!(
        page.ask("app.frame.players.names().black").as_str().unwrap().contains(&first.to_string())
    );
    assert_eq!(page.ask("app.session.settings.ratings"), json!({ "atomic": [2500, 50] }));
    page.ask("app.finish('0-1', 'end.resignation'), 1");
    page.wait("app.session.game.rated && app.session.settings.ratings.chess");
    let known = page.ask("app.session.settings.ratings.chess");
    assert!(known[0].as_f64().unwrap() < 1200.0 && known[1].as_f64().unwrap() < 600.0, "{known}");
    assert_eq!(page.ask("app.session.settings.ratings.atomic"), json!([2500, 50]));
    page.check();
}

#[test]
fn a_rating_that_was_kept_for_all_rule_sets_holds_until_one_has_its_own() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    page.ask(
        "import('./store.js').then(({ parse }) => { app.session.state.settings = \
         parse(JSON.stringify({ version: 1, settings: { lang: 'en', bar: false, rating: [2000, 50] } })).settings; })",
    );
    let ratings = page.ask("[app.session.settings.rating ?? null, app.session.settings.ratings]");
    assert_eq!(ratings, json!([null, { "earlier": [2000, 50] }]));
    let play = |page: &mut Chromium, rules: &str| {
        page.ask(&format!(
            "(async () => app.change(await app.menu.makeGame({{ rules: '{rules}', colour: 'black', opponent: 'auto' }})))()"
        ));
        page.wait("app.session.game.opponent.elo");
        page.ask("app.session.game.opponent.elo").as_u64().unwrap()
    };
    assert_eq!(play(&mut page, "antichess"), 2000);
    page.ask("app.session.settings.ratings.antichess = [800, 50]");
    assert_eq!(play(&mut page, "antichess"), 800);
    assert_eq!(play(&mut page, "atomic"), 2000);
    page.click("document.getElementById('menu.settings')");
    let lines = "[...document.querySelectorAll('.strength')].map((line) => line.textContent)";
    let told = [
        "Antichess: you play like 800 ± 50 Elo.",
        "In all earlier games: you play like 2000 ± 50 Elo.",
    ];
    assert_eq!(page.ask(lines), json!(told));
    page.check();
}

#[test]
fn a_pawn_becomes_what_the_player_chooses() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    page.ask(
        "(async () => app.change(await app.menu.makeGame({ rules: 'chess', colour: 'white', opponent: 'both', \
         start: 'fen', fen: '8/P6k/8/8/8/8/8/K7 w - - 0 1' })))()",
    );
    // No sound, and then one of a move and two of a check.
    page.ask(
        "window.tones = 0, AudioScheduledSourceNode.prototype.start = () => { window.tones += 1; }, \
         AudioScheduledSourceNode.prototype.stop = () => {}, app.personMoves('a1b1')",
    );
    page.ask("app.session.settings.sounds = true, app.personMoves('h7g8')");
    page.wait("app.session.view.moves.length === 2 && window.tones === 1");
    page.click(&square("a7"));
    page.click(&square("a8"));
    page.wait("!app.board.choice.hidden");
    page.click("document.querySelector('.choice button:nth-child(2)')");
    page.wait("app.session.view.moves.length === 3 && window.tones === 3");
    assert_eq!(page.ask("app.session.view.moves[2].san"), "a8=R+");
    page.check();
}

#[test]
fn a_typed_promotion_without_its_piece_asks_for_it() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    for (text, place, san) in [("a8", 2, "a8=R"), ("a7a8", 1, "a8=Q")] {
        start(&mut page, "chess", "8/P7/7k/8/8/8/8/K7 w - - 0 1");
        type_move(&mut page, "a6");
        page.wait("app.messages.status.textContent === 'This move is not legal.'");
        assert_eq!(page.ask("app.board.choice.hidden"), true);
        type_move(&mut page, text);
        page.wait(
            "!app.board.choice.hidden && app.messages.status.textContent === 'White to move.'",
        );
        page.click(&format!("document.querySelector('.choice button:nth-child({place})')"));
        page.wait("app.session.view.moves.length === 1");
        assert_eq!(page.ask("app.session.view.moves[0].san"), san);
    }
    page.check();
}

#[test]
fn an_exercise_shows_nothing_of_what_was_before() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    start(&mut page, "chess", "");
    page.ask("app.personMoves('e2e4')");
    assert_eq!(page.ask("app.messages.spoken.textContent"), "pawn e2 to e4");
    page.ask(
        "app.trials.begin({ text: app.session.game.text, name: '1...f6?', best: '1...e5', reason: '' })",
    );
    assert_eq!(page.ask("app.messages.spoken.textContent"), "");
    let task = "1...f6? was a mistake. Find a better move.";
    assert_eq!(page.ask("app.messages.status.textContent"), task);
    type_move(&mut page, "Ke3");
    page.wait("app.messages.status.textContent === 'This move is not legal.'");
    page.click("document.querySelector('[data-action=give-up]')");
    page.wait("app.messages.said.textContent === '1...e5 is the best move.'");
    assert_eq!(page.ask("app.messages.status.textContent"), task);
    page.check();
    // A move that was taken back is not the last one any more.
    page.ask("app.trials.end().then(() => app.personMoves('e7e5'))");
    assert_eq!(page.ask("app.messages.spoken.textContent"), "pawn e7 to e5");
    page.ask("app.takeBack()");
    assert_eq!(page.ask("app.messages.spoken.textContent"), "");
    page.check();
}

#[test]
fn a_third_check_is_no_mate() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    start(&mut page, "3check", "4k3/8/8/8/8/3K4/4P3/R7 w - - 1+3 0 1");
    page.ask("app.personMoves('a1a8')");
    assert_eq!(page.ask("app.messages.status.textContent"), "1-0: third check.");
    page.check();
}

#[test]
fn what_a_side_has_captured_more_of_stands_beside_its_name() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 390, 844) else { return };
    page.wait(READY);
    page.ask("app.session.settings.bar = false, 1");
    let captured = |page: &mut Chromium| {
        page.ask(
            "Object.fromEntries([...document.querySelectorAll('.material')].map((one) => \
             [one.parentElement.querySelector('.name').textContent, one.getAttribute('aria-label')]))",
        )
    };
    // Who is ahead at the start has captured nothing. A pawn that promotes is not captured, and nor is what it becomes.
    start(&mut page, "chess", "rn2k3/P7/8/8/8/8/8/1N2K3 w - - 0 1");
    let before = json!({ "Black": "material +4" });
    assert_eq!(captured(&mut page), before);
    page.ask("app.personMoves('a7b8q')");
    let promoted = json!({ "White": "more captured: black knight × 1; material +8" });
    assert_eq!(captured(&mut page), promoted);
    page.ask("app.personMoves('a8b8')");
    let taken = json!({ "White": "more captured: black knight × 1", "Black": "more captured: white pawn × 1; material +2" });
    assert_eq!(captured(&mut page), taken);
    page.click("document.querySelector('[data-action=back]')");
    page.wait("app.session.view.moves.length === 1");
    page.click("document.querySelector('[data-action=back]')");
    page.wait("app.session.view.moves.length === 0");
    assert_eq!(captured(&mut page), before);
    page.check();
    // The queen counts as much as in the evaluation.
    page.ask("(async () => app.change(await app.menu.makeGame({ odds: 'them-queen' })))()");
    assert_eq!(captured(&mut page), json!({ "You": "material +10" }));
    page.ask("app.session.settings.bar = true, app.run(() => app.evaluation.evaluate()), 1");
    page.wait("document.querySelector('.evaluation .number')?.textContent === '+10.00'");
    page.ask("app.session.settings.bar = false, 1");
    // Other rules have other values.
    start(&mut page, "atomic", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    assert_eq!(captured(&mut page), json!({ "White": "material +3.5" }));
    start(&mut page, "antichess", "");
    page.ask("app.personMoves('b2b4').then(() => app.personMoves('a7a5')).then(() => app.personMoves('b4a5'))");
    let fewer = json!({ "White": "more captured: black pawn × 1", "Black": "material +1" });
    assert_eq!(captured(&mut page), fewer);
    // The horde begins with other pieces, and what is in hand is seen.
    start(&mut page, "horde", "");
    assert_eq!(captured(&mut page), json!({ "Black": "material +4" }));
    page.ask("app.personMoves('b5b6').then(() => app.personMoves('a7b6'))");
    let taken = json!({ "Black": "more captured: white pawn × 1; material +5" });
    assert_eq!(captured(&mut page), taken);
    start(&mut page, "crazyhouse", "4k3/8/8/8/8/8/8/3QK3[p] w - - 0 1");
    assert_eq!(captured(&mut page), json!({}));
    page.check();
}

/// The element of the board editor that has this attribute.
fn in_editor(attribute: &str) -> String {
    format!("document.querySelector('.editor [{attribute}]')")
}

#[test]
fn a_position_is_set_up_by_hand_and_played() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 390, 844) else { return };
    page.wait(READY);
    page.click("document.getElementById('menu.new')");
    fill(&mut page, "opponent", "both");
    fill(&mut page, "start", "fen");
    let press = |page: &mut Chromium, text: &str| {
        page.click(&format!(
            "[...document.querySelectorAll('dialog button')].findLast((one) => one.textContent === '{text}')"
        ));
    };
    press(&mut page, "Set up by hand…");
    page.wait("document.querySelector('.editor .piece')");
    let fen = "document.querySelector('[name=position]').value";
    assert!(page.ask(fen).as_str().unwrap().starts_with("rnbqkbnr/pppppppp/8/"));
    let palettes = "[...document.querySelectorAll('.editor .pocket')].map((one) => one.getAttribute('aria-label'))";
    let names = json!(["Pieces to place: Black", "Pieces to place: White"]);
    assert_eq!(page.ask(palettes), names);
    press(&mut page, "Clear");
    // Its fault may move what a click is meant for.
    let fault = "document.querySelector('dialog:last-of-type .fault').textContent";
    page.wait(&format!("{fault} !== ''"));
    // Escape lets go of a piece, and the dialog stays.
    page.click(&in_editor("data-drop=Q"));
    page.key("Escape");
    assert_eq!(page.ask("app.menu.editor.board.selected"), Json::Null);
    // A piece that was chosen is placed again and again; a second click takes it back.
    page.click(&in_editor("data-drop=P"));
    for name in ["a2", "b2", "c2", "c2"] {
        page.click(&in_editor(&format!("data-square={name}")));
    }
    page.key("Escape");
    page.drag(&in_editor("data-square=b2"), &in_editor("data-square=b7"));
    page.drag(&in_editor("data-square=a2"), "document.querySelector('[name=position]')");
    page.drag(&in_editor("data-drop=k"), &in_editor("data-square=e8"));
    page.wait(&format!(
        "{fault} === 'This position is not possible: white has 0 kings and needs exactly one'"
    ));
    press(&mut page, "Use this position");
    // The keyboard does the rest: a king, one too many, and that one off again.
    page.ask("app.menu.editor.board.focusOn('e1'), document.querySelector('.editor [data-drop=K]').focus(), 1");
    page.key("Enter");
    page.ask("app.menu.editor.board.focusOn('e1'), 1");
    for name in ["Enter", "ArrowLeft", "Enter", "Delete", "Escape"] {
        page.key(name);
    }
    assert_eq!(page.ask(fen), "4k3/1P6/8/8/8/8/8/4K3 w - - 0 1");
    page.wait(&format!("{fault} === ''"));
    page.ask("document.querySelector('[name=turn]').value = 'b', document.querySelector('[name=turn]').dispatchEvent(new Event('change', { bubbles: true })), 1");
    assert_eq!(page.ask(fen), "4k3/1P6/8/8/8/8/8/4K3 b - - 0 1");
    page.check();
    press(&mut page, "Use this position");
    page.wait("!document.querySelector('.editor')");
    assert_eq!(
        page.ask("document.querySelector('dialog [name=fen]').value"),
        "4k3/1P6/8/8/8/8/8/4K3 b - - 0 1"
    );
    press(&mut page, "Start");
    page.wait("!document.querySelector('dialog') && app.session.board().fen.startsWith('4k3/1P6')");
    assert_eq!(page.ask("app.messages.status.textContent"), "Black to move.");
    page.check();
}

/// Gives the page Spanish words.
fn speak_spanish(page: &mut Chromium) {
    speak(page, "es");
}

/// Gives the page the words of a language.
fn speak(page: &mut Chromium, lang: &str) {
    page.ask(&format!(
        "(async () => {{ app.session.settings.lang = '{lang}'; \
         await app.menu.loadWords(); await app.reopen(); }})()"
    ));
}

/// All numbers with decimals that a page shows or lets be heard, by the decimal mark of a regular expression.
fn decimals(page: &mut Chromium, mark: &str) -> Vec<Json> {
    let found = page.ask(&format!(
        "[document.body.innerText, ...[...document.querySelectorAll('[aria-label], [title]')].flatMap((one) => \
         [one.getAttribute('aria-label'), one.getAttribute('title')])].join('\\n').match(/.*\\d{mark}\\d.*/g) ?? []"
    ));
    found.as_array().unwrap().clone()
}

/// The lines beside a mistake.
const LINES: &str = "[...document.querySelectorAll('.why .line')].map((line) => line.textContent)";

#[test]
fn spanish_pages_have_decimal_commas_and_an_answer_is_not_called_played() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    speak_spanish(&mut page);
    // A game with clocks, a hint and what the opponent thinks.
    page.ask(
        "(async () => { app.session.settings.bar = true; app.session.settings.thoughts = true; \
         const game = await app.menu.makeGame({ opponent: 'elo', elo: 600, clock: '1+0', start: 'fen', \
         fen: '4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1' }); \
         game.left = { white: 600_000, black: 9_000 }; await app.change(game); await app.personMoves('e2e4'); })()",
    );
    page.wait(
        "app.session.view.moves.length === 2 && app.messages.thinks.textContent && document.querySelector('.band')",
    );
    page.ask("app.advice.hint().then(() => app.advice.hint())");
    page.wait("/opciones de las blancas: .* %/.test(document.querySelector('.bar').ariaLabel)");
    assert_eq!(decimals(&mut page, "\\."), Vec::<Json>::new());
    assert!(decimals(&mut page, ",").len() >= 5, "{:?}", decimals(&mut page, ","));
    page.check();
    // The review of a game.
    start(&mut page, "chess", "");
    page.ask(
        "(async () => { for (const uci of ['f2f3', 'e7e5', 'g2g4', 'd8h4']) await app.personMoves(uci); \
         await app.reviewer.make(); app.navigation.go(3); })()",
    );
    assert_eq!(page.ask(LINES)[1], "la respuesta a 2.g4: Dh4#");
    page.wait("!app.evaluation.element.hidden");
    assert_eq!(decimals(&mut page, "\\."), Vec::<Json>::new());
    assert!(decimals(&mut page, ",").len() >= 3, "{:?}", decimals(&mut page, ","));
    // What comes with the evaluation moves the lines below it.
    page.wait("!app.thinker.thinking && document.querySelector('.band')");
    page.click("[...document.querySelectorAll('.why .line button')].at(-1)");
    page.wait("app.session.preview");
    assert_eq!(page.ask("app.session.preview.name"), "2...Qh4#");
    page.check();
}

/// The page of these games, made by `analyse`: the folder that holds it, and its address.
fn analysed(games: &str, arguments: &[&str]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("games.pgn"), games).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_engine"))
        .current_dir(folder.path())
        .args(["analyse", "games.pgn", "--html", "page.html"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let address = format!("file://{}", folder.path().join("page.html").display());
    (folder, address)
}

/// Castling on a page: each time it is shown, and how its line may break.
const CASTLING: &str = "[...document.querySelectorAll('.whole')].filter((one) => one.offsetWidth) \
    .map((one) => `${one.textContent} ${getComputedStyle(one).whiteSpace}`)";

#[test]
fn castling_is_one_word_on_every_page() {
    let game = "1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. Qd3 Be7 5. O-O-O O-O *\n";
    let (_folder, address) = analysed(game, &["--nodes", "500"]);
    let Some(mut page) = Chromium::open(&format!("{address}#9"), 900, 900) else { return };
    page.wait("page.ply === 9");
    let shown = page.ask(CASTLING);
    let shown = shown.as_array().unwrap();
    // The move under the board, in the sentence, and in the list.
    assert!(shown.iter().filter(|one| **one == "O-O-O nowrap").count() >= 3, "{shown:?}");
    let beside = "document.querySelector('.board').getBoundingClientRect().right <= \
                  document.querySelector('.notes').getBoundingClientRect().left";
    assert_eq!(page.ask(beside), true, "the board stays in its column");

    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    start(&mut page, "chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    page.ask("app.personMoves('e1c1')");
    page.wait("app.session.view.moves.length >= 1");
    let shown = page.ask(CASTLING);
    assert!(shown.as_array().unwrap().iter().any(|one| *one == "O-O-O nowrap"), "{shown}");
    assert_eq!(
        page.ask("app.frame.moves.element.textContent.includes('O-O-O')"),
        true,
        "what is copied is the same"
    );
    page.check();
}

#[test]
fn the_page_of_an_analysis_is_heard_and_has_decimal_commas() {
    let games = "1. f3 e5 2. g4 Qh4# 0-1\n\n[Variant \"Crazyhouse\"]\n\n1. Nf3 e5 2. Nxe5 d6 3. d3 dxe5 *\n";
    let (_folder, address) = analysed(games, &["--nodes", "2000", "--lang", "es"]);
    let Some(mut page) = Chromium::open(&format!("{address}#3"), 1280, 900) else { return };
    page.wait("page.ply === 3");
    let heard = "document.querySelector('.square .board').getAttribute('aria-label')";
    let told = page.ask(heard).as_str().unwrap().to_string();
    let white = "2.g4. Blancas: rey e1, dama d1, torre a1, torre h1, alfil c1, alfil f1, caballo b1, caballo g1, peón g4, peón f3";
    assert!(told.starts_with(white), "{told}");
    assert!(told.contains("peón h2. Negras: rey e8, dama d8,"), "{told}");
    assert_eq!(page.ask(LINES)[1], "la respuesta a 2.g4: Dh4#");
    assert_eq!(decimals(&mut page, "\\."), Vec::<Json>::new());
    assert!(decimals(&mut page, ",").len() >= 2, "{:?}", decimals(&mut page, ","));
    page.click("[...document.querySelectorAll('.why .line button')].at(-1)");
    let told = page.ask(heard).as_str().unwrap().to_string();
    assert!(told.starts_with("Dh4#. Blancas") && told.contains("dama h4"), "{told}");
    // From the turned board the same is heard, and at the start there are the players' numbers.
    page.key("f");
    assert_eq!(page.ask(heard), told);
    page.key("Home");
    assert!(page.ask(heard).as_str().unwrap().starts_with("inicio. Blancas: rey e1,"));
    assert_eq!(decimals(&mut page, "\\."), Vec::<Json>::new());
    page.ask("page.open(1), page.go(6), 1");
    assert_eq!(page.ask("page.pocket.textContent"), "en mano: Blancas P · Negras C");
    page.check();
}

#[test]
fn spanish_pages_write_and_read_spanish_letters() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    speak_spanish(&mut page);
    start(&mut page, "chess", "");
    for (count, text) in [(1, "Cf3"), (2, "Nf6")] {
        type_move(&mut page, text);
        page.wait(&format!("app.session.view.moves.length === {count}"));
    }
    assert_eq!(page.ask("app.session.view.moves[0].san"), "Nf3");
    page.wait("app.frame.place.textContent === '1...Cf6'");
    let moves = page.ask("app.frame.moves.element.textContent");
    assert!(moves.as_str().unwrap().contains("Cf3"), "{moves}");
    page.check();
}

#[test]
fn a_move_made_ahead_is_played_when_the_opponent_has_moved() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    page.ask(
        "(async () => app.change(await app.menu.makeGame({ rules: 'chess', colour: 'white', opponent: 'full', clock: '1+1', \
         odds: 'them-queen' })))()",
    );
    page.ask("app.session.settings.bar = false, 1");
    assert_eq!(page.ask("app.session.view.boards[0].cells.slice(0, 8)"), "rnb.kbnr");
    page.click(&square("e2"));
    page.click(&square("e4"));
    let thinks = "app.messages.status.textContent === 'Your opponent thinks…'";
    page.wait(&format!("app.session.isEarly() && app.thinker.thinking && {thinks}"));
    // Chosen, taken back, and chosen again by a drag.
    page.click(&square("g1"));
    page.click(&square("f3"));
    assert_eq!(page.ask("app.ahead"), json!({ "from": "g1", "to": "f3" }));
    page.key("Escape");
    assert_eq!(page.ask("app.ahead"), Json::Null);
    page.drag(&square("b1"), &square("c3"));
    assert_eq!(page.ask("document.querySelectorAll('.square.ahead').length"), 2);
    page.wait("app.session.view.moves.length >= 3");
    assert_eq!(page.ask("app.session.view.moves[2].san"), "Nc3");
    assert_eq!(page.ask("app.ahead"), Json::Null);
    page.check();
}

/// A position that no book has.
const MIDDLEGAME: &str = "r1bq1rk1/1p2bppp/p1nppn2/8/3NPP2/2N1B3/PPP1B1PP/R2Q1R1K w - - 0 11";

#[test]
fn why_is_answered_although_the_opponent_moves_first_and_thinks_as_long_as_ever() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    page.ask(&format!(
        "app.menu.makeGame({{ opponent: 'full', start: 'fen', fen: '{MIDDLEGAME}' }}).then((game) => app.change(game))"
    ));
    page.ask("Object.assign(app.session.settings, { bar: true, warn: false }), 1");
    let asked = Instant::now();
    page.ask("app.personMoves('a2a4')");
    assert_eq!(page.ask("app.session.view.moves.length"), 1);
    page.click("document.querySelector('[data-action=why]')");
    page.wait("app.session.view.moves.length === 2");
    // A move of the full strength takes a second.
    assert!(asked.elapsed() > Duration::from_millis(700), "{:?}", asked.elapsed());
    page.wait("app.messages.said.textContent.includes('11.a4')");
    page.wait("!app.thinker.thinking && app.messages.status.textContent === 'Your move.'");
    // Of a move that was taken back there is nothing to say.
    page.ask("app.personMoves(app.session.view.legal[0].uci)");
    page.click("document.querySelector('[data-action=why]')");
    page.ask("app.takeBack().then(() => app.takeBack())");
    page.wait("app.session.view.moves.length === 0 && !app.thinker.thinking");
    assert_eq!(page.ask("app.messages.said.textContent"), "");
    page.check();
}

#[test]
fn a_new_game_shows_no_evaluation_of_the_old_one() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    page.ask("app.session.settings.bar = true");
    start(&mut page, "chess", "4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
    page.wait("!app.evaluation.element.hidden && Number.parseFloat(app.evaluation.level.style.height) > 90");
    let shown = page.ask(&format!(
        "app.menu.makeGame({{ colour: 'black', opponent: 'full', start: 'fen', fen: '{MIDDLEGAME}' }})\
         .then((game) => app.change(game)).then(() => [app.evaluation.element.hidden, app.evaluation.bar.hidden, app.evaluation.level.style.height])"
    ));
    assert_eq!(shown, json!([true, false, "50%"]));
    page.wait("app.session.view.moves.length === 1 && !app.evaluation.element.hidden");
    page.check();
}

#[test]
fn a_move_number_stands_in_the_line_of_its_move() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 390, 844) else { return };
    page.wait(READY);
    let shuffle: String =
        (0..25).map(|at| format!("{}. Nf3 Nf6 {}. Ng1 Ng8 ", 2 * at + 1, 2 * at + 2)).collect();
    open_text(&mut page, &format!("{shuffle}*"), "chess");
    page.wait("app.frame.moves.element.querySelectorAll('.number').length === 50");
    let lines = "(() => { const place = (one) => { const { top, bottom } = one.getBoundingClientRect(); return (top + bottom) / 2; }; \
         const parted = [...app.frame.moves.element.querySelectorAll('.number')].filter((one) => Math.abs(place(one) - place(one.nextElementSibling)) > 9); \
         const starts = new Set([...app.frame.moves.element.querySelectorAll('button')].map(place)); return [parted.length, starts.size > 8]; })()";
    for width in (320..420).step_by(9) {
        page.resize(width, 844);
        assert_eq!(page.ask(lines), json!([0, true]), "{width} pixels");
    }
    page.check();
}

#[test]
fn a_typed_move_is_meant_for_the_position_of_the_game() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    begin(&mut page, "chess", "white");
    for (count, text) in [(2, "e4"), (4, "Nf3")] {
        page.wait(MY_TURN);
        page.ask("app.navigation.go(0), 1");
        type_move(&mut page, text);
        page.wait(&format!("app.session.view.moves.length >= {count}"));
    }
    assert_eq!(
        page.ask("[app.session.view.moves[0].san, app.session.view.moves[2].san]"),
        json!(["e4", "Nf3"])
    );
    page.check();
}

#[test]
fn a_move_of_a_game_that_changed_while_it_was_judged_is_not_played() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    begin(&mut page, "chess", "white");
    page.wait(MY_TURN);
    let played = page.ask(
        "(async () => { app.session.settings.warn = true; \
         app.advice.isBlunder = async () => { await app.interrupt(); return false; }; \
         await app.personMoves('e2e4'); return app.session.game.text.moves.length; })()",
    );
    assert_eq!(played, 0);
    page.check();
}

#[test]
fn what_is_in_hand_is_set_up_by_hand_too() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 390, 844) else { return };
    page.wait(READY);
    page.ask(
        "window.chosen = '', app.menu.editor.open('', 'crazyhouse').then((fen) => { chosen = fen; }), 1",
    );
    page.wait("document.querySelectorAll('.editor ~ .hand input').length === 10");
    for (letter, count) in [("N", 2), ("q", 1), ("p", 1), ("p", 99), ("Q", -1)] {
        page.ask(&format!(
            "(() => {{ const field = document.querySelector('[data-held={letter}]'); field.value = {count}; \
             field.dispatchEvent(new Event('change')); }})()"
        ));
    }
    let fen = "document.querySelector('[name=position]').value";
    let hands = format!("NNq{}", "p".repeat(16));
    assert_eq!(page.ask(&format!("{fen}.split(/[[\\]]/)[1]")), hands);
    let fits =
        "[...document.querySelectorAll('.hand input')].every((field) => field.clientWidth >= 40)";
    assert_eq!(page.ask(fits), true, "two digits beside the arrows of the field");
    // A piece that moves on the board leaves the hands alone, and a FEN that is typed fills the fields.
    page.drag(&in_editor("data-square=b1"), &in_editor("data-square=c3"));
    assert_eq!(page.ask(&format!("{fen}.split(/[[\\]]/)[1]")), hands);
    page.ask("app.menu.editor.set('4k3/8/8/8/8/8/8/4K3[RRb] w - - 0 1'), 1");
    let counts = "[...document.querySelectorAll('.hand input')].map(({ value }) => value).join('')";
    assert_eq!(page.ask(counts), "0200000100");
    page.check();
    page.click("document.querySelector('dialog button[value=ok]')");
    page.wait("chosen === '4k3/8/8/8/8/8/8/4K3[RRb] w - - 0 1'");
    // Other rules have no hands.
    page.ask("app.menu.editor.open('', 'atomic'), 1");
    page.wait("document.querySelector('.editor .piece')");
    assert_eq!(page.ask("document.querySelectorAll('.hand').length"), 0);
    page.check();
}

#[test]
fn arrows_and_marks_are_drawn_with_the_right_button() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    begin(&mut page, "chess", "white");
    page.wait(MY_TURN);
    let drawn = "document.querySelectorAll('.arrow.drawn path, .arrow.drawn circle').length";
    page.drag_with("right", &square("g1"), &square("f3"));
    page.drag_with("right", &square("e4"), &square("e4"));
    assert_eq!(page.ask("app.board.drawings"), json!([["g1", "f3"], ["e4", "e4"]]));
    assert_eq!(page.ask(drawn), 2);
    // The same again wipes it, and a click wipes everything.
    page.drag_with("right", &square("e4"), &square("e4"));
    assert_eq!(page.ask(drawn), 1);
    page.click(&square("e2"));
    assert_eq!(page.ask(drawn), 0);
    page.click(&square("e4"));
    page.wait("app.session.view.moves.length >= 2");
    page.check();
}

/// Goes from the board to the laboratory, plays a search there, compares, stops, and comes back. In the language of the page
/// a knight has this letter.
fn visit_laboratory(page: &mut Chromium, knight: &str) {
    page.click("document.getElementById('menu.laboratory')");
    page.wait("laboratory.lesson && document.querySelector('.tree .node')");
    let knights = "(({ panels: [{ replay }] }) => [...new Set(replay.nodes.map((_, node) => replay.name(node)[0]))]\
                   .filter((letter) => 'NC'.includes(letter)).join())(laboratory.lesson)";
    assert_eq!(page.ask(knights), knight);
    let choose = |name: &str, value: &str| {
        format!("document.querySelector('[name=\"laboratory.{name}\"]').value = '{value}', 1")
    };
    let press = |key: &str| format!("document.getElementById('{key}')");
    page.ask(&choose("algorithm", "negascout"));
    page.ask(&choose("versus", "sss*"));
    page.ask("laboratory.lesson.isOld = true");
    page.click(&press("laboratory.tree"));
    page.wait("laboratory.lesson && !laboratory.lesson.isOld");
    assert_eq!(page.ask("laboratory.lesson.panels.length"), 2);
    page.click(&press("page.end"));
    let counts = page.ask("laboratory.lesson.panels.map(({ replay }) => replay.totals.at(-1)[1])");
    assert!(counts[0].as_u64().unwrap() > 20 && counts[1].as_u64().unwrap() > 20, "{counts}");
    let values = page.ask("laboratory.lesson.panels.map(({ replay }) => replay.value)");
    assert_eq!(values[0], values[1]);
    page.check();
    // A search that is too long ends when it is told to, and the next one need not wait for it.
    page.ask(&choose("depth", "6"));
    page.click(&press("laboratory.compare"));
    page.wait("!laboratory.stopButton.hidden && laboratory.thinking");
    page.click(&press("button.stop"));
    page.ask(&choose("depth", "2"));
    page.click(&press("laboratory.compare"));
    page.wait("document.querySelectorAll('.rows tbody tr').length === laboratory.choice.algorithms.length");
    page.wait("laboratory.status.textContent === ''");
    let differing = "[...document.querySelectorAll('.rows tr.exact td:nth-child(2)')].filter((cell, _, all) => \
                     cell.textContent !== all[0].textContent).length";
    assert_eq!(page.ask(differing), 0);
    page.check();
    let letters = if knight == "C" { "RDTAC" } else { "KQRBN" };
    let foreign = format!(
        "[...document.querySelectorAll('.rows tbody tr')].map((row) => row.cells[2].textContent)\
         .filter((best) => !/^(O-O|[{letters}]?[a-h1-8]?x?[a-h][1-8])/.test(best)).join()"
    );
    assert_eq!(page.ask(&foreign), "", "the best moves, in the letters of the language");
    page.click(&press("laboratory.back"));
    page.wait(READY);
}

#[test]
fn the_laboratory_searches_the_position_on_the_board() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    begin(&mut page, "atomic", "white");
    page.wait(MY_TURN);
    page.ask("app.personMoves('g1f3')");
    page.wait("app.session.view.moves.length >= 2");
    page.wait(MY_TURN);
    let fen = page.ask("app.session.board().fen");
    page.resize(390, 844);
    page.ask("app.session.settings.lang = 'es', app.keep(), 1");
    visit_laboratory(&mut page, "C");
    assert_eq!(page.ask("app.session.board().fen"), fen);
    assert_eq!(page.ask("document.documentElement.lang"), "es");
}

/// A game whose end is far from its beginning.
const SHORT_GAME: &str = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 *";
/// What the board shows after its first two moves.
const AFTER_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w ";

#[test]
fn the_position_on_the_board_is_the_one_that_is_shown() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    open_text(&mut page, SHORT_GAME, "chess");
    for name in ["Home", "ArrowRight", "ArrowRight"] {
        page.key(name);
    }
    page.click("document.getElementById('menu.save')");
    page.wait("document.querySelector('dialog input')");
    let fen = page.ask("document.querySelector('dialog input').value");
    assert!(fen.as_str().unwrap().starts_with(AFTER_E5), "{fen}");
    page.key("Escape");
    page.ask("app.menu.setUp({ value: '' }, 'chess'), 1");
    let position = "document.querySelector('[name=position]').value";
    page.wait(&format!("{position}.startsWith('{AFTER_E5}')"));
    page.key("Escape");
    // A position of a line is on the board, too, and so is an exercise.
    let line = "[{ fen: '4k3/8/8/8/8/8/8/4K2R b K - 0 1', squares: ['h2', 'h1'], name: 'Rh1' }]";
    page.ask(&format!("app.navigation.showLine({line}, 0), 1"));
    page.ask("app.menu.setUp({ value: '' }, 'chess'), 1");
    page.wait(&format!("{position}.startsWith('4k3/8/8/8/8/8/8/4K2R b')"));
    page.key("Escape");
    page.ask(
        "app.trials.begin({ text: { rules: 'chess', fen: '4k3/8/8/8/8/8/8/4K1R1 w - - 0 1', moves: [] }, \
         name: '1.Kd1?', best: '1.Kd2', reason: '' })",
    );
    page.ask("app.menu.setUp({ value: '' }, 'chess'), 1");
    page.wait(&format!("{position}.startsWith('4k3/8/8/8/8/8/8/4K1R1 w')"));
    page.key("Escape");
    page.ask("app.trials.end()");
    page.click("document.getElementById('menu.new')");
    fill(&mut page, "opponent", "both");
    fill(&mut page, "start", "here");
    page.click("document.querySelector('dialog button[value=ok]')");
    page.wait("!document.querySelector('dialog') && app.session.view.moves.length === 0");
    let fen = page.ask("app.session.board().fen");
    assert!(fen.as_str().unwrap().starts_with(AFTER_E5), "{fen}");
    page.check();
}

#[test]
fn the_place_in_a_game_is_kept() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    open_text(&mut page, SHORT_GAME, "chess");
    page.ask("app.session.settings.bar = false, app.navigation.go(3), 1");
    let is_there =
        "app.session.at === 3 && app.session.isNow() === false && app.board.legal.length > 0";
    page.wait(is_there);
    let trial = "app.trials.begin({ text: { rules: 'chess', moves: ['e2e4'] }, name: '1...f6?', best: '1...e5', reason: '' })";
    page.ask(trial);
    page.ask("app.trials.end()");
    assert_eq!(page.ask("app.session.at"), 3);
    page.ask("app.reopen()");
    assert_eq!(page.ask("app.session.at"), 3);
    page.wait(is_there);
    let change_settings = |page: &mut Chromium, setting: &str| {
        let before = page.ask(&format!("app.session.settings.{setting}"));
        page.click("document.getElementById('menu.settings')");
        page.click(&format!("document.querySelector('dialog [name={setting}]')"));
        page.click("document.querySelector('dialog button[value=ok]')");
        page.wait(&format!(
            "!document.querySelector('dialog') && app.session.settings.{setting} !== {before}"
        ));
        page.wait("!app.messages.said.textContent");
    };
    page.ask("app.messages.say('before'), app.board.turn(true), 1");
    change_settings(&mut page, "coordinates");
    page.wait(is_there);
    assert_eq!(page.ask("app.board.turned"), true);
    page.click("document.getElementById('menu.laboratory')");
    page.wait("laboratory.lesson");
    page.click("document.getElementById('laboratory.back')");
    page.wait(READY);
    page.wait(is_there);
    page.ask("window.isOld = true");
    page.call("Page.reload", json!({}));
    page.wait(&format!("!window.isOld && {READY}"));
    page.wait(is_there);
    // Other settings do not end an exercise.
    page.ask(trial);
    page.ask("app.messages.say('before'), 1");
    change_settings(&mut page, "sounds");
    page.wait("app.trials.trial && app.messages.status.textContent.startsWith('1...f6?')");
    page.check();
}

#[test]
fn an_exercise_is_there_after_a_reload() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    open_text(&mut page, SHORT_GAME, "chess");
    page.ask("app.session.settings.bar = false, app.navigation.go(3), 1");
    page.ask(
        "app.session.addExercises([{ text: { rules: 'chess', chess960: false, fen: null, moves: ['f2f3', 'e7e5', 'g2g4'] }, \
         name: '2...Nc6?', best: '2...Qh4#', reason: '', lang: 'en' }]), app.trials.exercise()",
    );
    let reload = |page: &mut Chromium| {
        page.ask("window.isOld = true");
        page.call("Page.reload", json!({}));
        page.wait(&format!("!window.isOld && {READY}"));
    };
    reload(&mut page);
    page.wait("app.messages.status.textContent.startsWith('2...Nc6?')");
    assert_eq!(page.ask("app.board.turned && app.board.at('g4') === 'P'"), true);
    page.ask("app.personMoves('d8h4')");
    assert_eq!(page.ask("app.session.state.exercises[0].solved"), true);
    reload(&mut page);
    page.wait("app.messages.status.textContent.startsWith('2...Nc6?')");
    assert_eq!(page.ask("app.board.turned && app.board.at('h4') === 'q'"), true);
    assert_eq!(page.ask("document.querySelector('[data-action=give-up]')"), Json::Null);
    page.check();
    // The game is where it was left, and stays there.
    page.click("document.querySelector('[data-action=close]')");
    page.wait("!app.trials.trial && app.session.at === 3");
    assert_eq!(page.ask("app.board.turned"), false);
    reload(&mut page);
    page.wait("!app.trials.trial && app.session.at === 3");
}

#[test]
fn a_line_has_the_hands_and_the_checks_of_its_positions() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    let start_fen = "rnbqkbnr/ppp1pppp/8/8/8/8/PPPPQPPP/RNB1KBNR[Np] w KQkq - 0 4";
    start(&mut page, "crazyhouse", start_fen);
    let dropped = "[{ fen: 'rnbqkbnr/ppp1pppp/8/8/8/5N2/PPPPQPPP/RNB1KBNR[p] b KQkq - 1 4', squares: ['f3'], name: '4.N@f3' }]";
    page.ask(&format!("app.navigation.showLine({dropped}, 0), 1"));
    let shown = "(({ pockets, checks }) => [pockets, checks])(app.session.board())";
    assert_eq!(page.ask(shown), json!([["", "p"], null]));
    let in_hand = "document.querySelectorAll('[data-drop]').length";
    assert_eq!(page.ask(in_hand), 1);
    page.check();
    start(&mut page, "3check", "4k3/8/8/8/8/8/8/R3K3 w - - 3+3 0 1");
    let checked =
        "[{ fen: 'R3k3/8/8/8/8/8/8/4K3 b - - 2+3 1 1', squares: ['a1', 'a8'], name: '1.Ra8+' }]";
    page.ask(&format!("app.navigation.showLine({checked}, 0), 1"));
    assert_eq!(page.ask(shown), json!([null, [1, 0]]));
    page.check();
}

#[test]
fn no_sentence_stays_in_the_language_before() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    page.ask("app.session.settings.bar = false, 1");
    start(&mut page, "chess", "");
    page.ask(
        "(async () => { for (const uci of ['f2f3', 'e7e5', 'g2g4', 'd8h4']) await app.personMoves(uci); \
         await app.reviewer.make(); app.navigation.go(3); })()",
    );
    let reason = "app.session.game.review.moves[2].reason";
    let told = "document.querySelector('.review').textContent";
    let english = page.ask(reason);
    assert_eq!(page.ask(&format!("{told}.includes({english})")), true);
    let review = "document.querySelector('[data-action=review]')";
    assert_eq!(page.ask(review), Json::Null);
    speak_spanish(&mut page);
    assert_eq!(page.ask(&format!("{told}.includes({english})")), false);
    let titles =
        "[...document.querySelectorAll('.moments button')].filter((one) => one.title).length";
    assert_eq!(page.ask(titles), 0);
    assert_eq!(page.ask(&format!("{told}.includes('otro idioma')")), true);
    page.check();
    page.click(review);
    page.wait(&format!("app.session.isReviewed() && {told}.includes({reason})"));
    assert_ne!(page.ask(reason), english);
    assert_eq!(page.ask("app.session.at"), 3);
    // The exercise has the sentence of the last review, and not on a page in another language.
    let exercises = "app.session.state.exercises.map(({ lang, reason }) => [lang, reason])";
    let spanish = page.ask(reason);
    assert_eq!(page.ask(exercises), json!([["es", spanish]]));
    for (lang, told) in [("es", spanish.as_str().unwrap()), ("en", "")] {
        speak(&mut page, lang);
        page.ask("app.trials.exercise()");
        page.click("document.querySelector('[data-action=give-up]')");
        page.wait("app.messages.said.children.length === 2");
        assert_eq!(page.ask("app.messages.said.lastChild.textContent"), told);
    }
    page.check();
}

#[test]
fn what_is_told_of_a_line_is_told_of_its_position() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    start(&mut page, "chess", MIDDLEGAME);
    let is_evaluated = "app.evaluation.evaluated === app.session.board().fen";
    page.wait(&format!(
        "{is_evaluated} && document.querySelectorAll('.evaluation .line button').length > 2"
    ));
    page.ask("window.clicked = document.querySelectorAll('.evaluation .line button')[1], clicked.click(), 1");
    page.wait("app.session.preview");
    let place = page.ask("app.frame.place.textContent");
    assert!(place.as_str().unwrap().starts_with("11..."), "{place}");
    page.wait(&format!("{is_evaluated} && !document.querySelector('.evaluation.old')"));
    // The line stays, with the move that was clicked.
    let lit = "[...document.querySelectorAll('.line .lit')].map((one) => [one.isConnected, one === clicked])";
    assert_eq!(page.ask(lit), json!([[true, true]]));
    assert_eq!(page.ask("app.messages.status.textContent"), "You are looking at a side line.");
    page.check();
    page.click("document.querySelector('[data-action=leave-line]')");
    page.wait(&format!("!app.session.preview && {is_evaluated}"));
    assert_eq!(page.ask("app.messages.status.textContent"), "White to move.");
    assert_eq!(page.ask("document.querySelectorAll('.line .lit').length"), 0);
    // During a game the engine thinks of nothing else: what belongs to another position is greyed out.
    page.ask(&format!(
        "app.menu.makeGame({{ elo: 600, start: 'fen', fen: '{MIDDLEGAME}' }}).then((game) => app.change(game))"
    ));
    page.wait(&format!("{is_evaluated} && !app.thinker.thinking"));
    let old = "document.querySelectorAll('.bar.old, .evaluation.old').length";
    assert_eq!(page.ask(old), 0);
    let steps = "[{ fen: '4k3/8/8/3p4/8/8/8/4K2R w K - 0 7', squares: ['d7', 'd5'], name: 'd5' }]";
    page.ask(&format!("app.navigation.showLine({steps}, 0), 1"));
    assert_eq!(page.ask("app.frame.place.textContent"), "6...d5");
    assert_eq!(page.ask(old), 2);
    page.key("Escape");
    assert_eq!(page.ask(old), 0);
    assert_eq!(page.ask("app.messages.status.textContent"), "Your move.");
    page.check();
}

#[test]
fn a_thought_stands_at_its_own_position_only() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    begin(&mut page, "chess", "white");
    page.ask("app.session.settings.thoughts = true");
    page.wait(MY_TURN);
    page.ask("app.personMoves('h2h4')");
    let thought = "app.messages.thinks.checkVisibility() && app.messages.thinks.textContent !== ''";
    page.wait(thought);
    page.ask("app.navigation.go(0), 1");
    assert_eq!(page.ask(thought), false);
    page.ask("app.navigation.go(2), 1");
    assert_eq!(page.ask(thought), true);
    page.ask("app.trials.begin({ text: app.session.game.text, name: '2.f3?', best: '2.e4', reason: '' })");
    assert_eq!(page.ask(thought), false);
    page.ask("app.trials.end()");
    assert_eq!(page.ask(thought), true);
    page.ask("app.takeBack()");
    assert_eq!(page.ask(thought), false);
    page.check();
}

#[test]
fn an_exercise_has_neither_the_names_nor_the_clocks_of_the_game() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    page.ask("app.menu.makeGame({ elo: 600, clock: '5+3' }).then((game) => app.change(game))");
    let shown = "[[...document.querySelectorAll('.player')].map((one) => one.innerText.trim()).join(), typed.value]";
    page.ask("typed.value = 'Nf', 1");
    assert_eq!(page.ask(shown), json!(["600 Elo\n5:00,You\n5:00", "Nf"]));
    page.ask(
        "app.trials.begin({ text: { rules: 'chess', moves: ['e2e4'] }, name: '1...f6?', best: '1...e5', reason: '' })",
    );
    assert_eq!(page.ask(shown), json!(["White,Black", ""]));
    page.ask("typed.value = 'e', 1");
    page.ask("app.trials.end()");
    assert_eq!(page.ask(shown), json!(["600 Elo\n5:00,You\n5:00", ""]));
    page.check();
}

/// Texts that would do harm as markup.
const PAYLOADS: [&str; 6] = [
    "<img src=x onerror=alert(1)>",
    "<script>window.harmed = 1</script>",
    "</script><svg onload=window.harmed=1>",
    "javascript:window.harmed=1",
    "{{constructor.constructor('window.harmed=1')()}}",
    "\\\"><iframe srcdoc=x>",
];

#[test]
fn names_in_a_game_never_become_markup_and_a_review_explains_it() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 390, 844) else { return };
    page.wait(READY);
    for payload in PAYLOADS {
        let pgn = format!(
            "[White \"{payload}\"]\n[Black \"{payload}\"]\n[Event \"{payload}\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qf3 Nd4 4. Qxf7# 1-0\n"
        );
        page.ask("app.session.game.isOld = true");
        page.click("document.getElementById('menu.open')");
        let text = serde_json::to_string(&pgn).unwrap();
        page.ask(&format!("document.querySelector('dialog textarea').value = {text}, 1"));
        page.click("document.querySelector('dialog button[value=ok]')");
        page.wait("!app.session.game.isOld && app.session.view.moves.length === 7");
        page.wait("document.querySelector('[data-action=review]')");
        let foreign = "document.querySelectorAll('#app img, #app script, #app iframe, [onload], [onerror]').length";
        assert_eq!(page.ask(foreign), 0);
        assert_eq!(page.ask("window.harmed ?? null"), Json::Null);
    }
    page.click("document.querySelector('[data-action=review]')");
    page.wait("app.session.game.review && app.session.at > 0");
    let why = page.ask("document.querySelector('.review .why').textContent");
    assert!(why.as_str().unwrap().contains("threat of mate in 1"), "{why}");
    page.check();
    for (width, height) in [(320, 640), (1280, 900)] {
        page.resize(width, height);
        page.check();
    }
}

#[test]
fn what_cannot_be_opened_is_told_in_the_dialog_and_nothing_is_lost() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 390, 844) else { return };
    page.wait(READY);
    page.ask("app.session.settings.lang = 'es', app.keep(), 1");
    page.call("Page.reload", json!({}));
    page.wait("app.session.settings.lang === 'es'");
    page.wait(READY);
    let open = |page: &mut Chromium, text: &str| {
        let text = serde_json::to_string(text).unwrap();
        page.ask(&format!("document.querySelector('dialog textarea').value = {text}, 1"));
        page.click("document.querySelector('dialog button[value=ok]')");
    };
    page.click("document.getElementById('menu.open')");
    open(&mut page, "hola");
    let fault = "document.querySelector('dialog .fault').textContent";
    page.wait(&format!("{fault}.startsWith('Aquí no hay')"));
    assert_eq!(page.ask("document.querySelector('dialog textarea').value"), "hola");
    open(&mut page, "8/8/8/8/8/8/8/K6K w - - 0 1");
    page.wait(&format!("{fault}.startsWith('Esta posición no es posible')"));
    page.check();
    open(&mut page, "1. e4 e5 2. Ke3 Nf6");
    page.wait("!document.querySelector('dialog') && app.session.view.moves.length === 2");
    page.wait("app.messages.said.textContent.includes('la jugada Ke3 no es posible')");
    assert_eq!(page.ask("app.messages.status.textContent"), "Juegan las blancas.");
    let parsed = "import('./store.js').then(({ parse }) => parse('no es nada'))";
    assert_eq!(page.ask(parsed), Json::Null);
    page.check();
}

/// Fills a field of the dialog, as a person does.
fn fill(page: &mut Chromium, name: &str, value: &str) {
    let value = serde_json::to_string(value).unwrap();
    page.ask(&format!(
        "(() => {{ const field = document.querySelector('dialog [name={name}]'); field.value = {value}; \
         field.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
    ));
}

/// Opens a text, whose rules are these if it names none.
pub fn open_text(page: &mut Chromium, text: &str, rules: &str) {
    page.ask("app.session.game.isOld = true");
    page.click("document.getElementById('menu.open')");
    fill(page, "text", text);
    fill(page, "rules", rules);
    page.click("document.querySelector('dialog button[value=ok]')");
    page.wait("!document.querySelector('dialog') && !app.session.game.isOld");
    // A key that comes before the engine's view would be forgotten.
    page.wait("app.session.view.moves.length === app.session.game.text.moves.length");
}

#[test]
fn a_bad_fen_is_told_in_the_dialog_of_a_new_game_and_no_choice_is_lost() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 390, 844) else { return };
    page.wait(READY);
    page.click("document.getElementById('menu.new')");
    for (name, value) in
        [("opponent", "both"), ("start", "fen"), ("fen", "8/8/8/8/8/8/8/K6K w - - 0 1")]
    {
        fill(&mut page, name, value);
    }
    let begin = "document.querySelector('dialog button[value=ok]')";
    page.click(begin);
    let fault = "document.querySelector('dialog .fault').textContent";
    page.wait(&format!("{fault}.startsWith('This position is not possible')"));
    page.check();
    assert_eq!(page.ask("document.querySelector('dialog [name=opponent]').value"), "both");
    assert_eq!(page.ask("app.messages.said.textContent"), "");
    fill(&mut page, "fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    page.click(begin);
    page.wait("!document.querySelector('dialog') && app.session.board().fen.startsWith('4k3/')");
    assert_eq!(page.ask("app.session.game.me"), "both");
    page.check();
}

#[test]
fn an_opened_text_tells_its_rules_its_result_and_what_is_not_kept() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 390, 844) else { return };
    page.wait(READY);
    let pgn = "[Variant \"Atomic\"]\n[Result \"0-1\"]\n\n1. Nf3 {good} f6 0-1\n\n[White \"Bob\"]\n\n1. e4 *";
    open_text(&mut page, pgn, "chess");
    page.wait(
        "app.session.view.moves.length === 2 && app.messages.said.textContent.includes('2 games')",
    );
    assert!(page.ask("app.messages.said.textContent").to_string().contains("Comments, "));
    assert_eq!(
        page.ask("app.messages.status.textContent"),
        "White to move. Result of the game: 0-1."
    );
    assert_eq!(page.ask("app.frame.rules.textContent"), "Rules: Atomic");
    page.check();
    // A position is one of chess again, unless other rules are chosen.
    for (rules, is_hidden) in [("chess", true), ("antichess", false)] {
        open_text(&mut page, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", rules);
        page.wait(&format!("app.session.view.rules === '{rules}'"));
        assert_eq!(page.ask("app.frame.rules.hidden"), is_hidden);
    }
    page.check();
}

#[test]
fn escape_changes_nothing() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    page.ask("app.messages.say('still there'), 1");
    page.click("document.getElementById('menu.settings')");
    page.click("document.querySelector('dialog [name=thoughts]')");
    page.key("Escape");
    page.wait("!document.querySelector('dialog')");
    assert_eq!(page.ask("app.session.settings.thoughts"), false);
    // Settings that stay as they are change nothing either.
    for (is_changed, told) in [(false, "still there"), (true, "")] {
        page.click("document.getElementById('menu.settings')");
        if is_changed {
            page.click("document.querySelector('dialog [name=thoughts]')");
        }
        page.click("document.querySelector('dialog button[value=ok]')");
        page.wait("!document.querySelector('dialog')");
        page.wait(&format!("app.session.settings.thoughts === {is_changed}"));
        page.wait(&format!("app.messages.said.textContent === '{told}'"));
    }
    page.ask("app.session.game.isOld = true");
    page.click("document.getElementById('menu.new')");
    page.wait("document.querySelector('dialog')");
    page.key("Escape");
    page.wait("!document.querySelector('dialog')");
    assert_eq!(page.ask("app.session.game.isOld"), true);
    page.check();
}

#[test]
fn only_a_move_that_loses_little_is_called_good() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    begin(&mut page, "chess", "white");
    for (points, wanted) in [
        (0.4, "1.f3 is the best move."),
        (2.9, "1.f3 is a good move."),
        (3.0, "1.f3 is no mistake, but not the best move.With 1.e4 it is better."),
    ] {
        let judged = json!({ "name": "1.f3", "points": points, "judgement": null,
            "quiet": "With 1.e4 it is better." });
        page.ask(&format!("app.advice.tell({judged}), 1"));
        assert_eq!(page.ask("app.messages.said.textContent"), wanted);
    }
    page.check();
}

#[test]
fn a_server_that_has_gone_is_told_once_and_as_what_it_is() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    begin(&mut page, "chess", "white");
    page.wait(MY_TURN);
    page.ask("document.getElementById('typed').value = 'e5', 1");
    page.ask("app.run(() => app.type(document.getElementById('typed')))");
    assert_eq!(page.ask("app.messages.status.textContent"), "This move is not legal.");
    drop(served);
    page.ask("document.getElementById('typed').value = 'e4', 1");
    for action in [
        "app.type(document.getElementById('typed'))",
        "app.personMoves('e2e4')",
        "app.advice.hint()",
    ] {
        page.ask(&format!("app.run(() => {action})"));
        let told = page.ask("app.messages.status.textContent");
        assert!(told.as_str().unwrap().starts_with("The program no longer answers."), "{told}");
    }
    assert_eq!(page.ask("app.messages.said.textContent"), "");
    assert_eq!(page.ask("document.getElementById('typed').value"), "e4");
}

#[test]
fn nobody_is_said_to_be_better_after_mate() {
    let served = Served::start();
    let Some(mut page) = Chromium::open(&served.address(), 1280, 900) else { return };
    page.wait(READY);
    page.ask("app.menu.makeGame({ opponent: 'both' }).then((game) => app.change(game))");
    page.wait("document.querySelector('.evaluation details')");
    page.ask(
        "app.session.game.text.moves = ['f2f3', 'e7e5', 'g2g4', 'd8h4'], app.interrupt().then(() => app.refresh())",
    );
    page.wait("app.session.isOver() && app.evaluation.level.style.height === '0%'");
    assert_eq!(page.ask("document.querySelector('.evaluation details')"), Json::Null);
    page.check();
}

/// A host of plain files, as a static site has it.
struct Host {
    port: u16,
    is_gone: Arc<AtomicBool>,
}

impl Host {
    fn start(folder: PathBuf) -> Host {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let is_gone = Arc::new(AtomicBool::new(false));
        let gone = Arc::clone(&is_gone);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if !gone.load(Relaxed) {
                    let folder = folder.clone();
                    thread::spawn(move || send_file(stream, &folder));
                }
            }
        });
        Host { port, is_gone }
    }
}

/// Answers one request for a file.
fn send_file(mut stream: TcpStream, folder: &Path) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
    let first = lines.next()?.ok()?;
    for line in lines.by_ref() {
        if line.ok()?.is_empty() {
            break;
        }
    }
    let name = first.split(' ').nth(1)?.split('?').next()?.trim_start_matches('/').to_string();
    let name = if name.is_empty() { "index.html" } else { &name };
    let kind = match name.rsplit('.').next()? {
        "html" => "text/html",
        "js" => "text/javascript",
        "css" => "text/css",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    };
    let found = std::fs::read(folder.join(name)).ok().filter(|_| !name.contains(".."));
    let status = if found.is_some() { "200 OK" } else { "404 Not Found" };
    let body = found.unwrap_or_default();
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&body).ok()
}

#[test]
fn the_site_plays_in_the_browser_and_without_a_network() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("dist/site");
    if !folder.join("table.bin").is_file() {
        return skip("no dist/site here; make site writes it");
    }
    let host = Host::start(folder);
    let address = format!("http://127.0.0.1:{}/", host.port);
    let Some(mut page) = Chromium::open(&address, 390, 844) else { return };
    for rules in ["chess", "atomic"] {
        begin(&mut page, rules, "white");
        for number in 1..4 {
            page.wait(MY_TURN);
            play_by_clicks(&mut page, number);
            page.wait(&format!("app.session.view.moves.length >= {}", 2 * number));
        }
    }
    page.ask("navigator.serviceWorker.ready.then(() => 1)");
    page.check();
    visit_laboratory(&mut page, "N");
    page.wait(MY_TURN);
    host.is_gone.store(true, Relaxed);
    page.call("Page.reload", json!({}));
    thread::sleep(Duration::from_millis(300));
    page.wait(READY);
    page.wait(MY_TURN);
    assert_eq!(page.ask("app.session.game.text.rules"), "atomic");
    play_by_clicks(&mut page, 5);
    page.wait("app.session.view.moves.length >= 8");
}
