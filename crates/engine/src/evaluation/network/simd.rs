//! The instruction sets that the network's loops are compiled for, and the choice among them at run time.
//!
//! The loops are plain Rust on blocks of fixed size. They are compiled once for each set, and the compiler
//! turns them into that set's vector instructions. Where it does so badly, a kernel calls a function that is written
//! for the set. All sets compute the same integers, bit for bit.

use super::block::Block;
use super::inference;
#[cfg(target_arch = "x86_64")]
use super::inference::{share_by_avx2, share_by_avx512};

/// An instruction set of this processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InstructionSet {
    /// The set that the whole program is compiled for.
    Baseline,
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 with words of 16 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Work that is compiled for every instruction set. `run` must be `#[inline(always)]`, and so must be all
/// that it calls.
pub trait Kernel {
    /// The result.
    type Output;

    /// Does the work. `share` is the instruction set's own form of [`inference::share`].
    fn run(self, share: impl Share) -> Self::Output;
}

/// From the sums of a perspective and the weights for them to its share of the output.
pub trait Share: Fn(&[Block], &[Block]) -> i32 {}

impl<F: Fn(&[Block], &[Block]) -> i32> Share for F {}

impl InstructionSet {
    /// The sets that this processor has, the fastest last.
    pub fn available() -> Vec<InstructionSet> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut, reason = "one set is all"))]
        let mut sets = vec![InstructionSet::Baseline];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                sets.push(InstructionSet::Avx2);
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                sets.push(InstructionSet::Avx512);
            }
        }
        sets
    }

    /// The fastest set of this processor.
    pub fn best() -> InstructionSet {
        InstructionSet::available().pop().unwrap_or(InstructionSet::Baseline)
    }

    /// Runs the work compiled for this set.
    #[inline]
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "the call of a function for an instruction set")
    )]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            InstructionSet::Baseline => kernel.run(inference::share),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only `available` makes this value, and only if the processor has the set.
            InstructionSet::Avx2 => unsafe { run_avx2(kernel) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            InstructionSet::Avx512 => unsafe { run_avx512(kernel) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(|sums, weights| share_by_avx2(sums, weights))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(|sums, weights| share_by_avx512(sums, weights))
}
