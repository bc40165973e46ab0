//! Games as they are found: every command reads the same moves of them, or names the fault with line and word.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the program in a folder to its end, with `input` as what a person types.
pub fn engine(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_engine"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its arguments reads nothing.
    let _ = engine.stdin.take().unwrap().write_all(input.as_bytes());
    engine.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A text, the games, moves and faults in it, and the first fault.
type Case = (&'static str, usize, usize, usize, &'static str);

const CASES: &[Case] = &[
    ("1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 *", 1, 4, 0, ""),
    ("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qh5xf7# 1-0", 1, 7, 0, ""),
    ("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7++ 1-0", 1, 7, 0, ""),
    ("[FEN \"7k/1P6/6K1/8/8/8/8/8 b - - 0 1\"]\n\n1... Kg8 2. b8Q# 1-0", 1, 2, 0, ""),
    ("[FEN \"7k/1P6/6K1/8/8/8/8/8 w - - 0 1\"]\n\n1. b8(Q)+ *", 1, 1, 0, ""),
    ("1. e4 e5 2. Nf3 Nc6□ 3. Bb5+= a6 4. Ba4 *", 1, 7, 0, ""),
    ("1. e4 e5 2. Nf3$1Nc6 3. Bb5* 1. d4 *", 2, 6, 0, ""),
    ("1. e4 d5 2. e:d5 Q:d5 3. Nc3 Qa5 *", 1, 6, 0, ""),
    ("1. e4 e5 2. Nf3ch Nc6 3.Bb5!!! a6?!? *", 1, 6, 0, ""),
    ("1. e4 a6 2. e5 d5 3. exd6ep cxd6 e.p.! 4. d4 *", 1, 7, 0, ""),
    ("1. e4 \u{a0} e5\u{a0} 2. Nf3 Nc6\u{200b} 3. ♗\u{fe0e}b5 *", 1, 5, 0, ""),
    (
        "\u{feff}[Event \"a\"]\r\n\r\n1. e4 e5 *\r\n\r\n\u{feff}[Event \"b\"]\r\n\r\n1. d4 *\r\n",
        2,
        3,
        0,
        "",
    ),
    (
        "[Event \"a\"]\r[White \"w\"]\r\r1. e4 e5 2. Nf3 ; rest comment\r2... Nc6 1-0\r\r[Event \"b\"]\r\r1. d4 d5 0-1\r",
        2,
        6,
        0,
        "",
    ),
    (
        "[Event \"a\"]\n\n[White \"w\"]\n\n\n1. e4 e5\n\nNf3 1-0\n\n\n[Event \"a\"]\n\n[White \"w\"]\n\n\n1. d4\n\n1... d5 *\n",
        2,
        5,
        0,
        "",
    ),
    (
        "1. e4 e5 (1... c5 2. Nf3 d6\n2. Nf3 Nc6 1-0\n\n[Event \"next\"]\n\n1. d4 d5 1-0\n",
        2,
        4,
        1,
        "line 1: a side line has no end",
    ),
    ("1. e4 e5 2. Cf3 Cc6 3. Ab5 a6 4. Axc6 dxc6 5. O-O Dd6 *", 1, 10, 0, ""),
    ("1. e4 } e5 2. Nf3 *", 1, 3, 1, "line 1: a closing bracket has no opening one"),
    (
        "[Event \"x\"]\n[White \"Ann]\n[Black: \"Bob\"]\n\n1. e4 e5 2. Nf3 *",
        1,
        3,
        1,
        "line 2: the header is unreadable",
    ),
    ("[Event \"x\"]\n\n1. e4 e5\n2. Sf3 Sc6 *", 1, 2, 1, "line 4: 2. Sf3 is not a move"),
    ("1. e4 e5 2. Nf6 Nc6 *", 1, 2, 1, "line 1: 2. Nf6 is not legal in "),
    ("1. e4 e5 2. Nf3 Nc6\n3. \u{1b}[31mBb5 *", 1, 4, 1, "line 2: 3. ␛[31mBb5 is not a move"),
];

/// A number of things: `1 game`, `2 games`.
fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

#[test]
fn where_no_game_can_be_read_the_exit_code_says_so() {
    let folder = tempfile::tempdir().unwrap();
    for (game, code) in [
        ("[Event \"a\"]\n\n1. e9 e5 *\n", 1),
        ("[Event \"a\"]\n\n1. e9 *\n\n[Event \"b\"]\n\n1. e4 *\n", 0),
        // The moves went with the header.
        ("[Event \"a\"]\n[White \"Ann] 1. e4 e5 *\n", 1),
    ] {
        fs::write(folder.path().join("in.pgn"), game).unwrap();
        let output = engine(folder.path(), &["analyse", "in.pgn", "--nodes", "50"], "");
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{told}");
        assert!(told.contains("1 game not readable to the end;"), "{told}");
        assert_eq!(told.contains("no game could be read"), code == 1, "{told}");
    }
}

#[test]
fn every_command_reads_the_same_moves_or_names_the_fault() {
    for (game, games, moves, faults, fault) in CASES {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("in.pgn"), game).unwrap();
        let analyse = |input: &str| {
            let output = engine(folder, &["analyse", input, "--nodes", "60"], "");
            assert!(output.status.success(), "{game}: {output:?}");
            (text(&output.stdout), text(&output.stderr))
        };
        let (once, remarks) = analyse("in.pgn");
        // An odd header and a stray bracket are named, and cost no move.
        let is_cut = *faults > 0 && !["bracket", "header"].iter().any(|word| fault.contains(word));
        let readable = match is_cut {
            false => "every game readable".to_string(),
            true => format!("{} not readable to the end", counted(*faults, "game")),
        };
        let sums = format!("{}, {}, {readable};", counted(*games, "game"), counted(*moves, "move"));
        assert!(remarks.contains(&sums) && remarks.contains(fault), "{game}: {remarks}");
        assert_eq!(once.matches('{').count(), once.matches('}').count(), "{once}");
        fs::write(folder.join("once.pgn"), &once).unwrap();
        assert_eq!(analyse("once.pgn").0, once, "{game}");

        let built = engine(folder, &["book", "build", "in.pgn", "-o", "book.bin"], "");
        let remarks = text(&built.stderr) + &text(&built.stdout);
        let broken = if is_cut { *faults } else { 0 };
        assert!(remarks.contains(&format!("{broken} broken")), "{game}: {remarks}");
        assert!(remarks.contains(fault), "{game}: {remarks}");

        let arguments = ["play", "--folder", ".", "--level", "3", "--pgn", "in.pgn"];
        let played = engine(folder, &arguments, "pgn\nquit\n");
        let is_over = text(&played.stderr).contains("this game is over: checkmate");
        assert_eq!(played.status.success(), !is_cut && !is_over, "{game}: {played:?}");
        if is_cut {
            assert!(text(&played.stderr).contains(fault), "{game}: {played:?}");
        } else if *games == 1 {
            let shown = text(&played.stdout);
            let last = format!("{}.", moves.div_ceil(2));
            assert!(shown.contains(&last) || is_over, "{game}: {shown}");
        }
    }
}

#[test]
fn an_old_score_is_replaced_and_the_clock_stays_with_its_move() {
    let folder = tempfile::tempdir().unwrap();
    let game = "1. e4 { [%eval 0.18] [%clk 0:03:00] } 1... e5 { [%clk 0:02:59] } 2. Nf3 f6?? \
                { (0.10 → 1.80) Blunder. Nc6 was best. } { [%eval 1.8] [%clk 0:02:57] } (2... Nc6 3. Bb5) *";
    fs::write(folder.path().join("in.pgn"), game).unwrap();
    let output = engine(folder.path(), &["analyse", "in.pgn", "--nodes", "300"], "");
    // Where a line breaks does not matter.
    let annotated = text(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, blunder) = annotated.split_once("f6 ").unwrap();
    let (note, rest) = blunder.split_once('}').unwrap();
    assert!(
        note.starts_with("$4") && note.contains("Nc6 was best.") && note.contains("[%clk 0:02:57]"),
        "{note}"
    );
    assert_eq!(note.matches("[%eval").count(), 1, "{note}");
    assert!(!annotated.contains("[%eval 1.8]") && rest.contains("( 2... Nc6 3. Bb5 )"), "{rest}");
}

#[test]
fn a_sign_that_stands_beside_its_glyph_is_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let game = "1. e4!! $3 e5 $1 {mine} $1 2. Nf3 $14 $1 *";
    fs::write(folder.path().join("in.pgn"), game).unwrap();
    let annotated =
        text(&engine(folder.path(), &["analyse", "in.pgn", "--nodes", "60"], "").stdout);
    let glyphs: Vec<&str> = annotated.split_whitespace().filter(|w| w.starts_with('$')).collect();
    assert_eq!(glyphs, ["$3", "$1", "$14", "$1"], "{annotated}");
}

#[test]
fn a_part_of_a_game_has_no_accuracy() {
    let folder = tempfile::tempdir().unwrap();
    let game = "1. e4 e9 2. Nf3 *";
    fs::write(folder.path().join("in.pgn"), game).unwrap();
    let arguments =
        ["analyse", "in.pgn", "--nodes", "100", "-o", "once.pgn", "--html", "page.html"];
    assert!(engine(folder.path(), &arguments, "").status.success());
    let once = fs::read_to_string(folder.path().join("once.pgn")).unwrap();
    assert!(once.contains("Analysed by") && !once.contains("accuracy"), "{once}");
    assert!(once.contains("{Not read further: 1... e9 is not a move"), "{once}");
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(!page.contains("\"accuracy\":100.0"), "{page}");
}

#[test]
fn a_file_without_a_game_is_refused_and_not_printed() {
    let folder = tempfile::tempdir().unwrap();
    for prose in
        ["", "Hello, this is no game.\n", "# Title\n\n1. Install it\n2. Run it\n\n* a [link](x)\n"]
    {
        fs::write(folder.path().join("prose.txt"), prose).unwrap();
        let output = engine(folder.path(), &["analyse", "prose.txt", "-o", "out.pgn"], "");
        assert_eq!(output.status.code(), Some(1), "{prose}: {output:?}");
        assert!(
            output.stdout.is_empty() && text(&output.stderr).contains("there is no game"),
            "{output:?}"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
    }
    // Beside games such a file is named, and text between games stays.
    fs::write(folder.path().join("game.pgn"), "The games of May\n\n[Event \"a\"]\n\n1. e4 *\n")
        .unwrap();
    let output = engine(folder.path(), &["analyse", "prose.txt", "game.pgn", "--nodes", "50"], "");
    let (annotated, remarks) = (text(&output.stdout), text(&output.stderr));
    assert!(remarks.contains("prose.txt: there is no game in this file"), "{remarks}");
    assert!(
        remarks.contains("1 game, 1 move, every") && !annotated.contains("Install"),
        "{remarks}"
    );
    assert!(annotated.starts_with("The games of May"), "{annotated}");
}

#[test]
fn provisional_ratings_are_ratings() {
    let folder = tempfile::tempdir().unwrap();
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5 5. exd5 Na5 6. Bb5+ c6 7. dxc6 bxc6 8. Bd3 Be7 1-0";
    let game = format!("[WhiteElo \"1500?\"]\n[BlackElo \"1510 \"]\n\n{moves}\n");
    fs::write(folder.path().join("in.pgn"), game).unwrap();
    let arguments = ["analyse", "--by-rating", "in.pgn", "--nodes", "50", "--format", "csv"];
    let table = text(&engine(folder.path(), &arguments, "").stdout);
    assert!(table.lines().any(|line| line.starts_with("1400-1599,6,")), "{table}");
    let build = |least: &str| {
        let arguments = ["book", "build", "in.pgn", "--min-elo", least, "-o", "book.bin"];
        engine(folder.path(), &arguments, "").status.success()
    };
    assert!(!build("1501") && build("1500"));
}

#[test]
fn games_in_spanish_letters_are_read_and_the_player_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let game = "1. e4 e5 2. Cf3 Cc6 3. Ab5 a6 *\n\n1. e4 e5 2. Cf3 Cc6 3. Ag5 *\n";
    fs::write(folder.join("in.pgn"), game).unwrap();
    let output = engine(folder, &["analyse", "in.pgn", "--nodes", "60"], "");
    let (written, told) = (text(&output.stdout), text(&output.stderr));
    assert!(written.contains("2. Nf3") && written.contains("3. Bb5"), "{written}");
    let letters = "the pieces are read by the letters R D T A C: king, queen, rook, bishop, knight";
    assert!(told.contains(&format!("game 1: {letters}")), "{told}");
    assert!(told.contains("game 2: line 3: 3. Ag5 is not legal in "), "{told}");
    let play = ["play", "--folder", ".", "--level", "3", "--lang", "es", "--pgn", "in.pgn"];
    let played = text(&engine(folder, &play, "historia\nsalir\n").stdout);
    assert!(played.contains("nota: Las piezas se leen con las letras R D T A C"), "{played}");
    assert!(played.contains("Ab5"), "{played}");
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let exercise = format!("[Event \"Mate\"]\n[FEN \"{fen}\"]\n\n1. Ta8# 1-0\n");
    fs::write(folder.join("mine.pgn"), exercise).unwrap();
    let ask = ["exercises", "mine.pgn", "--folder", ".", "--lang", "es"];
    let asked = text(&engine(folder, &ask, "Ta8\n").stdout);
    assert!(asked.contains("letras R D T A C") && asked.contains("Correcto: Ta8#."), "{asked}");
}
