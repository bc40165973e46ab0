//! The fitted tables as text: written by `engine tune`, embedded in the program, readable for people.
//!
//! The value of a piece is the sum of four parts: its offset from the king, the ranks of both, the files of
//! both, and its square as seen from the king's wing. A heading, `safety` or `proximity` with a role, is
//! followed by the lines of the four grids, eight entries `opening/endgame` each, in centipawns. Ranks
//! count from the side of the piece's owner. The king stands on one of the files a to d; otherwise the
//! board is mirrored.
//!
//! | lines | each line | its entries |
//! | --- | --- | --- |
//! | 15, offsets | ranks ahead of the king, 7 down to −7 | files beside it, 0 to 7 |
//! | 8, ranks | the piece's rank, 8 down to 1 | the king's rank, 1 to 8 |
//! | 4, files | the king's file, a to d | the piece's file, a to h |
//! | 8, squares | the piece's rank, 8 down to 1 | the piece's file, a to h |
//!
//! Lines that begin with `#` are remarks.
//!
#![doc = include_str!("../../../../docs/tables.md")]

use super::{KingTable, KingTerms, Tapered, Variant, View};

/// The two terms that have tables.
const TERMS: [&str; 2] = ["safety", "proximity"];
/// Roles that have tables.
const ROLES: [&str; 5] = ["pawn", "knight", "bishop", "rook", "queen"];

/// Greatest entry, in centipawns either way.
const LIMIT: i32 = 500;

/// An invalid text. Names the line and its proper content.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TablesError(String);

/// The fitted evaluator of a rule set: its tables, or else the linear form with the weights that proved
/// best there; `None` if nothing has been fitted.
pub fn fitted<P: Variant>() -> Option<KingTerms<P>> {
    let Some(text) = P::TABLES else { return P::WEIGHTS.map(KingTerms::linear) };
    let tables = read(text);
    let tables = tables.unwrap_or_else(|error| unreachable!("a test reads the tables: {error}"));
    Some(tables.evaluator())
}

/// First lines of the grids of a role, with their names.
const GRIDS: [(usize, &str); 4] = [(0, "offsets"), (15, "ranks"), (23, "files"), (27, "squares")];
/// Lines of all grids of a role.
pub const LINES: usize = 15 + 8 + 4 + 8;
/// Entries of a line.
pub const COLUMNS: usize = 8;

/// One role's grids, line by line as in the text.
pub type Grids = [[Tapered; COLUMNS]; LINES];

/// The lines and columns of the entries, one in each grid, that add up to the value of a view.
pub fn places(view: View) -> [(usize, usize); GRIDS.len()] {
    let [(offsets, _), (ranks, _), (files, _), (squares, _)] = GRIDS;
    [
        (offsets + (7 - view.ranks()) as usize, view.files()),
        (ranks + 7 - view.rank, view.king_rank),
        (files + view.king_file, view.file),
        (squares + 7 - view.rank, view.file),
    ]
}

/// The grids of all roles, pawn to queen, for king safety and for king proximity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tables {
    /// Values of the pieces seen from their own king.
    pub safety: [Grids; 5],
    /// Values of the pieces seen from the enemy king.
    pub proximity: [Grids; 5],
}

impl Tables {
    /// The evaluator with the sums of the grids.
    pub fn evaluator<P: Variant>(&self) -> KingTerms<P> {
        let table = |grids: &[Grids; 5]| {
            KingTable::from_fn(|role, view| {
                grids.get(role as usize - 1).map_or(Tapered::ZERO, |grids| {
                    let entries = places(view).map(|(line, column)| grids[line][column]);
                    entries.into_iter().fold(Tapered::ZERO, |sum, entry| sum + entry)
                })
            })
        };
        KingTerms::new(table(&self.safety), table(&self.proximity))
    }
}

/// Reads the text form.
///
/// # Errors
/// [`TablesError`] with the first invalid line.
pub fn read(text: &str) -> Result<Tables, TablesError> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(number, line)| (number + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let mut terms = [[[[Tapered::ZERO; COLUMNS]; LINES]; 5]; 2];
    for (term, name) in terms.iter_mut().zip(TERMS) {
        for (grids, role) in term.iter_mut().zip(ROLES) {
            let heading = format!("{name} {role}");
            match lines.next() {
                Some((_, line)) if line == heading => {}
                other => return Err(expected(other, &format!("the heading \"{heading}\""))),
            }
            for row in grids {
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
    let [safety, proximity] = terms;
    Ok(Tables { safety, proximity })
}

fn expected(found: Option<(usize, &str)>, wanted: &str) -> TablesError {
    TablesError(match found {
        Some((number, line)) => {
            let line: String = line.chars().take(40).collect();
            format!("line {number}: {wanted} expected, not {line:?}")
        }
        None => format!("{wanted} expected, but the text ends"),
    })
}

fn entries(line: &str) -> Option<[Tapered; 8]> {
    let number = |text: &str| text.parse::<i32>().ok().filter(|n| (-LIMIT..=LIMIT).contains(n));
    let entry = |word: &str| {
        let (opening, endgame) = word.split_once('/')?;
        Some(Tapered::new(number(opening)?, number(endgame)?))
    };
    let row: Option<Vec<Tapered>> = line.split_whitespace().map(entry).collect();
    row?.try_into().ok()
}

/// The first words of the text form.
pub const HEADING: &str = "# Tables fitted by `engine tune`.";

/// The beginning of the remark that names the rule set.
const RULES: &str = "# Rules: ";

/// The name of the rule set that the text names. The first files named none.
pub fn rules_of(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.strip_prefix(RULES)).map(str::trim)
}

/// Writes the text form, for the rule set of the evaluator.
pub fn write_for<P: Variant>(tables: &Tables) -> String {
    let text = write(tables);
    let (heading, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
    format!("{heading}\n{RULES}{}\n\n{rest}", P::NAME)
}

/// Writes the text form.
pub fn write(tables: &Tables) -> String {
    let mut text = format!(
        "{HEADING} An entry is opening/endgame in centipawns; a piece is worth the\n\
         # sum of its four entries, one a grid.\n\
         # Offsets: lines ranks ahead of the king, 7 to -7; columns files beside it, 0 to 7.\n\
         # Ranks: lines the piece's rank, 8 to 1; columns the king's rank, 1 to 8.\n\
         # Files: lines the king's file, a to d; columns the piece's file, a to h.\n\
         # Squares: lines the piece's rank, 8 to 1; columns its file, a to h.\n",
    );
    for (name, term) in TERMS.into_iter().zip([&tables.safety, &tables.proximity]) {
        for (role, grids) in ROLES.into_iter().zip(term) {
            text.push_str(&format!("\n{name} {role}\n"));
            for (number, row) in grids.iter().enumerate() {
                if let Some((_, name)) = GRIDS.into_iter().find(|&(line, _)| line == number) {
                    text.push_str(&format!("# {name}\n"));
                }
                let row: Vec<String> = row.iter().map(|&value| entry(value)).collect();
                text.push_str(row.join(" ").trim_end());
                text.push('\n');
            }
        }
    }
    text
}

fn entry(value: Tapered) -> String {
    let clamp = |n: i32| n.clamp(-LIMIT, LIMIT);
    format!("{:>9}", format!("{}/{}", clamp(value.opening()), clamp(value.endgame())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::variants::{Task, with_rules};
    use crate::rules::RuleSet;
    use shakmaty::Square;

    #[test]
    fn the_embedded_tables_can_be_read() {
        for &rule_set in RuleSet::ALL {
            with_rules(rule_set, ReadTables);
        }
    }

    struct ReadTables;

    impl Task for ReadTables {
        type Outcome = ();

        fn run<P: Variant>(self) {
            if let Some(text) = P::TABLES {
                assert_eq!(write(&read(text).unwrap()).trim_end(), text.trim_end(), "{}", P::NAME);
            }
        }
    }

    fn lopsided() -> Tables {
        let grids = |salt: usize| {
            std::array::from_fn(|line| {
                std::array::from_fn(|column| {
                    let seed = (salt + line * 8 + column) as i32;
                    Tapered::new(seed % 50 - 20, seed * 3 % 40 - 30)
                })
            })
        };
        Tables {
            safety: std::array::from_fn(|role| grids(7 * role)),
            proximity: std::array::from_fn(|role| grids(100 + 9 * role)),
        }
    }

    #[test]
    fn written_tables_are_read_again() {
        assert_eq!(read(&write(&lopsided())).unwrap(), lopsided());
    }

    #[test]
    fn every_entry_counts() {
        let mut met = [[false; COLUMNS]; LINES];
        for king in Square::ALL {
            for square in Square::ALL {
                for (line, column) in places(View::new(0, king, square)) {
                    met[line][column] = true;
                }
            }
        }
        assert!(met.iter().flatten().all(|&met| met));
    }

    #[test]
    fn an_error_names_its_line() {
        let good = write(&lopsided());
        assert!(read("").unwrap_err().0.contains("safety pawn"));
        for entry in ["x/", "501/", "-2147483648/"] {
            let bad = good.replacen("-20/", entry, 1);
            assert!(read(&bad).unwrap_err().0.contains(": eight entries"), "{:?}", read(&bad));
            assert!(read(&bad).unwrap_err().0.starts_with("line "));
        }
        assert!(read(&format!("{good}\nmore")).unwrap_err().0.contains("the end"));
        assert!(read(&good.replacen("safety knight", "safety horse", 1)).is_err());
    }
}
