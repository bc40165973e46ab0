//! What is wrong with a command line, in Spanish. The parser writes English alone, but tells of each error which kind it is and
//! what it is about.

use std::error::Error;
use std::ffi::OsString;

use clap::error::{ContextKind, ErrorKind};

use super::out_of_range;
use shell::texts::{Lang, Texts};

/// What the libraries say of a text that is no number of a kind, and the key of what a person understands.
const NUMBER_FAULTS: [(&str, &str); 6] = [
    ("invalid digit found in string", "fault.whole"),
    ("cannot parse integer from empty string", "fault.whole"),
    ("number too large to fit in target type", "fault.smaller"),
    ("number too small to fit in target type", "fault.greater"),
    ("invalid float literal", "fault.number"),
    ("cannot parse float from empty string", "fault.number"),
];

/// The language that a command line asks for, whether or not the rest of it can be understood.
pub fn lang(arguments: impl Iterator<Item = OsString>) -> Lang {
    let words: Vec<OsString> = arguments.collect();
    let is_spanish = words.windows(2).any(|pair| pair[0] == "--lang" && pair[1] == "es");
    if is_spanish || words.iter().any(|word| word == "--lang=es") { Lang::Es } else { Lang::En }
}

/// An error of the command line in Spanish; `None` for a kind that has no words here.
pub fn in_spanish(error: &clap::Error) -> Option<String> {
    let texts = Texts::read(Lang::Es, include_str!("usage/es.txt"));
    let context = |kind| error.get(kind).map(ToString::to_string).filter(|text| !text.is_empty());
    let value = context(ContextKind::InvalidValue);
    let key = match (error.kind(), &value) {
        (ErrorKind::UnknownArgument, _) => "unknown",
        (ErrorKind::InvalidValue, None) => "no-value",
        (ErrorKind::InvalidValue | ErrorKind::ValueValidation, _) => "value",
        (ErrorKind::MissingRequiredArgument, _) => "missing",
        (ErrorKind::ArgumentConflict, _) => "conflict",
        (ErrorKind::InvalidSubcommand, _) => "subcommand",
        _ => return None,
    };
    let fill =
        |key: &str, name: &str, kind| context(kind).map(|text| texts.fill(key, &[(name, &text)]));
    let values = [
        ("argument", context(ContextKind::InvalidArg)),
        ("value", value),
        ("other", context(ContextKind::PriorArg)),
        ("subcommand", context(ContextKind::InvalidSubcommand)),
    ];
    let values = values.each_ref().map(|(name, text)| (*name, text.as_deref().unwrap_or_default()));
    let fault = error.source().map(|fault| {
        let text = fault.to_string();
        texts.fill("fault", &[("fault", &number_fault(&texts, &text).unwrap_or(text))])
    });
    let mut lines =
        vec![format!("error: {}{}", texts.fill(key, &values), fault.unwrap_or_default())];
    lines.extend(fill("valid", "values", ContextKind::ValidValue));
    let similar =
        [ContextKind::SuggestedArg, ContextKind::SuggestedValue, ContextKind::SuggestedSubcommand];
    lines.extend(similar.into_iter().find_map(|kind| fill("similar", "similar", kind)));
    let usage = context(ContextKind::Usage);
    let usage = usage.as_deref().map(|usage| usage.trim_start_matches("Usage: "));
    lines.extend(usage.map(|usage| texts.fill("usage", &[("usage", usage)])));
    lines.push(texts.get("help").to_string());
    Some(lines.join("\n"))
}

/// What is wrong with a number, in words; `None` if the text of a library is about none.
fn number_fault(texts: &Texts, text: &str) -> Option<String> {
    let Some((_, [number, least, most], _)) = out_of_range(text) else {
        let (_, key) = NUMBER_FAULTS.iter().find(|(fault, _)| *fault == text)?;
        return Some(texts.get(key).to_string());
    };
    // The greatest number of a type is no bound that means anything.
    let key = match (most < u32::MAX.into(), number < least) {
        (true, _) => "fault.between",
        (false, true) => "fault.least",
        (false, false) => "fault.smaller",
    };
    let bounds = [("least", &*least.to_string()), ("most", &*most.to_string())];
    Some(texts.fill(key, &bounds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> String {
        let words = ["engine"].into_iter().chain(line.split(' '));
        in_spanish(&super::super::command().try_get_matches_from(words).unwrap_err()).unwrap()
    }

    #[test]
    fn the_usual_faults_are_told_in_spanish() {
        for (line, first) in [
            ("play --elos 900", "error: no se conoce «--elos»\nParecido: --elo\nUso: "),
            ("play --elo", "error: a «--elo <N|auto>» le falta un valor\n"),
            (
                "play --color azul",
                "error: «azul» no vale para «--color <COLOR>»\nSe puede escribir: ",
            ),
            ("bench x", "error: «x» no vale para «[DEPTH]»: escribe un número entero\n"),
            (
                "play --chess960=960",
                "error: «960» no vale para «--chess960 [<NUMBER>]»: escribe un número entre 0 y 959\n",
            ),
            ("lab explain", "error: falta <NAME>\nUso: "),
            ("play --fen x --pgn y", "error: «--fen <FEN>» no puede ir con «--pgn <FILE>»\n"),
            ("plai", "error: no se conoce la orden «plai»\nParecido: lab, play\n"),
        ] {
            let told = told(line);
            assert!(told.starts_with(first), "{line}: {told}");
            assert!(told.ends_with("\n--help lo explica todo, en inglés."), "{told}");
        }
    }

    #[test]
    fn the_language_is_read_from_a_line_that_cannot_be() {
        let of = |line: &str| lang(line.split(' ').map(OsString::from));
        assert_eq!(of("engine play --nada --lang es"), Lang::Es);
        assert_eq!(of("engine play --lang=es --nada"), Lang::Es);
        assert_eq!(of("engine play --lang en --fen es"), Lang::En);
    }
}
