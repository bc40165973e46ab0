//! A position on its way through a game: with its key, its checkers, and the
//! keys of the positions before it, which repetition is judged by.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Bitboard, Color, Move};

use super::Rules;

/// A position together with what every node of the search asks of it: its key and the checkers.
#[derive(Clone, Debug)]
pub struct Situation<P> {
    position: P,
    key: u64,
    checkers: Bitboard,
}

impl<P: Rules> Situation<P> {
    /// Wraps a position; computes key and checkers from scratch.
    pub fn new(position: P) -> Situation<P> {
        let key = position.key();
        let checkers = position.checkers();
        Situation { position, key, checkers }
    }

    /// The position itself.
    #[inline]
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The position's key.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// True if the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The situation after the legal move `m`.
    #[inline]
    pub fn play(&self, m: Move) -> Situation<P> {
        let mut position = self.position.clone();
        position.play_unchecked(m);
        let key = self.position.key_after(self.key, m, &position);
        let checkers = position.checkers();
        Situation { position, key, checkers }
    }

    /// The situation after a null move, where one is possible.
    pub fn pass(&self) -> Option<Situation<P>> {
        let position = self.position.pass()?;
        let en_passant = self.position.legal_ep_square();
        let en_passant_key =
            en_passant.map_or(0, |square| Zobrist64::zobrist_for_en_passant_file(square.file()).0);
        let key = self.key ^ Zobrist64::zobrist_for_white_turn().0 ^ en_passant_key;
        let checkers = position.checkers();
        Some(Situation { position, key, checkers })
    }

    /// Half-moves since the last capture or pawn move.
    #[inline]
    pub fn halfmoves(&self) -> usize {
        self.position.halfmoves() as usize
    }

    /// True once fifty moves a side have passed without progress, unless mate came first.
    pub fn is_fifty_moves(&self) -> bool {
        self.halfmoves() >= 100 && (!self.is_check() || !self.position.legal_moves().is_empty())
    }
}

/// A game: the situation now and the keys of all positions since its start.
#[derive(Clone, Debug)]
pub struct Game<P> {
    now: Situation<P>,
    past: Vec<u64>,
}

impl<P: Rules> Game<P> {
    /// A game that begins at `position`.
    pub fn new(position: P) -> Game<P> {
        Game { now: Situation::new(position), past: Vec::new() }
    }

    /// The situation now.
    pub fn now(&self) -> &Situation<P> {
        &self.now
    }

    /// The position now.
    pub fn position(&self) -> &P {
        self.now.position()
    }

    /// Keys of the earlier positions, oldest first.
    pub fn past(&self) -> &[u64] {
        &self.past
    }

    /// Plays the legal move `m`.
    pub fn play(&mut self, m: Move) {
        self.past.push(self.now.key());
        self.now = self.now.play(m);
    }

    /// How often the position has occurred, now included.
    pub fn repetitions(&self) -> usize {
        let window = self.past.len().min(self.now.halfmoves());
        let recent = self.past.iter().rev().take(window);
        1 + recent.filter(|&&key| key == self.now.key()).count()
    }

    /// Why the game is drawn, whatever the side to move does; `None` if it goes on
    /// or has been won.
    pub fn draw_reason(&self) -> Option<&'static str> {
        if self.repetitions() >= 3 {
            Some("threefold repetition")
        } else if self.now.is_fifty_moves() {
            Some("fifty-move rule")
        } else if self.position().is_insufficient_material() {
            Some("insufficient material")
        } else {
            None
        }
    }
}
