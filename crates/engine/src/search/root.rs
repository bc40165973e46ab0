//! The root moves: score, PV and nodes of each.

use shakmaty::Move;

use crate::score::Score;
use crate::search::report::Bound;
use crate::search::terminal::tablebase_score;
use crate::tablebase::{Advice, RankedMove, Wdl5};

/// One move of the root.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub m: Move,
    /// Its score in this iteration; minus infinity while it only failed low.
    pub score: Score,
    /// Whether that score is exact. The first move's may be a bound.
    bound: Bound,
    /// Its score in the iteration or try before.
    pub previous: Score,
    previous_bound: Bound,
    /// The mean of its exact scores, the newest with half the weight; `None` before the first.
    pub average: Option<Score>,
    /// Its PV, itself first.
    pub pv: Vec<Move>,
    /// Greatest ply reached in it.
    pub selective_depth: usize,
    /// Nodes spent on it in this search.
    pub nodes: u64,
    /// Its own result by the endgame tables, and its rank among the moves; rank 0 without tables.
    wdl: Option<Wdl5>,
    rank: i32,
}

impl RootMove {
    /// A move that has not been searched.
    fn new(m: Move) -> RootMove {
        RootMove {
            m,
            score: -Score::INFINITE,
            bound: Bound::Exact,
            previous: -Score::INFINITE,
            previous_bound: Bound::Exact,
            average: None,
            pv: vec![m],
            selective_depth: 0,
            nodes: 0,
            wdl: None,
            rank: 0,
        }
    }

    /// The known score: the result of the endgame tables, or the mate that it is; without tables that of this
    /// iteration or the one before. Minus infinity if there is none.
    pub fn known_score(&self) -> Score {
        let found = if self.score > -Score::INFINITE { self.score } else { self.previous };
        match self.wdl {
            // A mate that the fifty-move rule or a repetition forbids may stand in the transposition table.
            Some(Wdl5::Win) if found.is_win() => found,
            Some(Wdl5::Loss) if found.is_loss() => found,
            Some(wdl) => tablebase_score(wdl, 0),
            None => found,
        }
    }

    /// Whether the known score is exact. After a stop within the first move of a new try it may be a bound of the try before.
    pub fn known_bound(&self) -> Bound {
        match self.wdl {
            Some(_) => Bound::Exact,
            None if self.score > -Score::INFINITE => self.bound,
            None => self.previous_bound,
        }
    }

    /// True if the endgame tables prove a draw.
    pub fn is_drawn(&self) -> bool {
        matches!(self.wdl, Some(Wdl5::CursedWin | Wdl5::Draw | Wdl5::BlessedLoss))
    }

    fn keep_score(&mut self) {
        (self.previous, self.previous_bound) = (self.score, self.bound);
    }
}

/// The mean with one score more; a mate is no score that others could be averaged with.
fn mean(average: Option<Score>, score: Score) -> Score {
    match average {
        Some(average) if !average.is_mate() && !score.is_mate() => average + (score - average) / 2,
        _ => score,
    }
}

/// The moves of the root, best first after each iteration.
#[derive(Clone, Debug)]
pub struct RootMoves {
    moves: Vec<RootMove>,
    /// Moves before this place belong to better variations and are left out (MultiPV).
    first: usize,
    finished_iterations: u32,
}

impl RootMoves {
    /// A root with these moves.
    pub fn new(moves: impl IntoIterator<Item = Move>) -> RootMoves {
        let moves = moves.into_iter().map(RootMove::new).collect();
        RootMoves { moves, first: 0, finished_iterations: 0 }
    }

    /// A root with the moves that the endgame tables advise.
    pub fn advised(advice: Advice) -> RootMoves {
        let ranked =
            |RankedMove { m, wdl, rank }| RootMove { wdl: Some(wdl), rank, ..RootMove::new(m) };
        let moves = advice.moves.into_iter().map(ranked).collect();
        RootMoves { moves, first: 0, finished_iterations: 0 }
    }

    /// True if the endgame tables know the results of the moves.
    pub fn is_in_tables(&self) -> bool {
        self.moves.first().is_some_and(|candidate| candidate.wdl.is_some())
    }

    /// All moves, best first.
    pub fn moves(&self) -> &[RootMove] {
        &self.moves
    }

    /// The best move of the variation being searched.
    pub fn leader(&self) -> Option<&RootMove> {
        self.moves.get(self.first)
    }

    /// True if `m` is to be searched in the present variation: it belongs to no better one, and no move of
    /// a greater rank is left. So no search, however short, prefers a move that the tables know to be worse.
    pub fn allows(&self, m: Move) -> bool {
        let rest = &self.moves[self.first..];
        let is_wanted = |candidate: &RootMove| candidate.m == m && candidate.rank == rest[0].rank;
        rest.iter().any(is_wanted)
    }

    /// Begins an iteration: the scores become the previous ones, and the greatest ranks come first.
    pub fn begin_iteration(&mut self) {
        for candidate in &mut self.moves {
            candidate.keep_score();
        }
        // A stable sort: within a rank the order of the last iteration stays.
        self.moves.sort_by_key(|candidate| -candidate.rank);
    }

    /// Begins the variation of rank `first`, from 0.
    pub fn begin_variation(&mut self, first: usize) {
        self.first = first;
    }

    /// Begins another try at the same variation, with another window. The scores of the last one become
    /// the previous scores.
    pub fn begin_try(&mut self) {
        for candidate in &mut self.moves[self.first..] {
            if candidate.score > -Score::INFINITE {
                candidate.keep_score();
            }
            candidate.score = -Score::INFINITE;
        }
    }

    /// Records a move's score, exact or a bound; `variation` is the line below it if it raised alpha.
    pub fn record(
        &mut self,
        m: Move,
        (score, bound): (Score, Bound),
        nodes: u64,
        selective_depth: usize,
        variation: Option<&[Move]>,
    ) {
        let Some(candidate) = self.moves.iter_mut().find(|candidate| candidate.m == m) else {
            return;
        };
        candidate.nodes += nodes;
        if let Some(variation) = variation {
            (candidate.score, candidate.bound) = (score, bound);
            if bound == Bound::Exact {
                candidate.average = Some(mean(candidate.average, score));
            }
            candidate.selective_depth = selective_depth;
            candidate.pv.clear();
            candidate.pv.push(m);
            candidate.pv.extend_from_slice(variation);
        } else {
            candidate.score = -Score::INFINITE;
        }
    }

    /// True if a move of the present variation has a score of the present try.
    pub fn has_scores(&self) -> bool {
        self.moves[self.first..].iter().any(|candidate| candidate.score > -Score::INFINITE)
    }

    /// Puts the best move of another thread in the first place.
    pub fn promote(&mut self, better: RootMove) {
        self.moves.retain(|candidate| candidate.m != better.m);
        self.moves.insert(0, better);
    }

    /// Sorts the moves of the present variation, best first; equals keep their order.
    pub fn sort(&mut self) {
        self.moves[self.first..]
            .sort_by_key(|candidate| (-candidate.rank, -candidate.score, -candidate.previous));
    }

    /// Sorts the `count` variations that have been searched, by the scores that are shown.
    pub fn sort_variations(&mut self, count: usize) {
        let count = count.min(self.moves.len());
        self.moves[..count]
            .sort_by_key(|candidate| (-candidate.known_score(), -candidate.rank, -candidate.score));
    }

    /// Puts the variations of an iteration that was stopped in order. Without tables the first of them is the
    /// best already.
    pub fn sort_stopped(&mut self, count: usize) {
        if self.is_in_tables() {
            self.sort_variations(count);
        }
    }

    /// Ends an iteration.
    pub fn finish_iteration(&mut self) {
        self.finished_iterations += 1;
    }

    /// True once a search can be cut short: one iteration is complete.
    pub fn has_move_to_play(&self) -> bool {
        self.finished_iterations > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};

    #[test]
    fn a_new_try_has_no_scores_until_a_move_raises_alpha() {
        let moves = Chess::default().legal_moves();
        let mut root = RootMoves::new(moves.iter().copied());
        root.begin_iteration();
        root.begin_try();
        assert!(!root.has_scores());
        root.record(moves[0], (Score::centipawns(30), Bound::Lower), 1, 1, Some(&[]));
        root.record(moves[1], (Score::centipawns(10), Bound::Upper), 1, 1, None);
        assert!(root.has_scores());
        root.begin_try();
        assert!(!root.has_scores());
        let leader = root.leader().map(|leader| (leader.m, leader.known_score()));
        assert_eq!(leader, Some((moves[0], Score::centipawns(30))));
        assert_eq!(
            root.leader().map(RootMove::known_bound),
            Some(Bound::Lower),
            "of the first try"
        );
    }
}
