//! A round of exercises in the terminal: a board, a question, as many answers as one wants.

use std::error::Error;
use std::io::{self, Write};
use std::sync::mpsc::Receiver;

use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Color, Move};

use super::Exercise;
use super::progress::{Progress, today};
use crate::commands::Done;
use crate::commands::play::input::read_move;
use crate::commands::play::screen::{self, Style};
use crate::commands::play::texts::Words;
use crate::commands::play::{closed_is_fine, say, show};
use analysis::judgement::win_chance;
use engine::evaluation::Variant;
use engine::evaluation::variants::Task;
use engine::limits::Limits;
use engine::rules::{Game, notation, setup};
use engine::score::Score;
use engine::search::report::Silent;
use engine::search::{Options, Searcher};
use engine::settings::Settings;

/// Nodes with which an answer is compared with the solution.
const NODES: u64 = 60_000;
/// Table of that search, in MiB.
const HASH_MB: usize = 8;
/// Points of the chance to win, of 100, that another move may cost and still count as right: less than an inaccuracy.
const TOLERANCE: f64 = 3.0;

/// A round of exercises under one rule set.
pub struct Training<'a> {
    /// The exercises.
    pub due: Vec<Exercise>,
    /// What is known.
    pub progress: &'a mut Progress,
    /// What the person types.
    pub lines: &'a Receiver<String>,
    /// The means of the terminal.
    pub style: Style,
    /// The words for moves and boards.
    pub words: &'a Words,
}

impl Task for Training<'_> {
    type Outcome = Result<(), Box<dyn Error>>;

    fn run<P: Variant>(self) -> Done {
        let evaluator = Settings::default().evaluator::<P>(None);
        let mut searcher = Searcher::new(evaluator, Options::default(), HASH_MB)?;
        let (mut right, mut asked) = (0, 0);
        let count = self.due.len();
        for (number, exercise) in self.due.iter().enumerate() {
            let Some(question) = Question::<P>::new(exercise, self.words) else {
                say(&format!(
                    "note: {} is left out: its solution is no move there",
                    exercise.key()
                ))?;
                continue;
            };
            say(&format!("\nExercise {} of {count}{}", number + 1, question.head()))?;
            let Some(is_right) = question.ask(&mut searcher, self.lines, self.style)? else {
                break;
            };
            let days = self.progress.note(exercise, is_right, today())?;
            asked += 1;
            right += usize::from(is_right);
            say(&again(days))?;
        }
        match asked {
            0 => Ok(()),
            _ => say(&format!("\n{right} of {asked} at the first try.")),
        }
    }
}

/// When an exercise comes again, in words.
fn again(days: u64) -> String {
    match days {
        0 => "It comes again today.".to_string(),
        1 => "It comes again tomorrow.".to_string(),
        days => format!("It comes again in {days} days."),
    }
}

/// An exercise on its board.
struct Question<'a, P> {
    exercise: &'a Exercise,
    game: Game<P>,
    solutions: Vec<Move>,
    words: &'a Words,
}

impl<'a, P: Variant> Question<'a, P> {
    /// `None` if position or solution mean nothing under these rules.
    fn new(exercise: &'a Exercise, words: &'a Words) -> Option<Question<'a, P>> {
        let (position, _) = setup::position::<P>(&exercise.fen, CastlingMode::Standard).ok()?;
        let read = |text: &String| notation::read_move(&position, text).ok();
        let solutions: Vec<Move> = exercise.best.iter().filter_map(read).collect();
        let game = Game::new(position);
        (!solutions.is_empty()).then_some(Question { exercise, game, solutions, words })
    }

    /// Difficulty and origin, as far as they are known.
    fn head(&self) -> String {
        let difficulty = self.exercise.difficulty.map(|elo| format!(", difficulty {elo}"));
        let name = Some(&self.exercise.name).filter(|name| !name.is_empty());
        let name = name.map(|name| format!(" ({name})"));
        difficulty.unwrap_or_default() + &name.unwrap_or_default()
    }

    /// Asks until the exercise is solved or given up. True if the first try was right; `None` if the person leaves.
    fn ask(
        &self,
        searcher: &mut Searcher<P>,
        lines: &Receiver<String>,
        style: Style,
    ) -> Result<Option<bool>, Box<dyn Error>> {
        let mut side = self.game.now().turn();
        let (mut is_first, mut hints) = (true, 0);
        self.show(side, style)?;
        loop {
            let mut out = io::stdout();
            let turn = self.game.now().turn().fold_wb("White", "Black");
            closed_is_fine(write!(out, "{turn} to move: ").and_then(|()| out.flush()))?;
            let Ok(line) = lines.recv() else { return Ok(None) };
            match line.trim().to_lowercase().as_str() {
                "" => {}
                "quit" | "exit" | "q" => return Ok(None),
                "board" => self.show(side, style)?,
                "flip" => {
                    side = !side;
                    self.show(side, style)?;
                }
                "help" => say("A move, or: hint, solution, skip, board, flip, quit.")?,
                "hint" => {
                    hints += 1;
                    is_first = false;
                    say(&self.hint(hints))?;
                }
                "solution" | "skip" => {
                    self.explain("The solution is")?;
                    return Ok(Some(false));
                }
                // As it was typed: in a move capitals count.
                _ => match read_move(self.game.position(), line.trim(), self.words) {
                    Err(advice) => say(&advice)?,
                    Ok(m) if self.solutions.contains(&m) => {
                        self.explain("Right:")?;
                        return Ok(Some(is_first));
                    }
                    Ok(m) if self.is_as_good(searcher, m) => {
                        say(&format!("{} is as good.", self.san(m)))?;
                        self.explain("The file has")?;
                        return Ok(Some(is_first));
                    }
                    Ok(m) => {
                        is_first = false;
                        say(&format!(
                            "{} is not the move. Try again, or type hint or solution.",
                            self.san(m)
                        ))?;
                    }
                },
            }
        }
    }

    /// The piece first, then the move.
    fn hint(&self, hints: usize) -> String {
        let Some(&solution) = self.solutions.first() else { return String::new() };
        match (hints, solution.from()) {
            (1, Some(square)) => format!("Look at the piece on {square}."),
            (1, None) => "Look at the pieces in hand.".to_string(),
            _ => format!("Play {}.", self.san(solution)),
        }
    }

    /// The solution, and why the move that was played was a mistake.
    fn explain(&self, beginning: &str) -> Done {
        let names: Vec<String> = self.solutions.iter().map(|&m| self.san(m)).collect();
        say(&format!("{beginning} {}. {}", names.join(" or "), self.exercise.reason))
    }

    /// True if `m` keeps nearly all that the solution keeps.
    fn is_as_good(&self, searcher: &mut Searcher<P>, m: Move) -> bool {
        let Some(&solution) = self.solutions.first() else { return false };
        let mut chance = |m: Move| {
            let mut game = self.game.clone();
            game.play(m);
            searcher.new_game();
            let score = match game.draw_reason() {
                Some(_) => Score::DRAW,
                None => searcher.search(&game, &Limits::nodes(NODES), &mut Silent).score,
            };
            win_chance(-score)
        };
        chance(solution) - chance(m) <= TOLERANCE
    }

    fn san(&self, m: Move) -> String {
        SanPlus::from_move(self.game.position().clone(), m).to_string()
    }

    fn show(&self, side: Color, style: Style) -> Done {
        show(&screen::board(self.game.position(), None, side, style, self.words))
    }
}
