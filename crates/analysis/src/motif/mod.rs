//! Motifs: what a line of moves does, by the names that chess players use.
//!
//! A line begins with the side that profits from it, the *attacker*; the other side, the *defender*, has just erred.
//! Each detector looks for one motif and returns the ply at which it appears with the pieces that take part. The
//! definitions are geometric: they hold on the board, or they do not. Source of the names: Seirawan, "Winning Chess
//! Tactics", 1992; the puzzle themes of lichess.org.

mod attack;
mod capture;
mod decoy;
mod mate;

use engine::evaluation::material::PAPER;
use engine::rules::notation::arrival;
use shakmaty::{Bitboard, Board, Color, Move, Position, Role, Square};

/// A motif.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Motif {
    /// A rook or queen mates on the rank behind the king's own pawns.
    BackRankMate,
    /// A knight mates a king that its own pieces surround.
    SmotheredMate,
    /// A pawn promotes.
    Promotion,
    /// A pawn promotes to another piece than a queen, to a purpose.
    Underpromotion,
    /// One piece attacks two.
    Fork,
    /// A piece may not move, because a more valuable one stands behind it.
    Pin,
    /// A piece must move, and the one behind it falls.
    Skewer,
    /// A piece moves and opens the line of another.
    DiscoveredAttack,
    /// The same, where what it attacks is the king.
    DiscoveredCheck,
    /// Two pieces give check at once.
    DoubleCheck,
    /// A piece is captured that nothing defends.
    HangingPiece,
    /// A piece is attacked and has no square to go to.
    TrappedPiece,
    /// A piece guards two others alone, and cannot do both.
    OverloadedPiece,
    /// A defender is drawn away from what it defends.
    Deflection,
    /// A piece is drawn to a square where it is attacked.
    Attraction,
    /// A defender is captured.
    RemovedDefender,
    /// A recapture waits for a move that has to be answered first.
    InBetweenMove,
    /// The line between a piece and its defender is cut.
    Interference,
    /// A piece makes room for another.
    Clearance,
    /// A piece works through an enemy piece.
    XRay,
}

impl Motif {
    /// Its key among the texts, and its name in data.
    pub fn key(self) -> &'static str {
        match self {
            Motif::BackRankMate => "back-rank-mate",
            Motif::SmotheredMate => "smothered-mate",
            Motif::Promotion => "promotion",
            Motif::Underpromotion => "underpromotion",
            Motif::Fork => "fork",
            Motif::Pin => "pin",
            Motif::Skewer => "skewer",
            Motif::DiscoveredAttack => "discovered-attack",
            Motif::DiscoveredCheck => "discovered-check",
            Motif::DoubleCheck => "double-check",
            Motif::HangingPiece => "hanging-piece",
            Motif::TrappedPiece => "trapped-piece",
            Motif::OverloadedPiece => "overloaded-piece",
            Motif::Deflection => "deflection",
            Motif::Attraction => "attraction",
            Motif::RemovedDefender => "removed-defender",
            Motif::InBetweenMove => "in-between-move",
            Motif::Interference => "interference",
            Motif::Clearance => "clearance",
            Motif::XRay => "x-ray",
        }
    }
}

/// A motif in a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The motif.
    pub motif: Motif,
    /// The ply of the line at which it appears, from 0.
    pub ply: usize,
    /// The piece that it is about, with its square.
    pub piece: (Role, Square),
    /// The pieces that it attacks, or the squares that it is aimed at: an empty square has no role.
    pub targets: Vec<(Option<Role>, Square)>,
}

/// A line: positions before the first move, …, after the last, and the moves. The attacker moves first.
pub struct MotifLine<'a, P> {
    /// One more than moves.
    pub positions: &'a [P],
    /// The moves.
    pub moves: &'a [Move],
    /// The move that led to the first position, if it is known.
    pub before: Option<Move>,
}

/// Looks for one motif.
type Detector<P> = fn(&MotifLine<P>) -> Option<Found>;

/// The motifs of a line, each at most once, the most telling first.
pub fn find<P: Position + Clone>(line: &MotifLine<P>) -> Vec<Found> {
    let detectors: [Detector<P>; 18] = [
        mate::back_rank_mate,
        mate::smothered_mate,
        mate::double_check,
        attack::fork,
        attack::skewer,
        attack::discovered_attack,
        capture::trapped_piece,
        capture::hanging_piece,
        capture::removed_defender,
        decoy::overloaded_piece,
        decoy::deflection,
        decoy::attraction,
        attack::pin,
        decoy::interference,
        decoy::in_between_move,
        attack::x_ray,
        decoy::clearance,
        mate::promotion,
    ];
    let mut found: Vec<Found> = detectors.iter().filter_map(|detect| detect(line)).collect();
    // The same moves by a better name.
    let has = |motifs: &[Motif]| found.iter().any(|one| motifs.contains(&one.motif));
    let is_cleared_for =
        |one: &Found| line.moves.get(one.ply + 2).is_some_and(|m| m.is_promotion());
    let is_discovered = has(&[Motif::DiscoveredAttack, Motif::DiscoveredCheck]);
    let is_drawn = is_discovered || has(&[Motif::Attraction, Motif::DoubleCheck]);
    let undefended: Vec<Square> = found
        .iter()
        .filter(|one| one.motif == Motif::RemovedDefender)
        .flat_map(|one| one.targets.iter().map(|(_, square)| *square))
        .collect();
    let overloaded = found.iter().find(|one| one.motif == Motif::OverloadedPiece);
    let overloaded = overloaded.map(|one| one.piece);
    found.retain(|one| match one.motif {
        Motif::Deflection => Some(one.piece) != overloaded,
        Motif::Clearance => !is_drawn || is_cleared_for(one),
        Motif::TrappedPiece => !undefended.contains(&one.piece.1),
        _ => true,
    });
    // What is rare is named first.
    found.sort_by_key(|one| one.motif != Motif::Underpromotion);
    found
}

/// The paper's weight of a piece, in centipawns; a king is worth more than all.
pub(crate) fn value(role: Role) -> i32 {
    PAPER[role as usize - 1]
}

fn is_slider(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
}

/// The pieces of `color` that attack `square`, those behind other attackers on the same line included.
fn attackers(board: &Board, square: Square, color: Color) -> Bitboard {
    let direct = board.attacks_to(square, color, board.occupied());
    let sliders = direct & board.sliders();
    direct | board.attacks_to(square, color, board.occupied() ^ sliders)
}

/// True if nothing of its own colour defends the piece on `square`.
pub(crate) fn is_undefended(board: &Board, square: Square, color: Color) -> bool {
    attackers(board, square, color).is_empty()
}

/// True if the piece on `square` can be captured at a profit: by something cheaper, or where nothing takes back, not even
/// along the line that the captor leaves.
pub(crate) fn is_loose(board: &Board, square: Square) -> bool {
    let Some(piece) = board.piece_at(square) else { return false };
    let enemies = board.attacks_to(square, !piece.color, board.occupied());
    enemies.into_iter().any(|from| {
        let without = board.occupied() ^ Bitboard::from_square(from);
        let is_cheaper = board
            .role_at(from)
            .is_some_and(|role| role != Role::King && value(role) < value(piece.role));
        is_cheaper || board.attacks_to(square, piece.color, without).is_empty()
    })
}

impl<P: Position + Clone> MotifLine<'_, P> {
    fn attacker(&self) -> Color {
        self.positions[0].turn()
    }

    fn board(&self, index: usize) -> &Board {
        self.positions[index].board()
    }

    /// The plies of the attacker's moves.
    fn own_plies(&self) -> impl Iterator<Item = usize> + use<P> {
        (0..self.moves.len()).step_by(2)
    }

    fn target(&self, ply: usize) -> Option<Square> {
        self.moves.get(ply).map(|m| arrival(*m))
    }

    fn is_mate(&self) -> bool {
        self.positions.last().is_some_and(|end| end.is_checkmate())
    }

    /// The motif of the move `ply`, about the piece on `square` after it, or before it if it is gone then.
    fn found(&self, motif: Motif, ply: usize, square: Square, targets: &[Square]) -> Option<Found> {
        let (before, after) = (self.board(ply), self.board(ply + 1));
        let role = |square: Square| after.role_at(square).or_else(|| before.role_at(square));
        let targets = targets.iter().map(|&target| (role(target), target)).collect();
        Some(Found { motif, ply, piece: (role(square)?, square), targets })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use shakmaty::uci::UciMove;
    use shakmaty::{CastlingMode, Chess};

    /// The motifs of a line from a position, the attacker first.
    fn motifs(fen: &str, moves: &str) -> Vec<Found> {
        let start: Chess =
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let (mut positions, mut played) = (vec![start], Vec::new());
        for word in moves.split(' ') {
            let mut now = positions[positions.len() - 1].clone();
            let m = word.parse::<UciMove>().unwrap().to_move(&now).unwrap();
            now.play_unchecked(m);
            positions.push(now);
            played.push(m);
        }
        find(&MotifLine { positions: &positions, moves: &played, before: None })
    }

    fn kinds(fen: &str, moves: &str) -> Vec<Motif> {
        motifs(fen, moves).iter().map(|found| found.motif).collect()
    }

    #[test]
    fn a_king_gets_in_the_way_only_where_it_has_no_other_square() {
        let after_check = |fen: &str| kinds(fen, "c7c2 d2e1 e4h1").contains(&Motif::Interference);
        let fen = "r5k1/2q3p1/1p2p3/p7/1P1PbPP1/8/1P1KN3/3R3R b - - 1 24";
        assert!(!after_check(fen), "25.Ke3");
        assert!(after_check(&fen.replace("PbPP1", "Pbp2")), "e3 is attacked");
    }

    #[test]
    fn a_fork_is_one_if_the_forker_is_safe() {
        let found = motifs("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7 e8d7 c7a8");
        assert_eq!(found[0].motif, Motif::Fork);
        assert_eq!(found[0].piece, (Role::Knight, Square::C7));
        assert_eq!(found[0].targets.len(), 2, "{found:?}");
        // The king takes the knight.
        let guarded = kinds("r7/8/3k4/3N4/8/8/8/4K3 w - - 0 1", "d5c7 d6c7 e1d1");
        assert!(!guarded.contains(&Motif::Fork), "{guarded:?}");
        // Another queen may take it.
        let alike = kinds("k7/8/8/8/4p3/1Q6/5q2/1K1R1B1R b - - 0 1", "f2f3 b1a2 f3d1");
        assert!(!alike.contains(&Motif::Fork), "{alike:?}");
        // The queen may take, but opens the line along which it is taken back.
        let behind = kinds("6k1/8/1q6/2Q1b3/8/8/5K2/8 b - - 0 1", "e5d4 c5d4 b6d4");
        assert!(behind.contains(&Motif::Fork), "{behind:?}");
    }

    #[test]
    fn a_defender_that_came_of_its_own_accord_is_not_removed() {
        let fen = "3q1bnr/Q4k1p/4pp2/6p1/3pP3/3P4/PrPB1PPP/RN2K2R b KQ - 0 15";
        let came = kinds(fen, "f7g6 b1a3 f8a3 a7a3 b2c2");
        assert!(!came.contains(&Motif::RemovedDefender), "{came:?}");
        let stood =
            kinds("3q1b2/Q6p/4ppk1/6p1/3pP3/N2P4/PrP2PPP/R3K2R b KQ - 0 16", "f8a3 a7a3 b2c2");
        assert!(stood.contains(&Motif::RemovedDefender), "{stood:?}");
    }

    #[test]
    fn lines_through_pieces_have_their_names() {
        let skewer = "8/8/4k2q/8/8/8/8/R5K1 w - - 0 1";
        assert_eq!(kinds(skewer, "a1a6 e6e5 a6h6")[0], Motif::Skewer);
        // The knight on c4 is guarded and leaves for the pawn on b5, not for the queen.
        let fen = "r1b1kbnr/pp3ppp/n1p1p3/2q1P3/2Np1B2/3P1Q2/PPP1BPPP/R3K1NR b KQkq - 9 9";
        let guarded = kinds(fen, "b7b5 c4d2 c5c2");
        assert!(!guarded.contains(&Motif::Skewer), "{guarded:?}");
        let pin = motifs("4k3/8/4n3/8/8/8/8/R5K1 w - - 0 1", "a1e1 e8d7 e1e6");
        assert!(pin.iter().any(|found| found.motif == Motif::Pin), "{pin:?}");
        // A pinned queen may take what pins it, and falls for it.
        let taker = kinds("7k/8/8/8/7q/4R3/6K1/8 w - - 0 1", "e3h3 h4h3 g2h3");
        assert!(taker.contains(&Motif::Pin), "{taker:?}");
        // Nothing guards the rook on b1: the rook on f1 may take it.
        let fen = "1r4k1/p1qp1p1p/4p1pB/2p5/2Pb1PQ1/6P1/P6P/1B3R1K b - - 2 21";
        let free = kinds(fen, "b8b1 a2a3 b1f1");
        assert!(!free.contains(&Motif::Pin), "{free:?}");
        let discovered = "3qk3/8/8/8/3N4/8/8/3R2K1 w - - 0 1";
        let found = kinds(discovered, "d4c6 e8f7 d1d8");
        assert!(found.contains(&Motif::DiscoveredAttack), "{found:?}");
        assert!(!found.contains(&Motif::DiscoveredCheck), "{found:?}");
        let castled = kinds("N3k2r/8/8/8/8/8/8/6K1 b k - 0 1", "e8h8 g1g2 f8a8");
        assert!(!castled.contains(&Motif::DiscoveredAttack), "{castled:?}");
        let check = motifs("3k4/8/8/8/3N4/8/8/3R2K1 w - - 0 1", "d4f5");
        assert_eq!(check[0].motif, Motif::DiscoveredCheck);
        assert_eq!(check[0].piece, (Role::Rook, Square::D1), "it has not moved");
    }

    #[test]
    fn a_piece_with_two_duties_is_overloaded() {
        let knight = "6k1/8/5n2/3n4/4n3/8/2B5/3R2K1 w - - 0 1";
        let found = motifs(knight, "d1d5 f6d5 c2e4");
        let overloaded = found.iter().find(|found| found.motif == Motif::OverloadedPiece).unwrap();
        assert_eq!(overloaded.piece, (Role::Knight, Square::F6));
        let guarded = [(Some(Role::Knight), Square::D5), (Some(Role::Knight), Square::E4)];
        assert_eq!(overloaded.targets, guarded, "the knight on d5, not the rook that takes it");
        // The same moves have one name.
        assert!(!found.iter().any(|found| found.motif == Motif::Deflection), "{found:?}");
        let relieved = kinds("6k1/8/5n2/3n1p2/4n3/8/2B5/3R2K1 w - - 0 1", "d1d5 f6d5 c2e4");
        assert!(!relieved.contains(&Motif::OverloadedPiece), "a pawn guards e4: {relieved:?}");
    }

    #[test]
    fn mates_have_their_names() {
        let back_rank = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
        assert_eq!(kinds(back_rank, "a1a8"), [Motif::BackRankMate]);
        let smothered = "6rk/6pp/7N/8/8/8/8/7K w - - 0 1";
        assert_eq!(kinds(smothered, "h6f7"), [Motif::SmotheredMate]);
        // A pawn that has moved leaves a way out: no mate, and no name.
        assert!(kinds("6k1/5pp1/7p/8/8/8/8/R6K w - - 0 1", "a1a8").is_empty());
    }

    #[test]
    fn pieces_that_hang_or_cannot_leave_are_told_apart() {
        let hanging = "4k3/8/8/3n4/8/8/8/3R2K1 w - - 0 1";
        assert_eq!(kinds(hanging, "d1d5")[0], Motif::HangingPiece);
        let bishop = "8/Bpk5/8/8/8/8/6K1/r7 b - - 0 1";
        let found = motifs(bishop, "b7b6 g2g3 a1a7");
        let trapped = found.iter().find(|found| found.motif == Motif::TrappedPiece);
        assert_eq!(trapped.map(|found| found.piece), Some((Role::Bishop, Square::A7)), "{found:?}");
        let left_open = kinds(bishop, "c7d7 g2g3 a1a7");
        assert!(!left_open.contains(&Motif::TrappedPiece), "it had squares: {left_open:?}");
    }
}
