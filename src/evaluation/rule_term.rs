//! The one term that a rule set adds to the paper's three: what its own way to win is worth.
//!
//! Each is seen from one side, in centipawns, and shown under its own name by `eval`. The numbers
//! were compared in games of the engine against itself.

use shakmaty::variant::Variant;
use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

use super::{Tapered, material};
use crate::rules::Rules;

/// Worth of the checks given so far in three-check, opening and endgame, by their number.
const CHECKS: [(i32, i32); 4] = [(0, 0), (300, 240), (900, 700), (900, 700)];
/// Worth of a king so many steps from the hill, opening and endgame.
const HILL: [(i32, i32); 4] = [(400, 600), (180, 360), (50, 140), (0, 0)];
/// Worth of a king on each rank in racing kings, from the first to the eighth.
const RACE: [i32; 8] = [0, 120, 280, 480, 720, 1000, 1320, 1800];
/// Worth of a piece in hand in crazyhouse, pawn to queen.
const POCKET: [(Role, i32); 5] = [
    (Role::Pawn, 110),
    (Role::Knight, 270),
    (Role::Bishop, 260),
    (Role::Rook, 330),
    (Role::Queen, 570),
];
/// Worth of a piece beside the enemy king that can be captured, so that the king explodes.
const FUSE: (i32, i32) = (60, 60);
/// Worth of a pawn of the horde, by rank from its own first to its eighth.
const HORDE: [(i32, i32); 8] =
    [(0, 0), (0, 0), (5, 12), (12, 30), (25, 62), (50, 150), (100, 350), (0, 0)];
/// Worth of each square that a piece can go to in antichess.
const FREEDOM: (i32, i32) = (-4, -4);

/// What the term is called; `None` in chess, which has none.
pub const fn name(variant: Variant) -> Option<&'static str> {
    match variant {
        Variant::Chess => None,
        Variant::Atomic => Some("fuses"),
        Variant::Antichess => Some("freedom"),
        Variant::KingOfTheHill => Some("way to the hill"),
        Variant::ThreeCheck => Some("checks given"),
        Variant::Crazyhouse => Some("pieces in hand"),
        Variant::RacingKings => Some("race"),
        Variant::Horde => Some("march"),
    }
}

/// What `color` has of the term.
pub fn term<P: Rules>(position: &P, color: Color) -> Tapered {
    match P::VARIANT {
        Variant::Chess => Tapered::ZERO,
        Variant::Atomic => tapered(FUSE) * fuses(position, color),
        Variant::Antichess => tapered(FREEDOM) * freedom(position, color),
        Variant::KingOfTheHill => hill(position, color),
        Variant::ThreeCheck => checks(position, color),
        Variant::Crazyhouse => pocket(position, color),
        Variant::RacingKings => race(position, color),
        Variant::Horde => march(position, color),
    }
}

/// The term, White minus Black, at the position's phase, in centipawns.
pub fn value<P: Rules>(position: &P) -> i32 {
    let lead = term(position, Color::White) - term(position, Color::Black);
    lead.at_phase(material::phase_in::<P>(position.board()))
}

fn tapered((opening, endgame): (i32, i32)) -> Tapered {
    Tapered::new(opening, endgame)
}

/// Pieces beside the enemy king that `color` attacks, other than with its king.
fn fuses<P: Rules>(position: &P, color: Color) -> i32 {
    let board = position.board();
    let Some(king) = board.king_of(!color) else { return 0 };
    let beside = attacks::king_attacks(king) & board.by_color(!color);
    let attackers = |square| board.attacks_to(square, color, board.occupied()) & !board.kings();
    beside.into_iter().filter(|&square| attackers(square).any()).count() as i32
}

/// Squares that the pieces of `color` attack and do not occupy themselves, pawns apart.
fn freedom<P: Rules>(position: &P, color: Color) -> i32 {
    let board = position.board();
    let own = board.by_color(color);
    let reach = |square: Square| {
        let piece: Option<Piece> = board.piece_at(square);
        piece.map_or(Bitboard::EMPTY, |piece| attacks::attacks(square, piece, board.occupied()))
    };
    (own & !board.pawns()).into_iter().map(|square| (reach(square) & !own).count() as i32).sum()
}

fn hill<P: Rules>(position: &P, color: Color) -> Tapered {
    let Some(king) = position.board().king_of(color) else { return Tapered::ZERO };
    let steps = Bitboard::CENTER.into_iter().map(|square| square.distance(king)).min();
    let steps = steps.unwrap_or(3) as usize;
    tapered(HILL[steps.min(HILL.len() - 1)])
}

fn checks<P: Rules>(position: &P, color: Color) -> Tapered {
    position.remaining_checks().map_or(Tapered::ZERO, |remaining| {
        let given = 3_usize.saturating_sub(u32::from(remaining[color]) as usize);
        tapered(CHECKS[given])
    })
}

fn pocket<P: Rules>(position: &P, color: Color) -> Tapered {
    position.pockets().map_or(Tapered::ZERO, |pockets| {
        let in_hand = &pockets[color];
        let worth = POCKET.iter().map(|&(role, worth)| worth * i32::from(in_hand[role])).sum();
        Tapered::new(worth, worth)
    })
}

fn race<P: Rules>(position: &P, color: Color) -> Tapered {
    let rank = position.board().king_of(color).map_or(0, |king| king.rank() as usize);
    Tapered::new(RACE[rank], RACE[rank])
}

/// The way up the board of the pawns of the side without a king. The other's are ordinary ones.
fn march<P: Rules>(position: &P, color: Color) -> Tapered {
    let board = position.board();
    if board.king_of(color).is_some() {
        return Tapered::ZERO;
    }
    (board.by_color(color) & board.pawns()).into_iter().fold(Tapered::ZERO, |sum, square| {
        sum + tapered(HORDE[color.relative_rank(square.rank()) as usize])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::setup;
    use shakmaty::CastlingMode;
    use shakmaty::variant::{
        Antichess, Atomic, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck,
    };

    fn difference<P: Rules>(fen: &str) -> i32 {
        let (position, _) = setup::position::<P>(fen, CastlingMode::Standard).unwrap();
        (term(&position, Color::White) - term(&position, Color::Black)).opening()
    }

    #[test]
    fn what_wins_is_worth_something() {
        let lone = "4k3/8/8/8/8/8/8/R3K3";
        assert_eq!(difference::<ThreeCheck>(&format!("{lone} w - - 3+3 0 1")), 0);
        assert_eq!(difference::<ThreeCheck>(&format!("{lone} w - - 1+3 0 1")), CHECKS[2].0);
        assert_eq!(difference::<KingOfTheHill>("4k3/8/8/8/8/3K4/8/8 w - - 0 1"), HILL[1].0);
        assert_eq!(difference::<RacingKings>("8/8/8/4K3/8/8/8/k7 w - - 0 1"), RACE[4]);
        assert_eq!(difference::<Crazyhouse>("4k3/8/8/8/8/8/8/4K3[Nq] w - - 0 1"), 270 - 570);
        assert_eq!(difference::<Horde>("4k3/8/4P3/8/8/8/8/8 w - - 0 1"), HORDE[5].0);
        assert_eq!(difference::<Atomic>("3qk3/8/8/8/8/8/8/3RK3 w - - 0 1"), 0);
        assert_eq!(difference::<Atomic>("3qk3/8/8/8/8/8/8/3R2K1 w - - 0 1"), FUSE.0);
        assert_eq!(difference::<Antichess>("8/8/8/8/8/8/8/R6n w - - 0 1"), FREEDOM.0 * (14 - 2));
    }
}
