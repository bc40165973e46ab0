//! Time management. Pure arithmetic over limits and confidence; only [`Stopwatch`] reads a real clock.

use std::fmt;

use web_time::{Duration, Instant};

use shakmaty::Color;

use crate::limits::Limits;

/// Moves that the rest of a game without a time control is planned for.
const HORIZON: f64 = 26.0;
/// Share of the increment that may be planned in.
const INCREMENT_SHARE: f64 = 0.8;
/// Overheads kept in reserve against delays of the machine: at the default, a twentieth of a second …
const RESERVE_OVERHEADS: f64 = 10.0;
/// … but never more than this share of the time left.
const RESERVE_SHARE: f64 = 0.75;
/// The hard limit as a multiple of the soft one.
const HARD_FACTOR: f64 = 4.0;
/// Share of the time left that the last move before a time control may cost.
const LAST_MOVE_SHARE: f64 = 0.9;
/// Share of the time left that any other move may cost.
const HARD_SHARE: f64 = 0.4;
/// Factor of a move that has just become the best.
const UNSTABLE: f64 = 1.25;
/// What each iteration that keeps the best move takes off that factor …
const STABLE_STEP: f64 = 0.08;
/// … and how many of them count.
const STABLE_MAX: u32 = 8;
/// Centipawns of a fall of the score that would double the time …
const DROP_DOUBLES: f64 = 100.0;
/// … and how many of them count: a lost game needs no more thought than one that is being lost.
const DROP_MAX: i32 = 60;
/// Factor of a best move that took hardly any nodes: its rivals are still being refuted.
const CONTESTED: f64 = 2.0;
/// What a best move that took all nodes takes off that factor.
const UNCONTESTED: f64 = 1.4;
/// Bounds of the product.
const FACTORS: (f64, f64) = (0.35, 2.2);

/// The search's confidence in its move, as far as time is concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Confidence {
    /// Iterations in a row that kept the best move.
    pub stable_iterations: u32,
    /// Centipawns that the score fell below the average of the last iterations.
    pub score_drop: i32,
    /// Share of all nodes that went into the best move, 0 to 1.
    pub best_move_share: f64,
}

/// The time for one move, in milliseconds since the search began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// No new iteration begins after this, times the factor for the confidence; `None`: no limit.
    soft: Option<f64>,
    /// The search stops here; `None`: no limit.
    hard: Option<f64>,
}

impl Clock {
    /// Plans the time of a move for `turn`; `overhead` milliseconds are lost on the way to the client.
    pub fn new(limits: &Limits, turn: Color, overhead: u64) -> Clock {
        let overhead = overhead as f64;
        let mut clock = Clock { soft: None, hard: None };
        if let Some(left) = limits.time_left(turn) {
            let left = (left as f64 - overhead).max(1.0);
            // A delay that comes once in a game would otherwise come in its last seconds.
            let left = left - (RESERVE_OVERHEADS * overhead).min(RESERVE_SHARE * left);
            // The overhead comes out of the increment first. Planning with all of the rest would leave no
            // reserve against delays of the machine.
            let increment = (*limits.increment.get(turn) as f64 - overhead).max(0.0);
            let horizon =
                limits.moves_to_go.map_or(HORIZON, |moves| f64::from(moves.max(1)).min(HORIZON));
            let is_last = limits.moves_to_go == Some(1);
            let share = if is_last { LAST_MOVE_SHARE } else { HARD_SHARE };
            let soft = (left / horizon + INCREMENT_SHARE * increment).min(left * share);
            clock.soft = Some(soft);
            clock.hard = Some((soft * HARD_FACTOR).min(left * share).max(1.0));
        }
        if let Some(exact) = limits.move_time {
            // The overhead belongs to the client's time; of very short times it takes only a part.
            let exact = (exact as f64 - overhead.min(exact as f64 / 4.0)).max(1.0);
            clock.hard = Some(clock.hard.map_or(exact, |hard| hard.min(exact)));
        }
        clock
    }

    /// True if another iteration is worth beginning after `elapsed` milliseconds.
    pub fn allows_iteration(&self, elapsed: f64, confidence: &Confidence) -> bool {
        self.soft.is_none_or(|soft| elapsed < soft * factor(confidence)) && !self.is_out(elapsed)
    }

    /// True once the search must stop.
    pub fn is_out(&self, elapsed: f64) -> bool {
        self.hard.is_some_and(|hard| elapsed >= hard)
    }

    /// True if time is limited.
    pub fn is_running(&self) -> bool {
        self.soft.is_some() || self.hard.is_some()
    }
}

/// The multiple of the soft limit: less time for a move that has long been clear, more when the score
/// falls.
fn factor(confidence: &Confidence) -> f64 {
    let stable = f64::from(confidence.stable_iterations.min(STABLE_MAX));
    let stability = UNSTABLE - STABLE_STEP * stable;
    let drop = 1.0 + f64::from(confidence.score_drop.clamp(0, DROP_MAX)) / DROP_DOUBLES;
    let share = CONTESTED - UNCONTESTED * confidence.best_move_share.clamp(0.0, 1.0);
    (stability * drop * share).clamp(FACTORS.0, FACTORS.1)
}

impl fmt::Display for Clock {
    /// `soft 120 ms, hard 480 ms`, or `no clock`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.soft, self.hard) {
            (Some(soft), Some(hard)) => write!(f, "soft {soft:.0} ms, hard {hard:.0} ms"),
            (None, Some(hard)) => write!(f, "hard {hard:.0} ms"),
            (_, None) => f.write_str("no clock"),
        }
    }
}

/// A clock with the moment at which it was started.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    clock: Clock,
    start: Instant,
}

impl Stopwatch {
    /// Starts the clock now.
    pub fn start(clock: Clock) -> Stopwatch {
        Stopwatch { clock, start: Instant::now() }
    }

    /// The clock of a move of `turn` within `limits`, running since they [began](Limits::started).
    pub fn of(limits: &Limits, turn: Color, overhead: u64) -> Stopwatch {
        let start = limits.started.unwrap_or_else(Instant::now);
        Stopwatch { clock: Clock::new(limits, turn, overhead), start }
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// True for the clock of a game, where saved time serves later moves.
    pub fn is_game_clock(&self) -> bool {
        self.clock.soft.is_some()
    }

    /// True once the search must stop.
    pub fn is_out(&self) -> bool {
        self.clock.is_running() && self.clock.is_out(self.elapsed().as_secs_f64() * 1000.0)
    }

    /// True if another iteration is worth beginning.
    pub fn allows_iteration(&self, confidence: &Confidence) -> bool {
        self.clock.allows_iteration(self.elapsed().as_secs_f64() * 1000.0, confidence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::ByColor;

    const CALM: Confidence =
        Confidence { stable_iterations: 4, score_drop: 0, best_move_share: 0.6 };

    fn clock(left: i64, increment: i64, moves_to_go: Option<u32>) -> Clock {
        let limits = Limits {
            clock: ByColor { white: Some(left), black: None },
            increment: ByColor { white: increment, black: 0 },
            moves_to_go,
            ..Limits::default()
        };
        Clock::new(&limits, Color::White, 5)
    }

    /// Plays a whole game in which every move costs all that the hard limit allows.
    fn plays_on(mut left: f64, increment: f64, lag: f64, moves: usize) -> bool {
        for _ in 0..moves {
            let clock = clock(left as i64, increment as i64, None);
            left -= clock.hard.unwrap() + lag;
            if left <= 0.0 {
                return false;
            }
            left += increment;
        }
        true
    }

    #[test]
    fn no_game_is_lost_on_time() {
        assert!(plays_on(1000.0, 10.0, 8.0, 300));
        assert!(plays_on(60_000.0, 0.0, 1.0, 40));
        assert!(plays_on(300_000.0, 3000.0, 10.0, 300));
    }

    /// The time left, in milliseconds, after a long game in which every move costs its soft limit and `lag`.
    fn left_after(mut left: f64, increment: f64, lag: f64) -> f64 {
        for _ in 0..300 {
            left -= clock(left as i64, increment as i64, None).soft.unwrap() + lag;
            left += increment;
        }
        left
    }

    #[test]
    fn a_reserve_is_kept_at_the_shortest_time_controls() {
        let left = left_after(1000.0, 10.0, 4.0);
        assert!(left > 70.0, "{left}");
    }

    #[test]
    fn a_client_slower_than_the_overhead_is_survived() {
        let left = left_after(2000.0, 20.0, 15.0);
        assert!(left > 50.0, "{left}");
    }

    #[test]
    fn an_empty_or_negative_clock_still_gets_a_moment() {
        for left in [0, -5000, i64::MIN] {
            let clock = clock(left, 0, None);
            assert!(!clock.is_out(0.5) && clock.is_out(1.5), "{left}: {clock:?}");
        }
    }

    #[test]
    fn without_a_clock_nothing_ends_the_search() {
        let clock = Clock::new(&Limits::default(), Color::White, 10);
        assert!(!clock.is_running() && clock.allows_iteration(1e12, &CALM) && !clock.is_out(1e12));
    }

    #[test]
    fn a_move_time_is_used_but_not_overrun() {
        let limits = Limits { move_time: Some(1000), ..Limits::default() };
        let clock = Clock::new(&limits, Color::Black, 10);
        assert!(clock.allows_iteration(985.0, &CALM) && clock.is_out(990.0));
        // The overhead takes no more than a quarter.
        let clock = Clock::new(&Limits { move_time: Some(8), ..limits }, Color::Black, 10);
        assert!(!clock.is_out(5.9) && clock.is_out(6.0));
    }

    #[test]
    fn trouble_earns_time_and_certainty_saves_it() {
        let clock = clock(60_000, 0, None);
        let sure = Confidence { stable_iterations: 10, score_drop: 0, best_move_share: 0.95 };
        let trouble = Confidence { stable_iterations: 0, score_drop: 80, best_move_share: 0.3 };
        let last = |confidence| {
            (0..60_000)
                .step_by(10)
                .take_while(|&t| clock.allows_iteration(f64::from(t), confidence))
                .last()
                .unwrap()
        };
        assert!(last(&sure) < last(&CALM) && last(&CALM) < last(&trouble));
    }

    #[test]
    fn the_time_control_ahead_is_planned_for() {
        assert!(clock(10_000, 0, Some(1)).soft > clock(10_000, 0, Some(5)).soft);
        assert!(clock(10_000, 0, Some(5)).soft > clock(10_000, 0, None).soft);
        assert!(clock(10_000, 0, Some(1)).hard.unwrap() < 9_500.0);
    }
}
