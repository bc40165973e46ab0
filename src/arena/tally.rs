//! Match results and their proof: Elo with its error, and a sequential test (SPRT).

use std::fmt;

/// Results by pair of games: the points of the first side in both, doubled, 0 to 4.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pairs: [u64; 5],
    /// The first side's losses, draws and wins.
    games: [u64; 3],
}

/// An Elo difference with the half-width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub elo: f64,
    /// Half the width of the interval.
    pub error: f64,
}

impl Tally {
    /// Counts a pair: the first side's doubled points (0 to 2) in each of its games.
    pub fn add_pair(&mut self, first: usize, second: usize) {
        self.pairs[first + second] += 1;
        self.games[first] += 1;
        self.games[second] += 1;
    }

    /// Games played.
    pub fn played(&self) -> u64 {
        self.games.iter().sum()
    }

    /// The first side's share of the points, 0 to 1, and the variance of a pair's share.
    fn moments(&self) -> (f64, f64, f64) {
        let pairs = self.pairs.iter().sum::<u64>().max(1) as f64;
        let share = |points: usize| points as f64 / 4.0;
        let weighted = |f: &dyn Fn(f64) -> f64| {
            self.pairs
                .iter()
                .enumerate()
                .map(|(points, &count)| f(share(points)) * count as f64)
                .sum::<f64>()
                / pairs
        };
        let mean = weighted(&|x| x);
        let variance = weighted(&|x| (x - mean) * (x - mean));
        (mean, variance, pairs)
    }

    /// The Elo difference, first side minus second; pairs of games, not games, are the sample,
    /// because both games of a pair share an opening.
    pub fn elo(&self) -> Interval {
        let (mean, variance, pairs) = self.moments();
        let deviation = 1.96 * (variance / pairs).sqrt();
        let (low, high) = (elo_of(mean - deviation), elo_of(mean + deviation));
        Interval { elo: elo_of(mean), error: (high - low) / 2.0 }
    }

    /// Log-likelihood ratio (LLR) of "the difference is `elo1`" against "it is `elo0`", in the normal
    /// approximation (Van den Bergh, "Comments on normalized Elo", 2020). Above 2.94 accept `elo1`, below
    /// −2.94 accept `elo0`, at 5 % error either way.
    pub fn log_likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        let (mean, variance, pairs) = self.moments();
        if variance <= 0.0 {
            return 0.0;
        }
        let (low, high) = (share_of(elo0), share_of(elo1));
        pairs * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [losses, draws, wins] = self.games;
        let Interval { elo, error } = self.elo();
        write!(f, "{} games: +{wins} ={draws} -{losses}, {elo:+.1} ± {error:.1} Elo", self.played())
    }
}

fn elo_of(share: f64) -> f64 {
    let share = share.clamp(0.001, 0.999);
    -400.0 * (1.0 / share - 1.0).log10()
}

fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: &[(usize, usize, usize)]) -> Tally {
        let mut tally = Tally::default();
        for &(first, second, times) in pairs {
            (0..times).for_each(|_| tally.add_pair(first, second));
        }
        tally
    }

    #[test]
    fn three_quarters_of_the_points_are_191_elo() {
        let interval = tally(&[(2, 1, 100), (1, 2, 100)]).elo();
        assert!((interval.elo - 190.8).abs() < 0.1 && interval.error < 0.1, "{interval:?}");
    }

    #[test]
    fn the_error_halves_with_four_times_the_games() {
        let few = tally(&[(2, 2, 20), (0, 0, 20), (1, 1, 60)]).elo();
        let many = tally(&[(2, 2, 80), (0, 0, 80), (1, 1, 240)]).elo();
        assert!(few.elo.abs() < 0.1 && (few.error / many.error - 2.0).abs() < 0.05);
    }

    #[test]
    fn the_sequential_test_leans_to_the_truth() {
        let better = tally(&[(2, 2, 60), (0, 0, 40), (1, 1, 400)]);
        assert!(better.log_likelihood_ratio(0.0, 5.0) > 0.0);
        let worse = tally(&[(2, 2, 40), (0, 0, 60), (1, 1, 400)]);
        assert!(worse.log_likelihood_ratio(0.0, 5.0) < 0.0);
    }
}
