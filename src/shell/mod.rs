//! Shared by all commands: tables, progress, output files and pages.
//!
//! Nothing here knows chess. [`table`] writes rows as text, Markdown, CSV or JSON, [`progress`] shows the
//! progress of a long command, [`files`] writes output files, [`journal`] those that grow,
//! [`page`] puts a self-contained HTML page together, and
//! [`texts`] keeps words in several languages.

pub mod files;
pub mod interrupt;
pub mod journal;
pub mod page;
pub mod progress;
pub mod table;
pub mod texts;
