//! Iterative deepening with aspiration windows: each iteration is a ply deeper than the last, orders the
//! moves of the next one, and leaves a move to play at any time.

use shakmaty::Move;

use crate::evaluation::Variant;
use crate::rules::{Game, KeyedPosition};
use crate::score::{MAX_PLY, Meaning, Score};
use crate::search::clock::Confidence;
use crate::search::report::{Bound, Report};
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
            if !self.iterate(game, depth, variations) {
                // The client has to know the move that is played, if it is not the one it has seen.
                self.report_change(game, depth, last_best);
                break;
            }
            completed = depth;
            self.report_all(game, depth, variations);

            let Some(best) = self.root.leader() else { break };
            confidence.stable_iterations =
                if last_best == Some(best.m) { confidence.stable_iterations + 1 } else { 0 };
            last_best = Some(best.m);
            confidence.score_drop = drop_from_average(&scores, best.score);
            confidence.best_move_share = best.nodes as f64 / self.nodes.max(1) as f64;
            scores.push(best.score);
            // The cheap questions first: the clock is read only if all others let the search go on.
            if self.is_mate_found()
                || self.limits.plan.is_some_and(|plan| !plan.wants_more(depth, self.nodes))
                || self.should_end()
                || !self.is_time_left(&confidence)
            {
                break;
            }
        }
        completed
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
        if !self.is_stopped() {
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
        if depth as i32 >= p.aspiration_depth && previous > -Score::INFINITE && !previous.is_mate()
        {
            (alpha, beta) = (previous - width, previous + width);
        }
        let node = NodeRef { keyed: game.now(), ply: 0 };
        let mut reduction = 0;
        loop {
            self.root.begin_try();
            let depth_left = (depth as i32 - reduction).max(1);
            let window = Window { alpha, beta, depth: depth_left, cut_node: false };
            let score = self.node::<Root>(node, window);
            // Even after a stop the moves searched so far count: one that beat the old best is the new one.
            self.root.sort();
            if self.is_stopped() || (score > alpha && score < beta) {
                return;
            }
            width += width / 2;
            let bound = if score <= alpha {
                beta = midpoint(alpha, beta);
                alpha = clamp(score - width);
                reduction = 0;
                Bound::Upper
            } else {
                beta = clamp(score + width);
                // A move that fails high is good anyway: a little less depth resolves it sooner.
                reduction = (reduction + 1).min(2);
                Bound::Lower
            };
            if self.reporter.wants_bounds(self.stopwatch.elapsed().as_millis() as u64) {
                self.report(game, depth, rank, bound);
            }
        }
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

    /// True if the clock allows another iteration. A forced move costs no time of a game.
    fn is_time_left(&self, confidence: &Confidence) -> bool {
        let is_forced = self.root.moves().len() == 1 && self.stopwatch.is_game_clock();
        let has_time = !is_forced && self.stopwatch.allows_iteration(confidence);
        self.shared.signals.is_pondering() || has_time
    }

    /// Reports a new best move of an unfinished iteration, because the last report should name the move
    /// that is played.
    fn report_change(&mut self, game: &Game<P>, depth: u32, reported: Option<Move>) {
        let Some(best) = self.root.leader() else { return };
        if reported != Some(best.m) {
            let is_exact = best.score > -Score::INFINITE;
            let bound = if is_exact { Bound::Exact } else { Bound::Lower };
            self.report(game, depth, 0, bound);
        }
    }

    /// Reports the move that the threads have elected.
    pub fn report_elected(&mut self, game: &Game<P>, depth: u32) {
        self.report(game, depth, 0, Bound::Exact);
    }

    fn report_all(&mut self, game: &Game<P>, depth: u32, variations: usize) {
        for rank in 0..variations {
            self.report(game, depth, rank, Bound::Exact);
        }
    }

    fn report(&mut self, game: &Game<P>, depth: u32, rank: usize, bound: Bound) {
        let nodes = self.all_nodes();
        let candidate = &self.root.moves()[rank];
        let score = self.root.score_of(candidate);
        if score == -Score::INFINITE {
            return;
        }
        let mut pv = candidate.pv.clone();
        if bound == Bound::Exact {
            self.complete_mate(game, score, &mut pv);
        }
        self.reporter.variation(&Report {
            depth,
            selective_depth: candidate.selective_depth.max(depth as usize) as u32,
            multipv: rank + 1,
            score,
            bound,
            nodes,
            time_ms: self.stopwatch.elapsed().as_millis() as u64,
            hashfull: self.shared.table.hashfull(),
            tbhits: self.shared.signals.tablebase_hits(),
            pv,
        });
    }

    /// Lengthens a mating PV that a cut-off of the transposition table shortened, as far as the table
    /// knows it and without a repetition.
    fn complete_mate(&self, game: &Game<P>, score: Score, pv: &mut Vec<Move>) {
        let plies = match score.meaning() {
            Meaning::Mate(moves) if moves > 0 => 2 * moves as usize - 1,
            Meaning::Mate(moves) => 2 * moves.unsigned_abs() as usize,
            Meaning::Centipawns(_) => return,
        };
        let mut met = game.past().to_vec();
        let mut now = pv.iter().fold(game.now().clone(), |now: KeyedPosition<P>, &m| {
            met.push(now.key());
            now.play(m)
        });
        while pv.len() < plies {
            met.push(now.key());
            let entry = self.shared.table.probe(now.key(), pv.len());
            let Some(m) = entry.and_then(|entry| now.position().unpack(now.checkers(), entry.code))
            else {
                break;
            };
            now = now.play(m);
            if met.contains(&now.key()) {
                break;
            }
            pv.push(m);
        }
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
