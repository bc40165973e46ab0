//! Moves that another move can take back, found by the difference that they make to a position's key.
//!
//! Source: van Kervinck, "Upcoming repetition detection", open-chess.org, 2013.

use std::sync::LazyLock;

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Bitboard, Color, Move, Role, Square, attacks};

use super::{KeyedPosition, Rules, piece_keys};

/// Places of the table; a power of two, more than twice the 3,668 moves that it holds.
const PLACES: usize = 8192;

/// A move of a piece from one square to another or back, whoever has the move before it.
#[derive(Clone, Copy)]
struct Reversible {
    difference: u64,
    squares: [Square; 2],
}

/// A cuckoo table: every move lies in one of two places, so that a miss costs two reads.
static TABLE: LazyLock<Box<[Option<Reversible>]>> = LazyLock::new(|| {
    let mut table = vec![None; PLACES].into_boxed_slice();
    for color in Color::ALL {
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            for from in Square::ALL {
                let targets = attacks::attacks(from, role.of(color), Bitboard::EMPTY);
                for to in targets.into_iter().filter(|&to| to > from) {
                    let pieces = piece_keys::quiet_difference(color, role, from, to);
                    let difference = pieces ^ Zobrist64::zobrist_for_white_turn().0;
                    insert(&mut table, Reversible { difference, squares: [from, to] });
                }
            }
        }
    }
    table
});

fn places(difference: u64) -> [usize; 2] {
    [difference as usize % PLACES, (difference >> 16) as usize % PLACES]
}

/// Puts a move into its first place; who lay there moves to the other one.
fn insert(table: &mut [Option<Reversible>], mut moving: Reversible) {
    let [mut place, _] = places(moving.difference);
    while let Some(evicted) = table[place].replace(moving) {
        let [first, second] = places(evicted.difference);
        place = if place == first { second } else { first };
        moving = evicted;
    }
}

/// True if the side to move has a quiet move that leads to the position with this key, whose other side is to move.
#[inline]
pub fn leads_to<P: Rules>(now: &KeyedPosition<P>, key: u64) -> bool {
    let difference = now.key() ^ key;
    let table = &*TABLE;
    let mut found = places(difference).into_iter().filter_map(|place| table[place]);
    found.any(|m| m.difference == difference && is_legal(now, m.squares))
}

/// True if the piece on one of the squares may legally go to the other one.
fn is_legal<P: Rules>(now: &KeyedPosition<P>, [one, other]: [Square; 2]) -> bool {
    let board = now.position().board();
    let (from, to) = if board.occupied().contains(one) { (one, other) } else { (other, one) };
    let Some(piece) = board.piece_at(from).filter(|piece| piece.color == now.turn()) else {
        return false;
    };
    let m = Move::Normal { role: piece.role, from, capture: None, to, promotion: None };
    board.piece_at(to).is_none() && now.position().is_playable(now.checkers(), m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Game;
    use shakmaty::fen::Fen;
    use shakmaty::san::San;
    use shakmaty::variant::Antichess;
    use shakmaty::{CastlingMode, Chess, FromSetup};

    #[test]
    fn the_table_has_every_move() {
        assert_eq!(TABLE.iter().flatten().count(), 3668);
    }

    /// True if after these moves the side to move can go back to the position `back` half-moves ago.
    fn leads_back<P: Rules + FromSetup>(fen: &str, moves: &str, back: usize) -> bool {
        let fen: Fen = fen.parse().unwrap();
        let mut game = Game::new(fen.into_position::<P>(CastlingMode::Standard).unwrap());
        for san in moves.split_whitespace() {
            let m = san.parse::<San>().unwrap().to_move(game.position()).unwrap();
            game.play(m);
        }
        leads_to(game.now(), game.past()[game.past().len() - back])
    }

    #[test]
    fn a_move_that_can_be_taken_back_is_found() {
        let rooks = "4k3/7r/8/8/8/8/R7/4K3 w - - 0 1";
        assert!(leads_back::<Chess>(rooks, "Ra3 Rh6 Ra2", 3), "Rh7 is the start again");
        assert!(!leads_back::<Chess>(rooks, "Ra3 Rh6 Ra4", 3), "the rook stands elsewhere");
        assert!(!leads_back::<Chess>(rooks, "Ra3 Rh6 Ra2 Rh7 Ra3", 5), "it is White's move");
        let around_a_pawn = "1k6/r7/8/8/7P/8/7R/4K3 b - - 0 1";
        assert!(!leads_back::<Chess>(around_a_pawn, "Rc7 Rg2 Ra7 Rg6 Rc7 Rh6 Ra7", 7));
    }

    #[test]
    fn where_capturing_is_a_duty_nobody_goes_back_instead() {
        let moves = "Rb2 Ne5 Ra2";
        assert!(leads_back::<Chess>("7k/8/6n1/8/8/5P2/R7/7K w - - 0 1", moves, 3));
        assert!(!leads_back::<Antichess>("8/8/6n1/8/8/5P2/R7/8 w - - 0 1", moves, 3));
        assert!(leads_back::<Antichess>("8/8/6n1/8/8/7P/R7/8 w - - 0 1", moves, 3));
    }
}
