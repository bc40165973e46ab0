//! Shared by all commands: tables, progress and output files.
//!
//! Nothing here knows chess. [`table`] writes rows as text, Markdown, CSV or JSON, [`progress`] shows the
//! progress of a long command, and [`files`] writes output files.

pub mod files;
pub mod progress;
pub mod table;
