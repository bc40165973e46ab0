//! A network as a file: a header of 64 bytes, then the quantised numbers. All are little-endian.
//!
//! | bytes | content |
//! | --- | --- |
//! | 0–7 | `AJNET`, 0, and the version as 16 bits: 2 |
//! | 8 | the rule set, by its place in [`RuleSet::ALL`] |
//! | 9 | outputs: 8 |
//! | 10–11 | neurons of the hidden layer for each perspective |
//! | 12 | inputs of either side besides the pieces on the board |
//! | 13–15 | zeros |
//! | 16–47 | the zone of each king square, a1 to d1, a2 to d2 and so on |
//! | 48–59 | zeros |
//! | 60–63 | CRC-32 of all other bytes |
//!
//! Then follow, 16 bits each, the weights of the hidden layer input by input, its biases, the weights of
//! the outputs (the own king's, then the enemy king's); and 32 bits each, the outputs' biases.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Crc;

use super::block::{Block, LANES};
use super::features::{KING_SQUARES, KingZones};
use super::simd::InstructionSet;
use super::{
    MAX_OUTPUT_WEIGHT, MAX_WEIGHT, Network, NetworkWeights, OUTPUTS, QA, QB, Shape, steps,
};
use crate::evaluation::Variant;
use crate::input;
use crate::rules::RuleSet;

/// Bytes of the header.
const HEADER: usize = 64;
/// The first bytes of the file.
const MAGIC: &[u8; 6] = b"AJNET\0";
/// The version of the format.
const VERSION: u16 = 2;
/// More bytes than any network has; of a longer file no more are read.
const MAX_BYTES: u64 = 64 << 20;
/// Most inputs of either side besides the pieces.
const MAX_EXTRAS: usize = 32;

/// A file that holds no network that this program can use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The magic bytes are missing.
    #[error("this is no network")]
    NoNetwork,
    /// Another version of the format.
    #[error("a network of version {0}; this program reads version {VERSION}")]
    Version(u16),
    /// Sizes that no network has.
    #[error("a damaged network: its {0} cannot be")]
    Size(&'static str),
    /// The file is shorter or longer than its sizes say.
    #[error("a damaged network: {found} bytes instead of {expected}")]
    Length {
        /// Bytes of the file.
        found: usize,
        /// Bytes that its sizes ask for.
        expected: usize,
    },
    /// The checksum is wrong, or a number is out of range.
    #[error("a damaged network: its {0} is wrong")]
    Damaged(&'static str),
}

/// A file that cannot be used as a network. The text names it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {fault}", .path.display())]
pub struct NetworkFileError {
    path: PathBuf,
    fault: FileFault,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum FileFault {
    #[error("{0}")]
    Io(String),
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error("a network for {0}")]
    OtherRules(RuleSet),
}

/// The network that an option names, if it names one.
#[derive(Clone, Debug, Default)]
pub struct NetworkFile {
    path: String,
    network: Option<Arc<Network>>,
}

impl NetworkFile {
    /// The network.
    pub fn get(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// Takes over the option: reads the file at `path` if it is another one than before. An empty path
    /// names none.
    ///
    /// # Errors
    /// A file that holds no network for the rules `P`; the old one stays.
    pub fn configure<P: Variant>(&mut self, path: &str) -> Result<(), NetworkFileError> {
        if path != self.path {
            let open = || Network::open::<P>(Path::new(path)).map(Arc::new);
            self.network = if path.is_empty() { None } else { Some(open()?) };
            self.path = path.to_string();
        }
        Ok(())
    }
}

/// True if a file that begins with `head` may be a network.
pub fn is_network(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// The file of a network.
pub fn write(rule_set: RuleSet, shape: &Shape, weights: &NetworkWeights) -> Vec<u8> {
    let mut bytes = vec![0; HEADER];
    bytes[..6].copy_from_slice(MAGIC);
    bytes[6..8].copy_from_slice(&VERSION.to_le_bytes());
    bytes[8] = rule_set as u8;
    bytes[9] = OUTPUTS as u8;
    bytes[10..12].copy_from_slice(&(shape.hidden as u16).to_le_bytes());
    bytes[12] = shape.extras as u8;
    bytes[16..16 + KING_SQUARES].copy_from_slice(shape.zones.as_bytes());
    for part in [&weights.features, &weights.bias, &weights.output] {
        bytes.extend(part.iter().flat_map(|weight| weight.to_le_bytes()));
    }
    bytes.extend(weights.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
    let checksum = checksum(&bytes);
    bytes[60..HEADER].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

impl Network {
    /// Reads the file of a network for the rules `P`.
    ///
    /// # Errors
    /// [`NetworkFileError`] naming the file and its fault.
    pub fn open<P: Variant>(path: &Path) -> Result<Network, NetworkFileError> {
        let network = Network::open_any(path)?;
        let is_fit = network.rule_set == P::RULE_SET && network.shape.extras == P::EXTRAS;
        if is_fit {
            return Ok(network);
        }
        let fault = FileFault::OtherRules(network.rule_set);
        Err(NetworkFileError { path: path.to_path_buf(), fault })
    }

    /// Reads the file of a network for any rules.
    ///
    /// # Errors
    /// [`NetworkFileError`] naming the file and its fault.
    pub fn open_any(path: &Path) -> Result<Network, NetworkFileError> {
        let open = || -> Result<Network, FileFault> {
            let mut bytes = Vec::new();
            let file = input::open(path).map(|file| file.take(MAX_BYTES));
            let read = file.and_then(|mut file| file.read_to_end(&mut bytes));
            read.map_err(|fault| FileFault::Io(fault.to_string()))?;
            Ok(Network::read(&bytes)?)
        };
        open().map_err(|fault| NetworkFileError { path: path.to_path_buf(), fault })
    }

    /// Reads a network.
    ///
    /// # Errors
    /// [`NetworkError`] naming the first fault.
    pub fn read(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !is_network(bytes) {
            return Err(NetworkError::NoNetwork);
        }
        let Some((header, numbers)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(NetworkError::Length { found: bytes.len(), expected: HEADER });
        };
        let (rule_set, shape) = read_header(header)?;
        let rows = shape.rows();
        let counts = [rows * shape.hidden, shape.hidden, 2 * OUTPUTS * shape.hidden];
        let expected = HEADER + 2 * counts.iter().sum::<usize>() + 4 * OUTPUTS;
        if bytes.len() != expected {
            return Err(NetworkError::Length { found: bytes.len(), expected });
        }
        let checksum = checksum(bytes);
        if header[60..] != checksum.to_le_bytes() {
            return Err(NetworkError::Damaged("checksum"));
        }
        let (features, rest) = numbers.split_at(2 * counts[0]);
        let (bias, rest) = rest.split_at(2 * counts[1]);
        let (output, output_bias) = rest.split_at(2 * counts[2]);
        let hidden_limit = steps(MAX_WEIGHT, QA);
        let mut biases = [0; OUTPUTS];
        for (bias, bytes) in biases.iter_mut().zip(output_bias.as_chunks().0) {
            *bias = i32::from_le_bytes(*bytes);
        }
        Ok(Network {
            rule_set,
            features: blocks(features, hidden_limit)?,
            bias: blocks(bias, hidden_limit)?,
            output: blocks(output, steps(MAX_OUTPUT_WEIGHT, QB))?,
            output_bias: biases,
            shape,
            checksum,
            instructions: InstructionSet::best(),
        })
    }
}

fn read_header(header: &[u8; HEADER]) -> Result<(RuleSet, Shape), NetworkError> {
    let word = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
    if word(6) != VERSION {
        return Err(NetworkError::Version(word(6)));
    }
    let rule_set = RuleSet::ALL.get(usize::from(header[8])).copied();
    let rule_set = rule_set.ok_or(NetworkError::Size("rule set"))?;
    if usize::from(header[9]) != OUTPUTS {
        return Err(NetworkError::Size("number of outputs"));
    }
    let hidden = usize::from(word(10));
    if !Shape::is_hidden_size(hidden) {
        return Err(NetworkError::Size("hidden layer"));
    }
    let extras = usize::from(header[12]);
    if extras > MAX_EXTRAS {
        return Err(NetworkError::Size("number of inputs"));
    }
    let mut zones = [0; KING_SQUARES];
    zones.copy_from_slice(&header[16..16 + KING_SQUARES]);
    let zones = KingZones::new(zones).ok_or(NetworkError::Size("map of king zones"))?;
    Ok((rule_set, Shape { hidden, zones, extras }))
}

/// The numbers in blocks, each within `limit` either way.
fn blocks(bytes: &[u8], limit: i16) -> Result<Box<[Block]>, NetworkError> {
    let mut blocks = Vec::with_capacity(bytes.len() / 2 / LANES);
    for chunk in bytes.as_chunks::<{ 2 * LANES }>().0 {
        let mut block = Block::ZERO;
        for (number, bytes) in block.0.iter_mut().zip(chunk.as_chunks().0) {
            *number = i16::from_le_bytes(*bytes);
        }
        if block.0.iter().any(|number| !(-limit..=limit).contains(number)) {
            return Err(NetworkError::Damaged("range of numbers"));
        }
        blocks.push(block);
    }
    Ok(blocks.into_boxed_slice())
}

/// The checksum of all bytes but its own.
fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(&bytes[..HEADER - 4]);
    crc.update(&bytes[HEADER..]);
    crc.sum()
}
