//! `engine selfplay`: games against itself, written down for `engine tune`.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use shakmaty::variant::Variant;

use super::{Done, evaluator_called};
use crate::arena::{Openings, Side};
use crate::limits::Limits;
use crate::rules::Rules;
use crate::rules::variant::{self, Task};
use crate::search::Options;
use crate::shell::progress::{Progress, Unit};
use crate::training::record::{self, BYTES};
use crate::training::selfplay;

/// What to play.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Games to add to the file.
    pub games: usize,
    /// Nodes a move.
    pub nodes: u64,
    /// The file; it is added to if it is there.
    pub output: PathBuf,
    /// Random half-moves of an opening.
    pub plies: usize,
    /// Chooses the openings, together with the size of the file.
    pub seed: u64,
    /// Games at the same time.
    pub threads: usize,
    /// The evaluation to play with: `linear`, `tables`, or a file of tables.
    pub evaluation: String,
    /// The rules to play by.
    pub variant: Variant,
}

impl Task for &Plan {
    type Outcome = Done;

    fn run<P: Rules>(self) -> Done {
        play::<P>(self)
    }
}

/// Plays, and adds every game's positions to the file as soon as it is over, so that an
/// interruption loses no finished game and the same command goes on with new ones.
///
/// # Errors
/// A rule set whose positions the file cannot hold, a file that cannot be read or written, tables
/// that make no sense, too little memory.
pub fn run(plan: &Plan) -> Done {
    super::refuse_without_kings(plan.variant)?;
    variant::with(plan.variant, plan)
}

fn play<P: Rules>(plan: &Plan) -> Done {
    let evaluator = evaluator_called(&plan.evaluation, plan.variant)?;
    let (mut file, known) = open(&plan.output)?;
    let limits = Limits::nodes(plan.nodes);
    let side = Side { evaluator, options: Options::default(), limits };
    let seed = plan.seed ^ known.rotate_left(32);
    let openings = Openings::<P>::unscreened(seed, plan.plies);
    let progress = Progress::new(plan.games as u64, Unit::Count("games"));
    let mut positions = 0u64;
    let mut fault = None;
    selfplay::play(&side, &openings, plan.games, plan.threads, |records| {
        let written = record::write(&mut file, &records).and_then(|()| file.flush());
        positions += records.len() as u64;
        let speed = positions as f64 / progress.elapsed().as_secs_f64().max(0.001);
        progress.message(format!("{positions} positions, {speed:.0} a second"));
        progress.add(1);
        fault = written.err();
        fault.is_none()
    })?;
    drop(progress);
    if let Some(fault) = fault {
        return Err(format!("{}: {fault}", plan.output.display()).into());
    }
    let total = known / BYTES as u64 + positions;
    super::print(&format!("{positions} positions added, {total} in {}", plan.output.display()))
}

/// Opens the file for adding and cuts off what an interruption left of a record. Returns its
/// size too.
fn open(path: &PathBuf) -> Result<(BufWriter<File>, u64), String> {
    let opened = OpenOptions::new().create(true).append(true).open(path).and_then(|file| {
        let size = file.metadata()?.len();
        let whole = size - size % BYTES as u64;
        file.set_len(whole)?;
        Ok((BufWriter::new(file), whole))
    });
    opened
        .map_err(|fault| format!("{}: {fault}; choose a file that can be written", path.display()))
}
