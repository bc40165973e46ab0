//! What is searched less deeply: moves that come late in the order, and nodes without a move to try
//! first.

use crate::search::parameters::Parameters;

/// Fixed-point one: reductions are summed in 1024ths of a ply.
const ONE: i32 = 1024;
const DEPTHS: usize = 64;
const NUMBERS: usize = 64;
/// More refutations than this, and the next move will be refuted too.
const MANY_CUTOFFS: u32 = 3;

/// What is known of a late move besides its number.
#[derive(Clone, Copy, Debug)]
pub struct LateMove {
    /// Depth left at the node, in plies.
    pub depth: i32,
    /// The move's number in the order, from 1.
    pub number: i32,
    /// Neither capture nor queen promotion.
    pub quiet: bool,
    /// The move gives check.
    pub gives_check: bool,
    /// The move is a killer or the countermove.
    pub refutation: bool,
    /// What the history tables say of it: those of quiet moves or that of captures.
    pub history: i32,
    /// The node is expected to fail high.
    pub cut_node: bool,
    /// Searches of the earlier moves' children that ended in a cut-off: so many refutations.
    pub cutoffs: u32,
    /// The node is on a principal variation.
    pub pv: bool,
    /// The evaluation is better than at this side's previous move.
    pub improving: bool,
}

/// ln(depth) · ln(number) for every pair, computed once.
#[derive(Clone)]
pub struct Reductions(Box<[[i32; NUMBERS]; DEPTHS]>);

impl Reductions {
    /// The table for these parameters.
    pub fn new(p: &Parameters) -> Reductions {
        let mut table = Box::new([[0; NUMBERS]; DEPTHS]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, entry) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (number as f64).ln();
                *entry = p.reduction_base + (product * f64::from(p.reduction_factor)) as i32;
            }
        }
        Reductions(table)
    }

    /// Late-move reduction, in plies; may be negative. Captures are reduced half as much, and more
    /// where others were cut off already.
    #[inline]
    pub fn late_move(&self, p: &Parameters, m: &LateMove) -> i32 {
        let depth = m.depth.clamp(0, DEPTHS as i32 - 1) as usize;
        let number = m.number.clamp(0, NUMBERS as i32 - 1) as usize;
        let mut reduction = self.0[depth][number];
        if !m.quiet {
            reduction = reduction / 2 - m.history * ONE / p.reduction_capture_history;
        } else {
            reduction -= m.history * ONE / p.reduction_history;
        }
        if m.cutoffs > MANY_CUTOFFS {
            reduction += p.reduction_cutoffs;
        }
        if m.cut_node {
            reduction += p.reduction_cut_node;
        }
        if !m.improving {
            reduction += p.reduction_not_improving;
        }
        if m.pv {
            reduction -= p.reduction_pv;
        }
        if m.refutation {
            reduction -= p.reduction_refutation;
        }
        if m.gives_check {
            reduction -= p.reduction_check;
        }
        reduction / ONE
    }

    /// The plain reduction by depth and number alone, in plies: an estimate of the depth that a
    /// move will be searched to, for pruning.
    #[inline]
    pub fn plain(&self, depth: i32, number: i32) -> i32 {
        let depth = depth.clamp(0, DEPTHS as i32 - 1) as usize;
        let number = number.clamp(0, NUMBERS as i32 - 1) as usize;
        self.0[depth][number] / ONE
    }
}

/// Internal iterative reduction, in plies: a node that should fail high, but has no move from the
/// table, is searched less deeply until it has one ("IIR", chessprogramming.org, Internal Iterative
/// Reductions).
#[inline]
pub fn unknown_move(p: &Parameters, depth: i32) -> i32 {
    i32::from(depth >= p.unknown_move_depth)
}

/// Plies more or less for the full search of a move that, searched with reduced depth, came out
/// `excess` centipawns above alpha: far above it deserves a ply more, hardly above a ply less.
#[inline]
pub fn surprise(p: &Parameters, depth: i32, excess: i32) -> i32 {
    let is_great = excess > p.research_deeper + 2 * depth;
    let is_small = excess < p.research_shallower && depth > 1;
    i32::from(is_great) - i32::from(is_small)
}
