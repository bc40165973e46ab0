//! `engine lab opponent`: what it is worth to learn an opponent's style from its moves.

use clap::Args;

use super::super::Done;
use super::game::{Kind, plain};
use lab::style_games::{self, Player, Study};
use lab::texts::{self, Lang};
use shell::interrupt;
use shell::progress::{Progress, Unit};
use shell::table::Format;

/// Arguments of `opponent`.
#[derive(Debug, Args)]
pub struct OpponentArgs {
    /// The game, such as connect-four, othello or tic-tac-toe
    #[arg(long, default_value = "connect-four")]
    pub game: Kind,
    /// Half-moves that our players look ahead
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub depth: u32,
    /// Half-moves that the opponents see, separated by commas; 0 plays any move
    #[arg(long, value_delimiter = ',', default_value = "1,2,3,5")]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=8))]
    pub sights: Vec<u32>,
    /// Games of each player against each opponent
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub games: u32,
    /// The seed of all randomness
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The language of the table
    #[arg(long, value_enum, default_value = "en")]
    pub lang: Lang,
    /// The form of the table
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// Plays the games and prints their table; an interruption prints what was played.
///
/// # Errors
/// A game that is not one for two with a board.
pub fn run(arguments: &OpponentArgs) -> Done {
    let texts = texts::of(arguments.lang);
    let study = Study {
        start: plain(arguments.game, &texts)?,
        depth: arguments.depth,
        sights: arguments.sights.clone(),
        players: Player::ALL.to_vec(),
        games: arguments.games,
        seed: arguments.seed,
    };
    let progress = Progress::of(study.steps(), Unit::Count(texts.word("unit.pairs")), texts.lang);
    interrupt::watch();
    let results = study.run(|| {
        progress.add(1);
        !interrupt::is_set()
    });
    drop(progress);
    super::super::print(&style_games::table(&results, &texts).write_in(&texts, arguments.format))
}
