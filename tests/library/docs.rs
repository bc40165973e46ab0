//! The pages under `docs/` agree with the code and with one another: links lead somewhere, the names of
//! parameters and tests are those of the code, and a page stays as short as a reader finishes.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ajedrecista::commands::Cli;
use clap::Parser;
use clap::error::ErrorKind;
use engine::search::parameters::TUNABLES;

/// Lines of a page for readers; the logs under `docs/log` may be longer, and tables that a command makes
/// do not count.
const MAX_LINES: usize = 150;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder whose names end with `.ext`, and of the folders inside it.
fn files(folder: &Path, ext: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { files(&path, ext) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|found| found == ext))
        .collect()
}

/// The text without its blocks of code.
fn prose(text: &str) -> String {
    text.split("```").step_by(2).collect()
}

/// The anchors of a page's headings, as code hosts make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let anchor = |heading: &str| -> String {
        let kept = heading.trim().to_lowercase();
        let kept = kept.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#'))).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut pages = files(&root().join("docs"), "md");
    pages.extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name)));
    for page in pages {
        let text = prose(&read(&page));
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with("http")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { page.clone() } else { page.with_file_name(path) };
            assert!(target.exists(), "{}: {link}", page.display());
            if !anchor.is_empty() {
                let known = anchors(&prose(&read(&target)));
                assert!(known.contains(anchor), "{}: {link} is none of {known:?}", page.display());
            }
        }
    }
}

#[test]
fn a_page_is_as_short_as_a_reader_finishes() {
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|found| found == "md") {
            let text = read(&path);
            let made = |part: &str| part.split("<!-- end of figures -->").last().map(str::len);
            let parts = text.split("<!-- figures").enumerate().map(|(i, part)| match i {
                0 => part,
                _ => &part[part.len() - made(part).unwrap_or(0)..],
            });
            let lines: usize = parts.map(|part| part.lines().count()).sum();
            assert!(lines <= MAX_LINES, "{} has {lines} lines", path.display());
        }
    }
}

/// The words in back quotes that are names in the code: small letters, digits and at least one underscore.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |word: &&str| {
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        word.contains('_') && word.chars().all(is_part)
    };
    text.split('`').skip(1).step_by(2).filter(is_name)
}

#[test]
fn the_page_about_the_search_names_its_parameters() {
    let text = prose(&read(&root().join("docs/search.md")));
    assert!(names(&text).count() > 20);
    for name in names(&text) {
        assert!(TUNABLES.iter().any(|tunable| tunable.name == name), "{name}");
    }
}

#[test]
fn the_tests_that_hold_the_promises_exist() {
    let text = prose(&read(&root().join("docs/robustness.md")));
    let sources = ["tests", "crates", "src"].map(|folder| files(&root().join(folder), "rs"));
    let sources: Vec<String> = sources.iter().flatten().map(|path| read(path)).collect();
    assert!(names(&text).count() > 5);
    for name in names(&text) {
        let head = format!("fn {name}(");
        assert!(sources.iter().any(|source| source.contains(&head)), "{name}");
    }
}

/// The commands in back quotes that begin with `engine `, without quotes of their own.
fn commands(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter(|word| word.starts_with("engine "))
}

#[test]
fn every_row_of_the_sources_names_a_command_that_exists_and_a_state() {
    for page in ["docs/sources.md", "docs/fuentes.md"] {
        let text = read(&root().join(page));
        let rows = text.lines().filter(|line| line.starts_with("| ") && !line.contains("---"));
        let rows: Vec<Vec<&str>> =
            rows.map(|row| row.trim_matches('|').split(" | ").collect()).collect();
        assert!(rows.len() > 50, "{page}");
        for row in &rows {
            assert!(row.len() == 3 && row.iter().all(|cell| !cell.trim().is_empty()), "{row:?}");
        }
        assert!(commands(&text).count() > 50);
    }
    for page in ["sources", "fuentes", "claims", "afirmaciones"] {
        for command in commands(&read(&root().join(format!("docs/{page}.md")))) {
            let words = command.split_whitespace().map(|word| word.trim_matches('\''));
            let fault = Cli::try_parse_from(words).err();
            let is_help = |kind| kind == ErrorKind::DisplayHelp;
            assert!(
                fault.as_ref().is_none_or(|f| is_help(f.kind())),
                "{page}: {command}: {fault:?}"
            );
        }
    }
}

#[test]
fn the_quick_figures_in_the_documents_are_those_of_the_program() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_engine"))
        .args(["figures", "--check"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
