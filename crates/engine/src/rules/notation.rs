//! Moves as people and programs write them: the only reader of moves.
//!
//! Standard algebraic notation (SAN), its long form, and the notation of UCI are one grammar: an optional
//! piece, an optional origin, the target. So `Nf3`, `Ng1-f3`, `♘f3`, `g1f3`, `e:d5`, `b8Q`, `0-0` and `P@e4`
//! need no dialects, and a book, an analysis, a game in the terminal and a client's `position` read the same.
//! Two steps are kept apart: what is written ([`WrittenMove`]), and which legal move it means.

use std::borrow::Cow;

use shakmaty::san::{San, SanPlus};
use shakmaty::{CastlingSide, File, Move, Position, Rank, Role, Square};

use super::Rules;

/// A move as it is written, legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenMove {
    /// Castling: `O-O`, `0-0-0`.
    Castle(CastlingSide),
    /// A piece from the hand: `N@f3`.
    Put {
        /// The piece.
        role: Role,
        /// Its target.
        to: Square,
    },
    /// A piece on the board.
    Normal {
        /// The piece, where one is named.
        role: Option<Role>,
        /// The file of its origin, where one is named.
        file: Option<File>,
        /// The rank of its origin, where one is named.
        rank: Option<Rank>,
        /// Its target.
        to: Square,
        /// What a pawn becomes.
        promotion: Option<Role>,
    },
    /// Passing the turn: `--`, `Z0`, `0000`.
    Null,
}

/// The reason why a text is no legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// It has not the form of a move.
    Unreadable,
    /// It passes the turn.
    Null,
    /// No legal move is meant.
    Illegal,
    /// Several legal moves can be meant.
    Ambiguous,
}

/// The legal move that `text` means. Signs of check and mate, `e.p.` and `!?` may follow; a capture need not
/// be marked, and castling may be written by the king's squares (`e1g1`, `e1h1`).
///
/// ```
/// use engine::rules::notation::read_move;
/// use shakmaty::Chess;
///
/// let start = Chess::default();
/// for text in ["Nf3", "Ng1-f3", "♘f3!", "g1f3", "nf3"] {
///     assert_eq!(read_move(&start, text).map(|m| m.to_string()).as_deref(), Ok("Ng1-f3"));
/// }
/// ```
///
/// # Errors
/// See [`MoveError`].
pub fn read_move<P: Position>(position: &P, text: &str) -> Result<Move, MoveError> {
    WrittenMove::parse(text).ok_or(MoveError::Unreadable)?.find(position)
}

/// The same for a move that a person types, perhaps after its number: `1. e4`. The pieces have the letters of a
/// language: `letters` are those of king, queen, rook, bishop and knight, in ASCII. SAN's are read as well, but a letter
/// of both, such as Spanish R, is the language's. A capital is a piece before it is a file, a small letter is a file before
/// it is a piece.
///
/// ```
/// use engine::rules::notation::{MoveError, read_move_with};
/// use shakmaty::Chess;
///
/// let start = Chess::default();
/// let read = |text| read_move_with(&start, text, "RDTAC").map(|m| m.to_string());
/// assert_eq!(read("Cc3").as_deref(), Ok("Nb1-c3"));
/// assert_eq!(read("c3").as_deref(), Ok("c2-c3"));
/// assert_eq!(read("Nc3").as_deref(), Ok("Nb1-c3"));
/// assert_eq!(read("Dc3"), Err(MoveError::Illegal));
/// ```
///
/// # Errors
/// See [`MoveError`].
pub fn read_move_with<P: Position>(
    position: &P,
    text: &str,
    letters: &str,
) -> Result<Move, MoveError> {
    let text = without_number(text);
    let written = WrittenMove::parse_with(text, letters).ok_or(MoveError::Unreadable);
    let found = written.and_then(|written| written.find(position));
    if found.is_ok() || text.contains(|c: char| c.is_ascii_lowercase()) {
        return found;
    }
    // Under caps lock, squares look like a piece and a rank: A2A4, with Spanish letters a bishop's move.
    let squares = WrittenMove::parse_with(&text.to_ascii_lowercase(), letters);
    match squares.filter(|written| written.has_squares_only()).map(|written| written.find(position))
    {
        Some(Ok(m)) => Ok(m),
        _ => found,
    }
}

/// The text after the number of a move: `1. e4`, `12...Nf6`.
pub fn without_number(text: &str) -> &str {
    let text = text.trim();
    let dots = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = dots.trim_start_matches(['.', '…']);
    // Castling may begin with zeros, too.
    if rest.len() < dots.len() { rest.trim_start() } else { text }
}

/// The letters of king, queen, rook, bishop and knight in SAN.
const SAN: &str = "KQRBN";

/// The letters of the same pieces in the other languages that the program reads games in: Spanish.
pub const LANGUAGES: [&str; 1] = ["RDTAC"];

/// The piece of a capital letter in a language.
fn role_in(letter: u8, letters: &str) -> Option<Role> {
    const ROLES: [Role; 5] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
    let own = letters.bytes().zip(ROLES).find(|(own, _)| *own == letter);
    own.map(|(_, role)| role)
}

/// The piece of a capital letter: the language's, or else SAN's.
fn role_of(letter: u8, letters: &str) -> Option<Role> {
    role_in(letter, letters).or_else(|| Role::from_char(letter.into()))
}

/// The text with SAN's letters and ASCII signs for figurines, dashes and daggers, and without marks that have no width.
pub fn plain(text: &str) -> Cow<'_, str> {
    plain_with(text, SAN)
}

/// The same with the letters of a language.
pub fn plain_with<'a>(text: &'a str, letters: &str) -> Cow<'a, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let letter = |place| letters.chars().nth(place);
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '♔' | '♚' => plain.extend(letter(0)),
            '♕' | '♛' => plain.extend(letter(1)),
            '♖' | '♜' => plain.extend(letter(2)),
            '♗' | '♝' => plain.extend(letter(3)),
            '♘' | '♞' => plain.extend(letter(4)),
            '♙' | '♟' => plain.push('P'),
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}' => plain.push('-'),
            '×' => plain.push('x'),
            '†' => plain.push('+'),
            '‡' => plain.push_str("++"),
            '½' => plain.push_str("1/2"),
            // Soft hyphen, joiners, directions, the byte order mark, the choice between text and picture.
            '\u{ad}' | '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' => {}
            '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fe0e}' | '\u{fe0f}' => {}
            c => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

impl WrittenMove {
    /// Reads a text that is a move and nothing else.
    pub fn parse(text: &str) -> Option<WrittenMove> {
        let text = plain(text.trim());
        Scan::new(&text, SAN, Care::San).whole_text()
    }

    /// The same for what a person types, with the letters of a language; see [`read_move_with`].
    pub fn parse_with(text: &str, letters: &str) -> Option<WrittenMove> {
        let text = plain_with(text.trim(), letters);
        Scan::new(&text, letters, Care::Typed).whole_text()
    }

    /// Reads the move that a plain text begins with, as long as possible, with the signs of check and mate
    /// after it; also returns its length in bytes.
    pub fn prefix(text: &str) -> Option<(WrittenMove, usize)> {
        Scan::new(text, SAN, Care::San).written()
    }

    /// The same for a move of a game in another language, put into SAN: `Cf3+` is `Nf3+`. Nothing is taken for something
    /// else here, as a person's move may be: SAN's own letters are none, and capitals are no files.
    pub fn prefix_in(text: &str, letters: &str) -> Option<(String, usize)> {
        let (_, length) = Scan::new(text, letters, Care::Language).written()?;
        let san = |c: char| letters.find(c).and_then(|place| SAN.chars().nth(place)).unwrap_or(c);
        Some((text[..length].chars().map(san).collect(), length))
    }

    /// The way back: a move in SAN by the letters of another language.
    pub fn in_letters(san: &str, letters: &str) -> String {
        let own = |c: char| SAN.find(c).and_then(|place| letters.chars().nth(place)).unwrap_or(c);
        san.chars().map(own).collect()
    }

    /// True for a move that is written by its squares alone, as in UCI.
    pub fn has_squares_only(self) -> bool {
        matches!(self, WrittenMove::Normal { role: None, file: Some(_), rank: Some(_), .. })
    }

    /// The legal move that is meant.
    ///
    /// # Errors
    /// See [`MoveError`].
    pub fn find<P: Position>(self, position: &P) -> Result<Move, MoveError> {
        let mut moves = match self {
            WrittenMove::Null => return Err(MoveError::Null),
            WrittenMove::Castle(side) => position.castling_moves(side),
            WrittenMove::Put { role, to } => position.san_candidates(role, to),
            WrittenMove::Normal { file, rank, to, .. } => {
                let from = file.zip(rank).map(|(file, rank)| Square::from_coords(file, rank));
                let Some(role) = self.role(position, from) else { return Err(MoveError::Illegal) };
                let mut moves = position.san_candidates(role, to);
                moves.retain(|m| self.is_step(*m));
                if let (Role::King, Some(from), true) = (role, from, moves.is_empty()) {
                    return castling_by_squares(position, from, to).ok_or(MoveError::Illegal);
                }
                moves
            }
        };
        moves.retain(|m| matches!(m, Move::Put { .. }) == matches!(self, WrittenMove::Put { .. }));
        match moves.as_slice() {
            [] => Err(MoveError::Illegal),
            [m] => Ok(*m),
            _ => Err(MoveError::Ambiguous),
        }
    }

    /// The piece that moves: without a name the one on `from`, or a pawn.
    fn role<P: Position>(self, position: &P, from: Option<Square>) -> Option<Role> {
        match (self, from) {
            (WrittenMove::Normal { role: None, .. }, Some(from)) => position.board().role_at(from),
            (WrittenMove::Normal { role, .. }, _) => role.or(Some(Role::Pawn)),
            _ => None,
        }
    }

    /// True if `m`, by the right piece to the right target, has the origin and the promotion that are written.
    fn is_step(self, m: Move) -> bool {
        let WrittenMove::Normal { file, rank, to, promotion, .. } = self else { return false };
        let (Move::Normal { from, .. } | Move::EnPassant { from, .. }) = m else { return false };
        // A pawn that is not said to come from elsewhere advances.
        let file = file.or_else(|| (m.role() == Role::Pawn).then_some(to.file()));
        file.is_none_or(|file| from.file() == file)
            && rank.is_none_or(|rank| from.rank() == rank)
            && m.promotion() == promotion
    }
}

/// The square on which the moving piece arrives; of castling, the king's.
pub fn arrival(m: Move) -> Square {
    match (m, m.castling_side()) {
        (Move::Castle { king, .. }, Some(side)) => {
            Square::from_coords(side.king_to_file(), king.rank())
        }
        _ => m.to(),
    }
}

/// The squares that the moving piece leaves and enters; a drop leaves none.
pub fn squares(m: Move) -> Vec<Square> {
    m.from().into_iter().chain([arrival(m)]).collect()
}

/// Castling by the squares of the king: onto its rook or its own target, unless the latter is the step of an
/// ordinary king move.
fn castling_by_squares<P: Position>(position: &P, from: Square, to: Square) -> Option<Move> {
    let is_meant = |m: &Move| {
        let Move::Castle { king, rook } = *m else { return false };
        king == from && (rook == to || arrival(*m) == to && from.distance(to) != 1)
    };
    let moves = CastlingSide::ALL.into_iter().flat_map(|side| position.castling_moves(side));
    moves.into_iter().find(is_meant)
}

/// The spellings of moves that a reader accepts, beyond those that every reader accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Care {
    /// All that a person may mean: small letters are pieces, and capitals files.
    Typed,
    /// The same in a file, but `Cc6` and `Dxe5` are no moves of pawns: in Spanish they are those of pieces.
    San,
    /// In the letters of a language nothing but what is written so by its rules: no small letter is a piece, and no capital
    /// a file or a piece of SAN.
    Language,
}

/// A place in a text.
#[derive(Clone, Copy)]
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The letters of king, queen, rook, bishop and knight.
    letters: &'a str,
    care: Care,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str, letters: &'a str, care: Care) -> Scan<'a> {
        Scan { bytes: text.as_bytes(), at: 0, letters, care }
    }

    /// The move that the text is, with its marks.
    fn whole_text(self) -> Option<WrittenMove> {
        let (written, length) = self.written()?;
        self.bytes[length..].iter().all(|byte| b"!?".contains(byte)).then_some(written)
    }

    /// Reads the move that the text begins with; also returns its length.
    fn written(mut self) -> Option<(WrittenMove, usize)> {
        let rare = match self.bytes {
            [b'O' | b'o', ..] => self.castle(),
            [b'0', ..] => self.null().or_else(|| self.castle()),
            [b'-' | b'Z' | b'<', ..] | [b'@', b'@', ..] => self.null(),
            [b'@', ..] | [_, b'@', ..] => self.put(),
            _ => None,
        };
        let written = rare.or_else(|| self.normal())?;
        self.signs();
        Some((written, self.at))
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Takes the next byte if `read` makes something of it.
    fn take<T>(&mut self, read: impl Fn(u8) -> Option<T>) -> Option<T> {
        let found = read(self.peek()?)?;
        self.at += 1;
        Some(found)
    }

    /// Takes one of these bytes.
    fn one_of(&mut self, bytes: &[u8]) -> bool {
        self.take(|byte| bytes.contains(&byte).then_some(())).is_some()
    }

    /// Takes the first of these words that comes next.
    fn word(&mut self, words: &[&str]) -> bool {
        let rest = &self.bytes[self.at..];
        let length = words.iter().find(|word| rest.starts_with(word.as_bytes())).map(|w| w.len());
        self.at += length.unwrap_or(0);
        length.is_some()
    }

    /// Either the whole of `read`, or nothing is taken.
    fn whole<T>(&mut self, read: impl Fn(&mut Self) -> Option<T>) -> Option<T> {
        let mut ahead = *self;
        let found = read(&mut ahead)?;
        *self = ahead;
        Some(found)
    }

    fn file(&mut self) -> Option<File> {
        let is_small_only = self.care == Care::Language;
        self.take(|byte| {
            let byte = if is_small_only { byte } else { byte.to_ascii_lowercase() };
            File::from_char(byte.into())
        })
    }

    fn rank(&mut self) -> Option<Rank> {
        self.take(|byte| Rank::from_char(byte.into()))
    }

    fn square(&mut self) -> Option<Square> {
        self.whole(|scan| Some(Square::from_coords(scan.file()?, scan.rank()?)))
    }

    /// The piece that a letter names.
    fn named(self, byte: u8) -> Option<Role> {
        match self.care {
            Care::Language if byte == b'P' => Some(Role::Pawn),
            Care::Language => role_in(byte, self.letters),
            Care::Typed | Care::San => role_of(byte.to_ascii_uppercase(), self.letters),
        }
    }

    /// A piece's letter. A small one that is also a file's is the file's.
    fn role(&mut self) -> Option<Role> {
        let scan = *self;
        let is_file = |byte| matches!(byte, b'a'..=b'h');
        self.take(|byte| scan.named(byte).filter(|_| !is_file(byte)))
    }

    fn null(&mut self) -> Option<WrittenMove> {
        self.word(&["--", "Z0", "0000", "@@@@", "<>"]).then_some(WrittenMove::Null)
    }

    fn castle(&mut self) -> Option<WrittenMove> {
        // Without hyphens only by capitals: zeros would be a number.
        let joined = [("OOO", CastlingSide::QueenSide), ("OO", CastlingSide::KingSide)];
        if let Some((_, side)) = joined.into_iter().find(|(word, _)| self.word(&[word])) {
            return Some(WrittenMove::Castle(side));
        }
        let part = |scan: &mut Self| scan.one_of(b"Oo0").then_some(());
        let next = |scan: &mut Self| scan.one_of(b"-").then(|| part(scan)).flatten();
        self.whole(|scan| {
            part(scan)?;
            next(scan)?;
            let is_long = scan.whole(next).is_some();
            Some(WrittenMove::Castle(CastlingSide::from_queen_side(is_long)))
        })
    }

    fn put(&mut self) -> Option<WrittenMove> {
        self.whole(|scan| {
            // In the hand, a small b can only be a bishop.
            let ahead = *scan;
            let role = scan.take(|byte| ahead.named(byte));
            let role = role.unwrap_or(Role::Pawn);
            let is_put = scan.one_of(b"@");
            let to = is_put.then(|| scan.square()).flatten()?;
            Some(WrittenMove::Put { role, to })
        })
    }

    fn normal(&mut self) -> Option<WrittenMove> {
        let named = self.whole(|scan| {
            let role = scan.role()?;
            scan.squares(Some(role))
        });
        named.or_else(|| self.whole(|scan| scan.squares(None)))
    }

    /// Origin, target and promotion.
    fn squares(&mut self, role: Option<Role>) -> Option<WrittenMove> {
        let is_capital = self.peek().is_some_and(|byte| byte.is_ascii_uppercase());
        let may_be_piece = role.is_none() && is_capital && self.care != Care::Typed;
        let origin = self.whole(|scan| {
            let (file, rank) = (scan.file(), scan.rank());
            scan.one_of(b"x:-X");
            // A text in capitals alone has no small target.
            let is_small = scan.peek().is_some_and(|byte| byte.is_ascii_lowercase());
            let to = scan.square()?;
            (!may_be_piece || !is_small).then_some((file, rank, to))
        });
        let (file, rank, to) = match origin {
            Some(found) => found,
            None => (None, None, self.square()?),
        };
        let is_pawn = role.is_none_or(|role| role == Role::Pawn);
        let promotion =
            if is_pawn { self.promotion(to, file.is_some() && rank.is_some()) } else { None };
        Some(WrittenMove::Normal { role, file, rank, to, promotion })
    }

    /// What a pawn becomes: `=Q`, `(Q)`, `/Q`, on the last rank `Q` alone, and wherever it goes the small `q`
    /// of UCI, which is illegal there and not unreadable.
    fn promotion(&mut self, to: Square, has_origin: bool) -> Option<Role> {
        let is_uci = has_origin && self.peek().is_some_and(|byte| byte.is_ascii_lowercase());
        let start = *self;
        // A small letter is UCI's, whatever the language.
        let may_be_uci = is_uci || self.care != Care::Language;
        let is_small = |byte: u8| byte.is_ascii_lowercase() && may_be_uci;
        let uci = |byte: u8| Role::from_char(byte.into()).filter(|_| is_small(byte));
        let role = |byte: u8| uci(byte).or_else(|| start.named(byte));
        let piece = |scan: &mut Self| scan.take(role);
        self.whole(|scan| {
            let is_marked = scan.one_of(b"=/");
            let is_bracketed = scan.one_of(b"(");
            let is_last = [Rank::First, Rank::Eighth].contains(&to.rank());
            let role = piece(scan).filter(|_| is_marked || is_bracketed || is_last || is_uci)?;
            (!is_bracketed || scan.one_of(b")")).then_some(role)
        })
    }

    /// The signs of check, mate and en passant.
    fn signs(&mut self) {
        const WORDS: &[&str] = &[
            "e.p.", "e.p", "ep.", "ep", "/ep", "dbl.ch.", "dbl.ch", "dis.ch.", "dis.ch", "check",
            "ch.", "ch", "mate",
        ];
        while self.peek().is_some_and(|byte| b"+#edcm/".contains(&byte)) {
            // `+=`, `+-` and `+/-` are judgements, and no check.
            let rest = &self.bytes[self.at..];
            let is_judgement =
                ["+=", "+-", "+/"].iter().any(|sign| rest.starts_with(sign.as_bytes()));
            if is_judgement || !(self.one_of(b"+#") || self.word(WORDS)) {
                return;
            }
        }
    }
}

/// The move in SAN with its check or mate. A pawn from the hand has its letter, `P@e4`, as in the games of lichess.
pub fn san<P: Rules>(position: &P, m: Move) -> String {
    with_pawn(SanPlus::from_move(position.clone(), m).to_string())
}

/// The same without check or mate.
pub fn short_san<P: Rules>(position: &P, m: Move) -> String {
    with_pawn(San::from_move(position, m).to_string())
}

fn with_pawn(san: String) -> String {
    if san.starts_with('@') { format!("P{san}") } else { san }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::variant::Crazyhouse;
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use crate::pgn::{Course, RawGame, Token};
    use crate::rules::{Game, RuleSet, for_each_rule_set, setup};

    fn read(fen: &str, text: &str) -> Result<String, MoveError> {
        let mode = CastlingMode::Chess960;
        let position = setup::position::<Chess>(fen, mode).unwrap().0;
        read_move(&position, text).map(|m| m.to_uci(CastlingMode::Standard).to_string())
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn a_pawn_from_the_hand_is_written_as_lichess_writes_it() {
        let moves = ["e2e4", "d7d5", "e4d5", "d8d5"].map(str::to_string);
        let start = setup::Start::Initial;
        let (game, _) = setup::game::<Crazyhouse>(&start, &moves, CastlingMode::Standard).unwrap();
        for (text, long) in [("@d7", "P@d7+"), ("Nc3", "Nc3"), ("P@e4", "P@e4")] {
            let m = read_move(game.position(), text).unwrap();
            assert_eq!(san(game.position(), m), long);
            assert_eq!(short_san(game.position(), m), long.trim_end_matches('+'));
        }
    }

    #[test]
    fn letters_of_a_language_come_before_those_of_san() {
        let fen = "7k/8/8/8/8/8/8/R3K3 w Q - 0 1";
        let position: Chess = crate::rules::setup::position(fen, CastlingMode::Standard).unwrap().0;
        let read = |text| read_move_with(&position, text, "RDTAC").map(|m| m.to_string());
        assert_eq!(read("Rd1").as_deref(), Ok("Ke1-d1"));
        assert_eq!(read("Td1").as_deref(), Ok("Ra1-d1"));
        assert_eq!(read("Kd1").as_deref(), Ok("Ke1-d1"));
        assert_eq!(read("Ra2"), Err(MoveError::Illegal), "R is the king");
        assert_eq!(read("rd1").as_deref(), Ok("Ke1-d1"));
        assert_eq!(read("♖d1").as_deref(), Ok("Ra1-d1"), "a figurine is no letter");
    }

    #[test]
    fn a_capital_of_a_language_is_a_piece_and_a_small_letter_a_file() {
        let fen = "4k3/8/8/1p6/8/8/P1PBP3/RN2KB2 w Q - 0 1";
        let position: Chess = setup::position(fen, CastlingMode::Standard).unwrap().0;
        let read = |text| {
            let found = read_move_with(&position, text, "RDTAC");
            found.map(|m| m.to_uci(CastlingMode::Standard).to_string())
        };
        for (text, wanted) in [
            ("Cc3", Ok("b1c3")),
            ("CC3", Ok("b1c3")),
            ("Cbc3", Ok("b1c3")),
            ("c3", Ok("c2c3")),
            ("C4", Ok("c2c4")),
            ("Aa5", Ok("d2a5")),
            ("A3", Ok("a2a3")),
            ("A2A4", Ok("a2a4")),
            ("A2-A4", Ok("a2a4")),
            ("1. c4", Ok("c2c4")),
            ("1.Cc3", Ok("b1c3")),
            ("12…Aa5", Ok("d2a5")),
            ("Cc4", Err(&MoveError::Illegal)),
            ("CC4", Err(&MoveError::Illegal)),
            ("0-0-0", Err(&MoveError::Illegal)),
            ("1.", Err(&MoveError::Unreadable)),
        ] {
            assert_eq!(read(text).as_deref(), wanted, "{text}");
        }
        let fen = "6k1/P7/8/8/8/8/8/K7 w - - 0 1";
        let position: Chess = setup::position(fen, CastlingMode::Standard).unwrap().0;
        for (text, role) in [
            ("a8=T", Role::Rook),
            ("a8=t", Role::Rook),
            ("a8C", Role::Knight),
            ("a7a8r", Role::Rook),
            ("A7A8A", Role::Bishop),
        ] {
            let found = read_move_with(&position, text, "RDTAC").unwrap();
            assert_eq!(found.promotion(), Some(role), "{text}");
        }
    }

    #[test]
    fn what_is_no_move_is_told_from_what_is_not_legal() {
        for text in [
            "",
            "e",
            "e9",
            "Sf3",
            "xyz",
            "e4e",
            "Nf3x",
            "Nf",
            "1-0",
            "e4 e5",
            "Nf3b",
            "e4\u{1b}[0m",
        ] {
            assert_eq!(read(START, text), Err(MoveError::Unreadable), "{text}");
        }
        for text in ["e5", "Qh5", "O-O", "0-0-0", "e2e5", "e2e4q", "e4=Q", "N@f3", "Bg1-f3", "a8Q"]
        {
            assert_eq!(read(START, text), Err(MoveError::Illegal), "{text}");
        }
        for text in ["--", "0000", "Z0", "@@@@"] {
            assert_eq!(read(START, text), Err(MoveError::Null), "{text}");
        }
        let two = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
        assert_eq!(read(two, "Nd2"), Err(MoveError::Ambiguous));
        assert_eq!(read(two, "Nbd2").as_deref(), Ok("b1d2"));
    }

    #[test]
    fn a_capital_before_a_small_square_is_no_file_in_a_file_of_games() {
        for text in ["Cc6", "Dxe5", "Cf3", "C7-c6"] {
            assert_eq!(WrittenMove::parse(text), None, "{text}");
            assert!(WrittenMove::parse_with(text, SAN).is_some(), "a person may mean it: {text}");
        }
        for text in ["C4", "DXE5", "C7C6", "c6", "dxe5", "Bb5", "NBd2"] {
            assert!(WrittenMove::parse(text).is_some(), "{text}");
        }
    }

    #[test]
    fn a_pawn_is_no_bishop_and_becomes_only_what_is_written() {
        let board = "6k1/1P3ppp/8/8/8/2r5/1P6/2B1K3 w - - 0 1";
        assert_eq!(read(board, "bxc3").as_deref(), Ok("b2c3"));
        assert_eq!(read(board, "Bc3"), Err(MoveError::Illegal), "the bishop does not reach it");
        assert_eq!(read(board, "c3"), Err(MoveError::Illegal), "a capture names the pawn's file");
        assert_eq!(read(board, "b8"), Err(MoveError::Illegal), "queen or what?");
        for text in ["b8=N", "b8N", "b8n+", "b8(N)", "b8/N", "b7-b8=N", "b7b8n", "Pb8=N"] {
            assert_eq!(read(board, text).as_deref(), Ok("b7b8n"), "{text}");
        }
    }

    #[test]
    fn nobody_castles_out_of_check() {
        let check = "4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        for text in ["O-O", "0-0-0", "e1g1", "e1h1"] {
            assert_eq!(read(check, text), Err(MoveError::Illegal), "{text}");
        }
    }

    /// Ways to write a legal move.
    fn spellings<P: Rules>(position: &P, m: Move) -> Vec<String> {
        let san = SanPlus::from_move(position.clone(), m).to_string();
        let bare = san.trim_end_matches(['+', '#']).to_string();
        let figurines = |text: &str| {
            let letters = [('K', '♔'), ('Q', '♛'), ('R', '♖'), ('B', '♝'), ('N', '♘')];
            letters.into_iter().fold(text.to_string(), |text, (letter, figure)| {
                text.replace(letter, &figure.to_string())
            })
        };
        let uci = |mode| m.to_uci(mode).to_string();
        let mut all = vec![
            uci(position.castles().mode()),
            uci(CastlingMode::Chess960),
            format!("{bare}+"),
            format!("{bare}#"),
            format!("{bare}++"),
            format!("{bare}†"),
            format!("{bare}ch"),
            format!("{bare}mate"),
            format!("{san}!?"),
            format!("{san}!!!"),
            figurines(&san),
            bare.clone(),
            san,
        ];
        let promotion = m.promotion().map(|role| role.upper_char());
        match m {
            Move::Castle { king, rook } => {
                all.extend([
                    bare.replace('O', "0"),
                    bare.replace('O', "o"),
                    bare.replace('-', "–"),
                ]);
                all.push(format!("K{king}-{rook}"));
            }
            Move::Put { role, to } => all.push(format!("{}@{to}!", role.char())),
            Move::Normal { role, from, to, .. } => {
                let letter =
                    if role == Role::Pawn { String::new() } else { role.upper_char().into() };
                let end = promotion.map_or_else(String::new, |role| format!("={role}"));
                for gap in ["", "-", "x", ":", "×", "—"] {
                    all.push(format!("{letter}{from}{gap}{to}{end}"));
                }
                all.push(format!("{}{from}-{to}{end}", role.upper_char()));
                // A small b is a pawn and a capital one a bishop.
                if from.file() != File::B {
                    all.push(format!("{from}{to}{end}").to_ascii_uppercase());
                }
                if role != Role::Bishop {
                    all.push(bare.to_ascii_lowercase());
                }
                all.extend([bare.replace('x', ""), bare.replace('x', ":"), bare.replace('x', "×")]);
            }
            Move::EnPassant { from, to } => {
                let file = from.file().char();
                for end in ["e.p.", "ep", " e.p.", "/ep", "e.p.+", "+"] {
                    all.push(format!("{file}x{to}{end}"));
                }
                all.extend([format!("{file}:{to}"), format!("{file}{to}"), format!("{from}x{to}")]);
            }
        }
        if let Some(role) = promotion {
            let stem = &bare[..bare.len() - 2];
            let ends =
                [format!("{role}"), format!("({role})"), format!("/{role}"), format!("=({role})")];
            all.extend(ends.iter().map(|end| format!("{stem}{end}")));
            all.push(format!("{stem}{}", role.to_ascii_lowercase()));
        }
        all
    }

    /// Plays a random game, and checks that every move is read back in every spelling, and the whole game in
    /// one spelling for each move.
    fn check<P: Rules>(start: &P, choices: &[(usize, usize)]) {
        let mut game = Game::new(start.clone());
        let fen = setup::fen(start);
        let mut text = format!("[Variant \"{}\"]\n[FEN \"{fen}\"]\n\n", P::NAME);
        let mut played = Vec::new();
        let marks =
            ["", "\u{a0}", "!", "?!", "$1", "\u{200b}", " {c} ", "⩲", "+-", "□", " (1. e4) "];
        for &(choice, style) in choices {
            let position = game.position().clone();
            let legal = position.legal_moves();
            let Some(&m) = legal.get(choice % legal.len().max(1)) else { break };
            let spellings = spellings(&position, m);
            for spelling in &spellings {
                // A blank parts words of a game, not of a move.
                let found = read_move(&position, &spelling.replace(' ', ""));
                assert_eq!(found, Ok(m), "{spelling} in {}", setup::fen(&position));
            }
            let dots = position.turn().fold_wb(".", "...");
            let gap = if style % 3 == 0 { " " } else { "" };
            let spelling = &spellings[style % spellings.len()];
            let mark = marks[style / 7 % marks.len()];
            text += &format!("{}{dots}{gap}{spelling}{mark} ", position.fullmoves());
            played.push(Some(m));
            game.play(m);
        }
        let raw = RawGame::parse(&text);
        let course = Course::follow(&raw).unwrap();
        assert_eq!((course.error, &course.moves), (None, &played), "{text}");
        let unknown = raw.tokens.iter().find(|token| matches!(token, Token::Unknown(_)));
        assert_eq!(unknown, None, "{text}");
        check_spanish(start, &played, &fen);
    }

    /// Checks that a game in Spanish letters is read as what it is, unless SAN has a meaning for all of it.
    fn check_spanish<P: Rules>(start: &P, moves: &[Option<Move>], fen: &str) {
        let mut game = Game::new(start.clone());
        let mut words = Vec::new();
        for &m in moves.iter().flatten() {
            let san = SanPlus::from_move(game.position().clone(), m).to_string();
            let spanish = |c: char| SAN.find(c).and_then(|place| "RDTAC".chars().nth(place));
            words.push(san.chars().map(|c| spanish(c).unwrap_or(c)).collect::<String>());
            game.play(m);
        }
        let text = format!("[Variant \"{}\"]\n[FEN \"{fen}\"]\n\n{}", P::NAME, words.join(" "));
        let raw = RawGame::parse(&text);
        let course = Course::follow(&raw).unwrap();
        assert!(!course.is_cut(), "{text}");
        assert!(raw.letters.is_none() || course.moves == moves, "{text}");
    }

    fn chess960(number: usize) -> Chess {
        let fens = [
            "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1",
            "rkr5/pppppppp/8/8/8/8/PPPPPPPP/RKR5 w CAca - 0 1",
            "1r2k2r/p1p1p1p1/8/8/8/8/P1P1P1P1/1R2K2R w HBhb - 0 1",
            "5krr/8/8/8/8/8/8/5KRR w Gg - 0 1",
        ];
        setup::position(fens[number % fens.len()], CastlingMode::Chess960).unwrap().0
    }

    proptest! {
        #[test]
        fn every_spelling_of_every_legal_move_is_read(
            number in 0..RuleSet::ALL.len() + 4,
            choices in prop::collection::vec((0..500_usize, 0..500_usize), 1..120),
        ) {
            macro_rules! check_all {
                ($($name:ident: $rules:ty,)*) => {
                    match RuleSet::ALL.get(number) {
                        $(Some(RuleSet::$name) => check(&<$rules>::default(), &choices),)*
                        None => check(&chess960(number), &choices),
                    }
                };
            }
            for_each_rule_set!(check_all);
        }

        #[test]
        fn no_text_is_too_strange_for_a_move(text in "[a-h1-8NBRQKPOo0x=@+#:(/)-]{0,8}|\\PC{0,8}") {
            let start = Chess::default();
            if let Ok(m) = read_move(&start, &text) {
                prop_assert!(start.is_legal(m));
            }
        }
    }

    /// Promotions, castling and captures en passant are rare in short games.
    #[test]
    fn rare_moves_are_read_in_every_spelling() {
        for fen in [
            "r3k2r/1P4P1/8/3pP3/3Pp3/8/1p4p1/R3K2R w KQkq d6 0 3",
            "r3k2r/1P4P1/8/3pP3/3Pp3/8/1p4p1/R3K2R b KQkq d3 0 3",
            "rkr5/pppppppp/8/8/8/8/PPPPPPPP/RKR5 w CAca - 0 1",
        ] {
            let mode = CastlingMode::from_chess960(fen.contains("CA"));
            let position = setup::position::<Chess>(fen, mode).unwrap().0;
            for choice in 0..position.legal_moves().len() {
                (0..40).for_each(|style| check(&position, &[(choice, style)]));
            }
        }
    }
}
