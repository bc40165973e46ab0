//! Claims about chess: the answer's time, the price of the secondary search, the kings' heuristics.

use super::{
    Claim, Effort, Ratio, SMARTER, TRUJILLO, cost, found, is_fewer, judged, ordered, verdict,
};
use crate::compare::random_positions;
use crate::game::{Position, Side};
use crate::games::chess::{ChessEvaluation as Evaluation, start as chess_start};
use crate::games::order::Order;
use engine::rules::RuleSet;

/// Games a side of the match of evaluations.
const GAMES: usize = 20;
/// Half-moves after which a game is judged by the material on the board.
const MAX_LENGTH: usize = 120;
/// Plies that both sides search.
const DEPTH: u32 = 2;
/// Pawns that decide a game that is not over.
const DECISIVE: i32 = 2;

pub(super) fn thirty_seconds(start: &Position, chess: &[Position]) -> Claim {
    let few = chess.iter().take(5).chain([start]).cloned().collect::<Vec<_>>();
    let times = few.iter().map(|game| cost("alpha-beta", std::slice::from_ref(game), 5).time);
    let slowest = times.max().unwrap_or_default().as_secs_f64();
    Claim {
        source: TRUJILLO,
        name: "thirty-seconds",
        numbers: vec![("slowest", format!("{slowest:.1}"))],
        verdict: verdict([slowest < 30.0]),
        sample: ("chess", few.len()),
        command: "engine lab compare --depth 5 --algorithms alpha-beta".into(),
    }
}

/// Positions in which the decisions of the secondary search are judged, and the plies of the judge.
const JUDGED: usize = 24;
const JUDGE: u32 = 5;

/// The price of the secondary search, and whether its decisions are better where they differ: judged
/// by the value of the move in a search that is deeper than both.
pub(super) fn secondary(chess: &[Position]) -> Claim {
    let games = ordered(&chess[..chess.len().min(JUDGED)], Order::Promise);
    let times = Ratio::of_leaves("secondary", "alpha-beta", &games, 2);
    let best = |name: &str, game: &Position| found(name, game, 2).and_then(|choice| choice.best);
    let (mut other, mut better, mut worse) = (0, 0, 0);
    for game in &games {
        let (Some(plain), Some(checked)) = (best("alpha-beta", game), best("secondary", game))
        else {
            continue;
        };
        if plain == checked {
            continue;
        }
        other += 1;
        let worth = |m| {
            let value =
                found("negascout-table", &game.play(m), JUDGE - 1).map(|choice| choice.value);
            game.turn().sees(value.unwrap_or_default())
        };
        match worth(checked).cmp(&worth(plain)) {
            std::cmp::Ordering::Greater => better += 1,
            std::cmp::Ordering::Less => worse += 1,
            std::cmp::Ordering::Equal => {}
        }
    }
    Claim {
        source: SMARTER,
        name: "secondary",
        numbers: vec![
            ("times", times.times()),
            ("other", other.to_string()),
            ("better", better.to_string()),
            ("worse", worse.to_string()),
        ],
        verdict: judged([times.is_above(1.0), is_fewer(worse, better)]),
        sample: ("chess", games.len()),
        command: "engine lab compare --positions 24 --depth 2 --algorithms alpha-beta,secondary"
            .into(),
    }
}

/// Matches of two plies: Trujillo's equation as it was reconstructed, and the same heuristics as the
/// engine adds them up, each against material alone.
pub(super) fn king_heuristics(effort: Effort) -> Vec<Claim> {
    let names = [("king-heuristics", Evaluation::Ratio), ("king-terms", Evaluation::Linear)];
    names.map(|(name, evaluation)| king_match(name, evaluation, effort)).into()
}

fn king_match(name: &'static str, evaluation: Evaluation, effort: Effort) -> Claim {
    let games = GAMES.min(effort.positions.max(2));
    // The same random moves, so the same openings; material alone judges a game that is not over.
    let [kings, material] = [evaluation, Evaluation::RatioMaterial]
        .map(|by| random_positions(&chess_start(RuleSet::Chess, by), games, 6..=8, effort.seed));
    let points = |(kings, material): (&Position, &Position)| {
        let sides = [Side::Max, Side::Min].map(|side| play([kings, material], side));
        (sides.iter().sum::<f64>(), sides.len() as f64)
    };
    let points: Vec<(f64, f64)> = kings.iter().zip(&material).map(points).collect();
    let score = Ratio::of(&points);
    Claim {
        source: TRUJILLO,
        name,
        numbers: vec![("games", (2 * points.len()).to_string()), ("share", score.percent())],
        verdict: judged([score.is_above(0.5)]),
        sample: ("games", 2 * points.len()),
        command: match evaluation {
            Evaluation::Linear => "engine lab compare --evaluation linear",
            _ => "engine lab compare --evaluation ratio",
        }
        .into(),
    }
}

/// A game in which `side` goes by the kings and the other by the material: its points.
fn play(opening: [&Position; 2], side: Side) -> f64 {
    let [mut kings, mut material] = opening.map(Position::clone);
    for _ in 0..MAX_LENGTH {
        let mover = if kings.turn() == side { &kings } else { &material };
        let Some(m) = found("alpha-beta", mover, DEPTH).and_then(|choice| choice.best) else {
            break;
        };
        (kings, material) = (kings.play(m), material.play(m));
    }
    match side.sees(material.value()) {
        v if v > DECISIVE * material.unit() => 1.0,
        v if v < -DECISIVE * material.unit() => 0.0,
        _ => 0.5,
    }
}
