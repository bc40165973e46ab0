//! Gravity: the update of an entry of a history table.

/// Moves an entry by `bonus`, by less the nearer it is to ±`limit`. It never leaves that range as long
/// as the bonus does not exceed it either, and recent results count most ("history gravity",
/// chessprogramming.org, History Heuristic).
#[inline]
pub fn gravity(entry: &mut i16, bonus: i32, limit: i32) {
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / limit) as i16;
}
