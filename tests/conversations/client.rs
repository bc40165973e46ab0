//! A client for tests: starts the real program, sends lines, waits for answers.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time limit of an answer: generous, for slow and busy machines.
const PATIENCE: Duration = Duration::from_secs(30);

/// The program with its input and output.
pub struct Client {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// All lines received so far.
    pub heard: Vec<String>,
}

impl Client {
    /// Starts the program without arguments and closes its book, for tests of the search.
    pub fn start() -> Client {
        let mut client = Client::start_with(&[]);
        client.say("setoption name OwnBook value false");
        client
    }

    /// Starts the program with arguments.
    pub fn start_with(arguments: &[&str]) -> Client {
        let mut process = Command::new(env!("CARGO_BIN_EXE_engine"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = process.stdout.take().unwrap();
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = process.stdin.take();
        Client { process, input, lines, heard: Vec::new() }
    }

    /// The number of the process.
    #[cfg(unix)]
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends a line.
    pub fn say(&mut self, line: &str) {
        self.say_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes that need not be text.
    pub fn say_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// Waits for a line that begins with `start`; returns it.
    pub fn wait_for(&mut self, start: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    self.heard.push(line.clone());
                    if line.starts_with(start) {
                        return line;
                    }
                }
                Err(error) => panic!("no {start:?} ({error}); heard {:#?}", self.heard),
            }
        }
    }

    /// Sends `isready` and returns the lines before `readyok`.
    pub fn sync(&mut self) -> Vec<String> {
        let from = self.heard.len();
        self.say("isready");
        self.wait_for("readyok");
        let mut lines = self.heard.split_off(from);
        lines.pop();
        self.heard.extend_from_slice(&lines);
        lines
    }

    /// Sends a line and returns the immediate answer.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.say(line);
        self.sync()
    }

    /// Sends a `go` line and waits for its move; returns all lines of the search.
    pub fn search(&mut self, go: &str) -> Vec<String> {
        let from = self.heard.len();
        self.say(go);
        self.wait_for("bestmove");
        self.heard[from..].to_vec()
    }

    /// The lines received within `time`.
    pub fn listen(&mut self, time: Duration) -> Vec<String> {
        let from = self.heard.len();
        let deadline = Instant::now() + time;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => self.heard.push(line),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        self.heard[from..].to_vec()
    }

    /// Ends the input and waits for the program to end; returns the exit status and the time.
    pub fn end(mut self) -> (ExitStatus, Duration, Vec<String>) {
        let started = Instant::now();
        drop(self.input.take());
        let (status, elapsed) = self.wait_for_exit(started);
        self.listen(Duration::from_millis(200));
        (status, elapsed, std::mem::take(&mut self.heard))
    }

    /// Sends `quit` and waits for the program to end; returns the exit status and the time.
    pub fn quit(mut self) -> (ExitStatus, Duration, Vec<String>) {
        let started = Instant::now();
        self.say("quit");
        let (status, elapsed) = self.wait_for_exit(started);
        self.listen(Duration::from_millis(200));
        (status, elapsed, std::mem::take(&mut self.heard))
    }

    fn wait_for_exit(&mut self, started: Instant) -> (ExitStatus, Duration) {
        while started.elapsed() < PATIENCE {
            if let Some(status) = self.process.try_wait().unwrap() {
                return (status, started.elapsed());
            }
            thread::sleep(Duration::from_millis(1));
        }
        panic!("the program does not end; heard {:#?}", self.heard);
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The number of best moves in `lines`.
pub fn best_moves(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove")).count()
}

/// The word after `name` in `line`.
pub fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split_whitespace().skip_while(|word| *word != name).nth(1)
}
