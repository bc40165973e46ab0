//! The game of a command: which one, where it stands, in which order its moves are searched.

use std::error::Error;
use std::path::Path;
use std::str::FromStr;

use clap::{Args, ValueEnum};

use engine::input::{self, printable};
use engine::rules::RuleSet;
use engine::rules::setup::SetupError;
use lab::constants::Constants;
use lab::game::Position;
use lab::games::chess::{self, ChessEvaluation};
use lab::games::connect_four::{ConnectFour, Ending};
use lab::games::order::{Order, Ordered};
use lab::games::othello::Othello;
use lab::games::random_tree::{Leaves, RandomTree};
use lab::games::tic_tac_toe::TicTacToe;
use lab::games::tree::Tree;
use lab::games::trio::Trio;
use lab::moves::Move;
use lab::narrator::show_move;
use lab::texts::{self, Lang, LocalizedError, Texts};
use shell::remarks;

/// Characters of an unknown word that are shown.
pub const LONGEST_WORD: usize = 40;
/// Plies where none are asked for and the game has no height of its own.
const DEFAULT_DEPTH: u32 = 4;

/// The games of the laboratory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Chess under a rule set; White is Max.
    Chess(RuleSet),
    /// Four in a row on a board of any size.
    ConnectFour,
    /// Othello; Black is Max.
    Othello,
    /// Three in a row on three by three.
    TicTacToe,
    /// A tree from a file, or one of those that come with the program.
    Tree,
    /// A uniform tree of random numbers.
    RandomTree,
    /// Three in a row for three players; max-n only.
    Trio,
}

impl Kind {
    /// Those that are not chess, with their names.
    const OTHERS: [(&str, Kind); 6] = [
        ("connect-four", Kind::ConnectFour),
        ("othello", Kind::Othello),
        ("tic-tac-toe", Kind::TicTacToe),
        ("tree", Kind::Tree),
        ("random-tree", Kind::RandomTree),
        ("trio", Kind::Trio),
    ];

    /// The names of all games; rule sets of chess are called as in the rest of the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        RuleSet::NAMES.iter().copied().chain(Kind::OTHERS.map(|(name, _)| name))
    }

    /// The name for a title, in the language of `texts`: what its description says before a mark.
    pub fn title(self, texts: &Texts) -> String {
        let text = texts.get(&format!("game.{}", self.name())).to_string();
        text.split(';').next().unwrap_or(&text).to_string()
    }

    fn name(self) -> &'static str {
        let found = Kind::OTHERS.into_iter().find(|&(_, kind)| kind == self);
        match self {
            Kind::Chess(rules) => rules.name(),
            _ => found.map_or("", |(name, _)| name),
        }
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Kind, String> {
        let named = Kind::OTHERS.into_iter().find(|&(name, _)| name == text);
        let known = named.map(|(_, kind)| kind).or_else(|| text.parse().ok().map(Kind::Chess));
        known.ok_or_else(|| format!("one of {}", Kind::names().collect::<Vec<_>>().join(", ")))
    }
}

/// The order in which moves are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OrderName {
    /// As the game gives them
    Natural,
    /// Captures, or the centre, first
    Promise,
    /// At random
    Random,
    /// The best first, known by searching, which is not counted
    BestFirst,
    /// The worst first, likewise
    WorstFirst,
}

/// The evaluation of chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EvaluationName {
    /// The engine's hand-written evaluation
    Linear,
    /// Trujillo's three ratios, equally weighted: a reconstruction, because the equation was a picture and is lost
    Ratio,
    /// Trujillo's first ratio alone, the material
    RatioMaterial,
}

/// The game and its position.
#[derive(Debug, Args)]
pub struct GameArgs {
    #[arg(long, default_value = "chess", help = help())]
    pub game: Kind,
    /// Chess of any rules: the position, in quotes [default: the start of the game]
    #[arg(long)]
    pub fen: Option<String>,
    /// Chess of any rules: the evaluation
    #[arg(long, value_enum, default_value = "linear")]
    pub evaluation: EvaluationName,
    /// Connect Four: columns x rows
    #[arg(long, default_value = "7x6")]
    pub size: String,
    /// Connect Four: play on past four in a row until the board is full
    #[arg(long)]
    pub full_board: bool,
    /// Tree: a file, or the name of a tree that comes with the program
    #[arg(long, default_value = "lecture")]
    pub tree: String,
    /// Random tree: children of every node
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub breadth: u16,
    /// Moves to play first, separated by spaces: 'e2e4 e7e5', '4 4 3', 'd3 c5'
    #[arg(long, default_value = "")]
    pub moves: String,
    /// The order in which moves are searched
    #[arg(long, value_enum, default_value = "natural")]
    pub order: OrderName,
    /// Half-moves to search [default: 4, or the whole tree]
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=60))]
    pub depth: Option<u32>,
    /// The seed of all randomness
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// A constant of an algorithm, such as null-move.R=3; see engine lab list
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub constants: Vec<String>,
    /// The language of the answer
    #[arg(long, value_enum, default_value = "en")]
    pub lang: Lang,
}

/// The list of the games, for the help.
fn help() -> String {
    format!("The game: {}", Kind::names().collect::<Vec<_>>().join(", "))
}

impl GameArgs {
    /// The constants, with those that are set.
    ///
    /// # Errors
    /// An unknown name, or a value out of range.
    pub fn constants(&self) -> Result<Constants, Box<dyn Error>> {
        let mut constants = Constants::default();
        for text in &self.constants {
            constants.set(text)?;
        }
        Ok(constants)
    }

    /// The game's name and size, for a title in the language of `texts`.
    pub fn title(&self, texts: &Texts) -> String {
        match self.game {
            Kind::ConnectFour => format!("{} {}", self.game.title(texts), self.size),
            Kind::Tree => {
                let shipped = texts.find(&format!("tree.{}", self.tree));
                shipped.unwrap_or(&self.tree).to_string()
            }
            other => other.title(texts),
        }
    }
}

/// The start of a two-player game that needs no more than its name.
///
/// # Errors
/// A tree, or a game for three.
pub fn plain(kind: Kind, texts: &Texts) -> Result<Position, Box<dyn Error>> {
    match kind {
        Kind::Chess(rules) => Ok(chess::start(rules, ChessEvaluation::Linear)),
        Kind::ConnectFour => Ok(Position::new(ConnectFour::new(7, 6, Ending::FourInARow)?)),
        Kind::Othello => Ok(Position::new(Othello::default())),
        Kind::TicTacToe => Ok(Position::new(TicTacToe::default())),
        Kind::Tree | Kind::RandomTree | Kind::Trio => Err(texts.get("fault.board-game").into()),
    }
}

/// The game that is asked for, and the plies to search it.
///
/// # Errors
/// A position, size, tree or move that is none.
pub fn set_up(arguments: &GameArgs) -> Result<(Position, u32), Box<dyn Error>> {
    let depth = arguments.depth.unwrap_or(DEFAULT_DEPTH);
    let evaluation = match arguments.evaluation {
        EvaluationName::Linear => ChessEvaluation::Linear,
        EvaluationName::Ratio => ChessEvaluation::Ratio,
        EvaluationName::RatioMaterial => ChessEvaluation::RatioMaterial,
    };
    let of_chess = |rules: RuleSet| match &arguments.fen {
        None => Ok(chess::start(rules, evaluation)),
        Some(fen) => chess::position(rules, fen, evaluation)
            .map_err(|SetupError(fault)| remarks::in_words(&fault, arguments.lang)),
    };
    let game = match arguments.game {
        Kind::Chess(rules) => of_chess(rules)?,
        Kind::ConnectFour => {
            let (columns, rows) = size(&arguments.size, &texts::of(arguments.lang))?;
            let ending = if arguments.full_board { Ending::FullBoard } else { Ending::FourInARow };
            Position::new(ConnectFour::new(columns, rows, ending)?)
        }
        Kind::Othello => Position::new(Othello::default()),
        Kind::TicTacToe => Position::new(TicTacToe::default()),
        Kind::Tree => {
            let tree = tree(&arguments.tree, arguments.lang)?;
            let depth = arguments.depth.unwrap_or(tree.height());
            return ready(Position::new(tree), depth, arguments);
        }
        Kind::RandomTree => {
            let tree = RandomTree::new(arguments.breadth, depth, Leaves::Drifting, arguments.seed);
            Position::new(tree)
        }
        Kind::Trio => Position::new(Trio::default()),
    };
    ready(game, depth, arguments)
}

/// Plays the moves given first and puts the others in order.
fn ready(
    mut game: Position,
    depth: u32,
    arguments: &GameArgs,
) -> Result<(Position, u32), Box<dyn Error>> {
    let texts = texts::of(arguments.lang);
    for text in arguments.moves.split_whitespace() {
        let moves = game.moves();
        let name = |&m: &Move| show_move(&texts, &game, m);
        let named = || moves.iter().copied().find(|m| name(m) == text);
        let found = game.read(text, texts.get("page.pieces")).or_else(named);
        let m = found.ok_or_else(|| {
            let names: Vec<String> = moves.iter().map(name).collect();
            let word = printable(text, LONGEST_WORD);
            texts.fill("moves.unknown", &[("word", &word), ("moves", &names.join(" "))])
        })?;
        game = game.play(m);
    }
    let order = match arguments.order {
        OrderName::Natural => Order::Natural,
        OrderName::Promise => Order::Promise,
        OrderName::Random => Order::Random(arguments.seed),
        OrderName::BestFirst => Order::BestFirst(depth),
        OrderName::WorstFirst => Order::WorstFirst(depth),
    };
    Ok((Ordered::position(game.as_root(), order), depth))
}

fn size(text: &str, texts: &Texts) -> Result<(u8, u8), String> {
    let parsed = text.split_once('x').and_then(|(columns, rows)| {
        Some((columns.trim().parse().ok()?, rows.trim().parse().ok()?))
    });
    parsed.ok_or_else(|| texts.fill("fault.size-form", &[("text", &printable(text, LONGEST_WORD))]))
}

/// A tree from a file, or else of the program's own.
fn tree(name: &str, lang: Lang) -> Result<Tree, Box<dyn Error>> {
    if !Path::new(name).exists() {
        return Ok(Tree::shipped(name)?);
    }
    let named = |fault: String| format!("{name}: {fault}");
    let read = input::read_text(Path::new(name));
    let text = read.map_err(|fault| named(remarks::of_system(&fault, lang)))?;
    Tree::parse(&text).map_err(|fault| named(fault.in_words(&texts::of(lang))).into())
}
