//! Exercises made from a game, asked in a terminal, and remembered until they are due again.

use std::fs;
use std::process::Output;

use crate::pgn_files::engine;

/// White blunders a piece twice, Black the queen once.
const GAME: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Nxe5 Qh4 4. Nf3 Qxe4+ 5. Be2 d5 \
    6. O-O Bg4 7. Nc3 Qf5 8. Nxd5 O-O-O 9. Ne3 Qe6 10. Nxg4 *\n";

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A suite cannot say that its positions are of atomic chess, and would have them solved by the rules of chess.
#[test]
fn exercises_of_other_rules_name_them() {
    let folder = tempfile::tempdir().unwrap();
    let game = "[Variant \"Atomic\"]\n\n1. Nf3 e6 2. a3 a6 *\n";
    fs::write(folder.path().join("game.pgn"), game).unwrap();
    let make = |name| {
        let made = ["analyse", "game.pgn", "--nodes", "2000", "--exercises", name];
        let output = engine(folder.path(), &made, "");
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        (text, String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (games, _) = make("mine.pgn");
    let count = games.matches("[Event \"Exercise").count();
    assert!(count > 0 && games.matches("[Variant \"atomic\"]").count() == count, "{games}");
    let (suite, told) = make("mine.epd");
    assert!(suite.is_empty() && told.contains("atomic need a file .pgn"), "{suite} {told}");
}

#[test]
fn mistakes_become_exercises_that_come_again() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("game.pgn"), GAME).unwrap();
    for name in ["mine.epd", "mine.pgn"] {
        let made = ["analyse", "game.pgn", "--nodes", "4000", "--exercises", name];
        assert!(engine(folder.path(), &made, "").status.success());
        let lines = fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(lines.contains("Ann – Bob"), "{name}: {lines}");
    }
    let lines = fs::read_to_string(folder.path().join("mine.epd")).unwrap();
    let solution = lines.split(" bm ").nth(1).and_then(|rest| rest.split(';').next()).unwrap();
    let ask = ["exercises", "mine.epd", "--folder", "known", "--count", "1", "--ascii"];
    let asked = text(&engine(folder.path(), &ask, "nonsense\na1a8\nhint\nhint\nsolution\n"));
    assert!(
        asked.contains("Look at the piece on") && asked.contains("comes again today"),
        "{asked}"
    );
    assert!(asked.contains(" to move: ") && asked.contains("0 of 1 at the first try"), "{asked}");
    let order = lines
        .lines()
        .filter_map(|line| line.split("c1 \"").nth(1)?.split('"').next()?.parse::<u32>().ok());
    let easiest = order.min().unwrap();
    assert!(asked.contains(&format!("difficulty {easiest}")), "the easiest first: {asked}");
    // Solved one after another, until none is due.
    let all = lines.lines().count();
    for _ in 0..all {
        let shown = text(&engine(folder.path(), &ask, "hint\nhint\nquit\n"));
        let m = shown.split("Play ").nth(1).and_then(|rest| rest.split('.').next()).unwrap();
        let solved = text(&engine(folder.path(), &ask, &format!("{m}\n")));
        assert!(solved.contains("Right:") && solved.contains("comes again tomorrow"), "{solved}");
    }
    assert!(
        text(&engine(folder.path(), &ask, ""))
            .contains("No exercise is due: the next one comes tomorrow.")
    );
    assert!(!solution.is_empty());
    let wrong = engine(folder.path(), &["exercises", "game.pgn", "--folder", "known"], "");
    let error = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(!wrong.status.success() && error.contains("there is no exercise"), "{error}");
}
