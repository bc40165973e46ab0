//! Polyglot's book format, bit by bit: the key of a position, the bytes of an entry, a move in sixteen
//! bits.
//!
//! A book is a sequence of entries of [`BYTES`] bytes, sorted by key: key, move, weight and a number for
//! learning, which is not used here, all big-endian. Castling is written as the king taking its own rook.
//! Source: the format's description by Michel Van den Bergh, <http://hgm.nubati.net/book_format.html>.

use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Move, Role, Square};

use crate::rules::{KeyedPosition, Rules};

/// Length of an entry, in bytes.
pub const BYTES: usize = 16;

/// An entry as it stands in a file.
pub type Raw = [u8; BYTES];

/// One move of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// The position's key; see [`key`].
    pub key: u64,
    /// The move; see [`encode`].
    pub code: u16,
    /// Its weight beside the position's other moves.
    pub weight: u16,
    /// The number for learning, kept unchanged.
    pub learn: u32,
}

impl From<&Raw> for BookEntry {
    fn from(&[a, b, c, d, e, f, g, h, m1, m2, w1, w2, l1, l2, l3, l4]: &Raw) -> BookEntry {
        BookEntry {
            key: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
            code: u16::from_be_bytes([m1, m2]),
            weight: u16::from_be_bytes([w1, w2]),
            learn: u32::from_be_bytes([l1, l2, l3, l4]),
        }
    }
}

impl From<BookEntry> for Raw {
    fn from(entry: BookEntry) -> Raw {
        let [a, b, c, d, e, f, g, h] = entry.key.to_be_bytes();
        let [m1, m2] = entry.code.to_be_bytes();
        let [w1, w2] = entry.weight.to_be_bytes();
        let [l1, l2, l3, l4] = entry.learn.to_be_bytes();
        [a, b, c, d, e, f, g, h, m1, m2, w1, w2, l1, l2, l3, l4]
    }
}

/// The key of a position: the rules' own key, except after a double step of a pawn beside a pinned enemy
/// pawn. Polyglot counts the en passant square then, the rules do not.
///
/// ```
/// use engine::book::polyglot::key;
/// use engine::rules::KeyedPosition;
/// use shakmaty::Chess;
///
/// assert_eq!(key(&KeyedPosition::new(Chess::default())), 0x463b_9618_1691_fc9c);
/// ```
pub fn key<P: Rules>(now: &KeyedPosition<P>) -> u64 {
    match now.position().maybe_ep_square() {
        None => now.key(),
        Some(_) => now.position().zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0,
    }
}

/// A move of chess in sixteen bits: three each for file and rank of its target, then of its origin, then
/// three for the promotion (knight 1 to queen 4).
pub fn encode(m: Move) -> u16 {
    let square = |square: Square| square as u16;
    let promotion = m.promotion().map_or(0, |role| role as u16 - Role::Pawn as u16);
    square(m.to()) | square(m.from().unwrap_or(m.to())) << 6 | promotion << 12
}

/// The move of sixteen bits in UCI notation, legal or not; `None` if they are no move.
pub fn uci(code: u16) -> Option<UciMove> {
    let square = |shift| Square::new(u32::from(code >> shift) % 64);
    let promotion = match code >> 12 {
        0 => None,
        piece @ 1..=4 => Some(Role::try_from(u32::from(piece) + Role::Pawn as u32).ok()?),
        _ => return None,
    };
    Some(UciMove::Normal { from: square(6), to: square(0), promotion })
}

/// The legal move of sixteen bits in a position. Castling by the king's target, which some tools write, is
/// accepted too.
pub fn decode<P: Rules>(position: &P, code: u16) -> Option<Move> {
    uci(code)?.to_move(position).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{CastlingMode, Chess, Position};

    use super::*;
    use crate::rules::setup::{self, Start};

    fn after(moves: &str) -> KeyedPosition<Chess> {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_string).collect();
        let (game, _) = setup::game(&Start::Initial, &moves, CastlingMode::Standard).unwrap();
        game.now().clone()
    }

    fn place(fen: &str) -> Chess {
        setup::position(fen, CastlingMode::Standard).unwrap().0
    }

    /// The keys that the format's description gives as tests.
    #[test]
    fn the_published_keys() {
        for (moves, wanted) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            assert_eq!(key(&after(moves)), wanted, "{moves}");
        }
    }

    #[test]
    fn a_pinned_pawn_counts_as_one_that_could_capture() {
        // The pawn on d4 cannot capture: its king would be in check from a1.
        let pinned = KeyedPosition::new(place("6n1/8/5k2/8/3pP3/8/8/B5NK b - e3 0 1"));
        let plain = KeyedPosition::new(place("6n1/8/5k2/8/3pP3/8/8/B5NK b - - 0 1"));
        assert_eq!(pinned.key(), plain.key());
        assert_ne!(key(&pinned), key(&plain));
    }

    #[test]
    fn castling_is_written_as_king_takes_rook() {
        let ready = place("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        for (text, target) in [("e1g1", Square::H1), ("e1c1", Square::A1)] {
            let m = setup::read_move(&ready, text).unwrap();
            let code = encode(m);
            assert_eq!(code, Square::E1 as u16 * 64 + target as u16);
            assert_eq!(decode(&ready, code), Some(m));
            let by_target = text.parse::<UciMove>().unwrap().to_move(&ready).unwrap();
            assert_eq!(by_target, m);
        }
        // Without the right to castle the same bits are no move.
        let late = place("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1");
        assert_eq!(decode(&late, Square::E1 as u16 * 64 + Square::H1 as u16), None);
    }

    #[test]
    fn promotions_have_their_numbers() {
        let ready = place("8/P6k/8/8/8/8/8/7K w - - 0 1");
        for (letter, number) in [('n', 1), ('b', 2), ('r', 3), ('q', 4)] {
            let m = setup::read_move(&ready, &format!("a7a8{letter}")).unwrap();
            assert_eq!(encode(m) >> 12, number);
            assert_eq!(decode(&ready, encode(m)), Some(m));
        }
        assert_eq!(uci(5 << 12), None);
        assert_eq!(uci(1 << 15), None);
    }

    proptest! {
        #[test]
        fn entries_survive_the_file(key: u64, code: u16, weight: u16, learn: u32) {
            let entry = BookEntry { key, code, weight, learn };
            prop_assert_eq!(BookEntry::from(&Raw::from(entry)), entry);
        }

        #[test]
        fn every_move_survives_its_code(steps in prop::collection::vec(any::<u16>(), 0..120)) {
            let mut position = Chess::default();
            for step in steps {
                let moves = position.legal_moves();
                for &m in &moves {
                    prop_assert_eq!(decode(&position, encode(m)), Some(m));
                }
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[usize::from(step) % moves.len()]);
            }
        }

        #[test]
        fn any_bits_are_a_legal_move_or_none(code: u16) {
            let position = Chess::default();
            if let Some(m) = decode(&position, code) {
                prop_assert!(position.legal_moves().contains(&m));
            }
        }
    }
}
