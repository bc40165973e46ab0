//! Quiescence ("espera del reposo"): captures are followed to their end before a position is
//! evaluated, because in the middle of an exchange the evaluation means nothing.

use crate::evaluation::{Evaluator, material};
use crate::rules::{Rules, attacked_by};
use crate::score::Score;
use crate::search::ordering::history::PieceTarget;
use crate::search::ordering::picker::Picker;
use crate::search::tree::node::Here;
use crate::search::tree::node_kind::NodeKind;
use crate::search::tree::pruning;
use crate::search::tree::worker::Worker;

/// Plies below a leaf to which compulsory captures are followed: where both sides have many
/// pieces to choose from they have no end.
const FORCED_PLIES: u32 = 6;

impl<P: Rules, E: Evaluator<P>> Worker<'_, P, E> {
    /// The value of a position once it is at rest. In check, or where the rules press in another
    /// way ([`Rules::is_pressed`]), all moves are tried, else the
    /// captures and queen promotions that do not lose material, and standing pat.
    ///
    /// The transposition table is left out of it: measured, its answers save 3 % of the nodes
    /// here, and waiting for its memory costs a quarter of the speed.
    pub fn quiescence<K: NodeKind>(
        &mut self,
        here: Here<P, E::State>,
        alpha: Score,
        beta: Score,
    ) -> Score {
        self.quiescence_below::<K>(here, alpha, beta, 0)
    }

    /// [`Worker::quiescence`], so many plies below the leaf that it began at.
    fn quiescence_below<K: NodeKind>(
        &mut self,
        here: Here<P, E::State>,
        mut alpha: Score,
        beta: Score,
        below: u32,
    ) -> Score {
        let Here { situation, ply, .. } = here;
        if K::PV {
            self.selective_depth = self.selective_depth.max(ply);
            self.variations[ply].clear();
        }
        if let Some(score) = self.settled(here) {
            return score;
        }
        let check = situation.position().is_pressed(situation.checkers());
        if check && below >= FORCED_PLIES && !situation.is_check() {
            return self.evaluator.score(situation.position(), here.state);
        }
        let mut best = if check {
            Score::mated_in(ply)
        } else {
            self.corrected(here, self.evaluator.score(situation.position(), here.state))
        };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let stand_pat = best;
        let position = situation.position();
        if check {
            self.frames[ply].threats = attacked_by(position.board(), !situation.turn());
        }
        let context = self.context(ply);
        let mut picker = if check {
            Picker::all(self.parameters, None, [None; 3])
        } else {
            Picker::noisy(self.parameters)
        };
        while let Some(m) = picker.next(situation, self.history, &context) {
            let victim = m.capture().map_or(0, material::value_in::<P>);
            if !check
                && m.promotion().is_none()
                && !position.is_decisive(m)
                && pruning::delta(self.parameters, stand_pat, victim, alpha)
            {
                best = best.max(stand_pat + victim + self.parameters.delta_margin);
                continue;
            }
            let child = situation.play(m);
            let state = self.evaluator.state_after(here.state, position, m, child.position());
            let played = PieceTarget::of(situation.turn(), m);
            let step = self.descend(ply, Some(played), &child);
            let there = Here { situation: &child, state: &state, ply: ply + 1 };
            let score = -self.quiescence_below::<K>(there, -beta, -alpha, below + 1);
            self.ascend(step);
            if self.is_stopped() {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
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
        best
    }
}
