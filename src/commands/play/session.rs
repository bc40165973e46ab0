//! A game in the terminal, from the first question to the result, and on to the next game.

mod way_on;

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use shakmaty::san::SanPlus;
use shakmaty::{ByColor, CastlingMode, Color, Move};

use super::clock::{Clocks, TimeControl, readable};
use super::folder::{self, Folder};
use super::input::{self, Command, Input};
use super::opponent::{Mode, Opponent};
use super::played::{End, PlayedGame};
use super::player::Player;
use super::profile::Profile;
use super::record::{self, Note, Stored};
use super::review;
use super::screen::{self, Style};
use super::words;
use crate::commands::{Done, program};
use engine::evaluation::Variant;
use engine::input::printable_text;
use engine::limits::Limits;
use engine::play::draw::agrees_to_draw;
use engine::play::levels::Level;
use engine::rules::RuleSet;
use engine::rules::setup::{self, Start};
use engine::score::{Meaning, Score};

/// Loss from which a move of the engine was not the best, in centipawns.
const WORTH_TELLING: i32 = 30;
/// The tag of a record with the number of the move from which a finished game is played again.
const PLAYED_AGAIN: &str = "PlayedAgain";

/// All that a game begins with.
pub struct Plan {
    /// The record of the game so far.
    pub stored: Option<Stored>,
    /// The position at the start.
    pub start: Start,
    /// Castling by the rules of Chess960.
    pub chess960: bool,
    /// The player's side.
    pub color: Color,
    /// The opponent's strength.
    pub mode: Mode,
    /// The seed of its errors.
    pub seed: u64,
    /// The time control.
    pub control: Option<TimeControl>,
    /// True if the opponent takes no person's time for a move.
    pub at_once: bool,
    /// The style of the board.
    pub style: Style,
    /// The folder of the records.
    pub folder: Folder,
}

/// The reason why a turn ends.
enum Turn {
    /// A move was made, or taken back.
    GoOn,
    /// The game is over.
    Over(End),
    /// The player wants another game, with this colour.
    Again(Color),
    /// The player leaves.
    Leave,
}

/// A game under way.
pub struct Session<'a, P: Variant> {
    course: PlayedGame<P>,
    opponent: Opponent,
    player: Player<P>,
    start: Start,
    chess960: bool,
    color: Color,
    /// The side at the bottom of the board.
    view: Color,
    seed: u64,
    control: Option<TimeControl>,
    clocks: Option<Clocks>,
    style: Style,
    folder: Folder,
    /// True if the moves so far were played here, by the player.
    is_own_game: bool,
    /// The end, while the game is over and nothing else has begun.
    end: Option<End>,
    /// The number of the move from which a finished game is played again.
    played_again: Option<u32>,
    /// The date of the first move.
    date: String,
    opening: Option<String>,
    /// True if the opponent's last move came from the book.
    is_from_book: bool,
    /// True if the player had help in this position: a hint, or a move taken back.
    is_helped: bool,
    lines: &'a Receiver<String>,
}

impl<'a, P: Variant> Session<'a, P> {
    /// Sets the game up, with the moves of its record.
    ///
    /// # Errors
    /// A position or a move that is not legal, and a lack of memory.
    pub fn new(
        plan: Plan,
        lines: &'a Receiver<String>,
    ) -> Result<Session<'a, P>, Box<dyn std::error::Error>> {
        let castling = CastlingMode::from_chess960(plan.chess960);
        let (game, remarks) = setup::game::<P>(&plan.start, &[], castling)?;
        for remark in remarks {
            say(&format!("note: {remark}"))?;
        }
        let mut course = PlayedGame::new(game.position().clone(), castling);
        let (player, remark) = Player::new(Profile::in_folder(plan.folder.path()))?;
        remark.map_or(Ok(()), |remark| say(&format!("note: {remark}")))?;
        let level = (plan.mode, player.elo());
        let mut opponent = Opponent::new(level, P::RULE_SET, plan.chess960, plan.seed)?;
        if plan.at_once {
            opponent.answer_at_once();
        }
        for (m, Note { clock, score, is_helped }) in plan.stored.iter().flat_map(Stored::moves) {
            course.play(m, clock, score);
            if is_helped {
                course.mark_helped();
            }
        }
        let tag = |name| plan.stored.as_ref().and_then(|stored| stored.tag(name));
        let is_own_game = tag("PlayerColor").is_some();
        let played_again = tag(PLAYED_AGAIN).and_then(|number| number.parse().ok());
        let date = tag("Date");
        let date = date.map_or_else(record::today, str::to_string);
        Ok(Session {
            course,
            opponent,
            player,
            start: plan.start,
            chess960: plan.chess960,
            color: plan.color,
            view: plan.color,
            seed: plan.seed,
            control: plan.control,
            clocks: plan.control.map(Clocks::new),
            style: plan.style,
            is_own_game,
            end: None,
            played_again,
            folder: plan.folder,
            date,
            opening: None,
            is_from_book: false,
            is_helped: false,
            lines,
        })
    }

    /// Gives the side to move to the player.
    pub fn take_turn(&mut self) {
        self.color = self.course.turn();
        self.view = self.color;
    }

    /// Plays game after game, until the player leaves.
    ///
    /// # Errors
    /// A record that cannot be written.
    pub fn run(mut self) -> Done {
        self.judge_record();
        self.greet()?;
        loop {
            let turn = match self.course.end() {
                _ if self.end.is_some() => self.way_on()?,
                Some(end) => Turn::Over(end),
                None if self.course.turn() == self.color => self.player_turn()?,
                None => self.engine_turn()?,
            };
            match turn {
                Turn::GoOn => {}
                Turn::Over(end) => self.finish(end)?,
                Turn::Again(color) => self.begin_again(color)?,
                Turn::Leave => return self.leave(),
            }
        }
    }

    /// Judges the player's moves of a game that goes on, unless it is somebody else's, or was judged already.
    fn judge_record(&mut self) {
        if !self.is_own_game || self.played_again.is_some() {
            return;
        }
        let strength = self.opponent.rating();
        for (ply, played) in self.course.played().iter().enumerate() {
            if self.is_own(ply) {
                let game = self.course.game_after(ply);
                self.player.note(&game, played.m, played.is_helped, strength);
            }
        }
        self.opponent.follow(self.player.elo());
    }

    /// True if half-move `ply` of the game is the player's.
    fn is_own(&self, ply: usize) -> bool {
        ply.is_multiple_of(2) == (self.color == self.course.start().turn())
    }

    /// Says who plays, and shows the board.
    fn greet(&mut self) -> Done {
        let side = self.color.fold_wb("White", "Black");
        let name = self.opponent.mode().name();
        say(&format!("You have {side} against {name}. Type help for help."))?;
        if self.opponent.mode() == Mode::Auto {
            let elo = self.player.elo();
            say(&format!("{} I begin with {elo}.", self.player.in_words()))?;
        }
        self.restart_clocks();
        self.show_board()
    }

    /// Puts the game away, if that is not done, and begins another one with this colour.
    fn begin_again(&mut self, color: Color) -> Done {
        if self.end.is_none() && !self.course.played().is_empty() {
            let path = self.folder.finish(&self.pgn())?;
            say(&format!("The game so far is in {}.", path.display()))?;
        }
        self.course.take_back(usize::MAX);
        self.color = color;
        self.view = color;
        self.is_own_game = true;
        self.played_again = None;
        self.opening = None;
        self.begin_record();
        self.greet()
    }

    /// Begins another record, with whatever moves are on the board.
    fn begin_record(&mut self) {
        self.end = None;
        self.seed = Opponent::new_seed();
        self.player.begin_again();
        self.opponent.begin_again(self.seed);
        self.opponent.follow(self.player.elo());
        self.clocks = self.control.map(Clocks::new);
        self.date = record::today();
        (self.is_from_book, self.is_helped) = (false, false);
    }

    /// The player's turn: lines until a move, a decision, or the end of the time.
    fn player_turn(&mut self) -> Result<Turn, Box<dyn std::error::Error>> {
        loop {
            self.prompt()?;
            let line = match self.line() {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => {
                    say("")?;
                    return Ok(Turn::Over(self.out_of_time(self.color)));
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(Turn::Leave),
            };
            echo(&line)?;
            match input::read(&line) {
                Input::Empty => {}
                Input::Move(text) => match input::read_move(self.course.position(), &text) {
                    Ok(m) => {
                        self.player_move(m)?;
                        return Ok(Turn::GoOn);
                    }
                    Err(advice) => say(&advice)?,
                },
                Input::Command(command) => {
                    if let Some(turn) = self.execute(command)? {
                        return Ok(turn);
                    }
                }
            }
        }
    }

    /// The next line, while the player's clock runs.
    fn line(&self) -> Result<String, RecvTimeoutError> {
        match &self.clocks {
            None => self.lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(clocks) => self.lines.recv_timeout(clocks.left(self.color)),
        }
    }

    fn player_move(&mut self, m: Move) -> Done {
        let clock = self.clocks.as_mut().map(|clocks| clocks.press(self.color));
        let before = self.course.game().clone();
        self.course.play(m, clock, None);
        // Whoever tries a game again knows what came of it.
        let is_helped = self.is_helped || self.played_again.is_some();
        if is_helped {
            self.course.mark_helped();
        }
        self.keep()?;
        self.announce_opening()?;
        let strength = self.opponent.rating();
        let change = self.player.note(&before, m, is_helped, strength);
        self.is_helped = false;
        if let Some(elo) = change {
            self.opponent.follow(elo);
            if self.opponent.mode() == Mode::Auto {
                say(&format!("You play like about {elo}: so do I from now on."))?;
            }
        }
        Ok(())
    }

    /// The engine's turn.
    fn engine_turn(&mut self) -> Result<Turn, Box<dyn std::error::Error>> {
        let side = !self.color;
        let limits =
            self.clocks.as_ref().map_or_else(Limits::default, |clocks| clocks.limits(side));
        let answer = self.opponent.answer(&self.start, &self.course.uci_moves(), limits);
        let Some(m) = answer.m else { return Err("the engine has found no move".into()) };
        if self.clocks.as_ref().is_some_and(|clocks| clocks.left(side).is_zero()) {
            return Ok(Turn::Over(self.out_of_time(side)));
        }
        let clock = self.clocks.as_mut().map(|clocks| clocks.press(side));
        let san = SanPlus::from_move(self.course.position().clone(), m).to_string();
        let number = self.course.position().fullmoves();
        let dots = side.fold_wb(".", "...");
        let score = (!answer.is_from_book).then(|| side.fold_wb(answer.score, -answer.score));
        self.course.play(m, clock, score);
        self.is_from_book = answer.is_from_book;
        self.keep()?;
        show(&self.style.bold(&format!("\nI play {number}{dots} {san}")))?;
        self.announce_opening()?;
        self.show_board()?;
        Ok(Turn::GoOn)
    }

    /// Executes a command; a turn if it ends the player's.
    fn execute(&mut self, command: Command) -> Result<Option<Turn>, Box<dyn std::error::Error>> {
        match command {
            Command::Help => {
                say(input::MOVES_HELP)?;
                show(&words::commands(input::HELP, screen::width()))?;
            }
            Command::Board => self.show_board()?,
            Command::Moves => self.list_moves()?,
            Command::Flip => {
                self.view = !self.view;
                self.show_board()?;
            }
            Command::TakeBack => return self.take_back(),
            Command::Hint => self.hint()?,
            Command::Why => self.why()?,
            Command::Draw => return self.offer_draw(),
            Command::Resign => {
                let end = End { winner: Some(!self.color), reason: "resignation".to_string() };
                return Ok(Some(Turn::Over(end)));
            }
            Command::Elo(text) => self.set_mode(Mode::of_elo(&text))?,
            Command::Level(text) => {
                let level = text.parse::<Level>().map_err(|error| error.to_string());
                self.set_mode(level.map(Mode::Level))?;
            }
            Command::History => match self.course.history() {
                text if text.is_empty() => say("No move has been made yet.")?,
                text => say(&text)?,
            },
            Command::Analyse => self.analyse()?,
            Command::Rating(text) => self.rating(&text)?,
            Command::New => return Ok(Some(Turn::Again(!self.color))),
            Command::Again => return Ok(Some(Turn::Again(self.color))),
            Command::Retry(_) => say("The game is not over: undo takes back your last move.")?,
            Command::Pgn => show(&printable_text(self.pgn().trim_end()))?,
            Command::Save(path) if path.is_empty() => say("name a file, as in save game.pgn")?,
            Command::Save(path) => match folder::save(Path::new(&path), &self.pgn()) {
                Ok(()) => say(&format!("The game is in {path}."))?,
                Err(error) => say(&error)?,
            },
            Command::Quit => return Ok(Some(Turn::Leave)),
        }
        Ok(None)
    }

    fn list_moves(&self) -> Done {
        let position = self.course.position();
        let legal = position.legal_moves().into_iter();
        let names = legal.map(|m| SanPlus::from_move(position.clone(), m).to_string());
        say(&names.collect::<Vec<_>>().join(" "))
    }

    /// Takes back the player's last move and the answer to it.
    fn take_back(&mut self) -> Result<Option<Turn>, Box<dyn std::error::Error>> {
        if self.course.played().len() < 2 {
            say("There is no move of yours to take back.")?;
            return Ok(None);
        }
        self.course.take_back(2);
        let own = (0..self.course.played().len()).filter(|&ply| self.is_own(ply));
        self.player.take_back_to(own.count());
        (self.is_from_book, self.is_helped) = (false, true);
        self.restart_clocks();
        self.keep()?;
        self.show_board()?;
        Ok(Some(Turn::GoOn))
    }

    fn hint(&mut self) -> Done {
        let advice = self.opponent.advice(&self.start, &self.course.uci_moves());
        let Some(m) = advice.m else { return Ok(()) };
        self.is_helped = true;
        let san = SanPlus::from_move(self.course.position().clone(), m);
        say(&format!("Hint: {san}, {} for you.", outlook(advice.score)))
    }

    fn why(&mut self) -> Done {
        let evaluation = self.opponent.explain(&self.start, &self.course.uci_moves());
        say(&words::why(&evaluation))?;
        self.last_move_in_words().map_or(Ok(()), |words| say(&words))
    }

    /// Why the opponent has made its last move, if it has made one.
    fn last_move_in_words(&mut self) -> Option<String> {
        let last = self.course.played().last()?.clone();
        if self.is_from_book {
            return Some(format!("My last move, {}, is from the book.", last.san));
        }
        let moves = self.course.uci_moves();
        let best = self.opponent.advice(&self.start, moves.split_last()?.1);
        let score = -self.opponent.advice(&self.start, &moves).score;
        let loss = best.score - score;
        let better = best.m.filter(|&m| m != last.m && loss >= WORTH_TELLING);
        let Some(better) = better else {
            return Some(format!("My last move, {}, was as good as any.", last.san));
        };
        let before = self.course.game_after(moves.len() - 1);
        let better = SanPlus::from_move(before.position().clone(), better);
        let price = if best.score.is_mate() || score.is_mate() {
            "much better".to_string()
        } else {
            format!("better by {:.1} pawns", f64::from(loss) / 100.0)
        };
        let why = match self.opponent.mode() {
            Mode::Level(Level::Unlimited) => "I have looked further now.".to_string(),
            Mode::Level(_) => "At my level I do not see so far.".to_string(),
            Mode::Elo(elo) => format!("At {elo} Elo one overlooks such moves."),
            Mode::Auto => format!("At {} Elo one overlooks such moves.", self.player.elo()),
        };
        Some(format!("My last move was {}; {better} was {price}. {why}", last.san))
    }

    /// Finds the mistakes of the game so far.
    fn analyse(&mut self) -> Done {
        if self.course.played().is_empty() {
            return say("There is nothing to analyse yet: no move has been made.");
        }
        self.is_helped = true;
        say(&review::mistakes(&self.pgn(), P::RULE_SET, self.color)?)
    }

    /// Shows what is known of the player's strength, or forgets it.
    fn rating(&mut self, text: &str) -> Done {
        match text.to_ascii_lowercase().as_str() {
            "" => say(&self.player.in_words()),
            "reset" => match self.player.forget() {
                Ok(()) => {
                    self.opponent.follow(self.player.elo());
                    say("Forgotten: I know nothing of your strength any more.")
                }
                Err(error) => say(&error),
            },
            _ => say("write rating, or rating reset to forget it"),
        }
    }

    fn offer_draw(&mut self) -> Result<Option<Turn>, Box<dyn std::error::Error>> {
        // The person is to move, and offers it.
        let mine = -self.opponent.advice(&self.start, &self.course.uci_moves()).score;
        if agrees_to_draw(mine, self.course.played().len()) {
            let end = End { winner: None, reason: "agreement".to_string() };
            return Ok(Some(Turn::Over(end)));
        }
        say("No draw yet: I want to play on.")?;
        Ok(None)
    }

    fn set_mode(&mut self, mode: Result<Mode, String>) -> Done {
        match mode {
            Ok(mode) => {
                self.opponent.set_mode(mode);
                self.keep()?;
                say(&format!("You play against {} now.", self.opponent.mode().name()))
            }
            Err(error) => say(&error),
        }
    }

    /// The clocks run from the times of the last moves.
    fn restart_clocks(&mut self) {
        let first = self.course.start().turn();
        let played = self.course.played();
        let left = ByColor::new_with(|color| {
            let is_own = |index: usize| index.is_multiple_of(2) == (color == first);
            let last = played.iter().enumerate().rev().find(|(index, _)| is_own(*index));
            last.and_then(|(_, played)| played.clock)
        });
        if let Some(clocks) = &mut self.clocks {
            clocks.restart(left);
        }
    }

    fn out_of_time(&self, side: Color) -> End {
        // Nobody can win on time who could not win at all.
        let winner = (!self.course.position().has_insufficient_material(!side)).then_some(!side);
        End { winner, reason: "time".to_string() }
    }

    fn prompt(&self) -> Done {
        let turn = self.color.fold_wb("White", "Black");
        let clocks = self.clocks.as_ref().map_or_else(String::new, |clocks| {
            let both = clocks.both(self.color);
            format!(
                " [you {}, I {}]",
                readable(*both.get(self.color)),
                readable(*both.get(!self.color))
            )
        });
        let check = if self.course.game().now().is_check() { " (check!)" } else { "" };
        let mut out = io::stdout();
        closed_is_fine(write!(out, "{turn}{check}{clocks} > ").and_then(|()| out.flush()))
    }

    fn show_board(&self) -> Done {
        let last = self.course.played().last().map(|played| played.m);
        show(screen::board(self.course.position(), last, self.view, self.style).trim_end())
    }

    /// Names the opening when its name changes.
    fn announce_opening(&mut self) -> Done {
        let name = self.opponent.opening(&self.start, &self.course.uci_moves());
        if name.is_some() && name != self.opening {
            say(&format!("Opening: {}", name.as_deref().unwrap_or_default()))?;
            self.opening = name;
        }
        Ok(())
    }

    /// The game as PGN.
    fn pgn(&self) -> String {
        let mode = self.opponent.mode();
        let (white, black) = self
            .color
            .fold_wb(("Player".to_string(), mode.name()), (mode.name(), "Player".to_string()));
        let mut tags: Vec<(&str, String)> = vec![
            ("Event", "Game in the terminal".to_string()),
            ("Site", "?".to_string()),
            ("Date", self.date.clone()),
            ("Round", "-".to_string()),
            ("White", white),
            ("Black", black),
        ];
        if let Some(elo) = self.opponent.elo() {
            tags.push((self.color.fold_wb("BlackElo", "WhiteElo"), elo.to_string()));
        }
        match (self.chess960, P::RULE_SET) {
            (true, RuleSet::Chess) => tags.push(("Variant", "Chess960".to_string())),
            (_, RuleSet::Chess) => {}
            (_, rule_set) => tags.push(("Variant", rule_set.name().to_string())),
        }
        if let Start::Fen(_) = &self.start {
            tags.push(("SetUp", "1".to_string()));
            tags.push(("FEN", setup::fen(self.course.start())));
        }
        tags.extend(self.opening.clone().map(|name| ("Opening", name)));
        tags.extend(self.control.map(|control| ("TimeControl", control.to_string())));
        tags.push(("PlayerColor", self.color.fold_wb("white", "black").to_string()));
        tags.push(("EngineStrength", self.opponent.text()));
        tags.push(("GameSeed", self.seed.to_string()));
        tags.extend(self.played_again.map(|number| (PLAYED_AGAIN, number.to_string())));
        let tags: Vec<(String, String)> =
            tags.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        let start = self.course.start();
        record::pgn(
            &tags,
            self.course.played(),
            (start.fullmoves().get(), start.turn()),
            self.end.as_ref(),
        )
    }

    /// Writes the record of the unfinished game.
    fn keep(&mut self) -> Done {
        let pgn = self.pgn();
        Ok(self.folder.keep(&pgn)?)
    }

    fn leave(&self) -> Done {
        let Some(path) = self.folder.record() else { return say("") };
        let (place, program) = (path.display(), program());
        say(&format!("\nThe game is kept in {place}; {program} play goes on with it."))
    }
}

/// A score in words, for the side to move.
fn outlook(score: Score) -> String {
    match score.meaning() {
        Meaning::Mate(moves) if moves > 0 => format!("mate in {moves}"),
        Meaning::Mate(moves) => format!("mated in {}", -moves),
        Meaning::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
    }
}

/// Writes lines, broken between words, without control characters: a file or a pipe may have brought some. A
/// closed terminal is no error: the record is on disk.
pub fn say(text: &str) -> Done {
    show(&words::wrap(&printable_text(text), screen::width(), 0))
}

/// Writes lines with colours. A closed terminal is no error.
pub fn show(text: &str) -> Done {
    closed_is_fine(writeln!(io::stdout(), "{text}"))
}

/// Takes the end of a closed terminal for no error.
///
/// # Errors
/// Any other error of writing.
pub fn closed_is_fine(written: io::Result<()>) -> Done {
    use io::ErrorKind::BrokenPipe;
    match written {
        // A terminal that has gone answers with EIO, which has no kind of its own.
        Err(error) if error.kind() == BrokenPipe || error.raw_os_error() == Some(5) => Ok(()),
        result => Ok(result?),
    }
}

/// Shows a line that comes from a file or a pipe; a terminal shows what is typed itself.
fn echo(line: &str) -> Done {
    if io::stdin().is_terminal() { Ok(()) } else { say(line) }
}

/// Waits until a line says yes or no; the end of the input is `None`.
pub fn ask(
    question: &str,
    lines: &Receiver<String>,
) -> Result<Option<bool>, Box<dyn std::error::Error>> {
    loop {
        let mut out = io::stdout();
        closed_is_fine(write!(out, "{question} [Y/n] ").and_then(|()| out.flush()))?;
        let Ok(line) = lines.recv() else { return Ok(None) };
        match line.trim().to_ascii_lowercase().as_str() {
            "" | "y" | "yes" => return Ok(Some(true)),
            "n" | "no" => return Ok(Some(false)),
            _ => {}
        }
    }
}
