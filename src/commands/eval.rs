//! `engine eval`: the evaluation of a position, term by term.

use clap::Args;

use super::{Done, PositionArgs, print};
use crate::protocol::text;

/// Arguments of `eval`.
#[derive(Debug, Args)]
pub struct EvalArgs {
    #[command(flatten)]
    position: PositionArgs,
}

impl EvalArgs {
    /// Explains the evaluation.
    pub fn run(self) -> Done {
        let engine = self.position.engine()?;
        print(text::breakdown(&engine.explain()).trim_end())
    }
}
