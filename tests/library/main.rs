//! Tests of the library from outside: rules, search, endings, laboratory, and the order of the
//! rooms. They are one program, because linking is what takes time.

#[path = "../common/mod.rs"]
mod common;
mod endings;
mod lab;
mod lab_page;
mod layers;
mod perft;
mod rules;
mod rules_setup;
mod search;
mod variants;
