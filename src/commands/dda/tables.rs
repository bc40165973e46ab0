//! The tables of `engine dda --games`, in Markdown.

use super::Contest;
use shell::table::{Cell, Format, Table};
use workshop::arena::{Effort, Phase, Sample};

/// First full moves of the stretches of a game for which nodes and time are shown, with names.
const STRETCHES: [(usize, &str); 6] = [
    (1, "from move 1"),
    (11, "from move 11"),
    (21, "from move 21"),
    (41, "from move 41"),
    (61, "from move 61"),
    (81, "from move 81"),
];
/// Columns for the plies over the base depth; the last one holds all beyond.
const EXTRA_COLUMNS: usize = 5;

/// All tables: the games against fixed depth, and against the coin of the same cost.
pub fn all(over_fixed: &[Contest], over_coin: &[Contest]) -> String {
    [
        strength(over_fixed),
        evenness(over_fixed),
        equal_nodes(over_coin),
        depths(over_fixed),
        along_the_game(over_fixed),
    ]
    .join("\n\n")
}

/// A table under its heading.
fn table(heading: &str, columns: &[&'static str], rows: Vec<Vec<String>>) -> String {
    let columns = columns.to_vec();
    let rows = rows.into_iter().map(|row| row.into_iter().map(Cell::Text).collect()).collect();
    format!("{heading}\n\n{}", Table { columns, rows }.write(Format::Markdown))
}

fn elo(contest: &Contest) -> String {
    format!("{:.0}", contest.tally.elo())
}

fn strength(contests: &[Contest]) -> String {
    let row = |contest: &Contest| {
        let [own, fixed] = &contest.efforts;
        let milliseconds = |sample: &Sample| sample.time.as_secs_f64() * 1000.0;
        vec![
            contest.base.to_string(),
            contest.name.clone(),
            elo(contest),
            format!("{:.2}", own.nodes() / fixed.nodes()),
            format!("{:.2}", own.mean(|sample| f64::from(sample.depth))),
            format!("{:.2}", own.mean(milliseconds)),
            format!("{:.1}", own.quantile(0.99, milliseconds)),
        ]
    };
    table(
        "Against fixed depth ω. ms: time per move, mean and 99th percentile.",
        &["ω", "side", "Elo", "nodes × fixed", "mean ψ", "ms", "ms, p99"],
        contests.iter().map(row).collect(),
    )
}

/// The moves with a choice. Forced ones cost nothing and have a table of their own.
fn chosen(effort: &Effort) -> Effort {
    effort.only(|sample| !sample.is_forced)
}

fn evenness(contests: &[Contest]) -> String {
    let row = |base: u32, name: &str, effort: &Effort| {
        let effort = chosen(effort);
        let mean = effort.nodes();
        let nodes = |sample: &Sample| sample.nodes as f64;
        let mut cells = vec![
            base.to_string(),
            name.to_string(),
            format!("{mean:.0}"),
            format!("{:.2}", effort.unevenness()),
            format!("{:.1}", effort.quantile(0.95, nodes) / mean),
            format!("{:.1}", effort.quantile(1.0, nodes) / mean),
        ];
        cells.extend(Phase::ALL.map(|phase| {
            format!("{:.2}", effort.only(|sample| sample.phase == phase).nodes() / mean)
        }));
        cells
    };
    let mut rows = Vec::new();
    for contest in contests {
        if rows.last().is_none_or(|row: &Vec<String>| row[0] != contest.base.to_string()) {
            rows.push(row(contest.base, "fixed depth", &contest.efforts[1]));
        }
        rows.push(row(contest.base, &contest.name, &contest.efforts[0]));
    }
    table(
        "Nodes of a move with a choice: mean, standard deviation / mean, 95th percentile / mean, \
         worst / mean, and the mean of each phase / mean.",
        &[
            "ω",
            "side",
            "mean",
            "CV",
            "p95",
            "worst",
            "opening",
            "middlegame",
            "endgame",
            "late endgame",
            "check",
        ],
        rows,
    )
}

fn equal_nodes(contests: &[Contest]) -> String {
    let row = |contest: &Contest| {
        let [own, coin] = &contest.efforts;
        vec![
            contest.base.to_string(),
            contest.name.clone(),
            elo(contest),
            format!("{:.2}", own.nodes() / coin.nodes()),
        ]
    };
    table(
        "Against the coin toss between two depths at the same mean nodes.",
        &["ω", "form", "Elo", "nodes × coin"],
        contests.iter().map(row).collect(),
    )
}

fn depths(contests: &[Contest]) -> String {
    let mut rows = Vec::new();
    for contest in contests {
        for phase in Phase::ALL {
            let effort = contest.efforts[0].only(|sample| sample.phase == phase);
            let percent = |part: Effort| {
                let share = 100.0 * part.count() as f64 / effort.count().max(1) as f64;
                if part.count() == 0 { String::new() } else { format!("{share:.1}") }
            };
            let (base, name) = (contest.base.to_string(), contest.name.clone());
            let mut cells = vec![base, name, phase.name().to_string()];
            cells.push(percent(effort.only(|sample| sample.is_forced)));
            cells.extend((0..EXTRA_COLUMNS).map(|column| {
                percent(effort.only(|sample| {
                    let extra = sample.depth.saturating_sub(contest.base) as usize;
                    !sample.is_forced && extra.min(EXTRA_COLUMNS - 1) == column
                }))
            }));
            rows.push(cells);
        }
    }
    table(
        "Percent of the moves of a phase that were forced, and by depth.",
        &["ω", "side", "phase", "forced", "ω", "ω+1", "ω+2", "ω+3", "deeper"],
        rows,
    )
}

fn along_the_game(contests: &[Contest]) -> String {
    let mut columns = vec!["ω", "side"];
    columns.extend(STRETCHES.map(|(_, name)| name));
    let row = |contest: &Contest| {
        let mut cells = vec![contest.base.to_string(), contest.name.clone()];
        cells.extend(STRETCHES.iter().enumerate().map(|(index, &(first, _))| {
            let end = STRETCHES.get(index + 1).map_or(usize::MAX, |&(end, _)| end);
            let part =
                contest.efforts[0].only(|sample| (first..end).contains(&(sample.ply / 2 + 1)));
            if part.count() == 0 {
                return String::new();
            }
            let microseconds = part.mean(|sample| sample.time.as_secs_f64() * 1e6);
            format!("{:.0} / {microseconds:.0}", part.nodes())
        }));
        cells
    };
    table(
        "Nodes per move / microseconds per move, by stage of the game.",
        &columns,
        contests.iter().map(row).collect(),
    )
}
