//! `engine play`: a game against the engine in a terminal.
//!
//! A [`session`] alternates between the player's lines ([`input`]) and the [`opponent`]'s moves, shows the
//! board ([`screen`]) and keeps the [`record`] of the game in its [`folder`] after every move. It judges the
//! [`player`], whose [`profile`] lasts from game to game, and [`review`]s the game. What it says is in [`texts`].
//!
#![doc = include_str!("../../../docs/play.md")]

mod clock;
pub(super) mod folder;
pub(super) mod input;
mod opponent;
mod played;
mod player;
mod profile;
pub(super) mod prose;
mod record;
mod review;
pub(super) mod screen;
mod session;
pub(super) mod texts;

use std::error::Error;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use clap::{Args, ValueEnum};
use rand::RngExt;
use shakmaty::Color;

use super::{Done, program};
use analysis::texts::Lang;
use clock::TimeControl;
use engine::evaluation::Variant;
use engine::evaluation::variants::{Task, with_rules};
use engine::input::{LARGEST_TEXT, Lines, decode};
use engine::play::levels::{Level, UnknownLevelError};
use engine::rules::RuleSet;
use engine::rules::setup::Start;
use folder::Folder;
use opponent::{Mode, Opponent};
use played::End;
use profile::{Known, Profile};
use record::Stored;
use screen::Style;
use session::{Plan, Session, ask};
pub(super) use session::{closed_is_fine, say, show};
use shell::source;
use texts::Words;
use web::chess960;

/// Greatest length of a line that the player types, in bytes: no move or path comes near it.
const LONGEST_LINE: usize = 1 << 16;
/// Lines that may wait for an answer.
const WAITING: usize = 64;

const PLAY_HELP: &str = "\
Type moves as e4, Nf3, O-O or e2e4, and help for the commands: hint, why, undo, draw, resign, flip,
save and more. Every move is written to disk at once. After quit, Ctrl-C or a closed terminal, the
next engine play offers to go on. Finished games are collected in games.pgn in the same folder;
after one, new and again begin another, and retry goes back to your move that lost most.

Without --level and --elo the engine adapts its strength to yours (--elo auto), which it remembers
in player.txt in the same folder. Ratings are those of lichess's slower games. NO_COLOR switches
colours off.

Examples:
  engine play                          a game against an opponent of your strength
  engine play --elo 1400 --color black --clock 5+3
  engine play --level 4 --variant crazyhouse
  engine play --fen '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1' --level unlimited
  engine play --pgn game.pgn           go on where a game has ended
  engine play --lang es                in Spanish: Cf3 is a knight's move, ayuda shows the commands
  engine play --lang es --color negras --level principiante";

/// Arguments of `play`.
#[derive(Debug, Args)]
#[command(after_help = PLAY_HELP)]
pub struct PlayArgs {
    /// Level of the engine: unlimited, 3-beginner, 4-intermediate or 5-advanced
    #[arg(long, conflicts_with = "elo", value_parser = read_level)]
    level: Option<Level>,
    /// Strength of the engine in Elo, or auto to follow yours [default: auto]
    #[arg(long, value_name = "N|auto", value_parser = read_elo)]
    elo: Option<Mode>,
    /// Your side [default: white, or the side to move]
    #[arg(long, value_enum)]
    color: Option<Side>,
    #[arg(long = "variant", value_name = "RULES")]
    #[arg(help = format!("The rule set: {} [default: chess]", RuleSet::NAMES.join(", ")))]
    rule_set: Option<RuleSet>,
    /// Play Chess960: from the position of this number, 0 to 959, or from one by chance
    #[arg(long, value_name = "NUMBER", num_args = 0..=1)]
    #[arg(value_parser = clap::value_parser!(u32).range(..i64::from(chess960::POSITIONS)))]
    chess960: Option<Option<u32>>,
    /// Time for the game in minutes, and the increment per move in seconds
    #[arg(long, value_name = "MINUTES+SECONDS")]
    clock: Option<TimeControl>,
    /// Let the engine answer at once with a clock, too, instead of thinking like a person
    #[arg(long)]
    at_once: bool,
    /// The position to begin with, in quotes
    #[arg(long)]
    fen: Option<String>,
    /// Go on with the first game of this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "chess960"])]
    pgn: Option<PathBuf>,
    /// Folder of the games [default: the system's folder for data]
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Show the pieces as letters
    #[arg(long)]
    ascii: bool,
    /// Forget how strong you play, under the rules of this game
    #[arg(long)]
    reset_rating: bool,
    /// The language of the words, of the moves shown, and of those typed
    #[arg(long, value_enum, default_value_t)]
    pub(super) lang: Lang,
}

/// Reads the level of `--level`, by its English or its Spanish name.
fn read_level(text: &str) -> Result<Level, UnknownLevelError> {
    Words::of(Lang::Es).read_level(text).ok_or(UnknownLevelError)
}

/// Reads the strength of `--elo`.
fn read_elo(text: &str) -> Result<Mode, String> {
    Mode::of_elo(text).ok_or_else(|| Mode::valid_elo(&Words::of(Lang::En)))
}

/// The player's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    /// White
    #[value(aliases = ["blancas", "blanco"])]
    White,
    /// Black
    #[value(aliases = ["negras", "negro"])]
    Black,
    /// One or the other
    #[value(aliases = ["azar", "aleatorio"])]
    Random,
}

impl PlayArgs {
    /// Plays a game.
    pub fn run(self) -> Done {
        let words = Arc::new(Words::of(self.lang));
        self.refuse_what_is_ignored(&words)?;
        let from_file = self.pgn.as_ref().map(|path| self.read_file(path, &words)).transpose()?;
        let mut folder = Folder::open(self.folder.clone(), &words)?;
        let path = |path: &Path| path.display().to_string();
        if folder.is_makeshift {
            say(&words.fill("file.makeshift", &[("path", &path(folder.path()))]))?;
        }
        if self.reset_rating {
            let profile = Profile::in_folder(folder.path(), &words);
            let rule_set = from_file.as_ref().map(|stored| stored.course.rule_set);
            profile.keep(rule_set.unwrap_or(self.rule_set()), Known::default())?;
            say(words.get("rating.forgotten"))?;
        }
        let lines = read_lines();
        if let Some(stored) = from_file {
            if let Some(remark) = stored.remark() {
                say(&words.fill("note", &[("remark", &words.remark(&remark))]))?;
            }
            return self.play(folder, Some(stored), &lines, words);
        }
        let note = |remark: &str| say(&words.fill("note", &[("remark", remark)]));
        let (games, remarks) = folder.unfinished();
        remarks.iter().try_for_each(|remark| note(remark))?;
        for game in games {
            let place = path(&game.path);
            let named = |fault: &str| words.fill("file", &[("path", &place), ("fault", fault)]);
            let read = Stored::read(game.text.as_bytes(), RuleSet::Chess, &words);
            let missing = || words.get("fault.no-game").to_string();
            let stored = match read.and_then(|stored| stored.ok_or_else(missing)) {
                Ok(stored) => stored,
                Err(fault) => {
                    note(&words.fill("left-alone", &[("fault", &named(&fault))]))?;
                    continue;
                }
            };
            let moves = match stored.course.moves.len().div_ceil(2) {
                // Where nothing was played, or all was taken back, nothing is lost; a position of one's own is.
                0 if stored.tag("FEN").is_none() => {
                    folder.forget(game);
                    continue;
                }
                0 => words.get("unfinished.unmoved").to_string(),
                count => words.counted("unfinished.move", count as u64),
            };
            match ask(&words.fill("unfinished", &[("moves", &moves)]), &lines, &words)? {
                None => return Ok(()),
                Some(true) => {
                    folder.take(game);
                    let played = self.play(folder, Some(stored), &lines, Arc::clone(&words));
                    return played.map_err(|error| named(&error.to_string()).into());
                }
                Some(false) => {
                    let text = game.text.clone();
                    folder.take(game);
                    let games = folder.finish(text.trim_end())?;
                    say(&words.fill("unfinished.put-away", &[("path", &path(&games))]))?;
                }
            }
        }
        self.play(folder, None, &lines, words)
    }

    /// The rule set of a new game.
    fn rule_set(&self) -> RuleSet {
        self.rule_set.unwrap_or_default()
    }

    /// Refuses options of which one would be ignored.
    fn refuse_what_is_ignored(&self, words: &Words) -> Result<(), String> {
        let Some(number) = self.chess960 else { return Ok(()) };
        if self.fen.is_some() {
            // Castling by the rules of Chess960, from a position of one's own.
            let number = number.map(|number| number.to_string());
            let refused = number.map(|n| words.fill("options.two-starts", &[("number", &n)]));
            return refused.map_or(Ok(()), Err);
        }
        match self.rule_set() {
            RuleSet::Chess => Ok(()),
            other => Err(words.fill("options.not-960", &[("rules", other.name())])),
        }
    }

    /// Reads the first game of a file, which is not over.
    ///
    /// # Errors
    /// A file that cannot be read, or has no game that can be gone on with under these rules.
    fn read_file(&self, path: &Path, words: &Words) -> Result<Stored, String> {
        let unread = |error| words.of_file("file.name-a-game", path, error);
        let place = path.display().to_string();
        let named = |fault: &str| words.fill("file", &[("path", &place), ("fault", fault)]);
        let mut text = Vec::new();
        let file = source::open(path).map_err(unread)?;
        file.take(LARGEST_TEXT).read_to_end(&mut text).map_err(unread)?;
        let stored = Stored::read(&text, self.rule_set(), words).map_err(|fault| named(&fault))?;
        let stored = stored.ok_or_else(|| named(words.get("fault.no-game")))?;
        let rules = stored.course.rule_set;
        if let Some(wanted) = self.rule_set.filter(|&wanted| wanted != rules) {
            let values = [("rules", rules.name()), ("wanted", wanted.name())];
            return Err(named(&words.fill("options.other-rules", &values)));
        }
        Ok(stored)
    }

    /// The position that a new game begins with.
    fn start(&self) -> Start {
        match (&self.fen, self.chess960) {
            (Some(fen), _) => Start::Fen(fen.clone()),
            (None, Some(number)) if self.rule_set() == RuleSet::Chess => {
                let by_chance = || rand::rng().random_range(0..chess960::POSITIONS);
                Start::Fen(chess960::start(number.unwrap_or_else(by_chance)))
            }
            (None, _) => Start::Initial,
        }
    }

    /// Plays a new game, or goes on with a stored one.
    fn play(
        self,
        folder: Folder,
        stored: Option<Stored>,
        lines: &Receiver<String>,
        words: Arc<Words>,
    ) -> Done {
        let new_start = self.start();
        let tag = |name: &str| stored.as_ref().and_then(|stored| stored.tag(name));
        let level = self.level.map(Mode::Level).or(self.elo);
        let kept_mode = tag("EngineStrength").and_then(Mode::read);
        let mode = level.or(kept_mode).unwrap_or(Mode::Auto);
        let kept_color = match tag("PlayerColor") {
            Some("white") => Some(Color::White),
            Some("black") => Some(Color::Black),
            _ => None,
        };
        let kept_control = tag("TimeControl").and_then(kept_control);
        let seed = tag("GameSeed").and_then(|seed| seed.parse().ok());
        let wanted = match self.color {
            Some(Side::White) => Some(Color::White),
            Some(Side::Black) => Some(Color::Black),
            Some(Side::Random) => Some(Color::from_white(rand::rng().random())),
            None => kept_color,
        };
        let (rule_set, start, is_960) = match stored.as_ref().map(|stored| &stored.course) {
            Some(course) => (course.rule_set, course.start.clone(), course.castling.is_chess960()),
            None => (self.rule_set(), new_start, self.chess960.is_some()),
        };
        let plan = Plan {
            color: wanted.unwrap_or(Color::White),
            start,
            chess960: is_960,
            mode,
            seed: seed.unwrap_or_else(Opponent::new_seed),
            control: self.clock.or(kept_control),
            at_once: self.at_once,
            style: Style::of_terminal(io::stdout().is_terminal(), self.ascii),
            folder,
            stored,
            words,
        };
        let pgn = self.pgn;
        with_rules(rule_set, Play { plan, lines, follows_turn: wanted.is_none(), pgn })
    }
}

/// Reads a time control as a PGN has it: seconds+seconds.
fn kept_control(text: &str) -> Option<TimeControl> {
    let (base, increment) = text.split_once('+')?;
    let minutes = base.parse::<f64>().ok()? / 60.0;
    format!("{minutes}+{increment}").parse().ok()
}

/// A game under one rule set.
struct Play<'a> {
    plan: Plan,
    lines: &'a Receiver<String>,
    /// The player has the side to move.
    follows_turn: bool,
    /// The file that the game comes from.
    pgn: Option<PathBuf>,
}

impl Task for Play<'_> {
    type Outcome = Result<(), Box<dyn Error>>;

    fn run<P: Variant>(self) -> Done {
        let words = Arc::clone(&self.plan.words);
        // A record that was cut off just before its end is put away in its turn.
        let is_given = self.pgn.is_some() || self.plan.stored.is_none();
        let mut session = Session::<P>::new(self.plan, self.lines)?;
        if let Some(end) = session.given_end().filter(|_| is_given) {
            return Err(over(&end, self.pgn.as_deref(), &words).into());
        }
        if self.follows_turn {
            session.take_turn();
        }
        session.run()
    }
}

/// What is said of a game that is over before it has begun: nothing is stored of it.
fn over(end: &End, pgn: Option<&Path>, words: &Words) -> String {
    let values = [("reason", words.ending(&end.reason)), ("result", end.result())];
    let Some(pgn) = pgn else { return words.fill("over.position", &values) };
    let path = pgn.display().to_string();
    let program = program();
    let [path, program] = [("path", &*path), ("program", &*program)];
    words.fill("over.file", &[&values[..], &[path, program]].concat())
}

/// The lines of standard input, read on a thread of their own, so that the clock runs meanwhile. A line is
/// cut after [`LONGEST_LINE`] bytes, and the reader waits while [`WAITING`] lines are unanswered.
pub(super) fn read_lines() -> Receiver<String> {
    let (sender, lines) = sync_channel(WAITING);
    // Without a thread there are no lines, and the game ends at once with its record on disk.
    let _ = thread::Builder::new().name("input".to_string()).spawn(move || {
        let mut input = Lines::no_longer_than(LONGEST_LINE, io::stdin().lock());
        while let Ok(Some(line)) = input.next_line() {
            if sender.send(decode(line.bytes).trim().to_string()).is_err() {
                return;
            }
        }
    });
    lines
}
