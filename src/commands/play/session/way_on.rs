//! The way on when a game is over: its result, then another game, another try from one of its moves, or the end.

use std::error::Error;

use super::{Session, Turn, echo, prompt, say, show};
use crate::commands::Done;
use crate::commands::play::input::{self, Command, Input};
use crate::commands::play::played::End;
use crate::commands::play::review;
use engine::evaluation::Variant;
use engine::rules::setup::Start;

impl<P: Variant> Session<'_, P> {
    /// Puts a finished game away, tells how it ended, and offers what can come next.
    pub(super) fn finish(&mut self, end: End) -> Done {
        let result = self.result_in_words(&end);
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
            Ok(true) => say(&self.player.remembered_in_words(&self.words))?,
            Ok(false) => {}
            Err(error) => self.say_with("note", &[("remark", &error)])?,
        }
        self.say_path("game.saved", &path)?;
        self.show_tables(&["help.ways-on"])
    }

    /// How the game has ended.
    pub(super) fn result_in_words(&self, end: &End) -> String {
        let outcome = match end.winner {
            None => "over.drawn",
            Some(winner) if winner == self.color => "over.won",
            Some(_) => "over.lost",
        };
        let values = [("reason", self.words.ending(&end.reason)), ("result", end.result())];
        self.words.fill(outcome, &values)
    }

    /// Lines of the player until one leads on: no clock runs, and no move can be played.
    pub(super) fn way_on(&mut self) -> Result<Turn, Box<dyn Error>> {
        loop {
            prompt(self.words.get("prompt.over"))?;
            let Ok(line) = self.lines.recv() else { return Ok(Turn::Leave) };
            echo(&line)?;
            match input::read(&line) {
                Input::Empty => {}
                Input::Move(text) => match input::nearest(&text, &input::commands(&self.words)) {
                    Some(command) => self.say_with("over.did-you-mean", &[("command", command)])?,
                    None => self.say_key("over.only")?,
                },
                Input::Command(command) => match command {
                    Command::Help => self.show_tables(&["help.ways-on", "help.over"])?,
                    Command::Retry(text) => {
                        if let Some(turn) = self.retry(&text)? {
                            return Ok(turn);
                        }
                    }
                    Command::TakeBack => {
                        let own = (0..self.course.played().len()).rfind(|&ply| self.is_own(ply));
                        match own {
                            Some(ply) => return self.play_again_from(ply),
                            None => self.say_key("take-back.none")?,
                        }
                    }
                    Command::Hint | Command::Draw | Command::Resign | Command::Moves => {
                        self.say_key("over.only")?
                    }
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
            self.say_key("retry.looks")?;
            let worst = self.with_progress(|advance| {
                review::worst(
                    &self.pgn(),
                    P::RULE_SET,
                    |ply| self.is_own(ply),
                    &self.words,
                    advance,
                )
            })?;
            let Some((ply, judgement)) = worst else {
                self.say_key("retry.no-mistake")?;
                return Ok(None);
            };
            let verdict = review::verdict(judgement, &self.words);
            let name = self.words.moves(&self.course.name(ply));
            self.say_with("retry.found", &[("move", &name), ("verdict", verdict)])?;
            ply
        } else {
            let own = (0..self.course.played().len()).filter(|&ply| self.is_own(ply));
            let numbers: Vec<(u32, usize)> =
                own.map(|ply| (self.course.number(ply), ply)).collect();
            let found = numbers.iter().find(|(own, _)| number.parse() == Ok(*own));
            let Some(&(_, ply)) = found else {
                match (numbers.first(), numbers.last()) {
                    (Some((first, _)), Some((last, _))) => {
                        let [first, last] = [first, last].map(u32::to_string);
                        self.say_with("retry.numbers", &[("first", &first), ("last", &last)])?;
                    }
                    _ => self.say_key("retry.no-move")?,
                }
                return Ok(None);
            };
            ply
        };
        self.play_again_from(ply).map(Some)
    }

    /// Plays the game again from before a half-move. It is another record, and tells nothing of the player's strength.
    fn play_again_from(&mut self, ply: usize) -> Result<Turn, Box<dyn Error>> {
        let name = self.words.moves(&self.course.name(ply));
        self.played_again = Some(self.course.number(ply));
        self.take_back_plies(self.course.played().len() - ply);
        self.begin_record();
        self.restart_clocks();
        self.keep()?;
        self.say_with("retry.begins", &[("move", &name)])?;
        self.show_board()?;
        Ok(Turn::GoOn)
    }
}
