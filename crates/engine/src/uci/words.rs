//! Splits a line into words. Clients send double spaces, tabs and stray carriage returns; all of them
//! separate words, and none ends a line early.

/// The words of a line, one after another, and the rest after them.
#[derive(Clone, Debug)]
pub struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// The words of `line`.
    pub fn new(line: &'a str) -> Words<'a> {
        Words { rest: line.trim() }
    }

    /// The next word, without taking it.
    pub fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// Takes the next word if `wanted` accepts it.
    pub fn next_if(&mut self, wanted: impl Fn(&str) -> bool) -> Option<&'a str> {
        self.peek().filter(|word| wanted(word))?;
        self.next()
    }

    /// Everything after the words already taken, with its spaces.
    pub fn rest(&self) -> &'a str {
        self.rest
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let (word, rest) = self.rest.split_once(char::is_whitespace).unwrap_or((self.rest, ""));
        self.rest = rest.trim_start();
        Some(word)
    }
}

/// Text from a client for display in one line: quoted, shortened, control characters escaped.
pub fn quoted(text: &str) -> String {
    const MAX_LENGTH: usize = 40;
    let mut short: String = text.chars().take(MAX_LENGTH).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("{short:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_white_space_separates() {
        let words: Vec<&str> = Words::new("  go \t depth  5\r\n").collect();
        assert_eq!(words, ["go", "depth", "5"]);
        assert_eq!(Words::new(" \t ").next(), None);
    }

    #[test]
    fn the_rest_keeps_its_spaces() {
        let mut words = Words::new("value  my  log.txt ");
        words.next();
        assert_eq!(words.rest(), "my  log.txt");
    }

    #[test]
    fn quoted_text_is_one_short_line() {
        assert_eq!(quoted("a\0b\nc"), r#""a\0b\nc""#);
        assert!(quoted(&"é".repeat(1000)).chars().count() < 50);
    }
}
