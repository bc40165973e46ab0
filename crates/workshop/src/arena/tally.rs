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
    /// Half the width of the interval; `None` if the results are too few, or all alike, to estimate it.
    pub error: Option<f64>,
}

impl fmt::Display for Interval {
    /// `+12.3 ± 4.5`, with the given number of decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(1);
        let unit = 10f64.powi(decimals as i32);
        // Adding zero turns -0 into 0.
        let elo = (self.elo * unit).round() / unit + 0.0;
        match self.error {
            Some(error) => write!(f, "{elo:+.decimals$} ± {error:.decimals$}"),
            None => write!(f, "{elo:+.decimals$} ± unknown"),
        }
    }
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
        if self.played() == 0 {
            return Interval { elo: 0.0, error: None };
        }
        let (mean, variance, pairs) = self.moments();
        // The variance of the sample is an estimate with one degree of freedom less.
        let deviation = 1.96 * (variance / (pairs - 1.0).max(1.0)).sqrt();
        let (low, high) = (elo_of(mean - deviation), elo_of(mean + deviation));
        // Games that all ended alike show no spread, however many they are.
        let error = (pairs > 1.0 && variance > 0.0).then(|| (high - low) / 2.0);
        Interval { elo: elo_of(mean), error }
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
        let (played, elo) = (self.played(), self.elo());
        write!(f, "{played} games: +{wins} ={draws} -{losses}, {elo:.1} Elo")
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
        let interval = tally(&[(2, 1, 100), (1, 2, 99), (2, 2, 1)]).elo();
        assert!((interval.elo - 191.7).abs() < 1.0, "{interval:?}");
    }

    #[test]
    fn an_error_is_claimed_only_where_there_is_one() {
        assert_eq!(tally(&[]).to_string(), "0 games: +0 =0 -0, +0.0 ± unknown Elo");
        assert_eq!(tally(&[(1, 1, 1)]).to_string(), "2 games: +0 =2 -0, +0.0 ± unknown Elo");
        assert_eq!(tally(&[(1, 1, 9)]).elo().error, None);
        assert!(tally(&[(1, 1, 9), (2, 1, 1)]).elo().error.is_some());
        let almost = Interval { elo: -0.04, error: Some(3.21) };
        assert_eq!(format!("{almost} {almost:.0}"), "+0.0 ± 3.2 +0 ± 3");
    }

    #[test]
    fn the_error_halves_with_four_times_the_games() {
        let few = tally(&[(2, 2, 20), (0, 0, 20), (1, 1, 60)]).elo();
        let many = tally(&[(2, 2, 80), (0, 0, 80), (1, 1, 240)]).elo();
        let ratio = few.error.unwrap() / many.error.unwrap();
        assert!(few.elo.abs() < 0.1 && (ratio - 2.0).abs() < 0.05);
    }

    #[test]
    fn the_sequential_test_leans_to_the_truth() {
        let better = tally(&[(2, 2, 60), (0, 0, 40), (1, 1, 400)]);
        assert!(better.log_likelihood_ratio(0.0, 5.0) > 0.0);
        let worse = tally(&[(2, 2, 40), (0, 0, 60), (1, 1, 400)]);
        assert!(worse.log_likelihood_ratio(0.0, 5.0) < 0.0);
    }
}
