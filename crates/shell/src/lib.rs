//! Shared by all commands: tables, progress, output files and pages.
//!
//! Nothing here knows the rules of chess. [`table`] writes rows as text, Markdown, CSV or JSON, [`progress`] shows the
//! progress of a long command, [`files`] writes output files, [`journal`] those that grow, [`lock`] keeps
//! two runs out of one output,
//! `source` opens files of games, compressed or not, [`page`] puts a self-contained HTML page together, and
//! [`texts`] keeps words in several languages. [`remarks`] has the words for what the engine says of positions. What needs
//! files or a terminal is left out in a browser.

#[cfg(not(target_family = "wasm"))]
pub mod files;
#[cfg(not(target_family = "wasm"))]
pub mod interrupt;
#[cfg(not(target_family = "wasm"))]
pub mod journal;
#[cfg(not(target_family = "wasm"))]
pub mod lock;
pub mod page;
#[cfg(not(target_family = "wasm"))]
pub mod progress;
pub mod remarks;
#[cfg(not(target_family = "wasm"))]
pub mod source;
pub mod table;
pub mod texts;
