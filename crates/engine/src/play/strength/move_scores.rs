//! What a player of limited strength can see: the scores of all moves, depth by depth.
//!
//! Two small searches give them. The first looks at every move, two plies deep; the second at the best of
//! these only, as deep as a budget of nodes allows. So few moves are candidates, as with people.

use std::sync::Arc;

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Move};

use super::difficulty;
use crate::evaluation::{Evaluator, KingTerms, Variant};
use crate::limits::Limits;
use crate::rules::Game;
use crate::score::Score;
use crate::search::parameters::Parameters;
use crate::search::report::{Bound, Outcome, Report, Reporter};
use crate::search::table::OutOfMemoryError;
use crate::search::{Options, Searcher, Signals};

/// Depth to which every move is searched, in plies.
const SHALLOW_DEPTH: u32 = 2;
/// Moves that are searched deeper.
const CANDIDATES: usize = 8;
/// Transposition table of the searches, in MiB.
const HASH_MB: usize = 1;

/// A move with its scores for the side to move.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The move.
    pub m: Move,
    /// Its score at each depth, from 0 plies: the static eval after the move, as if no reply existed.
    pub scores: Vec<Score>,
    /// The best reply to it at the least depth at which the search looks at replies.
    pub reply: Option<Move>,
    /// The last report of it.
    pub report: Option<Report>,
    /// Of the best move, if it stands out, and of other ways to take back on its square: the rating at which half of the
    /// players find it, in Elo.
    pub difficulty: Option<f64>,
}

impl Candidate {
    /// The score of the move if it is seen `depth` plies deep; deeper than the search went, its last one.
    pub fn seen_at(&self, depth: usize) -> Score {
        self.scores.get(depth).or(self.scores.last()).copied().unwrap_or(Score::DRAW)
    }

    /// The score of the deepest search.
    pub fn settled(&self) -> Score {
        self.seen_at(usize::MAX)
    }
}

/// Scores moves with the evaluation by fitted tables, whatever the engine itself plays with: the
/// errors of a strength are calibrated for this one.
pub struct MoveScorer<P: Variant> {
    evaluator: KingTerms<P>,
    searcher: Searcher<P>,
    move_overhead: u64,
}

impl<P: Variant> MoveScorer<P> {
    /// A scorer with a table of its own; `move_overhead` milliseconds are lost on every move.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if there is no memory for the table.
    pub fn new(move_overhead: u64) -> Result<MoveScorer<P>, OutOfMemoryError> {
        let evaluator = KingTerms::default();
        let options = Options { move_overhead, ..Options::default() };
        let searcher = Searcher::new(evaluator.clone(), options, HASH_MB)?;
        Ok(MoveScorer { evaluator, searcher, move_overhead })
    }

    /// Fresh signals for the next searches, as [`Searcher::renew_signals`].
    pub fn renew_signals(&mut self, pondering: bool) -> Arc<Signals> {
        self.searcher.renew_signals(pondering)
    }

    /// A single search of the whole strength within `limits`, from an empty table.
    pub fn search(
        &mut self,
        game: &Game<P>,
        limits: &Limits,
        reporter: &mut dyn Reporter,
    ) -> Outcome {
        self.searcher.new_game();
        let move_overhead = self.move_overhead;
        self.searcher.set_options(Options { move_overhead, ..Options::default() });
        self.searcher.search(game, limits, reporter)
    }

    /// The legal moves of `game`, or those among them that `limits` asks for, with their scores up to
    /// `depth` plies. `nodes` is the budget of the deeper search, in nodes. The best is first. Both searches
    /// together keep to the limits.
    pub fn score_moves(
        &mut self,
        game: &Game<P>,
        limits: &Limits,
        depth: u32,
        nodes: u64,
    ) -> (Vec<Candidate>, u64) {
        self.score_moves_and(None, game, limits, depth, nodes)
    }

    /// The same, with the move `judged` among those that are searched deeper, whatever it is worth at first sight.
    pub fn score_moves_and(
        &mut self,
        judged: Option<Move>,
        game: &Game<P>,
        limits: &Limits,
        depth: u32,
        nodes: u64,
    ) -> (Vec<Candidate>, u64) {
        self.searcher.new_game();
        let limits = &limits.begun();
        let mut collector = ScoreCollector::default();
        let legal = game.position().legal_moves();
        let shallow = Limits { depth: Some(SHALLOW_DEPTH.min(depth)), ..limits.clone() };
        let mut spent = self.search_all(game, &shallow, legal.len(), plain(), &mut collector);
        collector.sort();
        let left = limits.nodes.map_or(u64::MAX, |all| all.saturating_sub(spent));
        if depth > SHALLOW_DEPTH && left > 0 && self.searcher.may_go_on(game, limits) {
            let moves = collector.candidates.iter().map(|candidate| candidate.m).enumerate();
            let deeper = moves.filter(|&(rank, m)| rank < CANDIDATES || Some(m) == judged);
            let search_moves: Vec<UciMove> = deeper.map(|(_, m)| to_uci(m)).collect();
            let variations = search_moves.len();
            let deeper = Limits {
                depth: Some(depth),
                nodes: Some(nodes.min(left)),
                search_moves,
                ..limits.clone()
            };
            spent +=
                self.search_all(game, &deeper, variations, Parameters::default(), &mut collector);
            collector.sort();
        }
        for candidate in &mut collector.candidates {
            candidate.scores[0] = self.static_score(game, candidate);
        }
        difficulty::tell_finds(game, &mut collector.candidates);
        (collector.candidates, spent)
    }

    fn search_all(
        &mut self,
        game: &Game<P>,
        limits: &Limits,
        variations: usize,
        parameters: Parameters,
        collector: &mut ScoreCollector,
    ) -> u64 {
        let move_overhead = self.move_overhead;
        let options = Options { variations, parameters, move_overhead, ..Options::default() };
        self.searcher.set_options(options);
        self.searcher.search(game, limits, collector).nodes
    }

    /// The score of a move for someone who sees no reply to it. Nobody overlooks that a captured piece can
    /// be recaptured: noisy moves and moves out of check keep the score of one ply.
    fn static_score(&self, game: &Game<P>, candidate: &Candidate) -> Score {
        if game.position().is_noisy(candidate.m) || game.now().is_check() {
            return candidate.seen_at(1);
        }
        let after = game.now().play(candidate.m);
        if after.is_check() || after.position().ending().is_some() {
            return candidate.seen_at(1);
        }
        -self.evaluator.evaluate(after.position(), 0, &mut self.evaluator.new_cache())
    }
}

/// The parameters of the shallow search. At so low a depth late-move pruning and futility pruning leave two quiet
/// replies and fewer: the player would not see that a piece that it does not take back escapes.
fn plain() -> Parameters {
    Parameters { late_move_pruning_depth: 0, futility_depth: 0, ..Parameters::default() }
}

/// A move for [`Limits::search_moves`].
pub fn to_uci(m: Move) -> UciMove {
    m.to_uci(CastlingMode::Chess960)
}

/// Collects the scores of the moves that a search reports.
#[derive(Default)]
pub struct ScoreCollector {
    candidates: Vec<Candidate>,
}

impl ScoreCollector {
    /// The moves of the deepest iteration with their scores, the best first.
    pub fn deepest(&self) -> Vec<(Move, Score)> {
        let depth = |candidate: &Candidate| candidate.scores.len();
        let most = self.candidates.iter().map(depth).max();
        let deepest = self.candidates.iter().filter(|&candidate| Some(depth(candidate)) == most);
        let mut moves: Vec<(Move, Score)> =
            deepest.map(|candidate| (candidate.m, candidate.settled())).collect();
        moves.sort_by_key(|&(_, score)| -score);
        moves
    }

    /// Sorts by the deepest scores, best first. Equal moves keep their order.
    fn sort(&mut self) {
        self.candidates.sort_by_key(|candidate| -candidate.settled());
    }
}

impl Reporter for ScoreCollector {
    fn variation(&mut self, report: &Report) {
        let (Some(&m), Bound::Exact) = (report.pv.first(), report.bound) else { return };
        let known = self.candidates.iter().position(|candidate| candidate.m == m);
        let index = known.unwrap_or_else(|| {
            let scores = vec![report.score];
            self.candidates.push(Candidate {
                m,
                scores,
                reply: None,
                report: None,
                difficulty: None,
            });
            self.candidates.len() - 1
        });
        let candidate = &mut self.candidates[index];
        let depth = report.depth as usize;
        // The first search of a depth saw every reply; a later one knows deeper scores from the table.
        if candidate.scores.len() <= depth {
            // A depth that was skipped has the score of the next one.
            candidate.scores.resize(depth + 1, report.score);
            candidate.reply = candidate.reply.or(report.pv.get(1).copied());
            candidate.report = Some(report.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Chess;
    use web_time::{Duration, Instant};

    /// The depth to which some move was seen within these limits, in plies, and the nodes of all searches.
    fn seen(limits: &Limits) -> (usize, u64) {
        let mut scorer = MoveScorer::<Chess>::new(0).unwrap();
        let game = Game::new(Chess::default());
        let (candidates, nodes) = scorer.score_moves(&game, limits, 6, 20_000);
        (candidates.iter().map(|candidate| candidate.scores.len() - 1).max().unwrap(), nodes)
    }

    #[test]
    fn both_searches_share_the_limits() {
        let shallow = SHALLOW_DEPTH as usize;
        assert_eq!(seen(&Limits::default()).0, 6);
        // The time is over, long ago or just now: how far a search comes in a time that is not depends on the machine.
        for over in [Duration::from_secs(1), Duration::from_millis(1)] {
            let started = Instant::now().checked_sub(over);
            let limits = Limits { move_time: Some(1), started, ..Limits::default() };
            assert!(seen(&limits).0 <= shallow, "{limits:?}");
        }
        let (depth, nodes) = seen(&Limits::nodes(3000));
        assert!(depth > shallow && nodes <= 3000, "{depth} plies, {nodes} nodes");
    }
}
