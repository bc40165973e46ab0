//! The sums of the hidden layer (the field's accumulator), kept up to date by the difference of boards.
//!
//! A board differs from one met shortly before by a few pieces, and its sums by their rows. Any cached
//! board with the same perspective is a valid base: nothing has to be pushed or undone. After a king's
//! step into another zone or to the other wing the base is the last board seen from there (the field's
//! refresh table or Finny table).

use arrayvec::ArrayVec;
use shakmaty::{Board, ByColor, Color, Piece, Role, Square};

use super::Network;
use super::features::Perspective;
use crate::evaluation::{Variant, for_each_change};
use crate::score::MAX_PLY;

/// Numbers of a block.
pub const LANES: usize = 64;

/// A part of a row of the hidden layer, small enough for the registers of the processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Block(pub [i16; LANES]);

impl Block {
    /// A block of zeros.
    pub const ZERO: Block = Block([0; LANES]);
}

/// All that the inputs of a position are made of.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The pieces.
    pub board: Board,
    /// Inputs other than pieces, by side; see [`Variant::extras`].
    pub extras: ByColor<u32>,
}

impl Scene {
    /// The scene of a position.
    #[inline]
    pub fn new<P: Variant>(position: &P) -> Scene {
        Scene { board: position.board().clone(), extras: position.extras() }
    }

    fn empty() -> Scene {
        Scene { board: Board::empty(), extras: ByColor::default() }
    }
}

/// A scene with its two perspectives. The sums lie elsewhere.
#[derive(Clone, Debug)]
struct Frame {
    scene: Scene,
    perspectives: ByColor<Perspective>,
}

/// Most rows that a difference of two scenes may have, either way: all pieces and all extras.
const MAX_ROWS: usize = 64 + 2 * 32;

/// The inputs that two scenes do not share.
#[derive(Default)]
struct Difference {
    pieces: [ArrayVec<(Piece, Square), 64>; 2],
    extras: [ByColor<u32>; 2],
}

impl Difference {
    /// The difference from `old` to `new`.
    #[inline(always)]
    fn new(old: &Scene, new: &Scene) -> Difference {
        let mut difference = Difference::default();
        for_each_change(&old.board, &new.board, &Role::ALL, |color, role, square, is_new| {
            difference.pieces[usize::from(!is_new)].push((Piece { color, role }, square));
        });
        let only = |a: &Scene, b: &Scene| ByColor {
            white: a.extras.white & !b.extras.white,
            black: a.extras.black & !b.extras.black,
        };
        difference.extras = [only(new, old), only(old, new)];
        difference
    }

    /// The rows to add (0) or to take away (1) in `perspective`.
    #[inline(always)]
    fn rows<'a>(
        &self,
        which: usize,
        network: &'a Network,
        perspective: Perspective,
    ) -> ArrayVec<&'a [Block], MAX_ROWS> {
        let (inputs, extras) = (network.shape.inputs(), network.shape.extras);
        let mut rows = ArrayVec::new();
        for &(piece, square) in &self.pieces[which] {
            rows.push(network.row(perspective.input(inputs, piece, square)));
        }
        for color in Color::ALL {
            let mut bits = self.extras[which][color];
            while bits != 0 {
                let number = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                rows.push(network.row(perspective.extra(inputs, extras, color, number)));
            }
        }
        rows
    }
}

/// The sums of the positions last evaluated by one search thread.
///
/// The sums lie in one vector, a perspective's after another: first those of the refresh table, one for
/// each [slot](Perspective::slot), then two for each frame.
pub struct Cache {
    sums: Vec<Block>,
    /// Blocks of the sums of one perspective.
    blocks: usize,
    /// The scenes of the refresh table.
    refresh: Vec<Scene>,
    /// The positions last met at each ply.
    frames: Vec<Frame>,
}

impl Cache {
    /// A cache of empty boards.
    pub fn new(network: &Network) -> Cache {
        let slots = network.shape.zones.count() * 4;
        Cache {
            sums: network.bias.repeat(slots),
            blocks: network.shape.blocks(),
            refresh: vec![Scene::empty(); slots],
            frames: Vec::new(),
        }
    }

    /// The sums of `scene`, met at `ply`, by the side of the perspective.
    #[inline(always)]
    pub fn sums(
        &mut self,
        network: &Network,
        scene: Scene,
        perspectives: ByColor<Perspective>,
        ply: usize,
    ) -> ByColor<&[Block]> {
        let ply = ply.min(MAX_PLY);
        if ply >= self.frames.len() {
            self.grow(network, ply, perspectives);
        }
        let base = self.nearest(ply, &scene.board);
        let frame = &self.frames[base];
        let difference = Difference::new(&frame.scene, &scene);
        let known = frame.perspectives;
        for side in Color::ALL {
            let perspective = perspectives[side];
            let to = self.place(ply, side);
            if known[side] == perspective {
                let from = self.place(base, side);
                self.add_up(from, to, network, &difference, perspective);
            } else {
                self.refresh(network, &scene, perspective, to);
            }
        }
        self.frames[ply] = Frame { scene, perspectives };
        ByColor::new_with(|side| {
            let place = self.place(ply, side);
            &self.sums[place..place + self.blocks]
        })
    }

    /// The place of the sums of a frame.
    #[inline(always)]
    fn place(&self, frame: usize, side: Color) -> usize {
        (self.refresh.len() + 2 * frame + side as usize) * self.blocks
    }

    /// The frame that differs least from `board`, among the last ones at this ply and the two before it.
    #[inline(always)]
    fn nearest(&self, ply: usize, board: &Board) -> usize {
        let changes = |&frame: &usize| {
            let base = &self.frames[frame].scene.board;
            (base.white() ^ board.white()).count() + (base.black() ^ board.black()).count()
        };
        let frames = [ply.saturating_sub(1), ply, ply.saturating_sub(2)];
        frames.into_iter().min_by_key(changes).unwrap_or(ply)
    }

    /// Brings the refresh table's sums for `perspective` to `scene` and copies them to the place `to`.
    #[inline(always)]
    fn refresh(&mut self, network: &Network, scene: &Scene, perspective: Perspective, to: usize) {
        let slot = perspective.slot();
        let last = &self.refresh[slot];
        let difference = Difference::new(last, scene);
        let place = slot * self.blocks;
        self.add_up(place, place, network, &difference, perspective);
        self.sums.copy_within(place..place + self.blocks, to);
        self.refresh[slot] = scene.clone();
    }

    /// The sums at place `to` become those at `from` plus the rows of a difference.
    #[inline(always)]
    fn add_up(
        &mut self,
        from: usize,
        to: usize,
        network: &Network,
        difference: &Difference,
        perspective: Perspective,
    ) {
        let added = difference.rows(0, network, perspective);
        let removed = difference.rows(1, network, perspective);
        for block in 0..self.blocks {
            let mut sum = self.sums[from + block];
            for row in &added {
                for (sum, weight) in sum.0.iter_mut().zip(row[block].0) {
                    *sum = sum.wrapping_add(weight);
                }
            }
            for row in &removed {
                for (sum, weight) in sum.0.iter_mut().zip(row[block].0) {
                    *sum = sum.wrapping_sub(weight);
                }
            }
            self.sums[to + block] = sum;
        }
    }

    /// Makes room for frames up to `ply`, each a valid base: the empty board in these perspectives.
    #[cold]
    fn grow(&mut self, network: &Network, ply: usize, perspectives: ByColor<Perspective>) {
        let frame = Frame { scene: Scene::empty(), perspectives };
        self.frames.resize(ply + 1, frame);
        while self.sums.len() < self.place(ply + 1, Color::Black) {
            self.sums.extend_from_slice(&network.bias);
        }
    }
}
