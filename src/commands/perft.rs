//! `engine perft`: counts positions, to check the rules and to measure their speed.

use std::time::Instant;

use clap::Args;

use super::{Done, PositionArgs, print};
use engine::rules::perft::DEEPEST;
use engine::uci::info;
use shell::progress::note;

/// Arguments of `perft`.
#[derive(Debug, Args)]
pub struct PerftArgs {
    /// Half-moves to count
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(DEEPEST)))]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    /// Show the count of every first move
    #[arg(long)]
    divide: bool,
}

impl PerftArgs {
    /// Counts the positions.
    pub fn run(self) -> Done {
        let engine = self.position.engine()?;
        let started = Instant::now();
        let counts = engine.perft(self.depth);
        let seconds = started.elapsed().as_secs_f64();
        let total: u64 = counts.iter().map(|(_, leaves)| leaves).sum();
        let speed = total as f64 / seconds.max(1e-6);
        note(&format!("{seconds:.3} s, {:.1} million positions/s", speed / 1e6));
        print(&if self.divide { info::perft(&counts) } else { total.to_string() })
    }
}
