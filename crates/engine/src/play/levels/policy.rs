//! DDAαβ: the depth of a level's search, adjusted to the choices that are left (Micol and Suau, "Ajuste
//! dinámico de profundidad en el algoritmo αβ").
//!
//! A level has a base depth ω and searches full width, as the programs of the paper's day did (level 5 adds null move
//! and check extensions). The nodes of
//! such a search grow with the mean mobility ξ like ξ^(0.45 d) at depth d (`engine dda --law` measures it),
//! so a depth of equal cost is ψ = ω · ln τ / ln ξ, the paper's formula: the exponent cancels. The policy
//! spends on more depth what a game with fewer choices saves, so that every move takes about as long.
//!
//! | form | ψ | source |
//! | --- | --- | --- |
//! | `off` | ω | – |
//! | `moves` | ⌈ω · ln τ / ln ξ⌉, ξ the [mean mobility](mobility) of both sides | eq. 4 with the factor for restricted games that the paper asks for |
//! | `leaves` | ⌈ω · ln τ^ω / ln N⌉, N the estimated leaves ω plies below | eq. 2 |
//! | `walk` | the same with the leaves of the least tree of alpha-beta, counted without evaluations | the paper's advice |
//! | `statistical` | iterations, while the next one should stay within a budget of nodes | future work |
//! | `bounded` | the same, but the search ends at a multiple of the budget, even below ω | – |
//! | `paper` | ⌈ω · ln τ / ln ξ⌉, with τ and ξ the legal moves at the start and now | eq. 4 as printed: [`paper_depth`] |
//! | `paper-leaves` | the same with the leaves ω plies below | eq. 2 as printed |
//!
//! The reference τ of our own forms comes from the [greatest mean mobility](greatest_mobility) of the game's course.
//! Connect Four starts with all its choices; chess starts with 20 moves and has 35 in the middlegame. With the
//! start as reference the middlegame would cost several times more than the start, and ψ ≥ ω were a rule of
//! its own.
//!
//! Against a bare king, or with a decisive lead and no pawns, our own forms deepen level 5 by a budget, to
//! convert won endings. `docs/levels.md` measures how well the forms keep the promise. The paper's own ψ is
//! always computed and reported as `paper=`.

use std::sync::{Arc, OnceLock};

use shakmaty::Color;

use super::decision::{Basis, Compared, Decision};
use super::form::Form;
use super::leaf_count::{estimate_leaves, least_leaves, mobility, walk_leaves};
use crate::evaluation::{Evaluation, Variant, king_drive};
use crate::limits::Limits;
use crate::rules::{Game, RuleSet};
use crate::score::MAX_PLY;
use crate::search::parameters::Parameters;
use crate::search::report::Silent;
use crate::search::{Options, Searcher};

/// Greatest number of plies that the paper's formulas add. With two legal moves eq. 4 asks for 22 plies
/// instead of 5, and no move would come in time.
const PAPER_EXTRA: u32 = 12;

/// Nodes of `moves`, `leaves` and `walk`, as a multiple of the expected nodes of a search to the base depth,
/// beyond which no iteration deeper than the base depth begins: a formula of choices cannot know how well
/// the moves of a position are ordered.
const ENOUGH: f64 = 1.5;

/// Growth of the nodes from one iteration to the next in full width.
const GROWTH: f64 = 3.5;

/// The power of the mean mobility, for each ply of depth, with which the nodes of a full-width search grow.
const LAW: f64 = 0.45;

/// The nodes at which the bounded form ends a search, as a multiple of the budget.
const CAP: f64 = 2.0;

/// Expected nodes of a level's move in a won ending: against a bare king, or with a decisive lead and no
/// pawns ([`king_drive`]). The win lies deeper than the levels look, and its tree is thin. Without this
/// budget level 5 mates with bishop and knight in half of its tries.
const TECHNIQUE_NODES: f64 = 40_000.0;
/// Greatest number of plies added to the base depth in such an ending.
const TECHNIQUE_EXTRA: u32 = 12;
/// Least base depth of a level that should convert won endings, in plies.
const TECHNIQUE_BASE: u32 = 5;

/// Table of the searches that measure the nodes near the start, in MiB.
const HASH_MB: usize = 1;

/// Tolerance of the rounding up: ω · ln 20 / ln 20 may come out slightly above ω.
const EPSILON: f64 = 1e-9;

/// A form with its base depth. Clones share their measurements.
#[derive(Clone, Debug)]
pub struct DepthPolicy {
    form: Form,
    base: u32,
    /// Nodes of a search to the base depth near the start; measured when first needed.
    nodes_near_start: Arc<OnceLock<f64>>,
}

impl DepthPolicy {
    /// The policy `form` around the base depth `base`, in plies.
    pub fn new(form: Form, base: u32) -> DepthPolicy {
        DepthPolicy { form, base, nodes_near_start: Arc::default() }
    }

    /// Decides on the depth for a search of `position` by these parameters. The first decision that needs a
    /// budget searches positions near the start.
    pub fn decide<P: Variant>(
        &self,
        position: &P,
        evaluator: &Evaluation<P>,
        parameters: &Parameters,
    ) -> Decision {
        let initial = P::default();
        let (legal, start) = (position.legal_moves().len(), initial.legal_moves().len());
        let facts = Facts { policy: self, position, initial, evaluator, parameters, legal, start };
        facts.decide()
    }
}

/// The facts that a decision is made from.
struct Facts<'a, P: Variant> {
    policy: &'a DepthPolicy,
    position: &'a P,
    initial: P,
    evaluator: &'a Evaluation<P>,
    parameters: &'a Parameters,
    /// Legal moves now and at the start.
    legal: usize,
    start: usize,
}

impl<P: Variant> Facts<'_, P> {
    fn decide(&self) -> Decision {
        let (form, base) = (self.policy.form, self.policy.base);
        match form {
            Form::Off => self.exactly(Basis::Nothing, base),
            // A forced move: one iteration gives the score and the PV that clients expect.
            _ if self.legal == 1 => self.exactly(Basis::Forced, 1),
            // Even in a won ending: the bound is this form's promise.
            Form::Bounded => {
                let nodes = self.expected_nodes();
                Decision { cap: Some((CAP * nodes) as u64), ..self.within(nodes, 2 * base) }
            }
            _ if base >= TECHNIQUE_BASE && !form.is_literal() && is_technique(self.position) => {
                self.within(TECHNIQUE_NODES, base + TECHNIQUE_EXTRA)
            }
            Form::Moves => {
                let reference = reference::<P>();
                let now = mobility(self.position);
                self.by_equation(Basis::Mobility(Compared { reference, now }), reference, now)
            }
            Form::Leaves => {
                let reference = reference::<P>().powi(base as i32);
                let now = estimate_leaves(self.position, base);
                self.by_equation(Basis::Leaves(Compared { reference, now }), reference, now)
            }
            Form::Walk => {
                let reference = least_leaves(reference::<P>(), base);
                let now = walk_leaves(self.position, base) as f64;
                self.by_equation(Basis::Walk(Compared { reference, now }), reference, now)
            }
            Form::Statistical => self.within(self.expected_nodes(), 2 * base),
            Form::Paper => {
                let (reference, now) = (self.start as f64, self.legal as f64);
                let basis = Basis::Choices(Compared { reference, now });
                self.exactly(basis, self.paper_by_moves().min(base + PAPER_EXTRA))
            }
            Form::PaperLeaves => {
                let (reference, now) = self.leaves_since_start();
                let paper = paper_depth(base, reference, now);
                let basis = Basis::Leaves(Compared { reference, now });
                Decision { paper, ..self.exactly(basis, paper.min(base + PAPER_EXTRA)) }
            }
        }
    }

    fn exactly(&self, basis: Basis, depth: u32) -> Decision {
        let DepthPolicy { form, base, .. } = *self.policy;
        Decision {
            form,
            base,
            legal: self.legal,
            start: self.start,
            paper: self.paper_by_moves(),
            basis,
            least: depth,
            most: depth,
            budget: 0,
            cap: None,
        }
    }

    /// Up to `most` plies, while the next iteration should stay within `nodes` nodes.
    fn within(&self, nodes: f64, most: u32) -> Decision {
        let budget = (nodes / GROWTH) as u64;
        let base = self.policy.base;
        Decision { most, budget, ..self.exactly(Basis::Budget(nodes), base) }
    }

    /// The depth of equal cost by the paper's equation, within the bound on nodes.
    fn by_equation(&self, basis: Basis, reference: f64, now: f64) -> Decision {
        let depth = equal_depth(self.policy.base, reference, now);
        let decision = self.exactly(basis, depth);
        if depth == self.policy.base {
            return decision;
        }
        let budget = (ENOUGH * self.expected_nodes()) as u64;
        Decision { least: self.policy.base, budget, ..decision }
    }

    fn paper_by_moves(&self) -> u32 {
        paper_depth(self.policy.base, self.start as f64, self.legal as f64)
    }

    /// Estimated leaves of the tree of the base depth at the start and now.
    fn leaves_since_start(&self) -> (f64, f64) {
        let leaves = |position: &P| estimate_leaves(position, self.policy.base);
        (leaves(&self.initial), leaves(self.position))
    }

    /// Expected nodes of a search to the base depth where the game offers most: those measured near the
    /// start, where it offers less, times the growth by the law.
    fn expected_nodes(&self) -> f64 {
        let base = self.policy.base;
        let near_start = *self.policy.nodes_near_start.get_or_init(|| self.measure_near_start());
        let more = greatest_mobility(P::RULE_SET) / mobility(&self.initial);
        near_start * more.max(1.0).powf(LAW * f64::from(base))
    }

    /// Mean nodes of searches to the base depth after each first move of the game. A single position, such
    /// as the start itself, can be off by half.
    fn measure_near_start(&self) -> f64 {
        let options = Options { parameters: self.parameters.clone(), ..Options::default() };
        let searcher = Searcher::new(self.evaluator.clone(), options, HASH_MB);
        // Without memory for the table the budget is 0, and every search ends at the base depth.
        let Ok(mut searcher) = searcher else { return 0.0 };
        let moves = self.initial.legal_moves();
        let nodes = moves.iter().map(|&m| {
            searcher.new_game();
            let mut game = Game::new(self.initial.clone());
            game.play(m);
            searcher.search(&game, &Limits::depth(self.policy.base), &mut Silent).nodes
        });
        nodes.sum::<u64>() as f64 / moves.len().max(1) as f64
    }
}

/// The greatest mean mobility in the course of a game, in moves: the mean of [`mobility`] over games at one
/// stage, where it is greatest. Measured by `engine dda --law`.
pub const fn greatest_mobility(rule_set: RuleSet) -> f64 {
    match rule_set {
        RuleSet::Chess => 30.0,
        RuleSet::Atomic => 29.6,
        RuleSet::Antichess => 11.9,
        RuleSet::KingOfTheHill => 27.6,
        RuleSet::ThreeCheck => 33.1,
        RuleSet::Crazyhouse => 66.8,
        RuleSet::RacingKings => 28.2,
        RuleSet::Horde => 20.5,
    }
}

/// The reference τ of the rules `P`. Rounding up adds half a ply in the mean, so it is a little lower than the
/// greatest mean mobility; then most moves of the opening and the middlegame are played with ω plies.
fn reference<P: Variant>() -> f64 {
    const SHARE: f64 = 0.87;
    SHARE * greatest_mobility(P::RULE_SET)
}

/// The paper's formula, ⌈ω · ln `start` / ln `now`⌉ and at least ω: eq. 4 for numbers of legal moves, eq. 2
/// for leaf counts. [`MAX_PLY`] where the formula has no value.
///
/// ```
/// use engine::play::levels::policy::paper_depth;
///
/// assert_eq!(paper_depth(4, 20.0, 20.0), 4);
/// assert_eq!(paper_depth(4, 20.0, 8.0), 6); // 4 · 2.996 / 2.079 = 5.76
/// ```
pub fn paper_depth(base: u32, start: f64, now: f64) -> u32 {
    if now <= 1.0 {
        return MAX_PLY as u32;
    }
    let depth = (f64::from(base) * start.ln() / now.ln() - EPSILON).ceil();
    (depth.max(0.0) as u32).clamp(base, MAX_PLY as u32)
}

/// The same, and at most 2 ω: the depth at which a full-width search costs what one to ω plies costs where the
/// measure of choices is `reference`.
pub fn equal_depth(base: u32, reference: f64, now: f64) -> u32 {
    paper_depth(base, reference, now).min(2 * base)
}

/// True if the game is decided and only technique is left.
pub(in crate::play) fn is_technique<P: Variant>(position: &P) -> bool {
    let is_bare = |color| is_bare(position, color);
    P::MATES_BARE_KINGS
        && (Color::ALL.into_iter().any(is_bare) || king_drive::applies(position.board()))
}

/// True if a side has its king alone.
pub(in crate::play) fn is_bare<P: Variant>(position: &P, color: Color) -> bool {
    position.board().by_color(color).count() == 1
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use crate::evaluation::linear::Weights;
    use crate::limits::DepthPlan;
    use crate::play::levels::leaf_count::random_positions;
    use crate::rules::setup::{self, Start};
    use crate::search::report::Reason;

    fn decide(form: Form, base: u32, position: &Chess) -> Decision {
        let evaluator = Evaluation::linear(Weights::default());
        DepthPolicy::new(form, base).decide(position, &evaluator, &full_width())
    }

    fn full_width() -> Parameters {
        Parameters::default().full_width()
    }

    fn position(fen: &str) -> Chess {
        let start = Start::Fen(fen.to_string());
        let (game, _) = setup::game::<Chess>(&start, &[], CastlingMode::Standard).unwrap();
        game.position().clone()
    }

    #[test]
    fn equation_4_by_hand() {
        for (base, start, now, depth) in [
            (3, 20.0, 20.0, 3), // exactly 3: not rounded up
            (5, 20.0, 20.0, 5),
            (5, 20.0, 19.0, 6),  // 5 · 2.9957 / 2.9444 = 5.09
            (5, 20.0, 10.0, 7),  // 5 · 2.9957 / 2.3026 = 6.51
            (3, 20.0, 5.0, 6),   // 3 · 2.9957 / 1.6094 = 5.58
            (4, 20.0, 2.0, 18),  // 4 · 2.9957 / 0.6931 = 17.29
            (4, 7.0, 3.0, 8),    // Connect Four: 4 · 1.9459 / 1.0986 = 7.09
            (4, 7.0, 7.0, 4),    // Connect Four, all columns open
            (5, 20.0, 40.0, 5),  // 4.06: never less than the base
            (5, 20.0, 200.0, 5), // 2.83
            (5, 20.0, 1.0, 128), // no choice: the formula has no value
        ] {
            assert_eq!(paper_depth(base, start, now), depth, "{base} {start} {now}");
        }
    }

    #[test]
    fn equation_2_by_hand() {
        for (base, start, now, depth) in [
            (3, 8902.0, 8902.0, 3),
            (3, 8902.0, 400.0, 5),         // 3 · 9.0940 / 5.9915 = 4.55
            (4, 197_281.0, 50_000.0, 5),   // 4 · 12.1924 / 10.8198 = 4.51
            (5, 4_865_609.0, 2_000.0, 11), // 5 · 15.3977 / 7.6009 = 10.13
            (5, 4_865_609.0, 3e7, 5),
        ] {
            assert_eq!(paper_depth(base, start, now), depth, "{base} {start} {now}");
        }
    }

    #[test]
    fn the_bounded_form_keeps_its_bound_even_in_the_first_iteration() {
        // Eight queens: the captures at the first ply cost more than the whole budget.
        let dense = position("k7/p1qqqq2/8/8/8/8/2QQQQ1P/7K w - - 0 1");
        let evaluator = Evaluation::linear(Weights::default());
        let options = Options { parameters: full_width(), ..Options::default() };
        let mut searcher = Searcher::new(evaluator, options, HASH_MB).expect("there is memory");
        let mut nodes = |plan| {
            searcher.new_game();
            let limits = Limits { plan: Some(plan), ..Limits::default() };
            let outcome = searcher.search(&Game::new(dense.clone()), &limits, &mut Silent);
            assert!(outcome.best.is_some());
            outcome.nodes
        };
        let plan = decide(Form::Bounded, 3, &dense).plan();
        let cap = plan.cap.expect("the bounded form has a cap");
        assert!(nodes(DepthPlan { cap: None, ..plan }) > 2 * cap, "the board is not dense enough");
        assert!(nodes(plan) <= cap, "more than {cap} nodes");
    }

    #[test]
    fn the_paper_s_formula_has_a_cap() {
        let three_moves = position("k7/8/8/8/8/8/8/K7 w - - 0 1");
        let decision = decide(Form::Paper, 5, &three_moves);
        assert_eq!((decision.paper, decision.least), (14, 14));
        let two_moves = position("k7/8/8/8/8/8/3n4/K7 w - - 0 1");
        let decision = decide(Form::Paper, 5, &two_moves);
        assert_eq!((decision.paper, decision.least, decision.most), (22, 17, 17));
    }

    #[test]
    fn no_search_is_shallower_than_at_the_start_or_deeper_than_the_cap() {
        let (evaluator, parameters) = (Evaluation::linear(Weights::default()), full_width());
        let policies =
            [2, 3].map(|base| Form::ALL.map(|form| (form, base, DepthPolicy::new(form, base))));
        for (number, position) in random_positions(8).enumerate() {
            for &(form, base, ref policy) in &policies[number % 2] {
                let decision = policy.decide(&position, &evaluator, &parameters);
                let is_forced = decision.legal == 1 && form != Form::Off;
                assert_eq!(decision.basis == Basis::Forced, is_forced);
                if is_forced {
                    assert_eq!((decision.least, decision.most), (1, 1));
                    continue;
                }
                let most = if form.is_literal() { base + PAPER_EXTRA } else { 2 * base };
                let (least, deepest) = (decision.least, decision.most);
                assert!(base <= least && least <= deepest && deepest <= most, "{decision:?}");
            }
        }
    }

    #[test]
    fn equal_cost_by_hand() {
        for (base, now, depth) in [
            (3, 26.0, 3), // exactly 3: not rounded up
            (3, 40.0, 3), // never less than the base
            (3, 18.0, 4), // 3 · 3.258 / 2.890 = 3.38
            (5, 8.0, 8),  // 5 · 3.258 / 2.079 = 7.83
            (5, 2.0, 10), // 23.5, and 2 ω at most
            (5, 1.0, 10),
        ] {
            assert_eq!(equal_depth(base, 26.0, now), depth, "{base} {now}");
        }
    }

    #[test]
    fn few_replies_are_answered_at_once() {
        // A check with two answers in a middlegame: the printed formula took 5,398,210 nodes.
        let check = position("r1k5/3n1r1p/p1R3p1/B3p2n/2p1N3/R5P1/1P2PPKP/8 b - - 0 1");
        let evaluator = Evaluation::linear(Weights::default());
        let options = Options { parameters: full_width(), ..Options::default() };
        let mut searcher = Searcher::new(evaluator, options, HASH_MB).expect("there is memory");
        for form in [Form::Moves, Form::Leaves, Form::Walk, Form::Statistical, Form::Bounded] {
            searcher.new_game();
            let plan = decide(form, 4, &check).plan();
            let limits = Limits { plan: Some(plan), ..Limits::default() };
            let outcome = searcher.search(&Game::new(check.clone()), &limits, &mut Silent);
            assert!(outcome.nodes < 100_000, "{form:?}: {} nodes", outcome.nodes);
        }
    }

    #[test]
    fn the_arithmetic_is_told() {
        let position = position("8/4p3/4k3/8/8/4K3/4P3/8 w - - 0 1"); // 7 moves, then 6
        for (form, arithmetic) in [
            (Form::Off, "ω"),
            (Form::Moves, "4 · ln 26.1 / ln 6.5 = 6.98 → 7"),
            (Form::Paper, "4 · ln 20 / ln 7 = 6.16 → 7"),
            (Form::PaperLeaves, "4 · ln ≈200138 / ln ≈3004 = 6.10 → 7"),
        ] {
            assert_eq!(decide(form, 4, &position).arithmetic(), arithmetic);
        }
        let statistical = decide(Form::Statistical, 4, &position);
        assert!(statistical.arithmetic().starts_with("4 to 8, while "), "{statistical:?}");
        let forced = self::position("k7/8/8/8/8/8/6q1/7K w - - 0 1");
        assert_eq!(decide(Form::Paper, 4, &forced).arithmetic(), "one legal move");
    }

    #[test]
    fn a_decision_has_a_summary() {
        let decision = decide(Form::Moves, 3, &position("8/4p3/4k3/8/8/4K3/4P3/8 w - - 0 1"));
        let Reason { words, details: summary } = decision.reason(6, 475);
        assert_eq!(words, "looked 6 half-moves ahead instead of 3: there is less to choose from");
        assert_eq!(
            summary,
            "dda form=moves legal=7 start=20 base=3 depth=6 paper=5 nodes=475 mobility=6.5/26.1"
        );
    }
}
