//! What an earlier analysis has left in a game: it is replaced, so that a second analysis changes the scores
//! and adds nothing.
//!
//! Only annotations of this program, in any of its languages, are removed. They are recognised by their fixed words
//! and their place; everything else was written by somebody and stays.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::judgement::Judgement;
use super::texts::{self, Lang, Texts};
use engine::pgn::{Broken, Course, RawGame, Token};
use engine::remark::Remark;

/// The fixed words of the annotations.
struct Words {
    /// Beginnings of summaries.
    summaries: Vec<String>,
    /// Beginnings of notes on the book.
    books: Vec<String>,
    /// Beginnings of notes on faults.
    faults: Vec<String>,
    /// Beginnings of sentences up to the move, with the verdict, without one for praise; and the language.
    verdicts: Vec<(String, Option<Judgement>, Lang)>,
}

/// The texts of all languages.
static ALL: LazyLock<[Texts; Lang::ALL.len()]> = LazyLock::new(|| Lang::ALL.map(texts::of));

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let all = &*ALL;
    let beginning = |key: &str, end: &str| -> Vec<String> {
        let texts = all.iter().map(|texts| texts.get(key));
        texts.map(|text| text.split('{').next().unwrap_or_default().to_string() + end).collect()
    };
    let verdicts = all.iter().flat_map(|texts| {
        let praise = (texts.get("praise.word").to_string() + ". ", None, texts.lang);
        let mistakes = Judgement::ALL
            .map(|judgement| (verdict(texts, judgement) + ". ", Some(judgement), texts.lang));
        mistakes.into_iter().chain([praise]).flat_map(|(verdict, judgement, lang)| {
            let ways = before_moves(texts).into_iter();
            ways.map(move |words| (format!("{verdict}{words}"), judgement, lang))
        })
    });
    Words {
        summaries: beginning("summary.by", "Ajedrecista "),
        books: beginning("book.left", ""),
        faults: beginning("unread", ""),
        verdicts: verdicts.collect(),
    }
});

/// The words before the move in all sentences that name it. Most sentences begin with the move and have none.
fn before_moves(texts: &Texts) -> BTreeSet<&str> {
    texts.keys().filter_map(|key| Some(texts.get(key).split_once("{move}")?.0)).collect()
}

/// The verdict as the beginning of a sentence.
pub(super) fn verdict(texts: &Texts, judgement: Judgement) -> String {
    let name = texts.get(match judgement {
        Judgement::Inaccuracy => "judgement.inaccuracy",
        Judgement::Mistake => "judgement.mistake",
        Judgement::Blunder => "judgement.blunder",
    });
    let mut letters = name.chars();
    let capital = letters.next().into_iter().flat_map(char::to_uppercase);
    capital.collect::<String>() + letters.as_str()
}

/// True for the comment with the accuracy of both players.
pub(super) fn is_summary(comment: &str) -> bool {
    WORDS.summaries.iter().any(|beginning| comment.starts_with(beginning))
}

/// The fault that a comment of its own names.
pub(super) fn fault(comment: &str) -> Option<&str> {
    WORDS.faults.iter().find_map(|beginning| comment.strip_prefix(beginning.as_str()))
}

/// Marks a course as cut where an earlier analysis has named a fault: its output is mended, but the moves that
/// are missing did not come back.
pub fn note_fault(raw: &RawGame, course: &mut Course) {
    if course.is_cut() {
        return;
    }
    let noted = raw.tokens.iter().zip(&raw.lines).find_map(|(token, &line)| match token {
        Token::Comment(text) => {
            let fault = Remark::new("fault.earlier", [("text", fault(text)?)]);
            Some(Broken { line, fault, is_cut: true })
        }
        _ => None,
    });
    if noted.is_some() {
        course.error = noted;
    }
}

/// A comment without the score, the note on the book and the sentence of an earlier analysis, and the verdict
/// of that sentence. `name` is the move with its number.
pub(super) fn without(comment: &str, name: &str) -> (String, Option<Judgement>) {
    let name = name.trim_end_matches(['+', '#']);
    let (mut text, mut rest) = (String::with_capacity(comment.len()), comment);
    while let Some((before, score)) = rest.split_once("[%eval")
        && let Some((_, after)) = score.split_once(']')
    {
        text.push_str(before);
        rest = after.trim_start();
    }
    text.push_str(rest);
    let sentence = WORDS.verdicts.iter().find_map(|(verdict, judgement, lang)| {
        let texts = ALL.iter().find(|texts| texts.lang == *lang)?;
        let at = text.find(&format!("{verdict}{}", texts::moves(texts, name)))?;
        Some((at, *judgement))
    });
    // The sentence is the last part, the note on the book the one before.
    let book = WORDS.books.iter().find_map(|beginning| text.find(beginning));
    let end = sentence.map(|(at, _)| at).into_iter().chain(book).min();
    text.truncate(end.unwrap_or(text.len()));
    (text.trim().to_string(), sentence.and_then(|(_, judgement)| judgement))
}

/// The place after the better line at `place`, if one stands there: a side line of moves alone.
pub(super) fn after_better_line(raw: &RawGame, place: usize) -> usize {
    let rest = raw.tokens.get(place..).unwrap_or_default();
    let Some((Token::Open, moves)) = rest.split_first() else { return place };
    let is_plain = |token: &&Token| matches!(token, Token::Move(_) | Token::Number(_));
    let length = moves.iter().take_while(is_plain).count();
    if moves.get(length) == Some(&Token::Close) { place + length + 2 } else { place }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sentence_that_names_the_move_is_recognised() {
        for texts in Lang::ALL.map(texts::of) {
            let sentences = texts.keys().filter(|key| texts.get(key).contains("{move}"));
            let mut prefixed = 0;
            for key in sentences {
                let sentence = texts::tell(&texts, key, &[("move", "2.Ng4")]);
                prefixed += usize::from(!sentence.starts_with("2."));
                for judgement in Judgement::ALL {
                    let comment = format!("mine {}. {sentence}", verdict(&texts, judgement));
                    let known = super::without(&comment, "2.Ng4");
                    assert_eq!(known, ("mine".to_string(), Some(judgement)), "{comment}");
                }
            }
            assert!(prefixed > 3, "sentences that do not begin with the move");
        }
    }

    #[test]
    fn own_parts_go_and_all_else_stays() {
        let without = |text: &str| without(text, "2.g4");
        let (text, verdict) = without("[%eval 0.3] [%clk 0:01:00] good");
        assert_eq!((text.as_str(), verdict), ("[%clk 0:01:00] good", None));
        assert_eq!(without(" hm ").0, "hm");
        assert_eq!(without("[%eval 0.3").0, "[%eval 0.3", "no end, so whose is the rest?");
        let own = "[%eval #-1] mine Leaves the book, which has 2.d4. Blunder. 2.g4 allows mate.";
        assert_eq!(without(own), ("mine".to_string(), Some(Judgement::Blunder)));
        let spanish = "[%eval #-1] Error grave. 2.g4 permite mate en 1: 2...Qh4#.";
        assert_eq!(without(spanish), (String::new(), Some(Judgement::Blunder)));
        let foreign = "(0.10 → 1.80) Blunder. Nc6 was best.";
        assert_eq!(without(foreign), (foreign.to_string(), None));
        let letters = super::without("Error. 3.Cxe5 pierde el caballo de e5.", "3.Nxe5");
        assert_eq!(letters, (String::new(), Some(Judgement::Mistake)));
        let praise = "[%eval 1.2] mine Good move. 2.g4 is the only good move.";
        assert_eq!(without(praise), ("mine".to_string(), None));
        assert!(is_summary("Analysed by Ajedrecista 0.1.0, depth 3. White: …"));
        assert!(!is_summary("Analysed by Ann"));
    }
}
