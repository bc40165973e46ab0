//! Parsing: from a client's line to a [`Command`].
//!
//! `position`, `go` and `setoption` are tokenised here, because vampirc-uci loses parts of them or panics:
//! double spaces, drops, four-field FENs, `go depth 256`, `go ponder wtime …`. The crate parses the other
//! commands. It accepts prefixes as whole words (`isreadyfoo`), so it only receives words that are already
//! recognised, and its answer is checked.

use vampirc_uci::{UciMessage, parse_one};

use super::command::{Command, CommandError, Parsed};
use super::go;
use super::words::{Words, quoted};
use crate::bench::DEEPEST;
use crate::rules::setup::Start;

/// A command, or the error in its arguments.
type Reading = Result<Command, CommandError>;

/// Reads one line.
///
/// As the protocol demands, unknown words before a command are skipped (`joho debug on`), but only before
/// the protocol's own commands.
///
/// # Errors
/// A line without a command, or a command with invalid arguments.
pub fn parse(line: &str) -> Result<Parsed, CommandError> {
    let mut words = Words::new(line);
    let Some(first) = words.peek().filter(|word| !word.starts_with('#')) else {
        return Ok(Parsed { command: Command::Nothing, remarks: Vec::new() });
    };
    let mut remarks = Vec::new();
    let mut skipped = Vec::new();
    let extra = extra_command(&first.to_ascii_lowercase(), words.clone().nth(1));
    let reading = match extra {
        Some(reading) => reading,
        None => loop {
            let Some(word) = words.next() else {
                let error = format!("unknown command {}; try help", quoted(line.trim()));
                return Err(CommandError(error));
            };
            let keyword = word.to_ascii_lowercase();
            if let Some(reading) = uci_command(&keyword, &mut words, &mut remarks) {
                break reading;
            }
            skipped.push(word);
        },
    };
    let command = reading?;
    if !skipped.is_empty() {
        remarks.insert(0, format!("ignored {}", quoted(&skipped.join(" "))));
    }
    Ok(Parsed { command, remarks })
}

/// Reads an extra command, which is not part of the protocol.
fn extra_command(word: &str, argument: Option<&str>) -> Option<Reading> {
    Some(Ok(match word {
        "d" => Command::Display,
        "eval" => Command::Eval,
        "flip" => Command::Flip,
        "compiler" => Command::Compiler,
        "help" | "?" => Command::Help,
        "bench" => return Some(bench(argument)),
        _ => return None,
    }))
}

/// Reads a command of the protocol.
fn uci_command(word: &str, words: &mut Words, remarks: &mut Vec<String>) -> Option<Reading> {
    match word {
        "position" => Some(position(words, remarks)),
        "go" => Some(go::parse(words, remarks)),
        "setoption" => Some(set_option(words)),
        "uci" | "isready" | "ucinewgame" | "stop" | "ponderhit" | "quit" => {
            if !words.rest().is_empty() {
                remarks.push(format!("{word}: ignored {}", quoted(words.rest())));
            }
            Some(parse_with_vampirc(word))
        }
        "debug" => Some(parse_with_vampirc(&format!("debug {}", words.next().unwrap_or_default()))),
        "register" => {
            let data: Vec<&str> = words.collect();
            Some(parse_with_vampirc(&format!("register {}", data.join(" "))))
        }
        _ => None,
    }
}

/// Parses `text` with vampirc-uci; a message that does not print as the same text is refused.
fn parse_with_vampirc(text: &str) -> Reading {
    let message = parse_one(text);
    let error = || CommandError(format!("cannot read {}; try help", quoted(text)));
    if !message.to_string().eq_ignore_ascii_case(text) {
        return Err(error());
    }
    match message {
        UciMessage::Uci => Ok(Command::Uci),
        UciMessage::Debug(on) => Ok(Command::Debug(on)),
        UciMessage::IsReady => Ok(Command::IsReady),
        UciMessage::Register { .. } => Ok(Command::Register),
        UciMessage::UciNewGame => Ok(Command::NewGame),
        UciMessage::Stop => Ok(Command::Stop),
        UciMessage::PonderHit => Ok(Command::PonderHit),
        UciMessage::Quit => Ok(Command::Quit),
        _ => Err(error()),
    }
}

/// `position [startpos | fen …] [moves …]`. The FEN is everything up to `moves`: clients send four fields,
/// pockets and check counters. It is checked later.
fn position(words: &mut Words, remarks: &mut Vec<String>) -> Reading {
    let is = |word: &str, keyword: &str| word.eq_ignore_ascii_case(keyword);
    let mut ignored = Vec::new();
    let start = loop {
        match words.next() {
            Some(word) if is(word, "startpos") => break Start::Initial,
            Some(word) if is(word, "fen") => break Start::Fen(fen(words)?),
            Some(word) => ignored.push(word),
            None => {
                let usage = "position needs startpos or fen: position startpos moves e2e4";
                return Err(CommandError(usage.to_string()));
            }
        }
    };
    if !ignored.is_empty() {
        remarks.push(format!("position: ignored {}", quoted(&ignored.join(" "))));
    }
    match words.next() {
        Some(word) if !is(word, "moves") => {
            // Dropping the word and the rest would set up a position that the client does not mean.
            let error = format!("position: write moves before {}", quoted(word));
            Err(CommandError(error))
        }
        _ => Ok(Command::Position { start, moves: words.map(str::to_string).collect() }),
    }
}

/// The words of a FEN, up to `moves`.
fn fen(words: &mut Words) -> Result<String, CommandError> {
    let mut fields = Vec::new();
    while let Some(word) = words.next_if(|word| !word.eq_ignore_ascii_case("moves")) {
        fields.push(word);
    }
    if fields.is_empty() {
        return Err(CommandError("position fen: the FEN is missing".to_string()));
    }
    Ok(fields.join(" "))
}

/// `setoption name … [value …]`. The first word `value` ends the name; the rest of the line is the value.
fn set_option(words: &mut Words) -> Reading {
    let usage = || CommandError("write setoption name NAME value VALUE".to_string());
    if !words.next().is_some_and(|word| word.eq_ignore_ascii_case("name")) {
        return Err(usage());
    }
    let mut name = Vec::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word.eq_ignore_ascii_case("value") {
            value = Some(words.rest().to_string());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return Err(usage());
    }
    Ok(Command::SetOption { name: name.join(" "), value })
}

/// `bench [depth]`.
fn bench(depth: Option<&str>) -> Reading {
    let read = |text: &str| match text.parse::<u32>() {
        Ok(depth) if (1..=DEEPEST).contains(&depth) => Ok(depth),
        _ => Err(CommandError(format!(
            "bench takes a depth in plies, from 1 to {DEEPEST}, not {}",
            quoted(text)
        ))),
    };
    Ok(Command::Bench(depth.map(read).transpose()?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn command(line: &str) -> Command {
        let parsed = parse(line).unwrap();
        assert_eq!(parsed.remarks, Vec::<String>::new(), "{line}");
        parsed.command
    }

    fn error(line: &str) -> String {
        parse(line).unwrap_err().0
    }

    fn option(name: &str, value: Option<&str>) -> Command {
        Command::SetOption { name: name.to_string(), value: value.map(str::to_string) }
    }

    fn moves(line: &str) -> Vec<String> {
        match command(line) {
            Command::Position { moves, .. } => moves,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn single_words() {
        assert_eq!(command("uci"), Command::Uci);
        assert_eq!(command("  isready \r\n"), Command::IsReady);
        assert_eq!(command("ucinewgame"), Command::NewGame);
        assert_eq!(command("stop"), Command::Stop);
        assert_eq!(command("ponderhit"), Command::PonderHit);
        assert_eq!(command("quit"), Command::Quit);
        assert_eq!(command("QUIT"), Command::Quit);
        assert_eq!(command("d"), Command::Display);
        assert_eq!(command("eval"), Command::Eval);
        assert_eq!(command("flip"), Command::Flip);
        assert_eq!(command("compiler"), Command::Compiler);
        assert_eq!(command("help"), Command::Help);
    }

    #[test]
    fn empty_lines() {
        for line in ["", "   ", "\t", "# quit", "#quit", "\r"] {
            assert_eq!(command(line), Command::Nothing, "{line:?}");
        }
    }

    #[test]
    fn arguments_of_the_small_commands() {
        assert_eq!(command("debug on"), Command::Debug(true));
        assert_eq!(command("debug \t OFF"), Command::Debug(false));
        assert_eq!(command("register later"), Command::Register);
        assert_eq!(command("register name Ada Lovelace code 1815"), Command::Register);
        assert_eq!(command("bench"), Command::Bench(None));
        assert_eq!(command("bench 7"), Command::Bench(Some(7)));
        for line in
            ["debug", "debug joho on", "register", "bench x", "bench 0", "bench -3", "bench 128"]
        {
            error(line);
        }
    }

    #[test]
    fn prefixes_are_not_commands() {
        for line in ["isreadyfoo", "ucinewgames", "debug onwards", "stopp", "positionstartpos"] {
            error(line);
        }
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped_and_reported() {
        let parsed = parse("joho was debug on").unwrap();
        assert_eq!(parsed.command, Command::Debug(true));
        assert_eq!(parsed.remarks, [r#"ignored "joho was""#]);
        // Our own short words are too common in plain text.
        assert!(error("what is d or eval").contains("unknown command"));
    }

    #[test]
    fn words_after_a_command_without_arguments_are_reported() {
        let parsed = parse("stop it").unwrap();
        assert_eq!(parsed.command, Command::Stop);
        assert_eq!(parsed.remarks, [r#"stop: ignored "it""#]);
    }

    #[test]
    fn positions() {
        let startpos = Command::Position { start: Start::Initial, moves: Vec::new() };
        assert_eq!(command("position startpos"), startpos);
        assert_eq!(command("position startpos moves"), startpos);
        assert_eq!(moves("position startpos  moves   e2e4\te7e5 "), ["e2e4", "e7e5"]);
        assert_eq!(
            moves("position startpos moves e2e4 0000 P@e4 e7e8k x"),
            ["e2e4", "0000", "P@e4", "e7e8k", "x"]
        );
        for fen in [
            "4k3/8/8/8/8/8/4P3/4K3 w - -",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w HAha - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1",
        ] {
            let start = Start::Fen(fen.to_string());
            let line = format!("position fen   {} moves e2e4", fen.replace(' ', "  "));
            let expected = Command::Position { start, moves: vec!["e2e4".to_string()] };
            assert_eq!(command(&line), expected);
        }
    }

    #[test]
    fn invalid_positions() {
        assert!(error("position").contains("startpos or fen"));
        assert!(error("position fen moves e2e4").contains("missing"));
        assert!(error("position startpos e2e4").contains("write moves before"));
        let parsed = parse("position the startpos").unwrap();
        assert_eq!(parsed.remarks, [r#"position: ignored "the""#]);
    }

    #[test]
    fn options() {
        assert_eq!(command("setoption name Hash value 32"), option("Hash", Some("32")));
        assert_eq!(
            command("setoption  name  Move   Overhead  value  30 "),
            option("Move Overhead", Some("30"))
        );
        assert_eq!(command("setoption name Clear Hash"), option("Clear Hash", None));
        error("setoption");
        error("setoption Hash value 32");
        error("setoption name value 32");
    }

    #[test]
    fn options_that_vampirc_uci_gets_wrong() {
        assert_eq!(
            command("setoption name Piece Values Scale value 3"),
            option("Piece Values Scale", Some("3"))
        );
        assert_eq!(
            command("setoption name Debug Log File value my  value log.txt"),
            option("Debug Log File", Some("my  value log.txt"))
        );
        assert_eq!(
            command("setoption name Debug Log File value"),
            option("Debug Log File", Some(""))
        );
        assert_eq!(
            command("setoption name Debug Log File value <empty>"),
            option("Debug Log File", Some("<empty>"))
        );
    }

    #[test]
    fn errors_are_one_short_line() {
        let text = error(&"é\0\u{7}".repeat(5000));
        assert!(text.len() < 300 && !text.contains('\0'));
    }

    proptest! {
        #[test]
        fn no_line_panics(line in any::<String>()) {
            let _ = parse(&line);
        }

        #[test]
        fn no_arguments_panic(
            command in "(position|go|setoption name|debug|register|bench|stop|uci)",
            rest in "( {1,2}(startpos|fen|moves|value|name|depth|wtime|searchmoves|perft|-?[0-9]{1,30}|[a-h][1-8][a-h][1-8]|0000|P@e4|[^ ]{0,5})){0,12}",
        ) {
            let _ = parse(&format!("{command}{rest}"));
        }
    }
}
