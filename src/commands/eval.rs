//! `engine eval`: the evaluation of a position, term by term or in words.

use clap::Args;
use shakmaty::CastlingMode;

use super::play::texts::Words;
use super::{Done, PositionArgs, print};
use analysis::explain::explain;
use analysis::texts::Lang;
use engine::evaluation::Variant;
use engine::evaluation::variants::{Task, with_rules};
use engine::rules::setup::{self, SetupError, Start};
use engine::uci::text;
use shell::progress::note;

/// Arguments of `eval`.
#[derive(Debug, Args)]
pub struct EvalArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Explain in words: who leads in each term, and by which piece
    #[arg(long)]
    explain: bool,
    /// The language of the words
    #[arg(long, value_enum, default_value_t, requires = "explain")]
    pub(super) lang: Lang,
}

impl EvalArgs {
    /// Explains the evaluation.
    pub fn run(self) -> Done {
        if self.explain {
            let words = Words::of(self.lang);
            let rule_set = self.position.rules.rule_set;
            let task = ExplainPosition { position: self.position, words: &words };
            return print(&with_rules(rule_set, task)?);
        }
        let engine = self.position.engine()?;
        tell_end(engine.view().end, &Words::of(self.lang));
        print(text::breakdown(&engine.explain()).trim_end())
    }
}

/// Tells that a game is over, which no term knows.
fn tell_end(end: Option<&str>, words: &Words) {
    if let Some(end) = end {
        let remark = words.fill("eval.over", &[("end", words.ending(end))]);
        note(&words.fill("note", &[("remark", &remark)]));
    }
}

/// Explains a position under its rules.
struct ExplainPosition<'a> {
    position: PositionArgs,
    words: &'a Words,
}

impl Task for ExplainPosition<'_> {
    type Outcome = Result<String, SetupError>;

    fn run<P: Variant>(self) -> Result<String, SetupError> {
        let PositionArgs { chess960, fen, .. } = self.position;
        let start = fen.map_or(Start::Initial, Start::Fen);
        let mode = CastlingMode::from_chess960(chess960);
        let (game, remarks) = setup::game::<P>(&start, &[], mode)?;
        for remark in remarks {
            note(&self.words.fill("note", &[("remark", &self.words.remark(&remark))]));
        }
        tell_end(game.end(), self.words);
        Ok(explain(game.position(), &self.words.analysis))
    }
}
