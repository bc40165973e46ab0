//! From the sums of the hidden layer to centipawns: squared clipped ReLU and one weighted sum a king.
//!
//! All numbers are whole. A sum of the hidden layer counts [`QA`] as one, an output weight [`QB`]. The
//! network has one hidden layer and no more, so its output is a sum over the two perspectives, and the
//! share of each king is known.

use shakmaty::Color;

use super::accumulator::{Block, Cache, Scene};
use super::features::Perspective;
use super::simd::Kernel;
use super::{Network, UNIT};
use shakmaty::ByColor;

/// One, as a sum of the hidden layer.
pub const QA: i16 = 255;
/// One, as a weight of the output.
pub const QB: i16 = 64;

/// The output of the network for the side to move, split by king, in steps of 1 / (QA² · QB).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Output {
    /// The share of what the own king sees.
    pub own: i32,
    /// The share of what the enemy king sees.
    pub enemy: i32,
    /// The bias of the output, in steps of 1 / (QA · QB).
    pub bias: i32,
}

impl Output {
    /// The output in centipawns.
    #[inline]
    pub fn centipawns(self) -> i32 {
        let sum = (i64::from(self.own) + i64::from(self.enemy)) / i64::from(QA);
        let unit = i64::from(UNIT);
        ((sum + i64::from(self.bias)) * unit / (i64::from(QA) * i64::from(QB))) as i32
    }

    /// The share of what the own king sees, in centipawns. The rest is the enemy king's.
    pub fn own_centipawns(self) -> i32 {
        Output { enemy: 0, bias: self.bias / 2, ..self }.centipawns()
    }
}

/// The weighted sum of the squared clipped ReLU of `sums`, in steps of 1 / (QA² · QB).
#[inline(always)]
fn share(sums: &[Block], weights: &[Block]) -> i32 {
    let mut total = 0i32;
    for (sums, weights) in sums.iter().zip(weights) {
        for (&sum, &weight) in sums.0.iter().zip(&weights.0) {
            // At most 255 × 127, so the product fits 16 bits.
            let active = sum.clamp(0, QA);
            let weighted = active.wrapping_mul(weight);
            total = total.wrapping_add(i32::from(active) * i32::from(weighted));
        }
    }
    total
}

/// The network's output for one scene.
pub(super) struct Forward<'a> {
    pub network: &'a Network,
    pub cache: &'a mut Cache,
    pub scene: Scene,
    pub perspectives: ByColor<Perspective>,
    pub turn: Color,
    pub ply: usize,
    pub bucket: usize,
}

impl Kernel for Forward<'_> {
    type Output = Output;

    #[inline(always)]
    fn run(self) -> Output {
        let Forward { network, cache, scene, perspectives, turn, ply, bucket } = self;
        let sums = cache.sums(network, scene, perspectives, ply);
        let [own, enemy] = network.output_weights(bucket);
        Output {
            own: share(sums[turn], own),
            enemy: share(sums[!turn], enemy),
            bias: network.output_bias[bucket],
        }
    }
}
