//! Racing kings: the kings' way to the eighth rank.

use shakmaty::variant::RacingKings;
use shakmaty::{Color, Position};

use super::Variant;
use crate::evaluation::Tapered;

/// Value of a king on each rank, from the first to the eighth.
const RACE: [i32; 8] = [0, 120, 280, 480, 720, 1000, 1320, 1800];

impl Variant for RacingKings {
    // There are no pawns, and an extra queen counts for less than a king ahead.
    const VALUES: [i32; 6] = [100, 300, 300, 500, 900, 5000];
    const TABLES: Option<&'static str> = Some(include_str!("racingkings.txt"));
    const NETWORK: Option<&'static [u8]> = embedded!("racingkings.net");
    // Both race the same way.
    const RANKS_TURN: bool = false;
    const OWN_TERM: Option<&'static str> = Some("race");

    fn own_term(&self, color: Color) -> Tapered {
        let rank = self.board().king_of(color).map_or(0, |king| king.rank() as usize);
        Tapered::new(RACE[rank], RACE[rank])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::variants::tests::own_term_lead;

    #[test]
    fn the_king_ahead_leads() {
        assert_eq!(own_term_lead::<RacingKings>("8/8/8/4K3/8/8/8/k7 w - - 0 1"), RACE[4]);
    }
}
