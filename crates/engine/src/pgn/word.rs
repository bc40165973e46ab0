//! The words of a game: moves, numbers, glyphs, results, and what stands glued to them.

use super::{Letters, Token};
use crate::rules::notation::WrittenMove;

/// Signs with their numeric annotation glyphs (NAG), longer ones before their beginnings.
const SIGNS: &[(&str, u16)] = &[
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("!", 1),
    ("?", 2),
    ("□", 7),
    ("⊞", 7),
    ("+/-", 16),
    ("-/+", 17),
    ("+/=", 14),
    ("=/+", 15),
    ("+-", 18),
    ("-+", 19),
    ("+=", 14),
    ("=+", 15),
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("∓", 17),
    ("⨀", 22),
    ("○", 26),
    ("⟳", 32),
    ("↻", 32),
    ("↑", 36),
    ("→", 40),
    ("⯹", 44),
    ("⇆", 132),
    ("⊕", 138),
];

/// Words after a move that say nothing that counts: they are kept as comments.
const ASIDES: &[&str] =
    &["e.p.", "ep", "ep.", "e.p", "ch", "ch.", "check", "mate", "dbl", "dis", "+", "++", "#"];

/// The tokens of a word in plain letters: `12.Nf3!?`, `$4`, `1-0`, `Nf3$1Nc6`. A word of which any part is
/// none of these is unknown as a whole. `is_after_move`: the word before is a move or its glyph. `letters` are those of
/// the pieces in another language; the moves are put into SAN then.
pub(super) fn read(word: &str, is_after_move: bool, letters: Letters) -> Vec<Token> {
    // Most words are a move, and nothing else begins like one.
    if let Some((san, _)) = move_of(word, letters).filter(|(_, length)| *length == word.len()) {
        return vec![Token::Move(san)];
    }
    let is_letters = word.starts_with(|c: char| c.is_ascii_alphabetic());
    let aside = ASIDES.iter().filter(|aside| is_letters && word.starts_with(**aside));
    let bare = match aside.max_by_key(|aside| aside.len()) {
        Some(aside) => aside,
        None => word.trim_end_matches(['!', '?']),
    };
    if ASIDES.contains(&bare) || bare.chars().all(is_foreign_sign) && !bare.is_empty() {
        let mut tokens = vec![Token::Comment(bare.to_string())];
        let is_read = parts(&word[bare.len()..], false, letters, &mut tokens).is_some();
        if is_read && tokens[1..].iter().all(|token| matches!(token, Token::Nag(_))) {
            return tokens;
        }
    }
    // The number stands for itself even before an unknown word.
    let (number, rest) = word.split_at(number(word));
    let mut tokens = Vec::with_capacity(2);
    if !number.is_empty() {
        tokens.push(Token::Number(number.to_string()));
    }
    let first = tokens.len();
    if parts(rest, is_after_move && number.is_empty(), letters, &mut tokens).is_none() {
        tokens.truncate(first);
        tokens.push(Token::Unknown(rest.to_string()));
    }
    tokens
}

/// The move that a text begins with, in the letters of SAN, and its length in the text.
fn move_of(text: &str, letters: Letters) -> Option<(String, usize)> {
    match letters {
        Some(letters) => WrittenMove::prefix_in(text, letters),
        None => WrittenMove::prefix(text).map(|(_, length)| (text[..length].to_string(), length)),
    }
}

/// True for signs without a meaning to the rules or to this program.
fn is_foreign_sign(c: char) -> bool {
    !c.is_ascii() && !c.is_alphanumeric() && !SIGNS.iter().any(|(sign, _)| sign.starts_with(c))
}

/// Adds the parts of a word without its number; `None` if one of them is unknown.
fn parts(
    word: &str,
    mut is_after_move: bool,
    letters: Letters,
    tokens: &mut Vec<Token>,
) -> Option<()> {
    let mut rest = word;
    while !rest.is_empty() {
        let (token, length) = part(rest, is_after_move, letters)?;
        is_after_move = match &token {
            Some(token) => matches!(token, Token::Move(_) | Token::Nag(_)),
            None => is_after_move,
        };
        tokens.extend(token);
        rest = &rest[length..];
    }
    Some(())
}

/// The token that a text begins with, and its length; no token for punctuation after a move.
fn part(text: &str, is_after_move: bool, letters: Letters) -> Option<(Option<Token>, usize)> {
    let number = number(text);
    if let Some((word, result)) = RESULTS.iter().find(|(word, _)| *word == text) {
        return Some((Some(Token::Result((*result).to_string())), word.len()));
    }
    if number > 0 {
        return Some((Some(Token::Number(text[..number].to_string())), number));
    }
    if let Some(digits) = text.strip_prefix('$') {
        let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        return Some((Some(Token::Nag(digits[..length].parse().ok()?)), 1 + length));
    }
    match text {
        // A novelty; alone it would be a knight without a square.
        "N" | "TN" if is_after_move => return Some((Some(Token::Nag(146)), text.len())),
        "D" if is_after_move => return Some((Some(Token::Nag(220)), text.len())),
        "," | "." if is_after_move => return Some((None, text.len())),
        _ => {}
    }
    if let Some((san, length)) = move_of(text, letters) {
        return Some((Some(Token::Move(san)), length));
    }
    let (sign, nag) = SIGNS.iter().find(|(sign, _)| text.starts_with(sign))?;
    // More than two of a kind are emphasis.
    let marks = text.len() - text.trim_start_matches(['!', '?']).len();
    Some((Some(Token::Nag(*nag)), sign.len().max(marks)))
}

/// The marks that end a game, and how they are written.
const RESULTS: &[(&str, &str)] =
    &[("1-0", "1-0"), ("0-1", "0-1"), ("1/2-1/2", "1/2-1/2"), ("1/2", "1/2-1/2"), ("*", "*")];

/// The length of the move number that a text begins with: digits, dots, or both.
fn number(text: &str) -> usize {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = text[digits..].trim_start_matches(['.', '…']);
    let length = text.len() - rest.len();
    let has_dots = length > digits;
    // Castling and passing may begin with zeros, results with other digits.
    if has_dots || rest.is_empty() && WrittenMove::prefix(text).is_none() { length } else { 0 }
}
