//! Mates by proof: every move of the attacker and every reply, nothing pruned.
//!
//! The search skips and reduces moves, so it may miss a mate that it is deep enough for. After `go mate N` has
//! been searched out, only this tells that there is none.

use shakmaty::{Move, MoveList};

use crate::evaluation::Variant;
use crate::rules::{Ending, Game, KeyedPosition};
use crate::score::Score;
use crate::search::report::Bound;
use crate::search::tree::window::NodeRef;
use crate::search::tree::worker::Worker;

/// Nodes after which a proof is given up: a second or two, enough for mates in four.
pub(super) const PROOF_NODES: u64 = 5_000_000;

impl<P: Variant> Worker<'_, P> {
    /// Looks for a mate in `moves` moves, the shortest first, and makes it the leader of the root. Returns true if
    /// there is one, false if there is none; `None` if limits or the size of the tree leave it open.
    pub fn prove_mate(&mut self, game: &Game<P>, moves: u32) -> Option<bool> {
        let node = NodeRef { keyed: game.now(), ply: 0 };
        let end = self.nodes + PROOF_NODES;
        for n in 1..=moves as usize {
            let before = self.nodes;
            // Where a side without a move wins, the other side's last move makes the win.
            if self.forces_win(node, 2 * n - 1 + usize::from(P::STALEMATE_WINS), end)? {
                let [m, rest @ ..] = self.pv[0].as_slice() else { return None };
                let (m, rest) = (*m, rest.to_vec());
                let plies = rest.len() + 1;
                let score = Score::mate_in(plies);
                self.root.record(m, (score, Bound::Exact), self.nodes - before, plies, Some(&rest));
                self.root.sort();
                return Some(true);
            }
        }
        Some(false)
    }

    /// True if the side to move wins within `plies`; the PV of the ply is the line then.
    fn forces_win(&mut self, node: NodeRef<P>, plies: usize, end: u64) -> Option<bool> {
        let legal = match self.decided(node, Ending::Won) {
            Ok(legal) => legal,
            Err(decided) => return decided,
        };
        if plies == 0 {
            return Some(false);
        }
        let is_allowed = |m: &Move| node.ply > 0 || self.root.moves().iter().any(|r| r.m == *m);
        let child = |m: Move| (m, node.keyed.play(m));
        // Most mates are given by checks.
        let (checks, others): (Vec<_>, Vec<_>) = legal
            .into_iter()
            .filter(is_allowed)
            .map(child)
            .partition(|(_, next): &(Move, KeyedPosition<P>)| next.is_check());
        for (m, next) in checks.iter().chain(&others) {
            if self.follow(node, *m, next, end, |worker, child| {
                worker.must_lose(child, plies - 1, end)
            })? {
                self.extend_pv(node.ply, *m);
                return Some(true);
            }
        }
        Some(false)
    }

    /// True if the side to move loses within `plies`, whatever it plays; the PV of the ply is the longest line.
    fn must_lose(&mut self, node: NodeRef<P>, plies: usize, end: u64) -> Option<bool> {
        if plies == 0 && node.position().ending().is_none() && !node.keyed.is_check() {
            return Some(false);
        }
        let legal = match self.decided(node, Ending::Lost) {
            Ok(legal) => legal,
            Err(decided) => return decided,
        };
        if plies == 0 {
            return Some(false);
        }
        let mut longest: Vec<Move> = Vec::new();
        for m in legal {
            let next = node.keyed.play(m);
            if !self.follow(node, m, &next, end, |worker, child| {
                worker.forces_win(child, plies - 1, end)
            })? {
                return Some(false);
            }
            if self.pv[node.ply + 1].len() >= longest.len() {
                self.extend_pv(node.ply, m);
                longest.clone_from(&self.pv[node.ply]);
            }
        }
        self.pv[node.ply] = longest;
        Some(true)
    }

    /// The moves of a node where the game goes on; otherwise, whether it has the `wanted` end. An end by the clock
    /// or by `stop` leaves everything open.
    fn decided(&mut self, node: NodeRef<P>, wanted: Ending) -> Result<MoveList, Option<bool>> {
        self.pv[node.ply].clear();
        if node.ply > 0
            && let Some(score) = self.immediate_score(node)
        {
            let is_wanted = if wanted == Ending::Won { score.is_win() } else { score.is_loss() };
            return Err((!self.is_stopped()).then_some(is_wanted));
        }
        let legal = node.position().legal_moves();
        if legal.is_empty() {
            return Err(Some(
                node.position().ending_without_moves(node.keyed.is_check()) == wanted,
            ));
        }
        Ok(legal)
    }

    /// The answer of `ask` after the move `m` to the position `next`.
    fn follow(
        &mut self,
        node: NodeRef<P>,
        m: Move,
        next: &KeyedPosition<P>,
        end: u64,
        ask: impl FnOnce(&mut Self, NodeRef<P>) -> Option<bool>,
    ) -> Option<bool> {
        let step = self.descend(node.ply, Some(self.played(node.keyed, m, false)), next);
        let child = NodeRef { keyed: next, ply: node.ply + 1 };
        let answer = if self.nodes >= end || self.is_stopped() { None } else { ask(self, child) };
        self.ascend(step);
        answer
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use shakmaty::variant::Antichess;
    use shakmaty::{CastlingMode, Position};

    use super::*;
    use crate::evaluation::Evaluation;
    use crate::limits::Limits;
    use crate::rules::setup::{self, Start};
    use crate::search::clock::{Clock, Stopwatch};
    use crate::search::options::Options;
    use crate::search::report::Silent;
    use crate::search::root::RootMoves;
    use crate::search::table::TranspositionTable;
    use crate::search::tree::reductions::Reductions;
    use crate::search::tree::worker::{Shared, ThreadMemory};

    #[test]
    fn in_antichess_the_other_side_makes_the_last_move() {
        // 1.a6 must be taken, and White has nothing left.
        let start = Start::Fen("8/1p6/8/P7/8/8/8/8 w - - 0 1".to_string());
        let game = setup::game::<Antichess>(&start, &[], CastlingMode::Standard).unwrap().0;
        let options = Options::default();
        let shared = Shared {
            evaluator: Evaluation::linear(Default::default()),
            reductions: Reductions::new(&options.parameters),
            options,
            table: TranspositionTable::new(1).unwrap(),
            signals: Arc::default(),
        };
        let (limits, mut memory) = (Limits::default(), ThreadMemory::default());
        let stopwatch = Stopwatch::start(Clock::new(&limits, game.now().turn(), 0));
        let root = RootMoves::new(game.position().legal_moves());
        let mut silent = Silent;
        let mut worker =
            Worker::new(&game, &shared, &limits, root, stopwatch, &mut memory, &mut silent);
        assert_eq!(worker.prove_mate(&game, 1), Some(true));
        assert_eq!(worker.root.leader().map(|leader| leader.pv.len()), Some(2));
    }
}
