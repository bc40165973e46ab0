//! The opponent model: in a level or lost position, the choice among nearly equal moves that a weaker
//! opponent is likeliest to answer wrongly. The sources call it a minimax that depends on the adversary.
//!
//! A search proposes its move and, in a share of the time, a few others of nearly the same score. For each
//! of them the model of limited strength answers many times, as a player of the opponent's rating would.
//! Its errors, in expected points, decide; a second search must confirm that the move gives up no more than
//! a small margin. So the price is bounded, and the gain depends on how well the rating is known.

use shakmaty::{ByColor, Move};

use super::strength::{Candidate, MAX_ELO, MoveScorer, ScoreCollector, Weakness, judge, to_uci};
use crate::evaluation::Variant;
use crate::limits::Limits;
use crate::rules::{Game, notation};
use crate::score::Score;
use crate::search::report::{Outcome, Reason, Report, Reporter};
use crate::search::table::OutOfMemoryError;
use crate::search::{Options, Searcher};

/// Greatest score of a position in which the model chooses, in centipawns. A greater lead needs no traps.
const LEAD: i32 = 60;
/// Greatest score that a move may give up, in centipawns.
const MARGIN: i32 = 25;
/// Moves that are compared.
const CANDIDATES: usize = 4;
/// Replies that the model draws for each move.
const DRAWS: u64 = 64;
/// Greatest number of nodes with which the model looks at one move's replies, a few milliseconds, …
const LOOK_NODES: u64 = 4000;
/// … and the share of a limit of nodes for each of these looks.
const LOOK_SHARE: f64 = 0.03;
/// The gain of expected points that a move needs to be preferred to the search's own.
const LEAST_GAIN: f64 = 0.01;
/// Share of the limits for the first search, …
const FIRST_SHARE: f64 = 0.65;
/// … for the comparison of its move with others, …
const COMPARE_SHARE: f64 = 0.12;
/// … and for the confirmation of the chosen move.
const CONFIRM_SHARE: f64 = 0.15;
/// Plies by which the confirmation may be shallower than the first search.
const CONFIRM_PLIES: u32 = 2;
/// Time on the clock or for the move below which the model rests, in milliseconds.
const LEAST_TIME_MS: i64 = 500;
/// Nodes left below which no more replies are looked at: a first shallow search of all of them takes about so many.
const LEAST_LOOK_NODES: u64 = 2000;
/// Limit of nodes below which the model rests: even the least searches would go beyond it.
const LEAST_NODES: u64 = 4000;

/// Chooses moves against an opponent of known strength.
pub struct OpponentModel<P: Variant> {
    elo: u32,
    scorer: MoveScorer<P>,
}

/// What the opponent is expected to make of a move.
struct Prospect {
    m: Move,
    /// Score of the comparison.
    score: Score,
    /// Expected points of the side that moves, 0 to 1.
    points: f64,
    /// Share of the replies that lose 50 centipawns or more.
    errors: f64,
}

impl<P: Variant> OpponentModel<P> {
    /// A model of an opponent of `elo`.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if there is no memory for its transposition table.
    pub fn new(elo: u32) -> Result<OpponentModel<P>, OutOfMemoryError> {
        Ok(OpponentModel { elo, scorer: MoveScorer::new(0)? })
    }

    /// Searches as `searcher` does within `limits`, and then perhaps prefers another move, which it explains
    /// in a remark. The searcher has its own options again afterwards.
    pub fn play(
        &mut self,
        searcher: &mut Searcher<P>,
        game: &Game<P>,
        limits: &Limits,
        reporter: &mut dyn Reporter,
    ) -> Outcome {
        if !applies(game, limits) {
            return searcher.search(game, limits, reporter);
        }
        let limits = &limits.begun();
        let began = elapsed_ms(limits);
        let first = searcher.search(game, &share(limits, FIRST_SHARE), reporter);
        let first_ms = elapsed_ms(limits) - began;
        // The scores of endgame tables are results, and a centipawn between them is half a point.
        let is_in_tables = searcher
            .options()
            .endgames
            .as_ref()
            .is_some_and(|access| access.may_know(game.position()));
        let margin = if is_in_tables { 0 } else { MARGIN };
        let mut later = Later { game, limits, first_ms, margin, spent_nodes: first.nodes };
        let Some(own) = first.best else { return first };
        let is_settled = first.score.raw() > LEAD || first.score.is_mate();
        if is_settled || !searcher.may_go_on(game, limits) {
            return later.go_on(searcher, first, reporter);
        }
        let mut prospects = later.compare(searcher, own);
        if prospects.len() < 2 {
            return later.go_on(searcher, first, reporter);
        }
        let nodes = limits.nodes.map_or(LOOK_NODES, |all| part(all, LOOK_SHARE).min(LOOK_NODES));
        for prospect in &mut prospects {
            if !searcher.may_go_on(game, limits) || later.left_nodes() < LEAST_LOOK_NODES {
                return later.go_on(searcher, first, reporter);
            }
            later.spent_nodes += self.expect(game, prospect, nodes);
        }
        let (plain, others) = prospects.split_at(1);
        let best = others.iter().max_by(|a, b| a.points.total_cmp(&b.points));
        let Some(best) = best.filter(|best| best.points >= plain[0].points + LEAST_GAIN) else {
            return later.go_on(searcher, first, reporter);
        };
        let Some((confirmed, report)) = later.confirm(searcher, best.m, &first) else {
            return later.go_on(searcher, first, reporter);
        };
        reporter.reason(&self.explain(game, best, &plain[0], first.score - confirmed.score));
        reporter.variation(&report);
        confirmed
    }

    /// Lets the opponent answer a move many times, with `nodes` nodes to see the replies. Returns the nodes.
    fn expect(&mut self, game: &Game<P>, prospect: &mut Prospect, nodes: u64) -> u64 {
        let mut after = game.clone();
        after.play(prospect.m);
        prospect.points = points(prospect.score);
        if after.position().ending().is_some() || after.draw_reason().is_some() {
            return 0;
        }
        let weakness = Weakness::of(self.elo);
        let nodes = weakness.nodes.min(nodes);
        let limits = Limits::nodes(nodes);
        let (replies, spent) = self.scorer.score_moves(&after, &limits, weakness.depth, nodes);
        let Some(best) = replies.first().map(Candidate::settled) else { return spent };
        let answer = |seed: u64| -> i32 {
            let judged = judge(after.position(), after.now().key(), seed, &weakness, &replies);
            judged.first().map_or(0, |t| best - replies[t.index].settled())
        };
        let losses: Vec<i32> = (1..=DRAWS).map(answer).collect();
        let of =
            |loss: &i32| points(Score::centipawns(prospect.score.raw() + loss.clamp(&0, &1000)));
        prospect.points = losses.iter().map(of).sum::<f64>() / DRAWS as f64;
        prospect.errors = losses.iter().filter(|&&loss| loss >= 50).count() as f64 / DRAWS as f64;
        spent
    }

    /// Why this move and not the search's own.
    fn explain(&self, game: &Game<P>, chosen: &Prospect, own: &Prospect, price: i32) -> Reason {
        let san = |m| notation::short_san(game.position(), m);
        let words = format!(
            "{} instead of {}, answered wrongly {:.0} % of the time instead of {:.0} %",
            san(chosen.m),
            san(own.m),
            100.0 * chosen.errors,
            100.0 * own.errors
        );
        let details = format!(
            "opponent elo={}: {words}; expected {:.2} points instead of {:.2}, price {:.2}",
            self.elo,
            chosen.points,
            own.points,
            f64::from(price.max(0)) / 100.0
        );
        Reason { words, details }
    }
}

/// The searches after the first one.
struct Later<'a, P: Variant> {
    game: &'a Game<P>,
    limits: &'a Limits,
    /// Time that the first search took, in milliseconds.
    first_ms: i64,
    /// Greatest score that a move may give up, in centipawns.
    margin: i32,
    /// Nodes of all searches so far.
    spent_nodes: u64,
}

impl<P: Variant> Later<'_, P> {
    /// The limits of a later search of this share of the whole, within what is left of it: all clocks count from
    /// the beginning, the time of pondering included.
    fn limits(&self, share: f64) -> Limits {
        let Limits { nodes, move_time, .. } = *self.limits;
        let time = (self.first_ms as f64 * share / FIRST_SHARE) as i64;
        let end = self.limits.is_timed().then(|| elapsed_ms(self.limits) + time.max(1));
        Limits {
            nodes: nodes.map(|nodes| part(nodes, share).min(self.left_nodes())),
            move_time: end.map(|end| move_time.map_or(end, |all| all.min(end))),
            ..self.limits.clone()
        }
    }

    /// Nodes left of the limit.
    fn left_nodes(&self) -> u64 {
        self.limits.nodes.map_or(u64::MAX, |all| all.saturating_sub(self.spent_nodes))
    }

    /// Spends what the model has not used, unless a game clock keeps it.
    fn go_on(
        &self,
        searcher: &mut Searcher<P>,
        first: Outcome,
        reporter: &mut dyn Reporter,
    ) -> Outcome {
        let Limits { nodes, move_time, .. } = *self.limits;
        let left = nodes.map(|_| self.left_nodes());
        let first = Outcome { nodes: self.spent_nodes, ..first };
        let has_rest = nodes.is_some() || move_time.is_some();
        let is_game = self.limits.time_left(self.game.now().turn()).is_some();
        if !has_rest || is_game || left == Some(0) || !searcher.may_go_on(self.game, self.limits) {
            return first;
        }
        let rest = Limits { nodes: left, ..self.limits.clone() };
        let second = searcher.search(self.game, &rest, reporter);
        let nodes = first.nodes + second.nodes;
        // The table is warm, but a search that is stopped does not come as far as the first one.
        let is_deep = second.depth + CONFIRM_PLIES >= first.depth;
        Outcome { nodes, ..if is_deep { second } else { first } }
    }

    /// The search's own move and those nearly as good, best first after it. One alone if none is.
    fn compare(&mut self, searcher: &mut Searcher<P>, own: Move) -> Vec<Prospect> {
        let mut collector = ScoreCollector::default();
        let own_options = searcher.options().clone();
        let options =
            Options { variations: CANDIDATES, whole_iterations: false, ..own_options.clone() };
        searcher.set_options(options);
        self.spent_nodes +=
            searcher.search(self.game, &self.limits(COMPARE_SHARE), &mut collector).nodes;
        searcher.set_options(own_options);
        let mut found = collector.deepest();
        let Some(index) = found.iter().position(|&(m, _)| m == own) else { return Vec::new() };
        let (_, score) = found.remove(index);
        let near = found.into_iter().filter(|other| other.1 >= score - self.margin);
        let prospect = |(m, score)| Prospect { m, score, points: 0.0, errors: 0.0 };
        std::iter::once((own, score)).chain(near).map(prospect).collect()
    }

    /// Searches the move `m` alone; `None` if it gives up more than the margin, or if the search could not
    /// look about as far as the `first`.
    fn confirm(
        &mut self,
        searcher: &mut Searcher<P>,
        m: Move,
        first: &Outcome,
    ) -> Option<(Outcome, Report)> {
        let search_moves = vec![to_uci(m)];
        let limits = Limits { search_moves, ..self.limits(CONFIRM_SHARE) };
        let mut last = Last(None);
        let outcome = searcher.search(self.game, &limits, &mut last);
        self.spent_nodes += outcome.nodes;
        let is_deep = outcome.depth + CONFIRM_PLIES >= first.depth;
        let is_near = outcome.score >= first.score - self.margin;
        let report = last.0.filter(|_| is_deep && is_near)?;
        Some((Outcome { nodes: self.spent_nodes, ..outcome }, report))
    }
}

/// Keeps the last report.
struct Last(Option<Report>);

impl Reporter for Last {
    fn variation(&mut self, report: &Report) {
        self.0 = Some(report.clone());
    }
}

/// True if there is something to choose, and time for it.
fn applies<P: Variant>(game: &Game<P>, limits: &Limits) -> bool {
    let is_play = !limits.infinite && limits.mate.is_none() && limits.plan.is_none();
    let is_free = limits.search_moves.is_empty() && game.position().legal_moves().len() > 1;
    let clock = limits.time_left(game.now().turn());
    let has_time = clock.into_iter().chain(limits.move_time).all(|time| time >= LEAST_TIME_MS);
    let has_nodes = limits.nodes.is_none_or(|nodes| nodes >= LEAST_NODES);
    is_play && is_free && has_time && has_nodes
}

/// Time since the limits began, in milliseconds.
fn elapsed_ms(limits: &Limits) -> i64 {
    let elapsed = limits.started.map_or(0, |started| started.elapsed().as_millis());
    i64::try_from(elapsed).unwrap_or(i64::MAX)
}

/// The limits with this share of nodes and time.
fn share(limits: &Limits, share: f64) -> Limits {
    let time = |time: i64| (time as f64 * share) as i64;
    let ByColor { white, black } = limits.clock;
    Limits {
        nodes: limits.nodes.map(|nodes| part(nodes, share)),
        move_time: limits.move_time.map(time),
        clock: ByColor { white: white.map(time), black: black.map(time) },
        ..limits.clone()
    }
}

/// A share of a number of nodes.
fn part(nodes: u64, share: f64) -> u64 {
    (nodes as f64 * share) as u64
}

/// Expected points of a side with this score, 0 to 1.
fn points(score: Score) -> f64 {
    let [win, draw, _] = score.win_draw_loss();
    f64::from(2 * win + draw) / 2000.0
}

/// The rating of an opponent as clients describe it: from `description`, UCI_Opponent's "title rating kind
/// name", or from `advantage`, the Elo by which the engine is ahead of it; `None` if neither tells.
///
/// An engine at full strength counts as [`MAX_ELO`], which is where the scale ends.
pub fn rating(description: &str, advantage: i32) -> Option<u32> {
    let told = description.split_whitespace().nth(1).and_then(|rating| rating.parse().ok());
    let derived = u32::try_from(MAX_ELO as i32 - advantage).ok().filter(|_| advantage != 0);
    told.filter(|&rating| rating > 0).or(derived)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use crate::rules::setup::{self, Start};
    use crate::search::report::Silent;

    #[test]
    fn clients_describe_opponents() {
        for (description, advantage, known) in [
            ("GM 2800 human Gary Kasparov", 0, Some(2800)),
            ("none 1450 human Nobody", 300, Some(1450)),
            ("none none computer Shredder", 0, None),
            ("none none computer Shredder", 700, Some(2100)),
            ("", -100, Some(2900)),
            ("", 5000, None),
            ("GM 0 human", 0, None),
            ("GM -5 human", 0, None),
            ("2800", 0, None),
        ] {
            assert_eq!(rating(description, advantage), known, "{description:?} {advantage}");
        }
    }

    #[test]
    fn points_grow_with_the_score() {
        let scores = [-2000, -160, 0, 160, 2000].map(Score::centipawns).map(points);
        assert!(scores.is_sorted() && scores[2] == 0.5, "{scores:?}");
    }

    #[test]
    fn limits_are_shared_out() {
        let clock = ByColor { white: Some(1000), black: None };
        let limits = Limits { clock, move_time: Some(200), depth: Some(9), ..Limits::nodes(100) };
        let less = share(&limits, 0.5);
        assert_eq!(
            (less.clock.white, less.clock.black, less.move_time),
            (Some(500), None, Some(100))
        );
        assert_eq!((less.nodes, less.depth), (Some(50), Some(9)));
    }

    fn game(fen: &str) -> Game<Chess> {
        let start = Start::Fen(fen.to_string());
        setup::game(&start, &[], CastlingMode::Standard).unwrap().0
    }

    const MIDDLE: &str = "r1b1kbnr/ppp2ppp/2np4/4N3/4P2q/3P4/PPP2PPP/RNBQKB1R w KQkq - 0 5";

    #[test]
    fn a_weak_opponent_gives_points_away() {
        let game = game(MIDDLE);
        let m = setup::read_move(game.position(), "e5f3").unwrap();
        let expected = |elo| {
            let score = Score::centipawns(0);
            let mut prospect = Prospect { m, score, points: 0.0, errors: 0.0 };
            OpponentModel::new(elo).unwrap().expect(&game, &mut prospect, 2000);
            assert!((0.5..=1.0).contains(&prospect.points), "{elo}: {}", prospect.points);
            assert!((0.0..=1.0).contains(&prospect.errors), "{elo}: {}", prospect.errors);
            prospect.points
        };
        let points = [600, 1200, 2000].map(expected);
        assert!(points[0] > points[2], "{points:?}");
    }

    #[test]
    fn the_search_s_own_move_is_compared_with_others() {
        let game = game(MIDDLE);
        let options = Options::default();
        let evaluator = crate::evaluation::KingTerms::<Chess>::default();
        let mut searcher = Searcher::new(evaluator, options, 4).unwrap();
        let limits = Limits::nodes(40_000);
        let own = searcher.search(&game, &Limits::nodes(10_000), &mut Silent).best.unwrap();
        let margin = 300;
        let mut later = Later { game: &game, limits: &limits, first_ms: 0, margin, spent_nodes: 0 };
        let prospects = later.compare(&mut searcher, own);
        assert!(prospects.len() > 1 && prospects[0].m == own);
        let mut others: Vec<Move> = prospects.iter().map(|prospect| prospect.m).collect();
        others.sort_by_key(|m| to_uci(*m).to_string());
        others.dedup();
        assert_eq!(others.len(), prospects.len());
        let least = prospects[0].score - margin;
        assert!(prospects.iter().all(|prospect| prospect.score >= least));
        assert!(prospects[1..].is_sorted_by_key(|prospect| -prospect.score));
    }
}
