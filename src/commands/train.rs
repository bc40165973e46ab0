//! `engine train`: trains a network on recorded positions.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;

use super::{Done, RulesArgs, ThreadsArgs, print};
use engine::evaluation::network::features::KingZones;
use engine::evaluation::network::{Shape, is_network};
use engine::evaluation::variants::{Task, with_rules};
use engine::evaluation::{Network, Variant};
use engine::input;
use shell::files::{self, FileKind, OutputError, OutputFile};
use shell::interrupt;
use shell::lock::OutputLock;
use shell::progress::{Progress, Unit, note};
use workshop::training::network::checkpoint::is_checkpoint;
use workshop::training::network::{Epoch, Goal, Plan, Run, Source, mean};

/// A network.
const NETWORK: FileKind = FileKind { name: "a network", matches: is_network };
/// A checkpoint.
const CHECKPOINT: FileKind = FileKind { name: "a checkpoint", matches: is_checkpoint };
/// Greatest size of a checkpoint, in bytes.
const LARGEST_CHECKPOINT: u64 = 4 << 30;
/// Neurons of a network that begins with random weights.
const HIDDEN: usize = 256;
/// Time between two checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(600);

const TRAIN_HELP: &str = "\
The positions must be in random order: engine data shuffle. One game in 64 is held out, and the loss on
these games is the one to watch.

Ctrl-C writes a checkpoint beside the output and ends; the same command with --resume goes on from there to
the same network, bit by bit. A checkpoint is also written every ten minutes and after each epoch.

Example:
  engine data shuffle games.bin -o shuffled.bin
  engine train shuffled.bin -o new.bin --hidden 512 --zones 4
  engine match --games 1000 --first EvalFile=new.bin

Another rule set learns faster from a network that knows chess:
  engine train shuffled.bin -o new.bin --variant atomic --from chess.net

The loss of a network:
  engine train shuffled.bin -o same.bin --from a.bin --epochs 0

The mean of networks, often better than each of them where there are few positions:
  engine train shuffled.bin -o mean.bin --from a.bin --from b.bin --from c.bin --epochs 0";

/// Arguments of `train`.
#[derive(Debug, Args)]
#[command(after_help = TRAIN_HELP)]
pub struct TrainArgs {
    /// A file of positions in random order
    file: PathBuf,
    /// The file to write the network to
    #[arg(short, long, value_name = "NETWORK")]
    output: PathBuf,
    /// Replace the file even if it is an input or holds something else
    #[arg(long)]
    force: bool,
    /// Go on from the checkpoint of an interrupted run
    #[arg(long)]
    resume: bool,
    /// Begin with the weights of this network, of any rule set, as many neurons or fewer and as many king zones or
    /// one, instead of random ones; given several times, with the mean of these networks
    #[arg(long, value_name = "NETWORK")]
    from: Vec<PathBuf>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Neurons of the hidden layer for each king: a multiple of 64, up to 1024 [default: those of the network
    /// to begin with, else 256]
    #[arg(long, value_parser = hidden)]
    hidden: Option<usize>,
    /// King zones: 1, 4 or 8 [default: those of the network to begin with, else 1]
    #[arg(long, value_parser = zones)]
    zones: Option<KingZones>,
    /// Visits to all positions; 0 only measures the loss of the network to begin with
    #[arg(long, default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=10_000))]
    epochs: u64,
    /// Positions of a step
    #[arg(long, default_value_t = 1024)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    batch: u32,
    /// Learning rate of the first step
    #[arg(long, default_value_t = 1e-3, value_parser = rate)]
    rate: f64,
    /// Learning rate of the last step
    #[arg(long, default_value_t = 1e-5, value_parser = rate)]
    last_rate: f64,
    /// Centipawns that multiply the odds of a win by e
    #[arg(long, default_value_t = 180.0, value_parser = scale)]
    scale: f32,
    /// Share of the target that is the game's result, 0 to 1; the rest is the search's score
    #[arg(long, default_value_t = 0.1, value_parser = super::share)]
    result_share: f64,
    /// Seed of the weights and of the order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArgs,
}

/// Reads the size of the hidden layer.
fn hidden(text: &str) -> Result<usize, String> {
    let hidden = text.parse().ok().filter(|&hidden| Shape::is_hidden_size(hidden));
    hidden.ok_or_else(|| "a multiple of 64, up to 1024".to_string())
}

/// Reads a number of king zones.
fn zones(text: &str) -> Result<KingZones, String> {
    let zones = text.parse().ok().and_then(KingZones::of_count);
    zones.ok_or_else(|| "1, 4 or 8".to_string())
}

/// Reads a learning rate.
fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| (1e-9..=1.0).contains(rate));
    rate.ok_or_else(|| "a number from 1e-9 to 1".to_string())
}

/// Reads a scale in centipawns.
fn scale(text: &str) -> Result<f32, String> {
    let scale = text.parse().ok().filter(|scale| (1.0..=10_000.0).contains(scale));
    scale.ok_or_else(|| "a number from 1 to 10000".to_string())
}

impl TrainArgs {
    /// Trains and writes the network.
    pub fn run(self) -> Done {
        with_rules(self.rules.rule_set, &self)
    }

    /// The plan of a run that begins with this network.
    fn plan<P: Variant>(&self, from: Option<&Network>) -> Plan {
        let known = from.map(Network::shape);
        let hidden = self.hidden.or(known.map(|shape| shape.hidden)).unwrap_or(HIDDEN);
        let zones = self.zones.or(known.map(|shape| shape.zones)).unwrap_or(KingZones::ONE);
        Plan {
            shape: Shape { hidden, zones, extras: P::EXTRAS },
            goal: Goal { scale: self.scale, result_share: self.result_share as f32 },
            epochs: self.epochs,
            batch: self.batch as usize,
            rates: [self.rate, self.last_rate],
            seed: self.seed,
        }
    }

    /// Refuses a checkpoint that is something else, or one of a run that may have cost many hours.
    fn check_checkpoint(&self, checkpoint: &Path, inputs: &[PathBuf]) -> Done {
        files::check_own(checkpoint, CHECKPOINT, inputs)?;
        let is_there = fs::metadata(checkpoint).is_ok_and(|found| found.len() > 0);
        if is_there && !self.resume && !self.force {
            let place = checkpoint.display();
            let remedy = "--resume goes on with it, --force begins anew";
            return Err(format!("{place}: this is the checkpoint of a run; {remedy}").into());
        }
        Ok(())
    }

    /// The run at its beginning or, with `--resume`, where it was interrupted.
    fn prepare<P: Variant>(&self, checkpoint: &Path) -> Result<Run, Box<dyn Error>> {
        let length = fs::metadata(&self.file).map_or(0, |metadata| metadata.len());
        let progress = Progress::new(length, Unit::Bytes);
        progress.message("reading");
        let source = Source::open::<P>(&self.file, |bytes| progress.add(bytes))?;
        drop(progress);
        let known: Result<Vec<Network>, _> =
            self.from.iter().map(|path| Network::open_any(path)).collect();
        let from = mean(known?)?;
        let mut run = Run::new(self.plan::<P>(from.as_ref()), source, self.threads.count())?;
        if let Some(from) = &from {
            run.begin_with(from)?;
        }
        if self.resume {
            let bytes = input::read(checkpoint, LARGEST_CHECKPOINT)
                .map_err(|fault| format!("{}: {fault}", checkpoint.display()))?;
            run.resume(&bytes)?;
        }
        Ok(run)
    }
}

impl Task for &TrainArgs {
    type Outcome = Done;

    fn run<P: Variant>(self) -> Done {
        if self.epochs == 0 && self.from.is_empty() {
            return Err("--epochs 0 needs a network to begin with: --from NETWORK".into());
        }
        let inputs: Vec<PathBuf> =
            [self.file.clone()].into_iter().chain(self.from.clone()).collect();
        let checkpoint = checkpoint_of(&self.output);
        if self.epochs > 0 {
            files::require_file(&self.output)?;
            self.check_checkpoint(&checkpoint, &inputs)?;
        }
        let _lock = OutputLock::of(&self.output)?;
        let mut output = OutputFile::create(&self.output, NETWORK, &inputs, self.force)?;
        let mut run = self.prepare::<P>(&checkpoint)?;
        interrupt::watch();
        let (positions, held_out) = (run.source().positions(), run.source().held_out_positions());
        note(&format!("{positions} positions to learn from, {held_out} of other games held out"));
        if !self.from.is_empty() && !self.resume {
            note(&format!("at first: held out {:.6}", run.held_out_loss::<P>()));
        }
        let [all, done] = run.steps();
        let progress =
            Progress::new((all - done) * u64::from(self.batch), Unit::Count("positions"));
        let mut visited = 0;
        let mut last_checkpoint = Instant::now();
        while !run.is_done() {
            let (positions, epoch) = run.step::<P>()?;
            visited += positions;
            progress.add(self.batch.into());
            if let Some(epoch) = epoch {
                let speed = visited as f64 / progress.elapsed().as_secs_f64().max(0.001);
                progress.remark(&report(&epoch, speed));
            }
            let is_interrupted = interrupt::is_set();
            let is_due = last_checkpoint.elapsed() >= CHECKPOINT_INTERVAL;
            if epoch.is_some() || is_interrupted || is_due {
                save(&checkpoint, &run.checkpoint()?)?;
                last_checkpoint = Instant::now();
            }
            if is_interrupted && !run.is_done() {
                drop(progress);
                let place = checkpoint.display();
                return Err(
                    format!("interrupted; {place} is kept, --resume goes on from it").into()
                );
            }
        }
        drop(progress);
        output.write(&run.file::<P>()?)?;
        output.finish()?;
        if self.epochs > 0 {
            fs::remove_file(&checkpoint)?;
        }
        print(&format!("network written to {}", self.output.display()))
    }
}

fn report(epoch: &Epoch, speed: f64) -> String {
    let Epoch { number, training, held_out } = epoch;
    format!(
        "epoch {number:>3}: loss {training:.6}, held out {held_out:.6}, {speed:.0} positions a second"
    )
}

/// The checkpoint of the network at `output`.
fn checkpoint_of(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_os_string();
    name.push(".checkpoint");
    PathBuf::from(name)
}

/// Writes a checkpoint; a fault leaves the last one in its place.
fn save(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let mut output = files::OutputFile::create(path, CHECKPOINT, &[], false)?;
    output.write(bytes)?;
    output.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Command, FromArgMatches};
    use shakmaty::Chess;

    fn shape(sizes: &[&str], from: Option<&Network>) -> Shape {
        let line = [&["train", "shuffled.bin", "-o", "new.bin"], sizes].concat();
        let matches = TrainArgs::augment_args(Command::new("train")).get_matches_from(line);
        TrainArgs::from_arg_matches(&matches).unwrap().plan::<Chess>(from).shape
    }

    #[test]
    fn the_sizes_are_those_of_the_network_to_begin_with_unless_given() {
        let chess = Network::read(Chess::NETWORK.unwrap()).unwrap();
        let known = chess.shape().clone();
        let from = Some(&chess);
        assert_eq!(shape(&[], from), known);
        let zones = KingZones::of_count(8).unwrap();
        assert_eq!(shape(&["--zones", "8"], from), Shape { zones, ..known.clone() });
        assert_eq!(shape(&["--hidden", "512"], from), Shape { hidden: 512, ..known });
        let plain = Shape { hidden: HIDDEN, zones: KingZones::ONE, extras: 0 };
        assert_eq!(shape(&[], None), plain);
    }
}
