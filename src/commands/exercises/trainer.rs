//! A round of exercises in the terminal: a board, a question, as many answers as one wants.

use std::error::Error;
use std::io::{self, Write};
use std::sync::mpsc::Receiver;

use shakmaty::{CastlingMode, Color, Move};

use super::Exercise;
use super::progress::{Progress, today};
use crate::commands::Done;
use crate::commands::play::input::{self, Command, Input};
use crate::commands::play::prose;
use crate::commands::play::screen::{self, Style};
use crate::commands::play::texts::Words;
use crate::commands::play::{closed_is_fine, say, show};
use analysis::judgement::{pieces, win_chance};
use engine::evaluation::Variant;
use engine::evaluation::variants::Task;
use engine::input::printable;
use engine::limits::Limits;
use engine::play::strength::MIN_ELO;
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
    /// The words of the language.
    pub words: &'a Words,
}

impl Task for Training<'_> {
    type Outcome = Result<(), Box<dyn Error>>;

    fn run<P: Variant>(self) -> Done {
        let evaluator = Settings::default().evaluator::<P>(None);
        let mut searcher = Searcher::new(evaluator, Options::default(), HASH_MB)?;
        let words = self.words;
        let (mut right, mut asked) = (0, 0);
        let count = self.due.len().to_string();
        for (place, exercise) in self.due.iter().enumerate() {
            let Some(question) = Question::<P>::new(exercise, words) else {
                let remark = words.fill("exercise.left-out", &[("position", &exercise.key())]);
                say(&words.fill("note", &[("remark", &remark)]))?;
                continue;
            };
            let number = (place + 1).to_string();
            let number = words.fill("exercise.number", &[("number", &number), ("count", &count)]);
            say(&format!("\n{number}{}", question.head()))?;
            let Some(is_right) = question.ask(&mut searcher, self.lines, self.style)? else {
                break;
            };
            let days = self.progress.note(exercise, is_right, today())?;
            asked += 1;
            right += usize::from(is_right);
            say(&again(days, words))?;
        }
        if asked == 0 {
            return Ok(());
        }
        let (right, asked) = (right.to_string(), asked.to_string());
        let total = words.fill("exercise.total", &[("right", &right), ("asked", &asked)]);
        say(&format!("\n{total}"))
    }
}

/// When an exercise comes again, in words.
fn again(days: u64, words: &Words) -> String {
    match days {
        0 => words.get("exercise.again.today").to_string(),
        _ => words.counted("exercise.again", days),
    }
}

/// True for a line that asks for the solution.
fn gives_up(line: &str) -> bool {
    let words = ["solution", "skip", "solución", "solucion", "saltar"];
    words.contains(&line.to_lowercase().as_str())
}

/// What can be typed.
fn help(words: &Words) -> String {
    words.fill("exercise.help", &[("commands", words.get("exercise.commands"))])
}

/// The answer to a command of the game that an exercise does not have.
fn not_here(line: &str, words: &Words) -> String {
    let text = words.fill("exercise.not-here", &[("text", &printable(line.trim(), 40))]);
    format!("{text} {}", help(words))
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
        let words = self.words;
        let difficulty = self.exercise.difficulty.map(|elo| match elo {
            // Nobody is rated so low.
            ..MIN_ELO => format!(", {}", words.get("exercise.easy")),
            _ => format!(", {}", words.fill("exercise.difficulty", &[("elo", &elo.to_string())])),
        });
        let name = Some(self.name()).filter(|name| !name.is_empty());
        let name = name.map(|name| format!(" ({name})"));
        difficulty.unwrap_or_default() + &name.unwrap_or_default()
    }

    /// The name, with the move at its end in the letters of the language.
    fn name(&self) -> String {
        let name = self.exercise.name.as_str();
        let (game, last) = name.rsplit_once(", ").map_or(("", name), |(game, last)| (game, last));
        let number = last.trim_start_matches(|c: char| c.is_ascii_digit());
        if number.len() == last.len() || !number.starts_with('.') || last.contains(' ') {
            return name.to_string();
        }
        let last = self.words.moves(last);
        if game.is_empty() { last } else { format!("{game}, {last}") }
    }

    /// Asks until the exercise is solved or given up. True if the first try was right; `None` if the person leaves.
    fn ask(
        &self,
        searcher: &mut Searcher<P>,
        lines: &Receiver<String>,
        style: Style,
    ) -> Result<Option<bool>, Box<dyn Error>> {
        let mut side = self.game.now().turn();
        let player = self.words.player(side);
        let prompt = self.words.fill("exercise.prompt", &[("player", player)]);
        let (mut is_first, mut hints) = (true, 0);
        self.show(side, style)?;
        loop {
            let mut out = io::stdout();
            closed_is_fine(write!(out, "{prompt} ").and_then(|()| out.flush()))?;
            let Ok(line) = lines.recv() else { return Ok(None) };
            match input::read(&line) {
                Input::Empty => {}
                Input::Command(Command::Quit) => return Ok(None),
                Input::Command(Command::Board) => self.show(side, style)?,
                Input::Command(Command::Flip) => {
                    side = !side;
                    self.show(side, style)?;
                }
                Input::Command(Command::Moves) => {
                    say(&screen::legal_moves(self.game.position(), self.words))?;
                }
                Input::Command(Command::Help) => say(&help(self.words))?,
                Input::Command(Command::Hint) => {
                    hints += 1;
                    is_first = false;
                    self.hint(hints)?;
                }
                Input::Command(_) => say(&not_here(&line, self.words))?,
                Input::Move(text) if gives_up(&text) => {
                    self.explain("exercise.solution")?;
                    return Ok(Some(false));
                }
                Input::Move(text) => match self.read(&text) {
                    Err(advice) => say(&advice)?,
                    Ok(m) if self.solutions.contains(&m) => {
                        self.explain("exercise.right")?;
                        return Ok(Some(is_first));
                    }
                    Ok(m) if self.is_as_good(searcher, m) => {
                        self.tell("exercise.as-good", m)?;
                        self.explain("exercise.of-file")?;
                        return Ok(Some(is_first));
                    }
                    Ok(m) => {
                        is_first = false;
                        self.tell("exercise.wrong", m)?;
                    }
                },
            }
        }
    }

    /// The move that was typed, or advice.
    fn read(&self, text: &str) -> Result<Move, String> {
        let commands: Vec<&str> = self.words.get("exercise.commands").split(", ").collect();
        input::read_move(self.game.position(), text, self.words, &commands)
    }

    /// The piece first, then the move.
    fn hint(&self, hints: usize) -> Done {
        let Some(&solution) = self.solutions.first() else { return Ok(()) };
        let hint = match (hints, solution.from()) {
            (1, Some(square)) => {
                self.words.fill("exercise.look", &[("square", &square.to_string())])
            }
            (1, None) => self.words.get("exercise.look-in-hand").to_string(),
            _ => self.words.fill("exercise.play", &[("move", &self.san(solution))]),
        };
        say(&prose::hint(hint, self.game.position(), self.words))
    }

    /// The solution by the text of a key, and why the move that was played was a mistake.
    fn explain(&self, key: &str) -> Done {
        let names: Vec<String> = self.solutions.iter().map(|&m| self.san(m)).collect();
        let moves = names.join(&format!(" {} ", self.words.get("exercise.or")));
        let solution = self.words.fill(key, &[("moves", &moves)]);
        say(&format!("{solution} {}", self.exercise.reason))
    }

    /// Says the text of a key, which speaks of a move.
    fn tell(&self, key: &str, m: Move) -> Done {
        say(&self.words.fill(key, &[("move", &self.san(m))]))
    }

    /// True if `m` keeps nearly all that the solution keeps.
    fn is_as_good(&self, searcher: &mut Searcher<P>, m: Move) -> bool {
        let Some(&solution) = self.solutions.first() else { return false };
        let pieces = pieces(&self.game);
        let mut chance = |m: Move| {
            let mut game = self.game.clone();
            game.play(m);
            searcher.new_game();
            let score = match game.draw_reason() {
                Some(_) => Score::DRAW,
                None => searcher.search(&game, &Limits::nodes(NODES), &mut Silent).score,
            };
            win_chance(-score, pieces)
        };
        chance(solution) - chance(m) <= TOLERANCE
    }

    fn san(&self, m: Move) -> String {
        self.words.moves(&notation::san(self.game.position(), m))
    }

    fn show(&self, side: Color, style: Style) -> Done {
        show(&screen::board(self.game.position(), None, side, style, self.words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::texts::Lang;
    use shakmaty::Chess;

    #[test]
    fn days_have_words_in_both_languages() {
        let [english, spanish] = Lang::ALL.map(Words::of);
        assert_eq!(again(0, &english), "It comes again today.");
        assert_eq!(again(1, &english), "It comes again tomorrow.");
        assert_eq!(again(7, &english), "It comes again in 7 days.");
        assert_eq!(again(0, &spanish), "Volverá a salir hoy.");
        assert_eq!(again(1, &spanish), "Volverá a salir mañana.");
        assert_eq!(again(7, &spanish), "Volverá a salir dentro de 7 días.");
    }

    #[test]
    fn the_head_has_what_is_known_of_an_exercise() {
        let words = Words::of(Lang::Es);
        let head = |name: &str, difficulty| {
            let exercise = Exercise {
                fen: "4k3/8/8/8/8/8/8/R3K3 w - -".to_string(),
                best: vec!["Ra8+".to_string()],
                name: name.to_string(),
                reason: String::new(),
                difficulty,
            };
            Question::<Chess>::new(&exercise, &words).unwrap().head()
        };
        assert_eq!(head("", None), "");
        assert_eq!(head("", Some(900)), ", dificultad 900");
        assert_eq!(head("Ann – Bob", Some(900)), ", dificultad 900 (Ann – Bob)");
        assert_eq!(head("15...Nxf6", Some(0)), ", fácil (15...Cxf6)");
        assert_eq!(head("Nb – Kf, 4.Bd3", Some(400)), ", dificultad 400 (Nb – Kf, 4.Ad3)");
        assert_eq!(head("WAC.001", None), " (WAC.001)");
        assert_eq!(head("Nice, 2024", None), " (Nice, 2024)");
    }
}
