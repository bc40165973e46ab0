//! Uniform trees made of random numbers: the trees that the theorems about alpha-beta speak
//! of. Every inner node has b children, all leaves are equally deep, nothing is stored.

use crate::game::{Game, Position, Side, Value, stir};
use crate::moves::Move;

/// Values lie between minus and plus this.
const SPREAD: Value = 10_000;

/// Dependence of the leaves' values on each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// Not at all: each is drawn by itself, as the theorems assume.
    Independent,
    /// Each move adds its own random gain to what was there, as in real games, so that a node's
    /// value says something about its children's.
    Drifting,
}

/// A node of a uniform random tree.
#[derive(Clone, Debug)]
pub struct RandomTree {
    breadth: u16,
    height: u32,
    leaves: Leaves,
    path: u64,
    drift: Value,
    turn: Side,
}

impl RandomTree {
    /// The root of a tree: `breadth` children a node, leaves `height` plies away.
    pub fn new(breadth: u16, height: u32, leaves: Leaves, seed: u64) -> RandomTree {
        RandomTree { breadth, height, leaves, path: stir(seed), drift: 0, turn: Side::Max }
    }

    fn draw(&self) -> Value {
        (stir(self.path) % (2 * SPREAD as u64 + 1)) as Value - SPREAD
    }

    fn child(&self, m: Move) -> RandomTree {
        let mut after = self.clone();
        if let Move::Number(number) = m {
            after.height -= 1;
            after.path = stir(self.path ^ (u64::from(number) + 1));
            after.drift += after.draw() / 10;
            after.turn = self.turn.other();
        }
        after
    }
}

impl Game for RandomTree {
    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self) -> Vec<Move> {
        if self.height == 0 { Vec::new() } else { (0..self.breadth).map(Move::Number).collect() }
    }

    fn play(&self, m: Move) -> Position {
        Position::new(self.child(m))
    }

    fn value(&self) -> Value {
        match self.leaves {
            Leaves::Independent => self.draw(),
            Leaves::Drifting => self.drift,
        }
    }

    fn key(&self) -> u64 {
        self.path
    }

    fn unit(&self) -> Value {
        SPREAD / 20
    }

    fn opening_breadth(&self) -> usize {
        usize::from(self.breadth)
    }

    /// The value of the child for the mover: worth something only where values hang together.
    fn promise(&self, m: Move) -> Value {
        self.turn.sees(self.child(m).drift)
    }
}
