//! A number for each neuron of a group: what the loops of the trainer work on.

use std::ops::{Index, IndexMut};

/// Neurons of a group of columns.
pub const LANES: usize = 32;

/// One number for each neuron of a group.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(align(64))]
pub struct Lanes(pub [f32; LANES]);

/// Zero everywhere.
pub const ZERO: Lanes = Lanes([0.0; LANES]);

impl Index<usize> for Lanes {
    type Output = f32;

    #[inline(always)]
    fn index(&self, lane: usize) -> &f32 {
        &self.0[lane]
    }
}

impl IndexMut<usize> for Lanes {
    #[inline(always)]
    fn index_mut(&mut self, lane: usize) -> &mut f32 {
        &mut self.0[lane]
    }
}
