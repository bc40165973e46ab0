//! Claims about chess: the answer's time, the price of the secondary search, the kings' heuristics.

use super::{Claim, Effort, SMARTER, TRUJILLO, cost, found, verdict};
use crate::lab::compare::random_positions;
use crate::lab::game::{ChessEvaluation, Position, Side};
use crate::lab::games::chess::RuleSet;

/// Games a side of the match of evaluations.
const GAMES: usize = 20;
/// Half-moves after which a game is judged by the material on the board.
const LONGEST: usize = 120;
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
    let start = RuleSet::Chess.start(ChessEvaluation::Linear);
    let openings = random_positions(&start, games, 6..=8, effort.seed);
    let points: f64 = openings
        .iter()
        .flat_map(|opening| [Side::Max, Side::Min].map(|side| play(opening, side)))
        .sum();
    let share = points / (2 * openings.len().max(1)) as f64;
    Claim {
        source: TRUJILLO,
        name: "king-heuristics",
        numbers: vec![
            ("games", (2 * openings.len()).to_string()),
            ("share", super::percent(share)),
        ],
        verdict: verdict([share > 0.5]),
    }
}

/// A game in which `side` goes by all three ratios and the other by the material: its points.
fn play(opening: &Position, side: Side) -> f64 {
    let mut game = opening.clone();
    for _ in 0..LONGEST {
        if game.moves().is_empty() {
            break;
        }
        let evaluation = match game.turn() == side {
            true => ChessEvaluation::Ratio,
            false => ChessEvaluation::RatioMaterial,
        };
        let judged = game.judged_by(evaluation).unwrap_or(game.clone());
        let Some(m) = found("alpha-beta", &judged, DEPTH).and_then(|choice| choice.best) else {
            break;
        };
        game = game.play(m);
    }
    let value = side.sees(game.value());
    if value > DECISIVE {
        1.0
    } else if value < -DECISIVE {
        0.0
    } else {
        0.5
    }
}
