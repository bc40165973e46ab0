//! What can be read off a board by counting: pawns, files, squares, outposts, the place of a king.

use shakmaty::{Bitboard, Board, Color, File, Rank, Role, Square, attacks};

/// The rank of a square as `side` sees it, from 0 to 7.
pub fn rank_of(square: Square, side: Color) -> usize {
    usize::from(square.rank()).abs_diff(side.fold_wb(0, 7))
}

/// The squares before `square`, as `side` sees it.
pub fn ahead(square: Square, side: Color) -> Bitboard {
    let rank = rank_of(square, side);
    Bitboard::FULL.into_iter().filter(|&other| rank_of(other, side) > rank).collect()
}

/// The file of a square with its neighbours.
pub fn three_files(square: Square) -> Bitboard {
    let file = square.file();
    let neighbours = [file.offset(-1), Some(file), file.offset(1)];
    neighbours
        .into_iter()
        .flatten()
        .fold(Bitboard::EMPTY, |all, file| all | Bitboard::from_file(file))
}

/// The pawns of `side` that no enemy pawn can stop or capture on their way.
pub fn passed(board: &Board, side: Color) -> Bitboard {
    let (own, enemy) = (pawns(board, side), pawns(board, !side));
    let is_free = |&square: &Square| (enemy & three_files(square) & ahead(square, side)).is_empty();
    let is_first = |&square: &Square| {
        (own & Bitboard::from_file(square.file()) & ahead(square, side)).is_empty()
    };
    own.into_iter().filter(|square| is_free(square) && is_first(square)).collect()
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

/// Steps of a king from the four squares in the centre.
pub fn centre_distance(square: Square) -> i32 {
    let centre = [Square::D4, Square::D5, Square::E4, Square::E5];
    centre.iter().map(|&other| square.distance(other) as i32).min().unwrap_or(0)
}

/// The files on which `side` has more than one pawn.
pub fn doubled(board: &Board, side: Color) -> Vec<File> {
    let count = |file: &File| (pawns(board, side) & Bitboard::from_file(*file)).count();
    File::ALL.into_iter().filter(|file| count(file) > 1).collect()
}

/// The pawns of `side` without another on a file beside them.
pub fn isolated(board: &Board, side: Color) -> Bitboard {
    let own = pawns(board, side);
    let is_alone = |&square: &Square| {
        (own & three_files(square) & !Bitboard::from_file(square.file())).is_empty()
    };
    own.into_iter().filter(is_alone).collect()
}

/// The knights of `side` on an outpost: on the enemy's fourth, third or second rank, guarded by a pawn, where no enemy
/// pawn can ever attack them. Source: Nimzowitsch, "My System", 1925.
pub fn outposts(board: &Board, side: Color) -> Bitboard {
    let enemy = pawns(board, !side);
    let is_outpost = |&square: &Square| {
        let beside = three_files(square) & !Bitboard::from_file(square.file());
        (4..=6).contains(&rank_of(square, side))
            && (attacks::pawn_attacks(!side, square) & pawns(board, side)).any()
            && (enemy & beside & ahead(square, side)).is_empty()
    };
    let knights = board.by_piece(Role::Knight.of(side));
    knights.into_iter().filter(is_outpost).collect()
}

/// The files without pawns on which `side` has a rook, and the enemy neither rook nor queen.
pub fn held_files(board: &Board, side: Color) -> Vec<File> {
    let heavy = board.rooks_and_queens();
    let is_held = |file: &File| {
        let file = Bitboard::from_file(*file);
        let here = heavy & file;
        (board.pawns() & file).is_empty()
            && (here & board.rooks() & board.by_color(side)).any()
            && (here & board.by_color(!side)).is_empty()
    };
    File::ALL.into_iter().filter(is_held).collect()
}

/// The rooks of `side` on its seventh rank, where they attack pawns or shut in the king.
pub fn on_seventh(board: &Board, side: Color) -> Bitboard {
    let rank = |rank: Rank| Bitboard::from_rank(side.fold_wb(rank, rank.flip_vertical()));
    let (seventh, eighth) = (rank(Rank::Seventh), rank(Rank::Eighth));
    let has_targets = (pawns(board, !side) & seventh).any()
        || (board.by_piece(Role::King.of(!side)) & eighth).any();
    let rooks = board.by_piece(Role::Rook.of(side)) & seventh;
    if has_targets { rooks } else { Bitboard::EMPTY }
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
    fn pawns_are_doubled_isolated_and_passed() {
        let board = board("4k3/2p5/8/p7/8/P1P5/2P4P/4K3");
        assert_eq!(doubled(&board, Color::White), [File::C]);
        assert_eq!(isolated(&board, Color::White).count(), 4);
        assert_eq!(passed(&board, Color::White), Bitboard::from(Square::H2));
    }

    #[test]
    fn a_knight_has_an_outpost_where_no_pawn_can_reach_it() {
        let knight = Bitboard::from(Square::D5);
        assert_eq!(outposts(&board("4k3/8/8/3N4/4P3/8/8/4K3"), Color::White), knight);
        let driven = board("4k3/2p5/8/3N4/4P3/8/8/4K3");
        assert!(outposts(&driven, Color::White).is_empty(), "c7-c6");
        assert!(outposts(&board("4k3/8/8/3N4/8/8/8/4K3"), Color::White).is_empty(), "unguarded");
    }

    #[test]
    fn rooks_hold_open_files_and_the_seventh_rank() {
        let board = board("4k3/pR3ppp/8/8/8/8/P4PPP/3R2K1");
        assert_eq!(held_files(&board, Color::White), [File::B, File::D]);
        assert_eq!(on_seventh(&board, Color::White), Bitboard::from(Square::B7));
        assert!(held_files(&board, Color::Black).is_empty());
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
