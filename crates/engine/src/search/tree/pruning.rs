//! Pruning conditions, for whole nodes and for single moves. Each technique is one function: its
//! condition, its margin, its reason, its source.

use shakmaty::Move;

use super::window::Window;
use crate::evaluation::Variant;
use crate::rules::KeyedPosition;
use crate::score::Score;
use crate::search::ordering::exchange;
use crate::search::parameters::Parameters;
use crate::search::table::Entry;

/// Half-moves without progress from which on no null move is tried: it would reach the fifty-move rule.
const NULL_MOVE_HALFMOVES: usize = 98;

/// The static eval of a node, as pruning sees it.
#[derive(Clone, Copy, Debug)]
pub struct StaticEval {
    /// The static eval, or a better bound from the transposition table; [`Score::NONE`] if
    /// `must_resolve`.
    pub value: Score,
    /// The side to move is in check, or obliged to capture: see
    /// [`Rules::must_resolve`](crate::rules::Rules::must_resolve).
    pub must_resolve: bool,
    /// The static eval is better than at this side's previous move.
    pub improving: bool,
}

/// Reverse futility pruning (RFP, static null move pruning): the static eval is so far above beta that
/// the opponent's best reply will not bring it back. Source: chessprogramming.org, Reverse Futility
/// Pruning. The margin grows by the size of the static eval's `correction`, in centipawns: where the evaluation
/// is known to err, it is trusted less. Source: Stockfish.
#[inline]
pub fn reverse_futility(
    p: &Parameters,
    eval: &StaticEval,
    correction: i32,
    window: Window,
) -> bool {
    let depth = window.depth - i32::from(eval.improving);
    let margin = p.reverse_futility_margin * depth + correction;
    window.depth <= p.reverse_futility_depth
        && eval.value - margin >= window.beta
        && !window.beta.is_loss()
}

/// Razoring: the static eval is so far below alpha that only captures could help; qsearch decides. Source:
/// Birmingham and Kent, "Tree-searching and tree-pruning techniques", 1977.
#[inline]
pub fn razoring(p: &Parameters, eval: &StaticEval, window: Window) -> bool {
    window.depth <= p.razoring_depth
        && eval.value + p.razoring_margin * window.depth <= window.alpha
}

/// Null-move pruning (NMP): the reduction R of the null move in plies, greater the more there is to
/// save; `None` where it is not worth trying. Source: Donninger, "Null move and deep search", ICCA
/// Journal 16(3), 1993. Only where the node is expected to fail high: elsewhere a pass that holds is a surprise, and a
/// search of less depth no proof (Stockfish, Reckless, Viridithas).
#[inline]
pub fn null_move_reduction(p: &Parameters, eval: &StaticEval, window: Window) -> Option<i32> {
    let Window { beta, depth, .. } = window;
    let is_worth_trying =
        window.cut_node && depth >= p.null_move_depth && eval.value >= beta && !beta.is_loss();
    is_worth_trying.then(|| {
        let excess = (eval.value - beta) / p.null_move_margin;
        let improving = i32::from(eval.improving);
        p.null_move_reduction + depth / p.null_move_divisor + excess.min(3) + improving
    })
}

/// Centipawns a ply that the margin of [`null_move_eval`] shrinks.
const NULL_MOVE_EVAL_PLY: i32 = 8;

/// True where the `static_eval` itself is so far above beta that a null move is worth its search. The TT may know a better
/// bound, but one from a tactic that passing gives away. The deeper the search, the more it finds out by itself. Source:
/// Stockfish.
#[inline]
pub fn null_move_eval(p: &Parameters, static_eval: Score, window: Window) -> bool {
    let margin = p.null_move_eval_margin - NULL_MOVE_EVAL_PLY * window.depth;
    p.null_move_eval_margin == 0 || static_eval >= window.beta + margin
}

/// ProbCut by a search: the score that a capture must reach, and the depth of the search of its child, four plies less than that
/// of the node and five where the position improves; `None` where it is not
/// worth trying, because the node is not expected to fail high, or the TT knows that its score is less.
#[inline]
pub fn probcut(
    p: &Parameters,
    eval: &StaticEval,
    window: Window,
    entry: Option<&Entry>,
) -> Option<(Score, i32)> {
    let Window { beta, depth, .. } = window;
    let improving = i32::from(eval.improving);
    let bound = beta + (p.probcut_search_margin - p.probcut_search_improving * improving);
    let is_worth_trying = window.cut_node
        && depth >= p.probcut_search_depth
        && !beta.is_decided()
        && entry.is_none_or(|entry| entry.score >= bound);
    is_worth_trying.then(|| (bound, (depth - 4 - improving).max(0)))
}

/// True where NMP can be trusted: allowed by the rules, and pieces left (else zugzwang is common).
#[inline]
pub fn null_move_is_safe<P: Variant>(now: &KeyedPosition<P>) -> bool {
    P::NULL_MOVE && now.position().has_pieces() && now.idle() < NULL_MOVE_HALFMOVES
}

/// Late-move pruning (LMP): at low depth a quiet move that comes late in a good order changes nothing. Fewer moves are
/// left where the position does not improve, unless the static eval is above alpha: then one of them may well keep it there.
#[inline]
pub fn late_move(
    p: &Parameters,
    eval: &StaticEval,
    alpha: Score,
    depth: i32,
    move_count: i32,
) -> bool {
    let is_above = p.late_move_pruning_alpha == 1 && eval.value > alpha;
    let share = if eval.improving || is_above { 100 } else { p.late_move_pruning_share };
    let allowed = (p.late_move_pruning_base + depth * depth) * share / 100;
    depth <= p.late_move_pruning_depth && move_count > allowed
}

/// Futility pruning: a quiet move does not gain a margin that grows with the depth left. `depth` is the
/// depth after reduction, in plies. Returns the score that it could reach, where that is too little. Source: Heinz,
/// "Extended futility pruning", ICCA Journal 21(2), 1998.
#[inline]
pub fn futility(p: &Parameters, eval: &StaticEval, alpha: Score, depth: i32) -> Option<Score> {
    let is_due = depth <= p.futility_depth && !eval.must_resolve;
    let most = eval.value + p.futility_base + p.futility_margin * depth;
    (is_due && most <= alpha).then_some(most)
}

/// Futility pruning of a capture that loses material: what its `history` promises and a margin that grows with the depth
/// left do not reach alpha. Returns the score that it could reach, where that is too little. Source: Reckless.
#[inline]
pub fn bad_capture_futility(
    p: &Parameters,
    eval: &StaticEval,
    alpha: Score,
    depth: i32,
    history: i32,
) -> Option<Score> {
    let is_due = depth <= p.bad_capture_depth && !eval.must_resolve;
    let margin = p.bad_capture_base + p.bad_capture_margin * depth;
    let most = eval.value + (margin + history / p.bad_capture_history);
    (is_due && most <= alpha).then_some(most)
}

/// SEE pruning: a move that loses more material than the depth left could win back. `depth` is the depth
/// after reduction for a quiet move, the node's own for a capture, in plies.
#[inline]
pub fn losing_exchange<P: Variant>(
    p: &Parameters,
    position: &P,
    m: Move,
    quiet: bool,
    depth: i32,
) -> bool {
    let depth = depth.max(0);
    let loss =
        depth * if quiet { p.exchange_quiet_margin * depth } else { p.exchange_noisy_margin };
    depth <= p.exchange_pruning_depth && !exchange::gains_at_least(position, m, -loss)
}

/// True if `m` moves the last piece besides king and pawns. Given away, it may leave a stalemate behind,
/// which SEE does not see.
#[inline]
pub fn is_desperado<P: Variant>(position: &P, m: Move) -> bool {
    let board = position.board();
    let pieces = position.us() & !(board.pawns() | board.kings());
    pieces.count() == 1 && m.from().is_some_and(|from| pieces.contains(from))
}

/// Delta pruning in qsearch: even winning the piece outright leaves the score below alpha.
#[inline]
pub fn delta(p: &Parameters, stand_pat: Score, victim: i32, alpha: Score) -> bool {
    stand_pat + victim + p.delta_margin <= alpha
}

/// Late captures in qsearch: once `searched` of them did not cause a cut-off, the best by MVV-LVA and capture history, the
/// rest will hardly do so. Source: Stockfish.
#[inline]
pub fn late_capture(p: &Parameters, searched: i32) -> bool {
    searched >= p.quiescence_captures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::MoveCode;
    use crate::search::report::Bound;

    fn eval(value: Score, improving: bool) -> StaticEval {
        StaticEval { value, must_resolve: false, improving }
    }

    #[test]
    fn a_null_move_needs_a_static_eval_above_beta_less_so_at_depth() {
        let p = Parameters { null_move_eval_margin: 130, ..Parameters::default() };
        let holds = |eval, depth| null_move_eval(&p, eval, Window::zero(Score::DRAW, depth, true));
        let beta = Window::zero(Score::DRAW, 0, true).beta;
        assert!(holds(beta + (130 - 24), 3));
        assert!(!holds(beta + (129 - 24), 3));
        assert!(holds(beta + (129 - 24), 4), "deeper");
        let off = Parameters { null_move_eval_margin: 0, ..p };
        assert!(null_move_eval(&off, -Score::INFINITE, Window::zero(Score::DRAW, 3, true)));
    }

    #[test]
    fn late_moves_are_fewer_where_the_position_neither_improves_nor_stands_above_alpha() {
        let p = Parameters {
            late_move_pruning_base: 4,
            late_move_pruning_share: 35,
            late_move_pruning_alpha: 1,
            ..Parameters::default()
        };
        let (alpha, above) = (Score::DRAW, Score::DRAW + 1);
        let left = |p: &Parameters, eval: StaticEval| {
            (1..).find(|&count| late_move(p, &eval, alpha, 4, count)).unwrap() - 1
        };
        assert_eq!(left(&p, eval(alpha, true)), 20);
        assert_eq!(left(&p, eval(alpha, false)), 7);
        assert_eq!(left(&p, eval(above, false)), 20);
        let by_progress = Parameters { late_move_pruning_alpha: 0, ..p };
        assert_eq!(left(&by_progress, eval(above, false)), 7);
    }

    #[test]
    fn a_probcut_needs_an_expected_cut_node_that_the_table_does_not_contradict() {
        let p = Parameters::default();
        let eval = |improving| eval(Score::DRAW, improving);
        let window = Window::zero(Score::DRAW, 9, true);
        let bound = window.beta + p.probcut_search_margin;
        let entry = |score| {
            let (code, raw_eval) = (MoveCode::NONE, Score::DRAW);
            Entry { code, score, raw_eval, depth: 1, bound: Bound::Lower, pv: false }
        };
        assert_eq!(probcut(&p, &eval(false), window, None), Some((bound, 5)));
        let improving = bound - p.probcut_search_improving;
        assert_eq!(probcut(&p, &eval(true), window, None), Some((improving, 4)));
        assert!(probcut(&p, &eval(false), window, Some(&entry(bound))).is_some());
        assert!(probcut(&p, &eval(false), window, Some(&entry(bound - 1))).is_none());
        let all_node = Window { cut_node: false, ..window };
        assert!(probcut(&p, &eval(false), all_node, None).is_none());
    }
}
