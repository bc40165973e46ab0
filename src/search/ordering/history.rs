//! What earlier parts of the search say about moves: the tables that order them.
//!
//! A move that cut off gains, those tried before it in vain lose; each entry drifts
//! back as it grows ("gravity"), so recent news counts most. After Schaeffer, "The
//! history heuristic and alpha-beta search enhancements in practice", IEEE PAMI 11(11), 1989.

use shakmaty::{Bitboard, Color, Move, Role, Square};

use crate::search::ordering::correction::Corrections;

/// Greatest absolute value of an entry.
pub const HISTORY_MAX: i32 = 16_384;

const PIECES: usize = 12;
const SQUARES: usize = 64;
/// Whether a move's origin is attacked, and whether its target is.
const THREATS: usize = 4;
/// None, and every role.
const VICTIMS: usize = 7;
/// One slot per piece and target square.
pub const PIECE_TARGETS: usize = PIECES * SQUARES;

/// A piece and its target square: what a move means to the move that follows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTarget(u16);

impl PieceTarget {
    /// The piece that `m` moves, of colour `color`, and where it goes.
    #[inline]
    pub fn of(color: Color, m: Move) -> PieceTarget {
        let piece = color as usize * 6 + (m.role() as usize - 1);
        PieceTarget((piece * SQUARES + m.to() as usize) as u16)
    }

    /// Where a table files it.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize % PIECE_TARGETS
    }
}

/// One thread's history tables.
#[derive(Clone)]
pub struct History {
    /// By colour, which of origin and target the enemy attacks, origin and target.
    butterfly: Box<[[[[i16; SQUARES]; SQUARES]; THREATS]; 2]>,
    /// By an earlier move and this one.
    continuation: Box<[[i16; PIECE_TARGETS]]>,
    /// The quiet move that refuted a move.
    counter: Box<[Option<Move>; PIECE_TARGETS]>,
    /// By capturing piece, target square and victim.
    captures: Box<[[i16; VICTIMS]; PIECE_TARGETS]>,
    /// What is known of the evaluation's errors.
    pub corrections: Corrections,
}

impl Default for History {
    fn default() -> History {
        History {
            butterfly: Box::new([[[[0; SQUARES]; SQUARES]; THREATS]; 2]),
            continuation: vec![[0; PIECE_TARGETS]; PIECE_TARGETS].into_boxed_slice(),
            counter: Box::new([None; PIECE_TARGETS]),
            captures: Box::new([[0; VICTIMS]; PIECE_TARGETS]),
            corrections: Corrections::default(),
        }
    }
}

/// What quiet moves are judged by besides themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// The moves that led here, one, two and four plies ago: what continuation history looks at.
    pub earlier: [Option<PieceTarget>; 3],
    /// The squares that the enemy attacks: to flee from one, or to step on one, is another matter.
    pub threats: Bitboard,
}

impl Context {
    /// Which of the squares a move leaves and reaches are attacked.
    #[inline]
    fn threats_to(&self, m: Move) -> usize {
        let flees = m.from().is_some_and(|from| self.threats.contains(from));
        usize::from(flees) * 2 + usize::from(self.threats.contains(m.to()))
    }
}

impl History {
    /// What the tables say of a quiet move: the sum over all of them, each within ±[`HISTORY_MAX`].
    #[inline]
    pub fn quiet(&self, color: Color, m: Move, context: &Context) -> i32 {
        let now = PieceTarget::of(color, m).index();
        let mut sum = i32::from(
            self.butterfly[color as usize][context.threats_to(m)][origin(m) as usize]
                [m.to() as usize],
        );
        for earlier in context.earlier.iter().flatten() {
            sum += i32::from(self.continuation[earlier.index()][now]);
        }
        sum
    }

    /// The refutation remembered for the move that led here.
    #[inline]
    pub fn counter(&self, context: &Context) -> Option<Move> {
        context.earlier[0].and_then(|earlier| self.counter[earlier.index()])
    }

    /// Learns from a quiet move that cut off: `bonus` for it, the same against those `tried` before.
    pub fn learn(
        &mut self,
        color: Color,
        best: Move,
        tried: &[Move],
        context: &Context,
        bonus: i32,
    ) {
        if let Some(earlier) = context.earlier[0] {
            self.counter[earlier.index()] = Some(best);
        }
        self.adjust(color, best, context, bonus);
        for &m in tried {
            self.adjust(color, m, context, -bonus);
        }
    }

    fn adjust(&mut self, color: Color, m: Move, context: &Context, bonus: i32) {
        let now = PieceTarget::of(color, m).index();
        drift(
            &mut self.butterfly[color as usize][context.threats_to(m)][origin(m) as usize]
                [m.to() as usize],
            bonus,
            HISTORY_MAX,
        );
        for earlier in context.earlier.iter().flatten() {
            drift(&mut self.continuation[earlier.index()][now], bonus, HISTORY_MAX);
        }
    }

    /// What the table says of a capture or promotion, within ±[`HISTORY_MAX`].
    #[inline]
    pub fn noisy(&self, color: Color, m: Move) -> i32 {
        i32::from(self.captures[PieceTarget::of(color, m).index()][victim(m)])
    }

    /// Learns from a capture or promotion: `bonus` is negative if it was tried in vain.
    pub fn learn_noisy(&mut self, color: Color, m: Move, bonus: i32) {
        drift(&mut self.captures[PieceTarget::of(color, m).index()][victim(m)], bonus, HISTORY_MAX);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = History::default();
    }
}

#[inline]
fn victim(m: Move) -> usize {
    m.capture().map_or(0, |role| role as usize)
}

/// Where a move comes from; a drop, which comes from nowhere, is filed under a square per role.
#[inline]
fn origin(m: Move) -> Square {
    m.from().unwrap_or(match m.role() {
        Role::Pawn => Square::A1,
        Role::Knight => Square::B1,
        Role::Bishop => Square::C1,
        Role::Rook => Square::D1,
        Role::Queen | Role::King => Square::E1,
    })
}

/// Moves an entry by `bonus`, the less so the nearer it is to ±`limit`, which it never leaves as long
/// as the bonus does not exceed it either.
#[inline]
pub fn drift(entry: &mut i16, bonus: i32, limit: i32) {
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / limit) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet_move() -> Move {
        Move::Normal {
            role: Role::Knight,
            from: Square::G1,
            capture: None,
            to: Square::F3,
            promotion: None,
        }
    }

    #[test]
    fn what_cuts_off_gains_and_never_overflows() {
        let mut history = History::default();
        let m = quiet_move();
        let earlier = [Some(PieceTarget::of(Color::Black, m)), None, None];
        let context = Context { earlier, ..Context::default() };
        for _ in 0..1000 {
            history.learn(Color::White, m, &[], &context, 2000);
        }
        let value = history.quiet(Color::White, m, &context);
        assert!(value > 3 * HISTORY_MAX / 2 && value <= 2 * HISTORY_MAX, "{value}");
        assert_eq!(history.counter(&context), Some(m));
        assert_eq!(history.quiet(Color::Black, m, &context), 0);
    }

    #[test]
    fn what_was_tried_in_vain_loses() {
        let mut history = History::default();
        let other = Move::Normal {
            role: Role::Rook,
            from: Square::A1,
            capture: None,
            to: Square::B1,
            promotion: None,
        };
        history.learn(Color::White, quiet_move(), &[other], &Context::default(), 500);
        assert!(history.quiet(Color::White, other, &Context::default()) < 0);
    }
}
