//! Chess, under any of its rule sets, as a game of the laboratory: the engine's own rules and
//! evaluation, and nothing of its search.
//!
//! Repetition and the fifty moves are left out. They belong to the way to a position and not
//! to the position, and an algorithm with a table would then no longer be exact.

use std::fmt;

use shakmaty::{CastlingMode, Color, KnownOutcome, Move, Outcome};

use crate::evaluation::{KingTerms, Variant, material};
use crate::lab::game::{Game, Side, Value, WIN, stir};
use crate::rules::{KeyedPosition, is_noisy};

/// A move, shown in UCI notation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ChessMove(pub Move);

impl fmt::Display for ChessMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.to_uci(CastlingMode::Standard).fmt(f)
    }
}

/// A position under the rule set `P`, scored by the engine's evaluator. White is Max.
#[derive(Clone, Debug)]
pub struct ChessGame<P: Variant> {
    evaluator: KingTerms<P>,
    now: KeyedPosition<P>,
    /// Plies since the search began, so that an earlier mate is better.
    ply: u16,
}

impl<P: Variant> ChessGame<P> {
    /// The game from `position` on.
    pub fn new(position: P, evaluator: KingTerms<P>) -> ChessGame<P> {
        ChessGame { evaluator, now: KeyedPosition::new(position), ply: 0 }
    }

    /// The position.
    pub fn position(&self) -> &P {
        self.now.position()
    }
}

impl<P: Variant> Game for ChessGame<P> {
    type Move = ChessMove;

    fn turn(&self) -> Side {
        match self.now.turn() {
            Color::White => Side::Max,
            Color::Black => Side::Min,
        }
    }

    fn moves(&self) -> Vec<ChessMove> {
        if self.position().outcome().is_known() {
            return Vec::new();
        }
        self.position().legal_moves().into_iter().map(ChessMove).collect()
    }

    fn play(&self, m: ChessMove) -> Self {
        let now = self.now.play(m.0);
        ChessGame { evaluator: self.evaluator.clone(), now, ply: self.ply + 1 }
    }

    fn value(&self) -> Value {
        match self.position().outcome() {
            Outcome::Known(KnownOutcome::Draw) => 0,
            Outcome::Known(KnownOutcome::Decisive { winner }) => {
                winner.fold_wb(1, -1) * (WIN - Value::from(self.ply))
            }
            Outcome::Unknown => self.turn().sees(self.evaluator.score(self.position()).raw()),
        }
    }

    fn key(&self) -> u64 {
        // Equal positions at unequal plies differ in what a mate is worth.
        self.now.key() ^ stir(u64::from(self.ply))
    }

    fn unit(&self) -> Value {
        material::PAPER[0]
    }

    fn opening_breadth(&self) -> usize {
        P::default().legal_moves().len()
    }

    /// What the move wins at once; of equal captures, the one by the lesser piece.
    fn promise(&self, m: ChessMove) -> Value {
        let won = m.0.capture().map_or(0, |victim| {
            material::value::<P>(victim) + self.unit() - material::value::<P>(m.0.role()) / 100
        });
        won + m.0.promotion().map_or(0, |role| material::value::<P>(role) - self.unit())
    }

    fn is_forcing(&self, m: ChessMove) -> bool {
        is_noisy(m.0)
    }

    fn is_tense(&self) -> bool {
        self.now.is_check()
    }

    fn pass(&self) -> Option<Self> {
        let now = self.now.pass()?;
        Some(ChessGame { evaluator: self.evaluator.clone(), now, ply: self.ply + 1 })
    }

    fn as_root(&self) -> Self {
        ChessGame { ply: 0, ..self.clone() }
    }
}
