//! `engine tune`: fits the king tables to recorded positions.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::PathBuf;

use shakmaty::variant::Variant;

use super::Done;
use crate::evaluation::tables::{self, Tables};
use crate::rules::Rules;
use crate::rules::variant::{self, Task};
use crate::training::record::{self, Record};
use crate::training::tables as fit;

pub use crate::training::tables::Plan;

/// Rounds between two lines of progress.
const LINE_EVERY: usize = 10;

/// A fit that waits for its rules.
struct Fit<'a> {
    records: &'a [Record],
    scale: f64,
    plan: &'a Plan,
}

impl Task for Fit<'_> {
    type Outcome = Tables;

    fn run<P: Rules>(self) -> Tables {
        fit::fit::<P>(self.records, self.scale, self.plan, |round| {
            if round.number == 1 || round.number % LINE_EVERY == 0 {
                let (number, training, held_out) = (round.number, round.training, round.held_out);
                eprintln!("round {number:>4}: training {training:.6}, held out {held_out:.6}");
            }
            true
        })
    }
}

/// Reads the records of `files`, which are from games by the rules of `variant`, fits tables to
/// them and writes those to `output`.
///
/// # Errors
/// Files that cannot be read or written, or hold no records.
pub fn run(files: &[PathBuf], output: &PathBuf, variant: Variant, plan: &Plan) -> Done {
    super::refuse_without_kings(variant)?;
    let mut records = Vec::new();
    for path in files {
        let named = |fault| format!("{}: {fault}", path.display());
        let mut file = BufReader::new(File::open(path).map_err(named)?);
        let (mut read, broken) = record::read(&mut file).map_err(named)?;
        if broken > 0 {
            eprintln!("note: {}: {broken} records make no sense and are left out", path.display());
        }
        records.append(&mut read);
    }
    if records.is_empty() {
        return Err("there are no records in these files; engine selfplay writes some".into());
    }
    let scale = fit::best_scale(&records);
    eprintln!("{} positions; {scale:.0} centipawns win ten games in eleven", records.len());
    let fitted = variant::with(variant, Fit { records: &records, scale, plan });
    fs::write(output, tables::write(&fitted))
        .map_err(|fault| format!("{}: {fault}", output.display()))?;
    super::print(&format!("tables written to {}", output.display()))
}
