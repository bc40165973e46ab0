//! What is not searched at all: whole nodes that are clear without it, and single moves
//! that cannot matter. Each technique is one function: its condition, its margin, its reason.

use shakmaty::{Move, Position};

use crate::rules::Rules;
use crate::score::Score;
use crate::search::ordering::exchange;
use crate::search::parameters::Parameters;

/// What the pruning of a node's moves depends on.
#[derive(Clone, Copy, Debug)]
pub struct Outlook {
    /// Depth left, in plies.
    pub depth: i32,
    /// Static evaluation, corrected by what the table knows; meaningless in check.
    pub evaluation: Score,
    /// The side to move is in check, or obliged to capture: see [`Rules::is_pressed`].
    pub check: bool,
    /// The evaluation is better than at this side's previous move.
    pub improving: bool,
}

/// Reverse futility: so far above beta that the opponent's best reply will not bring it back.
/// Source: "static null move pruning", chessprogramming.org, Reverse Futility Pruning.
#[inline]
pub fn reverse_futility(p: &Parameters, node: &Outlook, beta: Score) -> bool {
    let margin = p.reverse_futility_margin * (node.depth - i32::from(node.improving));
    node.depth <= p.reverse_futility_depth && node.evaluation - margin >= beta && !beta.is_loss()
}

/// Razoring: so far below alpha that only captures could help; ask quiescence.
/// Source: Birmingham and Kent, "Tree-searching and tree-pruning techniques", 1977.
#[inline]
pub fn razoring(p: &Parameters, node: &Outlook, alpha: Score) -> bool {
    node.depth <= p.razoring_depth && node.evaluation + p.razoring_margin * node.depth <= alpha
}

/// The reduction of a null move (Donninger 1993): deeper the more there is to save.
/// `None` where it is not worth trying.
#[inline]
pub fn null_move_reduction(p: &Parameters, node: &Outlook, beta: Score) -> Option<i32> {
    let worth = node.depth >= p.null_move_depth && node.evaluation >= beta && !beta.is_loss();
    worth.then(|| {
        let excess = (node.evaluation - beta) / p.null_move_margin;
        p.null_move_reduction + node.depth / p.null_move_divisor + excess.min(3)
    })
}

/// Late-move pruning: at low depth a quiet move that comes late in a good order changes nothing.
#[inline]
pub fn late_move(p: &Parameters, node: &Outlook, number: i32) -> bool {
    let allowed = p.late_move_pruning_base + node.depth * node.depth;
    let allowed = if node.improving { allowed } else { allowed / 2 };
    node.depth <= p.late_move_pruning_depth && number > allowed
}

/// Futility ("poda de inutilidades"): a quiet move does not gain a margin that grows with the depth left.
/// `depth` is the depth after reduction.
#[inline]
pub fn futility(p: &Parameters, node: &Outlook, alpha: Score, depth: i32) -> bool {
    depth <= p.futility_depth
        && !node.check
        && node.evaluation + p.futility_base + p.futility_margin * depth <= alpha
}

/// Exchange pruning: a move that loses more material than the depth left could win back.
/// `depth` is the depth after reduction for a quiet move, the node's own for a capture.
#[inline]
pub fn losing_exchange<P: Rules>(
    p: &Parameters,
    position: &P,
    m: Move,
    quiet: bool,
    depth: i32,
) -> bool {
    let depth = depth.max(0);
    let loss = if quiet { p.exchange_quiet_margin } else { p.exchange_noisy_margin } * depth;
    depth <= p.exchange_pruning_depth && !exchange::gains_at_least(position, m, -loss)
}

/// True if `m` moves the last piece besides king and pawns: given away, it may leave a stalemate
/// behind, which no reckoning of the exchange sees.
#[inline]
pub fn is_desperado<P: Rules>(position: &P, m: Move) -> bool {
    let board = position.board();
    let pieces = position.us() & !(board.pawns() | board.kings());
    pieces.count() == 1 && m.from().is_some_and(|from| pieces.contains(from))
}

/// Delta pruning in quiescence: even winning the piece outright leaves the score below alpha.
#[inline]
pub fn delta(p: &Parameters, stand_pat: Score, victim: i32, alpha: Score) -> bool {
    stand_pat + victim + p.delta_margin <= alpha
}

/// True where a null move can be trusted: by the rules, and pieces left (else Zugzwang is common).
#[inline]
pub fn null_move_is_safe<P: Rules>(position: &P) -> bool {
    P::NULL_MOVE && position.has_pieces() && Position::halfmoves(position) < 98
}
