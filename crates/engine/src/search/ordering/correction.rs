//! Correction history: known errors of the static eval, by pawns, by the pieces of either side, by minor and by major
//! pieces, by the last move, and by the last one and an earlier one.
//!
//! The difference between the score of a search and the static eval is stored in small tables. It is
//! added to the static eval of positions with the same pawns, the same pieces of one kind or the same last
//! moves ("Static Evaluation Correction History", chessprogramming.org). A new game clears it.
//!
//! Positions without pawns have no correction: they would all share an entry, and king drive, which
//! evaluates the elementary endings, must keep its slope towards the mate.

use shakmaty::{Bitboard, Board};

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
    /// By knights, bishops and kings.
    minor: Box<[[i16; ENTRIES]; 2]>,
    /// By rooks, queens and kings.
    major: Box<[[i16; ENTRIES]; 2]>,
    moves: Box<[[i16; PIECE_TARGETS]; 2]>,
    /// By the move two plies ago, then by the last.
    two: Box<[[i16; PIECE_TARGETS]]>,
    /// By the move four plies ago, then by the last.
    four: Box<[[i16; PIECE_TARGETS]]>,
}

impl Default for CorrectionHistory {
    fn default() -> CorrectionHistory {
        let table = || Box::new([[0; ENTRIES]; 2]);
        let pairs = || vec![[0; PIECE_TARGETS]; PIECE_TARGETS].into_boxed_slice();
        CorrectionHistory {
            pawns: table(),
            pieces: [table(), table()],
            minor: table(),
            major: table(),
            moves: Box::new([[0; PIECE_TARGETS]; 2]),
            two: pairs(),
            four: pairs(),
        }
    }
}

impl CorrectionHistory {
    /// Forgets everything.
    pub fn clear(&mut self) {
        let [white, black] = &mut self.pieces;
        for table in [&mut self.pawns, white, black, &mut self.minor, &mut self.major] {
            table.fill([0; ENTRIES]);
        }
        self.moves.fill([0; PIECE_TARGETS]);
        self.two.fill([0; PIECE_TARGETS]);
        self.four.fill([0; PIECE_TARGETS]);
    }

    /// The static eval `raw_eval` of a position, reached by these moves, with its correction.
    #[inline]
    pub fn correct<P: Rules>(
        &self,
        p: &Parameters,
        keyed: &KeyedPosition<P>,
        moves: EarlierMoves,
        raw_eval: Score,
    ) -> Score {
        if keyed.position().board().pawns().is_empty() {
            return raw_eval;
        }
        let side = keyed.turn() as usize;
        let [pawns, white, black] = places(keyed.piece_keys());
        let [minor, major] = class_places(keyed.position().board());
        let mut sum = i32::from(self.pawns[side][pawns]) * p.correction_pawns;
        sum += i32::from(self.pieces[0][side][white]) * p.correction_pieces;
        sum += i32::from(self.pieces[1][side][black]) * p.correction_pieces;
        sum += i32::from(self.minor[side][minor]) * p.correction_minor;
        sum += i32::from(self.major[side][major]) * p.correction_major;
        if let Some(last) = moves.last {
            sum += i32::from(self.moves[side][last.index()]) * p.correction_moves;
            let pair = |table: &[[i16; PIECE_TARGETS]], earlier: Option<PieceTarget>| {
                earlier.map_or(0, |earlier| i32::from(table[earlier.index()][last.index()]))
            };
            sum += pair(&self.two, moves.two) * p.correction_two;
            sum += pair(&self.four, moves.four) * p.correction_four;
        }
        Score::centipawns(raw_eval.raw() + sum / SCALE)
    }

    /// Updates the tables after a search of `depth` plies that ended `difference` centipawns above the static eval.
    /// `moves` led to the position. The search `failed_low` if no move raised alpha.
    pub fn update<P: Rules>(
        &mut self,
        keyed: &KeyedPosition<P>,
        moves: EarlierMoves,
        difference: i32,
        depth: i32,
        failed_low: bool,
    ) {
        // A deep search corrects more, and one that found no good move, whose bound is the surest. No single result moves
        // an entry by more than a quarter of its range.
        let bonus =
            (difference * depth / if failed_low { 4 } else { 6 }).clamp(-LIMIT / 4, LIMIT / 4);
        let side = keyed.turn() as usize;
        let [pawns, white, black] = places(keyed.piece_keys());
        let [minor, major] = class_places(keyed.position().board());
        gravity(&mut self.pawns[side][pawns], bonus, LIMIT);
        gravity(&mut self.pieces[0][side][white], bonus, LIMIT);
        gravity(&mut self.pieces[1][side][black], bonus, LIMIT);
        gravity(&mut self.minor[side][minor], bonus, LIMIT);
        gravity(&mut self.major[side][major], bonus, LIMIT);
        if let Some(last) = moves.last {
            gravity(&mut self.moves[side][last.index()], bonus, LIMIT);
            for (table, earlier) in [(&mut self.two, moves.two), (&mut self.four, moves.four)] {
                if let Some(earlier) = earlier {
                    gravity(&mut table[earlier.index()][last.index()], bonus, LIMIT);
                }
            }
        }
    }
}

/// The moves that led to a position, as far as corrections are filed by them; `None` for a null move.
#[derive(Clone, Copy, Debug, Default)]
pub struct EarlierMoves {
    /// The last one.
    pub last: Option<PieceTarget>,
    /// The one two plies ago: this side's own.
    pub two: Option<PieceTarget>,
    /// The one four plies ago.
    pub four: Option<PieceTarget>,
}

/// The indices of the pawns, of White's other pieces and of Black's.
#[inline]
fn places(keys: &PieceKeys) -> [usize; 3] {
    keys.parts().map(|key| (key % ENTRIES as u64) as usize)
}

/// The indices of the minor pieces and of the major ones, each with the kings. Hashed from the board, because keys that
/// every move brings up to date would cost more than they save.
#[inline]
fn class_places(board: &Board) -> [usize; 2] {
    let kings = board.kings();
    let place = |first: Bitboard, second: Bitboard| {
        let class = first | second | kings;
        let kinds = first.0 ^ kings.0.rotate_left(7);
        // Odd multipliers carry every square into the upper bits.
        let hash = (class & board.white()).0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (class & board.black()).0.wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(21)
            ^ kinds.wrapping_mul(0x94d0_49bb_1331_11eb).rotate_left(42);
        let mixed = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed >> (u64::BITS - ENTRIES.trailing_zeros())) as usize
    };
    [place(board.knights(), board.bishops()), place(board.rooks(), board.queens())]
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
        corrections.correct(&p, &keyed(fen), EarlierMoves::default(), Score::DRAW).raw()
    }

    const HOME: &str = "4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1";

    #[test]
    fn an_error_is_corrected_where_pawns_or_pieces_are_the_same() {
        let mut corrections = CorrectionHistory::default();
        for _ in 0..50 {
            corrections.update(&keyed(HOME), EarlierMoves::default(), 80, 8, false);
        }
        let full = correction(&corrections, HOME);
        // With the rook elsewhere, pawns and Black's king are the same.
        let part = correction(&corrections, "4k3/pppp4/8/8/8/R7/PPPP4/4K3 w - - 0 1");
        assert!(0 < part && part < full, "{part} {full}");
        assert_eq!(correction(&corrections, "3k4/5ppp/8/8/8/R7/5PPP/3K4 w - - 0 1"), 0);
        assert_eq!(correction(&corrections, "4k3/pppp4/8/8/8/8/PPPP4/R3K3 b - - 0 1"), 0);
        corrections.update(&keyed(HOME), EarlierMoves::default(), -200, 20, false);
        assert!(correction(&corrections, HOME) < full);
    }

    #[test]
    fn positions_without_pawns_are_left_alone() {
        let mut corrections = CorrectionHistory::default();
        let bare = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
        corrections.update(&keyed(bare), EarlierMoves::default(), 500, 20, false);
        assert_eq!(correction(&corrections, bare), 0);
    }

    #[test]
    fn no_correction_grows_without_bound() {
        let mut corrections = CorrectionHistory::default();
        for _ in 0..10_000 {
            corrections.update(&keyed(HOME), EarlierMoves::default(), 30_000, 100, false);
        }
        let p = Parameters::default();
        let weights =
            p.correction_pawns + 2 * p.correction_pieces + p.correction_minor + p.correction_major;
        let bound = LIMIT * weights / SCALE;
        assert!((bound - 10..=bound).contains(&correction(&corrections, HOME)));
    }
}
