//! Exercises made from a game, asked in a terminal, and remembered until they are due again.

use std::fs;
use std::path::Path;
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

/// Asks all exercises in Spanish: every command, then the easiest one's solution as it was shown. One has the solution
/// `solution`, in SAN.
fn ask_in_spanish(folder: &Path, solution: &str) {
    let ask = |typed: &str| {
        let arguments =
            ["exercises", "mine.epd", "--folder", "conocido", "--ascii", "--lang", "es"];
        text(&engine(folder, &arguments, typed))
    };
    let typed = "bobada\nayuda\njugadas\nTablero\ngirar\npista\nhint\nsolución\n".to_string();
    let asked = ask(&(typed + &"saltar\n".repeat(10)));
    let letters = [('R', "T"), ('K', "R"), ('Q', "D"), ('B', "A"), ('N', "C")];
    let solution =
        letters.iter().fold(solution.to_string(), |m, (one, other)| m.replace(*one, other));
    for said in [
        "Ejercicio 1 de ",
        ", fácil (Ann – Bob, ",
        "Juegan las negras: ",
        " 1  T ",
        "o bien: pista, solución, saltar, jugadas, tablero, girar, salir.",
        "Fíjate en la pieza de ",
        &format!("La solución es {solution}"),
        "Volverá a salir hoy.",
        " al primer intento.",
    ] {
        assert!(asked.contains(said), "{said}: {asked}");
    }
    assert_eq!(asked.matches("ni una orden").count(), 1, "bobada alone: {asked}");
    let m = asked.split("Juega ").nth(1).and_then(|rest| rest.split('.').next()).unwrap();
    let solved = ask(&format!("{m}\nsalir\n"));
    assert!(solved.contains(&format!("Correcto: {m}.")), "{solved}");
    assert!(solved.contains("Volverá a salir mañana.") && solved.contains("1 de 1 al"), "{solved}");
}

#[test]
fn what_exercises_do_not_have_is_told_and_their_own_commands_are_suggested() {
    let folder = tempfile::tempdir().unwrap();
    let fen = "r1bqkbnr/1pp2ppp/p1p5/4p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq -";
    fs::write(folder.path().join("mine.epd"), format!("{fen} bm Nc3;\n")).unwrap();
    let ask = |lang: &str, typed: &str| {
        let arguments = ["exercises", "mine.epd", "--folder", "known", "--lang", lang];
        text(&engine(folder.path(), &arguments, typed))
    };
    let told = ask("en", "why\nUndo\nresing\nhnt\nquit\n");
    for said in [
        "\"why\" is not available in exercises. A move, or: hint, solution, skip, moves,",
        "\"Undo\" is not available in exercises.",
        "\"resing\" is neither a move nor a command; write e4",
        "did you mean hint?",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
    let told = ask("es", "¿por qué?\nabandonar\nsoluzión\nCc3\n");
    for said in [
        "«¿por qué?» no está disponible en los ejercicios. Una jugada, o bien: pista,",
        "«abandonar» no está disponible en los ejercicios.",
        "¿querías decir «solución»?",
        "Correcto: Cc3.",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
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
    let difficulty = if easiest < 400 { "easy".into() } else { format!("difficulty {easiest}") };
    assert!(asked.contains(&difficulty), "the easiest first: {asked}");
    ask_in_spanish(folder.path(), solution);
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
    let spanish = text(&engine(folder.path(), &[&ask[..], &["--lang", "es"]].concat(), ""));
    assert!(
        spanish.contains("Hoy no toca ningún ejercicio: el próximo saldrá mañana."),
        "{spanish}"
    );
    for (lang, fault) in [("en", "there is no exercise in"), ("es", "no hay ningún ejercicio en")]
    {
        let wrong = engine(folder.path(), &["exercises", "game.pgn", "--lang", lang], "");
        let error = String::from_utf8_lossy(&wrong.stderr).into_owned();
        assert!(!wrong.status.success() && error.contains(fault), "{error}");
    }
}
