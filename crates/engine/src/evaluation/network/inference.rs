//! From the sums of the hidden layer to centipawns: squared clipped ReLU and one weighted sum a king.
//!
//! All numbers are whole. A sum of the hidden layer counts [`QA`] as one, an output weight [`QB`]. The
//! network has one hidden layer and no more, so its output is a sum over the two perspectives, and the
//! share of each king is known.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use std::arch::wasm32::{
    i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i32x4_add, i32x4_dot_i16x8, v128,
};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    __m256i, __m512i, _mm256_add_epi32, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16,
    _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm512_add_epi32,
    _mm512_madd_epi16, _mm512_max_epi16, _mm512_min_epi16, _mm512_mullo_epi16,
    _mm512_reduce_add_epi32, _mm512_set1_epi16, _mm512_setzero_si512,
};

#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
use bytemuck::{cast, cast_slice};

use super::UNIT;
use super::block::Block;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use super::block::LANES;
use super::simd::{Kernel, Share};

/// One, as a sum of the hidden layer.
pub const QA: i16 = 255;
/// One, as a weight of the output: as fine as [`MAX_OUTPUT_WEIGHT`](super::MAX_OUTPUT_WEIGHT) allows. Steps twice as great
/// cost four times as much of what a network has learnt (docs/log/network.md).
pub const QB: i16 = 128;

/// The output of the network for the side to move, split by king, in steps of 1 / (QA² · QB).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkOutput {
    /// The share of what the own king sees.
    pub own: i32,
    /// The share of what the enemy king sees.
    pub enemy: i32,
    /// The bias of the output, in steps of 1 / (QA · QB).
    pub bias: i32,
}

impl NetworkOutput {
    /// The output in centipawns.
    #[inline]
    pub fn centipawns(self) -> i32 {
        let sum = (i64::from(self.own) + i64::from(self.enemy)) / i64::from(QA);
        let unit = i64::from(UNIT);
        ((sum + i64::from(self.bias)) * unit / (i64::from(QA) * i64::from(QB))) as i32
    }
}

/// The share of one king's perspective, in steps of 1 / (QA² · QB): the weighted sum of the squared clipped ReLU of
/// `sums`.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
pub(super) fn share(sums: &[Block], weights: &[Block]) -> i32 {
    let mut total = 0i32;
    for (sums, weights) in sums.iter().zip(weights) {
        for lane in 0..LANES {
            // At most 255 × 127, so the product fits 16 bits.
            let active = sums.0[lane].clamp(0, QA);
            let weighted = active.wrapping_mul(weights.0[lane]);
            total = total.wrapping_add(i32::from(active) * i32::from(weighted));
        }
    }
    total
}

/// The share of one king's perspective, as [`share_by_avx2`] computes it. A program in WebAssembly has these
/// instructions or does not start.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
pub(super) fn share(sums: &[Block], weights: &[Block]) -> i32 {
    let (zero, one) = (i16x8_splat(0), i16x8_splat(QA));
    let mut totals = zero;
    for (&sums, &weights) in cast_slice::<_, v128>(sums).iter().zip(cast_slice(weights)) {
        let active = i16x8_min(i16x8_max(sums, zero), one);
        let weighted = i16x8_mul(active, weights);
        totals = i32x4_add(totals, i32x4_dot_i16x8(active, weighted));
    }
    cast::<_, [i32; 4]>(totals).into_iter().fold(0, i32::wrapping_add)
}

/// [`share`] by a multiplication of pairs. From the plain loop the compiler makes vectors of half the size, and adds
/// them up after every block.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn share_by_avx2(sums: &[Block], weights: &[Block]) -> i32 {
    let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA));
    let mut totals = zero;
    for (&sums, &weights) in cast_slice::<_, __m256i>(sums).iter().zip(cast_slice(weights)) {
        let active = _mm256_min_epi16(_mm256_max_epi16(sums, zero), one);
        let weighted = _mm256_mullo_epi16(active, weights);
        totals = _mm256_add_epi32(totals, _mm256_madd_epi16(active, weighted));
    }
    cast::<_, [i32; 8]>(totals).into_iter().fold(0, i32::wrapping_add)
}

/// [`share_by_avx2`] with vectors of twice the size.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn share_by_avx512(sums: &[Block], weights: &[Block]) -> i32 {
    let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi16(QA));
    let mut totals = zero;
    for (&sums, &weights) in cast_slice::<_, __m512i>(sums).iter().zip(cast_slice(weights)) {
        let active = _mm512_min_epi16(_mm512_max_epi16(sums, zero), one);
        let weighted = _mm512_mullo_epi16(active, weights);
        totals = _mm512_add_epi32(totals, _mm512_madd_epi16(active, weighted));
    }
    _mm512_reduce_add_epi32(totals)
}

/// The network's output from the sums of the hidden layer.
pub(super) struct Forward<'a> {
    /// The sums of the own and of the enemy king's perspective.
    pub sums: [&'a [Block]; 2],
    /// The weights of the output: the own king's and the enemy king's.
    pub weights: [&'a [Block]; 2],
    /// The bias of the output.
    pub bias: i32,
}

impl Kernel for Forward<'_> {
    type Output = NetworkOutput;

    #[inline(always)]
    fn run(self, share: impl Share) -> NetworkOutput {
        let Forward { sums, weights, bias } = self;
        NetworkOutput { own: share(sums[0], weights[0]), enemy: share(sums[1], weights[1]), bias }
    }
}
