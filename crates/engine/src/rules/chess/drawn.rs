//! Endings that no sensible defence loses, though a mate is possible on the board: the search would see a piece more in
//! them for as many moves as one likes.

use shakmaty::{Bitboard, Board, Color, File, Rank, Square};

/// Most pieces of such an ending: a look at the board is spared with more.
const MOST: usize = 6;

/// True for two knights against a bare king, and for rook's pawns of one file with bishops that do not guard the square of
/// their promotion, if the bare king is beside it. Source: Fine, "Basic Chess Endings", 1941.
#[inline]
pub fn is_drawn(board: &Board) -> bool {
    board.occupied().count() <= MOST && Color::ALL.into_iter().any(|color| is_saved(board, color))
}

/// True if the bare king of `color` is safe.
fn is_saved(board: &Board, color: Color) -> bool {
    let king = board.by_color(color);
    let pieces = board.by_color(!color) & !board.kings();
    let Some(king) = king.single_square() else { return false };
    if pieces == board.knights() {
        return pieces.count() == 2;
    }
    let (bishops, pawns) = (pieces & board.bishops(), pieces & board.pawns());
    let corner = |file: File| {
        let corner = Square::from_coords(file, (!color).fold_wb(Rank::Eighth, Rank::First));
        let is_wrong = |colour: Bitboard| colour.contains(corner) && (bishops & colour).is_empty();
        let is_of_file = (pawns & !Bitboard::from_file(file)).is_empty();
        let is_wrong = is_wrong(Bitboard::LIGHT_SQUARES) || is_wrong(Bitboard::DARK_SQUARES);
        is_of_file && is_wrong && king.distance(corner) <= 1
    };
    let is_theirs = pieces == (bishops | pawns) && bishops.any() && pawns.any();
    is_theirs && [File::A, File::H].into_iter().any(corner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;

    #[test]
    fn two_knights_and_the_wrong_bishop_do_not_win() {
        for (fen, drawn) in [
            ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", true),
            ("4k3/8/8/8/8/8/4P3/4KNN1 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/3BKN2 w - - 0 1", false),
            ("7k/8/8/8/8/8/B6P/6K1 w - - 0 1", true),
            ("8/8/5k2/8/8/8/B6P/6K1 w - - 0 1", false),
            ("7k/8/8/8/8/8/1B5P/6K1 w - - 0 1", false),
            ("7k/8/8/8/8/8/B5PP/6K1 w - - 0 1", false),
            ("6k1/b6p/8/8/8/8/8/6K1 w - - 0 1", true),
            ("6k1/1b5p/8/8/8/8/8/6K1 w - - 0 1", false),
        ] {
            let board = fen.parse::<Fen>().unwrap().into_setup().board;
            assert_eq!(is_drawn(&board), drawn, "{fen}");
        }
    }
}
