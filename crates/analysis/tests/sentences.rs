//! The sentences that explain mistakes, against a file of them: whoever changes a threshold, a detector or a word sees
//! what becomes of each, and reads it before it is kept.
//!
//! The mistakes come from games of this program's own limited strengths. `SENTENCES=write` writes the file anew.

#![expect(clippy::unwrap_used, reason = "a test shows what fails")]

use std::fmt::Write;
use std::fs;
use std::sync::Arc;
use std::thread;

use analysis::analyst::{AnalystOptions, analyst};
use analysis::texts::{self, Lang};
use engine::limits::Limits;
use engine::pgn::{Course, RawGame};
use engine::rules::RuleSet;
use engine::settings::Settings;

/// The position and the move of a line that names them.
fn asked(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("position ")?.split_once(" | ")
}

/// The reason why each move that `text` asks for was a mistake.
fn reasons(lang: Lang, text: &str) -> Vec<Option<String>> {
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
        analyst.review(&course, evals, &|| ()).moves.remove(0).unwrap().reason
    };
    text.lines().filter_map(asked).enumerate().map(reason).collect()
}

#[test]
fn every_mistake_has_the_sentence_that_was_read() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sentences.txt");
    let kept = fs::read_to_string(path).unwrap();
    let mut now = String::new();
    let reasons = thread::scope(|scope| {
        let running = Lang::ALL.map(|lang| {
            scope.spawn({
                let kept = &kept;
                move || reasons(lang, kept)
            })
        });
        running.map(|reasons| reasons.join().unwrap())
    });
    let mut reasons = reasons.map(Vec::into_iter);
    for line in kept.lines() {
        if asked(line).is_some() {
            writeln!(now, "{line}").unwrap();
            for (lang, reasons) in Lang::ALL.iter().zip(&mut reasons) {
                let reason = reasons.next().unwrap();
                let text = reason.unwrap_or_else(|| "no mistake".to_string());
                writeln!(now, "{}: {text}", lang.code()).unwrap();
            }
        } else if !line.starts_with("en: ") && !line.starts_with("es: ") {
            writeln!(now, "{line}").unwrap();
        }
    }
    if std::env::var("SENTENCES").is_ok_and(|word| word == "write") {
        fs::write(path, now).unwrap();
        return;
    }
    let differs = kept.lines().zip(now.lines()).find(|(kept, now)| kept != now);
    assert!(differs.is_none(), "read it, then write the file anew: {differs:#?}");
}
