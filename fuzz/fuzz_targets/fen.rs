//! Fuzzer of the target `fen`: cargo +nightly fuzz run fen

#![no_main]
#![allow(dead_code)]

#[path = "../../tests/common/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::fen(data));
