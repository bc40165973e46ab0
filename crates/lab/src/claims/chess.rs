//! Claims about chess: the answer's time, the price of the secondary search, the kings' heuristics.

use super::{Claim, Effort, SMARTER, TRUJILLO, cost, found, percent, verdict};
use crate::compare::random_positions;
use crate::game::{Position, Side};
use crate::games::chess::{ChessEvaluation as Evaluation, start as chess_start};
use engine::rules::RuleSet;

/// Games a side of the match of evaluations.
const GAMES: usize = 20;
/// Half-moves after which a game is judged by the material on the board.
const MAX_LENGTH: usize = 120;
/// Plies that both sides search.
const DEPTH: u32 = 2;
/// Centipawns that decide a game that is not over.
const DECISIVE: i32 = 200;

pub(super) fn thirty_seconds(start: &Position, chess: &[Position]) -> Claim {
    let few = chess.iter().take(5).chain([start]).cloned().collect::<Vec<_>>();
    let times = few.iter().map(|game| cost("alpha-beta", std::slice::from_ref(game), 5).time);
    let slowest = times.max().unwrap_or_default().as_secs_f64();
    Claim {
        source: TRUJILLO,
        name: "thirty-seconds",
        numbers: vec![("slowest", format!("{slowest:.1}"))],
        verdict: verdict([slowest < 30.0]),
    }
}

pub(super) fn secondary(chess: &[Position]) -> Claim {
    let few = &chess[..chess.len().min(4)];
    let ratio = cost("secondary", few, 3).leaves / cost("alpha-beta", few, 3).leaves;
    Claim {
        source: SMARTER,
        name: "secondary",
        numbers: vec![("times", format!("{ratio:.0}"))],
        verdict: verdict([ratio > 1.0]),
    }
}

/// A match between Trujillo's three ratios and the first of them alone.
pub(super) fn king_heuristics(effort: Effort) -> Claim {
    let games = GAMES.min(effort.positions.max(2));
    // The same random moves, so the same openings, judged in three ways.
    let [three, material, judge] =
        [Evaluation::Ratio, Evaluation::RatioMaterial, Evaluation::Linear].map(|by| {
            random_positions(&chess_start(RuleSet::Chess, by), games, 6..=8, effort.seed)
        });
    let mut points = 0.0;
    let mut played = 0;
    for ((three, material), judge) in three.iter().zip(&material).zip(&judge) {
        for side in [Side::Max, Side::Min] {
            points += play([three, material, judge], side);
            played += 1;
        }
    }
    let share = points / f64::from(played.max(1));
    Claim {
        source: TRUJILLO,
        name: "king-heuristics",
        numbers: vec![("games", played.to_string()), ("share", percent(share))],
        verdict: verdict([share > 0.5]),
    }
}

/// A game in which `side` goes by all three ratios and the other by the material: its points by a
/// third evaluation.
fn play(opening: [&Position; 3], side: Side) -> f64 {
    let [mut three, mut material, mut judge] = opening.map(Position::clone);
    for _ in 0..MAX_LENGTH {
        let mover = if three.turn() == side { &three } else { &material };
        let Some(m) = found("alpha-beta", mover, DEPTH).and_then(|choice| choice.best) else {
            break;
        };
        (three, material, judge) = (three.play(m), material.play(m), judge.play(m));
    }
    match side.sees(judge.value()) {
        v if v > DECISIVE => 1.0,
        v if v < -DECISIVE => 0.0,
        _ => 0.5,
    }
}
