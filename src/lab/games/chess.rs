//! Chess, under any of its rule sets, as a game of the laboratory: the engine's own rules and
//! evaluation, and nothing of its search.
//!
//! Repetition and the fifty moves are left out. They belong to the way to a position and not
//! to the position, and an algorithm with a table would then no longer be exact.

use std::rc::Rc;

use shakmaty::variant::{
    Antichess, Atomic, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck,
};
use shakmaty::{CastlingMode, Chess, Color, KnownOutcome, Outcome};

use crate::evaluation::king_relative::Weights;
use crate::evaluation::{Evaluator, KingRelative, material};
use crate::lab::game::{Game, Position, Side, Value, WIN, stir};
use crate::lab::moves::Move;
use crate::rules::setup::{self, SetupFault};
use crate::rules::{Rules, Situation, is_noisy};

/// A rule set of chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleSet {
    /// The usual rules.
    Chess,
    /// Captures explode.
    Atomic,
    /// The first to lose all pieces wins.
    Antichess,
    /// A king in the middle of the board wins.
    KingOfTheHill,
    /// The third check wins.
    ThreeCheck,
    /// Captured pieces change sides.
    Crazyhouse,
    /// A race of the kings to the last rank.
    RacingKings,
    /// White has a horde of pawns.
    Horde,
}

impl RuleSet {
    /// All of them.
    pub const ALL: [RuleSet; 8] = [
        RuleSet::Chess,
        RuleSet::Atomic,
        RuleSet::Antichess,
        RuleSet::KingOfTheHill,
        RuleSet::ThreeCheck,
        RuleSet::Crazyhouse,
        RuleSet::RacingKings,
        RuleSet::Horde,
    ];

    /// The starting position, judged by the linear evaluation.
    pub fn start(self) -> Position {
        match self {
            RuleSet::Chess => judged(Chess::default()),
            RuleSet::Atomic => judged(Atomic::default()),
            RuleSet::Antichess => judged(Antichess::default()),
            RuleSet::KingOfTheHill => judged(KingOfTheHill::default()),
            RuleSet::ThreeCheck => judged(ThreeCheck::default()),
            RuleSet::Crazyhouse => judged(Crazyhouse::default()),
            RuleSet::RacingKings => judged(RacingKings::default()),
            RuleSet::Horde => judged(Horde::default()),
        }
    }

    /// The position of a FEN, judged by the linear evaluation.
    ///
    /// # Errors
    /// Text that is no FEN, and positions that the rule set does not allow.
    pub fn position(self, fen: &str) -> Result<Position, SetupFault> {
        match self {
            RuleSet::Chess => read::<Chess>(fen),
            RuleSet::Atomic => read::<Atomic>(fen),
            RuleSet::Antichess => read::<Antichess>(fen),
            RuleSet::KingOfTheHill => read::<KingOfTheHill>(fen),
            RuleSet::ThreeCheck => read::<ThreeCheck>(fen),
            RuleSet::Crazyhouse => read::<Crazyhouse>(fen),
            RuleSet::RacingKings => read::<RacingKings>(fen),
            RuleSet::Horde => read::<Horde>(fen),
        }
    }
}

fn read<P: Rules>(fen: &str) -> Result<Position, SetupFault> {
    Ok(judged(setup::position::<P>(fen, CastlingMode::Standard)?.0))
}

fn judged<P: Rules>(position: P) -> Position {
    Position::new(ChessGame::new(position, KingRelative::linear(Weights::default())))
}

/// A position under the rule set `P`, judged by `E`. White is Max.
#[derive(Clone, Debug)]
struct ChessGame<P: Rules, E: Evaluator<P>> {
    evaluator: Rc<E>,
    now: Situation<P>,
    state: E::State,
    /// Plies since the search began, so that an earlier mate is better.
    ply: u16,
}

impl<P: Rules, E: Evaluator<P>> ChessGame<P, E> {
    /// The game from `position` on.
    fn new(position: P, evaluator: E) -> ChessGame<P, E> {
        let state = evaluator.state(&position);
        ChessGame { evaluator: Rc::new(evaluator), now: Situation::new(position), state, ply: 0 }
    }

    /// The position.
    fn position(&self) -> &P {
        self.now.position()
    }
}

impl<P: Rules, E: Evaluator<P> + std::fmt::Debug> Game for ChessGame<P, E>
where
    E::State: std::fmt::Debug,
{
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
        let state = self.evaluator.state_after(&self.state, self.position(), m, now.position());
        Position::new(ChessGame {
            evaluator: self.evaluator.clone(),
            now,
            state,
            ply: self.ply + 1,
        })
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
    fn promise(&self, m: Move) -> Value {
        let Move::Chess(m) = m else { return 0 };
        let won = m.capture().map_or(0, |victim| {
            material::value(victim) + self.unit() - material::value(m.role()) / 100
        });
        won + m.promotion().map_or(0, |role| material::value(role) - self.unit())
    }

    fn is_forcing(&self, m: Move) -> bool {
        matches!(m, Move::Chess(m) if is_noisy(m))
    }

    fn is_tense(&self) -> bool {
        self.now.is_check()
    }

    fn pass(&self) -> Option<Position> {
        let now = self.now.pass()?;
        let state = self.evaluator.state(now.position());
        let ply = self.ply + 1;
        Some(Position::new(ChessGame { evaluator: self.evaluator.clone(), now, state, ply }))
    }

    fn as_root(&self) -> Option<Position> {
        Some(Position::new(ChessGame { ply: 0, ..self.clone() }))
    }
}
