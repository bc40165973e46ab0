//! `engine lab`: the laboratory from a shell, one file a subcommand.

mod claims;
mod clock;
mod compare;
mod dda;
mod examples;
mod explain;
pub(super) mod game;
mod opponent;
mod play;
mod quiz;
mod tree;

use std::error::Error;

use clap::Subcommand;

use super::Done;
use lab::algorithms::{self, ALPHA_BETA, Algorithm, MAX_N};
use lab::compare::fits;
use lab::game::Position;
use lab::texts::{Lang, Texts};
use lab::watch::Counter;
use shell::progress::note;

/// The laboratory's subcommands.
#[derive(Debug, Subcommand)]
pub enum LabCommand {
    /// Compare the algorithms on the same positions: the value that each finds, and its cost
    Compare(compare::Compare),
    /// Test the sources' claims; takes some minutes
    Claims(claims::ClaimsArgs),
    /// Repeat the experiments on dynamic depth adjustment, figures 1 to 4
    Dda(dda::Dda),
    /// Play against opponents of one style, to see what it is worth to learn it
    Opponent(opponent::OpponentArgs),
    /// Play a game of the laboratory in the terminal, against one of its algorithms
    Play(play::PlayArgs),
    /// Show the tree that an algorithm searches: in words, as a picture, as a page that plays it
    Tree(tree::TreeArgs),
    /// Search deeper and deeper until the time is up
    Clock(clock::Clock),
    /// Explain an algorithm: idea, source, pseudocode, cost, constants
    Explain(explain::Explain),
    /// List algorithms, games, trees and constants
    List(explain::List),
    /// Print a sheet of exercises with solutions
    Quiz(quiz::QuizArgs),
    /// Write a page for each of the sources' worked examples
    Examples(examples::Examples),
}

impl LabCommand {
    /// The language of the answer.
    pub fn lang(&self) -> Lang {
        match self {
            LabCommand::Compare(arguments) => arguments.game.lang,
            LabCommand::Claims(arguments) => arguments.lang,
            LabCommand::Dda(arguments) => arguments.lang,
            LabCommand::Opponent(arguments) => arguments.lang,
            LabCommand::Play(arguments) => arguments.game.lang,
            LabCommand::Tree(arguments) => arguments.game.lang,
            LabCommand::Clock(arguments) => arguments.game.lang,
            LabCommand::Explain(arguments) => arguments.lang,
            LabCommand::List(arguments) => arguments.lang,
            LabCommand::Quiz(arguments) => arguments.lang,
            LabCommand::Examples(arguments) => arguments.lang,
        }
    }
}

/// Does what is asked of the laboratory.
///
/// # Errors
/// Words without a meaning, and files that cannot be read or written.
pub fn run(command: LabCommand) -> Done {
    match command {
        LabCommand::Compare(arguments) => compare::run(&arguments),
        LabCommand::Claims(arguments) => claims::run(&arguments),
        LabCommand::Dda(arguments) => dda::run(&arguments),
        LabCommand::Opponent(arguments) => opponent::run(&arguments),
        LabCommand::Play(arguments) => play::run(&arguments),
        LabCommand::Tree(arguments) => tree::run(&arguments),
        LabCommand::Clock(arguments) => clock::run(&arguments),
        LabCommand::Explain(arguments) => explain::explain(&arguments),
        LabCommand::List(arguments) => explain::list(&arguments),
        LabCommand::Quiz(arguments) => quiz::run(&arguments),
        LabCommand::Examples(arguments) => examples::run(&arguments),
    }
}

/// The algorithms of these names, or all that can play a game for this number of players.
fn chosen(
    names: &[String],
    players: usize,
    texts: &Texts,
) -> Result<Vec<Algorithm>, Box<dyn Error>> {
    if names.is_empty() {
        return Ok(algorithms::all().into_iter().filter(|one| fits(one, players)).collect());
    }
    let mut chosen = Vec::new();
    for name in names {
        let algorithm = algorithms::named(name.trim())?;
        if !fits(&algorithm, players) {
            let players = players.to_string();
            let values = [("name", algorithm.name), ("players", &players), ("many", MAX_N.name)];
            return Err(texts.fill("fault.players-two", &values).into());
        }
        chosen.push(algorithm);
    }
    Ok(chosen)
}

/// The name of the algorithm that is asked for, or of the one for this number of players.
fn algorithm(name: Option<&str>, game: &Position) -> String {
    let default = if game.players() == 2 { ALPHA_BETA.name } else { MAX_N.name };
    name.unwrap_or(default).to_string()
}

/// Warns of inner nodes that counted as 0.
fn warn_of_unknown(counter: &Counter, texts: &Texts) {
    if counter.unknown > 0 {
        note(&texts.fill("note.unknown", &[("count", &counter.unknown.to_string())]));
    }
}
