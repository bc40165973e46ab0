//! Chess, under any of its rule sets, as a game of the laboratory: the engine's own rules and
//! evaluation, and nothing of its search.
//!
//! Repetition and the fifty moves are left out. They belong to the way to a position and not
//! to the position, and an algorithm with a table would then no longer be exact.

use shakmaty::{CastlingMode, Color, KnownOutcome, Outcome};

use crate::evaluation::linear::Weights;
use crate::evaluation::variants::{Task, with_rules};
use crate::evaluation::{KingTerms, Variant, material};
use crate::lab::game::{Game, Position, Side, Value, WIN, stir};
use crate::lab::moves::Move;
use crate::rules::setup::{self, SetupError};
use crate::rules::{KeyedPosition, RuleSet, is_noisy};

/// The starting position of a rule set, scored by the linear evaluation.
pub fn start(rule_set: RuleSet) -> Position {
    struct Start;

    impl Task for Start {
        type Outcome = Position;

        fn run<P: Variant>(self) -> Position {
            scored(P::default())
        }
    }
    with_rules(rule_set, Start)
}

/// The position of a FEN under a rule set, scored by the linear evaluation.
///
/// # Errors
/// Text that is no FEN, and positions that the rule set does not allow.
pub fn position(rule_set: RuleSet, fen: &str) -> Result<Position, SetupError> {
    struct Read<'a>(&'a str);

    impl Task for Read<'_> {
        type Outcome = Result<Position, SetupError>;

        fn run<P: Variant>(self) -> Self::Outcome {
            Ok(scored(setup::position::<P>(self.0, CastlingMode::Standard)?.0))
        }
    }
    with_rules(rule_set, Read(fen))
}

fn scored<P: Variant>(position: P) -> Position {
    Position::new(ChessGame::new(position, KingTerms::linear(Weights::default())))
}

/// A position under the rule set `P`, scored by the engine's evaluator. White is Max.
#[derive(Clone, Debug)]
struct ChessGame<P> {
    evaluator: KingTerms<P>,
    now: KeyedPosition<P>,
    /// Plies since the search began, so that an earlier mate is better.
    ply: u16,
}

impl<P: Variant> ChessGame<P> {
    /// The game from `position` on.
    fn new(position: P, evaluator: KingTerms<P>) -> ChessGame<P> {
        ChessGame { evaluator, now: KeyedPosition::new(position), ply: 0 }
    }

    /// The position.
    fn position(&self) -> &P {
        self.now.position()
    }
}

impl<P: Variant> Game for ChessGame<P> {
    fn turn(&self) -> Side {
        match self.now.turn() {
            Color::White => Side::Max,
            Color::Black => Side::Min,
        }
    }

    fn moves(&self) -> Vec<Move> {
        if self.position().outcome().is_known() {
            return Vec::new();
        }
        self.position().legal_moves().into_iter().map(Move::Chess).collect()
    }

    fn play(&self, m: Move) -> Position {
        let Move::Chess(m) = m else { return Position::new(self.clone()) };
        let now = self.now.play(m);
        Position::new(ChessGame { evaluator: self.evaluator.clone(), now, ply: self.ply + 1 })
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
    fn promise(&self, m: Move) -> Value {
        let Move::Chess(m) = m else { return 0 };
        let won = m.capture().map_or(0, |victim| {
            material::value::<P>(victim) + self.unit() - material::value::<P>(m.role()) / 100
        });
        won + m.promotion().map_or(0, |role| material::value::<P>(role) - self.unit())
    }

    fn is_forcing(&self, m: Move) -> bool {
        matches!(m, Move::Chess(m) if is_noisy(m))
    }

    fn is_tense(&self) -> bool {
        self.now.is_check()
    }

    fn pass(&self) -> Option<Position> {
        let now = self.now.pass()?;
        let ply = self.ply + 1;
        Some(Position::new(ChessGame { evaluator: self.evaluator.clone(), now, ply }))
    }

    fn as_root(&self) -> Option<Position> {
        Some(Position::new(ChessGame { ply: 0, ..self.clone() }))
    }
}
