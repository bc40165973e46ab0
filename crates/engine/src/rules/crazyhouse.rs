//! Crazyhouse: captured pieces may be dropped on the board, so material never leaves the game.

use shakmaty::variant::Crazyhouse;
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Bitboard, ByRole, Color, Move, MoveList, Position, Role, Setup, attacks};

use super::chess::fast;
use super::{MoveCode, RuleSet, Rules};
use crate::remark::Remark;

/// The roles that can be dropped.
const DROPPED: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl Rules for Crazyhouse {
    const RULE_SET: RuleSet = RuleSet::Crazyhouse;
    const NAME: &str = "crazyhouse";
    const ALIASES: &[&str] = &["zh"];
    const MATERIAL_FADES: bool = false;
    /// Captured pieces come back, and there is no fifty-move rule: the same as on lichess and in python-chess.
    const PROGRESS: bool = false;

    fn setup_fault(setup: &Setup) -> Option<Remark> {
        let hands = setup.pockets?;
        if hands.iter().any(|hand| hand.king > 0) {
            return Some(Remark::new("fault.king-in-hand", []));
        }
        let held = hands.iter().flat_map(ByRole::iter).map(|&count| usize::from(count));
        let is_full = held.sum::<usize>() + setup.board.occupied().count() > 64;
        is_full.then(|| Remark::new("fault.full", []))
    }

    fn key_after(&self, key: u64, pieces: u64, _m: Move, after: &Self) -> u64 {
        let changed = self.promoted() ^ after.promoted();
        let promoted = changed
            .into_iter()
            .fold(0, |sum, square| sum ^ Zobrist64::zobrist_for_promoted(square).0);
        fast::key_after(self, key, pieces, after) ^ promoted ^ pocket_key(self) ^ pocket_key(after)
    }

    fn noisy_moves(&self, checkers: Bitboard, moves: &mut MoveList) {
        fast::noisy_moves(self, checkers, self.them(), moves);
    }

    fn quiet_moves(&self, checkers: Bitboard, moves: &mut MoveList) {
        fast::quiet_moves(self, checkers, Bitboard::FULL, moves);
        let targets = drop_targets(self, checkers);
        for role in DROPPED.into_iter().filter(|&role| has(self, role)) {
            let targets = if role == Role::Pawn { targets & !Bitboard::BACKRANKS } else { targets };
            moves.extend(targets.into_iter().map(|to| Move::Put { role, to }));
        }
    }

    fn is_playable(&self, checkers: Bitboard, m: Move) -> bool {
        match m {
            Move::Put { role, to } => {
                has(self, role)
                    && drop_targets(self, checkers).contains(to)
                    && (role != Role::Pawn || !Bitboard::BACKRANKS.contains(to))
            }
            m => fast::is_playable(self, checkers, m),
        }
    }

    fn unpack(&self, checkers: Bitboard, code: MoveCode) -> Option<Move> {
        match code.to_uci() {
            shakmaty::uci::UciMove::Put { role, to } => {
                let m = Move::Put { role, to };
                (MoveCode::pack(m) == code && self.is_playable(checkers, m)).then_some(m)
            }
            _ => fast::unpack(self, checkers, code),
        }
    }

    /// Pieces in hand count: there is always a square to drop them on.
    fn has_pieces(&self) -> bool {
        let board = self.board();
        (self.us() & !(board.pawns() | board.kings())).any()
            || DROPPED.into_iter().any(|role| has(self, role))
    }
}

/// The pieces that `color` has in hand.
fn pocket(position: &Crazyhouse, color: Color) -> ByRole<u8> {
    position.pockets().map_or_else(ByRole::default, |pockets| pockets[color])
}

/// True if the side to move has a piece of `role` in hand.
#[inline]
fn has(position: &Crazyhouse, role: Role) -> bool {
    pocket(position, position.turn())[role] > 0
}

/// The squares for drops: empty ones, in check those between king and checker.
fn drop_targets(position: &Crazyhouse, checkers: Bitboard) -> Bitboard {
    match (checkers.first(), position.our(Role::King).first()) {
        (Some(_), _) if checkers.more_than_one() => Bitboard::EMPTY,
        (Some(checker), Some(king)) => attacks::between(king, checker),
        _ => !position.board().occupied(),
    }
}

/// The pockets' part of the key.
fn pocket_key(position: &Crazyhouse) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        let pocket = pocket(position, color);
        for role in Role::ALL {
            key ^= Zobrist64::zobrist_for_pocket(color, role, pocket[role]).0;
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;

    use super::*;
    use crate::rules::setup::{self, Start};

    #[test]
    fn what_is_captured_comes_back_and_no_fifty_moves_count() {
        let game = |fen: &str, moves: &str| {
            let start = Start::Fen(fen.to_string());
            let moves: Vec<String> = moves.split_whitespace().map(str::to_string).collect();
            setup::game::<Crazyhouse>(&start, &moves, CastlingMode::Standard).unwrap().0
        };
        let start = "3qk3/8/8/3n4/8/2N5/8/4K3[] w - - 0 1";
        // The knights are exchanged, and dropped where they stood.
        let exchange = ["e1e2", "e2e1"].map(|step| format!("c3d5 d8d5 N@c3 d5d8 {step} N@d5 "));
        let around = exchange.concat();
        assert_eq!(game(start, &around).repetitions(), 2);
        let drawn = game(start, &around.repeat(2));
        assert_eq!(drawn.recent().draw_reason(), Some("threefold repetition"));
        assert!(drawn.recent().has_repeated());
        let idle = game("4k3/8/8/8/8/8/8/R3K3[Rr] w - - 99 99", "a1a2");
        assert_eq!((idle.now().idle(), idle.draw_reason()), (0, None));
    }

    #[test]
    fn a_drop_in_the_table_is_read_as_it_was_written() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3[QNp] w - - 0 1";
        let (position, _) = setup::position::<Crazyhouse>(fen, CastlingMode::Standard).unwrap();
        let moves = position.legal_moves();
        assert!(moves.iter().any(|m| matches!(m, Move::Put { role: Role::Knight, .. })));
        for &m in &moves {
            assert_eq!(position.unpack(Bitboard::EMPTY, MoveCode::pack(m)), Some(m));
        }
    }
}
