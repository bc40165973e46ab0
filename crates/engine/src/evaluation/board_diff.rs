//! The pieces that stand on only one of two boards. Evaluators keep their sums by them, so that nothing has to
//! be pushed or undone.

use shakmaty::{Bitboard, Board, Color, Role, Square};

/// Calls `visit` for every piece of these roles that stands on only one of two boards: with its colour, role
/// and square, and true if it stands on `new`.
#[inline(always)]
pub(crate) fn for_each_change(
    old: &Board,
    new: &Board,
    roles: &[Role],
    mut visit: impl FnMut(Color, Role, Square, bool),
) {
    let mut changed = old.white() ^ new.white() | old.black() ^ new.black();
    for &role in roles {
        changed |= old.by_role(role) ^ new.by_role(role);
    }
    for (board, is_new) in [(old, false), (new, true)] {
        let numbers = RoleNumbers::new(board);
        for square in changed & board.occupied() {
            let role = numbers.role_on(square);
            if roles.contains(&role) {
                visit(Color::from_white(board.white().contains(square)), role, square, is_new);
            }
        }
    }
}

/// The number of the role on each square of a board, from pawn 0 to king 5, a bitboard for each bit. So the role
/// is found without branches, which would be mispredicted.
struct RoleNumbers([Bitboard; 3]);

impl RoleNumbers {
    #[inline(always)]
    fn new(board: &Board) -> RoleNumbers {
        RoleNumbers([
            board.knights() | board.rooks() | board.kings(),
            board.bishops() | board.rooks(),
            board.queens() | board.kings(),
        ])
    }

    /// The role of the piece on an occupied square.
    #[inline(always)]
    fn role_on(&self, square: Square) -> Role {
        let [ones, twos, fours] = self.0.map(|bits| usize::from(bits.contains(square)));
        let number = ones + 2 * twos + 4 * fours;
        Role::ALL[number.min(Role::ALL.len() - 1)]
    }
}
