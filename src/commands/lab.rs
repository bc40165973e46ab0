//! `engine lab`: the laboratory from a shell.

use std::fs;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use shakmaty::variant::{
    Antichess, Atomic, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck,
};
use shakmaty::{CastlingMode, Chess};

use super::Done;
use crate::evaluation::linear::Weights;
use crate::evaluation::{KingTerms, Variant};
use crate::lab::algorithms::{self, Algorithm, max_n};
use crate::lab::claims::{self, Effort};
use crate::lab::compare::{compare, random_positions};
use crate::lab::dda::{self, Experiment, Rounding};
use crate::lab::drawing::Drawing;
use crate::lab::figures;
use crate::lab::game::{Game, Side, Value};
use crate::lab::games::chess::ChessGame;
use crate::lab::games::connect_four::{ConnectFour, Ending};
use crate::lab::games::order::{Order, Ordered};
use crate::lab::games::random_tree::{Leaves, RandomTree};
use crate::lab::games::tic_tac_toe::TicTacToe;
use crate::lab::games::tree::Tree;
use crate::lab::games::trio::Trio;
use crate::lab::narrator::Narrator;
use crate::lab::recorder::Recorder;
use crate::lab::watch::{Choice, Counter, Watch};
use crate::rules::setup;
use crate::shell::progress::{Progress, Unit};
use crate::shell::table::{Format, Table};

/// Plies where none are asked for and the game has no height of its own.
const DEFAULT_DEPTH: u32 = 4;

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
    /// The algorithm
    #[arg(long, default_value = "alpha-beta")]
    pub algorithm: String,
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
        LabCommand::Compare(arguments) => {
            if arguments.game.game == Kind::Trio {
                return trio(&arguments.game);
            }
            let with = CompareTask(&arguments);
            with_game(&arguments.game, with)
        }
        LabCommand::Claims(arguments) => {
            let effort = Effort { positions: arguments.positions as usize, seed: arguments.seed };
            let progress = Progress::new(claims::STEPS, Unit::Count("claims"));
            let claims = claims::check(effort, || progress.add(1))?;
            drop(progress);
            print_claims(&claims, arguments.format)
        }
        LabCommand::Dda(arguments) => dda(&arguments),
        LabCommand::Tree(arguments) => match arguments.game.game {
            Kind::Trio => trio(&arguments.game),
            Kind::Tree => {
                let tree = tree(&arguments.game.tree)?;
                if tree.players() > 2 {
                    parties(&arguments, &tree)
                } else {
                    with_game(&arguments.game, TreeTask(&arguments))
                }
            }
            _ => with_game(&arguments.game, TreeTask(&arguments)),
        },
    }
}

/// Something to do with a game of whatever kind.
trait Task {
    fn run<G: Game>(self, game: G, depth: u32) -> Done;
}

/// Sets up the game that is asked for and hands it over.
fn with_game(arguments: &GameArgs, task: impl Task) -> Done {
    let depth = arguments.depth.unwrap_or(DEFAULT_DEPTH);
    match arguments.game {
        Kind::Chess => chess::<Chess>(depth, arguments, task),
        Kind::Atomic => chess::<Atomic>(depth, arguments, task),
        Kind::Antichess => chess::<Antichess>(depth, arguments, task),
        Kind::KingOfTheHill => chess::<KingOfTheHill>(depth, arguments, task),
        Kind::ThreeCheck => chess::<ThreeCheck>(depth, arguments, task),
        Kind::Crazyhouse => chess::<Crazyhouse>(depth, arguments, task),
        Kind::RacingKings => chess::<RacingKings>(depth, arguments, task),
        Kind::Horde => chess::<Horde>(depth, arguments, task),
        Kind::ConnectFour => {
            let (columns, rows) = size(&arguments.size)?;
            let ending = if arguments.full_board { Ending::FullBoard } else { Ending::FourInARow };
            ready(ConnectFour::new(columns, rows, ending)?, depth, arguments, task)
        }
        Kind::TicTacToe => ready(TicTacToe::default(), depth, arguments, task),
        Kind::Tree => {
            let tree = tree(&arguments.tree)?;
            let depth = arguments.depth.unwrap_or(tree.height());
            ready(tree, depth, arguments, task)
        }
        Kind::RandomTree => {
            let tree = RandomTree::new(arguments.breadth, depth, Leaves::Drifting, arguments.seed);
            ready(tree, depth, arguments, task)
        }
        Kind::Trio => {
            Err("a game for three players is for max-n alone: lab compare --game trio".into())
        }
    }
}

/// Chess under the rule set `P`, judged by the linear evaluation.
fn chess<P: Variant>(depth: u32, arguments: &GameArgs, task: impl Task) -> Done {
    let position: P = match &arguments.fen {
        None => P::default(),
        Some(fen) => setup::position(fen, CastlingMode::Standard)?.0,
    };
    let evaluator = KingTerms::linear(Weights::default());
    ready(ChessGame::new(position, evaluator), depth, arguments, task)
}

/// Plays the moves given first and puts the others in order.
fn ready<G: Game>(mut game: G, depth: u32, arguments: &GameArgs, task: impl Task) -> Done {
    for text in arguments.moves.split_whitespace() {
        let moves = game.moves();
        let found = moves.iter().find(|m| m.to_string() == text).copied();
        let names = || moves.iter().map(G::Move::to_string).collect::<Vec<_>>().join(" ");
        let m = found.ok_or_else(|| format!("'{text}' is no move here; there are: {}", names()))?;
        game = game.play(m);
    }
    let game = game.as_root();
    match arguments.order {
        OrderName::Natural => task.run(game, depth),
        OrderName::Promise => task.run(Ordered::new(game, Order::Promise), depth),
        OrderName::Random => task.run(Ordered::new(game, Order::Random(arguments.seed)), depth),
        OrderName::BestFirst => task.run(Ordered::new(game, Order::BestFirst(depth)), depth),
        OrderName::WorstFirst => task.run(Ordered::new(game, Order::WorstFirst(depth)), depth),
    }
}

fn size(text: &str) -> Result<(u8, u8), String> {
    let parsed = text.split_once('x').and_then(|(columns, rows)| {
        Some((columns.trim().parse().ok()?, rows.trim().parse().ok()?))
    });
    parsed.ok_or_else(|| format!("'{text}' is no size; columns x rows look like 7x6"))
}

/// A tree from a file, or else of the program's own.
fn tree(name: &str) -> Result<Tree, String> {
    match fs::read_to_string(name) {
        Ok(text) => Tree::parse(&text).map_err(|fault| format!("{name}: {fault}")),
        Err(_) => Tree::shipped(name),
    }
}

struct CompareTask<'a>(&'a Compare);

impl Task for CompareTask<'_> {
    fn run<G: Game>(self, game: G, depth: u32) -> Done {
        let arguments = self.0;
        let algorithms = chosen::<G>(&arguments.algorithms)?;
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
}

fn chosen<G: Game>(names: &[String]) -> Result<Vec<Algorithm<G>>, String> {
    if names.is_empty() {
        return Ok(algorithms::all());
    }
    names.iter().map(|name| algorithms::named(name.trim())).collect()
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

struct TreeTask<'a>(&'a TreeArgs);

impl Task for TreeTask<'_> {
    fn run<G: Game>(self, game: G, depth: u32) -> Done {
        let arguments = self.0;
        let algorithm = algorithms::named::<G>(&arguments.algorithm)?;
        let show = |value: Value| game.show(value);
        let mut watchers =
            ((Recorder::new(game.turn()), Narrator::new(game.turn(), show)), Counter::default());
        let found = algorithm.run(&game, depth, &mut watchers);
        let ((recorder, narrator), counter) = watchers;
        let title = format!("{}, {depth} plies", arguments.algorithm);
        let told = summary(&show(found.value), &found, counter);
        let drawing = Drawing::new(&recorder, found.best, &title, show);
        deliver(arguments, &narrator.lines, &drawing.svg(), &drawing.dot())?;
        if recorder.is_full() {
            eprintln!("note: the tree was too big to be kept whole; try a smaller --depth");
        }
        super::print(&told)
    }
}

/// A tree with a value for each of several players, searched by max^n.
fn parties(arguments: &TreeArgs, tree: &Tree) -> Done {
    let show = |value: Value| tree.show(value);
    let depth = arguments.game.depth.unwrap_or(tree.height());
    let mut watchers =
        ((Recorder::new(Side::Max), Narrator::new(Side::Max, show)), Counter::default());
    let mut shares = None;
    Watch::new(Side::Max, &mut watchers).root(|watch| {
        let found = max_n::shares(tree, depth, watch);
        watch.note(&format!("{:?}", found.values));
        let choice = Choice { value: found.values[0], best: found.best };
        shares = Some(found);
        choice
    });
    let ((recorder, narrator), counter) = watchers;
    let best = shares.as_ref().and_then(|shares| shares.best);
    let values = shares.map(|shares| shares.values).unwrap_or_default();
    let told: Vec<String> = values.iter().map(|&value| show(value)).collect();
    let title = format!("max-n, {} players, {depth} plies", tree.players());
    let drawing = Drawing::new(&recorder, best, &title, show).for_players(tree.players());
    deliver(arguments, &narrator.lines, &drawing.svg(), &drawing.dot())?;
    let choice = Choice { value: 0, best };
    super::print(&summary(&format!("[{}]", told.join(" ")), &choice, counter))
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

fn summary<M: std::fmt::Display>(value: &str, found: &Choice<M>, counter: Counter) -> String {
    let best = found.best.as_ref().map_or("none".to_string(), M::to_string);
    format!("value {value}, best {best}, leaves {}, nodes {}", counter.leaves, counter.nodes)
}

/// Three in a row for three, searched by max^n.
fn trio(arguments: &GameArgs) -> Done {
    let depth = arguments.depth.unwrap_or(DEFAULT_DEPTH);
    let mut counter = Counter::default();
    let shares = max_n::shares(&Trio::default(), depth, &mut Watch::new(Side::Max, &mut counter));
    let choice = Choice { value: 0, best: shares.best };
    super::print(&summary(&format!("{:?}", shares.values), &choice, counter))
}

fn write(path: &PathBuf, text: &str) -> Done {
    fs::write(path, text).map_err(|fault| format!("{}: {fault}", path.display()).into())
}
