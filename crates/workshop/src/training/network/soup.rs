//! The mean of several networks, weight by weight.
//!
//! Networks that were trained on from the same one, at other learning rates or on other games, make different
//! errors. Their mean often errs less than each of them and costs no more (Wortsman et al., "Model soups:
//! averaging weights of multiple fine-tuned models improves accuracy without increasing inference time", 2022).

use engine::evaluation::Network;
use engine::evaluation::network::{NetworkWeights, OUTPUTS, write};

/// Networks that have no mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the networks to begin with are of different sizes or rule sets, so they have no mean")]
pub struct NoMean;

/// The mean of networks of the same sizes and rule set.
///
/// # Errors
/// [`NoMean`] if they differ in that, or if there are none.
pub fn mean(networks: &[Network]) -> Result<Network, NoMean> {
    let (first, rest) = networks.split_first().ok_or(NoMean)?;
    let (shape, rules) = (first.shape(), first.rule_set());
    if rest.iter().any(|other| other.shape() != shape || other.rule_set() != rules) {
        return Err(NoMean);
    }
    let all: Vec<NetworkWeights> = networks.iter().map(Network::weights).collect();
    let part = |of: fn(&NetworkWeights) -> &[i16]| -> Vec<i16> {
        let parts: Vec<&[i16]> = all.iter().map(of).collect();
        let mean = |at: usize| rounded(parts.iter().map(|part| part[at].into())) as i16;
        (0..parts[0].len()).map(mean).collect()
    };
    let weights = NetworkWeights {
        features: part(|weights| &weights.features),
        bias: part(|weights| &weights.bias),
        output: part(|weights| &weights.output),
        output_bias: std::array::from_fn::<_, OUTPUTS, _>(|bucket| {
            rounded(all.iter().map(|weights| weights.output_bias[bucket]))
        }),
    };
    Network::read(&write(rules, shape, &weights)).map_err(|_| NoMean)
}

/// The mean of the numbers, rounded.
fn rounded(numbers: impl ExactSizeIterator<Item = i32>) -> i32 {
    let count = numbers.len() as f64;
    (numbers.map(f64::from).sum::<f64>() / count).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::network::{Goal, Trainer};
    use engine::evaluation::network::Shape;
    use engine::evaluation::network::features::KingZones;
    use shakmaty::{Chess, variant::Atomic};

    fn trainer(hidden: usize, seed: u64) -> Trainer {
        let shape = Shape { hidden, zones: KingZones::of_count(1).unwrap(), extras: 0 };
        Trainer::new(shape, Goal { scale: 180.0, result_share: 0.0 }, seed, 1)
    }

    fn network(hidden: usize, seed: u64) -> Network {
        Network::read(&trainer(hidden, seed).file::<Chess>()).unwrap()
    }

    #[test]
    fn every_weight_is_the_mean() {
        let networks = [network(64, 1), network(64, 2), network(64, 3)];
        let mean = mean(&networks).unwrap().weights();
        let all = networks.map(|network| network.weights());
        for (at, weight) in mean.features.iter().enumerate() {
            let sum: i32 = all.iter().map(|weights| i32::from(weights.features[at])).sum();
            assert!((3 * i32::from(*weight) - sum).abs() <= 1);
        }
        assert!(mean.output.iter().zip(&all[0].output).any(|(mean, first)| mean != first));
    }

    #[test]
    fn a_network_is_the_mean_of_itself() {
        let weights = network(64, 1).weights();
        assert!(mean(&[network(64, 1)]).unwrap().weights() == weights);
        assert!(mean(&[network(64, 1), network(64, 1)]).unwrap().weights() == weights);
    }

    #[test]
    fn different_networks_have_no_mean() {
        let atomic = Network::read(&trainer(64, 1).file::<Atomic>()).unwrap();
        assert_eq!(mean(&[network(64, 1), network(128, 1)]).unwrap_err(), NoMean);
        assert_eq!(mean(&[network(64, 1), atomic]).unwrap_err(), NoMean);
        assert_eq!(mean(&[]).unwrap_err(), NoMean);
    }
}
