//! `engine lab`: the laboratory from a shell.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use super::Done;
use crate::lab::algorithms::{self, Algorithm};
use crate::lab::claims::{self, Effort};
use crate::lab::compare::{compare, random_positions};
use crate::lab::dda::{self, Experiment, Rounding};
use crate::lab::drawing::Drawing;
use crate::lab::figures;
use crate::lab::game::{Position, Value};
use crate::lab::games::chess;
use crate::lab::games::connect_four::{ConnectFour, Ending};
use crate::lab::games::order::{Order, Ordered};
use crate::lab::games::random_tree::{Leaves, RandomTree};
use crate::lab::games::tic_tac_toe::TicTacToe;
use crate::lab::games::tree::Tree;
use crate::lab::games::trio::Trio;
use crate::lab::moves::Move;
use crate::lab::narrator::Narrator;
use crate::lab::recorder::Recorder;
use crate::lab::watch::{Choice, Counter};
use crate::rules::RuleSet;
use crate::shell::progress::{Progress, Unit};
use crate::shell::table::{Format, Table};
use clap::{Args, Subcommand, ValueEnum};

/// Plies where none are asked for and the game has no height of its own.
const DEFAULT_DEPTH: u32 = 4;

/// The algorithm for more than two players.
const MANY: &str = "max-n";

/// What the laboratory can do.
#[derive(Debug, Subcommand)]
pub enum LabCommand {
    /// Run the algorithms on the same positions and compare what each found and cost
    Compare(Compare),
    /// Test what the sources claim; takes a minute or two
    Claims(ClaimsArgs),
    /// Repeat the experiments on dynamic depth adjustment, figures 1 to 4
    Dda(Dda),
    /// Draw the tree that an algorithm searches, or tell it step by step
    Tree(TreeArgs),
}

/// The games of the laboratory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Kind {
    /// Chess; White is Max
    Chess,
    /// Chess in which a capture explodes
    Atomic,
    /// Chess in which whoever loses all pieces wins
    Antichess,
    /// Chess in which a king in the middle of the board wins
    KingOfTheHill,
    /// Chess in which the third check wins
    ThreeCheck,
    /// Chess in which captured pieces change sides
    Crazyhouse,
    /// A race of the kings to the last rank
    RacingKings,
    /// Chess against a horde of pawns
    Horde,
    /// Four in a row on a board of any size
    ConnectFour,
    /// Three in a row on three by three
    TicTacToe,
    /// A tree from a file, or one of those that come with the program
    Tree,
    /// A uniform tree of random numbers
    RandomTree,
    /// Three in a row for three players; max-n only
    Trio,
}

/// In which order moves are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OrderName {
    /// As the game gives them
    Natural,
    /// Captures, or the centre, first
    Promise,
    /// By lot
    Random,
    /// The best first, known by searching; not counted
    BestFirst,
    /// The worst first, likewise
    WorstFirst,
}

/// How a depth becomes a whole number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum RoundName {
    /// As the paper's equations are printed
    Up,
    /// As their derivation wants it
    Down,
}

/// Which game, and where it stands.
#[derive(Debug, Args)]
pub struct GameArgs {
    /// The game
    #[arg(long, value_enum, default_value = "chess")]
    pub game: Kind,
    /// Chess of any rules: the position, in quotes [default: the start of the game]
    #[arg(long)]
    pub fen: Option<String>,
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
    /// Moves to play first, separated by spaces: 'e2e4 e7e5', '4 4 3', 'b2 a1'
    #[arg(long, default_value = "")]
    pub moves: String,
    /// The order in which moves are searched
    #[arg(long, value_enum, default_value = "natural")]
    pub order: OrderName,
    /// Half-moves to search [default: 4, or the whole tree]
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=60))]
    pub depth: Option<u32>,
    /// Where all randomness comes from
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub struct Compare {
    /// Which game, and where it stands.
    #[command(flatten)]
    pub game: GameArgs,
    /// Only these, separated by commas [default: all]
    #[arg(long, value_delimiter = ',')]
    pub algorithms: Vec<String>,
    /// So many positions after random moves, instead of the one given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub positions: Option<u32>,
    /// Most random moves before such a position
    #[arg(long, value_name = "N", default_value_t = 24)]
    pub random_moves: u32,
    /// How the table is written
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// Arguments of `claims`.
#[derive(Debug, Args)]
pub struct ClaimsArgs {
    /// Random positions a game
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub positions: u32,
    /// Where all randomness comes from
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How the table is written
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// Arguments of `dda`.
#[derive(Debug, Args)]
pub struct Dda {
    /// The game; the experiments are on Connect Four
    #[arg(long, value_parser = ["connect-four"], default_value = "connect-four")]
    pub game: String,
    /// Sizes of the square boards, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "7,8,9,10")]
    #[arg(value_parser = clap::value_parser!(u8).range(4..=10))]
    pub sizes: Vec<u8>,
    /// ω, the depth at the start of the game, in half-moves
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=12))]
    pub base: u32,
    /// How the formula becomes a whole number: up as printed, down as derived
    #[arg(long, value_enum, default_value = "up")]
    pub round: RoundName,
    /// Games a board and method, of which the mean is taken
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub games: u32,
    /// Where the games' random beginnings come from
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Write the figures to this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write every measurement to this file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// How the table of findings is written
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// Arguments of `tree`.
#[derive(Debug, Args)]
pub struct TreeArgs {
    /// Which game, and where it stands.
    #[command(flatten)]
    pub game: GameArgs,
    /// The algorithm [default: alpha-beta, or max-n for more than two players]
    #[arg(long)]
    pub algorithm: Option<String>,
    /// Draw the tree into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write the tree for Graphviz into this file
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// Tell the search step by step
    #[arg(long)]
    pub step: bool,
}

/// Does what is asked of the laboratory.
///
/// # Errors
/// What was typed and has no meaning, and files that cannot be read or written.
pub fn run(command: LabCommand) -> Done {
    match command {
        LabCommand::Compare(arguments) => compare_all(&arguments),
        LabCommand::Claims(arguments) => {
            let effort = Effort { positions: arguments.positions as usize, seed: arguments.seed };
            let progress = Progress::new(claims::STEPS, Unit::Count("claims"));
            let claims = claims::check(effort, || progress.add(1))?;
            drop(progress);
            print_claims(&claims, arguments.format)
        }
        LabCommand::Dda(arguments) => dda(&arguments),
        LabCommand::Tree(arguments) => show_tree(&arguments),
    }
}

/// The game that is asked for, and the plies to search it.
fn set_up(arguments: &GameArgs) -> Result<(Position, u32), Box<dyn Error>> {
    let depth = arguments.depth.unwrap_or(DEFAULT_DEPTH);
    let of_chess = |rules: RuleSet| match &arguments.fen {
        None => Ok(chess::start(rules)),
        Some(fen) => chess::position(rules, fen),
    };
    let game = match arguments.game {
        Kind::Chess => of_chess(RuleSet::Chess)?,
        Kind::Atomic => of_chess(RuleSet::Atomic)?,
        Kind::Antichess => of_chess(RuleSet::Antichess)?,
        Kind::KingOfTheHill => of_chess(RuleSet::KingOfTheHill)?,
        Kind::ThreeCheck => of_chess(RuleSet::ThreeCheck)?,
        Kind::Crazyhouse => of_chess(RuleSet::Crazyhouse)?,
        Kind::RacingKings => of_chess(RuleSet::RacingKings)?,
        Kind::Horde => of_chess(RuleSet::Horde)?,
        Kind::ConnectFour => {
            let (columns, rows) = size(&arguments.size)?;
            let ending = if arguments.full_board { Ending::FullBoard } else { Ending::FourInARow };
            Position::new(ConnectFour::new(columns, rows, ending)?)
        }
        Kind::TicTacToe => Position::new(TicTacToe::default()),
        Kind::Tree => {
            let tree = tree(&arguments.tree)?;
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
    for text in arguments.moves.split_whitespace() {
        let moves = game.moves();
        let found = moves.iter().find(|m| m.to_string() == text).copied();
        let names = || moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ");
        let m = found.ok_or_else(|| format!("'{text}' is no move here; there are: {}", names()))?;
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

fn size(text: &str) -> Result<(u8, u8), String> {
    let parsed = text.split_once('x').and_then(|(columns, rows)| {
        Some((columns.trim().parse().ok()?, rows.trim().parse().ok()?))
    });
    parsed.ok_or_else(|| format!("'{text}' is no size; columns x rows look like 7x6"))
}

/// A tree from a file, or else of the program's own.
fn tree(name: &str) -> Result<Tree, Box<dyn Error>> {
    match fs::read_to_string(name) {
        Ok(text) => Tree::parse(&text).map_err(|fault| format!("{name}: {fault}").into()),
        Err(_) => Ok(Tree::shipped(name)?),
    }
}

fn compare_all(arguments: &Compare) -> Done {
    let (game, depth) = set_up(&arguments.game)?;
    let algorithms = chosen(&arguments.algorithms, game.players())?;
    let positions = match arguments.positions {
        None => vec![game.clone()],
        Some(count) => {
            let plies = 0..=arguments.random_moves;
            random_positions(&game, count as usize, plies, arguments.game.seed)
        }
    };
    if positions.is_empty() {
        return Err("no position with a move left; try fewer --random-moves".into());
    }
    let searches = (algorithms.len() + 1) * positions.len();
    let progress = Progress::new(searches as u64, Unit::Count("searches"));
    let comparison = compare(&positions, depth, &algorithms, || progress.add(1));
    drop(progress);
    print_table(&comparison.table(|value| game.show(value)), arguments.format)?;
    if arguments.format != Format::Text {
        return Ok(());
    }
    super::print(&format!(
        "{} position(s), {depth} plies; minimax's leaves {}, the least possible (Knuth and \
         Moore) {:.0}",
        comparison.positions, comparison.minimax_leaves, comparison.minimum
    ))
}

/// The algorithms of these names, or all that can play a game for so many.
fn chosen(names: &[String], players: usize) -> Result<Vec<Algorithm>, Box<dyn Error>> {
    let fits = |algorithm: &Algorithm| players == 2 || algorithm.name == MANY;
    if names.is_empty() {
        return Ok(algorithms::all().into_iter().filter(fits).collect());
    }
    let chosen: Result<Vec<Algorithm>, _> =
        names.iter().map(|name| algorithms::named(name.trim())).collect();
    let chosen = chosen?;
    match chosen.iter().find(|algorithm| !fits(algorithm)) {
        Some(other) => Err(format!(
            "{} is for two players, and this game has {players}; {MANY} is for any number",
            other.name
        )
        .into()),
        None => Ok(chosen),
    }
}

fn print_table(table: &Table, format: Format) -> Done {
    super::print(&table.write(format))
}

fn print_claims(claims: &[claims::Claim], format: Format) -> Done {
    if format != Format::Text {
        return print_table(&claims::table(claims), format);
    }
    // Whole sentences do not fit into columns.
    let told = claims.iter().map(|claim| {
        let verdict = format!("{:?}", claim.verdict).to_lowercase().replace("inpart", "in part");
        format!("{}: {}\n  {verdict}: {}", claim.source, claim.text, claim.measured)
    });
    super::print(&told.collect::<Vec<_>>().join("\n"))
}

fn dda(arguments: &Dda) -> Done {
    let plan = Experiment {
        sizes: arguments.sizes.clone(),
        base: arguments.base,
        rounding: match arguments.round {
            RoundName::Up => Rounding::Up,
            RoundName::Down => Rounding::Down,
        },
        games: arguments.games,
        seed: arguments.seed,
    };
    let games = dda::Method::ALL.len() * plan.sizes.len() * plan.games as usize;
    let progress = Progress::new(games as u64, Unit::Count("games"));
    let samples = dda::measure(&plan, || progress.add(1))?;
    drop(progress);
    if let Some(path) = &arguments.csv {
        write(path, &(dda::table(&samples).write(Format::Csv) + "\n"))?;
    }
    if let Some(path) = &arguments.svg {
        write(path, &figures::draw(&samples, &plan)?)?;
    }
    print_claims(&claims::dda(&samples, &plan), arguments.format)
}

fn show_tree(arguments: &TreeArgs) -> Done {
    let (game, depth) = set_up(&arguments.game)?;
    let players = game.players();
    let name = match (&arguments.algorithm, players) {
        (Some(name), _) => name.clone(),
        (None, 2) => "alpha-beta".to_string(),
        (None, _) => MANY.to_string(),
    };
    let [algorithm] = chosen(&[name], players)?[..] else { return Ok(()) };
    let show = |value: Value| game.show(value);
    let mut watchers =
        ((Recorder::new(game.turn()), Narrator::new(game.turn(), show)), Counter::default());
    let found = algorithm.run(&game, depth, &mut watchers);
    let ((recorder, narrator), counter) = watchers;
    let title = format!("{}, {depth} plies", algorithm.name);
    let drawing = Drawing::new(&recorder, found.best, &title, show).for_players(players);
    deliver(arguments, &narrator.lines, &drawing.svg(), &drawing.dot())?;
    if recorder.is_full() {
        eprintln!("note: the tree was too big to be kept whole; try a smaller --depth");
    }
    let shares = recorder.nodes[0].shares.as_ref().filter(|_| players > 2);
    let value = shares.map_or_else(
        || show(found.value),
        |shares| {
            let shares: Vec<String> = shares.iter().map(|&value| show(value)).collect();
            format!("[{}]", shares.join(" "))
        },
    );
    super::print(&summary(&value, &found, counter))
}

fn deliver(arguments: &TreeArgs, steps: &[String], svg: &str, dot: &str) -> Done {
    if arguments.step {
        super::print(&steps.join("\n"))?;
    }
    if let Some(path) = &arguments.svg {
        write(path, svg)?;
    }
    if let Some(path) = &arguments.dot {
        write(path, dot)?;
    }
    Ok(())
}

fn summary(value: &str, found: &Choice, counter: Counter) -> String {
    let best = found.best.as_ref().map_or("none".to_string(), Move::to_string);
    format!("value {value}, best {best}, leaves {}, nodes {}", counter.leaves, counter.nodes)
}

fn write(path: &PathBuf, text: &str) -> Done {
    fs::write(path, text).map_err(|fault| format!("{}: {fault}", path.display()).into())
}
