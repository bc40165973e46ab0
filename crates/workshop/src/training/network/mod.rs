//! The trainer of the network: positions in, a network file out.
//!
//! The network's score predicts a game's points as 1 / (1 + e^(−score/scale)). The loss is the mean squared
//! difference between that and a blend of the recorded score's prediction and the game's result. The
//! optimiser is AdamW with a learning rate that falls along a cosine (Loshchilov and Hutter, "Decoupled
//! weight decay regularization", 2019, and "SGDR", 2017).
//!
//! A [`Run`] goes through a [`Source`] batch by batch. Each batch is a step of the [`Trainer`]. Nothing
//! depends on the number of threads or on chance beyond the seed, so a run can be repeated and, from a
//! [`checkpoint`], resumed to the same network bit by bit.

mod batch;
pub mod checkpoint;
mod lanes;
mod layer;
mod mean;
mod run;
mod source;
mod trainer;

pub use mean::{MeanError, mean};
pub use run::{Epoch, Plan, Run, TrainError};
pub use source::Source;
pub use trainer::{Goal, OtherSize, Trainer};
