//! An evaluation in words, and words in lines.

use shakmaty::Color;

use engine::evaluation::{Breakdown, Term, TermKind};

/// Differences below this mean nothing, in centipawns.
const EVEN: i32 = 15;

/// The terms of an evaluation, a sentence each, with their sum.
pub fn why(evaluation: &Breakdown) -> String {
    let lines = evaluation.terms.iter().map(|term| sentence(term, evaluation.phase));
    let total = evaluation.total();
    let lead = (total.white - total.black).at_phase(evaluation.phase);
    let sum = match ahead(lead) {
        None => "In all, the position is about even.".to_string(),
        Some((side, degree)) => format!("In all, {side} is {degree} ({}).", pawns(lead)),
    };
    lines.chain([sum]).collect::<Vec<_>>().join("\n")
}

/// One term.
fn sentence(term: &Term, phase: i32) -> String {
    let lead = (term.value.white - term.value.black).at_phase(phase);
    let what = meaning(term.kind);
    match ahead(lead) {
        None => format!("{}: about even ({}); {what}.", capital(term.kind.name()), pawns(lead)),
        Some((side, degree)) => {
            format!("{}: {side} is {degree} ({}); {what}.", capital(term.kind.name()), pawns(lead))
        }
    }
}

/// The meaning of a term.
fn meaning(kind: TermKind) -> &'static str {
    match kind {
        TermKind::Material => "the pieces on the board",
        TermKind::Placement => "how well the pieces stand, wherever the kings are",
        TermKind::KingSafety => "how well a king's own pieces protect it",
        TermKind::KingProximity => "how near the pieces have come to the enemy king",
        TermKind::KingDrive | TermKind::Own(_) => "the aim of these rules, or of this ending",
    }
}

/// The side that is ahead, with its degree.
fn ahead(lead: i32) -> Option<(&'static str, &'static str)> {
    let side = if lead > 0 { Color::White } else { Color::Black };
    let degree = match lead.abs() {
        ..EVEN => return None,
        EVEN..60 => "a little better",
        60..150 => "better",
        150..400 => "much better",
        _ => "winning",
    };
    Some((side.fold_wb("White", "Black"), degree))
}

/// The least width for which lines are broken, in characters: nobody reads prose in less.
const MIN_WIDTH: usize = 40;

/// Breaks the lines of `text` between words so that they fit into `width` characters; what follows a break is
/// indented by `indent` spaces. Narrow and unknown widths leave it as it is.
pub fn wrap(text: &str, width: Option<usize>, indent: usize) -> String {
    let Some(width) = width.filter(|&width| width >= MIN_WIDTH) else { return text.to_string() };
    let lines: Vec<String> = text.lines().map(|line| wrap_line(line, width, indent)).collect();
    lines.join("\n")
}

fn wrap_line(line: &str, width: usize, indent: usize) -> String {
    let (mut text, mut used) = (String::new(), 0);
    for word in line.split_inclusive(' ') {
        let length = word.trim_end().chars().count();
        if used > indent && used + length > width {
            text.truncate(text.trim_end().len());
            text.push_str(&format!("\n{:indent$}", ""));
            used = indent;
        }
        text.push_str(word);
        used += word.chars().count();
    }
    text
}

/// The commands of a table, each with its effect, in lines of `width` characters.
pub fn commands(table: &[(&str, &str)], width: Option<usize>) -> String {
    let column = 2 + table.iter().map(|(usage, _)| usage.len()).max().unwrap_or(0) + 2;
    let line = |(usage, effect): &(&str, &str)| {
        wrap(&format!("{:column$}{effect}", format!("  {usage}")), width, column)
    };
    table.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn pawns(centipawns: i32) -> String {
    format!("{:+.2}", f64::from(centipawns) / 100.0)
}

fn capital(name: &str) -> String {
    let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
    first.to_ascii_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use engine::evaluation::{Evaluator, KingTerms};
    use engine::rules::setup;

    #[test]
    fn an_evaluation_is_told_in_words() {
        let (position, _) =
            setup::position::<Chess>("4k3/8/8/8/8/8/8/3QK3 b - - 0 1", CastlingMode::Standard)
                .unwrap();
        let text = why(&KingTerms::default().explain(&position));
        assert!(
            text.contains("Material: White is winning (+10.00); the pieces on the board."),
            "{text}"
        );
        assert!(text.contains("In all, White is winning"), "{text}");
    }

    #[test]
    fn lines_are_broken_between_words() {
        let text = "one two three four five six seven eight nine ten eleven twelve";
        for width in 40..80 {
            let lines = wrap(text, Some(width), 2);
            assert!(lines.lines().all(|line| line.chars().count() <= width), "{width}: {lines}");
            let words: Vec<&str> = lines.split_whitespace().collect();
            assert_eq!(words.join(" "), text);
        }
        assert_eq!(wrap(text, Some(39), 2), text);
        assert_eq!(wrap(text, None, 2), text);
        let long = "x".repeat(100);
        assert_eq!(wrap(&long, Some(40), 0), long, "a word is not broken");
    }

    #[test]
    fn the_help_fits_into_forty_columns() {
        let help = commands(crate::commands::play::input::HELP, Some(40));
        assert!(help.lines().all(|line| line.len() <= 40), "{help}");
    }
}
