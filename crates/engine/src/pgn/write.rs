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
        if width > 0 {
            let is_full = width + 1 + word.len() > WIDTH;
            text.push(if is_full { '\n' } else { ' ' });
            width = if is_full { 0 } else { width + 1 };
        }
        text.push_str(word);
        width += word.len();
    }
    text + "\n"
}
