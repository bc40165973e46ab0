//! Fitting the offset tables to recorded positions: Texel's logistic loss, Adam's descent.
//!
//! A score s predicts the game's result as 1 / (1 + 10^(−s/S)). The loss is the mean squared
//! difference between that and a blend of the real result and the recorded score's own
//! prediction (Österlund, "Texel's tuning method", 2014; Kingma and Ba, "Adam", 2015). Material
//! stays as it is; the descent moves only the two tables, mirrored by file, and a share of
//! the games is held out to say when to stop.
//!
//! An entry is fitted as a sum: what its distance says, what its files and what its ranks say, and
//! what is its own. The shared parts learn from few positions what single entries could not.

use std::thread;

use shakmaty::{Color, Role};

use super::record::Record;
use crate::evaluation::{FULL_PHASE, KingRelative, Offset, OffsetTable, Tapered, material};
use crate::rules::Rules;

/// Roles that have entries: all but the king.
const ROLES: usize = 5;
const FILES: usize = 8;
const RANKS: usize = 15;
/// Entries of one table: role, distance in files, signed distance in ranks.
const ENTRIES: usize = ROLES * FILES * RANKS;
/// All entries in play: two tables in two phases.
const WEIGHTS: usize = 2 * ENTRIES * 2;
/// Shared parts of a role's entries: by distance, by files, by ranks.
const SHARED: usize = 8 + FILES + RANKS;
/// All numbers fitted: the entries' own parts, then the shared ones.
const NUMBERS: usize = WEIGHTS + 2 * ROLES * SHARED * 2;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Share of the target that is the game's result, the rest being the score's prediction.
    pub result_share: f64,
    /// Rounds at most.
    pub rounds: usize,
    /// One position in so many, by game, is held out.
    pub held_out: usize,
    /// Threads to use.
    pub threads: usize,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { result_share: 0.4, rounds: 400, held_out: 10, threads: 1 }
    }
}

/// Where a fit stands after a round.
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
/// Slopes much below this, the square root of the mean square, move a number little: entries that
/// the positions seldom speak of stay near what their kind says.
const RESERVE: f64 = 2e-4;

/// A position as the fit sees it.
struct Sample {
    /// White's edge in what is not fitted, in centipawns: material and the rule set's own term.
    fixed: f64,
    /// Share of the opening, 0 to 1.
    opening: f64,
    /// Entries of its pieces and their signs, as +1 (White's) or −1.
    pieces: Vec<(u16, i8)>,
    target: f64,
}

/// Fits tables to `records`, starting from those of `start`; `scale` is the centipawns at which ten
/// games in eleven are won. `watch` hears of each round and returns false to end the fit.
pub fn fit<P: Rules>(
    records: &[Record],
    start: &KingRelative,
    scale: f64,
    plan: &Plan,
    mut watch: impl FnMut(&Round) -> bool,
) -> KingRelative {
    let (training, held_out) = samples::<P>(records, scale, plan);
    let mut numbers = weights_of(start);
    numbers.resize(NUMBERS, 0.0);
    let sharing = sharing();
    let mut best = (f64::INFINITY, numbers[..WEIGHTS].to_vec(), 0);
    let mut adam = Adam::new();
    for number in 1..=plan.rounds {
        let weights = sums(&numbers, &sharing);
        let held_out = loss(&held_out, &weights, scale);
        let (training, slopes) = gradient(&training, &weights, scale, plan.threads);
        if held_out < best.0 * (1.0 - PROGRESS) {
            best = (held_out, weights, number);
        }
        if !watch(&Round { number, training, held_out }) || number - best.2 >= PATIENCE {
            break;
        }
        adam.step(&mut numbers, &shares(&slopes, &sharing));
    }
    evaluator(&best.1)
}

/// For every weight, the three shared numbers that it is the sum of, besides its own.
fn sharing() -> Vec<[usize; 3]> {
    let mut sharing = vec![[0; 3]; WEIGHTS];
    for (table, role, offset) in entries() {
        let (files, ranks) = (offset.files as usize, (offset.ranks + 7) as usize);
        let shared = [offset.distance() as usize, 8 + files, 8 + FILES + ranks];
        for phase in 0..2 {
            let group = ((table * ROLES + role as usize - 1) * 2 + phase) * SHARED;
            sharing[2 * index(table, role, offset) + phase] = shared.map(|n| WEIGHTS + group + n);
        }
    }
    sharing
}

/// The weights that the numbers add up to.
fn sums(numbers: &[f64], sharing: &[[usize; 3]]) -> Vec<f64> {
    let own = numbers.iter().zip(sharing);
    own.map(|(own, shared)| own + shared.iter().map(|&n| numbers[n]).sum::<f64>()).collect()
}

/// The gradient by number, from the gradient by weight.
fn shares(slopes: &[f64], sharing: &[[usize; 3]]) -> Vec<f64> {
    let mut gradient = slopes.to_vec();
    gradient.resize(NUMBERS, 0.0);
    for (slope, shared) in slopes.iter().zip(sharing) {
        shared.iter().for_each(|&n| gradient[n] += slope);
    }
    gradient
}

/// The scale at which `evaluator`'s own scores predict the results best: centipawns at which
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

/// Splits the records into those fitted and those held out, by runs of a thousand so that a
/// game is seldom in both.
fn samples<P: Rules>(records: &[Record], scale: f64, plan: &Plan) -> (Vec<Sample>, Vec<Sample>) {
    let mut parts = (Vec::new(), Vec::new());
    for (number, record) in records.iter().enumerate() {
        let held_out = plan.held_out > 0 && (number / 1000) % plan.held_out == plan.held_out - 1;
        let part = if held_out { &mut parts.1 } else { &mut parts.0 };
        part.push(sample::<P>(record, scale, plan.result_share));
    }
    parts
}

fn sample<P: Rules>(record: &Record, scale: f64, result_share: f64) -> Sample {
    let board = &record.board;
    let edge = material::term::<P>(board, Color::White) - material::term::<P>(board, Color::Black);
    let mut pieces = Vec::with_capacity(60);
    for (square, piece) in board.clone() {
        if piece.role == Role::King {
            continue;
        }
        for (table, king) in [(0, record.king(piece.color)), (1, record.king(!piece.color))] {
            let offset = Offset::between(piece.color, king, square);
            pieces.push((index(table, piece.role, offset) as u16, piece.color.fold_wb(1, -1)));
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

fn index(table: usize, role: Role, offset: Offset) -> usize {
    let (files, ranks) = (offset.files.unsigned_abs() as usize, (offset.ranks + 7) as usize);
    ((table * ROLES + role as usize - 1) * FILES + files) * RANKS + ranks
}

/// The score of a sample for White, in centipawns. Opening and endgame halves of an entry lie
/// side by side.
fn score(sample: &Sample, weights: &[f64]) -> f64 {
    let (mut opening, mut endgame) = (0.0, 0.0);
    for &(entry, sign) in &sample.pieces {
        let at = 2 * usize::from(entry);
        opening += f64::from(sign) * weights[at];
        endgame += f64::from(sign) * weights[at + 1];
    }
    sample.fixed + sample.opening * opening + (1.0 - sample.opening) * endgame
}

fn loss(samples: &[Sample], weights: &[f64], scale: f64) -> f64 {
    let each = |s: &Sample| (expectation(score(s, weights), scale) - s.target).powi(2);
    samples.iter().map(each).sum::<f64>() / samples.len().max(1) as f64
}

/// The loss and its gradient, the samples shared out among threads.
fn gradient(samples: &[Sample], weights: &[f64], scale: f64, threads: usize) -> (f64, Vec<f64>) {
    let share = samples.len().div_ceil(threads.max(1)).max(1);
    let parts: Vec<(f64, Vec<f64>)> = thread::scope(|scope| {
        let workers: Vec<_> = samples
            .chunks(share)
            .map(|chunk| scope.spawn(move || part_gradient(chunk, weights, scale)))
            .collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    });
    let mut sum = vec![0.0; WEIGHTS];
    let mut loss = 0.0;
    let count = samples.len().max(1) as f64;
    for (part_loss, part) in parts {
        loss += part_loss / count;
        sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part / count);
    }
    (loss, sum)
}

fn part_gradient(samples: &[Sample], weights: &[f64], scale: f64) -> (f64, Vec<f64>) {
    let mut gradient = vec![0.0; WEIGHTS];
    let mut loss = 0.0;
    for sample in samples {
        let expected = expectation(score(sample, weights), scale);
        let error = expected - sample.target;
        loss += error * error;
        let slope = error * expected * (1.0 - expected);
        for &(entry, sign) in &sample.pieces {
            let at = 2 * usize::from(entry);
            gradient[at] += f64::from(sign) * slope * sample.opening;
            gradient[at + 1] += f64::from(sign) * slope * (1.0 - sample.opening);
        }
    }
    (loss, gradient)
}

/// Adam: each number takes steps of its own size.
struct Adam {
    momentum: Vec<f64>,
    spread: Vec<f64>,
    steps: i32,
}

impl Adam {
    fn new() -> Adam {
        Adam { momentum: vec![0.0; NUMBERS], spread: vec![0.0; NUMBERS], steps: 0 }
    }

    fn step(&mut self, weights: &mut [f64], gradient: &[f64]) {
        self.steps += 1;
        let (fresh, fresh_spread) =
            (1.0 - MOMENTUM.powi(self.steps), 1.0 - SPREAD.powi(self.steps));
        for (n, (weight, &slope)) in weights.iter_mut().zip(gradient).enumerate() {
            self.momentum[n] = MOMENTUM * self.momentum[n] + (1.0 - MOMENTUM) * slope;
            self.spread[n] = SPREAD * self.spread[n] + (1.0 - SPREAD) * slope * slope;
            let direction =
                (self.momentum[n] / fresh) / ((self.spread[n] / fresh_spread).sqrt() + RESERVE);
            *weight -= STEP * direction;
        }
    }
}

/// Every entry's place: table, role, offset to the right of the king.
fn entries() -> impl Iterator<Item = (usize, Role, Offset)> {
    let roles = Role::ALL.into_iter().filter(|&role| role != Role::King);
    (0..2).flat_map(move |table| {
        roles.clone().flat_map(move |role| {
            (0..8).flat_map(move |files| {
                (-7..=7).map(move |ranks| (table, role, Offset { files, ranks }))
            })
        })
    })
}

fn weights_of(evaluator: &KingRelative) -> Vec<f64> {
    let mut weights = vec![0.0; WEIGHTS];
    for (table, role, offset) in entries() {
        let source = if table == 0 { evaluator.safety() } else { evaluator.proximity() };
        let value = source.at(role, offset);
        let at = 2 * index(table, role, offset);
        weights[at] = f64::from(value.opening());
        weights[at + 1] = f64::from(value.endgame());
    }
    weights
}

fn evaluator(weights: &[f64]) -> KingRelative {
    let table = |table: usize| {
        OffsetTable::from_fn(|role, offset| {
            if role == Role::King {
                return Tapered::ZERO;
            }
            let at = 2 * index(table, role, offset);
            Tapered::new(weights[at].round() as i32, weights[at + 1].round() as i32)
        })
    };
    KingRelative::new(table(0), table(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Evaluator;
    use crate::evaluation::king_relative::Weights;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use shakmaty::{Chess, Position};

    /// Positions of random games, scored by `teacher`.
    fn lessons(teacher: &KingRelative) -> Vec<Record> {
        let mut rng = SmallRng::seed_from_u64(5);
        let mut records = Vec::new();
        while records.len() < 20_000 {
            let mut position = Chess::default();
            for ply in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[rng.random_range(0..moves.len())]);
                let score = teacher.score(&position, &teacher.state(&position)).raw();
                let white = position.turn().fold_wb(score, -score) as i16;
                records.push(Record {
                    board: position.board().clone(),
                    score: white,
                    result: 1,
                    turn: position.turn(),
                    ply,
                    own_term: 0,
                });
            }
        }
        records
    }

    #[test]
    fn the_fit_learns_what_the_teacher_knows() {
        let teacher = KingRelative::linear(Weights { safety: (20, 5), proximity: (10, 25) });
        let nothing = KingRelative::linear(Weights { safety: (0, 0), proximity: (0, 0) });
        let records = lessons(&teacher);
        let plan = Plan { result_share: 0.0, rounds: 150, ..Plan::default() };
        let mut losses = Vec::new();
        let pupil = fit::<Chess>(&records, &nothing, 400.0, &plan, |round| {
            losses.push(round.held_out);
            true
        });
        assert!(losses.last() < losses.first());
        let apart = |evaluator: &KingRelative| {
            let (_, held_out) = samples::<Chess>(&records, 400.0, &plan);
            loss(&held_out, &weights_of(evaluator), 400.0)
        };
        assert!(apart(&pupil) < apart(&nothing) / 20.0, "{} {}", apart(&pupil), apart(&nothing));
    }

    #[test]
    fn tables_survive_the_way_into_numbers_and_back() {
        let tables = KingRelative::linear(Weights::default());
        assert_eq!(evaluator(&weights_of(&tables)), tables);
    }

    #[test]
    fn the_share_of_threads_changes_nothing() {
        let records = lessons(&KingRelative::linear(Weights::default()));
        let (training, _) = samples::<Chess>(&records, 400.0, &Plan::default());
        let weights = vec![1.0; WEIGHTS];
        let (one, alone) = gradient(&training, &weights, 400.0, 1);
        let (three, shared) = gradient(&training, &weights, 400.0, 3);
        assert!((one - three).abs() < 1e-12);
        assert!(alone.iter().zip(shared).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}
