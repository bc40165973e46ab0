//! Signals, and two processes in one place: nothing stays behind that should not, and nothing is lost that
//! should be kept.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Once};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT};
use signal_hook::flag::register_conditional_default;

const PATIENCE: Duration = Duration::from_secs(60);

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Lets programs started from now on hear Ctrl-C and a closed terminal. The jobs that a script starts in the background ignore the one,
/// what `nohup` starts the other, and so would these tests hand that on to the engine; a signal with a handler is not handed on.
pub fn hear_signals() {
    static HEARS: Once = Once::new();
    HEARS.call_once(|| {
        for signal in [SIGINT, SIGHUP] {
            register_conditional_default(signal, Arc::new(true.into())).unwrap();
        }
    });
}

fn signal(process: &Child, name: &str) {
    let id = process.id().to_string();
    assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
}

fn wait_until(what: &str, mut is_done: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_done() {
        assert!(Instant::now() < deadline, "no {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

fn games(count: usize) -> String {
    (1..=count).map(|n| format!("[Event \"{n}\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n")).collect()
}

fn analyse(folder: &Path, nodes: &str) -> Command {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_engine"));
    engine.args(["analyse", "in.pgn", "-o", "out.pgn", "--threads", "1", "--nodes", nodes]);
    engine.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::piped());
    engine
}

fn pieces(folder: &Path) -> usize {
    fs::read_to_string(folder.join("out.pgn.journal")).unwrap_or_default().lines().count()
}

#[test]
fn one_output_has_one_run_and_its_work_is_not_thrown_away() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("in.pgn"), games(30)).unwrap();
    let mut first = analyse(folder, "20000").spawn().unwrap();
    wait_until("finished game", || pieces(folder) > 1);
    let second = analyse(folder, "20000").output().unwrap();
    let error = String::from_utf8(second.stderr).unwrap();
    assert_eq!(second.status.code(), Some(2), "{error}");
    assert!(error.contains("another run is writing this output"), "{error}");
    assert!(first.try_wait().unwrap().is_none(), "the first goes on");
    signal(&first, "-TERM");
    let told = String::from_utf8(first.wait_with_output().unwrap().stderr).unwrap();
    let kept = "/out.pgn.journal; the same command goes on from there\n";
    assert!(
        told.starts_with("interrupted: what is finished is in ") && told.ends_with(kept),
        "{told}"
    );
    assert_eq!(names(folder), ["in.pgn", "out.pgn.journal"]);

    // Another task has no use for the journal, and does not throw the work away.
    let kept = fs::read(folder.join("out.pgn.journal")).unwrap();
    let other = analyse(folder, "200").output().unwrap();
    let error = String::from_utf8(other.stderr).unwrap();
    assert!(error.contains("--force to begin anew") && other.status.code() == Some(2), "{error}");
    assert_eq!(fs::read(folder.join("out.pgn.journal")).unwrap(), kept);
    let forced = analyse(folder, "200").arg("--force").output().unwrap();
    assert!(forced.status.success(), "{forced:?}");
    let written = fs::read_to_string(folder.join("out.pgn")).unwrap();
    assert_eq!(written.matches("200 nodes").count(), 30, "{written}");
    assert_eq!(names(folder), ["in.pgn", "out.pgn"]);
}

/// A terminal that closes ends the program, and its temporary files with it, unless nohup forbids it.
#[test]
fn a_closed_terminal_leaves_no_temporary_file() {
    hear_signals();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for arguments in [
        &["selfplay", "--games", "60", "--nodes", "20", "-o", "games.bin"][..],
        &["data", "shuffle", "games.bin", "-o", "shuffled.bin"],
    ] {
        let mut engine = Command::new(env!("CARGO_BIN_EXE_engine"));
        let output = engine.args(arguments).current_dir(folder).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    let train = |ignoring: &str| {
        let script = format!("{ignoring} exec \"$0\" \"$@\"");
        let sizes = ["--hidden", "64", "--batch", "64", "--epochs", "10000", "--force"];
        Command::new("bash")
            .args([
                "-c",
                &script,
                env!("CARGO_BIN_EXE_engine"),
                "train",
                "shuffled.bin",
                "-o",
                "new.bin",
            ])
            .args(sizes)
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let has_begun = || names(folder).iter().any(|name| name == "new.bin.checkpoint");
    let end = |mut process: Child, name: &str| {
        signal(&process, name);
        wait_until("end", || process.try_wait().unwrap().is_some());
        assert_eq!(names(folder), ["games.bin", "new.bin.checkpoint", "shuffled.bin"], "{name}");
        fs::remove_file(folder.join("new.bin.checkpoint")).unwrap();
    };
    for name in ["-HUP", "-TERM"] {
        let process = train("");
        wait_until("checkpoint", has_begun);
        end(process, name);
    }
    if cfg!(target_os = "linux") {
        let mut process = train("trap '' HUP;");
        wait_until("checkpoint", has_begun);
        signal(&process, "-HUP");
        thread::sleep(Duration::from_millis(300));
        assert!(process.try_wait().unwrap().is_none(), "it goes on");
        end(process, "-TERM");
    }
}

/// Whoever sends SIGTERM or closes the terminal asks once, and one search or game may take hours.
#[test]
fn sigterm_ends_long_work_in_a_second() {
    hear_signals();
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &["bench", "127", "--hash", "1"][..],
        &["match", "--games", "2", "--depth", "100"],
        &["selfplay", "--games", "2", "--nodes", "100000000", "-o", "games.bin"],
        &["lab", "compare", "--depth", "9"],
    ] {
        for name in ["-TERM", "-HUP"] {
            let mut engine = Command::new(env!("CARGO_BIN_EXE_engine"));
            engine.args(arguments).current_dir(folder.path());
            let mut process = engine.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            thread::sleep(Duration::from_millis(500));
            assert!(process.try_wait().unwrap().is_none(), "{arguments:?} is no long work");
            let asked = Instant::now();
            signal(&process, name);
            wait_until("end", || process.try_wait().unwrap().is_some());
            // This machine may be busy.
            let time = asked.elapsed();
            assert!(time < Duration::from_secs(10), "{arguments:?} {name}: {time:?}");
        }
        assert!(names(folder.path()).iter().all(|name| name == "games.bin"), "{arguments:?}");
    }
}

/// A game in a pipe.
/// A game in a pipe.
struct Player {
    process: Child,
    hand: ChildStdin,
    lines: BufReader<std::process::ChildStdout>,
}

impl Player {
    fn start(arguments: &[&str], configure: impl FnOnce(&mut Command)) -> Player {
        let mut engine = Command::new(env!("CARGO_BIN_EXE_engine"));
        engine.args(["play", "--level", "3"]).args(arguments);
        configure(&mut engine);
        engine.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = engine.spawn().unwrap();
        let hand = process.stdin.take().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap());
        Player { process, hand, lines }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.hand, "{line}").unwrap();
    }

    /// The text up to a line with `words`.
    fn wait_for(&mut self, words: &str) -> String {
        let mut heard = String::new();
        while self.lines.read_line(&mut heard).unwrap() > 0 {
            if heard.contains(words) {
                return heard;
            }
        }
        panic!("no {words:?} in {heard}");
    }

    fn end(mut self, name: &str) {
        signal(&self.process, name);
        self.process.wait().unwrap();
    }
}

#[test]
fn two_games_in_one_folder_and_any_signal_lose_nothing() {
    hear_signals();
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let start = || Player::start(&["--folder", folder.to_str().unwrap()], |_| {});
    for name in ["-TERM", "-INT", "-HUP"] {
        let (mut first, mut second) = (start(), start());
        for (player, m) in [(&mut first, "e4"), (&mut second, "d4")] {
            player.say(m);
            player.wait_for("I play 1... ");
        }
        assert_eq!(names(folder).iter().filter(|name| name.starts_with("unfinished")).count(), 2);
        first.end(name);
        second.say("resign");
        second.wait_for("I have won: resignation");
        second.say("quit");
        second.process.wait().unwrap();
        assert_eq!(names(folder), ["games.pgn", "unfinished.pgn"], "{name}");
        let kept = fs::read_to_string(folder.join("unfinished.pgn")).unwrap();
        assert!(kept.contains("1. e4 1... ") || kept.contains("1. e4 "), "{name}: {kept}");
        let mut third = start();
        third.say("n");
        third.wait_for("It is in ");
        third.end(name);
        assert_eq!(names(folder), ["games.pgn"], "{name}");
    }
    let games = fs::read_to_string(folder.join("games.pgn")).unwrap();
    assert_eq!(games.matches("[Event ").count(), 6, "{games}");
    assert_eq!(games.matches("1. e4").count(), 3, "{games}");
}

#[test]
fn without_a_home_the_place_of_the_records_is_told() {
    let place = tempfile::tempdir().unwrap();
    let mut player = Player::start(&[], |engine| {
        for name in ["HOME", "XDG_DATA_HOME", "APPDATA"] {
            engine.env_remove(name);
        }
        engine.current_dir(place.path());
    });
    let told = player.wait_for("games are kept in");
    let folder = place.path().canonicalize().unwrap().join("ajedrecista");
    assert!(told.contains(&folder.display().to_string()), "{told}");
    player.say("e4");
    player.wait_for("I play 1... ");
    player.end("-TERM");
    assert_eq!(names(&folder), ["unfinished.pgn"]);
}
