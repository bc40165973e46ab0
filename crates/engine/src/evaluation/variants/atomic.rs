//! Atomic chess: capturable pieces beside the enemy king.

use shakmaty::variant::Atomic;
use shakmaty::{Color, Position, attacks};

use super::{Variant, tapered};
use crate::evaluation::Tapered;

/// Value of an attacked piece beside the enemy king: its capture blows the king up.
const FUSE: (i32, i32) = (60, 60);

impl Variant for Atomic {
    // A capturing piece is lost: light ones do that best, and none trades for two.
    const VALUES: [i32; 6] = [100, 200, 200, 350, 700, 5000];
    const TABLES: Option<&'static str> = Some(include_str!("atomic.txt"));
    const NETWORK: Option<&'static [u8]> = embedded!("atomic.net");
    const OWN_TERM: Option<&'static str> = Some("fuses");

    /// Pieces beside the enemy king that `color` attacks, other than with its king.
    fn own_term(&self, color: Color) -> Tapered {
        let board = self.board();
        let Some(king) = board.king_of(!color) else { return Tapered::ZERO };
        let beside = attacks::king_attacks(king) & board.by_color(!color);
        let attackers = |square| board.attacks_to(square, color, board.occupied()) & !board.kings();
        let fuses = beside.into_iter().filter(|&square| attackers(square).any()).count();
        tapered(FUSE) * fuses as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::variants::tests::own_term_lead;

    #[test]
    fn a_piece_beside_the_king_is_a_fuse_once_it_is_attacked() {
        assert_eq!(own_term_lead::<Atomic>("3qk3/8/8/8/8/8/8/3RK3 w - - 0 1"), 0);
        assert_eq!(own_term_lead::<Atomic>("3qk3/8/8/8/8/8/8/3R2K1 w - - 0 1"), FUSE.0);
    }
}
