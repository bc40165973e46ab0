//! Iterative deepening with aspiration windows: each iteration is a ply deeper than the last, orders the
//! moves of the next one, and leaves a move to play at any time.

use shakmaty::Move;
use shakmaty::san::San;

use super::proof::PROOF_NODES;
use crate::evaluation::Variant;
use crate::logging;
use crate::rules::{Game, KeyedPosition};
use crate::score::{MAX_PLY, Meaning, Score};
use crate::search::clock::Confidence;
use crate::search::report::{Bound, Report};
use crate::search::root::{RootMove, RootMoves};
use crate::search::terminal::ending_score;
use crate::search::tree::node_kind::Root;
use crate::search::tree::window::{NodeRef, Window};
use crate::search::tree::worker::Worker;

impl<P: Variant> Worker<'_, P> {
    /// Searches deeper and deeper, from `first_depth` plies on, until a limit is hit. Shows `variations`
    /// variations. Returns the depth of the last complete iteration.
    pub fn deepen(&mut self, game: &Game<P>, first_depth: u32, variations: usize) -> u32 {
        let variations = variations.min(self.root.moves().len());
        let last_depth = self.limits.depth.unwrap_or(MAX_PLY as u32).clamp(1, MAX_PLY as u32 - 1);
        let mut confidence = Confidence::default();
        let mut scores: Vec<Score> = Vec::new();
        let mut last_best = None;
        let mut completed = 0;
        for depth in first_depth..=last_depth {
            self.iteration = depth;
            let is_table = variations > 1 && self.shared.options.whole_iterations;
            let shown = (is_table && completed > 0).then(|| self.root.clone());
            if !self.iterate(game, depth, variations) {
                match shown {
                    Some(root) => self.take_back(game, completed, variations, root),
                    None => self.report_end(game, depth, variations, last_best),
                }
                log::debug!(target: logging::SEARCH, "ends within depth {depth}: a limit or a stop");
                break;
            }
            completed = depth;
            self.report_all(game, depth, variations);

            let Some(best) = self.root.leader() else { break };
            confidence.stable_iterations =
                if last_best == Some(best.m) { confidence.stable_iterations + 1 } else { 0 };
            last_best = Some(best.m);
            log::debug!(
                target: logging::SEARCH,
                "depth {depth} {} score {}, {} nodes",
                San::from_move(game.position(), best.m),
                best.score,
                self.nodes
            );
            confidence.score_drop = drop_from_average(&scores, best.score);
            // Nodes of the whole search, not of this iteration: a refutation found long ago still counts as effort.
            confidence.best_move_share = best.nodes as f64 / self.nodes.max(1) as f64;
            scores.push(best.score);
            if let Some(reason) = self.reason_to_end(game, depth, &confidence) {
                log::debug!(target: logging::SEARCH, "ends after depth {depth}: {reason}");
                break;
            }
        }
        completed
    }

    /// Why no iteration follows that of `depth` plies; `None` if one does. The cheap questions first: the clock is read
    /// only if all others let the search go on.
    fn reason_to_end(
        &mut self,
        game: &Game<P>,
        depth: u32,
        confidence: &Confidence,
    ) -> Option<&'static str> {
        if self.is_mate_found() {
            Some("the mate is found")
        } else if self.is_searched_out(game, depth) {
            Some("there is no such mate, or it is proved")
        } else if self.limits.plan.is_some_and(|plan| !plan.wants_more(depth, self.nodes)) {
            Some("the plan of the level is complete")
        } else if self.should_end() {
            Some("a limit or a stop")
        } else if !self.is_time_left(confidence) {
            Some("the clock has no time for another iteration")
        } else {
            None
        }
    }

    /// Searches all variations to `depth` plies. False if it was stopped before the end.
    fn iterate(&mut self, game: &Game<P>, depth: u32, variations: usize) -> bool {
        self.root.begin_iteration();
        for rank in 0..variations {
            self.root.begin_variation(rank);
            self.selective_depth = 0;
            self.search_with_aspiration(game, depth, rank);
            if self.is_stopped() {
                break;
            }
            self.root.sort_variations(rank + 1);
        }
        self.root.begin_variation(0);
        if self.is_stopped() {
            self.root.sort_stopped(variations);
        } else {
            self.root.finish_iteration();
        }
        !self.is_stopped()
    }

    /// Searches one variation with an aspiration window: a narrow one around the last score first, then
    /// wider ones.
    fn search_with_aspiration(&mut self, game: &Game<P>, depth: u32, rank: usize) {
        let p = self.parameters();
        let previous = self.root.moves()[rank].previous;
        let mut width = p.aspiration_width;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        // A mate is found by no small step from the last score, and shallow iterations jump.
        if depth as i32 >= p.aspiration_depth && previous > -Score::INFINITE && !previous.is_mate()
        {
            let centre = self.root.moves()[rank].average.unwrap_or(previous);
            (alpha, beta) = (centre - width, centre + width);
        }
        self.optimism = self.optimism(rank);
        let node = NodeRef { keyed: game.now(), ply: 0 };
        let mut reduction = 0;
        loop {
            self.root.begin_try();
            // The iteration keeps its number for the client, whatever a fail-high takes off.
            let depth_left = (depth as i32 - reduction).max(1);
            let window = Window { alpha, beta, depth: depth_left, cut_node: false };
            let score = self.node::<Root>(node, window);
            // Even after a stop the moves searched so far count: one that beat the old best is the new one. A try stopped
            // within its first move has seen none, and the scores of different tries do not compare.
            if !self.is_stopped() || self.root.has_scores() {
                self.root.sort();
            }
            if self.is_stopped() || (score > alpha && score < beta) {
                return;
            }
            let narrow = width;
            width += width / 2;
            let bound = if score <= alpha {
                // The true score lies below: a lower beta makes cut-offs likelier in the re-search.
                beta = midpoint(alpha, beta);
                alpha = clamp(score - width);
                reduction = 0;
                Bound::Upper
            } else {
                // No true score lies far below the bound that it has just passed. Source: Stockfish, Reckless.
                alpha = alpha.max(beta - narrow);
                beta = clamp(score + width);
                // A move that fails high is good anyway: a little less depth resolves it sooner.
                reduction = (reduction + 1).min(2);
                Bound::Lower
            };
            log::trace!(
                target: logging::SEARCH,
                "depth {depth} variation {} {bound:?} bound {score}, next from {alpha} to {beta}",
                rank + 1
            );
            if self.reporter.wants_bounds(self.stopwatch.elapsed().as_millis() as u64) {
                self.report(game, depth, rank, bound);
            }
        }
    }

    /// The optimism of the root's side by the score of a variation, in centipawns: half of the greatest at 1.10. Source:
    /// Stockfish.
    fn optimism(&self, rank: usize) -> i32 {
        let average = self.root.moves()[rank].average.filter(|average| !average.is_decided());
        let average = average.map_or(0, Score::raw);
        self.parameters().optimism * average / (average.abs() + 110)
    }

    /// True if the limits ask for a mate in so many moves, and it is found: for either side, because a side
    /// that is mated sooner has nothing to look for.
    fn is_mate_found(&self) -> bool {
        let Some(best) = self.root.leader() else { return true };
        match (self.limits.mate, best.score.meaning()) {
            (Some(wanted), Meaning::Mate(moves)) => moves.unsigned_abs() <= wanted,
            _ => false,
        }
    }

    /// True once the iteration of the wanted mate's length is complete and the rest is settled by proof. Where the
    /// proof is too large, the search goes on within its limits; without limits it ends, and says what it left open.
    fn is_searched_out(&mut self, game: &Game<P>, depth: u32) -> bool {
        let limits = self.limits;
        let Some(moves) = limits.mate.filter(|_| !limits.infinite) else { return false };
        if limits.depth.is_some() || depth != moves.saturating_mul(2).saturating_sub(1) {
            return false;
        }
        match self.prove_mate(game, moves) {
            Some(true) => {
                self.report(game, depth, 0, Bound::Exact);
                true
            }
            Some(false) => true,
            None if limits.is_timed() || limits.nodes.is_some() || self.is_stopped() => false,
            None => {
                self.reporter.remark(&format!(
                    "no mate in {moves} was found, but there may be one: the proof was given up after \
                     {PROOF_NODES} nodes; a limit of time or nodes lets the search go on"
                ));
                true
            }
        }
    }

    /// True if the clock allows another iteration. A forced move costs no time of a game.
    fn is_time_left(&self, confidence: &Confidence) -> bool {
        let is_forced = self.root.moves().len() == 1 && self.stopwatch.is_game_clock();
        let has_time = !is_forced && self.stopwatch.allows_iteration(confidence);
        self.shared.signals.is_pondering() || has_time
    }

    /// Ends with the `root` of the last complete iteration, of `depth` plies.
    fn take_back(&mut self, game: &Game<P>, depth: u32, variations: usize, root: RootMoves) {
        self.root = root;
        // Bounds of the unfinished iteration may stand in the place of its lines.
        if self.reporter.wants_bounds(self.stopwatch.elapsed().as_millis() as u64) {
            self.report_all(game, depth, variations);
        }
    }

    /// Reports what an unfinished iteration ends with, if the client has not seen it: a new best move, because the last
    /// report should name the move that is played, or the exact line of the old one.
    fn report_end(
        &mut self,
        game: &Game<P>,
        depth: u32,
        variations: usize,
        reported: Option<Move>,
    ) {
        let Some(best) = self.root.leader() else { return };
        let is_known = best.score > -Score::INFINITE;
        let bound = if is_known { best.known_bound() } else { Bound::Lower };
        let is_renewed = || {
            let (_, bound) = self.line_to_show(game, best, bound);
            variations == 1 && is_known && bound == Bound::Exact
        };
        if reported != Some(best.m) || is_renewed() {
            self.report(game, depth, 0, bound);
        }
    }

    /// Reports the move that the threads have elected.
    pub fn report_elected(&mut self, game: &Game<P>, depth: u32) {
        let bound = self.root.leader().map_or(Bound::Exact, RootMove::known_bound);
        self.report(game, depth, 0, bound);
    }

    fn report_all(&mut self, game: &Game<P>, depth: u32, variations: usize) {
        for rank in 0..variations {
            self.report(game, depth, rank, Bound::Exact);
        }
    }

    fn report(&mut self, game: &Game<P>, depth: u32, rank: usize, bound: Bound) {
        let nodes = self.all_nodes();
        let candidate = &self.root.moves()[rank];
        let score = candidate.known_score();
        if score == -Score::INFINITE {
            return;
        }
        let (pv, bound) = self.line_to_show(game, candidate, bound);
        self.reporter.variation(&Report {
            depth,
            selective_depth: candidate.selective_depth.max(depth as usize) as u32,
            multipv: rank + 1,
            score,
            bound,
            is_drawn: candidate.is_drawn(),
            nodes,
            time_ms: self.stopwatch.elapsed().as_millis() as u64,
            hashfull: self.shared.table.hashfull(),
            tbhits: self.shared.signals.tablebase_hits(),
            pv,
        });
    }

    /// The line of a move, and the relation of its score to the true one. A mate is shown with its whole line; its score
    /// alone is true as a bound.
    fn line_to_show(
        &self,
        game: &Game<P>,
        candidate: &RootMove,
        bound: Bound,
    ) -> (Vec<Move>, Bound) {
        let (score, pv) = (candidate.known_score(), &candidate.pv);
        if bound != Bound::Exact || !score.is_mate() {
            return (pv.clone(), bound);
        }
        match self.mating_line(game, score, pv) {
            Some(line) => (line, Bound::Exact),
            None if score.is_win() => (pv.clone(), Bound::Lower),
            None => (pv.clone(), Bound::Upper),
        }
    }

    /// The line of a mate from its PV, which a cut-off of the transposition table may have shortened: it is
    /// lengthened as far as the table knows it, without a repetition. `None` unless it ends the game as `score`
    /// says.
    fn mating_line(&self, game: &Game<P>, score: Score, pv: &[Move]) -> Option<Vec<Move>> {
        let plies = score.plies_to_mate()?;
        let mut line = pv.to_vec();
        let mut met = game.past().to_vec();
        let mut now = line.iter().fold(game.now().clone(), |now: KeyedPosition<P>, &m| {
            met.push(now.key());
            now.play(m)
        });
        while line.len() < plies {
            met.push(now.key());
            let entry = self.shared.table.probe(now.key(), line.len())?;
            let m = now.position().unpack(now.checkers(), entry.code)?;
            now = now.play(m);
            if met.contains(&now.key()) {
                return None;
            }
            line.push(m);
        }
        let position = now.position();
        let ending = position.ending().or_else(|| {
            let is_over = position.legal_moves().is_empty();
            is_over.then(|| position.ending_without_moves(now.is_check()))
        })?;
        let end = ending_score(ending, line.len());
        let seen_from_root = if line.len().is_multiple_of(2) { end } else { -end };
        (seen_from_root == score).then_some(line)
    }
}

/// Centipawns by which `score` lies below the average of the last iterations.
fn drop_from_average(scores: &[Score], score: Score) -> i32 {
    let recent = &scores[scores.len().saturating_sub(4)..];
    if recent.is_empty() {
        return 0;
    }
    let average = recent.iter().map(|score| score.raw()).sum::<i32>() / recent.len() as i32;
    (average - score.raw()).max(0)
}

fn midpoint(alpha: Score, beta: Score) -> Score {
    alpha + (beta - alpha) / 2
}

fn clamp(score: Score) -> Score {
    score.clamp(-Score::INFINITE, Score::INFINITE)
}
