//! `go`: its limits, in any combination and order, or a count by perft.
//!
//! vampirc-uci panics at `go depth 256`, keeps only one of `ponder`, `movetime`, `infinite` and the clocks,
//! and drops everything after an unknown word. Here every limit is kept, and unknown words are reported and
//! skipped.

use shakmaty::uci::UciMove;

use super::command::{Command, CommandError};
use super::words::{Words, quoted};
use crate::limits::Limits;
use crate::rules::perft::DEEPEST;

/// Greatest value of a number, of either sign: far beyond any game, and sums and small multiples of it
/// still fit.
const LARGEST: i64 = 1_000_000_000_000_000;

const KEYWORDS: [&str; 13] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

/// Time for a search whose limits are all unreadable, in milliseconds: nobody asked for one without end.
const UNREADABLE_MS: i64 = 1000;

/// Reads the words after `go`.
pub(super) fn parse(words: &mut Words, remarks: &mut Vec<String>) -> Result<Command, CommandError> {
    let mut limits = Limits::default();
    let mut search_moves = Vec::new();
    let mut ignored = Vec::new();
    let mut is_unreadable = false;
    while let Some(word) = words.next() {
        match word.to_ascii_lowercase().as_str() {
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => {
                let before = search_moves.len();
                search_moves.extend(up_to_keyword(words));
                if search_moves.len() == before {
                    remarks
                        .push("go: searchmoves without moves; all moves are searched".to_string());
                }
            }
            "perft" => return perft(words, remarks),
            keyword if is_keyword(keyword) => match number(keyword, words, remarks) {
                Some(value) => set(&mut limits, keyword, value),
                None => {
                    is_unreadable = true;
                    let found = words.next_if(|word| !is_keyword(word)).map(quoted);
                    let found = found.unwrap_or_else(|| "nothing".to_string());
                    remarks.push(format!("go: {keyword} takes a number, not {found}"));
                }
            },
            _ => ignored.push(word),
        }
    }
    if !ignored.is_empty() {
        remarks.push(format!("go: ignored {}", quoted(&ignored.join(" "))));
    }
    if is_unreadable && !limits.infinite && !limits.is_bounded() {
        limits.move_time = Some(UNREADABLE_MS);
        remarks
            .push(format!("go: without a readable limit the search ends after {UNREADABLE_MS} ms"));
    }
    Ok(Command::Go { limits, search_moves })
}

/// The command that means these limits: without what says nothing, such as an increment of 0.
pub(super) fn line(limits: &Limits) -> String {
    let Limits { clock, increment, moves_to_go, move_time, depth, nodes, mate, .. } = limits;
    let some = |value: &i64| Some(*value).filter(|value| *value != 0);
    let numbers = [
        ("wtime", clock.white),
        ("btime", clock.black),
        ("winc", some(&increment.white)),
        ("binc", some(&increment.black)),
        ("movestogo", moves_to_go.map(i64::from)),
        ("movetime", *move_time),
        ("depth", depth.map(i64::from)),
        ("nodes", nodes.map(|nodes| i64::try_from(nodes).unwrap_or(i64::MAX))),
        ("mate", mate.map(i64::from)),
    ];
    let mut words = vec!["go".to_string()];
    for (keyword, value) in numbers {
        words.extend(value.map(|value| format!("{keyword} {value}")));
    }
    words.extend(limits.infinite.then(|| "infinite".to_string()));
    words.extend(limits.ponder.then(|| "ponder".to_string()));
    if !limits.search_moves.is_empty() {
        words.push("searchmoves".to_string());
        words.extend(limits.search_moves.iter().map(UciMove::to_string));
    }
    words.join(" ")
}

fn is_keyword(word: &str) -> bool {
    KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// Sets the limit that `keyword` names. Counts below one count as one, so that there is always something to
/// search; clocks keep their sign.
fn set(limits: &mut Limits, keyword: &str, value: i64) {
    let count = value.max(1);
    let small_count = u32::try_from(count).unwrap_or(u32::MAX);
    match keyword {
        "wtime" => limits.clock.white = Some(value),
        "btime" => limits.clock.black = Some(value),
        "winc" => limits.increment.white = value,
        "binc" => limits.increment.black = value,
        "movetime" => limits.move_time = Some(value),
        // Some clients write 0 for "no further time control".
        "movestogo" => limits.moves_to_go = (value > 0).then_some(small_count),
        "depth" => limits.depth = Some(small_count),
        "nodes" => limits.nodes = Some(count.unsigned_abs()),
        _ => limits.mate = Some(small_count),
    }
}

/// Takes the words up to the next keyword.
fn up_to_keyword(words: &mut Words) -> Vec<String> {
    std::iter::from_fn(|| words.next_if(|word| !is_keyword(word))).map(str::to_string).collect()
}

/// `go perft N` is a count, not a search.
fn perft(words: &mut Words, remarks: &mut Vec<String>) -> Result<Command, CommandError> {
    let error = || {
        let usage = format!("write go perft DEPTH, from 1 to {DEEPEST}, as in go perft 5");
        CommandError(usage)
    };
    let depth = number("perft", words, remarks).and_then(|depth| u32::try_from(depth).ok());
    depth.filter(|depth| (1..=DEEPEST).contains(depth)).map(Command::Perft).ok_or_else(error)
}

/// Takes the next word if it is a number. Of any but a whole one the integer part counts, with a remark.
fn number(keyword: &str, words: &mut Words, remarks: &mut Vec<String>) -> Option<i64> {
    let word = words.peek()?;
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    let is_whole = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let value = if is_whole {
        // A number of digits only that does not parse is too big.
        let overflow = if word.starts_with('-') { -LARGEST } else { LARGEST };
        word.parse().unwrap_or(overflow)
    } else {
        integer_part(word)?
    };
    words.next();
    let value = value.clamp(-LARGEST, LARGEST);
    if !is_whole {
        remarks.push(format!("go: {keyword} {} is read as {value}", quoted(word)));
    }
    Some(value)
}

/// The integer part of a number as programs and people write it: `200.0`, `1e3`, `300,5`, `1,000`.
fn integer_part(word: &str) -> Option<i64> {
    let is_numeric = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    let plain =
        if has_groups(word) { word.replace(GROUP_MARKS, "") } else { word.replacen(',', ".", 1) };
    // Rust reads "infinity" and "nan" as numbers, too.
    let value: f64 = plain.parse().ok().filter(|_| plain.chars().all(is_numeric))?;
    // The conversion saturates.
    Some(value as i64)
}

/// The marks between thousands.
const GROUP_MARKS: [char; 3] = [',', '_', '\''];

/// True if the digits before the decimal point stand in groups of three.
fn has_groups(word: &str) -> bool {
    let whole = word.split('.').next().unwrap_or_default().trim_start_matches(['-', '+']);
    let mut groups = whole.split(GROUP_MARKS);
    let is_digits = |group: &str| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    let first = groups.next().is_some_and(|group| group.len() <= 3 && is_digits(group));
    let mut rest = groups.peekable();
    first && rest.peek().is_some() && rest.all(|group| group.len() == 3 && is_digits(group))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(line: &str) -> (Limits, Vec<String>, Vec<String>) {
        let mut remarks = Vec::new();
        match parse(&mut Words::new(line), &mut remarks) {
            Ok(Command::Go { limits, search_moves }) => (limits, search_moves, remarks),
            other => panic!("{other:?}"),
        }
    }

    fn read(line: &str) -> (Limits, Vec<String>) {
        let (limits, _, remarks) = read_all(line);
        (limits, remarks)
    }

    fn limits(line: &str) -> Limits {
        let (limits, remarks) = read(line);
        assert_eq!(remarks, Vec::<String>::new());
        limits
    }

    #[test]
    fn limits_are_written_as_they_are_read() {
        for words in [
            "go",
            "go infinite",
            "go wtime 1000 btime -5 binc 100 ponder",
            "go movetime 100 depth 3 nodes 500 mate 2",
        ] {
            let read = limits(words.strip_prefix("go").unwrap());
            assert_eq!(line(&read), words);
        }
        let search_moves = vec!["e2e4".parse().unwrap(), "d2d4".parse().unwrap()];
        let limits = Limits { search_moves, ..Limits::depth(2) };
        assert_eq!(line(&limits), "go depth 2 searchmoves e2e4 d2d4");
    }

    #[test]
    fn numbers_that_vampirc_uci_panics_on() {
        assert_eq!(limits("depth 256").depth, Some(256));
        assert_eq!(limits("mate 999").mate, Some(999));
        assert_eq!(limits("movestogo 300").moves_to_go, Some(300));
        assert_eq!(limits("depth 1234").depth, Some(1234));
    }

    #[test]
    fn combinations_that_vampirc_uci_loses() {
        let pondering = limits("ponder wtime 1000 btime 2000");
        assert!(pondering.ponder);
        assert_eq!((pondering.clock.white, pondering.clock.black), (Some(1000), Some(2000)));
        let both = limits("wtime 1000 movetime 50");
        assert_eq!((both.clock.white, both.move_time), (Some(1000), Some(50)));
        let endless = limits("infinite wtime 1000");
        assert!(endless.infinite && endless.clock.white == Some(1000));
    }

    #[test]
    fn everything_in_any_order() {
        let forwards = limits(
            "wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 mate 8 movetime 9 \
             infinite ponder searchmoves e2e4 d2d4",
        );
        let backwards = limits(
            "searchmoves e2e4 d2d4 ponder infinite movetime 9 mate 8 nodes 7 depth 6 \
             movestogo 5 binc 4 winc 3 btime 2 WTIME 1",
        );
        assert_eq!(forwards, backwards);
        assert_eq!(read_all("depth 6 searchmoves e2e4 d2d4 nodes 7").1, ["e2e4", "d2d4"]);
        assert_eq!((forwards.increment.white, forwards.increment.black), (3, 4));
        assert_eq!((forwards.depth, forwards.nodes, forwards.mate), (Some(6), Some(7), Some(8)));
    }

    #[test]
    fn unknown_words_are_reported_and_the_rest_is_kept() {
        let (limits, remarks) = read("fast depth 5 please nodes 9");
        assert_eq!((limits.depth, limits.nodes), (Some(5), Some(9)));
        assert_eq!(remarks, [r#"go: ignored "fast please""#]);
    }

    #[test]
    fn the_integer_part_of_any_number_counts_and_is_said() {
        for (text, value) in [
            ("200.0", 200),
            ("300.5", 300),
            ("5.", 5),
            (".5", 0),
            ("-5.5", -5),
            ("+7.9", 7),
            ("1,000", 1000),
            ("1,000.9", 1000),
            ("12'345'678", 12_345_678),
            ("1_000", 1000),
            ("300,5", 300),
            ("1e3", 1000),
            ("1.5E+3", 1500),
            ("1e400", LARGEST),
            ("-1e400", -LARGEST),
        ] {
            let (limits, remarks) = read(&format!("movetime {text} depth 3"));
            assert_eq!((limits.move_time, limits.depth), (Some(value), Some(3)), "{text}");
            assert_eq!(remarks, [format!("go: movetime {text:?} is read as {value}")]);
        }
        assert_eq!(limits("movetime +200").move_time, Some(200));
        let (limits, _) = read("wtime 300.5 btime 1,000 depth 5.0 nodes 1000.9 movestogo 3.7");
        assert_eq!((limits.clock.white, limits.clock.black), (Some(300), Some(1000)));
        assert_eq!(
            (limits.depth, limits.nodes, limits.moves_to_go),
            (Some(5), Some(1000), Some(3))
        );
        assert_eq!(parse(&mut Words::new("perft 2.0"), &mut Vec::new()), Ok(Command::Perft(2)));
    }

    #[test]
    fn a_go_of_unreadable_limits_alone_ends() {
        for line in
            ["movetime 0x10", "wtime", "depth x", "ponder wtime fast", "nodes inf", "mate nan"]
        {
            let (limits, remarks) = read(line);
            assert_eq!(limits.move_time, Some(UNREADABLE_MS), "{line}");
            assert!(remarks.last().unwrap().contains("without a readable limit"), "{remarks:?}");
        }
        // Others are readable, or the client asks for a search without end.
        for line in ["movetime x depth 4", "infinite wtime x", "mate 3 nodes x"] {
            let (limits, remarks) = read(line);
            assert_eq!((limits.move_time, remarks.len()), (None, 1), "{line}");
        }
        assert_eq!(limits("").move_time, None);
    }

    #[test]
    fn missing_and_invalid_numbers() {
        let (limits, remarks) = read("wtime btime 5 depth x nodes");
        assert_eq!((limits.clock.black, limits.depth, limits.nodes), (Some(5), None, None));
        assert_eq!(
            remarks,
            [
                "go: wtime takes a number, not nothing",
                r#"go: depth takes a number, not "x""#,
                "go: nodes takes a number, not nothing",
            ]
        );
    }

    #[test]
    fn odd_sizes() {
        let odd = limits("wtime -50 btime 0 nodes 99999999999999999999999 depth -3 movestogo 0");
        assert_eq!((odd.clock.white, odd.clock.black), (Some(-50), Some(0)));
        assert_eq!((odd.nodes, odd.depth), (Some(LARGEST.unsigned_abs()), Some(1)));
        assert_eq!(odd.moves_to_go, None);
        assert_eq!(limits("wtime -99999999999999999999").clock.white, Some(-LARGEST));
        assert_eq!(limits("depth 99999999999").depth, Some(u32::MAX));
    }

    #[test]
    fn moves_to_search_end_at_the_next_keyword() {
        let (limits, moves, remarks) = read_all("searchmoves e2e4 P@e4 Nf3 nonsense infinite");
        assert!(limits.infinite && remarks.is_empty(), "{remarks:?}");
        assert_eq!(moves, ["e2e4", "P@e4", "Nf3", "nonsense"]);
        let (limits, moves, remarks) = read_all("searchmoves depth 3");
        assert_eq!((limits.depth, moves.len()), (Some(3), 0));
        assert_eq!(remarks, ["go: searchmoves without moves; all moves are searched"]);
    }

    #[test]
    fn perft_is_its_own_command() {
        let perft = |line| parse(&mut Words::new(line), &mut Vec::new());
        assert_eq!(perft("perft 5"), Ok(Command::Perft(5)));
        assert!(perft("perft 64").is_ok() && perft("perft 65").is_err());
        assert!(perft("perft").is_err() && perft("perft x").is_err() && perft("perft 0").is_err());
    }
}
