//! Hours of hard use in some minutes: `cargo test --release -- --ignored soak --nocapture`.
//!
//! `SOAK` multiplies the number of games, storms and boards; 1 is the default. The figures are printed.
//! What must hold on any machine is asserted; what depends on its speed and its other work is only told.

use std::env;
use std::fs;
use std::time::{Duration, Instant};

use engine::evaluation::Variant;
use engine::evaluation::variants::{Task, with_rules};
use engine::rules::setup::{self, Start};
use engine::rules::{Game, RuleSet};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use shakmaty::{CastlingMode, Chess};

use crate::client::{Client, best_moves, field};

/// Half-moves after which a game is given up.
const MAX_LENGTH: usize = 160;

fn times(count: usize) -> usize {
    let factor: f64 = env::var("SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0);
    ((count as f64 * factor) as usize).max(1)
}

/// Resident memory of a process, in KiB; 0 where the system does not tell.
fn resident(client: &Client) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", client.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// Two programs that play each other, and what is counted of it.
struct Match {
    players: [Client; 2],
    rng: SmallRng,
    moves: usize,
    lost_clocks: usize,
}

impl Match {
    /// Sets the options of the next game at random.
    fn prepare(&mut self, rule_set: RuleSet) {
        for client in &mut self.players {
            let rng = &mut self.rng;
            for (option, value) in [
                ("UCI_Variant", rule_set.name().to_string()),
                ("Hash", [1, 2, 5, 16][rng.random_range(0..4)].to_string()),
                ("MultiPV", [1, 1, 2, 4][rng.random_range(0..4)].to_string()),
                ("Threads", [1, 1, 2, 3][rng.random_range(0..4)].to_string()),
                ("Evaluation", ["auto", "linear", "tables"][rng.random_range(0..3)].to_string()),
                ("OwnBook", ["true", "false"][rng.random_range(0..2)].to_string()),
                ("UCI_ShowWDL", ["true", "false"][rng.random_range(0..2)].to_string()),
                ("Level", ["unlimited", "unlimited", "3"][rng.random_range(0..3)].to_string()),
                ("Move Overhead", "0".to_string()),
            ] {
                client.say(&format!("setoption name {option} value {value}"));
            }
            client.say("ucinewgame");
            let answers = client.sync();
            assert!(answers.iter().all(|line| !line.contains("takes")), "{answers:?}");
            client.heard.clear();
        }
    }
}

/// One game between both, with pondering.
struct Play<'a>(&'a mut Match);

impl Task for Play<'_> {
    type Outcome = ();

    fn run<P: Variant>(self) {
        let Match { players, moves: all_moves, lost_clocks, rng } = self.0;
        let mut game = Game::new(P::default());
        let mut played: Vec<String> = Vec::new();
        let mut clocks = [Duration::from_millis(200); 2];
        let mut pondering: [Option<String>; 2] = [None, None];
        for ply in 0..MAX_LENGTH {
            if game.position().is_game_over() || game.draw_reason().is_some() {
                break;
            }
            let mover = ply % 2;
            let position = |played: &[String]| match played {
                [] => "position startpos".to_string(),
                played => format!("position startpos moves {}", played.join(" ")),
            };
            let time = |clocks: &[Duration; 2]| {
                let [white, black] = clocks.map(|clock| clock.as_millis());
                format!("wtime {white} btime {black} winc 2 binc 2")
            };
            let client = &mut players[mover];
            let started = Instant::now();
            let guess = pondering[mover].take();
            if guess.is_some() && guess.as_ref() == played.last() {
                client.say("ponderhit");
            } else {
                if guess.is_some() {
                    client.say("stop");
                    client.wait_for("bestmove");
                }
                client.say(&position(&played));
                client.say(&format!("go {}", time(&clocks)));
            }
            let answer = client.wait_for("bestmove");
            let used = started.elapsed();
            *all_moves += 1;
            *lost_clocks += usize::from(used > clocks[mover]);
            let left = clocks[mover].saturating_sub(used) + Duration::from_millis(2);
            clocks[mover] = left.max(Duration::from_millis(20));
            let text = field(&answer, "bestmove").unwrap().to_string();
            let m = setup::read_move(game.position(), &text);
            let m = m.unwrap_or_else(|error| panic!("{}: {error}: {played:?}", P::NAME));
            game.play(m);
            played.push(text);
            let over = game.position().is_game_over();
            if let Some(guess) = field(&answer, "ponder").filter(|_| !over && rng.random_bool(0.7))
            {
                let expected = [&played[..], &[guess.to_string()]].concat();
                let client = &mut players[mover];
                client.say(&position(&expected));
                client.say(&format!("go ponder {}", time(&clocks)));
                pondering[mover] = Some(guess.to_string());
            }
        }
        for (client, guess) in players.iter_mut().zip(pondering) {
            if guess.is_some() {
                client.say("stop");
                client.wait_for("bestmove");
            }
            let rest = client.sync();
            assert_eq!(best_moves(&rest), 0, "{}: a move too many: {rest:?}", P::NAME);
            client.heard.clear();
        }
    }
}

#[test]
#[ignore = "minutes; run it with: cargo test --release -- --ignored soak --nocapture"]
fn soak_games_in_all_rule_sets() {
    let players = [Client::start_with(&[]), Client::start_with(&[])];
    let rng = SmallRng::seed_from_u64(1);
    let mut all = Match { players, rng, moves: 0, lost_clocks: 0 };
    let games = times(1000);
    let mut first = 0;
    for number in 0..games {
        let rule_set = RuleSet::ALL[number % RuleSet::ALL.len()];
        all.prepare(rule_set);
        with_rules(rule_set, Play(&mut all));
        if number == 2 * RuleSet::ALL.len() {
            first = all.players.iter().map(resident).sum();
        }
    }
    let last: u64 = all.players.iter().map(resident).sum();
    let Match { moves, lost_clocks, .. } = all;
    println!("{games} games, {moves} moves, {lost_clocks} lost clocks; resident memory of both");
    println!("programs {first} KiB after 16 games, {last} KiB at the end");
    assert!(first == 0 || last < first + (64 << 10), "memory grows from {first} to {last} KiB");
}

#[test]
#[ignore = "minutes; run it with: cargo test --release -- --ignored soak --nocapture"]
fn soak_storms_of_stops() {
    let mut client = Client::start();
    let mut rng = SmallRng::seed_from_u64(2);
    let storms = times(10_000);
    let mut worst = Duration::ZERO;
    for number in 0..storms {
        if number % 1000 == 0 {
            client.say(&format!(
                "setoption name Threads value {}",
                [1, 2, 8, 1024][number / 1000 % 4]
            ));
            client.sync();
        }
        client.heard.clear();
        let go = ["infinite", "ponder wtime 50 btime 50", "depth 40", "movetime 100000"];
        client.say(&format!("go {}", go[rng.random_range(0..go.len())]));
        std::thread::sleep(Duration::from_micros(rng.random_range(0..1500)));
        let noise = ["stop", "stop\nstop", "ponderhit\nstop", "isready\nstop", "stop\nponderhit"];
        let stopped = Instant::now();
        client.say(noise[rng.random_range(0..noise.len())]);
        client.wait_for("bestmove");
        worst = worst.max(stopped.elapsed());
        let rest = client.sync();
        assert_eq!(best_moves(&rest), 0, "a move too many: {rest:?}");
    }
    println!("{storms} storms, each with one move; the slowest stop took {worst:?}");
}

/// A board crowded with heavy pieces of both sides.
fn dense_board(rng: &mut SmallRng) -> String {
    let pieces: &[u8] = b"QQQQQQRRBBNN111qqqqqqrrbbnn111";
    let mut ranks: Vec<Vec<u8>> = (0..8)
        .map(|_| (0..8).map(|_| pieces[rng.random_range(0..pieces.len())]).collect())
        .collect();
    let (white, black) = (rng.random_range(0..8), rng.random_range(0..8));
    ranks[7][white] = b'K';
    ranks[0][black] = b'k';
    let ranks: Vec<String> =
        ranks.into_iter().map(|rank| String::from_utf8(rank).unwrap()).collect();
    format!("{} {} - - 0 1", ranks.join("/"), if rng.random_bool(0.5) { "w" } else { "b" })
}

#[test]
#[ignore = "minutes; run it with: cargo test --release -- --ignored soak --nocapture"]
fn soak_dense_boards() {
    let mut client = Client::start();
    let mut rng = SmallRng::seed_from_u64(3);
    for (variant, boards) in [("chess", times(10_000)), ("antichess", times(10_000))] {
        client.say(&format!("setoption name UCI_Variant value {variant}"));
        let (mut accepted, mut worst) = (0, (Duration::ZERO, String::new()));
        while accepted < boards {
            let fen = dense_board(&mut rng);
            let read = setup::game::<Chess>(&Start::Fen(fen.clone()), &[], CastlingMode::Standard);
            if read.is_err() {
                continue;
            }
            accepted += 1;
            client.heard.clear();
            client.say(&format!("position fen {fen}"));
            client.sync();
            let started = Instant::now();
            client.say("go movetime 1");
            client.wait_for("bestmove");
            if started.elapsed() > worst.0 {
                worst = (started.elapsed(), fen);
            }
        }
        println!(
            "{variant}: {boards} boards; the slowest movetime 1 took {:?}: {}",
            worst.0, worst.1
        );
    }
}
