//! Horde: the advance of the pawns of the side without a king.

use shakmaty::variant::Horde;
use shakmaty::{Color, Position};

use super::{Variant, tapered};
use crate::evaluation::Tapered;
use crate::evaluation::linear::Weights;

/// Value of a pawn of the horde, by rank from its own first to its eighth.
const MARCH: [(i32, i32); 8] =
    [(0, 0), (0, 0), (5, 12), (12, 30), (25, 62), (50, 150), (100, 350), (0, 0)];

impl Variant for Horde {
    // Only Black has a king, and its pieces stand better away from it. Without king safety: 56 Elo more (±
    // 29) in 400 games of self-play; other weights of proximity brought nothing.
    const WEIGHTS: Option<Weights> =
        Some(Weights { safety: (0, 0), proximity: Weights::DEFAULT.proximity });
    const NETWORK: Option<&'static [u8]> = embedded!("horde.net");
    const MAX_PIECES: usize = 36 + 16;
    const OWN_TERM: Option<&'static str> = Some("march");

    /// Pawns of the side with a king are ordinary ones.
    fn own_term(&self, color: Color) -> Tapered {
        let board = self.board();
        if board.king_of(color).is_some() {
            return Tapered::ZERO;
        }
        let pawns = board.by_color(color) & board.pawns();
        pawns.into_iter().fold(Tapered::ZERO, |sum, square| {
            sum + tapered(MARCH[color.relative_rank(square.rank()) as usize])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::variants::tests::own_term_lead;

    #[test]
    fn the_horde_marches() {
        assert_eq!(own_term_lead::<Horde>("4k3/8/4P3/8/8/8/8/8 w - - 0 1"), MARCH[5].0);
    }
}
