//! `engine analyse`: games annotated with the reason of every mistake, and suites of positions solved.

mod by_rating;
mod suite;

use std::collections::VecDeque;
use std::env;
use std::error::Error;
use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use clap::Args;
use serde_json::{Value as Json, json};

use by_rating::RatingArgs;

use super::play::texts::{FileError, Words};
use super::{Done, NothingFound, ThreadsArgs, print};
use analysis::analyst::AnalystOptions;
use analysis::exercise::Exercise;
use analysis::page;
use analysis::texts::{Lang, Texts};
use engine::input;
use engine::limits::Limits;
use engine::pgn::{Broken, Games, RawGame};
use engine::remark::Remark;
use engine::rules::RuleSet;
use engine::settings::Settings;
use shell::files::{self, FileKind, HTML, OutputError, write_text};
use shell::interrupt;
use shell::journal::{self, GrowingFile};
use shell::progress::{Progress, Unit, note};
use shell::source;
use shell::table::Format;
use workshop::annotation::{self, Finished, RunOptions};

/// Games that this program has annotated: nobody's own file of games is replaced unasked.
const ANNOTATED: FileKind = FileKind {
    name: "a file of games that this program has annotated",
    matches: |head| FileKind::holds(head, "[Annotator \"Ajedrecista"),
};
/// Exercises in PGN …
const EXERCISE_GAMES: FileKind = FileKind {
    name: "a file of exercises of this program",
    matches: |head| FileKind::holds(head, "[Event \"Exercise"),
};
/// … and in EPD: with the reason, the difficulty and the line.
const EXERCISE_POSITIONS: FileKind = FileKind {
    name: "a file of exercises of this program",
    matches: |head| ["; c0 \"", "; c1 \"", "; pv "].iter().all(|mark| FileKind::holds(head, mark)),
};

/// Nodes of a search where no limit is given …
const NODES: u64 = 60_000;
/// … and with `--by-rating`.
const RATING_NODES: u64 = 30_000;

/// Games with an error that are listed one by one.
const LISTED: usize = 100;

const ANALYSE_HELP: &str = "\
A game keeps all that stands in it and gains, in forms that other programs read: the score after
each move ([%eval]), ?! ? ?? by the chance to win that a move lost (5, 10, 15 points of 100), the
better line, the reason in a sentence, the opening, and the accuracy of both players.

A suite of positions in EPD is solved instead: bm, am, dm, ce, id, and the points of the Strategic
Test Suite. Time, nodes and depth are those from which on the solution was kept to the end.

With -o the work may be interrupted: the same command goes on where it stopped. Until then
FILE.journal has what is finished.

--by-rating prints a table instead: the losses of players by their rating, in centipawns, at most
1000 a move, from the eleventh half-move on, by the evaluation by tables. Positions beyond 600
centipawns are left out. `% >= 50 cp` is the share of moves that lose 50 centipawns or more, `% same`
that of moves that are the best one. The last columns are the mean loss in the opening (the first
20 half-moves), the middlegame and the endgame (six pieces or fewer besides kings and pawns).

Examples:
  engine analyse game.pgn
  engine analyse games.pgn.zst -o annotated.pgn --nodes 500000
  engine analyse game.pgn --html game.html
  engine analyse game.pgn -o annotated.pgn --lang es
  engine analyse game.pgn --exercises mine.epd
  engine exercises mine.epd
  engine analyse wac.epd --movetime 1000 --format csv
  engine analyse --by-rating games.pgn.gz --games 40
  engine analyse --by-rating --elo 800,1200,1600 --games 20";

/// Arguments of `analyse`.
#[derive(Debug, Args)]
#[command(after_help = ANALYSE_HELP)]
pub struct AnalyseArgs {
    /// Files of games (PGN) or of positions (EPD), plain or compressed by gzip or Zstandard, and folders
    /// of games
    #[arg(required_unless_present = "elo", value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// Nodes to search for each position [default: 60000, with --by-rating 30000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["depth", "movetime"])]
    nodes: Option<u64>,
    /// Depth of each search, in half-moves
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=120), conflicts_with = "movetime")]
    depth: Option<u32>,
    /// Time for each position, in milliseconds
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    movetime: Option<u32>,
    #[command(flatten)]
    threads: ThreadsArgs,
    /// Size of each thread's transposition table, in MiB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// The annotated games or the table of solutions to write; `-` is standard output, as without it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// A page to write: board, graph of the chances, terms, and the reason of every mistake
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Exercises to write, from mistakes where one move is clearly the best: a suite in EPD, or PGN if the name ends so
    #[arg(long, value_name = "FILE")]
    exercises: Option<PathBuf>,
    /// Replace a file even if it is an input or holds something else
    #[arg(long)]
    force: bool,
    /// The rule set of positions in EPD
    #[arg(long = "variant", default_value = "chess", value_name = "RULES")]
    rule_set: RuleSet,
    /// The format of a table
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The language of the sentences
    #[arg(long, value_enum, default_value_t)]
    pub(super) lang: Lang,
    #[command(flatten)]
    rating: RatingArgs,
}

/// A growing output with the notes on the pieces that it has already.
type Growing = Option<(GrowingFile, Vec<Json>)>;

/// Where finished games go.
struct Sink {
    file: Option<GrowingFile>,
    /// Games that were finished before this run.
    done: usize,
    /// Games for the page.
    pages: Vec<Json>,
    /// Exercises, each as it is written.
    exercises: Vec<String>,
}

impl Sink {
    /// Takes what a finished game adds to the page and to the exercises: the note that the journal keeps of it.
    fn take(&mut self, note: &Json) {
        let page = note.get("page").unwrap_or(&Json::Null);
        if !page.is_null() {
            self.pages.push(page.clone());
        }
        let exercises = note.get("exercises").and_then(Json::as_array);
        let texts = exercises.into_iter().flatten().filter_map(Json::as_str);
        self.exercises.extend(texts.map(str::to_string));
    }
}

impl AnalyseArgs {
    /// Analyses the games.
    pub fn run(&self) -> Done {
        let words = Words::of(self.lang);
        let (files, left_out) = input_files(&self.inputs, &words)?;
        self.run_on(&files, &words)?;
        match left_out {
            0 => Ok(()),
            count => Err(words.counted("analyse.left-out", count).into()),
        }
    }

    /// Analyses the games, or solves the positions, of these files.
    fn run_on(&self, files: &[PathBuf], words: &Words) -> Done {
        if self.rating.by_rating {
            return self.losses_by_rating(files, words);
        }
        let suites = files.iter().filter(|file| suite::is_suite(file)).count();
        match suites {
            0 => self.annotate(files, words),
            count if count == files.len() => {
                let ignored = [("--html", &self.html), ("--exercises", &self.exercises)];
                if let Some((name, _)) = ignored.into_iter().find(|(_, path)| path.is_some()) {
                    return Err(words
                        .fill("analyse.not-for-positions", &[("option", name)])
                        .into());
                }
                self.solve(files, words)
            }
            _ => Err(words.get("analyse.mixed").into()),
        }
    }

    /// The file to write, if it is not standard output.
    fn output(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| path.as_os_str() != "-")
    }

    /// Annotates games.
    fn annotate(&self, inputs: &[PathBuf], words: &Words) -> Done {
        let texts = &words.analysis;
        self.check_outputs(ANNOTATED, inputs)?;
        let (games, steps) = survey(inputs, words)?;
        let mut sink = self.sink(inputs)?;
        let progress = Progress::of(steps as u64, Unit::Share, self.lang);
        let mut reader = GameReader::new(&games, words);
        let (mut skipped, mut first) = (0, 0);
        for _ in 0..sink.done {
            let Some(game) = reader.next()? else { break };
            skipped += annotation::steps(game.moves());
            first += usize::from(game.is_game());
        }
        if sink.done > 0 {
            progress.remark(&words.counted("analyse.goes-on", first as u64));
            progress.resume(skipped as u64);
        }
        let options = self.options(texts);
        let mut totals = Totals { first, ..Totals::of(words) };
        self.analyse(&mut reader, &options, &mut sink, &progress, &mut totals)?;
        drop(progress);
        if let Some(path) = &self.html {
            let title = inputs.first().and_then(|file| file.file_name()).unwrap_or_default();
            let page = page::html(&title.to_string_lossy(), &sink.pages, texts);
            write_text(path, HTML, &page, self.force)?;
        }
        if let Some(path) = &self.exercises {
            write_text(path, exercise_kind(path), &sink.exercises.concat(), self.force)?;
            let place = path.display().to_string();
            let count = words.counted("analyse.exercise", sink.exercises.len() as u64);
            note(&words.fill("analyse.exercises", &[("count", &count), ("path", &place)]));
        }
        if let Some(file) = sink.file {
            file.finish("")?;
        }
        totals.report()
    }

    /// Runs the analysis; every finished game goes to `sink` at once.
    fn analyse(
        &self,
        reader: &mut GameReader,
        options: &RunOptions,
        sink: &mut Sink,
        progress: &Progress,
        totals: &mut Totals,
    ) -> Done {
        // Where the games come from that are under way; they are finished in their order.
        let places = Mutex::new(VecDeque::new());
        let places = || places.lock().unwrap_or_else(PoisonError::into_inner);
        let mut each = |mut game: Finished| {
            let place = places().pop_front().unwrap_or_default();
            totals.add(&game, &place, progress);
            place.mark(&mut game, totals.words);
            let note =
                json!({ "exercises": self.exercises_of(&game, totals.words), "page": game.page });
            sink.take(&note);
            match &mut sink.file {
                Some(file) => {
                    let written = file.add(&game.text, &note);
                    written.map_err(|error| io::Error::other(error.in_words(self.lang)))
                }
                None if self.html.is_some() || self.exercises.is_some() => Ok(()),
                None => print(game.text.trim_end_matches('\n'))
                    .and_then(|()| print(""))
                    .map_err(|error| io::Error::other(error.to_string())),
            }
        };
        let mut next = || {
            let game = reader.next()?;
            if game.is_some() {
                places().push_back(reader.place());
            }
            Ok(game)
        };
        annotation::run(&mut next, options, &mut each, &|count| progress.add(count as u64))?;
        totals.time = progress.elapsed();
        Ok(())
    }

    fn options(&self, texts: &Arc<Texts>) -> RunOptions {
        let limits = self.limits();
        let count = |key: &str, count: String| texts.fill(key, &[("count", &count)]);
        let limit = match (self.depth, self.movetime) {
            (Some(depth), _) => count("limit.depth", depth.to_string()),
            (None, Some(time)) => count("limit.time", time.to_string()),
            (None, None) => count("limit.nodes", self.nodes().to_string()),
        };
        let analyst = AnalystOptions {
            limits,
            hash_mb: self.hash as usize,
            texts: Arc::clone(texts),
            settings: Settings::default(),
            reasons: true,
            exercises: self.exercises.is_some(),
        };
        RunOptions { analyst, limit, threads: self.threads.count(), pages: self.html.is_some() }
    }

    /// The exercises of a game, as they are written; none if they are not wanted.
    fn exercises_of(&self, game: &Finished, words: &Words) -> Vec<String> {
        let (Some(path), Some(review)) = (&self.exercises, &game.review) else { return Vec::new() };
        let raw = RawGame::parse(&game.text);
        let name = |tag| raw.tag(tag).filter(|name| !name.is_empty() && *name != "?");
        let title = match (name("White"), name("Black")) {
            (None, None) => String::new(),
            (white, black) => format!("{} – {}", white.unwrap_or("?"), black.unwrap_or("?")),
        };
        let exercises = Exercise::all(review);
        if !is_pgn(path) && review.rule_set != RuleSet::Chess && !exercises.is_empty() {
            let rules = review.rule_set.name();
            note(&words.fill("analyse.no-rules", &[("rules", rules)]));
            return Vec::new();
        }
        let written = |exercise: &Exercise| match is_pgn(path) {
            true => exercise.pgn(&title) + "\n",
            false => exercise.epd(&title) + "\n",
        };
        exercises.iter().map(written).collect()
    }

    fn limits(&self) -> Limits {
        match (self.depth, self.movetime) {
            (Some(depth), _) => Limits::depth(depth),
            (None, Some(time)) => Limits { move_time: Some(time.into()), ..Limits::default() },
            (None, None) => Limits::nodes(self.nodes()),
        }
    }

    fn nodes(&self) -> u64 {
        self.nodes.unwrap_or(if self.rating.by_rating { RATING_NODES } else { NODES })
    }

    /// Opens the output for games, or goes on with it.
    fn sink(&self, files: &[PathBuf]) -> Result<Sink, Box<dyn Error>> {
        let (file, notes) = self.growing(ANNOTATED, files)?.unzip();
        let notes = notes.unwrap_or_default();
        let mut sink = Sink { done: notes.len(), file, pages: Vec::new(), exercises: Vec::new() };
        notes.iter().for_each(|note| sink.take(note));
        Ok(sink)
    }

    /// Refuses outputs that could not be written after the work, before it begins.
    fn check_outputs(&self, kind: FileKind, inputs: &[PathBuf]) -> Result<(), OutputError> {
        let (output, page) = (self.output(), self.html.as_deref());
        let exercises = self.exercises.as_deref();
        let exercise_kind = exercises.map_or(EXERCISE_POSITIONS, exercise_kind);
        let targets = [(output, kind), (page, HTML), (exercises, exercise_kind)];
        files::check(&targets, inputs, self.force)?;
        let others = || inputs.iter().map(PathBuf::as_path).chain(page).chain(exercises);
        output.map_or(Ok(()), |output| journal::check(output, others()))
    }

    /// Opens the output, or goes on with it: the notes are on the pieces that it has already. `None` for
    /// standard output.
    fn growing(&self, kind: FileKind, inputs: &[PathBuf]) -> Result<Growing, Box<dyn Error>> {
        let Some(path) = self.output() else { return Ok(None) };
        let task = json!({
            // Another build may judge otherwise.
            "program": env::current_exe().ok().map(|program| fingerprint(&program)),
            "inputs": inputs.iter().map(|file| fingerprint(file)).collect::<Vec<_>>(),
            "limits": format!("{:?}", self.limits()),
            "hash": self.hash,
            "lang": self.lang.code(),
            "page": self.html.is_some(),
            "exercises": self.exercises.as_deref().map(|path| exercise_kind(path).name),
            "variant": self.rule_set.name(),
        });
        let growing = GrowingFile::open(path, kind, &task, self.force)?;
        if let Some(journal) = growing.0.journal() {
            let path = journal.display().to_string();
            let kept = Words::of(self.lang).fill("analyse.kept", &[("path", &path)]);
            interrupt::at_end(move || note(&kept));
        }
        Ok(Some(growing))
    }
}

/// The kind of a file of exercises, by its name.
fn exercise_kind(path: &Path) -> FileKind {
    if is_pgn(path) { EXERCISE_GAMES } else { EXERCISE_POSITIONS }
}

fn is_pgn(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn"))
}

/// Name, size and time of a file, by which it is known again.
fn fingerprint(path: &Path) -> Json {
    let metadata = fs::metadata(path).ok();
    let size = metadata.as_ref().map(fs::Metadata::len);
    let time = metadata.and_then(|metadata| metadata.modified().ok());
    let seconds =
        time.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map(|time| time.as_secs());
    json!([path.display().to_string(), size, seconds])
}

/// The files of games at these paths, and the number of those that are left out: what a folder has beside its games must not
/// keep them from their analysis.
///
/// # Errors
/// A path that leads to no file of games, and folders of which no file can be read.
fn input_files(inputs: &[PathBuf], words: &Words) -> Result<(Vec<PathBuf>, u64), Box<dyn Error>> {
    let (mut files, mut left_out) = (Vec::new(), 0);
    for input in inputs {
        let named = |error: io::Error| words.of_file("analyse.name-games", input, error);
        let found = source::files(input).map_err(named)?;
        if found.is_empty() {
            let place = input.display().to_string();
            return Err(words.fill("analyse.empty-folder", &[("path", &place)]).into());
        }
        let is_folder = input.is_dir();
        for file in found {
            match if is_folder { read_through(&file, words) } else { Ok(()) } {
                Ok(()) => files.push(file),
                Err(error) => {
                    left_out += 1;
                    note(&words.fill("left-out", &[("fault", &error.to_string())]));
                }
            }
        }
    }
    match files.is_empty() && left_out > 0 {
        true => Err(words.counted("analyse.left-out", left_out).into()),
        false => Ok((files, left_out)),
    }
}

/// Reads all games of a file, to see that it can be read to its end.
fn read_through(file: &PathBuf, words: &Words) -> io::Result<()> {
    let mut reader = GameReader::new(std::slice::from_ref(file), words);
    while reader.next()?.is_some() {}
    Ok(())
}

/// Reads the games of several files.
struct GameReader<'a> {
    files: std::slice::Iter<'a, PathBuf>,
    /// True if there are several files, so that a game is known only together with its file.
    are_many: bool,
    current: Option<OpenFile<'a>>,
    words: &'a Words,
}

/// A file of games that is being read.
struct OpenFile<'a> {
    path: &'a Path,
    games: Games<Box<dyn BufRead + Send>>,
    /// The games read so far.
    count: usize,
}

/// The place of a game: all messages and the page count it alike.
#[derive(Clone, Default)]
struct Place {
    /// Its file, if there are several.
    file: Option<String>,
    /// Its number in the file, from 1; that of the game before for text between games.
    number: usize,
}

impl Place {
    /// The game in words.
    fn text(&self, words: &Words) -> String {
        let number = self.number.to_string();
        match &self.file {
            Some(path) => {
                words.fill("analyse.game-of", &[("path", path.as_str()), ("number", &*number)])
            }
            None => words.fill("analyse.game", &[("number", &*number)]),
        }
    }

    /// Adds to the page of a game what is said of it elsewhere: its number, and where it breaks off.
    fn mark(&self, game: &mut Finished, words: &Words) {
        let Some(page) = &mut game.page else { return };
        page["number"] = self.number.into();
        if let Some(path) = &self.file {
            page["file"] = path.as_str().into();
        }
        if let Some(Broken { line, fault, is_cut: true }) = &game.error {
            let (line, fault) = (line.to_string(), words.remark(fault));
            let values = [("line", &*line), ("fault", &*fault)];
            page["fault"] = words.fill("analyse.breaks-off", &values).into();
        }
    }
}

impl<'a> GameReader<'a> {
    fn new(files: &'a [PathBuf], words: &'a Words) -> GameReader<'a> {
        GameReader { files: files.iter(), are_many: files.len() > 1, current: None, words }
    }

    /// The place of the game read last.
    fn place(&self) -> Place {
        let Some(OpenFile { path, count, .. }) = &self.current else { return Place::default() };
        let file = self.are_many.then(|| path.display().to_string());
        Place { file, number: *count }
    }

    /// The next game.
    fn next(&mut self) -> io::Result<Option<RawGame>> {
        let words = self.words;
        loop {
            if let Some(OpenFile { path, games, count }) = &mut self.current {
                let game = games.next_game().map_err(|error| named(path, error, words))?;
                if let Some(fault) = game.as_ref().and_then(RawGame::is_cut) {
                    let (line, fault) = (games.line().to_string(), words.remark(&fault.into()));
                    let path = path.display().to_string();
                    let values = [("path", &*path), ("line", &*line), ("fault", &*fault)];
                    return Err(io::Error::other(words.fill("analyse.cut", &values)));
                }
                if let Some(game) = game {
                    *count += usize::from(game.is_game());
                    return Ok(Some(game));
                }
            }
            let Some(path) = self.files.next() else { return Ok(None) };
            let text = open_text(path).map_err(|error| named(path, error, words))?;
            self.current = Some(OpenFile { path, games: Games::new(text), count: 0 });
        }
    }
}

/// Opens a file of games.
fn open_text(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    let mut text = source::open(path)?;
    let beginning = text.fill_buf()?;
    input::refuse_wide(beginning)?;
    if beginning.contains(&0) {
        return Err(Remark::new("fault.binary", []).into());
    }
    Ok(text)
}

/// An error of a file in words.
fn named(path: &Path, error: io::Error, words: &Words) -> io::Error {
    io::Error::other(words.of_file("file", path, error))
}

/// The files that have games, and the steps of their analysis.
///
/// # Errors
/// Unreadable files, and no game in any of them.
fn survey(files: &[PathBuf], words: &Words) -> Result<(Vec<PathBuf>, usize), Box<dyn Error>> {
    let (mut with_games, mut steps) = (Vec::new(), 0);
    for file in files {
        let mut reader = GameReader::new(std::slice::from_ref(file), words);
        let mut has_game = false;
        while let Some(game) = reader.next()? {
            has_game |= game.is_game();
            steps += annotation::steps(game.moves());
        }
        match has_game {
            true => with_games.push(file.clone()),
            false => note(&words.of_file("file", file, FileError::Own("fault.no-game"))),
        }
    }
    match with_games.is_empty() {
        true => Err(NothingFound(words.get("analyse.no-game").to_string()).into()),
        false => Ok((with_games, steps)),
    }
}

/// The work of a run.
struct Totals<'a> {
    words: &'a Words,
    /// Games finished before it.
    first: usize,
    games: usize,
    moves: usize,
    /// Faults of games and of the text between them.
    faults: usize,
    /// Games that could not be read to their end.
    broken: usize,
    /// Games of which something was said although they were read.
    remarked: usize,
    time: Duration,
}

impl<'a> Totals<'a> {
    fn of(words: &'a Words) -> Totals<'a> {
        let time = Duration::ZERO;
        Totals { words, first: 0, games: 0, moves: 0, faults: 0, broken: 0, remarked: 0, time }
    }

    fn add(&mut self, game: &Finished, place: &Place, progress: &Progress) {
        let words = self.words;
        self.games += usize::from(game.is_game);
        let moves = game.review.iter().flat_map(|review| &review.moves);
        self.moves += moves.flatten().count();
        let place = place.text(words);
        if let Some(remark) = &game.remark {
            self.remarked += 1;
            if self.remarked <= LISTED {
                let values = [("game", &*place), ("remark", &*words.remark(remark))];
                progress.remark(&words.fill("analyse.remark", &values));
            }
        }
        if let Some(Broken { line, fault, is_cut }) = &game.error {
            self.faults += 1;
            // An odd header or bracket costs no move.
            self.broken += usize::from(game.is_game && *is_cut);
            let key = if game.is_game { "analyse.fault" } else { "analyse.fault-between" };
            if self.faults <= LISTED {
                let (line, fault) = (line.to_string(), words.remark(fault));
                let values = [("game", &*place), ("line", &*line), ("fault", &*fault)];
                progress.remark(&words.fill(key, &values));
            }
        }
    }

    /// Tells the sums.
    ///
    /// # Errors
    /// [`NothingFound`] where no game could be read.
    fn report(&self) -> Done {
        let &Totals { words, first, games, moves, broken, time, .. } = self;
        let seconds = time.as_secs_f64();
        let rate = games as f64 / (seconds.max(1e-3) / 60.0);
        let readable = match broken {
            0 => words.get("analyse.readable").to_string(),
            _ => words.counted("analyse.unreadable", broken as u64),
        };
        let values = [
            ("games", &*words.counted("count.game", games as u64)),
            ("moves", &*words.counted("count.move", moves as u64)),
            ("readable", &*readable),
            ("seconds", &*words.decimal(&format!("{seconds:.1}"))),
            ("rate", &*words.decimal(&format!("{rate:.1}"))),
        ];
        note(&words.fill("analyse.report", &values));
        if first == 0 && moves == 0 && broken == games {
            return Err(NothingFound(words.get("analyse.none-readable").to_string()).into());
        }
        Ok(())
    }
}
