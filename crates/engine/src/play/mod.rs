//! Who plays: at full strength, at a level, at a limited strength, or with a model of the opponent.
//!
//! [`levels`] look a fixed number of half-moves ahead and more as choices shrink, [`strength`] plays at a
//! rating, with a person's errors, [`opponent`] expects the opponent's mistakes, [`estimate`] finds the rating of a
//! player, [`pace`] takes a person's time, and [`draw`] answers the offer of a draw. [`Mode`] is the choice among them,
//! [`Mind`] the one who thinks: sessions, matches and tests all come through [`Mind::think`].

pub mod draw;
pub mod estimate;
pub mod levels;
pub mod opponent;
pub mod pace;
mod sight;
pub mod strength;

use std::any::Any;
use std::sync::Arc;

use crate::evaluation::Variant;
use crate::limits::Limits;
use crate::rules::{Game, for_each_searched_rule_set};
use crate::score::Score;
use crate::search::report::{Outcome, Reporter};
use crate::search::table::OutOfMemoryError;
use crate::search::{Searcher, Signals};

use levels::LevelPlayer;
use opponent::OpponentModel;
use strength::{LimitedPlayer, Strength};

/// Who is to play.
#[derive(Clone, Debug, Default)]
pub enum Mode {
    /// The search at its full strength.
    #[default]
    Full,
    /// The search at a level.
    Level(Box<LevelPlayer>),
    /// A player of a rating.
    Limited(Strength),
    /// The search at its full strength, against an opponent of this rating, whose mistakes it expects.
    Model(u32),
}

impl Mode {
    /// Who plays within `limits`. Analysis has the full strength: an infinite search or one for a mate, and at a level
    /// any search whose depth is given.
    pub fn within(&self, limits: &Limits) -> Mode {
        let is_full = match self {
            Mode::Level(_) => limits.fixes_depth(),
            Mode::Limited(_) => limits.infinite || limits.mate.is_some(),
            Mode::Full | Mode::Model(_) => false,
        };
        if is_full { Mode::Full } else { self.clone() }
    }

    /// The same with this seed for the errors of a limited strength that has none.
    pub fn seeded(&self, seed: u64) -> Mode {
        match *self {
            Mode::Limited(strength) if strength.seed == 0 => {
                Mode::Limited(Strength { seed, ..strength })
            }
            _ => self.clone(),
        }
    }
}

/// One who thinks about moves.
pub enum Mind<P: Variant> {
    /// See [`Mode::Full`].
    Full,
    /// See [`Mode::Level`].
    Level(Box<LevelPlayer>),
    /// See [`Mode::Limited`].
    Limited(LimitedPlayer<P>),
    /// See [`Mode::Model`].
    Model(OpponentModel<P>),
}

impl<P: Variant> Mind<P> {
    /// The one who plays in this mode, and loses `move_overhead` milliseconds on every move.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if there is no memory for a transposition table of its own.
    pub fn new(mode: Mode, move_overhead: u64) -> Result<Mind<P>, OutOfMemoryError> {
        Ok(match mode {
            Mode::Full => Mind::Full,
            Mode::Level(level) => Mind::Level(level),
            Mode::Limited(strength) => Mind::Limited(LimitedPlayer::new(strength, move_overhead)?),
            Mode::Model(elo) => Mind::Model(OpponentModel::new(elo)?),
        })
    }

    /// Fresh signals for the next move, as [`Searcher::renew_signals`].
    pub fn renew_signals(&mut self, searcher: &mut Searcher<P>, pondering: bool) -> Arc<Signals> {
        match self {
            Mind::Limited(limited) => limited.renew_signals(pondering),
            _ => searcher.renew_signals(pondering),
        }
    }

    /// The move in `game` within `limits`. A limited strength thinks without the `searcher`; all others lend it what
    /// it needs and leave its options as they were.
    pub fn think(
        &mut self,
        searcher: &mut Searcher<P>,
        game: &Game<P>,
        limits: &Limits,
        reporter: &mut dyn Reporter,
    ) -> Outcome {
        // Always there, because the list has every rule set.
        think_compiled_here(self, searcher, game, limits, reporter)
            .unwrap_or_else(|| Outcome::unsearched(None, Score::DRAW))
    }

    fn think_here(
        &mut self,
        searcher: &mut Searcher<P>,
        game: &Game<P>,
        limits: &Limits,
        reporter: &mut dyn Reporter,
    ) -> Outcome {
        match self {
            Mind::Full => searcher.search(game, limits, reporter),
            Mind::Level(level) => level.play(searcher, game, limits, reporter),
            Mind::Limited(limited) => limited.play(game, limits, reporter),
            Mind::Model(model) => model.play(searcher, game, limits, reporter),
        }
    }
}

/// Declares the one way to all who play, with every rule set in this crate, for the reason that `search` has one, too.
macro_rules! compile_here {
    ($($name:ident: $rules:ty,)*) => {
        /// Lets `mind` think; `None` if the three are not of one of the rule sets.
        fn think_compiled_here(
            mind: &mut dyn Any,
            searcher: &mut dyn Any,
            game: &dyn Any,
            limits: &Limits,
            reporter: &mut dyn Reporter,
        ) -> Option<Outcome> {
            $(
                if let Some(mind) = mind.downcast_mut::<Mind<$rules>>() {
                    let (searcher, game) = (searcher.downcast_mut()?, game.downcast_ref()?);
                    return Some(mind.think_here(searcher, game, limits, reporter));
                }
            )*
            None
        }
    };
}
for_each_searched_rule_set!(compile_here);
