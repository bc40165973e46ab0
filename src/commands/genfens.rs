//! `engine "genfens N seed S book B" quit`: openings for a test on OpenBench, in the syntax of its client
//! (`genfens.py`).

use std::collections::HashSet;
use std::path::Path;

use clap::Args;
use shakmaty::{CastlingMode, Chess};

use super::{Done, print};
use engine::evaluation::Evaluation;
use engine::input;
use engine::limits::Limits;
use engine::rules::{Game, setup};
use shell::interrupt;
use workshop::arena::{Openings, Screen};

/// Nodes of the search that screens an opening.
const SCREEN_NODES: u64 = 1000;
/// Greatest lead of either side in an opening, in centipawns.
const BALANCE: i32 = 150;
/// Random half-moves from the start of the game, and from a position of a book.
const PLIES: usize = 8;
const PLIES_FROM_BOOK: usize = 2;
/// Candidates for each wanted opening before a repeated one is accepted.
const SPARE: usize = 4;

/// Arguments of `genfens`.
#[derive(Debug, Args)]
pub struct GenfensArgs {
    /// The request in OpenBench's syntax: N seed S book None|FILE [plies P]
    words: Vec<String>,
}

impl GenfensArgs {
    /// Prints N openings as `info string genfens FEN`, each as soon as it is found. The book file has a FEN
    /// or EPD on each line. The same request brings the same openings, all different as long as there are
    /// enough.
    pub fn run(self) -> Done {
        let Request { count, seed, book, plies } = Request::read(&self.words)?;
        let starts = book.as_deref().map_or(Ok(Vec::new()), positions)?;
        let plies = plies.unwrap_or(if starts.is_empty() { PLIES } else { PLIES_FROM_BOOK });
        let openings = Openings::new(seed, plies).starting_from(starts).screened(Screen {
            evaluator: Evaluation::<Chess>::default(),
            limits: Limits::nodes(SCREEN_NODES),
            margin: BALANCE,
        });
        interrupt::watch();
        let mut finder = openings.finder()?;
        let mut seen = HashSet::new();
        let mut printed = 0;
        let most = count.saturating_mul(SPARE);
        for number in 0..most {
            if printed == count || interrupt::is_set() {
                break;
            }
            let opening = finder.opening(number);
            let must_repeat = most - number <= count - printed;
            if seen.insert(opening.now().key()) || must_repeat {
                print(&format!("info string genfens {}", setup::fen(opening.position())))?;
                printed += 1;
            }
        }
        Ok(())
    }
}

/// A request.
#[derive(Debug, PartialEq, Eq)]
struct Request {
    count: usize,
    seed: u64,
    book: Option<String>,
    plies: Option<usize>,
}

impl Request {
    fn read(words: &[String]) -> Result<Request, String> {
        let mut words = words.iter().map(String::as_str);
        let count = number("the number of openings", words.next())?;
        let mut request = Request { count, seed: 0, book: None, plies: None };
        while let Some(word) = words.next() {
            match word {
                "seed" => request.seed = number("the seed", words.next())? as u64,
                "plies" => request.plies = Some(number("plies", words.next())?),
                "book" => {
                    let book = words.next().ok_or("book takes None or the name of a file")?;
                    let is_none = book.eq_ignore_ascii_case("none");
                    request.book = (!is_none).then(|| book.to_string());
                }
                _ => {
                    return Err(format!(
                        "genfens does not know \"{word}\"; write: genfens N seed S book None"
                    ));
                }
            }
        }
        Ok(request)
    }
}

fn number(what: &str, word: Option<&str>) -> Result<usize, String> {
    word.and_then(|word| word.parse().ok()).ok_or_else(|| {
        let word = word.unwrap_or("nothing");
        format!("genfens: {what} must be a whole number, not {word}")
    })
}

/// The positions of a book, a FEN or EPD on each line.
fn positions(book: &str) -> Result<Vec<Game<Chess>>, String> {
    let text = input::read_text(Path::new(book)).map_err(|error| format!("{book}: {error}"))?;
    let mut games = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        // An EPD has four fields and then operations; a FEN without its two counters has four as well.
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        let (position, _) = setup::position(&fields.join(" "), CastlingMode::Standard)
            .map_err(|error| format!("{book}, line {}: {error}", number + 1))?;
        games.push(Game::new(position));
    }
    if games.is_empty() { Err(format!("{book}: the file has no position")) } else { Ok(games) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Request, String> {
        Request::read(&text.split(' ').map(str::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn openbench_requests_are_read() {
        let wanted = Request { count: 64, seed: 123, book: None, plies: None };
        assert_eq!(read("64 seed 123 book None"), Ok(wanted));
        let wanted =
            Request { count: 1, seed: 2, book: Some("Books/UHO.epd".to_string()), plies: Some(4) };
        assert_eq!(read("1 seed 2 book Books/UHO.epd plies 4"), Ok(wanted));
    }

    #[test]
    fn errors_are_named() {
        for (text, part) in [
            ("many seed 1", "number of openings must be a whole number, not many"),
            ("5 seed", "seed must be a whole number, not nothing"),
            ("5 book", "None or the name of a file"),
            ("5 seed 1 tree None", "does not know \"tree\""),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
