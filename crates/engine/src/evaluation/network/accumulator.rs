//! The sums of the hidden layer (the field's accumulator), kept up to date by the difference of boards.
//!
//! A board differs from one met shortly before by a few pieces, and its sums by their rows. Any cached
//! board with the same perspective is a valid base: nothing has to be pushed or undone. After a king's
//! step into another zone or to the other wing the base is the last board seen from there (the field's
//! refresh table or Finny table).

use std::cell::Cell;

use arrayvec::ArrayVec;
use shakmaty::{Board, ByColor, Color, Piece, Role};

use super::Network;
use super::block::{Block, LANES};
use super::features::Perspective;
use super::simd::{Kernel, Share};
use crate::evaluation::board_diff::for_each_change;
use crate::evaluation::{Variant, material};
use crate::score::MAX_PLY;

/// All that the inputs of a position are made of.
#[derive(Clone, Debug)]
pub struct NetworkInput {
    /// The pieces.
    pub board: Board,
    /// Inputs other than pieces, by side; see [`Variant::extras`].
    pub extras: ByColor<u32>,
}

impl NetworkInput {
    /// The input of a position.
    #[inline]
    pub fn new<P: Variant>(position: &P) -> NetworkInput {
        NetworkInput { board: position.board().clone(), extras: position.extras() }
    }

    fn empty() -> NetworkInput {
        NetworkInput { board: Board::empty(), extras: ByColor::default() }
    }
}

/// An input with its two perspectives. The sums lie elsewhere.
#[derive(Clone, Debug)]
struct Accumulated {
    input: NetworkInput,
    perspectives: ByColor<Perspective>,
    /// Material, White minus Black, in centipawns. Counting the pieces again would cost as much as the sums.
    material: i32,
}

/// Rows that come or go at most: all pieces and all extras.
const MAX_CHANGES: usize = 64 + 2 * 32;

/// The inputs whose rows are added to the sums of one perspective or taken away from them.
struct Rows {
    added: ArrayVec<u32, MAX_CHANGES>,
    removed: ArrayVec<u32, MAX_CHANGES>,
}

impl Rows {
    /// No rows. A constant would be copied with the memory that is not in use, for each evaluation (docs/log/search.md).
    #[inline(always)]
    fn none() -> Rows {
        Rows { added: ArrayVec::new(), removed: ArrayVec::new() }
    }

    #[inline(always)]
    fn push(&mut self, input: usize, is_new: bool) {
        let rows = if is_new { &mut self.added } else { &mut self.removed };
        rows.push(input as u32);
    }
}

/// Puts the features that two inputs do not share into `rows`, as each of the perspectives numbers them. Returns the
/// gain in material from `old` to `new`, White minus Black, in centipawns.
#[inline(always)]
fn compare<P: Variant, const N: usize>(
    network: &Network,
    old: &NetworkInput,
    new: &NetworkInput,
    perspectives: [Perspective; N],
    rows: &mut [Rows; N],
) -> i32 {
    let (inputs, extras) = (network.shape.inputs(), network.shape.extras);
    let mut material = 0;
    for_each_change(&old.board, &new.board, &Role::ALL, |color, role, square, is_new| {
        // By number, because the compiler does not unroll an iterator over both.
        for n in 0..N {
            rows[n].push(perspectives[n].input(inputs, Piece { color, role }, square), is_new);
        }
        let value = color.fold_wb(1, -1) * material::counted_value::<P>(role);
        material += if is_new { value } else { -value };
    });
    for color in Color::ALL.into_iter().filter(|_| P::EXTRAS > 0) {
        let mut bits = old.extras[color] ^ new.extras[color];
        while bits != 0 {
            let number = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let is_new = new.extras[color] >> number & 1 != 0;
            for (perspective, rows) in perspectives.into_iter().zip(&mut *rows) {
                rows.push(perspective.extra(inputs, extras, color, number), is_new);
            }
        }
    }
    material
}

/// Makes the sums `to` of the sums `from` and rows of weights. Both may be the same.
struct RowUpdate<'a> {
    from: &'a [Cell<Block>],
    to: &'a [Cell<Block>],
    weights: &'a [Block],
    rows: &'a Rows,
}

impl Kernel for RowUpdate<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Share) {
        // Five times in six the boards differ by a move, a capture, or a move of each side. Then no loop over the rows
        // interrupts the additions.
        match (self.rows.added.as_slice(), self.rows.removed.as_slice()) {
            (&[a], &[b]) => self.add_few([a], [b]),
            (&[a], &[b, c]) => self.add_few([a], [b, c]),
            (&[a, b], &[c, d]) => self.add_few([a, b], [c, d]),
            (added, removed) => self.add_any(added, removed),
        }
    }
}

impl RowUpdate<'_> {
    /// Adds as many rows as the compiler knows of.
    #[inline(always)]
    fn add_few<const A: usize, const R: usize>(&self, added: [u32; A], removed: [u32; R]) {
        let blocks = self.from.len();
        let row = |row: u32| &self.weights[row as usize * blocks..][..blocks];
        let (added, removed) = (added.map(row), removed.map(row));
        for (block, (from, to)) in self.from.iter().zip(self.to).enumerate() {
            let mut sum = from.get();
            // Row by row: each loop over the lanes is vectors only, whatever the optimisation across crates.
            for row in added {
                let weights = &row[block];
                for lane in 0..LANES {
                    sum.0[lane] = sum.0[lane].wrapping_add(weights.0[lane]);
                }
            }
            for row in removed {
                let weights = &row[block];
                for lane in 0..LANES {
                    sum.0[lane] = sum.0[lane].wrapping_sub(weights.0[lane]);
                }
            }
            to.set(sum);
        }
    }

    /// Adds any number of rows.
    #[inline(always)]
    fn add_any(&self, added: &[u32], removed: &[u32]) {
        let blocks = self.from.len();
        for (block, (from, to)) in self.from.iter().zip(self.to).enumerate() {
            let mut sum = from.get();
            for &row in added {
                let weights = &self.weights[row as usize * blocks + block];
                for lane in 0..LANES {
                    sum.0[lane] = sum.0[lane].wrapping_add(weights.0[lane]);
                }
            }
            for &row in removed {
                let weights = &self.weights[row as usize * blocks + block];
                for lane in 0..LANES {
                    sum.0[lane] = sum.0[lane].wrapping_sub(weights.0[lane]);
                }
            }
            to.set(sum);
        }
    }
}

/// Squares on which a base may differ before another one is looked for.
const FEW_CHANGES: usize = 4;

/// The sums of the positions last evaluated by one search thread.
///
/// The sums lie in one vector, a perspective's after another: first those of the refresh table, one for
/// each [slot](Perspective::slot), then two for each frame.
pub struct Accumulators {
    sums: Vec<Block>,
    /// Blocks of the sums of one perspective.
    blocks: usize,
    /// The inputs of the refresh table.
    refresh: Vec<NetworkInput>,
    /// The positions last met at each ply.
    frames: Vec<Accumulated>,
}

impl Accumulators {
    /// A cache of empty boards.
    pub fn new(network: &Network) -> Accumulators {
        let slots = network.shape.zones.count() * 4;
        Accumulators {
            sums: network.bias.repeat(slots),
            blocks: network.shape.blocks(),
            refresh: vec![NetworkInput::empty(); slots],
            frames: Vec::new(),
        }
    }

    /// Computes the sums of `input`, met at `ply`.
    #[inline]
    pub fn update<'a, P: Variant>(
        &'a mut self,
        network: &Network,
        input: NetworkInput,
        ply: usize,
    ) -> Updated<'a> {
        let zones = &network.shape.zones;
        let perspectives =
            ByColor::new_with(|side| Perspective::new::<P>(zones, &input.board, side));
        let ply = ply.min(MAX_PLY);
        if ply >= self.frames.len() {
            self.grow(network, ply, perspectives);
        }
        let base = self.base(ply, &input.board);
        let Accumulated { input: old, perspectives: known, material } = &self.frames[base];
        let ByColor { white, black } = perspectives;
        let mut rows = [Rows::none(), Rows::none()];
        let gain = compare::<P, 2>(network, old, &input, [white, black], &mut rows);
        let material = material + gain;
        let known = *known;
        for (side, rows) in [Color::White, Color::Black].into_iter().zip(&rows) {
            let perspective = perspectives[side];
            let to = self.place(ply, side);
            if known[side] == perspective {
                self.add_up(self.place(base, side), to, network, rows);
            } else {
                self.refresh::<P>(network, &input, perspective, to);
            }
        }
        self.frames[ply] = Accumulated { input, perspectives, material };
        let of = |side| {
            let place = self.place(ply, side);
            &self.sums[place..place + self.blocks]
        };
        Updated { sums: ByColor::new_with(of), material }
    }

    /// The place of the sums of a frame.
    #[inline]
    fn place(&self, frame: usize, side: Color) -> usize {
        (self.refresh.len() + 2 * frame + side as usize) * self.blocks
    }

    /// A frame that differs little from `board`: the one before `ply`, unless that is another game's.
    #[inline]
    fn base(&self, ply: usize, board: &Board) -> usize {
        let changes =
            |frame: usize| (self.frames[frame].input.board.occupied() ^ board.occupied()).count();
        let before = ply.saturating_sub(1);
        let least = changes(before);
        if least <= FEW_CHANGES {
            return before;
        }
        let other = if changes(ply) < least { ply } else { before };
        let earlier = ply.saturating_sub(2);
        if changes(earlier) < changes(other) { earlier } else { other }
    }

    /// Brings the refresh table's sums for `perspective` to `input` and copies them to the place `to`.
    fn refresh<P: Variant>(
        &mut self,
        network: &Network,
        input: &NetworkInput,
        perspective: Perspective,
        to: usize,
    ) {
        let slot = perspective.slot();
        let mut rows = [Rows::none()];
        compare::<P, 1>(network, &self.refresh[slot], input, [perspective], &mut rows);
        let [rows] = &rows;
        let place = slot * self.blocks;
        self.add_up(place, to, network, rows);
        self.sums.copy_within(to..to + self.blocks, place);
        self.refresh[slot] = input.clone();
    }

    /// The sums at place `to` become those at `from` and the rows.
    #[inline]
    fn add_up(&mut self, from: usize, to: usize, network: &Network, rows: &Rows) {
        let blocks = self.blocks;
        let weights = &*network.features;
        // The base may be the last position met at the same ply.
        let sums = Cell::from_mut(&mut *self.sums).as_slice_of_cells();
        let (from, to) = (&sums[from..from + blocks], &sums[to..to + blocks]);
        network.instructions.run(RowUpdate { from, to, weights, rows });
    }

    /// Makes room for frames up to `ply`, each a valid base: the empty board in these perspectives.
    #[cold]
    fn grow(&mut self, network: &Network, ply: usize, perspectives: ByColor<Perspective>) {
        let frame = Accumulated { input: NetworkInput::empty(), perspectives, material: 0 };
        self.frames.resize(ply + 1, frame);
        while self.sums.len() < self.place(ply + 1, Color::Black) {
            self.sums.extend_from_slice(&network.bias);
        }
    }
}

/// The sums of a position by the side of the perspective, and its material.
pub struct Updated<'a> {
    /// The sums of the hidden layer.
    pub sums: ByColor<&'a [Block]>,
    /// Material, White minus Black, in centipawns.
    pub material: i32,
}
