//! The words of a game: moves, numbers, glyphs, results.

use std::borrow::Cow;

use shakmaty::san::San;
use shakmaty::uci::UciMove;

use super::Token;

/// Reads a word: `12.Nf3!?`, `$4`, `1-0`.
pub(super) fn read(word: &str, add: &mut dyn FnMut(Token)) {
    if is_result(word) {
        return add(Token::Result(if word == "1/2" { "1/2-1/2" } else { word }.to_string()));
    }
    if let Some(nag) = word.strip_prefix('$').and_then(|number| number.parse().ok()) {
        return add(Token::Nag(nag));
    }
    let is_castling = word.starts_with("0-0");
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let after_number = digits.trim_start_matches(['.', '…']);
    let is_number = !is_castling
        && after_number.len() < word.len()
        && (digits.len() != after_number.len() || digits.is_empty());
    if is_number {
        add(Token::Number(word[..word.len() - after_number.len()].to_string()));
        if !after_number.is_empty() {
            read(after_number, add);
        }
        return;
    }
    let bare = word.trim_end_matches(['!', '?']);
    let glyph = glyph(&word[bare.len()..]);
    if bare.is_empty() || is_move(bare) {
        if !bare.is_empty() {
            add(Token::Move(bare.to_string()));
        }
        glyph.map(Token::Nag).into_iter().for_each(add);
    } else if let Some((m, nag)) = bare.split_once('$')
        && is_move(m)
        && let Ok(nag) = nag.parse()
    {
        add(Token::Move(m.to_string()));
        add(Token::Nag(nag));
    } else {
        add(Token::Unknown(word.to_string()));
    }
}

/// The word with letters and a hyphen for figurines and dashes.
pub(super) fn plain(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    let letter = |c: char| match c {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        '–' | '—' | '−' => '-',
        c => c,
    };
    Cow::Owned(word.chars().map(letter).collect::<String>().replace('½', "1/2"))
}

/// True for the marks that end a game.
pub(super) fn is_result(word: &str) -> bool {
    ["1-0", "0-1", "1/2-1/2", "1/2", "*"].contains(&word)
}

/// True for words that look like a move, legal or not: `Nf3`, `O-O`, `0-0`, `e2e4`.
fn is_move(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#']);
    let word = word.strip_suffix("e.p.").unwrap_or(word);
    let is_castling = ["0-0", "0-0-0"].contains(&word);
    is_castling || San::from_ascii(word.as_bytes()).is_ok() || word.parse::<UciMove>().is_ok()
}

/// The glyph of `!`, `?` and their pairs.
fn glyph(marks: &str) -> Option<u16> {
    ["!", "?", "!!", "??", "!?", "?!"]
        .iter()
        .position(|known| *known == marks)
        .map(|at| at as u16 + 1)
}
