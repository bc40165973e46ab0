//! Fuzzer of the target `tables_text`: cargo +nightly fuzz run tables

#![no_main]
#![allow(dead_code)]

#[path = "../../tests/common/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::tables_text(data));
