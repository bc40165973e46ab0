//! Sources of games: files and folders, plain or compressed, read as a stream.

use std::collections::HashSet;
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use engine::input;

/// Endings of the names of game files. Other files are read only if they are named themselves.
const ENDINGS: [&str; 4] = [".pgn", ".pgn.gz", ".pgn.zst", ".pgn.zstd"];

/// Bytes read from a file at a time.
const CHUNK: usize = 1 << 16;

/// The game files at `path`: itself, or all game files in the folder and its subfolders, in order of their
/// names. A folder that links lead to twice is read once.
///
/// # Errors
/// A path that does not exist, or an unreadable folder.
pub fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    collect(path, &mut HashSet::new(), &mut found)?;
    Ok(found)
}

fn collect(
    path: &Path,
    visited: &mut HashSet<PathBuf>,
    found: &mut Vec<PathBuf>,
) -> io::Result<()> {
    if !fs::metadata(path)?.is_dir() {
        found.push(path.to_path_buf());
        return Ok(());
    }
    if !visited.insert(path.canonicalize()?) {
        return Ok(());
    }
    let mut inside =
        fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    inside.sort();
    for path in inside {
        let name = path.to_string_lossy().to_ascii_lowercase();
        if path.is_dir() || ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            collect(&path, visited, found)?;
        }
    }
    Ok(())
}

/// The text of the file at `path`, plain or compressed.
///
/// # Errors
/// See [`input::open`] and [`text`].
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    input::open(path).and_then(text)
}

/// The text in `file`, plain or compressed by gzip or Zstandard, recognised by its first bytes.
///
/// # Errors
/// A file with unreadable first bytes.
pub fn text<'a>(file: impl Read + Send + 'a) -> io::Result<Box<dyn BufRead + Send + 'a>> {
    let mut file = BufReader::with_capacity(CHUNK, file);
    let buffered = |archive| Box::new(BufReader::with_capacity(CHUNK, archive));
    Ok(match file.fill_buf()? {
        [0x1f, 0x8b, ..] => Box::new(BufReader::with_capacity(CHUNK, MultiGzDecoder::new(file))),
        // A Zstandard frame, or a skippable one.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
            buffered(Frames { decoder: FrameDecoder::new(), source: file })
        }
        _ => Box::new(file),
    })
}

/// The content of all Zstandard frames of a source, one after another. Big archives have many frames.
struct Frames<R> {
    decoder: FrameDecoder,
    source: R,
}

impl<R: BufRead> Frames<R> {
    /// Goes on to the next frame; false at the end of the source.
    fn next(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.source) {
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let skipped = (&mut self.source).take(length.into());
                    io::copy(&mut { skipped }, &mut io::sink())?;
                }
                result => return result.map(|()| true).map_err(io::Error::other),
            }
        }
        Ok(false)
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 {
            if !self.decoder.is_finished() {
                let step = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.source, step).map_err(io::Error::other)?;
            } else if !self.next()? {
                return Ok(0);
            }
        }
        self.decoder.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn read(bytes: &[u8]) -> io::Result<String> {
        let mut found = String::new();
        text(bytes)?.read_to_string(&mut found)?;
        Ok(found)
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_links_to_itself_is_read_once() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.pgn"), "1. e4 *").unwrap();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("again")).unwrap();
        assert_eq!(files(folder.path()).unwrap(), [folder.path().join("a.pgn")]);
    }

    fn zstd(text: &str) -> Vec<u8> {
        compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
    }

    #[test]
    fn plain_and_compressed_text_read_alike() {
        let long = "1. e4 e5 2. Nf3 Nc6 *\n\n".repeat(20_000);
        assert_eq!(read(b"").unwrap(), "");
        assert_eq!(read(long.as_bytes()).unwrap(), long);
        assert_eq!(read(&gzip(&long)).unwrap(), long);
        assert_eq!(read(&zstd(&long)).unwrap(), long);
    }

    #[test]
    fn parts_are_read_one_after_another() {
        assert_eq!(read(&[gzip("one "), gzip("two")].concat()).unwrap(), "one two");
        let skipped = [&[0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"xyz"].concat();
        let parts = [skipped.clone(), zstd("one "), zstd(""), skipped, zstd("two")].concat();
        assert_eq!(read(&parts).unwrap(), "one two");
    }

    #[test]
    fn truncated_archives_are_errors() {
        let long = "1. e4 e5 2. Nf3 Nc6 *\n\n".repeat(2000);
        for archive in [gzip(&long), zstd(&long)] {
            for length in [5, archive.len() / 2, archive.len() - 5] {
                assert!(read(&archive[..length]).is_err(), "{length} of {}", archive.len());
            }
        }
    }
}
