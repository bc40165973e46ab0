//! The sentences that explain mistakes, against a file of them: whoever changes a threshold, a detector or a word sees
//! what becomes of each, and reads it before it is kept.
//!
//! The mistakes come from games of this program's own limited strengths. `SENTENCES=write` writes the file anew. A test run
//! compares each in one language, by turns: the searches behind them are the same.

#![expect(clippy::unwrap_used, reason = "a test shows what fails")]

use std::fmt::Write;
use std::fs;
use std::sync::Arc;
use std::thread;

use analysis::analyst::{AnalystOptions, analyst};
use analysis::review::MoveReview;
use analysis::texts::{self, Lang};
use engine::limits::Limits;
use engine::pgn::{Course, RawGame};
use engine::rules::RuleSet;
use engine::settings::Settings;

/// The position and the move of a line that names them.
fn asked(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("position ")?.split_once(" | ")
}

/// The reason why every `step`th move that `text` asks for was a mistake, from the `first` on, with its number.
fn reasons(lang: Lang, text: &str, first: usize, step: usize) -> Vec<(usize, String)> {
    let options = AnalystOptions {
        limits: Limits::nodes(6_000),
        hash_mb: 1,
        texts: Arc::new(texts::of(lang)),
        settings: Settings::default(),
        reasons: true,
        exercises: false,
    };
    let mut analyst = analyst(RuleSet::Chess, &options).unwrap();
    let reason = |(number, (fen, m)): (usize, (&str, &str))| {
        let game = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{m} *\n");
        let course = Course::follow(&RawGame::parse(&game)).unwrap();
        let evals = analyst.score(number, &course, 0..2);
        let review = analyst.review(number, &course, 0, evals, &|| ()).moves.remove(0).unwrap();
        assert_eq!(review.names_better, has_better(&review, lang), "{:?}", review.reason);
        (number, review.reason.unwrap_or_else(|| "no mistake".to_string()))
    };
    text.lines().filter_map(asked).enumerate().skip(first).step_by(step).map(reason).collect()
}

/// True if the better move is a word of the sentence.
fn has_better(review: &MoveReview, lang: Lang) -> bool {
    let (Some(reason), Some(better)) = (&review.reason, review.better.first()) else {
        return false;
    };
    let better = texts::moves(&texts::of(lang), &better.name);
    let is_mark = |c: char| !c.is_alphanumeric();
    let mut words = reason.split_whitespace().map(|word| word.trim_end_matches(is_mark));
    words.any(|word| word == better.trim_end_matches(is_mark))
}

/// The sentences of `text` in a language, as it has them.
fn kept_sentences(lang: Lang, text: &str) -> Vec<&str> {
    let prefix = format!("{}: ", lang.code());
    text.lines().filter_map(|line| line.strip_prefix(prefix.as_str())).collect()
}

#[test]
fn every_mistake_has_the_sentence_that_was_read() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sentences.txt");
    let kept = fs::read_to_string(path).unwrap();
    let is_written = std::env::var("SENTENCES").is_ok_and(|word| word == "write");
    let sentences = Lang::ALL.map(|lang| {
        let (own, step) = if is_written { (0, 1) } else { (lang as usize, Lang::ALL.len()) };
        // Two threads, each with every other sentence.
        let mut found = thread::scope(|scope| {
            let kept = &kept;
            let part = |first| scope.spawn(move || reasons(lang, kept, first, 2 * step));
            [part(own), part(own + step)].map(|part| part.join().unwrap()).concat()
        });
        found.sort();
        found
    });
    if is_written {
        fs::write(path, renewed(&kept, &sentences)).unwrap();
        return;
    }
    for (lang, found) in Lang::ALL.into_iter().zip(sentences) {
        let kept = kept_sentences(lang, &kept);
        let differs = found.iter().find(|(number, now)| kept.get(*number) != Some(&now.as_str()));
        assert!(differs.is_none(), "read it, then write the file anew: {differs:#?}");
    }
}

/// The file with these sentences, by language, in place of those that it has.
fn renewed(kept: &str, sentences: &[Vec<(usize, String)>]) -> String {
    let mut now = String::new();
    let mut number = 0;
    for line in kept.lines().filter(|line| !line.starts_with("en: ") && !line.starts_with("es: ")) {
        writeln!(now, "{line}").unwrap();
        if asked(line).is_some() {
            for (lang, found) in Lang::ALL.into_iter().zip(sentences) {
                writeln!(now, "{}: {}", lang.code(), found[number].1).unwrap();
            }
            number += 1;
        }
    }
    now
}
