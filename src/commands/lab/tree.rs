//! `engine lab tree`: one search in words, as a picture, or as a page that plays it.

use std::env;
use std::error::Error;
use std::path::PathBuf;

use clap::Args;

use super::super::Done;
use super::game::{GameArgs, set_up};
use super::{algorithm, chosen, warn_of_unknown};
use lab::algorithms::Algorithm;
use lab::compare;
use lab::drawing::{Drawing, Look};
use lab::game::Position;
use lab::narrator::{Narrator, show_move};
use lab::page::Lesson;
use lab::record::{Record, record};
use lab::texts::{self, Texts};
use lab::tracker::Tracker;
use shell::files::{self, write_text};
use shell::progress::note;

/// Arguments of `tree`.
#[derive(Debug, Args)]
pub struct TreeArgs {
    /// The game and its position.
    #[command(flatten)]
    pub game: GameArgs,
    /// The algorithm [default: alpha-beta, or max-n for more than two players]
    #[arg(long)]
    pub algorithm: Option<String>,
    /// With --html or --json: a second algorithm beside the first
    #[arg(long, value_name = "ALGORITHM")]
    pub versus: Option<String>,
    /// Tell the search step by step
    #[arg(long)]
    pub step: bool,
    /// Write a page that plays the search: one file, for any browser
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the data of that page and a record of every node; - is standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Draw the tree
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write the tree for Graphviz
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// With --svg or --dot: fold all nodes below this ply
    #[arg(long, value_name = "PLY")]
    pub fold: Option<usize>,
    /// With --svg: draw the board in every node
    #[arg(long)]
    pub boards: bool,
    /// Replace a file of another kind
    #[arg(long)]
    pub force: bool,
}

impl TreeArgs {
    /// True if the data go to standard output, where nothing else may stand then.
    fn is_piped(&self) -> bool {
        self.json.as_deref().is_some_and(|path| path.as_os_str() == "-")
    }
}

/// Shows a search.
///
/// # Errors
/// An unknown game, algorithm or constant; a file that cannot be written.
pub fn run(arguments: &TreeArgs) -> Done {
    let texts = texts::of(arguments.game.lang);
    let (game, depth) = set_up(&arguments.game)?;
    let algorithms = algorithms(arguments, &game, &texts)?;
    let constants = arguments.game.constants()?;
    let first = &algorithms[0];
    let outputs = [
        (arguments.html.as_deref(), files::HTML),
        (arguments.json.as_deref().filter(|_| !arguments.is_piped()), files::JSON),
        (arguments.svg.as_deref(), files::SVG),
        (arguments.dot.as_deref(), files::DOT),
    ];
    files::check(&outputs, &[], arguments.force)?;
    if arguments.is_piped() || outputs.iter().any(|(file, _)| file.is_some()) {
        let records: Vec<Record> = algorithms
            .iter()
            .map(|algorithm| record(algorithm, constants, &game, depth, &texts))
            .collect();
        write_files(arguments, &records, &texts)?;
    }
    if arguments.is_piped() {
        return Ok(());
    }
    if arguments.step {
        let mut fault = None;
        let mut narrator = Narrator::new(&texts, |line| {
            // A reader that has gone, as after | head, ends the telling and not the search.
            fault = fault.take().or_else(|| super::super::print(line).err());
        });
        first.run_with(
            constants,
            None,
            &game,
            depth,
            &mut Tracker::new(&game, &texts, &mut narrator),
        );
        if let Some(fault) = fault {
            return Err(fault);
        }
    }
    for algorithm in &algorithms {
        let run = compare::run(algorithm, constants, &game, depth);
        warn_of_unknown(&run.counter, &texts);
        let value = compare::shown(&game, &run, &texts);
        let none = || texts.get("none").to_string();
        let best = run.found.best.map_or_else(none, |m| show_move(&texts, &game, m));
        let (leaves, nodes) = (run.counter.leaves.to_string(), run.counter.nodes.to_string());
        let args = [("value", &*value), ("best", &*best), ("leaves", &*leaves), ("nodes", &*nodes)];
        let summary = texts.fill("summary", &args);
        let name =
            if algorithms.len() > 1 { format!("{}: ", algorithm.name) } else { String::new() };
        super::super::print(&format!("{name}{summary}"))?;
    }
    Ok(())
}

/// The algorithm and perhaps a second one.
fn algorithms(
    arguments: &TreeArgs,
    game: &Position,
    texts: &Texts,
) -> Result<Vec<Algorithm>, Box<dyn Error>> {
    let first = algorithm(arguments.algorithm.as_deref(), game);
    let names: Vec<String> = [first].into_iter().chain(arguments.versus.clone()).collect();
    chosen(&names, game.players(), texts)
}

fn write_files(arguments: &TreeArgs, records: &[Record], texts: &Texts) -> Done {
    let Some(first) = records.first() else { return Ok(()) };
    let keys: Vec<String> =
        records.iter().map(|record| format!("title.{}", record.algorithm)).collect();
    let names: Vec<&str> = keys.iter().map(|key| texts.get(key)).collect();
    let (algorithm, depth) = (names.join(" / "), first.depth.to_string());
    let game = arguments.game.title(texts);
    let args = [("algorithm", &*algorithm), ("game", &*game), ("depth", &*depth)];
    let title = texts.fill("drawing.title", &args);
    if let Some(ply) = first.last_ply {
        note(&texts.fill("note.folded", &[("ply", &ply.to_string())]));
    }
    let lesson = Lesson { title: title.clone(), command: Some(command()), records, texts };
    if let Some(path) = &arguments.html {
        write_text(path, files::HTML, &lesson.html(), arguments.force)?;
    }
    if arguments.is_piped() {
        super::super::print(&lesson.json().to_string())?;
    } else if let Some(path) = &arguments.json {
        write_text(path, files::JSON, &lesson.json().to_string(), arguments.force)?;
    }
    let look = Look { fold: arguments.fold, has_boards: arguments.boards, is_task: false };
    let drawing = Drawing::new(first, texts, title, look);
    if let Some(path) = &arguments.svg {
        write_text(path, files::SVG, &drawing.svg(), arguments.force)?;
    }
    if let Some(path) = &arguments.dot {
        write_text(path, files::DOT, &drawing.dot(), arguments.force)?;
    }
    Ok(())
}

/// The command as it was typed, so that a page can show how others are made.
fn command() -> String {
    let quoted = |word: String| match word.contains([' ', '*', '(', ')']) {
        true => format!("'{word}'"),
        false => word,
    };
    let words: Vec<String> = env::args().skip(1).map(quoted).collect();
    format!("engine {}", words.join(" "))
}
