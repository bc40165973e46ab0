//! Reductions: less depth for moves that come late in the order (LMR) and for nodes without a hash move
//! (IIR).

use super::window::Window;
use crate::search::parameters::Parameters;

/// Fixed-point one: reductions are summed in 1024ths of a ply.
const ONE: i32 = 1024;
const DEPTHS: usize = 64;
const MOVE_COUNTS: usize = 64;

/// The facts about a move that its reduction depends on.
#[derive(Clone, Copy, Debug)]
pub struct LateMove {
    /// Depth left at the node, in plies.
    pub depth: i32,
    /// The move's place in the order, from 1.
    pub move_count: i32,
    /// Neither capture nor queen promotion.
    pub quiet: bool,
    /// The move gives check.
    pub gives_check: bool,
    /// The move is a killer or the countermove.
    pub refutation: bool,
    /// Its history: that of quiet moves or that of captures.
    pub history: i32,
    /// The node is expected to fail high.
    pub cut_node: bool,
    /// Cut-offs in the children of earlier moves.
    pub cutoffs: i32,
    /// An earlier move has raised alpha.
    pub raised: bool,
    /// The node is on a principal variation.
    pub pv: bool,
    /// The evaluation is better than at this side's previous move.
    pub improving: bool,
    /// Size of the correction of the static eval, in centipawns.
    pub correction: i32,
    /// The node is or was on a PV.
    pub tt_pv: bool,
    /// What the TT knows of such a node.
    pub tt_entry: Option<TtFacts>,
    /// The node has no hash move.
    pub no_hash_move: bool,
    /// Its hash move is a capture or promotion.
    pub noisy_hash_move: bool,
}

/// What the entry of the TT says of a node, as far as reductions depend on it.
#[derive(Clone, Copy, Debug)]
pub struct TtFacts {
    /// Its score is above alpha.
    pub above_alpha: bool,
    /// It was searched at least as deep as the node will be.
    pub deep: bool,
}

/// Base + factor · ln(depth) · ln(move count) for every pair, in 1024ths of a ply.
#[derive(Clone, Debug)]
pub struct Reductions(Box<[[i32; MOVE_COUNTS]; DEPTHS]>);

impl Reductions {
    /// The table for these parameters.
    pub fn new(p: &Parameters) -> Reductions {
        let mut table = Box::new([[0; MOVE_COUNTS]; DEPTHS]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (move_count, entry) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (move_count as f64).ln();
                *entry = p.reduction_base + (product * f64::from(p.reduction_factor)) as i32;
            }
        }
        Reductions(table)
    }

    /// Late-move reduction (LMR), in plies; may be negative. Source: chessprogramming.org, Late Move Reductions.
    #[inline]
    pub fn late_move(&self, p: &Parameters, m: &LateMove) -> i32 {
        let reduction = self.sum(p, m);
        let further = if m.cut_node || m.pv { 0 } else { all_node(p, reduction, m.depth) };
        (reduction + further) / ONE
    }

    /// The parts of LMR that do not depend on the whole, in 1024ths of a ply. Captures are reduced half as much; all moves
    /// are reduced more after many cut-offs below earlier moves.
    #[inline]
    fn sum(&self, p: &Parameters, m: &LateMove) -> i32 {
        let depth = m.depth.clamp(0, DEPTHS as i32 - 1) as usize;
        let move_count = m.move_count.clamp(0, MOVE_COUNTS as i32 - 1) as usize;
        let mut reduction = self.0[depth][move_count];
        if !m.quiet {
            reduction = reduction / 2 - m.history * ONE / p.reduction_capture_history;
        } else {
            reduction -= m.history * ONE / p.reduction_history;
        }
        if m.cutoffs > p.many_cutoffs {
            reduction += p.reduction_cutoffs;
        }
        // What beats the best move so far is found by less depth, too. Source: Reckless, Viridithas.
        if m.raised {
            reduction += p.reduction_raised;
        }
        if m.cut_node {
            reduction += p.reduction_cut_node;
            // A node that no search has seen yet is judged by less depth first.
            if m.no_hash_move {
                reduction += p.reduction_no_hash_move;
            }
        }
        // Where a capture is best, quiet moves seldom are.
        if m.quiet && m.noisy_hash_move {
            reduction += p.reduction_noisy_hash_move;
        }
        if !m.improving {
            reduction += p.reduction_not_improving;
        }
        // Where the evaluation is known to err, the search must find out.
        reduction -= m.correction * p.reduction_correction;
        if m.pv {
            reduction -= p.reduction_pv;
        }
        if m.tt_pv {
            reduction -= p.reduction_tt_pv;
            reduction += m.tt_entry.map_or(0, |entry| former_pv(p, entry));
        }
        if m.refutation {
            reduction -= p.reduction_refutation;
        }
        if m.gives_check {
            reduction -= p.reduction_check;
        }
        reduction
    }

    /// The reduction by depth and move count alone, in plies: an estimate of the depth of the coming
    /// search, for pruning.
    #[inline]
    pub fn basic(&self, depth: i32, move_count: i32) -> i32 {
        let depth = depth.clamp(0, DEPTHS as i32 - 1) as usize;
        let move_count = move_count.clamp(0, MOVE_COUNTS as i32 - 1) as usize;
        self.0[depth][move_count] / ONE
    }
}

/// The further reduction in a node where every move should fail low, an all node, in 1024ths of a ply: none of them has to
/// be judged exactly. It is a part of the whole `reduction`, the smaller the deeper the search, where an error would cost
/// more. Source: Stockfish.
#[inline]
fn all_node(p: &Parameters, reduction: i32, depth: i32) -> i32 {
    reduction / (depth + 1) * p.reduction_all_node / ONE
}

/// The further reduction where the node is or was on a PV, in 1024ths of a ply: little where the TT has a score above alpha, or
/// one that is deep, more where it has one that alpha is above already. Source: Stockfish, Reckless.
#[inline]
fn former_pv(p: &Parameters, entry: TtFacts) -> i32 {
    let by_score = if entry.above_alpha { -p.reduction_tt_above } else { p.reduction_tt_below };
    by_score - if entry.deep { p.reduction_tt_deep } else { 0 }
}

/// Internal iterative reduction (IIR), in plies: a node of the PV or one that should fail high, but without
/// a hash move, is searched less deeply until it has one. Source: chessprogramming.org, Internal Iterative
/// Reductions.
#[inline]
pub fn internal_iterative(p: &Parameters, window: Window, pv: bool) -> i32 {
    let is_due = pv && window.depth >= p.iir_pv_depth;
    i32::from(is_due || window.cut_node && window.depth >= p.iir_depth)
}

/// Plies more or less for the re-search of a move whose reduced search came out `excess` centipawns above
/// alpha: far above it deserves a ply more, hardly above it a ply less.
#[inline]
pub fn research_depth(p: &Parameters, depth: i32, excess: i32) -> i32 {
    let is_great = excess > p.research_deeper + 2 * depth;
    let is_small = excess < p.research_shallower && depth > 1;
    i32::from(is_great) - i32::from(is_small)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_every_move_should_fail_low_a_part_of_the_whole_is_added() {
        let p = Parameters { reduction_all_node: 1024, ..Parameters::default() };
        let (whole, depth) = (3 * ONE, 5);
        assert_eq!(all_node(&p, whole, depth), ONE / 2);
        assert_eq!(all_node(&p, 0, depth), 0);
        assert_eq!(all_node(&Parameters { reduction_all_node: 0, ..p }, whole, depth), 0);
    }
}
