//! A real browser that a test drives: headless Chromium by its DevTools protocol, with a real mouse and keyboard.
//!
//! Without a browser the tests say so and pass.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tungstenite::{Message, WebSocket};

use crate::common::{browser, skip};

/// Longest wait for anything that the page does.
const PATIENCE: Duration = Duration::from_secs(120);
/// Longest wait for a browser that closes itself.
const CLOSING: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(20);

/// A running browser. The pages of all tests that run at a time share it, for a start takes longer than most tests; the
/// last one ends it.
struct Browser {
    process: Child,
    /// Where its DevTools protocol is spoken.
    endpoint: String,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// The browser that runs, or else a new one; `None` if there is none on this machine.
    fn shared() -> Option<Arc<Browser>> {
        static RUNNING: Mutex<Weak<Browser>> = Mutex::new(Weak::new());
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(browser) = running.upgrade() {
            return Some(browser);
        }
        let browser = Arc::new(Browser::start(&browser()?));
        *running = Arc::downgrade(&browser);
        Some(browser)
    }

    fn start(program: &Path) -> Browser {
        let profile = tempfile::tempdir().unwrap();
        let mut process = Command::new(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update"])
            .args(["--disable-sync", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let is_endpoint = |line: &String| line.contains("DevTools listening on ws://");
        let line = lines.by_ref().map_while(Result::ok).find(is_endpoint).unwrap();
        // Nobody must block on what it says later.
        thread::spawn(move || lines.for_each(drop));
        let endpoint = line.rsplit(' ').next().unwrap().to_string();
        Browser { process, endpoint, _profile: profile }
    }

    /// A connection of its own; `None` if the browser has gone.
    fn connect(&self) -> Option<WebSocket<TcpStream>> {
        let host = self.endpoint.trim_start_matches("ws://").split('/').next()?;
        let stream = TcpStream::connect(host).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        Some(tungstenite::client(&self.endpoint, stream).ok()?.0)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // What was started may be a script that runs the browser: to kill that alone would leave the browser behind.
        if let Some(mut socket) = self.connect() {
            let _ = socket.send(Message::text(r#"{"id":1,"method":"Browser.close"}"#));
        }
        let started = Instant::now();
        while matches!(self.process.try_wait(), Ok(None)) && started.elapsed() < CLOSING {
            thread::sleep(PAUSE);
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A page in a window of its own, with nothing stored by any other.
pub struct Chromium {
    socket: WebSocket<TcpStream>,
    session: String,
    calls: u64,
    /// Errors of scripts and of the console.
    faults: Vec<String>,
    _browser: Arc<Browser>,
}

impl Chromium {
    /// Opens a page in a window of this size; `None` without a browser.
    pub fn open(address: &str, width: u32, height: u32) -> Option<Chromium> {
        let Some(browser) = Browser::shared() else {
            skip("no Chromium on this machine");
            return None;
        };
        let mut page = Chromium {
            socket: browser.connect().unwrap(),
            session: String::new(),
            calls: 0,
            faults: Vec::new(),
            _browser: browser,
        };
        // It goes, with its window, when the connection ends.
        let context = page.call("Target.createBrowserContext", json!({ "disposeOnDetach": true }));
        let window = json!({
            "url": "about:blank", "browserContextId": context["browserContextId"], "newWindow": true,
        });
        let target = page.call("Target.createTarget", window);
        let target = json!({ "targetId": target["targetId"], "flatten": true });
        let session = page.call("Target.attachToTarget", target)["sessionId"].clone();
        page.session = session.as_str().unwrap().to_string();
        for domain in ["Runtime", "Log", "Page", "Network"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        // As if each window were the one in front.
        page.call("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }));
        page.resize(width, height);
        page.call("Page.navigate", json!({ "url": address }));
        Some(page)
    }

    /// Calls a method of the protocol.
    pub fn call(&mut self, method: &str, parameters: Json) -> Json {
        self.try_call(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// [`Chromium::call`], or the browser's error.
    fn try_call(&mut self, method: &str, parameters: Json) -> Result<Json, Json> {
        self.calls += 1;
        let mut message = json!({ "id": self.calls, "method": method, "params": parameters });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let answer: Json = serde_json::from_str(&text).unwrap();
            if answer["id"] == self.calls {
                let error = answer["error"].clone();
                return if error.is_null() { Ok(answer["result"].clone()) } else { Err(error) };
            }
            self.hear(&answer);
        }
    }

    /// Notes an error of the page.
    fn hear(&mut self, event: &Json) {
        let parameters = &event["params"];
        let is_fault = match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Log.entryAdded") => parameters["entry"]["level"] == "error",
            Some("Runtime.consoleAPICalled") => parameters["type"] == "error",
            _ => false,
        };
        if is_fault {
            self.faults.push(parameters.to_string());
        }
    }

    /// The value of an expression in the page; a promise is waited for.
    pub fn ask(&mut self, expression: &str) -> Json {
        let parameters =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", parameters);
        let is_fine = answer["exceptionDetails"].is_null();
        assert!(is_fine, "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let started = Instant::now();
        let guarded = format!(
            "(() => {{ try {{ return Boolean({expression}); }} catch {{ return false; }} }})()"
        );
        let question = json!({ "expression": guarded, "returnByValue": true });
        // A page that is just being left answers no question: nothing is true of it yet.
        let is_true =
            |page: &mut Chromium| match page.try_call("Runtime.evaluate", question.clone()) {
                Ok(answer) => answer["result"]["value"] == true,
                Err(error) if error["message"] == "Inspected target navigated or closed" => false,
                Err(error) => panic!("{expression}: {error}"),
            };
        while !is_true(self) {
            let text = "document.body.innerText";
            assert!(
                started.elapsed() < PATIENCE,
                "{expression}: {}\n{:?}",
                self.ask(text),
                self.faults
            );
            thread::sleep(PAUSE);
        }
    }

    /// Clicks with the mouse into the middle of the element that an expression names.
    pub fn click(&mut self, element: &str) {
        self.drag_with("left", element, element);
    }

    /// Drags with the mouse from one element to another.
    pub fn drag(&mut self, from: &str, to: &str) {
        self.drag_with("left", from, to);
    }

    /// Drags with a button of the mouse: `left` or `right`.
    pub fn drag_with(&mut self, button: &str, from: &str, to: &str) {
        let (x1, y1) = self.middle(from);
        self.mouse("mousePressed", button, x1, y1);
        let (mut x2, mut y2) = (x1, y1);
        if from != to {
            (x2, y2) = self.middle(to);
            for step in 1..=4 {
                let share = f64::from(step) / 4.0;
                let (x, y) = (x1 + (x2 - x1) * share, y1 + (y2 - y1) * share);
                self.mouse("mouseMoved", button, x, y);
            }
        }
        self.mouse("mouseReleased", button, x2, y2);
    }

    fn middle(&mut self, element: &str) -> (f64, f64) {
        let script = format!(
            "(() => {{ const element = {element}; element.scrollIntoView({{ block: 'nearest' }}); \
             const {{ left, top, width, height }} = element.getBoundingClientRect(); \
             return [left + width / 2, top + height / 2]; }})()"
        );
        let place = self.ask(&script);
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    fn mouse(&mut self, kind: &str, button: &str, x: f64, y: f64) {
        let held = if button == "right" { 2 } else { 1 };
        let buttons = if kind == "mouseReleased" { 0 } else { held };
        let count = u8::from(kind != "mouseMoved");
        let button = if kind == "mouseMoved" { "none" } else { button };
        self.call(
            "Input.dispatchMouseEvent",
            json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": count }),
        );
    }

    /// Presses and releases a key, by its name in the DOM.
    pub fn key(&mut self, name: &str) {
        let code = match name {
            "Enter" => 13,
            "Escape" => 27,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        for kind in ["keyDown", "keyUp"] {
            let mut parameters =
                json!({ "type": kind, "key": name, "windowsVirtualKeyCode": code });
            if name == "Enter" && kind == "keyDown" {
                parameters["text"] = json!("\r");
            }
            self.call("Input.dispatchKeyEvent", parameters);
        }
    }

    /// Gives the window another size.
    pub fn resize(&mut self, width: u32, height: u32) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Fails if a script or the console has told an error, or if the page is wider than its window.
    pub fn check(&mut self) {
        self.ask("1");
        assert!(self.faults.is_empty(), "{:?}", self.faults);
        let sizes = self.ask("[document.documentElement.scrollWidth, innerWidth]");
        assert!(sizes[0].as_u64() <= sizes[1].as_u64(), "the page is too wide: {sizes}");
    }
}
