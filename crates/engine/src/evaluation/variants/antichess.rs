//! Antichess: pieces are a burden, and so is mobility, which invites forced captures.

use shakmaty::variant::Antichess;
use shakmaty::{Bitboard, Color, Position, Square, attacks};

use super::{Variant, tapered};
use crate::evaluation::Tapered;

/// Value of each square that a piece can go to.
const FREEDOM: (i32, i32) = (-4, -4);

impl Variant for Antichess {
    // Burdens. Long-range pieces are the easiest to make capture.
    const VALUES: [i32; 6] = [-100; 6];
    const NETWORK: Option<&'static [u8]> = embedded!("antichess.net");
    const OWN_TERM: Option<&'static str> = Some("freedom");

    /// Squares that the pieces of `color` attack and do not occupy themselves, pawns apart.
    fn own_term(&self, color: Color) -> Tapered {
        let board = self.board();
        let own = board.by_color(color);
        let reach = |square: Square| {
            let piece = board.piece_at(square);
            piece.map_or(Bitboard::EMPTY, |piece| attacks::attacks(square, piece, board.occupied()))
        };
        let pieces = own & !board.pawns();
        let squares: usize = pieces.into_iter().map(|square| (reach(square) & !own).count()).sum();
        tapered(FREEDOM) * squares as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::variants::tests::own_term_lead;

    #[test]
    fn freedom_is_a_burden() {
        let lead = own_term_lead::<Antichess>("8/8/8/8/8/8/8/R6n w - - 0 1");
        assert_eq!(lead, FREEDOM.0 * (14 - 2));
    }
}
