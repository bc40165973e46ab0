//! The lowest level against simple players: nobody loses to a random mover, and a beginner and somebody who looks two half-moves
//! ahead beat each other.

use engine::evaluation::Evaluation;
use engine::evaluation::linear::Weights;
use engine::limits::Limits;
use engine::play::levels::form::Form;
use engine::play::levels::{Level, LevelPlayer};
use engine::rules::Game;
use engine::search::parameters::Parameters;
use engine::search::report::Silent;
use engine::search::{Options, Searcher};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use shakmaty::{Chess, Color, Move, Position, Role};

/// Half-moves after which the material decides.
const LONGEST: usize = 160;
/// Material that decides then, in pawns.
const DECISIVE: i32 = 4;

/// A simple player: its move in a position.
type Simple = fn(&Chess, &mut SmallRng) -> Move;

fn random(position: &Chess, rng: &mut SmallRng) -> Move {
    let legal = position.legal_moves();
    legal[rng.random_range(0..legal.len())]
}

/// The move with the most material after the best reply, or a mate; a draw among equal ones.
fn greedy(position: &Chess, rng: &mut SmallRng) -> Move {
    let value = |m: &Move| {
        let mut after = position.clone();
        after.play_unchecked(*m);
        let replies = after.legal_moves();
        let worst = replies.iter().map(|&reply| {
            let mut end = after.clone();
            end.play_unchecked(reply);
            if end.is_checkmate() { -1000 } else { material(&end, position.turn()) }
        });
        worst.min().unwrap_or(if after.is_check() { 1000 } else { 0 })
    };
    let valued: Vec<(i32, Move)> = position.legal_moves().iter().map(|m| (value(m), *m)).collect();
    let most = valued.iter().map(|(value, _)| *value).max();
    let best: Vec<Move> =
        valued.iter().filter(|(v, _)| Some(*v) == most).map(|(_, m)| *m).collect();
    best[rng.random_range(0..best.len())]
}

/// Material of `color` minus that of the other side, in pawns.
fn material(position: &Chess, color: Color) -> i32 {
    let board = position.board();
    [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)]
        .into_iter()
        .map(|(role, value)| {
            let pieces = board.by_role(role);
            let count = |color| (pieces & board.by_color(color)).count() as i32;
            value * (count(color) - count(!color))
        })
        .sum()
}

/// The points of level 3 in a game against `simple`: 1, 0 or −1.
fn game(searcher: &mut Searcher<Chess>, simple: Simple, seed: u64) -> i32 {
    let level =
        LevelPlayer::new(Level::Beginner, Form::Moves, &Parameters::default(), seed).unwrap();
    let mut rng = SmallRng::seed_from_u64(seed);
    let color = if seed.is_multiple_of(2) { Color::White } else { Color::Black };
    let mut game = Game::new(Chess::default());
    searcher.new_game();
    while game.draw_reason().is_none() && game.past().len() < LONGEST {
        let position = game.position();
        if position.is_checkmate() {
            return if position.turn() == color { -1 } else { 1 };
        }
        let m = if position.turn() == color {
            level.play(searcher, &game, &Limits::default(), &mut Silent).best.unwrap()
        } else {
            simple(position, &mut rng)
        };
        game.play(m);
    }
    let lead = material(game.position(), color);
    if lead.abs() >= DECISIVE { lead.signum() } else { 0 }
}

/// The results of level 3 against `simple`, one a seed.
fn results(simple: Simple, games: u64) -> Vec<i32> {
    let evaluator = Evaluation::linear(Weights::default());
    let mut searcher = Searcher::new(evaluator, Options::default(), 1).unwrap();
    (1..=games).map(|seed| game(&mut searcher, simple, seed)).collect()
}

#[test]
fn a_random_mover_never_beats_a_beginner() {
    let results = results(random, 20);
    assert!(!results.contains(&-1), "{results:?}");
    assert!(results.iter().filter(|&&result| result == 1).count() >= 18, "{results:?}");
}

#[test]
fn a_greedy_player_and_a_beginner_beat_each_other() {
    let results = results(greedy, 24);
    let [greedy, beginner] =
        [-1, 1].map(|one| results.iter().filter(|&&result| result == one).count());
    assert!((3..21).contains(&greedy) && beginner >= 3, "{results:?}");
}
