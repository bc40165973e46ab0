//! The laboratory's commands as a person uses them: a game in the terminal, data on standard output,
//! a page on a phone.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value as Json;

use crate::chromium::Chromium;

/// Standard output of the program, which is given this input.
fn engine(arguments: &[&str], input: &str) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_engine"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    program.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = program.wait_with_output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn othello_is_played_in_the_terminal() {
    let play = ["lab", "play", "--game", "othello", "--depth", "1"];
    let told = engine(&play, "e4\nd3\nundo\nhint\nquit\n");
    assert!(told.contains("Your move: d3 c4 f5 e6"), "{told}");
    assert!(told.contains("'e4' is no move here"), "{told}");
    assert!(told.contains(" 4 . . . O X . . ."), "rows are counted from above: {told}");
    assert!(told.contains("The program plays "), "{told}");
    assert!(told.contains("The program would play "), "{told}");
}

#[test]
fn chess_in_spanish_has_spanish_letters() {
    // A rook is T, and R is the king, as on the page; letters of SAN that Spanish lacks are read, too.
    let fen = "7k/8/8/8/8/8/2P5/RNBQK3 w - - 0 1";
    let play = ["lab", "play", "--depth", "1", "--lang", "es", "--order", "promise", "--fen", fen];
    let moves = ["Cc3", "Nc3", "Ae3", "Dd4+", "Ta8+", "Re2"];
    let told = engine(&play, &format!("Ce5\n{}\nquit\n", moves.join("\nundo\n")));
    let shown = told.lines().find(|line| line.starts_with("Le toca: ")).unwrap();
    for name in ["Cc3", "Ae3", "Dd4+", "Ta8+", "Rf2"] {
        assert!(shown.split(' ').any(|word| word == name), "{name}: {shown}");
    }
    assert_eq!(told.matches("no es una jugada posible").count(), 1, "{told}");
    assert_eq!(told.matches("El programa juega R").count(), moves.len(), "{told}");

    let wrong = ["lab", "play", "--lang", "es", "--fen", "8/8/8/8/8/8/8/K7 w - - 0 1"];
    let output = Command::new(env!("CARGO_BIN_EXE_engine")).args(wrong).output().unwrap();
    let fault = String::from_utf8(output.stderr).unwrap();
    assert!(fault.contains("las negras tienen 0 reyes"), "{fault}");
}

#[test]
fn a_game_against_the_laboratory_comes_to_its_end() {
    let tic_tac_toe = ["lab", "play", "--game", "tic-tac-toe", "--depth", "9", "--lang", "es"];
    // A person who takes the first free cell each time; a move that is taken is refused.
    let cells = "b2 a1 b1 c1 a2 c2 a3 b3 c3 ".repeat(3).replace(' ', "\n");
    let told = engine(&tic_tac_toe, &cells);
    assert!(told.contains("Ha ganado el programa.") || told.contains("Tablas."), "{told}");
}

#[test]
fn data_on_standard_output_are_json_alone_and_keep_the_node_records() {
    let tree = ["lab", "tree", "--game", "tree", "--tree", "lecture", "--json", "-"];
    let data: Json = serde_json::from_str(&engine(&tree, "")).unwrap();
    let records = data["searches"][0]["records"].as_array().unwrap();
    let expected = serde_json::json!({
        "id": 0, "parent": null, "type": "Max", "state": "", "utility": "3", "best": "B", "depth": 2,
    });
    assert_eq!(records[0], expected);
    let c = records.iter().find(|record| record["state"] == "C").unwrap();
    assert_eq!((&c["type"], &c["utility"], &c["depth"]), (&"Min".into(), &"2".into(), &1.into()));
}

#[test]
fn rule_sets_have_the_names_that_they_have_elsewhere() {
    for name in ["3check", "three-check", "kingofthehill", "king-of-the-hill"] {
        let told = engine(&["lab", "tree", "--game", name, "--depth", "1"], "");
        assert!(told.starts_with("value "), "{name}: {told}");
    }
}

#[test]
fn a_page_of_a_search_fits_a_phone_and_ends_on_the_line_that_returns() {
    let folder = tempfile::tempdir().unwrap();
    for (lang, algorithms) in
        [("en", ["sss*", "alpha-beta"]), ("es", ["negascout", "alpha-beta-history"])]
    {
        let file = folder.path().join(format!("{lang}.html"));
        let file = file.to_str().unwrap();
        let [first, second] = algorithms;
        let tree = ["lab", "tree", "--game", "tree", "--tree", "best-first", "--lang", lang];
        let pair = ["--algorithm", first, "--versus", second, "--html", file];
        engine(&[&tree[..], &pair[..]].concat(), "");
        let address = format!("file://{file}");
        let Some(mut page) = Chromium::open(&address, 390, 844) else { return };
        page.wait("document.querySelector('footer')");
        let fits = "document.documentElement.scrollWidth <= innerWidth";
        assert_eq!(page.ask(fits), true, "{lang}");
        page.ask("document.getElementById('page.end').click()");
        let lit =
            "[...document.querySelectorAll('.lit')].map((line) => line.textContent).join('; ')";
        let lit = page.ask(lit).as_str().unwrap().to_string();
        let returns = if lang == "en" { "return" } else { "devolver" };
        assert!(lit.split("; ").all(|line| line.contains(returns)), "{lit}");
        assert_eq!(page.ask(fits), true, "{lang}: at the end");
    }
}
