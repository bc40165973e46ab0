//! Crazyhouse: pieces in hand.

use shakmaty::variant::Crazyhouse;
use shakmaty::{Color, Position, Role};

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

impl Variant for Crazyhouse {
    // On the board or in hand, attack counts: long range loses its value.
    const VALUES: [i32; 6] = [100, 250, 250, 320, 550, 5000];
    const TABLES: Option<&'static str> = Some(include_str!("crazyhouse.txt"));
    const OWN_TERM: Option<&'static str> = Some("pieces in hand");

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
