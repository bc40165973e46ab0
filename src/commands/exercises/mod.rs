//! `engine exercises`: positions from one's own mistakes, asked again at growing intervals until they are known.

mod progress;
mod trainer;

use std::error::Error;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::play::folder::Folder;
use super::play::screen::Style;
use super::play::texts::{FileError, Words};
use super::play::{read_lines, say};
use super::{Done, NothingFound, RulesArgs};
use analysis::suite::EpdLine;
use analysis::texts::Lang;
use engine::evaluation::variants::with_rules;
use engine::input::{Lines, decode};
use engine::pgn::{Course, Games, RawGame};
use engine::remark::Remark;
use engine::rules::setup::Start;
use progress::{Progress, today};
use shell::source;
use trainer::Training;

const EXERCISES_HELP: &str = "\
The file is one that `engine analyse GAMES --exercises FILE` has written, any suite in EPD with the
best move (bm), or PGN whose games begin with the position.

New positions come by their difficulty, the easy ones first. One that you solve at the first try
comes again after 1, 3, 7, 16, 35 and 75 days, any other one on the same day. What you know is
kept in exercises.txt in the folder of engine play's games.

Type a move, or: hint (the piece, then the move), solution, skip, moves, board, flip, quit.

Examples:
  engine analyse games.pgn --exercises mine.epd
  engine exercises mine.epd
  engine exercises mine.epd --count 20
  engine exercises mine.epd --lang es     in Spanish: Cf3 is a knight's move, pista gives a hint";

/// Arguments of `exercises`.
#[derive(Debug, Args)]
#[command(after_help = EXERCISES_HELP)]
pub struct ExercisesArgs {
    /// The file of exercises, EPD or PGN
    file: PathBuf,
    /// Positions to ask at most
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    count: u32,
    #[command(flatten)]
    rules: RulesArgs,
    /// Folder of what you know [default: the folder of engine play]
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Show the pieces as letters
    #[arg(long)]
    ascii: bool,
    /// The language of the words, of the moves shown, and of those typed
    #[arg(long, value_enum, default_value_t)]
    pub(super) lang: Lang,
}

/// An exercise as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Exercise {
    /// The position, as FEN.
    pub fen: String,
    /// The moves that solve it, as the file writes them.
    pub best: Vec<String>,
    /// Where it comes from; may be empty.
    pub name: String,
    /// Why the move that was played was a mistake; may be empty.
    pub reason: String,
    /// The rating at which half of the players find the solution, in Elo, if it is known.
    pub difficulty: Option<u32>,
}

impl Exercise {
    /// The position without its counters: by this it is known again.
    pub fn key(&self) -> String {
        self.fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
    }
}

impl ExercisesArgs {
    /// Asks the exercises that are due.
    pub fn run(self) -> Done {
        let words = Arc::new(Words::of(self.lang));
        let (exercises, remark) = read(&self.file, &words)?;
        if let Some(remark) = remark {
            say(&words.fill("note", &[("remark", &words.remark(&remark))]))?;
        }
        let folder = Folder::open(self.folder.clone(), &words)?;
        let (mut progress, remark) = Progress::in_folder(folder.path(), &words);
        if let Some(remark) = remark {
            say(&words.fill("note", &[("remark", &remark)]))?;
        }
        let day = today();
        let due = progress.due(&exercises, day, self.count as usize);
        if due.is_empty()
            && let Some(days) = progress.days_to_next(&exercises, day)
        {
            return say(&words.counted("exercise.none-due", days));
        }
        let style = Style::of_terminal(io::stdout().is_terminal(), self.ascii);
        let lines = read_lines();
        let training =
            Training { due, progress: &mut progress, lines: &lines, style, words: &words };
        with_rules(self.rules.rule_set, training)
    }
}

/// Reads a file of exercises, with what is to be said of the way in which it was read.
///
/// # Errors
/// A file that cannot be read, or without a single exercise.
fn read(path: &Path, words: &Words) -> Result<(Vec<Exercise>, Option<Remark>), Box<dyn Error>> {
    let named = |error| words.of_file("file.name-exercises", path, error);
    let is_pgn = path.to_string_lossy().to_lowercase().contains(".pgn");
    let (mut exercises, mut remark) = (Vec::new(), None);
    let file = source::open(path).map_err(named)?;
    if is_pgn {
        let mut games = Games::new(file);
        while let Some(game) = games.next_game().map_err(named)? {
            exercises.extend(of_game(&game));
            remark = remark.or_else(|| game.remark());
        }
    } else {
        let mut lines = Lines::new(file);
        while let Some(line) = lines.next_line().map_err(named)? {
            exercises.extend(EpdLine::parse(&decode(line.bytes)).and_then(|line| of_epd(&line)));
        }
    }
    if exercises.is_empty() {
        let no_exercise = FileError::Own("fault.no-exercise");
        let error = words.of_file("file.make-exercises", path, no_exercise);
        return Err(NothingFound(error).into());
    }
    Ok((exercises, remark))
}

/// The exercise of a line of EPD; `None` without a best move.
fn of_epd(line: &EpdLine) -> Option<Exercise> {
    let operand = |code: &str| {
        let found = line.operations.iter().find(|(other, _)| other == code);
        found.map_or("", |(_, operand)| operand.as_str())
    };
    let best: Vec<String> = operand("bm").split_whitespace().map(str::to_string).collect();
    (!best.is_empty()).then(|| Exercise {
        fen: line.fen.clone(),
        best,
        name: operand("id").to_string(),
        reason: operand("c0").to_string(),
        difficulty: operand("c1").parse().ok(),
    })
}

/// The exercise of a game that begins with a position: its first move is the solution.
fn of_game(game: &RawGame) -> Option<Exercise> {
    let course = Course::follow(game).ok()?;
    let Start::Fen(fen) = &course.start else { return None };
    let best = course.moves.first()?.as_ref()?;
    Some(Exercise {
        fen: fen.clone(),
        best: vec![best.to_uci(course.castling).to_string()],
        name: game.tag("Event").unwrap_or_default().to_string(),
        reason: String::new(),
        difficulty: game.tag("Difficulty").and_then(|text| text.parse().ok()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exercises_are_read_from_both_forms() {
        let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq -";
        let epd = format!("{fen} bm Qxf7#; id \"a\"; c0 \"b; c\"; c1 \"700\";");
        let exercise = of_epd(&EpdLine::parse(&epd).unwrap()).unwrap();
        assert_eq!(exercise.best, ["Qxf7#"]);
        assert_eq!((exercise.reason.as_str(), exercise.difficulty), ("b; c", Some(700)));
        let pgn = format!("[SetUp \"1\"]\n[FEN \"{fen} 4 4\"]\n\n4. Qxf7# *\n");
        let game = of_game(&RawGame::parse(&pgn)).unwrap();
        assert_eq!((game.key(), game.best), (exercise.key(), vec!["f3f7".to_string()]));
        assert!(of_game(&RawGame::parse("1. e4 e5 *")).is_none(), "a whole game");
    }
}
