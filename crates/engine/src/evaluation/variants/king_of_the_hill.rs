//! King of the hill: the king's distance from the four central squares.

use shakmaty::variant::KingOfTheHill;
use shakmaty::{Bitboard, Color, Position};

use super::{Variant, tapered};
use crate::evaluation::Tapered;

/// Value of a king by its steps from the hill, opening and endgame.
const HILL: [(i32, i32); 4] = [(400, 600), (180, 360), (50, 140), (0, 0)];

impl Variant for KingOfTheHill {
    const TABLES: Option<&'static str> = Some(include_str!("kingofthehill.txt"));
    const NETWORK: Option<&'static [u8]> = embedded!("kingofthehill.net");
    const OWN_TERM: Option<&'static str> = Some("way to the hill");

    fn own_term(&self, color: Color) -> Tapered {
        let Some(king) = self.board().king_of(color) else { return Tapered::ZERO };
        let steps = Bitboard::CENTER.into_iter().map(|square| square.distance(king)).min();
        let steps = steps.unwrap_or(3) as usize;
        tapered(HILL[steps.min(HILL.len() - 1)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::variants::tests::own_term_lead;

    #[test]
    fn the_nearer_king_leads() {
        assert_eq!(own_term_lead::<KingOfTheHill>("4k3/8/8/8/8/3K4/8/8 w - - 0 1"), HILL[1].0);
    }
}
