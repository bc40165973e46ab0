//! A value that fades from the opening to the endgame, both halves in one word.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// The phase of a full board; see [`super::material::phase`].
pub const FULL_PHASE: i32 = 24;

/// An opening and an endgame value in centipawns, each within ±16,000, packed so that one
/// addition adds both.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered(i32);

impl Tapered {
    /// Zero in both phases.
    pub const ZERO: Tapered = Tapered(0);

    /// A pair of centipawn values.
    pub const fn new(opening: i32, endgame: i32) -> Tapered {
        Tapered((endgame << 16) + opening)
    }

    /// The opening half, in centipawns.
    #[inline]
    pub const fn opening(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame half, in centipawns.
    #[inline]
    pub const fn endgame(self) -> i32 {
        // A negative opening half has borrowed one from this half: return it.
        (self.0.wrapping_add(0x8000)) >> 16
    }

    /// The value at `phase`, from [`FULL_PHASE`] (opening) to 0 (endgame); more counts as full.
    #[inline]
    pub const fn at_phase(self, phase: i32) -> i32 {
        let phase = if phase > FULL_PHASE { FULL_PHASE } else { phase };
        (self.opening() * phase + self.endgame() * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tapered({}, {})", self.opening(), self.endgame())
    }
}

impl Add for Tapered {
    type Output = Tapered;
    #[inline]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_add(other.0))
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    #[inline]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_sub(other.0))
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline]
    fn mul(self, factor: i32) -> Tapered {
        Tapered(self.0.wrapping_mul(factor))
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    #[inline]
    fn neg(self) -> Tapered {
        Tapered(self.0.wrapping_neg())
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_halves_add_independently(a in -7000..7000i32, b in -7000..7000i32, c in -7000..7000i32, d in -7000..7000i32) {
            let sum = Tapered::new(a, b) + Tapered::new(c, d);
            prop_assert_eq!((sum.opening(), sum.endgame()), (a + c, b + d));
            let difference = Tapered::new(a, b) - Tapered::new(c, d);
            prop_assert_eq!((difference.opening(), difference.endgame()), (a - c, b - d));
            prop_assert_eq!((-sum).endgame(), -(b + d));
            let twice = Tapered::new(a, b) * -2;
            prop_assert_eq!((twice.opening(), twice.endgame()), (-2 * a, -2 * b));
        }
    }

    #[test]
    fn the_phase_blends_from_opening_to_endgame() {
        let value = Tapered::new(120, -24);
        assert_eq!(value.at_phase(FULL_PHASE), 120);
        assert_eq!(value.at_phase(0), -24);
        assert_eq!(value.at_phase(12), 48);
        assert_eq!(value.at_phase(30), 120);
    }
}
