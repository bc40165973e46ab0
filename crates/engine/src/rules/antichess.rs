//! Antichess: captures are compulsory, and a side without a legal move wins.

use shakmaty::variant::Antichess;
use shakmaty::{Bitboard, MoveList, Position, attacks};

use super::{Captures, Ending, RuleSet, Rules};

impl Rules for Antichess {
    const RULE_SET: RuleSet = RuleSet::Antichess;
    const NAME: &str = "antichess";
    const GOAL: &str = "the winner has no piece left";
    // The duty to move is what loses games.
    const NULL_MOVE: bool = false;
    const CAPTURES: Captures = Captures::Duty;
    const ROYAL_KINGS: bool = false;
    const STALEMATE_WINS: bool = true;

    #[inline]
    fn ending(&self) -> Option<Ending> {
        if self.us().is_empty() {
            Some(Ending::Won)
        } else if self.them().is_empty() {
            Some(Ending::Lost)
        } else {
            None
        }
    }

    fn noisy_moves(&self, _checkers: Bitboard, moves: &mut MoveList) {
        let legal = if has_capture(self) { self.capture_moves() } else { self.legal_moves() };
        moves.extend(legal.into_iter().filter(|&m| self.is_noisy(m)));
    }

    fn quiet_moves(&self, _checkers: Bitboard, moves: &mut MoveList) {
        if !has_capture(self) {
            moves.extend(self.legal_moves().into_iter().filter(|&m| !self.is_noisy(m)));
        }
    }

    /// A capture is compulsory, and only the position after it shows its value.
    #[inline]
    fn must_resolve(&self, _checkers: Bitboard) -> bool {
        has_capture(self)
    }

    /// Kings count too, pawns do not.
    fn has_pieces(&self) -> bool {
        (self.us() & !self.board().pawns()).any()
    }
}

/// True if the side to move can capture, and so must.
fn has_capture(position: &Antichess) -> bool {
    let board = position.board();
    let (us, them, occupied) = (position.us(), position.them(), board.occupied());
    us.into_iter().any(|from| {
        board
            .piece_at(from)
            .is_some_and(|piece| (attacks::attacks(from, piece, occupied) & them).any())
    }) || position
        .maybe_ep_square()
        .is_some_and(|to| (attacks::pawn_attacks(!position.turn(), to) & us & board.pawns()).any())
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;

    use super::*;
    use crate::rules::setup::{self, Start};

    #[test]
    fn kings_are_pieces_and_pawns_are_none() {
        for (fen, has_pieces) in [
            ("8/p7/8/8/8/8/P7/8 w - - 0 1", false),
            ("8/p7/8/8/8/8/P7/K7 w - - 0 1", true),
            ("8/p7/8/8/8/8/P7/K7 b - - 0 1", false),
            ("8/p7/8/8/8/8/8/N7 w - - 0 1", true),
        ] {
            let start = Start::Fen(fen.to_string());
            let game = setup::game::<Antichess>(&start, &[], CastlingMode::Standard).unwrap().0;
            assert_eq!(game.position().has_pieces(), has_pieces, "{fen}");
        }
    }
}
