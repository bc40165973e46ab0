//! Chess, under any of its rule sets, as a game of the laboratory: the engine's own rules and
//! evaluation, and nothing of its search.
//!
//! Repetition and the fifty moves are left out. They belong to the way to a position and not
//! to the position, and an algorithm with a table would then no longer be exact.

use std::fmt;
use std::sync::Arc;

use shakmaty::{CastlingMode, Color, KnownOutcome, Move, Outcome};

use crate::evaluation::{Evaluator, material};
use crate::lab::game::{Game, Side, Value, WIN, stir};
use crate::rules::{Rules, Situation, is_noisy};

/// A move, shown in UCI notation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ChessMove(pub Move);

impl fmt::Display for ChessMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.to_uci(CastlingMode::Standard).fmt(f)
    }
}

/// A position under the rule set `P`, judged by `E`. White is Max.
#[derive(Clone, Debug)]
pub struct ChessGame<P: Rules, E: Evaluator<P>> {
    evaluator: Arc<E>,
    now: Situation<P>,
    state: E::State,
    /// Plies since the search began, so that an earlier mate is better.
    ply: u16,
}

impl<P: Rules, E: Evaluator<P>> ChessGame<P, E> {
    /// The game from `position` on.
    pub fn new(position: P, evaluator: E) -> ChessGame<P, E> {
        let state = evaluator.state(&position);
        ChessGame { evaluator: Arc::new(evaluator), now: Situation::new(position), state, ply: 0 }
    }

    /// The position.
    pub fn position(&self) -> &P {
        self.now.position()
    }
}

impl<P: Rules, E: Evaluator<P>> Game for ChessGame<P, E> {
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
        let state = self.evaluator.state_after(&self.state, self.position(), m.0, now.position());
        ChessGame { evaluator: self.evaluator.clone(), now, state, ply: self.ply + 1 }
    }

    fn value(&self) -> Value {
        match self.position().outcome() {
            Outcome::Known(KnownOutcome::Draw) => 0,
            Outcome::Known(KnownOutcome::Decisive { winner }) => {
                winner.fold_wb(1, -1) * (WIN - Value::from(self.ply))
            }
            Outcome::Unknown => {
                self.turn().sees(self.evaluator.score(self.position(), &self.state).raw())
            }
        }
    }

    fn key(&self) -> u64 {
        // Equal positions at unequal plies differ in what a mate is worth.
        self.now.key() ^ stir(u64::from(self.ply))
    }

    fn unit(&self) -> Value {
        material::value(shakmaty::Role::Pawn)
    }

    fn opening_breadth(&self) -> usize {
        P::default().legal_moves().len()
    }

    /// What the move wins at once; of equal captures, the one by the lesser piece.
    fn promise(&self, m: ChessMove) -> Value {
        let won = m.0.capture().map_or(0, |victim| {
            material::value(victim) + self.unit() - material::value(m.0.role()) / 100
        });
        won + m.0.promotion().map_or(0, |role| material::value(role) - self.unit())
    }

    fn is_forcing(&self, m: ChessMove) -> bool {
        is_noisy(m.0)
    }

    fn is_tense(&self) -> bool {
        self.now.is_check()
    }

    fn pass(&self) -> Option<Self> {
        let now = self.now.pass()?;
        let state = self.evaluator.state(now.position());
        Some(ChessGame { evaluator: self.evaluator.clone(), now, state, ply: self.ply + 1 })
    }

    fn as_root(&self) -> Self {
        ChessGame { ply: 0, ..self.clone() }
    }
}
