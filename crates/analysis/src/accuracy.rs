//! How accurately the players of a game have moved: lichess's measure (lichess.org/page/accuracy, and its source,
//! AccuracyPercent).
//!
//! A plain mean flatters: where a game is decided every move is accurate. So the moves count by how much the chances of the
//! game change around them, and the harmonic mean, which a few bad moves pull down, makes half of the whole.

use shakmaty::{ByColor, Color};

use super::judgement;

/// Least and greatest number of positions that decide the weight of a move; between them it is a tenth of the game's moves.
const WINDOW: (usize, usize) = (2, 8);
/// Least and greatest weight of a move: the standard deviation of the chances around it, in points of 100.
const WEIGHT: (f64, f64) = (0.5, 12.0);

/// One move, with what the accuracy of its game needs. Points and chances range from 0 to 100.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Who moved.
    pub color: Color,
    /// Points lost.
    pub points: f64,
    /// White's chance to win after it.
    pub chance: f64,
}

/// The accuracy of both players, 0 to 100; 0 of one who has not moved.
pub fn of_game(steps: &[Step]) -> ByColor<f64> {
    let Some(first) = steps.first() else { return ByColor::default() };
    let start = first.chance + first.color.fold_wb(first.points, -first.points);
    let chances: Vec<f64> =
        std::iter::once(start).chain(steps.iter().map(|step| step.chance)).collect();
    let size = (steps.len() / 10).clamp(WINDOW.0, WINDOW.1);
    // The window ends with the move; the first moves share the first one.
    let weight = |number: usize| {
        let from = (number + 2).saturating_sub(size);
        let window = &chances[from..chances.len().min(from + size)];
        deviation(window).clamp(WEIGHT.0, WEIGHT.1)
    };
    ByColor::new_with(|color| {
        let own = steps.iter().enumerate().filter(|(_, step)| step.color == color);
        let (mut count, mut weights, mut sum, mut inverse) = (0.0, 0.0, 0.0, 0.0);
        for (number, step) in own {
            let (accuracy, weight) = (judgement::accuracy(step.points), weight(number));
            count += 1.0;
            weights += weight;
            sum += weight * accuracy;
            inverse += 1.0 / accuracy.max(1.0);
        }
        if count == 0.0 { 0.0 } else { (sum / weights + count / inverse) / 2.0 }
    })
}

/// The standard deviation of some numbers.
fn deviation(numbers: &[f64]) -> f64 {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game in which White loses these points by its moves, and Black none.
    fn white(losses: &[f64]) -> f64 {
        let mut chance = 50.0;
        let mut steps = Vec::new();
        for &points in losses {
            chance -= points;
            steps.push(Step { color: Color::White, points, chance });
            steps.push(Step { color: Color::Black, points: 0.0, chance });
        }
        let found = of_game(&steps);
        assert!(found.black > 99.0);
        found.white
    }

    #[test]
    fn a_blunder_counts_for_more_than_one_of_many_moves() {
        assert!(white(&[0.0; 30]) > 99.0);
        let mut one = [0.0; 30];
        one[10] = 40.0;
        let plain = (29.0 * judgement::accuracy(0.0) + judgement::accuracy(40.0)) / 30.0;
        assert!(plain > 97.0 && white(&one) < 85.0, "{plain} {}", white(&one));
        assert!(white(&[10.0, 0.0]) < white(&[5.0, 5.0]));
    }

    #[test]
    fn moves_of_a_decided_game_count_little() {
        let decided = |rest: usize| white(&[&[40.0][..], &vec![0.0; rest]].concat());
        assert!(decided(60) < 90.0, "{}", decided(60));
        assert_eq!(of_game(&[]), ByColor::default());
    }
}
