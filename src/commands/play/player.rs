//! The player's rating during a game: what is known from earlier games, and what each move adds.

use shakmaty::Move;

use super::profile::{Known, Profile};
use crate::commands::counted;
use engine::evaluation::Variant;
use engine::play::estimate::{Estimate, Estimator, Evidence, Follower};
use engine::rules::Game;
use engine::search::table::OutOfMemoryError;

/// The player of a game.
pub struct Player<P: Variant> {
    profile: Profile,
    estimator: Estimator<P>,
    known: Known,
    follower: Follower,
}

impl<P: Variant> Player<P> {
    /// The player at the beginning of a game, with a remark if the profile cannot be read.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if there is no memory for the estimator.
    pub fn new(profile: Profile) -> Result<(Player<P>, Option<String>), OutOfMemoryError> {
        let (known, remark) = profile.known(P::RULE_SET);
        let estimator = Estimator::new()?;
        let follower = Follower::new(aged(known));
        Ok((Player { profile, estimator, known, follower }, remark))
    }

    /// Begins another game.
    pub fn begin_again(&mut self) {
        self.known = self.profile.known(P::RULE_SET).0;
        self.follower = Follower::new(aged(self.known));
    }

    /// The strength that is equal to the player's, in Elo.
    pub fn elo(&self) -> u32 {
        self.follower.elo()
    }

    /// Judges the player's move `m` in `game`, which does not count if it is `helped`, against an opponent of
    /// `strength`. Returns the player's new strength if it changes.
    pub fn note(&mut self, game: &Game<P>, m: Move, helped: bool, strength: u32) -> Option<u32> {
        let evidence = if helped { Evidence::default() } else { self.estimator.judge(game, m) };
        self.follower.note(evidence, strength)
    }

    /// Forgets all moves of the player after the first `count`.
    pub fn take_back_to(&mut self, count: usize) {
        self.follower.truncate(count);
    }

    /// Remembers the player's rating after the game, which brought it this many `points`: 1, 0.5 or 0; `None` if its
    /// result says nothing. Returns false if the game told nothing.
    ///
    /// # Errors
    /// A profile that cannot be written.
    pub fn remember(&mut self, points: Option<f64>) -> Result<bool, String> {
        let moves = self.follower.telling_moves();
        if moves == 0 {
            return Ok(false);
        }
        // Another game may have ended meanwhile.
        let known = self.profile.known(P::RULE_SET).0;
        self.known = Known {
            estimate: self.follower.finish(aged(known), points),
            games: known.games.saturating_add(1),
            moves: known.moves.saturating_add(moves),
        };
        self.profile.keep(P::RULE_SET, self.known)?;
        Ok(true)
    }

    /// Forgets the player's rating under these rules.
    ///
    /// # Errors
    /// A profile that cannot be written.
    pub fn forget(&mut self) -> Result<(), String> {
        self.profile.keep(P::RULE_SET, Known::default())?;
        self.begin_again();
        Ok(())
    }

    /// The player's rating in words, from earlier games and the moves so far.
    pub fn in_words(&self) -> String {
        let moves = self.follower.telling_moves();
        match (self.known.games, moves) {
            (0, 0) => "I do not know yet how you play.".to_string(),
            (games, 0) => format!(
                "You play like {}, by {}.",
                rating(self.known.estimate),
                counted(u64::from(games), "game")
            ),
            (0, moves) => {
                format!(
                    "You play like {}, by {}.",
                    rating(self.follower.estimate()),
                    counted(u64::from(moves), "move")
                )
            }
            (games, moves) => format!(
                "You play like {}, by {} and {} of this one.",
                rating(self.follower.estimate()),
                counted(u64::from(games), "game"),
                counted(u64::from(moves), "move")
            ),
        }
    }

    /// The player's rating in words, once the game is remembered.
    pub fn remembered_in_words(&self) -> String {
        format!(
            "You play like {}, by {}.",
            rating(self.known.estimate),
            counted(u64::from(self.known.games), "game")
        )
    }
}

/// What is known at the next game.
fn aged(known: Known) -> Estimate {
    if known.games == 0 { known.estimate } else { known.estimate.aged() }
}

/// A rating with its error, which covers two thirds of the cases.
fn rating(estimate: Estimate) -> String {
    format!("{} Elo, give or take {:.0}", estimate.elo(), (estimate.deviation / 10.0).ceil() * 10.0)
}
