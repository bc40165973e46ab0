//! `engine figures`: the tables and examples of the documents, made again by the commands that the
//! documents name, so that none can go stale.
//!
//! A document marks such a part: `<!-- figures: lab list -->`, the part, `<!-- end of figures -->`. The
//! first mark holds the arguments of this program. Before them may stand `text` (the default: the
//! output goes into a code block), `markdown` (it stands as it is), and `slow` (minutes; made again
//! only with `--slow`).

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use super::{Done, print};

/// Arguments of `figures`.
#[derive(Debug, Args)]
pub struct FiguresArgs {
    /// Documents [default: README.md and docs/*.md in the current folder]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Only tell which parts are stale, as an error; write nothing
    #[arg(long)]
    pub check: bool,
    /// Make the parts that take minutes, too
    #[arg(long)]
    pub slow: bool,
}

const OPEN: &str = "<!-- figures";
const CLOSE: &str = "<!-- end of figures -->";

/// The head of a marked part.
#[derive(Debug, PartialEq, Eq)]
struct Mark<'a> {
    is_slow: bool,
    is_markdown: bool,
    /// The command without the program, as it is written.
    shown: &'a str,
    /// The program's arguments.
    arguments: Vec<&'a str>,
}

/// The words of a command; single quotes keep spaces together.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (part, text) in text.split('\'').enumerate() {
        if part % 2 == 1 {
            words.push(text);
        } else {
            words.extend(text.split_whitespace());
        }
    }
    words
}

impl<'a> Mark<'a> {
    /// Reads a line such as `<!-- figures slow markdown: lab claims -->`.
    fn read(line: &'a str) -> Option<Mark<'a>> {
        let inside = line.trim().strip_prefix(OPEN)?.strip_suffix("-->")?;
        let (manner, arguments) = inside.split_once(": ")?;
        let has = |word: &str| manner.split_whitespace().any(|one| one == word);
        let shown = arguments.trim();
        let arguments = words(shown);
        Some(Mark { is_slow: has("slow"), is_markdown: has("markdown"), shown, arguments })
    }

    /// The part as it should stand.
    fn make(&self) -> Result<String, Box<dyn Error>> {
        let output = Command::new(env::current_exe()?).args(&self.arguments).output()?;
        if !output.status.success() {
            let fault = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("engine {}: {fault}", self.shown).into());
        }
        let text = String::from_utf8_lossy(&output.stdout).trim_end().to_string();
        Ok(match self.is_markdown {
            true => format!("\n{text}\n"),
            false => format!("\n```text\n$ engine {}\n{text}\n```\n", self.shown),
        })
    }
}

impl FiguresArgs {
    /// Makes the parts again.
    ///
    /// # Errors
    /// A document that cannot be read or written, a command that fails, and with `--check` a stale part.
    pub fn run(self) -> Done {
        let files = match self.files.as_slice() {
            [] => documents()?,
            files => files.to_vec(),
        };
        let mut stale = Vec::new();
        for file in &files {
            let text =
                fs::read_to_string(file).map_err(|fault| format!("{}: {fault}", file.display()))?;
            let (made, changed) =
                renew(&text, self.slow).map_err(|fault| format!("{}: {fault}", file.display()))?;
            stale.extend(changed.iter().map(|part| format!("{}: {part}", file.display())));
            if !self.check && !changed.is_empty() {
                fs::write(file, made).map_err(|fault| format!("{}: {fault}", file.display()))?;
            }
        }
        if self.check && !stale.is_empty() {
            let list = stale.join("\n");
            return Err(format!("stale, run engine figures:\n{list}").into());
        }
        print(&stale.join("\n"))
    }
}

/// The documents of a checkout, found from its root.
fn documents() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let folder =
        fs::read_dir("docs").map_err(|_| "no docs here; run this in the checkout's root")?;
    let mut files = vec![PathBuf::from("README.md")];
    for entry in folder {
        files.push(entry?.path());
    }
    files
        .retain(|file| file.extension().is_some_and(|end| end == "md") && Path::new(file).exists());
    files.sort();
    Ok(files)
}

/// The text with its parts made again, and the commands of those that have changed.
fn renew(text: &str, is_slow: bool) -> Result<(String, Vec<String>), Box<dyn Error>> {
    let mut made = String::new();
    let mut changed = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(OPEN) {
        let end_of_mark = rest[start..].find('\n').map_or(rest.len(), |at| start + at + 1);
        let mark = &rest[start..end_of_mark];
        made.push_str(&rest[..end_of_mark]);
        rest = &rest[end_of_mark..];
        // A mark within a sentence is a mention.
        let Some(found) = Mark::read(mark) else { continue };
        let Some(end) = rest.find(CLOSE) else {
            return Err(format!("no '{CLOSE}' after {}", mark.trim()).into());
        };
        let old = &rest[..end];
        if is_slow || !found.is_slow {
            let new = format!("{}\n", found.make()?);
            if new != old {
                changed.push(found.shown.to_string());
            }
            made.push_str(&new);
        } else {
            made.push_str(old);
        }
        rest = &rest[end..];
    }
    made.push_str(rest);
    Ok((made, changed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_names_a_command_and_its_manner() {
        let mark = Mark::read("<!-- figures slow markdown: lab compare --algorithms 'sss*' -->\n");
        let shown = "lab compare --algorithms 'sss*'";
        let arguments = vec!["lab", "compare", "--algorithms", "sss*"];
        assert_eq!(mark, Some(Mark { is_slow: true, is_markdown: true, shown, arguments }));
        assert_eq!(words("dda --fen '8/8 w - -' x"), ["dda", "--fen", "8/8 w - -", "x"]);
        assert_eq!(Mark::read("see <!-- figures"), None);
    }

    #[test]
    fn parts_that_take_minutes_are_left_as_they_are() {
        let text = format!("a\n<!-- figures slow: lab claims -->\nold\n{CLOSE}\nb\n");
        assert_eq!(renew(&text, false).unwrap(), (text, vec![]));
        assert!(renew("<!-- figures: lab list -->\nold\n", false).is_err());
    }
}
