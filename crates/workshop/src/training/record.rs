//! A position, its score and its game's result in 32 or 48 bytes.
//!
//! Rule sets with two royal kings, at most 32 pieces and nothing beside the board have the compact layout,
//! all others the full one. All numbers are little-endian:
//!
//! | compact | full | content |
//! | --- | --- | --- |
//! | 0–7 | 0–7 | the occupied squares, bit 0 = a1, bit 63 = h8 |
//! | 8–23 | 8–33 | the pieces on them in that order, four bits each, low half first: role 1–6 (pawn to king), plus 8 for Black |
//! | | 34–39 | the network's inputs besides the pieces (see [`Variant::extras`]), 24 bits a side, White's first |
//! | 24–25 | 40–41 | the search's score for White, in centipawns |
//! | 26 | 42 | bits 0 and 1: the game's result, 0 Black won, 1 drawn, 2 White won; bits 2 to 7: the low half of the game's tag |
//! | 27 | 43 | bit 0: the side to move, 0 White, 1 Black; bits 1 to 7: the high half of the game's tag |
//! | 28–29 | 44–45 | half-moves played in the game so far |
//! | 30–31 | 46–47 | the rule set's own term for White, in centipawns: zero in chess |
//!
//! All positions of a game share its tag, and few other games have the same, so that whole games can be
//! held out from training. Castling rights, en passant and the move counters are left out: the evaluation
//! sees none of them.

use shakmaty::{Bitboard, Board, ByColor, ByRole, Color, Piece};

use engine::evaluation::Variant;
use engine::rules::RuleSet;

/// Bytes of the longest record.
pub const MAX_BYTES: usize = Layout::Full.bytes();

/// Tags of games: numbers below this.
pub const TAGS: u16 = 1 << 13;

/// Bytes from the score to the end.
const TAIL: usize = 8;
/// Bytes before the pieces.
const PIECES: usize = 8;
/// Bytes of the inputs besides the pieces.
const EXTRAS: usize = 6;
/// Bits of these inputs a side.
const EXTRA_BITS: u32 = 24;

/// The two sizes of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// 32 bytes.
    Compact,
    /// 48 bytes.
    Full,
}

impl Layout {
    /// The layout of the records of the rules `P`.
    pub const fn of<P: Variant>() -> Layout {
        if P::ROYAL_KINGS && P::MAX_PIECES <= 32 && P::EXTRAS == 0 {
            Layout::Compact
        } else {
            Layout::Full
        }
    }

    /// Bytes of a record.
    pub const fn bytes(self) -> usize {
        match self {
            Layout::Compact => 32,
            Layout::Full => 48,
        }
    }

    /// Pieces of a record at most.
    const fn pieces(self) -> usize {
        match self {
            Layout::Compact => 32,
            Layout::Full => 52,
        }
    }

    /// The layout of records of so many bytes.
    fn of_bytes(bytes: usize) -> Option<Layout> {
        [Layout::Compact, Layout::Full].into_iter().find(|layout| layout.bytes() == bytes)
    }
}

/// The layout of the records of `rule_set`.
pub fn layout_of(rule_set: RuleSet) -> Layout {
    use engine::evaluation::variants::{Task, with_rules};
    struct Find;

    impl Task for Find {
        type Outcome = Layout;

        fn run<P: Variant>(self) -> Layout {
            Layout::of::<P>()
        }
    }
    with_rules(rule_set, Find)
}

/// A position with its score and its game's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The pieces.
    pub board: Board,
    /// The network's inputs besides the pieces, by side.
    pub extras: ByColor<u32>,
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
    /// The rule set's own term for White, in centipawns.
    pub own_term: i16,
}

impl Record {
    /// True if a record of the rules `P` can hold the board.
    pub fn holds<P: Variant>(board: &Board) -> bool {
        holds(board, Layout::of::<P>())
    }

    /// Appends the record to `bytes`.
    pub fn write(&self, layout: Layout, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        let end = start + layout.bytes();
        bytes.extend(self.board.occupied().0.to_le_bytes());
        bytes.resize(end, 0);
        let record = &mut bytes[start..];
        for (place, (_, piece)) in self.board.iter().enumerate().take(layout.pieces()) {
            record[PIECES + place / 2] |= code(piece) << (4 * (place % 2));
        }
        let (before, tail) = record.split_at_mut(layout.bytes() - TAIL);
        if layout == Layout::Full {
            let bits = u64::from(self.extras.white) | u64::from(self.extras.black) << EXTRA_BITS;
            let extras = before.len() - EXTRAS;
            before[extras..].copy_from_slice(&bits.to_le_bytes()[..EXTRAS]);
        }
        tail[..2].copy_from_slice(&self.score.to_le_bytes());
        tail[2] = self.result;
        tail[3] = self.turn.fold_wb(0, 1);
        tail[4..6].copy_from_slice(&self.ply.to_le_bytes());
        tail[6..].copy_from_slice(&self.own_term.to_le_bytes());
        set_tag(record, self.game);
    }

    /// The record with these bytes, as many as one of the layouts has; `None` if they are no record.
    pub fn read(bytes: &[u8]) -> Option<Record> {
        let layout = Layout::of_bytes(bytes.len())?;
        let (head, tail) = bytes.split_last_chunk::<TAIL>()?;
        let (occupied, pieces) = head.split_first_chunk()?;
        let occupied = Bitboard(u64::from_le_bytes(*occupied));
        if occupied.count() > layout.pieces() {
            return None;
        }
        // The bitboards at once: the trainer reads a million records a second.
        let mut roles = [Bitboard::EMPTY; 8];
        let mut black = Bitboard::EMPTY;
        for (place, square) in occupied.into_iter().enumerate() {
            let code = pieces.get(place / 2)? >> (4 * (place % 2));
            roles[usize::from(code & 7)] |= square;
            black |= Bitboard(u64::from(code >> 3 & 1) << square as u32);
        }
        let [nothing, pawn, knight, bishop, rook, queen, king, no_role] = roles;
        let by_role = ByRole { pawn, knight, bishop, rook, queen, king };
        let by_color = ByColor { black, white: occupied ^ black };
        if (nothing | no_role).any() {
            return None;
        }
        let board = Board::try_from_bitboards(by_role, by_color).ok()?;
        let extras = match (layout, head.last_chunk::<EXTRAS>()) {
            (Layout::Full, Some(&[a, b, c, d, e, f])) => ByColor {
                white: u32::from_le_bytes([a, b, c, 0]),
                black: u32::from_le_bytes([d, e, f, 0]),
            },
            _ => ByColor::default(),
        };
        let result = tail[2] & 3;
        // No score and no term reaches the least number, whose opposite does not exist.
        let [score, own_term] = [[tail[0], tail[1]], [tail[6], tail[7]]].map(i16::from_le_bytes);
        let is_valid = result <= 2
            && score != i16::MIN
            && own_term != i16::MIN
            && occupied.any()
            && holds(&board, layout);
        is_valid.then(|| Record {
            board,
            extras,
            score,
            result,
            turn: if tail[3] & 1 == 0 { Color::White } else { Color::Black },
            game: tag(bytes),
            ply: ply(bytes),
            own_term,
        })
    }
}

/// True if a record of this layout can hold the board: few enough pieces, and in the compact layout a king
/// on either side.
fn holds(board: &Board, layout: Layout) -> bool {
    let has_king = |color: Color| (board.kings() & board.by_color(color)).count() == 1;
    board.occupied().count() <= layout.pieces()
        && (layout == Layout::Full || Color::ALL.into_iter().all(has_king))
}

/// The tag of the game of a record; 0 if the bytes are too few.
pub fn tag(record: &[u8]) -> u16 {
    let Some(tail) = record.last_chunk::<TAIL>() else { return 0 };
    u16::from(tail[2] >> 2) | u16::from(tail[3] >> 1) << 6
}

/// Sets the tag of the game of a record.
pub fn set_tag(record: &mut [u8], tag: u16) {
    if let Some(tail) = record.last_chunk_mut::<TAIL>() {
        tail[2] = tail[2] & 3 | (tag << 2) as u8;
        tail[3] = tail[3] & 1 | (tag >> 6 << 1) as u8;
    }
}

/// The half-moves played before a record; 0 if the bytes are too few.
pub fn ply(record: &[u8]) -> u16 {
    record.last_chunk::<TAIL>().map_or(0, |tail| u16::from_le_bytes([tail[4], tail[5]]))
}

fn code(piece: Piece) -> u8 {
    piece.role as u8 | piece.color.fold_wb(0, 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::Chess;
    use shakmaty::variant::{Crazyhouse, Horde};

    fn record<P: Variant>(extras: ByColor<u32>) -> Record {
        Record {
            board: P::default().board().clone(),
            extras,
            score: -321,
            result: 2,
            turn: Color::Black,
            game: 4321,
            ply: 777,
            own_term: -40,
        }
    }

    fn check<P: Variant>(extras: ByColor<u32>) {
        let layout = Layout::of::<P>();
        let mut bytes = Vec::new();
        for _ in 0..2 {
            record::<P>(extras).write(layout, &mut bytes);
        }
        assert_eq!(bytes.len(), 2 * layout.bytes());
        let read = bytes.chunks(layout.bytes()).map(Record::read);
        assert!(read.eq([Some(record::<P>(extras)), Some(record::<P>(extras))]), "{}", P::NAME);
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        check::<Chess>(ByColor::default());
        check::<Horde>(ByColor::default());
        check::<Crazyhouse>(ByColor { white: 0x3a_bcde, black: 0x21_0fed });
    }

    #[test]
    fn a_tag_changes_nothing_else() {
        let mut bytes = Vec::new();
        record::<Chess>(ByColor::default()).write(Layout::Compact, &mut bytes);
        for game in [0, 1, 63, 64, TAGS - 1] {
            set_tag(&mut bytes, game);
            let expected = Record { game, ..record::<Chess>(ByColor::default()) };
            assert_eq!(Record::read(&bytes), Some(expected));
        }
    }

    #[test]
    fn numbers_without_an_opposite_are_refused() {
        let least = |change: fn(&mut Record)| {
            let (mut record, mut bytes) = (record::<Chess>(ByColor::default()), Vec::new());
            change(&mut record);
            record.write(Layout::Compact, &mut bytes);
            Record::read(&bytes)
        };
        assert!(least(|_| ()).is_some());
        assert_eq!(least(|record| record.own_term = i16::MIN), None);
        assert_eq!(least(|record| record.score = i16::MIN), None);
    }

    proptest! {
        #[test]
        fn no_bytes_upset_the_reader(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            if let Some(record) = Record::read(&bytes) {
                let mut again = Vec::new();
                record.write(Layout::of_bytes(bytes.len()).unwrap(), &mut again);
                prop_assert_eq!(Record::read(&again), Some(record));
            }
        }
    }
}
