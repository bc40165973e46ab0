//! A sheet of exercises: random trees to be searched by hand with alpha-beta, with solutions.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use serde_json::Value as Json;

use super::algorithms::{ALPHA_BETA, MINIMAX};
use super::constants::Constants;
use super::drawing::{Drawing, Look};
use super::game::Position;
use super::games::tree::{Tree, TreeError};
use super::record::{Record, record};
use super::texts::Texts;
use super::watch::LeafPaths;
use shell::page::{Page, escape};

/// Exercises on a sheet.
const EXERCISES: usize = 4;
/// Leaves that must be cut off, so that there is something to find.
const MIN_CUT: usize = 2;
/// Tries to draw such a tree.
const TRIES: usize = 200;
/// Leaves have values from 0 to this.
const MAX: u32 = 20;

const STYLE: &str = "main { max-width: 62em; margin: 0 auto; padding: 1em; } figure { margin: 0 0 \
    1.5em; break-inside: avoid; } svg { max-width: 100%; height: auto; background: #fff; } \
    .solutions { break-before: page; }";

/// A tree with its solution.
pub struct Exercise {
    /// The tree in the text form of [`Tree::parse`].
    pub text: String,
    /// The tree.
    pub root: Position,
    /// Alpha-beta on it.
    pub record: Record,
    /// Minimax on it, which enters every node.
    pub whole: Record,
    /// The paths of the leaves that are not evaluated.
    pub cut: Vec<String>,
}

/// The exercises of the sheet number `seed`; the same seed always brings the same sheet.
///
/// # Errors
/// None in practice: the trees are written here.
pub fn exercises(seed: u64, texts: &Texts) -> Result<Vec<Exercise>, TreeError> {
    let mut rng = SmallRng::seed_from_u64(seed);
    (0..EXERCISES)
        .map(|number| {
            let height = if number < 2 { 2 } else { 3 };
            let mut exercise = draw(height, &mut rng, texts)?;
            for _ in 0..TRIES {
                if exercise.cut.len() >= MIN_CUT {
                    break;
                }
                exercise = draw(height, &mut rng, texts)?;
            }
            Ok(exercise)
        })
        .collect()
}

fn draw(height: u32, rng: &mut SmallRng, texts: &Texts) -> Result<Exercise, TreeError> {
    let mut letters = 'A'..='Z';
    let text = node_text(height, rng, &mut letters);
    let root = Position::new(Tree::parse(&text)?);
    let solved = record(&ALPHA_BETA, Constants::default(), &root, height, texts);
    let whole = record(&MINIMAX, Constants::default(), &root, height, texts);
    let mut looked = LeafPaths::default();
    ALPHA_BETA.run(&root, height, &mut looked);
    let seen: Vec<String> = looked
        .0
        .iter()
        .map(|path| path.iter().flatten().map(|m| m.to_string()).collect::<Vec<_>>().join("-"))
        .collect();
    let mut cut = leaves(&root, "");
    cut.retain(|path| !seen.contains(path));
    Ok(Exercise { text, root, record: solved, whole, cut })
}

/// A random node: two or three children, leaves without names.
fn node_text(height: u32, rng: &mut SmallRng, letters: &mut impl Iterator<Item = char>) -> String {
    if height == 0 {
        return rng.random_range(0..=MAX).to_string();
    }
    let name = letters.next().unwrap_or('Z');
    let breadth = if height > 2 { 2 } else { rng.random_range(2..=3) };
    let children: Vec<String> = (0..breadth).map(|_| node_text(height - 1, rng, letters)).collect();
    format!("{name} ({})", children.join(" "))
}

/// The paths of all leaves.
fn leaves(node: &Position, path: &str) -> Vec<String> {
    let moves = node.moves();
    if moves.is_empty() {
        return vec![path.to_string()];
    }
    let below = |m| {
        let path = if path.is_empty() { format!("{m}") } else { format!("{path}-{m}") };
        leaves(&node.play(m), &path)
    };
    moves.into_iter().flat_map(below).collect()
}

/// The solution in words.
pub fn solution(number: usize, exercise: &Exercise, texts: &Texts) -> String {
    let cut = match exercise.cut.as_slice() {
        [] => texts.get("quiz.none").to_string(),
        cut => cut.join(", "),
    };
    let number = number.to_string();
    let (value, best) = (exercise.record.value(texts), exercise.record.best(texts));
    let args = [("number", &*number), ("value", &*value), ("best", &*best), ("cut", &*cut)];
    texts.fill("quiz.solution", &args)
}

/// The sheet as a page to be printed: the trees, and on a new sheet the solutions.
pub fn sheet(seed: u64, exercises: &[Exercise], texts: &Texts) -> String {
    let title = texts.fill("quiz.title", &[("seed", &seed.to_string())]);
    let mut body =
        format!("<main><h1>{}</h1><p>{}</p>", escape(&title), escape(texts.get("quiz.task")));
    for (i, exercise) in exercises.iter().enumerate() {
        let title = texts.fill("quiz.exercise", &[("number", &(i + 1).to_string())]);
        let look = Look { is_task: true, ..Look::default() };
        let svg = Drawing::new(&exercise.whole, texts, title, look).svg();
        body += &format!("<figure>{svg}</figure>");
    }
    body +=
        &format!("<section class=\"solutions\"><h1>{}</h1>", escape(texts.get("quiz.solutions")));
    for (i, exercise) in exercises.iter().enumerate() {
        let text = solution(i + 1, exercise, texts);
        let title = texts.fill("quiz.exercise", &[("number", &(i + 1).to_string())]);
        let svg = Drawing::new(&exercise.record, texts, title, Look::default()).svg();
        body += &format!("<figure>{svg}<figcaption>{}</figcaption></figure>", escape(&text));
    }
    body += "</section></main>";
    let lang = texts.lang.code();
    Page { lang, title: &title, styles: &[STYLE], scripts: &[], body: &body, data: &Json::Null }
        .assemble()
}
