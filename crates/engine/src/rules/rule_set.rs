//! The names of the rule sets. This file has the only list of them: the run-time [`RuleSet`], its names and
//! every dispatch from a name to a type are made from it.

use std::fmt;
use std::str::FromStr;

use super::Rules;
use crate::remark::Remark;

/// Passes the list of all rule sets, `Name: Type`, to the macro `$use`. To add a rule set, add a line.
macro_rules! for_each_rule_set {
    ($use:ident) => {
        $use! {
            Chess: shakmaty::Chess,
            Atomic: shakmaty::variant::Atomic,
            Antichess: shakmaty::variant::Antichess,
            KingOfTheHill: shakmaty::variant::KingOfTheHill,
            ThreeCheck: shakmaty::variant::ThreeCheck,
            Crazyhouse: shakmaty::variant::Crazyhouse,
            RacingKings: shakmaty::variant::RacingKings,
            Horde: shakmaty::variant::Horde,
        }
    };
}
pub(crate) use for_each_rule_set;

/// As [`for_each_rule_set`], for what compiles the whole search for each. The unit tests of this crate search in chess
/// alone; those of the other rule sets use the crate from outside, where it is compiled already.
#[cfg(not(test))]
pub(crate) use for_each_rule_set as for_each_searched_rule_set;
#[cfg(test)]
macro_rules! for_each_searched_rule_set {
    ($use:ident) => {
        $use! { Chess: shakmaty::Chess, }
    };
}
#[cfg(test)]
pub(crate) use for_each_searched_rule_set;

macro_rules! declare_rule_set {
    ($($name:ident: $rules:ty,)*) => {
        /// A rule set that is known only at run time.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        #[expect(missing_docs, reason = "each rule set is described in its own file")]
        pub enum RuleSet {
            #[default]
            $($name,)*
        }

        impl RuleSet {
            /// All rule sets, in the order in which they are offered.
            pub const ALL: &[RuleSet] = &[$(RuleSet::$name,)*];

            /// Their names in UCI, in the same order.
            pub const NAMES: &[&str] = &[$(<$rules as Rules>::NAME,)*];

            /// Other names of the rule set.
            const fn aliases(self) -> &'static [&'static str] {
                match self {
                    $(RuleSet::$name => <$rules as Rules>::ALIASES,)*
                }
            }
        }
    };
}
for_each_rule_set!(declare_rule_set);

impl RuleSet {
    /// Its name in UCI.
    pub const fn name(self) -> &'static str {
        RuleSet::NAMES[self as usize]
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown name of a rule set. The text lists the names, with a hint to the nearest one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct UnknownRuleSetError(pub Remark);

impl FromStr for RuleSet {
    type Err = UnknownRuleSetError;

    /// Reads a name of UCI, or another unambiguous name. Case, spaces and punctuation do not matter.
    ///
    /// ```
    /// use engine::rules::RuleSet;
    ///
    /// assert_eq!("3check".parse(), Ok(RuleSet::ThreeCheck));
    /// assert_eq!("King of the Hill".parse(), Ok(RuleSet::KingOfTheHill));
    /// assert!("giveaway".parse::<RuleSet>().unwrap_err().to_string().contains("antichess"));
    /// ```
    fn from_str(name: &str) -> Result<RuleSet, UnknownRuleSetError> {
        let letters = name.chars().filter(char::is_ascii_alphanumeric).take(40);
        let word = letters.collect::<String>().to_ascii_lowercase();
        let is_meant = |rule_set: &RuleSet| {
            rule_set.name() == word || rule_set.aliases().contains(&word.as_str())
        };
        let found = RuleSet::ALL.iter().copied().find(is_meant);
        let names = RuleSet::NAMES.join(", ");
        found.ok_or_else(|| UnknownRuleSetError(Remark::new(advice(&word), [("names", &names)])))
    }
}

/// The key of the advice to the name of an unsupported rule set.
fn advice(word: &str) -> &'static str {
    match word {
        "giveaway" | "suicide" | "losers" | "losing" => "rules.antichess",
        "chess960" | "fischerandom" | "fischerrandom" | "960" | "frc" => "rules.chess960",
        "5check" => "rules.3check",
        "bughouse" | "house" | "loop" | "chessgi" => "rules.crazyhouse",
        _ => "rules.known",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_means_its_own_rules() {
        assert_eq!(RuleSet::NAMES.len(), RuleSet::ALL.len());
        for &rule_set in RuleSet::ALL {
            assert_eq!(rule_set.name().parse(), Ok(rule_set));
            for alias in rule_set.aliases() {
                assert_eq!(alias.parse(), Ok(rule_set));
            }
        }
        macro_rules! check {
            ($($name:ident: $rules:ty,)*) => {
                $(assert_eq!(<$rules as Rules>::RULE_SET, RuleSet::$name);)*
            };
        }
        for_each_rule_set!(check);
    }

    #[test]
    fn other_names_are_understood_or_answered() {
        for (name, rule_set) in [
            ("KOTH", RuleSet::KingOfTheHill),
            ("three-check", RuleSet::ThreeCheck),
            ("zh", RuleSet::Crazyhouse),
            ("Racing_Kings", RuleSet::RacingKings),
            ("standard", RuleSet::Chess),
        ] {
            assert_eq!(name.parse(), Ok(rule_set));
        }
        let advice = |name: &str| name.parse::<RuleSet>().unwrap_err().to_string();
        assert!(advice("fischerandom").contains("UCI_Chess960"));
        assert!(advice("suicide").contains("antichess"));
        assert!(advice("").starts_with("one of chess, atomic"));
    }
}
