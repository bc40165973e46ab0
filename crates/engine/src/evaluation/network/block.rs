//! Blocks: the pieces that the loops over the hidden layer work on.

use bytemuck::{Pod, Zeroable};

/// Numbers of a block.
pub const LANES: usize = 64;

/// A part of a row of the hidden layer, small enough for the registers of the processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Block(pub [i16; LANES]);

impl Block {
    /// A block of zeros.
    pub const ZERO: Block = Block([0; LANES]);
}
