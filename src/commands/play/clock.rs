//! The clocks of a game in the terminal.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use shakmaty::{ByColor, Color};

use engine::limits::Limits;

/// The longest time for a game, in minutes.
const MOST_MINUTES: f64 = 24.0 * 60.0;
/// The longest increment, in seconds.
const MOST_INCREMENT: f64 = 3600.0;

/// A time control: a time for the whole game and an increment per move, written `5+3` (minutes, seconds).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The time for the game.
    pub base: Duration,
    /// The increment per move.
    pub increment: Duration,
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeControl, String> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let read = |text: &str, most: f64| {
            text.trim().parse().ok().filter(|value: &f64| (0.0..=most).contains(value))
        };
        let minutes = read(base, MOST_MINUTES).filter(|&minutes| minutes > 0.0);
        match (minutes, read(increment, MOST_INCREMENT)) {
            (Some(minutes), Some(seconds)) => Ok(TimeControl {
                base: Duration::from_secs_f64(60.0 * minutes),
                increment: Duration::from_secs_f64(seconds),
            }),
            _ => Err("write minutes+seconds, as in 5+3 or 0.5+0".to_string()),
        }
    }
}

impl fmt::Display for TimeControl {
    /// As a PGN writes it: seconds+seconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// Both clocks, one of which runs.
#[derive(Clone, Debug)]
pub struct Clocks {
    control: TimeControl,
    left: ByColor<Duration>,
    since: Instant,
}

impl Clocks {
    /// The clocks of a game, of which that of the side to move runs from now on.
    pub fn new(control: TimeControl) -> Clocks {
        let left = ByColor { white: control.base, black: control.base };
        Clocks { control, left, since: Instant::now() }
    }

    /// Starts the clock of the side to move afresh, with `left` on each side's clock where it is known.
    pub fn restart(&mut self, left: ByColor<Option<Duration>>) {
        for color in Color::ALL {
            *self.left.get_mut(color) = left.get(color).unwrap_or(self.control.base);
        }
        self.since = Instant::now();
    }

    /// The time left to the side whose clock runs.
    pub fn left(&self, turn: Color) -> Duration {
        self.left.get(turn).saturating_sub(self.since.elapsed())
    }

    /// Both times with the running clock of `turn`.
    pub fn both(&self, turn: Color) -> ByColor<Duration> {
        ByColor::new_with(
            |color| {
                if color == turn { self.left(turn) } else { *self.left.get(color) }
            },
        )
    }

    /// `turn` has moved: its clock stops and gains the increment, the other starts. Returns what is left.
    pub fn press(&mut self, turn: Color) -> Duration {
        let left = self.left(turn) + self.control.increment;
        *self.left.get_mut(turn) = left;
        self.since = Instant::now();
        left
    }

    /// The limits of a search for `turn`.
    pub fn limits(&self, turn: Color) -> Limits {
        let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        let both = self.both(turn);
        let increment = millis(self.control.increment);
        Limits {
            clock: ByColor::new_with(|color| Some(millis(*both.get(color)))),
            increment: ByColor { white: increment, black: increment },
            ..Limits::default()
        }
    }
}

/// A time as people read it: 4:05, or 0:09.3 below twenty seconds.
pub fn readable(time: Duration) -> String {
    let seconds = time.as_secs();
    let text = format!("{}:{:02}", seconds / 60, seconds % 60);
    if seconds < 20 { format!("{text}.{}", time.subsec_millis() / 100) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_minutes_and_seconds() {
        let control: TimeControl = "5+3".parse().unwrap();
        assert_eq!((control.base.as_secs(), control.increment.as_secs()), (300, 3));
        assert_eq!(control.to_string(), "300+3");
        assert_eq!("0.5".parse::<TimeControl>().unwrap().base.as_secs(), 30);
        for text in ["", "+", "0+1", "-5+3", "5+-3", "five", "1e9+0", "nan"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_that_was_pressed_keeps_its_time_and_the_increment() {
        let control =
            TimeControl { base: Duration::from_secs(60), increment: Duration::from_secs(2) };
        let mut clocks = Clocks::new(control);
        let white = clocks.press(Color::White);
        assert!(white > Duration::from_secs(60) && white <= Duration::from_secs(62));
        assert_eq!(clocks.both(Color::Black).white, white);
        let left = ByColor { white: Some(Duration::ZERO), black: None };
        clocks.restart(left);
        assert_eq!(clocks.left(Color::White), Duration::ZERO);
    }

    #[test]
    fn times_are_readable() {
        assert_eq!(readable(Duration::from_secs(245)), "4:05");
        assert_eq!(readable(Duration::from_millis(9370)), "0:09.3");
    }
}
