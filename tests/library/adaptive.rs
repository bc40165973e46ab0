//! An opponent that adapts itself: the estimate of a player's rating, and games against it.

use std::sync::mpsc::{Sender, channel};

use engine::book::Book;
use engine::evaluation::Variant;
use engine::limits::Limits;
use engine::play::estimate::{Estimate, Estimator, Evidence, Follower};
use engine::play::strength::{LimitedPlayer, Strength};
use engine::player::{Engine, Listener};
use engine::rules::Game;
use engine::rules::setup::{self, Start};
use engine::search::report::{Outcome, Report, Reporter, Silent};
use engine::settings::Settings;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use shakmaty::variant::{Antichess, Crazyhouse};
use shakmaty::{CastlingMode, Chess, Color, Move, Position};

/// Half-moves after which a game is called a draw.
const MAX_GAME: usize = 300;

/// Plays a game of a player of `elo` against an opponent that follows it; returns the points of the player and
/// what is known of it afterwards.
fn game(known: Estimate, elo: u32, seed: u64, color: Color) -> (f64, Estimate) {
    let mut game = Game::new(Chess::default());
    let mut estimator = Estimator::new().unwrap();
    let mut follower = Follower::new(known);
    let mut player = LimitedPlayer::new(Strength { elo, seed }, 0).unwrap();
    let opponent = |elo| LimitedPlayer::new(Strength { elo, seed: seed ^ 0xABCD }, 0).unwrap();
    let mut other = opponent(follower.elo());
    let mut points = 0.5;
    while game.past().len() < MAX_GAME && game.draw_reason().is_none() {
        if let Some(known) = game.position().outcome().known() {
            points = known.winner().map_or(0.5, |winner| f64::from(winner == color));
            break;
        }
        let is_own = game.now().turn() == color;
        let mover = if is_own { &mut player } else { &mut other };
        let m = mover.play(&game, &Limits::default(), &mut Silent).best.unwrap();
        if is_own {
            let evidence = estimator.judge(&game, m);
            let strength = follower.elo();
            if let Some(elo) = follower.note(evidence, strength) {
                other = opponent(elo);
            }
        }
        game.play(m);
    }
    (points, follower.finish(known, Some(points)))
}

/// Ten games each, some minutes: `cargo test --release --test library adaptive -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn the_opponent_finds_a_player_s_strength_and_scores_half_against_it() {
    let variable = |name: &str| std::env::var(name).ok();
    let elos = variable("ELOS").unwrap_or("400,700,1000,1500,2000".to_string());
    let games: u64 = variable("GAMES").and_then(|games| games.parse().ok()).unwrap_or(10);
    let first: u64 = variable("SEED").and_then(|games| games.parse().ok()).unwrap_or(1);
    for elo in elos.split(',').map(|elo| elo.parse::<u32>().unwrap()) {
        let mut known = Estimate::default();
        let (mut points, mut course) = (0.0, Vec::new());
        for seed in first..first + games {
            let color = Color::from_white(seed % 2 == 1);
            let (own, after) = game(known.aged(), elo, seed, color);
            points += own;
            known = after;
            course.push(format!("{:.0}±{:.0} ({own})", after.mean, after.deviation));
        }
        println!("{elo}: player scores {points} of {games}: {}", course.join(" "));
        // After fewer games it may still be on its way.
        let miss = (known.mean - f64::from(elo)).abs();
        assert!(games < 10 || miss < 160.0, "{elo} is called {:.0}", known.mean);
    }
}

/// Hears the move of a search.
struct Ear(Sender<Option<Move>>);

impl Reporter for Ear {
    fn variation(&mut self, _report: &Report) {}
}

impl Listener for Ear {
    fn finished(&mut self, outcome: &Outcome) {
        let _ = self.0.send(outcome.best);
    }
}

/// The engine's own move within these nodes.
fn own_move(engine: &mut Engine, moves: &[String], nodes: u64) -> Move {
    let (sender, receiver) = channel();
    engine.set_position(&Start::Initial, moves).unwrap();
    engine.go(Limits::nodes(nodes), Box::new(Ear(sender)));
    engine.wait();
    receiver.try_recv().unwrap().unwrap()
}

/// A position after 1 to 35 moves by chance, or mostly by small searches, with the moves to it; `None` if the game is over.
fn position<P: Variant>(
    engine: &mut Engine,
    rng: &mut SmallRng,
    by_searches: bool,
) -> Option<(Game<P>, Vec<String>)> {
    let mode = CastlingMode::Standard;
    let (mut game, _) = setup::game::<P>(&Start::Initial, &[], mode).unwrap();
    let mut moves = Vec::new();
    for _ in 0..rng.random_range(1..36) {
        let legal = game.position().legal_moves();
        if legal.is_empty() || game.end().is_some() {
            return None;
        }
        let m = match by_searches && rng.random_range(0..4) > 0 {
            true => own_move(engine, &moves, 300),
            false => legal[rng.random_range(0..legal.len())],
        };
        moves.push(m.to_uci(mode).to_string());
        game.play(m);
    }
    (game.end().is_none() && game.position().legal_moves().len() > 1).then_some((game, moves))
}

/// What the engine's own moves and moves by chance do to the rating of a player of whom nothing is known.
fn tell_changes<P: Variant>(positions: usize) {
    let name = P::RULE_SET.name();
    let settings = Settings { rule_set: P::RULE_SET, own_book: false, ..Settings::default() };
    let (mut engine, book) = (Engine::new(&settings).unwrap(), Book::embedded());
    let mut estimator = Estimator::<P>::new().unwrap();
    let fresh = Estimate::default();
    let before = fresh.after(&Evidence::default()).mean;
    let mut change = |game: &Game<P>, m: Move| fresh.after(&estimator.judge(game, m)).mean - before;
    let (start, _) = setup::game::<P>(&Start::Initial, &[], CastlingMode::Standard).unwrap();
    let own = own_move(&mut engine, &[], NODES);
    let first = start.position().legal_moves();
    let told: Vec<String> =
        first.iter().map(|&m| format!("{m} {:+.0}", change(&start, m))).collect();
    println!("{name}: first moves, the engine's own is {own}: {}", told.join(", "));
    let mut rng = SmallRng::seed_from_u64(7);
    let mut changes = [Vec::new(), Vec::new()];
    for number in 0.. {
        if changes[0].len().max(changes[1].len()) >= positions {
            break;
        }
        let found = position::<P>(&mut engine, &mut rng, number % 2 == 1);
        let Some((game, moves)) = found else { continue };
        let legal = game.position().legal_moves();
        let by_chance = legal[rng.random_range(0..legal.len())];
        for (changes, m) in
            changes.iter_mut().zip([own_move(&mut engine, &moves, NODES), by_chance])
        {
            // Moves from the book do not count.
            if !book.moves(game.now()).iter().any(|known| known.m == m) {
                changes.push(change(&game, m));
            }
        }
    }
    for (kind, changes) in ["own", "by chance"].iter().zip(&changes) {
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let beyond = |elo: f64| {
            let lowered = changes.iter().filter(|&&change| change < -elo).count();
            100 * lowered / changes.len()
        };
        let losses: Vec<f64> = changes.iter().map(|change| change.min(0.0)).collect();
        let (all, lost) = (mean(changes), mean(&losses));
        println!(
            "{name}, {kind}: mean {all:+.0}; {} % lower the rating, {} % by more than 50, {} % by \
             more than 100; a move costs {lost:+.1} in the mean",
            beyond(0.0),
            beyond(50.0),
            beyond(100.0)
        );
    }
}

/// How a first move changes the rating of a player of whom nothing is known.
fn change_by_first<P: Variant>(m: &str) -> f64 {
    let game = setup::game::<P>(&Start::Initial, &[], CastlingMode::Standard).unwrap().0;
    let m = setup::read_move(game.position(), m).unwrap();
    let evidence = Estimator::<P>::new().unwrap().judge(&game, m);
    let fresh = Estimate::default();
    fresh.after(&evidence).mean - fresh.after(&Evidence::default()).mean
}

#[test]
fn good_first_moves_in_other_rule_sets_speak_against_nobody() {
    for m in ["e2e4", "d2d4", "b1c3"] {
        let change = change_by_first::<Crazyhouse>(m);
        assert!(change > -20.0, "{m} {change}");
    }
    assert!(change_by_first::<Crazyhouse>("f2f4") < -100.0);
    let [good, bad] = ["b2b3", "e2e4"].map(change_by_first::<Antichess>);
    assert!(good > -40.0 && bad < -100.0, "{good} {bad}");
}

/// Nodes of a search that sees ten times as much as the judge.
const NODES: u64 = 300_000;

/// Ten minutes: `cargo test --release --test library own_moves -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn the_engine_s_own_moves_hardly_lower_a_rating() {
    tell_changes::<Chess>(200);
    tell_changes::<Crazyhouse>(200);
    tell_changes::<Antichess>(200);
}
