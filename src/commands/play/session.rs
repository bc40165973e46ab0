//! A game in the terminal, from the first question to the result, and on to the next game.

mod way_on;

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use shakmaty::{ByColor, CastlingMode, Color, Move};

use super::clock::{Clocks, TimeControl, readable};
use super::folder::{self, Folder};
use super::input::{self, Command, Input};
use super::opponent::{Mode, Opponent};
use super::played::{End, PlayedGame};
use super::player::Player;
use super::profile::Profile;
use super::prose;
use super::record::{self, Note, Stored};
use super::review;
use super::screen::{self, Style};
use super::texts::Words;
use crate::commands::{Done, program};
use analysis::texts::Lang;
use engine::book::names;
use engine::evaluation::Variant;
use engine::input::printable_text;
use engine::limits::Limits;
use engine::play::draw::agrees_to_draw;
use engine::play::levels::Level;
use engine::rules::setup::{self, SetupError, Start};
use engine::rules::{RuleSet, notation};
use engine::score::{Meaning, Score};
use shell::progress::{Progress, Unit};
use workshop::annotation;

/// Loss from which a move of the engine was not the best, in centipawns.
const WORTH_TELLING: i32 = 30;
/// The tag of a record with the number of the move from which a finished game is played again.
const PLAYED_AGAIN: &str = "PlayedAgain";
/// The tag of a record with the half-moves at its beginning that others have played.
const BY_OTHERS: &str = "PlayedByOthers";

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
    /// The words for the player.
    pub words: Arc<Words>,
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
    /// The half-moves at the beginning that others have played, in the game of a file.
    by_others: usize,
    /// The end, while the game is over and nothing else has begun.
    end: Option<End>,
    /// The number of the move from which a finished game is played again.
    played_again: Option<u32>,
    /// The date of the first move.
    date: String,
    /// The name of the opening that was told last.
    opening: Option<String>,
    /// True if the opponent's last move came from the book.
    is_from_book: bool,
    /// True if the player had help in this position: a hint, or a move taken back.
    is_helped: bool,
    lines: &'a Receiver<String>,
    words: Arc<Words>,
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
        let words = plan.words;
        let placed = setup::game::<P>(&plan.start, &[], castling);
        let (game, remarks) = placed.map_err(|SetupError(fault)| words.remark(&fault))?;
        let note = |remark: String| say(&words.fill("note", &[("remark", &remark)]));
        remarks.iter().try_for_each(|remark| note(words.remark(remark)))?;
        let mut course = PlayedGame::new(game.position().clone(), castling);
        let (player, remark) = Player::new(Profile::in_folder(plan.folder.path(), &words))?;
        remark.map_or(Ok(()), note)?;
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
        let by_others = match tag("PlayerColor") {
            None => course.played().len(),
            Some(_) => tag(BY_OTHERS).and_then(|plies| plies.parse().ok()).unwrap_or(0),
        };
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
            by_others,
            end: None,
            played_again,
            folder: plan.folder,
            date,
            opening: None,
            is_from_book: false,
            is_helped: false,
            lines,
            words,
        })
    }

    /// The end of the game by the rules, where it is over before the first move here.
    pub fn given_end(&self) -> Option<End> {
        self.course.end()
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

    /// Judges the player's moves of a game that goes on, unless it was judged already.
    fn judge_record(&mut self) {
        if self.played_again.is_some() {
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
        ply >= self.by_others && ply.is_multiple_of(2) == (self.color == self.course.start().turn())
    }

    /// Takes the last half-moves of the game back.
    fn take_back_plies(&mut self, count: usize) {
        self.course.take_back(count);
        self.by_others = self.by_others.min(self.course.played().len());
    }

    /// Says who plays, and shows the board.
    fn greet(&mut self) -> Done {
        let words = &self.words;
        let name = self.opponent.mode().name(words);
        say(&words.fill("greeting", &[("side", words.player(self.color)), ("name", &name)]))?;
        words.rules(P::RULE_SET).map_or(Ok(()), say)?;
        if self.opponent.mode() == Mode::Auto {
            let (rating, elo) = (self.player.in_words(words), self.player.elo().to_string());
            say(&words.fill("greeting.rating", &[("rating", &rating), ("elo", &elo)]))?;
        }
        self.restart_clocks();
        self.show_board()
    }

    /// Puts the game away, if that is not done, and begins another one with this colour.
    fn begin_again(&mut self, color: Color) -> Done {
        if self.end.is_none() && !self.course.played().is_empty() {
            let path = self.folder.finish(&self.pgn())?;
            self.say_path("game.so-far", &path)?;
        }
        self.take_back_plies(usize::MAX);
        self.color = color;
        self.view = color;
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
                Input::Move(text) => {
                    let commands = input::commands(&self.words);
                    let position = self.course.position();
                    match input::read_move(position, &text, &self.words, &commands) {
                        Ok(m) => {
                            self.player_move(m)?;
                            return Ok(Turn::GoOn);
                        }
                        Err(advice) => say(&advice)?,
                    }
                }
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
                self.say_with("elo.follows", &[("elo", &elo.to_string())])?;
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
        let Some(m) = answer.m else { return Err(self.words.get("answer.none").into()) };
        if self.clocks.as_ref().is_some_and(|clocks| clocks.left(side).is_zero()) {
            return Ok(Turn::Over(self.out_of_time(side)));
        }
        let clock = self.clocks.as_mut().map(|clocks| clocks.press(side));
        let san = notation::san(self.course.position(), m);
        let number = self.course.position().fullmoves();
        let dots = side.fold_wb(".", "...");
        let score = (!answer.is_from_book).then(|| side.fold_wb(answer.score, -answer.score));
        self.course.play(m, clock, score);
        self.is_from_book = answer.is_from_book;
        self.keep()?;
        let name = self.words.moves(&format!("{number}{dots} {san}"));
        let answer = self.words.fill("answer", &[("move", &name)]);
        show(&self.style.bold(&format!("\n{answer}")))?;
        self.announce_opening()?;
        self.show_board()?;
        Ok(Turn::GoOn)
    }

    /// Executes a command; a turn if it ends the player's.
    fn execute(&mut self, command: Command) -> Result<Option<Turn>, Box<dyn std::error::Error>> {
        match command {
            Command::Help => {
                self.say_key("help.moves")?;
                self.show_tables(&["help.commands"])?;
            }
            Command::Board => self.show_board()?,
            Command::Moves => say(&screen::legal_moves(self.course.position(), &self.words))?,
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
            Command::Elo(text) => match Mode::of_elo(&text) {
                Some(mode) => self.set_mode(mode)?,
                None => say(&Mode::valid_elo(&self.words))?,
            },
            Command::Level(text) => match self.words.read_level(&text) {
                Some(level) => self.set_mode(Mode::Level(level))?,
                None => self.say_with("level.unknown", &[("levels", self.words.get("levels"))])?,
            },
            Command::History => match self.course.history() {
                text if text.is_empty() => self.say_key("history.none")?,
                text => say(&self.words.moves(&text))?,
            },
            Command::Analyse => self.analyse()?,
            Command::Rating(text) => self.rating(&text)?,
            Command::New => return Ok(Some(Turn::Again(!self.color))),
            Command::Again => return Ok(Some(Turn::Again(self.color))),
            Command::Retry(_) => self.say_key("retry.not-over")?,
            Command::Pgn => show(&printable_text(self.pgn().trim_end()))?,
            Command::Save(path) if path.is_empty() => self.say_key("save.usage")?,
            Command::Save(path) => match folder::save(Path::new(&path), &self.pgn(), &self.words) {
                Ok(()) => self.say_path("game.saved", Path::new(&path))?,
                Err(error) => say(&error)?,
            },
            Command::Quit => return Ok(Some(Turn::Leave)),
        }
        Ok(None)
    }

    /// Takes back the player's last move and the answer to it.
    fn take_back(&mut self) -> Result<Option<Turn>, Box<dyn std::error::Error>> {
        if self.course.played().len() < 2 {
            self.say_key("take-back.none")?;
            return Ok(None);
        }
        self.take_back_plies(2);
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
        let san = notation::san(self.course.position(), m);
        let outlook = outlook(advice.score, &self.words);
        let values = [("move", &*self.words.moves(&san)), ("outlook", &outlook)];
        let hint = self.words.fill("hint", &values);
        say(&prose::hint(hint, self.course.position(), &self.words))
    }

    /// Explains the position, or how the game has ended, and judges the last move.
    fn why(&mut self) -> Done {
        let over = self.end.as_ref().filter(|_| self.course.end().is_some());
        match over.map(|end| self.result_in_words(end)) {
            Some(result) => say(&result)?,
            None => {
                let evaluation = self.opponent.explain(&self.start, &self.course.uci_moves());
                say(&prose::why(&evaluation, &self.words))?;
            }
        }
        self.last_move_in_words().map_or(Ok(()), |words| say(&words))
    }

    /// Whether the last move was good, and why the opponent has made a worse one; `None` if none was made.
    fn last_move_in_words(&mut self) -> Option<String> {
        let last = self.course.played().last()?.clone();
        let played = self.words.moves(&last.san);
        let moves = self.course.uci_moves();
        let last_ply = moves.len() - 1;
        let is_own = self.is_own(last_ply);
        let [wins, good, bad] = match is_own {
            true => ["last.own.wins", "last.own.good", "last.own.bad"],
            false if last_ply < self.by_others => {
                ["last.other.wins", "last.other.good", "last.other.bad"]
            }
            false => ["last.wins", "last.good", "last.bad"],
        };
        let mover = !self.course.turn();
        let player = ("player", self.words.player(mover));
        if self.is_from_book && !is_own {
            return Some(self.words.fill("last.book", &[("move", &played)]));
        }
        let ended = self.course.end().map(|end| end.score(mover));
        if ended.is_some_and(Score::is_win) {
            return Some(self.words.fill(wins, &[("move", &played), player]));
        }
        let best = self.opponent.advice(&self.start, moves.split_last()?.1);
        let score = ended.unwrap_or_else(|| -self.opponent.advice(&self.start, &moves).score);
        let loss = best.score - score;
        let better = best.m.filter(|&m| m != last.m && loss >= WORTH_TELLING);
        let Some(better) = better else {
            return Some(self.words.fill(good, &[("move", &played), player]));
        };
        let before = self.course.game_after(last_ply);
        let words = &self.words;
        let better = notation::san(before.position(), better);
        let price = if best.score.is_mate() || score.is_mate() {
            words.get("last.price.mate").to_string()
        } else {
            let pawns = words.decimal(&format!("{:.1}", f64::from(loss) / 100.0));
            words.fill("last.price", &[("pawns", &pawns)])
        };
        let overlooks = |elo: u32| words.fill("last.why.elo", &[("elo", &elo.to_string())]);
        let why = match self.opponent.mode() {
            Mode::Level(Level::Unlimited) => words.get("last.why.unlimited").to_string(),
            Mode::Level(_) => words.get("last.why.level").to_string(),
            Mode::Elo(_) | Mode::Auto => overlooks(self.opponent.rating()),
        };
        let better = words.moves(&better);
        let values = [("move", &*played), ("better", &better), ("price", &price), ("why", &why)];
        Some(words.fill(bad, &[&values[..], &[player]].concat()))
    }

    /// Finds the mistakes of the game so far.
    fn analyse(&mut self) -> Done {
        if self.course.played().is_empty() {
            return self.say_key("review.nothing");
        }
        self.is_helped = true;
        let mistakes = self.with_progress(|advance| {
            let color = Some(self.color).filter(|_| self.by_others == 0);
            review::mistakes(&self.pgn(), P::RULE_SET, color, &self.words, advance)
        })?;
        say(&mistakes)
    }

    /// Analyses the game so far by `review`, with a bar meanwhile: a long one takes many seconds.
    fn with_progress<T>(&self, review: impl FnOnce(&(dyn Fn(usize) + Sync)) -> T) -> T {
        let steps = annotation::steps(self.course.played().len()) as u64;
        let progress = Progress::bar_alone(steps, Unit::Share, self.words.analysis.lang);
        review(&|steps| progress.add(steps as u64))
    }

    /// Shows what is known of the player's strength, or forgets it.
    fn rating(&mut self, text: &str) -> Done {
        let text = text.to_lowercase();
        if text.is_empty() {
            return say(&self.player.in_words(&self.words));
        }
        if !["reset", self.words.get("rating.reset")].contains(&text.as_str()) {
            return self.say_key("rating.usage");
        }
        match self.player.forget() {
            Ok(()) => {
                self.opponent.follow(self.player.elo());
                self.say_key("rating.forgotten")
            }
            Err(error) => say(&error),
        }
    }

    fn offer_draw(&mut self) -> Result<Option<Turn>, Box<dyn std::error::Error>> {
        // The person is to move, and offers it.
        let mine = -self.opponent.advice(&self.start, &self.course.uci_moves()).score;
        if agrees_to_draw(mine, self.course.played().len()) {
            let end = End { winner: None, reason: "agreement".to_string() };
            return Ok(Some(Turn::Over(end)));
        }
        self.say_key("draw.refused")?;
        Ok(None)
    }

    fn set_mode(&mut self, mode: Mode) -> Done {
        self.opponent.set_mode(mode);
        // A game that is over has its record already.
        if self.end.is_none() {
            self.keep()?;
        }
        self.say_with("opponent.now", &[("name", &mode.name(&self.words))])
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
        let mut parts = vec![self.words.side(self.color).to_string()];
        if self.course.game().now().is_check() {
            parts.push(self.words.get("prompt.check").to_string());
        }
        if let Some(clocks) = &self.clocks {
            let both = clocks.both(self.color);
            let [own, other] = [self.color, !self.color]
                .map(|color| self.words.decimal(&readable(*both.get(color))));
            parts.push(self.words.fill("prompt.clocks", &[("own", &own), ("other", &other)]));
        }
        prompt(&parts.join(" "))
    }

    fn show_board(&self) -> Done {
        let last = self.course.played().last().map(|played| played.m);
        let position = self.course.position();
        show(screen::board(position, last, self.view, self.style, &self.words).trim_end())
    }

    /// Names the opening when its name changes.
    fn announce_opening(&mut self) -> Done {
        let name = self.opponent.opening(&self.start, &self.course.uci_moves());
        if name.is_some() && name != self.opening {
            self.say_with("opening", &[("name", name.as_deref().unwrap_or_default())])?;
            self.opening = name;
        }
        Ok(())
    }

    /// The game as PGN.
    fn pgn(&self) -> String {
        // A record is in English, whoever plays.
        let (player, name) =
            ("Player".to_string(), self.opponent.mode().name(&Words::of(Lang::En)));
        let (white, black) = if self.color.is_white() { (player, name) } else { (name, player) };
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
        if let Some(opening) = names::of(self.course.game()) {
            tags.extend([("ECO", opening.eco.clone()), ("Opening", opening.full_name())]);
        }
        tags.extend(self.control.map(|control| ("TimeControl", control.to_string())));
        tags.push(("PlayerColor", self.color.fold_wb("white", "black").to_string()));
        tags.push(("EngineStrength", self.opponent.text()));
        tags.push(("GameSeed", self.seed.to_string()));
        tags.extend(self.played_again.map(|number| (PLAYED_AGAIN, number.to_string())));
        if self.by_others > 0 {
            tags.push((BY_OTHERS, self.by_others.to_string()));
        }
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

    fn leave(mut self) -> Done {
        // A game without moves has nothing to keep, unless it begins with a position of one's own.
        if self.course.played().is_empty() && self.start == Start::Initial {
            self.folder.remove_record();
        }
        let Some(path) = self.folder.record() else { return say("") };
        let command = format!("{} play{}", program(), self.folder.option());
        let values = [("path", &*path.display().to_string()), ("command", &command)];
        say(&format!("\n{}", self.words.fill("game.kept", &values)))
    }

    /// Says the text of a key.
    fn say_key(&self, key: &str) -> Done {
        say(self.words.get(key))
    }

    /// Says the text of a key with its placeholders filled.
    fn say_with(&self, key: &str, values: &[(&str, &str)]) -> Done {
        say(&self.words.fill(key, values))
    }

    /// Says where something is.
    fn say_path(&self, key: &str, path: &Path) -> Done {
        self.say_with(key, &[("path", &path.display().to_string())])
    }

    /// Shows tables of commands as one.
    fn show_tables(&self, keys: &[&'static str]) -> Done {
        let lines: Vec<_> = keys.iter().flat_map(|key| self.words.table(key)).collect();
        show(&prose::commands(&lines, screen::width()))
    }
}

/// A score in words, for the side to move.
fn outlook(score: Score, words: &Words) -> String {
    match score.meaning() {
        Meaning::Mate(moves) => {
            let key = if moves > 0 { "outlook.mate" } else { "outlook.mated" };
            words.fill(key, &[("count", &moves.abs().to_string())])
        }
        Meaning::Centipawns(value) => {
            words.fill("outlook.score", &[("score", &words.pawns(value))])
        }
    }
}

/// Shows what is to be answered, on a line that the player goes on with.
fn prompt(text: &str) -> Done {
    let mut out = io::stdout();
    closed_is_fine(write!(out, "{text} > ").and_then(|()| out.flush()))
}

/// Writes lines, broken between words, without control characters: a file or a pipe may have brought some. A
/// closed terminal is no error: the record is on disk.
pub fn say(text: &str) -> Done {
    show(&prose::wrap(&printable_text(text), screen::width(), 0))
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
    words: &Words,
) -> Result<Option<bool>, Box<dyn std::error::Error>> {
    let question = words.fill("ask", &[("question", question)]);
    loop {
        let mut out = io::stdout();
        closed_is_fine(write!(out, "{question} ").and_then(|()| out.flush()))?;
        let Ok(line) = lines.recv() else { return Ok(None) };
        let line = line.trim().to_lowercase();
        let is = |key| words.get(key).split(' ').any(|answer| answer == line);
        if line.is_empty() || is("ask.yes") {
            return Ok(Some(true));
        }
        if is("ask.no") {
            return Ok(Some(false));
        }
    }
}
