//! The fitted tables as text: what `engine tune` writes, the program embeds and a person reads.
//!
//! A table is a heading, `safety` or `proximity` with a role, and fifteen lines: the pieces
//! seven ranks ahead of the king first, as one looks at a board. A line has the distances in
//! files from 0 to 7, left and right alike; an entry is `opening/endgame` in centipawns.
//! Lines that begin with `#` are remarks.

use std::fmt;

use shakmaty::Role;
use shakmaty::variant::Variant;

use super::king_relative::Weights;
use super::{KingRelative, Offset, OffsetTable, Tapered, king_proximity};

/// The tables that the program ships for a rule set, fitted to games of its own.
const fn shipped(variant: Variant) -> Option<&'static str> {
    match variant {
        Variant::Chess => Some(include_str!("tables/chess.txt")),
        Variant::Atomic => Some(include_str!("tables/atomic.txt")),
        Variant::KingOfTheHill => Some(include_str!("tables/kingofthehill.txt")),
        Variant::ThreeCheck => Some(include_str!("tables/3check.txt")),
        Variant::Crazyhouse => Some(include_str!("tables/crazyhouse.txt")),
        Variant::RacingKings => Some(include_str!("tables/racingkings.txt")),
        Variant::Antichess | Variant::Horde => None,
    }
}

/// Only Black has a king there, and its pieces serve it better away from it. Without safety: 56 Elo
/// more (± 29) in 400 games of self-play; other weights of proximity brought nothing.
const HORDE: Weights = Weights { safety: (0, 0), proximity: king_proximity::DEFAULT_WEIGHT };

/// Roles that have tables, with their names.
const ROLES: [(Role, &str); 5] = [
    (Role::Pawn, "pawn"),
    (Role::Knight, "knight"),
    (Role::Bishop, "bishop"),
    (Role::Rook, "rook"),
    (Role::Queen, "queen"),
];

/// Greatest entry, in centipawns either way.
const LIMIT: i32 = 500;

/// Why a text holds no tables. Names the line and what should stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablesFault(String);

impl fmt::Display for TablesFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TablesFault {}

/// The evaluator that the choice of tables means in a rule set: the shipped tables, or the linear
/// form with its default weights where there are none.
pub fn of(variant: Variant) -> KingRelative {
    let plain = fitted(variant).unwrap_or_else(|| KingRelative::linear(Weights::default()));
    plain.in_rules(variant, 100)
}

/// What was fitted for a rule set: the shipped tables, or for horde, where White has no king to
/// see the pieces from, weights for the linear form; `None` in antichess.
pub fn fitted(variant: Variant) -> Option<KingRelative> {
    if variant == Variant::Horde {
        return Some(KingRelative::linear(HORDE));
    }
    let tables = shipped(variant).map(read)?;
    Some(tables.unwrap_or_else(|fault| unreachable!("a test reads the tables: {fault}")))
}

/// Reads the text form.
///
/// # Errors
/// [`TablesFault`] naming the first line that is not as it should be.
pub fn read(text: &str) -> Result<KingRelative, TablesFault> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(number, line)| (number + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let mut tables = [[[[Tapered::ZERO; 8]; 15]; 5]; 2];
    for (table, name) in tables.iter_mut().zip(["safety", "proximity"]) {
        for (grid, (_, role)) in table.iter_mut().zip(ROLES) {
            let heading = format!("{name} {role}");
            match lines.next() {
                Some((_, line)) if line == heading => {}
                other => return Err(expected(other, &format!("the heading \"{heading}\""))),
            }
            for row in grid.iter_mut().rev() {
                let line = lines.next();
                *row = line
                    .and_then(|(_, line)| entries(line))
                    .ok_or_else(|| expected(line, "eight entries opening/endgame within ±500"))?;
            }
        }
    }
    if let Some(extra) = lines.next() {
        return Err(expected(Some(extra), "the end"));
    }
    let [safety, proximity] = tables.map(|table| {
        OffsetTable::from_fn(|role, offset| {
            let grid = ROLES.iter().position(|&(known, _)| known == role).map(|n| &table[n]);
            grid.map_or(Tapered::ZERO, |grid| {
                grid[(offset.ranks + 7) as usize][offset.files.unsigned_abs() as usize]
            })
        })
    });
    Ok(KingRelative::new(safety, proximity))
}

fn expected(found: Option<(usize, &str)>, wanted: &str) -> TablesFault {
    TablesFault(match found {
        Some((number, line)) => {
            let line: String = line.chars().take(40).collect();
            format!("line {number}: {wanted} should stand here, not {line:?}")
        }
        None => format!("the text ends where {wanted} should stand"),
    })
}

fn entries(line: &str) -> Option<[Tapered; 8]> {
    let number = |text: &str| text.parse::<i32>().ok().filter(|n| n.abs() <= LIMIT);
    let entry = |word: &str| {
        let (opening, endgame) = word.split_once('/')?;
        Some(Tapered::new(number(opening)?, number(endgame)?))
    };
    let row: Option<Vec<Tapered>> = line.split_whitespace().map(entry).collect();
    row?.try_into().ok()
}

/// Writes the text form of an evaluator whose tables are the same to the left and to the right.
pub fn write(evaluator: &KingRelative) -> String {
    let mut text = String::from(
        "# Offset tables, fitted by `engine tune`. Rows: ranks ahead of the king, 7 to -7.\n\
         # Columns: files beside it, 0 to 7. Entries: opening/endgame in centipawns.\n",
    );
    for (name, table) in [("safety", evaluator.safety()), ("proximity", evaluator.proximity())] {
        for (role, role_name) in ROLES {
            text.push_str(&format!("\n{name} {role_name}\n"));
            for ranks in (-7..=7).rev() {
                let entry = |files| {
                    let value = table.at(role, Offset { files, ranks });
                    let clamp = |n: i32| n.clamp(-LIMIT, LIMIT);
                    format!(
                        "{:>9}",
                        format!("{}/{}", clamp(value.opening()), clamp(value.endgame()))
                    )
                };
                let row: Vec<String> = (0..8).map(entry).collect();
                text.push_str(row.join(" ").trim_end());
                text.push('\n');
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::king_relative::Weights;

    #[test]
    fn the_embedded_tables_can_be_read() {
        for text in Variant::ALL.into_iter().filter_map(shipped) {
            assert_eq!(write(&read(text).unwrap()).trim_end(), text.trim_end());
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let linear = KingRelative::linear(Weights { safety: (12, -3), proximity: (7, 40) });
        assert_eq!(read(&write(&linear)).unwrap(), linear);
    }

    #[test]
    fn a_fault_names_its_line() {
        let good = write(&KingRelative::linear(Weights::default()));
        assert!(read("").unwrap_err().0.contains("safety pawn"));
        let bad = good.replacen("0/0", "0/x", 1);
        assert!(read(&bad).unwrap_err().0.starts_with("line 5: eight entries"), "{:?}", read(&bad));
        assert!(read(&format!("{good}\nmore")).unwrap_err().0.contains("the end"));
        assert!(read(&good.replacen("safety knight", "safety horse", 1)).is_err());
    }
}
