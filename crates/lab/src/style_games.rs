//! What it is worth to learn an opponent's style: games against players of a known sight, by minimax, by the fixed
//! chance of errors, by a model that learns, and by one that is told.
//!
//! The model that is told is the most that learning could bring; minimax, which is told nothing, is what it has to
//! beat. Games that begin behind are Berliner's case, where a trap costs least, and are counted apart. A player who
//! sees further than we do is the sources' first warning: "un adversario muy inteligente".

use rand::SeedableRng;
use rand::rngs::SmallRng;

use super::algorithms::{ALPHA_BETA, Algorithm, OPPONENT_MODEL};
use super::compare::{random_positions, run};
use super::constants::Constants;
use super::contest::{LONGEST, OPENING, mean_and_error, percent, points};
use super::game::{Position, Side};
use super::moves::Move;
use super::style::{self, Model};
use super::texts::Texts;
use shell::table::{Cell, Table};

/// Ways to treat an opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// The opponent never errs.
    Minimax,
    /// The opponent errs with a fixed chance, whoever it is.
    Errors,
    /// The opponent's sight is learned from its moves, in both games of a pair.
    Learning,
    /// The opponent's sight is known.
    Told,
}

impl Player {
    /// All, in the order of the report.
    pub const ALL: [Player; 4] = [Player::Minimax, Player::Errors, Player::Learning, Player::Told];

    fn name(self) -> &'static str {
        match self {
            Player::Minimax => "minimax",
            Player::Errors => "errors",
            Player::Learning => "learning",
            Player::Told => "told",
        }
    }
}

/// The extent of the games.
#[derive(Clone, Debug)]
pub struct Study {
    /// The game's starting position.
    pub start: Position,
    /// Plies that our players look ahead; 1 or more.
    pub depth: u32,
    /// The opponents' sights, in plies.
    pub sights: Vec<u32>,
    /// Our players.
    pub players: Vec<Player>,
    /// Games of each of our players against each opponent; two from each opening.
    pub games: u32,
    /// The seed of the openings and of the opponents' lots.
    pub seed: u64,
}

/// Opponent's moves after which a model is asked how sure it is.
pub const LOOKS: [usize; 3] = [5, 10, 20];

/// The games of one of our players against one opponent.
#[derive(Clone, Debug)]
pub struct Games {
    /// The opponent's sight, in plies.
    pub sight: u32,
    /// Our player.
    pub player: Player,
    /// Our points in each pair of games, 0 to 2.
    pub pairs: Vec<f64>,
    /// Our points in each game that began behind, 0 to 1.
    pub behind: Vec<f64>,
    /// The probability that a learning model gives the opponent's true sight after so many of its moves.
    pub sure: [Vec<f64>; LOOKS.len()],
}

/// What a pair of games needs to know of the players.
struct Pair<'a> {
    study: &'a Study,
    sight: u32,
    player: Player,
    model: Model,
    seen: usize,
    dice: SmallRng,
}

impl Study {
    /// Plays all games; `done` is called after each pair and stops them by `false`.
    pub fn run(&self, mut done: impl FnMut() -> bool) -> Vec<Games> {
        let pairs = self.games.div_ceil(2) as usize;
        let openings = random_positions(&self.start, pairs, OPENING, self.seed);
        let leads: Vec<_> = openings.iter().map(|game| style::minimax(game, self.depth)).collect();
        let mut results = Vec::new();
        for &sight in &self.sights {
            for &player in &self.players {
                let (pairs, behind, sure) = Default::default();
                let mut games = Games { sight, player, pairs, behind, sure };
                for ((number, opening), &lead) in (0..).zip(&openings).zip(&leads) {
                    let dice = SmallRng::seed_from_u64(self.seed ^ (number << 8));
                    let model = match player {
                        Player::Told => Model::known(sight),
                        _ => Model::default(),
                    };
                    let mut pair = Pair { study: self, sight, player, model, seen: 0, dice };
                    let points = [Side::Max, Side::Min].map(|side| {
                        let points = pair.play(opening, side, &mut games.sure);
                        games.behind.extend((side.sees(lead) < 0).then_some(points));
                        points
                    });
                    games.pairs.push(points.iter().sum());
                    if !done() {
                        results.push(games);
                        return results;
                    }
                }
                results.push(games);
            }
        }
        results
    }

    /// The pairs of games that [`Study::run`] reports.
    pub fn steps(&self) -> u64 {
        u64::from(self.games.div_ceil(2)) * (self.sights.len() * self.players.len()) as u64
    }
}

impl Pair<'_> {
    /// One game; our points in it.
    fn play(&mut self, opening: &Position, us: Side, sure: &mut [Vec<f64>]) -> f64 {
        let mut game = opening.clone();
        for _ in 0..LONGEST {
            let chosen = if game.turn() == us {
                self.choose(&game)
            } else {
                let played = style::play(&game, self.sight, &mut self.dice);
                if let Some(m) = played
                    && self.player == Player::Learning
                {
                    self.learn(&game, m, sure);
                }
                played
            };
            let Some(m) = chosen else { break };
            game = game.play(m);
        }
        points(&game, us)
    }

    fn choose(&self, game: &Position) -> Option<Move> {
        let by = |algorithm: Algorithm| {
            run(&algorithm, Constants::default(), &game.as_root(), self.study.depth).found.best
        };
        match self.player {
            Player::Minimax => by(ALPHA_BETA),
            Player::Errors => by(OPPONENT_MODEL),
            Player::Learning | Player::Told => self.model.choose(game, self.study.depth),
        }
    }

    fn learn(&mut self, game: &Position, m: Move, sure: &mut [Vec<f64>]) {
        self.model.see(game, m);
        self.seen += 1;
        for (look, sure) in LOOKS.iter().zip(sure) {
            let probability = self.model.probability(self.sight);
            sure.extend(probability.filter(|_| self.seen == *look));
        }
    }
}

/// The results as a table in the language of `texts`.
pub fn table(results: &[Games], texts: &Texts) -> Table {
    let columns = [
        "style.opponent",
        "style.player",
        "style.games",
        "contest.score",
        "contest.error",
        "style.behind",
        "contest.error",
        "style.sure-5",
        "style.sure-10",
        "style.sure-20",
    ];
    let columns = columns.iter().map(|key| texts.word(key)).collect();
    let row = |games: &Games| {
        let (score, error) = mean_and_error(&games.pairs);
        let (behind, behind_error) = mean_and_error(&games.behind);
        let sight = texts.fill("style.sight", &[("plies", &games.sight.to_string())]);
        let mut row = vec![
            Cell::text(sight),
            Cell::text(texts.get(&format!("style.{}", games.player.name()))),
            Cell::Count(2 * games.pairs.len() as u64),
            percent(score / 2.0),
            percent(error / 2.0),
            percent(behind),
            percent(behind_error),
        ];
        row.extend(games.sure.iter().map(|sure| match sure[..] {
            [] => Cell::Empty,
            _ => percent(mean_and_error(sure).0),
        }));
        row
    };
    Table { columns, rows: results.iter().map(row).collect() }.without_empty_columns()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect_four::{ConnectFour, Ending};

    #[test]
    fn a_study_repeats_itself_and_learning_is_between_nothing_and_everything() {
        let start = Position::new(ConnectFour::new(5, 4, Ending::FourInARow).unwrap());
        let players = Player::ALL.to_vec();
        let study = Study { start, depth: 3, sights: vec![1], players, games: 6, seed: 4 };
        let (one, other) = (study.run(|| true), study.run(|| true));
        assert_eq!(one.len(), Player::ALL.len());
        for (one, other) in one.iter().zip(&other) {
            assert_eq!((&one.pairs, &one.sure), (&other.pairs, &other.sure));
            assert_eq!(one.pairs.len(), 3);
            assert!(one.behind.len() <= 3);
            assert_eq!(one.sure[0].is_empty(), one.player != Player::Learning);
        }
        let mut pairs = 0;
        let stopped = study.run(|| {
            pairs += 1;
            pairs < 4
        });
        assert_eq!(stopped.iter().map(|games| games.pairs.len()).sum::<usize>(), 4);
    }
}
