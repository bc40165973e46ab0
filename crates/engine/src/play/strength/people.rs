//! The losses of people by their rating: what a limited strength is fitted to, and a measure of a player.

/// Rating and mean loss of a move, in centipawns, as one short search judges it, the way `engine play` judges
/// its player. Such a search sees more loss than `engine analyse --by-rating`, which looks again
/// (`docs/log/levels.md`). From 1100 on measured in rated games of lichess by 30,000 nodes; below, the losses of an
/// earlier fit of the limited strengths.
const LOSSES: [(u32, f64); 11] = [
    (400, 229.0),
    (500, 210.0),
    (700, 160.0),
    (900, 126.0),
    (1100, 99.0),
    (1300, 86.0),
    (1500, 64.0),
    (1700, 48.0),
    (1900, 41.0),
    (2100, 35.0),
    (2300, 30.0),
];

/// The mean loss of a move of players with this rating, in centipawns.
pub fn mean_loss(elo: u32) -> f64 {
    let above = LOSSES.iter().position(|row| row.0 > elo).unwrap_or(LOSSES.len() - 1).max(1);
    let (low, high) = (LOSSES[above - 1], LOSSES[above]);
    let share = (f64::from(elo) - f64::from(low.0)) / f64::from(high.0 - low.0);
    low.1 + share.clamp(0.0, 1.0) * (high.1 - low.1)
}

/// The rating of players with this mean loss, in centipawns, to the nearest 10 Elo between 400 and 2300.
pub fn rating(loss: f64) -> u32 {
    let least = LOSSES[0].0;
    let ratings = (0..).map(|step| least + 10 * step).take_while(|&elo| elo <= 2300);
    ratings
        .min_by(|&a, &b| (mean_loss(a) - loss).abs().total_cmp(&(mean_loss(b) - loss).abs()))
        .unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rating_and_loss_are_inverse() {
        assert_eq!(mean_loss(1500), 64.0);
        assert_eq!(mean_loss(1200), 92.5);
        for elo in (400..=2300).step_by(10) {
            assert_eq!(rating(mean_loss(elo)), elo);
        }
        assert_eq!((rating(900.0), rating(0.0)), (400, 2300));
    }
}
