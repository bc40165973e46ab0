//! A position on its way through a game: with its keys, its checkers, and the keys of the positions before
//! it, for the detection of repetitions.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Bitboard, Color, KnownOutcome, Move, Outcome};

use super::piece_keys::{self, PieceKeys};
use super::{Ending, Rules};

/// Half-moves without progress after which a game is drawn.
pub const FIFTY_MOVES: usize = 100;

/// A position together with its keys and its checkers, which every node of the search needs.
#[derive(Clone, Debug)]
pub struct KeyedPosition<P> {
    position: P,
    key: u64,
    piece_keys: PieceKeys,
    checkers: Bitboard,
}

impl<P: Rules> KeyedPosition<P> {
    /// Wraps a position; computes keys and checkers from scratch.
    pub fn new(position: P) -> KeyedPosition<P> {
        let key = position.key();
        let piece_keys = PieceKeys::new(position.board());
        let checkers = position.checkers();
        KeyedPosition { position, key, piece_keys, checkers }
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

    /// The keys of pawns and other pieces.
    #[inline]
    pub fn piece_keys(&self) -> &PieceKeys {
        &self.piece_keys
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

    /// The key after the legal move `m` as far as pieces and turn make it: castling rights, en passant, explosions,
    /// pockets and checks may change it yet. It is there before the move is made, so that memory can be fetched
    /// meanwhile.
    #[inline]
    pub fn announced_key(&self, m: Move) -> u64 {
        self.key
            ^ piece_keys::moved_difference(self.turn(), m)
            ^ Zobrist64::zobrist_for_white_turn().0
    }

    /// The position after the legal move `m`.
    #[inline]
    pub fn play(&self, m: Move) -> KeyedPosition<P> {
        let moved = self.piece_keys.moved(&self.position, m);
        let mut position = self.position.clone();
        position.play_unchecked(m);
        let piece_keys = moved.exploded(m, &position);
        let pieces = piece_keys.difference(&self.piece_keys);
        let key = self.position.key_after(self.key, pieces, m, &position);
        let checkers = position.checkers();
        KeyedPosition { position, key, piece_keys, checkers }
    }

    /// The position after a null move, where one is possible.
    pub fn pass(&self) -> Option<KeyedPosition<P>> {
        let position = self.position.pass()?;
        let en_passant = self.position.legal_ep_square();
        let en_passant_key =
            en_passant.map_or(0, |square| Zobrist64::zobrist_for_en_passant_file(square.file()).0);
        let key = self.key ^ Zobrist64::zobrist_for_white_turn().0 ^ en_passant_key;
        let checkers = position.checkers();
        Some(KeyedPosition { position, key, piece_keys: self.piece_keys, checkers })
    }

    /// Half-moves without progress, as the fifty-move rule counts them: since the last capture or pawn move; 0 where there
    /// is no such rule.
    #[inline]
    pub fn idle(&self) -> usize {
        if P::PROGRESS { self.position.halfmoves() as usize } else { 0 }
    }

    /// Half-moves before the current position among which it may have occurred.
    #[inline]
    pub fn reversible(&self) -> usize {
        if P::PROGRESS { self.idle() } else { usize::MAX }
    }

    /// True once fifty moves a side have passed without progress, unless the last of them mates.
    pub fn is_fifty_moves(&self) -> bool {
        let may_be_over = self.is_check() || P::STALEMATE_WINS;
        self.idle() >= FIFTY_MOVES && (!may_be_over || !self.position.legal_moves().is_empty())
    }
}

/// A game: the current position and the keys of all positions since the start.
#[derive(Clone, Debug)]
pub struct Game<P> {
    now: KeyedPosition<P>,
    past: Vec<u64>,
    last: Option<Move>,
}

impl<P: Rules> Game<P> {
    /// A game that begins at `position`.
    pub fn new(position: P) -> Game<P> {
        Game { now: KeyedPosition::new(position), past: Vec::new(), last: None }
    }

    /// The current position with key and checkers.
    pub fn now(&self) -> &KeyedPosition<P> {
        &self.now
    }

    /// The current position.
    pub fn position(&self) -> &P {
        self.now.position()
    }

    /// Keys of the earlier positions, oldest first.
    pub fn past(&self) -> &[u64] {
        &self.past
    }

    /// The last move; `None` at the start.
    pub fn last(&self) -> Option<Move> {
        self.last
    }

    /// Plays the legal move `m`.
    pub fn play(&mut self, m: Move) {
        self.past.push(self.now.key());
        self.now = self.now.play(m);
        self.last = Some(m);
    }

    /// A copy with those of the earlier positions alone that can count: none from before progress was made can return, and
    /// after a hundred half-moves without any the game is drawn anyway. So a copy is small, however long the game is.
    pub fn recent(&self) -> Game<P> {
        let most = if P::PROGRESS { FIFTY_MOVES } else { usize::MAX };
        let window = self.past.len().min(self.now.reversible()).min(most);
        let past = self.past[self.past.len() - window..].to_vec();
        Game { now: self.now.clone(), past, last: self.last }
    }

    /// Number of occurrences of the current position. Positions are equal if the same moves are possible:
    /// castling rights count, an en passant square only if it can be used.
    pub fn repetitions(&self) -> usize {
        let window = self.past.len().min(self.now.reversible());
        let recent = self.past.iter().rev().take(window);
        1 + recent.filter(|&&key| key == self.now.key()).count()
    }

    /// True if a position that may return has occurred twice.
    pub fn has_repeated(&self) -> bool {
        let window = self.past.len().min(self.now.reversible());
        let mut recent: Vec<u64> = self.past.iter().rev().take(window).copied().collect();
        recent.push(self.now.key());
        recent.sort_unstable();
        recent.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// True if the side to move has no move and nobody wins by that, unlike in antichess.
    fn is_stalemate(&self) -> bool {
        let draw = Outcome::Known(KnownOutcome::Draw);
        self.position().is_stalemate() && self.position().outcome() == draw
    }

    /// Why the game is over; `None` if it goes on.
    pub fn end(&self) -> Option<&'static str> {
        self.win_reason().or_else(|| self.draw_reason())
    }

    /// The reason of a victory; `None` if the game goes on or is drawn. The rule set's own law comes first: after it nothing
    /// can be moved, so that its check would pass for mate.
    pub fn win_reason(&self) -> Option<&'static str> {
        let position = self.position();
        position.outcome().known()?.winner()?;
        Some(match position.ending() {
            Some(_) => P::GOAL,
            None if position.is_checkmate() => "checkmate",
            None => "the winner has no move left",
        })
    }

    /// The reason of a draw; `None` if the game goes on or has been won.
    pub fn draw_reason(&self) -> Option<&'static str> {
        if let Some(ending) = self.position().ending() {
            return (ending == Ending::Drawn).then_some("both kings have reached the goal");
        }
        if self.repetitions() >= 3 {
            Some("threefold repetition")
        } else if self.now.is_fifty_moves() {
            Some("fifty-move rule")
        } else if self.position().is_dead() {
            Some("insufficient material")
        } else if self.is_stalemate() {
            Some("stalemate")
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, Role};

    use super::*;
    use crate::rules::setup::{self, Start};

    fn game(start: &str, moves: &str) -> Game<Chess> {
        let start = match start {
            "" => Start::Initial,
            fen => Start::Fen(fen.to_string()),
        };
        let moves: Vec<String> = moves.split_whitespace().map(str::to_string).collect();
        setup::game(&start, &moves, CastlingMode::Standard).expect("a legal game").0
    }

    const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 ";

    #[test]
    fn repeated_positions_are_counted() {
        assert_eq!(game("", "").repetitions(), 1);
        assert_eq!(game("", "g1f3 g8f6 f3g1").repetitions(), 1);
        assert_eq!(game("", SHUFFLE).repetitions(), 2);
        assert_eq!(game("", SHUFFLE).draw_reason(), None);
        assert_eq!(game("", &SHUFFLE.repeat(2)).repetitions(), 3);
        assert_eq!(game("", &SHUFFLE.repeat(2)).draw_reason(), Some("threefold repetition"));
        assert_eq!(game("", &(SHUFFLE.repeat(2) + "g1f3")).repetitions(), 3);
    }

    #[test]
    fn the_announced_key_is_the_next_one_unless_rights_change() {
        let game = game("", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6");
        for m in game.position().legal_moves() {
            let keeps_rights = !m.is_castle() && !matches!(m.role(), Role::King | Role::Rook);
            let is_right = game.now().announced_key(m) == game.now().play(m).key();
            assert_eq!(is_right, keeps_rights, "{m:?}");
        }
    }

    #[test]
    fn a_copy_of_a_long_game_is_small_and_knows_all_that_counts() {
        let long = game("", &SHUFFLE.repeat(200));
        assert_eq!((long.past().len(), long.recent().past().len()), (800, 100));
        assert!(long.recent().draw_reason().is_some());
        let moves = SHUFFLE.repeat(20) + "e2e4 e7e5 " + &SHUFFLE.repeat(2);
        let game = game("", &moves);
        assert_eq!(game.recent().past().len(), 8);
        assert_eq!(game.recent().repetitions(), game.repetitions());
        assert_eq!(game.recent().has_repeated(), game.has_repeated());
    }

    #[test]
    fn a_pawn_move_restarts_the_count() {
        let moves = SHUFFLE.repeat(2) + "e2e4 e7e5 " + SHUFFLE;
        assert_eq!(game("", &moves).repetitions(), 2);
    }

    #[test]
    fn the_past_is_every_earlier_position() {
        let game = game("", "e2e4 e7e5 g1f3");
        assert_eq!(game.past().len(), 3);
        assert_eq!(game.past()[0], Chess::default().key());
        assert_eq!(game.now().key(), game.position().key());
    }

    #[test]
    fn a_fen_may_count_more_half_moves_than_the_game() {
        let start = "4k3/8/8/8/8/8/8/R3K3 w - - 40 60";
        assert_eq!(game(start, "a1a2 e8e7 a2a1 e7e8").repetitions(), 2);
    }

    #[test]
    fn lost_castling_rights_make_another_position() {
        let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let rooks = "h1h2 h8h7 h2h1 h7h8 ";
        assert_eq!(game(start, rooks).repetitions(), 1);
        assert_eq!(game(start, &rooks.repeat(2)).repetitions(), 2);
    }

    #[test]
    fn en_passant_makes_another_position_only_if_it_is_possible() {
        let shuffle = " g8f6 g1f3 f6g8 f3g1";
        let possible = "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3";
        assert_eq!(game(possible, &format!("e2e4{shuffle}")).repetitions(), 1);
        let impossible = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(game(impossible, &format!("e2e4{shuffle}")).repetitions(), 2);
        let free = "4k1n1/8/8/8/3p4/8/4P3/B5NK w - - 0 1";
        assert_eq!(game(free, &format!("e2e4{shuffle}")).repetitions(), 1);
        // The pawn that could capture is pinned to its king.
        let pinned = "6n1/8/5k2/8/3p4/8/4P3/B5NK w - - 0 1";
        assert_eq!(game(pinned, "e2e4 g8e7 g1f3 e7g8 f3g1").repetitions(), 2);
    }

    #[test]
    fn fifty_moves_without_progress_are_a_draw() {
        let rook = "7k/8/8/8/8/8/8/R3K3 w - - 98 99";
        assert_eq!(game(rook, "a1a2").draw_reason(), None);
        let drawn = game(rook, "a1a2 h8h7");
        assert!(drawn.now().is_fifty_moves());
        assert_eq!(drawn.draw_reason(), Some("fifty-move rule"));
        let check = game("7k/8/8/8/8/8/8/R3K3 w - - 99 99", "a1a8");
        assert!(check.now().is_check());
        assert_eq!(check.draw_reason(), Some("fifty-move rule"));
    }

    #[test]
    fn mate_on_the_hundredth_half_move_is_mate() {
        let mated = game("7k/8/6K1/8/8/8/8/R7 w - - 99 99", "a1a8");
        assert_eq!(mated.now().idle(), 100);
        assert!(mated.position().is_checkmate());
        assert!(!mated.now().is_fifty_moves());
        assert_eq!(mated.draw_reason(), None);
    }

    #[test]
    fn a_capture_resets_the_fifty_moves() {
        assert_eq!(game("7k/8/8/8/8/8/p7/R3K3 w - - 99 99", "a1a2").draw_reason(), None);
    }

    #[test]
    fn material_that_cannot_mate_is_a_draw() {
        for (fen, is_drawn) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", true),
            ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true),
            ("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", true),
            ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false),
            ("4k1n1/8/8/8/8/8/8/4KB2 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", false),
            ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false),
        ] {
            let expected = is_drawn.then_some("insufficient material");
            assert_eq!(game(fen, "").draw_reason(), expected, "{fen}");
        }
    }

    #[test]
    fn stalemate_is_a_draw_and_mate_is_not() {
        assert_eq!(game("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g5").draw_reason(), None);
        let stalemate = game("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g6");
        assert_eq!(stalemate.draw_reason(), Some("stalemate"));
        assert_eq!(stalemate.end(), Some("stalemate"));
        assert_eq!(game("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g7").end(), Some("checkmate"));
        assert_eq!(game("", "").end(), None);
        assert_eq!(game("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g7").draw_reason(), None);
    }

    #[test]
    fn passing_keeps_key_and_checkers_right() {
        let before = KeyedPosition::new(game("", "e2e4 a7a6 e4e5 d7d5").position().clone());
        let after = before.pass().expect("not in check");
        assert_eq!(after.key(), after.position().key());
        assert_eq!(after.turn(), Color::Black);
        assert_eq!(after.idle(), before.idle() + 1);
        assert!(KeyedPosition::new(game("", "e2e4 f7f6 d1h5").position().clone()).pass().is_none());
    }

    #[test]
    fn playing_keeps_key_and_checkers_right() {
        let mut now = KeyedPosition::new(Chess::default());
        for text in ["e2e4", "f7f5", "d1h5", "g7g6", "h5g6", "h7g6"] {
            now = now.play(setup::read_move(now.position(), text).expect("legal"));
            assert_eq!(now.key(), now.position().key());
            assert_eq!(now.checkers(), now.position().checkers());
        }
    }
}
