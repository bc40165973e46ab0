//! Fitting the king tables to recorded positions: Texel's logistic loss, Adam's descent.
//!
//! A score s predicts the game's result as 1 / (1 + 10^(−s/S)). The loss is the mean squared
//! difference between that and a blend of the real result and the recorded score's own
//! prediction (Österlund, "Texel's tuning method", 2014; Kingma and Ba, "Adam", 2015). Material
//! stays as it is; the descent moves only the two tables, and a share of the games is held out
//! to say when to stop.
//!
//! What a piece is worth is the sum of one entry from each of its grids (see `tables`).

use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};

use shakmaty::{Color, Role, Square};

use super::record::Record;
use crate::arena::on_threads;
use engine::evaluation::Variant;
use engine::evaluation::tables::{COLUMNS, Grids, LINES, Tables, places};
use engine::evaluation::{FULL_PHASE, Tapered, View, material};

/// Roles that have entries: all but the king.
const ROLES: usize = 5;
/// Squares of the king once the board is turned.
const KINGS: usize = 32;
/// What a piece can be worth: two tables, by role, king's square and its own.
const WORTHS: usize = 2 * ROLES * KINGS * 64;
/// All numbers fitted, the entries of the grids, each for two phases.
const NUMBERS: usize = 2 * ROLES * LINES * COLUMNS;

/// An opening and an endgame number.
type Pair = [f64; 2];

/// Options of a fit.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// Share of the target that is the game's result, the rest being the score's prediction.
    pub result_share: f64,
    /// Rounds at most.
    pub rounds: usize,
    /// One position in this many, by game, is held out.
    pub held_out: usize,
    /// Threads to use.
    pub threads: usize,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        FitOptions { result_share: 0.4, rounds: 400, held_out: 10, threads: 1 }
    }
}

/// The state of a fit after a round.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Its number, from 1.
    pub number: usize,
    /// Mean squared error on the positions that are fitted.
    pub training: f64,
    /// Mean squared error on those held out.
    pub held_out: f64,
}

/// Rounds without progress on the held-out positions after which the fit ends.
const PATIENCE: usize = 25;
/// Progress smaller than this share does not count.
const PROGRESS: f64 = 1e-5;
/// Adam's step in centipawns, and its memories.
const STEP: f64 = 2.0;
const MOMENTUM: f64 = 0.9;
const SPREAD: f64 = 0.999;
/// What keeps the step finite where the slope never was.
const RESERVE: f64 = 1e-6;

/// A position as the fit sees it.
struct Sample {
    /// White's edge in what is not fitted, in centipawns: material and the rule set's own term.
    fixed: f64,
    /// Share of the opening, 0 to 1.
    opening: f64,
    /// Worths of its pieces and their signs, as +1 (White's) or −1.
    pieces: Vec<(u16, i8)>,
    target: f64,
}

/// Fits tables to `records`, beginning with nothing but material; `scale` is the centipawns at which
/// ten games in eleven are won. `watch` hears of each round and returns false to end the fit.
pub fn fit<P: Variant>(
    records: &[Record],
    scale: f64,
    options: &FitOptions,
    mut watch: impl FnMut(&Round) -> bool,
) -> Tables {
    let (training, held_out) = samples::<P>(records, scale, options);
    let mut numbers = vec![[0.0; 2]; NUMBERS];
    let parts = parts();
    let mut best = (f64::INFINITY, numbers.clone(), 0);
    let mut adam = Adam::new();
    for number in 1..=options.rounds {
        let worths = worths(&numbers, &parts);
        let held_out = loss(&held_out, &worths, scale);
        let (training, slopes) = gradient(&training, &worths, scale, options.threads);
        if held_out < best.0 * (1.0 - PROGRESS) {
            best = (held_out, numbers.clone(), number);
        }
        if !watch(&Round { number, training, held_out }) || number - best.2 >= PATIENCE {
            break;
        }
        adam.step(&mut numbers, &shares(&slopes, &parts));
    }
    tables(&best.1)
}

/// For every worth, the numbers that it is the sum of.
fn parts() -> Vec<[u16; 4]> {
    let mut parts = vec![[0; 4]; WORTHS];
    for table in 0..2 {
        for role in Role::ALL.into_iter().filter(|&role| role != Role::King) {
            for king in Square::ALL {
                for square in Square::ALL {
                    let view = View::new(0, king, square);
                    parts[worth(table, role, view)] = places(view).map(|(line, column)| {
                        number(table, role as usize - 1, line, column) as u16
                    });
                }
            }
        }
    }
    parts
}

/// Where an entry of a grid is filed.
fn number(table: usize, role: usize, line: usize, column: usize) -> usize {
    ((table * ROLES + role) * LINES + line) * COLUMNS + column
}

/// Where the worth of a piece is filed.
fn worth(table: usize, role: Role, view: View) -> usize {
    let king = view.king_rank * 4 + view.king_file;
    ((table * ROLES + role as usize - 1) * KINGS + king) * 64 + view.rank * 8 + view.file
}

/// What the numbers add up to.
fn worths(numbers: &[Pair], parts: &[[u16; 4]]) -> Vec<Pair> {
    let sum = |parts: &[u16; 4]| {
        parts.iter().fold([0.0; 2], |sum, &part| {
            let number = numbers[usize::from(part)];
            [sum[0] + number[0], sum[1] + number[1]]
        })
    };
    parts.iter().map(sum).collect()
}

/// The gradient by number, from the gradient by worth.
fn shares(slopes: &[Pair], parts: &[[u16; 4]]) -> Vec<Pair> {
    let mut gradient = vec![[0.0; 2]; NUMBERS];
    for (slope, parts) in slopes.iter().zip(parts) {
        for &part in parts {
            gradient[usize::from(part)][0] += slope[0];
            gradient[usize::from(part)][1] += slope[1];
        }
    }
    gradient
}

/// The scale at which the recorded scores predict the results best: centipawns at which
/// ten games in eleven are won.
pub fn best_scale(records: &[Record]) -> f64 {
    let error = |scale: f64| -> f64 {
        let each = |record: &Record| {
            (expectation(f64::from(record.score), scale) - f64::from(record.result) / 2.0).powi(2)
        };
        records.iter().step_by(records.len() / 50_000 + 1).map(each).sum()
    };
    let candidates = (8..=80).map(|step| f64::from(step) * 25.0);
    candidates.min_by(|&a, &b| error(a).total_cmp(&error(b))).unwrap_or(400.0)
}

fn expectation(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-score / scale))
}

/// Splits the records into those fitted and those held out, by games.
fn samples<P: Variant>(
    records: &[Record],
    scale: f64,
    options: &FitOptions,
) -> (Vec<Sample>, Vec<Sample>) {
    let mut parts = (Vec::new(), Vec::new());
    for record in records {
        let held_out = options.held_out > 0 && usize::from(record.game) % options.held_out == 0;
        let part = if held_out { &mut parts.1 } else { &mut parts.0 };
        part.push(sample::<P>(record, scale, options.result_share));
    }
    parts
}

fn sample<P: Variant>(record: &Record, scale: f64, result_share: f64) -> Sample {
    let board = &record.board;
    let edge = material::term::<P>(board, Color::White) - material::term::<P>(board, Color::Black);
    let mut pieces = Vec::with_capacity(60);
    let king = |color| board.king_of(color).unwrap_or(Square::E1);
    for (square, piece) in board.clone() {
        if piece.role == Role::King {
            continue;
        }
        for (table, king) in [(0, king(piece.color)), (1, king(!piece.color))] {
            let view = View::new(P::flip(piece.color), king, square);
            pieces.push((worth(table, piece.role, view) as u16, piece.color.fold_wb(1, -1)));
        }
    }
    let won = f64::from(record.result) / 2.0;
    let expected = expectation(f64::from(record.score), scale);
    Sample {
        fixed: f64::from(edge.opening()) + f64::from(record.own_term),
        opening: f64::from(material::phase_in::<P>(board).min(FULL_PHASE)) / f64::from(FULL_PHASE),
        pieces,
        target: result_share * won + (1.0 - result_share) * expected,
    }
}

/// The score of a sample for White, in centipawns.
fn score(sample: &Sample, worths: &[Pair]) -> f64 {
    let (mut opening, mut endgame) = (0.0, 0.0);
    for &(worth, sign) in &sample.pieces {
        let [in_opening, in_endgame] = worths[usize::from(worth)];
        opening += f64::from(sign) * in_opening;
        endgame += f64::from(sign) * in_endgame;
    }
    sample.fixed + sample.opening * opening + (1.0 - sample.opening) * endgame
}

fn loss(samples: &[Sample], worths: &[Pair], scale: f64) -> f64 {
    let each = |s: &Sample| (expectation(score(s, worths), scale) - s.target).powi(2);
    samples.iter().map(each).sum::<f64>() / samples.len().max(1) as f64
}

/// The loss and its gradient, the samples shared out among threads.
fn gradient(samples: &[Sample], worths: &[Pair], scale: f64, threads: usize) -> (f64, Vec<Pair>) {
    let share = samples.len().div_ceil(threads.max(1)).max(1);
    let parts = Mutex::new(Vec::new());
    let chunks = Mutex::new(samples.chunks(share).enumerate());
    let next = || chunks.lock().unwrap_or_else(PoisonError::into_inner).next();
    let Ok(()) = on_threads(threads, || -> Result<(), Infallible> {
        while let Some((number, chunk)) = next() {
            let part = part_gradient(chunk, worths, scale);
            parts.lock().unwrap_or_else(PoisonError::into_inner).push((number, part));
        }
        Ok(())
    });
    let mut parts = parts.into_inner().unwrap_or_else(PoisonError::into_inner);
    // Sums of floating-point numbers depend on their order.
    parts.sort_by_key(|(number, _)| *number);
    let mut sum = vec![[0.0; 2]; WORTHS];
    let mut loss = 0.0;
    let count = samples.len().max(1) as f64;
    for (_, (part_loss, part)) in parts {
        loss += part_loss / count;
        for (sum, part) in sum.iter_mut().zip(part) {
            sum[0] += part[0] / count;
            sum[1] += part[1] / count;
        }
    }
    (loss, sum)
}

fn part_gradient(samples: &[Sample], worths: &[Pair], scale: f64) -> (f64, Vec<Pair>) {
    let mut gradient = vec![[0.0; 2]; WORTHS];
    let mut loss = 0.0;
    for sample in samples {
        let expected = expectation(score(sample, worths), scale);
        let error = expected - sample.target;
        loss += error * error;
        let slope = error * expected * (1.0 - expected);
        for &(worth, sign) in &sample.pieces {
            let slopes = &mut gradient[usize::from(worth)];
            slopes[0] += f64::from(sign) * slope * sample.opening;
            slopes[1] += f64::from(sign) * slope * (1.0 - sample.opening);
        }
    }
    (loss, gradient)
}

/// Adam: each number takes steps of its own size.
struct Adam {
    momentum: Vec<Pair>,
    spread: Vec<Pair>,
    steps: i32,
}

impl Adam {
    fn new() -> Adam {
        Adam { momentum: vec![[0.0; 2]; NUMBERS], spread: vec![[0.0; 2]; NUMBERS], steps: 0 }
    }

    fn step(&mut self, numbers: &mut [Pair], gradient: &[Pair]) {
        self.steps += 1;
        let (fresh, fresh_spread) =
            (1.0 - MOMENTUM.powi(self.steps), 1.0 - SPREAD.powi(self.steps));
        let memories = self.momentum.iter_mut().zip(&mut self.spread);
        let all = numbers.iter_mut().zip(gradient).zip(memories);
        for ((number, slope), (momentum, spread)) in all {
            for phase in 0..2 {
                let slope = slope[phase];
                momentum[phase] = MOMENTUM * momentum[phase] + (1.0 - MOMENTUM) * slope;
                spread[phase] = SPREAD * spread[phase] + (1.0 - SPREAD) * slope * slope;
                let size = (spread[phase] / fresh_spread).sqrt() + RESERVE;
                number[phase] -= STEP * (momentum[phase] / fresh) / size;
            }
        }
    }
}

/// The tables that the numbers stand for.
fn tables(numbers: &[Pair]) -> Tables {
    let grids = |table: usize, role: usize| -> Grids {
        std::array::from_fn(|line| {
            std::array::from_fn(|column| {
                let [opening, endgame] = numbers[number(table, role, line, column)];
                Tapered::new(opening.round() as i32, endgame.round() as i32)
            })
        })
    };
    Tables {
        safety: std::array::from_fn(|role| grids(0, role)),
        proximity: std::array::from_fn(|role| grids(1, role)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::evaluation::KingTerms;
    use engine::evaluation::linear::Weights;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use shakmaty::{ByColor, Chess, Position};

    /// Positions of random games, scored by `teacher`.
    fn lessons(teacher: &KingTerms<Chess>) -> Vec<Record> {
        let mut rng = SmallRng::seed_from_u64(5);
        let mut records = Vec::new();
        for game in 0.. {
            if records.len() >= 20_000 {
                break;
            }
            let mut position = Chess::default();
            for ply in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[rng.random_range(0..moves.len())]);
                let score = teacher.score(&position).raw();
                let white = position.turn().fold_wb(score, -score) as i16;
                records.push(Record {
                    board: position.board().clone(),
                    score: white,
                    result: 1,
                    turn: position.turn(),
                    extras: ByColor::default(),
                    game,
                    ply,
                    own_term: 0,
                });
            }
        }
        records
    }

    #[test]
    fn the_fit_learns_what_the_teacher_knows() {
        let teacher = KingTerms::linear(Weights { safety: (20, 5), proximity: (10, 25) });
        let records = lessons(&teacher);
        let options = FitOptions { result_share: 0.0, rounds: 150, ..FitOptions::default() };
        let mut losses = Vec::new();
        let pupil = fit::<Chess>(&records, 400.0, &options, |round| {
            losses.push(round.held_out);
            true
        });
        assert!(losses[losses.len() - 1] < losses[0] / 10.0, "{losses:?}");
        // The tables that come of it say what the teacher says, or nearly.
        let pupil = pupil.evaluator();
        let mut position = Chess::default();
        let mut rng = SmallRng::seed_from_u64(99);
        for _ in 0..60 {
            let moves = position.legal_moves();
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
            let says = |who: &KingTerms<Chess>| who.score(&position).raw();
            assert!(says(&pupil).abs_diff(says(&teacher)) < 60, "{position:?}");
        }
    }

    #[test]
    fn the_share_of_threads_changes_nothing() {
        let records = lessons(&KingTerms::linear(Weights::default()));
        let (training, _) = samples::<Chess>(&records, 400.0, &FitOptions::default());
        let worths = vec![[1.0; 2]; WORTHS];
        let (one, alone) = gradient(&training, &worths, 400.0, 1);
        let (three, shared) = gradient(&training, &worths, 400.0, 3);
        assert!((one - three).abs() < 1e-12);
        assert!(
            alone
                .as_flattened()
                .iter()
                .zip(shared.as_flattened())
                .all(|(a, b)| (a - b).abs() < 1e-12)
        );
    }
}
