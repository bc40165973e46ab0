//! `engine lab explain` and `engine lab list`: the algorithms in words, and the names of everything.

use clap::Args;

use super::super::Done;
use super::game::Kind;
use lab::algorithms;
use lab::constants::{self, Constant};
use lab::games::tree::SHIPPED;
use lab::texts::{self, Lang};

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// The algorithm's name; see engine lab list
    pub name: String,
    /// The language of the answer
    #[arg(long, value_enum, default_value = "en")]
    pub lang: Lang,
}

/// Arguments of `list`.
#[derive(Debug, Args)]
pub struct List {
    /// The language of the answer
    #[arg(long, value_enum, default_value = "en")]
    pub lang: Lang,
}

/// Explains an algorithm.
///
/// # Errors
/// An unknown name.
pub fn explain(arguments: &Explain) -> Done {
    let texts = texts::of(arguments.lang);
    let algorithm = algorithms::named(&arguments.name)?;
    let name = algorithm.name;
    let of = |kind: &str| texts.get(&format!("{kind}.{name}")).to_string();
    let exact = texts.get(if algorithm.is_exact { "explain.exact" } else { "explain.guess" });
    let code = of("code");
    let code = code.lines().map(|line| line.split_once(": ").map_or(line, |(_, code)| code));
    let code: Vec<String> = code.map(|line| format!("  {line}")).collect();
    let meaning = |c: &Constant| texts.get(&format!("constant.{}", c.name)).to_string();
    let own = constants::ALL.iter().filter(|c| c.name.split('.').next() == Some(name));
    let own: Vec<String> = own
        .map(|c| {
            format!("  {} = {} ({}–{}): {}", c.name, c.default, c.range.0, c.range.1, meaning(c))
        })
        .collect();
    let mut parts = vec![
        format!("{} ({name}): {exact}.", of("title")),
        format!("{}: {}", texts.get("explain.source"), of("source")),
        format!("{}: {}", texts.get("explain.idea"), of("idea")),
        format!("{}: {}", texts.get("explain.cost"), of("cost")),
        format!("{}:\n{}", texts.get("explain.code"), code.join("\n")),
    ];
    if let Some(slips) = texts.find(&format!("errata.{name}")) {
        let slips: Vec<String> = slips.lines().map(|slip| format!("  - {slip}")).collect();
        parts.push(format!("{}:\n{}", texts.get("page.errata"), slips.join("\n")));
    }
    if !own.is_empty() {
        parts.push(format!("{}:\n{}", texts.get("explain.constants"), own.join("\n")));
    }
    super::super::print(&parts.join("\n"))
}

/// Lists algorithms, games, trees and constants.
///
/// # Errors
/// Output that cannot be written.
pub fn list(arguments: &List) -> Done {
    let texts = texts::of(arguments.lang);
    let row = |name: &str, text: &str| format!("  {name:<24}{text}");
    let mut lines = vec![format!("{}:", texts.get("list.algorithms"))];
    for algorithm in algorithms::all() {
        let title = texts.get(&format!("title.{}", algorithm.name)).to_string();
        let mark = if algorithm.is_exact { "" } else { " ≈" };
        lines.push(row(algorithm.name, &format!("{title}{mark}")));
    }
    lines.push(format!("\n{}:", texts.get("list.games")));
    for name in Kind::names() {
        lines.push(row(name, texts.get(&format!("game.{name}"))));
    }
    lines.push(format!("\n{}:", texts.get("list.trees")));
    for shipped in SHIPPED {
        lines.push(row(shipped.name, texts.get(&format!("tree.{}", shipped.name))));
    }
    let meaning = |c: &Constant| texts.get(&format!("constant.{}", c.name)).to_string();
    lines.push(format!("\n{}:", texts.get("list.constants")));
    for c in constants::ALL {
        let range = format!("{} ({}–{})  {}", c.default, c.range.0, c.range.1, meaning(c));
        lines.push(format!("  {:<30}{range}", c.name));
    }
    super::super::print(&lines.join("\n"))
}
