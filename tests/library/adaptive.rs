//! An opponent that adapts itself: the estimate of a player's rating, and games against it.

use engine::limits::Limits;
use engine::play::estimate::{Estimate, Estimator, Follower};
use engine::play::strength::{LimitedPlayer, Strength};
use engine::rules::Game;
use engine::search::report::Silent;
use shakmaty::{Chess, Color, Position};

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
