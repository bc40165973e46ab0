//! The control that every depth policy is compared with: the toss of a coin. No level plays by it.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use engine::limits::DepthPlan;
use engine::rules::Rules;

/// The toss of a coin between a depth and one ply more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coin {
    /// The lower depth, in plies.
    pub base: u32,
    /// Tosses in a thousand that add a ply.
    pub odds: u32,
}

impl Coin {
    /// The coin with a mean cost of `nodes` nodes per move. `costs`: nodes of a move at depth `base` and
    /// one ply deeper. Further plies cost the same factor.
    pub fn of_cost(nodes: f64, base: u32, costs: [f64; 2]) -> Coin {
        /// Least plausible growth of the nodes per ply.
        const LEAST_GROWTH: f64 = 1.1;
        let growth = (costs[1] / costs[0]).max(LEAST_GROWTH);
        let (mut depth, mut cost) = (base, costs[0]);
        while cost * growth <= nodes {
            depth += 1;
            cost *= growth;
        }
        let share = (nodes - cost) / (cost * (growth - 1.0));
        Coin { base: depth, odds: (1000.0 * share).clamp(0.0, 1000.0) as u32 }
    }

    /// The depth for the search of `position`, always the same for the same position.
    pub fn plan<P: Rules>(&self, position: &P) -> DepthPlan {
        let toss = SmallRng::seed_from_u64(position.key()).random_range(0..1000) < self.odds;
        DepthPlan::exactly(self.base + u32::from(toss))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coin_has_the_wanted_cost() {
        assert_eq!(Coin::of_cost(150.0, 4, [100.0, 200.0]), Coin { base: 4, odds: 500 });
        assert_eq!(Coin::of_cost(300.0, 4, [100.0, 200.0]), Coin { base: 5, odds: 500 });
        assert_eq!(Coin::of_cost(50.0, 4, [100.0, 200.0]), Coin { base: 4, odds: 0 });
    }
}
