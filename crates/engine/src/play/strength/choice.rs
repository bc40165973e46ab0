//! The choice of a player of limited strength among the moves that it sees.
//!
//! Each move is judged by its score at the depth to which the player sees it, plus a misjudgement. A move that stands
//! out is found or overlooked as a whole, by its [difficulty](super::difficulty). All of this is
//! drawn from the seed of the game and from the move itself, so the same game can be played again, and an
//! error lasts: a bishop that is overlooked once is overlooked for every move that it refutes.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use shakmaty::{Move, Role};

use super::Weakness;
use super::move_scores::Candidate;
use crate::play::sight::hardness;
use crate::rules::{MoveCode, Rules};
use crate::score::Score;

/// Greatest score that a misjudgement can still overturn, in centipawns.
const CLEAR: i32 = 2000;
/// Plies within which the nearer of two mates is preferred.
const NEAR_MATE: usize = 100;
/// Elo above the difficulty of a move that multiply the odds to find it by e.
const FIND_SPREAD: f64 = 80.0;
/// Factor of the chance to overlook a capture where the opponent has just moved or captured.
const OBVIOUS: f64 = 0.25;

/// A move with what the player thinks of it.
#[derive(Clone, Copy, Debug)]
pub struct JudgedMove {
    /// The index of the move among the candidates.
    pub index: usize,
    /// The depth to which the player sees it, in plies.
    pub depth: usize,
    /// The player's score of it, in centipawns.
    pub score: i32,
}

/// Sorts moves, the best first in the player's eyes; compiled once for all rule sets.
fn sort_by_score(judged: &mut [JudgedMove]) {
    judged.sort_by_key(|one| -one.score);
}

impl JudgedMove {
    /// The judgement of a move that is seen as deep as the search went, and judged rightly.
    pub(super) fn in_full(index: usize, candidate: &Candidate) -> JudgedMove {
        let depth = candidate.scores.len().saturating_sub(1);
        JudgedMove { index, depth, score: clip(candidate.settled()) }
    }
}

/// The moves among `candidates` that a player considers, as it judges them, the chosen one first.
pub fn judge<P: Rules>(
    position: &P,
    key: u64,
    seed: u64,
    weakness: &Weakness,
    candidates: &[Candidate],
) -> Vec<JudgedMove> {
    let random = SeededRandom { seed, key };
    let think = |(index, candidate): (usize, &Candidate)| {
        let depth = random.depth(position, weakness, candidate);
        let score = clip(candidate.seen_at(depth)) + random.misjudgement(weakness, candidate.m);
        JudgedMove { index, depth, score }
    };
    let considered = |&(index, candidate): &(usize, &Candidate)| {
        let is_overlooked = candidate
            .difficulty
            .is_some_and(|difficulty| !random.finds(weakness, candidate.m, difficulty));
        !is_overlooked && !is_idle_underpromotion(candidates, index)
    };
    let mut judged: Vec<JudgedMove> =
        candidates.iter().enumerate().filter(considered).map(think).collect();
    sort_by_score(&mut judged);
    // Who finds the move that stands out plays it.
    let is_find = |one: &JudgedMove| candidates[one.index].difficulty.is_some();
    if let Some(place) = judged.iter().position(is_find) {
        let index = judged[place].index;
        judged[place] = JudgedMove::in_full(index, &candidates[index]);
        judged[..=place].rotate_right(1);
    }
    judged
}

/// True if the move promotes to another piece than a queen, and gains nothing by that.
fn is_idle_underpromotion(candidates: &[Candidate], index: usize) -> bool {
    let candidate = &candidates[index];
    let of_queen = |other: &Candidate| {
        other.m.promotion() == Some(Role::Queen)
            && (other.m.from(), other.m.to()) == (candidate.m.from(), candidate.m.to())
            && other.settled() >= candidate.settled()
    };
    let role = candidate.m.promotion();
    role.is_some_and(|role| role != Role::Queen) && candidates.iter().any(of_queen)
}

/// A score in centipawns, ±2000 at most; a mate counts as that, and a little more the nearer it is.
pub fn clip(score: Score) -> i32 {
    let raw = score.raw();
    match score.plies_to_mate() {
        Some(plies) => raw.signum() * (CLEAR + NEAR_MATE.saturating_sub(plies) as i32),
        None => raw.clamp(-CLEAR, CLEAR),
    }
}

/// Random numbers of one position in one game, the same whenever it is played again.
struct SeededRandom {
    seed: u64,
    key: u64,
}

/// What a random number is for, so that no two uses share one.
#[derive(Clone, Copy)]
enum Purpose {
    Reply = 1,
    Depth,
    GameError,
    PositionError,
    Find,
}

impl SeededRandom {
    /// A generator that depends on the game, the purpose and `what`.
    fn rng(&self, purpose: Purpose, what: u64) -> SmallRng {
        let mixed = (self.seed ^ what.rotate_left(17)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        SmallRng::seed_from_u64(mixed ^ (purpose as u64) << 56)
    }

    /// The depth to which the player sees a move, in plies.
    fn depth<P: Rules>(&self, position: &P, weakness: &Weakness, candidate: &Candidate) -> usize {
        if let Some(reply) = candidate.reply {
            let overlooked = weakness.oversight * ease(position, candidate.m, reply);
            let what = self.key ^ u64::from(MoveCode::pack(reply).0);
            if self.rng(Purpose::Reply, what).random::<f64>() < overlooked {
                return 0;
            }
        }
        let mut rng = self.rng(Purpose::Depth, self.key ^ u64::from(MoveCode::pack(candidate.m).0));
        let most = candidate.scores.len().saturating_sub(1);
        1 + (1..most).take_while(|_| rng.random::<f64>() < weakness.insight).count()
    }

    /// True if the player finds a move of this difficulty, in Elo, that stands out.
    fn finds(&self, weakness: &Weakness, m: Move, difficulty: f64) -> bool {
        let mut rng = self.rng(Purpose::Find, self.key ^ u64::from(MoveCode::pack(m).0));
        let odds = ((weakness.rating - difficulty) / FIND_SPREAD).exp();
        rng.random::<f64>() * (1.0 + odds) < odds
    }

    /// The error of judgement, in centipawns: one part lasts for the game, the other for the position.
    fn misjudgement(&self, weakness: &Weakness, m: Move) -> i32 {
        let of_game =
            self.rng(Purpose::GameError, (m.role() as u64) << 8 | u64::from(u32::from(m.to())));
        let of_position =
            self.rng(Purpose::PositionError, self.key ^ u64::from(MoveCode::pack(m).0));
        // Variances add up to one.
        (weakness.spread * (0.6 * normal(of_game) + 0.8 * normal(of_position))).round() as i32
    }
}

/// A draw from the standard normal distribution, nearly: the sum of twelve even ones.
fn normal(mut rng: SmallRng) -> f64 {
    (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
}

/// The factor of the chance to overlook `reply` after `m`.
fn ease<P: Rules>(position: &P, m: Move, reply: Move) -> f64 {
    if reply.to() == m.to() {
        return OBVIOUS;
    }
    hardness(!position.turn(), reply)
}
