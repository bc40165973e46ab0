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
    /// The coin with a mean cost of `nodes` nodes per move. `costs`: nodes of a move at depth `base`, one ply
    /// deeper, and so on. The last one should be `nodes` or more, else the coin tosses for that depth alone. Each depth
    /// has to be measured: where a search stops in the middle of an exchange, a ply costs 1.3 times as much or 13
    /// times, by turns.
    pub fn of_cost(nodes: f64, base: u32, costs: &[f64]) -> Coin {
        let steps = (base..).zip(costs.array_windows());
        let mut coin = Coin { base, odds: 0 };
        for (depth, [cost, next]) in steps {
            let share = (nodes - cost) / (next - cost);
            coin = Coin { base: depth, odds: (1000.0 * share).clamp(0.0, 1000.0) as u32 };
            if nodes <= *next {
                break;
            }
        }
        coin
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
        let costs = [100.0, 130.0, 1300.0];
        for (nodes, base, odds) in [
            (115.0, 4, 500),
            (130.0, 4, 1000),
            (715.0, 5, 500),
            (50.0, 4, 0),
            (9000.0, 5, 1000), // as near as the known depths allow
        ] {
            assert_eq!(Coin::of_cost(nodes, 4, &costs), Coin { base, odds }, "{nodes}");
        }
        // A deeper search that costs no more is as good as free.
        assert_eq!(Coin::of_cost(100.0, 4, &[100.0, 100.0]), Coin { base: 4, odds: 0 });
    }
}
