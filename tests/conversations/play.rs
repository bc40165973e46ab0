//! Whole games in a pseudo-terminal: bad input, another size, a cut connection, and the way to the result.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::pgn_files::engine;

/// Time limit of an answer: generous, for slow and busy machines.
const PATIENCE: Duration = Duration::from_secs(60);
/// Moves after which a game should long be over.
const LONG_GAME: usize = 200;

/// `engine play` in a pseudo-terminal.
struct Terminal {
    keyboard: File,
    process: Child,
    screen: Arc<Mutex<String>>,
    /// The part of the screen that has been read.
    read: usize,
}

impl Terminal {
    fn start(arguments: &[&str], folder: &Path) -> Terminal {
        Terminal::start_in("C.UTF-8", arguments, folder)
    }

    /// Starts a game in a terminal of this locale.
    fn start_in(locale: &str, arguments: &[&str], folder: &Path) -> Terminal {
        let folder = folder.to_str().unwrap();
        Terminal::open(locale, &[&["play"], arguments, &["--folder", folder]].concat())
    }

    /// Starts the program in a terminal of this locale.
    fn open(locale: &str, arguments: &[&str]) -> Terminal {
        let keyboard: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&keyboard).unwrap();
        unlockpt(&keyboard).unwrap();
        let name = ptsname(&keyboard, Vec::new()).unwrap().into_string().unwrap();
        // Where the tests lead a session of their own, their terminal must not become this one, which hangs up.
        let line = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(OpenptFlags::NOCTTY.bits() as i32)
            .open(name)
            .unwrap();
        let process = Command::new(env!("CARGO_BIN_EXE_engine"))
            .args(arguments)
            .env("TERM", "xterm")
            .env("LC_ALL", locale)
            .env_remove("NO_COLOR")
            .stdin(line.try_clone().unwrap())
            .stdout(line.try_clone().unwrap())
            .stderr(line)
            .spawn()
            .unwrap();
        let keyboard = File::from(keyboard);
        let screen = Arc::new(Mutex::new(String::new()));
        let (mut output, shown) = (keyboard.try_clone().unwrap(), Arc::clone(&screen));
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count) = output.read(&mut bytes) {
                if count == 0 {
                    return;
                }
                shown.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        });
        Terminal { keyboard, process, screen, read: 0 }
    }

    fn say(&mut self, line: &str) {
        self.keyboard.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn resize(&self, rows: u16, columns: u16) {
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&self.keyboard, size).unwrap();
    }

    /// Waits until one of `texts` is on the screen; returns what was shown up to it and the text.
    fn wait_for<'a>(&mut self, texts: &[&'a str]) -> (String, &'a str) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let shown = self.screen.lock().unwrap().clone();
            let new = &shown[self.read..];
            let found = texts.iter().filter_map(|&text| Some((new.find(text)?, text))).min();
            if let Some((at, text)) = found {
                self.read += at + text.len();
                return (new[..at].to_string(), text);
            }
            assert!(Instant::now() < deadline, "no {texts:?} in {new}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn says(&mut self, line: &str, answer: &str) {
        self.say(line);
        self.wait_for(&[answer]);
        self.wait_for(&[" > "]);
    }

    /// The answer to a line that makes no move.
    fn ask(&mut self, line: &str) -> String {
        self.say(line);
        self.wait_for(&[&format!("{line}\r\n")]);
        self.wait_for(&[" > "]).0
    }

    /// Plays the engine's own hints; returns true at the end of the game, false after `moves` moves.
    fn follow_hints(&mut self, moves: usize) -> bool {
        for _ in 0..moves {
            self.say("hint");
            self.wait_for(&["Hint: "]);
            let (hint, _) = self.wait_for(&[", "]);
            self.wait_for(&[" > "]);
            self.say(&hint);
            if self.wait_for(&[" > ", "The game is in "]).1 != " > " {
                return true;
            }
        }
        false
    }

    /// Cuts the connection in the hardest way: the program gets no chance to say or write anything.
    fn cut(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Plays a game under `variant` with all mishaps, and returns its record.
fn play(variant: &str, bad_move: &str, advice: &str) -> String {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("games");
    let arguments = ["--variant", variant, "--elo", "400", "--clock", "60+5", "--at-once"];
    let mut terminal = Terminal::start(&arguments, &folder);
    terminal.wait_for(&[" > "]);
    terminal.says("xyzzy", "neither a move nor a command");
    terminal.says(bad_move, advice);
    terminal.says("undo", "no move of yours");
    terminal.says("\u{1}\u{2}é~", "neither a move nor a command");
    terminal.resize(5, 20);
    terminal.says("flip", "h  g  f  e  d  c  b  a");
    terminal.says("why", "Material: ");
    assert!(!terminal.follow_hints(2), "two moves end no game");
    terminal.says("undo", "c  b  a");
    terminal.resize(50, 200);
    terminal.cut();
    let unfinished = fs::read_to_string(folder.join("unfinished.pgn")).unwrap();
    assert!(unfinished.contains("1. ") && unfinished.contains("[%clk "), "{unfinished}");

    let mut terminal = Terminal::start(&["--at-once"], &folder);
    terminal.wait_for(&["Go on with it? [Y/n]"]);
    terminal.say("y");
    terminal.wait_for(&[" > "]);
    assert!(terminal.follow_hints(LONG_GAME), "the game has no end");
    terminal.wait_for(&["Game over > "]);
    terminal.say("quit");
    assert!(terminal.process.wait().unwrap().success());
    assert!(!folder.join("unfinished.pgn").exists());
    fs::read_to_string(folder.join("games.pgn")).unwrap()
}

#[test]
fn a_game_of_chess_from_start_to_end() {
    let record = play("chess", "Nd4", "with a knight you can play Na3, Nc3, Nf3, Nh3");
    assert!(record.contains("[Termination ") && !record.contains("[Variant"), "{record}");
}

#[test]
fn a_game_of_king_of_the_hill_from_start_to_end() {
    let record = play("kingofthehill", "Ke4", "no king of yours can move");
    assert!(record.contains("[Variant \"kingofthehill\"]"), "{record}");
}

#[test]
fn a_game_of_atomic_chess_from_start_to_end() {
    let record = play("atomic", "Bc4", "no bishop of yours can move");
    assert!(record.contains("[Variant \"atomic\"]"), "{record}");
}

#[test]
fn mate_resignation_and_an_unanswered_clock_end_a_game() {
    let place = tempfile::tempdir().unwrap();
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let mut terminal = Terminal::start(&["--fen", mate, "--elo", "800"], place.path());
    terminal.wait_for(&[" > "]);
    terminal.say("Ra8");
    terminal.wait_for(&["You have won: checkmate. 1-0"]);
    let mut terminal = Terminal::start(&["--level", "3", "--color", "black"], place.path());
    terminal.wait_for(&["I play 1. "]);
    terminal.wait_for(&[" > "]);
    terminal.say("resign");
    terminal.wait_for(&["I have won: resignation. 1-0"]);
    let mut terminal = Terminal::start(&["--elo", "1000"], place.path());
    terminal.wait_for(&[" > "]);
    terminal.say("e4");
    terminal.wait_for(&["I play 1... "]);
    terminal.wait_for(&[" > "]);
    // Ctrl-D at the start of a line is the end of the input.
    terminal.keyboard.write_all(&[4]).unwrap();
    terminal.wait_for(&[&format!("; engine play --folder {}", place.path().display())]);
    terminal.wait_for(&[" goes on with it."]);
    let mut terminal = Terminal::start(&["--clock", "0.001+0"], place.path());
    terminal.wait_for(&["[Y/n]"]);
    terminal.say("n");
    terminal.wait_for(&["I have won: time. 0-1"]);
    let games = fs::read_to_string(place.path().join("games.pgn")).unwrap();
    assert_eq!(games.matches("[Result ").count(), 4, "{games}");
}

#[test]
fn after_the_game_the_last_move_is_judged_for_whoever_made_it() {
    let place = tempfile::tempdir().unwrap();
    let end = |fen: &str, rules: &str, m: &str| {
        let arguments = ["--elo", "800", "--fen", fen, "--variant", rules];
        let mut terminal = Terminal::start(&arguments, place.path());
        terminal.wait_for(&[" > "]);
        terminal.say(m);
        terminal.wait_for(&["Game over > "]);
        let why = terminal.ask("why");
        assert!(!why.contains("Material") && !why.contains("My last"), "{why}");
        (terminal, why)
    };
    let (mut terminal, why) = end("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "chess", "Ra8");
    assert!(why.contains("You have won: checkmate. 1-0"), "{why}");
    assert!(why.contains("Your last move, Ra8#, won the game."), "{why}");
    // All that the help shows can be done, and nothing of it begins a record of the game that is over.
    let help = terminal.ask("help");
    let file = place.path().join("game.pgn").display().to_string();
    let commands = ["why", "history", "board", "flip", "rating", "elo 900", "level 4", "pgn"];
    for command in commands.map(str::to_string).into_iter().chain([format!("save {file}")]) {
        let word = command.split(' ').next().unwrap();
        assert!(help.contains(&format!("\n  {word} ")), "{word}: {help}");
        let told = terminal.ask(&command);
        assert!(!told.contains("The game is over"), "{command}: {told}");
    }
    for command in ["hint", "draw", "resign", "moves"] {
        assert!(!help.contains(&format!("\n  {command} ")), "{help}");
        assert!(terminal.ask(command).contains("The game is over"), "{command}");
    }
    assert!(!place.path().join("unfinished.pgn").exists());

    let (mut terminal, why) = end("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "chess", "Qg6");
    assert!(why.contains("The game is drawn: stalemate."), "{why}");
    assert!(why.contains("Your last move was Qg6; Qg7# was much better."), "{why}");
    // The sentence of a mistake names the better move once.
    let review = terminal.ask("analyse");
    assert!(review.contains("better is 1.Qg7#."), "{review}");
    assert_eq!(review.matches("Qg7#").count(), 1, "{review}");

    let atomic = "rnbqkbnr/pppppppp/8/4N3/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1";
    let (_, why) = end(atomic, "atomic", "Nxf7");
    assert!(why.contains("You have won: the king has exploded. 1-0"), "{why}");
    assert!(why.contains("Your last move, Nxf7#, won the game."), "{why}");
}

#[test]
fn in_a_game_between_others_the_sides_are_named_and_only_own_moves_are_the_players() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("others.pgn").display().to_string();
    // The last move leaves the queen hanging.
    fs::write(&file, "1. e4 e5 2. Nf3 d6 3. Bc4 Qg5 *\n").unwrap();
    let start = |arguments: &[&str]| {
        let mut terminal = Terminal::start(arguments, place.path());
        terminal.wait_for(&[" > "]);
        terminal
    };
    let mut terminal = start(&["--pgn", &file, "--lang", "es"]);
    let why = terminal.ask("por qué");
    assert!(why.contains("La última jugada de las negras fue Dg5; "), "{why}");
    drop(terminal);

    let mut terminal = start(&["--pgn", &file, "--level", "3"]);
    let why = terminal.ask("why");
    assert!(why.contains("The last move of Black was Qg5; "), "{why}");
    assert!(!why.contains("My ") && !why.contains("I have looked"), "{why}");
    let review = terminal.ask("analyse");
    assert!(review.contains("White: accuracy ") && review.contains("Black: accuracy "), "{review}");
    assert!(!review.contains("You: "), "{review}");
    terminal.ask("Nxg5");
    let why = terminal.ask("why");
    assert!(why.contains("My last move"), "{why}");
    terminal.say("quit");
    terminal.wait_for(&["The game is kept"]);
    // Only one program at a time has the games of a folder.
    terminal.process.wait().unwrap();

    // Whoever goes on with it still has made one move of it.
    let mut terminal = Terminal::start(&[], place.path());
    terminal.wait_for(&["Go on with it"]);
    terminal.say("y");
    terminal.wait_for(&["White > "]);
    assert!(terminal.ask("resign").contains("0-1"));
    let told = terminal.ask("retry 2");
    assert!(told.contains("You made the moves 4 to 4"), "{told}");
}

#[test]
fn a_game_or_a_position_that_is_over_is_not_played_and_not_stored() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("games");
    let file = place.path().join("mate.pgn").display().to_string();
    fs::write(&file, "1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    let refused = |arguments: &[&str]| {
        let all = [&["play"], arguments, &["--folder", folder.to_str().unwrap()]].concat();
        let done = engine(place.path(), &all, "quit\n");
        assert_eq!(done.status.code(), Some(2), "{done:?}");
        assert!(!folder.join("games.pgn").exists() && !folder.join("unfinished.pgn").exists());
        String::from_utf8(done.stderr).unwrap()
    };
    let told = refused(&["--pgn", &file]);
    assert!(told.contains("mate.pgn: this game is over: checkmate, 0-1. "), "{told}");
    assert!(told.contains("engine analyse finds its mistakes"), "{told}");
    let told = refused(&["--pgn", &file, "--lang", "es"]);
    assert!(told.contains("mate.pgn: esta partida ha terminado: jaque mate, 0-1. "), "{told}");
    let told = refused(&["--fen", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"]);
    assert!(told.contains("the game is over in this position: checkmate, 1-0"), "{told}");
}

#[test]
fn an_option_that_would_be_ignored_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("atomic.pgn").display().to_string();
    fs::write(&file, "[Variant \"Atomic\"]\n\n1. Nf3 *\n").unwrap();
    let folder = place.path().join("games");
    let begun = |arguments: &[&str]| {
        let all = [&["play"], arguments, &["--folder", folder.to_str().unwrap()]].concat();
        let done = engine(place.path(), &all, "quit\n");
        let told = String::from_utf8(done.stderr).unwrap();
        (done.status.code(), told)
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (arguments, told) in [
        (&["--variant", "antichess", "--chess960"][..], "leave --chess960 or --variant out"),
        (&["--chess960", "5", "--variant", "atomic"], "is for chess, and not for atomic"),
        (&["--chess960", "5", "--fen", start], "--fen and --chess960 5 name two positions"),
        (&["--pgn", &file, "--chess960", "5"], "cannot be used with"),
        (&["--pgn", &file, "--variant", "chess"], "this is a game of atomic, and not of chess"),
        (&["--pgn", &file, "--variant", "horde", "--lang", "es"], "quita --variant"),
        (&["--variant", "chess960"], "for Chess960 write --chess960 instead"),
    ] {
        let (code, said) = begun(arguments);
        assert!(code == Some(2) && said.contains(told), "{arguments:?}: {said}");
        assert!(!folder.exists(), "{arguments:?}");
    }
    for arguments in [
        &["--variant", "chess", "--chess960"][..],
        &["--pgn", &file],
        &["--pgn", &file, "--variant", "atomic"],
        &["--chess960", "--fen", start],
    ] {
        let (code, said) = begun(arguments);
        assert_eq!((code, &*said), (Some(0), ""), "{arguments:?}");
        let _ = fs::remove_dir_all(&folder);
    }
}

#[test]
fn a_record_has_the_opening_of_its_last_move() {
    let place = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::start(&["--color", "black", "--elo", "800"], place.path());
    terminal.wait_for(&["I play 1. "]);
    terminal.wait_for(&["Opening: "]);
    let (told, _) = terminal.wait_for(&["\r\n"]);
    let (eco, name) = told.trim().split_once(' ').unwrap();
    terminal.wait_for(&["Black > "]);
    let tags = format!("[ECO \"{eco}\"]\n[Opening \"{name}\"]\n");
    let kept = fs::read_to_string(place.path().join("unfinished.pgn")).unwrap();
    assert!(kept.contains(&tags), "{tags} {kept}");
}

#[test]
fn an_analysis_that_is_interrupted_clears_its_bar_and_says_what_is_kept() {
    let place = tempfile::tempdir().unwrap();
    let [file, output] =
        ["in.pgn", "out.pgn"].map(|name| place.path().join(name).display().to_string());
    fs::write(&file, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n".repeat(500)).unwrap();
    let mut terminal = Terminal::open("C.UTF-8", &["analyse", &file, "-o", &output]);
    terminal.wait_for(&[" % "]);
    let id = terminal.process.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let (bar, _) = terminal.wait_for(&["interrupted: what is finished is in "]);
    assert!(bar.ends_with("\x1b[2K"), "{bar:?}");
    terminal.wait_for(&["out.pgn.journal; the same command goes on from there\r\n"]);
}

#[test]
fn commands_show_the_game_explain_it_and_begin_another() {
    let place = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::start(&["--elo", "1200"], place.path());
    terminal.wait_for(&[" > "]);
    assert!(terminal.ask("histroy").contains("did you mean history?"));
    assert!(terminal.ask("history").contains("No move has been made yet."));
    terminal.say("f3");
    terminal.wait_for(&["I play 1... "]);
    terminal.wait_for(&[" > "]);
    let history = terminal.ask("history");
    assert!(history.starts_with("1. f3 "), "{history}");
    let why = terminal.ask("why");
    assert!(why.contains("My last move"), "{why}");
    for protocol in ["elo=", "seed=", "judged", "weight", "book:"] {
        assert!(!why.contains(protocol), "{why}");
    }
    let mistakes = terminal.ask("analyse");
    assert!(mistakes.contains("You: accuracy ") && mistakes.contains("I: accuracy "), "{mistakes}");
    // The bar, and its end: an empty line.
    let (bar, after) = mistakes.split_once(" % ").unwrap_or_else(|| panic!("no bar: {mistakes}"));
    assert!(!bar.contains("accuracy") && after.contains("\x1b[2K"), "{mistakes}");
    let refused = terminal.ask("save /no/such/folder/game.pgn");
    assert!(
        refused.contains("no such file or folder") && !refused.contains("os error"),
        "{refused}"
    );
    terminal.say("new");
    terminal.wait_for(&["The game so far is in "]);
    terminal.wait_for(&["You have Black against "]);
    terminal.wait_for(&["I play 1. "]);
    let games = fs::read_to_string(place.path().join("games.pgn")).unwrap();
    assert!(games.contains("1. f3") && games.contains("[Result \"*\"]"), "{games}");
}

#[test]
fn a_finished_game_leads_on_to_another_or_back_to_the_move_that_lost() {
    let place = tempfile::tempdir().unwrap();
    let arguments = ["--elo", "1200", "--clock", "0.1+60", "--at-once"];
    let mut terminal = Terminal::start(&arguments, place.path());
    terminal.wait_for(&[" > "]);
    for m in ["e4", "Qh5"] {
        terminal.say(m);
        terminal.wait_for(&["I play "]);
        terminal.wait_for(&[" > "]);
    }
    terminal.say("resign");
    terminal.wait_for(&["The game is in "]);
    let ways = terminal.wait_for(&["Game over > "]).0;
    for way in ["new ", "again ", "retry ", "undo ", "analyse ", "quit "] {
        assert!(ways.contains(way), "{way}: {ways}");
    }
    assert!(terminal.ask("e4").contains("The game is over"));
    assert!(terminal.ask("draw").contains("The game is over"));
    assert!(terminal.ask("anlyse").contains("Did you mean analyse?"));
    assert!(terminal.ask("analyse").contains("You: accuracy "));
    assert!(terminal.ask("pgn").contains("[Result \"0-1\"]"));
    assert!(terminal.ask("retry 7").contains("You made the moves 1 to 2"));
    let back = terminal.ask("retry 2");
    assert!(back.contains("Before 2. Qh5 again") && !back.contains("Game over"), "{back}");
    assert!(terminal.ask("history").starts_with("1. e4 "));
    assert!(terminal.ask("retry").contains("The game is not over"));
    terminal.says("resign", "I have won: resignation. 0-1");
    let back = terminal.ask("undo");
    assert!(back.contains("Before 1. e4 again"), "{back}");
    assert!(terminal.ask("history").contains("No move has been made yet."));
    terminal.says("resign", "I have won");
    terminal.says("again", "You have White against ");
    terminal.says("resign", "I have won");
    terminal.says("rematch", "You have Black against ");
    terminal.says("resign", "I have won: resignation. 1-0");
    terminal.say("quit");
    assert!(terminal.process.wait().unwrap().success());
    let games = fs::read_to_string(place.path().join("games.pgn")).unwrap();
    assert_eq!(games.matches("[Event ").count(), 5, "{games}");
    assert_eq!(games.matches("[PlayedAgain ").count(), 2, "{games}");
    let known = fs::read_to_string(place.path().join("player.txt")).unwrap_or_default();
    let is_once =
        known.lines().filter(|line| line.starts_with("chess ")).all(|line| line.contains(" 1 "));
    assert!(is_once, "only the first game counts: {known}");
}

#[test]
fn retry_finds_the_move_that_lost_and_a_file_of_lines_ends() {
    let place = tempfile::tempdir().unwrap();
    let queen = "r1b1kbnr/ppp2ppp/2np4/4N3/4P2q/3P4/PPP2PPP/RNBQKB1R w KQkq - 0 5";
    let mut terminal = Terminal::start(&["--fen", queen, "--elo", "2000"], place.path());
    terminal.wait_for(&[" > "]);
    for m in ["Qh5", "a3"] {
        terminal.say(m);
        terminal.wait_for(&["I play "]);
        terminal.wait_for(&[" > "]);
    }
    terminal.says("resign", "I have won");
    let back = terminal.ask("retry");
    assert!(back.contains("It was 5. Qh5, a blunder.") && back.contains("Before 5. Qh5"), "{back}");
    // Cut, and gone on with: it is still the same try, which is not judged.
    terminal.cut();
    let mut terminal = Terminal::start(&[], place.path());
    terminal.wait_for(&["Go on with it? [Y/n]"]);
    terminal.says("y", "You have White");
    assert!(terminal.ask("pgn").contains("[PlayedAgain \"5\"]"));
    // The end of the input ends the session, over or not.
    terminal.says("resign", "I have won");
    terminal.keyboard.write_all(&[4]).unwrap();
    assert!(terminal.process.wait().unwrap().success());
}

#[test]
fn a_game_of_which_all_was_taken_back_is_not_gone_on_with() {
    let place = tempfile::tempdir().unwrap();
    let arguments = ["--color", "white", "--elo", "400", "--at-once"];
    let mut terminal = Terminal::start(&arguments, place.path());
    terminal.wait_for(&["White > "]);
    terminal.says("e4", "I play ");
    terminal.says("undo", "White");
    assert!(place.path().join("unfinished.pgn").exists());
    terminal.cut();
    let mut terminal = Terminal::start(&arguments, place.path());
    assert_eq!(terminal.wait_for(&["Go on with it?", "White > "]).1, "White > ");
    assert!(!place.path().join("unfinished.pgn").exists());
    // Nor is it said to be kept when the player leaves.
    terminal.says("elo 500", "You play against ");
    assert!(place.path().join("unfinished.pgn").exists());
    terminal.say("quit");
    assert!(terminal.process.wait().unwrap().success());
    assert!(!terminal.screen.lock().unwrap().contains("is kept in"));
    assert!(!place.path().join("unfinished.pgn").exists());
    let mut terminal = Terminal::start(&arguments, place.path());
    terminal.wait_for(&["White > "]);
    terminal.says("e4", "I play ");
    terminal.cut();
    let mut terminal = Terminal::start(&[], place.path());
    terminal.wait_for(&["an unfinished game of one move. Go on with it?"]);
}

#[test]
fn the_help_is_broken_between_words() {
    let place = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::start(&["--elo", "1200"], place.path());
    terminal.wait_for(&[" > "]);
    terminal.resize(24, 40);
    let help = terminal.ask("help");
    assert!(help.contains("rating reset") && help.lines().count() > 20, "{help}");
    let prose = help.lines().take_while(|line| !line.contains("White"));
    assert!(prose.clone().all(|line| line.trim_end().chars().count() <= 40), "{help}");
}

#[test]
fn a_game_in_spanish_from_the_first_move_to_the_review() {
    let place = tempfile::tempdir().unwrap();
    let fen = "r1b1kbnr/ppp2ppp/2np4/4N3/4P2q/3P4/PPP2PPP/RNBQKB1R w KQkq - 0 5";
    // A beginner might overlook the queen, and agree to a draw.
    let arguments = ["--lang", "es", "--level", "5", "--fen", fen];
    let mut terminal = Terminal::start(&arguments, place.path());
    terminal.wait_for(&["Tienes las blancas contra Ajedrecista "]);
    terminal.wait_for(&[", nivel 5-avanzado. Escribe «ayuda»"]);
    terminal.wait_for(&["Blancas > "]);
    let help = terminal.ask("ayuda");
    for word in ["pista ", "abandonar ", "nivel L ", "guardar F "] {
        assert!(help.contains(word), "{word}: {help}");
    }
    assert!(terminal.ask("Td1").contains("Td1 no es legal; con una torre puedes jugar Tg1"));
    assert!(terminal.ask("psta").contains("¿querías decir «pista»?"));
    assert!(terminal.ask("jugadas").contains("Cxc6 "));
    let hint = terminal.ask("pista");
    assert!(hint.starts_with("Pista: ") && hint.contains("para ti."), "{hint}");
    assert!(terminal.ask("¿por qué?").contains("Material: "));
    terminal.says("Dh5", "Juego 5... ");
    assert!(terminal.ask("historia").starts_with("5. Dh5 "));
    assert!(terminal.ask("tablas").contains("Tablas todavía no"));
    terminal.says("abandonar", "He ganado yo: abandono. 0-1");
    assert!(terminal.ask("e4").contains("La partida ha terminado"));
    let review = terminal.ask("analizar");
    assert!(review.contains("5.Dh5?? un error grave: "), "{review}");
    assert!(review.contains("Tú: precisión ") && review.contains("Yo: precisión "), "{review}");
    let back = terminal.ask("reintentar");
    assert!(back.contains("Fue 5. Dh5, un error grave."), "{back}");
    terminal.says("hint", "Pista: ");
    terminal.say("salir");
    terminal.wait_for(&["«engine play --folder "]);
    terminal.wait_for(&[" --lang es» sigue con ella."]);
    assert!(terminal.process.wait().unwrap().success());
    let record = fs::read_to_string(place.path().join("games.pgn")).unwrap();
    assert!(record.contains("5. Qh5 ") && record.contains("resignation"), "{record}");

    let mut terminal = Terminal::start(&["--lang", "es"], place.path());
    terminal.wait_for(&[
        "Hay una partida sin terminar (aún sin jugadas). ¿Quieres seguir con ella? [S/n]",
    ]);
    terminal.says("sí", "Tienes las blancas");
}

#[test]
fn a_capital_is_a_piece_in_spanish_and_names_of_options_are_spanish_too() {
    let place = tempfile::tempdir().unwrap();
    let arguments = ["--lang", "es", "--color", "blancas", "--level", "principiante", "--at-once"];
    let mut terminal = Terminal::start(&arguments, place.path());
    terminal.wait_for(&["Tienes las blancas contra Ajedrecista "]);
    terminal.wait_for(&["nivel 3-principiante"]);
    terminal.wait_for(&[" > "]);
    terminal.says("1. Cc3", "Juego 1... ");
    assert!(terminal.ask("historia").starts_with("1. Cc3 "));
    assert!(terminal.ask("ayuda").contains("por qué "));
    let mut terminal = Terminal::start(&["--color", "negras"], &place.path().join("other"));
    terminal.wait_for(&["You have Black against "]);
}

#[test]
fn other_rules_are_told_at_the_start_and_their_goal_at_the_end() {
    let place = tempfile::tempdir().unwrap();
    let hill = "4k3/8/8/8/8/4K3/8/8 w - - 0 1";
    let checks = "4k3/8/8/8/8/3K4/4P3/R7 w - - 1+3 0 1";
    for (lang, rules, fen, told, m, end) in [
        ("en", "kingofthehill", hill, "a king that reaches d4", "Kd4", "reached the centre. 1-0"),
        ("es", "kingofthehill", hill, "lleva su rey a d4", "Rd4", "ha llegado al centro. 1-0"),
        ("en", "3check", checks, "gives the third check", "Ra8", "You have won: third check. 1-0"),
        ("es", "3check", checks, "da el tercer jaque", "Ta8", "Has ganado: tercer jaque. 1-0"),
    ] {
        let arguments = ["--lang", lang, "--variant", rules, "--fen", fen];
        let mut terminal = Terminal::start(&arguments, place.path());
        terminal.wait_for(&[told]);
        terminal.wait_for(&[" > "]);
        terminal.say(m);
        terminal.wait_for(&[end]);
    }
}

#[test]
fn the_bare_program_leads_a_person_to_a_game_and_says_nothing_of_it_to_a_client() {
    let mut terminal = Terminal::open("C.UTF-8", &[]);
    terminal.wait_for(&["a chess engine that speaks UCI"]);
    terminal.wait_for(&["engine play (in the terminal) or engine web --open"]);
    for line in ["play", "engine play --elo 800"] {
        terminal.say(line);
        terminal.wait_for(&["play is a command of the shell: quit, then engine play"]);
    }
    terminal.say("help");
    terminal.wait_for(&["setoption"]);
    terminal.wait_for(&["engine play (in the terminal)"]);
    terminal.say("go infinite");
    terminal.say("isready");
    terminal.wait_for(&["readyok"]);
    terminal.say("quit");
    terminal.wait_for(&["bestmove "]);
    assert!(terminal.process.wait().unwrap().success());
    let client = engine(Path::new("."), &[], "play\nquit\n");
    let heard = String::from_utf8(client.stdout).unwrap();
    assert_eq!(heard, "info string unknown command \"play\"; try help\n");
}

#[test]
fn a_terminal_without_utf_8_gets_letters_unasked() {
    let place = tempfile::tempdir().unwrap();
    let board = |locale: &str| {
        let mut terminal = Terminal::start_in(locale, &["--elo", "1200"], place.path());
        terminal.wait_for(&[" > "]).0
    };
    let letters = board("C");
    assert!(letters.is_ascii() && letters.contains("m q "), "{letters}");
    assert!(board("C.UTF-8").contains('♛'));
}

/// Leaves a knight hanging and gives up; returns what was shown after the game.
fn blunder_and_resign(folder: &Path) -> String {
    let knight = "r1b1kbnr/ppp2ppp/2np4/4N3/4P2q/3P4/PPP2PPP/RNBQKB1R w KQkq - 0 5";
    let mut terminal = Terminal::start(&["--fen", knight], folder);
    terminal.wait_for(&[" > "]);
    terminal.say("a3");
    terminal.wait_for(&["I play 5... "]);
    terminal.wait_for(&[" > "]);
    terminal.say("resign");
    terminal.wait_for(&["I have won: resignation. 0-1"]);
    terminal.wait_for(&["The game is in "]).0
}

#[test]
fn the_player_s_strength_is_remembered_shown_and_forgotten() {
    let place = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::start(&[], place.path());
    terminal.wait_for(&["I do not know yet how you play. I begin with 1200."]);
    terminal.wait_for(&[" > "]);
    terminal.say("quit");
    let shown = blunder_and_resign(place.path());
    assert!(shown.contains("You play like ") && shown.contains("by 1 game."), "{shown}");
    assert!(blunder_and_resign(place.path()).contains("by 2 games."));

    let path = place.path().join("player.txt");
    let kept = fs::read_to_string(&path).unwrap();
    let mut terminal = Terminal::start(&[], place.path());
    terminal.wait_for(&["by 2 games."]);
    terminal.wait_for(&[" > "]);
    assert!(terminal.ask("rating").contains("by 2 games."));
    assert!(terminal.ask("rating reset").contains("Forgotten"));
    assert!(terminal.ask("rating").contains("I do not know yet"));
    terminal.say("quit");
    terminal.process.wait().unwrap();

    fs::write(&path, &kept).unwrap();
    let mut terminal = Terminal::start(&["--reset-rating"], place.path());
    terminal.wait_for(&["Forgotten", "by 2 games"]);
    terminal.wait_for(&["I do not know yet"]);
    drop(terminal);
    fs::write(&path, kept.replace("chess ", "chess broken ")).unwrap();
    let mut terminal = Terminal::start(&[], place.path());
    terminal.wait_for(&["the line of chess is damaged"]);
    terminal.wait_for(&["I do not know yet"]);
}

#[test]
fn chess960_begins_with_the_position_of_a_number() {
    let place = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::start(&["--elo", "800", "--chess960", "0"], place.path());
    terminal.wait_for(&[" > "]);
    terminal.say("resign");
    terminal.wait_for(&["The game is in "]);
    drop(terminal);
    let kept = fs::read_to_string(place.path().join("games.pgn")).unwrap();
    assert!(kept.contains("[FEN \"bbqnnrkr/pppppppp/") && kept.contains("Chess960"), "{kept}");
}
