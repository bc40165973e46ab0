//! `engine lab examples`: a page for each of the sources' worked examples, and an index.

use std::path::PathBuf;

use clap::Args;

use super::super::Done;
use lab::algorithms;
use lab::constants::Constants;
use lab::game::Position;
use lab::games::tree::{SHIPPED, Shipped, Tree};
use lab::page::Lesson;
use lab::record::record;
use lab::texts::{self, Lang, Texts};
use shell::files::{self, write_text};
use shell::page::{Page, escape};

/// Arguments of `examples`.
#[derive(Debug, Args)]
pub struct Examples {
    /// The folder; it is made if it is missing
    #[arg(long, value_name = "FOLDER")]
    pub to: PathBuf,
    /// The language of the pages
    #[arg(long, value_enum, default_value = "en")]
    pub lang: Lang,
    /// Replace files of another kind
    #[arg(long)]
    pub force: bool,
}

/// Writes the pages.
///
/// # Errors
/// A folder or file that cannot be written.
pub fn run(arguments: &Examples) -> Done {
    let texts = texts::of(arguments.lang);
    std::fs::create_dir_all(&arguments.to)
        .map_err(|fault| format!("{}: {fault}", arguments.to.display()))?;
    let place = |name: &str| arguments.to.join(format!("{name}.html"));
    let names = SHIPPED.iter().map(|shipped| shipped.name).chain(["index"]);
    let places: Vec<PathBuf> = names.map(place).collect();
    let outputs: Vec<_> = places.iter().map(|path| (Some(path.as_path()), files::HTML)).collect();
    files::check(&outputs, &[], arguments.force)?;
    let mut links = String::new();
    for shipped in SHIPPED {
        let (title, page) = example(shipped, &texts)?;
        let file = format!("{}.html", shipped.name);
        write_text(&place(shipped.name), files::HTML, &page, arguments.force)?;
        links += &format!("<li><a href=\"{file}\">{}</a></li>", escape(&title));
    }
    let title = texts.get("examples.title");
    let body = format!("<main><h1>{}</h1><ul>{links}</ul></main>", escape(title));
    let style = "main { max-width: 46em; margin: 0 auto; padding: 1em; } li { margin: .5em 0; }";
    let lang = arguments.lang.code();
    let data = serde_json::Value::Null;
    let page = Page { lang, title, styles: &[style], scripts: &[], body: &body, data: &data };
    write_text(&place("index"), files::HTML, &page.assemble(), arguments.force)?;
    super::super::print(&place("index").display().to_string())
}

/// The title and the page of one example.
fn example(
    shipped: &Shipped,
    texts: &Texts,
) -> Result<(String, String), Box<dyn std::error::Error>> {
    let tree = Tree::shipped(shipped.name)?;
    let (root, depth) = (Position::new(tree.clone()), shipped.depth.unwrap_or(tree.height()));
    let mut constants = Constants::default();
    let mut command = format!("engine lab tree --game tree --tree {}", shipped.name);
    for setting in shipped.constants {
        constants.set(setting)?;
        command += &format!(" --set {setting}");
    }
    let mut records = Vec::new();
    for (name, option) in shipped.algorithms.iter().zip(["--algorithm", "--versus"]) {
        records.push(record(&algorithms::named(name)?, constants, &root, depth, texts));
        command += &format!(" {option} '{name}'");
    }
    command += &format!(" --depth {depth} --html {}.html", shipped.name);
    let title = texts.get(&format!("tree.{}", shipped.name)).to_string();
    let lesson = Lesson { title: title.clone(), command: Some(command), records: &records, texts };
    Ok((title, lesson.html()))
}
