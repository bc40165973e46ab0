//! An evaluation in words.

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
}
