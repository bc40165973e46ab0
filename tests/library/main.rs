//! Tests of the library from outside: rules, search, endings, analysis, laboratory, and the order of the modules.
//! They are one program, because linking takes most of the time.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::unwrap_used)]

mod adaptive;
mod analysis;
mod browser;
#[expect(dead_code, reason = "these pages are asked, not clicked")]
#[path = "../common/chromium.rs"]
mod chromium;
#[path = "../common/mod.rs"]
mod common;
mod docs;
mod endings;
mod hostile;
mod lab;
mod lab_page;
mod layers;
mod levels;
mod network;
mod openbench;
mod opponent;
mod perft;
mod rules;
mod rules_setup;
mod search;
mod strength;
mod table_lines;
#[path = "../common/targets.rs"]
mod targets;
mod variants;
