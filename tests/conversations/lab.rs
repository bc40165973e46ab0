//! The laboratory's commands as a person uses them: a game in the terminal, data on standard output,
//! a page on a phone.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;

use crate::chromium::Chromium;

/// What the program answers to this input.
fn answer(arguments: &[&str], input: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_engine"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    program.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    program.wait_with_output().unwrap()
}

/// Standard output of the program, which is given this input.
fn engine(arguments: &[&str], input: &str) -> String {
    let output = answer(arguments, input);
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn othello_is_played_in_the_terminal() {
    let play = ["lab", "play", "--game", "othello", "--depth", "1"];
    let told = engine(&play, "e4\nd3\nundo\nhint\nquit\n");
    assert!(told.contains("Your move: d3 c4 f5 e6"), "{told}");
    assert!(told.contains("'e4' is not a move here"), "{told}");
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
    let shown = told.lines().find(|line| line.starts_with("Te toca jugar: ")).unwrap();
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

/// Standard output and error of the laboratory in Spanish.
fn in_spanish(arguments: &[&str], input: &str) -> (String, String) {
    let output = answer(&[&["lab"], arguments, &["--lang", "es"]].concat(), input);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn the_laboratory_speaks_spanish_with_letters_commas_and_commands_of_the_language() {
    let fen = "7k/8/8/8/8/8/2P5/RNBQK3 w - - 0 1";
    let (told, _) =
        in_spanish(&["play", "--depth", "1", "--fen", fen], "pista\nCc3\nDeshacer\nsalir\nCe4\n");
    assert!(told.contains(" 1 T C A D R . . ."), "the board has the letters, too: {told}");
    assert!(told.contains(" 8 . . . . . . . r"), "{told}");
    assert!(
        told.contains("El programa jugaría ") && told.contains("El programa juega R"),
        "{told}"
    );
    assert_eq!(told.matches("Te toca jugar: ").count(), 4, "{told}");
    assert!(!told.contains("no es una jugada"), "{told}");

    let step = ["tree", "--fen", fen, "--depth", "1", "--step"];
    let (told, _) = in_spanish(&step, "");
    assert!(told.contains("Max prueba Dd8+.") && told.contains("Max prueba Ta8+."), "{told}");
    assert!(!told.contains('Q') && !told.contains("Nc3"), "{told}");
    let (told, _) = in_spanish(&["tree", "--game", "tree", "--tree", "futility", "--step"], "");
    assert!(told.contains("f = 3,1") && !told.contains("3.1"), "{told}");
    // A win has a word of the language; letters of other games stay.
    let (told, _) = in_spanish(&["tree", "--game", "tree", "--tree", "lecture", "--step"], "");
    assert!(told.contains("Max prueba B.") && told.contains("mejor B,"), "{told}");
    let won = ["tree", "--fen", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "--depth", "2"];
    let (told, _) = in_spanish(&won, "");
    assert!(told.starts_with("valor victoria-1, mejor Ta8#,"), "{told}");

    let compare = ["compare", "--depth", "2", "--algorithms", "minimax,alpha-beta"];
    let (told, _) = in_spanish(&compare, "");
    let row = told.lines().find(|line| line.starts_with("alpha-beta ")).unwrap();
    assert!(row.contains(',') && !row.contains('.'), "{told}");
    let (told, _) = in_spanish(&[&compare[..], &["--format", "json"]].concat(), "");
    let table: Json = serde_json::from_str(&told).unwrap();
    assert!(table[1]["ms"].is_f64(), "programs read numbers with a point: {told}");
}

#[test]
fn pages_and_pictures_have_titles_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (page, picture) = (file("page.html"), file("picture.svg"));
    for (arguments, title) in [
        (&["--versus", "minimax"][..], "Ajedrez – Alfa-beta / Minimax, profundidad 1"),
        (
            &["--game", "connect-four", "--size", "5x4"],
            "Conecta Cuatro 5x4 – Alfa-beta, profundidad 1",
        ),
        (
            &["--game", "tree", "--tree", "lania"],
            "lania.mx: beta = 3, después un 1 poda – Alfa-beta, profundidad 1",
        ),
    ] {
        let tree = ["tree", "--depth", "1", "--html", &page, "--svg", &picture];
        in_spanish(&[&tree[..], arguments].concat(), "");
        let written = std::fs::read_to_string(&page).unwrap();
        assert!(written.contains(&format!("<title>{title}</title>")), "{title}");
        let drawn = std::fs::read_to_string(&picture).unwrap();
        assert!(drawn.contains(&format!(">{title}<")), "{title}");
    }
    let plot = ["compare", "--depths", "1-2", "--algorithms", "minimax", "--svg", &picture];
    in_spanish(&plot, "");
    let drawn = std::fs::read_to_string(&picture).unwrap();
    assert!(drawn.contains("Hojas según la profundidad: Ajedrez"), "{drawn}");
}

#[test]
fn errors_of_the_laboratory_are_in_the_language() {
    for (arguments, wanted) in [
        (&["play", "--moves", "e2e4 Cf9"][..], "error: «Cf9» no es una jugada posible; lo son "),
        (
            &["explain", "alphabeta"],
            "error: «alphabeta» no es un algoritmo del laboratorio; ¿querías decir alpha-beta?",
        ),
        (&["tree", "--algorithm", "x"], "error: «x» no es un algoritmo del laboratorio"),
        (&["tree", "--set", "null-move.R=99"], "error: null-move.R va de 0 a 10"),
        (&["tree", "--game", "tree", "--tree", "x"], "error: «x» no es ni un archivo ni un árbol"),
        (
            &["tree", "--game", "connect-four", "--size", "3x3"],
            "error: un tablero de 3x3 no es posible",
        ),
        (
            &["tree", "--game", "trio", "--algorithm", "minimax"],
            "error: minimax es para dos jugadores",
        ),
        (&["opponent", "--game", "trio"], "error: elige un juego para dos con tablero"),
        (&["tree", "--svg", "/no/such/tree.svg"], "elige una ruta en la que se pueda escribir"),
    ] {
        let (_, told) = in_spanish(arguments, "");
        assert!(told.contains(wanted), "{arguments:?}: {told}");
    }
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
