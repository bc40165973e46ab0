//! The cost of moves: nodes, depth and time of one side's moves, by phase of the game.

use std::time::Duration;

use engine::rules::{Game, Rules};

/// Half-moves from the start of a game that count as its opening.
const OPENING_PLIES: usize = 20;
/// A middlegame has more pieces than this besides kings and pawns …
const ENDGAME_PIECES: usize = 6;
/// … and an endgame more than this.
const LATE_ENDGAME_PIECES: usize = 2;

/// A part of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The first 20 half-moves.
    Opening,
    /// Seven pieces or more besides kings and pawns.
    Middlegame,
    /// Three to six pieces besides kings and pawns.
    Endgame,
    /// Two pieces or fewer besides kings and pawns.
    LateEndgame,
    /// The side to move is in check, at any stage.
    Check,
}

impl Phase {
    /// All phases.
    pub const ALL: [Phase; 5] =
        [Phase::Opening, Phase::Middlegame, Phase::Endgame, Phase::LateEndgame, Phase::Check];

    /// The phase that a game is in.
    pub fn of<P: Rules>(game: &Game<P>) -> Phase {
        let board = game.position().board();
        let pieces = (board.occupied() & !(board.pawns() | board.kings())).count();
        if game.now().is_check() {
            Phase::Check
        } else if game.past().len() < OPENING_PLIES {
            Phase::Opening
        } else if pieces > ENDGAME_PIECES {
            Phase::Middlegame
        } else if pieces > LATE_ENDGAME_PIECES {
            Phase::Endgame
        } else {
            Phase::LateEndgame
        }
    }

    /// The phase's name.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middlegame => "middlegame",
            Phase::Endgame => "endgame",
            Phase::LateEndgame => "late endgame",
            Phase::Check => "check",
        }
    }
}

/// One move.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The phase of the game.
    pub phase: Phase,
    /// Half-moves played before it.
    pub ply: usize,
    /// True if it was the only legal move.
    pub is_forced: bool,
    /// Depth of the last complete iteration, in plies.
    pub depth: u32,
    /// Nodes of its search.
    pub nodes: u64,
    /// Time of its search.
    pub time: Duration,
}

/// The cost of a number of moves.
#[derive(Clone, Debug, Default)]
pub struct Effort(Vec<Sample>);

impl Effort {
    /// Counts a move.
    pub fn add(&mut self, sample: Sample) {
        self.0.push(sample);
    }

    /// The moves that `is_meant` picks.
    pub fn only(&self, is_meant: impl Fn(&Sample) -> bool) -> Effort {
        Effort(self.0.iter().copied().filter(is_meant).collect())
    }

    /// The moves, in the order in which they were made.
    pub fn samples(&self) -> &[Sample] {
        &self.0
    }

    /// The number of moves.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Mean of `value` over all moves; 0 without any.
    pub fn mean(&self, value: impl Fn(&Sample) -> f64) -> f64 {
        // The sum of nothing is -0, and would be written so.
        self.0.iter().map(value).fold(0.0, |sum, value| sum + value) / self.count().max(1) as f64
    }

    /// Mean nodes of a move.
    pub fn nodes(&self) -> f64 {
        self.mean(|sample| sample.nodes as f64)
    }

    /// Standard deviation of the nodes of a move, divided by their mean.
    pub fn unevenness(&self) -> f64 {
        let mean = self.nodes();
        let variance = self.mean(|sample| (sample.nodes as f64 - mean).powi(2));
        variance.sqrt() / mean
    }

    /// The value that a `share` (0 to 1) of all moves do not exceed; 0 without any.
    pub fn quantile(&self, share: f64, value: impl Fn(&Sample) -> f64) -> f64 {
        let mut values: Vec<f64> = self.0.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        let last = values.len().saturating_sub(1) as f64;
        values.get((share * last).round() as usize).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use engine::rules::setup::{self, Start};

    #[test]
    fn phases() {
        let shuffle = ["a1a2", "h8h7", "a2a1", "h7h8"].repeat(5);
        let shuffle: Vec<String> = shuffle.into_iter().map(str::to_string).collect();
        for (fen, moves, phase) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[][..], Phase::Opening),
            ("rnbqkbnr/ppppp2p/5p2/6pQ/4P3/2N5/PPPP1PPP/R1B1KBNR b KQkq - 1 3", &[], Phase::Check),
            ("7k/8/8/8/8/8/8/R3K3 w - - 0 1", &shuffle, Phase::LateEndgame),
            ("rn5k/8/8/8/8/8/8/RN2K3 w - - 0 1", &shuffle, Phase::Endgame),
            ("1nbqnb1k/8/8/8/8/8/8/RN2K3 w - - 0 1", &shuffle, Phase::Middlegame),
        ] {
            let start = Start::Fen(fen.to_string());
            let (game, _) = setup::game::<Chess>(&start, moves, CastlingMode::Standard).unwrap();
            assert_eq!(Phase::of(&game), phase, "{fen}");
        }
    }

    #[test]
    fn figures_of_a_few_moves() {
        let mut effort = Effort::default();
        assert_eq!(format!("{:.0}", effort.nodes()), "0", "and not -0");
        for nodes in [10, 20, 30] {
            effort.add(Sample {
                phase: Phase::Opening,
                ply: 0,
                is_forced: false,
                depth: 3,
                nodes,
                time: Duration::ZERO,
            });
        }
        assert_eq!(effort.nodes(), 20.0);
        assert!((effort.unevenness() - (200.0f64 / 3.0).sqrt() / 20.0).abs() < 1e-12);
        assert_eq!(effort.quantile(0.5, |sample| sample.nodes as f64), 20.0);
        assert_eq!(effort.quantile(1.0, |sample| sample.nodes as f64), 30.0);
        assert_eq!(effort.only(|sample| sample.nodes > 10).count(), 2);
        assert_eq!(Effort::default().quantile(0.5, |sample| sample.nodes as f64), 0.0);
    }
}
