//! `engine completions` and `engine manual`: what a package brings along for shells and for `man`.

use std::fs;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::Shell;

use super::lab::game::Kind;
use super::{Done, command, print};
use engine::rules::RuleSet;
use lab::algorithms;
use shell::files::{FileKind, write_text};

/// A page for `man`.
const MANUAL_PAGE: FileKind = FileKind {
    name: "a page of a manual",
    matches: |head| head.starts_with(b".ie ") || head.starts_with(b".TH "),
};

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl CompletionsArgs {
    /// Prints the script.
    pub fn run(self) -> Done {
        let mut command = with_choices(command());
        let name = command.get_name().to_string();
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        print(String::from_utf8_lossy(&script).trim_end())
    }
}

/// The commands with the names that can stand where an argument reads a word by itself: a shell would offer files there.
fn with_choices(command: Command) -> Command {
    let is_lab = command.get_name() == "lab";
    let command = command.mut_args(|arg| match arg.get_long() {
        Some("variant") => arg.value_parser(PossibleValuesParser::new(RuleSet::NAMES)),
        _ => arg,
    });
    command.mut_subcommands(|below| {
        let below = with_choices(below);
        if !is_lab {
            return below;
        }
        let algorithms = || {
            PossibleValuesParser::new(algorithms::all().into_iter().map(|algorithm| algorithm.name))
        };
        let is_explain = below.get_name() == "explain";
        below.mut_args(|arg| match arg.get_long() {
            Some("game") => arg.value_parser(PossibleValuesParser::new(Kind::names())),
            Some("algorithm" | "algorithms" | "versus") => arg.value_parser(algorithms()),
            None if is_explain && arg.get_id() == "name" => arg.value_parser(algorithms()),
            _ => arg,
        })
    })
}

/// Arguments of `manual`.
#[derive(Debug, Args)]
pub struct ManualArgs {
    /// The folder for the pages; it is made if it is not there
    folder: PathBuf,
    /// Replace files of these names even if they are no pages of a manual
    #[arg(long)]
    force: bool,
}

impl ManualArgs {
    /// Writes a page for the program and one for each of its commands. Pages of the same name are replaced.
    pub fn run(self) -> Done {
        let place = self.folder.display();
        fs::create_dir_all(&self.folder).map_err(|error| format!("{place}: {error}"))?;
        let pages = tempfile::tempdir()?;
        clap_mangen::generate_to(command(), pages.path())?;
        for page in fs::read_dir(pages.path())? {
            let page = page?;
            let text = fs::read_to_string(page.path())?;
            write_text(&self.folder.join(page.file_name()), MANUAL_PAGE, &text, self.force)?;
        }
        Ok(())
    }
}
