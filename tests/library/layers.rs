//! The shape of the source: imports point only downward, every file says why it exists,
//! functions stay short, and what a user typed is never unwrapped.

use std::fs;
use std::path::{Path, PathBuf};

/// Each room and the rooms below it that it may use, from top to bottom. The command line's
/// words stand beside `main` and borrow their defaults from the bench and the laboratory's words
/// from its command.
const LAYERS: &[(&str, &[&str])] = &[
    ("main", &["cli", "commands"]),
    ("cli", &["bench", "commands", "levels", "rules"]),
    (
        "commands",
        &[
            "arena",
            "bench",
            "book",
            "engine",
            "evaluation",
            "lab",
            "levels",
            "limits",
            "protocol",
            "rules",
            "score",
            "search",
            "settings",
            "shell",
            "tablebase",
            "training",
        ],
    ),
    ("training", &["arena", "evaluation", "limits", "rules", "score", "search"]),
    ("lab", &["evaluation", "rules", "score", "shell"]),
    ("protocol", &["bench", "engine", "levels", "limits", "rules", "score", "search", "settings"]),
    (
        "engine",
        &[
            "book",
            "evaluation",
            "levels",
            "limits",
            "rules",
            "score",
            "search",
            "settings",
            "tablebase",
        ],
    ),
    ("arena", &["evaluation", "levels", "limits", "rules", "score", "search"]),
    ("bench", &["evaluation", "limits", "rules", "score", "search"]),
    ("settings", &["book", "evaluation", "levels", "rules", "score", "search", "tablebase"]),
    ("levels", &["limits", "rules", "score", "search"]),
    ("search", &["evaluation", "limits", "rules", "score", "tablebase"]),
    ("tablebase", &["rules", "score"]),
    ("evaluation", &["rules", "score"]),
    ("book", &["rules"]),
    ("rules", &["score"]),
    ("limits", &[]),
    ("shell", &[]),
    ("score", &[]),
];

/// Longest function, in lines.
const LONGEST_FUNCTION: usize = 110;

/// Rooms that may print and may give up on a fault: they face a person, not a client.
const FACE_THE_USER: &[&str] = &["main", "cli", "commands", "shell"];

struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    /// The room that the file belongs to: the first part of its path under `src`.
    fn room(&self) -> String {
        let below = self.path.strip_prefix(source_root()).unwrap();
        let first = below.components().next().unwrap().as_os_str();
        Path::new(first).file_stem().unwrap().to_string_lossy().into_owned()
    }

    /// The file without comments and without its tests, which come last.
    fn code(&self) -> String {
        let text = self.text.split("#[cfg(test)]\nmod tests").next().unwrap();
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        text.lines().filter(is_code).collect::<Vec<_>>().join("\n")
    }
}

fn source_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn sources() -> Vec<Source> {
    fn collect(folder: &Path, found: &mut Vec<Source>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push(Source { path, text });
            }
        }
    }
    let mut found = Vec::new();
    collect(&source_root(), &mut found);
    assert!(found.len() > 10);
    found
}

/// The rooms that `code` names after `prefix`, as in `crate::rules::Game` and
/// `crate::{rules::Game, score}`.
fn rooms_named(code: &str, prefix: &str) -> Vec<String> {
    let is_name = |c: char| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit();
    let first = |text: &str| text.trim().chars().take_while(|&c| is_name(c)).collect::<String>();
    let mut rooms = Vec::new();
    for after in code.split(prefix).skip(1) {
        match after.strip_prefix('{') {
            None => rooms.push(first(after)),
            Some(group) => {
                let mut depth = 0;
                let mut start = 0;
                for (at, c) in group.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' | ',' if depth == 0 => {
                            rooms.push(first(&group[start..at]));
                            start = at + 1;
                            if c == '}' {
                                break;
                            }
                        }
                        '}' => depth -= 1,
                        _ => {}
                    }
                }
            }
        }
    }
    rooms.retain(|room| !room.is_empty());
    rooms
}

#[test]
fn groups_of_imports_are_understood() {
    let code = "use crate::{rules::{Game, Rules}, score};\nlet x = crate::search::run();";
    assert_eq!(rooms_named(code, "crate::"), ["rules", "score", "search"]);
}

#[test]
fn imports_point_only_downward() {
    for source in sources() {
        let room = source.room();
        if room == "lib" {
            continue;
        }
        let below = LAYERS.iter().find(|(name, _)| *name == room);
        let (_, below) = below.unwrap_or_else(|| panic!("{room}: give it a place in LAYERS"));
        let code = source.code();
        let mut used = rooms_named(&code, "ajedrecista::");
        // In the program's own crate, crate:: means the program.
        if room != "main" && room != "cli" {
            used.extend(rooms_named(&code, "crate::"));
        }
        for other in used {
            let is_allowed = other == room || below.contains(&other.as_str());
            assert!(is_allowed, "{}: {room} must not use {other}", source.path.display());
        }
    }
}

#[test]
fn every_layer_lies_above_what_it_uses() {
    let place = |room: &str| LAYERS.iter().position(|(name, _)| *name == room);
    for (room, below) in LAYERS {
        for other in *below {
            if let Some(other_place) = place(other) {
                assert!(place(room) < Some(other_place), "{room} uses {other}, which is above it");
            }
        }
    }
}

#[test]
fn every_file_says_why_it_exists() {
    for source in sources() {
        assert!(source.text.starts_with("//! "), "{}", source.path.display());
    }
}

#[test]
fn functions_are_short() {
    for source in sources() {
        let lines: Vec<&str> = source.text.lines().collect();
        for (start, line) in lines.iter().enumerate() {
            let words: Vec<&str> = line.split_whitespace().take(5).collect();
            let is_function = words.iter().position(|word| *word == "fn").is_some_and(|at| {
                let is_modifier = |word: &&str| {
                    word.starts_with("pub") || ["const", "async", "unsafe", "in"].contains(word)
                };
                words[..at].iter().all(is_modifier)
            });
            if !is_function || line.trim_end().ends_with([';', '}']) {
                continue;
            }
            // rustfmt closes a function at the indentation that it opened it with.
            let indent = &line[..line.len() - line.trim_start().len()];
            let end = format!("{indent}}}");
            let length = lines[start..].iter().position(|line| **line == end).unwrap_or(0) + 1;
            let place = format!("{}:{}", source.path.display(), start + 1);
            assert!(length <= LONGEST_FUNCTION, "{place}: {length} lines");
        }
    }
}

#[test]
fn nothing_below_the_commands_prints_or_gives_up() {
    for source in sources() {
        if FACE_THE_USER.contains(&source.room().as_str()) {
            continue;
        }
        let is_test_help = source.path.ends_with("protocol/fake.rs");
        for word in [".unwrap()", ".expect(", "println!", "print!(", "dbg!", "todo!"] {
            let found = source.code().contains(word);
            assert!(!found || is_test_help, "{} has {word}", source.path.display());
        }
    }
}
