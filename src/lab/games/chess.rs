//! Chess, under any of its rule sets, as a game of the laboratory: the engine's own rules and
//! evaluation, and nothing of its search.
//!
//! Repetition and the fifty moves are left out. They belong to the way to a position and not
//! to the position, and an algorithm with a table would then no longer be exact.

use std::rc::Rc;

use shakmaty::san::SanPlus;
use shakmaty::variant::{
    Antichess, Atomic, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck,
};
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, File, KnownOutcome, Outcome, Rank, Role, Square,
};

use super::ratio;
use crate::evaluation::king_relative::Weights;
use crate::evaluation::{Evaluator, KingRelative, material};
use crate::lab::game::{Board, BoardKind, Game, Position, Side, Value, WIN, stir};
use crate::lab::moves::Move;
use crate::rules::setup::{self, SetupFault};
use crate::rules::{Rules, Situation, is_noisy};

/// A pawn, to tell captures apart.
const PAWN: Value = 100;

/// The evaluation of chess.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ChessEvaluation {
    /// The engine's hand-written one.
    #[default]
    Linear,
    /// Trujillo's three ratios.
    Ratio,
    /// Trujillo's first ratio, the material.
    RatioMaterial,
}

/// Per cent of the term that a rule set adds to the evaluation.
const FULL_TERM: i32 = 100;

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

    /// The starting position.
    pub fn start(self, evaluation: ChessEvaluation) -> Position {
        match self {
            RuleSet::Chess => judged(Chess::default(), evaluation),
            RuleSet::Atomic => judged(Atomic::default(), evaluation),
            RuleSet::Antichess => judged(Antichess::default(), evaluation),
            RuleSet::KingOfTheHill => judged(KingOfTheHill::default(), evaluation),
            RuleSet::ThreeCheck => judged(ThreeCheck::default(), evaluation),
            RuleSet::Crazyhouse => judged(Crazyhouse::default(), evaluation),
            RuleSet::RacingKings => judged(RacingKings::default(), evaluation),
            RuleSet::Horde => judged(Horde::default(), evaluation),
        }
    }

    /// The position of a FEN.
    ///
    /// # Errors
    /// Text that is no FEN, and positions that the rule set does not allow.
    pub fn position(self, fen: &str, evaluation: ChessEvaluation) -> Result<Position, SetupFault> {
        match self {
            RuleSet::Chess => read::<Chess>(fen, evaluation),
            RuleSet::Atomic => read::<Atomic>(fen, evaluation),
            RuleSet::Antichess => read::<Antichess>(fen, evaluation),
            RuleSet::KingOfTheHill => read::<KingOfTheHill>(fen, evaluation),
            RuleSet::ThreeCheck => read::<ThreeCheck>(fen, evaluation),
            RuleSet::Crazyhouse => read::<Crazyhouse>(fen, evaluation),
            RuleSet::RacingKings => read::<RacingKings>(fen, evaluation),
            RuleSet::Horde => read::<Horde>(fen, evaluation),
        }
    }
}

fn read<P: Rules>(fen: &str, evaluation: ChessEvaluation) -> Result<Position, SetupFault> {
    Ok(judged(setup::position::<P>(fen, CastlingMode::Standard)?.0, evaluation))
}

fn judged<P: Rules>(position: P, evaluation: ChessEvaluation) -> Position {
    Position::new(ChessGame::new(position, evaluation))
}

/// The evaluator's memory of a position.
type State = <KingRelative as Evaluator<Chess>>::State;

/// A position under the rule set `P`. White is Max.
#[derive(Clone, Debug)]
struct ChessGame<P: Rules> {
    evaluation: ChessEvaluation,
    evaluator: Rc<KingRelative>,
    now: Situation<P>,
    state: State,
    /// Plies since the search began, so that an earlier mate is better.
    ply: u16,
}

impl<P: Rules> ChessGame<P> {
    /// The game from `position` on.
    fn new(position: P, evaluation: ChessEvaluation) -> ChessGame<P> {
        let evaluator = KingRelative::linear(Weights::default()).in_rules(P::VARIANT, FULL_TERM);
        let state = evaluator.state(&position);
        let (evaluator, now) = (Rc::new(evaluator), Situation::new(position));
        ChessGame { evaluation, evaluator, now, state, ply: 0 }
    }

    /// The position.
    fn position(&self) -> &P {
        self.now.position()
    }

    /// The position after a move.
    fn with(&self, now: Situation<P>, state: State) -> ChessGame<P> {
        ChessGame { now, state, ply: self.ply + 1, ..self.clone() }
    }

    /// f(N) of a game that is not over, for White.
    fn judge(&self) -> Value {
        let board = self.position().board();
        match self.evaluation {
            ChessEvaluation::Linear => {
                self.turn().sees(self.evaluator.score(self.position(), &self.state).raw())
            }
            ChessEvaluation::Ratio => ratio::evaluate(board, true),
            ChessEvaluation::RatioMaterial => ratio::evaluate(board, false),
        }
    }

    /// True if the captured piece is worth less than the captor, and is protected.
    fn loses_piece(&self, m: shakmaty::Move) -> bool {
        let Some(victim) = m.capture() else { return false };
        if material::value(victim) >= material::value(m.role()) {
            return false;
        }
        let board = self.position().board();
        let occupied = m.from().map_or(board.occupied(), |from| board.occupied().without(from));
        board.attacks_to(m.to(), !self.position().turn(), occupied).any()
    }
}

impl<P: Rules> Game for ChessGame<P> {
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
        Position::new(self.with(now, state))
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
            ChessEvaluation::Linear => material::value(Role::Pawn),
            ChessEvaluation::Ratio | ChessEvaluation::RatioMaterial => ratio::PAWN,
        }
    }

    fn opening_breadth(&self) -> usize {
        P::default().legal_moves().len()
    }

    /// The material that the move wins at once; of equal captures, the one by the lesser piece.
    fn promise(&self, m: Move) -> Value {
        let Move::Chess(m) = m else { return 0 };
        let won = m
            .capture()
            .map_or(0, |victim| material::value(victim) + PAWN - material::value(m.role()) / 100);
        won + m.promotion().map_or(0, |role| material::value(role) - PAWN)
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
        let state = self.evaluator.state(now.position());
        Some(Position::new(self.with(now, state)))
    }

    fn as_root(&self) -> Option<Position> {
        Some(Position::new(ChessGame { ply: 0, ..self.clone() }))
    }
}
