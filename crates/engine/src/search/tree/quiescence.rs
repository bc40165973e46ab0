//! Quiescence search (qsearch): captures are searched to their end before a position is evaluated, because
//! the static eval means nothing in the middle of an exchange.

use shakmaty::Move;

use super::node_kind::NodeKind;
use super::pruning;
use super::tt;
use super::window::{NodeRef, Window};
use super::worker::Worker;
use crate::evaluation::{Variant, material};
use crate::score::Score;
use crate::search::ordering::picker::Picker;
use crate::search::parameters::Parameters;
use crate::search::report::Bound;
use crate::search::table::Entry;

/// Plies below a leaf to which compulsory captures are followed: where both sides have many pieces to
/// choose from they have no end.
const FORCED_PLIES: u32 = 6;

impl<P: Variant> Worker<'_, P> {
    /// The score of a position once it is quiet. In check, or where the rules oblige in another way
    /// ([`Rules::must_resolve`](crate::rules::Rules::must_resolve)), all moves are tried; else standing
    /// pat, and the captures and queen promotions that do not lose material.
    pub fn qsearch<K: NodeKind>(&mut self, node: NodeRef<P>, window: Window) -> Score {
        self.qsearch_below::<K::Quiescence>(node, window.alpha, window.beta, 0)
    }

    /// [`Worker::qsearch`], `below` plies under the leaf that it began at.
    fn qsearch_below<K: NodeKind>(
        &mut self,
        node: NodeRef<P>,
        mut alpha: Score,
        beta: Score,
        below: u32,
    ) -> Score {
        let NodeRef { keyed, ply } = node;
        if K::PV {
            self.selective_depth = self.selective_depth.max(ply);
            self.pv[ply].clear();
        }
        if let Some(score) = self.immediate_score(node) {
            return score;
        }
        alpha = self.alpha_with_repetition(node, alpha);
        if alpha >= beta {
            return alpha;
        }
        let position = node.position();
        let must_resolve = position.must_resolve(keyed.checkers());
        if self.ends_unquiet(node, below, must_resolve) {
            return self.raw_eval(position, ply);
        }
        // Any entry will do, whatever its depth: it was searched at least as deep as this node will be.
        let tt_entry = self.shared.table.probe(keyed.key(), ply);
        if let Some(entry) = tt_entry
            && tt::may_cut_off::<P, K>(node, &entry, alpha, beta)
        {
            return entry.score;
        }
        let (raw_eval, mut best) = if must_resolve {
            // No standing pat while one must act. If no move is found, it is mate.
            (Score::NONE, Score::mated_in(ply))
        } else {
            self.stand_pat(node, tt_entry.as_ref())
        };
        if best >= beta {
            // An entry from the main search knows more than this one.
            if tt_entry.is_none() {
                self.store_quiet(node, raw_eval, best, Bound::Lower, None, false);
            }
            return best;
        }
        alpha = alpha.max(best);
        let stand_pat = best;
        // The quiet moves, ordered by history, need the squares in danger; captures do not.
        if must_resolve {
            self.note_surroundings(keyed, ply);
        }
        let context = self.context(ply);
        let mut picker = moves_to_try(self.parameters(), node, tt_entry.as_ref(), must_resolve);
        let (mut best_move, mut searched) = (None, 0);
        let table = &self.shared.table;
        while let Some((m, _)) = picker.next(keyed, self.history, &context, table) {
            let victim = m.capture().map_or(0, material::value::<P>);
            let may_prune = !must_resolve && m.promotion().is_none() && !position.is_decisive(m);
            if may_prune && pruning::delta(self.parameters(), stand_pat, victim, alpha) {
                // The move might have reached this much: a fail-soft bound must not claim less.
                best = best.max(stand_pat + victim + self.parameters().delta_margin);
                continue;
            }
            if may_prune && self.is_late(node, m, searched, &mut picker) {
                continue;
            }
            searched += 1;
            let noisy = !must_resolve || position.is_noisy(m);
            let after = keyed.play(m);
            let barrier = self.descend(ply, Some(self.played(keyed, m, noisy)), &after);
            let child = NodeRef { keyed: &after, ply: ply + 1 };
            let score = -self.qsearch_below::<K>(child, -beta, -alpha, below + 1);
            self.ascend(barrier);
            if self.is_stopped() {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(m);
                    if K::PV {
                        self.extend_pv(ply, m);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
            // One quiet move out of check is enough to know that it is no mate. More would make the tree endless.
            if must_resolve && !best.is_loss() {
                picker.skip_quiets();
            }
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let tt_pv = tt_entry.is_some_and(|entry| entry.pv);
        self.store_quiet(node, raw_eval, best, bound, best_move, tt_pv);
        best
    }

    /// True if enough moves have been `searched`, and `m` neither takes back nor gives a direct check.
    #[inline]
    fn is_late(&self, node: NodeRef<P>, m: Move, searched: i32, picker: &mut Picker) -> bool {
        let position = node.position();
        pruning::late_capture(self.parameters(), searched)
            && !self.takes_back(node.ply, m)
            && !picker.check_squares(position).checks_directly(position, m)
    }

    /// True where the search ends though the position may not be quiet, `below` plies under the leaf.
    #[inline]
    fn ends_unquiet(&self, node: NodeRef<P>, below: u32, must_resolve: bool) -> bool {
        // Levels for beginners do not wait until all is quiet.
        below >= self.parameters().qsearch_plies.unsigned_abs()
            || must_resolve && below >= FORCED_PLIES && !node.keyed.is_check()
    }

    /// The evaluator's own score of a node out of check, and the score of standing pat: the static eval,
    /// or a better bound from the transposition table.
    fn stand_pat(&mut self, node: NodeRef<P>, tt_entry: Option<&Entry>) -> (Score, Score) {
        let stored = tt_entry.map(|entry| entry.raw_eval).filter(|&eval| eval != Score::NONE);
        let raw_eval = stored.unwrap_or_else(|| self.raw_eval(node.position(), node.ply));
        let corrected = self.corrected_eval(node, raw_eval);
        let static_eval = self.damped_eval(node, self.optimistic_eval(node, corrected));
        (raw_eval, tt::adjusted_eval(static_eval, tt_entry))
    }
}

/// The moves of a node of qsearch: all where one must act, else the captures and queen promotions.
#[inline]
fn moves_to_try<'p, P: Variant>(
    p: &'p Parameters,
    node: NodeRef<P>,
    tt_entry: Option<&Entry>,
    must_resolve: bool,
) -> Picker<'p> {
    let position = node.position();
    let hash_move = tt_entry
        .and_then(|entry| position.unpack(node.keyed.checkers(), entry.code))
        .filter(|&m| must_resolve || position.is_noisy(m));
    match must_resolve {
        true => Picker::all(p, hash_move, [None; 3]),
        false => Picker::noisy(p, hash_move),
    }
}
