//! Quiescence ("espera del reposo"): captures are followed to their end before a position is
//! evaluated, because in the middle of an exchange the evaluation means nothing.

use shakmaty::Move;

use super::history::PieceTarget;
use super::node::{Here, refine};
use super::node_kind::NodeKind;
use super::ordering::Picker;
use super::pruning;
use super::report::Bound;
use super::table::Entry;
use super::worker::Worker;
use crate::evaluation::{Evaluator, material};
use crate::rules::{MoveCode, Rules};
use crate::score::Score;

impl<P: Rules, E: Evaluator<P>> Worker<'_, P, E> {
    /// The value of a position once it is at rest. In check all moves are tried, else the
    /// captures and queen promotions that do not lose material, and standing pat.
    pub(super) fn quiescence<K: NodeKind>(
        &mut self,
        here: Here<P, E::State>,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        let Here { situation, ply, .. } = here;
        if K::PV {
            self.selective_depth = self.selective_depth.max(ply);
            self.variations[ply].clear();
        }
        if let Some(score) = self.settled(here) {
            return score;
        }
        let entry = self.shared.table.probe(situation.key(), ply);
        if let Some(entry) = entry
            && !K::PV
            && entry.settles(alpha, beta)
        {
            return entry.score;
        }

        let check = situation.is_check();
        let (evaluation, stand_pat) = if check {
            (Score::NONE, Score::mated_in(ply))
        } else {
            let stored =
                entry.map(|entry| entry.evaluation).filter(|&stored| stored != Score::NONE);
            let plain =
                stored.unwrap_or_else(|| self.evaluator.score(situation.position(), here.state));
            (plain, refine(plain, entry.as_ref()))
        };
        let (mut best, mut best_move) = (stand_pat, None);
        let raised = stand_pat.max(alpha);
        if stand_pat < beta {
            let table_move = entry
                .and_then(|entry| situation.position().decode(situation.checkers(), entry.code));
            let picker =
                if check { Picker::all(table_move, [None; 3]) } else { Picker::noisy(table_move) };
            alpha = raised;
            (best, best_move) = self.try_captures::<K>(here, picker, stand_pat, alpha, beta);
            if self.is_stopped() {
                return Score::DRAW;
            }
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let code = best_move.map_or(MoveCode::NONE, MoveCode::of);
        let entry = Entry { code, score: best, evaluation, depth: 0, bound };
        self.shared.table.store(situation.key(), ply, entry);
        best
    }

    /// Tries what the picker serves; returns the best value, at least `stand_pat`, and its move.
    fn try_captures<K: NodeKind>(
        &mut self,
        here: Here<P, E::State>,
        mut picker: Picker,
        stand_pat: Score,
        mut alpha: Score,
        beta: Score,
    ) -> (Score, Option<Move>) {
        let Here { situation, ply, .. } = here;
        let position = situation.position();
        let check = situation.is_check();
        let context = self.context(ply);
        let (mut best, mut best_move) = (stand_pat, None);
        while let Some(m) = picker.next(situation, self.history, &context) {
            let victim = m.capture().map_or(0, material::value);
            if !check
                && m.promotion().is_none()
                && pruning::delta(self.parameters, stand_pat, victim, alpha)
            {
                best = best.max(stand_pat + victim + self.parameters.delta_margin);
                continue;
            }
            let child = situation.play(m);
            self.shared.table.prefetch(child.key());
            let state = self.evaluator.state_after(here.state, position, m, child.position());
            let step = self.descend(ply, Some(PieceTarget::of(situation.turn(), m)), &child);
            let there = Here { situation: &child, state: &state, ply: ply + 1 };
            let score = -self.quiescence::<K>(there, -beta, -alpha);
            self.ascend(step);
            if self.is_stopped() {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(m);
                    alpha = score;
                    if K::PV {
                        self.extend_variation(ply, m);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
            if check && !best.is_loss() {
                picker.skip_quiets();
            }
        }
        (best, best_move)
    }
}
