//! Fuzzer of the target `suite`: cargo +nightly fuzz run suite

#![no_main]
#![allow(dead_code)]

#[path = "../../tests/common/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::suite_lines(data));
