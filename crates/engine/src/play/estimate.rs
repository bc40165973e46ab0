//! The rating of a player, estimated from its moves and results.
//!
//! The model that makes the errors of a limited strength also reads them: for every rating it draws how often a player
//! of that rating would lose as much as the player has lost with its move. So the likelihoods need no table of
//! their own, and a change of the errors changes the estimate with them. Where every move is as good, as in a lost
//! position, or where everybody finds the right one, all ratings are as likely and the move tells nothing.
//! Bayes' rule joins the moves with the results, and with what is known from earlier games.
//!
//! People have a taste of their own: they lose a little more often than the model of their rating, because the
//! search that judges them is no better. So there are two hypotheses, a player who errs as the model does and one
//! who often follows its taste among nearly equal moves, and the moves of the game decide between them, too.

use shakmaty::Move;

use super::strength::{Candidate, HUMAN, MAX_ELO, MIN_ELO, MoveScorer, Weakness, clip, judge};
use crate::book::Book;
use crate::evaluation::Variant;
use crate::limits::Limits;
use crate::rules::{Game, RuleSet};
use crate::search::table::OutOfMemoryError;

/// The least rating that is considered, in Elo: beyond the scale, so that its ends are reached.
const FIRST: i32 = 0;
/// Elo between two ratings that are considered.
const STEP: i32 = 50;
/// The number of ratings that are considered.
const RATINGS: usize = 65;
/// Draws of the model for each move and rating.
const DRAWS: u64 = 64;
/// Elo between two ratings for which the model is asked.
const MODEL_STEP: u32 = 100;
/// The two hypotheses on a player, and their chances beforehand.
const HYPOTHESES: [(Habits, f64); 2] =
    [(Habits { taste: 0.0, whim: 0.03 }, 0.75), (Habits { taste: 0.4, whim: 0.05 }, 0.25)];
/// Loss of expected points for which a move is chosen by taste e times less often.
const TASTE: f64 = 0.04;
/// Losses of expected points, 0 to 1, that divide moves into classes.
const CLASSES: [f64; 7] = [0.005, 0.015, 0.03, 0.05, 0.08, 0.15, 0.3];
/// Score for odds of e to 1, in centipawns: in games of people a lead is worth less than in the engine's.
const LEAD: f64 = 600.0;
/// Plies and nodes of the search that judges a move.
const DEPTH: u32 = 8;
const NODES: u64 = 30_000;
/// Least logarithm of a likelihood that can be meant: less than any game of a thousand moves makes.
const LEAST_LOG: f64 = -1e6;
/// Elo for a factor of ten of the odds of a result. A step of the scale is worth more than one of Elo's.
const ODDS: f64 = 300.0;

/// Moves of the player from which on the result of a game counts: who resigns at once has shown nothing.
pub const MOVES_OF_A_RESULT: usize = 8;

/// Shares of the moves that are not chosen as the model does.
struct Habits {
    /// Chosen by taste, among nearly equal moves.
    taste: f64,
    /// Chosen for no reason that is known.
    whim: f64,
}

/// What is known of a player's rating: a normal distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Its mean, in Elo. It may lie beyond the scale; [`Estimate::elo`] does not.
    pub mean: f64,
    /// Its standard deviation, in Elo.
    pub deviation: f64,
}

impl Default for Estimate {
    /// What is known of a player who has not played yet.
    fn default() -> Estimate {
        Estimate { mean: 1200.0, deviation: 550.0 }
    }
}

impl Estimate {
    /// Elo by which a player changes from game to game: what is known ages.
    const DRIFT: f64 = 40.0;

    /// The strength of an equal opponent, from [`MIN_ELO`] to [`MAX_ELO`], to the nearest 10 Elo.
    pub fn elo(self) -> u32 {
        let tens = (self.mean / 10.0).round() * 10.0;
        (tens as u32).clamp(MIN_ELO, MAX_ELO)
    }

    /// What is known at the next game.
    pub fn aged(self) -> Estimate {
        Estimate { deviation: self.deviation.hypot(Estimate::DRIFT), ..self }
    }

    /// What is known after this evidence.
    pub fn after(self, evidence: &Evidence) -> Estimate {
        let logs: Vec<f64> = (ratings().zip(evidence.logs()))
            .map(|(rating, log)| log - ((rating - self.mean) / self.deviation).powi(2) / 2.0)
            .collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
        let sum: f64 = weights.iter().sum();
        let mean = ratings().zip(&weights).map(|(rating, w)| rating * w).sum::<f64>() / sum;
        let variance =
            ratings().zip(&weights).map(|(r, w)| (r - mean).powi(2) * w).sum::<f64>() / sum;
        Estimate { mean, deviation: variance.sqrt() }
    }
}

/// The ratings that are considered, in Elo.
fn ratings() -> impl Iterator<Item = f64> {
    (0..RATINGS as i32).map(|step| f64::from(FIRST + step * STEP))
}

/// What was seen of a player: the logarithm of its likelihood by hypothesis and rating.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    logs: [[f64; RATINGS]; HYPOTHESES.len()],
}

impl Default for Evidence {
    /// Nothing.
    fn default() -> Evidence {
        Evidence { logs: [[0.0; RATINGS]; HYPOTHESES.len()] }
    }
}

impl Evidence {
    /// The evidence as plain numbers, for whoever keeps it elsewhere meanwhile.
    pub fn numbers(&self) -> Vec<f64> {
        self.logs.iter().flatten().copied().collect()
    }

    /// The evidence of these [numbers](Evidence::numbers); `None` if they are none.
    pub fn from_numbers(numbers: &[f64]) -> Option<Evidence> {
        let is_whole = numbers.len() == RATINGS * HYPOTHESES.len();
        let is_sound = numbers.iter().all(|log| (LEAST_LOG..=0.0).contains(log));
        let mut evidence = Evidence::default();
        for (log, number) in evidence.logs.iter_mut().flatten().zip(numbers) {
            *log = *number;
        }
        (is_whole && is_sound).then_some(evidence)
    }

    /// A result against an opponent of `elo`: `points` is 1, 0.5 or 0.
    pub fn result(elo: u32, points: f64) -> Evidence {
        let mut logs = [0.0; RATINGS];
        for (log, rating) in logs.iter_mut().zip(ratings()) {
            let expected = 1.0 / (1.0 + 10_f64.powf((f64::from(elo) - rating) / ODDS));
            *log = points * expected.ln() + (1.0 - points) * (1.0 - expected).ln();
        }
        Evidence { logs: [logs; HYPOTHESES.len()] }
    }

    /// Adds what else was seen.
    pub fn add(&mut self, other: &Evidence) {
        for (log, more) in self.logs.iter_mut().flatten().zip(other.logs.iter().flatten()) {
            *log += more;
        }
    }

    /// True if it is likelier at some ratings than at others.
    pub fn tells(&self) -> bool {
        let logs = self.logs();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        logs.iter().any(|log| most - log > 0.05)
    }

    /// The logarithm of the likelihood by rating, whichever hypothesis holds.
    fn logs(&self) -> [f64; RATINGS] {
        std::array::from_fn(|index| {
            let logs = self.logs.map(|logs| logs.get(index).copied().unwrap_or_default());
            let most = logs.into_iter().fold(f64::NEG_INFINITY, f64::max);
            let likelihood =
                |(log, (_, chance)): (f64, &(Habits, f64))| chance * (log - most).exp();
            most + logs.into_iter().zip(&HYPOTHESES).map(likelihood).sum::<f64>().ln()
        })
    }
}

/// A player during a game, and the strength that follows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Follower {
    before: Estimate,
    /// What each of the player's moves tells.
    moves: Vec<Evidence>,
    /// The opponent's strength at each of these moves, in Elo.
    strengths: Vec<u32>,
    elo: u32,
}

impl Follower {
    /// Moves of the player between two adjustments.
    const ADJUST_MOVES: usize = 4;
    /// Least change of the strength, in Elo.
    const MIN_CHANGE: u32 = 50;

    /// A game of a player of whom this is known.
    pub fn new(before: Estimate) -> Follower {
        Follower { before, moves: Vec::new(), strengths: Vec::new(), elo: before.elo() }
    }

    /// The strength that is equal to the player's, in Elo. It changes in steps.
    pub fn elo(&self) -> u32 {
        self.elo
    }

    /// What is known of the player now.
    pub fn estimate(&self) -> Estimate {
        self.before.after(&self.evidence())
    }

    /// Takes note of a move against an opponent of `strength`. Returns the new strength to play at if it changes.
    pub fn note(&mut self, evidence: Evidence, strength: u32) -> Option<u32> {
        self.moves.push(evidence);
        self.strengths.push(strength);
        let elo = self.estimate().elo();
        let is_due = self.moves.len().is_multiple_of(Follower::ADJUST_MOVES);
        (is_due && elo.abs_diff(self.elo) >= Follower::MIN_CHANGE).then(|| {
            self.elo = elo;
            elo
        })
    }

    /// Forgets all moves of the player after the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.moves.truncate(count);
        self.strengths.truncate(count);
    }

    /// The moves that tell something of the player.
    pub fn telling_moves(&self) -> u32 {
        self.moves.iter().map(|evidence| u32::from(evidence.tells())).sum()
    }

    /// What is known after the game, which brought the player this many `points`: 1, 0.5 or 0; `None` if its result
    /// says nothing. `before` is what is known without the game.
    pub fn finish(&self, before: Estimate, points: Option<f64>) -> Estimate {
        let mut evidence = self.evidence();
        let count = self.strengths.len();
        if let Some(points) = points.filter(|_| count >= MOVES_OF_A_RESULT) {
            let mean = self.strengths.iter().sum::<u32>() / count as u32;
            evidence.add(&Evidence::result(mean, points));
        }
        before.after(&evidence)
    }

    fn evidence(&self) -> Evidence {
        let mut evidence = Evidence::default();
        self.moves.iter().for_each(|other| evidence.add(other));
        evidence
    }
}

/// Judges the moves of a player.
pub struct Estimator<P: Variant> {
    scorer: MoveScorer<P>,
    book: Book,
}

impl<P: Variant> Estimator<P> {
    /// An estimator with a table of its own.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if there is no memory for the table.
    pub fn new() -> Result<Estimator<P>, OutOfMemoryError> {
        Ok(Estimator { scorer: MoveScorer::new(0)?, book: Book::embedded() })
    }

    /// What the move `m` in `game` tells of the one who plays it; nothing if it is forced or in the book.
    pub fn judge(&mut self, game: &Game<P>, m: Move) -> Evidence {
        let is_known = self.book.moves(game.now()).iter().any(|known| known.m == m);
        if is_known || game.position().legal_moves().len() < 2 {
            return Evidence::default();
        }
        let limits = Limits::default();
        let (candidates, _) = self.scorer.score_moves_and(Some(m), game, &limits, DEPTH, NODES);
        match candidates.iter().position(|candidate| candidate.m == m) {
            Some(played) => of_choice(game, &candidates, played),
            None => Evidence::default(),
        }
    }
}

/// Evidence about a player who chose the candidate with the index `played`.
fn of_choice<P: Variant>(game: &Game<P>, candidates: &[Candidate], played: usize) -> Evidence {
    let mut evidence = Evidence::default();
    let losses = losses(candidates);
    let classes: Vec<usize> = losses.iter().map(|&loss| class(loss)).collect();
    let class = classes[played];
    if classes.iter().all(|&other| other == class) {
        return evidence;
    }
    let is_alike = |index: usize| classes[index] == class;
    let by_chance = share(&classes, is_alike, |_| 1.0);
    let by_taste = share(&classes, is_alike, |index| (-losses[index] / TASTE).exp());
    let by_model: Vec<f64> = (MIN_ELO..=HUMAN)
        .step_by(MODEL_STEP as usize)
        .map(|elo| {
            let weakness = Weakness::of(elo);
            let spread = weakness.spread.hypot(doubt(P::RULE_SET));
            let weakness = Weakness { spread, ..weakness };
            let seen = as_seen_by(&weakness, candidates);
            let draw = |seed: &u64| {
                let judged = judge(game.position(), game.now().key(), *seed, &weakness, &seen);
                judged.first().is_some_and(|one| is_alike(one.index))
            };
            // As if there were one draw more, by chance: never seen is not impossible.
            ((1..=DRAWS).filter(draw).count() as f64 + by_chance) / (DRAWS + 1) as f64
        })
        .collect();
    for (logs, (Habits { taste, whim }, _)) in evidence.logs.iter_mut().zip(&HYPOTHESES) {
        let log =
            |model: &f64| ((1.0 - taste - whim) * model + taste * by_taste + whim * by_chance).ln();
        let by_rating: Vec<f64> = by_model.iter().map(log).collect();
        for (log, rating) in logs.iter_mut().zip(ratings()) {
            *log = between(&by_rating, rating);
        }
    }
    evidence
}

/// The share of the moves for which `is_alike` holds, each with its weight.
fn share(
    classes: &[usize],
    is_alike: impl Fn(usize) -> bool,
    weight: impl Fn(usize) -> f64,
) -> f64 {
    let all: f64 = (0..classes.len()).map(&weight).sum();
    (0..classes.len()).filter(|&index| is_alike(index)).map(&weight).sum::<f64>() / all
}

/// The value at `rating` between those of the model's ratings.
fn between(values: &[f64], rating: f64) -> f64 {
    let place = (rating - f64::from(MIN_ELO)) / f64::from(MODEL_STEP);
    let place = place.clamp(0.0, values.len().saturating_sub(1) as f64);
    let (low, high) = (values[place.floor() as usize], values[place.ceil() as usize]);
    low + place.fract() * (high - low)
}

/// The candidates as a player with this weakness could see them at best.
fn as_seen_by(weakness: &Weakness, candidates: &[Candidate]) -> Vec<Candidate> {
    let mut seen = candidates.to_vec();
    for candidate in &mut seen {
        candidate.scores.truncate(weakness.depth as usize + 1);
    }
    seen
}

/// The expected points that each move loses against the best one.
fn losses(candidates: &[Candidate]) -> Vec<f64> {
    let points: Vec<f64> =
        candidates.iter().map(|candidate| points(at_full_depth(candidate, candidates))).collect();
    let best = points.iter().copied().fold(0.0, f64::max);
    points.iter().map(|points| best - points).collect()
}

/// The score of a candidate, in centipawns, as if it had been searched as deep as the deepest: with the change that is usual
/// for those from its depth to theirs. The scores of all moves rise and fall together from one depth to the next, in some rule
/// sets by a pawn; so a move that was searched less deep would seem much worse than it is, or much better.
fn at_full_depth(candidate: &Candidate, candidates: &[Candidate]) -> i32 {
    let settled = clip(candidate.settled());
    let plies = candidate.scores.len();
    let most = candidates.iter().map(|other| other.scores.len()).max().unwrap_or(plies);
    if plies == most || candidate.settled().is_mate() {
        return settled;
    }
    let deepest = candidates.iter().filter(|other| other.scores.len() == most);
    let mut changes: Vec<i32> =
        deepest.map(|o| clip(o.settled()) - clip(o.seen_at(plies.saturating_sub(1)))).collect();
    changes.sort_unstable();
    settled + changes.get(changes.len() / 2).copied().unwrap_or(0)
}

/// The class of a loss: how many of [`CLASSES`] it exceeds.
fn class(loss: f64) -> usize {
    CLASSES.iter().filter(|&&least| loss > least).count()
}

/// Expected points of a person with this score in centipawns, 0 to 1.
fn points(score: i32) -> f64 {
    1.0 / (1.0 + (f64::from(-score) / LEAD).exp())
}

/// The error of the judge's scores, in centipawns: a good player need not agree with it on less. In chess its evaluation is
/// good enough to be taken at its word; elsewhere a search of ten times the nodes often prefers another move, by a pawn
/// (docs/log/levels.md).
fn doubt(rule_set: RuleSet) -> f64 {
    if rule_set == RuleSet::Chess { 0.0 } else { 100.0 }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use crate::rules::setup::{self, Start};

    /// What a move tells, as the likelihood at 2000 Elo over that at 600.
    fn strength_of(fen: &str, m: &str) -> f64 {
        let start = Start::Fen(fen.to_string());
        let game = setup::game::<Chess>(&start, &[], CastlingMode::Standard).unwrap().0;
        let m = setup::read_move(game.position(), m).unwrap();
        let evidence = Estimator::new().unwrap().judge(&game, m);
        let at = |elo: i32| evidence.logs()[((elo - FIRST) / STEP) as usize];
        (at(2000) - at(600)).exp()
    }

    /// Black threatens the knight on e5; the queen can take a protected pawn.
    const MIDDLE: &str = "r1b1kbnr/ppp2ppp/2np4/4N3/4P2q/3P4/PPP2PPP/RNBQKB1R w KQkq - 0 5";

    #[test]
    fn a_good_move_speaks_for_a_strong_player_and_a_blunder_against() {
        let (good, bad) = (strength_of(MIDDLE, "e5f3"), strength_of(MIDDLE, "a2a3"));
        assert!(good > 1.5 && bad < 0.3, "{good} {bad}");
    }

    #[test]
    fn moves_without_a_choice_tell_nothing() {
        let forced = strength_of("7k/8/8/8/8/8/1r6/K7 w - - 0 1", "a1b2");
        let known = strength_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4");
        assert_eq!((forced, known), (1.0, 1.0));
        // All moves are mated soon.
        let lost = strength_of("k7/8/8/8/8/1r6/8/2q2K2 w - - 0 1", "f1f2");
        assert_eq!(lost, 1.0);
    }

    #[test]
    fn results_move_an_estimate_and_moves_narrow_it() {
        let before = Estimate::default();
        let [won, drawn, lost] = [1.0, 0.5, 0.0].map(|p| before.after(&Evidence::result(1200, p)));
        assert!(won.mean > drawn.mean && drawn.mean > lost.mean, "{won:?} {drawn:?} {lost:?}");
        assert!((drawn.mean - 1200.0).abs() < 10.0 && drawn.deviation < before.deviation);
        assert!(before.after(&Evidence::default()).deviation > 500.0);
        assert!(won.aged().deviation > won.deviation);
    }

    #[test]
    fn a_strength_follows_in_steps_and_forgets_what_is_taken_back() {
        let mut follower = Follower::new(Estimate::default());
        let strong = Evidence::result(2200, 1.0);
        let changes: Vec<u32> =
            (0..12).filter_map(|_| follower.note(strong.clone(), 1200)).collect();
        assert!(!changes.is_empty() && changes.is_sorted(), "{changes:?}");
        assert_eq!(changes.last(), Some(&follower.elo()));
        assert!(follower.elo() > 1700 && follower.telling_moves() == 12);
        follower.truncate(0);
        let fresh = Follower::new(Estimate::default()).estimate().mean;
        assert!((follower.estimate().mean - fresh).abs() < 1e-9, "{fresh}");
    }

    #[test]
    fn without_evidence_an_estimate_stays() {
        for mean in [700.0, 1400.0, 2100.0] {
            let before = Estimate { mean, deviation: 120.0 };
            let after = before.after(&Evidence::default());
            assert!((after.mean - mean).abs() < 2.0, "{after:?}");
            assert!((after.deviation - 120.0).abs() < 3.0, "{after:?}");
        }
    }

    #[test]
    fn classes_grow_with_the_loss() {
        assert_eq!((class(0.0), class(1.0)), (0, CLASSES.len()));
        let between = CLASSES.windows(2).map(|pair| class((pair[0] + pair[1]) / 2.0));
        assert!(between.eq(1..CLASSES.len()));
    }

    /// Whoever plays makes one move of them: the likelihoods of all classes add up to one, for each kind of player.
    #[test]
    fn all_moves_together_are_certain() {
        let start = Start::Fen(MIDDLE.to_string());
        let game = setup::game::<Chess>(&start, &[], CastlingMode::Standard).unwrap().0;
        let mut estimator = Estimator::new().unwrap();
        let (candidates, _) = estimator.scorer.score_moves(&game, &Limits::default(), DEPTH, NODES);
        let mut one_of_each = std::collections::BTreeMap::new();
        for (candidate, loss) in candidates.iter().zip(losses(&candidates)) {
            one_of_each.insert(class(loss), candidate.m);
        }
        let place = |m| candidates.iter().position(|candidate| candidate.m == m).unwrap();
        assert!(one_of_each.len() > 2, "{one_of_each:?}");
        let all: Vec<Evidence> =
            one_of_each.into_values().map(|m| of_choice(&game, &candidates, place(m))).collect();
        for hypothesis in 0..HYPOTHESES.len() {
            for elo in (MIN_ELO..=HUMAN).step_by(MODEL_STEP as usize) {
                let rating = (elo as i32 - FIRST) / STEP;
                let sum: f64 = all.iter().map(|e| e.logs[hypothesis][rating as usize].exp()).sum();
                assert!((sum - 1.0).abs() < 1e-6, "{hypothesis} {elo} {sum}");
            }
        }
    }

    #[test]
    fn a_move_that_was_searched_less_deep_is_not_the_worse_for_it() {
        let candidate = |scores: &[i32]| Candidate {
            m: Move::Put { role: shakmaty::Role::Pawn, to: shakmaty::Square::A2 },
            scores: scores.iter().copied().map(crate::score::Score::centipawns).collect(),
            reply: None,
            report: None,
            difficulty: None,
        };
        // All moves lose a pawn of their score at two plies, and have it back at three.
        let all = [&[50, 50, -50, 60][..], &[40, 40, -60, 40], &[45, 45, -55, 30], &[45, 45, -52]];
        let losses = losses(&all.map(candidate));
        assert!(losses[3] < losses[2] && losses[3] > 0.0, "{losses:?}");
    }
}
