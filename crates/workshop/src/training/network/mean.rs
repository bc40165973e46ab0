//! The mean of networks: what several runs from the same beginning agree on.
//!
//! Runs with high rates on few positions learn some of them by heart, each others. The mean of their weights forgets
//! that and keeps what they have in common. Source: Wortsman et al., "Model soups: averaging weights of multiple
//! fine-tuned models improves accuracy without increasing inference time", 2022.

use engine::evaluation::Network;
use engine::evaluation::network::{self, NetworkError, NetworkWeights};

/// Networks without a mean.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeanError {
    /// Of other rules, neurons or zones.
    #[error("the networks of --from must all be of the same rule set, neurons and zones")]
    Unlike,
    /// None in practice: the mean of networks is one.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

/// The mean of all weights; none of no networks.
///
/// # Errors
/// [`MeanError`] if the networks are not alike.
pub fn mean(networks: Vec<Network>) -> Result<Option<Network>, MeanError> {
    if networks.len() <= 1 {
        return Ok(networks.into_iter().next());
    }
    let (rule_set, shape) = (networks[0].rule_set(), networks[0].shape().clone());
    if networks.iter().any(|one| one.rule_set() != rule_set || *one.shape() != shape) {
        return Err(MeanError::Unlike);
    }
    let all: Vec<NetworkWeights> = networks.iter().map(Network::weights).collect();
    let of = |part: fn(&NetworkWeights) -> &[i16]| -> Vec<i16> {
        let parts: Vec<&[i16]> = all.iter().map(part).collect();
        let sum = |index: usize| parts.iter().map(|part| f64::from(part[index])).sum::<f64>();
        // Of two networks every other mean ends in a half. Rounded away from zero, as `round` does, these would make the
        // weights larger (docs/log/network.md has what that costs).
        let mean = |index: usize| (sum(index) / parts.len() as f64).round_ties_even() as i16;
        (0..parts[0].len()).map(mean).collect()
    };
    let bias = |index: usize| {
        let sum: f64 = all.iter().map(|weights| f64::from(weights.output_bias[index])).sum();
        (sum / all.len() as f64).round_ties_even() as i32
    };
    let weights = NetworkWeights {
        features: of(|weights| &weights.features),
        bias: of(|weights| &weights.bias),
        output: of(|weights| &weights.output),
        output_bias: std::array::from_fn(bias),
    };
    Ok(Some(Network::read(&network::write(rule_set, &shape, &weights))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::network::{Goal, Trainer};
    use engine::evaluation::network::Shape;
    use engine::evaluation::network::features::KingZones;
    use shakmaty::Chess;

    fn random(seed: u64, hidden: usize) -> Network {
        let shape = Shape { hidden, zones: KingZones::ONE, extras: 0 };
        let trainer = Trainer::new(shape, Goal { scale: 180.0, result_share: 0.1 }, seed, 1);
        Network::read(&trainer.file::<Chess>()).unwrap()
    }

    #[test]
    fn every_weight_is_the_mean() {
        let (one, other) = (random(1, 64), random(2, 64));
        let (first, second) = (one.weights().features, other.weights().features);
        assert_ne!(first, second);
        let mean = mean(vec![one, other]).unwrap().unwrap().weights().features;
        for ((one, other), mean) in first.iter().zip(&second).zip(&mean) {
            assert!((2 * mean - (one + other)).abs() <= 1, "{one} {other} {mean}");
        }
    }

    #[test]
    fn halves_make_the_weights_as_often_smaller_as_larger() {
        let (one, other) = (random(1, 64), random(2, 64));
        let (first, second) = (one.weights().features, other.weights().features);
        let mean = mean(vec![one, other]).unwrap().unwrap().weights().features;
        let (mut larger, mut smaller) = (0_i32, 0_i32);
        for ((one, other), mean) in first.iter().zip(&second).zip(&mean) {
            let twice = one + other;
            larger += i32::from((2 * mean).abs() > twice.abs());
            smaller += i32::from((2 * mean).abs() < twice.abs());
        }
        assert!(larger + smaller > 10_000, "{larger} {smaller}");
        assert!((larger - smaller).abs() < (larger + smaller) / 10, "{larger} {smaller}");
    }

    #[test]
    fn one_network_is_its_own_mean_and_unlike_ones_have_none() {
        let weights = random(3, 64).weights();
        let mean_of_one = mean(vec![random(3, 64)]).unwrap().unwrap().weights();
        assert_eq!(mean_of_one.features, weights.features);
        assert!(mean(vec![]).unwrap().is_none());
        assert_eq!(mean(vec![random(1, 64), random(1, 128)]).unwrap_err(), MeanError::Unlike);
    }
}
