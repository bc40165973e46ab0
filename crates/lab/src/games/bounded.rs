//! A game whose searches end early: after so many positions, or when somebody wants them to.
//!
//! An algorithm of a textbook has no way out in its middle, and gets none here: it would be another algorithm. Instead
//! the game ends. Once the bound is reached no position has a move, so that every search is over within its own depth.
//! What it found then is worth nothing; [`Bound::is_reached`] tells.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;
use web_time::Duration;

use crate::game::{Board, Game, Position, Side, Value};
use crate::games::judged_by_its_game;
use crate::moves::Move;

/// Positions between two looks for a stop.
const LOOK: u64 = 256;

/// When the searches of a game end.
pub struct Bound {
    left: Cell<u64>,
    is_unwanted: Box<dyn Fn() -> bool>,
}

impl Bound {
    /// A bound of this number of positions, all searches together, or before it when `is_unwanted` says so.
    pub fn new(positions: u64, is_unwanted: impl Fn() -> bool + 'static) -> Rc<Bound> {
        Rc::new(Bound { left: Cell::new(positions), is_unwanted: Box::new(is_unwanted) })
    }

    /// True if the bound was reached, so that nothing that was found since the beginning counts.
    pub fn is_reached(&self) -> bool {
        self.left.get() == 0
    }

    /// Counts a position.
    fn count(&self) {
        let left = self.left.get().saturating_sub(1);
        let is_unwanted = left.is_multiple_of(LOOK) && (self.is_unwanted)();
        self.left.set(if is_unwanted { 0 } else { left });
    }
}

impl fmt::Debug for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bound").field("left", &self.left).finish_non_exhaustive()
    }
}

/// A game with a bound.
#[derive(Clone, Debug)]
pub struct Bounded {
    game: Position,
    bound: Rc<Bound>,
}

impl Bounded {
    /// The game within `bound`.
    pub fn position(game: Position, bound: &Rc<Bound>) -> Position {
        Position::new(Bounded { game, bound: Rc::clone(bound) })
    }

    /// Another position of the same game.
    fn wrap(&self, game: Position) -> Position {
        self.bound.count();
        Bounded::position(game, &self.bound)
    }

    /// The moves, unless the bound is reached.
    fn unless_reached(&self, moves: impl FnOnce() -> Vec<Move>) -> Vec<Move> {
        if self.bound.is_reached() { Vec::new() } else { moves() }
    }
}

impl Game for Bounded {
    judged_by_its_game!();

    fn moves(&self) -> Vec<Move> {
        self.unless_reached(|| self.game.moves())
    }

    fn unrest(&self) -> Vec<Move> {
        self.unless_reached(|| self.game.unrest())
    }

    fn play(&self, m: Move) -> Position {
        self.wrap(self.game.play(m))
    }

    fn pass(&self) -> Option<Position> {
        Some(self.wrap(self.game.pass()?))
    }

    fn as_root(&self) -> Option<Position> {
        Some(self.wrap(self.game.as_root()))
    }

    fn time_ordering(&self) -> Duration {
        self.game.time_ordering()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms;
    use crate::compare::{fits, run};
    use crate::constants::Constants;
    use crate::games::chess::{self, ChessEvaluation};
    use engine::rules::RuleSet;

    #[test]
    fn every_search_is_the_same_within_its_bound_and_ends_at_it() {
        let root = chess::start(RuleSet::Chess, ChessEvaluation::Linear);
        for algorithm in algorithms::all().iter().filter(|one| fits(one, 2)) {
            let free = run(algorithm, Constants::default(), &root, 2);
            let wide = Bound::new(1_000_000, || false);
            let within =
                run(algorithm, Constants::default(), &Bounded::position(root.clone(), &wide), 2);
            assert_eq!(within.found, free.found, "{}", algorithm.name);
            assert_eq!(within.counter, free.counter, "{}", algorithm.name);
            assert!(!wide.is_reached());
            for bound in [Bound::new(1000, || false), Bound::new(u64::MAX, || true)] {
                let root = Bounded::position(root.clone(), &bound);
                let cut = run(algorithm, Constants::default(), &root, 5);
                // One that leaves most moves out is over before.
                let is_small = cut.counter.nodes <= 1000;
                assert!(bound.is_reached() || is_small, "{}", algorithm.name);
                assert!(cut.counter.nodes < 20_000, "{}: {:?}", algorithm.name, cut.counter);
            }
        }
    }
}
