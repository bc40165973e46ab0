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

/// The reason why a move was a mistake in this position.
fn reason(lang: Lang, fen: &str, m: &str) -> Option<String> {
    let options = AnalystOptions {
        limits: Limits::nodes(6_000),
        hash_mb: 1,
        texts: Arc::new(texts::of(lang)),
        settings: Settings::default(),
        reasons: true,
        exercises: false,
    };
    let mut analyst = analyst(RuleSet::Chess, &options).unwrap();
    let game = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{m} *\n");
    let course = Course::follow(&RawGame::parse(&game)).unwrap();
    let evals = analyst.score(0, &course, 0..2);
    analyst.review(&course, evals, &|| ()).moves.remove(0).unwrap().reason
}

#[test]
fn every_mistake_has_the_sentence_that_was_read() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sentences.txt");
    let kept = fs::read_to_string(path).unwrap();
    let mut now = String::new();
    for line in kept.lines() {
        if let Some((fen, m)) =
            line.strip_prefix("position ").and_then(|rest| rest.split_once(" | "))
        {
            writeln!(now, "{line}").unwrap();
            let reasons = thread::scope(|scope| {
                let running = Lang::ALL.map(|lang| scope.spawn(move || reason(lang, fen, m)));
                running.map(|reason| reason.join().unwrap())
            });
            for (name, reason) in ["en", "es"].into_iter().zip(reasons) {
                let text = reason.unwrap_or_else(|| "no mistake".to_string());
                writeln!(now, "{name}: {text}").unwrap();
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
