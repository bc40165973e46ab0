//! The shape of the source: imports point only downward, and every file says why it exists. The lints in
//! Cargo.toml hold the rest.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each module of the engine and the modules below it that it may use, from top to bottom. An unused permission
/// is an error too. Between crates the compiler holds the order.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "uci",
        &[
            "bench",
            "evaluation",
            "input",
            "limits",
            "logging",
            "player",
            "remark",
            "rules",
            "score",
            "search",
            "settings",
        ],
    ),
    (
        "player",
        &[
            "book",
            "evaluation",
            "limits",
            "play",
            "rules",
            "score",
            "search",
            "settings",
            "tablebase",
        ],
    ),
    ("bench", &["evaluation", "limits", "rules", "score", "search"]),
    ("settings", &["book", "evaluation", "play", "rules", "search", "tablebase"]),
    ("play", &["book", "evaluation", "limits", "logging", "rules", "score", "search"]),
    ("search", &["evaluation", "limits", "logging", "rules", "score", "tablebase"]),
    ("tablebase", &["input", "logging", "rules"]),
    ("evaluation", &["input", "rules", "score"]),
    ("book", &["input", "logging", "pgn", "remark", "rules"]),
    ("pgn", &["input", "remark", "rules"]),
    ("rules", &["remark"]),
    ("limits", &[]),
    ("score", &[]),
    ("logging", &["input"]),
    ("input", &["remark"]),
    ("remark", &[]),
];

/// The same inside the search.
const SEARCH_LAYERS: &[(&str, &[&str])] = &[
    ("driver", &["clock", "options", "report", "root", "signals", "terminal", "tree"]),
    (
        "tree",
        &[
            "clock",
            "line",
            "options",
            "ordering",
            "parameters",
            "report",
            "root",
            "signals",
            "table",
            "terminal",
        ],
    ),
    ("line", &[]),
    ("options", &["parameters"]),
    ("ordering", &["parameters", "table"]),
    ("root", &["report", "terminal"]),
    ("table", &["report"]),
    ("terminal", &[]),
    ("clock", &[]),
    ("signals", &[]),
    ("report", &[]),
    ("parameters", &[]),
];

/// The same inside the tree: a node, its moves, and below them the techniques.
const TREE_LAYERS: &[(&str, &[&str])] = &[
    (
        "node",
        &["extensions", "moves", "node_kind", "pruning", "reductions", "tt", "window", "worker"],
    ),
    ("moves", &["extensions", "node_kind", "pruning", "reductions", "window", "worker"]),
    ("quiescence", &["node_kind", "pruning", "tt", "window", "worker"]),
    ("tt", &["node_kind", "window", "worker"]),
    ("worker", &["reductions"]),
    ("pruning", &["window"]),
    ("reductions", &["window"]),
    ("extensions", &["window"]),
    ("window", &[]),
    ("node_kind", &[]),
];

struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    /// The file's module below `root`: the first part of its path.
    fn module(&self, root: &Path) -> String {
        let below = self.path.strip_prefix(root).unwrap();
        let first = below.components().next().unwrap().as_os_str();
        Path::new(first).file_stem().unwrap().to_string_lossy().into_owned()
    }

    /// The file without comments and without its tests at the end.
    fn code(&self) -> String {
        let text = self.text.split("#[cfg(test)]\nmod tests").next().unwrap();
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        text.lines().filter(is_code).collect::<Vec<_>>().join("\n")
    }
}

/// The source of the engine.
fn source_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/engine/src")
}

fn sources(root: &Path) -> Vec<Source> {
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
    collect(root, &mut found);
    assert!(found.len() > 5);
    found
}

/// The modules that `code` names after `prefix`, as in `engine::rules::Game` and
/// `crate::{rules::Game, score}`.
fn modules_named(code: &str, prefix: &str) -> Vec<String> {
    let is_name = |c: char| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit();
    let first = |text: &str| text.trim().chars().take_while(|&c| is_name(c)).collect::<String>();
    let mut modules = Vec::new();
    for after in code.split(prefix).skip(1) {
        match after.strip_prefix('{') {
            None => modules.push(first(after)),
            Some(group) => {
                let mut depth = 0;
                let mut start = 0;
                for (at, c) in group.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' | ',' if depth == 0 => {
                            modules.push(first(&group[start..at]));
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
    modules.retain(|module| !module.is_empty());
    modules
}

#[test]
fn groups_of_imports_are_read() {
    let code = "use crate::{rules::{Game, Rules}, score};\nlet x = crate::search::run();";
    assert_eq!(modules_named(code, "crate::"), ["rules", "score", "search"]);
}

/// Every file below `root` uses only the modules that `layers` permits, and every permission is used.
fn check(root: &Path, layers: &[(&str, &[&str])], prefixes: &[&str]) {
    let mut used = BTreeSet::new();
    for source in sources(root) {
        let module = source.module(root);
        if ["lib", "mod"].contains(&module.as_str()) {
            continue;
        }
        let below = layers.iter().find(|(name, _)| *name == module);
        let (name, below) = below.unwrap_or_else(|| panic!("{module}: give it a place in layers"));
        // In a file directly in the folder, `super::` is the folder too.
        let is_direct = source.path.parent() == Some(root);
        for prefix in prefixes.iter().chain(is_direct.then_some(&"super::")) {
            for other in modules_named(&source.code(), prefix) {
                let is_allowed = other == module || below.contains(&other.as_str());
                assert!(is_allowed, "{}: {module} must not use {other}", source.path.display());
                used.insert((*name, other));
            }
        }
    }
    for (name, below) in layers {
        for other in *below {
            let is_used = used.contains(&(*name, other.to_string()));
            assert!(is_used, "{name} does not use {other}: take the permission away");
        }
    }
}

/// No module may use one that stands above it.
fn check_order(layers: &[(&str, &[&str])]) {
    let place = |module: &str| layers.iter().position(|(name, _)| *name == module);
    for (module, below) in layers {
        for other in *below {
            assert!(place(module) < place(other), "{module} uses {other}, which is above it");
        }
    }
}

#[test]
fn imports_point_only_downward() {
    check(&source_root(), LAYERS, &["crate::"]);
    check_order(LAYERS);
}

#[test]
fn imports_point_only_downward_inside_the_search() {
    check(&source_root().join("search"), SEARCH_LAYERS, &["crate::search::"]);
    check_order(SEARCH_LAYERS);
}

#[test]
fn imports_point_only_downward_inside_the_tree() {
    check(&source_root().join("search/tree"), TREE_LAYERS, &["crate::search::tree::"]);
    check_order(TREE_LAYERS);
}

#[test]
fn every_file_says_why_it_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for source in ["src", "crates"].iter().flat_map(|folder| sources(&root.join(folder))) {
        assert!(source.text.starts_with("//! "), "{}", source.path.display());
    }
}

#[test]
fn every_remark_in_the_code_has_a_text_and_every_text_a_place_in_the_code() {
    let quoted = |root: &Path| -> BTreeSet<String> {
        let code = sources(root).into_iter().map(|source| source.code());
        let keys = code.flat_map(|code| {
            let of_kind = |kind| {
                code.split(&format!("\"{kind}"))
                    .skip(1)
                    .map(move |rest| format!("{kind}{}", rest.split('"').next().unwrap()))
                    .collect::<Vec<_>>()
            };
            ["fault.", "remark.", "rules."].into_iter().flat_map(of_kind).collect::<Vec<_>>()
        });
        keys.collect()
    };
    let lines = engine::remark::ENGLISH.lines().filter_map(|line| line.split_once(" = "));
    let texts: BTreeSet<&str> = lines.map(|(key, _)| key).collect();
    let in_engine = quoted(&source_root());
    assert!(in_engine.len() > 40, "{in_engine:?}");
    for key in &in_engine {
        assert!(texts.contains(key.as_str()), "{key} has no text");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let everywhere: BTreeSet<String> =
        ["src", "crates"].iter().flat_map(|folder| quoted(&root.join(folder))).collect();
    for key in texts {
        assert!(everywhere.contains(key), "{key} is unused");
    }
}
