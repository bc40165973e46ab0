//! `engine analyse` in a shell: interruptions, compressed input, suites, and refusals.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;

const GAME: &str =
    "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1";

fn engine(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_engine")).arg("analyse").args(arguments).output().unwrap()
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

fn games(count: usize) -> String {
    (1..=count).map(|number| format!("[Event \"{number}\"]\n\n{GAME}\n\n")).collect()
}

#[test]
fn an_interrupted_run_ends_like_one_without_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (input, whole, parted) =
        (path(folder, "in.pgn"), path(folder, "whole.pgn"), path(folder, "parted.pgn"));
    fs::write(&input, games(8)).unwrap();
    let arguments = |output: &str, page: &str| {
        [&input, "-o", output, "--html", page, "--nodes", "500", "--threads", "2"].map(String::from)
    };
    let run = |output: &str, page: &str| {
        let given = arguments(output, page);
        let output = engine(&given.each_ref().map(String::as_str));
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let (page, parted_page) = (path(folder, "whole.html"), path(folder, "parted.html"));
    run(&whole, &page);
    let mut process = Command::new(env!("CARGO_BIN_EXE_engine"))
        .arg("analyse")
        .args(arguments(&parted, &parted_page))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let journal = folder.join("parted.pgn.journal");
    let finished = || fs::read_to_string(&journal).unwrap_or_default().lines().count();
    while finished() < 3 && process.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    process.kill().unwrap();
    process.wait().unwrap();
    assert!(journal.exists() && finished() < 8, "it was interrupted");
    let remarks = run(&parted, &parted_page);
    assert!(remarks.contains("going on after ") && remarks.contains(" finished game"), "{remarks}");
    assert_eq!(fs::read_to_string(&parted).unwrap(), fs::read_to_string(&whole).unwrap());
    assert_eq!(fs::read_to_string(&parted_page).unwrap(), fs::read_to_string(&page).unwrap());
    assert!(!journal.exists(), "the journal is gone");
}

#[test]
fn an_interrupted_suite_ends_like_one_without_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (suite, whole, parted) =
        (path(folder, "in.epd"), path(folder, "whole.json"), path(folder, "parted.json"));
    let lines: String = (1..=30)
        .map(|n| format!("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - {n} 3 bm Bb5; id \"{n}\";\n"))
        .collect();
    fs::write(&suite, lines).unwrap();
    let arguments = |output: &str| {
        [&suite, "-o", output, "--nodes", "6000", "--format", "json", "--threads", "2"]
            .map(String::from)
    };
    let mut process = Command::new(env!("CARGO_BIN_EXE_engine"))
        .arg("analyse")
        .args(arguments(&parted))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let journal = folder.join("parted.json.journal");
    let finished = || fs::read_to_string(&journal).unwrap_or_default().lines().count();
    while finished() < 4 && process.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    process.kill().unwrap();
    process.wait().unwrap();
    assert!(finished() >= 4 && !Path::new(&parted).exists(), "stopped on the way");
    let solve = |output: &str| {
        let given = arguments(output);
        let done = engine(&given.each_ref().map(String::as_str));
        assert!(done.status.success(), "{done:?}");
        let mut rows: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(output).unwrap()).unwrap();
        // Time is the only thing that differs between two runs.
        for row in rows.as_array_mut().unwrap() {
            row.as_object_mut().unwrap().remove("ms");
        }
        (rows, String::from_utf8(done.stderr).unwrap())
    };
    let (parted, remarks) = solve(&parted);
    assert!(remarks.contains(" finished position"), "{remarks}");
    assert_eq!(parted, solve(&whole).0);
    assert_eq!(parted.as_array().unwrap().len(), 30);
    assert!(!journal.exists(), "the journal is gone");
}

#[test]
fn losses_are_shown_by_rating() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path(), "rated.pgn");
    // White plays well and Black hangs a knight: after theory, all of the loss is Black's.
    let moves =
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 Ng4 8. h3 Nxf2 *";
    let game = |white: u32| format!("[WhiteElo \"{white}\"]\n[BlackElo \"1250\"]\n\n{moves}\n\n");
    fs::write(&file, game(2100) + &game(2199) + &game(0)).unwrap();
    let ask = |arguments: &[&str]| {
        let output =
            engine(&[&["--by-rating", "--nodes", "2000", "--format", "json"], arguments].concat());
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    let rows = ask(&[&file]);
    assert_eq!(
        (rows[0]["rating"].as_str(), rows[1]["rating"].as_str()),
        (Some("1200-1399"), Some("2000-2199"))
    );
    assert_eq!(
        (rows[0]["moves"].as_u64(), rows[1]["moves"].as_u64()),
        (Some(9), Some(6)),
        "{rows}"
    );
    let loss = |row: usize| rows[row]["mean loss"].as_f64().unwrap();
    assert!(loss(0) > 40.0 && loss(1) < 30.0, "{rows}");
    let spanish = engine(&["--by-rating", "--nodes", "100", "--lang", "es", &file]).stdout;
    let spanish = String::from_utf8(spanish).unwrap();
    assert!(spanish.contains(" % >= 50 cp ") && spanish.contains(" % iguales "), "{spanish}");
    assert!(spanish.starts_with("Elo ") && spanish.contains("pérdida media"), "{spanish}");
    assert!(!spanish.contains('.') && spanish.contains(','), "{spanish}");
    assert_eq!(ask(&[&file, "--games", "1"])[0]["moves"], 3);
    let own = ask(&["--elo", "600", "--games", "1"]);
    assert_eq!(own[0]["rating"], "600");
    assert!(own[0]["moves"].as_u64().unwrap() > 2, "{own}");
}

#[test]
fn compressed_games_and_folders_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(games(2).as_bytes()).unwrap();
    fs::write(folder.path().join("a.pgn.gz"), encoder.finish().unwrap()).unwrap();
    fs::write(folder.path().join("b.pgn"), games(1)).unwrap();
    let output = engine(&[&path(folder.path(), ""), "--nodes", "200"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches("[Event ").count(), 3, "{text}");
    assert_eq!(text.matches("Nf3#").count() - text.matches("7...Nf3#").count(), 3);
}

#[test]
fn a_file_in_a_folder_that_is_no_text_keeps_no_other_from_its_analysis() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.pgn"), games(1)).unwrap();
    fs::write(folder.path().join("bin.pgn"), [0, 159, 146, 150, 0]).unwrap();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(games(200).as_bytes()).unwrap();
    let archive = encoder.finish().unwrap();
    fs::write(folder.path().join("cut.pgn.gz"), &archive[..archive.len() / 2]).unwrap();
    fs::write(folder.path().join("d.pgn"), games(1)).unwrap();
    let place = path(folder.path(), "");
    let (rated, output) = (&["--by-rating"][..], path(folder.path(), "out"));
    for more in [&[][..], &["-o", &output], rated] {
        let done = engine(&[&[&*place, "--nodes", "100"], more].concat());
        let told = String::from_utf8(done.stderr).unwrap();
        assert!(told.contains("bin.pgn: this is no text"), "{told}");
        assert!(told.contains("cut.pgn.gz: ") && told.contains("; it is left out"), "{told}");
        assert_eq!(done.status.code(), Some(2), "{told}");
        if more == rated {
            assert!(told.contains("no game has a rating"), "{told}");
        } else {
            assert!(told.ends_with("2 files were left out; they are named above\n"), "{told}");
        }
        let text = match more {
            ["-o", output] => fs::read_to_string(output).unwrap(),
            _ => String::from_utf8(done.stdout).unwrap(),
        };
        assert_eq!(text.matches("[Event ").count(), if more == rated { 0 } else { 2 }, "{text}");
    }
    fs::remove_file(folder.path().join("a.pgn")).unwrap();
    fs::remove_file(folder.path().join("d.pgn")).unwrap();
    let done = engine(&[&place, "--lang", "es"]);
    let told = String::from_utf8(done.stderr).unwrap();
    assert!(told.contains("bin.pgn: esto no es un texto"), "{told}");
    assert!(told.contains("se han omitido 2 archivos"), "{told}");
    assert_eq!(done.status.code(), Some(2), "{told}");
}

/// A fault is found again by file, game and line, and the page counts as the messages do. A game with a fault is analysed up
/// to there, so that it is no failure; without any move to judge the exit code is 1.
#[test]
fn a_fault_names_its_file_and_the_page_counts_alike() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, page] =
        ["one.pgn", "two.pgn", "page.html"].map(|name| path(folder.path(), name));
    fs::write(&one, games(1)).unwrap();
    let broken =
        "[White \"A\"]\n\n*\n\n[White \"B\"]\n\n1. e4 e5 2. xyz *\n\n[White \"C\"]\n\n1. e4 *\n";
    fs::write(&two, broken).unwrap();
    let data = |arguments: &[&str]| {
        let done = engine(&[arguments, &["--nodes", "100", "--html", &page, "--force"]].concat());
        let told = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(0), "{told}");
        let html = fs::read_to_string(&page).unwrap();
        let start = html.find("\"games\":").unwrap();
        (told, html[start..].to_string())
    };
    let (told, html) = data(&[&one, &two]);
    for wanted in [
        format!("{two}, game 1: line 3: there are no moves in it"),
        format!("{two}, game 2: line 7: 2. xyz is not a move"),
    ] {
        assert!(told.contains(&wanted), "{wanted} in {told}");
    }
    assert_eq!(html.matches("\"file\":").count(), 3);
    let (told, html) = data(&[&two]);
    assert!(told.contains("game 2: line 7: 2. xyz"), "{told}");
    assert!(told.contains("game 1: line 3: there are no moves"), "{told}");
    assert!(html.contains("\"number\":2") && html.contains("\"number\":3"));
    assert!(!html.contains("\"number\":1,") && !html.contains("\"file\":"));
    assert!(html.contains("\"fault\":\"The game breaks off in line 7: 2. xyz is not a move"));
    assert_eq!(html.matches("\"fault\":").count(), 1);

    fs::write(&two, "[White \"A\"]\n\n*\n\n[White \"B\"]\n\n1. xyz *\n").unwrap();
    let done = engine(&[&two, "--nodes", "100"]);
    let told = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1), "{told}");
}

#[test]
fn a_suite_is_solved_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let suite = path(folder.path(), "suite.epd");
    let lines = "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; dm 1; id \"back rank\";\n\n\
                 6k1/5ppp/8/8/8/8/8/R6K w - - am Ra8#; id \"avoid\";\n\
                 6k1/5ppp/8/8/8/8/8/R6K w - - bm Rh9; id \"broken\";\n";
    fs::write(&suite, lines).unwrap();
    let ask = |format: &str| engine(&[&suite, "--depth", "4", "--format", format]);
    let output = ask("csv");
    let csv = String::from_utf8(output.stdout).unwrap();
    assert!(csv.contains("back rank,Ra8# #1,Ra8#,yes"), "{csv}");
    assert!(csv.contains("avoid,-Ra8#,Ra8#,no") && csv.contains("bm Rh9 is not legal"), "{csv}");
    let sums = String::from_utf8(output.stderr).unwrap();
    assert!(sums.contains("1 of 2 solved") && sums.contains("1 line could not be used"), "{sums}");
    let json: serde_json::Value = serde_json::from_slice(&ask("json").stdout).unwrap();
    assert_eq!(json[0]["solved"], "yes");
    assert!(String::from_utf8(ask("text").stdout).unwrap().starts_with("position  id"));
}

#[test]
fn what_cannot_be_done_is_refused_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let (game, suite) = (path(folder.path(), "a.pgn"), path(folder.path(), "a.epd"));
    fs::write(&game, games(1)).unwrap();
    fs::write(&suite, "8/8/8/8/8/8/8/K1k5 w - - bm Ka2;\n").unwrap();
    let error = |arguments: &[&str]| {
        let output = engine(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(error(&[&game, &suite]).contains("cannot be mixed"));
    assert!(error(&[&game, "-o", &game]).contains("also an input"));
    assert!(error(&["/no/such/file"]).contains("/no/such/file"));
    assert!(error(&[env!("CARGO_BIN_EXE_engine")]).contains("this is no text"));
    let notes = path(folder.path(), "notes.txt");
    fs::write(&notes, "my notes").unwrap();
    assert!(error(&[&game, "--html", &notes]).contains("not a page"));
    assert_eq!(fs::read_to_string(&notes).unwrap(), "my notes");
}

#[test]
fn a_position_is_explained_in_words() {
    let fen = "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let explain = |lang: &str| {
        let arguments = ["eval", "--fen", fen, "--explain", "--lang", lang];
        let output = Command::new(env!("CARGO_BIN_EXE_engine")).args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(explain("en").contains("material: White has a knight more (3.00)."));
    assert!(explain("es").contains("material: las blancas tienen un caballo de más (3,00)."));
}

#[test]
fn the_analysis_speaks_spanish_about_its_work_too() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (input, prose) = (path(folder, "in.pgn"), path(folder, "prose.pgn"));
    fs::write(&input, format!("{GAME}\n\n1. e4 e5 2. Nf6 *\n")).unwrap();
    fs::write(&prose, "Nothing.\n").unwrap();
    let told = |arguments: &[&str]| {
        let output = engine(&[arguments, &["--lang", "es"]].concat());
        String::from_utf8(output.stderr).unwrap()
    };
    let said = told(&[&input, &prose, "--nodes", "60"]);
    assert!(said.contains("prose.pgn: no hay ninguna partida en este archivo"), "{said}");
    assert!(said.contains("partida 2: línea 3: 2. Nf6 no es legal en "), "{said}");
    assert!(said.contains("2 partidas, 16 jugadas, una no se ha leído hasta el final; "), "{said}");
    assert!(said.trim_end().ends_with(" partidas/min"), "{said}");
    let said = told(&[&prose]);
    assert!(said.contains("error: no hay ninguna partida que analizar"), "{said}");
    let missing = path(folder, "missing.pgn");
    let said = told(&[&missing]);
    assert!(
        said.contains("missing.pgn: no existe tal archivo o carpeta; indica un archivo PGN"),
        "{said}"
    );
    let said = told(&[&input, "-o", &input]);
    assert!(
        said.contains("in.pgn: este archivo es también una entrada; elige otra ruta"),
        "{said}"
    );
    let said = told(&[&input, "--html", &prose]);
    assert!(said.contains("prose.pgn: este archivo existe y no es una página; elige"), "{said}");
    let suite = path(folder, "suite.epd");
    fs::write(&suite, "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;\nnone\n").unwrap();
    let said = told(&[&suite, "--nodes", "500"]);
    assert!(said.contains("suite.epd, línea 2: no es una posición"), "{said}");
    assert!(said.contains("1 de 1 resueltas, con "), "{said}");
}
