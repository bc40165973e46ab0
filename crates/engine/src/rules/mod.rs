//! The rules of the game, as the search needs them.
//!
//! shakmaty has the rules. [`Rules`] adds what a search needs on top: moves in two parts (noisy, then
//! quiet), an incremental position key, moves in sixteen bits for the transposition table (TT), and the
//! null move. Every default is written with shakmaty alone and is right for chess. A rule set that breaks
//! an assumption of the search overrides a constant or a method. `chess` and similar rule sets override hot
//! functions with faster ones, which tests compare with the defaults.
//!
#![doc = include_str!("../../../../docs/rule-sets.md")]

mod antichess;
mod atomic;
mod chess;
mod crazyhouse;
mod game;
mod horde;
mod king_of_the_hill;
pub mod notation;
pub mod perft;
mod piece_keys;
mod racing_kings;
pub mod reversible;
mod rule_set;
pub mod setup;
mod three_check;

use std::fmt::Debug;

use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    Bitboard, Board, Color, EnPassantMode, File, FromSetup, Move, MoveList, Outcome, Position,
    PositionError, Role, Setup, Square, attacks,
};

use crate::remark::Remark;

pub use game::{FIFTY_MOVES, Game, KeyedPosition};
pub use piece_keys::PieceKeys;
pub use rule_set::{RuleSet, UnknownRuleSetError};
pub(crate) use rule_set::{for_each_rule_set, for_each_searched_rule_set};

/// A move in sixteen bits, as the transposition table stores it. Zero is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveCode(pub u16);

impl MoveCode {
    /// No move.
    pub const NONE: MoveCode = MoveCode(0);

    /// Encodes a move: origin, target and promotion in 6, 6 and 3 bits. Castling is king takes rook, as in
    /// Chess960. A drop has the top bit set and its role in place of the promotion.
    #[inline]
    pub fn pack(m: Move) -> MoveCode {
        let code = |from: Square, to: Square| u16::from(from) | u16::from(to) << 6;
        MoveCode(match m {
            Move::Normal { from, to, promotion, .. } => {
                code(from, to) | promotion.map_or(0, u16::from) << 12
            }
            Move::EnPassant { from, to } | Move::Castle { king: from, rook: to } => code(from, to),
            Move::Put { role, to } => code(to, to) | u16::from(role) << 12 | 1 << 15,
        })
    }

    /// The move of this code in UCI notation, legal or not.
    #[inline]
    fn to_uci(self) -> UciMove {
        let square = |shift| Square::new(u32::from(self.0 >> shift) % 64);
        let (from, to, role) = (square(0), square(6), Role::try_from(self.0 >> 12 & 7).ok());
        match role {
            Some(role) if self.0 >> 15 == 1 => UciMove::Put { role, to },
            promotion => UciMove::Normal { from, to, promotion },
        }
    }
}

/// True for moves that change the material at once: captures and promotions to a queen. Quiescence search
/// (qsearch) searches these; all other moves are quiet.
#[inline]
pub fn is_noisy(m: Move) -> bool {
    m.is_capture() || m.promotion() == Some(Role::Queen)
}

/// True if the moved or dropped piece itself attacks the enemy king from its target.
#[inline]
pub fn checks_directly<P: Position>(position: &P, m: Move) -> bool {
    CheckSquares::new(position).checks_directly(position, m)
}

/// Roles, and a place that none has.
const ROLES: usize = Role::ALL.len() + 1;

/// The squares from which pieces of the side to move would attack the enemy king, by role.
pub struct CheckSquares {
    king: Option<Square>,
    /// The squares, by the number of the role.
    by_role: [Bitboard; ROLES],
}

impl CheckSquares {
    /// The squares of a position.
    pub fn new<P: Position>(position: &P) -> CheckSquares {
        let (board, them) = (position.board(), !position.turn());
        let king = board.king_of(them);
        let mut by_role = [Bitboard::EMPTY; ROLES];
        if let Some(king) = king {
            let occupied = board.occupied();
            let diagonal = attacks::bishop_attacks(king, occupied);
            let straight = attacks::rook_attacks(king, occupied);
            by_role[Role::Pawn as usize] = attacks::pawn_attacks(them, king);
            by_role[Role::Knight as usize] = attacks::knight_attacks(king);
            by_role[Role::Bishop as usize] = diagonal;
            by_role[Role::Rook as usize] = straight;
            by_role[Role::Queen as usize] = diagonal | straight;
            by_role[Role::King as usize] = attacks::king_attacks(king);
        }
        CheckSquares { king, by_role }
    }

    /// True if the moved or dropped piece itself attacks the enemy king from its target.
    #[inline]
    pub fn checks_directly<P: Position>(&self, position: &P, m: Move) -> bool {
        match m {
            Move::Normal { role, to, promotion: None, .. } | Move::Put { role, to } => {
                self.by_role[role as usize].contains(to)
            }
            // A promoted piece may attack along the line that the pawn has left.
            Move::Normal { from, to, promotion: Some(role), .. } => {
                let occupied = position.board().occupied().without(from);
                let attacked = attacks::attacks(to, role.of(position.turn()), occupied);
                self.king.is_some_and(|king| attacked.contains(king))
            }
            Move::EnPassant { .. } | Move::Castle { .. } => false,
        }
    }
}

/// The squares that a side attacks, the least valuable attackers apart.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats {
    /// Attacked by any piece.
    pub all: Bitboard,
    /// Attacked by a piece cheaper than a role; see [`Threats::by_cheaper`].
    cheaper: [Bitboard; ROLES],
}

impl Threats {
    /// The squares that the pieces of `color` attack.
    pub fn of(board: &Board, color: Color) -> Threats {
        let (own, occupied) = (board.by_color(color), board.occupied());
        let pawns = pawn_attacks(color, board.pawns() & own);
        let mut minors = pawns;
        for square in board.knights() & own {
            minors |= attacks::knight_attacks(square);
        }
        for square in board.bishops() & own {
            minors |= attacks::bishop_attacks(square, occupied);
        }
        let mut rooks = minors;
        for square in board.rooks() & own {
            rooks |= attacks::rook_attacks(square, occupied);
        }
        let mut all = rooks;
        for square in board.queens() & own {
            all |= attacks::queen_attacks(square, occupied);
        }
        for square in board.kings() & own {
            all |= attacks::king_attacks(square);
        }
        let mut cheaper = [Bitboard::EMPTY; ROLES];
        cheaper[Role::Knight as usize] = pawns;
        cheaper[Role::Bishop as usize] = pawns;
        cheaper[Role::Rook as usize] = minors;
        cheaper[Role::Queen as usize] = rooks;
        Threats { all, cheaper }
    }

    /// The same, but the value of the attackers does not count.
    pub fn of_any(self) -> Threats {
        Threats { all: self.all, ..Threats::default() }
    }

    /// The squares on which a cheaper piece attacks one of this role. Nothing is cheaper than a pawn, and a king
    /// has no price.
    #[inline]
    pub fn by_cheaper(&self, role: Role) -> Bitboard {
        self.cheaper[role as usize]
    }
}

/// All squares that pawns of `color` on `squares` would attack. Pawns of the other colour attack `squares`
/// from the same squares.
#[inline]
fn pawn_attacks(color: Color, squares: Bitboard) -> Bitboard {
    let ahead = squares.shift(color.fold_wb(8, -8));
    (ahead & !Bitboard::from_file(File::A)).shift(-1)
        | (ahead & !Bitboard::from_file(File::H)).shift(1)
}

/// The end of a game, for the side that would be to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It has won.
    Won,
    /// It has lost.
    Lost,
    /// Nobody has won.
    Drawn,
}

impl Ending {
    /// shakmaty's outcome for `turn`; `None` while the game goes on.
    fn of(outcome: Outcome, turn: Color) -> Option<Ending> {
        Some(match outcome.known()?.winner() {
            None => Ending::Drawn,
            Some(winner) if winner == turn => Ending::Won,
            Some(_) => Ending::Lost,
        })
    }
}

/// The nature of captures, which decides on the static exchange evaluation (SEE) of a series of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Captures {
    /// One piece for another, as long as both sides like.
    Exchange,
    /// Capturer and neighbours vanish as well, and nothing is left to recapture.
    Explosion,
    /// Compulsory, and a captured piece is a burden less: SEE means nothing.
    Duty,
}

/// A rule set, with what a search needs of it.
pub trait Rules: Position + FromSetup + Clone + Default + Debug + Send + Sync + 'static {
    /// The same rule set at run time.
    const RULE_SET: RuleSet;

    /// Its name in UCI.
    const NAME: &'static str;

    /// Other unambiguous names, in small letters and digits.
    const ALIASES: &'static [&'static str] = &[];

    /// Positions for the bench; none: the starting position alone.
    const BENCH: &'static [&'static str] = &[];

    /// True where a bare king can be driven to the edge and mated, and nothing else wins.
    const MATES_BARE_KINGS: bool = false;

    /// False where zugzwang is so common that a null move proves nothing.
    const NULL_MOVE: bool = true;

    /// The nature of captures.
    const CAPTURES: Captures = Captures::Exchange;

    /// False where the king is an ordinary piece, and its distance to others means nothing.
    const ROYAL_KINGS: bool = true;

    /// False where material never leaves the game, so that it has no endgame.
    const MATERIAL_FADES: bool = true;

    /// True where captures and pawn moves are progress: no position from before them can return, and fifty moves of each
    /// side without one end the game.
    const PROGRESS: bool = true;

    /// False where no move may give check, so that no king can stand in one.
    const CHECKS: bool = true;

    /// True where a side without a legal move has won.
    const STALEMATE_WINS: bool = false;

    /// How a game is won that ends by [`Rules::ending`], in words.
    const GOAL: &'static str = "the goal of these rules";

    /// What the rule set's own law finds wrong with a position that is refused.
    fn setup_fault(_setup: &Setup) -> Option<Remark> {
        None
    }

    /// The end of the game by the rule set's own law, for any number of legal moves: a king on the hill, a
    /// third check, nothing left. `None` if only mate and stalemate can end it.
    #[inline]
    fn ending(&self) -> Option<Ending> {
        None
    }

    /// The end of the game for the side to move, which has no legal move.
    #[inline]
    fn ending_without_moves(&self, is_check: bool) -> Ending {
        match self.ending() {
            Some(ending) => ending,
            None if is_check => Ending::Lost,
            None if Self::STALEMATE_WINS => Ending::Won,
            None => Ending::Drawn,
        }
    }

    /// True if neither side can win any more.
    #[inline]
    fn is_dead(&self) -> bool {
        self.is_insufficient_material()
    }

    /// True if no sensible defence loses, though a mate is possible: the position is worth a draw to the search.
    #[inline]
    fn is_drawn_ending(&self) -> bool {
        false
    }

    /// True if the legal move `m` may end the game at once by the rule set's own law. Such a move is noisy,
    /// and SEE does not prune it.
    #[inline]
    fn is_decisive(&self, _m: Move) -> bool {
        false
    }

    /// True if qsearch searches the legal move `m`: see [`is_noisy`] and [`Rules::is_decisive`].
    #[inline]
    fn is_noisy(&self, m: Move) -> bool {
        is_noisy(m) || self.is_decisive(m)
    }

    /// True if the side to move has to react, so that the static eval of the position means nothing: in
    /// check, or obliged to capture.
    #[inline]
    fn must_resolve(&self, checkers: Bitboard) -> bool {
        checkers.any()
    }

    /// True where the rules allow nothing but captures now.
    fn must_capture(&self) -> bool {
        Self::CAPTURES == Captures::Duty && self.legal_moves().iter().any(|m| m.is_capture())
    }

    /// The position's key from scratch: Zobrist with en passant only where it is legal. It equals the key
    /// of Polyglot books unless a pawn that could capture is pinned.
    fn key(&self) -> u64 {
        self.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
    }

    /// The key of `after`, which is this position after the legal move `m`. `key` is this position's own,
    /// `pieces` the difference that the pieces make to it.
    fn key_after(&self, key: u64, _pieces: u64, m: Move, after: &Self) -> u64 {
        self.update_zobrist_hash(Zobrist64(key), m, EnPassantMode::Legal)
            .map_or_else(|| after.key(), u64::from)
    }

    /// Appends every legal noisy move (see [`Rules::is_noisy`]), in no particular order.
    fn noisy_moves(&self, _checkers: Bitboard, moves: &mut MoveList) {
        moves.extend(self.legal_moves().into_iter().filter(|&m| self.is_noisy(m)));
    }

    /// Appends every legal move that is not noisy, in no particular order.
    fn quiet_moves(&self, _checkers: Bitboard, moves: &mut MoveList) {
        moves.extend(self.legal_moves().into_iter().filter(|&m| !self.is_noisy(m)));
    }

    /// True if `m`, which may come from another position, is legal.
    fn is_playable(&self, _checkers: Bitboard, m: Move) -> bool {
        self.is_legal(m)
    }

    /// The legal move with `MoveCode::pack(m) == code`, if there is one.
    fn unpack(&self, _checkers: Bitboard, code: MoveCode) -> Option<Move> {
        code.to_uci().to_move(self).ok().filter(|&m| MoveCode::pack(m) == code)
    }

    /// The position after a null move: the other side to move, no en passant, the half-move clock one up.
    /// `None` where a null move is not possible, as in check.
    fn pass(&self) -> Option<Self> {
        let mut setup = self.to_setup(EnPassantMode::Always);
        setup.swap_turn();
        setup.halfmoves = setup.halfmoves.saturating_add(1);
        Self::from_setup(setup, self.castles().mode())
            .or_else(PositionError::ignore_too_much_material)
            .ok()
    }

    /// True if the side to move has a piece besides king and pawns, so that zugzwang is rare.
    fn has_pieces(&self) -> bool {
        let board = self.board();
        (self.us() & !(board.pawns() | board.kings())).any()
    }
}
