//! Fuzzer of the target `line`: cargo +nightly fuzz run line

#![no_main]
#![allow(dead_code)]

#[path = "../../tests/common/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::line(data));
