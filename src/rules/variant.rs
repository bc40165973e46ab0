//! The eight rule sets by name: which words mean which, and the one place that turns a name into
//! a type.

use shakmaty::Chess;
use shakmaty::variant::{
    Antichess, Atomic, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck, Variant,
};

use super::Rules;

/// The names of the rule sets in UCI, in the order that they are offered.
pub const NAMES: &[&str] = &[
    "chess",
    "atomic",
    "antichess",
    "kingofthehill",
    "3check",
    "crazyhouse",
    "racingkings",
    "horde",
];

/// Something to do for a rule set that is known only at run time.
pub trait Task {
    /// What comes of it.
    type Outcome;

    /// Does it for the rule set `P`.
    fn run<P: Rules>(self) -> Self::Outcome;
}

/// Does `task` for the rule set `variant`.
pub fn with<T: Task>(variant: Variant, task: T) -> T::Outcome {
    match variant {
        Variant::Chess => task.run::<Chess>(),
        Variant::Atomic => task.run::<Atomic>(),
        Variant::Antichess => task.run::<Antichess>(),
        Variant::KingOfTheHill => task.run::<KingOfTheHill>(),
        Variant::ThreeCheck => task.run::<ThreeCheck>(),
        Variant::Crazyhouse => task.run::<Crazyhouse>(),
        Variant::RacingKings => task.run::<RacingKings>(),
        Variant::Horde => task.run::<Horde>(),
    }
}

/// The rule set that `name` means: a name of UCI, or another that can mean nothing else.
///
/// ```
/// use ajedrecista::rules::variant::named;
/// use shakmaty::variant::Variant;
///
/// assert_eq!(named("3check"), Ok(Variant::ThreeCheck));
/// assert_eq!(named("King of the Hill"), Ok(Variant::KingOfTheHill));
/// assert!(named("giveaway").unwrap_err().contains("antichess"));
/// ```
///
/// # Errors
/// A name of no rule set that is known here; the text says which one was perhaps meant.
pub fn named(name: &str) -> Result<Variant, String> {
    let plain: String =
        name.chars().filter(char::is_ascii_alphanumeric).take(40).collect::<String>();
    let meant = match plain.to_ascii_lowercase().as_str() {
        "standard" | "normal" => "chess",
        "koth" => "kingofthehill",
        "threecheck" | "3checks" | "threechecks" => "3check",
        "zh" => "crazyhouse",
        "racing" => "racingkings",
        word => return Variant::from_uci(word).map_err(|_| advice(word)),
    };
    Variant::from_uci(meant).map_err(|_| advice(meant))
}

/// What to say to somebody who asked for a rule set that is not known here.
fn advice(word: &str) -> String {
    let hint = match word {
        "giveaway" | "suicide" | "losers" | "losing" => {
            "; antichess, the nearest, has no castling, compulsory captures, and a stalemate wins \
             for the side to move"
        }
        "chess960" | "fischerandom" | "fischerrandom" | "960" | "frc" => {
            "; Chess960 is chess with UCI_Chess960 set to true"
        }
        "5check" => "; 3check is known",
        "bughouse" | "house" | "loop" | "chessgi" => "; crazyhouse is the nearest",
        _ => "",
    };
    format!("one of {}{hint}", NAMES.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Which;

    impl Task for Which {
        type Outcome = Variant;

        fn run<P: Rules>(self) -> Variant {
            P::VARIANT
        }
    }

    #[test]
    fn every_name_leads_to_its_own_rules() {
        assert_eq!(NAMES.len(), Variant::ALL.len());
        for name in NAMES {
            let variant = named(name).unwrap();
            assert_eq!(variant.uci(), *name);
            assert_eq!(with(variant, Which), variant);
        }
    }

    #[test]
    fn other_names_are_understood_or_answered() {
        for (name, variant) in [
            ("KOTH", Variant::KingOfTheHill),
            ("three-check", Variant::ThreeCheck),
            ("zh", Variant::Crazyhouse),
            ("Racing_Kings", Variant::RacingKings),
            ("standard", Variant::Chess),
        ] {
            assert_eq!(named(name), Ok(variant));
        }
        assert!(named("fischerandom").unwrap_err().contains("UCI_Chess960"));
        assert!(named("suicide").unwrap_err().contains("antichess"));
        assert!(named("").unwrap_err().starts_with("one of chess, atomic"));
    }
}
