//! `engine bench`: signature and speed of the search.

use clap::Args;

use super::{Done, RulesArgs, print};
use crate::bench;
use crate::settings::Settings;
use crate::shell::interrupt;
use crate::shell::progress::{Progress, Unit};

/// Arguments of `bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Depth of every search, in half-moves
    #[arg(default_value_t = bench::DEFAULT_DEPTH, value_parser = super::positive::<u32>)]
    depth: u32,
    /// Size of the transposition table, in MiB
    #[arg(long, value_name = "MB", default_value_t = bench::DEFAULT_HASH_MB)]
    hash: usize,
    #[command(flatten)]
    rules: RulesArgs,
}

impl BenchArgs {
    /// Runs the bench. The result is the last line of standard output. Each position and the progress go to
    /// standard error.
    pub fn run(self) -> Done {
        let BenchArgs { depth, hash, rules } = self;
        Settings::default().set("Hash", &hash.to_string())?;
        interrupt::watch();
        let positions = bench::positions(rules.rule_set);
        let progress = Progress::new(positions as u64, Unit::Count("positions"));
        let tally = bench::run(rules.rule_set, depth, hash, |step| {
            progress.remark(&step.to_string());
            progress.add(1);
            !interrupt::is_set()
        })?;
        drop(progress);
        eprintln!("{}", tally.character());
        print(&tally.to_string())
    }
}
