//! Chess, under any of its rule sets, as a game of the laboratory: the engine's own rules and
//! evaluation, and nothing of its search.
//!
//! Repetition and the fifty moves are left out. They belong to the way to a position and not
//! to the position, and an algorithm with a table would then no longer be exact.

use shakmaty::san::SanPlus;
use shakmaty::{Bitboard, CastlingMode, Color, File, KnownOutcome, Outcome, Rank, Role, Square};

use super::ratio;
use crate::game::{Board, BoardKind, Game, Position, Side, Value, WIN, stir};
use crate::moves::Move;
use engine::evaluation::linear::Weights;
use engine::evaluation::variants::{Task, with_rules};
use engine::evaluation::{KingTerms, Variant, material};
use engine::rules::setup::{self, SetupError};
use engine::rules::{KeyedPosition, RuleSet, is_noisy, notation};

/// A pawn, to tell captures apart.
const PAWN: Value = 100;

/// The evaluation of chess.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ChessEvaluation {
    /// The engine's hand-written one.
    #[default]
    Linear,
    /// Trujillo's three ratios, a reconstruction: the equation was a picture and is lost.
    Ratio,
    /// Trujillo's first ratio, the material.
    RatioMaterial,
}

/// The starting position of a rule set.
pub fn start(rule_set: RuleSet, evaluation: ChessEvaluation) -> Position {
    struct Start(ChessEvaluation);

    impl Task for Start {
        type Outcome = Position;

        fn run<P: Variant>(self) -> Position {
            of(P::default(), self.0)
        }
    }
    with_rules(rule_set, Start(evaluation))
}

/// A position of the engine as one of the laboratory.
pub fn of<P: Variant>(position: P, evaluation: ChessEvaluation) -> Position {
    Position::new(ChessGame::new(position, evaluation))
}

/// The position of a FEN under a rule set.
///
/// # Errors
/// Text that is no FEN, and positions that the rule set does not allow.
pub fn position(
    rule_set: RuleSet,
    fen: &str,
    evaluation: ChessEvaluation,
) -> Result<Position, SetupError> {
    struct Read<'a>(&'a str, ChessEvaluation);

    impl Task for Read<'_> {
        type Outcome = Result<Position, SetupError>;

        fn run<P: Variant>(self) -> Self::Outcome {
            let (position, _) = setup::position::<P>(self.0, CastlingMode::Standard)?;
            Ok(of(position, self.1))
        }
    }
    with_rules(rule_set, Read(fen, evaluation))
}

/// A position under the rule set `P`. White is Max.
#[derive(Clone, Debug)]
struct ChessGame<P> {
    evaluation: ChessEvaluation,
    evaluator: KingTerms<P>,
    now: KeyedPosition<P>,
    /// Plies since the search began, so that an earlier mate is better.
    ply: u16,
}

impl<P: Variant> ChessGame<P> {
    /// The game from `position` on.
    fn new(position: P, evaluation: ChessEvaluation) -> ChessGame<P> {
        let evaluator = KingTerms::linear(Weights::default());
        ChessGame { evaluation, evaluator, now: KeyedPosition::new(position), ply: 0 }
    }

    /// The position.
    fn position(&self) -> &P {
        self.now.position()
    }

    /// The position after a move.
    fn with(&self, now: KeyedPosition<P>) -> ChessGame<P> {
        ChessGame { now, ply: self.ply + 1, ..self.clone() }
    }

    /// f(N) of a game that is not over, for White.
    fn judge(&self) -> Value {
        let board = self.position().board();
        match self.evaluation {
            ChessEvaluation::Linear => {
                self.turn().sees(self.evaluator.score(self.position()).raw())
            }
            ChessEvaluation::Ratio => ratio::evaluate(board, true),
            ChessEvaluation::RatioMaterial => ratio::evaluate(board, false),
        }
    }

    /// True if the captured piece is worth less than the captor, and is protected.
    fn loses_piece(&self, m: shakmaty::Move) -> bool {
        let Some(victim) = m.capture() else { return false };
        if material::value::<P>(victim) >= material::value::<P>(m.role()) {
            return false;
        }
        let board = self.position().board();
        let occupied = m.from().map_or(board.occupied(), |from| board.occupied().without(from));
        board.attacks_to(m.to(), !self.position().turn(), occupied).any()
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
        Position::new(self.with(now))
    }

    fn value(&self) -> Value {
        match self.position().outcome() {
            Outcome::Known(KnownOutcome::Draw) => 0,
            Outcome::Known(KnownOutcome::Decisive { winner }) => {
                winner.fold_wb(1, -1) * (WIN - Value::from(self.ply))
            }
            Outcome::Unknown => self.judge(),
        }
    }

    fn key(&self) -> u64 {
        // Equal positions at unequal plies differ in what a mate is worth.
        self.now.key() ^ stir(u64::from(self.ply))
    }

    fn unit(&self) -> Value {
        match self.evaluation {
            ChessEvaluation::Linear => material::value::<P>(Role::Pawn),
            ChessEvaluation::Ratio | ChessEvaluation::RatioMaterial => ratio::PAWN,
        }
    }

    fn opening_breadth(&self) -> usize {
        P::default().legal_moves().len()
    }

    /// The material that the move wins at once; of equal captures, the one by the lesser piece.
    fn promise(&self, m: Move) -> Value {
        let Move::Chess(m) = m else { return 0 };
        let won = m.capture().map_or(0, |victim| {
            material::value::<P>(victim) + PAWN - material::value::<P>(m.role()) / 100
        });
        won + m.promotion().map_or(0, |role| material::value::<P>(role) - PAWN)
    }

    fn is_forcing(&self, m: Move) -> bool {
        matches!(m, Move::Chess(m) if is_noisy(m) && !self.loses_piece(m))
    }

    /// A check, or a pawn one step from its queen.
    fn is_critical(&self) -> bool {
        let board = self.position().board();
        let last_step = (board.white() & Bitboard::from(Rank::Seventh))
            | (board.black() & Bitboard::from(Rank::Second));
        self.is_tense() || (board.pawns() & last_step).any()
    }

    fn name(&self, m: Move) -> String {
        match m {
            Move::Chess(m) => SanPlus::from_move(self.position().clone(), m).to_string(),
            other => other.to_string(),
        }
    }

    fn read(&self, text: &str, letters: &str) -> Option<Move> {
        notation::read_move_with(self.position(), text, letters).ok().map(Move::Chess)
    }

    fn board(&self) -> Option<Board> {
        let board = self.position().board();
        let squares = (0..8).rev().flat_map(|rank| (0..8).map(move |file| (file, rank)));
        let piece = |(file, rank): (u32, u32)| {
            let square = Square::from_coords(File::new(file), Rank::new(rank));
            board.piece_at(square).map_or('.', |piece| piece.char())
        };
        Some(Board { kind: BoardKind::Chess, columns: 8, cells: squares.map(piece).collect() })
    }

    fn is_tense(&self) -> bool {
        self.now.is_check()
    }

    fn pass(&self) -> Option<Position> {
        let now = self.now.pass()?;
        Some(Position::new(self.with(now)))
    }

    fn as_root(&self) -> Option<Position> {
        Some(Position::new(ChessGame { ply: 0, ..self.clone() }))
    }
}
