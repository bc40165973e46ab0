//! The legal moves of chess, and of rule sets whose pieces move as in chess, for the side to move: target
//! squares of its pieces, and the legality of a given move.
//!
//! Pins and checks are computed before moves are generated, so every generated move is legal and none has
//! to be tried out.

use shakmaty::{
    Bitboard, Board, CastlingSide, Color, Move, MoveList, Position, Rank, Role, Square, attacks,
};

use crate::rules::pawn_attacks;

/// A position from the view of the side to move.
pub(super) struct SideView<'a, P> {
    position: &'a P,
    board: &'a Board,
    turn: Color,
    them: Bitboard,
    occupied: Bitboard,
    king: Square,
    checkers: Bitboard,
}

/// Target squares of pieces other than the king that do not leave it in check.
pub(super) struct Safe {
    /// Squares that end a check; without one, all squares.
    targets: Bitboard,
    /// Our pinned pieces, which may not leave their line to the king.
    pinned: Bitboard,
    king: Square,
}

impl Safe {
    /// The target squares of the piece on `from`, if it may move.
    #[inline]
    fn from(&self, from: Square) -> Bitboard {
        if self.pinned.contains(from) {
            self.targets & attacks::ray(self.king, from)
        } else {
            self.targets
        }
    }
}

impl<'a, P: Position> SideView<'a, P> {
    #[inline]
    pub fn new(position: &'a P, checkers: Bitboard) -> SideView<'a, P> {
        let board = position.board();
        SideView {
            position,
            board,
            turn: position.turn(),
            them: position.them(),
            occupied: board.occupied(),
            king: king_of(position),
            checkers,
        }
    }

    /// Computes the safe target squares.
    pub fn safe(&self) -> Safe {
        Safe { targets: self.check_targets(), pinned: self.pinned(), king: self.king }
    }

    /// Squares where a move of another piece than the king ends the check: the checker and those before it.
    /// Without a check all squares; in a double check none.
    #[inline]
    fn check_targets(&self) -> Bitboard {
        match self.checkers.first() {
            None => Bitboard::FULL,
            Some(_) if self.checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => attacks::between(self.king, checker).with(checker),
        }
    }

    /// Our pinned pieces: each stands alone between its king and a slider.
    fn pinned(&self) -> Bitboard {
        let board = self.board;
        let snipers = (attacks::rook_attacks(self.king, Bitboard::EMPTY)
            & board.rooks_and_queens())
            | (attacks::bishop_attacks(self.king, Bitboard::EMPTY) & board.bishops_and_queens());
        let mut pinned = Bitboard::EMPTY;
        (snipers & self.them).for_each(|sniper| {
            let blockers = attacks::between(self.king, sniper) & self.occupied;
            if !blockers.more_than_one() {
                pinned |= blockers;
            }
        });
        pinned
    }

    #[inline]
    fn is_attacked(&self, square: Square) -> bool {
        self.board.attacks_to(square, !self.turn, self.occupied.without(self.king)).any()
    }

    pub fn king_moves(
        &self,
        targets: Bitboard,
        capture: impl Fn(Square) -> Option<Role>,
        moves: &mut MoveList,
    ) {
        (attacks::king_attacks(self.king) & targets).for_each(|to| {
            if !self.is_attacked(to) {
                moves.push(normal(Role::King, self.king, capture(to), to));
            }
        });
    }

    pub fn piece_moves(
        &self,
        safe: &Safe,
        targets: Bitboard,
        capture: impl Fn(Square) -> Option<Role>,
        moves: &mut MoveList,
    ) {
        let board = self.board;
        let us = board.by_color(self.turn);
        let mut push = |role, from, reach: Bitboard| {
            (reach & targets & safe.from(from)).for_each(|to| {
                moves.push(normal(role, from, capture(to), to));
            });
        };
        (us & board.knights())
            .for_each(|from| push(Role::Knight, from, attacks::knight_attacks(from)));
        (us & board.bishops()).for_each(|from| {
            push(Role::Bishop, from, attacks::bishop_attacks(from, self.occupied))
        });
        (us & board.rooks())
            .for_each(|from| push(Role::Rook, from, attacks::rook_attacks(from, self.occupied)));
        (us & board.queens())
            .for_each(|from| push(Role::Queen, from, attacks::queen_attacks(from, self.occupied)));
    }

    pub fn pawn_captures(&self, safe: &Safe, moves: &mut MoveList) {
        let last_rank = Bitboard::from_rank(self.turn.relative_rank(Rank::Eighth));
        let capturers = self.position.our(Role::Pawn) & pawn_attacks(!self.turn, self.them);
        capturers.for_each(|from| {
            let targets = attacks::pawn_attacks(self.turn, from) & self.them & safe.from(from);
            targets.for_each(|to| {
                let capture = self.board.role_at(to);
                if last_rank.contains(to) {
                    for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                        moves.push(promotion(from, capture, to, role));
                    }
                } else {
                    moves.push(normal(Role::Pawn, from, capture, to));
                }
            });
        });
    }

    /// Our pawns' single steps forward, as target squares.
    #[inline]
    fn pushed(&self) -> Bitboard {
        self.position.our(Role::Pawn).shift(self.turn.fold_wb(8, -8)) & !self.occupied
    }

    /// The square `ranks` behind `to`, from the view of the side to move.
    #[inline]
    fn behind(&self, to: Square, ranks: u32) -> Square {
        let back = self.turn.fold_wb(8 * ranks, 64 - 8 * ranks);
        Square::new((to.to_u32() + 64 - back) % 64)
    }

    /// Calls `push` with origin and target of each pawn that may step `ranks` ahead to `targets`.
    #[inline]
    fn steps(
        &self,
        safe: &Safe,
        targets: Bitboard,
        ranks: u32,
        mut push: impl FnMut(Square, Square),
    ) {
        targets.for_each(|to| {
            let from = self.behind(to, ranks);
            if safe.from(from).contains(to) {
                push(from, to);
            }
        });
    }

    pub fn pawn_pushes(&self, safe: &Safe, moves: &mut MoveList) {
        let single = self.pushed();
        let (forward, third_rank) = self.turn.fold_wb((8, Rank::Third), (-8, Rank::Sixth));
        let double = (single & third_rank).shift(forward) & !self.occupied;
        let mut push = |from, to| moves.push(normal(Role::Pawn, from, None, to));
        self.steps(safe, single & !Bitboard::BACKRANKS & safe.targets, 1, &mut push);
        self.steps(safe, double & safe.targets, 2, &mut push);
    }

    pub fn queen_promotions(&self, safe: &Safe, moves: &mut MoveList) {
        self.steps(safe, self.pushed() & Bitboard::BACKRANKS, 1, |from, to| {
            moves.push(promotion(from, None, to, Role::Queen));
        });
    }

    /// Underpromotions, captures excluded.
    pub fn under_promotions(&self, safe: &Safe, moves: &mut MoveList) {
        self.steps(safe, self.pushed() & Bitboard::BACKRANKS, 1, |from, to| {
            for role in [Role::Rook, Role::Bishop, Role::Knight] {
                moves.push(promotion(from, None, to, role));
            }
        });
    }

    pub fn en_passant(&self, moves: &mut MoveList) {
        if let Some(to) = self.position.maybe_ep_square() {
            self.passing_pawns(to).for_each(|from| {
                if self.is_en_passant_safe(from, to) {
                    moves.push(Move::EnPassant { from, to });
                }
            });
        }
    }

    /// Our pawns that attack the en passant square `to`.
    #[inline]
    fn passing_pawns(&self, to: Square) -> Bitboard {
        attacks::pawn_attacks(!self.turn, to) & self.position.our(Role::Pawn)
    }

    /// True if our king is not attacked once both pawns have left their squares. Also right in check, and
    /// where two pawns leave the king's rank at once.
    fn is_en_passant_safe(&self, from: Square, to: Square) -> bool {
        let captured = passed_pawn(from, to);
        let occupied = self.occupied.without(from).without(captured).with(to);
        self.board.attacks_to(self.king, !self.turn, occupied).without(captured).is_empty()
    }

    /// True if an en passant capture on `to` is legal.
    pub fn can_capture_in_passing(&self, to: Square) -> bool {
        self.passing_pawns(to).into_iter().any(|from| self.is_en_passant_safe(from, to))
    }

    pub fn is_en_passant(&self, from: Square, to: Square) -> bool {
        self.position.maybe_ep_square() == Some(to)
            && self.passing_pawns(to).contains(from)
            && self.is_en_passant_safe(from, to)
    }

    pub fn castlings(&self, moves: &mut MoveList) {
        if self.position.castles().has_color(self.turn) {
            for side in CastlingSide::ALL {
                if let Some(m) = self.castling(side) {
                    moves.push(m);
                }
            }
        }
    }

    /// Castling to `side`, if it is legal.
    #[inline]
    pub fn castling(&self, side: CastlingSide) -> Option<Move> {
        let castles = self.position.castles();
        let rook = castles.rook(self.turn, side)?;
        let is_free = (castles.path(self.turn, side) & self.occupied).is_empty();
        (is_free && self.checkers.is_empty() && self.is_castling_safe(side, rook))
            .then_some(Move::Castle { king: self.king, rook })
    }

    fn is_castling_safe(&self, side: CastlingSide, rook: Square) -> bool {
        let king_to = side.king_to(self.turn);
        // In Chess960 the rook may have shielded the king's new square.
        let occupied = self.occupied ^ self.king ^ rook ^ side.rook_to(self.turn);
        self.board.attacks_to(king_to, !self.turn, occupied).is_empty()
            && !attacks::between(self.king, king_to).into_iter().any(|step| self.is_attacked(step))
    }

    /// True if `to` holds the piece that the move captures.
    #[inline]
    pub fn is_target(&self, to: Square, capture: Option<Role>) -> bool {
        match capture {
            None => !self.occupied.contains(to),
            Some(victim) => (self.them & self.board.by_role(victim)).contains(to),
        }
    }

    /// True if the move has a promotion exactly where a pawn reaches its last rank.
    #[inline]
    pub fn is_promotion_right(&self, role: Role, to: Square, promotion: Option<Role>) -> bool {
        let is_due = role == Role::Pawn && to.rank() == self.turn.relative_rank(Rank::Eighth);
        match promotion {
            None => !is_due,
            Some(Role::Pawn | Role::King) => false,
            Some(_) => is_due,
        }
    }

    /// True if our piece can go from `from` to `to`, the safety of the king aside.
    #[inline]
    pub fn reaches(&self, role: Role, from: Square, to: Square) -> bool {
        match role {
            Role::Pawn => self.pawn_reaches(from, to),
            Role::Knight => attacks::knight_attacks(from).contains(to),
            Role::King => attacks::king_attacks(from).contains(to),
            Role::Bishop => !is_straight(from, to) && self.is_open(from, to),
            Role::Rook => is_straight(from, to) && self.is_open(from, to),
            Role::Queen => self.is_open(from, to),
        }
    }

    #[inline]
    fn pawn_reaches(&self, from: Square, to: Square) -> bool {
        if self.them.contains(to) {
            return attacks::pawn_attacks(self.turn, from).contains(to);
        }
        let step = self.behind(to, 1);
        step == from
            || (from.rank() == self.turn.relative_rank(Rank::Second)
                && self.behind(to, 2) == from
                && !self.occupied.contains(step))
    }

    /// True if both squares are on one line and all squares between them are empty.
    #[inline]
    fn is_open(&self, from: Square, to: Square) -> bool {
        attacks::ray(from, to).any() && (attacks::between(from, to) & self.occupied).is_empty()
    }

    /// True if our king is not attacked after the move.
    #[inline]
    pub fn leaves_king_safe(&self, role: Role, from: Square, to: Square) -> bool {
        if role == Role::King {
            !self.is_attacked(to)
        } else {
            self.check_targets().contains(to) && !self.uncovers_king(from, to)
        }
    }

    /// True if the piece leaves a line on which it alone shields our king.
    #[inline]
    fn uncovers_king(&self, from: Square, to: Square) -> bool {
        let line = attacks::ray(self.king, from);
        let sliders = if is_straight(self.king, from) {
            self.board.rooks_and_queens()
        } else {
            self.board.bishops_and_queens()
        };
        let snipers = line & sliders & self.them;
        snipers.any()
            && !line.contains(to)
            && snipers.into_iter().any(|sniper| {
                attacks::between(self.king, sniper) & self.occupied == Bitboard::from(from)
            })
    }
}

/// The king of the side to move. There always is one: positions without a king are refused, and kings are
/// not captured.
#[inline]
pub(super) fn king_of(position: &impl Position) -> Square {
    position.our(Role::King).first().unwrap_or(Square::A1)
}

/// The square of the pawn that a pawn captures en passant by going `from` … `to`.
pub(super) fn passed_pawn(from: Square, to: Square) -> Square {
    Square::from_coords(to.file(), from.rank())
}

/// True if both squares are on one rank or file.
#[inline]
fn is_straight(a: Square, b: Square) -> bool {
    a.file() == b.file() || a.rank() == b.rank()
}

#[inline]
fn normal(role: Role, from: Square, capture: Option<Role>, to: Square) -> Move {
    Move::Normal { role, from, capture, to, promotion: None }
}

#[inline]
fn promotion(from: Square, capture: Option<Role>, to: Square, promotion: Role) -> Move {
    Move::Normal { role: Role::Pawn, from, capture, to, promotion: Some(promotion) }
}
