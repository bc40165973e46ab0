//! `engine completions` and `engine manual`: what a package brings along for shells and for `man`.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use super::{Done, command, print};
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
        let mut command = command();
        let name = command.get_name().to_string();
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        print(String::from_utf8_lossy(&script).trim_end())
    }
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
