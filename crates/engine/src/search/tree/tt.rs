//! The transposition table (TT) in the tree: cut-offs, a better static eval, and what is stored.

use shakmaty::Move;

use super::node_kind::NodeKind;
use super::window::{NodeRef, Window};
use super::worker::{Frame, Worker};
use crate::evaluation::Variant;
use crate::rules::{FIFTY_MOVES, MoveCode};
use crate::score::Score;
use crate::search::parameters::Parameters;
use crate::search::report::Bound;
use crate::search::table::Entry;

/// Half-moves without progress from which on a score of the transposition table causes no cut-off: it may
/// come from a line that was farther from the fifty-move rule.
const TT_CUTOFF_HALFMOVES: usize = 90;

/// True if the entry settles a node off the PV, by a score that the fifty-move rule does not endanger.
#[inline]
pub fn may_cut_off<P: Variant, K: NodeKind>(
    node: NodeRef<P>,
    entry: &Entry,
    alpha: Score,
    beta: Score,
) -> bool {
    entry.settles(alpha, beta) && may_trust::<P, K>(node) && comes_in_time(node, entry.score)
}

/// True off the PV, where the fifty-move rule does not endanger a score of the transposition table.
#[inline]
fn may_trust<P: Variant, K: NodeKind>(node: NodeRef<P>) -> bool {
    !K::PV && node.keyed.idle() < TT_CUTOFF_HALFMOVES
}

/// True unless the score is a mate so far away that the fifty-move rule may end the game before.
#[inline]
fn comes_in_time<P: Variant>(node: NodeRef<P>, score: Score) -> bool {
    let from_here = |plies: usize| plies.saturating_sub(node.ply);
    score.plies_to_mate().is_none_or(|plies| from_here(plies) + node.keyed.idle() <= FIFTY_MOVES)
}

/// ProbCut by the TT alone: a search a few plies shallower failed high so far above beta that this one would hardly
/// stay below it. Returns the score of the cut-off. Source: Buro, "ProbCut: an effective selective extension of the
/// alpha-beta algorithm", ICCA Journal 18(2), 1995; in this form Stockfish, 2021.
#[inline]
pub fn probcut<P: Variant, K: NodeKind>(
    p: &Parameters,
    node: NodeRef<P>,
    entry: &Entry,
    window: Window,
) -> Option<Score> {
    let bound = window.beta + p.probcut_margin;
    let fails_high = entry.bound == Bound::Lower
        && entry.depth >= window.depth - p.probcut_depth
        && entry.score >= bound
        && !entry.score.is_decided()
        && !window.beta.is_decided()
        && may_trust::<P, K>(node);
    fails_high.then_some(bound)
}

/// The static eval, or the score of the transposition table where that is a better bound.
#[inline]
pub fn adjusted_eval(static_eval: Score, tt_entry: Option<&Entry>) -> Score {
    match tt_entry {
        Some(entry) if entry.settles(static_eval, static_eval) && !entry.score.is_mate() => {
            entry.score
        }
        _ => static_eval,
    }
}

impl<P: Variant> Worker<'_, P> {
    /// Stores the result in the transposition table, and updates the correction history where no capture
    /// explains the difference and a bound proves that there is one.
    pub fn store(
        &mut self,
        node: NodeRef<P>,
        window: Window,
        best: Score,
        best_move: Option<Move>,
    ) {
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let Frame { raw_eval, static_eval, .. } = self.stack[node.ply];
        let position = node.position();
        if static_eval != Score::NONE
            && !best.is_decided()
            && best_move.is_none_or(|m| !position.is_noisy(m))
            && bound.settles(best, static_eval, static_eval)
        {
            let moves = self.earlier_moves(node.ply);
            let difference = best - static_eval;
            let corrections = &mut self.history.corrections;
            corrections.update(node.keyed, moves, difference, window.depth, best_move.is_none());
        }
        let entry = Entry {
            code: best_move.map_or(MoveCode::NONE, MoveCode::pack),
            score: best,
            raw_eval,
            depth: window.depth,
            bound,
            pv: self.stack[node.ply].tt_pv,
        };
        self.shared.table.store(node.keyed.key(), node.ply, entry);
    }

    /// Stores the score of a ProbCut: a lower bound of `depth` plies.
    pub fn store_probcut(&self, node: NodeRef<P>, m: Move, score: Score, depth: i32) {
        let Frame { raw_eval, tt_pv, .. } = self.stack[node.ply];
        let code = MoveCode::pack(m);
        let entry = Entry { code, score, raw_eval, depth, bound: Bound::Lower, pv: tt_pv };
        self.shared.table.store(node.keyed.key(), node.ply, entry);
    }

    /// Corrects the static eval of a node by the score of a multi-cut, a lower bound found at `depth` plies. Source:
    /// Stockfish, PlentyChess.
    pub fn correct_by_multi_cut(&mut self, node: NodeRef<P>, score: Score, depth: i32) {
        let static_eval = self.stack[node.ply].static_eval;
        if static_eval != Score::NONE && score > static_eval {
            let moves = self.earlier_moves(node.ply);
            let difference = score - static_eval;
            self.history.corrections.update(node.keyed, moves, difference, depth, false);
        }
    }

    /// Stores the result of a node of qsearch, at depth 0.
    pub fn store_quiet(
        &self,
        node: NodeRef<P>,
        raw_eval: Score,
        best: Score,
        bound: Bound,
        m: Option<Move>,
        pv: bool,
    ) {
        let code = m.map_or(MoveCode::NONE, MoveCode::pack);
        let entry = Entry { code, score: best, raw_eval, depth: 0, bound, pv };
        self.shared.table.store(node.keyed.key(), node.ply, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::KeyedPosition;
    use crate::search::tree::node_kind::{NonPv, Pv};
    use shakmaty::Chess;

    #[test]
    fn a_shallower_search_far_above_beta_cuts_off() {
        let (p, keyed) = (Parameters::default(), KeyedPosition::new(Chess::default()));
        let node = NodeRef { keyed: &keyed, ply: 3 };
        let window = Window::zero(Score::DRAW, 10, true);
        let bound = window.beta + p.probcut_margin;
        let entry = |depth, score, bound| Entry {
            code: MoveCode::NONE,
            score,
            raw_eval: Score::DRAW,
            depth,
            bound,
            pv: false,
        };
        let cut = |entry| probcut::<Chess, NonPv>(&p, node, &entry, window);
        assert_eq!(cut(entry(6, bound, Bound::Lower)), Some(bound));
        assert_eq!(cut(entry(5, bound, Bound::Lower)), None, "too shallow");
        assert_eq!(cut(entry(6, bound - 1, Bound::Lower)), None, "too low");
        assert_eq!(cut(entry(6, bound, Bound::Upper)), None, "an upper bound");
        assert_eq!(cut(entry(6, Score::mate_in(9), Bound::Lower)), None, "a mate");
        let lower = entry(6, bound, Bound::Lower);
        assert_eq!(probcut::<Chess, Pv>(&p, node, &lower, window), None, "on the PV");
    }
}
