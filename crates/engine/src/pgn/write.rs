//! The parts of a PGN that every writer of whole games needs.

/// Greatest width of a line of moves, in characters, as PGN's export format has it.
const WIDTH: usize = 80;

/// A tag with its line end; quotation marks and backslashes of the value are escaped.
pub fn tag(name: &str, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

/// Words of the movetext in lines of at most 80 characters, the last with its end. A longer word has a line of its own.
pub fn wrapped<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let (mut text, mut width) = (String::new(), 0);
    for word in words {
        let length = word.chars().count();
        if width > 0 {
            let is_full = width + 1 + length > WIDTH;
            text.push(if is_full { '\n' } else { ' ' });
            width = if is_full { 0 } else { width + 1 };
        }
        text.push_str(word);
        width += length;
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::RawGame;

    #[test]
    fn lines_are_as_full_as_the_width_allows() {
        let words: Vec<String> = (1..300).map(|n: usize| "x".repeat(1 + n * 7 % 11)).collect();
        let text = wrapped(words.iter().map(String::as_str));
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            let next = pair[1].split(' ').next().unwrap();
            assert!(pair[0].len() <= WIDTH && pair[0].len() + 1 + next.len() > WIDTH, "{pair:?}");
        }
        assert!(text.split_whitespace().eq(words.iter().map(String::as_str)));
        assert!(lines.len() > 20 && text.ends_with('\n') && !text.contains(" \n"), "{text}");
        // Exactly full, and a word that no line can hold.
        let (half, long) = ("x".repeat(WIDTH / 2), "y".repeat(WIDTH + 1));
        let full = format!("{half} {}", &half[1..]);
        assert_eq!(wrapped(full.split(' ')), format!("{full}\n"));
        // A letter of two bytes is one character.
        let accented = full.replace('x', "é");
        assert_eq!(wrapped(accented.split(' ')), format!("{accented}\n"));
        assert_eq!(wrapped(["a", &long, "b"]), format!("a\n{long}\nb\n"));
    }

    #[test]
    fn tags_are_read_as_they_were_written() {
        for value in ["", "Réti", "a \"b\" c", "\\", "\\\"", "C:\\new]"] {
            let text = format!("{}\n*\n", tag("Event", value));
            assert_eq!(RawGame::parse(&text).tag("Event"), Some(value), "{text}");
        }
    }
}
