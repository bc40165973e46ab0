//! Shared by all commands of the program: tables, progress and files.
//!
//! Nothing here knows chess. [`table`] writes rows as text, Markdown, CSV or JSON, [`progress`] shows
//! how far a long command has come, and [`files`] is the one way to write an output file, and [`page`] puts a
//! self-contained HTML page together.

pub mod files;
pub mod page;
pub mod progress;
pub mod table;
