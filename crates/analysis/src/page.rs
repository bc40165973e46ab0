//! Analysed games as one self-contained page: a board to play through, the chance to win as a graph, the
//! terms as bands under it, and the reason of every mistake.

use serde_json::{Value as Json, json};

use shell::page;
use shell::texts::Texts;

const STYLE: &str = include_str!("page/analysis.css");
const SCRIPT: &str = include_str!("page/analysis.js");

/// The texts that the page uses itself.
const TEXTS: &[&str] = &["page.", "player.", "judgement.", "term.", "decimal."];

/// The page of these games, as JSON text each.
pub fn html(title: &str, games: &[Json], texts: &Texts) -> String {
    let data = json!({ "texts": texts.json(TEXTS), "games": games });
    let (lang, body) = (texts.lang.code(), "<div id=\"app\"></div>");
    page::Page { lang, title, styles: &[STYLE], scripts: &[SCRIPT], body, data: &data }.assemble()
}
