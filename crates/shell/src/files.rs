//! Output files: written whole or not at all, and never over something else.
//!
//! An output is written to a temporary file beside its target and replaces the target once it is complete.
//! A full disk, an error or Ctrl-C leaves the target unchanged. Devices and pipes are written directly. A
//! target that is an input, or holds something of another kind, is refused without `--force`.

use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::interrupt;
use super::remarks;
use super::texts::{Lang, own};

/// First bytes of a file, by which its kind is recognised.
const HEAD: u64 = 4096;

/// A kind of file that the program writes.
#[derive(Clone, Copy)]
pub struct FileKind {
    /// Name in messages, with its article: `a book`.
    pub name: &'static str,
    /// True if a file that begins with these bytes, at most 4,096, may be of this kind.
    pub matches: fn(&[u8]) -> bool,
}

impl FileKind {
    /// Any UTF-8 text whose first line contains `mark`.
    fn begins_with(head: &[u8], mark: &str) -> bool {
        let end = head.iter().position(|&byte| byte == b'\n').unwrap_or(head.len());
        FileKind::holds(&head[..end], mark)
    }

    /// Any UTF-8 text that contains `mark`.
    pub fn holds(head: &[u8], mark: &str) -> bool {
        String::from_utf8_lossy(head).contains(mark)
    }
}

/// A picture in SVG.
pub const SVG: FileKind =
    FileKind { name: "an SVG picture", matches: |head| FileKind::begins_with(head, "<svg") };
/// A page in HTML.
pub const HTML: FileKind =
    FileKind { name: "a page", matches: |head| FileKind::begins_with(head, "<!DOCTYPE html") };
/// Comma-separated values: a first line with a comma.
pub const CSV: FileKind =
    FileKind { name: "a CSV table", matches: |head| FileKind::begins_with(head, ",") };
/// A graph for Graphviz.
pub const DOT: FileKind =
    FileKind { name: "a Graphviz graph", matches: |head| FileKind::begins_with(head, "digraph") };
/// JSON: an object or a list.
pub const JSON: FileKind = FileKind {
    name: "JSON",
    matches: |head| {
        head.iter()
            .find(|byte| !byte.is_ascii_whitespace())
            .is_some_and(|byte| b"{[".contains(byte))
    },
};

/// A reason not to write an output file. The text names the file, the error and a remedy.
#[derive(Debug)]
pub enum OutputError {
    /// The target is one of the inputs.
    IsInput(PathBuf),
    /// The target holds something else.
    OtherKind {
        /// The target.
        path: PathBuf,
        /// The intended kind.
        kind: &'static str,
    },
    /// The target keeps work in progress, or what is added to it, and is no regular file.
    NoFile(PathBuf),
    /// Two outputs of a command have the same place.
    Same(PathBuf),
    /// A file of this name is needed for work in progress, and is something else.
    NotOurs(PathBuf),
    /// The work in progress is that of another command.
    OtherTask(PathBuf),
    /// Another run has the output.
    Busy(PathBuf),
    /// The target cannot be written.
    Io {
        /// The target.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl OutputError {
    /// The reason in a language.
    pub fn in_words(&self, lang: Lang) -> String {
        let texts = own(lang);
        let tell = |key, path: &Path, name, value: &str| {
            texts.fill(key, &[("path", &path.display().to_string()), (name, value)])
        };
        let (key, path) = match self {
            OutputError::IsInput(path) => ("output.is-input", path),
            OutputError::NoFile(path) => ("output.no-file", path),
            OutputError::Same(path) => ("output.same", path),
            OutputError::NotOurs(path) => ("output.not-ours", path),
            OutputError::OtherTask(path) => ("output.other-task", path),
            OutputError::Busy(path) => ("output.busy", path),
            OutputError::OtherKind { path, kind } => {
                let named = format!("kind.{}", kind.replace(' ', "-"));
                return tell(
                    "output.other-kind",
                    path,
                    "kind",
                    texts.find(&named).unwrap_or(*kind),
                );
            }
            OutputError::Io { path, source } => {
                return tell("output.system", path, "fault", &remarks::of_system(source, lang));
            }
        };
        tell(key, path, "fault", "")
    }
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(Lang::En))
    }
}

impl Error for OutputError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            OutputError::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// An output file in progress. Dropped before [`OutputFile::finish`], it leaves no trace.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    destination: Destination,
}

#[derive(Debug)]
enum Destination {
    /// A device or a pipe.
    Direct(File),
    /// A temporary file that will become the file of this name.
    Draft(NamedTempFile, PathBuf),
}

impl OutputFile {
    /// Prepares to write `path`, made from `inputs`. With `force` it may replace an input or a file of
    /// another kind.
    ///
    /// # Errors
    /// [`OutputError`] if the target must not or cannot be written.
    pub fn create(
        path: &Path,
        kind: FileKind,
        inputs: &[PathBuf],
        force: bool,
    ) -> Result<OutputFile, OutputError> {
        let named = |source| OutputError::Io { path: path.to_path_buf(), source };
        let existing = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(named(error)),
        };
        if is_special(path) {
            let file = OpenOptions::new().write(true).open(path).map_err(named)?;
            let destination = Destination::Direct(file);
            return Ok(OutputFile { path: path.to_path_buf(), destination });
        }
        // Links are followed: the target of the link is replaced, not the link.
        let target = match existing {
            Some(_) => path.canonicalize().map_err(named)?,
            None => path.to_path_buf(),
        };
        if !force {
            refuse_inputs(path, &target, inputs)?;
            refuse_other_kinds(path, kind)?;
        }
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut drafts = interrupt::drafts();
        let draft = draft_in(folder.unwrap_or(Path::new(".")), existing.as_ref()).map_err(named)?;
        drafts.push(draft.path().to_path_buf());
        let destination = Destination::Draft(draft, target);
        Ok(OutputFile { path: path.to_path_buf(), destination })
    }

    /// The file to write to.
    pub fn file(&mut self) -> &mut File {
        match &mut self.destination {
            Destination::Direct(file) => file,
            Destination::Draft(draft, _) => draft.as_file_mut(),
        }
    }

    /// The folder of the output, for other temporary files.
    pub fn folder(&self) -> &Path {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.unwrap_or(Path::new("."))
    }

    /// Writes `text` to the file.
    ///
    /// # Errors
    /// [`OutputError::Io`] if the disk is full.
    pub fn write_text(&mut self, text: &str) -> Result<(), OutputError> {
        self.write(text.as_bytes())
    }

    /// Writes `bytes` to the file.
    ///
    /// # Errors
    /// [`OutputError::Io`] if the disk is full.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        let written = self.file().write_all(bytes);
        written.map_err(|source| OutputError::Io { path: self.path.clone(), source })
    }

    /// Moves the complete file to its place.
    ///
    /// # Errors
    /// [`OutputError::Io`] if the disk is full or the target cannot be replaced.
    pub fn finish(self) -> Result<(), OutputError> {
        let OutputFile { path, destination } = self;
        let result = match destination {
            Destination::Direct(mut file) => file.flush(),
            Destination::Draft(draft, target) => draft.as_file().sync_all().and_then(|()| {
                let mut drafts = interrupt::drafts();
                drafts.retain(|path| path != draft.path());
                draft.persist(target).map(drop).map_err(|error| error.error)
            }),
        };
        result.map_err(|source| OutputError::Io { path, source })
    }
}

/// Writes `text` to the file at `path`.
///
/// # Errors
/// See [`OutputFile::create`] and [`OutputFile::finish`].
pub fn write_text(path: &Path, kind: FileKind, text: &str, force: bool) -> Result<(), OutputError> {
    let mut output = OutputFile::create(path, kind, &[], force)?;
    output.write_text(text)?;
    output.finish()
}

/// The place that `path` names: links and relative parts are resolved, as far as it exists.
pub fn place_of(path: &Path) -> PathBuf {
    if let Ok(place) = path.canonicalize() {
        return place;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

/// True for a device or a pipe, which is written directly.
pub fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Refuses, before the work begins, outputs of one command that could not be written after it: two that would
/// be the same file, by whatever names, and all that [`OutputFile::create`] refuses. `None` is an output that
/// is not wanted.
///
/// # Errors
/// [`OutputError::Same`], or see [`OutputFile::create`].
pub fn check(
    targets: &[(Option<&Path>, FileKind)],
    inputs: &[PathBuf],
    force: bool,
) -> Result<(), OutputError> {
    let mut places = HashSet::new();
    for &(path, kind) in targets {
        let Some(path) = path else { continue };
        if !places.insert(place_of(path)) {
            return Err(OutputError::Same(path.to_path_buf()));
        }
        // A pipe is opened once only: its reader would take the first end for the end.
        if !is_special(path) {
            OutputFile::create(path, kind, inputs, force)?;
        }
    }
    Ok(())
}

/// Refuses a target that is no regular file, for commands that add to it or read it again.
///
/// # Errors
/// [`OutputError::NoFile`]
pub fn require_file(path: &Path) -> Result<(), OutputError> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(OutputError::NoFile(path.to_path_buf())),
        _ => Ok(()),
    }
}

/// Refuses a name for work in progress that is taken: only a regular file of this kind may be replaced,
/// `--force` or not.
///
/// # Errors
/// [`OutputError::NotOurs`], or the system's error.
pub fn check_own(path: &Path, kind: FileKind, inputs: &[PathBuf]) -> Result<(), OutputError> {
    let not_ours = || OutputError::NotOurs(path.to_path_buf());
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(not_ours());
    }
    check(&[(Some(path), kind)], inputs, false).map_err(|error| match error {
        OutputError::IsInput(_) | OutputError::OtherKind { .. } => not_ours(),
        error => error,
    })
}

/// True if the open `file` is the one at `path`, and no link leads there.
#[cfg(unix)]
pub fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(open), Ok(there)) = (file.metadata(), fs::symlink_metadata(path)) else { return false };
    there.is_file() && (open.dev(), open.ino()) == (there.dev(), there.ino())
}

/// True if the open `file` is the one at `path`: where an open file cannot be replaced, it always is.
#[cfg(not(unix))]
pub fn is_at(_file: &File, path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|there| there.is_file())
}

fn refuse_inputs(path: &Path, target: &Path, inputs: &[PathBuf]) -> Result<(), OutputError> {
    let is_target = |input: &PathBuf| input.canonicalize().is_ok_and(|input| input == target);
    match inputs.iter().any(is_target) {
        true => Err(OutputError::IsInput(path.to_path_buf())),
        false => Ok(()),
    }
}

/// Refuses a target that holds something of another kind. An empty file holds nothing.
fn refuse_other_kinds(path: &Path, kind: FileKind) -> Result<(), OutputError> {
    let Ok(file) = File::open(path) else { return Ok(()) };
    let mut head = Vec::new();
    file.take(HEAD)
        .read_to_end(&mut head)
        .map_err(|source| OutputError::Io { path: path.to_path_buf(), source })?;
    match head.is_empty() || (kind.matches)(&head) {
        true => Ok(()),
        false => Err(OutputError::OtherKind { path: path.to_path_buf(), kind: kind.name }),
    }
}

/// A temporary file with the rights of the file that it will replace, or those of any new file.
#[cfg(unix)]
fn draft_in(folder: &Path, existing: Option<&fs::Metadata>) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    /// Rights of a new file before the umask takes some away.
    const NEW_FILE: u32 = 0o666;
    let permissions = fs::Permissions::from_mode(NEW_FILE);
    let draft = tempfile::Builder::new().permissions(permissions).tempfile_in(folder)?;
    if let Some(existing) = existing {
        draft.as_file().set_permissions(existing.permissions())?;
    }
    Ok(draft)
}

#[cfg(not(unix))]
fn draft_in(folder: &Path, _existing: Option<&fs::Metadata>) -> io::Result<NamedTempFile> {
    NamedTempFile::new_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn a_new_file_and_one_of_the_same_kind_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.svg");
        write_text(&path, SVG, "<svg>1</svg>", false).unwrap();
        write_text(&path, SVG, "<svg>2</svg>", false).unwrap();
        assert_eq!(text_of(&path), "<svg>2</svg>");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file stays");
    }

    #[test]
    fn other_files_are_replaced_only_by_force() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        fs::write(&path, "my notes").unwrap();
        let refused = write_text(&path, SVG, "<svg/>", false).unwrap_err();
        assert!(refused.to_string().contains("not an SVG picture"), "{refused}");
        assert_eq!(text_of(&path), "my notes");
        write_text(&path, SVG, "<svg/>", true).unwrap();
        assert_eq!(text_of(&path), "<svg/>");
    }

    #[test]
    fn an_input_is_never_the_output() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.svg");
        fs::write(&path, "<svg/>").unwrap();
        let again = folder.path().join(".").join("a.svg");
        let refused = OutputFile::create(&again, SVG, std::slice::from_ref(&path), false);
        assert!(matches!(refused, Err(OutputError::IsInput(_))));
    }

    #[test]
    fn an_unfinished_output_leaves_no_trace() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.svg");
        fs::write(&path, "<svg>old</svg>").unwrap();
        let mut output = OutputFile::create(&path, SVG, &[], false).unwrap();
        output.file().write_all(b"<svg>ne").unwrap();
        drop(output);
        assert_eq!(text_of(&path), "<svg>old</svg>");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn two_outputs_of_one_place_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (x, link) = (folder.path().join("x"), folder.path().join("link"));
        let spelt = folder.path().join(".").join("x");
        let check =
            |other: &Path| check(&[(Some(&x), SVG), (None, CSV), (Some(other), SVG)], &[], true);
        check(&link).unwrap();
        assert!(matches!(check(&spelt), Err(OutputError::Same(_))));
        fs::write(&x, "").unwrap();
        std::os::unix::fs::symlink(&x, &link).unwrap();
        assert!(matches!(check(&link), Err(OutputError::Same(_))));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_rights_are_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real.svg"), folder.path().join("link.svg"));
        fs::write(&real, "<svg/>").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&real, &link).unwrap();
        write_text(&link, SVG, "<svg>new</svg>", false).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(text_of(&real), "<svg>new</svg>");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    }

    /// A pipe of its own: a fault here must not replace a device of the machine.
    #[cfg(unix)]
    #[test]
    fn a_pipe_stays_a_pipe() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        // Open for both, so that neither side waits.
        let mut reader = OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
        OutputFile::create(&pipe, SVG, &[], true)
            .and_then(|mut output| {
                output.write_text("<svg/>")?;
                output.finish()
            })
            .unwrap();
        assert!(!fs::metadata(&pipe).unwrap().is_file());
        let mut text = [0; 6];
        reader.read_exact(&mut text).unwrap();
        assert_eq!(&text, b"<svg/>");
    }

    #[cfg(unix)]
    #[test]
    fn an_open_file_is_at_its_path_until_another_takes_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other, link] = ["a", "b", "c"].map(|name| folder.path().join(name));
        fs::write(&path, "one").unwrap();
        fs::write(&other, "one").unwrap();
        let file = File::open(&path).unwrap();
        assert!(is_at(&file, &path) && !is_at(&file, &other) && !is_at(&file, &link));
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(!is_at(&file, &link));
        fs::rename(&other, &path).unwrap();
        assert!(!is_at(&file, &path));
        fs::remove_file(&path).unwrap();
        assert!(!is_at(&file, &path));
    }
}
