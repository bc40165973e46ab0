//! The way on when a game is over: its result, then another game, another try from one of its moves, or the end.

use std::error::Error;
use std::io::{self, Write};

use super::{Session, Turn, closed_is_fine, echo, say, show};
use crate::commands::Done;
use crate::commands::play::input::{self, Command, Input};
use crate::commands::play::played::End;
use crate::commands::play::{review, screen, words};
use engine::evaluation::Variant;
use engine::rules::setup::Start;

/// The answer to what only a game that goes on can take.
const OVER: &str =
    "The game is over: new or again begins another one, help shows what else there is.";

impl<P: Variant> Session<'_, P> {
    /// Puts a finished game away, tells how it ended, and offers what can come next.
    pub(super) fn finish(&mut self, end: End) -> Done {
        let outcome = match end.winner {
            None => "The game is drawn",
            Some(winner) if winner == self.color => "You have won",
            Some(_) => "I have won",
        };
        let result = format!("{outcome}: {}. {}", end.reason, end.result());
        let points = match end.winner {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == self.color)),
        };
        self.end = Some(end);
        let path = self.folder.finish(&self.pgn())?;
        self.show_board()?;
        show(&self.style.bold(&result))?;
        // Another start may have been won or lost already.
        match self.player.remember(Some(points).filter(|_| self.start == Start::Initial)) {
            Ok(true) => say(&self.player.remembered_in_words())?,
            Ok(false) => {}
            Err(error) => say(&format!("note: {error}"))?,
        }
        say(&format!("The game is in {}.", path.display()))?;
        self.show_ways_on()
    }

    fn show_ways_on(&self) -> Done {
        show(&words::commands(input::WAYS_ON, screen::width()))
    }

    /// Lines of the player until one leads on: no clock runs, and no move can be played.
    pub(super) fn way_on(&mut self) -> Result<Turn, Box<dyn Error>> {
        loop {
            let mut out = io::stdout();
            closed_is_fine(write!(out, "Game over > ").and_then(|()| out.flush()))?;
            let Ok(line) = self.lines.recv() else { return Ok(Turn::Leave) };
            echo(&line)?;
            match input::read(&line) {
                Input::Empty => {}
                Input::Move(text) => match input::nearest(&text) {
                    Some(command) => say(&format!("Did you mean {command}?"))?,
                    None => say(OVER)?,
                },
                Input::Command(command) => match command {
                    Command::Help => self.show_ways_on()?,
                    Command::Retry(text) => {
                        if let Some(turn) = self.retry(&text)? {
                            return Ok(turn);
                        }
                    }
                    Command::TakeBack => {
                        let own = (0..self.course.played().len()).rfind(|&ply| self.is_own(ply));
                        match own {
                            Some(ply) => return self.play_again_from(ply),
                            None => say("There is no move of yours to take back.")?,
                        }
                    }
                    Command::Hint | Command::Draw | Command::Resign | Command::Moves => say(OVER)?,
                    other => {
                        if let Some(turn) = self.execute(other)? {
                            return Ok(turn);
                        }
                    }
                },
            }
        }
    }

    /// Goes back to the player's move of a number, or to the one that lost most.
    fn retry(&mut self, number: &str) -> Result<Option<Turn>, Box<dyn Error>> {
        let ply = if number.is_empty() {
            say("I look for your move that lost most ...")?;
            let Some((ply, name)) = review::worst(&self.pgn(), P::RULE_SET, self.color)? else {
                say("I find no mistake of yours. Name a move, as in retry 14, or write undo.")?;
                return Ok(None);
            };
            say(&format!("It was {}, {name}.", self.course.name(ply)))?;
            ply
        } else {
            let own = (0..self.course.played().len()).filter(|&ply| self.is_own(ply));
            let numbers: Vec<(u32, usize)> =
                own.map(|ply| (self.course.number(ply), ply)).collect();
            let found = numbers.iter().find(|(own, _)| number.parse() == Ok(*own));
            let Some(&(_, ply)) = found else {
                say(&match (numbers.first(), numbers.last()) {
                    (Some((first, _)), Some((last, _))) => {
                        format!("You made the moves {first} to {last}: write retry and a number.")
                    }
                    _ => "There is no move of yours to go back to.".to_string(),
                })?;
                return Ok(None);
            };
            ply
        };
        self.play_again_from(ply).map(Some)
    }

    /// Plays the game again from before a half-move. It is another record, and tells nothing of the player's strength.
    fn play_again_from(&mut self, ply: usize) -> Result<Turn, Box<dyn Error>> {
        let name = self.course.name(ply);
        self.played_again = Some(self.course.number(ply));
        self.course.take_back(self.course.played().len() - ply);
        self.begin_record();
        self.restart_clocks();
        self.keep()?;
        let note = "What comes now does not count for your rating.";
        say(&format!("Before {name} again: find a better move. {note}"))?;
        self.show_board()?;
        Ok(Turn::GoOn)
    }
}
