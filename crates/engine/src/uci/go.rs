//! The limits of `go`, in any combination and order.
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

/// The request behind `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Go {
    /// A search.
    Search(Limits),
    /// A count of leaves at this depth, in plies.
    Perft(u32),
}

impl From<Go> for Command {
    fn from(go: Go) -> Command {
        match go {
            Go::Search(limits) => Command::Go(limits),
            Go::Perft(depth) => Command::Perft(depth),
        }
    }
}

/// Reads the words after `go`.
pub(super) fn parse(words: &mut Words, remarks: &mut Vec<String>) -> Result<Go, CommandError> {
    let mut limits = Limits::default();
    let mut ignored = Vec::new();
    while let Some(word) = words.next() {
        match word.to_ascii_lowercase().as_str() {
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => search_moves(words, &mut limits, &mut ignored),
            "perft" => return perft(words),
            keyword if is_keyword(keyword) => match number(words) {
                Some(value) => set(&mut limits, keyword, value),
                None => {
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
    Ok(Go::Search(limits))
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

/// Takes the moves up to the next keyword.
fn search_moves<'a>(words: &mut Words<'a>, limits: &mut Limits, ignored: &mut Vec<&'a str>) {
    while let Some(word) = words.next_if(|word| !is_keyword(word)) {
        match word.parse::<UciMove>() {
            Ok(m) if !m.is_null() => limits.search_moves.push(m),
            _ => ignored.push(word),
        }
    }
}

/// `go perft N` is a count, not a search.
fn perft(words: &mut Words) -> Result<Go, CommandError> {
    let error = || {
        let usage = format!("write go perft DEPTH, from 1 to {DEEPEST}, as in go perft 5");
        CommandError(usage)
    };
    let depth = number(words).and_then(|depth| u32::try_from(depth).ok());
    depth.filter(|depth| (1..=DEEPEST).contains(depth)).map(Go::Perft).ok_or_else(error)
}

/// Takes the next word if it is a whole number.
fn number(words: &mut Words) -> Option<i64> {
    let word = words.peek()?;
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    words.next();
    // A number of digits only that does not parse is too big.
    let overflow = if word.starts_with('-') { -LARGEST } else { LARGEST };
    Some(word.parse().unwrap_or(overflow).clamp(-LARGEST, LARGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> (Limits, Vec<String>) {
        let mut remarks = Vec::new();
        match parse(&mut Words::new(line), &mut remarks) {
            Ok(Go::Search(limits)) => (limits, remarks),
            other => panic!("{other:?}"),
        }
    }

    fn limits(line: &str) -> Limits {
        let (limits, remarks) = read(line);
        assert_eq!(remarks, Vec::<String>::new());
        limits
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
        assert_eq!(forwards.search_moves.len(), 2);
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
        let (limits, remarks) = read("searchmoves e2e4 0000 P@e4 e7e8q nonsense infinite");
        assert!(limits.infinite);
        let moves: Vec<String> = limits.search_moves.iter().map(UciMove::to_string).collect();
        assert_eq!(moves, ["e2e4", "P@e4", "e7e8q"]);
        assert_eq!(remarks, [r#"go: ignored "0000 nonsense""#]);
    }

    #[test]
    fn perft_is_its_own_command() {
        let perft = |line| parse(&mut Words::new(line), &mut Vec::new());
        assert_eq!(perft("perft 5"), Ok(Go::Perft(5)));
        assert!(perft("perft 64").is_ok() && perft("perft 65").is_err());
        assert!(perft("perft").is_err() && perft("perft x").is_err() && perft("perft 0").is_err());
    }
}
