//! A session with one client: reads its lines and executes them in order.
//!
//! A search never blocks the session: [`Player::go`](crate::player::Player::go) returns at once and the
//! search writes through its own [`Output`], so `isready` and `stop` are answered while it runs. A command
//! that changes the game or the options ends the search first; its move is delivered before anything else
//! happens.

use std::io::{self, BufRead};
use std::ops::ControlFlow;

use shakmaty::CastlingMode;
use shakmaty::uci::UciMove;
use vampirc_uci::UciMessage;

use super::command::Command;
use super::output::Output;
use super::printer::Printer;
use super::{about, go, info, parse, text};
use crate::bench;
use crate::input::{Lines, MAX_LINE, decode};
use crate::limits::Limits;
use crate::logging;
use crate::player::{ConfigureError, Engine};
use crate::rules::notation::MoveError;
use crate::rules::setup::Start;
use crate::settings::{CLEAR_HASH, Change, Settings};

/// A session with a client.
pub struct Session {
    engine: Engine,
    settings: Settings,
    output: Output,
    debug: bool,
}

impl Session {
    /// A session with `engine`, to which `settings` are already applied.
    pub fn new(engine: Engine, settings: Settings, output: Output) -> Session {
        Session { engine, settings, output, debug: false }
    }

    /// Executes line by line until `quit` or the end of the input, then ends a running search.
    ///
    /// # Errors
    /// Unreadable input.
    pub fn run(mut self, input: impl BufRead) -> io::Result<()> {
        let mut lines = Lines::new(input);
        while let Some(line) = lines.next_line()? {
            if line.is_cut {
                let megabytes = MAX_LINE >> 20;
                self.output.remark(&format!("a line of more than {megabytes} MB is ignored"));
            } else if self.handle_line(&decode(line.bytes)).is_break() {
                break;
            }
        }
        self.finish_search();
        Ok(())
    }

    /// Executes one line; breaks at `quit`.
    pub fn handle_line(&mut self, line: &str) -> ControlFlow<()> {
        log::info!(target: logging::UCI, "< {}", line.trim_end());
        match parse::parse(line) {
            Ok(parsed) => {
                for remark in &parsed.remarks {
                    self.output.remark(remark);
                }
                self.execute(parsed.command)
            }
            Err(error) => {
                self.output.remark(&error.to_string());
                ControlFlow::Continue(())
            }
        }
    }

    fn execute(&mut self, command: Command) -> ControlFlow<()> {
        match command {
            Command::Nothing => {}
            Command::Uci => self.output.write(&info::identity(&self.settings)),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.output.write(&UciMessage::ReadyOk.to_string()),
            Command::Register => {
                self.debug_remark(|_| "registered; registration is not needed".to_string());
            }
            Command::NewGame => self.new_game(),
            Command::Position { start, moves } => self.set_position(&start, &moves),
            Command::Go { limits, search_moves } => self.go(limits, &search_moves),
            Command::Perft(depth) => self.perft(depth),
            Command::Stop => self.engine.stop(),
            Command::PonderHit => self.engine.ponder_hit(),
            Command::SetOption { name, value } => {
                self.set_option(&name, value.as_deref().unwrap_or_default());
            }
            Command::Quit => return ControlFlow::Break(()),
            Command::Display => self.output.write(&text::position(&self.engine.view())),
            Command::Eval => self.output.write(&text::breakdown(&self.engine.explain())),
            Command::Bench(depth) => self.bench(depth),
            Command::Flip => self.flip(),
            Command::Compiler => self.output.write(&about::compiler()),
            Command::Help => self.output.write(about::HELP),
        }
        ControlFlow::Continue(())
    }

    /// Ends a running search and waits until its move is delivered.
    fn finish_search(&mut self) {
        self.engine.stop();
        self.engine.wait();
    }

    /// A remark, shown under `debug on`. Its text is made only then: a position's takes as long as a fast move.
    fn debug_remark(&self, text: impl FnOnce(&Engine) -> String) {
        if self.debug {
            self.output.remark(&text(&self.engine));
        }
    }

    fn debug_position(&self) {
        self.debug_remark(|engine| format!("the position is {}", engine.view().fen));
    }

    fn new_game(&mut self) {
        self.finish_search();
        self.engine.new_game();
    }

    fn set_position(&mut self, start: &Start, moves: &[String]) {
        self.finish_search();
        match self.engine.set_position(start, moves) {
            Ok(remarks) => {
                remarks.iter().for_each(|remark| self.output.remark(remark));
                self.debug_position();
            }
            Err(error) => self.output.remark(&error.to_string()),
        }
    }

    fn go(&mut self, limits: Limits, search_moves: &[String]) {
        self.finish_search();
        let limits = Limits { search_moves: self.search_moves(search_moves), ..limits };
        self.debug_remark(|engine| {
            format!("searching {}: {}", engine.view().fen, go::line(&limits))
        });
        let castling = CastlingMode::from_chess960(self.engine.is_chess960());
        let printer = Printer::new(self.output.clone(), castling, &self.settings, self.debug);
        self.engine.go(limits, Box::new(printer));
    }

    /// The moves that a client's words mean in this position. A remark tells of the others.
    fn search_moves(&self, words: &[String]) -> Vec<UciMove> {
        let (mut moves, mut ambiguous, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for word in words {
            match self.engine.read_move(word) {
                Ok(m) => moves.push(m),
                Err(MoveError::Ambiguous) => ambiguous.push(word.as_str()),
                Err(_) => others.push(word.as_str()),
            }
        }
        let faults = [("not legal here", others), ("can mean several moves", ambiguous)];
        let faults = faults.into_iter().filter(|(_, words)| !words.is_empty());
        let faults: Vec<String> =
            faults.map(|(fault, words)| format!("{fault}: {}", words.join(" "))).collect();
        if !faults.is_empty() {
            let effect = if moves.is_empty() { "; all moves are searched" } else { "" };
            self.output.remark(&format!("searchmoves: {}{effect}", faults.join("; ")));
        }
        moves
    }

    fn perft(&mut self, depth: u32) {
        self.finish_search();
        self.output.write(&info::perft(&self.engine.perft(depth)));
    }

    fn flip(&mut self) {
        self.finish_search();
        match self.engine.flip() {
            Ok(()) => self.debug_position(),
            Err(error) => self.output.remark(&error.to_string()),
        }
    }

    fn bench(&mut self, depth: Option<u32>) {
        self.finish_search();
        let depth = depth.unwrap_or(bench::DEFAULT_DEPTH);
        let tally = bench::run(self.settings.rule_set, depth, self.settings.hash_mb, |step| {
            self.output.remark(&step.to_string());
            true
        });
        match tally {
            Ok(tally) => self.output.write(&tally.to_string()),
            Err(error) => self.output.remark(&error.to_string()),
        }
    }

    /// Sets an option. A refused option does not disturb even a running search.
    fn set_option(&mut self, name: &str, value: &str) {
        let mut changed = self.settings.clone();
        let change = match changed.set(name, value) {
            Ok(change) => change,
            Err(error) => return self.output.remark(&error.to_string()),
        };
        self.finish_search();
        let before = std::mem::replace(&mut self.settings, changed);
        match change {
            Change::Pressed(CLEAR_HASH) => self.engine.clear_table(),
            Change::Pressed(_) => {}
            Change::Value => self.apply_settings(&before),
        }
        self.debug_remark(|_| format!("{name} is set"));
    }

    /// Applies the changed settings; `before`: the settings until now.
    fn apply_settings(&mut self, before: &Settings) {
        if self.settings.debug_log_file != before.debug_log_file
            && let Err(error) = logging::to_file(&self.settings.debug_log_file)
        {
            let path = std::mem::take(&mut self.settings.debug_log_file);
            self.output.remark(&format!("cannot write the log file {path:?}: {error}"));
            self.settings.debug_log_file.clone_from(&before.debug_log_file);
        }
        let (threads, started) = (self.settings.threads, self.settings.search_threads());
        if threads != before.threads && threads > started {
            let text = format!("{started} of {threads} threads search: two for each processor");
            self.output.remark(&text);
        }
        let configured = self.engine.configure(&self.settings);
        configured.remarks.iter().for_each(|remark| self.output.remark(remark));
        for error in configured.errors {
            self.keep_setting(&error, before);
        }
    }

    /// Takes a refused setting back.
    fn keep_setting(&mut self, error: &ConfigureError, before: &Settings) {
        let kept = match error {
            ConfigureError::Hash(_) => {
                self.settings.hash_mb = before.hash_mb;
                // Without memory another rule set has not begun.
                self.settings.rule_set = self.engine.rule_set();
                format!("the table keeps its {} MB", before.hash_mb)
            }
            ConfigureError::Book(_) => {
                self.settings.book_file.clone_from(&before.book_file);
                "<empty> is the built-in book; the current book stays in use".to_string()
            }
            ConfigureError::Network(_) => {
                // A file that stays as it was is one that another rule set cannot use.
                let is_new = self.settings.eval_file != before.eval_file;
                let old = if is_new { before.eval_file.clone() } else { String::new() };
                self.settings.eval_file = old;
                "the current evaluation stays in use".to_string()
            }
            ConfigureError::Endgames(_) => {
                self.settings.syzygy_path.clone_from(&before.syzygy_path);
                "the current tables stay in use".to_string()
            }
        };
        self.output.remark(&format!("{error}; {kept}"));
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::uci::fake::{FakePlayer, Journal};

    /// Records the output of the session.
    #[derive(Clone, Default)]
    struct Heard(Arc<Mutex<Vec<u8>>>);

    impl Write for Heard {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A session with a fake player, its output, and the requests to the player.
    struct Talk {
        session: Session,
        heard: Heard,
        journal: Journal,
    }

    impl Talk {
        fn new() -> Talk {
            let (heard, journal) = (Heard::default(), Journal::default());
            let player = Box::new(FakePlayer::new(Arc::clone(&journal)));
            let engine = Engine::with_player(player);
            let output = Output::new(heard.clone());
            Talk { session: Session::new(engine, Settings::default(), output), heard, journal }
        }

        /// Sends each line; returns all answers so far.
        fn say(&mut self, lines: &[&str]) -> String {
            for line in lines {
                assert!(self.session.handle_line(line).is_continue(), "{line}");
            }
            self.heard()
        }

        fn heard(&self) -> String {
            String::from_utf8(self.heard.0.lock().unwrap().clone()).unwrap()
        }

        /// The output after the end of the current search.
        fn after_search(&mut self) -> String {
            self.session.engine.wait();
            self.heard()
        }

        fn journal(&self) -> Vec<String> {
            self.journal.lock().unwrap().clone()
        }
    }

    fn best_moves(text: &str) -> usize {
        text.lines().filter(|line| line.starts_with("bestmove")).count()
    }

    #[test]
    fn the_engine_identifies_itself() {
        let heard = Talk::new().say(&["uci", "isready"]);
        assert!(heard.starts_with("id name Ajedrecista "));
        assert!(heard.ends_with("uciok\nreadyok\n"));
    }

    #[test]
    fn a_move_after_an_info_line() {
        let mut talk = Talk::new();
        talk.say(&["position startpos", "go depth 1"]);
        let heard = talk.after_search();
        let lines: Vec<&str> = heard.lines().collect();
        assert!(lines[0].starts_with("info depth 1") && lines[0].contains(" pv "));
        assert!(lines[1].starts_with("bestmove"));
    }

    #[test]
    fn a_search_blocks_nothing() {
        let mut talk = Talk::new();
        let heard = talk.say(&["go infinite", "isready", "d", "eval"]);
        assert!(heard.contains("readyok") && heard.contains("Fen: rnbq"));
        assert_eq!(best_moves(&heard), 0);
        talk.say(&["stop"]);
        assert_eq!(best_moves(&talk.after_search()), 1);
    }

    #[test]
    fn stop_when_idle_is_silent() {
        assert_eq!(Talk::new().say(&["stop", "stop", "ponderhit"]), "");
    }

    #[test]
    fn the_move_waits_for_ponderhit() {
        let mut talk = Talk::new();
        talk.say(&["go ponder movetime 1"]);
        thread::sleep(Duration::from_millis(30));
        assert_eq!(best_moves(&talk.heard()), 0);
        talk.say(&["ponderhit"]);
        assert_eq!(best_moves(&talk.after_search()), 1);
    }

    #[test]
    fn changes_of_the_game_end_the_search_first() {
        for line in [
            "ucinewgame",
            "position startpos moves e2e4",
            "go depth 1",
            "setoption name Hash value 2",
            "setoption name Clear Hash",
            "flip",
            "go perft 1",
        ] {
            let mut talk = Talk::new();
            let heard = talk.say(&["go infinite", line]);
            assert!(best_moves(&heard) >= 1, "{line}");
            assert_eq!(best_moves(&talk.after_search()), if line == "go depth 1" { 2 } else { 1 });
        }
    }

    #[test]
    fn a_refused_option_changes_and_stops_nothing() {
        let mut talk = Talk::new();
        let lines = ["go infinite", "setoption name Hash value 0", "setoption name Nonsense"];
        let heard = talk.say(&lines);
        assert!(heard.contains("info string Hash takes a whole number from 1"));
        assert!(heard.contains("info string no option is called \"Nonsense\""));
        assert_eq!(best_moves(&heard), 0);
        assert_eq!(talk.journal(), ["go"]);
        talk.say(&["stop"]);
    }

    #[test]
    fn options_reach_the_player() {
        let mut talk = Talk::new();
        let heard = talk.say(&["setoption name hash value 3", "setoption name Threads value 2"]);
        assert_eq!(heard, "");
        talk.say(&["setoption name Clear Hash", "ucinewgame"]);
        assert_eq!(talk.journal(), ["hash 3", "hash 3", "clear", "new game"]);
    }

    #[test]
    fn a_table_without_memory_is_refused() {
        let mut talk = Talk::new();
        let heard = talk.say(&["setoption name Hash value 2000"]);
        assert!(heard.contains("no memory for a table of 2000 MB"), "{heard}");
        assert!(heard.ends_with("the table keeps its 16 MB\n"), "{heard}");
        assert_eq!(talk.session.settings, Settings::default());
        assert_eq!(talk.say(&["setoption name Ponder value false"]), heard);
        assert_eq!(talk.journal(), ["hash 2000", "hash 16"]);
    }

    #[test]
    fn wdl_is_shown_only_on_request() {
        let mut talk = Talk::new();
        talk.say(&["go depth 1"]);
        assert!(!talk.after_search().contains("wdl"));
        talk.say(&["setoption name UCI_ShowWDL value true", "go depth 1"]);
        assert!(talk.after_search().contains(" score cp 0 wdl "));
    }

    #[test]
    fn an_invalid_log_file_is_reported() {
        let mut talk = Talk::new();
        let heard = talk.say(&["setoption name Debug Log File value /no/such/place", "isready"]);
        assert!(heard.starts_with("info string cannot write the log file"), "{heard}");
        assert!(heard.ends_with("readyok\n"));
        assert_eq!(talk.session.settings, Settings::default());
    }

    /// It takes as long as a fast move.
    #[test]
    fn no_text_of_a_position_is_made_that_nobody_sees() {
        let mut talk = Talk::new();
        talk.say(&["position startpos moves e2e4", "go depth 1"]);
        talk.after_search();
        assert_eq!(talk.journal(), ["position", "go"]);
        talk.say(&["debug on", "position startpos"]);
        assert_eq!(talk.journal(), ["position", "go", "position", "view"]);
    }

    #[test]
    fn debug_remarks() {
        let mut talk = Talk::new();
        assert_eq!(talk.say(&["position startpos"]), "");
        let go = "go wtime 60000 btime 50000 winc 500 binc 0 movestogo 20 depth 1";
        let heard = talk.say(&["debug on", "position startpos", go]);
        assert!(heard.contains("info string the position is rnbq"));
        let searching = heard.lines().find(|line| line.contains("searching rnbq")).unwrap();
        let words = "go wtime 60000 btime 50000 winc 500 movestogo 20 depth 1";
        assert!(searching.ends_with(&format!(" w KQkq - 0 1: {words}")), "{searching}");
    }

    #[test]
    fn garbage_gets_only_a_remark() {
        let heard = Talk::new().say(&["", "# note", "xyzzy", "\u{0}\u{fffd}", "debug"]);
        assert_eq!(heard.lines().count(), 3);
        assert!(heard.lines().all(|line| line.starts_with("info string ")), "{heard}");
    }

    #[test]
    fn the_extra_commands_answer() {
        let heard = Talk::new().say(&["help", "compiler", "go perft 2", "flip"]);
        assert!(heard.contains("setoption name Hash"));
        assert!(heard.contains("Nodes searched: 400"));
        assert!(heard.contains("info string this position has no mirror image under its rules"));
    }

    #[test]
    fn the_end_of_the_input_ends_the_search() {
        let talk = Talk::new();
        let heard = talk.heard.clone();
        talk.session.run(&b"uci\xff\xfe\ngo infinite\nisready"[..]).unwrap();
        let heard = String::from_utf8(heard.0.lock().unwrap().clone()).unwrap();
        assert!(heard.contains("readyok"));
        assert_eq!(best_moves(&heard), 1);
    }

    #[test]
    fn quit_ends_the_session() {
        let talk = Talk::new();
        let heard = talk.heard.clone();
        talk.session.run(&b"go infinite\nquit\nisready\n"[..]).unwrap();
        let heard = String::from_utf8(heard.0.lock().unwrap().clone()).unwrap();
        assert_eq!((best_moves(&heard), heard.contains("readyok")), (1, false));
    }
}
