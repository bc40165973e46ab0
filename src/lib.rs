//! Ajedrecista (skeleton).
#![forbid(unsafe_code)]
pub mod arena;
pub mod bench;
pub mod commands;
pub mod engine;
pub mod evaluation;
pub mod levels;
pub mod limits;
pub mod protocol;
pub mod rules;
pub mod score;
pub mod search;
pub mod settings;
