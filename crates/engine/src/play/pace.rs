//! The time that a person of some strength takes for a move.
//!
//! A limited strength and a level have their move after milliseconds. A person thinks where there is a choice and
//! answers at once where there is none. [`Pace`] only says how long; the player's thread waits, after the move is
//! chosen, so that the time changes no move.

use std::time::Duration;

use shakmaty::Move;

use super::strength::{Candidate, MoveScorer};
use crate::evaluation::Variant;
use crate::limits::Limits;
use crate::rules::Game;
use crate::search::table::OutOfMemoryError;

/// Moves that a person shares the time left among, where the time control names none.
const MOVES_LEFT: f64 = 40.0;
/// Share of the increment that a person uses.
const INCREMENT_SHARE: f64 = 0.7;
/// Greatest share of the time left for one move.
const MAX_SHARE: f64 = 0.08;
/// Time left below which everybody answers at once, in milliseconds.
const MIN_LEFT_MS: i64 = 1000;
/// Score that a move may lose against the best one and still be a choice, in centipawns.
const NEAR: i32 = 60;
/// Plies and nodes of the look at the choices.
const DEPTH: u32 = 2;
const NODES: u64 = 2000;
/// Half-moves of the opening, which people play faster.
const OPENING: usize = 12;

/// Takes the time of a person.
pub struct Pace<P: Variant> {
    elo: u32,
    scorer: MoveScorer<P>,
}

impl<P: Variant> Pace<P> {
    /// The pace of a person of `elo`.
    ///
    /// # Errors
    /// [`OutOfMemoryError`] if there is no memory for the table of its search.
    pub fn new(elo: u32) -> Result<Pace<P>, OutOfMemoryError> {
        Ok(Pace { elo, scorer: MoveScorer::new(0)? })
    }

    /// The time for a move in `game`, from the beginning of the limits on. Zero without a clock or a choice, and where the
    /// time of the move is given.
    pub fn time(&mut self, game: &Game<P>, limits: &Limits) -> Duration {
        if limits.move_time.is_some() {
            return Duration::ZERO;
        }
        let turn = game.now().turn();
        let Some(left) = limits.clock.get(turn).filter(|&left| left >= MIN_LEFT_MS) else {
            return Duration::ZERO;
        };
        let choice = self.choice(game);
        let moves = limits.moves_to_go.map_or(MOVES_LEFT, |moves| f64::from(moves.max(1)) + 2.0);
        let increment = (*limits.increment.get(turn)).max(0) as f64;
        let usual = left as f64 / moves.min(MOVES_LEFT) + INCREMENT_SHARE * increment;
        // Weak players take less trouble.
        let trouble = (0.4 + f64::from(self.elo) / 3000.0).clamp(0.5, 1.1);
        let mood = 0.7 + (game.now().key() >> 56) as f64 / 256.0 * 0.8;
        let most = left as f64 * MAX_SHARE;
        Duration::from_millis((usual * trouble * mood * choice).min(most) as u64)
    }

    /// How much there is to choose, from 0 to 1.3.
    fn choice(&mut self, game: &Game<P>) -> f64 {
        if game.position().legal_moves().len() < 2 {
            return 0.0;
        }
        let (candidates, _) = self.scorer.score_moves(game, &Limits::default(), DEPTH, NODES);
        let Some(best) = candidates.first() else { return 0.0 };
        let is_near = |c: &&Candidate| c.settled() >= best.settled() - NEAR;
        let near: Vec<Move> = candidates.iter().filter(is_near).map(|c| c.m).collect();
        // A recapture, or a gift: all good moves capture on one square.
        if near.iter().all(|m| m.is_capture() && m.to() == best.m.to()) {
            return 0.0;
        }
        let opening = if game.past().len() < OPENING { 0.5 } else { 1.0 };
        match near.len() {
            1 => 0.4,
            2 => 0.8 * opening,
            3 | 4 => opening,
            _ => 1.3 * opening,
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{ByColor, CastlingMode, Chess};

    use super::*;
    use crate::rules::setup::{self, Start};

    /// The time for a move with `left` milliseconds on both clocks.
    fn time(fen: &str, left: i64) -> Duration {
        time_within(fen, left, None)
    }

    /// The same where the time of the move may be given.
    fn time_within(fen: &str, left: i64, move_time: Option<i64>) -> Duration {
        let start = Start::Fen(fen.to_string());
        let game = setup::game::<Chess>(&start, &[], CastlingMode::Standard).unwrap().0;
        let clock = ByColor { white: Some(left), black: Some(left) };
        let limits = Limits { clock, move_time, ..Limits::default() };
        Pace::new(1500).unwrap().time(&game, &limits)
    }

    const RICH: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8";
    const FORCED: &str = "7k/8/8/8/8/8/1r6/K7 w - - 0 1";
    const RECAPTURE: &str = "r1bqkb1r/1ppp1ppp/p1B2n2/4p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 4";

    #[test]
    fn a_person_thinks_where_there_is_a_choice() {
        let minute = 60_000;
        assert_eq!(time(FORCED, minute), Duration::ZERO);
        assert_eq!(time_within(RICH, 10 * minute, Some(100)), Duration::ZERO, "100 ms are given");
        assert_eq!(time(RECAPTURE, minute), Duration::ZERO);
        let rich = time(RICH, minute);
        assert!(rich > Duration::from_millis(500), "{rich:?}");
    }

    #[test]
    fn nobody_thinks_until_the_flag_falls() {
        for left in [-5, 0, 999] {
            assert_eq!(time(RICH, left), Duration::ZERO);
        }
        for left in [1000, 5000, 600_000, i64::MAX] {
            let share = time(RICH, left).as_millis() as f64 / left as f64;
            assert!(share <= MAX_SHARE && share > 0.01, "{left}: {share}");
        }
    }
}
