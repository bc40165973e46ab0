//! `engine lab play`: a game of the laboratory in the terminal, against one of its algorithms.

use clap::Args;

use super::super::play::input::{self, Command, Input};
use super::super::play::read_lines;
use super::super::{Done, print};
use super::game::{GameArgs, Kind, LONGEST_WORD, set_up};
use super::{algorithm, chosen};
use engine::input::printable;
use lab::algorithms::Algorithm;
use lab::compare::{self, Run};
use lab::game::{Board, Position};
use lab::moves::Move;
use lab::narrator::show_move;
use lab::texts::{self, Texts, moves};

/// Arguments of `play`.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// The game and its position; --depth is the opponent's.
    #[command(flatten)]
    pub game: GameArgs,
    /// The opponent's algorithm [default: alpha-beta, or max-n for more than two players]
    #[arg(long)]
    pub algorithm: Option<String>,
    /// Let the program begin
    #[arg(long)]
    pub second: bool,
}

/// A game that goes on.
struct Table<'a> {
    kind: Kind,
    texts: Texts,
    algorithm: Algorithm,
    depth: u32,
    arguments: &'a PlayArgs,
    /// All positions, the last one now.
    positions: Vec<Position>,
}

/// Plays until the game is over or the input ends.
///
/// # Errors
/// An unknown game, algorithm or constant.
pub fn run(arguments: &PlayArgs) -> Done {
    let (game, depth) = set_up(&arguments.game)?;
    let names = [algorithm(arguments.algorithm.as_deref(), &game)];
    let texts = texts::of(arguments.game.lang);
    let [algorithm] = chosen(&names, game.players(), &texts)?[..] else { return Ok(()) };
    let kind = arguments.game.game;
    let (depth, positions) = (depth.max(1), vec![game]);
    let mut table = Table { kind, texts, algorithm, depth, arguments, positions };
    print(table.texts.get("play.help"))?;
    let lines = read_lines();
    loop {
        let moves = table.now().moves();
        match moves[..] {
            [] => return table.finish(),
            [Move::Pass] => {
                print(table.texts.get("play.pass"))?;
                table.make(Move::Pass);
            }
            _ if !table.is_persons_turn() => table.reply()?,
            _ => {
                table.show(&moves)?;
                let Ok(line) = lines.recv() else { return Ok(()) };
                if !table.obey(line.trim())? {
                    return Ok(());
                }
            }
        }
    }
}

impl Table<'_> {
    fn now(&self) -> &Position {
        // There is always the first position.
        &self.positions[self.positions.len() - 1]
    }

    fn is_persons_turn(&self) -> bool {
        self.now().mover() == usize::from(self.arguments.second)
    }

    fn name(&self, m: Move) -> String {
        show_move(&self.texts, self.now(), m)
    }

    fn make(&mut self, m: Move) {
        self.positions.push(self.now().play(m));
    }

    fn show(&self, moves: &[Move]) -> Done {
        self.draw()?;
        let names: Vec<String> = moves.iter().map(|&m| self.name(m)).collect();
        print(&self.texts.fill("play.moves", &[("moves", &names.join(" "))]))
    }

    fn draw(&self) -> Done {
        match self.now().board() {
            Some(board) => print(&drawn(self.kind, &board, &self.texts)),
            None => Ok(()),
        }
    }

    /// Does what the person typed; false ends the game. A branch of a tree may be called like a command: the move is meant.
    fn obey(&mut self, word: &str) -> Result<bool, Box<dyn std::error::Error>> {
        if let Some(m) = self.now().read(word, self.texts.get("page.pieces")) {
            self.make(m);
            return Ok(true);
        }
        match input::read(word) {
            Input::Empty => {}
            Input::Command(Command::Quit) => return Ok(false),
            Input::Command(Command::TakeBack) => self.undo(),
            Input::Command(Command::Help) => print(self.texts.get("play.help"))?,
            Input::Command(Command::Hint) => {
                let (found, _) = self.search()?;
                let name = found.map_or_else(String::new, |m| self.name(m));
                print(&self.texts.fill("play.hint", &[("move", &name)]))?;
            }
            Input::Command(_) | Input::Move(_) => {
                let word = printable(word, LONGEST_WORD);
                print(&self.texts.fill("play.unknown", &[("word", &word)]))?;
            }
        }
        Ok(true)
    }

    /// Goes back to the person's last choice.
    fn undo(&mut self) {
        while self.positions.len() > 1 {
            self.positions.pop();
            if self.is_persons_turn() && self.now().moves().len() > 1 {
                return;
            }
        }
    }

    /// The move that the algorithm chooses, if there is any, and the run that found it.
    fn search(&self) -> Result<(Option<Move>, Run), Box<dyn std::error::Error>> {
        let constants = self.arguments.game.constants()?;
        let root = self.now().as_root();
        let run = compare::run(&self.algorithm, constants, &root, self.depth);
        Ok((run.found.best.or_else(|| root.moves().first().copied()), run))
    }

    fn reply(&mut self) -> Done {
        let (Some(m), run) = self.search()? else { return Ok(()) };
        let root = self.now().as_root();
        let (name, value) = (self.name(m), compare::shown(&root, &run, &self.texts));
        let leaves = run.counter.leaves.to_string();
        let args = [("move", &*name), ("value", &*value), ("leaves", &*leaves)];
        print(&self.texts.fill("play.reply", &args))?;
        self.make(m);
        Ok(())
    }

    fn finish(&self) -> Done {
        self.draw()?;
        let values = self.now().values();
        let own = values.get(usize::from(self.arguments.second)).copied().unwrap_or_default();
        let best = values.iter().copied().max().unwrap_or_default();
        let is_even = values.iter().all(|&value| value == best);
        let key = match own {
            _ if is_even => "play.drawn",
            own if own == best => "play.won",
            _ => "play.lost",
        };
        print(self.texts.get(key))
    }
}

/// The board in letters, those of chess in the language, with the names of its rows and columns where moves use them.
fn drawn(kind: Kind, board: &Board, texts: &Texts) -> String {
    let mark = |&cell: &char| match (kind, cell.is_lowercase()) {
        (Kind::Chess(_), true) => moves(texts, &cell.to_uppercase().to_string()).to_lowercase(),
        (Kind::Chess(_), false) => moves(texts, &cell.to_string()),
        _ => cell.to_string(),
    };
    let rows: Vec<&[char]> = board.cells.chunks(board.columns.max(1)).collect();
    let letter = |column: usize| char::from(b'a' + (column % 26) as u8).to_string();
    let column_name = |column: usize| match kind {
        Kind::ConnectFour => ((column + 1) % 10).to_string(),
        _ => letter(column),
    };
    let row_name = |row: usize| match kind {
        Kind::ConnectFour => String::new(),
        // Othello counts its rows from above.
        Kind::Othello => (row + 1).to_string(),
        _ => (rows.len() - row).to_string(),
    };
    let line = |(row, cells): (usize, &&[char])| {
        let cells: Vec<String> = cells.iter().map(mark).collect();
        format!("{:>2} {}", row_name(row), cells.join(" "))
    };
    let head: Vec<String> = (0..board.columns).map(column_name).collect();
    let lines: Vec<String> = rows.iter().enumerate().map(line).collect();
    format!("\n{}\n   {}\n", lines.join("\n"), head.join(" "))
}
