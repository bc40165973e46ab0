//! Extensions: checks, and moves without an alternative.

use super::window::Window;
use crate::evaluation::Variant;
use crate::rules::Captures;
use crate::score::{MAX_PLY, Score};
use crate::search::parameters::Parameters;
use crate::search::report::Bound;
use crate::search::table::Entry;

/// True where a line may still be extended: in the first half of the stack, so that no line fills it.
#[inline]
pub fn is_allowed(ply: usize) -> bool {
    ply * 2 < MAX_PLY
}

/// Check extension, in plies: a check that does not lose material forces the opponent's hand. Only near the leaves, where
/// qsearch would not see what comes of it; farther up it makes lines long that LMR and singular extensions judge better.
/// The limit of depth: Berserk, Obsidian.
#[inline]
pub fn check(
    p: &Parameters,
    depth: i32,
    gives_check: bool,
    loses_nothing: impl FnOnce() -> bool,
) -> i32 {
    i32::from(depth <= p.check_extension_depth && gives_check && loses_nothing())
}

/// One-reply extension, in plies, of the only legal move where capturing is a duty: a forced capture should not
/// use up the depth. In the other rule sets, for the only reply to a check, no gain was seen. Source:
/// chessprogramming.org, One Reply Extensions.
#[inline]
pub fn one_reply<P: Variant>(p: &Parameters, position: &P, must_resolve: bool) -> i32 {
    let is_forced = || must_resolve && position.legal_moves().len() == 1;
    if P::CAPTURES == Captures::Duty && is_forced() { p.one_reply_extension } else { 0 }
}

/// Recapture extension, in plies, of the hash move on the PV that takes back: in the middle of an exchange nobody knows yet
/// how it ends. Off the PV the tree would grow by all exchanges. Source: Stockfish, Reckless.
#[inline]
pub fn recapture(
    p: &Parameters,
    pv: bool,
    is_hash_move: bool,
    takes_back: impl FnOnce() -> bool,
) -> i32 {
    if pv && is_hash_move && takes_back() { p.recapture_extension } else { 0 }
}

/// Singular extension: the bound that all other moves must stay below for the hash move to count as
/// singular; `None` where the test is not worth a search. Source: Anantharaman, Campbell and Hsu,
/// "Singular extensions: adding selectivity to brute-force searching", 1988, in the form that tests only
/// the hash move. The margin is smaller where the score is exact, and greater where the node is off the PV but was on one;
/// such a node needs a ply more of depth, too (Stockfish, Reckless).
#[inline]
pub fn singular_beta(
    p: &Parameters,
    window: Window,
    entry: &Entry,
    tt_pv: bool,
    pv: bool,
) -> Option<Score> {
    let depth = window.depth;
    let is_deep = entry.depth >= depth - p.singular_entry_depth;
    let reliable = is_deep && entry.bound != Bound::Upper && !entry.score.is_decided();
    let is_exact = entry.bound == Bound::Exact;
    let margin = if is_exact { p.singular_margin_exact } else { p.singular_margin };
    let margin = margin + if tt_pv && !pv { p.singular_margin_tt_pv } else { 0 };
    (reliable && depth >= p.singular_depth + i32::from(tt_pv))
        .then(|| entry.score - margin * depth / 1024)
}

/// Plies by which a singular move is extended if the best other one scores `others`, below `singular_beta`: two
/// where they stay far below it (double extension), at most `double_max` times in a line and never on the PV,
/// because such lines grow without end. Source: chessprogramming.org, Singular Extensions.
#[inline]
pub fn singular(
    p: &Parameters,
    others: Score,
    singular_beta: Score,
    pv: bool,
    doubles: i32,
) -> i32 {
    let is_double = !pv && doubles < p.double_max && others < singular_beta - p.double_margin;
    1 + i32::from(is_double)
}

/// Hindsight, in plies: the move that led here was reduced by `reduction` plies, and the static eval has changed since by
/// `gain` centipawns for the side that is to move now. If it got no better, the move was worth more than its reduction
/// said, and a ply is given back. If it got much better, the move was a poor one, and its refutation needs a ply less.
/// Source: Stockfish, Reckless, Viridithas.
#[inline]
pub fn hindsight(p: &Parameters, reduction: i32, gain: i32, depth: i32) -> i32 {
    let was_good = reduction >= p.hindsight_reduction && gain <= 0;
    let was_poor = reduction >= p.hindsight_less && gain > p.hindsight_margin && depth > 1;
    i32::from(was_good) - i32::from(was_poor)
}

/// Multi-cut: if `others`, the best score without the hash move at half the depth, reaches beta, too, it is very
/// unlikely that none of the moves would at full depth. Returns the score of the cut-off, the nearer to beta the
/// shallower the search; `None` where there is none, as on the PV, where a wrong cut-off would be the move played.
/// Source: Björnsson and Marsland, "Multi-cut pruning in alpha-beta search", 1998.
#[inline]
pub fn multi_cut(others: Score, window: Window, pv: bool) -> Option<Score> {
    let Window { beta, depth, .. } = window;
    let cuts = !pv && others >= beta && !others.is_decided() && !beta.is_decided();
    cuts.then(|| Score::centipawns((others.raw() * depth + beta.raw()) / (depth + 1)))
}

/// Negative extension, in plies, of a hash move that is not singular: where its `score` reaches beta, other moves may
/// do so for less; so they may in a node that is expected to fail high. Source: Obsidian, Reckless, Viridithas.
#[inline]
pub fn negative(p: &Parameters, score: Score, window: Window, pv: bool) -> i32 {
    if score >= window.beta {
        (i32::from(pv) - p.negative_extension).min(0)
    } else if window.cut_node {
        -p.negative_extension_cut_node
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::MoveCode;
    use shakmaty::fen::Fen;
    use shakmaty::variant::Antichess;
    use shakmaty::{CastlingMode, Chess, FromSetup};

    fn extension<P: Variant + FromSetup>(fen: &str) -> i32 {
        let position: P =
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        one_reply(&Parameters::default(), &position, position.must_resolve(position.checkers()))
    }

    #[test]
    fn a_second_good_move_cuts_off_or_makes_the_first_one_cheaper() {
        let window = Window::zero(Score::centipawns(99), 9, true);
        let others = Score::centipawns(200);
        assert_eq!(multi_cut(others, window, false), Some(Score::centipawns(190)));
        assert_eq!(multi_cut(window.alpha, window, false), None, "below beta");
        assert_eq!(multi_cut(Score::mate_in(9), window, false), None, "a mate");
        assert_eq!(multi_cut(others, window, true), None, "on the PV");
        let p = Parameters::default();
        assert_eq!(negative(&p, window.beta, window, false), -p.negative_extension);
        assert_eq!(negative(&p, window.beta, window, true), 1 - p.negative_extension, "on the PV");
        assert_eq!(negative(&p, window.alpha, window, false), -p.negative_extension_cut_node);
        let all_node = Window { cut_node: false, ..window };
        assert_eq!(negative(&p, window.alpha, all_node, false), 0);
    }

    #[test]
    fn a_score_of_the_table_needs_a_margin_by_its_kind() {
        let p = Parameters::default();
        let window = Window::zero(Score::DRAW, 8, true);
        let entry = |bound| Entry {
            code: MoveCode::NONE,
            score: Score::centipawns(100),
            raw_eval: Score::DRAW,
            depth: 8,
            bound,
            pv: false,
        };
        let beta = |bound, tt_pv, pv| singular_beta(&p, window, &entry(bound), tt_pv, pv);
        assert_eq!(beta(Bound::Lower, false, false), Some(Score::centipawns(84)));
        assert_eq!(beta(Bound::Exact, false, false), Some(Score::centipawns(96)));
        assert_eq!(beta(Bound::Lower, true, false), Some(Score::centipawns(76)), "a former PV");
        assert_eq!(beta(Bound::Lower, true, true), Some(Score::centipawns(84)), "on the PV");
        assert_eq!(beta(Bound::Upper, false, false), None);
        let won = Entry { score: Score::table_win(9), ..entry(Bound::Lower) };
        assert_eq!(singular_beta(&p, window, &won, false, false), None, "endgame tables know it");
    }

    #[test]
    fn a_much_reduced_move_that_was_good_gets_a_ply_back_and_a_poor_one_loses_one() {
        let p = Parameters::default();
        assert_eq!(hindsight(&p, p.hindsight_reduction, 0, 5), 1);
        assert_eq!(hindsight(&p, p.hindsight_reduction, 1, 5), 0, "the reply stands better");
        assert_eq!(hindsight(&p, p.hindsight_reduction - 1, 0, 5), 0, "hardly reduced");
        let much_better = p.hindsight_margin + 1;
        assert_eq!(hindsight(&p, p.hindsight_less, much_better, 5), -1);
        assert_eq!(hindsight(&p, p.hindsight_less, much_better, 1), 0, "a ply must be left");
    }

    #[test]
    fn only_the_hash_move_on_the_pv_is_extended_for_taking_back() {
        let p = Parameters { recapture_extension: 1, ..Parameters::default() };
        assert_eq!(recapture(&p, true, true, || true), 1);
        assert_eq!(recapture(&p, false, true, || true), 0, "off the PV");
        assert_eq!(recapture(&p, true, false, || true), 0, "another move");
        assert_eq!(recapture(&p, true, true, || false), 0, "another square");
    }

    #[test]
    fn only_forced_captures_are_extended() {
        assert_eq!(extension::<Antichess>("7k/8/8/3p4/4P3/8/8/K7 w - -"), 1);
        assert_eq!(extension::<Antichess>("7k/8/8/3p1p2/4P3/8/8/K7 w - -"), 0, "a choice");
        assert_eq!(extension::<Antichess>("8/8/8/p7/8/P7/8/8 w - -"), 0, "no capture");
        assert_eq!(extension::<Chess>("1r5k/8/8/8/8/8/r7/K7 w - -"), 0, "another rule set");
    }
}
