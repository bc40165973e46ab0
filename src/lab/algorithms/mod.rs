//! The algorithms, one readable file each, and the list of them.
//!
//! They have the same shape: `search(root, depth, watch)` returns a [`Choice`]. What the sources
//! call f(N) is [`Watch::evaluate`]; everything else is in the file before you.

pub mod alpha_beta;
pub mod aspiration;
pub mod biased;
pub mod crash_cut;
pub mod depth_budget;
pub mod fail_hard;
pub mod fail_soft;
pub mod futility;
pub mod heuristic_continuation;
pub mod iterative_deepening;
pub mod max_n;
pub mod minimax;
pub mod mt;
pub mod negamax;
pub mod negascout;
pub mod null_move;
pub mod opponent_model;
pub mod quiescence;
pub mod ranked_pruning;
pub mod secondary;
pub mod sss_star;

use super::game::Game;
use super::watch::{Choice, Observer, Watch};

/// A search of a game, as every file here has one.
pub type Search<G> = fn(&G, u32, &mut Watch<<G as Game>::Move>) -> Choice<<G as Game>::Move>;

/// One algorithm of the list.
#[derive(Clone, Copy)]
pub struct Algorithm<G: Game> {
    /// What the command line calls it.
    pub name: &'static str,
    /// True if its value is minimax's, always.
    pub is_exact: bool,
    search: Search<G>,
}

impl<G: Game> Algorithm<G> {
    /// Searches `depth` plies and tells `observer` every step. The value is Max's.
    pub fn run(
        &self,
        root: &G,
        depth: u32,
        observer: &mut dyn Observer<G::Move>,
    ) -> Choice<G::Move> {
        Watch::new(root.turn(), observer).root(|watch| (self.search)(root, depth, watch))
    }
}

/// Every algorithm, in reading order.
pub fn all<G: Game>() -> Vec<Algorithm<G>> {
    let exact = |name, search| Algorithm { name, is_exact: true, search };
    let guess = |name, search| Algorithm { name, is_exact: false, search };
    vec![
        exact("minimax", minimax::search::<G>),
        exact("negamax", negamax::search::<G>),
        exact("max-n", max_n::search::<G>),
        exact("alpha-beta", alpha_beta::search::<G>),
        exact("fail-hard", fail_hard::search::<G>),
        exact("fail-soft", fail_soft::search::<G>),
        exact("negascout", negascout::search::<G>),
        exact("aspiration", aspiration::search::<G>),
        exact("sss*", sss_star::search::<G>),
        exact("mt-sss*", mt::search_sss::<G>),
        exact("mtd(f)", mt::search_mtd::<G>),
        exact("iterative-deepening", iterative_deepening::search::<G>),
        guess("quiescence", quiescence::search::<G>),
        guess("heuristic-continuation", heuristic_continuation::search::<G>),
        guess("secondary", secondary::search::<G>),
        guess("null-move", null_move::search::<G>),
        guess("verified-null-move", null_move::search_verified::<G>),
        guess("futility", futility::search::<G>),
        guess("ranked-pruning", ranked_pruning::search::<G>),
        guess("biased", biased::search::<G>),
        guess("crash-cut", crash_cut::search::<G>),
        guess("opponent-model", opponent_model::search::<G>),
        guess("depth-budget", depth_budget::search::<G>),
    ]
}

/// The algorithm of that name.
///
/// # Errors
/// A name that is not in the list.
pub fn named<G: Game>(name: &str) -> Result<Algorithm<G>, String> {
    let all = all::<G>();
    let names = all.iter().map(|algorithm| algorithm.name).collect::<Vec<_>>().join(", ");
    let found = all.into_iter().find(|algorithm| algorithm.name == name);
    found.ok_or_else(|| format!("'{name}' is no algorithm of the laboratory; there are {names}"))
}
