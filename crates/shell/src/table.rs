//! Tables as text, Markdown, CSV or JSON.

use std::fmt::Write;

use engine::input::{is_plain, printable};
use serde_json::{Map, Value as Json};

use crate::texts::{Texts, decimal};

/// The format of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Format {
    /// Columns, for a terminal
    #[default]
    Text,
    /// For Markdown documents
    Markdown,
    /// Comma-separated values (RFC 4180)
    Csv,
    /// A list of objects
    Json,
}

/// One cell.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A count.
    Count(u64),
    /// A measure, with its number of decimals.
    Measure(f64, usize),
    /// An empty cell.
    Empty,
}

impl Cell {
    /// Words.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    fn show(&self) -> String {
        match self {
            Cell::Text(text) => printable(text, usize::MAX),
            Cell::Count(count) => count.to_string(),
            Cell::Measure(measure, decimals) => format!("{measure:.decimals$}"),
            Cell::Empty => String::new(),
        }
    }

    fn json(&self) -> Json {
        match self {
            Cell::Text(text) => Json::from(text.as_str()),
            Cell::Count(count) => Json::from(*count),
            Cell::Measure(..) => self.show().parse::<f64>().map_or(Json::Null, Json::from),
            Cell::Empty => Json::Null,
        }
    }

    fn is_number(&self) -> bool {
        !matches!(self, Cell::Text(_))
    }
}

/// Rows under named columns.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// The columns' names.
    pub columns: Vec<&'static str>,
    /// The rows, each as long as the columns.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// Leaves out empty columns.
    pub fn without_empty_columns(self) -> Table {
        let is_used = |i: usize| self.rows.iter().any(|row| row[i] != Cell::Empty);
        let used: Vec<usize> = (0..self.columns.len()).filter(|&i| is_used(i)).collect();
        let pick = |row: &Vec<Cell>| used.iter().map(|&i| row[i].clone()).collect();
        Table {
            columns: used.iter().map(|&i| self.columns[i]).collect(),
            rows: self.rows.iter().map(pick).collect(),
        }
    }

    /// The table in the given format, without a newline after the last line.
    pub fn write(&self, format: Format) -> String {
        match format {
            Format::Text => self.text(),
            Format::Markdown => self.markdown(),
            Format::Csv => self.csv(),
            Format::Json => self.json(),
        }
    }

    /// The same for a person who reads the language of `texts`: where no program reads the table, its numbers have the
    /// decimal mark of the language.
    pub fn write_in(&self, texts: &Texts, format: Format) -> String {
        let table = self.write(format);
        match format {
            Format::Text | Format::Markdown => decimal(texts, &table),
            Format::Csv | Format::Json => table,
        }
    }

    fn text(&self) -> String {
        let width = |i: usize| {
            let cells = self.rows.iter().map(|row| row[i].show().chars().count());
            cells.chain([self.columns[i].chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let line = |cells: &[(String, bool)]| {
            let padded = cells.iter().zip(&widths).map(|((text, is_number), &width)| {
                if *is_number { format!("{text:>width$}") } else { format!("{text:<width$}") }
            });
            padded.collect::<Vec<_>>().join("  ").trim_end().to_string()
        };
        let is_number = |i: usize| self.rows.iter().all(|row| row[i].is_number());
        let head =
            self.columns.iter().enumerate().map(|(i, name)| (name.to_string(), is_number(i)));
        let mut lines = vec![line(&head.collect::<Vec<_>>())];
        lines.push("-".repeat(widths.iter().sum::<usize>() + 2 * (widths.len().max(1) - 1)));
        for row in &self.rows {
            let cells = row.iter().map(|cell| (cell.show(), cell.is_number()));
            lines.push(line(&cells.collect::<Vec<_>>()));
        }
        lines.join("\n")
    }

    fn markdown(&self) -> String {
        let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
        let escaped = |cell: &Cell| cell.show().replace('|', "\\|");
        let mut lines = vec![row(self.columns.iter().map(|name| name.to_string()).collect())];
        let rule = (0..self.columns.len()).map(|i| {
            let is_number = self.rows.iter().all(|row| row[i].is_number());
            if is_number { "---:" } else { "---" }.to_string()
        });
        lines.push(row(rule.collect()));
        lines.extend(self.rows.iter().map(|cells| row(cells.iter().map(escaped).collect())));
        lines.join("\n")
    }

    fn csv(&self) -> String {
        let quoted = |text: String| {
            let is_plain = !text.contains([',', '"', '\n']);
            if is_plain { text } else { format!("\"{}\"", text.replace('"', "\"\"")) }
        };
        let mut csv = self.columns.join(",");
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| quoted(cell.show())).collect();
            // Writing to a string cannot fail.
            let _ = write!(csv, "\n{}", cells.join(","));
        }
        csv
    }

    fn json(&self) -> String {
        let object = |row: &Vec<Cell>| {
            let pairs = self.columns.iter().zip(row);
            Json::Object(
                pairs.map(|(name, cell)| (name.to_string(), cell.json())).collect::<Map<_, _>>(),
            )
        };
        let json = format!("{:#}", Json::Array(self.rows.iter().map(object).collect()));
        let mut escaped = String::with_capacity(json.len());
        for c in json.chars() {
            if c == '\n' || is_plain(c) {
                escaped.push(c);
            } else {
                // All that is left of them is in strings, where JSON has its own escapes.
                let _ = write!(escaped, "\\u{:04x}", u32::from(c));
            }
        }
        escaped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table {
            columns: vec!["name", "count", "ratio", "unused"],
            rows: vec![
                vec![Cell::text("a, b"), Cell::Count(7), Cell::Measure(0.125, 2), Cell::Empty],
                vec![Cell::text("c"), Cell::Count(10), Cell::Empty, Cell::Empty],
            ],
        }
    }

    #[test]
    fn every_format_follows_its_conventions() {
        let table = table().without_empty_columns();
        let text = "name  count  ratio\n------------------\na, b      7   0.12\nc        10";
        assert_eq!(table.write(Format::Text), text);
        let markdown =
            "| name | count | ratio |\n| --- | ---: | ---: |\n| a, b | 7 | 0.12 |\n| c | 10 |  |";
        assert_eq!(table.write(Format::Markdown), markdown);
        assert_eq!(table.write(Format::Csv), "name,count,ratio\n\"a, b\",7,0.12\nc,10,");
        let json: Json = serde_json::from_str(&table.write(Format::Json)).expect("valid JSON");
        assert_eq!(json[0]["count"], 7);
        assert_eq!(json[1]["ratio"], Json::Null);
    }

    #[test]
    fn no_format_lets_control_characters_through() {
        let wild = "a\u{1b}[31m\u{9b}31m\u{202e}\u{7f}b";
        let table = Table { columns: vec!["name"], rows: vec![vec![Cell::text(wild)]] };
        for format in [Format::Text, Format::Markdown, Format::Csv, Format::Json] {
            let written = table.write(format);
            assert!(written.chars().all(|c| c == '\n' || is_plain(c)), "{written:?}");
        }
        let json: Json = serde_json::from_str(&table.write(Format::Json)).expect("valid JSON");
        assert_eq!(json[0]["name"], wild);
    }
}
