//! A game with its moves in another order: how much the algorithms save depends on little
//! else, so the laboratory treats the order as part of the game and not of the algorithm.

use std::cell::Cell;
use std::cmp::Reverse;
use std::rc::Rc;
use web_time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

use crate::algorithms::alpha_beta;
use crate::game::{Board, Game, Position, Side, Value};
use crate::games::judged_by_its_game;
use crate::moves::Move;
use crate::watch::{Counter, Watch};

/// The order of the moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// As the game gives them.
    Natural,
    /// The most promising first, by g(N).
    Promise,
    /// Random; the same order each time that the position comes up.
    Random(u64),
    /// The best first, by a search of this many plies less one: the order that the best case of
    /// alpha-beta supposes. It costs more than it saves, and is not counted.
    BestFirst(u32),
    /// The worst first, likewise.
    WorstFirst(u32),
}

impl Order {
    /// The order one ply further down.
    fn deeper(self) -> Order {
        match self {
            Order::BestFirst(depth) => Order::BestFirst(depth.saturating_sub(1)),
            Order::WorstFirst(depth) => Order::WorstFirst(depth.saturating_sub(1)),
            other => other,
        }
    }
}

/// A game whose moves come in a given order.
#[derive(Clone, Debug)]
pub struct Ordered {
    game: Position,
    order: Order,
    /// Time spent on ordering, shared by all positions of one root.
    spent: Rc<Cell<Duration>>,
}

impl Ordered {
    /// The game with its moves in `order`.
    pub fn position(game: Position, order: Order) -> Position {
        match order {
            Order::Natural => game,
            order => Position::new(Ordered { game, order, spent: Rc::default() }),
        }
    }

    /// Another position of the same game.
    fn wrap(&self, game: Position, order: Order) -> Position {
        Position::new(Ordered { game, order, spent: self.spent.clone() })
    }

    /// The value of the move by a search of `depth` plies, for its mover.
    fn foresee(&self, m: Move, depth: u32) -> Value {
        let after = self.game.play(m);
        let mut unseen = Counter::default();
        let mut watch = Watch::new(after.turn(), &mut unseen);
        self.turn().sees(alpha_beta::search(&after, depth.saturating_sub(1), &mut watch).value)
    }
}

impl Game for Ordered {
    judged_by_its_game!();

    fn moves(&self) -> Vec<Move> {
        let mut moves = self.game.moves();
        let started = Instant::now();
        match self.order {
            Order::Natural => {}
            Order::Promise => moves.sort_by_key(|&m| Reverse(self.game.promise(m))),
            Order::Random(seed) => {
                moves.shuffle(&mut SmallRng::seed_from_u64(seed ^ self.game.key()));
            }
            Order::BestFirst(depth) => {
                moves.sort_by_cached_key(|&m| Reverse(self.foresee(m, depth)));
            }
            Order::WorstFirst(depth) => moves.sort_by_cached_key(|&m| self.foresee(m, depth)),
        }
        self.spent.set(self.spent.get() + started.elapsed());
        moves
    }

    fn play(&self, m: Move) -> Position {
        self.wrap(self.game.play(m), self.order.deeper())
    }

    fn pass(&self) -> Option<Position> {
        Some(self.wrap(self.game.pass()?, self.order.deeper()))
    }

    fn as_root(&self) -> Option<Position> {
        Some(self.wrap(self.game.as_root(), self.order))
    }

    fn unrest(&self) -> Vec<Move> {
        self.game.unrest()
    }

    fn time_ordering(&self) -> Duration {
        self.spent.get()
    }
}
