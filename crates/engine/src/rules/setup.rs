//! Setting up a game from a client's FEN and moves, with tolerance for the errors that clients really make.
//!
//! Two kinds of errors are kept apart. Those that leave no doubt about the position are corrected with a
//! remark: missing counters, a stray en passant square, castling rights without a rook. All others are a
//! [`SetupError`] with a remedy in its text.

use std::num::NonZeroU32;

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::{
    Bitboard, Board, Castles, CastlingMode, Color, EnPassantMode, Move, Position, PositionError,
    PositionErrorKinds as Kinds, Setup, attacks,
};

use super::notation::{self, MoveError};
use super::{Game, Rules};
use crate::remark::Remark;

/// Greatest value of the counters: far beyond any game, and counting on does not overflow.
const HIGHEST_COUNT: u32 = 9999;

/// The start of a game.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Start {
    /// The rule set's own starting position.
    #[default]
    Initial,
    /// A FEN in the client's notation.
    Fen(String),
}

/// A refused position. The text names the error and a remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(pub Remark);

impl SetupError {
    fn new<const N: usize>(key: &'static str, values: [(&'static str, &str); N]) -> SetupError {
        SetupError(Remark::new(key, values))
    }

    /// The same with its place: the move of this index in a list of `count`.
    pub fn at_move(&self, index: usize, count: usize) -> SetupError {
        let (number, count) = ((index + 1).to_string(), count.to_string());
        let place = Remark::new("fault.place", [("number", &number), ("count", &count)]);
        SetupError(Remark { fault: Some(Box::new(self.0.clone())), ..place })
    }
}

impl From<SetupError> for String {
    /// The English text.
    fn from(error: SetupError) -> String {
        error.to_string()
    }
}

/// Sets up `start` and plays `moves`, with the castling rules of `mode`. Returns the game and remarks on
/// corrections.
///
/// # Errors
/// Errors that leave the position in doubt: an unreadable FEN, a missing king, an illegal move.
pub fn game<P: Rules>(
    start: &Start,
    moves: &[String],
    mode: CastlingMode,
) -> Result<(Game<P>, Vec<Remark>), SetupError> {
    let (position, remarks) = match start {
        Start::Initial => (initial(mode), Vec::new()),
        Start::Fen(fen) => position(fen, mode)?,
    };
    let mut game = Game::new(position);
    for (index, text) in moves.iter().enumerate() {
        let m =
            read_move(game.position(), text).map_err(|error| error.at_move(index, moves.len()))?;
        game.play(m);
    }
    Ok((game, remarks))
}

/// The rule set's starting position, with the castling rules of `mode`.
fn initial<P: Rules>(mode: CastlingMode) -> P {
    let setup = P::default().to_setup(EnPassantMode::Always);
    P::from_setup(setup, mode).unwrap_or_default()
}

/// Reads a FEN. Returns the position and remarks on corrections: missing counters, extra spaces, castling
/// rights in any notation (`KQkq`, `HAha`, X-FEN) and impossible ones, a stray en passant square,
/// impossible checks and material.
///
/// ```
/// use engine::rules::setup::{fen, position};
/// use shakmaty::{CastlingMode, Chess};
///
/// let text = "4k3/8/8/8/8/8/8/4K2R w KQ e3";
/// let (chess, remarks) = position::<Chess>(text, CastlingMode::Standard)?;
/// assert_eq!(fen(&chess), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
/// assert_eq!(remarks.len(), 2);
/// # Ok::<_, engine::rules::setup::SetupError>(())
/// ```
///
/// # Errors
/// Text that is not a FEN, and positions that the rule set does not allow.
pub fn position<P: Rules>(fen: &str, mode: CastlingMode) -> Result<(P, Vec<Remark>), SetupError> {
    let (setup, mut remarks) = read_setup(fen)?;
    refuse_foreign_parts::<P>(&setup)?;
    let position = match P::from_setup(setup.clone(), mode) {
        Ok(position) => position,
        Err(error) => {
            let kinds = error.kinds();
            let position = forgive(error).map_err(|kinds| position_fault::<P>(&setup, kinds))?;
            remarks.extend(position_remarks::<P>(&setup, &position, kinds));
            position
        }
    };
    Ok((position, remarks))
}

/// The mode in which a position has all castling rights that its FEN names: Chess960 if only there.
pub fn castling_mode(fen: &str) -> CastlingMode {
    let setup = read_setup(fen).map(|(setup, _)| setup);
    let has_all = |mode| setup.as_ref().is_ok_and(|setup| Castles::from_setup(setup, mode).is_ok());
    CastlingMode::from_chess960(!has_all(CastlingMode::Standard) && has_all(CastlingMode::Chess960))
}

/// The position as FEN, with an en passant square only where a pawn can capture there.
pub fn fen(position: &impl Position) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// The position with the colours swapped.
///
/// # Errors
/// A position that has no mirror image under its rules.
pub fn mirrored<P: Rules>(position: &P) -> Result<P, SetupError> {
    let setup = position.to_setup(EnPassantMode::Legal).into_mirrored();
    let mirrored = setup.position(position.castles().mode());
    mirrored.map_err(|_: PositionError<P>| SetupError::new("fault.mirror", []))
}

/// The legal move that a client's `text` means: UCI notation, or any other that
/// [`notation`] knows.
///
/// # Errors
/// Text that is not a move, and illegal moves.
pub fn read_move(position: &impl Position, text: &str) -> Result<Move, SetupError> {
    notation::read_move(position, text).map_err(|error| match error {
        MoveError::Unreadable => SetupError::new("fault.unreadable", [("move", text)]),
        MoveError::Null => SetupError::new("fault.null", [("move", text)]),
        MoveError::Illegal => {
            SetupError::new("fault.illegal", [("move", text), ("fen", &fen(position))])
        }
        MoveError::Ambiguous => {
            SetupError::new("fault.ambiguous", [("move", text), ("fen", &fen(position))])
        }
    })
}

/// Reads the fields of a FEN, as far as no rules are needed.
fn read_setup(fen: &str) -> Result<(Setup, Vec<Remark>), SetupError> {
    let is_gap = |letter: char| letter.is_whitespace() || letter == '_';
    let fields: Vec<&str> = fen.split(is_gap).filter(|field| !field.is_empty()).collect();
    let [board, turn, rest @ ..] = fields.as_slice() else {
        return Err(SetupError::new("fault.short", [("field", fen.trim())]));
    };
    // Remaining checks stand anywhere after the side to move: before or after the en passant square, or at the end.
    let (checks, others): (Vec<&str>, Vec<&str>) =
        rest.iter().partition(|field| field.contains('+'));
    let (places, counters) = others.split_at(others.len().min(2));
    if checks.len() > 1 {
        return Err(SetupError::new("fault.checks-twice", [("field", &checks.join(" "))]));
    }
    if counters.len() > 2 {
        return Err(SetupError::new("fault.fields", [("field", &counters[2..].join(" "))]));
    }

    let mut remarks = Vec::new();
    // Cute Chess writes an empty pocket as [-].
    let board = board.replace("[-]", "[]");
    let castling = places.first().unwrap_or_else(|| {
        remarks.push(Remark::new("remark.no-castling", []));
        &"-"
    });
    let en_passant = places.get(1).unwrap_or(&"-");
    let placement = [&board, *turn, castling, en_passant, checks.first().unwrap_or(&"")].join(" ");
    let mut setup = Fen::from_ascii(placement.as_bytes())
        .map_err(|error| {
            field_fault(&error, &[&board, turn, castling, en_passant, &checks.concat()])
        })?
        .into_setup();
    let keys = ["fault.clock", "remark.clock"];
    setup.halfmoves = counter(keys, counters.first(), 0, &mut remarks)?;
    let keys = ["fault.number", "remark.number"];
    let fullmoves = counter(keys, counters.get(1), 1, &mut remarks)?;
    setup.fullmoves = NonZeroU32::new(fullmoves).unwrap_or(NonZeroU32::MIN);
    Ok((setup, remarks))
}

/// Reads a counter of at least `lowest`, which is also the value of a missing one. The keys are those of its fault and of
/// its correction.
fn counter(
    [fault, correction]: [&'static str; 2],
    field: Option<&&str>,
    lowest: u32,
    remarks: &mut Vec<Remark>,
) -> Result<u32, SetupError> {
    let Some(field) = field.filter(|&&field| field != "-") else { return Ok(lowest) };
    let digits = field.strip_prefix('-').unwrap_or(field);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(SetupError::new(fault, [("field", field)]));
    }
    let number = field.parse::<i64>().unwrap_or(i64::MAX);
    let count = number.clamp(lowest.into(), HIGHEST_COUNT.into()) as u32;
    // Zero as the first move's number is so common that it deserves no remark.
    if i64::from(count) != number && number != 0 {
        remarks.push(Remark::new(correction, [("field", field), ("count", &count.to_string())]));
    }
    Ok(count)
}

/// Names the unreadable field of a FEN.
fn field_fault(error: &ParseFenError, fields: &[&str; 5]) -> SetupError {
    let [board, turn, castling, en_passant, checks] = fields;
    let (key, field) = match error {
        ParseFenError::InvalidTurn => ("fault.turn", turn),
        ParseFenError::InvalidCastling => ("fault.castling", castling),
        ParseFenError::InvalidEpSquare => ("fault.en-passant", en_passant),
        ParseFenError::InvalidPocket => ("fault.pocket", board),
        _ if !checks.is_empty() && board.parse::<Board>().is_ok() => ("fault.checks", checks),
        _ => ("fault.board", board),
    };
    SetupError::new(key, [("field", field)])
}

/// Refuses parts of a FEN that belong to other rule sets.
fn refuse_foreign_parts<P: Rules>(setup: &Setup) -> Result<(), SetupError> {
    let plain = P::default();
    let has_pocket = setup.pockets.is_some_and(|pockets| pockets != Default::default());
    let key = if has_pocket && plain.pockets().is_none() {
        "fault.foreign-hand"
    } else if setup.remaining_checks.is_some() && plain.remaining_checks().is_none() {
        "fault.foreign-checks"
    } else {
        return Ok(());
    };
    Err(SetupError::new(key, [("rules", P::NAME)]))
}

/// Accepts a position with errors that leave no doubt about it; otherwise names them all.
fn forgive<P: Rules>(error: PositionError<P>) -> Result<P, Kinds> {
    let kinds = error.kinds();
    // A king that could be captured is beyond the rules of move generation.
    if !P::CHECKS && kinds.contains(Kinds::IMPOSSIBLE_CHECK) {
        return Err(kinds);
    }
    Err(error)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(|_| kinds)
}

fn position_remarks<P: Rules>(setup: &Setup, position: &P, kinds: Kinds) -> Vec<Remark> {
    let dropped = squares(setup.castling_rights & !position.castles().castling_rights());
    let castling = match position.castles().mode() {
        _ if P::default().castles().is_empty() => {
            Remark::new("remark.foreign-castling", [("rules", P::NAME)])
        }
        CastlingMode::Standard if Castles::from_setup(setup, CastlingMode::Chess960).is_ok() => {
            Remark::new("remark.castling-960", [("squares", &dropped)])
        }
        _ => Remark::new("remark.castling", [("squares", &dropped)]),
    };
    let ep_square = setup.ep_square.map_or_else(String::new, |square| square.to_string());
    [
        (Kinds::INVALID_CASTLING_RIGHTS, castling),
        (Kinds::INVALID_EP_SQUARE, Remark::new("remark.en-passant", [("square", &ep_square)])),
        (Kinds::IMPOSSIBLE_CHECK, Remark::new("remark.check", [])),
        (Kinds::TOO_MUCH_MATERIAL, Remark::new("remark.material", [])),
    ]
    .into_iter()
    .filter_map(|(kind, remark)| kinds.contains(kind).then_some(remark))
    .collect()
}

/// Names the worst error of a position.
fn position_fault<P: Rules>(setup: &Setup, kinds: Kinds) -> SetupError {
    let board = &setup.board;
    let kings = |color| (board.kings() & board.by_color(color)).count();
    let miscounted = Color::ALL.into_iter().find(|&color| kings(color) != 1);
    if kinds.contains(Kinds::EMPTY_BOARD) {
        SetupError::new("fault.empty", [])
    } else if let Some(fault) = P::setup_fault(setup) {
        SetupError(fault)
    } else if kinds.intersects(Kinds::MISSING_KING | Kinds::TOO_MANY_KINGS)
        && let Some(color) = miscounted
    {
        let key = color.fold_wb("fault.kings-white", "fault.kings-black");
        SetupError::new(key, [("count", &kings(color).to_string())])
    } else if kinds.contains(Kinds::PAWNS_ON_BACKRANK) {
        let misplaced = squares(board.pawns() & Bitboard::BACKRANKS);
        SetupError::new("fault.pawns", [("squares", &misplaced)])
    } else if kinds.contains(Kinds::OPPOSITE_CHECK) && P::CHECKS {
        check_fault(setup)
    } else if kinds.intersects(Kinds::OPPOSITE_CHECK | Kinds::IMPOSSIBLE_CHECK) {
        SetupError::new("fault.checked", [])
    } else {
        SetupError::new("fault.rules", [])
    }
}

/// Why the side that is not to move may not stand in check. With the other side to move the position is right only if that
/// one stands in none.
fn check_fault(setup: &Setup) -> SetupError {
    let board = &setup.board;
    let is_in_check = |color: Color| {
        let checkers = |king| board.attacks_to(king, !color, board.occupied());
        board.king_of(color).is_some_and(|king| checkers(king).any())
    };
    let kings = board.kings();
    if kings.into_iter().any(|king| (attacks::king_attacks(king) & kings).any()) {
        SetupError::new("fault.touching", [("squares", &squares(kings))])
    } else if is_in_check(setup.turn) {
        SetupError::new("fault.check-both", [])
    } else {
        SetupError::new((!setup.turn).fold_wb("fault.check-white", "fault.check-black"), [])
    }
}

/// The names of the squares, separated by spaces.
pub(super) fn squares(set: Bitboard) -> String {
    set.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
}
