//! The algorithms, one readable file each, and the list of them.
//!
//! They have the same shape: `search(root, depth, watch)` returns a [`Choice`]. What the sources
//! call f(N) is [`Watch::evaluate`]; everything else is in the file before you.

pub mod alpha_beta;
pub mod alpha_beta_history;
pub mod alpha_beta_table;
pub mod aspiration;
pub mod biased;
pub mod continuation_by_levels;
pub mod crash_cut;
pub mod depth_budget;
pub mod fail_hard;
pub mod fail_soft;
pub mod futility;
pub mod heuristic_continuation;
pub mod iterative_deepening;
pub mod lania;
pub mod max_n;
pub mod memory;
pub mod minimax;
pub mod mt;
pub mod negamax;
pub mod negascout;
pub mod negascout_table;
pub mod null_move;
pub mod opponent_model;
pub mod quiescence;
pub mod quiescence_by_value;
pub mod ranked_pruning;
pub mod scan;
pub mod secondary;
pub mod sss_star;
pub mod trujillo;

use web_time::Instant;

use super::constants::Constants;
use super::game::Position;
use super::texts::{LocalizedError, Texts};
use super::watch::{Choice, Observer, Watch};

/// A search of a game, as every file here has one.
pub type Search = fn(&Position, u32, &mut Watch) -> Choice;

/// One algorithm of the list.
#[derive(Clone, Copy)]
pub struct Algorithm {
    /// Name on the command line.
    pub name: &'static str,
    /// True if its value is minimax's, always.
    pub is_exact: bool,
    search: Search,
}

impl Algorithm {
    /// Searches `depth` plies and reports every step to `observer`. The value is Max's.
    pub fn run(&self, root: &Position, depth: u32, observer: &mut dyn Observer) -> Choice {
        self.run_with(Constants::default(), None, root, depth, observer)
    }

    /// The same with other constants and perhaps a time to stop. Only searches that deepen stop.
    pub fn run_with(
        &self,
        constants: Constants,
        deadline: Option<Instant>,
        root: &Position,
        depth: u32,
        observer: &mut dyn Observer,
    ) -> Choice {
        let watch = Watch::new(root.turn(), observer).with(constants);
        watch.until(deadline).root(|watch| (self.search)(root, depth, watch))
    }
}

/// Minimax, by which the others are judged.
pub const MINIMAX: Algorithm =
    Algorithm { name: "minimax", is_exact: true, search: minimax::search };

/// Alpha-beta, the default.
pub const ALPHA_BETA: Algorithm =
    Algorithm { name: "alpha-beta", is_exact: true, search: alpha_beta::search };

/// Minimax that expects errors.
pub const OPPONENT_MODEL: Algorithm =
    Algorithm { name: "opponent-model", is_exact: false, search: opponent_model::search };

/// Max^n, the only one for more than two players.
pub const MAX_N: Algorithm = Algorithm { name: "max-n", is_exact: true, search: max_n::search };

/// Every algorithm, in reading order.
pub fn all() -> Vec<Algorithm> {
    let exact = |name, search| Algorithm { name, is_exact: true, search };
    let guess = |name, search| Algorithm { name, is_exact: false, search };
    vec![
        MINIMAX,
        exact("negamax", negamax::search),
        MAX_N,
        exact("trujillo", trujillo::search),
        exact("lania", lania::search),
        ALPHA_BETA,
        exact("fail-hard", fail_hard::search),
        exact("fail-soft", fail_soft::search),
        exact("negascout", negascout::search),
        exact("aspiration", aspiration::search),
        exact("sss*", sss_star::search),
        exact("mt-sss*", mt::search_sss),
        exact("mtd(f)", mt::search_mtd),
        exact("alpha-beta-table", alpha_beta_table::search),
        exact("alpha-beta-history", alpha_beta_history::search),
        exact("iterative-deepening", iterative_deepening::search),
        exact("negascout-table", negascout_table::search),
        guess("quiescence", quiescence::search),
        guess("quiescence-by-value", quiescence_by_value::search),
        guess("heuristic-continuation", heuristic_continuation::search),
        guess("continuation-by-levels", continuation_by_levels::search),
        guess("secondary", secondary::search),
        guess("null-move", null_move::search),
        guess("verified-null-move", null_move::search_verified),
        guess("futility", futility::search),
        guess("ranked-pruning", ranked_pruning::search),
        guess("biased", biased::search),
        guess("crash-cut", crash_cut::search),
        OPPONENT_MODEL,
        guess("depth-budget", depth_budget::search),
    ]
}

/// The algorithm of that name.
///
/// # Errors
/// A name that is not in the list.
pub fn named(name: &str) -> Result<Algorithm, UnknownAlgorithmError> {
    let found = all().into_iter().find(|algorithm| algorithm.name == name);
    found.ok_or_else(|| UnknownAlgorithmError(name.to_string()))
}

/// A name that no algorithm has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownAlgorithmError(String);

impl LocalizedError for UnknownAlgorithmError {
    fn in_words(&self, texts: &Texts) -> String {
        let name = self.0.as_str();
        match near(name) {
            Some(near) => texts.fill("fault.algorithm-near", &[("name", name), ("near", near)]),
            None => texts.fill("fault.algorithm", &[("name", name), ("names", &names())]),
        }
    }
}

/// The algorithm whose name is nearest, if a third of its letters at most is wrong. Dashes and the like may be missing.
fn near(name: &str) -> Option<&'static str> {
    let letters = |name: &str| name.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "");
    let wanted = letters(name);
    let distance = |other: &str| strsim::osa_distance(&letters(other), &wanted);
    let nearest =
        all().into_iter().map(|algorithm| algorithm.name).min_by_key(|name| distance(name))?;
    (distance(nearest) * 3 <= wanted.chars().count()).then_some(nearest)
}

fn names() -> String {
    all().iter().map(|algorithm| algorithm.name).collect::<Vec<_>>().join(", ")
}
