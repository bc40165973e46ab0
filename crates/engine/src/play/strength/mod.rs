//! Limited strength (`UCI_LimitStrength`, `UCI_Elo`): a thin layer above the search that sees less and
//! misjudges a little, the way people do.
//!
//! `move_scores` searches all moves shallowly and a few of them deeper; `choice` lets the player see each move
//! to a depth of its own and choose. `difficulty` tells how hard a move that stands out is to find. So a mistake is the
//! likelier, the harder the right move is to see. [`Weakness`] has the numbers, fitted to the losses of human players.
//!
#![doc = include_str!("../../../../../docs/strength.md")]

mod choice;
mod difficulty;
mod move_scores;

use std::sync::Arc;
use web_time::Instant;

use shakmaty::{Color, Role};

use crate::evaluation::Variant;
use crate::limits::{DepthPlan, Limits};
use crate::logging;
use crate::rules::{Game, notation};
use crate::score::Score;
use crate::search::Signals;
use crate::search::report::{Bound, Cutoffs, Outcome, Reason, Report, Reporter};
use crate::search::table::OutOfMemoryError;

pub use choice::{JudgedMove, clip, judge};
pub use move_scores::{Candidate, MoveScorer, ScoreCollector, to_uci};

use super::levels::policy::{is_bare, is_technique};

/// The least strength, in Elo.
pub const MIN_ELO: u32 = 400;
/// The greatest limited strength, in Elo.
pub const MAX_ELO: u32 = 2800;
/// Strength from which a mate in one is never overlooked.
const SEES_MATE: u32 = 800;
/// Strength from which a pawn is always promoted where nothing else is much better, …
const PROMOTES: u32 = 600;
/// … by this many centipawns.
const PROMOTION_LEAD: i32 = 50;
/// Strength from which either side of a decided ending is played by full search (chess only): where a king is bare,
/// with or without pawns on the board, or one side leads by more than a piece and few pieces and no pawns are left, …
const HAS_TECHNIQUE: u32 = 800;
/// … and where the enemy's king alone is bare, from here on: who is new to chess and plays on with a king against a queen
/// sees the mate and no repetition, …
const MATES_BARE_KING: u32 = 500;
/// … within this many nodes.
const TECHNIQUE_NODES: u64 = 40_000;
/// Time left below which a player hurries, in milliseconds; ten increments count as time left.
const HURRY_MS: i64 = 20_000;
/// The strength that the last moment costs, in Elo.
const HURRY_ELO: i64 = 200;
/// Strength up to which errors are modelled on people's, in Elo; above it a single search of limited nodes
/// plays.
pub const HUMAN: u32 = 2300;

/// A strength in Elo, on the scale of lichess's rapid games, for one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// The rating, from [`MIN_ELO`] to [`MAX_ELO`].
    pub elo: u32,
    /// The seed of the game's errors.
    pub seed: u64,
}

/// The ways in which a player errs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weakness {
    /// The rating: a move that stands out is found half of the time if its difficulty is this, in Elo.
    pub rating: f64,
    /// The chance to overlook a reply of usual difficulty.
    pub oversight: f64,
    /// The chance to see a line one more ply deep.
    pub insight: f64,
    /// Standard deviation of the misjudgement of a move, in centipawns.
    pub spread: f64,
    /// Greatest depth, in plies.
    pub depth: u32,
    /// Budget of the deeper search, in nodes.
    pub nodes: u64,
}

/// Elo, with oversight, insight, spread, depth and nodes. Up to 1000 chosen so that steps of Elo are worth
/// their games; from 1100 on fitted to the losses of people (`docs/log/levels.md`).
const WEAKNESSES: [(u32, Weakness); 10] = [
    (400, weakness(0.53, 0.08, 310.0, 3, 4000)),
    (600, weakness(0.47, 0.20, 195.0, 4, 5000)),
    (800, weakness(0.41, 0.33, 118.0, 5, 6000)),
    (1000, weakness(0.33, 0.50, 56.0, 6, 8000)),
    (1200, weakness(0.18, 0.62, 31.0, 6, 10000)),
    (1400, weakness(0.085, 0.86, 22.0, 6, 14000)),
    (1600, weakness(0.040, 0.95, 25.0, 6, 18000)),
    (1800, weakness(0.030, 0.97, 24.0, 7, 22000)),
    (2000, weakness(0.012, 0.98, 13.0, 7, 28000)),
    (2300, weakness(0.003, 0.98, 4.0, 8, 38000)),
];

const fn weakness(oversight: f64, insight: f64, spread: f64, depth: u32, nodes: u64) -> Weakness {
    Weakness { rating: 0.0, oversight, insight, spread, depth, nodes }
}

/// A player of limited strength, with its own searcher.
pub struct LimitedPlayer<P: Variant> {
    strength: Strength,
    scorer: MoveScorer<P>,
}

impl<P: Variant> LimitedPlayer<P> {
    /// A player of this strength, which loses `move_overhead` milliseconds on every move.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if there is no memory for its transposition table.
    pub fn new(
        strength: Strength,
        move_overhead: u64,
    ) -> Result<LimitedPlayer<P>, OutOfMemoryError> {
        Ok(LimitedPlayer { strength, scorer: MoveScorer::new(move_overhead)? })
    }

    /// Fresh signals for the next move, as [`Searcher::renew_signals`](crate::search::Searcher).
    pub fn renew_signals(&mut self, pondering: bool) -> Arc<Signals> {
        self.scorer.renew_signals(pondering)
    }

    /// Chooses a move within `limits`, reports it once with its score, and explains it in a remark.
    pub fn play(
        &mut self,
        game: &Game<P>,
        limits: &Limits,
        reporter: &mut dyn Reporter,
    ) -> Outcome {
        let limits = &limits.begun();
        let elo = self.strength.elo;
        let position = game.position();
        let is_over = position.ending().is_some();
        let legal = if is_over { 0 } else { position.legal_moves().len() };
        if legal <= 1 {
            return self.scorer.search(game, &forced(limits), reporter);
        }
        let is_enemy_bare = is_bare(position, !position.turn());
        let technique = if is_enemy_bare { MATES_BARE_KING } else { HAS_TECHNIQUE };
        let by_technique = elo >= technique && is_technique(position);
        if by_technique || elo > HUMAN {
            let nodes = if elo > HUMAN { nodes_of(elo) } else { TECHNIQUE_NODES };
            let details = format!("strength elo={elo} searches {nodes} nodes");
            log::debug!(target: logging::LEVELS, "{details}");
            reporter.reason(&Reason { words: String::new(), details });
            let nodes = Some(limits.nodes.map_or(nodes, |most| most.min(nodes)));
            return self.scorer.search(game, &Limits { nodes, ..limits.clone() }, reporter);
        }
        self.choose(game, limits, reporter)
    }

    /// Chooses as a person does.
    fn choose(&mut self, game: &Game<P>, limits: &Limits, reporter: &mut dyn Reporter) -> Outcome {
        let Strength { elo, seed } = self.strength;
        let hurry = hurry(limits, game.now().turn());
        let weakness = Weakness::of(elo.saturating_sub(hurry));
        let depth = limits.depth.map_or(weakness.depth, |most| most.min(weakness.depth));
        let started = Instant::now();
        let (candidates, nodes) = self.scorer.score_moves(game, limits, depth, weakness.nodes);
        let judged = judge(game.position(), game.now().key(), seed, &weakness, &candidates);
        let chosen = self.obvious(&candidates).or(judged.first().copied());
        let Some(chosen) = chosen else {
            return self.scorer.search(game, &forced(limits), reporter);
        };
        let candidate = &candidates[chosen.index];
        let pv = candidate.report.as_ref().map_or_else(|| vec![candidate.m], |r| r.pv.clone());
        let depth = candidate.scores.len().saturating_sub(1) as u32;
        let ponder = pv.get(1).copied();
        let haste =
            if hurry > 0 { format!("; in a hurry, {hurry} Elo weaker") } else { String::new() };
        let words = self.explain(game, &candidates, chosen) + &haste;
        let Strength { elo, seed } = self.strength;
        let details = format!("strength elo={elo} seed={seed}: {words}");
        log::debug!(target: logging::LEVELS, "{details}");
        reporter.reason(&Reason { words, details });
        if let Some(report) = &candidate.report {
            let time_ms = started.elapsed().as_millis() as u64;
            reporter.variation(&Report { multipv: 1, nodes, time_ms, ..report.clone() });
        }
        Outcome {
            best: Some(candidate.m),
            ponder,
            score: candidate.settled(),
            bound: Bound::Exact,
            depth,
            nodes,
            cutoffs: Cutoffs::default(),
        }
    }

    /// The move that a player of this strength never overlooks: a mate in one, or else a promotion.
    fn obvious(&self, candidates: &[Candidate]) -> Option<JudgedMove> {
        let best = candidates.first()?.settled();
        let is_mate = |candidate: &Candidate| candidate.settled() >= Score::mate_in(1);
        let promotes = |candidate: &Candidate| {
            candidate.m.promotion() == Some(Role::Queen)
                && best - candidate.settled() <= PROMOTION_LEAD
        };
        let elo = self.strength.elo;
        let mate = candidates.iter().position(is_mate).filter(|_| elo >= SEES_MATE);
        let promotion = || candidates.iter().position(promotes).filter(|_| elo >= PROMOTES);
        let index = mate.or_else(promotion)?;
        Some(JudgedMove::in_full(index, &candidates[index]))
    }

    /// Why this move: its score for the player, and the better move with the reason why it was not chosen.
    fn explain(&self, game: &Game<P>, candidates: &[Candidate], chosen: JudgedMove) -> String {
        let san = |m| notation::short_san(game.position(), m);
        let (candidate, best) = (&candidates[chosen.index], &candidates[0]);
        let mut text = format!(
            "{} judged {:+.2}, {} deep",
            san(candidate.m),
            f64::from(chosen.score) / 100.0,
            half_moves(chosen.depth)
        );
        let loss = best.settled() - candidate.settled();
        if loss > 0 {
            let depth = (0..best.scores.len())
                .find(|&depth| best.seen_at(depth) >= candidate.seen_at(depth))
                .unwrap_or(best.scores.len());
            let loss = f64::from(loss.min(9999)) / 100.0;
            text.push_str(&format!("; {} is better by {loss:.2}", san(best.m)));
            text.push_str(&match (best.difficulty, depth) {
                (Some(difficulty), _) => {
                    format!(", which half of the players rated {difficulty:.0} see")
                }
                (None, 0 | 1) => ", at first sight".to_string(),
                (None, _) => format!(", as one sees {} deep", half_moves(depth)),
            });
        }
        text
    }
}

/// `1 half-move`, `2 half-moves`.
fn half_moves(count: usize) -> String {
    match count {
        1 => "1 half-move".to_string(),
        count => format!("{count} half-moves"),
    }
}

/// The strength that time trouble costs the side to move, in Elo.
fn hurry(limits: &Limits, turn: Color) -> u32 {
    let Some(left) = limits.time_left(turn) else { return 0 };
    let left = left.saturating_add(limits.increment.get(turn).saturating_mul(10));
    let missing = (HURRY_MS - left.clamp(0, HURRY_MS)) * HURRY_ELO / HURRY_MS;
    u32::try_from(missing).unwrap_or(0)
}

/// The limits for a move without a choice.
fn forced(limits: &Limits) -> Limits {
    Limits { plan: Some(DepthPlan::exactly(1)), ..limits.clone() }
}

/// The nodes of a search that plays at `elo`, above [`HUMAN`].
fn nodes_of(elo: u32) -> u64 {
    /// Nodes at [`HUMAN`].
    const BASE: f64 = 5400.0;
    /// Elo for twice the nodes, as matches show it.
    const DOUBLING: f64 = 200.0;
    (BASE * (f64::from(elo.saturating_sub(HUMAN)) / DOUBLING).exp2()) as u64
}

impl Strength {
    /// Half-moves of a game that a player of this strength knows from a book.
    pub fn book_plies(self) -> usize {
        (self.elo.saturating_sub(MIN_ELO) / 100) as usize
    }
}

impl Weakness {
    /// The weakness of a strength, between the rows of the table.
    pub fn of(elo: u32) -> Weakness {
        let above = WEAKNESSES.iter().position(|row| row.0 > elo).unwrap_or(WEAKNESSES.len() - 1);
        let (low, high) = (&WEAKNESSES[above.max(1) - 1], &WEAKNESSES[above]);
        let share = (f64::from(elo) - f64::from(low.0)) / f64::from(high.0 - low.0);
        let share = share.clamp(0.0, 1.0);
        let between =
            |value: fn(&Weakness) -> f64| value(&low.1) + share * (value(&high.1) - value(&low.1));
        Weakness {
            rating: elo.into(),
            oversight: between(|w| w.oversight),
            insight: between(|w| w.insight),
            spread: between(|w| w.spread),
            depth: between(|w| f64::from(w.depth)).round() as u32,
            nodes: between(|w| (w.nodes as f64).ln()).exp() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::ByColor;

    use super::*;

    #[test]
    fn time_trouble_costs_strength() {
        let at = |left, increment| {
            let mut limits = Limits::default();
            limits.clock.white = Some(left);
            limits.increment.white = increment;
            hurry(&limits, Color::White)
        };
        assert_eq!(hurry(&Limits::default(), Color::White), 0);
        assert_eq!((at(HURRY_MS, 0), at(10 * HURRY_MS, 0)), (0, 0));
        assert_eq!(i64::from(at(0, 0)), HURRY_ELO);
        let costs = [0, 1000, 5000, 10_000].map(|left| at(left, 0));
        assert!(costs.is_sorted_by(|more, less| more > less), "{costs:?}");
        // Ten increments count as time that is left, and the clock of the other side does not.
        assert_eq!(at(1000, 400), at(5000, 0));
        let clock = ByColor { white: Some(10 * HURRY_MS), black: Some(0) };
        let limits = Limits { clock, ..Limits::default() };
        assert_eq!(hurry(&limits, Color::White), 0);
    }
}
