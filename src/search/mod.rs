//! The search (skeleton).
pub mod report;
