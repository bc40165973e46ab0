//! The root moves: score, PV and nodes of each.

use shakmaty::Move;

use crate::score::Score;
use crate::search::terminal::tablebase_score;
use crate::tablebase::{Advice, Wdl5};

/// One move of the root.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub m: Move,
    /// Its score in this iteration; minus infinity while it only failed low.
    pub score: Score,
    /// Its score in the iteration or try before.
    pub previous: Score,
    /// Its PV, itself first.
    pub pv: Vec<Move>,
    /// Greatest ply reached in it.
    pub selective_depth: usize,
    /// Nodes spent on it in this search.
    pub nodes: u64,
}

/// The moves of the root, best first after each iteration.
#[derive(Clone, Debug)]
pub struct RootMoves {
    moves: Vec<RootMove>,
    /// Moves before this place belong to better variations and are left out (MultiPV).
    first: usize,
    finished_iterations: u32,
    /// The result of the root by the endgame tables.
    wdl: Option<Wdl5>,
}

impl RootMoves {
    /// A root with these moves.
    pub fn new(moves: impl IntoIterator<Item = Move>) -> RootMoves {
        let moves = moves
            .into_iter()
            .map(|m| RootMove {
                m,
                score: -Score::INFINITE,
                previous: -Score::INFINITE,
                pv: vec![m],
                selective_depth: 0,
                nodes: 0,
            })
            .collect();
        RootMoves { moves, first: 0, finished_iterations: 0, wdl: None }
    }

    /// A root with the moves that the endgame tables advise.
    pub fn advised(advice: Advice) -> RootMoves {
        RootMoves { wdl: Some(advice.wdl), ..RootMoves::new(advice.moves) }
    }

    /// The result of the root by the endgame tables, if they know it.
    pub fn wdl(&self) -> Option<Wdl5> {
        self.wdl
    }

    /// The known score of a move: the result of the endgame tables, or a mate that was found.
    pub fn score_of(&self, candidate: &RootMove) -> Score {
        let found =
            if candidate.score > -Score::INFINITE { candidate.score } else { candidate.previous };
        match self.wdl {
            Some(wdl) if !found.is_mate() && found > -Score::INFINITE => tablebase_score(wdl, 0),
            _ => found,
        }
    }

    /// All moves, best first.
    pub fn moves(&self) -> &[RootMove] {
        &self.moves
    }

    /// The best move of the variation being searched.
    pub fn leader(&self) -> Option<&RootMove> {
        self.moves.get(self.first)
    }

    /// True if `m` is to be searched in the present variation.
    pub fn allows(&self, m: Move) -> bool {
        self.moves[self.first..].iter().any(|candidate| candidate.m == m)
    }

    /// Begins an iteration: the scores become the previous ones.
    pub fn begin_iteration(&mut self) {
        for candidate in &mut self.moves {
            candidate.previous = candidate.score;
        }
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
                candidate.previous = candidate.score;
            }
            candidate.score = -Score::INFINITE;
        }
    }

    /// Records the result of a move; `variation` is the line below it if it raised alpha.
    pub fn record(
        &mut self,
        m: Move,
        score: Score,
        nodes: u64,
        selective_depth: usize,
        variation: Option<&[Move]>,
    ) {
        let Some(candidate) = self.moves.iter_mut().find(|candidate| candidate.m == m) else {
            return;
        };
        candidate.nodes += nodes;
        if let Some(variation) = variation {
            candidate.score = score;
            candidate.selective_depth = selective_depth;
            candidate.pv.clear();
            candidate.pv.push(m);
            candidate.pv.extend_from_slice(variation);
        } else {
            candidate.score = -Score::INFINITE;
        }
    }

    /// Puts the best move of another thread in the first place.
    pub fn promote(&mut self, better: RootMove) {
        self.moves.retain(|candidate| candidate.m != better.m);
        self.moves.insert(0, better);
    }

    /// Sorts the moves of the present variation, best first; equals keep their order.
    pub fn sort(&mut self) {
        self.moves[self.first..].sort_by_key(|candidate| (-candidate.score, -candidate.previous));
    }

    /// Sorts the `count` variations that have been searched.
    pub fn sort_variations(&mut self, count: usize) {
        let count = count.min(self.moves.len());
        self.moves[..count].sort_by_key(|candidate| -candidate.score);
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
