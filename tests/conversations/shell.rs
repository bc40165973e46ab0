//! The commands of the program in a shell.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use ajedrecista::commands::{Cli, usage_fault};
use clap::CommandFactory;
use engine::rules::setup;
use engine::search::parameters::{Parameters, TUNABLES};
use shakmaty::{CastlingMode, Chess, Position};
use shell::texts::Lang;

fn engine(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_engine")).args(arguments).output().unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    let output = engine(arguments);
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn bench_ends_with_its_signature_and_repeats_it() {
    let nodes = || {
        let text = stdout(&["bench", "4", "--hash", "1"]);
        let words: Vec<&str> = text.lines().last().unwrap().split(' ').collect();
        assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{words:?}");
        assert!(words[2].parse::<u64>().is_ok());
        words[0].parse::<u64>().unwrap()
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn perft_counts() {
    assert_eq!(stdout(&["perft", "4"]), "197281\n");
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let text = stdout(&["perft", "3", "--divide", "--fen", kiwipete]);
    assert_eq!(text.lines().last(), Some("Nodes searched: 97862"));
    assert_eq!(text.lines().filter(|line| line.contains(": ")).count(), 48 + 1);
}

#[test]
fn eval_and_compiler_explain() {
    assert!(!stdout(&["eval", "--fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]).is_empty());
    assert!(stdout(&["compiler"]).starts_with("Ajedrecista "));
}

#[test]
fn help_has_examples() {
    let text = stdout(&["--help"]);
    for word in [
        "engine play",
        "engine web",
        "engine bench",
        "engine perft",
        "engine eval",
        "engine match",
        "UCI",
    ] {
        assert!(text.contains(word), "{word}");
    }
    assert!(stdout(&["--version"]).contains(env!("CARGO_PKG_VERSION")));
}

/// The help of a command and of all below it, which its list names.
fn helps(command: &[&str]) -> Vec<String> {
    let help = stdout(&[command, &["--help"]].concat());
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    // A line that is indented further goes on with the one before.
    let entries =
        listed.filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')));
    let names = entries.filter_map(|line| line.split(' ').next()).filter(|name| *name != "help");
    let below: Vec<String> = names.flat_map(|name| helps(&[command, &[name]].concat())).collect();
    [vec![help], below].concat()
}

#[test]
fn every_help_fills_its_lines() {
    let all = helps(&[]);
    assert!(all.len() > 30, "{}", all.len());
    for help in all {
        let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
        for (line, next) in help.lines().zip(help.lines().skip(1)) {
            let word = next.split(' ').next().unwrap().chars().count();
            let is_full = line.chars().count() + 1 + word > 100;
            assert!(!is_prose(line) || !is_prose(next) || is_full, "{line}\n{next}");
        }
    }
}

#[test]
fn a_number_that_is_none_is_called_so() {
    for (arguments, advice) in [
        (["match", "--threads", "many"], "write a whole number"),
        (["bench", "--hash", "1e3"], "write a whole number"),
        (["bench", "--hash", ""], "write a whole number"),
        (["dda", "--seed", "99999999999999999999999"], "write a smaller number"),
        (["play", "--chess960", "960"], ": 960 is not between 0 and 959\n"),
        (["match", "--threads", "0"], ": 0 is not between 1 and 1024\n"),
        (["analyse", "x", "--nodes=0"], ": 0 is less than 1\n"),
        (["analyse", "x", "--movetime=5000000000"], ": 5000000000 is greater than 4294967295\n"),
    ] {
        let output = engine(&arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(advice), "{text}");
    }
}

#[test]
fn whoever_names_chess960_as_a_rule_set_is_told_what_the_command_has_instead() {
    for (arguments, advice) in [
        (&["play", "--variant", "chess960"][..], "; for Chess960 write --chess960 instead\n"),
        (&["perft", "1", "--variant", "Chess 960"], "; for Chess960 write --chess960 instead\n"),
        (&["eval", "--variant", "frc"], "; for Chess960 write --chess960 instead\n"),
        (
            &["analyse", "x", "--variant", "chess960"],
            "; games of Chess960 are known by their tags\n",
        ),
        (&["match", "--variant", "chess960"], "; this command has no Chess960\n"),
        (&["data", "show", "x", "--variant", "chess960"], "; this command has no Chess960\n"),
        (&["play", "--variant", "giveaway"], "; antichess is the nearest"),
        (&["play", "--variant", "draughts"], "one of chess, "),
    ] {
        let output = engine(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(advice) && !text.contains("UCI_Chess960"), "{arguments:?}: {text}");
    }
}

/// The paths of all commands below one.
fn commands_below(command: &clap::Command, path: &[String], found: &mut Vec<Vec<String>>) {
    for below in command.get_subcommands() {
        let path = [path, &[below.get_name().to_string()]].concat();
        commands_below(below, &path, found);
        found.push(path);
    }
}

#[test]
fn no_argument_of_any_command_is_answered_in_a_library_s_words() {
    let root = Cli::command();
    let mut paths = vec![Vec::new()];
    commands_below(&root, &[], &mut paths);
    let mut tried = 0;
    for path in paths {
        let below = |command: &clap::Command, name: &String| command.find_subcommand(name).cloned();
        let command = path.iter().try_fold(root.clone(), |command, name| below(&command, name));
        let options = command.unwrap();
        let options = options.get_opts().filter_map(|option| option.get_long());
        for option in options.map(str::to_string).collect::<Vec<String>>() {
            for odd in ["", "many", "1e3", "1,x", "-1", "99999999999999999999999", "\u{663}"] {
                let odd = format!("--{option}={odd}");
                let words = ["engine".to_string()].into_iter().chain(path.clone()).chain([odd]);
                let Err(error) = root.clone().try_get_matches_from(words) else { continue };
                let told = |lang| usage_fault(&error, lang).unwrap_or_else(|| error.to_string());
                let text = Lang::ALL.map(told).concat();
                let is_foreign = [
                    "in string",
                    "target type",
                    "empty string",
                    "float literal",
                    "is not in ",
                    "conversion attempted",
                ]
                .iter()
                .any(|words| text.contains(words));
                assert!(!is_foreign, "{text}");
                tried += 1;
            }
        }
    }
    assert!(tried > 500, "{tried}");
}

#[test]
fn a_wrong_command_line_is_answered_in_the_language_that_it_asks_for() {
    let wrong = |arguments: &[&str]| {
        let output = engine(arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let told = wrong(&["play", "--elos", "900", "--lang", "es"]);
    assert!(told.starts_with("error: no se conoce «--elos»\nParecido: --elo\n"), "{told}");
    let told = wrong(&["play", "--elos", "900"]);
    assert!(told.starts_with("error: unexpected argument '--elos' found"), "{told}");
}

#[test]
fn openings_lost_for_the_first_side_bring_it_no_win() {
    let sides = ["--nodes", "200", "--games", "4", "--lost", "900,1500"];
    let text = stdout(&[&["match"], &sides[..]].concat());
    assert!(text.starts_with("4 games: +0 "), "{text}");
    assert!(!engine(&["match", "--lost", "300,150"]).status.success());
}

#[test]
fn a_match_ends_with_its_result_and_repeats_it() {
    let play = |more: &[&str]| {
        let arguments = ["match", "--games", "6", "--nodes", "300", "--seed", "7"];
        stdout(&[&arguments, more].concat())
    };
    let alone = play(&["--first", "Evaluation=linear", "--second", "futility_depth=2"]);
    let words: Vec<&str> = alone.trim_end().split(' ').collect();
    assert!(matches!(words[..], ["6", "games:", _, _, _, _, "±", _, "Elo"]), "{alone}");
    let settings =
        ["--second", "futility_depth=2", "--first", "evaluation = linear", "--threads", "2"];
    assert_eq!(play(&settings), alone);
}

#[test]
fn a_match_with_a_test_reports_its_result() {
    let output = engine(&["match", "--games", "3", "--depth", "1", "--sprt=-5,5"]);
    assert_eq!(output.status.code(), Some(1), "nothing is proved");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("test of -5 against 5 Elo: undecided, LLR "), "{text}");
    assert!(lines[1].starts_with("4 games: "), "{text}");
}

#[test]
fn search_parameters_are_listed_for_a_tuner() {
    let text = stdout(&["tunables"]);
    let default = Parameters::default().aspiration_width;
    assert!(text.starts_with(&format!("aspiration_width, int, {default}, ")), "{text}");
    assert_eq!(text.lines().count(), TUNABLES.len());
    for line in text.lines() {
        let fields: Vec<&str> = line.split(", ").collect();
        assert!(fields.len() == 7 && fields[1] == "int" && fields[6] == "0.002", "{line}");
    }
}

#[test]
fn a_shell_is_told_the_names_that_an_argument_takes() {
    let script = stdout(&["completions", "bash"]);
    for (command, option, name) in [
        ("analyse", "--variant", "crazyhouse"),
        ("match", "--variant", "atomic"),
        ("lab__subcmd__compare", "--game", "connect-four"),
        ("lab__subcmd__compare", "--algorithms", "alpha-beta"),
        ("lab__subcmd__tree", "--versus", "sss*"),
    ] {
        let part = script.split(&format!("engine__subcmd__{command})\n")).nth(1).unwrap();
        let rule = part.split(&format!("{option})\n")).nth(1).unwrap();
        let rule = rule.lines().next().unwrap();
        assert!(rule.contains("compgen -W") && rule.contains(name), "{command} {option}: {rule}");
    }
}

#[test]
fn a_command_is_suggested_only_if_it_is_near() {
    let told = |word: &str| String::from_utf8(engine(&[word]).stderr).unwrap();
    assert!(!told("foo").contains("book"), "{}", told("foo"));
    assert!(told("boook").contains("'book'"), "{}", told("boook"));
    assert!(told("analize").contains("'analyse'"), "{}", told("analize"));
}

/// A file of recorded positions begins with a header, which is no position.
#[test]
fn positions_are_counted_alike_in_every_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.bin").display().to_string();
    let play = |games: &str| {
        let told = stdout(&["selfplay", "--games", games, "--nodes", "20", "-o", &file]);
        let numbers = told.split(' ').filter_map(|word| word.parse().ok());
        let numbers: Vec<u64> = numbers.collect();
        (numbers[0], numbers[numbers.len() - 1])
    };
    let (first, total) = play("2");
    assert_eq!(first, total);
    let (second, total) = play("2");
    assert_eq!(first + second, total);

    let shuffled = folder.path().join("shuffled.bin").display().to_string();
    let network = folder.path().join("network.bin").display().to_string();
    assert!(engine(&["data", "shuffle", &file, "-o", &shuffled]).status.success());
    let output = engine(&["train", &shuffled, "-o", &network]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains(" positions to train on, beside "), "{told}");
}

#[test]
fn errors_are_reported_with_exit_status_two() {
    for arguments in [
        &["nonsense"][..],
        &["perft"],
        &["perft", "0"],
        &["perft", "many"],
        &["bench", "0"],
        &["bench", "128"],
        &["bench", "--hash", "0"],
        &["eval", "--fen", "nonsense"],
        &["match", "--games", "0"],
        &["match", "--nodes", "9", "--depth", "2"],
        &["match", "--depth", "128"],
        &["match", "--first", "courage=7"],
        &["match", "--second", "futility_depth"],
        &["match", "--second", "futility_depth=1000"],
        &["match", "--first", "Hash=64"],
        &["match", "--sprt", "5,0"],
        &["--tune", "bench"],
        &["perft", "2", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
    ] {
        let output = engine(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: "), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn eval_says_where_the_game_is_over() {
    for (fen, end) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some("stalemate")),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Some("checkmate")),
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", Some("")),
        ("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", None),
    ] {
        let output = engine(&["eval", "--fen", fen]);
        let told = String::from_utf8_lossy(&output.stderr);
        let is_told = |end| told.contains(&format!("the game is over here: {end}"));
        assert!(output.status.success() && !output.stdout.is_empty(), "{fen}: {output:?}");
        assert!(end.map_or(told.is_empty(), is_told), "{fen}: {told}");
    }
}

/// OpenBench's client passes the request as one argument and `quit` as the next.
#[test]
fn openbench_gets_its_openings() {
    let openings = |request: &str| -> Vec<String> {
        let text = stdout(&[request, "quit"]);
        let fen = |line: &str| line.strip_prefix("info string genfens ").unwrap().to_string();
        text.lines().map(fen).collect()
    };
    let fens = openings("genfens 12 seed 7 book None ");
    assert_eq!(fens.len(), 12);
    for fen in &fens {
        let position: Chess = setup::position(fen, CastlingMode::Standard).unwrap().0;
        assert!(!position.is_game_over() && fen.split(' ').count() == 6, "{fen}");
    }
    assert_eq!(fens.iter().collect::<HashSet<_>>().len(), 12);
    assert_eq!(openings("genfens 12 seed 7 book None"), fens);
    assert_ne!(openings("genfens 12 seed 8 book None"), fens);

    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    let endgame = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - hmvc 0; fmvn 1;";
    fs::write(&book, format!("{endgame}\n\n{endgame}\n")).unwrap();
    let request = |path: &Path| format!("genfens 3 seed 7 book {}", path.display());
    assert!(openings(&request(&book)).iter().all(|fen| !fen.contains('q')));
    fs::write(&book, format!("{endgame}\nno position\n")).unwrap();
    let refused = engine(&[&request(&book), "quit"]);
    let error = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && error.contains("book.epd, line 2"), "{error}");
}

#[test]
fn exit_codes_tell_what_happened() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (prose, game) = (file("prose.txt", b"no game"), file("game.pgn", b"1. e4 e5 2. Nf3 *\n"));
    let unsorted = fs::read("openings/book.bin")
        .unwrap()
        .chunks(16)
        .rev()
        .flatten()
        .copied()
        .collect::<Vec<u8>>();
    let unsorted = file("book.bin", &unsorted);
    let bare = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let play = ["match", "--games", "2", "--nodes", "20", "--plies", "2"];
    for (code, arguments) in [
        (0, &["perft", "1"][..]),
        (0, &["analyse", &game, "--nodes", "100"]),
        (0, &["book", "show"]),
        (0, &["book", "check", "openings/book.bin"]),
        (0, &play),
        (1, &["book", "show", "--fen", bare]),
        (1, &["book", "check", &unsorted]),
        (1, &["analyse", &prose]),
        (1, &["exercises", &prose]),
        (1, &[&play[..], &["--sprt", "0,5"]].concat()),
        (2, &["perft", "many"]),
        (2, &["no-such-command"]),
        (2, &["analyse", "no such file.pgn"]),
        (2, &["eval", "--fen", "nonsense"]),
    ] {
        let output = engine(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        assert_eq!(output.status.success(), code == 0);
        assert!(code == 0 || !output.stderr.is_empty() || !output.stdout.is_empty());
    }
}
