//! Correction history: known errors of the static eval, by pawns, by the pieces of either side, by the last
//! move and by the last two.
//!
//! The difference between the score of a search and the static eval is stored in five small tables. It is
//! added to the static eval of positions with the same pawns, the same pieces of one colour or the same
//! last moves ("Static Evaluation Correction History", chessprogramming.org). A new game clears it.
//!
//! Positions without pawns have no correction: they would all share an entry, and king drive, which
//! evaluates the elementary endings, must keep its slope towards the mate.

use super::gravity::gravity;
use super::piece_target::{PIECE_TARGETS, PieceTarget};
use crate::rules::{KeyedPosition, PieceKeys, Rules};
use crate::score::Score;
use crate::search::parameters::Parameters;

/// Entries of a table for one side; a power of two.
const ENTRIES: usize = 16_384;
/// Greatest absolute value of an entry.
const LIMIT: i32 = 1024;
/// Entries per centipawn of correction, times a weight's 128.
const SCALE: i32 = 16 * 128;

/// The correction history of one thread, by the side to move.
#[derive(Clone)]
pub struct CorrectionHistory {
    pawns: Box<[[i16; ENTRIES]; 2]>,
    /// By the colour of the pieces.
    pieces: [Box<[[i16; ENTRIES]; 2]>; 2],
    moves: Box<[[i16; PIECE_TARGETS]; 2]>,
    /// By the last move but one, then by the last.
    continuation: Box<[[i16; PIECE_TARGETS]]>,
}

impl Default for CorrectionHistory {
    fn default() -> CorrectionHistory {
        let table = || Box::new([[0; ENTRIES]; 2]);
        CorrectionHistory {
            pawns: table(),
            pieces: [table(), table()],
            moves: Box::new([[0; PIECE_TARGETS]; 2]),
            continuation: vec![[0; PIECE_TARGETS]; PIECE_TARGETS].into_boxed_slice(),
        }
    }
}

impl CorrectionHistory {
    /// Forgets everything.
    pub fn clear(&mut self) {
        let [white, black] = &mut self.pieces;
        for table in [&mut self.pawns, white, black] {
            table.fill([0; ENTRIES]);
        }
        self.moves.fill([0; PIECE_TARGETS]);
        self.continuation.fill([0; PIECE_TARGETS]);
    }

    /// The static eval `raw_eval` of a position, reached by the moves `before` and `last`, with its correction.
    #[inline]
    pub fn correct<P: Rules>(
        &self,
        p: &Parameters,
        keyed: &KeyedPosition<P>,
        [last, before]: [Option<PieceTarget>; 2],
        raw_eval: Score,
    ) -> Score {
        if keyed.position().board().pawns().is_empty() {
            return raw_eval;
        }
        let side = keyed.turn() as usize;
        let [pawns, white, black] = places(keyed.piece_keys());
        let mut sum = i32::from(self.pawns[side][pawns]) * p.correction_pawns;
        sum += i32::from(self.pieces[0][side][white]) * p.correction_pieces;
        sum += i32::from(self.pieces[1][side][black]) * p.correction_pieces;
        if let Some(last) = last {
            sum += i32::from(self.moves[side][last.index()]) * p.correction_moves;
            if let Some(before) = before {
                let pair = self.continuation[before.index()][last.index()];
                sum += i32::from(pair) * p.correction_continuation;
            }
        }
        Score::centipawns(raw_eval.raw() + sum / SCALE)
    }

    /// Updates the tables after a search of `depth` plies that ended `difference` centipawns above the
    /// static eval. `before` and `last` are the moves that led to the position.
    pub fn update<P: Rules>(
        &mut self,
        keyed: &KeyedPosition<P>,
        [last, before]: [Option<PieceTarget>; 2],
        difference: i32,
        depth: i32,
    ) {
        // A deep search corrects more. No single result moves an entry by more than a quarter of its range.
        let bonus = (difference * depth / 8).clamp(-LIMIT / 4, LIMIT / 4);
        let side = keyed.turn() as usize;
        let [pawns, white, black] = places(keyed.piece_keys());
        gravity(&mut self.pawns[side][pawns], bonus, LIMIT);
        gravity(&mut self.pieces[0][side][white], bonus, LIMIT);
        gravity(&mut self.pieces[1][side][black], bonus, LIMIT);
        if let Some(last) = last {
            gravity(&mut self.moves[side][last.index()], bonus, LIMIT);
            if let Some(before) = before {
                gravity(&mut self.continuation[before.index()][last.index()], bonus, LIMIT);
            }
        }
    }
}

/// The indices of the pawns, of White's other pieces and of Black's.
#[inline]
fn places(keys: &PieceKeys) -> [usize; 3] {
    keys.parts().map(|key| (key % ENTRIES as u64) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess};

    fn keyed(fen: &str) -> KeyedPosition<Chess> {
        let position = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard);
        KeyedPosition::new(position.unwrap())
    }

    fn correction(corrections: &CorrectionHistory, fen: &str) -> i32 {
        let p = Parameters::default();
        corrections.correct(&p, &keyed(fen), [None; 2], Score::DRAW).raw()
    }

    const HOME: &str = "4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1";

    #[test]
    fn an_error_is_corrected_where_pawns_or_pieces_are_the_same() {
        let mut corrections = CorrectionHistory::default();
        for _ in 0..50 {
            corrections.update(&keyed(HOME), [None; 2], 80, 8);
        }
        let full = correction(&corrections, HOME);
        // With the rook elsewhere, pawns and Black's king are the same.
        let part = correction(&corrections, "4k3/pppp4/8/8/8/R7/PPPP4/4K3 w - - 0 1");
        assert!(0 < part && part < full, "{part} {full}");
        assert_eq!(correction(&corrections, "3k4/5ppp/8/8/8/R7/5PPP/3K4 w - - 0 1"), 0);
        assert_eq!(correction(&corrections, "4k3/pppp4/8/8/8/8/PPPP4/R3K3 b - - 0 1"), 0);
        corrections.update(&keyed(HOME), [None; 2], -200, 20);
        assert!(correction(&corrections, HOME) < full);
    }

    #[test]
    fn positions_without_pawns_are_left_alone() {
        let mut corrections = CorrectionHistory::default();
        let bare = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
        corrections.update(&keyed(bare), [None; 2], 500, 20);
        assert_eq!(correction(&corrections, bare), 0);
    }

    #[test]
    fn no_correction_grows_without_bound() {
        let mut corrections = CorrectionHistory::default();
        for _ in 0..10_000 {
            corrections.update(&keyed(HOME), [None; 2], 30_000, 100);
        }
        let bound = LIMIT * (128 + 2 * 100) / SCALE;
        assert!((bound - 10..=bound).contains(&correction(&corrections, HOME)));
    }
}
