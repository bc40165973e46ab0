//! The seven other rule sets of shakmaty, by the defaults of [`Rules`].
//!
//! Each says here what sets it apart from chess as far as a search or an evaluation has to know.

use shakmaty::variant::{
    Antichess, Atomic, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck, Variant,
};

use super::Rules;

impl Rules for Atomic {
    const VARIANT: Variant = Variant::Atomic;
    const CAPTURES_EXPLODE: bool = true;
}

impl Rules for Antichess {
    const VARIANT: Variant = Variant::Antichess;

    /// There are no checks, and passing would dodge the duty to capture.
    fn pass(&self) -> Option<Self> {
        None
    }
}

impl Rules for KingOfTheHill {
    const VARIANT: Variant = Variant::KingOfTheHill;
}

impl Rules for ThreeCheck {
    const VARIANT: Variant = Variant::ThreeCheck;
}

impl Rules for Crazyhouse {
    const VARIANT: Variant = Variant::Crazyhouse;
}

impl Rules for RacingKings {
    const VARIANT: Variant = Variant::RacingKings;
}

impl Rules for Horde {
    const VARIANT: Variant = Variant::Horde;
}
