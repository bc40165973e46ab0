//! Pages that explain themselves: one HTML file with everything in it, which needs no network.
//!
//! The parts are plain JavaScript, CSS and pieces drawn for this project. [`Page::assemble`] puts them
//! into one file, with the data as JSON. Nothing is compiled or fetched.

use std::fmt::Write;

use serde_json::Value as Json;

/// Colours, light and dark, and the look of boards and buttons.
pub const STYLE: &str = include_str!("style.css");
/// Draws boards: `drawBoard(board, label)`.
pub const BOARD: &str = include_str!("board.js");
/// Makes elements, and writes moves, numbers and positions as a language does: `html`, `unbroken`, `writing(text)`.
pub const ELEMENTS: &str = include_str!("elements.js");
/// The chess pieces as SVG symbols `piece-p` … `piece-k`, drawn for this project.
pub const PIECES: &str = include_str!("pieces.svg");

/// The parts of one page.
pub struct Page<'a> {
    /// Language code: `en`, `es`.
    pub lang: &'a str,
    /// Title, as plain text.
    pub title: &'a str,
    /// Style sheets, in order, after [`STYLE`].
    pub styles: &'a [&'a str],
    /// Scripts, in order, after [`BOARD`] and [`ELEMENTS`]. They share one module.
    pub scripts: &'a [&'a str],
    /// The body, as HTML.
    pub body: &'a str,
    /// The data, which scripts read from the element `data`.
    pub data: &'a Json,
}

impl Page<'_> {
    /// The page as one file.
    pub fn assemble(&self) -> String {
        let styles = [&[STYLE], self.styles].concat().join("\n");
        let scripts = [&[BOARD, ELEMENTS], self.scripts].concat().join("\n");
        // A slash that could end the element is written so that it cannot.
        let data = self.data.to_string().replace("</", "<\\/").replace("<!--", "<\\u0021--");
        let mut html = String::with_capacity(data.len() + scripts.len() + styles.len() + 4096);
        // Writing to a string cannot fail.
        let _ = write!(
            html,
            "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<meta \
             name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
             <link rel=\"icon\" href=\"data:,\">\n<style>\n{styles}</style>\n</head>\n<body>\n\
             {PIECES}{}\n<script type=\"application/json\" id=\"data\">{data}</script>\n\
             <script type=\"module\">\n{scripts}</script>\n</body>\n</html>\n",
            self.lang,
            escape(self.title),
            self.body,
        );
        html
    }
}

/// Text for HTML and SVG.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_page_holds_everything_and_its_data_cannot_end_it() {
        let data = json!({ "text": "</script><!-- x" });
        let page = Page {
            lang: "en",
            title: "a < b",
            styles: &["p {}"],
            scripts: &["run();"],
            body: "<p>x</p>",
            data: &data,
        };
        let html = page.assemble();
        assert!(html.starts_with("<!DOCTYPE html>") && html.contains("a &lt; b"));
        assert!(!html.contains("src=\"http") && !html.contains("</script><!--"));
        let start = html.find("id=\"data\">").unwrap() + 10;
        let end = start + html[start..].find("</script>").unwrap();
        assert_eq!(serde_json::from_str::<Json>(&html[start..end]).unwrap(), data);
    }
}
