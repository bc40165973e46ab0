//! How deep a level searches: DDAαβ, dynamic depth adjustment (Micol and Suau, "Ajuste
//! dinámico de profundidad en el algoritmo αβ").
//!
//! A level has a base depth ω. As a game goes on there is less to choose from, so a search of
//! the same depth gets cheaper; the policy puts what is saved into more depth ψ ≥ ω, so that
//! every move takes about as long as the first. The paper gives two formulas, for trees that
//! nothing is pruned from, and leaves two things open, which are answered here: the factor
//! that a game with restricted moves such as chess needs, and a statistical form.
//!
//! | form | ψ | source |
//! | --- | --- | --- |
//! | `off` | ω | – |
//! | `moves` | ω + ln(τ̄ / ξ̄) to the nearest ply, ξ̄ = √(perft 2) | eq. 4 with our factor: [`chess_depth`] |
//! | `leaves` | the same with ξ̄ the ω-th root of the leaves ω plies below | eq. 2 with our factor |
//! | `statistical` | iterations while the next should stay within a budget of nodes | future work |
//!
//! Against a bare king, or with a decisive lead and no pawns, every form but `off` deepens level 5
//! by a budget of its own, so that what is won is won.
//!
//! What the forms keep of the promise is measured in the README, under "Levels".
//!
//! The paper's own ψ is always computed ([`paper_depth`]) and reported as `paper=`, but no form
//! plays by it.

use std::fmt;
use std::sync::{Arc, OnceLock};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use shakmaty::Color;

use super::parameters::Parameters;
use super::report::Silent;
use super::table::Table;
use super::{Memory, Options, Shared};
use crate::evaluation::{Evaluator, king_drive};
use crate::limits::Limits;
use crate::rules::perft::perft;
use crate::rules::{Game, Rules};
use crate::score::MAX_PLY;

/// Plies that a policy may add to the base depth at most.
pub const MAX_EXTRA: u32 = 6;

/// What one more iteration multiplies the nodes by: the median over depths 3 to 10 of searches
/// of 5,400 positions from games at fixed depth was 1.7 to 2.0. Predictions from the growth of
/// the same search's own iterations were no better.
const GROWTH: f64 = 1.8;

/// Nodes that a move of the statistical form may be expected to take, times the base depth, as
/// a multiple of a search to the base depth near the start. More makes the moves more even,
/// because no search may end before the base depth, but spends more where it gains less. At
/// base depth 5 a multiple of 2.25 takes the coefficient of variation from 0.50 to 0.44 and
/// loses 76 Elo (± 31) against a coin toss that costs the same, 1.35 loses 25 (± 30). A shallow
/// search is less even to begin with and needs more: at base depth 3 a multiple of 1.35 leaves
/// the phases as far apart as 0.75 to 1.31, 2.25 brings them to 0.89 to 1.13 and loses nothing.
const ALLOWANCE: f64 = 6.75;

/// Nodes that a level may be expected to spend on a move where only the win is left to be carried
/// out: against a bare king, or with a decisive lead and no pawns ([`king_drive`]). The way is longer
/// than the levels look, and its tree is thin: this is a few times what a middlegame move costs at
/// level 5, some 15 ms. Without it level 5 mates with bishop and knight in half of its tries.
const TECHNIQUE_NODES: f64 = 40_000.0;
/// Plies that may be added to the base depth there.
const TECHNIQUE_EXTRA: u32 = 12;
/// The base depth from which a level is expected to win what is won, in plies.
const TECHNIQUE_BASE: u32 = 5;

/// Random walks that a leaf count is estimated from.
const PROBES: u32 = 128;

/// Table of the searches that the statistical form's budget is measured with, in MiB.
const TABLE_MB: usize = 1;

/// What keeps ω · ln 20 / ln 20, which may come out a hair above ω, from being rounded up.
const EPSILON: f64 = 1e-9;

/// How the depth follows from the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Form {
    /// Always the base depth.
    Off,
    /// By the mobility of both sides.
    #[default]
    Moves,
    /// By the leaves of the unpruned tree.
    Leaves,
    /// By the nodes that the search itself has taken so far.
    Statistical,
    /// The base depth or one ply more by the toss of a coin that falls on "more" so many times
    /// in a thousand: no policy, but the control that a policy must be compared with.
    Coin(u32),
}

impl Form {
    /// The forms that a user can choose from.
    pub const OFFERED: [Form; 4] = [Form::Off, Form::Moves, Form::Leaves, Form::Statistical];

    /// The form's name, as options and reports write it.
    pub const fn name(self) -> &'static str {
        match self {
            Form::Off => "off",
            Form::Moves => "moves",
            Form::Leaves => "leaves",
            Form::Statistical => "statistical",
            Form::Coin(_) => "coin",
        }
    }
}

/// A form with its base depth. Clones share what has been measured once.
#[derive(Clone, Debug)]
pub struct DepthPolicy {
    form: Form,
    base: u32,
    /// Nodes of a search to the base depth near the start; measured when first needed.
    nodes_near_start: Arc<OnceLock<f64>>,
}

/// What a form looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Basis {
    /// Nothing.
    Nothing,
    /// That there is no choice.
    Forced,
    /// Mean number of moves a ply.
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
    /// Nodes that the move may be expected to take.
    Budget(f64),
}

/// The depth of one move, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Which form decided.
    pub form: Form,
    /// Base depth ω, in plies.
    pub base: u32,
    /// Legal moves now, ξ.
    pub legal: usize,
    /// Legal moves in the rule set's starting position, τ.
    pub start: usize,
    /// What the paper's formula says without factor or cap, in plies: eq. 2 for the leaves form,
    /// eq. 4 for all others; [`MAX_PLY`] where it has no value.
    pub paper: u32,
    /// What the form looked at.
    pub basis: Basis,
    /// Depth ψ that is searched in any case, in plies.
    pub least: u32,
    /// Depth ψ that is not exceeded, in plies; above `least` only if the search itself decides.
    pub most: u32,
}

impl DepthPolicy {
    /// The policy `form` around the base depth `base`, in plies.
    pub fn new(form: Form, base: u32) -> DepthPolicy {
        DepthPolicy { form, base, nodes_near_start: Arc::default() }
    }

    /// Decides on the depth of the search of `position`. The statistical form searches
    /// positions near the start the first time it is asked.
    pub fn plan<P: Rules, E: Evaluator<P>>(
        &self,
        position: &P,
        evaluator: &E,
        parameters: &Parameters,
    ) -> Plan {
        let (form, base) = (self.form, self.base);
        let initial = P::default();
        let (legal, start) = (position.legal_moves().len(), initial.legal_moves().len());
        let paper = paper_depth(base, start as f64, legal as f64);
        let plan =
            |basis, least, most| Plan { form, base, legal, start, paper, basis, least, most };
        let exactly = |basis, depth| plan(basis, depth, depth);
        match form {
            Form::Off => exactly(Basis::Nothing, base),
            Form::Coin(odds) => {
                let toss = SmallRng::seed_from_u64(position.key()).random_range(0..1000) < odds;
                exactly(Basis::Nothing, base + u32::from(toss))
            }
            // No choice: one iteration gives the score and the variation that clients expect.
            _ if legal == 1 => exactly(Basis::Forced, 1),
            _ if base >= TECHNIQUE_BASE && is_technique(position) => {
                plan(Basis::Budget(TECHNIQUE_NODES), base, base + TECHNIQUE_EXTRA)
            }
            Form::Moves => {
                let (start, now) = (mobility(&initial), mobility(position));
                exactly(Basis::Mobility { start, now }, chess_depth(base, start, now))
            }
            Form::Leaves => {
                let start = estimate_leaves(&initial, base);
                let now = estimate_leaves(position, base);
                // The ω-th root of a leaf count is the mean number of moves a ply.
                let root = |leaves: f64| leaves.powf(1.0 / f64::from(base));
                let depth = chess_depth(base, root(start), root(now));
                let plan = exactly(Basis::Leaves { start, now }, depth);
                Plan { paper: paper_depth(base, start, now), ..plan }
            }
            Form::Statistical => {
                let measure = || nodes_near_start(base, &initial, evaluator, parameters);
                let near_start = *self.nodes_near_start.get_or_init(measure);
                let budget = ALLOWANCE / f64::from(base) * near_start;
                plan(Basis::Budget(budget), base, base + MAX_EXTRA)
            }
        }
    }
}

impl Plan {
    /// True if another iteration should follow that of `depth` plies, when all so far have
    /// taken `nodes` nodes.
    pub fn wants_more(&self, depth: u32, nodes: u64) -> bool {
        let is_affordable = match self.basis {
            Basis::Budget(budget) => nodes as f64 * GROWTH <= budget,
            _ => false,
        };
        depth < self.least || depth < self.most && is_affordable
    }

    /// The decision in one line, after a search that `reached` so many plies with `nodes` nodes.
    pub fn summary(&self, reached: u32, nodes: u64) -> String {
        let Plan { form, base, legal, start, paper, .. } = self;
        // Where the search itself decides, what it reached is what it wanted.
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
            Basis::Leaves { start, now } => write!(f, " leaves={now:.0}/{start:.0}"),
            Basis::Budget(budget) => write!(f, " budget={budget:.0}"),
        }
    }
}

/// The paper's formula, ⌈ω · ln `start` / ln `now`⌉ and at least ω: eq. 4 if the two are legal
/// moves, eq. 2 if they are leaf counts. Where the formula has no value, [`MAX_PLY`].
///
/// ```
/// use ajedrecista::search::depth_policy::paper_depth;
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

/// The paper's idea with the factor that chess needs: ω + ln(`start` / `now`), rounded to the
/// nearest ply and at least ω, of the [`mobility`] at the start and now.
///
/// Eq. 4 follows from ξ^ψ = τ^ω, the leaves of trees that nothing is pruned from. A search that
/// prunes grows otherwise: over 5,400 positions from games its nodes go as ξ̄^a · c^ψ, with a
/// from 0.5 to 0.7 and c from 1.8 to 2.0. The same nodes as at the start then mean
/// ψ = ω + (a / ln c) · ln(τ̄ / ξ̄), and a / ln c is about 1. So fewer moves buy plies that do
/// not multiply with ω, and never more than ln τ̄, which is 3 in chess. The paper rounds up: a
/// position with one move less than the start then gets a whole ply, and most endgames cost
/// more than the start. Rounded to the nearest ply they come out even, and lose less strength
/// against a coin toss that costs the same.
///
/// ```
/// use ajedrecista::search::depth_policy::chess_depth;
///
/// assert_eq!(chess_depth(5, 20.0, 31.0), 5);
/// assert_eq!(chess_depth(5, 20.0, 8.0), 6); // ln 2.5 = 0.92
/// assert_eq!(chess_depth(5, 20.0, 4.0), 7); // ln 5 = 1.61
/// ```
pub fn chess_depth(base: u32, start: f64, now: f64) -> u32 {
    let extra = (start / now.max(1.0)).ln().round().max(0.0);
    base + (extra as u32).min(MAX_EXTRA)
}

/// Mean number of moves a ply, over this ply and the next: the geometric mean √(perft 2). A
/// check that leaves two moves, each of which thirty can follow, counts as √60 and not as 2.
pub fn mobility<P: Rules>(position: &P) -> f64 {
    (perft(position, 2) as f64).sqrt()
}

/// About how many leaves the unpruned tree of `depth` plies below `position` has: the mean,
/// over random walks, of the product of the numbers of moves met. It is unbiased (Knuth,
/// "Estimating the efficiency of backtrack programs", 1975); counting them one by one takes
/// hundreds of times as long as the search. The same position always gives the same answer.
pub fn estimate_leaves<P: Rules>(position: &P, depth: u32) -> f64 {
    let mut rng = SmallRng::seed_from_u64(position.key());
    let walks: f64 = (0..PROBES).map(|_| walk(position, depth, &mut rng)).sum();
    walks / f64::from(PROBES)
}

/// The product of the numbers of moves along one random walk.
fn walk<P: Rules>(position: &P, depth: u32, rng: &mut SmallRng) -> f64 {
    let mut now = position.clone();
    let mut product = 1.0;
    for _ in 0..depth {
        let moves = now.legal_moves();
        if moves.is_empty() {
            return 0.0;
        }
        product *= moves.len() as f64;
        now.play_unchecked(moves[rng.random_range(0..moves.len())]);
    }
    product
}

/// True if the game is decided but for the technique.
fn is_technique<P: Rules>(position: &P) -> bool {
    let board = position.board();
    let is_bare = |color| board.by_color(color).count() == 1;
    P::MATES_BARE_KINGS && (Color::ALL.into_iter().any(is_bare) || king_drive::applies(board))
}

/// Mean nodes of searches `base` plies deep after each first move of the game: one position
/// alone, such as the start itself, can be off by half.
fn nodes_near_start<P: Rules, E: Evaluator<P>>(
    base: u32,
    initial: &P,
    evaluator: &E,
    parameters: &Parameters,
) -> f64 {
    // Without memory for the table there is no budget, and every search ends at the base depth.
    let Ok(table) = Table::new(TABLE_MB) else { return 0.0 };
    let shared = Shared::new(table);
    let mut history = Memory::default();
    let options = Options { parameters: parameters.clone(), ..Options::default() };
    let moves = initial.legal_moves();
    let nodes = moves.iter().map(|&m| {
        shared.table.clear();
        history.clear();
        let mut game = Game::new(initial.clone());
        game.play(m);
        let limits = Limits::depth(base);
        super::run(&game, &limits, &options, evaluator, &shared, &mut history, &mut Silent).nodes
    });
    nodes.sum::<u64>() as f64 / moves.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position};

    use super::*;
    use crate::evaluation::KingRelative;
    use crate::evaluation::king_relative::Weights;
    use crate::rules::setup::{self, Start};

    fn plan(form: Form, base: u32, position: &Chess) -> Plan {
        let evaluator = KingRelative::linear(Weights::default());
        DepthPolicy::new(form, base).plan(position, &evaluator, &Parameters::default())
    }

    fn position(fen: &str) -> Chess {
        let start = Start::Fen(fen.to_string());
        let (game, _) = setup::game::<Chess>(&start, &[], CastlingMode::Standard).unwrap();
        game.position().clone()
    }

    /// Positions of random games from start to end.
    fn random_positions(games: u64) -> impl Iterator<Item = Chess> {
        (0..games).flat_map(|seed| {
            let mut rng = SmallRng::seed_from_u64(seed);
            let mut now = Chess::default();
            let mut positions = Vec::new();
            while !now.is_game_over() && positions.len() < 400 {
                positions.push(now.clone());
                let moves = now.legal_moves();
                now.play_unchecked(moves[rng.random_range(0..moves.len())]);
            }
            positions
        })
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
            (KingRelative::linear(Weights::default()), Parameters::default());
        let policies = [3, 4, 5]
            .map(|base| Form::OFFERED.map(|form| (form, base, DepthPolicy::new(form, base))));
        for (number, position) in random_positions(12).enumerate() {
            for &(form, base, ref policy) in &policies[number % 3] {
                let plan = policy.plan(&position, &evaluator, &parameters);
                let is_forced = plan.legal == 1 && form != Form::Off;
                assert_eq!(plan.basis == Basis::Forced, is_forced);
                if is_forced {
                    assert_eq!((plan.least, plan.most), (1, 1));
                } else {
                    assert!(base <= plan.least && plan.least <= plan.most, "{plan:?}");
                    let extra = if plan.basis == Basis::Budget(TECHNIQUE_NODES) {
                        TECHNIQUE_EXTRA
                    } else {
                        MAX_EXTRA
                    };
                    assert!(plan.most <= base + extra, "{plan:?}");
                }
            }
        }
    }

    #[test]
    fn the_start_is_searched_to_the_base_depth() {
        for base in 1..=6 {
            for form in [Form::Off, Form::Moves, Form::Leaves] {
                let plan = plan(form, base, &Chess::default());
                assert_eq!((plan.least, plan.most, plan.paper), (base, base, base), "{form:?}");
                assert_eq!((plan.legal, plan.start), (20, 20));
            }
        }
    }

    #[test]
    fn a_check_counts_by_what_follows_it() {
        // Six moves out of check, and then a board full of them.
        let check = position("rnbqkbnr/ppp2ppp/8/1B1pp3/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 3");
        let plan = plan(Form::Moves, 5, &check);
        // Eq. 4: 5 · 2.9957 / 1.7918 = 8.36.
        assert_eq!((plan.legal, plan.paper, plan.least), (6, 9, 5), "{plan:?}");
    }

    #[test]
    fn leaves_are_estimated_well_and_always_alike() {
        let start = Chess::default();
        assert_eq!(estimate_leaves(&start, 1), 20.0);
        for (depth, leaves) in [(2, 400.0), (3, 8902.0), (4, 197_281.0)] {
            let estimate = estimate_leaves(&start, depth);
            assert!((estimate / leaves - 1.0).abs() < 0.05, "{depth}: {estimate}");
            assert_eq!(estimate, estimate_leaves(&start, depth));
        }
        let pawns = position("4k3/pp4pp/8/8/8/8/PP4PP/4K3 w - - 0 1");
        let ratio = estimate_leaves(&pawns, 4) / perft(&pawns, 4) as f64;
        assert!((ratio - 1.0).abs() < 0.1, "{ratio}");
    }

    #[test]
    fn the_leaves_form_reports_equation_2_and_plays_with_the_factor() {
        let plan = plan(Form::Leaves, 4, &position("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"));
        let Basis::Leaves { start, now } = plan.basis else { panic!("{plan:?}") };
        assert_eq!(plan.paper, paper_depth(4, start, now));
        // 4 · 12.2 / 8.0 = 6.1; moves a ply about 21.1 and 7.5, and ln 2.8 = 1.04.
        assert_eq!((plan.paper, plan.least, plan.most), (7, 5, 5), "{plan:?}");
    }

    #[test]
    fn the_statistical_form_goes_on_while_it_can_afford_to() {
        let plan = plan(Form::Statistical, 4, &Chess::default());
        let Basis::Budget(budget) = plan.basis else { panic!("{plan:?}") };
        let enough = (budget / GROWTH) as u64 + 1;
        assert!(plan.wants_more(3, u64::MAX), "the base depth is reached in any case");
        assert!(plan.wants_more(4, enough - 1) && !plan.wants_more(4, enough));
        assert!(!plan.wants_more(4 + MAX_EXTRA, 0), "the cap holds");
    }

    #[test]
    fn a_decision_in_one_line() {
        let plan = plan(Form::Moves, 5, &position("8/4p3/4k3/8/8/4K3/4P3/8 w - - 0 1"));
        assert_eq!(
            plan.summary(6, 475),
            "dda form=moves legal=7 start=20 base=5 depth=6 paper=8 nodes=475 mobility=6.5/20.0"
        );
        assert!(plan.summary(4, 99).ends_with(" reached=4"), "the clock broke it off");
    }
}
