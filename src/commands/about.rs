//! `engine compiler`, `engine options`, `engine tunables`: facts about the program.

use super::{Done, print};
use engine::search::parameters::{TUNABLES, Tunable};
use engine::settings;
use engine::uci::about;

/// The learning rate that OpenBench proposes for SPSA.
pub const LEARNING_RATE: f64 = 0.002;

/// Shows how the program was built.
pub fn compiler() -> Done {
    print(&about::compiler())
}

/// Prints the table of options for `docs/options.md`.
pub fn options() -> Done {
    print(settings::markdown().trim_end())
}

/// Prints the parameters of the search as OpenBench's SPSA input: name, type, default, least and greatest
/// value, step, learning rate.
pub fn tunables() -> Done {
    let line = |Tunable { name, default, min, max, step }: &Tunable| {
        format!("{name}, int, {default}, {min}, {max}, {step}, {LEARNING_RATE}")
    };
    print(&TUNABLES.iter().map(line).collect::<Vec<_>>().join("\n"))
}
