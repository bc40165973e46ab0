//! `engine lab quiz`: a sheet of exercises with solutions, to be printed.

use std::path::PathBuf;

use clap::Args;

use super::super::Done;
use lab::quiz::{exercises, sheet, solution};
use lab::texts::{self, Lang};
use shell::files::{self, write_text};

/// Arguments of `quiz`.
#[derive(Debug, Args)]
pub struct QuizArgs {
    /// The number of the sheet; the same number brings the same sheet
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Write the sheet as a page to be printed, with pictures
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// The language of the sheet
    #[arg(long, value_enum, default_value = "en")]
    pub lang: Lang,
    /// Replace a file of another kind
    #[arg(long)]
    pub force: bool,
}

/// Makes a sheet.
///
/// # Errors
/// A file that cannot be written.
pub fn run(arguments: &QuizArgs) -> Done {
    let texts = texts::of(arguments.lang);
    files::check(&[(arguments.html.as_deref(), files::HTML)], &[], arguments.force)?;
    let exercises = exercises(arguments.seed, &texts)?;
    if let Some(path) = &arguments.html {
        let page = sheet(arguments.seed, &exercises, &texts);
        return Ok(write_text(path, files::HTML, &page, arguments.force)?);
    }
    let title = texts.fill("quiz.title", &[("seed", &arguments.seed.to_string())]);
    let mut lines = vec![title, String::new(), texts.get("quiz.task").to_string(), String::new()];
    for (i, exercise) in exercises.iter().enumerate() {
        let name = texts.fill("quiz.exercise", &[("number", &(i + 1).to_string())]);
        lines.push(format!("{name}: {}", exercise.text));
    }
    lines.extend([String::new(), texts.get("quiz.solutions").to_string()]);
    for (i, exercise) in exercises.iter().enumerate() {
        lines.push(solution(i + 1, exercise, &texts));
    }
    super::super::print(&lines.join("\n"))
}
