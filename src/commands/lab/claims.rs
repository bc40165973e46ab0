//! `engine lab claims`: the sources' claims, tested.

use clap::Args;

use super::super::Done;
use lab::claims::{self, Claim, Effort};
use lab::texts::{self, Lang, Texts};
use shell::progress::{Progress, Unit};
use shell::table::Format;

/// Arguments of `claims`.
#[derive(Debug, Args)]
pub struct ClaimsArgs {
    /// Random positions a game
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub positions: u32,
    /// The seed of all randomness
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The language of the answer
    #[arg(long, value_enum, default_value = "en")]
    pub lang: Lang,
    /// The form of the table
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// Tests the claims; as text, each is printed as soon as it is measured.
///
/// # Errors
/// Output that cannot be written.
pub fn run(arguments: &ClaimsArgs) -> Done {
    let texts = texts::of(arguments.lang);
    let effort = Effort { positions: arguments.positions as usize, seed: arguments.seed };
    let progress = Progress::of(claims::STEPS, Unit::Count(texts.word("unit.claims")), texts.lang);
    let mut fault = None;
    let claims = claims::check(effort, |group| {
        progress.add(1);
        if arguments.format == Format::Text {
            let printed = super::super::print(&in_words(group, &texts));
            fault = fault.take().or(printed.err());
        }
    })?;
    drop(progress);
    match (fault, arguments.format) {
        (Some(fault), _) => Err(fault),
        (None, Format::Text) => Ok(()),
        (None, format) => super::super::print(&claims::table(&claims, &texts).write(format)),
    }
}

/// Claims as sentences: whole sentences do not fit into columns.
pub fn in_words(claims: &[Claim], texts: &Texts) -> String {
    let words = claims.iter().map(|claim| {
        let (text, verdict) = (claim.text(texts), claim.judgement(texts));
        let (sample, measured) = (claim.sampled(texts), claim.measured(texts));
        let (source, command) = (claim.source, &claim.command);
        format!("{source}: {text}\n  {verdict}: {measured} [{sample}]\n  {command}")
    });
    words.collect::<Vec<_>>().join("\n")
}
