//! `engine bench`: the search's signature and speed, with progress for whoever watches.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressStyle};
use shakmaty::variant::Variant;

use super::Done;
use crate::bench;

/// Runs the bench of a rule set `depth` plies deep with a table of `hash_mb` megabytes. The result is
/// the last line of standard output; progress goes to standard error.
///
/// # Errors
/// A table size out of range.
pub fn run(variant: Variant, depth: u32, hash_mb: usize) -> Done {
    crate::settings::Settings::default().set("Hash", &hash_mb.to_string())?;
    let bar = io::stderr().is_terminal().then(|| progress_bar(bench::positions(variant).len()));
    let tally = bench::run(variant, depth, hash_mb, |step| match &bar {
        Some(bar) => bar.inc(1),
        None => eprintln!("{step}"),
    })?;
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    eprintln!("{}", tally.character());
    super::print(&tally.to_string())
}

fn progress_bar(positions: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} positions, {elapsed}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(positions as u64).with_style(style)
}
