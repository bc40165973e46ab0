//! `engine bench`: signature and speed of the search.

use std::sync::Arc;

use clap::Args;

use super::{Done, EvaluationArgs, RulesArgs, print};
use engine::bench;
use engine::evaluation::Variant;
use engine::evaluation::variants::{Task, with_rules};
use engine::search::Signals;
use engine::settings::Settings;
use shell::interrupt;
use shell::progress::{Progress, Unit, note};

/// Arguments of `bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Depth of every search, in half-moves
    #[arg(default_value_t = bench::DEFAULT_DEPTH)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(bench::DEEPEST)))]
    depth: u32,
    /// Size of the transposition table, in MiB
    #[arg(long, value_name = "MB", default_value_t = bench::DEFAULT_HASH_MB)]
    hash: usize,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

impl BenchArgs {
    /// Runs the bench. The result is the last line of standard output. Each position and the progress go to
    /// standard error.
    pub fn run(self) -> Done {
        with_rules(self.rules.rule_set, &self)
    }
}

impl Task for &BenchArgs {
    type Outcome = Done;

    fn run<P: Variant>(self) -> Done {
        Settings::default().set("Hash", &self.hash.to_string())?;
        let evaluator = self.evaluation.read::<P>()?;
        let positions = bench::positions(P::RULE_SET);
        let progress = Progress::new(positions as u64, Unit::Count("positions"));
        let listen = |signals: Arc<Signals>| interrupt::on_first(move || signals.stop());
        let tally = bench::run_with(evaluator, self.depth, self.hash, listen, |step| {
            progress.remark(&step.to_string());
            progress.add(1);
            !interrupt::is_set()
        })?;
        drop(progress);
        note(&tally.character());
        print(&tally.to_string())
    }
}
