//! Ajedrecista (skeleton).
#![forbid(unsafe_code)]
pub mod arena;
pub mod engine;
pub mod evaluation;
pub mod limits;
pub mod rules;
pub mod score;
pub mod search;
pub mod settings;
