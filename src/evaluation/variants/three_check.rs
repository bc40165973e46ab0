//! Three-check: checks given so far.

use shakmaty::variant::ThreeCheck;
use shakmaty::{Color, Position};

use super::{Variant, tapered};
use crate::evaluation::Tapered;

/// Value of the checks given, opening and endgame, by their number.
const CHECKS: [(i32, i32); 4] = [(0, 0), (300, 240), (900, 700), (900, 700)];

impl Variant for ThreeCheck {
    const TABLES: Option<&'static str> = Some(include_str!("3check.txt"));
    const OWN_TERM: Option<&'static str> = Some("checks given");

    fn own_term(&self, color: Color) -> Tapered {
        self.remaining_checks().map_or(Tapered::ZERO, |remaining| {
            let given = 3_usize.saturating_sub(u32::from(remaining[color]) as usize);
            tapered(CHECKS[given])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::variants::tests::own_term_lead;

    #[test]
    fn checks_given_count() {
        let lone = "4k3/8/8/8/8/8/8/R3K3";
        let lead =
            |checks: &str| own_term_lead::<ThreeCheck>(&format!("{lone} w - - {checks} 0 1"));
        assert_eq!((lead("3+3"), lead("1+3")), (0, CHECKS[2].0));
    }
}
