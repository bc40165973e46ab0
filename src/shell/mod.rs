//! Shared by all commands: tables, progress, output files and pages.
//!
//! Nothing here knows chess. [`table`] writes rows as text, Markdown, CSV or JSON, [`progress`] shows the
//! progress of a long command, [`files`] writes output files, and [`page`] puts a self-contained HTML page together.

pub mod files;
pub mod interrupt;
pub mod page;
pub mod progress;
pub mod table;
