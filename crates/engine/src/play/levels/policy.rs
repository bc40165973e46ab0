//! DDAαβ: the depth of a level's search, adjusted to the choices that are left (Micol and Suau, "Ajuste
//! dinámico de profundidad en el algoritmo αβ").
//!
//! A level has a base depth ω. As a game goes on there is less to choose from, so a search of the same
//! depth gets cheaper. The policy spends the saving on more depth ψ ≥ ω, so that every move takes about as
//! long as the first. The paper gives two formulas, for trees without pruning, and leaves two questions
//! open, which are answered here: the factor for a game with restricted moves such as chess, and a
//! statistical form.
//!
//! | form | ψ | source |
//! | --- | --- | --- |
//! | `off` | ω | – |
//! | `moves` | ω + ln(τ̄ / ξ̄) to the nearest ply, ξ̄ = √(perft 2) | eq. 4 with our factor: [`chess_depth`] |
//! | `leaves` | the same with ξ̄ the ω-th root of the leaves ω plies below | eq. 2 with our factor |
//! | `statistical` | iterations, while the next one should stay within a budget of nodes | future work |
//! | `bounded` | the same, but the search ends at a multiple of the budget, even below ω | – |
//! | `paper` | ⌈ω · ln τ / ln ξ⌉, ξ the number of legal moves | eq. 4 as printed: [`paper_depth`] |
//! | `paper-leaves` | the same with the leaves ω plies below | eq. 2 as printed |
//!
//! Against a bare king, or with a decisive lead and no pawns, our own three forms deepen level 5 by a
//! budget, to convert won endings.
//!
//! `docs/levels.md` measures how well the forms keep the promise. The paper's own ψ is always computed and
//! reported as `paper=`.

use std::fmt;
use std::sync::{Arc, OnceLock};

use shakmaty::Color;

use super::leaf_count::{estimate_leaves, mobility};
use crate::evaluation::{Evaluation, Variant, king_drive};
use crate::limits::{DepthPlan, Limits};
use crate::rules::Game;
use crate::score::MAX_PLY;
use crate::search::parameters::Parameters;
use crate::search::report::Silent;
use crate::search::{Options, Searcher};

/// Greatest number of plies that a policy adds to the base depth.
pub const MAX_EXTRA: u32 = 6;

/// Greatest number of plies that the paper's formulas add. With two legal moves eq. 4 asks for 22 plies
/// instead of 5, and no move would come in time.
const PAPER_EXTRA: u32 = 12;

/// Growth of the nodes from one iteration to the next. The median over depths 3 to 10 of searches of 5,400
/// positions from games at fixed depth was 1.7 to 2.0. Predictions from the growth of the same search's own
/// iterations were no better.
const GROWTH: f64 = 1.8;

/// Budget of the statistical form: expected nodes of a move, times the base depth, as a multiple of a
/// search to the base depth near the start. A greater multiple makes the moves more even, because no search
/// may end before the base depth, but spends more where it gains less. At base depth 5 a multiple of 2.25
/// reduces the coefficient of variation from 0.50 to 0.44 and loses 76 Elo (± 31) against a coin toss of
/// the same cost; 1.35 loses 25 (± 30). A shallow search is less even from the outset and needs more: at
/// base depth 3 a multiple of 1.35 leaves the phases between 0.75 and 1.31, 2.25 brings them to 0.89 to
/// 1.13 and loses nothing.
const ALLOWANCE: f64 = 6.75;

/// The nodes at which the bounded form ends a search, as a multiple of the budget.
const CAP: f64 = 2.0;

/// Expected nodes of a level's move in a won ending: against a bare king, or with a decisive lead and no
/// pawns ([`king_drive`]). The win lies deeper than the levels look, and its tree is thin. The budget is a
/// few times the cost of a middlegame move at level 5, some 15 ms. Without it level 5 mates with bishop and
/// knight in half of its tries.
const TECHNIQUE_NODES: f64 = 40_000.0;
/// Greatest number of plies added to the base depth in such an ending.
const TECHNIQUE_EXTRA: u32 = 12;
/// Least base depth of a level that should convert won endings, in plies.
const TECHNIQUE_BASE: u32 = 5;

/// Table of the searches that measure the statistical form's budget, in MiB.
const HASH_MB: usize = 1;

/// Tolerance of the rounding up: ω · ln 20 / ln 20 may come out slightly above ω.
const EPSILON: f64 = 1e-9;

/// The relation between position and depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Form {
    /// Always the base depth.
    Off,
    /// By the mobility of both sides.
    #[default]
    Moves,
    /// By the leaves of the unpruned tree.
    Leaves,
    /// By the nodes of the search so far.
    Statistical,
    /// By the nodes of the search so far, with an upper bound that may stop it below the base depth.
    Bounded,
    /// The paper's formula for legal moves, as printed.
    Paper,
    /// The paper's formula for leaves, as printed.
    PaperLeaves,
}

impl Form {
    /// All forms.
    pub const ALL: [Form; 7] = [
        Form::Off,
        Form::Moves,
        Form::Leaves,
        Form::Statistical,
        Form::Bounded,
        Form::Paper,
        Form::PaperLeaves,
    ];

    /// The names of all forms, in the order of [`Form::ALL`].
    pub const NAMES: &[&str] =
        &["off", "moves", "leaves", "statistical", "bounded", "paper", "paper-leaves"];

    /// The form's name, as options and reports write it.
    pub const fn name(self) -> &'static str {
        Form::NAMES[self as usize]
    }

    /// True for the paper's formulas as printed.
    const fn is_literal(self) -> bool {
        matches!(self, Form::Paper | Form::PaperLeaves)
    }
}

/// A form with its base depth. Clones share their measurements.
#[derive(Clone, Debug)]
pub struct DepthPolicy {
    form: Form,
    base: u32,
    /// Nodes of a search to the base depth near the start; measured when first needed.
    nodes_near_start: Arc<OnceLock<f64>>,
}

/// The facts behind a decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Basis {
    /// None.
    Nothing,
    /// There is no choice.
    Forced,
    /// Mean number of moves per ply.
    Mobility {
        /// At the start.
        start: f64,
        /// Now.
        now: f64,
    },
    /// Estimated leaves of the unpruned tree of the base depth.
    Leaves {
        /// At the start.
        start: f64,
        /// Now.
        now: f64,
    },
    /// Legal moves.
    Choices {
        /// At the start.
        start: f64,
        /// Now.
        now: f64,
    },
    /// Expected nodes of the move.
    Budget(f64),
}

/// The depth of one move, and the reason for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The form.
    pub form: Form,
    /// Base depth ω, in plies.
    pub base: u32,
    /// Legal moves now, ξ.
    pub legal: usize,
    /// Legal moves in the rule set's starting position, τ.
    pub start: usize,
    /// The paper's formula without factor or cap, in plies: eq. 2 for the forms by leaves, eq. 4 for all
    /// others; [`MAX_PLY`] where it has no value.
    pub paper: u32,
    /// The facts behind it.
    pub basis: Basis,
    /// Least depth ψ, in plies.
    pub least: u32,
    /// Greatest depth ψ, in plies; above `least` only if the search itself decides.
    pub most: u32,
}

impl DepthPolicy {
    /// The policy `form` around the base depth `base`, in plies.
    pub fn new(form: Form, base: u32) -> DepthPolicy {
        DepthPolicy { form, base, nodes_near_start: Arc::default() }
    }

    /// Decides on the depth for the search of `position`. The statistical form searches positions near the
    /// start at its first decision.
    pub fn decide<P: Variant>(
        &self,
        position: &P,
        evaluator: &Evaluation<P>,
        parameters: &Parameters,
    ) -> Decision {
        let (form, base) = (self.form, self.base);
        let initial = P::default();
        let (legal, start) = (position.legal_moves().len(), initial.legal_moves().len());
        let paper = paper_depth(base, start as f64, legal as f64);
        let decision =
            |basis, least, most| Decision { form, base, legal, start, paper, basis, least, most };
        let exactly = |basis, depth| decision(basis, depth, depth);
        match form {
            Form::Off => exactly(Basis::Nothing, base),
            // A forced move: one iteration gives the score and the PV that clients expect.
            _ if legal == 1 => exactly(Basis::Forced, 1),
            // Even in a won ending: the bound is this form's promise.
            Form::Bounded => self.within_budget(&initial, evaluator, parameters, decision),
            _ if base >= TECHNIQUE_BASE && !form.is_literal() && is_technique(position) => {
                decision(Basis::Budget(TECHNIQUE_NODES), base, base + TECHNIQUE_EXTRA)
            }
            Form::Moves => {
                let (start, now) = (mobility(&initial), mobility(position));
                exactly(Basis::Mobility { start, now }, chess_depth(base, start, now))
            }
            Form::Leaves => {
                let [start, now] = [&initial, position].map(|p| estimate_leaves(p, base));
                let depth = chess_depth(base, per_ply(start, base), per_ply(now, base));
                let decision = exactly(Basis::Leaves { start, now }, depth);
                Decision { paper: paper_depth(base, start, now), ..decision }
            }
            Form::Paper => {
                let (start, now) = (start as f64, legal as f64);
                exactly(Basis::Choices { start, now }, paper.min(base + PAPER_EXTRA))
            }
            Form::PaperLeaves => {
                let [start, now] = [&initial, position].map(|p| estimate_leaves(p, base));
                let paper = paper_depth(base, start, now);
                let decision = exactly(Basis::Leaves { start, now }, paper.min(base + PAPER_EXTRA));
                Decision { paper, ..decision }
            }
            Form::Statistical => self.within_budget(&initial, evaluator, parameters, decision),
        }
    }

    /// The decision to search on within a budget of nodes.
    fn within_budget<P: Variant>(
        &self,
        initial: &P,
        evaluator: &Evaluation<P>,
        parameters: &Parameters,
        decision: impl Fn(Basis, u32, u32) -> Decision,
    ) -> Decision {
        let base = self.base;
        let measure = || nodes_near_start(base, initial, evaluator, parameters);
        let near_start = *self.nodes_near_start.get_or_init(measure);
        let budget = ALLOWANCE / f64::from(base) * near_start;
        decision(Basis::Budget(budget), base, base + MAX_EXTRA)
    }
}

impl Decision {
    /// The plan for the search. Another iteration follows while its expected nodes stay within the budget.
    pub fn plan(&self) -> DepthPlan {
        let budget = match self.basis {
            Basis::Budget(nodes) => (nodes / GROWTH) as u64,
            _ => 0,
        };
        let cap = match (self.form, self.basis) {
            (Form::Bounded, Basis::Budget(nodes)) => Some((CAP * nodes) as u64),
            _ => None,
        };
        DepthPlan { least: self.least, most: self.most, budget, cap }
    }

    /// The arithmetic of the depth, such as `4 + ln(20.0 / 6.5) = 5.12 → 5`.
    pub fn arithmetic(&self) -> String {
        let (base, chosen) = (self.base, self.least);
        let by_factor = |measures: String, start: f64, now: f64| {
            let exact = f64::from(base) + (start / now.max(1.0)).ln();
            format!("{base} + ln({measures}) = {exact:.2} → {chosen}")
        };
        let by_equation = |about: &str, start: f64, now: f64| {
            let exact = f64::from(base) * start.ln() / now.ln();
            format!("{base} · ln {about}{start:.0} / ln {about}{now:.0} = {exact:.2} → {chosen}")
        };
        match self.basis {
            Basis::Nothing => "ω".to_string(),
            Basis::Forced => "one legal move".to_string(),
            Basis::Mobility { start, now } => {
                by_factor(format!("{start:.1} / {now:.1}"), start, now)
            }
            Basis::Leaves { start, now } if self.form.is_literal() => by_equation("≈", start, now),
            Basis::Leaves { start, now } => {
                let measures = format!("(≈{start:.0} / ≈{now:.0})^(1/{base})");
                by_factor(measures, per_ply(start, base), per_ply(now, base))
            }
            Basis::Choices { start, now } => by_equation("", start, now),
            Basis::Budget(nodes) => {
                format!("{base} to {}, while {nodes:.0} nodes are enough", self.most)
            }
        }
    }

    /// The decision in one line, after a search that `reached` this many plies with `nodes` nodes.
    pub fn summary(&self, reached: u32, nodes: u64) -> String {
        let Decision { form, base, legal, start, paper, .. } = self;
        // Where the search itself decides, the depth reached is the depth wanted.
        let depth = reached.max(self.least);
        let mut line = format!(
            "dda form={} legal={legal} start={start} base={base} depth={depth} paper={paper} \
             nodes={nodes}{}",
            form.name(),
            self.basis
        );
        if reached < depth {
            line.push_str(&format!(" reached={reached}"));
        }
        line
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Basis::Nothing => Ok(()),
            Basis::Forced => f.write_str(" forced"),
            Basis::Mobility { start, now } => write!(f, " mobility={now:.1}/{start:.1}"),
            Basis::Leaves { start, now } => write!(f, " leaves=~{now:.0}/~{start:.0}"),
            Basis::Choices { .. } => Ok(()),
            Basis::Budget(budget) => write!(f, " budget={budget:.0}"),
        }
    }
}

/// Mean number of moves per ply above `leaves` leaves, `depth` plies down.
fn per_ply(leaves: f64, depth: u32) -> f64 {
    leaves.powf(1.0 / f64::from(depth))
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

/// The paper's idea with the factor for chess: ω + ln(`start` / `now`), rounded to the nearest ply and at
/// least ω, of the [`mobility`] at the start and now.
///
/// Eq. 4 follows from ξ^ψ = τ^ω, the leaves of trees without pruning. A search with pruning grows
/// differently: over 5,400 positions from games its nodes follow ξ̄^a · c^ψ, with a from 0.5 to 0.7 and c
/// from 1.8 to 2.0. The same nodes as at the start then mean ψ = ω + (a / ln c) · ln(τ̄ / ξ̄), and a / ln c
/// is about 1. So fewer moves add plies that do not multiply with ω, and never more than ln τ̄, which is 3
/// in chess. The paper rounds up: one move less than at the start then adds a whole ply, and most endgames
/// cost more than the start. Rounded to the nearest ply they come out even, and lose less strength against
/// a coin toss of the same cost.
///
/// ```
/// use engine::play::levels::policy::chess_depth;
///
/// assert_eq!(chess_depth(5, 20.0, 31.0), 5);
/// assert_eq!(chess_depth(5, 20.0, 8.0), 6); // ln 2.5 = 0.92
/// assert_eq!(chess_depth(5, 20.0, 4.0), 7); // ln 5 = 1.61
/// ```
pub fn chess_depth(base: u32, start: f64, now: f64) -> u32 {
    let extra = (start / now.max(1.0)).ln().round().max(0.0);
    base + (extra as u32).min(MAX_EXTRA)
}

/// True if the game is decided and only technique is left.
pub(in crate::play) fn is_technique<P: Variant>(position: &P) -> bool {
    let board = position.board();
    let is_bare = |color| board.by_color(color).count() == 1;
    P::MATES_BARE_KINGS && (Color::ALL.into_iter().any(is_bare) || king_drive::applies(board))
}

/// Mean nodes of searches `base` plies deep after each first move of the game. A single position, such as
/// the start itself, can be off by half.
fn nodes_near_start<P: Variant>(
    base: u32,
    initial: &P,
    evaluator: &Evaluation<P>,
    parameters: &Parameters,
) -> f64 {
    let options = Options { parameters: parameters.clone(), ..Options::default() };
    // Without memory for the table the budget is 0, and every search ends at the base depth.
    let Ok(mut searcher) = Searcher::new(evaluator.clone(), options, HASH_MB) else { return 0.0 };
    let moves = initial.legal_moves();
    let nodes = moves.iter().map(|&m| {
        searcher.new_game();
        let mut game = Game::new(initial.clone());
        game.play(m);
        searcher.search(&game, &Limits::depth(base), &mut Silent).nodes
    });
    nodes.sum::<u64>() as f64 / moves.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use crate::evaluation::linear::Weights;
    use crate::play::levels::leaf_count::random_positions;
    use crate::rules::setup::{self, Start};

    fn decide(form: Form, base: u32, position: &Chess) -> Decision {
        let evaluator = Evaluation::linear(Weights::default());
        DepthPolicy::new(form, base).decide(position, &evaluator, &Parameters::default())
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
    fn the_chess_factor_by_hand() {
        // 20 / e^0.5 = 12.13, 20 / e^1.5 = 4.46.
        for (now, depth) in
            [(20.0, 4), (40.0, 4), (12.2, 4), (12.1, 5), (4.5, 5), (4.4, 6), (1.0, 7), (0.0, 7)]
        {
            assert_eq!(chess_depth(4, 20.0, now), depth, "{now}");
        }
        assert_eq!(chess_depth(3, 1e9, 1.0), 3 + MAX_EXTRA);
    }

    #[test]
    fn no_search_is_shallower_than_at_the_start_or_deeper_than_the_cap() {
        let (evaluator, parameters) =
            (Evaluation::linear(Weights::default()), Parameters::default());
        let policies =
            [3, 4, 5].map(|base| Form::ALL.map(|form| (form, base, DepthPolicy::new(form, base))));
        for (number, position) in random_positions(12).enumerate() {
            for &(form, base, ref policy) in &policies[number % 3] {
                let decision = policy.decide(&position, &evaluator, &parameters);
                let is_forced = decision.legal == 1 && form != Form::Off;
                assert_eq!(decision.basis == Basis::Forced, is_forced);
                if is_forced {
                    assert_eq!((decision.least, decision.most), (1, 1));
                    continue;
                }
                let is_technique = decision.basis == Basis::Budget(TECHNIQUE_NODES);
                let extra = match form {
                    _ if is_technique => TECHNIQUE_EXTRA,
                    Form::Paper | Form::PaperLeaves => PAPER_EXTRA,
                    _ => MAX_EXTRA,
                };
                let (least, most) = (decision.least, decision.most);
                assert!(base <= least && least <= most && most <= base + extra, "{decision:?}");
            }
        }
    }

    #[test]
    fn the_bounded_form_keeps_its_bound_even_in_the_first_iteration() {
        // Eight queens: the captures at the first ply cost more than the whole budget.
        let dense = position("k7/p1qqqq2/8/8/8/8/2QQQQ1P/7K w - - 0 1");
        let evaluator = Evaluation::linear(Weights::default());
        let mut searcher =
            Searcher::new(evaluator, Options::default(), HASH_MB).expect("there is memory");
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
    fn the_start_is_searched_to_the_base_depth() {
        for base in 1..=6 {
            let by_nodes = [Form::Statistical, Form::Bounded];
            for form in Form::ALL.into_iter().filter(|form| !by_nodes.contains(form)) {
                let decision = decide(form, base, &Chess::default());
                assert_eq!(
                    (decision.least, decision.most, decision.paper),
                    (base, base, base),
                    "{form:?}"
                );
                assert_eq!((decision.legal, decision.start), (20, 20));
            }
        }
    }

    #[test]
    fn a_check_counts_with_the_moves_after_it() {
        // Six moves out of check, followed by positions with many moves.
        let check = position("rnbqkbnr/ppp2ppp/8/1B1pp3/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 3");
        let decision = decide(Form::Moves, 5, &check);
        // Eq. 4: 5 · 2.9957 / 1.7918 = 8.36.
        assert_eq!((decision.legal, decision.paper, decision.least), (6, 9, 5), "{decision:?}");
    }

    #[test]
    fn the_leaves_form_reports_equation_2_and_plays_with_the_factor() {
        let decision = decide(Form::Leaves, 4, &position("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"));
        let Basis::Leaves { start, now } = decision.basis else { panic!("{decision:?}") };
        assert_eq!(decision.paper, paper_depth(4, start, now));
        // 4 · 12.2 / 8.0 = 6.1; moves per ply about 21.1 and 7.5, and ln 2.8 = 1.04.
        assert_eq!((decision.paper, decision.least, decision.most), (7, 5, 5), "{decision:?}");
    }

    #[test]
    fn the_arithmetic_is_told() {
        let position = position("8/4p3/4k3/8/8/4K3/4P3/8 w - - 0 1"); // 7 moves, then 6
        for (form, arithmetic) in [
            (Form::Off, "ω"),
            (Form::Moves, "4 + ln(20.0 / 6.5) = 5.13 → 5"),
            (Form::Leaves, "4 + ln((≈200138 / ≈3004)^(1/4)) = 5.05 → 5"),
            (Form::Paper, "4 · ln 20 / ln 7 = 6.16 → 7"),
            (Form::PaperLeaves, "4 · ln ≈200138 / ln ≈3004 = 6.10 → 7"),
        ] {
            assert_eq!(decide(form, 4, &position).arithmetic(), arithmetic);
        }
        assert!(
            decide(Form::Statistical, 4, &position).arithmetic().starts_with("4 to 10, while ")
        );
        let forced = self::position("k7/8/8/8/8/8/6q1/7K w - - 0 1");
        assert_eq!(decide(Form::Paper, 4, &forced).arithmetic(), "one legal move");
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
    fn the_statistical_form_continues_within_its_budget() {
        let decision = decide(Form::Statistical, 4, &Chess::default());
        let Basis::Budget(budget) = decision.basis else { panic!("{decision:?}") };
        let (enough, plan) = ((budget / GROWTH) as u64 + 1, decision.plan());
        assert!(plan.wants_more(3, u64::MAX), "the base depth is reached in any case");
        assert!(plan.wants_more(4, enough - 1) && !plan.wants_more(4, enough));
        assert!(!plan.wants_more(4 + MAX_EXTRA, 0), "the cap holds");
    }

    #[test]
    fn a_decision_has_a_summary() {
        let decision = decide(Form::Moves, 5, &position("8/4p3/4k3/8/8/4K3/4P3/8 w - - 0 1"));
        assert_eq!(
            decision.summary(6, 475),
            "dda form=moves legal=7 start=20 base=5 depth=6 paper=8 nodes=475 mobility=6.5/20.0"
        );
        assert!(decision.summary(4, 99).ends_with(" reached=4"), "the clock stopped it");
    }
}
