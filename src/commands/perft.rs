//! `engine perft`: counts positions, to check the rules and to time them.

use std::time::Instant;

use super::{Done, Place};
use crate::protocol::info;

/// Counts the positions `depth` plies from `place`.
/// `divide`: show the count of every root move as well.
///
/// # Errors
/// A FEN that is no position.
pub fn run(depth: u32, place: Place, divide: bool) -> Done {
    let player = super::player_at(place)?;
    let started = Instant::now();
    let counts = player.perft(depth);
    let seconds = started.elapsed().as_secs_f64();
    let total: u64 = counts.iter().map(|(_, leaves)| leaves).sum();
    let speed = total as f64 / seconds.max(1e-6);
    eprintln!("{seconds:.3} s, {:.1} million positions/s", speed / 1e6);
    super::print(&if divide { info::perft(&counts) } else { total.to_string() })
}
