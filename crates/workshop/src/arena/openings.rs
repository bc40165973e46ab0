//! Seeded openings for matches and self-play: random legal moves, screened for balance.

use std::ops::RangeInclusive;

use rand::RngExt;
use shakmaty::Color;

use super::numbered_rng;
use engine::evaluation::{Evaluation, Variant};
use engine::limits::Limits;
use engine::rules::Game;
use engine::search::report::Silent;
use engine::search::table::OutOfMemoryError;
use engine::search::{Options, Searcher};

/// Tries for an opening that passes before the nearest one is taken.
const TRIES: u64 = 200;
/// Tries after which openings that are to be lost get two random half-moves more: eight hardly ever lose a queen.
const MORE_PLIES_AFTER: u64 = 25;
/// Table of the search that screens openings, in MiB.
const HASH_MB: usize = 4;

/// An endless, repeatable supply of openings: number `n` is the same for the same seed.
pub struct Openings<P> {
    seed: u64,
    plies: usize,
    /// True if openings with odd numbers are a half-move longer.
    alternates: bool,
    /// Positions before the random half-moves; none: the start of the game.
    starts: Vec<Game<P>>,
    screen: Option<Screen<P>>,
    /// How much worse the side to move must be, in centipawns, if it is to be.
    lost: Option<RangeInclusive<i32>>,
}

/// The search that decides whether an opening is balanced.
#[derive(Clone, Debug)]
pub struct Screen<P> {
    /// Its evaluator.
    pub evaluator: Evaluation<P>,
    /// Its limits.
    pub limits: Limits,
    /// Greatest lead of either side, in centipawns.
    pub margin: i32,
}

/// Finds the openings of a supply one by one. Each thread needs its own.
pub struct OpeningFinder<'a, P: Variant> {
    openings: &'a Openings<P>,
    screen: Option<(Searcher<P>, &'a Screen<P>)>,
}

impl<P: Variant> Openings<P> {
    /// Openings of `plies` random half-moves, not screened.
    pub fn new(seed: u64, plies: usize) -> Openings<P> {
        Openings { seed, plies, alternates: false, starts: Vec::new(), screen: None, lost: None }
    }

    /// The same openings, screened.
    pub fn screened(self, screen: Screen<P>) -> Openings<P> {
        Openings { screen: Some(screen), ..self }
    }

    /// The same, screened for openings in which the side to move is this much worse, in centipawns, instead of
    /// balanced ones.
    pub fn lost_by(self, lost: RangeInclusive<i32>) -> Openings<P> {
        Openings { lost: Some(lost), ..self }
    }

    /// The same with a half-move more in those of odd numbers, so that either side is to move.
    pub fn alternating(self) -> Openings<P> {
        Openings { alternates: true, ..self }
    }

    /// The same with the random half-moves from one of `starts`.
    pub fn starting_from(self, starts: Vec<Game<P>>) -> Openings<P> {
        Openings { starts, ..self }
    }

    /// Starts a finder.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if there is no memory for the screen's transposition table.
    pub fn finder(&self) -> Result<OpeningFinder<'_, P>, OutOfMemoryError> {
        let ready = |screen: &Screen<P>| {
            Searcher::new(screen.evaluator.clone(), Options::default(), HASH_MB)
        };
        let screen = match &self.screen {
            Some(screen) => Some((ready(screen)?, screen)),
            None => None,
        };
        Ok(OpeningFinder { openings: self, screen })
    }

    fn build(&self, number: usize, attempt: u64) -> Game<P> {
        let seed = self.seed ^ attempt.wrapping_mul(0xD1B5_4A32_D192_ED03);
        let mut rng = numbered_rng(seed, number as u64);
        let mut game = match self.starts.len() {
            0 => Game::new(P::default()),
            count => self.starts[rng.random_range(0..count)].clone(),
        };
        let one_more = usize::from(self.alternates && number % 2 == 1);
        let to_lose = self.lost.as_ref().map_or(0, |_| 2 * (attempt / MORE_PLIES_AFTER) as usize);
        for _ in 0..self.plies + one_more + to_lose {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[rng.random_range(0..moves.len())]);
        }
        game
    }
}

impl<P: Variant> OpeningFinder<'_, P> {
    /// The two games of pair `number`: the opening, and the side of a match that has White, 0 or 1. One opening
    /// with both colours; if the openings are lost for the side to move, two of them, both lost for side 0.
    pub fn pair(&mut self, number: usize) -> [(Game<P>, usize); 2] {
        if self.openings.lost.is_some() {
            return [2 * number, 2 * number + 1].map(|number| {
                let opening = self.opening(number);
                let white = usize::from(opening.now().turn() == Color::Black);
                (opening, white)
            });
        }
        let opening = self.opening(number);
        [(opening.clone(), 0), (opening, 1)]
    }

    /// Opening number `number`.
    pub fn opening(&mut self, number: usize) -> Game<P> {
        let openings = self.openings;
        let Some((searcher, screen)) = &mut self.screen else { return openings.build(number, 0) };
        let mut nearest: Option<(i32, Game<P>)> = None;
        for attempt in 0..TRIES {
            let game = openings.build(number, attempt);
            if game.now().is_check() {
                continue;
            }
            searcher.new_game();
            let outcome = searcher.search(&game, &screen.limits, &mut Silent);
            if outcome.best.is_none() {
                continue;
            }
            let score = outcome.score.raw();
            let distance = match &openings.lost {
                Some(lost) => (lost.start() + score).max(-score - lost.end()),
                None => score.abs() - screen.margin,
            };
            if nearest.as_ref().is_none_or(|(least, _)| distance < *least) {
                nearest = Some((distance, game));
            }
            if distance <= 0 {
                break;
            }
        }
        nearest.map_or_else(|| openings.build(number, 0), |(_, game)| game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::evaluation::KingTerms;
    use shakmaty::Chess;

    const MARGIN: i32 = 50;

    #[test]
    fn openings_are_balanced_and_repeat() {
        let evaluator = KingTerms::<Chess>::default();
        let limits = Limits::nodes(200);
        let screen =
            Screen { evaluator: evaluator.clone().into(), limits: limits.clone(), margin: MARGIN };
        let openings = Openings::new(7, 8).screened(screen);
        let mut finder = openings.finder().unwrap();
        let keys = |finder: &mut OpeningFinder<Chess>| {
            (0..20).map(|number| finder.opening(number).now().key()).collect::<Vec<u64>>()
        };
        let first = keys(&mut finder);
        assert_eq!(first, keys(&mut openings.finder().unwrap()));
        let mut judge = Searcher::new(evaluator, Options::default(), HASH_MB).unwrap();
        for number in 0..20 {
            let opening = finder.opening(number);
            judge.new_game();
            let score = judge.search(&opening, &limits, &mut Silent).score;
            assert!(score.raw().abs() <= MARGIN, "{number}: {score}");
            assert!(!opening.now().is_check());
        }
    }
}
