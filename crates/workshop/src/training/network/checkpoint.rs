//! The state of a training run in a file, to take it up again after an interruption.
//!
//! The file is `AJTRAIN` and a zero, then, all little-endian: the name of the run with its length before it,
//! the steps done, the sum of this epoch's losses, and every number that is trained with the optimiser's two
//! memories of it; at the end the CRC-32 of all that.

use flate2::Crc;

use super::lanes::{LANES, Lanes};
use super::layer::Trained;
use super::source::Source;
use super::{Plan, Trainer};

const MAGIC: &[u8; 8] = b"AJTRAIN\0";

/// A file that is no checkpoint of this run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The magic bytes are missing.
    #[error("the checkpoint is no such file; train without --resume")]
    NoCheckpoint,
    /// It is cut off or changed.
    #[error("the checkpoint is damaged; train without --resume")]
    Damaged,
    /// It holds numbers that no run writes.
    #[error("the checkpoint holds {0}; train without --resume")]
    Impossible(&'static str),
    /// Written by a run with other options or data.
    #[error(
        "the checkpoint is of another run ({0}); repeat its options, or train without --resume"
    )]
    OtherRun(String),
}

/// True if a file that begins with `head` may be a checkpoint.
pub fn is_checkpoint(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// All that a run depends on, in words.
pub(super) fn name_of(plan: &Plan, first_network: Option<u32>, source: &Source) -> String {
    let Plan { shape, goal, epochs, batch, rates, seed } = plan;
    let start = first_network.map(|checksum| format!(", from the network {checksum:08x}"));
    format!(
        "{} neurons, {} king zones, {} extra inputs, scale {}, result share {}, {epochs} epochs, batches \
         of {batch}, learning rates {} to {}, seed {seed}, {} positions, those held out {:08x}{}",
        shape.hidden,
        shape.zones.count(),
        shape.extras,
        goal.scale,
        goal.result_share,
        rates[0],
        rates[1],
        source.positions(),
        checksum(source.held_out()),
        start.unwrap_or_default()
    )
}

/// The checkpoint of a run.
pub(super) fn write(name: &str, trainer: &Trainer, loss: f64) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend((name.len() as u64).to_le_bytes());
    bytes.extend(name.as_bytes());
    bytes.extend(trainer.steps().to_le_bytes());
    bytes.extend(loss.to_le_bytes());
    for trained in trainer.numbers() {
        let numbers = trained.parts().into_iter().flat_map(|lanes| lanes.0);
        bytes.extend(numbers.flat_map(f32::to_le_bytes));
    }
    let checksum = checksum(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

/// Takes up the run in `bytes`; returns the sum of the losses of its last epoch.
///
/// # Errors
/// [`CheckpointError`]; the trainer is as it was then.
pub(super) fn read(
    bytes: &[u8],
    name: &str,
    all_steps: u64,
    trainer: &mut Trainer,
) -> Result<f64, CheckpointError> {
    if !is_checkpoint(bytes) {
        return Err(CheckpointError::NoCheckpoint);
    }
    let (body, checksum_bytes) = bytes.split_last_chunk().ok_or(CheckpointError::Damaged)?;
    if checksum(body) != u32::from_le_bytes(*checksum_bytes) {
        return Err(CheckpointError::Damaged);
    }
    let rest = body.get(MAGIC.len()..).ok_or(CheckpointError::Damaged)?;
    let (length, rest) = rest.split_first_chunk().ok_or(CheckpointError::Damaged)?;
    let length = u64::from_le_bytes(*length) as usize;
    let (found, after) = rest.split_at_checked(length).ok_or(CheckpointError::Damaged)?;
    if found != name.as_bytes() {
        return Err(CheckpointError::OtherRun(String::from_utf8_lossy(found).into_owned()));
    }
    let (steps, after) = after.split_first_chunk().ok_or(CheckpointError::Damaged)?;
    let (loss, numbers) = after.split_first_chunk().ok_or(CheckpointError::Damaged)?;
    if numbers.len() != trainer.numbers().count() * 3 * LANES * size_of::<f32>() {
        return Err(CheckpointError::Damaged);
    }
    let (steps, loss) = (u64::from_le_bytes(*steps), f64::from_le_bytes(*loss));
    if steps > all_steps {
        return Err(CheckpointError::Impossible("more steps than the run has"));
    }
    let of_lanes = LANES * size_of::<f32>();
    for (place, lanes) in numbers.chunks(of_lanes).enumerate() {
        // The last of the three parts, the optimiser's mean of squares, is never negative.
        let least = if place % 3 == 2 { 0.0 } else { f32::MIN };
        let mut lanes = lanes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
        if !lanes.all(|number| number.is_finite() && number >= least) {
            return Err(CheckpointError::Impossible("numbers that cannot be"));
        }
    }
    if !(loss.is_finite() && loss >= 0.0) {
        return Err(CheckpointError::Impossible("a loss that cannot be"));
    }
    let mut numbers = numbers.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
    let mut lanes = || Lanes(std::array::from_fn(|_| numbers.next().unwrap_or_default()));
    trainer.restore(steps, || Trained::from_parts([lanes(), lanes(), lanes()]));
    Ok(loss)
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}
