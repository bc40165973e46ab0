//! Three-check: checks given so far.

use shakmaty::variant::ThreeCheck;
use shakmaty::{ByColor, Color, Position};

use super::{Variant, tapered};
use crate::evaluation::Tapered;

/// Value of the checks given, opening and endgame, by their number.
const CHECKS: [(i32, i32); 4] = [(0, 0), (300, 240), (900, 700), (900, 700)];

impl Variant for ThreeCheck {
    const TABLES: Option<&'static str> = Some(include_str!("3check.txt"));
    const NETWORK: Option<&'static [u8]> = embedded!("3check.net");
    const EXTRAS: usize = 2;
    const OWN_TERM: Option<&'static str> = Some("checks given");

    /// At least one check given, at least two.
    fn extras(&self) -> ByColor<u32> {
        ByColor::new_with(|color| (1 << checks_given(self, color).min(2)) - 1)
    }

    fn own_term(&self, color: Color) -> Tapered {
        tapered(CHECKS[checks_given(self, color)])
    }
}

/// Checks given by `color`, 0 to 3.
fn checks_given(position: &ThreeCheck, color: Color) -> usize {
    let remaining = position.remaining_checks().map_or(3, |remaining| remaining[color].into());
    3_usize.saturating_sub(remaining)
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
