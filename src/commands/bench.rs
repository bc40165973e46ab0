//! `engine bench`: the search's signature and speed.

use shakmaty::variant::Variant;

use super::Done;
use crate::bench;
use crate::shell::progress::{Progress, Unit};

/// Runs the bench of a rule set `depth` plies deep with a table of `hash_mb` megabytes. The result is
/// the last line of standard output; each position and the progress go to standard error.
///
/// # Errors
/// A table size out of range.
pub fn run(variant: Variant, depth: u32, hash_mb: usize) -> Done {
    crate::settings::Settings::default().set("Hash", &hash_mb.to_string())?;
    let positions = bench::positions(variant).len();
    let progress = Progress::new(positions as u64, Unit::Count("positions"));
    let tally = bench::run(variant, depth, hash_mb, |step| {
        progress.remark(&step.to_string());
        progress.add(1);
    })?;
    drop(progress);
    eprintln!("{}", tally.character());
    super::print(&tally.to_string())
}
