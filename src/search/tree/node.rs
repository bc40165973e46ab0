//! One node of the search: principal variation search in negamax form, as a list of steps.
//!
//! PVS (NegaScout): the first move gets the open window, every other one only the question
//! whether it is better; if it is, it is searched again. What the steps do is said where
//! they live: `pruning`, `reductions`, `extensions`, `ordering`, `table`.

use std::sync::atomic::Ordering::Relaxed;

use arrayvec::ArrayVec;
use shakmaty::Move;

use crate::evaluation::Evaluator;
use crate::rules::{Ending, MoveCode, Rules, Situation, attacked_by, checks_directly};
use crate::score::{MAX_PLY, Score};
use crate::search::ordering::history::PieceTarget;
use crate::search::ordering::picker::{Picker, is_among};
use crate::search::report::Bound;
use crate::search::root::table_score;
use crate::search::table::Entry;
use crate::search::tree::extensions;
use crate::search::tree::node_kind::{NodeKind, Pv, Verify};
use crate::search::tree::pruning::{self, Outlook};
use crate::search::tree::reductions::{self, LateMove};
use crate::search::tree::worker::{Frame, Worker};
use crate::tablebase::Verdict;

/// A position in the tree and the evaluator's state of it.
pub struct Here<'s, P: Rules, S> {
    pub situation: &'s Situation<P>,
    pub state: &'s S,
    pub ply: usize,
}

impl<P: Rules, S> Clone for Here<'_, P, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Rules, S> Copy for Here<'_, P, S> {}

/// What a node is asked.
#[derive(Clone, Copy)]
pub struct Question {
    pub alpha: Score,
    pub beta: Score,
    pub depth: i32,
    /// The node is expected to fail high.
    pub cut_node: bool,
}

impl Question {
    /// Is it better than `alpha`? The cheapest question.
    fn scout(alpha: Score, depth: i32, cut_node: bool) -> Question {
        Question { alpha, beta: alpha + 1, depth, cut_node }
    }

    /// The same window from the other side.
    fn reply(self) -> Question {
        Question { alpha: -self.beta, beta: -self.alpha, ..self }
    }
}

/// What a node knows before its moves are tried.
struct Node {
    outlook: Outlook,
    table_entry: Option<Entry>,
    table_move: Option<Move>,
    cut_node: bool,
    excluded: Option<Move>,
    /// What endgame tables say, where it leaves the question open.
    known: Option<(Score, Bound)>,
}

/// What the moves tried so far have brought.
struct Found {
    best: Score,
    best_move: Option<Move>,
    alpha: Score,
    /// Quiet moves tried in vain, for the history's sake.
    tried: ArrayVec<Move, 64>,
    /// Captures and promotions tried in vain.
    tried_noisy: ArrayVec<Move, 64>,
}

impl Found {
    /// Nothing tried, but for what endgame tables know to be had anyway.
    fn nothing(alpha: Score, known: Option<(Score, Bound)>) -> Found {
        let best = match known {
            Some((least, Bound::Lower)) => least,
            _ => -Score::INFINITE,
        };
        Found {
            best,
            best_move: None,
            alpha: alpha.max(best),
            tried: ArrayVec::new(),
            tried_noisy: ArrayVec::new(),
        }
    }

    /// True once a move is known that does not get mated: others may be pruned.
    fn is_safe(&self) -> bool {
        self.best > -Score::INFINITE && !self.best.is_loss()
    }
}

impl<P: Rules, E: Evaluator<P>> Worker<'_, P, E> {
    /// The value of a position as far as the question demands.
    pub fn search<K: NodeKind>(&mut self, here: Here<P, E::State>, mut ask: Question) -> Score {
        if ask.depth <= 0 {
            return self.quiescence::<K>(here, ask.alpha, ask.beta);
        }
        if K::PV {
            self.selective_depth = self.selective_depth.max(here.ply);
            self.variations[here.ply].clear();
        }
        if !K::ROOT {
            if let Some(score) = self.settled(here) {
                return score;
            }
            // Mate distance: no line from here can beat a shorter mate already in hand.
            ask.alpha = ask.alpha.max(Score::mated_in(here.ply));
            let soonest = here.ply + usize::from(!P::STALEMATE_WINS);
            ask.beta = ask.beta.min(Score::mate_in(soonest));
            if ask.alpha >= ask.beta {
                return ask.alpha;
            }
        }

        let excluded = self.frames[here.ply].excluded.take();
        let table_entry = match excluded {
            None => self.shared.table.probe(here.situation.key(), here.ply),
            Some(_) => None,
        };
        if let Some(entry) = table_entry
            && !K::PV
            && entry.depth >= ask.depth
            && entry.settles(ask.alpha, ask.beta)
            && here.situation.halfmoves() < 90
        {
            return entry.score;
        }

        let known = if K::ROOT || excluded.is_some() { None } else { self.known(here, ask.depth) };
        if let Some((score, bound)) = known
            && bound.settles(score, ask.alpha, ask.beta)
        {
            return score;
        }

        let outlook = self.look(here, ask.depth, table_entry.as_ref());
        if !K::PV
            && !outlook.check
            && excluded.is_none()
            && let Some(score) = self.prune_node::<K>(here, &outlook, ask)
        {
            return score;
        }

        let table_move = if K::ROOT {
            self.root.leader().map(|leader| leader.m)
        } else {
            table_entry.and_then(|entry| {
                here.situation.position().decode(here.situation.checkers(), entry.code)
            })
        };
        let cut_node = ask.cut_node;
        if cut_node && table_move.is_none() && excluded.is_none() {
            ask.depth -= reductions::unknown_move(self.parameters, ask.depth);
        }
        let node = Node { outlook, table_entry, table_move, cut_node, excluded, known };
        self.try_moves::<K>(here, &node, ask)
    }

    /// The value of a position that needs no search: the game is over by a rule, or the end of the
    /// stack or of the time is reached.
    #[inline]
    pub fn settled(&self, here: Here<P, E::State>) -> Option<Score> {
        let situation = here.situation;
        if self.is_stopped() {
            return Some(Score::DRAW);
        }
        if let Some(ending) = situation.position().ending() {
            return Some(value(ending, here.ply));
        }
        let halfmoves = situation.halfmoves();
        if (halfmoves >= 4 && self.is_repetition(halfmoves))
            || (halfmoves >= 100 && situation.is_fifty_moves())
            || situation.position().is_dead()
        {
            return Some(Score::DRAW);
        }
        (here.ply >= MAX_PLY).then(|| self.evaluator.score(situation.position(), here.state))
    }

    /// What endgame tables say of a position right after a capture or a pawn move, where the
    /// fifty-move rule begins anew. A win may yet be a mate, which is more.
    fn known(&mut self, here: Here<P, E::State>, depth: i32) -> Option<(Score, Bound)> {
        let access = self.endgames?;
        let position = here.situation.position();
        if here.situation.halfmoves() > 0 || !access.covers(position, depth) {
            return None;
        }
        let verdict = match access.tables.verdict(position) {
            Ok(verdict) => verdict?.under(access.fifty_moves),
            Err(fault) => {
                self.reporter.remark(&fault.to_string());
                return None;
            }
        };
        self.shared.tbhits.fetch_add(1, Relaxed);
        let bound = match verdict {
            Verdict::Win => Bound::Lower,
            Verdict::Loss => Bound::Upper,
            _ => Bound::Exact,
        };
        Some((table_score(verdict, here.ply), bound))
    }

    /// Evaluates the node and compares it with this side's previous move.
    #[inline]
    fn look(&mut self, here: Here<P, E::State>, depth: i32, entry: Option<&Entry>) -> Outlook {
        let ply = here.ply;
        if here.situation.position().is_pressed(here.situation.checkers()) {
            self.frames[ply].plain = Score::NONE;
            self.frames[ply].evaluation = Score::NONE;
            return Outlook { depth, evaluation: Score::NONE, check: true, improving: false };
        }
        let stored =
            entry.map(|entry| entry.evaluation).filter(|&evaluation| evaluation != Score::NONE);
        let plain =
            stored.unwrap_or_else(|| self.evaluator.score(here.situation.position(), here.state));
        let evaluation = self.corrected(here, plain);
        self.frames[ply].plain = plain;
        self.frames[ply].evaluation = evaluation;
        let before = |back: usize| {
            let earlier = self.frames[ply.checked_sub(back)?].evaluation;
            (earlier != Score::NONE).then_some(earlier)
        };
        let improving = before(2).or_else(|| before(4)).is_none_or(|earlier| evaluation > earlier);
        Outlook { depth, evaluation: refine(evaluation, entry), check: false, improving }
    }

    /// The evaluation `plain` with what has been learnt about it.
    #[inline]
    pub fn corrected(&self, here: Here<P, E::State>, plain: Score) -> Score {
        let played = here.ply.checked_sub(1).and_then(|earlier| self.frames[earlier].played);
        let corrections = &self.history.corrections;
        corrections.correct(self.parameters, here.situation.position(), played, plain)
    }

    /// Whole-node pruning, cheapest first. Zero-window nodes out of check only.
    fn prune_node<K: NodeKind>(
        &mut self,
        here: Here<P, E::State>,
        outlook: &Outlook,
        ask: Question,
    ) -> Option<Score> {
        let Question { alpha, beta, .. } = ask;
        if pruning::reverse_futility(self.parameters, outlook, beta) {
            return Some(outlook.evaluation);
        }
        if pruning::razoring(self.parameters, outlook, alpha) {
            let score = self.quiescence::<K>(here, alpha, beta);
            if score <= alpha || self.is_stopped() {
                return Some(score);
            }
        }
        let passed_before = here.ply > 0 && self.frames[here.ply - 1].played.is_none();
        if K::NULL_MOVE && !passed_before && pruning::null_move_is_safe(here.situation.position()) {
            return self.null_move(here, outlook, ask);
        }
        None
    }

    /// Null move: if even passing keeps us above beta, a real move will too. At high depth
    /// the claim is verified by a search that may not pass (Tabibi and Netanyahu, "Verified
    /// null-move pruning", ICGA Journal 25(3), 2002), for the sake of Zugzwang.
    fn null_move(
        &mut self,
        here: Here<P, E::State>,
        outlook: &Outlook,
        ask: Question,
    ) -> Option<Score> {
        let beta = ask.beta;
        let reduction = pruning::null_move_reduction(self.parameters, outlook, beta)?;
        let child = here.situation.pass()?;
        let depth = ask.depth - reduction;
        let step = self.descend(here.ply, None, &child);
        let there = Here { situation: &child, state: here.state, ply: here.ply + 1 };
        let score = -self.search::<crate::search::tree::node_kind::Scout>(
            there,
            Question::scout(-beta, depth, !ask.cut_node),
        );
        self.ascend(step);
        if self.is_stopped() {
            return Some(Score::DRAW);
        }
        if score < beta {
            return None;
        }
        // A mate found after passing is no proof of a mate.
        let score = if score.is_win() { beta } else { score };
        if ask.depth < self.parameters.null_move_verification {
            return Some(score);
        }
        let verified = self.search::<Verify>(here, Question::scout(beta - 1, depth, false));
        (verified >= beta || self.is_stopped()).then_some(score)
    }

    /// Tries the moves in order and keeps the books.
    fn try_moves<K: NodeKind>(
        &mut self,
        here: Here<P, E::State>,
        node: &Node,
        ask: Question,
    ) -> Score {
        let Here { situation, ply, .. } = here;
        self.frames[ply].threats = attacked_by(situation.position().board(), !situation.turn());
        let context = self.context(ply);
        let [first, second] = self.frames[ply].killers;
        let refutations = [first, second, self.history.counter(&context)];
        self.frames[ply + 1].killers = [None; 2];
        self.frames[ply + 1].cutoffs = 0;
        let mut picker = Picker::all(self.parameters, node.table_move, refutations);
        let mut found = Found::nothing(ask.alpha, node.known);
        let mut number: i32 = 0;

        while let Some(m) = picker.next(situation, self.history, &context) {
            if node.excluded == Some(m) || (K::ROOT && !self.root.allows(m)) {
                continue;
            }
            number += 1;
            if K::ROOT {
                self.reporter.current_move(ask.depth as u32, m, number as usize);
            }
            let quiet = !situation.position().is_noisy(m);
            if !K::ROOT && found.is_safe() && situation.position().has_pieces() {
                if quiet && self.are_hopeless(node, number, found.alpha) {
                    picker.only_checks(situation.position());
                    if !checks_directly(situation.position(), m) {
                        continue;
                    }
                }
                if self.loses_too_much(here, node, m, number, found.alpha) {
                    continue;
                }
            }
            let extension = match self.singular::<K>(here, node, m, ask) {
                Singular::Extend(plies) => plies,
                Singular::Cut(score) => return score,
            };

            let late = LateMove {
                depth: ask.depth,
                number,
                quiet,
                gives_check: false,
                refutation: is_among(&refutations, m),
                history: if quiet {
                    self.history.quiet(situation.turn(), m, &context)
                } else {
                    self.history.noisy(situation.turn(), m)
                },
                cutoffs: self.frames[ply + 1].cutoffs,
                cut_node: node.cut_node,
                pv: K::PV,
                improving: node.outlook.improving,
            };
            let nodes_before = self.nodes;
            let question = Question { alpha: found.alpha, ..ask };
            let score = self.try_move::<K>(here, m, late, extension, question);
            if self.is_stopped() {
                return Score::DRAW;
            }
            if K::ROOT {
                let raised = number == 1 || score > found.alpha;
                let line = raised.then_some(self.variations[ply + 1].as_slice());
                self.root.record(m, score, self.nodes - nodes_before, self.selective_depth, line);
            }
            self.judge::<K>(here, &mut found, m, score);
            if score >= ask.beta {
                self.cutoffs.all += 1;
                self.cutoffs.first += u64::from(number == 1);
                self.learn(here, m, &found, ask.depth);
                break;
            }
            // A full list costs nothing but a little learning.
            let tried = if quiet { &mut found.tried } else { &mut found.tried_noisy };
            let _ = tried.try_push(m);
        }

        if number == 0 {
            return match node.excluded {
                Some(_) => ask.alpha,
                None => {
                    let is_check = situation.is_check();
                    value(situation.position().ending_without_moves(is_check), ply)
                }
            };
        }
        if let Some((most, Bound::Upper)) = node.known {
            found.best = found.best.min(most);
        }
        if node.excluded.is_none() {
            self.remember(here, ask, found.best, found.best_move);
        }
        found.best
    }

    /// Takes a move's score into the books.
    #[inline]
    fn judge<K: NodeKind>(
        &mut self,
        here: Here<P, E::State>,
        found: &mut Found,
        m: Move,
        score: Score,
    ) {
        found.best = found.best.max(score);
        if score > found.alpha {
            found.alpha = score;
            found.best_move = Some(m);
            if K::PV {
                self.extend_variation(here.ply, m);
            }
        }
    }

    /// True if quiet moves from this one on are not worth searching, direct checks apart: what
    /// holds for one holds for those that the history likes less.
    #[inline]
    fn are_hopeless(&self, node: &Node, number: i32, alpha: Score) -> bool {
        let (p, outlook) = (self.parameters, &node.outlook);
        pruning::late_move(p, outlook, number)
            || pruning::futility(p, outlook, alpha, self.depth_of_late_move(outlook.depth, number))
    }

    /// Exchange pruning of the move `m`, but for the last piece of a side that would be glad of a
    /// draw.
    #[inline]
    fn loses_too_much(
        &self,
        here: Here<P, E::State>,
        node: &Node,
        m: Move,
        number: i32,
        alpha: Score,
    ) -> bool {
        let position = here.situation.position();
        let quiet = !position.is_noisy(m);
        let depth = node.outlook.depth;
        let depth = if quiet { self.depth_of_late_move(depth, number) } else { depth };
        pruning::losing_exchange(self.parameters, position, m, quiet, depth)
            && !(alpha < Score::DRAW && pruning::is_desperado(position, m))
    }

    /// The depth left to a move of this number once it has been reduced.
    #[inline]
    fn depth_of_late_move(&self, depth: i32, number: i32) -> i32 {
        (depth - 1 - self.reductions.plain(depth, number)).max(0)
    }

    /// Singular extension: is the table move the only good one? Search all others to half
    /// the depth against a lowered bar. If even they reach beta, the node is cut (multi-cut).
    fn singular<K: NodeKind>(
        &mut self,
        here: Here<P, E::State>,
        node: &Node,
        m: Move,
        ask: Question,
    ) -> Singular {
        let none = Singular::Extend(0);
        if K::ROOT
            || node.excluded.is_some()
            || node.table_move != Some(m)
            || here.ply * 2 >= MAX_PLY
        {
            return none;
        }
        let Some(entry) = node.table_entry else { return none };
        let Some(bar) = extensions::singular_bar(self.parameters, ask.depth, &entry) else {
            return none;
        };
        self.frames[here.ply].excluded = Some(m);
        let question = Question::scout(bar - 1, (ask.depth - 1) / 2, ask.cut_node);
        let score = self.search::<K::Scout>(here, question);
        if self.is_stopped() {
            Singular::Cut(Score::DRAW)
        } else if score < bar {
            Singular::Extend(1)
        } else if bar >= ask.beta {
            Singular::Cut(bar)
        } else {
            none
        }
    }

    /// Makes a move and searches what follows, late moves less deeply at first.
    #[inline]
    fn try_move<K: NodeKind>(
        &mut self,
        here: Here<P, E::State>,
        m: Move,
        mut late: LateMove,
        extension: i32,
        ask: Question,
    ) -> Score {
        let position = here.situation.position();
        let child = here.situation.play(m);
        self.shared.table.prefetch(child.key());
        let state = self.evaluator.state_after(here.state, position, m, child.position());
        let step = self.descend(here.ply, Some(PieceTarget::of(here.situation.turn(), m)), &child);
        let there = Here { situation: &child, state: &state, ply: here.ply + 1 };
        late.gives_check = child.is_check();
        let extension = extension.max(extensions::check(self.parameters, late.gives_check, || {
            here.ply * 2 < MAX_PLY
                && crate::search::ordering::exchange::gains_at_least(position, m, 0)
        }));
        let mut depth = ask.depth - 1 + extension;

        let mut score = ask.alpha + 1;
        if ask.depth >= self.parameters.reduction_depth && late.number > 1 + i32::from(K::ROOT) {
            let reduction = self.reductions.late_move(self.parameters, &late);
            let reduced = (depth - reduction).clamp(1.min(depth), depth);
            score =
                -self.search::<K::Scout>(there, Question::scout(ask.alpha, reduced, true).reply());
            if score > ask.alpha && reduced < depth {
                if !K::ROOT {
                    depth += reductions::surprise(self.parameters, depth, score - ask.alpha);
                }
                score = -self.search::<K::Scout>(
                    there,
                    Question::scout(ask.alpha, depth, !ask.cut_node).reply(),
                );
            }
        } else if !K::PV || late.number > 1 {
            score = -self.search::<K::Scout>(
                there,
                Question::scout(ask.alpha, depth, !ask.cut_node).reply(),
            );
        }
        if K::PV && (late.number == 1 || score > ask.alpha) {
            score = -self.search::<Pv>(there, Question { depth, cut_node: false, ..ask }.reply());
        }
        self.ascend(step);
        score
    }

    /// Rewards the move that cut off against those tried before it, and remembers a quiet one as a
    /// killer.
    fn learn(&mut self, here: Here<P, E::State>, best: Move, found: &Found, depth: i32) {
        let frame = &mut self.frames[here.ply];
        frame.cutoffs += 1;
        let color = here.situation.turn();
        let bonus = (self.parameters.history_bonus * depth).min(self.parameters.history_bonus_max);
        if here.situation.position().is_noisy(best) {
            self.history.learn_noisy(color, best, bonus);
        } else {
            if frame.killers[0] != Some(best) {
                frame.killers = [Some(best), frame.killers[0]];
            }
            let context = self.context(here.ply);
            self.history.learn(color, best, &found.tried, &context, bonus);
        }
        for &m in &found.tried_noisy {
            self.history.learn_noisy(color, m, -bonus);
        }
    }

    /// Puts a move before the variation of the child it leads to.
    pub fn extend_variation(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.variations.split_at_mut(ply + 1);
        let variation = &mut upper[ply];
        variation.clear();
        variation.push(m);
        variation.extend_from_slice(&lower[0]);
    }

    /// Stores the result in the transposition table, and learns how wrong the evaluation was, where
    /// no capture has made the difference and a bound proves that there is one.
    fn remember(
        &mut self,
        here: Here<P, E::State>,
        ask: Question,
        best: Score,
        best_move: Option<Move>,
    ) {
        let bound = if best >= ask.beta {
            Bound::Lower
        } else if best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let Frame { plain, evaluation, .. } = self.frames[here.ply];
        let position = here.situation.position();
        if evaluation != Score::NONE
            && !best.is_mate()
            && best_move.is_none_or(|m| !position.is_noisy(m))
            && bound.settles(best, evaluation, evaluation)
        {
            let [played, ..] = self.context(here.ply).earlier;
            let difference = best - evaluation;
            self.history.corrections.learn(position, played, difference, ask.depth);
        }
        let entry = Entry {
            code: best_move.map_or(MoveCode::NONE, MoveCode::of),
            score: best,
            evaluation: plain,
            depth: ask.depth,
            bound,
        };
        self.shared.table.store(here.situation.key(), here.ply, entry);
    }
}

/// What the end of a game `ply` plies from the root is worth to the side that would be to move.
#[inline]
pub fn value(ending: Ending, ply: usize) -> Score {
    match ending {
        Ending::Won => Score::mate_in(ply),
        Ending::Lost => Score::mated_in(ply),
        Ending::Drawn => Score::DRAW,
    }
}

/// What the singularity test says.
enum Singular {
    Extend(i32),
    Cut(Score),
}

/// The evaluation corrected by a table score that bounds it on the right side.
#[inline]
fn refine(evaluation: Score, entry: Option<&Entry>) -> Score {
    match entry {
        Some(entry) if entry.settles(evaluation, evaluation) && !entry.score.is_mate() => {
            entry.score
        }
        _ => evaluation,
    }
}
