//! The search in words, step by step, as a teacher would at the blackboard.

use super::game::{INFINITE, Position, Side, Value};
use super::moves::Move;
use super::texts::{Line, Texts, decimal, moves};
use super::tracker::{Frame, Sink, holder};
use super::watch::{Bound, Cut, Event, Guess, Note, Pass};

/// Puts the step into a key and its placeholders; none if there is nothing to tell.
pub fn describe(texts: &Texts, path: &[Frame], event: &Event, bound: Bound) -> Option<Line> {
    let line = Teller { texts, path }.line(event, bound)?;
    Some(begun(texts, line))
}

/// The line with a capital letter where a sentence begins with a player or with the root. Names of moves stay.
fn begun(texts: &Texts, mut line: Line) -> Line {
    let text = texts.get(line.key);
    let is_word = |name: &str, value: &str| {
        name == "player" || [texts.get("root"), texts.get("pass")].contains(&value)
    };
    for (name, value) in &mut line.args {
        let place = text.split_once(&format!("{{{name}}}"));
        let begins = place.is_some_and(|(before, _)| before.is_empty() || before.ends_with(". "));
        if begins && is_word(name, value) {
            let mut letters = value.chars();
            let first = letters.next().into_iter().flat_map(char::to_uppercase);
            *value = first.chain(letters).collect();
        }
    }
    line
}

/// A value as a person reads it.
pub fn show_value(texts: &Texts, position: &Position, value: Value) -> String {
    match value {
        v if v >= INFINITE => texts.get("infinity.plus").to_string(),
        v if v <= -INFINITE => texts.get("infinity.minus").to_string(),
        // The narrow windows of MT-SSS* begin just below infinity.
        v if v > INFINITE / 2 => format!("{} − {}", texts.get("infinity.plus"), INFINITE - v),
        v if v < -INFINITE / 2 => format!("{} + {}", texts.get("infinity.minus"), INFINITE + v),
        v => write_value(texts, position, v).replace('-', "−"),
    }
}

/// The same with an ASCII minus, for tables, which programs read too.
pub fn write_value(texts: &Texts, position: &Position, value: Value) -> String {
    decimal(texts, &position.show(value)).replace("win", texts.get("value.win"))
}

/// A move as players write it. Moves of chess have the letters of the language: those of other games have other meanings.
pub fn show_move(texts: &Texts, position: &Position, m: Move) -> String {
    match m {
        Move::Chess(_) => moves(texts, &position.name(m)),
        Move::Pass => texts.get("move.pass").to_string(),
        _ => position.name(m),
    }
}

/// The player to move: Max, Min, or a number.
pub fn player(texts: &Texts, frame: &Frame) -> String {
    match (frame.position.players(), frame.position.turn()) {
        (2, Side::Max) => texts.get("player.max").to_string(),
        (2, Side::Min) => texts.get("player.min").to_string(),
        _ => texts
            .fill("player.one-of-many", &[("number", &(frame.position.mover() + 1).to_string())]),
    }
}

/// Each player's share of a node, as a vector.
pub fn vector(texts: &Texts, frame: &Frame, values: &[Value]) -> String {
    let shares: Vec<String> =
        values.iter().map(|&value| show_value(texts, &frame.position, value)).collect();
    format!("[{}]", shares.join(" "))
}

struct Teller<'a> {
    texts: &'a Texts,
    path: &'a [Frame],
}

impl Teller<'_> {
    fn line(&self, event: &Event, bound: Bound) -> Option<Line> {
        let here = self.path.last()?;
        let line = |key, args| Some(Line { key, args });
        let node = || ("node", self.node());
        let value = |value: Value| ("value", self.show(value));
        match event {
            Event::Enter => self.enter(here),
            Event::Window(alpha, beta) => {
                let is_null = *beta == alpha.saturating_add(1);
                let key = if is_null { "window.null" } else { "window.full" };
                let bounds = [node(), ("alpha", self.show(*alpha)), ("beta", self.show(*beta))];
                line(key, bounds.into())
            }
            Event::Narrow(alpha, beta) => {
                let mover = ("move", here.holder.clone().unwrap_or_else(|| self.node()));
                match here.position.turn() {
                    Side::Max => line("narrow.alpha", vec![("alpha", self.show(*alpha)), mover]),
                    Side::Min => line("narrow.beta", vec![("beta", self.show(*beta)), mover]),
                }
            }
            Event::Leaf(_) if here.position.players() > 2 => {
                line("shares.leaf", vec![node(), self.shares(here)])
            }
            Event::Leaf(leaf) => line("leaf", vec![node(), value(*leaf)]),
            Event::Cut(cut, skipped) => Some(self.cut(here, cut, skipped)),
            Event::Hit(known, _) => {
                let keys = ["hit.exact", "hit.least", "hit.most"];
                line(by_bound(bound, keys), vec![node(), value(*known)])
            }
            Event::Return(_) if here.position.players() > 2 => {
                line("shares.return", vec![node(), self.shares(here)])
            }
            Event::Return(result) => {
                let keys = ["return.exact", "return.least", "return.most"];
                line(by_bound(bound, keys), vec![node(), value(*result)])
            }
            // That a leaf is evaluated has been said.
            Event::Shares(_) if here.is_leaf() => None,
            Event::Shares(_) => {
                let player = ("player", player(self.texts, here));
                line("shares.choice", vec![player, self.shares(here)])
            }
            Event::Pass(pass) => Some(self.pass(pass)),
            Event::Note(note) => Some(note_line(note, player(self.texts, here))),
            Event::State { is_solved, h } => {
                let key = if *is_solved { "state.solved" } else { "state.live" };
                line(key, vec![("dewey", self.dewey()), ("h", self.show(*h))])
            }
            Event::Purge => line("state.purge", vec![node()]),
            Event::Estimate(_) | Event::Unknown | Event::Memory(_) | Event::Round(..) => None,
        }
    }

    fn enter(&self, here: &Frame) -> Option<Line> {
        let (_, above) = self.path.split_last()?;
        let Some(parent) = above.last() else {
            let player = player(self.texts, here);
            return Some(Line { key: "enter.root", args: vec![("player", player)] });
        };
        let player = ("player", player(self.texts, parent));
        match here.m {
            Some(_) => {
                let args = vec![player, ("move", here.name.clone())];
                Some(Line { key: "enter.move", args })
            }
            None => Some(Line { key: "enter.pass", args: vec![player] }),
        }
    }

    fn cut(&self, here: &Frame, cut: &Cut, skipped: &[Move]) -> Line {
        let names: Vec<String> =
            skipped.iter().map(|&m| show_move(self.texts, &here.position, m)).collect();
        let names = ("moves", list(&names, self.texts.get("and")));
        let guess = |guess: &Guess| match guess {
            Guess::NullMove => "cut.null-move",
            Guess::Futility => "cut.futility",
            Guess::Rank => "cut.rank",
            Guess::CrashCut => "cut.crash-cut",
        };
        let (key, bound) = match cut {
            Cut::Guess(why) => {
                return Line { key: guess(why), args: vec![names, ("node", self.node())] };
            }
            Cut::Alpha(bound) => ("cut.alpha", *bound),
            Cut::Beta(bound) => ("cut.beta", *bound),
        };
        let by = holder(self.path, cut).unwrap_or(self.texts.get("side.window")).to_string();
        let value = ("value", self.show(here.best.unwrap_or(bound)));
        let args =
            vec![names, ("node", self.node()), value, ("bound", self.show(bound)), ("by", by)];
        Line { key, args }
    }

    fn pass(&self, pass: &Pass) -> Line {
        let line = |key, args| Line { key, args };
        match pass {
            Pass::Depth(depth) => line("pass.depth", vec![("depth", depth.to_string())]),
            Pass::Expect(alpha, beta) => {
                let args = vec![("alpha", self.show(*alpha)), ("beta", self.show(*beta))];
                line("pass.expect", args)
            }
            Pass::FailedLow => line("pass.low", vec![]),
            Pass::FailedHigh => line("pass.high", vec![]),
            Pass::Question(value) => line("pass.question", vec![("value", self.show(*value))]),
            Pass::Verify => line("pass.verify", vec![]),
        }
    }

    fn shares(&self, here: &Frame) -> (&'static str, String) {
        ("shares", vector(self.texts, here, here.shares.as_deref().unwrap_or_default()))
    }

    fn show(&self, value: Value) -> String {
        self.path
            .last()
            .map_or_else(String::new, |here| show_value(self.texts, &here.position, value))
    }

    /// The node's name, or "the root", or "the pass".
    fn node(&self) -> String {
        match self.path {
            [] | [_] => self.texts.get("root").to_string(),
            [.., here] if here.m.is_none() => self.texts.get("pass").to_string(),
            [.., here] => here.name.clone(),
        }
    }

    /// The lecture's decimal notation of Dewey: the moves from the root. The lecture's ε for the root has its word.
    fn dewey(&self) -> String {
        let names: Vec<&str> = self.path.iter().skip(1).map(|frame| frame.name.as_str()).collect();
        if names.is_empty() { self.texts.get("drawing.root").to_string() } else { names.join(".") }
    }
}

fn by_bound(bound: Bound, [exact, least, most]: [&'static str; 3]) -> &'static str {
    match bound {
        Bound::Exact => exact,
        Bound::AtLeast => least,
        Bound::AtMost => most,
    }
}

fn note_line(note: &Note, player: String) -> Line {
    let key = match note {
        Note::Research => "note.research",
        Note::Verify => "note.verify",
        Note::NotConfirmed => "note.not-confirmed",
        Note::Critical => "note.critical",
        Note::Restless => "note.restless",
        Note::Weighed => "note.weighed",
        Note::StandPat => {
            return Line { key: "note.stand-pat", args: vec![("player", player)] };
        }
    };
    Line { key, args: Vec::new() }
}

/// Names as a sentence lists them: `2`, `2 and 3`, `2, 3 and 4`.
fn list(names: &[String], and: &str) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {and} {last}", first.join(", ")),
    }
}

/// A sink that writes a line a step, indented by the ply, as soon as the step is made.
pub struct Narrator<'a, W: FnMut(&str)> {
    texts: &'a Texts,
    write: W,
}

impl<'a, W: FnMut(&str)> Narrator<'a, W> {
    /// A narrator in the language of `texts`; `write` is given each line.
    pub fn new(texts: &'a Texts, write: W) -> Narrator<'a, W> {
        Narrator { texts, write }
    }
}

impl<W: FnMut(&str)> Sink for Narrator<'_, W> {
    fn step(&mut self, path: &[Frame], event: &Event, bound: Bound) {
        if let Some(line) = describe(self.texts, path, event, bound) {
            let indent = "  ".repeat(path.len().saturating_sub(1));
            (self.write)(&format!("{indent}{}", self.texts.say(&line)));
        }
    }
}
