//! The inputs of the network: the board as each king sees it.
//!
//! A perspective numbers every piece on every square, own and enemy ones apart. The board is mirrored so
//! that the king stands on one of the files a to d, and turned so that its side looks up the board. The
//! square of the king selects its zone (the field's king bucket), and each zone has inputs of its own.

use shakmaty::{Board, Color, Piece, Square};

use crate::evaluation::Variant;

/// Inputs of one zone for the pieces on the board: own and enemy × six roles × 64 squares.
pub const PIECE_INPUTS: usize = 2 * 6 * 64;

/// Squares of a king once the board is mirrored.
pub const KING_SQUARES: usize = 32;

/// Most zones of a map.
pub const MAX_ZONES: usize = 16;

/// The zone of each square of a king, four files (a to d) a rank, from the first rank up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KingZones([u8; KING_SQUARES]);

impl KingZones {
    /// One zone for the whole board.
    pub const ONE: KingZones = KingZones([0; KING_SQUARES]);

    /// Eight zones: fine near the king's own rank, where it spends the middlegame, coarse above.
    const EIGHT: KingZones = KingZones([
        0, 1, 2, 3, //
        4, 4, 5, 5, //
        6, 6, 6, 6, //
        6, 6, 6, 6, //
        7, 7, 7, 7, //
        7, 7, 7, 7, //
        7, 7, 7, 7, //
        7, 7, 7, 7, //
    ]);

    /// Four zones: the wing and the centre of the king's own two ranks, the middle, the far half.
    const FOUR: KingZones = KingZones([
        0, 0, 1, 1, //
        0, 0, 1, 1, //
        2, 2, 2, 2, //
        2, 2, 2, 2, //
        3, 3, 3, 3, //
        3, 3, 3, 3, //
        3, 3, 3, 3, //
        3, 3, 3, 3, //
    ]);

    /// The map with `count` zones, if there is one: 1, 4 or 8.
    pub fn of_count(count: usize) -> Option<KingZones> {
        [KingZones::ONE, KingZones::FOUR, KingZones::EIGHT]
            .into_iter()
            .find(|zones| zones.count() == count)
    }

    /// The map in which square n lies in zone `zones[n]`; `None` unless its zones are numbered without
    /// gaps from 0 and are at most [`MAX_ZONES`].
    pub fn new(zones: [u8; KING_SQUARES]) -> Option<KingZones> {
        let map = KingZones(zones);
        let is_used = |zone| zones.iter().any(|&used| usize::from(used) == zone);
        (map.count() <= MAX_ZONES && (0..map.count()).all(is_used)).then_some(map)
    }

    /// The number of zones.
    pub fn count(&self) -> usize {
        self.0.iter().max().map_or(0, |&last| usize::from(last) + 1)
    }

    /// The zone of each square.
    pub fn as_bytes(&self) -> &[u8; KING_SQUARES] {
        &self.0
    }

    /// The zone of a king on `square` of the mirrored and turned board.
    #[inline]
    fn of(&self, square: usize) -> u8 {
        self.0[square / 8 * 4 + square % 4]
    }
}

/// One king's way to see the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    /// The side of the king.
    side: Color,
    /// The zone of the king.
    zone: u8,
    /// Bits to flip in a square's number: 7 mirrors the files, 56 turns the ranks.
    flip: u8,
}

impl Perspective {
    /// The perspective of `side` on `board`. Without a royal king the board is not mirrored, and its zone
    /// is the first.
    #[inline]
    pub fn new<P: Variant>(zones: &KingZones, board: &Board, side: Color) -> Perspective {
        let king = if P::ROYAL_KINGS { board.king_of(side) } else { None };
        Perspective::of_king::<P>(zones, king, side)
    }

    /// The perspective of `side` with its king on the square `king`.
    #[inline]
    pub fn of_king<P: Variant>(
        zones: &KingZones,
        king: Option<Square>,
        side: Color,
    ) -> Perspective {
        let turn = P::flip(side);
        let Some(king) = king else { return Perspective { side, zone: 0, flip: turn } };
        let mirror = if king as u8 & 7 > 3 { 7 } else { 0 };
        let flip = turn ^ mirror;
        Perspective { side, zone: zones.of(usize::from(king as u8 ^ flip)), flip }
    }

    /// The number of the input for `piece` on `square`, of networks with `inputs` inputs a zone.
    #[inline]
    pub fn input(self, inputs: usize, piece: Piece, square: Square) -> usize {
        let square = usize::from(square as u8 ^ self.flip);
        let role = piece.role as usize - 1;
        usize::from(self.zone) * inputs + self.owner(piece.color) * 6 * 64 + role * 64 + square
    }

    /// The number of the input that stands for extra `number` of `color` (see [`Variant::extras`]), of
    /// networks with `inputs` inputs a zone, `extras` of them extras of either side.
    #[inline]
    pub fn extra(self, inputs: usize, extras: usize, color: Color, number: usize) -> usize {
        usize::from(self.zone) * inputs + PIECE_INPUTS + self.owner(color) * extras + number
    }

    /// A number for all that the sums of a perspective depend on besides the pieces: zone and mirror.
    #[inline]
    pub fn slot(self) -> usize {
        let mirrored = usize::from(self.flip & 7 != 0);
        (usize::from(self.zone) * 2 + mirrored) * 2 + self.side as usize
    }

    /// 0 for the king's own side, 1 for the enemy.
    #[inline]
    fn owner(self, color: Color) -> usize {
        usize::from(color != self.side)
    }
}
