//! The player's rating during a game: what is known from earlier games, and what each move adds.

use shakmaty::Move;

use super::profile::{Known, Profile};
use super::texts::Words;
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
        let known = Known {
            estimate: self.follower.finish(aged(known), points),
            games: known.games.saturating_add(1),
            moves: known.moves.saturating_add(moves),
        };
        self.profile.keep(P::RULE_SET, known)?;
        // The moves of this game are among those that are known now.
        self.begin_again();
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
    pub fn in_words(&self, words: &Words) -> String {
        let moves = self.follower.telling_moves();
        let games = || words.counted("count.game", u64::from(self.known.games));
        let moves_counted = || words.counted("count.move", u64::from(moves));
        let rating = rating(self.follower.estimate(), words);
        match (self.known.games, moves) {
            (0, 0) => words.get("rating.unknown").to_string(),
            (_, 0) => self.remembered_in_words(words),
            (0, _) => {
                words.fill("rating.by", &[("rating", &rating), ("evidence", &moves_counted())])
            }
            (_, _) => {
                let values =
                    [("rating", &*rating), ("games", &games()), ("moves", &moves_counted())];
                words.fill("rating.also", &values)
            }
        }
    }

    /// The player's rating in words, by the games that are remembered.
    pub fn remembered_in_words(&self, words: &Words) -> String {
        let rating = rating(self.known.estimate, words);
        let games = words.counted("count.game", u64::from(self.known.games));
        words.fill("rating.by", &[("rating", &rating), ("evidence", &games)])
    }
}

/// What is known at the next game.
fn aged(known: Known) -> Estimate {
    if known.games == 0 { known.estimate } else { known.estimate.aged() }
}

/// A rating with its error, which covers two thirds of the cases.
fn rating(estimate: Estimate, words: &Words) -> String {
    let error = format!("{:.0}", (estimate.deviation / 10.0).ceil() * 10.0);
    words.fill("rating.number", &[("elo", &estimate.elo().to_string()), ("error", &error)])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use analysis::texts::Lang;
    use engine::rules::RuleSet;
    use engine::rules::setup::{self, Start};

    #[test]
    fn a_finished_game_counts_once() {
        let place = tempfile::tempdir().unwrap();
        let words = Arc::new(Words::of(Lang::En));
        let profile = Profile::in_folder(place.path(), &words);
        let mut player = Player::<Chess>::new(profile).unwrap().0;
        // The knight on e5 is attacked, and another move leaves it there.
        let fen = "r1b1kbnr/ppp2ppp/2np4/4N3/4P2q/3P4/PPP2PPP/RNBQKB1R w KQkq - 0 5";
        let start = Start::Fen(fen.to_string());
        let (game, _) = setup::game::<Chess>(&start, &[], CastlingMode::Standard).unwrap();
        let m = setup::read_move(game.position(), "a2a3").unwrap();
        player.note(&game, m, false, 1200);
        assert!(player.in_words(&words).ends_with("by 1 move."), "{}", player.in_words(&words));
        assert!(player.remember(None).unwrap());
        let told = player.in_words(&words);
        assert!(told.ends_with("by 1 game."), "{told}");
        let kept = Profile::in_folder(place.path(), &words).known(RuleSet::Chess).0;
        assert_eq!(told, {
            let rating = rating(kept.estimate, &words);
            words.fill("rating.by", &[("rating", &rating), ("evidence", "1 game")])
        });
    }
}
