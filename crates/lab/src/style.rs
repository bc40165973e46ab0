//! An opponent whose style is learned from its moves, as "MiniMax puede ser mucho más inteligente" asks: "el algoritmo
//! debería modelar el estilo de juego particular de cada oponente".
//!
//! A style is a sight, a number of plies: the opponent plays a move that is best at this depth, one of several at
//! random, and once in a while any move. A [`Model`] begins with all sights alike. Each move that it sees makes the sights
//! likelier that would have played it (Bayes). A move of ours is then worth the mean of the points after the replies
//! that the model expects, each judged by minimax: the one-ply case of M* (Carmel and Markovitch, "Incorporating opponent
//! models into adversary search", 1996). A model that is sure of a limited sight sets traps beyond it; one that knows
//! nothing yet expects errors of all kinds.

use rand::RngExt;
use rand::rngs::SmallRng;

use super::contest::search;
use super::game::{Position, Value, WIN};
use super::moves::Move;

/// The sights that a model tells apart: 0 to 4 plies. A sight of 0 plays any move.
const SIGHTS: usize = 5;

/// The share of a player's moves that are any move, whatever the sight.
pub const SLIPS: f64 = 0.1;

/// The advantage, in the game's units, that multiplies the odds of a win by e: of a pawn in chess some 1.8 are usual.
const ODDS: f64 = 2.0;

/// What a move may cost against an opponent who does not err, in the game's units: "entre dos movimientos buenos,
/// uno ligeramente mejor que el otro".
pub const PRICE: Value = 1;

/// What is known of an opponent: the probability of each sight.
#[derive(Clone, Debug)]
pub struct Model {
    sights: [f64; SIGHTS],
}

impl Default for Model {
    /// Nothing is known.
    fn default() -> Model {
        Model { sights: [1.0 / SIGHTS as f64; SIGHTS] }
    }
}

impl Model {
    /// An opponent whose sight is told beforehand, in plies; beyond 4 it counts as 4.
    pub fn known(sight: u32) -> Model {
        let mut sights = [0.0; SIGHTS];
        sights[(sight as usize).min(SIGHTS - 1)] = 1.0;
        Model { sights }
    }

    /// The probability that the opponent sees so many plies; none if the model does not tell that sight apart.
    pub fn probability(&self, sight: u32) -> Option<f64> {
        self.sights.get(sight as usize).copied()
    }

    /// Learns from a move that the opponent has played in `position`.
    pub fn see(&mut self, position: &Position, played: Move) {
        let moves = position.moves();
        let Some(index) = moves.iter().position(|&m| m == played) else { return };
        if moves.len() == 1 {
            return;
        }
        for (sight, weight) in (0..).zip(&mut self.sights) {
            *weight *= chances(position, sight)[index];
        }
        let sum: f64 = self.sights.iter().sum();
        self.sights.iter_mut().for_each(|weight| *weight /= sum);
    }

    /// The probability of each move of `position`, in the order of [`moves`](super::game::Game::moves).
    fn expects(&self, position: &Position) -> Vec<f64> {
        let mut expected = vec![0.0; position.moves().len()];
        for (sight, &weight) in (0..).zip(&self.sights) {
            if weight > 0.0 {
                let chances = chances(position, sight);
                expected.iter_mut().zip(chances).for_each(|(sum, chance)| *sum += weight * chance);
            }
        }
        expected
    }

    /// The move that promises most against this opponent, by a search of `depth` plies, among those that cost at most
    /// [`PRICE`] if the opponent does not err; all of them where all are lost. None if the game is over.
    pub fn choose(&self, root: &Position, depth: u32) -> Option<Move> {
        let moves = root.moves();
        let worths: Vec<_> = moves.iter().map(|&m| self.worth(root, m, depth)).collect();
        let surest = worths.iter().map(|worth| worth.1).max()?;
        let least = (surest - PRICE * root.unit()).max(-WIN / 2);
        let is_fair = |(_, worst): &(f64, Value)| *worst >= least || surest <= -WIN / 2;
        let fair = worths.into_iter().zip(moves).filter(|(worth, _)| is_fair(worth));
        fair.reduce(best_first).map(|(_, m)| m)
    }

    /// The mean of the points over the expected replies, and the worst value of them, for the mover of `root`. The worst decides
    /// between moves with equal means, so that a won game is won soon.
    fn worth(&self, root: &Position, m: Move, depth: u32) -> (f64, Value) {
        let (us, after) = (root.turn(), root.play(m));
        let replies = after.moves_to(depth.saturating_sub(1));
        if replies.is_empty() {
            let value = us.sees(after.value());
            return (points(value, root.unit()), value);
        }
        let values: Vec<Value> =
            replies.iter().map(|&reply| us.sees(minimax(&after.play(reply), depth - 2))).collect();
        let points = values.iter().map(|&value| points(value, root.unit()));
        let mean = points.zip(self.expects(&after)).map(|(points, chance)| points * chance).sum();
        (mean, values.into_iter().min().unwrap_or_default())
    }
}

/// The points that a value promises, 0 to 1. A mean of values would trade a good position for a threat that one
/// opponent in ten overlooks.
fn points(value: Value, unit: Value) -> f64 {
    1.0 / (1.0 + (-f64::from(value) / (ODDS * f64::from(unit))).exp())
}

/// The better of two moves by their worth; of equals the first.
fn best_first(one: ((f64, Value), Move), other: ((f64, Value), Move)) -> ((f64, Value), Move) {
    if other.0 > one.0 { other } else { one }
}

/// A move of a player with this sight, in plies; none if the game is over.
pub fn play(position: &Position, sight: u32, dice: &mut SmallRng) -> Option<Move> {
    let chances = chances(position, sight);
    let mut left = dice.random::<f64>();
    let chosen = chances.iter().position(|chance| {
        left -= chance;
        left < 0.0
    });
    let moves = position.moves();
    moves.get(chosen.unwrap_or(0)).copied()
}

/// The probability of each move of `position` for a player with this sight.
fn chances(position: &Position, sight: u32) -> Vec<f64> {
    let moves = position.moves();
    let any = 1.0 / moves.len().max(1) as f64;
    if sight == 0 {
        return vec![any; moves.len()];
    }
    let us = position.turn();
    let value = |&m: &Move| us.sees(minimax(&position.play(m), sight - 1));
    let values: Vec<Value> = moves.iter().map(value).collect();
    let best = values.iter().copied().max().unwrap_or_default();
    let equals = values.iter().filter(|&&value| value == best).count().max(1) as f64;
    let chosen = |value: &Value| if *value == best { (1.0 - SLIPS) / equals } else { 0.0 };
    values.iter().map(|value| chosen(value) + SLIPS * any).collect()
}

/// The value of a position `depth` plies deep, for Max.
pub(super) fn minimax(position: &Position, depth: u32) -> Value {
    search(position, depth).0.value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect_four::{ConnectFour, Ending};
    use crate::games::tree::Tree;
    use rand::SeedableRng;

    fn start() -> Position {
        Position::new(ConnectFour::new(7, 6, Ending::FourInARow).unwrap())
    }

    #[test]
    fn a_model_learns_the_sight_of_the_player_it_watches() {
        for sight in [0, 1, 3] {
            let (mut model, mut dice) = (Model::default(), SmallRng::seed_from_u64(9));
            for _ in 0..4 {
                let mut game = start();
                // Both sides are the same player, so that every move tells.
                while let Some(m) = play(&game, sight, &mut dice) {
                    model.see(&game, m);
                    game = game.play(m);
                }
            }
            let probability = model.probability(sight).unwrap();
            assert!(probability > 0.8, "{sight}: {model:?}");
            let sum: f64 = model.sights.iter().sum();
            assert!((sum - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn chances_are_probabilities_and_a_slip_is_any_move() {
        let mut dice = SmallRng::seed_from_u64(2);
        let mut game = start();
        while let Some(m) = play(&game, 2, &mut dice) {
            for sight in 0..SIGHTS as u32 {
                let chances = chances(&game, sight);
                assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                assert!(
                    chances.iter().all(|&chance| chance >= SLIPS / chances.len() as f64 - 1e-9)
                );
            }
            game = game.play(m);
        }
    }

    /// Berliner's tree: after B one reply of two saves us, after C none. Who knows that the opponent always sees
    /// the best reply takes C, who knows a player without sight takes B.
    #[test]
    fn a_trap_is_set_for_those_who_fall_into_it() {
        let tree = Position::new(Tree::shipped("opponent").unwrap());
        let named = |sight| tree.name(Model::known(sight).choose(&tree, 2).unwrap());
        assert_eq!(named(0), "B");
        let sure = Model::known(1);
        let (b, c) = (tree.moves()[0], tree.moves()[1]);
        // Even then one reply in ten is any reply.
        assert!(sure.worth(&tree, b, 2).0 < Model::known(0).worth(&tree, b, 2).0);
        assert!(sure.worth(&tree, c, 2).1 > sure.worth(&tree, b, 2).1);
    }

    #[test]
    fn a_win_is_taken_at_once() {
        let mut game = start();
        for column in [0, 6, 0, 6, 0, 6] {
            let m = game.moves()[column];
            game = game.play(m);
        }
        let best = Model::default().choose(&game, 4).unwrap();
        assert!(game.play(best).moves().is_empty());
    }
}
