//! What can be read off a board by counting: pawns, files, squares, the place of a king.

use shakmaty::{Bitboard, Board, Color, File, Rank, Role, Square, attacks};

/// The rank of a square as `side` sees it, from 0 to 7.
pub fn rank_of(square: Square, side: Color) -> usize {
    usize::from(square.rank()).abs_diff(side.fold_wb(0, 7))
}

pub fn pawns(board: &Board, side: Color) -> Bitboard {
    board.by_piece(Role::Pawn.of(side))
}

/// The files by the king of `side` that have no pawn of it, while the enemy has a queen or a rook.
pub fn open_files(board: &Board, side: Color) -> Vec<File> {
    let enemy = board.by_color(!side) & (board.queens() | board.rooks());
    let Some(king) = board.king_of(side).filter(|_| enemy.any()) else { return Vec::new() };
    let is_near = |file: &File| file.distance(king.file()) <= 1;
    let is_open = |file: &File| (pawns(board, side) & Bitboard::from_file(*file)).is_empty();
    File::ALL.into_iter().filter(|file| is_near(file) && is_open(file)).collect()
}

/// The number of enemy pieces that attack a square around the king of `side`.
pub fn attackers(board: &Board, side: Color) -> i32 {
    let Some(king) = board.king_of(side) else { return 0 };
    let pieces = board.by_color(!side) & !board.pawns() & !board.kings();
    let around = attacks::king_attacks(king);
    pieces.into_iter().filter(|&square| (board.attacks_from(square) & around).any()).count() as i32
}

/// The square before a pawn.
pub fn front(pawn: Square, side: Color) -> Option<Square> {
    pawn.offset(side.fold_wb(8, -8))
}

/// The squares of the same colour.
pub fn same_colour(square: Square) -> Bitboard {
    if square.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES }
}

/// True if the piece on `square` is a bishop with most pawns of its side on its colour, two of them or more blocked in the
/// middle of the board: no move of its own makes it a good one.
pub fn is_shut_bishop(board: &Board, square: Square) -> bool {
    let Some(piece) = board.piece_at(square) else { return false };
    let own = pawns(board, piece.color);
    let of_colour = own & same_colour(square);
    let middle = Bitboard::from_file(File::C)
        | Bitboard::from_file(File::D)
        | Bitboard::from_file(File::E)
        | Bitboard::from_file(File::F);
    let is_blocked = |&pawn: &Square| {
        front(pawn, piece.color).is_some_and(|front| pawns(board, !piece.color).contains(front))
    };
    let blocked = (of_colour & middle).into_iter().filter(is_blocked).count();
    piece.role == Role::Bishop && of_colour.count() * 2 > own.count() && blocked > 1
}

/// True if only kings and pawns are left.
pub fn is_pawn_ending(board: &Board) -> bool {
    board.occupied() == board.kings() | board.pawns() && board.pawns().any()
}

/// True if the kings face each other with one square between them (direct opposition). The side to move must give way.
pub fn are_opposed(board: &Board) -> bool {
    let kings = (board.king_of(Color::White), board.king_of(Color::Black));
    let (Some(white), Some(black)) = kings else { return false };
    let is_in_line = white.file() == black.file() || white.rank() == black.rank();
    is_in_line && white.distance(black) == 2
}

/// True if `side` has nothing but a bishop and pawns on one rook's file, whose promotion square the bishop does not
/// guard, and the lone enemy king reaches it first: a draw whatever the material.
pub fn has_wrong_bishop(board: &Board, side: Color) -> bool {
    let (own, pawns) = (board.by_color(side), pawns(board, side));
    let bishops = board.bishops() & own;
    let corner = |file: File| Square::from_coords(file, side.fold_wb(Rank::Eighth, Rank::First));
    let is_wrong = |file: File| {
        let corner = corner(file);
        let guarded = |square: Square| square.is_light() == corner.is_light();
        let king = board.king_of(!side);
        pawns.any()
            && (pawns & !Bitboard::from_file(file)).is_empty()
            && !bishops.into_iter().any(guarded)
            && king.is_some_and(|king| king.distance(corner) <= 1)
    };
    bishops.any()
        && own == bishops | pawns | board.kings() & own
        && board.by_color(!side).count() == 1
        && [File::A, File::H].into_iter().any(is_wrong)
}

/// True if the piece on a square shields its king from a slider.
pub(super) fn is_pinned(board: &Board, square: Square) -> bool {
    let Some(color) = board.color_at(square) else { return false };
    let Some(king) = board.king_of(color) else { return false };
    let without = board.occupied() ^ Bitboard::from(square);
    let sliders = board.attacks_to(king, !color, without) & board.sliders();
    sliders.into_iter().any(|slider| attacks::between(king, slider).contains(square))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_ascii_board_fen(fen.as_bytes()).unwrap()
    }

    #[test]
    fn a_pinned_piece_shields_its_king() {
        let pinned = |fen: &str| is_pinned(&board(fen), Square::B2);
        assert!(pinned("1r2k3/8/8/8/8/8/1P6/1K6"));
        assert!(!pinned("1r2k3/1p6/8/8/8/8/1P6/1K6"), "a pawn stands between");
        assert!(!pinned("1n2k3/8/8/8/8/8/1P6/1K6"), "a knight");
        assert!(!pinned("1r2k3/8/8/8/8/8/1P6/2K5"), "the king is elsewhere");
    }

    #[test]
    fn endings_are_known_by_their_patterns() {
        assert!(are_opposed(&board("8/8/4k3/8/4K3/4P3/8/8")));
        assert!(!are_opposed(&board("8/8/3k4/8/4K3/4P3/8/8")));
        assert!(
            has_wrong_bishop(&board("k7/8/8/P7/8/8/3B4/4K3"), Color::White),
            "a dark bishop, a8 light"
        );
        assert!(
            !has_wrong_bishop(&board("k7/8/8/P7/8/3B4/8/4K3"), Color::White),
            "the right bishop"
        );
        assert!(
            !has_wrong_bishop(&board("8/8/3k4/P7/8/8/3B4/4K3"), Color::White),
            "the king is late"
        );
        assert!(!has_wrong_bishop(&board("k7/8/8/PP6/8/8/3B4/4K3"), Color::White), "another pawn");
    }
}
