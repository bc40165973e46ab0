//! A position, its score and its game's result in 32 bytes.
//!
//! A file is nothing but records one after the other, so that files can be joined with
//! `cat`, cut anywhere, and read by parts. All numbers are little-endian:
//!
//! | bytes | what |
//! | --- | --- |
//! | 0–7 | the occupied squares, bit 0 = a1, bit 63 = h8 |
//! | 8–23 | the pieces on them in that order, four bits each, low half first: role 1–6 (pawn to king), plus 8 for Black |
//! | 24–25 | the search's score for White, in centipawns |
//! | 26 | bits 0 and 1: the game's result, 0 Black won, 1 drawn, 2 White won; bits 2 to 7: see below |
//! | 27 | bit 0: the side to move, 0 White, 1 Black; bits 1 to 7: see below |
//! | 28–29 | half-moves played in the game so far |
//! | 30–31 | what the rule set's own term says for White, in centipawns: zero in chess |
//!
//! The thirteen bits left over in bytes 26 and 27 are the game's tag, the low six in byte 26: a number that
//! all positions of a game share, and few other games have, so that whole games can be held out from
//! training. A file without a header has no tags.
//!
//! A record without pieces is a header: its bytes 8 to 13 are `AJPOS` and 0, byte 14 the version 1, byte 15
//! the rule set by its place in [`RuleSet::ALL`], byte 16 the size of a record, byte 17 is 1 if the records
//! are in random order, and all others are zero. Every file begins with one, and joined files have several.
//! Files of chess from before the header had none.
//!
//! Castling rights, en passant and the move counters are left out: the evaluation sees none
//! of them. Checks given and pieces in hand it sees in the rule set's own term alone. Which rule
//! set it is, whoever reads the file must know.

use std::io::{self, Read, Write};

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

/// Bytes of a record.
pub const BYTES: usize = 32;

/// The bytes of a record.
pub type RawRecord = [u8; BYTES];

/// Tags of games: numbers below this.
pub const TAGS: u16 = 1 << 13;

/// A position with what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The pieces.
    pub board: Board,
    /// The search's score for White, in centipawns.
    pub score: i16,
    /// White's points, doubled: 0, 1 or 2.
    pub result: u8,
    /// The side to move.
    pub turn: Color,
    /// The tag of the game, below [`TAGS`].
    pub game: u16,
    /// Half-moves played in the game so far.
    pub ply: u16,
    /// What the rule set's own term says for White, in centipawns.
    pub own_term: i16,
}

impl Record {
    /// True if the format can hold the board: at most 32 pieces, and a king on either side.
    pub fn holds(board: &Board) -> bool {
        let has_king = |color: Color| (board.kings() & board.by_color(color)).count() == 1;
        board.occupied().count() <= 32 && Color::ALL.into_iter().all(has_king)
    }

    /// The record as bytes.
    pub fn to_bytes(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[..8].copy_from_slice(&self.board.occupied().0.to_le_bytes());
        for (place, (_, piece)) in self.board.iter().enumerate().take(32) {
            bytes[8 + place / 2] |= code(piece) << (4 * (place % 2));
        }
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.result | (self.game << 2) as u8;
        bytes[27] = self.turn.fold_wb(0, 1) | (self.game >> 6 << 1) as u8;
        bytes[28..30].copy_from_slice(&self.ply.to_le_bytes());
        bytes[30..].copy_from_slice(&self.own_term.to_le_bytes());
        bytes
    }

    /// The record that `bytes` stand for; `None` if they stand for none.
    pub fn from_bytes(bytes: &[u8; BYTES]) -> Option<Record> {
        let [o0, o1, o2, o3, o4, o5, o6, o7, ..] = *bytes;
        let occupied = Bitboard(u64::from_le_bytes([o0, o1, o2, o3, o4, o5, o6, o7]));
        let mut board = Board::empty();
        for (place, square) in occupied.into_iter().enumerate() {
            let pair = *bytes.get(8 + place / 2).filter(|_| place < 32)?;
            board.set_piece_at(square, piece((pair >> (4 * (place % 2))) & 15)?);
        }
        let result = bytes[26] & 3;
        let valid = result <= 2 && Record::holds(&board);
        valid.then(|| Record {
            board,
            score: i16::from_le_bytes([bytes[24], bytes[25]]),
            result,
            turn: if bytes[27] & 1 == 0 { Color::White } else { Color::Black },
            game: tag(bytes),
            ply: u16::from_le_bytes([bytes[28], bytes[29]]),
            own_term: i16::from_le_bytes([bytes[30], bytes[31]]),
        })
    }

    /// The square of a side's king.
    pub fn king(&self, color: Color) -> Square {
        self.board.king_of(color).unwrap_or(Square::E1)
    }
}

/// The tag of the game that a record is from.
pub fn tag(bytes: &RawRecord) -> u16 {
    u16::from(bytes[26] >> 2) | u16::from(bytes[27] >> 1) << 6
}

/// Sets the tag of the game that a record is from.
pub fn set_tag(bytes: &mut RawRecord, tag: u16) {
    bytes[26] = bytes[26] & 3 | (tag << 2) as u8;
    bytes[27] = bytes[27] & 1 | (tag >> 6 << 1) as u8;
}

/// The half-moves played before a record.
pub fn ply(bytes: &RawRecord) -> u16 {
    u16::from_le_bytes([bytes[28], bytes[29]])
}

/// Writes records.
///
/// # Errors
/// Whatever the destination says.
pub fn write(destination: &mut impl Write, records: &[Record]) -> io::Result<()> {
    records.iter().try_for_each(|record| destination.write_all(&record.to_bytes()))
}

/// Reads all records of `source`; returns how many were no positions too. An incomplete one at
/// the end, as an interruption leaves it, is passed over.
///
/// # Errors
/// Whatever the source says.
pub fn read(source: &mut impl Read) -> io::Result<(Vec<Record>, usize)> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes)?;
    let chunks = bytes.chunks_exact(BYTES);
    let total = chunks.len();
    let records: Vec<Record> =
        chunks.filter_map(|chunk| Record::from_bytes(chunk.try_into().ok()?)).collect();
    let broken = total - records.len();
    Ok((records, broken))
}

fn code(piece: Piece) -> u8 {
    piece.role as u8 | piece.color.fold_wb(0, 8)
}

fn piece(code: u8) -> Option<Piece> {
    let role = Role::try_from(code & 7).ok()?;
    Some(Piece { role, color: if code & 8 == 0 { Color::White } else { Color::Black } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::Position;

    fn record() -> Record {
        let board = shakmaty::Chess::default().board().clone();
        Record { board, score: -321, result: 2, turn: Color::Black, game: 4321, ply: 77, own_term: -40 }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut file = Vec::new();
        write(&mut file, &[record(), record()]).unwrap();
        assert_eq!(file.len(), 2 * BYTES);
        file.extend([1, 2, 3]);
        assert_eq!(read(&mut file.as_slice()).unwrap(), (vec![record(), record()], 0));
    }

    proptest! {
        #[test]
        fn no_bytes_upset_the_reader(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let (records, broken) = read(&mut bytes.as_slice()).unwrap();
            prop_assert_eq!(records.len() + broken, bytes.len() / BYTES);
        }
    }
}
