//! SPSA: parameters of the search, tuned by games.
//!
//! Each pair of games moves all parameters at once by a random step, up for one side and down for the other, and
//! the result moves them a little towards the winner. So the price of a run does not depend on the number of
//! parameters. Source: Spall, "Implementation of the simultaneous perturbation algorithm for stochastic
//! optimization", IEEE TAES 34(3), 1998; for chess engines Kiiski, 2011, whose choice of the constants is
//! OpenBench's too.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use rand::RngExt;
use shakmaty::Color;

use super::{GameRunner, Openings, Side, numbered_rng, on_threads};
use engine::evaluation::Variant;
use engine::search::Options;
use engine::search::parameters::{Parameters, Tunable};
use engine::search::table::OutOfMemoryError;

/// Exponent of the decay of the learning rate (Spall's).
const RATE_DECAY: f64 = 0.602;
/// Exponent of the decay of the steps (Spall's).
const STEP_DECAY: f64 = 0.101;
/// Share of the run that the learning rate begins as if it had behind it.
const STABILITY: f64 = 0.1;
/// First word of a file.
const MARK: &str = "SPSA:";

/// A tuning run under way.
#[derive(Clone, PartialEq, Debug)]
pub struct Spsa {
    knobs: Vec<Knob>,
    /// Pairs of games of the whole run.
    pairs: u64,
    /// Pairs played.
    done: u64,
    /// Seed of the steps.
    seed: u64,
    /// The learning rate of the last pair: steps by which a won game moves a parameter.
    rate: f64,
}

/// A parameter with its present value.
#[derive(Clone, PartialEq, Debug)]
struct Knob {
    tunable: Tunable,
    value: f64,
}

/// A file that is no state of the run.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpsaFileError {
    /// The file was not written by a tuning run.
    #[error("this is not the file of a tuning run")]
    Foreign,
    /// The run had other games, parameters or ranges.
    #[error(
        "this run had other parameters or another number of games; name the same ones, or begin anew with --force instead of --resume"
    )]
    OtherRun,
}

/// Two settings to be compared by a pair of games.
struct Trial {
    /// The pair's number, from 0.
    number: u64,
    /// For each parameter the step of the first side; the second side's is the opposite.
    steps: Vec<f64>,
    sides: [Parameters; 2],
}

impl Spsa {
    /// A run of `pairs` pairs of games over these parameters, which begin with their defaults.
    pub fn new(
        tunables: impl IntoIterator<Item = Tunable>,
        pairs: u64,
        seed: u64,
        rate: f64,
    ) -> Spsa {
        let knob = |tunable: Tunable| Knob { tunable, value: tunable.default.into() };
        Spsa { knobs: tunables.into_iter().map(knob).collect(), pairs, done: 0, seed, rate }
    }

    /// Pairs of games played, and those of the whole run.
    pub fn progress(&self) -> [u64; 2] {
        [self.done, self.pairs]
    }

    /// The parameters with their present values.
    pub fn values(&self) -> impl Iterator<Item = (Tunable, f64)> {
        self.knobs.iter().map(|knob| (knob.tunable, knob.value))
    }

    /// The state as text: pairs played, then each parameter with its value.
    pub fn write(&self) -> String {
        let mut text = format!("{MARK} {} of {} pairs of games\n", self.done, self.pairs);
        for Knob { tunable, value } in &self.knobs {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{} {value}", tunable.name);
        }
        text
    }

    /// True if a file that begins with `head` is the state of a run.
    pub fn is_state(head: &[u8]) -> bool {
        head.starts_with(MARK.as_bytes())
    }

    /// Takes up the state that `text` holds.
    ///
    /// # Errors
    /// [`SpsaFileError`] if it is no state of this run; nothing has changed then.
    pub fn resume(&mut self, text: &str) -> Result<(), SpsaFileError> {
        let mut lines = text.lines();
        let first: Vec<&str> = lines.next().unwrap_or_default().split_whitespace().collect();
        let [MARK, done, "of", pairs, ..] = first[..] else { return Err(SpsaFileError::Foreign) };
        let number = |text: &str| text.parse::<u64>().map_err(|_| SpsaFileError::Foreign);
        let (done, pairs) = (number(done)?, number(pairs)?);
        let mut knobs = self.knobs.clone();
        for knob in &mut knobs {
            let line = lines.next().ok_or(SpsaFileError::OtherRun)?;
            let (name, value) = line.split_once(' ').ok_or(SpsaFileError::Foreign)?;
            let value: f64 = value.trim().parse().map_err(|_| SpsaFileError::Foreign)?;
            if name != knob.tunable.name || !knob.tunable.contains(value) {
                return Err(SpsaFileError::OtherRun);
            }
            knob.value = value;
        }
        if pairs != self.pairs || done > pairs || lines.next().is_some() {
            return Err(SpsaFileError::OtherRun);
        }
        (self.knobs, self.done) = (knobs, done);
        Ok(())
    }

    /// The settings of pair `number`.
    fn trial(&self, number: u64) -> Trial {
        let mut rng = numbered_rng(self.seed, number);
        let shrunk = (self.pairs as f64 / (number + 1) as f64).powf(STEP_DECAY);
        let mut sides = [Parameters::default(), Parameters::default()];
        let mut steps = Vec::with_capacity(self.knobs.len());
        for Knob { tunable, value } in &self.knobs {
            let size = f64::from(tunable.step) * shrunk;
            let step = if rng.random() { size } else { -size };
            for (parameters, target) in sides.iter_mut().zip([value + step, value - step]) {
                // Rounded at random, so that a step below one has an effect on average.
                let rounded = (target + rng.random::<f64>()).floor() as i32;
                parameters.set(tunable.name, rounded.clamp(tunable.min, tunable.max));
            }
            steps.push(step);
        }
        Trial { number, steps, sides }
    }

    /// Moves the parameters by the result of a trial: games won less games lost by the first side.
    fn learn(&mut self, trial: &Trial, gain: f64) {
        let last = self.pairs as f64;
        let behind = STABILITY * last;
        let rate =
            self.rate * ((behind + last) / (behind + (trial.number + 1) as f64)).powf(RATE_DECAY);
        for (Knob { tunable, value }, &step) in self.knobs.iter_mut().zip(&trial.steps) {
            // The rate counts the parameter's own steps; the trial's were greater by this much.
            let size = f64::from(tunable.step);
            let moved = *value + rate * gain * size * size / step;
            *value = moved.clamp(tunable.min.into(), tunable.max.into());
        }
        self.done += 1;
    }
}

/// Plays the rest of the run on `threads` threads. Both sides are `side` with other parameters. `watch` sees the
/// state after every pair; it returns false to end the run early. On one thread the same run gives the same
/// values.
///
/// # Errors
/// [`OutOfMemoryError`] if there is no memory for the transposition tables.
pub fn tune<P: Variant>(
    spsa: &mut Spsa,
    side: &Side<P>,
    openings: &Openings<P>,
    threads: usize,
    watch: impl FnMut(&Spsa) -> bool + Send,
) -> Result<(), OutOfMemoryError> {
    let pairs = spsa.pairs;
    let next = spsa.done;
    let shared = Mutex::new((spsa, next, watch));
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    on_threads(threads, || {
        let mut runner = GameRunner::new([side, side])?;
        let mut finder = openings.finder()?;
        loop {
            let trial = {
                let (spsa, next, _) = &mut *lock();
                if *next >= pairs {
                    return Ok(());
                }
                *next += 1;
                spsa.trial(*next - 1)
            };
            let options = |parameters| Options { parameters, ..side.options.clone() };
            runner.set_options(trial.sides.clone().map(options));
            let opening = finder.opening(trial.number as usize);
            let points = [Color::White, Color::Black].map(|color| {
                let white = color.fold_wb(0, 1);
                runner.play(&opening, white, |_, _, _, _| {}).points(color)
            });
            let gain = points.iter().sum::<usize>() as f64 - 2.0;
            let (spsa, next, watch) = &mut *lock();
            spsa.learn(&trial, gain);
            if !watch(spsa) {
                *next = pairs;
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::search::parameters::TUNABLES;
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    fn tunable(name: &str) -> Tunable {
        *TUNABLES.iter().find(|tunable| tunable.name == name).unwrap()
    }

    fn run(pairs: u64) -> Spsa {
        Spsa::new(["futility_margin", "reduction_base"].map(tunable), pairs, 7, 0.002)
    }

    fn values(spsa: &Spsa) -> Vec<f64> {
        spsa.values().map(|(_, value)| value).collect()
    }

    #[test]
    fn both_sides_lie_a_step_from_the_present_values_and_inside_the_range() {
        let mut spsa = run(100);
        for number in 0..100 {
            spsa.knobs[1].value = if number % 2 == 0 { 800.0 } else { 0.0 };
            let Trial { steps, sides: [first, second], .. } = spsa.trial(number);
            assert!(steps.iter().zip([10.0, 80.0]).all(|(step, least)| step.abs() >= least));
            let futility = f64::from(first.futility_margin - second.futility_margin);
            assert!((futility - 2.0 * steps[0]).abs() < 2.0, "each side is rounded: {number}");
            assert!(first.reduction_base >= 0 && second.reduction_base >= 0);
            let others = Parameters { futility_margin: 90, reduction_base: 800, ..first };
            assert_eq!(others, Parameters::default());
        }
    }

    #[test]
    fn the_steps_shrink_to_those_of_the_parameters() {
        let spsa = run(1000);
        let size = |number| spsa.trial(number).steps[0].abs();
        assert!(size(0) > size(500) && (size(999) - 10.0).abs() < 1e-9);
    }

    #[test]
    fn the_values_move_to_the_winners_and_stay_in_their_ranges() {
        // The side that is nearer to 120 and 700 wins, the more often the nearer.
        let mut spsa = run(20_000);
        let mut rng = SmallRng::seed_from_u64(1);
        let distance = |p: &Parameters| {
            let off = |value: i32, best: i32, step: f64| (f64::from(value - best) / step).powi(2);
            off(p.futility_margin, 120, 10.0) + off(p.reduction_base, 700, 80.0)
        };
        for number in 0..20_000 {
            let trial = spsa.trial(number);
            let [first, second] = trial.sides.each_ref().map(distance);
            let share = 1.0 / (1.0 + (0.1 * (first - second)).exp());
            spsa.learn(&trial, if rng.random::<f64>() < share { 1.0 } else { -1.0 });
        }
        let [futility, base] = values(&spsa)[..] else { panic!() };
        assert!((futility - 120.0).abs() < 8.0 && (base - 700.0).abs() < 64.0, "{futility} {base}");
        for number in 0..20_000 {
            let trial = spsa.trial(number);
            spsa.learn(&trial, 100.0 * trial.steps[0].signum());
        }
        assert_eq!(values(&spsa)[0], 300.0, "the greatest value allowed");
    }

    #[test]
    fn a_run_goes_on_from_its_text_and_from_no_other() {
        let mut spsa = run(50);
        for number in 0..20 {
            let trial = spsa.trial(number);
            spsa.learn(&trial, 2.0);
        }
        let text = spsa.write();
        assert!(Spsa::is_state(text.as_bytes()) && !Spsa::is_state(b"# notes"));
        let mut again = run(50);
        again.resume(&text).unwrap();
        assert_eq!(again, spsa);
        let foreign =
            ["", "notes", "SPSA: many of 50 pairs", "SPSA: 1 of 50 pairs\nfutility_margin x"];
        let other = [
            text.replace("reduction_base", "reduction_pv"),
            text.replace("of 50", "of 60"),
            text.replace("20 of", "51 of"),
            text.replace("reduction_base ", "reduction_base 9"),
            text.replace("reduction_base ", "reduction_base NaN"),
            text.lines().take(2).collect(),
            format!("{text}more\n"),
        ];
        for text in foreign {
            assert_eq!(again.resume(text), Err(SpsaFileError::Foreign), "{text}");
        }
        for text in other {
            assert!(again.resume(&text).is_err(), "{text}");
        }
        assert_eq!(again, spsa, "nothing has changed");
    }
}
