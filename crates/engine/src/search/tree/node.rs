//! One node of the search: principal variation search (PVS) in negamax form, as a list of steps.
//!
//! PVS (NegaScout): the first move gets the open window. Every other one gets a zero window, and is
//! searched again with the open one if it turns out better. The techniques are explained beside their
//! conditions: `pruning`, `reductions`, `extensions`, `ordering`, `table`. The moves themselves are in
//! `moves`.

use shakmaty::{Move, Role};

use super::extensions;
use super::moves::NodeFacts;
use super::node_kind::{NodeKind, NonPv, Verify};
use super::pruning::{self, StaticEval};
use super::reductions;
use super::tt;
use super::window::{NodeRef, Window};
use super::worker::{Frame, Worker};
use crate::evaluation::Variant;
use crate::rules::FIFTY_MOVES;
use crate::score::{MAX_PLY, Score};
use crate::search::ordering::exchange;
use crate::search::ordering::picker::Picker;
use crate::search::report::Bound;
use crate::search::table::Entry;
use crate::search::terminal::{ending_score, tablebase_score};
use crate::tablebase::Wdl5;

impl<P: Variant> Worker<'_, P> {
    /// The score of a node, exact within the window and a bound outside it.
    #[inline]
    pub fn node<K: NodeKind>(&mut self, node: NodeRef<P>, window: Window) -> Score {
        if window.depth <= 0 {
            return self.qsearch::<K>(node, window);
        }
        self.node_without::<K>(node, window, None)
    }

    /// The score of a node if the move `excluded` is left out; the transposition table is neither read
    /// nor written then.
    pub(super) fn node_without<K: NodeKind>(
        &mut self,
        node: NodeRef<P>,
        mut window: Window,
        excluded: Option<Move>,
    ) -> Score {
        let ply = node.ply;
        if K::PV {
            self.selective_depth = self.selective_depth.max(ply);
            self.pv[ply].clear();
        }
        // A sister's double extension does not count in this line.
        self.stack[ply].doubles = ply.checked_sub(1).map_or(0, |parent| self.stack[parent].doubles);
        if !K::ROOT {
            if let Some(score) = self.immediate_score(node) {
                return score;
            }
            if excluded.is_none() {
                window.alpha = self.alpha_with_repetition(node, window.alpha);
            }
            // The root keeps its whole window: a client wants the score of every move it asked about.
            window = window.within_mate_distance(ply, P::STALEMATE_WINS);
            if window.is_empty() {
                return window.alpha;
            }
        }

        // The entry is about the node with the excluded move: its score would answer another question.
        let tt_entry = match excluded {
            None => self.shared.table.probe(node.keyed.key(), ply),
            Some(_) => None,
        };
        if excluded.is_none() {
            self.stack[ply].tt_pv = K::PV || tt_entry.is_some_and(|entry| entry.pv);
        }
        // Cheapest first: the TT costs a memory access, the endgame tables a file, the static eval the network, pruning
        // a search.
        if let Some(entry) = tt_entry
            && entry.depth >= window.depth
            && tt::may_cut_off::<P, K>(node, &entry, window.alpha, window.beta)
        {
            return entry.score;
        }
        if let Some(entry) = tt_entry
            && let Some(score) = tt::probcut::<P, K>(self.parameters(), node, &entry, window)
        {
            return score;
        }

        // At the root the tables have ranked the moves already.
        let may_probe = !K::ROOT && excluded.is_none();
        let tablebase = if may_probe { self.probe_tablebase(node, window.depth) } else { None };
        if let Some((score, bound)) = tablebase
            && bound.settles(score, window.alpha, window.beta)
        {
            return score;
        }

        let static_eval = self.evaluate_node(node, tt_entry.as_ref(), excluded.is_some());
        if !K::ROOT && excluded.is_none() && !static_eval.must_resolve {
            window.depth += self.hindsight(ply, window.depth);
        }
        // On the PV a wrong cut-off would be the move played; in check the static eval means nothing; and the test of a
        // singular move must hear what the other moves are worth.
        if !K::PV
            && !static_eval.must_resolve
            && excluded.is_none()
            && let Some(score) = self.prune_node::<K>(node, &static_eval, window, tt_entry.as_ref())
        {
            return score;
        }

        // The root's order lives longer than its entry in the TT, which another thread may overwrite.
        let hash_move = if K::ROOT {
            self.root.leader().map(|leader| leader.m)
        } else {
            tt_entry.and_then(|entry| node.position().unpack(node.keyed.checkers(), entry.code))
        };
        // The moves are pruned by the depth asked for, and searched to the reduced one.
        let depth = window.depth;
        if !K::ROOT && hash_move.is_none() && excluded.is_none() {
            window.depth -= reductions::internal_iterative(self.parameters(), window, K::PV);
        }
        let facts = NodeFacts { static_eval, depth, tt_entry, hash_move, excluded, tablebase };
        self.try_moves::<K>(node, &facts, window)
    }

    /// The score of a node that needs no search: the game is over by a rule, or the end of the stack or
    /// of the time is reached.
    #[inline]
    pub fn immediate_score(&mut self, node: NodeRef<P>) -> Option<Score> {
        if self.is_stopped() {
            // Any score will do: the caller discards it.
            return Some(Score::DRAW);
        }
        if let Some(ending) = node.position().ending() {
            return Some(ending_score(ending, node.ply));
        }
        // Two half-moves each are the shortest way back. One repetition within the tree is a draw already: who could
        // escape it would have done so the first time.
        let reversible = node.keyed.reversible();
        if (reversible >= 4 && self.line.is_repetition(reversible))
            || (node.keyed.idle() >= FIFTY_MOVES && node.keyed.is_fifty_moves())
            || node.position().is_dead()
        {
            return Some(Score::DRAW);
        }
        // The end of the stack, without any hope of a better answer.
        (node.ply >= MAX_PLY).then(|| self.raw_eval(node.position(), node.ply))
    }

    /// Alpha, a draw at least where the side to move can repeat a position of the line: the search sees a repetition before
    /// it is on the board. Source: van Kervinck, 2013; Stockfish.
    #[inline]
    pub(super) fn alpha_with_repetition(&self, node: NodeRef<P>, alpha: Score) -> Score {
        let is_looked_for = alpha < Score::DRAW && self.parameters().repetition_ahead == 1;
        if is_looked_for && self.line.may_repeat(node.keyed) { Score::DRAW } else { alpha }
    }

    /// The result of the endgame tables right after a capture or a pawn move, where the fifty-move rule
    /// starts again. A win may still be a mate, which is more.
    fn probe_tablebase(&mut self, node: NodeRef<P>, depth: i32) -> Option<(Score, Bound)> {
        let access = self.endgames?;
        if node.keyed.idle() > 0 || !access.covers(node.position(), depth) {
            return None;
        }
        let wdl = match access.tables.probe_wdl(node.position()) {
            Ok(wdl) => wdl?.under(access.fifty_moves),
            Err(error) => {
                self.reporter.remark(&error.to_string());
                return None;
            }
        };
        self.shared.signals.add_tablebase_hits(1);
        let bound = match wdl {
            Wdl5::Win => Bound::Lower,
            Wdl5::Loss => Bound::Upper,
            _ => Bound::Exact,
        };
        Some((tablebase_score(wdl, node.ply), bound))
    }

    /// The static eval of the node, compared with that of this side's previous move. It is known already when a
    /// hash move is `excluded`, to test its singularity.
    #[inline]
    fn evaluate_node(
        &mut self,
        node: NodeRef<P>,
        tt_entry: Option<&Entry>,
        excluded: bool,
    ) -> StaticEval {
        let ply = node.ply;
        if node.position().must_resolve(node.keyed.checkers()) {
            self.stack[ply].raw_eval = Score::NONE;
            self.stack[ply].static_eval = Score::NONE;
            self.stack[ply].correction = 0;
            return StaticEval { value: Score::NONE, must_resolve: true, improving: false };
        }
        if !excluded {
            let stored = tt_entry.map(|entry| entry.raw_eval).filter(|&eval| eval != Score::NONE);
            let raw_eval = stored.unwrap_or_else(|| self.raw_eval(node.position(), ply));
            self.stack[ply].raw_eval = raw_eval;
            let corrected = self.corrected_eval(node, raw_eval);
            self.stack[ply].correction = (corrected - raw_eval).abs();
            let hoped = self.optimistic_eval(node, corrected);
            self.stack[ply].static_eval = self.damped_eval(node, hoped);
            self.credit_quiet_move(node);
        }
        let static_eval = self.stack[ply].static_eval;
        // Where this side was in check two plies ago its static eval is unknown: the one before that serves.
        let before = |back: usize| {
            let earlier = self.stack[ply.checked_sub(back)?].static_eval;
            (earlier != Score::NONE).then_some(earlier)
        };
        let improving = before(2).or_else(|| before(4)).is_none_or(|earlier| static_eval > earlier);
        StaticEval {
            value: tt::adjusted_eval(static_eval, tt_entry),
            must_resolve: false,
            improving,
        }
    }

    /// Plies more or less by hindsight: see [`extensions::hindsight`]. Out of check only.
    #[inline]
    fn hindsight(&self, ply: usize, depth: i32) -> i32 {
        let Some(parent) = ply.checked_sub(1).map(|parent| &self.stack[parent]) else { return 0 };
        if parent.static_eval == Score::NONE {
            return 0;
        }
        // Both are seen from the side to move, so that the sum is a difference.
        let gain = self.stack[ply].static_eval.raw() + parent.static_eval.raw();
        extensions::hindsight(self.parameters(), parent.reduction, gain, depth)
    }

    /// Updates the history of the quiet move that led here by the change of the static eval.
    #[inline]
    fn credit_quiet_move(&mut self, node: NodeRef<P>) {
        let static_eval = self.stack[node.ply].static_eval;
        let Some(earlier) = node.ply.checked_sub(1) else { return };
        let Frame { quiet: Some(m), static_eval: before, .. } = self.stack[earlier] else { return };
        if before != Score::NONE {
            // Both are seen from the side to move, so that one of them has the wrong sign for a difference.
            let gain = -(static_eval.raw() + before.raw());
            let (p, context) = (self.parameters(), self.context(earlier));
            self.history.update_by_eval(p, !node.keyed.turn(), m, &context, gain);
        }
    }

    /// The evaluator's score with what the correction history adds.
    #[inline]
    pub(super) fn corrected_eval(&self, node: NodeRef<P>, raw_eval: Score) -> Score {
        let (moves, corrections) = (self.earlier_moves(node.ply), &self.history.corrections);
        corrections.correct(self.parameters(), node.keyed, moves, raw_eval)
    }

    /// The eval with the optimism of this search: whoever stands better keeps pieces on the board, and whoever stands worse
    /// exchanges them for the hope of a draw only. Source: Stockfish.
    #[inline]
    pub(super) fn optimistic_eval(&self, node: NodeRef<P>, eval: Score) -> Score {
        let optimism = if node.ply.is_multiple_of(2) { self.optimism } else { -self.optimism };
        eval + optimism * node.position().board().occupied().count() as i32 / 32
    }

    /// The static eval: the corrected one, drawn towards 0 as the fifty-move rule comes nearer, so that a side that is
    /// ahead makes progress in time. Source: Weiss.
    #[inline]
    pub(super) fn damped_eval(&self, node: NodeRef<P>, eval: Score) -> Score {
        // Without pawns, king drive must keep its slope towards the mate.
        if node.position().board().pawns().is_empty() {
            return eval;
        }
        let all = FIFTY_MOVES as i32;
        let idle = (node.keyed.idle() as i32).min(all);
        let left = 100 * all - self.parameters().fifty_move_damping * idle;
        Score::centipawns(eval.raw() * left / (100 * all))
    }

    /// Pruning of the whole node, cheapest first. Zero-window nodes out of check only.
    fn prune_node<K: NodeKind>(
        &mut self,
        node: NodeRef<P>,
        static_eval: &StaticEval,
        window: Window,
        tt_entry: Option<&Entry>,
    ) -> Option<Score> {
        let p = self.parameters();
        let Frame { correction, tt_pv, .. } = self.stack[node.ply];
        // What was on a PV once may be so again: an eval alone does not settle it. Source: Stockfish, Reckless.
        if !tt_pv && pruning::reverse_futility(p, static_eval, correction, window) {
            return Some(static_eval.value);
        }
        if pruning::razoring(p, static_eval, window) {
            let score = self.qsearch::<K>(node, window);
            if score <= window.alpha || self.is_stopped() {
                return Some(score);
            }
        }
        // Two null moves in a row would be the same node at less depth.
        let passed_before = node.ply > 0 && self.stack[node.ply - 1].played.is_none();
        if K::NULL_MOVE && !passed_before && pruning::null_move_is_safe(node.keyed) {
            let score = self.null_move(node, static_eval, window, tt_entry);
            if score.is_some() {
                return score;
            }
        }
        self.probcut::<K>(node, static_eval, window, tt_entry)
    }

    /// ProbCut by a search: a capture that is so good at less depth that it would hardly stay below beta at full depth.
    /// qsearch tells first which captures deserve that search. Source: Buro, "ProbCut: an effective selective extension
    /// of the alpha-beta algorithm", ICCA Journal 18(2), 1995; in this form Stockfish.
    fn probcut<K: NodeKind>(
        &mut self,
        node: NodeRef<P>,
        static_eval: &StaticEval,
        window: Window,
        tt_entry: Option<&Entry>,
    ) -> Option<Score> {
        let (p, position, ply) = (self.parameters(), node.position(), node.ply);
        let (bound, depth) = pruning::probcut(p, static_eval, window, tt_entry)?;
        let least = bound - self.stack[ply].static_eval;
        let hash_move = tt_entry
            .and_then(|entry| position.unpack(node.keyed.checkers(), entry.code))
            .filter(|&m| position.is_noisy(m) && exchange::gains_at_least(position, m, least));
        let context = self.context(ply);
        let mut picker = Picker::gaining(p, hash_move, least);
        let table = &self.shared.table;
        while let Some((m, _)) = picker.next(node.keyed, self.history, &context, table) {
            let keyed = node.keyed.play(m);
            let barrier = self.descend(ply, Some(self.played(node.keyed, m, true)), &keyed);
            self.stack[ply].noisy = Some(m);
            (self.stack[ply].reduction, self.stack[ply].move_count) = (0, 1);
            let child = NodeRef { keyed: &keyed, ply: ply + 1 };
            let zero = Window::zero(bound - 1, depth, false);
            let mut score = -self.qsearch::<K::ZeroWindow>(child, zero.flip());
            if score >= bound && depth > 0 && !self.is_stopped() {
                score = -self.node::<K::ZeroWindow>(child, zero.flip());
            }
            self.ascend(barrier);
            if self.is_stopped() {
                return Some(Score::DRAW);
            }
            if score >= bound {
                self.store_probcut(node, m, score, depth + 1);
                let above = bound - window.beta;
                return Some(if score.is_decided() { score } else { score - above });
            }
        }
        None
    }

    /// True where the TT makes a null move a waste: the best move is about to be tested for being the only good one, or wins a
    /// piece, which a null move would not answer better. Source: Reckless, Stockfish.
    #[inline]
    fn forbids_null_move(&self, node: NodeRef<P>, window: Window, entry: Option<&Entry>) -> bool {
        let Some(entry) = entry else { return false };
        let tt_pv = self.stack[node.ply].tt_pv;
        if extensions::singular_beta(self.parameters(), window, entry, tt_pv, false).is_some() {
            return true;
        }
        let wins_piece = |m: Move| m.capture().is_some_and(|captured| captured != Role::Pawn);
        entry.bound == Bound::Lower
            && node.position().unpack(node.keyed.checkers(), entry.code).is_some_and(wins_piece)
    }

    /// Null-move pruning (NMP): if even passing keeps the score above beta, a real move will too. At high
    /// depth the result is verified by a search that may not pass (Tabibi and Netanyahu, "Verified
    /// null-move pruning", ICGA Journal 25(3), 2002), because of zugzwang.
    fn null_move(
        &mut self,
        node: NodeRef<P>,
        static_eval: &StaticEval,
        window: Window,
        tt_entry: Option<&Entry>,
    ) -> Option<Score> {
        let beta = window.beta;
        let reduction = pruning::null_move_reduction(self.parameters(), static_eval, window)?;
        let own_eval = self.stack[node.ply].static_eval;
        if !pruning::null_move_eval(self.parameters(), own_eval, window)
            || self.forbids_null_move(node, window, tt_entry)
        {
            return None;
        }
        let passed = node.keyed.pass()?;
        self.shared.table.prefetch(passed.key());
        let depth = window.depth - reduction;
        self.stack[node.ply].reduction = 0;
        let barrier = self.descend(node.ply, None, &passed);
        let child = NodeRef { keyed: &passed, ply: node.ply + 1 };
        let score = -self.node::<NonPv>(child, Window::zero(-beta, depth, !window.cut_node));
        self.ascend(barrier);
        if self.is_stopped() {
            return Some(Score::DRAW);
        }
        if score < beta {
            return None;
        }
        // A mate or a won ending found after passing is no proof of one.
        let score = if score.is_decided() { beta } else { score };
        if window.depth < self.parameters().null_move_verification {
            return Some(score);
        }
        // This node has credited the move that led here already, and the verification enters it again.
        let parent = node.ply.checked_sub(1);
        let credited = parent.and_then(|parent| self.stack[parent].quiet.take());
        let verified = self.node::<Verify>(node, Window::zero(beta - 1, depth, false));
        if let Some(parent) = parent {
            self.stack[parent].quiet = credited;
        }
        (verified >= beta || self.is_stopped()).then_some(score)
    }
}
