//! `engine tune`: fits the king tables to recorded positions.

use std::path::PathBuf;

use clap::Args;

use super::data::report_faults;
use super::{Done, RulesArgs, ThreadsArgs, counted, print, refuse_without_kings};
use engine::evaluation::variants::{Task, with_rules};
use engine::evaluation::{Variant, tables};
use shell::files::{self, FileKind};
use shell::interrupt;
use shell::progress::note;
use workshop::training::files::DataFile;
use workshop::training::record::Record;
use workshop::training::tables::{self as fit, FitOptions};

/// Rounds between two lines of progress.
const LINE_EVERY: usize = 10;

/// Fewer positions than this teach their own accidents: some twenty games, of which two are held out.
const MIN_POSITIONS: usize = 1000;

/// True if the loss on positions held out, round by round, has fallen.
fn has_learned(losses: &[f64]) -> bool {
    let [first, later @ ..] = losses else { return false };
    later.iter().any(|loss| loss < first)
}

/// Fitted tables as text.
const TABLES: FileKind = FileKind {
    name: "a file of tables",
    matches: |head| tables::HEADING.as_bytes().iter().zip(head).all(|(a, b)| a == b),
};

/// Arguments of `tune`.
#[derive(Debug, Args)]
pub struct TuneArgs {
    /// Files of positions that selfplay wrote
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write the tables to
    #[arg(short, long, value_name = "TABLES")]
    output: PathBuf,
    /// Replace the file even if it is an input or holds something else
    #[arg(long)]
    force: bool,
    /// Share of the target that is the game's result, 0 to 1; the rest is the search's score
    #[arg(long, default_value_t = 0.4, value_parser = super::share)]
    result_share: f64,
    #[command(flatten)]
    rules: RulesArgs,
    /// Rounds at most; the fit ends earlier once held-out positions are predicted no better
    #[arg(long, default_value_t = 400)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    #[command(flatten)]
    threads: ThreadsArgs,
}

impl TuneArgs {
    /// Reads the records, fits tables to them and writes those to the output.
    pub fn run(self) -> Done {
        with_rules(self.rules.rule_set, &self)
    }

    fn records(&self) -> Result<Vec<Record>, Box<dyn std::error::Error>> {
        let mut records = Vec::new();
        for path in &self.files {
            let mut file = DataFile::open(path, self.rules.rule_set)?;
            let keep = |bytes: &[u8]| {
                records.extend(Record::read(bytes));
                true
            };
            let census = file.for_each(keep, |_| {})?;
            report_faults(path, &census);
            file.trust(&census)?;
        }
        if records.is_empty() {
            return Err("there are no records in these files; engine selfplay writes some".into());
        }
        Ok(records)
    }
}

impl Task for &TuneArgs {
    type Outcome = Done;

    fn run<P: Variant>(self) -> Done {
        refuse_without_kings::<P>()?;
        interrupt::watch();
        let mut output = files::OutputFile::create(&self.output, TABLES, &self.files, self.force)?;
        let records = self.records()?;
        if records.len() < MIN_POSITIONS {
            let count = counted(records.len() as u64, "position");
            return Err(format!(
                "{count} prove nothing; record at least {MIN_POSITIONS} with engine selfplay"
            )
            .into());
        }
        let scale = fit::best_scale(&records);
        let count = records.len();
        note(&format!("{count} positions; {scale:.0} centipawns win ten games in eleven"));
        let options = FitOptions {
            result_share: self.result_share,
            rounds: self.rounds as usize,
            threads: self.threads.count(),
            ..FitOptions::default()
        };
        let mut losses: Vec<f64> = Vec::new();
        let fitted = fit::fit::<P>(&records, scale, &options, |round| {
            losses.push(round.held_out);
            if round.number == 1 || round.number % LINE_EVERY == 0 {
                let (number, training, held_out) = (round.number, round.training, round.held_out);
                note(&format!("round {number:>4}: training {training:.6}, held out {held_out:.6}"));
            }
            !interrupt::is_set()
        });
        if !has_learned(&losses) {
            let error = "nothing better than the material alone was found, and no tables are \
                         written; record more games";
            return Err(error.into());
        }
        output.write_text(&tables::write_for::<P>(&fitted))?;
        output.finish()?;
        print(&format!("tables written to {}", self.output.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_that_predicts_no_better_has_learned_nothing() {
        assert!(has_learned(&[0.2, 0.21, 0.19]));
        for losses in [&[][..], &[0.2], &[0.2, 0.2], &[f64::NAN, 0.1], &[0.2, f64::NAN]] {
            assert!(!has_learned(losses), "{losses:?}");
        }
    }
}
