//! The commands of the program, one file each: arguments, help and execution together.
//!
//! Every command returns an error with its cause and a remedy. `main` prints it and exits with [`exit_code`].

mod about;
mod analyse;
mod bench;
mod book;
mod completions;
mod data;
mod dda;
mod eval;
mod exercises;
mod figures;
mod genfens;
pub mod lab;
mod matches;
mod perft;
mod play;
mod puzzles;
mod selfplay;
mod spsa;
mod train;
mod tune;
mod uci;
mod usage;
mod web;

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;
use std::thread;

use clap::error::{ContextKind, ContextValue};
use clap::{Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};

use engine::evaluation::{Evaluation, Network, NetworkTerms, Variant};
use engine::evaluation::{network, tables};
use engine::input;
use engine::play::levels::Level;
use engine::player::Engine;
use engine::remark::Remark;
use engine::rules::setup::{SetupError, Start};
use engine::rules::{RuleSet, UnknownRuleSetError};
use engine::settings::{EVALUATION, Settings};
use engine::uci::about::VERSION;
use shell::interrupt;

use engine::input::printable_text;
use shell::files::OutputError;
use shell::progress::note;
use shell::remarks;
use shell::texts::Lang;

pub use engine::input::printable;
pub use engine::search::STACK;
pub use usage::lang as usage_lang;

/// The result of a command: the exit code, or an error for the user.
pub type CommandResult = Result<ExitCode, Box<dyn Error>>;

/// The exit code where all was in order, but nothing was found, or a check or a test says no.
const SAYS_NO: u8 = 1;
/// The exit code of bad input, a wrong command line, and whatever else keeps a command from its work.
const FAILED: u8 = 2;

/// All was in order, but nothing was found. The text says what was looked for, and how to find more.
#[derive(Debug)]
pub struct NothingFound(String);

impl fmt::Display for NothingFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for NothingFound {}

/// The exit code for an error of a command.
pub fn exit_code(error: &(dyn Error + 'static)) -> ExitCode {
    ExitCode::from(if error.is::<NothingFound>() { SAYS_NO } else { FAILED })
}

/// The exit code for the answer of a check or a test.
fn answer(is_yes: bool) -> ExitCode {
    if is_yes { ExitCode::SUCCESS } else { ExitCode::from(SAYS_NO) }
}

/// What the libraries say of a text that is no number of a kind, and what a person understands.
const NUMBER_FAULTS: [(&str, &str); 6] = [
    ("invalid digit found in string", "write a whole number"),
    ("cannot parse integer from empty string", "write a whole number"),
    ("number too large to fit in target type", "write a smaller number"),
    ("number too small to fit in target type", "write a greater number"),
    ("invalid float literal", "write a number"),
    ("cannot parse float from empty string", "write a number"),
];

/// The message of an error of the command line in a language, or one about a number in words for a person; `None` if the parser's
/// own words will do.
pub fn usage_fault(error: &clap::Error, lang: Lang) -> Option<String> {
    match lang {
        Lang::Es => usage::in_spanish(error).or_else(|| number_fault(error)),
        Lang::En => number_fault(error),
    }
}

/// The message of an error of the command line about a number, in words for a person; `None` if it is about none.
fn number_fault(error: &clap::Error) -> Option<String> {
    let text = error.to_string();
    let known = NUMBER_FAULTS.iter().find(|(fault, _)| text.contains(fault));
    let told = known.map(|(fault, advice)| text.replace(fault, advice));
    told.or_else(|| range_in_words(&text))
}

/// A message with its range in words: `960 is not in 0..960` says that it is not between 0 and 959.
fn range_in_words(text: &str) -> Option<String> {
    let (before, [number, least, most], after) = out_of_range(text)?;
    // The greatest number of a type is no bound that means anything.
    let fault = match (most < u32::MAX.into(), number < least) {
        (true, _) => format!("is not between {least} and {most}"),
        (false, true) => format!("is less than {least}"),
        (false, false) => format!("is greater than {most}"),
    };
    Some(format!("{before} {fault}{after}"))
}

/// The number that a message calls out of its range, with the least and the greatest that are in it, and the text around.
fn out_of_range(text: &str) -> Option<(&str, [i128; 3], &str)> {
    let (before, rest) = text.split_once(" is not in ")?;
    let length = rest.find(|c: char| !c.is_ascii_digit() && !"-.=".contains(c));
    let (range, after) = rest.split_at(length.unwrap_or(rest.len()));
    let (least, most) = range.split_once("..")?;
    let least: i128 = least.parse().ok()?;
    let most: i128 = match most.strip_prefix('=') {
        Some(most) => most.parse().ok()?,
        None => most.parse::<i128>().ok()? - 1,
    };
    let number: i128 = before.rsplit(' ').next()?.parse().ok()?;
    Some((before, [number, least, most], after))
}

/// An error in the words of a language, as far as it has any.
fn in_language(error: Box<dyn Error>, lang: Lang) -> Box<dyn Error> {
    let output = error.downcast_ref::<OutputError>().map(|error| error.in_words(lang));
    let position = error.downcast_ref::<SetupError>().map(|SetupError(fault)| fault);
    let remark =
        || position.or(error.downcast_ref::<Remark>()).map(|fault| remarks::in_words(fault, lang));
    let told = output.or_else(remark).or_else(|| ::lab::texts::error_in_words(&*error, lang));
    told.map_or(error, Into::into)
}

/// The result of a part of a command.
type Done = Result<(), Box<dyn Error>>;

const EXAMPLES: &str = "\
Examples:
  engine play
      play in this terminal, against an opponent of your strength
  engine web --open
      play on a board in the browser
  engine
      speak UCI, as for a board program
  engine bench
      measure the search; the last line is N nodes N nps
  engine bench 8 --hash 64
      the same, 8 half-moves deep, with a table of 64 MB
  engine perft 5 --divide
      count the positions 5 half-moves deep, by first move
  engine perft 4 --variant atomic
      the same in another rule set; bench, eval and match take it too
  engine perft 4 --fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'
  engine eval --fen '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'
      explain the evaluation of a position, term by term
  engine analyse games.pgn -o annotated.pgn --html games.html
      annotate games, and say why each mistake was one
  engine --level beginner
      speak UCI at the lowest level
  engine dda --fen '8/8/4k3/8/8/4K3/4P3/8 w - - 0 1'
      show the depth of each level in a position, and its reason
  engine dda --games 400 --svg dda.svg
      measure the levels in games, with a picture
  engine puzzles puzzles.tsv --elo 800,1200
      the share of rated puzzles that limited strengths solve
  engine match --games 400 --first Evaluation=linear
      compare two evaluations in games
  engine book build games.pgn.gz -o book.bin
      make an opening book from games
  engine book show
      show the moves of the book at the start of the game
  engine lab compare --depth 3
      compare textbook algorithms on one position
  engine lab tree --game tree --tree lecture --step
      a lecture's example tree, searched step by step

Exit codes:
  0    done
  1    nothing was found, or a check or a test says no
  2    bad input or a wrong command line
  130  interrupted by Ctrl-C

To play elsewhere, add the program to Cute Chess, Arena, En Croissant or any other board program for
UCI engines. To speak UCI yourself, start it in a terminal and type help.";

/// A chess engine to play against, to match against other engines, and to learn game search from.
/// Without a command it speaks UCI on standard input and output.
#[derive(Debug, Parser)]
#[command(name = "engine", version = VERSION.as_str(), after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// Level to start with: 3-beginner, 4-intermediate or 5-advanced; the number or the word alone is
    /// enough [default: unlimited]
    #[arg(long, default_value = "unlimited", hide_default_value = true)]
    level: Level,
    /// Offer the parameters of the search as UCI options too; the build feature `tune` does so by itself
    #[arg(long, hide = true, default_value_t = cfg!(feature = "tune"))]
    tune: bool,
    #[command(subcommand)]
    command: Option<CliCommand>,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    /// Play a game in the terminal
    Play(play::PlayArgs),
    /// Serve a board to a browser on this machine
    Web(web::WebArgs),
    /// Search fixed positions and report nodes and speed
    Bench(bench::BenchArgs),
    /// Count the positions a number of half-moves deep
    Perft(perft::PerftArgs),
    /// Explain the evaluation of a position
    Eval(eval::EvalArgs),
    /// Annotate games and explain their mistakes, or solve a suite of positions
    #[command(alias = "analyze")]
    Analyse(Box<analyse::AnalyseArgs>),
    /// Ask positions from your own mistakes, again and again until you know them
    Exercises(exercises::ExercisesArgs),
    /// Show the depth of a level's searches, or measure the gain in games
    Dda(dda::DdaArgs),
    /// Solve rated puzzles as a limited strength, a level or at full strength
    Puzzles(puzzles::PuzzlesArgs),
    /// Play games between two settings of this engine, and report the Elo difference
    Match(matches::MatchArgs),
    /// Play games against itself and record their positions, for train and tune
    Selfplay(selfplay::SelfplayArgs),
    /// Fit the tables of the evaluation to recorded positions
    Tune(tune::TuneArgs),
    /// Tune the parameters of the search by games
    Spsa(spsa::SpsaArgs),
    /// Train a network on recorded positions
    Train(train::TrainArgs),
    /// Show, check, shuffle and split files of recorded positions
    #[command(subcommand)]
    Data(data::DataCommand),
    /// Make, show and check opening books
    #[command(subcommand)]
    Book(book::BookCommand),
    /// Run and compare textbook algorithms
    #[command(subcommand)]
    Lab(lab::LabCommand),
    /// Print a script that completes the commands of this program in a shell
    Completions(completions::CompletionsArgs),
    /// Write a page for man about every command
    Manual(completions::ManualArgs),
    /// Make the tables and examples of the documents again
    #[command(hide = true)]
    Figures(figures::FiguresArgs),
    /// Show how the program was built
    Compiler,
    /// Print the table of options for docs/options.md
    Options,
    /// Print the parameters of the search as input for an SPSA tuner
    Tunables,
    /// Print openings for OpenBench: N seed S book None|FILE [plies P]
    Genfens(genfens::GenfensArgs),
}

/// The name by which this program was called: `engine` as cargo builds it, `ajedrecista` as it is packed.
pub(crate) fn program() -> String {
    let called = std::env::args_os().next().map(PathBuf::from);
    let name = called.as_deref().and_then(Path::file_stem).and_then(|name| name.to_str());
    name.filter(|name| !name.is_empty()).unwrap_or("engine").to_string()
}

/// The commands and options under that name.
fn command() -> Command {
    let name = program();
    named(Cli::command().after_help(EXAMPLES), &name).bin_name(name.clone()).name(name)
}

/// A command and those below it, with the program's name in their examples and with paragraphs as wide as the other
/// parts of the help.
fn named(command: Command, name: &str) -> Command {
    let after = command.get_after_help().map(ToString::to_string);
    let command = advising(command.mut_subcommands(|below| named(below, name)));
    match after {
        Some(text) => command.after_help(flowing(&text.replace("  engine", &format!("  {name}")))),
        None => command,
    }
}

/// A command whose `--variant` says what helps whoever wants Chess960, which is no rule set of its own.
fn advising(command: Command) -> Command {
    let has = |long: &str| command.get_arguments().any(|arg| arg.get_long() == Some(long));
    if !has("variant") {
        return command;
    }
    let advice = match command.get_name() {
        _ if has("chess960") => "for Chess960 write --chess960 instead",
        "analyse" | "exercises" => "games of Chess960 are known by their tags",
        _ => "this command has no Chess960",
    };
    command.mut_arg("rule_set", |arg| {
        arg.value_parser(move |text: &str| {
            text.parse::<RuleSet>().map_err(|UnknownRuleSetError(remark)| match remark.key {
                "rules.chess960" => format!("one of {}; {advice}", RuleSet::NAMES.join(", ")),
                _ => remark.to_string(),
            })
        })
    })
}

/// The error without the command that it suggests, if more than a third of the letters differ: `foo` is no `book`.
fn without_wild_guess(mut error: clap::Error) -> clap::Error {
    let strings = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    };
    let written = strings(ContextKind::InvalidSubcommand).concat();
    let near =
        |name: &String| strsim::osa_distance(name, &written) * 3 <= name.len().max(written.len());
    let guesses: Vec<String> =
        strings(ContextKind::SuggestedSubcommand).into_iter().filter(near).collect();
    error.remove(ContextKind::SuggestedSubcommand);
    if !guesses.is_empty() {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(guesses));
    }
    error
}

/// A text whose paragraphs have one line each, to be broken where they are shown. Lines that are indented stay.
fn flowing(text: &str) -> String {
    let mut flowing = String::with_capacity(text.len());
    let mut before = "";
    for line in text.lines() {
        let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
        if !flowing.is_empty() {
            flowing.push(if is_prose(before) && is_prose(line) { ' ' } else { '\n' });
        }
        flowing.push_str(line);
        before = line;
    }
    flowing
}

impl Cli {
    /// The command line of this call.
    ///
    /// # Errors
    /// What cannot be understood, or a text that was asked for, such as the help.
    pub fn read() -> Result<Cli, clap::Error> {
        let matches = command().try_get_matches_from(arguments(std::env::args_os()));
        let matches = matches.map_err(without_wild_guess)?;
        Cli::from_arg_matches(&matches)
    }

    /// Runs the command. After Ctrl-C the exit code is that of an interrupted command.
    ///
    /// # Errors
    /// Any error of the command.
    pub fn run(self) -> CommandResult {
        let lang = self.lang();
        let result = self.execute().map_err(|error| in_language(error, lang));
        if !interrupt::is_set() {
            return result;
        }
        if let Err(error) = result {
            note(&error.to_string());
        }
        Ok(ExitCode::from(interrupt::EXIT_CODE))
    }

    /// The language in which the command speaks.
    fn lang(&self) -> Lang {
        match &self.command {
            Some(CliCommand::Play(args)) => args.lang,
            Some(CliCommand::Analyse(args)) => args.lang,
            Some(CliCommand::Exercises(args)) => args.lang,
            Some(CliCommand::Eval(args)) => args.lang,
            Some(CliCommand::Lab(command)) => command.lang(),
            _ => Lang::En,
        }
    }

    fn execute(self) -> CommandResult {
        match self.command {
            None => uci::run(self.level, self.tune),
            Some(CliCommand::Play(args)) => args.run(),
            Some(CliCommand::Web(args)) => args.run(),
            Some(CliCommand::Bench(args)) => args.run(),
            Some(CliCommand::Perft(args)) => args.run(),
            Some(CliCommand::Eval(args)) => args.run(),
            Some(CliCommand::Analyse(args)) => args.run(),
            Some(CliCommand::Exercises(args)) => args.run(),
            Some(CliCommand::Dda(args)) => args.run(),
            Some(CliCommand::Puzzles(args)) => args.run(),
            Some(CliCommand::Match(args)) => return args.run(),
            Some(CliCommand::Selfplay(args)) => args.run(),
            Some(CliCommand::Tune(args)) => args.run(),
            Some(CliCommand::Spsa(args)) => args.run(),
            Some(CliCommand::Train(args)) => args.run(),
            Some(CliCommand::Data(command)) => return command.run(),
            Some(CliCommand::Book(command)) => return command.run(),
            Some(CliCommand::Lab(command)) => lab::run(command),
            Some(CliCommand::Completions(args)) => args.run(),
            Some(CliCommand::Manual(args)) => args.run(),
            Some(CliCommand::Figures(args)) => args.run(),
            Some(CliCommand::Compiler) => about::compiler(),
            Some(CliCommand::Options) => about::options(),
            Some(CliCommand::Tunables) => about::tunables(),
            Some(CliCommand::Genfens(args)) => args.run(),
        }?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Splits OpenBench's request in one argument (`"genfens 5 seed 1 book None" quit`) into separate
/// arguments.
pub fn arguments(given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut given: Vec<OsString> = given.collect();
    let Some(request) = given.get(1).and_then(|first| first.to_str()) else { return given };
    if request.starts_with("genfens ") {
        let words: Vec<OsString> = request.split_whitespace().map(OsString::from).collect();
        given.truncate(1);
        given.extend(words);
    }
    given
}

/// The rule set of a command.
#[derive(Clone, Debug, Args)]
struct RulesArgs {
    #[arg(long = "variant", default_value = "chess", value_name = "RULES")]
    #[arg(help = format!("The rule set: {}", RuleSet::NAMES.join(", ")))]
    rule_set: RuleSet,
}

/// A position on the command line.
#[derive(Clone, Debug, Args)]
struct PositionArgs {
    #[command(flatten)]
    rules: RulesArgs,
    /// Castle by the rules of Chess960
    #[arg(long)]
    chess960: bool,
    /// The position, in quotes [default: the start of the game]
    #[arg(long)]
    fen: Option<String>,
}

impl PositionArgs {
    /// An engine at the position. Remarks on the FEN go to standard error.
    fn engine(self) -> Result<Engine, Box<dyn Error>> {
        let PositionArgs { rules, chess960, fen } = self;
        let settings = Settings { rule_set: rules.rule_set, chess960, ..Settings::default() };
        let mut engine = Engine::new(&settings)?;
        let start = fen.map_or(Start::Initial, Start::Fen);
        for remark in engine.set_position(&start, &[])? {
            note(&format!("note: {remark}"));
        }
        Ok(engine)
    }
}

/// Reads a whole number from 1.
fn positive<T: FromStr + Default + PartialEq>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| *number != T::default());
    number.ok_or_else(|| "a whole number from 1".to_string())
}

/// Number of threads, by default all processors.
#[derive(Clone, Copy, Debug, Args)]
struct ThreadsArgs {
    /// Threads to use [default: all processors]
    #[arg(long)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
}

impl ThreadsArgs {
    fn count(self) -> usize {
        self.threads.map_or_else(processors, |threads| threads as usize)
    }
}

/// The number of processors that this program may use, from 1.
fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The option of commands that search.
#[derive(Debug, Args)]
struct EvaluationArgs {
    /// The evaluation to search with: linear, tables, network, or a file of tables or of a network
    #[arg(long, default_value = "auto")]
    evaluation: String,
}

impl EvaluationArgs {
    /// The evaluator under the rules `P`.
    fn read<P: Variant>(&self) -> Result<Evaluation<P>, Box<dyn Error>> {
        evaluator_called(&self.evaluation)
    }
}

/// The evaluator called `name` under the rules `P`: a value of the option Evaluation, or else the network or
/// the tables in the file of that name.
fn evaluator_called<P: Variant>(name: &str) -> Result<Evaluation<P>, Box<dyn Error>> {
    let mut settings = Settings::default();
    if settings.set(EVALUATION, name).is_ok() {
        return Ok(settings.evaluator(None));
    }
    let choices = "name linear, tables, network or a file of tables or of a network";
    let bytes = input::read(Path::new(name), input::LARGEST_TEXT)
        .map_err(|error| format!("{name}: {error}; {choices}"))?;
    if network::is_network(&bytes) {
        let network = Arc::new(Network::open::<P>(Path::new(name))?);
        let evaluator = NetworkTerms::new(network).ok_or("a network for other rules")?;
        return Ok(evaluator.into());
    }
    refuse_without_kings::<P>()?;
    let text = input::decode(&bytes);
    if let Some(rules) = tables::rules_of(&text).filter(|&rules| rules != P::NAME) {
        return Err(format!("{name}: tables for {rules}, not for {}", P::NAME).into());
    }
    let tables = tables::read(&text).map_err(|error| format!("{name}: {error}"))?;
    Ok(tables.evaluator().into())
}

/// Reads a share, 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share is a number from 0 to 1".to_string())
}

/// Refuses rule sets without two kings, which cannot have tables.
fn refuse_without_kings<P: Variant>() -> Done {
    let has_kings = P::ROYAL_KINGS && P::default().board().kings().count() == 2;
    if has_kings {
        return Ok(());
    }
    let error =
        format!("{} has no two kings, as the tables need; choose another rule set", P::NAME);
    Err(error.into())
}

/// A number of things in words: `1 game`, `2 games`.
fn counted(count: u64, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// Writes `text` and a newline to standard output, without control characters that a file may have brought. A closed pipe, as in `| head`, is no error.
fn print(text: &str) -> Done {
    match writeln!(io::stdout(), "{}", printable_text(text)) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}
