//! Suites of positions: the table of solutions and its sums.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::json;

use super::super::play::texts::Words;
use super::super::{Done, print};
use super::{AnalyseArgs, named};
use analysis::suite::{self, EpdLine, Solution, SuiteOptions};
use engine::input::{Lines, decode};
use shell::files::{CSV, FileKind, JSON};
use shell::progress::{Progress, Unit, note};
use shell::source;
use shell::table::{Cell, Format, Table};

/// Characters of a first line by which a suite is told.
const HEAD: u64 = 4096;

/// A table of solutions as text.
const TABLE: FileKind = FileKind {
    name: "a table of solutions",
    matches: |head| {
        let head = head.strip_prefix(b"| ").unwrap_or(head);
        ["position ", "posición "].iter().any(|column| head.starts_with(column.as_bytes()))
    },
};

/// True if the first line of a file is a position.
pub fn is_suite(path: &Path) -> bool {
    let Ok(text) = source::open(path) else { return false };
    let lines = BufReader::new(std::io::Read::take(text, HEAD)).lines().map_while(Result::ok);
    let mut lines = lines.skip_while(|line| is_remark(line));
    lines.next().is_some_and(|line| EpdLine::parse(&line).is_some())
}

/// True for lines that hold nothing.
fn is_remark(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}').trim();
    line.is_empty() || line.starts_with('#')
}

impl AnalyseArgs {
    /// Solves the positions of suites.
    pub(super) fn solve(&self, files: &[PathBuf], words: &Words) -> Done {
        let kind = match self.format {
            Format::Csv => CSV,
            Format::Json => JSON,
            Format::Text | Format::Markdown => TABLE,
        };
        self.check_outputs(kind, files)?;
        let mut lines = Vec::new();
        for path in files {
            let mut text =
                Lines::new(source::open(path).map_err(|error| named(path, error, words))?);
            while let Some(line) = text.next_line().map_err(|error| named(path, error, words))? {
                let content = decode(line.bytes);
                match EpdLine::parse(&content) {
                    Some(line) => lines.push(line),
                    None if is_remark(&content) => {}
                    None => {
                        let (path, line) = (path.display().to_string(), line.number.to_string());
                        let values = [("path", &*path), ("line", &*line)];
                        note(&words.fill("suite.no-position", &values));
                    }
                }
            }
        }
        let options = SuiteOptions {
            rule_set: self.rule_set,
            limits: self.limits(),
            hash_mb: self.hash as usize,
            threads: self.threads.count(),
        };
        let (file, notes) = self.growing(kind, files)?.unzip();
        let known = notes.unwrap_or_default();
        let known = known.iter().filter_map(|note| {
            Some((
                usize::try_from(note["number"].as_u64()?).ok()?,
                Solution::from_json(&note["solution"]),
            ))
        });
        let known: HashMap<usize, Solution> = known.collect();
        let progress =
            Progress::of(lines.len() as u64, Unit::Count(words.word("suite.unit")), self.lang);
        if !known.is_empty() {
            progress.remark(&words.counted("suite.goes-on", known.len() as u64));
            progress.resume(known.len() as u64);
        }
        let file = Mutex::new((file, Ok(())));
        let solutions = suite::solve(&lines, known, &options, &|number, solution| {
            let note = json!({ "number": number, "solution": solution.json() });
            let (file, written) = &mut *file.lock().unwrap_or_else(PoisonError::into_inner);
            if let (Some(file), Ok(())) = (file, &written) {
                *written = file.add("", &note);
            }
            progress.add(1);
        });
        drop(progress);
        let (file, written) = file.into_inner().unwrap_or_else(PoisonError::into_inner);
        written?;
        let text = table(&solutions, words).write(self.format);
        match file {
            Some(file) => file.finish(&format!("{text}\n"))?,
            None => print(&text)?,
        }
        note(&sums(&solutions, words));
        Ok(())
    }
}

fn table(solutions: &[Solution], words: &Words) -> Table {
    let columns = words.word("suite.columns").split(", ").collect();
    let (yes, no) = (words.get("suite.yes"), words.get("suite.no"));
    let optional = |value: Option<u64>| value.map_or(Cell::Empty, Cell::Count);
    let rows = solutions.iter().enumerate().map(|(number, solution)| {
        let text = |text: &str| if text.is_empty() { Cell::Empty } else { Cell::text(text) };
        let solved = solution.is_solved.map_or("", |is_solved| if is_solved { yes } else { no });
        vec![
            Cell::Count(number as u64 + 1),
            text(&solution.id),
            text(&solution.wanted),
            text(&solution.found),
            text(solved),
            solution.points.map_or(Cell::Empty, |(won, most)| Cell::text(format!("{won}/{most}"))),
            optional(solution.held.map(|(depth, _, _)| depth.into())),
            optional(solution.held.map(|(_, nodes, _)| nodes)),
            optional(solution.held.map(|(_, _, ms)| ms)),
            text(&solution.score),
            solution.ce_difference.map_or(Cell::Empty, |ce| Cell::text(format!("{ce:+}"))),
            text(solution.error.as_deref().unwrap_or_default()),
        ]
    });
    Table { columns, rows: rows.collect() }.without_empty_columns()
}

/// Solved positions and points of all.
fn sums(solutions: &[Solution], words: &Words) -> String {
    let asked = solutions.iter().filter_map(|solution| solution.is_solved);
    let (total, solved) = (asked.clone().count(), asked.filter(|is_solved| *is_solved).count());
    let held = solutions.iter().filter_map(|solution| solution.held);
    let nodes: u64 = held.clone().map(|(_, nodes, _)| nodes).sum();
    let seconds = held.map(|(_, _, ms)| ms).sum::<u64>() as f64 / 1000.0;
    let values = [
        ("solved", &*solved.to_string()),
        ("total", &*total.to_string()),
        ("nodes", &*nodes.to_string()),
        ("seconds", &*words.decimal(&format!("{seconds:.1}"))),
    ];
    let mut text = words.fill("suite.sums", &values);
    let points = solutions.iter().filter_map(|solution| solution.points);
    let (won, most) = points.fold((0, 0), |(won, most): (u64, u64), (more, of)| {
        (won + u64::from(more), most + u64::from(of))
    });
    if most > 0 {
        let values = [("won", &*won.to_string()), ("most", &*most.to_string())];
        text += &words.fill("suite.points", &values);
    }
    let broken = solutions.iter().filter(|solution| solution.error.is_some()).count();
    if broken > 0 {
        text += &words.counted("suite.unused", broken as u64);
    }
    text
}
