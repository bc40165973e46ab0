//! King drive (mop-up evaluation): a losing king is driven to the edge, where it can be mated.
//!
//! This carries the paper's king proximity to the end of the game. With few pieces and no pawns the
//! distances of pieces say nothing, and a mate lies too deep for the search. The way there is known: the
//! losing king far from the centre (with bishop and knight: near a corner of the bishop's colour), the
//! winning king near it. Source: Slate and Atkin, "Chess 4.5", in Frey (ed.), "Chess Skill in Man and
//! Machine", 1977.

use shakmaty::{Bitboard, Board, ByColor, Chess, Color, Square};

use super::{Variant, material};

/// Centipawns for each step of the losing king away from the centre, 0 to 6 steps.
const EDGE: i32 = 20;
/// Centipawns for each step of the losing king towards a corner where bishop and knight can mate it, 0 to 7
/// steps.
const CORNER: i32 = 25;
/// The same away from the centre, with bishop and knight: the wrong corner is on the way to the right one, and counted
/// by [`CORNER`] alone it is as good as the centre.
const EDGE_WITH_CORNERS: i32 = 10;
/// Centipawns for each step of the winning king towards the losing one, 0 to 6 steps.
const NEARNESS: i32 = 10;
/// The lead, in centipawns, with which a side without pawns can force mate: more than a piece.
const LEAD: i32 = 400;
/// Greatest phase of the term, see [`material::phase`].
pub const MAX_PHASE: i32 = 8;

/// The term where it takes the place of all others but material: where the rules let it lead to a mate,
/// and only the mate is left to be found. Other terms would hold the pieces back.
#[inline]
pub(super) fn in_place_of_terms<P: Variant>(board: &Board) -> Option<ByColor<i32>> {
    let is_possible = P::MATES_BARE_KINGS && board.pawns().is_empty();
    if is_possible && material::board_phase(board) <= MAX_PHASE {
        term_out_of_line(board)
    } else {
        None
    }
}

/// [`term`], kept out of the way of positions in which it is not needed.
#[cold]
fn term_out_of_line(board: &Board) -> Option<ByColor<i32>> {
    term(board)
}

/// True if the term applies: only the mate is left to be found.
pub fn applies(board: &Board) -> bool {
    material::board_phase(board) <= MAX_PHASE && term(board).is_some()
}

/// Each side's share of the term, in centipawns; `None` unless one side leads by more than a piece and no
/// pawns are left.
pub fn term(board: &Board) -> Option<ByColor<i32>> {
    if board.pawns().any() {
        return None;
    }
    let winner =
        Color::ALL.into_iter().find(|&color| material::lead::<Chess>(board, color) >= LEAD)?;
    let (winning, losing) = board.king_of(winner).zip(board.king_of(!winner))?;
    let nearness = NEARNESS * (7 - winning.distance(losing) as i32);
    let drive = nearness + confinement(board, winner, losing);
    Some(ByColor::new_with(|color| if color == winner { drive } else { 0 }))
}

/// The value of the losing king's place.
fn confinement(board: &Board, winner: Color, losing: Square) -> i32 {
    let own = board.by_color(winner);
    let only = |roles: Bitboard| (own & !board.kings()) == (own & roles);
    let bishops = own & board.bishops();
    let one_of_each = bishops.count() == 1 && (own & board.knights()).count() == 1;
    if one_of_each && only(board.bishops() | board.knights()) {
        let light = (bishops & Bitboard::LIGHT_SQUARES).any();
        let corners = if light { [Square::A8, Square::H1] } else { [Square::A1, Square::H8] };
        let steps = corners.map(|corner| manhattan(corner, losing));
        let corner = CORNER * (7 - steps[0].min(steps[1]));
        return corner + EDGE_WITH_CORNERS * from_centre(losing);
    }
    EDGE * from_centre(losing)
}

/// Ranks and files between two squares, 0 to 14.
fn manhattan(a: Square, b: Square) -> i32 {
    let (files, ranks) = (a.file() as i32 - b.file() as i32, a.rank() as i32 - b.rank() as i32);
    files.abs() + ranks.abs()
}

/// Ranks and files between a square and the nearest of the four in the middle, 0 to 6.
fn from_centre(square: Square) -> i32 {
    let out = |coordinate: i32| (3 - coordinate).max(coordinate - 4);
    out(square.file() as i32) + out(square.rank() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;

    fn white(fen: &str) -> i32 {
        let board = fen.parse::<Fen>().unwrap().into_setup().board;
        term(&board).map_or(0, |drive| drive.white - drive.black)
    }

    #[test]
    fn the_losing_king_is_best_at_the_edge_with_the_winning_one_beside_it() {
        assert_eq!(white("8/8/8/4k3/8/8/8/R3K3 w - - 0 1"), 3 * NEARNESS);
        assert_eq!(white("4k3/8/4K3/8/8/8/8/R7 w - - 0 1"), 3 * EDGE + 5 * NEARNESS);
        assert_eq!(white("4K3/8/4k3/8/8/8/8/r7 w - - 0 1"), -(3 * EDGE + 5 * NEARNESS));
    }

    #[test]
    fn bishop_and_knight_mate_in_the_right_corner() {
        let light = |square| white(&format!("{square} w - - 0 1"));
        let right = light("k7/8/1K6/8/8/8/8/1N3B2");
        let wrong = light("7k/8/6K1/8/8/8/8/1N3B2");
        assert_eq!(right - wrong, 7 * CORNER);
        // The wrong corner is on the way: better than the middle, with the kings as far apart.
        assert!(light("7k/8/5K2/8/8/8/8/1N3B2") > light("8/8/8/3k4/8/3K4/8/1N3B2"));
    }

    #[test]
    fn the_drive_needs_a_won_game() {
        for fen in [
            "8/8/8/4k3/8/8/8/N3K3 w - - 0 1",
            "8/8/8/4k3/8/8/P7/R3K3 w - - 0 1",
            "8/8/3r4/4k3/8/8/8/R3K3 w - - 0 1",
        ] {
            assert_eq!(white(fen), 0, "{fen}");
        }
    }
}
