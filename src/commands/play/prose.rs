//! An evaluation in sentences, and text broken into lines.

use shakmaty::Color;

use super::texts::Words;
use engine::evaluation::{Breakdown, Term};
use engine::rules::Rules;

/// Differences below this mean nothing, in centipawns.
const EVEN: i32 = 15;

/// The terms of an evaluation, a sentence each, with their sum.
pub fn why(evaluation: &Breakdown, words: &Words) -> String {
    let lines = evaluation.terms.iter().map(|term| sentence(term, evaluation.phase, words));
    let total = evaluation.total();
    let lead = (total.white - total.black).at_phase(evaluation.phase);
    let sum = judge(("why.total.even", "why.total"), lead, &[], words);
    lines.chain([sum]).collect::<Vec<_>>().join("\n")
}

/// One term.
fn sentence(term: &Term, phase: i32, words: &Words) -> String {
    let lead = (term.value.white - term.value.black).at_phase(phase);
    let name = capital(words.term(term.kind.name()));
    let values = [("term", &*name), ("what", words.meaning(term.kind.name()))];
    judge(("why.term.even", "why.term"), lead, &values, words)
}

/// A sentence on a lead: the text of a small one, or that of the side that is ahead, with its degree.
fn judge((even, ahead): (&str, &str), lead: i32, values: &[(&str, &str)], words: &Words) -> String {
    let pawns = words.pawns(lead);
    let mut values = values.to_vec();
    values.push(("lead", &pawns));
    let degree = match lead.abs() {
        ..EVEN => return words.fill(even, &values),
        EVEN..60 => "why.slight",
        60..150 => "why.better",
        150..400 => "why.much",
        _ => "why.winning",
    };
    let leader = if lead > 0 { Color::White } else { Color::Black };
    values.extend([("player", words.player(leader)), ("degree", words.get(degree))]);
    words.fill(ahead, &values)
}

/// A hint, with the duty to capture where the rules impose it on the side to move.
pub fn hint<P: Rules>(text: String, position: &P, words: &Words) -> String {
    if position.must_capture() { format!("{text} {}", words.get("hint.must-take")) } else { text }
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
    let column = 2 + table.iter().map(|(usage, _)| usage.chars().count()).max().unwrap_or(0) + 2;
    let line = |(usage, effect): &(&str, &str)| {
        wrap(&format!("{:column$}{effect}", format!("  {usage}")), width, column)
    };
    table.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A text that begins with a capital letter.
pub fn capital(name: &str) -> String {
    let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
    first.to_ascii_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use shakmaty::variant::Antichess;
    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use analysis::texts::Lang;
    use engine::evaluation::{Evaluator, KingTerms};
    use engine::rules::setup::{self, Start};

    #[test]
    fn an_evaluation_is_told_in_words() {
        let (position, _) =
            setup::position::<Chess>("4k3/8/8/8/8/8/8/3QK3 b - - 0 1", CastlingMode::Standard)
                .unwrap();
        let evaluation = KingTerms::default().explain(&position);
        let text = why(&evaluation, &Words::of(Lang::En));
        assert!(
            text.contains("Material: White is winning (+10.00); the pieces on the board."),
            "{text}"
        );
        assert!(text.contains("In all, White is winning"), "{text}");
        let text = why(&evaluation, &Words::of(Lang::Es));
        assert!(
            text.contains("Material: las blancas están ganando (+10,00); las piezas"),
            "{text}"
        );
    }

    #[test]
    fn a_hint_tells_of_the_duty_to_capture() {
        let told = |moves: &[&str]| {
            let (start, mode) = (Start::Initial, CastlingMode::Standard);
            let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
            let (game, _) = setup::game::<Antichess>(&start, &moves, mode).unwrap();
            hint("Hint.".to_string(), game.position(), &Words::of(Lang::En))
        };
        assert_eq!(told(&["e2e4", "d7d5"]), "Hint. A capture is compulsory here.");
        assert_eq!(told(&["e2e4"]), "Hint.");
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
        for words in Lang::ALL.map(Words::of) {
            for table in ["help.commands", "help.ways-on", "help.over"] {
                let help = commands(&words.table(table), Some(40));
                assert!(help.lines().all(|line| line.chars().count() <= 40), "{help}");
            }
        }
    }
}
