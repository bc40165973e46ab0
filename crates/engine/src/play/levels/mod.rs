//! Levels of play: a base depth each, what they see beyond it, and the depth of every move.
//!
//! The three depths and their names come from the paper behind the evaluation (section 8). Levels 3 and 4 search
//! full width, level 5 almost, with the same search as the full strength and other [`Parameters`]. [`policy`] adjusts
//! the depth as the game goes on by one of the [`form`]s, [`leaf_count`] measures the choices in a position,
//! [`decision`] explains the depth of a move, and [`oversight`] is what a beginner does not notice.
//!
#![doc = include_str!("../../../../../docs/levels.md")]

pub mod decision;
pub mod form;
pub mod leaf_count;
pub mod oversight;
pub mod policy;

use std::str::FromStr;

use crate::evaluation::{Evaluation, Variant};
use crate::limits::{DepthPlan, Limits};
use crate::logging;
use crate::rules::Game;
use crate::score::MAX_PLY;
use crate::search::parameters::Parameters;
use crate::search::report::{Outcome, Reporter};
use crate::search::{Options, Searcher};

use decision::Decision;
use form::Form;
use oversight::Oversight;
use policy::DepthPolicy;

/// A level of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Level {
    /// The clock decides.
    #[default]
    Unlimited,
    /// Looks 3 half-moves ahead.
    Beginner,
    /// Looks 4 half-moves ahead.
    Intermediate,
    /// Looks 5 half-moves ahead.
    Advanced,
}

/// Least reduction of an advanced player's null move, in plies: of a search five plies deep more of it leaves nothing.
const NULL_MOVE_REDUCTION: i32 = 3;

impl Level {
    /// All levels.
    pub const ALL: [Level; 4] =
        [Level::Unlimited, Level::Beginner, Level::Intermediate, Level::Advanced];

    /// The names of all levels, in the order of [`Level::ALL`].
    pub const NAMES: &[&str] = &["unlimited", "3-beginner", "4-intermediate", "5-advanced"];

    /// The level's name, as the options write it.
    pub const fn name(self) -> &'static str {
        Level::NAMES[self as usize]
    }

    /// Base depth, in plies; `None` if the clock decides.
    pub const fn base(self) -> Option<u32> {
        match self {
            Level::Unlimited => None,
            Level::Beginner => Some(3),
            Level::Intermediate => Some(4),
            Level::Advanced => Some(5),
        }
    }

    /// The level of this base depth, in plies.
    pub fn of_base(base: u32) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.base() == Some(base))
    }

    /// The parameters of the level's search, from those of the full strength. A beginner and an intermediate player
    /// search full width, and evaluate in the middle of an exchange, one half-move later each. An advanced player adds
    /// the null move to that, waits for quiet and follows checks.
    pub fn parameters(self, full: &Parameters) -> Parameters {
        let width = full.clone().full_width();
        match self {
            Level::Unlimited => full.clone(),
            Level::Beginner | Level::Intermediate => Parameters { qsearch_plies: 0, ..width },
            Level::Advanced => Parameters {
                check_extension_depth: MAX_PLY as i32,
                null_move_depth: full.null_move_depth,
                null_move_reduction: NULL_MOVE_REDUCTION,
                ..width
            },
        }
    }

    /// What the level overlooks of its own moves, beyond the limits of its search.
    pub const fn oversight(self) -> Option<Oversight> {
        match self {
            Level::Beginner => Some(Oversight { moves: 0.43, replies: 0.18 }),
            _ => None,
        }
    }
}

/// A player at a level: its search's parameters, and the limits of every move.
#[derive(Clone, Debug)]
pub struct LevelPlayer {
    policy: DepthPolicy,
    parameters: Parameters,
    oversight: Option<Oversight>,
    seed: u64,
}

impl LevelPlayer {
    /// A player at `level` with this form of the depth policy; `full` are the parameters of the full
    /// strength. The seed varies what a beginner overlooks. `None` if the level is unlimited.
    pub fn new(level: Level, form: Form, full: &Parameters, seed: u64) -> Option<LevelPlayer> {
        let policy = DepthPolicy::new(form, level.base()?);
        let (parameters, oversight) = (level.parameters(full), level.oversight());
        Some(LevelPlayer { policy, parameters, oversight, seed })
    }

    /// Searches as deep as the policy decides, within `limits`, and explains the depth in a remark. The searcher has
    /// its own options again afterwards.
    pub fn play<P: Variant>(
        &self,
        searcher: &mut Searcher<P>,
        game: &Game<P>,
        limits: &Limits,
        reporter: &mut dyn Reporter,
    ) -> Outcome {
        let full = searcher.options().clone();
        let (limits, decision) = self.limits(game, searcher.evaluator(), limits);
        searcher.set_options(Options { parameters: self.parameters.clone(), ..full.clone() });
        let outcome = searcher.search(game, &limits, reporter);
        searcher.set_options(full);
        if outcome.best.is_some() {
            let reason = decision.reason(outcome.depth, outcome.nodes);
            log::debug!(
                target: logging::LEVELS,
                "{}; {}",
                reason.details,
                decision.arithmetic()
            );
            reporter.reason(&reason);
        }
        outcome
    }

    /// The limits of the move in `game`, within `limits`, and the decision on its depth.
    pub fn limits<P: Variant>(
        &self,
        game: &Game<P>,
        evaluator: &Evaluation<P>,
        limits: &Limits,
    ) -> (Limits, Decision) {
        let decision = self.policy.decide(game.position(), evaluator, &self.parameters);
        let mut limits = Limits { plan: Some(decision.plan()), ..limits.clone() };
        if let Some(oversight) = self.oversight
            && limits.search_moves.is_empty()
        {
            limits.search_moves = oversight.noticed(game, self.seed);
            for m in &limits.search_moves {
                log::trace!(target: logging::LEVELS, "notices {m}");
            }
            // Under the clock of a game a search of one move ends at once: here it does so under every clock, so that
            // the history of the search, and with it the next moves, stay the same.
            let is_forced = limits.search_moves.len() == 1;
            if is_forced || oversight.forgets_reply(game, self.seed) {
                log::trace!(target: logging::LEVELS, "does not look at the reply");
                limits.plan = Some(DepthPlan::exactly(1));
            }
        }
        (limits, decision)
    }
}

/// An unknown name of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("levels are {}", Level::NAMES.join(", "))]
pub struct UnknownLevelError;

impl FromStr for Level {
    type Err = UnknownLevelError;

    /// Reads the whole name, its number or its word; case does not matter.
    fn from_str(text: &str) -> Result<Level, UnknownLevelError> {
        let is_meant = |level: &Level| {
            let name = level.name();
            let parts = name.split_once('-').map_or([name, name], |(number, word)| [number, word]);
            [name, parts[0], parts[1]].iter().any(|accepted| accepted.eq_ignore_ascii_case(text))
        };
        let found = Level::ALL.into_iter().find(is_meant);
        found.ok_or(UnknownLevelError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_has_a_name_a_number_and_a_word() {
        for (texts, level) in [
            (&["4-intermediate", "4", "intermediate", "Intermediate"][..], Level::Intermediate),
            (&["3", "BEGINNER", "3-Beginner"], Level::Beginner),
            (&["5", "advanced"], Level::Advanced),
            (&["unlimited"], Level::Unlimited),
        ] {
            for text in texts {
                assert_eq!(text.parse(), Ok(level), "{text}");
            }
        }
        for text in ["", "2", "6", "3-", "-beginner", "3-advanced", "expert"] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_a_level_sees_grows() {
        let full = Parameters::default();
        let levels = [Level::Beginner, Level::Intermediate, Level::Advanced];
        // A quiescence of no plies sees to the base depth.
        let plies = levels
            .map(|level| level.base().unwrap() as i32 + level.parameters(&full).qsearch_plies);
        assert!(plies[0] < plies[1] && plies[1] < plies[2], "{plies:?}");
        assert_eq!(Level::Unlimited.parameters(&full), full);
    }

    #[test]
    fn names_and_base_depths_agree() {
        for level in Level::ALL {
            let number = level.name().split_once('-').map(|(number, _)| number.parse().unwrap());
            assert_eq!(number, level.base());
        }
    }
}
