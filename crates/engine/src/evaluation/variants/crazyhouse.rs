//! Crazyhouse: pieces in hand.

use shakmaty::variant::Crazyhouse;
use shakmaty::{ByColor, Color, Position, Role};

use super::Variant;
use crate::evaluation::Tapered;

/// Value of a piece in hand, pawn to queen.
const POCKET: [(Role, i32); 5] = [
    (Role::Pawn, 110),
    (Role::Knight, 270),
    (Role::Bishop, 260),
    (Role::Rook, 330),
    (Role::Queen, 570),
];

/// Pieces in hand that the network tells apart, 22 in all; more count as so many.
const HELD: [(Role, u32); 5] =
    [(Role::Pawn, 8), (Role::Knight, 4), (Role::Bishop, 4), (Role::Rook, 4), (Role::Queen, 2)];

impl Variant for Crazyhouse {
    // On the board or in hand, attack counts: long range loses its value.
    const VALUES: [i32; 6] = [100, 250, 250, 320, 550, 5000];
    const TABLES: Option<&'static str> = Some(include_str!("crazyhouse.txt"));
    const NETWORK: Option<&'static [u8]> = embedded!("crazyhouse.net");
    const EXTRAS: usize = 22;
    const OWN_TERM: Option<&'static str> = Some("pieces in hand");

    /// At least one pawn in hand, at least two, and so on, then the other roles alike.
    fn extras(&self) -> ByColor<u32> {
        let Some(pockets) = self.pockets() else { return ByColor::default() };
        ByColor::new_with(|color| {
            let mut first = 0;
            HELD.iter().fold(0, |bits, &(role, most)| {
                let held = u32::from(pockets[color][role]).min(most);
                let bits = bits | ((1 << held) - 1) << first;
                first += most;
                bits
            })
        })
    }

    fn own_term(&self, color: Color) -> Tapered {
        self.pockets().map_or(Tapered::ZERO, |pockets| {
            let in_hand = &pockets[color];
            let worth = POCKET.iter().map(|&(role, worth)| worth * i32::from(in_hand[role])).sum();
            Tapered::new(worth, worth)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::variants::tests::own_term_lead;

    #[test]
    fn pieces_in_hand_count() {
        let lead = own_term_lead::<Crazyhouse>("4k3/8/8/8/8/8/8/4K3[Nq] w - - 0 1");
        assert_eq!(lead, 270 - 570);
    }
}
