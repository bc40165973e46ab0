//! The move loop of one node: moves are picked in order, pruned, extended or reduced, searched, and learned
//! from.

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::extensions;
use super::node_kind::{NodeKind, Pv};
use super::pruning::{self, StaticEval};
use super::reductions::{self, LateMove, TtFacts};
use super::window::{NodeRef, Window};
use super::worker::{Frame, Worker};
use crate::evaluation::Variant;
use crate::rules::{Captures, RuleSet};
use crate::score::Score;
use crate::search::ordering::exchange;
use crate::search::ordering::history::Credit;
use crate::search::ordering::picker::{Picker, Refutations, Stage};
use crate::search::report::Bound;
use crate::search::table::Entry;
use crate::search::terminal::ending_score;

/// Greatest history bonus of the move before a fail-low.
const PRIOR_BONUS_MAX: i32 = 1500;

/// The facts about a node before its moves are tried.
pub struct NodeFacts {
    pub static_eval: StaticEval,
    /// Depth left, in plies, before internal iterative reductions.
    pub depth: i32,
    pub tt_entry: Option<Entry>,
    pub hash_move: Option<Move>,
    /// A move that is left out while its singularity is tested.
    pub excluded: Option<Move>,
    /// The result of endgame tables, where it leaves the score open.
    pub tablebase: Option<(Score, Bound)>,
}

/// The results of the moves tried so far.
struct MoveLoop {
    best: Score,
    best_move: Option<Move>,
    alpha: Score,
    /// Moves tried, pruned ones included.
    move_count: i32,
    /// Quiet moves that did not cause a cut-off.
    quiets_tried: ArrayVec<Move, 64>,
    /// Captures and promotions that did not cause a cut-off.
    noisy_tried: ArrayVec<Move, 64>,
}

impl MoveLoop {
    /// No move tried. A score that endgame tables guarantee is the best so far.
    fn new(alpha: Score, tablebase: Option<(Score, Bound)>) -> MoveLoop {
        let best = match tablebase {
            Some((least, Bound::Lower)) => least,
            _ => -Score::INFINITE,
        };
        MoveLoop {
            best,
            best_move: None,
            alpha: alpha.max(best),
            move_count: 0,
            quiets_tried: ArrayVec::new(),
            noisy_tried: ArrayVec::new(),
        }
    }

    /// True once a move is known that does not get mated: others may be pruned.
    fn is_safe(&self) -> bool {
        self.best > -Score::INFINITE && !self.best.is_loss()
    }

    /// Takes a move out of those that were tried in vain.
    fn forget_tried(&mut self, best: Move) {
        self.quiets_tried.retain(|m| *m != best);
        self.noisy_tried.retain(|m| *m != best);
    }

    /// Remembers a move that did not cause a cut-off. A full list costs a little learning, no more.
    fn add_tried(&mut self, m: Move, quiet: bool) {
        let tried = if quiet { &mut self.quiets_tried } else { &mut self.noisy_tried };
        let _ = tried.try_push(m);
    }
}

/// A move whose turn it is to be searched.
#[derive(Clone, Copy)]
struct Turn {
    m: Move,
    stage: Stage,
    /// Its place in the order, from 1, pruned moves included.
    move_count: i32,
    quiet: bool,
    /// One of them has raised alpha.
    raised: bool,
}

/// The answer of the singularity test.
enum Singularity {
    /// Plies by which the hash move is extended; negative if it is searched less deeply.
    Extend(i32),
    /// Multi-cut: the node fails high with this score.
    Cut(Score),
}

impl<P: Variant> Worker<'_, P> {
    /// Searches the moves of a node in order, until one causes a cut-off.
    pub fn try_moves<K: NodeKind>(
        &mut self,
        node: NodeRef<P>,
        facts: &NodeFacts,
        window: Window,
    ) -> Score {
        let NodeRef { keyed, ply } = node;
        let refutations = self.prepare_stack(node);
        let doubles = self.stack[ply].doubles;
        let context = self.context(ply);
        let p = self.parameters();
        let must_resolve = facts.static_eval.must_resolve && extensions::is_allowed(ply);
        let one_reply = extensions::one_reply(p, node.position(), must_resolve);
        let mut picker = Picker::all(p, facts.hash_move, refutations);
        let mut state = MoveLoop::new(window.alpha, facts.tablebase);

        let table = &self.shared.table;
        while let Some((m, stage)) = picker.next(keyed, self.history, &context, table) {
            if facts.excluded == Some(m) || (K::ROOT && !self.root.allows(m)) {
                continue;
            }
            // Pruned moves count, too: the number stands for the place in the order, not for the work done.
            state.move_count += 1;
            if K::ROOT {
                self.reporter.current_move(self.iteration, m, state.move_count as usize);
            }
            let quiet = !node.position().is_noisy(m);
            // At the root a pruned move would have no score to show, and no game is lost by one more search.
            if !K::ROOT && self.prune_move(node, facts, &mut state, (m, stage), &mut picker) {
                continue;
            }
            let extension = match self.singular_extension::<K>(node, facts, m, window) {
                Singularity::Extend(plies) if one_reply > 0 => plies.max(one_reply),
                Singularity::Extend(plies) => plies,
                Singularity::Cut(score) => return score,
            };
            self.stack[ply].doubles = doubles + i32::from(extension > 1);
            let nodes_before = self.nodes;
            // Alpha has risen since the node began: the rest must beat the best so far.
            let rest = Window { alpha: state.alpha, ..window };
            let MoveLoop { move_count, best_move, .. } = state;
            let turn = Turn { m, stage, move_count, quiet, raised: best_move.is_some() };
            let score = self.try_move::<K>(node, facts, turn, extension, rest);
            // What a stopped child returns is no score: nothing may learn from it.
            if self.is_stopped() {
                return Score::DRAW;
            }
            if K::ROOT {
                self.record_root_move(m, score, rest, &state, nodes_before);
            }
            self.update_best::<K>(ply, &mut state, m, score);
            if score >= window.beta {
                // The order of moves is measured by the share of cut-offs that the first one causes.
                self.cutoffs.add(state.move_count == 1);
                self.stack[ply].cutoffs += 1;
                let surprise = self.surprising_plies(ply, window.alpha);
                self.update_history(node, m, &state, window.depth + surprise);
                break;
            }
            state.add_tried(m, quiet);
        }
        self.finish_node::<K>(node, facts, window, state)
    }

    /// Makes the stack ready for the children of a node; returns its refutations.
    fn prepare_stack(&mut self, node: NodeRef<P>) -> Refutations {
        let NodeRef { keyed, ply } = node;
        self.note_surroundings(keyed, ply);
        // The children's killers are those of their own sisters: a cousin's position may be quite another.
        self.stack[ply + 1].killers = [None; 2];
        self.stack[ply + 1].cutoffs = 0;
        let [first, second] = self.stack[ply].killers;
        [first, second, self.history.counter(&self.context(ply))]
    }

    /// The score of a node whose moves have been tried; stores it.
    fn finish_node<K: NodeKind>(
        &mut self,
        node: NodeRef<P>,
        facts: &NodeFacts,
        window: Window,
        mut state: MoveLoop,
    ) -> Score {
        if state.move_count == 0 {
            return match facts.excluded {
                // Without the excluded move there is none: nothing refutes that it is singular.
                Some(_) => window.alpha,
                None => {
                    let ending = node.position().ending_without_moves(node.keyed.is_check());
                    ending_score(ending, node.ply)
                }
            };
        }
        // The tables know a loss that the search within its horizon may not see.
        if let Some((most, Bound::Upper)) = facts.tablebase {
            state.best = state.best.min(most);
        }
        // At the root a further variation, or a client's choice, leaves moves out: what the others reach is no score of
        // the position then, unless it is a fail-high.
        let is_part = K::ROOT
            && state.best < window.beta
            && (state.move_count as usize) < node.position().legal_moves().len();
        if facts.excluded.is_none() && !is_part {
            if state.best <= window.alpha {
                // A fail-low below a former PV keeps its mark, where more than the first moves were tried. Source: Reckless.
                if state.move_count > 2 && node.ply > 0 {
                    self.stack[node.ply].tt_pv |= self.stack[node.ply - 1].tt_pv;
                }
                if window.cut_node || K::PV {
                    self.credit_prior_move(node, window.depth, state.best);
                }
            } else if K::PV
                && state.best < window.beta
                && let Some(best) = state.best_move
            {
                // The best move inside the window tells as much as one that causes a cut-off.
                state.forget_tried(best);
                self.update_history(node, best, &state, window.depth);
            }
            self.store(node, window, state.best, state.best_move);
        }
        state.best
    }

    /// Rewards the move that led to a node without a good reply, though one was expected: the more, the greater the
    /// surprise. Source: Reckless, Stockfish.
    fn credit_prior_move(&mut self, node: NodeRef<P>, depth: i32, best: Score) {
        let Some(parent) = node.ply.checked_sub(1) else { return };
        let bonus = self.parameters().history_prior_bonus * depth * self.surprise(node.ply, best);
        let (color, bonus) = (!node.keyed.turn(), (bonus / 128).min(PRIOR_BONUS_MAX));
        match self.stack[parent] {
            Frame { quiet: Some(m), .. } => {
                let context = self.context(parent);
                self.history.adjust(color, m, &context, bonus);
            }
            Frame { noisy: Some(m), .. } => self.history.update_noisy(color, m, bonus),
            _ => {}
        }
    }

    /// How much better the move that led to the node of this ply is than expected, in 128ths: it came late in the order,
    /// and the score of its best reply is below what either side's static eval said.
    fn surprise(&self, ply: usize, best: Score) -> i32 {
        let (node, parent) = (&self.stack[ply], &self.stack[ply - 1]);
        let late = (12 * parent.move_count).min(160);
        let below = |eval: Score, margin| eval != Score::NONE && best <= eval - margin;
        let here = if below(node.static_eval, 50) { 70 } else { 0 };
        let before = parent.static_eval != Score::NONE && below(-parent.static_eval, 60);
        50 + late + here + if before { 100 } else { 0 }
    }

    /// Plies that a cut-off counts more for the history where the static eval did not promise it. Source: PlentyChess,
    /// Viridithas.
    fn surprising_plies(&self, ply: usize, alpha: Score) -> i32 {
        let static_eval = self.stack[ply].static_eval;
        let is_surprise = static_eval != Score::NONE && static_eval <= alpha;
        if is_surprise { self.parameters().history_surprise } else { 0 }
    }

    /// True if the move is not worth a search. Never prunes before a safe move is known. After LMP of one quiet move the
    /// `picker` serves no more of them but direct checks.
    #[inline]
    fn prune_move(
        &self,
        node: NodeRef<P>,
        facts: &NodeFacts,
        state: &mut MoveLoop,
        (m, stage): (Move, Stage),
        picker: &mut Picker,
    ) -> bool {
        let position = node.position();
        if !state.is_safe() || !position.has_pieces() {
            return false;
        }
        let p = self.parameters();
        if position.is_noisy(m) {
            // A capture that is a duty may be the best of bad ones, and a horde breaks through by giving pawns.
            let is_futile = P::CAPTURES != Captures::Duty && P::RULE_SET != RuleSet::Horde;
            if is_futile && stage == Stage::BadNoisy {
                let (eval, history) =
                    (&facts.static_eval, self.history.noisy(node.keyed.turn(), m));
                let most =
                    pruning::bad_capture_futility(p, eval, state.alpha, facts.depth, history);
                if let Some(most) = most
                    && !picker.check_squares(position).checks_directly(position, m)
                {
                    state.best = state.best.max(most);
                    return true;
                }
            }
            return self.loses_exchange(position, state, m, false, facts.depth);
        }
        // The picker serves the best ones first, so LMP of one holds for all that follow.
        if !facts.static_eval.must_resolve
            && pruning::late_move(p, &facts.static_eval, state.alpha, facts.depth, state.move_count)
            && !picker.only_checks(position).checks_directly(position, m)
        {
            return true;
        }
        let mut depth = self.lmr_depth(facts.depth, state.move_count);
        if facts.depth <= p.history_pruning_depth {
            let context = self.context(node.ply);
            let history = self.history.quiets(p, node.keyed.turn(), &context).of(m);
            depth = (depth + history / p.history_pruning_ply).max(0);
            if let Some(most) = pruning::futility(p, &facts.static_eval, state.alpha, depth) {
                if picker.check_squares(position).checks_directly(position, m) {
                    return false;
                }
                // The move might have reached this much: a fail-soft bound must not claim less.
                state.best = state.best.max(most);
                return true;
            }
        }
        self.loses_exchange(position, state, m, true, depth)
    }

    /// SEE pruning of the move `m` at this depth; the last piece of a side that is content with a draw is exempt.
    #[inline]
    fn loses_exchange(
        &self,
        position: &P,
        state: &MoveLoop,
        m: Move,
        quiet: bool,
        depth: i32,
    ) -> bool {
        pruning::losing_exchange(self.parameters(), position, m, quiet, depth)
            && !(state.alpha < Score::DRAW && pruning::is_desperado(position, m))
    }

    /// The depth left to a quiet move of this number after its reduction.
    #[inline]
    fn lmr_depth(&self, depth: i32, move_count: i32) -> i32 {
        (depth - 1 - self.shared.reductions.basic(depth, move_count)).max(0)
    }

    /// Singular extension: is the hash move the only good one? All others are searched to half the depth
    /// against a lowered bound. If even they reach beta, the node fails high (multi-cut), or the hash move is
    /// reduced.
    fn singular_extension<K: NodeKind>(
        &mut self,
        node: NodeRef<P>,
        facts: &NodeFacts,
        m: Move,
        window: Window,
    ) -> Singularity {
        let none = Singularity::Extend(0);
        if K::ROOT
            || facts.excluded.is_some()
            || facts.hash_move != Some(m)
            || !extensions::is_allowed(node.ply)
        {
            return none;
        }
        let Some(entry) = facts.tt_entry else { return none };
        let p = self.parameters();
        let tt_pv = self.stack[node.ply].tt_pv;
        let Some(singular_beta) = extensions::singular_beta(p, window, &entry, tt_pv, K::PV) else {
            return none;
        };
        // Half the depth: the test must cost less than the ply that it may add.
        let zero = Window::zero(singular_beta - 1, (window.depth - 1) / 2, window.cut_node);
        let score = self.node_without::<K::ZeroWindow>(node, zero, Some(m));
        if self.is_stopped() {
            return Singularity::Cut(Score::DRAW);
        }
        if score < singular_beta {
            let doubles = self.stack[node.ply].doubles;
            return Singularity::Extend(extensions::singular(
                p,
                score,
                singular_beta,
                K::PV,
                doubles,
            ));
        }
        let negative = extensions::negative(p, entry.score, window, K::PV);
        let negative = Singularity::Extend(negative);
        let Some(cut) = extensions::multi_cut(score, window, K::PV) else { return negative };
        self.correct_by_multi_cut(node, score, zero.depth);
        Singularity::Cut(cut)
    }

    /// Makes a move and searches the child, late moves with a reduced depth at first (LMR).
    #[inline]
    fn try_move<K: NodeKind>(
        &mut self,
        node: NodeRef<P>,
        facts: &NodeFacts,
        turn: Turn,
        extension: i32,
        window: Window,
    ) -> Score {
        let (position, ply) = (node.position(), node.ply);
        let p = self.parameters();
        let Turn { m, move_count, quiet, .. } = turn;
        let keyed = node.keyed.play(m);
        let barrier = self.descend(ply, Some(self.played(node.keyed, m, !quiet)), &keyed);
        let made = if quiet { &mut self.stack[ply].quiet } else { &mut self.stack[ply].noisy };
        *made = Some(m);
        self.stack[ply].reduction = 0;
        self.stack[ply].move_count = move_count;
        let child = NodeRef { keyed: &keyed, ply: ply + 1 };
        let gives_check = keyed.is_check();
        let check = || {
            extensions::check(p, window.depth, gives_check, || {
                extensions::is_allowed(ply) && exchange::gains_at_least(position, m, 0)
            })
        };
        let recapture = extensions::recapture(p, K::PV, facts.hash_move == Some(m), || {
            extensions::is_allowed(ply) && self.takes_back(ply, m)
        });
        // A move that others match does not become the only good one by giving check or taking back.
        let extension =
            if extension < 0 { extension } else { extension.max(recapture).max(check()) };
        let mut depth = window.depth - 1 + extension;
        let alpha = window.alpha;

        let mut score = alpha + 1;
        // Not the first move, and at the root not the second, which is a rival more often than elsewhere.
        if window.depth >= p.reduction_depth && move_count > 1 + i32::from(K::ROOT) {
            let late = self.late_move::<K>(node, facts, turn, gives_check, window);
            let reduction = self.shared.reductions.late_move(p, &late);
            // Never into qsearch, and never deeper than a move that is not late.
            let reduced = (depth - reduction).clamp(1.min(depth), depth);
            self.stack[ply].reduction = depth - reduced;
            score = -self.node::<K::ZeroWindow>(child, Window::zero(alpha, reduced, true).flip());
            self.stack[ply].reduction = 0;
            // The move looks better than expected: is it so at full depth?
            if score > alpha && reduced < depth {
                // At the root the depth is what the client was told.
                if !K::ROOT {
                    depth += reductions::research_depth(p, depth, score - alpha);
                }
                let zero = Window::zero(alpha, depth, !window.cut_node);
                score = -self.node::<K::ZeroWindow>(child, zero.flip());
                if quiet {
                    self.credit_research(node, m, score, Window { depth, ..window });
                }
            }
        } else if !K::PV || move_count > 1 {
            let zero = Window::zero(alpha, depth, !window.cut_node);
            score = -self.node::<K::ZeroWindow>(child, zero.flip());
        }
        // A zero window told only that the move is better. On the PV its score is needed, and its line.
        if K::PV && (move_count == 1 || score > alpha) {
            // The move of a search that went on from here does not end in qsearch now. Source: Stockfish, Reckless.
            if facts.hash_move == Some(m) && facts.tt_entry.is_some_and(|entry| entry.depth > 1) {
                depth = depth.max(1);
            }
            let open = Window { depth, cut_node: false, ..window };
            score = -self.node::<Pv>(child, open.flip());
        }
        self.ascend(barrier);
        score
    }

    /// Updates the continuation history of a quiet move whose reduced search looked better than expected: by what the
    /// search at full depth says. Source: Weiss.
    fn credit_research(&mut self, node: NodeRef<P>, m: Move, score: Score, window: Window) {
        let Credit { bonus, malus, .. } = Credit::new(self.parameters(), window.depth);
        let credit = match score {
            score if score <= window.alpha => -malus,
            score if score >= window.beta => bonus,
            _ => return,
        };
        if !self.is_stopped() {
            let context = self.context(node.ply);
            self.history.update_continuation(node.keyed.turn(), m, &context, credit);
        }
    }

    /// What the reduction of a late move depends on.
    #[inline]
    fn late_move<K: NodeKind>(
        &self,
        node: NodeRef<P>,
        facts: &NodeFacts,
        turn: Turn,
        gives_check: bool,
        window: Window,
    ) -> LateMove {
        let NodeRef { keyed, ply } = node;
        let Turn { m, stage, move_count, quiet, raised, .. } = turn;
        let history = if quiet {
            self.history.quiets(self.parameters(), keyed.turn(), &self.context(ply)).of(m)
        } else {
            self.history.noisy(keyed.turn(), m)
        };
        LateMove {
            depth: window.depth,
            move_count,
            quiet,
            gives_check,
            refutation: matches!(stage, Stage::Refutation(_)),
            history,
            cutoffs: self.stack[ply + 1].cutoffs,
            raised,
            cut_node: window.cut_node,
            pv: K::PV,
            improving: facts.static_eval.improving,
            correction: self.stack[ply].correction,
            tt_pv: self.stack[ply].tt_pv,
            tt_entry: facts.tt_entry.map(|entry| TtFacts {
                above_alpha: entry.score > window.alpha,
                deep: entry.depth >= window.depth,
            }),
            no_hash_move: facts.hash_move.is_none(),
            noisy_hash_move: facts.hash_move.is_some_and(|hash| node.position().is_noisy(hash)),
        }
    }

    /// Records the score of a root move in this window, with its PV if it raised alpha.
    fn record_root_move(
        &mut self,
        m: Move,
        score: Score,
        Window { alpha, beta, .. }: Window,
        state: &MoveLoop,
        nodes_before: u64,
    ) {
        let raised = state.move_count == 1 || score > alpha;
        let line = raised.then_some(self.pv[1].as_slice());
        let bound = match score {
            score if score <= alpha => Bound::Upper,
            score if score >= beta => Bound::Lower,
            _ => Bound::Exact,
        };
        let nodes = self.nodes - nodes_before;
        self.root.record(m, (score, bound), nodes, self.selective_depth, line);
    }

    /// Updates best score, best move, alpha and PV.
    #[inline]
    fn update_best<K: NodeKind>(
        &mut self,
        ply: usize,
        state: &mut MoveLoop,
        m: Move,
        score: Score,
    ) {
        state.best = state.best.max(score);
        if score > state.alpha {
            state.alpha = score;
            state.best_move = Some(m);
            if K::PV {
                self.extend_pv(ply, m);
            }
        }
    }

    /// Rewards the best move, as one that caused a cut-off, against the others that were tried. A quiet one becomes a
    /// killer.
    fn update_history(&mut self, node: NodeRef<P>, best: Move, state: &MoveLoop, depth: i32) {
        let credit = Credit::new(self.parameters(), depth);
        let color = node.keyed.turn();
        let frame = &mut self.stack[node.ply];
        if node.position().is_noisy(best) {
            self.history.update_noisy(color, best, credit.bonus);
        } else {
            if frame.killers[0] != Some(best) {
                frame.killers = [Some(best), frame.killers[0]];
            }
            let context = self.context(node.ply);
            self.history.update_quiet(color, best, &state.quiets_tried, &context, credit);
        }
        for &m in &state.noisy_tried {
            self.history.update_noisy(color, m, -credit.malus);
        }
    }
}
